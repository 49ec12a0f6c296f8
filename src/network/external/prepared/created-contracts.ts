/**
 * Checks that created contracts of a prepared transaction match their templates. The executing participant hashes them
 * for the contract id, and for that the engine reads them with the template's type (B-INT-041).
 */
import { prettyType } from '../../../daml/codec/pretty.js';
import {
  boundBody,
  template as templateOf,
  type PackageLookup,
} from '../../../daml/model/package.js';
import { parseNumeric } from '../../../daml/model/numeric.js';
import { typeId, type DamlType, type Field } from '../../../daml/model/types.js';
import type { ProtoValue } from '../../values/messages.js';
import { bareValue } from './bare.js';
import { scalaValue } from '../../values/scala-value.js';
import { id } from './engine-text.js';
import type { ProtoCreate, ProtoTransaction } from './messages.js';

/** @returns the engine's error for the first contract, in Scala's format */
export function untranslatable(
  packages: PackageLookup,
  { nodes }: ProtoTransaction,
): string | undefined {
  for (const { v1 } of nodes) {
    const error = v1?.create && errorOfCreate(packages, v1.create);
    if (error !== undefined) return error;
  }
  return undefined;
}

function errorOfCreate(
  packages: PackageLookup,
  { contractId, templateId, argument }: ProtoCreate,
): string | undefined {
  const { packageId, moduleName, entityName } = templateId!;
  const type = templateOf(packages, typeId(packageId, `${moduleName}:${entityName}`))?.payloadType;
  if (type === undefined) return undefined;
  const bare = bareValue(argument!);
  try {
    new Reader(packages).read(type, bare);
    return undefined;
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    const shown = id(templateId!);
    const failed = `TranslationFailed(Some(ContractId(${contractId})),${shown},${shown},${scalaValue(bare)},${error.message}`;
    return `Interpretation(DamlException(Upgrade(${failed})),None)`;
  }
}

class Mismatch extends Error {
  constructor(type: DamlType, value: ProtoValue, reason?: string) {
    const text = scalaValue(value);
    super(
      `TypeMismatch(${shownType(type)},${text},${reason ?? `mismatching type: ${prettyType(type)} and value: ${text}`})`,
    );
  }
}

/** NOTE: absent values at the end of a record are None. */
class Reader {
  constructor(private readonly packages: PackageLookup) {}

  /** @throws Mismatch */
  read(type: DamlType, value: ProtoValue): void {
    switch (type.kind) {
      case 'con':
        return this.named(type, value);
      case 'optional':
        return this.each(type, value, value.optional && [[type.of, value.optional.value]]);
      case 'list':
        return this.each(
          type,
          value,
          value.list?.elements.map((item) => [type.of, item]),
        );
      case 'textMap':
        return this.each(
          type,
          value,
          value.textMap?.entries.map((entry) => [type.of, entry.value]),
        );
      case 'genMap':
        return this.each(
          type,
          value,
          value.genMap?.entries.flatMap((entry): Parts => [
            [type.key, entry.key],
            [type.value, entry.value],
          ]),
        );
      case 'numeric':
        if (value.numeric === undefined || parseNumeric(value.numeric) === undefined)
          throw new Mismatch(type, value);
        return undefined;
      case 'var':
      case 'opaque':
        return undefined;
      default:
        if (value[type.kind] === undefined) throw new Mismatch(type, value);
        return undefined;
    }
  }

  private each(type: DamlType, value: ProtoValue, parts: Parts | undefined): void {
    if (parts === undefined) throw new Mismatch(type, value);
    for (const [of, part] of parts) if (part !== undefined) this.read(of, part);
  }

  private named(type: Extract<DamlType, { kind: 'con' }>, value: ProtoValue): void {
    const body = boundBody(this.packages, type);
    if (body?.kind === 'record' && value.record)
      return this.record(
        type,
        body.fields,
        value,
        value.record.fields.map((field) => field.value!),
      );
    if (body?.kind === 'variant' && value.variant) {
      const { constructor: name, value: inner } = value.variant;
      const found = body.constructors.find((each) => each.name === name);
      if (found === undefined)
        throw new Mismatch(type, value, `unknown constructor ${name} in variant ${type.id}`);
      return this.read(found.type, inner ?? {});
    }
    if (body?.kind === 'enum' && value.enum) {
      const { constructor: name } = value.enum;
      if (!body.constructors.includes(name))
        throw new Mismatch(type, value, `unknown constructor ${name} in enumeration ${type.id}`);
      return undefined;
    }
    throw new Mismatch(type, value);
  }

  private record(
    type: DamlType,
    fields: readonly Field[],
    value: ProtoValue,
    given: readonly ProtoValue[],
  ): void {
    given.forEach((member, place) => {
      const field = fields[place];
      if (field !== undefined) this.read(field.type, member);
      else throw new Mismatch(type, value, cannotDrop(member, place));
    });
    if (fields.slice(given.length).some((field) => field.type.kind !== 'optional'))
      throw new Mismatch(
        type,
        value,
        'Unexpected non-optional extra template field type encountered during upgrading.',
      );
  }
}

type Parts = readonly (readonly [DamlType, ProtoValue | undefined])[];

function cannotDrop(member: ProtoValue, place: number): string {
  return member.optional
    ? `Found an optional contract field with a value of Some at index ${place}, may not be dropped during downgrading.`
    : `Found non-optional extra field at index ${place}, cannot remove for downgrading.`;
}

const BUILTINS = {
  unit: 'Unit',
  bool: 'Bool',
  int64: 'Int64',
  text: 'Text',
  party: 'Party',
  date: 'Date',
  timestamp: 'Timestamp',
  contractId: 'ContractId',
  optional: 'Optional',
  list: 'List',
  textMap: 'TextMap',
  genMap: 'GenMap',
  numeric: 'Numeric',
} as const;

/** `TApp(TBuiltin(BTList),TTyCon(…))` */
function shownType(type: DamlType): string {
  if (type.kind === 'con')
    return type.args.reduce((fun, arg) => `TApp(${fun},${shownType(arg)})`, `TTyCon(${type.id})`);
  if (type.kind === 'var') return `TVar(${type.name})`;
  if (type.kind === 'opaque') return type.name;
  const builtin = `TBuiltin(BT${BUILTINS[type.kind]})`;
  if (type.kind === 'numeric') return `TApp(${builtin},TNat(${type.scale}))`;
  if (type.kind === 'genMap')
    return `TApp(TApp(${builtin},${shownType(type.key)}),${shownType(type.value)})`;
  return 'of' in type ? `TApp(${builtin},${shownType(type.of)})` : builtin;
}
