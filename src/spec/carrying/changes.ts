/**
 * The differences between the facts of two releases, and the new parts for which the code may need a decision. Without
 * a decision, Canticle serves the older form.
 */
import { DEPRECATED_APIS } from '../deprecated/deprecated-apis.js';
import { mentioned, type JsonSchema, type OperationFacts, type Schemas } from '../schema.js';
import type { CantonFacts } from './canton.js';
import { NOTICE, type OpenApiSource } from './openapi.js';

export interface Changes {
  /** Each such as `POST /v2/updates`. */
  readonly added: readonly string[];
  readonly gone: readonly string[];
  readonly disabled: readonly string[];
  /** Operations with other parameters, content types, statuses or messages, with the parts that differ. */
  readonly changed: readonly string[];
  /** Members and variants, such as `Completion1.transactionHash`. */
  readonly addedMembers: readonly string[];
  readonly goneMembers: readonly string[];
  readonly addedChannels: readonly string[];
  readonly goneChannels: readonly string[];
}

type Documented = Pick<CantonFacts, 'operations' | 'schemas'> & {
  readonly channels?: CantonFacts['channels'];
};

export const nameOf = ({ method, path }: OperationFacts): string =>
  `${method.toUpperCase()} ${path}`;

const without = (all: readonly string[], others: readonly string[]): readonly string[] =>
  all.filter((each) => !others.includes(each));

export function changesBetween(before: Documented, after: Documented): Changes {
  const [old, now] = [before, after].map(
    ({ operations }) => new Map(operations.map((row) => [nameOf(row), row])),
  ) as [Map<string, OperationFacts>, Map<string, OperationFacts>];
  const kept = [...now].filter(([name]) => old.has(name));
  const [oldMembers, members] = [before, after].map(({ schemas }) => membersOf(schemas)) as [
    readonly string[],
    readonly string[],
  ];
  const [oldPaths, paths] = [before, after].map(({ channels }) => channels?.paths ?? []) as [
    readonly string[],
    readonly string[],
  ];
  return {
    added: without([...now.keys()], [...old.keys()]),
    gone: without([...old.keys()], [...now.keys()]),
    disabled: kept
      .filter(([name, { disabled }]) => disabled !== undefined && !old.get(name)!.disabled)
      .map(([name, { disabled }]) => `${name}: ${disabled!.group}, use ${disabled!.instead}`),
    changed: kept.flatMap(([name, row]) => {
      const parts = partsThatDiffer(old.get(name)!, row);
      return parts.length === 0 ? [] : [`${name}: ${parts.join(', ')}`];
    }),
    addedMembers: without(members, oldMembers),
    goneMembers: without(oldMembers, members),
    addedChannels: without(paths, oldPaths),
    goneChannels: without(oldPaths, paths),
  };
}

/** The parts of an operation with other facts. Messages count by their names: their members are listed apart. */
function partsThatDiffer(old: OperationFacts, row: OperationFacts): readonly string[] {
  const parts = ['operationId', 'parameters', 'request', 'responses', 'deprecated'] as const;
  return parts.filter((part) => JSON.stringify(old[part]) !== JSON.stringify(row[part]));
}

/** Each message with its members, values and variants; a required member has a mark. */
function membersOf(schemas: Schemas): readonly string[] {
  return Object.entries(schemas).flatMap(([name, schema]) => [name, ...partsOf(name, schema)]);
}

function partsOf(name: string, schema: JsonSchema): readonly string[] {
  const required = new Set(schema.required ?? []);
  return [
    ...Object.keys(schema.properties ?? {}).map(
      (member) => `${name}.${member}${required.has(member) ? ' (required)' : ''}`,
    ),
    ...(schema.enum ?? []).map((value) => `${name} = ${value}`),
    ...(schema.oneOf ?? []).flatMap(({ properties = {}, $ref }) =>
      [...Object.keys(properties), ...($ref === undefined ? [] : [$ref.replace(/.*\//, '')])].map(
        (variant) => `${name} | ${variant}`,
      ),
    ),
  ];
}

/** The facts about the code that decide what is undecided. */
export interface Code {
  /** Ids of operations with a handler. */
  readonly handlers: ReadonlySet<string>;
  /** Ids of operations that a participant does not route either. */
  readonly unrouted: ReadonlySet<string>;
  readonly errorCodes: ReadonlySet<string>;
  /** Whether some source mentions a member. */
  readonly mentions: (member: string) => boolean;
}

/** Each new part for which the code has no decision, with the place of the decision. */
export function undecidedIn(
  facts: Documented,
  { addedMembers }: Pick<Changes, 'addedMembers'>,
  openapi: OpenApiSource,
  code: Code,
): readonly string[] {
  const handlers = facts.operations
    .filter(({ operationId: id }) => !code.handlers.has(id) && !code.unrouted.has(id))
    .map(
      (row) =>
        `${nameOf(row)} has no handler: src/spec/served.ts and src/services (${row.operationId})`,
    );
  const served = facts.operations.filter(({ operationId }) => code.handlers.has(operationId));
  const used = mentioned(facts.schemas, served);
  const members = addedMembers.flatMap((each) => {
    const [found, message, member] = /^(\w+)\.([^ ]+)/.exec(each) ?? [];
    return found === undefined || !used.has(message!) || code.mentions(member!)
      ? []
      : [`${found} is new, and no source mentions it: src/services`];
  });
  const codes = [...codesIn(openapi, facts.schemas)].filter((each) => !code.errorCodes.has(each));
  return [
    ...handlers,
    ...unknownNotices(facts.operations, openapi).map(
      (name) =>
        `${name} has an unknown notice of deprecation: src/spec/deprecated/deprecated-apis.ts`,
    ),
    ...members,
    ...codes.map((each) => `The documents mention ${each}: src/daml/errors/error-catalogue.ts`),
  ];
}

/** Operations whose description has a notice in other words, or with an unknown group. */
function unknownNotices(
  operations: readonly OperationFacts[],
  openapi: OpenApiSource,
): readonly string[] {
  return operations
    .filter(({ disabled, method, path }) =>
      disabled === undefined
        ? NOTICE.test(openapi.paths[path]?.[method]?.description ?? '')
        : !Object.hasOwn(DEPRECATED_APIS, disabled.group),
    )
    .map(nameOf);
}

/** Words in descriptions that look like error codes, without the values of enumerations. */
function codesIn(openapi: OpenApiSource, schemas: Schemas): ReadonlySet<string> {
  const values = new Set(Object.values(schemas).flatMap((schema) => enumsIn(schema)));
  const words = new Set<string>();
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    for (const [key, value] of Object.entries(node))
      if (key !== 'description' || typeof value !== 'string') visit(value);
      else for (const [word] of value.matchAll(ERROR_CODE)) words.add(word);
  };
  visit(openapi.paths);
  visit(openapi.components.schemas);
  return new Set([...words].filter((word) => !values.has(word)));
}

/** At least three words, so that few other constants match. */
const ERROR_CODE = /\b[A-Z]{3,}(?:_[A-Z]+){2,}\b/g;

function enumsIn(node: unknown): readonly string[] {
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'enum' && Array.isArray(value) ? (value as string[]) : enumsIn(value),
  );
}
