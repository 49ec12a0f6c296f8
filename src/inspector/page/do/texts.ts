/** The submission as a command of the Ledger API, and as code for a shell, a test or a scenario. */
import type { Target } from './targets.js';

export interface Submission {
  readonly target: Target;
  /** The value as the JSON Ledger API reads it. */
  readonly value: unknown;
  readonly actAs: readonly string[];
  readonly readAs: readonly string[];
  /** The ids of the disclosed contracts. */
  readonly disclosed: readonly string[];
}

export function commandOf({ target, value }: Submission): object {
  if (target.kind === 'create')
    return { CreateCommand: { templateId: target.templateId, createArguments: value } };
  const { templateId, contractId, choice } = target;
  return { ExerciseCommand: { templateId, contractId, choice, choiceArgument: value } };
}

export interface DisclosedContract {
  readonly contractId: string;
  readonly createdEventBlob: string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export interface Client {
  /** The URL of the participant's JSON Ledger API. */
  readonly ledgerApi: string;
  readonly userId: string;
  /** Whether the call needs a token: `token`, or a token that the reader adds. */
  readonly needsToken: boolean;
  readonly token?: string | null | undefined;
  /** Whether its user has the rights. */
  readonly mayAct: boolean;
}

/** For POSIX shells. */
export function curlOf(
  submission: Submission,
  { ledgerApi, userId, needsToken, token, mayAct }: Client,
  disclosedContracts: readonly DisclosedContract[],
): string {
  const { actAs, readAs } = submission;
  const body = {
    commandId: 'from-the-inspector',
    userId,
    actAs,
    ...(readAs.length > 0 && { readAs }),
    commands: [commandOf(submission)],
    ...(disclosedContracts.length > 0 && { disclosedContracts }),
  };
  const bearer =
    token == null ? '"Authorization: Bearer $TOKEN"' : quoted(`Authorization: Bearer ${token}`);
  const lines = [
    `curl ${quoted(`${ledgerApi}/v2/commands/submit-and-wait`)}`,
    ...(needsToken ? [`  -H ${bearer}`] : []),
    `  -H 'Content-Type: application/json'`,
    `  -d ${quoted(JSON.stringify(body, undefined, 2))}`,
  ];
  const note = mayAct ? '' : '# No user of the participant has the rights for this yet.\n';
  return note + lines.join(' \\\n');
}

const literal = (value: unknown, indent = '  '): string =>
  JSON.stringify(value, undefined, 2).replaceAll('\n', `\n${indent}`);

/** @param place of the participant among those of the instance */
export function typescriptOf(
  { target, value, actAs, readAs, disclosed }: Submission,
  place: number,
): string {
  const participant = place <= 0 ? 'canticle.participant' : `canticle.participants[${place}]`;
  const options = literal({ actAs, ...(readAs.length > 0 && { readAs }) });
  const note = disclosed.length === 0 ? '' : `// Also disclosed: ${disclosed.join(', ')}\n`;
  if (target.kind === 'create')
    return `${note}const contractId = ${participant}.create(
  ${literal(target.templateId)},
  ${literal(value)},
  ${options},
);`;
  const { templateId, contractId, choice } = target;
  return `${note}const { result } = ${participant}.exercise(
  ${literal(templateId)},
  ${literal(contractId)},
  ${literal(choice)},
  ${literal(value)},
  ${options},
);`;
}

/** A literal `$` is written twice, because `$` begins a name. */
function withoutNames(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('$', '$$$$');
  if (Array.isArray(value)) return value.map(withoutNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutNames(each)]));
}

/** YAML, which includes JSON. */
export function scenarioOf({ target, value, actAs, readAs, disclosed }: Submission): string {
  const who = [
    `  by: ${JSON.stringify(actAs)}`,
    ...(readAs.length > 0 ? [`  readAs: ${JSON.stringify(readAs)}`] : []),
    ...(disclosed.length > 0 ? [`  disclosed: ${JSON.stringify(disclosed)}`] : []),
  ];
  if (target.kind === 'create')
    return [
      `- create: ${JSON.stringify(target.templateId.replace(/^#/, ''))}`,
      `  with: ${literal(withoutNames(value))}`,
      ...who,
    ].join('\n');
  return [
    `- exercise: ${JSON.stringify(target.contractId)}`,
    `  choice: ${JSON.stringify(target.choice)}`,
    ...(target.by === undefined
      ? []
      : [`  through: ${JSON.stringify(target.templateId.replace(/^#/, ''))}`]),
    `  with: ${literal(withoutNames(value))}`,
    ...who,
  ].join('\n');
}
