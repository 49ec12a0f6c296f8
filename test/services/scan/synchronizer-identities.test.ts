/** Identity transactions of a synchronizer's nodes. The test decodes and verifies the bytes without code of the product. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { SpliceWorld, TWO_SYNCHRONIZERS } from '../../support/splice/splice-world.js';

type Fields = ReadonlyMap<number, readonly (Uint8Array | number)[]>;

/** A message by field number, as the wire alone tells it. */
function fieldsOf(bytes: Uint8Array): Fields {
  const reader = new BinaryReader(bytes);
  const fields = new Map<number, (Uint8Array | number)[]>();
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    const value = type === WireType.LengthDelimited ? reader.bytes() : reader.int32();
    fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fields;
}

const bytesAt = (fields: Fields, field: number, index = 0): Uint8Array =>
  fields.get(field)![index] as Uint8Array;
const textAt = (fields: Fields, field: number): string =>
  Buffer.from(bytesAt(fields, field)).toString('utf8');

function hash(purpose: number, message: Uint8Array): Buffer {
  const digest = createHash('sha256')
    .update(Buffer.from([0, 0, 0, purpose]))
    .update(message)
    .digest();
  return Buffer.concat([Buffer.from('1220', 'hex'), digest]);
}

/** The message in a versioned wrapper, which each message has. */
function unwrapped(bytes: Uint8Array): Fields {
  const wrapper = fieldsOf(bytes);
  expect(wrapper.get(2)).toEqual([30]);
  return fieldsOf(bytesAt(wrapper, 1));
}

function readTransaction(base64: string) {
  const signed = unwrapped(Buffer.from(base64, 'base64'));
  const transaction = bytesAt(signed, 1);
  const content = unwrapped(transaction);
  expect([content.get(1), content.get(2)]).toEqual([[1], [1]]);
  const [[kind, [mapping]]] = [...fieldsOf(bytesAt(content, 3))] as [[number, Uint8Array[]]];
  const signatures = signed.get(2)!.map((each) => fieldsOf(each as Uint8Array));
  return { transaction, kind, mapping: fieldsOf(mapping!), signatures };
}

function fingerprintOf(publicKey: Uint8Array): string {
  return hash(12, publicKey.subarray(-32)).toString('hex');
}

describe('GET /v0/synchronizer-identities/{prefix}', () => {
  const world = new SpliceWorld({ network: { seed: 11, synchronizers: TWO_SYNCHRONIZERS } });
  const getIdentity = (prefix: string) =>
    world.get<Record<string, string & string[]>>(`/api/scan/v0/synchronizer-identities/${prefix}`);

  test('finds a synchronizer by alias or by a prefix of the id, and answers 404 for others (S-SYN-001)', async () => {
    expect((await getIdentity('global')).body).toEqual((await getIdentity('global-domain')).body);
    expect((await getIdentity('app-synchronizer')).body).not.toEqual(
      (await getIdentity('global')).body,
    );
    expect(await getIdentity('nowhere')).toEqual({
      status: 404,
      body: { error: 'No synchronizer for nowhere found' },
    });
  });

  test('the same seed gives the same transactions, and another seed gives others', async () => {
    const again = new SpliceWorld({ network: { seed: 11, synchronizers: TWO_SYNCHRONIZERS } });
    const other = new SpliceWorld({ network: { seed: 12, synchronizers: TWO_SYNCHRONIZERS } });
    const path = '/api/scan/v0/synchronizer-identities/global';
    expect((await again.get(path)).body).toEqual((await getIdentity('global')).body);
    expect((await other.get(path)).body).not.toEqual((await getIdentity('global')).body);
  });

  test.each([
    ['sequencer', 'SEQ', 1],
    ['mediator', 'MED', 2],
  ] as const)(
    'the %s has a root delegation and its keys, with valid signatures (S-SYN-002)',
    async (node, code, keyCount) => {
      const { body } = await getIdentity('global');
      const id = body[`${node}_id`]!;
      const [, , namespace] = id.split('::');
      expect(id.startsWith(`${code}::`)).toBe(true);
      const [delegation, mapping] = (body[`${node}_identity_transactions`] as string[]).map(
        readTransaction,
      );

      const rootKey = fieldsOf(bytesAt(delegation!.mapping, 2));
      expect(delegation!.kind).toBe(1);
      expect(textAt(delegation!.mapping, 1)).toBe(namespace);
      expect(fingerprintOf(bytesAt(rootKey, 3))).toBe(namespace);

      expect(mapping!.kind).toBe(4);
      expect(textAt(mapping!.mapping, 1)).toBe(id);
      const keys = mapping!.mapping
        .get(2)!
        .map((each) => fieldsOf(bytesAt(fieldsOf(each as Uint8Array), 1)));
      expect(keys).toHaveLength(keyCount);

      const known = new Map(
        [rootKey, ...keys].map((key) => [fingerprintOf(bytesAt(key, 3)), bytesAt(key, 3)]),
      );
      for (const { transaction, signatures } of [delegation!, mapping!])
        for (const signature of signatures) {
          const publicKey = known.get(textAt(signature, 3))!;
          const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' });
          expect(verify(null, hash(11, transaction), key, bytesAt(signature, 2))).toBe(true);
          expect(verify(null, hash(12, transaction), key, bytesAt(signature, 2))).toBe(false);
        }
      expect(delegation!.signatures).toHaveLength(1);
      expect(mapping!.signatures).toHaveLength(keyCount + 1);
    },
  );
});
