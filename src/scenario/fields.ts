/** The kinds of fields that verbs and expectations have: the schema of each, and how a name in it is resolved. */
import { CATALOGUE } from '../daml/errors/error-catalogue.js';
import { LedgerError } from '../daml/errors/ledger-error.js';
import { parseNumeric } from '../daml/model/numeric.js';
import type { ContractId, Party, Timestamp } from '../daml/model/values.js';
import { parseDuration, parseTime } from '../network/model/time-texts.js';
import { ScenarioError } from '../wallet/scenario-error.js';
import type { ParticipantView } from '../wallet/participant-view.js';
import type { TemplateName } from '../wallet/typed.js';
import type { Field, Fields, Given, JsonSchema, Lookup, OptionalField, Read } from './row.js';

/** A reference is allowed wherever a string is. */
const REFERENCE: JsonSchema = { type: 'string', pattern: '^\\$' };

export function optional<In, Out>(field: Field<In, Out>): OptionalField<In, Out> {
  return { ...field, read: field.read, optional: true };
}

/** Adds a sentence for the editor. */
export function described<F extends { readonly schema: JsonSchema }>(
  field: F,
  description: string,
): F {
  return { ...field, schema: { ...field.schema, description } };
}

function textField<Out>(
  schema: JsonSchema,
  read: (text: string, world: Lookup) => Out,
): Field<string, Out> {
  return {
    schema: { type: 'string', ...schema },
    read: (given, world) => {
      const resolved = world.names.resolve(given);
      if (typeof resolved === 'object')
        throw new ScenarioError(`${given} is not a string. Name a part of it, such as ${given}.0.`);
      return read(String(resolved), world);
    },
  };
}

export const text = textField({}, (given) => given);

/** A text that is not empty. */
export const name = textField({ pattern: '\\S' }, (given) => given);

export const party: Field<string, Party> = textField(
  { pattern: '\\S', description: 'A party: its name in the scenario, or its full id.' },
  (given, world) => world.party(given),
);

/** Checked against those of the network. An error suggests the nearest one. */
export const synchronizer: Field<string, string> = textField(
  { pattern: '\\S', description: 'Alias of a synchronizer.' },
  (given, world) => world.synchronizer(given).id,
);

export const participant: Field<string, ParticipantView> = textField(
  {
    pattern: '\\S',
    description: 'Name of a participant. Default: the host of the acting party.',
  },
  (given, world) => world.participant(given),
);

/** A contract, as `$name` of a step that created it. For a transfer, the name refers to its instruction. */
export const contract: Field<string, ContractId> = {
  schema: {
    type: 'string',
    pattern: '\\S',
    description: 'A contract: $name of an earlier result, or its full id.',
  },
  read: (given, world) => {
    const value = world.names.resolve(given);
    if (typeof value === 'string' && /^00[0-9a-f]+$/.test(value)) return value;
    const hint = world.names.has(given) ? ` Did you mean '$${given}'?` : '';
    throw new ScenarioError(
      hint === '' && given.startsWith('$')
        ? `${given} is not a contract. Its value is ${world.show(value)}.`
        : `'${given}' is not a contract.${hint || ' Refer to one by $name.'}`,
    );
  },
};

