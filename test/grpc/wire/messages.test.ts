/** Decoded messages for the services: members of a oneof, lists, unknown fields and truncated bytes. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { ProtobufError } from '../../../src/daml/index.js';
import { codecOf } from '../../../src/grpc/messages/codec.js';

const API = 'com.daml.ledger.api.v2';
const STORE = 'com.digitalasset.canton.topology.admin.v30.StoreId';
const codec = codecOf();
const bytes = (type: string, value: object) => Buffer.from(codec.encode(type, value));
/** One message behind the other, which merges them. */
const merged = (type: string, ...values: readonly object[]) =>
  codec.decode(type, Buffer.concat(values.map((value) => bytes(type, value))));

describe('the last member of a oneof replaces the others', () => {
  it('in a separate member', () => {
    const offset = { DeduplicationOffset: { value: 5 } };
    const duration = { DeduplicationDuration: { value: { seconds: 7, nanos: 0 } } };
    const period = (...values: readonly object[]) =>
      merged(`${API}.Commands`, ...values.map((deduplicationPeriod) => ({ deduplicationPeriod })))[
        'deduplicationPeriod'
      ];
    expect(period(offset, duration)).toMatchObject({
      DeduplicationDuration: { value: { nanos: 0 } },
    });
    expect(Object.keys(period(offset, duration) as object)).toEqual(['DeduplicationDuration']);
    expect(period(duration, offset)).toEqual(offset);
  });

  it('as the only content of the message', () => {
    const created = { CreatedEvent: { contractId: 'a' } };
    const archived = { ArchivedEvent: { contractId: 'b' } };
    const event = (...values: readonly object[]) => Object.keys(merged(`${API}.Event`, ...values));
    expect(event(created, archived)).toEqual(['ArchivedEvent']);
    expect(event(archived, created)).toEqual(['CreatedEvent']);
  });

  it('next to other members', () => {
    const authorized = { authorized: {} };
    const temporary = { temporary: { name: 'x' } };
    expect(Object.keys(merged(STORE, authorized, temporary))).toEqual(['temporary']);
    expect(Object.keys(merged(STORE, temporary, authorized))).toEqual(['authorized']);
  });
});

describe('decoded bytes', () => {
  const TYPE = `${API}.GetPackageRequest`;
  const field = (number: number, text: string) =>
    new BinaryWriter().tag(number, WireType.LengthDelimited).string(text).finish();

  it('ignores unknown fields, and fields of another wire type', () => {
    const unknown = new BinaryWriter().tag(1, WireType.Varint).uint32(1).finish();
    const read = codec.decode(
      TYPE,
      Buffer.concat([field(900, 'x'), unknown, field(1, 'the-package')]),
    );
    expect(read).toEqual({ packageId: 'the-package' });
  });

  it('has defaults for missing fields, which no other message shares', () => {
    const [one, other] = [1, 2].map(() => codec.decode(`${API}.Commands`, new Uint8Array()));
    expect(one).toMatchObject({ actAs: [], commandId: '' });
    expect(Object.isFrozen(one!['actAs'])).toBe(true);
    const named = merged(`${API}.Commands`, { actAs: ['a'] }, { actAs: ['b'] });
    expect(named['actAs']).toEqual(['a', 'b']);
    expect(other!['actAs']).toEqual([]);
  });

  it('refuses bytes that end inside a field', () => {
    const whole = field(1, 'the-package');
    for (let length = 1; length < whole.length; length += 1)
      expect(() => codec.decode(TYPE, whole.subarray(0, length))).toThrow(ProtobufError);
  });

  it('is an empty message if it is only the end of a group, and is rejected if more bytes follow', () => {
    const end = new BinaryWriter().tag(1, WireType.EndGroup).finish();
    expect(codec.decode(TYPE, end)).toEqual({ packageId: '' });
    expect(() => codec.decode(TYPE, Buffer.concat([end, field(1, 'x')]))).toThrow(ProtobufError);
  });
});
