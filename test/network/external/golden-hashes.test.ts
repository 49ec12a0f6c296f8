/**
 * Hashing schemes V2 and V3 against the hashes that Canton's own tests expect (NodeHashTest, MetadataHashTest and ValueHashTest of
 * `protocol.hash`): the same nodes, values and metadata, made here from their facts. Hashes of parts are read off the hashing details
 * (B-INT-009), whose lines have to add up to them.
 */
import { HashTrace } from '../../../src/network/external/prepared/hash-trace.js';
import { hashPrepared } from '../../../src/network/external/prepared/hashing.js';
import type {
  ProtoCreate,
  ProtoExercise,
  ProtoFetch,
  ProtoInputContract,
  ProtoKeyWithMaintainers,
  ProtoNodeType,
  ProtoPrepared,
  ProtoQueryByKey,
} from '../../../src/network/external/prepared/messages.js';
import type { ProtoValue } from '../../../src/network/values/messages.js';
import { addedUp, sha256 } from './hashing-details.js';

type Scheme = 2 | 3;
const hex = (digits: string) => Buffer.from(digits, 'hex');
const defRef = (moduleName: string, entityName: string) => ({
  packageId: 'package',
  moduleName,
  entityName,
});
const NAME = defRef('module', 'name');
const CID_1 = '0007e7b5534931dfca8e1b485c105bae4e10808bd13ddc8e897f258015f9d921c5';
const CID_2 = '0059b59ad7a6b6066e77b91ced54b8282f0e24e7089944685cb8f22f32fcbc4e1b';
const SEEDS = {
  create: '926bbb6f341bc0092ae65d06c6e284024907148cc29543ef6bff0930f5d52c19',
  exercise: 'a867edafa1277f46f879ab92c373a15c2d75c5d86fec741705cee1eb01ef8c9e',
};
const KEY: ProtoKeyWithMaintainers = {
  key: {
    templateId: defRef('module_key', 'name'),
    packageName: 'package_name_key',
    key: { text: 'hello' },
    hash: hex('4d1741d27564ab1f1e74873034760583a1a71edaa90dbad6be3a78c0bf3eec7c'),
  },
  maintainers: ['david'],
};

/** Fields that the nodes of both schemes share. V3 includes keys. */
const common = (scheme: Scheme) => ({
  lfVersion: scheme === 2 ? '2.1' : '2',
  contractId: CID_1,
  packageName: 'package-name-0',
  templateId: NAME,
  ...(scheme === 3 && { key: KEY }),
});
const createNode = (scheme: Scheme): ProtoCreate => ({
  ...common(scheme),
  argument: { text: 'hello' },
  signatories: ['alice', 'bob'],
  stakeholders: ['alice', 'charlie'],
});
const shared = (scheme: Scheme) => ({
  ...common(scheme),
  signatories: ['alice'],
  stakeholders: ['charlie'],
  // Sets: no order is to be relied on.
  actingParties: ['bob', 'alice', 'bob'],
  byKey: scheme === 3,
});
const fetchNode = (scheme: Scheme): ProtoFetch => shared(scheme);
const exerciseNode = (scheme: Scheme, children: readonly string[]): ProtoExercise => ({
  ...shared(scheme),
  interfaceId: defRef('interface_module', 'interface_name'),
  choiceId: 'choice',
  chosenValue: { int64: 31380n },
  consuming: true,
  children,
  exerciseResult: { text: 'result' },
  choiceObservers: ['david'],
  externalCallResults: [],
});
const queryNode: ProtoQueryByKey = {
  lfVersion: '2',
  packageName: 'package-name-0',
  templateId: NAME,
  exhaustive: true,
  key: KEY,
  result: [CID_1],
};

const DAY = 86_400_000_000n;
const input = (scheme: Scheme, contractId: string, party: string, days: bigint) =>
  ({
    v1: {
      lfVersion: scheme === 2 ? '2.1' : '2',
      contractId,
      packageName: 'PkgName',
      templateId: {
        packageId: '-dummyPkg-',
        moduleName: 'DummyModule',
        entityName: 'dummyName',
      },
      argument: {
        contractId: '0097a092402108f5593bac7fb3c909cd316910197dd98d603042a45ab85c81e0fd',
      },
      signatories: [party],
      stakeholders: [party],
    },
    createdAt: days * DAY,
    eventBlob: new Uint8Array(),
  }) satisfies ProtoInputContract;
