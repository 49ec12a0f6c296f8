/**
 * Reads a JSON value by its schema as the real servers do (both use circe). Missing members get a default or an
 * error, unknown members are ignored, and numbers may be texts. Every error has the real text and path. The
 * differences between APIs are data: `ReadingRules`.
 */
import { refName, type JsonSchema, type Schemas } from './schema.js';
import { objectReader } from './reading-objects.js';
import { integerReader, textReader, type TextKind, type TimeError } from './reading-scalars.js';
import { join, member, MISSING_FIELD, refuse, wrongType } from './reading-words.js';
import { isJsonObject } from '../daml/model/own-members.js';

export type { TextKind };

/**
 * In `strict` objects, members without a default are required. In `relaxed` objects, which mirror a protobuf
 * message, every member may be missing. Only the first error is reported, and its path begins at this object. In
 * `defaulted` objects every member may be missing or null, and paths continue. A `unit` is an empty value: null,
 * `[]` or `{}`.
 */
export type Codec = 'strict' | 'relaxed' | 'defaulted' | 'unit';

export interface ReadingRules {
  /** Whether the error has all errors or only the first. */
  accumulates: boolean;
  /**
   * Whether a value that is not an object is rejected for its kind; otherwise for its missing members.
   */
  objectsOnly: boolean;
  codecOf(message: string): Codec;
  textKindOf(message: string, member: string): TextKind | undefined;
  /** For values that the schema marks as times. */
  timeError: TimeError;
  alsoRequired(message: string): readonly string[];
  /**
   * Whether a member that is not a message is an Option in the participant's class. For strict messages: a member
   * without a default.
   */
  isOption(message: string, member: string): boolean;
}

export interface Issue {
  reason: string;
  /** JavaScript style, without a leading dot: `commands[0].CreateCommand.templateId`. */
  path: string;
  /** The text, if it should name a type and does not. */
  identifier?: string;
}

export type Reading = { value: unknown; errors?: undefined } | { errors: readonly Issue[] };

/**
 * The reader of values of one schema. It is made from the schema once, so that reading a value needs no lookups.
 * Returns the value; if it adds errors, the value must not be used.
 */
export type Read = (value: unknown, path: string, errors: Issue[]) => unknown;

const NO_VARIANT = 'JSON decoding to CNil should never happen';

/** Reads values of one API's messages. */
export class Reader {
  private readonly bySchema = new WeakMap<JsonSchema, Read>();
  private readonly byMessage = new Map<string, Read>();

  constructor(
    private readonly schemas: Schemas,
    private readonly rules: ReadingRules,
  ) {}

  read(schema: JsonSchema, value: unknown): Reading {
    let read = this.bySchema.get(schema);
    if (read === undefined) this.bySchema.set(schema, (read = this.readOf(schema)));
    const errors: Issue[] = [];
    const given = read(value, '', errors);
    return errors.length > 0 ? { errors } : { value: given };
  }

  /** @param text the kind of its texts, if the member that contains them specifies more than the schema */
  private readOf(schema: JsonSchema, text?: TextKind): Read {
    if (schema.$ref === undefined) return this.inline(schema, undefined, text);
    const name = refName(schema.$ref);
    // Messages are recursive, so a message's reader is made at its first value.
    let read: Read | undefined;
    return (value, path, errors) => (read ??= this.message(name, path, text))(value, path, errors);
  }

  private message(name: string, path: string, text?: TextKind): Read {
    const schema = this.schemas[name];
    if (schema === undefined)
      throw new Error(`Failed to read ${path}: no schema is named ${name}.`);
    if (text !== undefined) return this.inline(schema, name, text);
    let read = this.byMessage.get(name);
    if (read === undefined) this.byMessage.set(name, (read = this.inline(schema, name)));
    return read;
  }

  private inline(schema: JsonSchema, name: string | undefined, text?: TextKind): Read {
    if (schema.oneOf) return this.union(schema);
    if (schema.allOf) return this.object(name ?? '', this.merged(schema));
    if (schema.enum) return textReader({ kind: 'enum', values: schema.enum, name });
    switch (schema.type) {
      case 'string':
        return textReader(
          text ??
            (schema.format === 'date-time'
              ? { kind: 'timestamp', error: this.rules.timeError }
              : undefined),
        );
      case 'integer':
        return integerReader(schema.format);
      case 'number':
        return readNumber;
      case 'boolean':
        return readBoolean;
      case 'array':
        return this.array(schema, text);
      case 'object':
        return schema.properties || this.isEmptyMessage(name, schema)
          ? this.object(name ?? '', schema)
          : this.map(schema);
      default:
        return (value) => value;
    }
  }

