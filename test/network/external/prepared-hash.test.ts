/** The hash of prepared transactions of any shape, with values of every kind, against the official packages. */
import { PreparedTransaction } from '@canton-network/core-ledger-proto';
import { hashPreparedTransaction } from '@canton-network/core-tx-visualizer';
import fc from 'fast-check';
import { LedgerError, ProtobufError, type DamlType } from '../../../src/daml/index.js';
import { hashPrepared } from '../../../src/network/external/prepared/hashing.js';
import {
  Prepared,
  type ProtoNode,
  type ProtoPrepared,
} from '../../../src/network/external/prepared/messages.js';
import { toIdentifier, type ProtoValue } from '../../../src/network/values/messages.js';
import { decode } from '../../../src/network/external/prepared/root-command.js';
import { valueMessage } from '../../../src/network/values/value-message.js';
import {
  arbitraryParty,
  arbitraryTimestamp,
  damlTypeAndValue,
  packages,
  typesPackage,
} from '../../support/daml/arbitrary-daml.js';
import { check } from '../../support/property.js';

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });
const contractId = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => `00${Buffer.from(bytes).toString('hex')}`);
const templateId = toIdentifier(`${typesPackage.id}:Arbitrary.Types:Holding`);
/** Sorted, as participants write them: the official package hashes them in the given order. */
const parties = fc
  .uniqueArray(arbitraryParty, { minLength: 1, maxLength: 3 })
  .map((each) => each.sort());
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** NOTE: the official package reads Int64 through a double, and so hashes large ones wrongly. */
const value = damlTypeAndValue
  .map(({ type, value: daml }) => valueMessage(packages, type, daml, (id) => id))
  .filter((each) => !holdsUnsafeInteger(each));

const header = fc.record({
  lfVersion: fc.constant('2.1'),
  contractId,
  packageName: fc.constant('arbitrary-types'),
  templateId: fc.constant(templateId),
  signatories: parties,
  stakeholders: parties,
});
const create = fc.tuple(header, value).map(([shared, argument]) => ({ ...shared, argument }));
const fetch = fc
  .tuple(header, parties, fc.boolean())
  .map(([shared, actingParties, viaInterface]) => ({
    ...shared,
    actingParties,
    interfaceId: viaInterface ? templateId : undefined,
    byKey: false,
  }));
const exercise = (children: readonly string[]) =>
  fc
    .tuple(header, parties, value, optional(value), fc.boolean(), fc.boolean())
    .map(([shared, actingParties, chosenValue, exerciseResult, consuming, viaInterface]) => ({
      ...shared,
      actingParties,
      interfaceId: viaInterface ? templateId : undefined,
      choiceId: 'Choose',
      chosenValue,
      consuming,
      children,
      exerciseResult,
      choiceObservers: actingParties,
      byKey: false,
      externalCallResults: [],
    }));

const prepared: fc.Arbitrary<ProtoPrepared> = fc
  .record({
    root: exercise(['1', '2', '4']),
    first: create,
    inner: exercise(['3']),
    leaf: fetch,
    seeds: fc.tuple(seed, seed, seed),
    actAs: parties,
    commandId: fc.string({ minLength: 1 }),
    input: fc.tuple(
      create,
      arbitraryTimestamp.map((time) => (time < 0n ? -time : time)),
    ),
    times: fc.tuple(
      optional(fc.bigInt(0n, SAFE)),
      optional(fc.bigInt(0n, SAFE)),
      fc.bigInt(0n, SAFE),
    ),
  })
  .map(({ root, first, inner, leaf, seeds, actAs, commandId, input, times }) => {
    const [contract, createdAt] = input;
    const nodes: ProtoNode[] = [
      { nodeId: '0', v1: { exercise: root } },
      { nodeId: '1', v1: { create: first } },
      { nodeId: '2', v1: { exercise: inner } },
      { nodeId: '3', v1: { fetch: leaf } },
      { nodeId: '4', v1: { rollback: { children: ['5'] } } },
      { nodeId: '5', v1: { fetch: leaf } },
    ];
    return {
      transaction: {
        version: '2.1',
        roots: ['0'],
        nodes,
        nodeSeeds: seeds.map((each, nodeId) => ({ nodeId, seed: each })),
      },
      metadata: {
        submitterInfo: { actAs, commandId },
        synchronizerId: 'global::1220::35-0',
        mediatorGroup: 0,
        transactionUuid: '00000000-0000-4000-8000-000000000000',
        minLedgerEffectiveTime: times[0],
        maxLedgerEffectiveTime: times[1],
        preparationTime: times[2],
        inputContracts: [{ v1: contract, createdAt, eventBlob: Uint8Array.of(1, 2, 3) }],
        globalKeyMapping: [],
      },
    };
  });

