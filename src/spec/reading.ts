/**
 * Reads a JSON value by its schema as the real servers do (both use circe): what is missing is filled in or refused,
 * unknown members are ignored, numbers may come as texts, and every fault has the real text and path.
 * What differs from API to API is data: `ReadingRules`.
 */
import { refName, type JsonSchema, type Schemas } from './schema.js';
import { quoted, readInteger, readText, type TextKind } from './reading-scalars.js';

export type { TextKind };

/**
 * `strict`: members without a default are required. `relaxed`: a mirror of a protobuf message, every member may be
 * missing, only the first fault is told and its path begins at this object. `relaxed-legacy`: the same, but an
 * explicit null is no default. `defaulted`: every member may be missing, paths go on.
 */
export type Codec = 'strict' | 'relaxed' | 'relaxed-legacy' | 'defaulted';

export interface ReadingRules {
  /** Whether all faults are told or only the first. */
  accumulates: boolean;
  /** Whether something else than an object is refused where an object is expected; else it reads as an empty one. */
  objectsOnly: boolean;
  codecOf(message: string): Codec;
  textKindOf(message: string, member: string): TextKind | undefined;
  alsoRequired(message: string): readonly string[];
}

export interface Fault {
  reason: string;
  /** JavaScript style, without a leading dot: `commands[0].CreateCommand.templateId`. */
  path: string;
}

export type Reading = { value: unknown; faults?: undefined } | { faults: readonly Fault[] };

const MISSING_FIELD = 'Missing required field';
const NO_VARIANT = 'JSON decoding to CNil should never happen';
/** What a relaxed object puts in place of a missing enum; the enum's reader then refuses it (B-GEN-017). */
const MISSING_ENUM = { Unrecognized: { unrecognizedValue: 0 } };

const fault = (reason: string, path: string): Reading => ({ faults: [{ reason, path }] });
const join = (path: string, member: string): string => (path === '' ? member : `${path}.${member}`);
const wrongType = (value: unknown, expected: string): string =>
  `Got value '${quoted(value)}' with wrong type, expecting ${expected}`;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own member, never one that every object inherits. */