const metadata = (scheme: Scheme): NonNullable<ProtoPrepared['metadata']> => ({
  submitterInfo: { actAs: ['bob', 'alice'], commandId: 'command-id' },
  transactionUuid: '4c6471d3-4e09-49dd-addf-6cd90e19c583',
  mediatorGroup: 0,
  synchronizerId: 'synchronizer::id',
  minLedgerEffectiveTime: 0xaaaan,
  maxLedgerEffectiveTime: 0xbbbbn,
  preparationTime: 0n,
  inputContracts: [input(scheme, CID_2, 'bob', 20n), input(scheme, CID_1, 'alice', 10n)],
  globalKeyMapping: [],
  maxRecordTime: 30n * DAY,
});

/** @param types by node id, from 0 on */
function prepared(
  scheme: Scheme,
  roots: readonly number[],
  types: readonly ProtoNodeType[],
): ProtoPrepared {
  return {
    transaction: {
      version: scheme === 2 ? '2.1' : '2',
      roots: roots.map(String),
      nodes: types.map((v1, nodeId) => ({ nodeId: String(nodeId), v1 })),
      nodeSeeds: types.map(({ exercise }, nodeId) => ({
        nodeId,
        seed: hex(exercise ? SEEDS.exercise : SEEDS.create),
      })),
    },
    metadata: metadata(scheme),
  };
}

/** As upstream, except that each node appears once: node numbers are not part of the hash. */
const whole = (scheme: Scheme): ProtoPrepared =>
  prepared(
    scheme,
    [0, 5],
    [
      { create: createNode(scheme) },
      { create: createNode(scheme) },
      { fetch: fetchNode(scheme) },
      { fetch: fetchNode(scheme) },
      { exercise: exerciseNode(scheme, ['1', '2']) },
      { rollback: { children: ['3', '4'] } },
    ],
  );

function explained(message: ProtoPrepared, scheme: Scheme) {
  const trace = HashTrace.begin();
  const hash = Buffer.from(hashPrepared(message, scheme, trace)).toString('hex');
  return { hash, details: trace.text };
}

/** The hashes among the details, by what they are of, in order. */
function hashesIn(details: string): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [, digits, meaning] of details.matchAll(
    /^ *'([0-9a-f]{64})' # (Transaction|Metadata|Disclosed Contract|\(.*\))$/gm,
  ))
    (found[meaning!] ??= []).push(digits!);
  return found;
}

const NODES: Record<Scheme, Record<'create' | 'fetch' | 'exercise' | 'rollback', string>> = {
  2: {
    create: '6d2cfe58c2294000592034f4bdfe397fe246901bb8b63e3b9e041bb478e174b7',
    fetch: 'c962c6098394f3d11cd6f0c795de9517d32a8e3e1979cec76cd2f66254efc610',
    exercise: '070970eb4b2de72561dafb67017ca33850650a8103e5134e16044ba78991f48c',
    rollback: '7264d5da2fd714427453bedc0d1cdb21f52ac7aec8d4bb5ac0598d25c5fcaed9',
  },
  3: {
    create: '0120d370509f54c07d8209f5af2d23f7f972997deb5fc5e0ebe886354395a3bc',
    fetch: '20437df1980bb7d4d94ad53181dc6005bae37b5990719070c48a3960e8dda3a4',
    exercise: '516c4689acabf9d1f0087a02a7dafad884d9080c48112a57a6d20b9f72d4b697',
    rollback: 'ea61ab05f9ab9769ab5c91493a601ccad9e784bd4c0b3bc4b7777f0da68eab4d',
  },
};
const WHOLE: Record<Scheme, Record<'transaction' | 'metadata' | 'hash', string>> = {
  2: {
    transaction: '154f334d24a8a5e4d0ce51ac87d93821b3256f885f21d3f779a1640abf481983',
    metadata: '6e89fcbcc9605179a47919b5e65a864e470e7a133f4f9f39b1e4545b223db769',
    hash: '8c311c848db25d36b36fbd59f9483714a11688c2214e3c7cae3e028763520250',
  },
  3: {
    transaction: '36f0d1f4e9742a5cf54795fd1633f46b8235fafa93da006dafe10eb358d465c4',
    metadata: '5a4c6aa89bb80d0af05a3f0614ba07bc7469795fff66d7b9e87c876eb0137e0a',
    hash: 'db37e4e251b83196260900fd43aacf934e1893b7ac58db4c1bfa8ced432b3b84',
  },
};
const INPUTS: Record<Scheme, readonly string[]> = {
  2: [
    'f6bb13796130c23e43c952b86b1583032be325dc40072c02a0279069fc3656c1',
    '010ee30a2b17bd729bc5ccada01a62bfb7283641610feb5913fb46b2972368a4',
  ],
  3: [
    '84c7946905ba3afac9a2e8d360129b92c9055cc9792655f9a0c9195b08ade109',
    'e53bfab08a6142fc61781fcb242591824716501df665ebd4b68d7406c988f1b0',
  ],
};

