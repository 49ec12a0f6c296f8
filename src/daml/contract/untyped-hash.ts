/**
 * The hashes of contracts for ids before V12: over the stored argument, without types. The `legacy` hash distinguishes contracts of one
 * template. The newer one (V11) omits empty fields, so that versions of a template can differ in these.
 */
import { WireType } from '@bufbuild/protobuf/wire';
import { VALUE_FIELD } from '../codec/protobuf/fields.js';
import { protoReader } from '../codec/protobuf/reading.js';
import { packageIdOf, qualifiedNameOf, type TypeId } from '../model/types.js';
import { HashWriter } from './hash-writer.js';
import { PURPOSE } from './typed-normal-form.js';

/** Canton's numbers. */
const METHOD = { legacy: 0, upgradeFriendly: 1 } as const;
const END_OF_RECORD = 0xff;

/**
 * Hexadecimal.
 * @param argument the message `Value` in the contract's blob
 */
export function hashUntyped(
  method: keyof typeof METHOD,
  packageName: string,
  templateId: TypeId,
  argument: Uint8Array,
): string {
  const writer = new HashWriter().byte(METHOD[method]).byte(PURPOSE.contract);
  writer.text(packageName).text(packageIdOf(templateId)).qualifiedName(qualifiedNameOf(templateId));
  const values = method === 'legacy' ? new Untyped(writer) : new UpgradeFriendly(writer);
  values.add(readValue(argument));
  return writer.sha256();
}

/** A member of the message `Value`: a scalar as a number or the bytes of its text, any other as the bytes of its message. */
interface Value {
  readonly field: number;
  readonly number?: bigint;
  readonly bytes: Uint8Array;
}

const NO_BYTES = new Uint8Array();

function readValue(bytes: Uint8Array): Value {
  const reader = protoReader(bytes);
  const [field] = reader.tag();
  const number = (value: bigint): Value => ({ field, number: value, bytes: NO_BYTES });
  switch (field) {
    case VALUE_FIELD.bool:
      return number(reader.bool() ? 1n : 0n);
    case VALUE_FIELD.int64:
      return number(BigInt(reader.sint64()));
    case VALUE_FIELD.date:
      return number(BigInt(reader.int32()));
    case VALUE_FIELD.timestamp:
      return number(BigInt(reader.sfixed64()));
    case VALUE_FIELD.numeric:
      // The stored text has all digits of the type's scale.
      return number(BigInt(reader.string().replace('.', '')));
    default:
      return { field, bytes: reader.bytes() };
  }
}

/** The members of a message with their numbers; all have a length. */
function members(message: Uint8Array): readonly (readonly [number, Uint8Array])[] {
  const reader = protoReader(message);
  const found: (readonly [number, Uint8Array])[] = [];
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (wire === WireType.LengthDelimited) found.push([field, reader.bytes()]);
    else reader.skip(wire);
  }
  return found;
}

const member = (message: Uint8Array, number: number): Uint8Array =>
  members(message).find(([field]) => field === number)?.[1] ?? NO_BYTES;

const repeated = (message: Uint8Array): readonly Uint8Array[] =>
  members(message).map(([, bytes]) => bytes);

class Untyped {
  constructor(protected readonly writer: HashWriter) {}

  add({ field, number, bytes }: Value): void {
    const { writer } = this;
    switch (field) {
      case VALUE_FIELD.unit:
        writer.byte(0);
        break;
      case VALUE_FIELD.bool:
        writer.byte(Number(number));
        break;
      case VALUE_FIELD.date:
        writer.int32(Number(number));
        break;
      case VALUE_FIELD.int64:
      case VALUE_FIELD.timestamp:
        writer.int64(number!);
        break;
      case VALUE_FIELD.numeric:
        writer.integer(number!);
        break;
      case VALUE_FIELD.optional:
        this.optional(bytes);
        break;
      case VALUE_FIELD.list:
        this.each(bytes, (element) => this.add(readValue(element)));
        break;
      case VALUE_FIELD.textMap:
        this.each(bytes, (entry) => {
          writer.bytes(member(entry, 1));
          this.add(readValue(member(entry, 2)));
        });
        break;
      case VALUE_FIELD.genMap:
        this.each(bytes, (entry) => {
          this.add(readValue(member(entry, 1)));
          this.add(readValue(member(entry, 2)));
        });
        break;
      case VALUE_FIELD.record:
        this.record(repeated(bytes).map((each) => readValue(member(each, 1))));
        break;
      case VALUE_FIELD.variant:
        writer.bytes(member(bytes, 1));
        this.add(readValue(member(bytes, 2)));
        break;
      case VALUE_FIELD.enum:
        writer.bytes(member(bytes, 1));
        break;
      default:
        // Texts, parties and contract ids.
        writer.bytes(bytes);
    }
  }

  private each(message: Uint8Array, add: (item: Uint8Array) => void): void {
    const items = repeated(message);
    this.writer.int32(items.length);
    for (const item of items) add(item);
  }

  protected optional(message: Uint8Array): void {
    this.writer.int32(message.length > 0 ? 1 : 0);
    if (message.length > 0) this.add(readValue(member(message, 1)));
  }

  protected record(fields: readonly Value[]): void {
    this.writer.int32(fields.length);
    for (const field of fields) this.add(field);
  }
}

class UpgradeFriendly extends Untyped {
  protected override optional(message: Uint8Array): void {
    this.writer.byte(message.length > 0 ? 1 : 0);
    if (message.length > 0) this.add(readValue(member(message, 1)));
  }

  /** Each non-empty field after its index, except maps, which Canton writes without the index. */
  protected override record(fields: readonly Value[]): void {
    const { writer } = this;
    fields.forEach((field, index) => {
      if (isEmpty(field)) return;
      if (field.field !== VALUE_FIELD.textMap && field.field !== VALUE_FIELD.genMap)
        writer.int32(index);
      // Its presence already shows that it is not None.
      this.add(field.field === VALUE_FIELD.optional ? readValue(member(field.bytes, 1)) : field);
    });
    writer.byte(END_OF_RECORD);
  }
}

const NEVER_EMPTY: readonly number[] = [
  VALUE_FIELD.party,
  VALUE_FIELD.contractId,
  VALUE_FIELD.record,
  VALUE_FIELD.variant,
  VALUE_FIELD.enum,
];

const isEmpty = ({ field, number, bytes }: Value): boolean =>
  number === undefined ? bytes.length === 0 && !NEVER_EMPTY.includes(field) : number === 0n;
