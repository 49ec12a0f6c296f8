/** What of a request the conditions of faults look at, wherever it stands in the request: over JSON and gRPC alike. */
import { isJsonObject } from '../../daml/model/own-members.js';
import { isBytes } from '../../daml/errors/realms.js';

export interface CallFacts {
  readonly commandIds: ReadonlySet<string>;
  readonly submissionIds: ReadonlySet<string>;
  /** Whether it submits something: commands, or what was prepared and signed. */
  readonly isSubmission: boolean;
  readonly userIds: ReadonlySet<string>;
  readonly actAs: ReadonlySet<string>;
  readonly parties: ReadonlySet<string>;
  readonly templates: ReadonlySet<string>;
  readonly choices: ReadonlySet<string>;
  /** What it exercises choices of. */
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

/** A template's id is a text, or of a message its parts. */
function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === 'string') return [value];
  if (!isJsonObject(value) || !('entityName' in value)) return [];
  const { packageId, moduleName, entityName } = value;
  return [[packageId, moduleName, entityName].map(String).join(':')];
}

/** Whether an id of a template is meant by `Module:Entity`, or by more of it. */
export function isTemplate(id: string, wanted: string): boolean {
  return id === wanted || id.endsWith(`:${wanted}`);
}

export function isParty(id: string, wanted: string): boolean {
  return id === wanted || id.startsWith(`${wanted}::`);
}
