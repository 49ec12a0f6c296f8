/** Parameters of operations, in the path and in the query: what they usually are, and what they never or hardly ever are. */
import {
  APIS,
  refName,
  type JsonSchema,
  type Operation,
  type Parameter,
} from '../../../src/spec/index.js';

/** What no parameter of a type may be; each as it stands in a path or a query. */
export const WRONG_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  integer: [
    'seven',
    '1.5',
    '1e3',
    '0x10',
    '--1',
    'true',
    '+',
    '9223372036854775808',
    '9'.repeat(400),
  ],
  boolean: ['yes', '1', 'tru', 'null'],
  'date-time': ['yesterday', '2026-01-01', '2026-13-01T00:00:00Z', '7'],
  enum: ['nothing-of-the-kind', 'null'],
};
/** What a text may hold; how it is answered is then the operation's to say. */
const STRANGE = [
  '%00',
  '%FF%FE',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '%2F..%2F..%2Fv2%2Fusers',
  '__proto__',
  'constructor',
  '-1',
  '%20',
  "'%22%5C",
  'x'.repeat(5000),
];
export type Values = Readonly<Record<string, string | readonly string[] | undefined>>;

export const schemaOf = ({ schemas }: Operation, { schema }: Parameter): JsonSchema =>
  schema.$ref === undefined ? schema : (schemas[refName(schema.$ref)] ?? {});
export const kindOf = ({ type, format, enum: values }: JsonSchema): string =>
  values !== undefined ? 'enum' : format === 'date-time' ? format : (type ?? 'string');
const fitting = (schema: JsonSchema): string =>
  ({
    enum: schema.enum?.[0] ?? '',
    integer: '1',
    boolean: 'true',
    'date-time': '2026-01-01T00:00:00Z',
  })[kindOf(schema)] ?? 'text';

/** What every parameter of the operation may be. */
export const usualValues = (operation: Operation): Values =>
  Object.fromEntries(
    (operation.parameters ?? []).map((each) => [
      each.name,
      // Waiting is not what is tried here.
      each.name === 'stream_idle_timeout_ms' ? '1' : fitting(schemaOf(operation, each)),
    ]),
  );

export function targetOf({ api, path, parameters = [] }: Operation, values: Values): string {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => String(values[name] ?? ''));
  const query = parameters
    .filter((each) => each.in === 'query')
    .flatMap(({ name }) => [values[name] ?? []].flat().map((value) => `${name}=${value}`));
  return `${APIS[api].basePath}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

let turn = 0;

/** Every other, the others with the next parameter; all of them where CANTICLE_ALL_FAULTS is set. */
export function strangeTexts(): typeof STRANGE {
  turn += 1;
  if (process.env.CANTICLE_ALL_FAULTS) return STRANGE;
  return STRANGE.filter((_, index) => (index + turn) % 2 === 0);
}