  private merged(schema: JsonSchema): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const part of schema.allOf ?? []) {
      const flat = part.$ref === undefined ? part : (this.schemas[refName(part.$ref)] ?? {});
      const whole = flat.allOf ? this.merged(flat) : flat;
      Object.assign(properties, whole.properties);
      required.push(...(whole.required ?? []));
    }
    return { type: 'object', properties, required };
  }

  private isEmptyMessage(name: string | undefined, { additionalProperties }: JsonSchema): boolean {
    return name !== undefined && additionalProperties === undefined && !this.rules.objectsOnly;
  }

  private array({ items = {} }: JsonSchema, text?: TextKind): Read {
    const readItem = this.readOf(items, text);
    const { accumulates } = this.rules;
    return (value, path, errors) => {
      if (!Array.isArray(value)) return refuse(errors, wrongType(value, 'array'), path);
      const before = errors.length;
      const read: unknown[] = [];
      for (let index = 0; index < value.length; index += 1) {
        read.push(readItem(value[index], `${path}[${index}]`, errors));
        if (!accumulates && errors.length > before) return undefined;
      }
      return read;
    };
  }

  private map({ additionalProperties }: JsonSchema): Read {
    const readItem =
      typeof additionalProperties === 'object' ? this.readOf(additionalProperties) : undefined;
    const { accumulates } = this.rules;
    return (value, path, errors) => {
      if (!isJsonObject(value)) return refuse(errors, wrongType(value, 'object'), path);
      if (readItem === undefined) return value;
      const before = errors.length;
      const entries: [string, unknown][] = [];
      for (const [key, item] of Object.entries(value)) {
        entries.push([key, readItem(item, join(path, key), errors)]);
        if (!accumulates && errors.length > before) return undefined;
      }
      // fromEntries makes own members only, so that a key like __proto__ is a key like any other.
      return Object.fromEntries(entries);
    };
  }

  /** The first official name that is present selects the variant; the others are ignored (B-GEN-039). */
  private union(schema: JsonSchema): Read {
    if (schema.discriminator) return this.tagged(schema);
    const scalars = (schema.oneOf ?? []).filter(
      ({ type }) => type !== undefined && type !== 'object',
    );
    if (scalars.length === schema.oneOf?.length) return this.eitherOf(scalars);
    const variants = (schema.oneOf ?? []).flatMap(({ properties = {} }) =>
      Object.entries(properties)
        .slice(0, 1)
        .map(([name, body]) => ({ name, read: this.readOf(body) })),
    );
    return (value, path, errors) => {
      if (isJsonObject(value))
        for (const { name, read } of variants) {
          const inside = member(value, name);
          if (inside !== undefined) return { [name]: read(inside, join(path, name), errors) };
        }
      return refuse(errors, NO_VARIANT, path);
    };
  }

  /** The first schema that can read the value; otherwise the error of the last. */
  private eitherOf(schemas: readonly JsonSchema[]): Read {
    const reads = schemas.map((each) => this.readOf(each));
    return (value, path, errors) => {
      let last: Issue[] = [];
      for (const read of reads) {
        last = [];
        const given = read(value, path, last);
        if (last.length === 0) return given;
      }
      errors.push(...last);
      return undefined;
    };
  }

  private tagged({ discriminator }: JsonSchema): Read {
    const { propertyName, mapping = {} } = discriminator ?? { propertyName: '' };
    return (value, path, errors) => {
      const tag = isJsonObject(value) ? member(value, propertyName) : undefined;
      if (typeof tag !== 'string') {
        const reason = tag === undefined ? MISSING_FIELD : wrongType(tag, 'string');
        return refuse(errors, reason, join(path, propertyName));
      }
      const ref = Object.hasOwn(mapping, tag) ? mapping[tag] : undefined;
      if (ref !== undefined) return this.message(refName(ref), path)(value, path, errors);
      const valid = Object.keys(mapping).join(', ');
      return refuse(errors, `Unknown value ${tag} (valid: ${valid})`, path);
    };
  }

  private object(name: string, schema: JsonSchema): Read {
    return objectReader(name, schema, {
      rules: this.rules,
      schemas: this.schemas,
      readOf: (property, text) => this.readOf(property, text),
    });
  }
}

function readNumber(value: unknown, path: string, errors: Issue[]): unknown {
  return typeof value === 'number' ? value : refuse(errors, 'Double', path);
}

function readBoolean(value: unknown, path: string, errors: Issue[]): unknown {
  if (typeof value === 'boolean') return value;
  return refuse(errors, wrongType(value, "'true' or 'false'"), path);
}
