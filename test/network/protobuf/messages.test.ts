/** Messages of the carried definitions, as bytes. */
import { ProtobufError } from '../../../src/daml/index.js';
import { defined } from '../../../src/network/protobuf/defined.js';
import {
  bool,
  bytes as bytesKind,
  int32,
  int64,
  message,
  plain,
  repeated,
  sfixed64,
  sint64,
  text,
  uint32,
  uint64,
} from '../../../src/network/protobuf/messages.js';
import { Value } from '../../../src/network/values/messages.js';
import {
  encodeAddition,
  encodeTransaction,
} from '../../../src/network/topology/topology-messages.js';

const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex');
const Optional = defined('com.daml.ledger.api.v2.Optional');
const Completion = defined('com.daml.ledger.api.v2.Completion');

describe('a oneof', () => {
  it('keeps its last member if it is the whole message', () => {
    expect(Object.entries(Value.decode(bytes('42016110011802')))).toEqual([['int64', 1n]]);
    expect(Value.decode(bytes(''))).toEqual({});
  });

  it('keeps its last member among other members', () => {
    const encoded = Buffer.concat([
      Completion.encode({ commandId: 'a', deduplicationOffset: 7n }),
      Completion.encode({ deduplicationDuration: { seconds: 3n } }),
      Completion.encode({ userId: 'b' }),
    ]);
    const read = Completion.decode(encoded);
    const { commandId, userId, deduplicationDuration, deduplicationOffset } = read;
    expect([commandId, userId, deduplicationOffset]).toEqual(['a', 'b', undefined]);
    expect(deduplicationDuration).toEqual({ seconds: 3n, nanos: 0 });
  });
});

it('accepts a message as its encoded bytes', () => {
  const mapping = { partyToKeyMapping: { party: 'alice::key', threshold: 1 } };
  const encoded = defined('com.digitalasset.canton.protocol.v30.TopologyMapping').encode(mapping);
  expect(encodeTransaction(1, 3, encoded)).toEqual(encodeAddition(mapping, 3));
});

it('has no bytes if all members have default values', () => {
  expect(Completion.encode({ commandId: '', actAs: [], offset: 0n })).toHaveLength(0);
});

it('without bytes has the default of each member', () => {
  const kinds = { bool, int32, int64, sfixed64, sint64, text, uint32, uint64, bytes: bytesKind };
  const fields = Object.entries(kinds).map(([name, kind], index) => [
    name,
    plain(index + 1, kind as typeof text),
  ]);
  expect(message(Object.fromEntries(fields)).decode(bytes(''))).toEqual({
    ...{ bool: false, int32: 0, int64: 0n, sfixed64: 0n, sint64: 0n },
    ...{ text: '', uint32: 0, uint64: 0n, bytes: new Uint8Array() },
  });
});

it('has the numbers of a list in one field, and each text in its own', () => {
  const lists = message<{ numbers: readonly number[]; texts: readonly string[] }>({
    numbers: repeated(1, uint32),
    texts: repeated(2, text),
  });
  const value = { numbers: [1, 300], texts: ['a', 'b'] };
  expect(Buffer.from(lists.encode(value)).toString('hex')).toBe('0a0301ac02120161120162');
  expect(lists.decode(lists.encode(value))).toEqual(value);
  expect(lists.decode(bytes('080108ac02120161120162'))).toEqual(value);
});

describe('reading', () => {
  /** A number of Values, each in an Optional. The last one contains the hexadecimal field. */
  const nested = (count: number, last: string): Uint8Array => {
    let inner = bytes(last);
    for (let n = 0; n < count; n += 1) {
      const value = n === 0 ? inner : Value.encode({ optional: inner });
      inner = Buffer.from(Optional.encode({ value }));
    }
    return inner;
  };

  it('reads 1,000 nested messages, and no more', () => {
    expect(() => Optional.decode(nested(500, '1001'))).not.toThrow();
    expect(() => Optional.decode(nested(500, '5200'))).toThrow(ProtobufError);
    // The failed message does not count for the next one.
    expect(() => Optional.decode(nested(500, '1001'))).not.toThrow();
  });

  it('counts no message that ended among the nested ones', () => {
    const List = defined('com.daml.ledger.api.v2.List');
    const deepest = Value.decode(nested(500, '1001').subarray(3));
    const small = { optional: { value: { bool: true } } };
    const elements = [small, small, small, deepest];
    expect(() => List.decode(List.encode({ elements }))).not.toThrow();
    expect(() =>
      List.decode(List.encode({ elements: [small, small, { optional: { value: deepest } }] })),
    ).toThrow(ProtobufError);
  });

  it('skips unknown fields, whatever they contain', () => {
    const known = Completion.encode({ commandId: 'a', userId: 'b' });
    const unknown = Buffer.concat([bytes('da0c'), Buffer.from([known.length]), known]);
    const own = Completion.encode({ commandId: 'c' });
    const { commandId, userId } = Completion.decode(Buffer.concat([unknown, own, unknown]));
    expect([commandId, userId]).toEqual(['c', '']);
  });

  it('reports that a message ends too early, before faults in it', () => {
    expect(() => Optional.decode(bytes('0a0507'))).toThrow('the input ended unexpectedly');
    expect(() => Optional.decode(bytes('0a0107'))).toThrow('invalid tag');
  });

  it.each([
    ['a field beyond the end of its message', '0a0242036162 63'],
    ['a message beyond the end of the bytes', '0a054201'],
  ])('rejects %s', (_, hex) => {
    expect(() => Optional.decode(bytes(hex.replace(' ', '')))).toThrow(ProtobufError);
  });
});

it.each([
  [{ text: 'a' }, { text: 'a' }, true],
  [{ text: 'a' }, { text: 'a', bool: undefined }, true],
  [{ text: 'a' }, { text: 'b' }, false],
  [{ list: { elements: [{ bool: true }] } }, { list: { elements: [] } }, false],
  [{ optional: {} }, { optional: { value: undefined } }, true],
])('compares the bytes of %j and %j', (one, other, isSame) => {
  expect(Value.isSame(one, other)).toBe(isSame);
});

it.each([
  [{ commandId: 'a' }, { commandId: 'a', userId: 'b' }, false],
  [{ commandId: 'a', userId: 'b' }, { commandId: 'a', userId: 'c' }, false],
  [{ traceContext: { traceparent: 'a' } }, { traceContext: { traceparent: 'a' } }, true],
])('compares the members of %j and %j', (one, other, isSame) => {
  expect(Completion.isSame(one, other)).toBe(isSame);
});

it('compares bytes by their content', () => {
  const Disclosed = defined('com.daml.ledger.api.v2.DisclosedContract');
  const isSame = (one: string, other: string) =>
    Disclosed.isSame({ createdEventBlob: bytes(one) }, { createdEventBlob: bytes(other) });
  expect([isSame('0a', '0a'), isSame('0a', '0b'), isSame('0a', '0a0b')]).toEqual([
    true,
    false,
    false,
  ]);
});