describe.each<Scheme>([2, 3])('scheme V%i', (scheme) => {
  it('hashes nodes, transaction and metadata as Canton does, with details', () => {
    const { hash, details } = explained(whole(scheme), scheme);
    const { create, fetch, exercise, rollback } = NODES[scheme];
    expect(hashesIn(details)).toEqual({
      '(Hashed Root Node)': [create, rollback],
      '(Hashed Inner Node)': [fetch, create, fetch, exercise],
      Transaction: [WHOLE[scheme].transaction],
      'Disclosed Contract': INPUTS[scheme],
      Metadata: [WHOLE[scheme].metadata],
    });
    expect(hash).toBe(WHOLE[scheme].hash);
    expect(addedUp(details)).toBe(hash);
  });

  it('computes the same hash without details', () => {
    expect(Buffer.from(hashPrepared(whole(scheme), scheme)).toString('hex')).toBe(
      WHOLE[scheme].hash,
    );
  });
});

it('hashes in scheme V2 as release 3.4 does', () => {
  const message = whole(2);
  const changed = { ...message, metadata: { ...metadata(2), synchronizerId: 'synchronizerId' } };
  const { hash, details } = explained(changed, 2);
  expect(hashesIn(details)['Metadata']).toEqual([
    '2a0690693367f70fbe83e5e99df6930dbd2336618a3a0721bb6fa3bcc88d5a53',
  ]);
  expect(hash).toBe('adcef14ae479ab5b9424a89d5bf28ee666f336a5463f65b097d587120123d019');
});

it('hashes queries by key in scheme V3, and rejects them in V2 (R-34-085, R-34-086)', () => {
  const message = prepared(
    3,
    [0],
    [{ exercise: exerciseNode(3, ['1']) }, { queryByKey: queryNode }],
  );
  const { details } = explained(message, 3);
  expect(hashesIn(details)['(Hashed Inner Node)']).toEqual([
    '72c45c5a05a875621f16f2fe64d6c6db662ff41ee124d6c4f281409f5899b96c',
  ]);
  expect(() => hashPrepared(message, 2)).toThrow(/Does the transaction use contract keys\?/);
});