it('equals the hash of the official package', async () => {
  await check(
    fc.asyncProperty(prepared, async (each) => {
      const encoded = Buffer.from(Prepared.encode(each));
      expect(Buffer.from(hashPrepared(each, 2)).toString('base64')).toBe(
        await hashPreparedTransaction(encoded.toString('base64')),
      );
    }),
    { numRuns: 80 },
  );
});

it('decodes its own encoding and that of the official package', () => {
  check(
    fc.property(prepared, (each) => {
      const encoded = Prepared.encode(each);
      const official = PreparedTransaction.toBinary(PreparedTransaction.fromBinary(encoded));
      expect(
        Buffer.from(Prepared.encode(Prepared.decode(official))).equals(Buffer.from(encoded)),
      ).toBe(true);
      expect(hashPrepared(Prepared.decode(official), 3)).toEqual(hashPrepared(each, 3));
    }),
    { numRuns: 50 },
  );
});

it('changes with each signed part', () => {
  check(
    fc.property(prepared, fc.constantFrom<2 | 3>(2, 3), (each, version) => {
      const hash = (changed: ProtoPrepared) =>
        Buffer.from(hashPrepared(changed, version)).toString('hex');
      const { metadata, transaction } = each;
      const variants: ProtoPrepared[] = [
        { ...each, metadata: { ...metadata!, preparationTime: metadata!.preparationTime + 1n } },
        { ...each, metadata: { ...metadata!, synchronizerId: 'other' } },
        { ...each, metadata: { ...metadata!, inputContracts: [] } },
        { ...each, metadata: { ...metadata!, transactionUuid: '' } },
        { ...each, transaction: { ...transaction!, version: '2.2' } },
        { ...each, transaction: { ...transaction!, roots: ['2'] } },
      ];
      if (version === 3) variants.push({ ...each, metadata: { ...metadata!, maxRecordTime: 1n } });
      expect(new Set([each, ...variants].map(hash)).size).toBe(variants.length + 1);
    }),
    { numRuns: 30 },
  );
});

it('decodes the values that it encoded', () => {
  check(
    fc.property(damlTypeAndValue, ({ type, value: daml }) => {
      const message = valueMessage(packages, type, daml, (id) => id);
      expect(decode(packages, type, message)).toEqual(daml);
    }),
    { numRuns: 300 },
  );
});

it.each<[string, DamlType, ProtoValue]>([
  ['a value of another type', { kind: 'int64' }, { text: '1' }],
  ['an empty value', { kind: 'int64' }, {}],
  ['an invalid numeric', { kind: 'numeric', scale: 10 }, { numeric: 'one' }],
  ['an invalid party', { kind: 'party' }, { party: 'a,b' }],
  [
    'an extra field',
    { kind: 'con', id: `${typesPackage.id}:Arbitrary.Types:Empty`, args: [] },
    { record: { fields: [{ label: 'a', value: { bool: true } }] } },
  ],
  [
    'an unknown constructor',
    { kind: 'con', id: `${typesPackage.id}:Arbitrary.Types:Colour`, args: [] },
    { enum: { constructor: 'toString' } },
  ],
])('rejects %s', (_, type, given) => {
  expect(() => decode(packages, type, given)).toThrow(LedgerError);
});

it('decoding any bytes throws only a ProtobufError', () => {
  check(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        Prepared.decode(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(ProtobufError);
      }
    }),
    { numRuns: 500 },
  );
});

function holdsUnsafeInteger(given: unknown): boolean {
  if (typeof given === 'bigint') return given > SAFE || given < -SAFE;
  return (
    typeof given === 'object' && given !== null && Object.values(given).some(holdsUnsafeInteger)
  );
}
