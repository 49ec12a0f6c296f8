/** Messages of the carried definitions, as bytes. */
import { ProtobufError } from '../../../src/daml/index.js';
import { defined } from '../../../src/network/protobuf/defined.js';
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
