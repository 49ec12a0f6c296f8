/**
 * Hashing scheme V4: V3 with the results of external calls in exercises. The expected hash and encoding are those of
 * Canton's own tests, NodeHashTest and MetadataHashTest of `protocol.hash.v4`. Those tests belong to a snapshot that
 * hashes the version `dev`, where 3.6.1 hashes `3`.
 */
import { HashTrace } from '../../../src/network/external/prepared/hash-trace.js';
import { hashPrepared, OutdatedScheme } from '../../../src/network/external/prepared/hashing.js';
import type {
  ProtoExercise,
  ProtoExternalCall,
  ProtoInputContract,
  ProtoPrepared,
} from '../../../src/network/external/prepared/messages.js';
import { addedUp, sha256 } from './hashing-details.js';

const hex = (digits: string) => Buffer.from(digits, 'hex');
const CID_1 = '0007e7b5534931dfca8e1b485c105bae4e10808bd13ddc8e897f258015f9d921c5';
const CID_2 = '0059b59ad7a6b6066e77b91ced54b8282f0e24e7089944685cb8f22f32fcbc4e1b';
const DAY = 86_400_000_000n;

const input = (contractId: string, party: string, days: bigint): ProtoInputContract => ({
  v1: {
    lfVersion: '3',
    contractId,
    packageName: 'PkgName',
    templateId: { packageId: '-dummyPkg-', moduleName: 'DummyModule', entityName: 'dummyName' },
    argument: { contractId: '0097a092402108f5593bac7fb3c909cd316910197dd98d603042a45ab85c81e0fd' },
    signatories: [party],
    stakeholders: [party],
  },
  createdAt: days * DAY,
  eventBlob: new Uint8Array(),
});

const CALL: ProtoExternalCall = {
  extensionId: 'extension',
  functionId: 'function',
  config: hex('00'),
  input: hex('01'),
  output: hex('02'),
};
const OTHER = { ...CALL, output: hex('03') };

function prepared(
  calls: readonly ProtoExternalCall[],
  more: Partial<ProtoExercise> = {},
): ProtoPrepared {
  const exercise: ProtoExercise = {
    lfVersion: '3',
    contractId: CID_1,
    packageName: 'package-name-0',
    templateId: { packageId: 'package', moduleName: 'Module', entityName: 'Template' },
    signatories: ['alice'],
    stakeholders: ['alice'],
    actingParties: ['alice'],
    choiceId: 'Choice',
    chosenValue: { unit: {} },
    consuming: true,
    children: [],
    exerciseResult: { unit: {} },
    choiceObservers: [],
    byKey: false,
    externalCallResults: calls,
    ...more,
  };
  return {
    transaction: {
      version: exercise.lfVersion,
      roots: ['0'],
      nodes: [{ nodeId: '0', v1: { exercise } }],
      nodeSeeds: [{ nodeId: 0, seed: new Uint8Array(32) }],
    },
    metadata: {
      submitterInfo: { actAs: ['bob', 'alice'], commandId: 'command-id' },
      transactionUuid: '4c6471d3-4e09-49dd-addf-6cd90e19c583',
      mediatorGroup: 0,
      synchronizerId: 'synchronizer::id',
      minLedgerEffectiveTime: 0xaaaan,
      maxLedgerEffectiveTime: 0xbbbbn,
      preparationTime: 0n,
      inputContracts: [input(CID_2, 'bob', 20n), input(CID_1, 'alice', 10n)],
      globalKeyMapping: [],
      maxRecordTime: 30n * DAY,
    },
  };
}

const hashed = (message: ProtoPrepared, scheme: 2 | 3 | 4 = 4) =>
  Buffer.from(hashPrepared(message, scheme)).toString('hex');

function detailsOf(message: ProtoPrepared): string {
  const trace = HashTrace.begin();
  expect(Buffer.from(hashPrepared(message, 4, trace)).toString('hex')).toBe(addedUp(trace.text));
  return trace.text;
}

