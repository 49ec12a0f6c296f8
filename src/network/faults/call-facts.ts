/**
 * The facts of a request that fault conditions check: contracts, choices, templates, parties. They are the same over
 * JSON and gRPC.
 */
import { isJsonObject } from '../../daml/model/own-members.js';
import { isBytes } from '../../daml/errors/realms.js';

export interface CallFacts {
  readonly commandIds: ReadonlySet<string>;
  readonly submissionIds: ReadonlySet<string>;
  /** Whether the call submits commands, or a prepared and signed transaction. */
  readonly isSubmission: boolean;
  readonly userIds: ReadonlySet<string>;
  readonly actAs: ReadonlySet<string>;
  readonly parties: ReadonlySet<string>;
  readonly templates: ReadonlySet<string>;
  readonly choices: ReadonlySet<string>;
  /** Contracts on which the call exercises choices. */
  readonly contractIds: ReadonlySet<string>;
}

/** Daml values may have any members. */
const VALUES = new Set(['createArguments', 'choiceArgument', 'contractKey', 'createArgument']);
const LISTS: Readonly<Record<string, Exclude<keyof CallFacts, 'isSubmission'>>> = {
  commandId: 'commandIds',
  submissionId: 'submissionIds',
  userId: 'userIds',
  actAs: 'parties',
  readAs: 'parties',
  parties: 'parties',
  party: 'parties',
  requestingParties: 'parties',
  partyId: 'parties',
  submitter: 'parties',
  templateId: 'templates',
  choice: 'choices',
};
const MAX_DEPTH = 12;

export function factsOf(input: unknown): CallFacts {
  let isSubmission = false;
  const facts = {
    commandIds: new Set<string>(),
    submissionIds: new Set<string>(),
    userIds: new Set<string>(),
    actAs: new Set<string>(),
    parties: new Set<string>(),
    templates: new Set<string>(),
    choices: new Set<string>(),
    contractIds: new Set<string>(),
  };
  const take = (given: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || isBytes(given)) return;
    if (Array.isArray(given)) return given.forEach((each) => take(each, depth + 1));
    if (!isJsonObject(given)) return;
    for (const [name, value] of Object.entries(given)) {
      const list = LISTS[name];
      if (list !== undefined) for (const each of textsOf(value)) facts[list].add(each);
      isSubmission ||= name === 'commandId' || name === 'preparedTransaction';
      if (name === 'actAs' || name === 'submitter')
        for (const each of textsOf(value)) facts.actAs.add(each);
      if (name === 'contractId' && 'choice' in given && typeof value === 'string')
        facts.contractIds.add(value);
      if (name === 'filtersByParty' && isJsonObject(value))
        for (const party of Object.keys(value)) facts.parties.add(party);
      if (!VALUES.has(name)) take(value, depth + 1);
    }
  };
  take(input, 0);
  return { ...facts, isSubmission };
}

/** The texts of a template's id. JSON sends one text, a message sends its parts. */
function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === 'string') return [value];
  if (!isJsonObject(value) || !('entityName' in value)) return [];
  const { packageId, moduleName, entityName } = value;
  return [[packageId, moduleName, entityName].map(String).join(':')];
}

/** Whether `Module:Entity`, or a longer form of it, matches the id of a template. */
export function isTemplate(id: string, wanted: string): boolean {
  return id === wanted || id.endsWith(`:${wanted}`);
}

export function isParty(id: string, wanted: string): boolean {
  return id === wanted || id.startsWith(`${wanted}::`);
}