it.each<[string, ProtoValue, string]>([
  ['unit', { unit: {} }, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  ['true', { bool: true }, '9dcf97a184f32623d11a73124ceb99a5709b083721e878a16d78f596718ba7b2'],
  ['false', { bool: false }, '47dc540c94ceb704a23875c11273e16bb0b8a87aed84de911f2133568115f254'],
  [
    'text',
    { text: 'hello world!' },
    'a24821b4741b3616920a37dfccf3b1e271184c82fc89377ab22e5d96d9330e5c',
  ],
  [
    'numeric',
    { numeric: '125.1002' },
    'fd23ea3b05b8b0e1d15902cccf7c6c0e6e292f0ae3e96513c8d8cec9d4f9bda9',
  ],
  [
    'contract id',
    { contractId: CID_2 },
    '6a3e241cebc1dc5e7574be0cf122edc9cb65ffc3fa59fb069c5ab3bbb4598414',
  ],
  [
    'enum',
    { enum: { enumId: NAME, constructor: 'ENUM' } },
    '9c8f627c22d6871e111e1f5d1980a6a24bcc6311bbc73fd3932a4d79fa9c09f2',
  ],
  ['int64', { int64: 10n }, 'a74730eb88baf5118934d3675ccf50eac1e4e873000ecd75b5917c78ee30ef26'],
  [
    'variant',
    { variant: { variantId: NAME, constructor: 'ENUM', value: { bool: true } } },
    'bceee77c48d80db35f237c3877c6711db19a8c135d2d0323c21f01afc2eb7612',
  ],
  [
    'list',
    { list: { elements: [{ text: 'five' }, { int64: 5n }, { bool: true }] } },
    '6049408351d7be2c9d6ae7a1beecf08676fa72955c376c89571a1c5f04f272bd',
  ],
  [
    'text map',
    {
      textMap: {
        entries: [
          { key: 'bar', value: { text: '1284' } },
          { key: 'foo', value: { numeric: '31380.0' } },
        ],
      },
    },
    'b318100aac8cde766598a0a5bc05451feaec7c90400f75de93100d0c87ec24cf',
  ],
  [
    'map',
    {
      genMap: {
        entries: [
          { key: { int64: 5n }, value: { text: 'five' } },
          { key: { int64: 10n }, value: { text: 'ten' } },
        ],
      },
    },
    '523c5247ed42efa40dd6b0165a01c1b14dcede7b39a1f33a3590fc7defc4a610',
  ],
  ['none', { optional: {} }, 'a2c4aed1cf757cd9a509734a267ffc7b1166b55f4c8f9c3e3550c56e743328fc'],
  [
    'some',
    { optional: { value: { text: 'hello' } } },
    'dfba7295cf094b6b3ffdf3e44411793264882b38c810f9dff63148890a466171',
  ],
  [
    'timestamp',
    { timestamp: 1_729_788_226_000_000n },
    '18efa9ad9adfa83fc3e84cdbe9c4b9f0e7305376e858e5bd909117209111c9d5',
  ],
  ['date', { date: 20_020 }, '6892b74f329df4e0fd850c0e4d35384d3a4aef0a2f0f32070172c1f121ff632f'],
  [
    'record',
    {
      record: {
        recordId: NAME,
        fields: [
          { label: 'field1', value: { bool: true } },
          { label: 'field2', value: { text: 'hello' } },
        ],
      },
    },
    'ae594f7684700c299af9bc0b83758f2d71836ae6d9ea628d310f0305698df6f2',
  ],
])('hashes a value as Canton does: %s', (_, argument, expected) => {
  const message = prepared(2, [0], [{ create: { ...createNode(2), argument } }]);
  const [, section] = /# Arg\n([^]*?)\n *# Signatories/.exec(explained(message, 2).details)!;
  const digits = [...section!.matchAll(/^ *'([0-9a-f]*)' # /gm)].map(([, part]) => part);
  expect(sha256(digits.join(''))).toBe(expected);
});

it('details indent each line of a text, and show signed numbers', () => {
  const argument = { list: { elements: [{ text: 'a\r\nb\n' }, { int64: -1n }, { date: -1 }] } };
  const { details } = explained(prepared(2, [0], [{ create: { ...createNode(2), argument } }]), 2);
  expect(details).toContain(
    [
      "'07' # Text Type Tag",
      "'00000005' # 5 (int)",
      "'610d0a620a' # a",
      'b',
      ' (string)',
      "'02' # Int64 Type Tag",
      "'ffffffffffffffff' # -1 (long)",
      "'05' # Date Type Tag",
      "'ffffffff' # -1 (int)",
    ]
      .map((line) => `    ${line}\n`)
      .join(''),
  );
});

/** TransactionHashStackSafetyTest. */
it.each(['deep', 'wide'])('hashes a very %s transaction', (direction) => {
  const count = 10_000;
  const all = Array.from({ length: count - 1 }, (_, index) => String(index + 1));
  const below = (index: number) => {
    if (direction === 'deep') return all.slice(index, index + 1);
    return index === 0 ? all : [];
  };
  const types = Array.from({ length: count }, (_, index): ProtoNodeType => {
    const children = below(index);
    return children.length === 0
      ? { create: createNode(2) }
      : { exercise: exerciseNode(2, children) };
  });
  expect(hashPrepared(prepared(2, [0], types), 2)).toHaveLength(32);
});