/** `package-name:Module:Entity`, with or without `#`, which must be quoted in YAML. */
/** In a file it is a text; the builder turns objects into their ids. */
export const template = textField(
  {
    pattern: '^(\\$|#?[^:#]+:[^:]+:[^:]+$)',
    description: 'A template or interface: package-name:Module:Entity.',
  },
  (given) => (/^#|^[0-9a-f]{64}:/.test(given) ? given : `#${given}`),
) as Field<TemplateName, string>;

const AMOUNT = '^-?[0-9]+(\\.[0-9]+)?$';

/** A decimal: a text, or a number with an exact decimal text. */
export const amount: Field<string | number, string> = {
  schema: {
    anyOf: [
      { type: 'number' },
      { type: 'string', pattern: AMOUNT },
      { type: 'string', pattern: '\\$' },
    ],
    description: 'A decimal, such as 12.5.',
  },
  read: (given, world) => {
    const resolved = typeof given === 'string' ? world.names.resolve(given) : given;
    const written = String(resolved);
    if (typeof resolved === 'number' && written.replace(/\D/g, '').length > 15)
      throw new ScenarioError(
        `${written} has too many digits for a YAML number. Put it in quotes.`,
      );
    if (parseNumeric(written) === undefined)
      throw new ScenarioError(`'${written}' is not a decimal, such as 12.5.`);
    return written;
  },
};

export const integer: Field<number | string, number> = {
  schema: { anyOf: [{ type: 'integer' }, REFERENCE], description: 'An integer.' },
  read: (given, world) => {
    const resolved = typeof given === 'string' ? world.names.resolve(given) : given;
    if (Number.isSafeInteger(resolved)) return resolved as number;
    throw new ScenarioError(`'${String(resolved)}' is not an integer.`);
  },
};

export const yesOrNo: Field<boolean> = { schema: { type: 'boolean' }, read: (given) => given };

/** @param words the alternatives */
export function oneOf<const W extends string>(words: readonly W[]): Field<W> {
  return { schema: { type: 'string', enum: words }, read: (given) => given };
}

/** Any error code of the ledger. */
export const ANY_CODE = 'ANY';

export const errorCode = described(
  oneOf([ANY_CODE, ...(Object.keys(CATALOGUE) as (keyof typeof CATALOGUE)[])]),
  'A Canton error code.',
);

const explain =
  <T>(read: (text: string) => T) =>
  (given: string) => {
    try {
      return read(given);
    } catch (error) {
      throw error instanceof LedgerError ? new ScenarioError(error.details.cause) : error;
    }
  };

export const instant: Field<string, Timestamp> = textField(
  { description: 'A time, such as 2026-01-01T00:00:00Z.' },
  explain(parseTime),
);

/** Microseconds. */
export const duration: Field<string, bigint> = textField(
  { description: 'A duration, such as PT10M or P1DT2H.' },
  explain(parseDuration),
);

/** A value of Daml as Ledger API JSON, in which any text may refer to a name. */
export const value: Field<unknown> = { schema: {}, read: resolveDeeply };

/** Fields of a record of Daml, or some of them. */
export const payload: Field<Readonly<Record<string, unknown>>> = {
  schema: {
    type: 'object',
    description: 'Fields as Ledger API JSON; $name refers to an earlier result.',
  },
  read: (given, world) => resolveDeeply(given, world) as Record<string, unknown>,
};

function resolveDeeply(given: unknown, world: Lookup): unknown {
  if (typeof given === 'string') return world.names.resolve(given);
  if (Array.isArray(given)) return given.map((item, i) => at(i, () => resolveDeeply(item, world)));
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([key, item]) => [key, at(key, () => resolveDeeply(item, world))]),
  );
}

/** A single item needs no brackets. */
export function list<In, Out>(item: Field<In, Out>): Field<In | readonly In[], readonly Out[]> {
  return {
    schema: { anyOf: [item.schema, { type: 'array', items: item.schema }] },
    read: (given, world) => {
      const items = (Array.isArray(given) ? given : [given]) as readonly In[];
      return items.map((each, i) =>
        Array.isArray(given) ? at(i, () => item.read(each, world)) : item.read(each, world),
      );
    },
  };
}

export function record<F extends Fields>(fields: F): Field<Given<F>, Read<F>> {
  return {
    schema: objectSchema(fields),
    read: (given, world) => readFields(fields, given as Record<string, unknown>, world) as Read<F>,
  };
}

export function objectSchema(fields: Fields): JsonSchema {
  const required = Object.keys(fields).filter((name) => fields[name]!.optional !== true);
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, { schema }]) => [name, schema]),
    ),
    additionalProperties: false,
  };
}

export function readFields(
  fields: Fields,
  given: Readonly<Record<string, unknown>>,
  world: Lookup,
) {
  const read: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields))
    if (given[name] !== undefined) read[name] = at(name, () => field.read(given[name], world));
  return read;
}

/** Adds the field to the error of a mistake. */
export function at<T>(key: string | number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ScenarioError ? error.under(key) : error;
  }
}