function member(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export class Reader {
  constructor(
    private readonly schemas: Schemas,
    private readonly rules: ReadingRules,
  ) {}

  read(schema: JsonSchema, value: unknown, path = '', text?: TextKind): Reading {
    if (schema.$ref !== undefined) return this.readMessage(refName(schema.$ref), value, path, text);
    return this.readInline(schema, value, path, undefined, text);
  }

  private readMessage(name: string, value: unknown, path: string, text?: TextKind): Reading {
    const schema = this.schemas[name];
    if (schema === undefined)
      throw new Error(`Failed to read ${path}: no schema is named ${name}.`);
    return this.readInline(schema, value, path, name, text);
  }

  private readInline(
    schema: JsonSchema,
    value: unknown,
    path: string,
    name?: string,
    text?: TextKind,
  ): Reading {
    if (schema.oneOf) return this.readUnion(schema, value, path);
    if (schema.allOf) return this.readObject(name ?? '', this.merged(schema), value, path);
    if (schema.enum) return readText({ kind: 'enum', values: schema.enum, name }, value, path);
    switch (schema.type) {
      case 'string':
        return readText(text ?? this.formatKind(schema), value, path);
      case 'integer':
        return readInteger(schema.format, value, path);
      case 'number':
        return typeof value === 'number' ? { value } : fault('Double', path);
      case 'boolean':
        return typeof value === 'boolean'
          ? { value }
          : fault(wrongType(value, "'true' or 'false'"), path);
      case 'array':
        return this.readArray(schema, value, path);
      case 'object':
        if (schema.properties) return this.readObject(name ?? '', schema, value, path);
        return this.readMap(schema, value, path);
      default:
        return { value };
    }
  }

  private formatKind(schema: JsonSchema): TextKind | undefined {
    return schema.format === 'date-time' ? { kind: 'timestamp' } : undefined;
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

  private readArray(schema: JsonSchema, value: unknown, path: string): Reading {
    if (!Array.isArray(value)) return fault(wrongType(value, 'array'), path);
    const items: unknown[] = [];
    const faults: Fault[] = [];
    for (const [index, item] of value.entries()) {
      const reading = this.read(schema.items ?? {}, item, `${path}[${index}]`);
      if (!reading.faults) items.push(reading.value);
      else if (this.stop(faults, reading.faults)) return { faults };
    }
    return faults.length > 0 ? { faults } : { value: items };
  }

  private readMap(schema: JsonSchema, value: unknown, path: string): Reading {
    if (!isObject(value)) return fault(wrongType(value, 'object'), path);
    if (typeof schema.additionalProperties !== 'object') return { value };
    const entries: [string, unknown][] = [];
    const faults: Fault[] = [];
    for (const [key, item] of Object.entries(value)) {
      const reading = this.read(schema.additionalProperties, item, join(path, key));
      if (!reading.faults) entries.push([key, reading.value]);
      else if (this.stop(faults, reading.faults)) return { faults };
    }
    // fromEntries makes own members only, so that a key like __proto__ is a key like any other.
    return faults.length > 0 ? { faults } : { value: Object.fromEntries(entries) };
  }

  /** A variant is chosen by the first of the official names that is there; the others are ignored (B-GEN-039). */
  private readUnion(schema: JsonSchema, value: unknown, path: string): Reading {
    if (schema.discriminator) return this.readTagged(schema, value, path);
    for (const variant of schema.oneOf ?? []) {
      const [name, body] = Object.entries(variant.properties ?? {})[0] ?? [];
      if (name === undefined || body === undefined) continue;
      const inside = isObject(value) ? member(value, name) : undefined;
      if (inside === undefined) continue;
      const reading = this.read(body, inside, join(path, name));
      return reading.faults ? reading : { value: { [name]: reading.value } };
    }
    return fault(NO_VARIANT, path);
  }

  private readTagged(schema: JsonSchema, value: unknown, path: string): Reading {
    const { propertyName, mapping = {} } = schema.discriminator ?? { propertyName: '' };
    const tag = isObject(value) ? member(value, propertyName) : undefined;
    if (typeof tag !== 'string') {
      return fault(
        tag === undefined ? MISSING_FIELD : wrongType(tag, 'string'),
        join(path, propertyName),
      );
    }
    const ref = Object.hasOwn(mapping, tag) ? mapping[tag] : undefined;
    if (ref === undefined)
      return fault(`Unknown value ${tag} (valid: ${Object.keys(mapping).join(', ')})`, path);
    return this.readMessage(refName(ref), value, path);
  }

  private readObject(name: string, schema: JsonSchema, value: unknown, path: string): Reading {
    if (this.rules.objectsOnly && !isObject(value)) return fault(wrongType(value, 'object'), path);
    const codec = this.rules.codecOf(name);
    const relaxed = codec === 'relaxed' || codec === 'relaxed-legacy';
    const base = relaxed ? '' : path;
    const required = new Set([...(schema.required ?? []), ...this.rules.alsoRequired(name)]);
    const members: [string, unknown][] = [];
    const faults: Fault[] = [];
    for (const [key, property] of Object.entries(schema.properties ?? {})) {
      const reading = this.readMember(
        { name, codec, schema, key, property, value, required: required.has(key) },
        base,
      );
      if (reading.faults) {
        faults.push(...reading.faults);
        if (relaxed || !this.rules.accumulates) return { faults: faults.slice(0, 1) };
      } else if (reading.value !== undefined) members.push([key, reading.value]);
    }
    return faults.length > 0 ? { faults } : { value: Object.fromEntries(members) };
  }

  private readMember(at: MemberSite, base: string): Reading {
    const path = join(base, at.key);
    const given = isObject(at.value) ? member(at.value, at.key) : undefined;
    const free = Object.keys(at.property).length === 0;
    if (given === undefined) return this.readMissing(at, path);
    if (given === null && !free && this.nullMeansDefault(at)) return { value: this.defaultOf(at) };
    return this.read(at.property, given, path, this.rules.textKindOf(at.name, at.key));
  }

  private nullMeansDefault(at: MemberSite): boolean {
    if (at.codec === 'relaxed' || at.codec === 'defaulted') return !isWrapper(at.schema);
    // 3.4 states the newer of two forms as required; the server takes either.
    if (at.codec === 'relaxed-legacy')
      return (!at.required || at.property.$ref !== undefined) && at.property.type !== 'array';
    return !at.required;
  }

  private readMissing(at: MemberSite, path: string): Reading {
    const whole = isObject(at.value);
    const needed =
      at.codec === 'strict'
        ? at.required
        : at.codec === 'relaxed-legacy'
          ? !whole && at.required
          : false;
    const wrapped =
      at.codec === 'relaxed' && isWrapper(at.schema) && at.property.$ref !== undefined;
    if (needed || wrapped) return fault(whole ? MISSING_FIELD : `Couldn't decode ${path}`, path);
    if (at.codec === 'relaxed' && whole && at.required && this.isEnum(at)) {
      return fault(wrongType(MISSING_ENUM, 'string'), path);
    }
    return { value: this.defaultOf(at) };
  }

  private isEnum(at: MemberSite): boolean {
    return (
      at.property.enum !== undefined || this.rules.textKindOf(at.name, at.key)?.kind === 'enum'
    );
  }

  /**
   * What stands for a member that is not there. Lists and maps become empty, an unset oneof becomes `{"Empty":{}}`.
   * A required scalar of a relaxed object becomes its zero; an optional one, and any other message, stays unset.
   */
  private defaultOf(at: MemberSite): unknown {
    if (at.property.default !== undefined) return at.property.default;
    const target =
      at.property.$ref === undefined
        ? at.property
        : (this.schemas[refName(at.property.$ref)] ?? {});
    if (!this.rules.accumulates) return undefined;
    if (target.type === 'array') return [];
    if (target.type === 'object' && typeof target.additionalProperties === 'object') return {};
    if (target.oneOf?.some((variant) => variant.properties?.Empty) && at.codec !== 'strict')
      return { Empty: {} };
    if (at.codec === 'strict' || !at.required) return undefined;
    if (target.type === 'string' && !this.isEnum(at)) return '';
    if (target.type === 'integer' || target.type === 'number') return 0;
    return target.type === 'boolean' ? false : undefined;
  }

  /** Takes new faults in; true when the first fault ends the reading. */
  private stop(faults: Fault[], more: readonly Fault[]): boolean {
    faults.push(...more);
    return !this.rules.accumulates;
  }
}

/** One member of one object, with all that decides how it is read. */
interface MemberSite {
  name: string;
  codec: Codec;
  schema: JsonSchema;
  key: string;
  property: JsonSchema;
  value: unknown;
  required: boolean;
}

/** A variant's envelope: `{"value": …}`; its content is never defaulted. */
function isWrapper(schema: JsonSchema): boolean {
  const names = Object.keys(schema.properties ?? {});
  return names.length === 1 && names[0] === 'value';
}
