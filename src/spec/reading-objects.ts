/**
 * Reads an object member by member. The codec of its message decides the defaults for missing or null members, and
 * which members are required. That is computed before the first value.
 */
import type { Issue, Read, ReadingRules } from './reading.js';
import type { TextKind } from './reading-scalars.js';
import { join, member, MISSING_FIELD, refuse, wrongType } from './reading-words.js';
import { exactDigits } from './reading/exact-json.js';
import { isJsonObject } from '../daml/model/own-members.js';
import { refName, type JsonSchema, type Schemas } from './schema.js';

/** The value of a missing enum in a relaxed object; the enum's reader then rejects it (B-GEN-017). */
const MISSING_ENUM = { Unrecognized: { unrecognizedValue: 0 } };

export interface ReadingWorld {
  readonly rules: ReadingRules;
  readonly schemas: Schemas;
  readonly readOf: (schema: JsonSchema, text?: TextKind) => Read;
}

/** @param name of the message; empty for one that has none */
export function objectReader(name: string, schema: JsonSchema, world: ReadingWorld): Read {
  const { rules } = world;
  const codec = rules.codecOf(name);
  if (codec === 'unit') return readUnit;
  const isRelaxed = codec === 'relaxed';
  const firstOnly = isRelaxed || !rules.accumulates;
  const members = Object.keys(schema.properties ?? {}).map((key) =>
    memberOf(new MemberSite(name, schema, key, world)),
  );
  return (value, path, errors) => {
    const isWhole = isJsonObject(value);
    const base = isRelaxed ? '' : path;
    if (!isWhole && rules.objectsOnly) return refuse(errors, wrongType(value, 'object'), path);
    if (!isWhole && members.length === 0) return refuse(errors, NO_OBJECT, base);
    const before = errors.length;
    const read: Record<string, unknown> = {};
    for (const each of members) {
      const given = isWhole ? given64(value, each) : undefined;
      const taken = each.read(given, isWhole, base, errors);
      if (errors.length > before) {
        if (!firstOnly) continue;
        errors.length = before + 1;
        return undefined;
      }
      if (taken !== undefined) read[each.key] = taken;
    }
    return read;
  };
}

/** The error of a value that is not an object, if the object has no members. */
const NO_OBJECT = 'HNil';

const readUnit: Read = (value, path, errors) =>
  value === null || ((Array.isArray(value) || isJsonObject(value)) && isEmpty(value))
    ? {}
    : refuse(errors, wrongType(value, "'null' or '[]' or '{}'"), path);

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** A member, as its digits if it is an integer that a number cannot hold. */
function given64(value: Record<string, unknown>, { key, isInteger }: Member): unknown {
  const given = member(value, key);
  const isLong = isInteger && typeof given === 'number' && !Number.isSafeInteger(given);
  return isLong ? (exactDigits(value, key) ?? given) : given;
}

interface Member {
  readonly key: string;
  readonly isInteger: boolean;
  /** @param isWhole whether the object itself exists */
  readonly read: (given: unknown, isWhole: boolean, base: string, errors: Issue[]) => unknown;
}

function memberOf(site: MemberSite): Member {
  const { key } = site;
  const read = site.world.readOf(site.property, site.textKind);
  const { nullMeansDefault } = site;
  return {
    key,
    isInteger: site.property.type === 'integer',
    read: (given, isWhole, base, errors) => {
      if (given !== undefined && !(given === null && nullMeansDefault))
        return read(given, join(base, key), errors);
      if (given === undefined) {
        const reason = site.refusalOfMissing(isWhole);
        if (reason !== undefined) return refuse(errors, reason, join(base, key));
      }
      return site.default();
    },
  };
}

/** One member of a message, with all the data for reading it. */
class MemberSite {
  readonly property: JsonSchema;
  readonly textKind: TextKind | undefined;
  readonly nullMeansDefault: boolean;
  /** The default of a missing member; made again each time, because its receiver may change it. */
  readonly default: () => unknown;
  private readonly codec;
  private readonly isRequired: boolean;
  private readonly isEnum: boolean;
  private readonly isMessage: boolean;
  /** Whether it is in a relaxed envelope, whose content gets no defaults. */
  private readonly isWrapped: boolean;

  constructor(
    private readonly message: string,
    private readonly schema: JsonSchema,
    readonly key: string,
    readonly world: ReadingWorld,
  ) {
    const { rules } = world;
    this.property = schema.properties![key]!;
    this.textKind = rules.textKindOf(message, key);
    this.codec = rules.codecOf(message);
    this.isRequired =
      (schema.required ?? []).includes(key) || rules.alsoRequired(message).includes(key);
    this.isEnum = this.property.enum !== undefined || this.textKind?.kind === 'enum';
    this.isMessage = this.isOfMessage();
    this.isWrapped = this.codec === 'relaxed' && isWrapper(schema) && this.isMessage;
    this.nullMeansDefault = Object.keys(this.property).length > 0 && this.takesNull();
    this.default = this.defaultMaker();
  }

  /** The error for a missing member; undefined if it may be missing. */
  refusalOfMissing(isWhole: boolean): string | undefined {
    const { codec, isRequired } = this;
    if (codec === 'strict')
      return isRequired || (!isWhole && this.isOption()) ? MISSING_FIELD : undefined;
    if (codec !== 'relaxed') return undefined;
    if (!isWhole || this.isWrapped) return MISSING_FIELD;
    return this.isEnum ? wrongType(MISSING_ENUM, 'string') : undefined;
  }

  private takesNull(): boolean {
    if (this.codec === 'defaulted') return true;
    if (this.codec === 'strict') return !this.isRequired;
    return this.isOption() || (this.isMessage && !this.isWrapped);
  }

  private isOption(): boolean {
    return this.world.rules.isOption(this.message, this.key);
  }

  /** Whether the member is a message of protobuf, be it one that is written as a text. */
  private isOfMessage(): boolean {
    const { property, textKind } = this;
    if (textKind?.kind === 'identifier' || textKind?.kind === 'timestamp') return true;
    const target = property.$ref && this.world.schemas[refName(property.$ref)];
    return !!target && target.type === 'object' && target.additionalProperties === undefined;
  }

  /**
   * Lists and maps become empty, an unset oneof becomes `{"Empty":{}}`. A missing required scalar of a relaxed
   * object becomes its zero; an optional one, and any other message, stays unset.
   */
  private defaultMaker(): () => unknown {
    const { property, codec } = this;
    const { rules, schemas } = this.world;
    if (property.default !== undefined) return () => property.default;
    const target = property.$ref === undefined ? property : (schemas[refName(property.$ref)] ?? {});
    if (!rules.accumulates) return unset;
    if (target.type === 'array') return () => [];
    if (target.type === 'object' && typeof target.additionalProperties === 'object')
      return () => ({});
    if (target.oneOf?.some((variant) => variant.properties?.Empty) && codec !== 'strict')
      return () => ({ Empty: {} });
    if (codec === 'strict' || !this.isRequired) return unset;
    if (target.type === 'string' && !this.isEnum) return () => '';
    // No request requires a truth value.
    return target.type === 'integer' ? () => 0 : unset;
  }
}

const unset = (): undefined => undefined;

/** A variant's envelope: `{"value": …}`. */
function isWrapper(schema: JsonSchema): boolean {
  const names = Object.keys(schema.properties ?? {});
  return names.length === 1 && names[0] === 'value';
}