/** The hash of the metadata if the encodings had the version `dev`: adds the lines of each depth up again. */
function metadataHashOfDev(details: string): string | undefined {
  const asDev = details.replace(
    /'00000001' # 1 \(int\)(\n *)'33' # 3 \(string\)/g,
    "'00000003' # 3 (int)$1'646576' # dev (string)",
  );
  const open: string[] = [''];
  let metadata: string | undefined;
  for (const line of asDev.trimEnd().split('\n')) {
    const [, indent, digits = '', what] = /^( *)(?:'([0-9a-f]*)' )?# (.*)$/.exec(line)!;
    const depth = indent!.length / 2;
    while (open.length <= depth) open.push('');
    const inside = open.length > depth + 1 ? sha256(open.pop()!) : undefined;
    if (what === 'Metadata') metadata = inside;
    open[depth] += inside ?? digits;
  }
  return metadata;
}

it('hashes metadata as Canton does (R-36-064)', () => {
  expect(metadataHashOfDev(detailsOf(prepared([])))).toBe(
    '73906e70b121a3bd3a38fa3f9995cbc05cb0dad896a9e2242691e2a24dda2871',
  );
});

it('encodes each result of an exercise, after its key (B-INT-046, R-36-063)', () => {
  const lines = detailsOf(prepared([CALL, OTHER]))
    .split('\n')
    .map((line) => line.trim());
  const call = (output: string) => [
    '# External Call Result',
    '# Extension Id',
    "'00000009' # 9 (int)",
    "'657874656e73696f6e' # extension (string)",
    '# Function Id',
    "'00000008' # 8 (int)",
    "'66756e6374696f6e' # function (string)",
    '# Config',
    "'00000001' # 1 (int)",
    "'00' # config",
    '# Input',
    "'00000001' # 1 (int)",
    "'01' # input",
    '# Output',
    "'00000001' # 1 (int)",
    `'${output}' # output`,
  ];
  const start = lines.indexOf('# External Call Results');
  expect(lines.slice(start - 4, start)).toEqual([
    '# By Key',
    "'00' # false (bool)",
    '# Key',
    "'00' # None",
  ]);
  expect(lines.slice(start + 1, start + 34)).toEqual([
    "'00000002' # 2 (int)",
    ...call('02'),
    ...call('03'),
  ]);
  expect(lines[start + 34]).toBe('# Children');
});

it('hashes also that there are none, so that it differs from V3 (R-36-063)', () => {
  const message = prepared([], { lfVersion: '2' });
  const lines = detailsOf(prepared([]))
    .split('\n')
    .map((line) => line.trim());
  expect(lines[lines.indexOf('# External Call Results') + 1]).toBe("'00000000' # 0 (int)");
  const plain: ProtoPrepared = {
    ...message,
    metadata: { ...message.metadata!, inputContracts: [] },
  };
  expect(hashed(plain, 4)).not.toBe(hashed(plain, 3));
});

it('hashes order, number and every part of the results', () => {
  const all = [
    [],
    [CALL],
    [CALL, CALL],
    [CALL, OTHER],
    [OTHER, CALL],
    ...(['extensionId', 'functionId'] as const).map((part) => [{ ...CALL, [part]: 'other' }]),
    ...(['config', 'input', 'output'] as const).map((part) => [{ ...CALL, [part]: hex('ff') }]),
  ];
  expect(new Set(all.map((calls) => hashed(prepared(calls)))).size).toBe(all.length);
});

test.each([
  [2, '2', 'V2 using hashing scheme V2. Does the transaction use contract keys?', 'V3'],
  [2, '3', 'V3 using hashing scheme V2.', 'V4'],
  [3, '3', 'V3 using hashing scheme V3.', 'V4'],
] as const)(
  'scheme V%d rejects nodes of encoding %s (R-36-052)',
  (scheme, lfVersion, what, needed) => {
    const message = prepared([], { lfVersion });
    let caught: unknown;
    try {
      hashPrepared(message, scheme);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(OutdatedScheme);
    const outdated = caught as OutdatedScheme;
    const start = `Cannot hash node with LF serialization version ${what}`;
    expect(outdated.message).toBe(`${start} Please using hashing scheme ${needed} or higher.`);
    expect(outdated.textFor({ advisesScheme: true })).toBe(
      `${start} Please use hashing scheme ${needed} or higher.`,
    );
  },
);
