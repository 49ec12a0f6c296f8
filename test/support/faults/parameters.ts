/** Parameters of operations, in the path and in the query: with typical, invalid and unusual values. */
import {
  APIS,
  refName,
  type JsonSchema,
  type Operation,
  type Parameter,
} from '../../../src/spec/index.js';

/** Values that are invalid for each parameter of a type, in their form in a path or a query. */
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
/** Values that a text may have; the operation decides. */
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

/** Typical values of each parameter of the operation. */
export const usualValues = (operation: Operation): Values =>
  Object.fromEntries(
    (operation.parameters ?? []).map((each) => [
      each.name,
      // These tests do not wait.
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

/** Every second fault, with the other start for the next parameter. If CANTICLE_ALL_FAULTS is set: all faults. */
export function strangeTexts(): typeof STRANGE {
  turn += 1;
  if (process.env.CANTICLE_ALL_FAULTS) return STRANGE;
  return STRANGE.filter((_, index) => (index + turn) % 2 === 0);
}
