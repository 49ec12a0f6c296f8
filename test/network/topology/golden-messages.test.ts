/**
 * Topology transactions as bytes. Signers hash them, so that the encoders write exactly these bytes. The decoder reads
 * mappings of each kind.
 */
import { createHash } from 'node:crypto';
import { createCanticle } from '../../../src/index.js';
import { namespaceFor } from '../../../src/network/model/ids.js';
import { signingKey } from '../../../src/network/model/keys.js';
import {
  decodeTopologyTransaction,
  encodeHosting,
  encodeSeparately,
  encodeVettedPackages,
  topologyHash,
} from '../../../src/network/topology/party-hosting.js';
import { readPublicKey, type PartyKey } from '../../../src/network/topology/party-keys.js';
import {
  identityTransactions,
  participantMember,
} from '../../../src/network/topology/topology-transactions.js';

const { random } = createCanticle({ seed: 1 }).network;
const keyOf = (name: string, usage: readonly number[]): PartyKey => {
  const { publicKey } = signingKey(random, name);
  return readPublicKey({ format: 4, publicKey, usage, keySpec: 1 }) as PartyKey;
};
const keys = [keyOf('one', [1, 4]), keyOf('other', [4])] as const;
const [key] = keys;
const { fingerprint: namespace } = key;
const [first, second] = [`p1::${namespace}`, `p2::${namespace}`] as const;
const party = `alice::${namespace}`;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const text = (letters: string): string => hex(Buffer.from(letters));
const digest = (...all: readonly Uint8Array[]): string => {
  const bytes = Buffer.concat(all);
  return `${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;
};

it('encodes mappings to the same bytes', () => {
  const hosts = [
    { participantId: first, permission: 'submission' },
    { participantId: second, permission: 'observation' },
  ] as const;
  const signing = { keys, threshold: 1 };
  const member = participantMember(`p1::${namespaceFor(random, 'participant/p1')}`, 'p1');
  const vetted = [
    { packageId: 'a', validFrom: 1_500_001n },
    { packageId: 'b', validUntil: 1_700_000_000_000_000n },
    { packageId: 'c' },
  ];
  expect({
    hosting: digest(encodeHosting({ party, threshold: 2, hosts, signing }, 300)),
    'hosting without keys': digest(encodeHosting({ party, threshold: 1, hosts: [] })),
    'hosting, delegation and keys': digest(...encodeSeparately(party, key, first)),
    vetted: digest(encodeVettedPackages(first, 2, vetted)),
    identity: digest(...identityTransactions(random, member)),
  }).toEqual({
    hosting: '368 c8d434981cd407ce7928f6f230c7b658c5e07a42292a08f400aa258198effa7c',
    'hosting without keys': '91 6cb1f33ef5508755bf72caf34f7299e6bcf7d5a7d510002f28e3a40d5dbdffd9',
    'hosting, delegation and keys':
      '468 182e6800af73fa8c2a0503a678331ed42bf9f1eeab9294869c97d539352c1690',
    vetted: '119 9c06d560d4b8808715c5cfa1b9d351261160ad3ef063ff4c607cc165c0e272b8',
    identity: '1040 ad260427656419be58107e4a0c17145580d4284c6bc1f24fc60d9ae07b36f955',
  });
});

/** The messages in hexadecimal: a public key, and a delegation to it without its restriction. */
const KEY = `3710041a2c${hex(key.publicKey)}2a030104053001`;
const DELEGATION = `0a44${text(namespace)}12${KEY}`;
const delegation = {
  kind: 'NamespaceDelegation',
  namespace,
  target: key,
  isRoot: false,
  restriction: 'all',
};
const uid = `0a48${text(first)}`;

const DECODED: readonly (readonly [what: string, bytes: string, mapping: object])[] = [
  [
    'a hosting with keys',
    `0ab2020801100a1aab024aa8020a4b${text(party)}10021a4c${uid}10011a4c0a48${text(second)}1003323b0a${KEY}1001101e`,
    {
      kind: 'PartyToParticipant',
      party,
      threshold: 2,
      hosts: [
        { participantId: first, permission: 'submission' },
        { participantId: second, permission: 'observation' },
      ],
      signing: { keys: [key], threshold: 1 },
    },
  ],
  [
    'keys of a party',
    `0a9301080110011a8c01820188010a4b${text(party)}180122${KEY}101e`,
    { kind: 'PartyToKeyMapping', party, signing: { keys: [key], threshold: 1 } },
  ],
  [
    'a decentralized namespace',
    '0a15080110071a0f1a0d0a0364656310021a01611a0162101e',
    {
      kind: 'DecentralizedNamespaceDefinition',
      namespace: 'dec',
      threshold: 2,
      owners: ['a', 'b'],
    },
  ],
  [
    'keys of a node',
    `0a9401080110011a8d01228a010a4d${text(`PAR::${first}`)}12390a${KEY}101e`,
    { kind: 'OwnerToKeyMapping', member: `PAR::${first}`, keys: [key] },
  ],
  [
    'a trust certificate',
    `0aa401080110011a9d012a9a01${uid}124b${text(party)}2a0102101e`,
    {
      kind: 'SynchronizerTrustCertificate',
      participantId: first,
      synchronizerId: party,
      featureFlags: [2],
    },
  ],
  [
    'vetted packages in both forms',
    `0a6c080110011a664264${uid}12017a22150a01611208080110e8d1b5ee011a060880e2cfaa06101e`,
    {
      kind: 'VettedPackages',
      participantId: first,
      packages: [
        { packageId: 'z' },
        { packageId: 'a', validFrom: 1_500_001n, validUntil: 1_700_000_000_000_000n },
      ],
    },
  ],
  [
    'a root delegation',
    `0a8b01080110011a84010a8101${DELEGATION}1801101e`,
    { ...delegation, isRoot: true },
  ],
  [
    'a delegation of all mappings',
    `0a8b01080110011a84010a8101${DELEGATION}2200101e`,
    { ...delegation, isRoot: true },
  ],
  [
    'a delegation of all but delegations',
    `0a8b01080110011a84010a8101${DELEGATION}2a00101e`,
    { ...delegation, restriction: 'all but delegations' },
  ],
  [
    'a delegation of some mappings',
    `0a8f01080110011a88010a8501${DELEGATION}32040a020910101e`,
    { ...delegation, restriction: [9, 16] },
  ],
];

it.each(DECODED)('decodes %s', (_, bytes, mapping) => {
  const encoded = Buffer.from(bytes, 'hex');
  const decoded = decodeTopologyTransaction(encoded);
  expect(decoded.mapping).toEqual(mapping);
  expect([decoded.replaces, hex(decoded.hash)]).toEqual([true, hex(topologyHash(encoded))]);
});

it('ignores the scheme of a key', () => {
  const withScheme = `0a9501080110011a8e0182018a010a4b${text(party)}180122${KEY.replace('37', '39').replace('2a0301', '20012a0301')}101e`;
  const { mapping } = decodeTopologyTransaction(Buffer.from(withScheme, 'hex'));
  const [read] = (mapping as unknown as { signing: { keys: PartyKey[] } }).signing.keys;
  expect(Object.keys(read!).sort()).toEqual(Object.keys(key).sort());
});

/** The numbers of their members in `TopologyMapping`. */
it.each([6, 7, 11, 12, 13, 15, 17, 18])('decodes only the kind of mapping %d', (number) => {
  // Synchronizer parameters must be present.
  const content = number === 11 ? '1200' : '';
  const tag = number * 8 + 2;
  const field = Buffer.from(tag < 0x80 ? [tag] : [(tag & 0x7f) | 0x80, tag >> 7]).toString('hex');
  const mapping = `${field}${Buffer.of(content.length / 2).toString('hex')}${content}`;
  const length = mapping.length / 2;
  const transaction = `080110011a${Buffer.of(length).toString('hex')}${mapping}`;
  const encoded = `0a${Buffer.of(transaction.length / 2).toString('hex')}${transaction}101e`;
  const decoded = decodeTopologyTransaction(Buffer.from(encoded, 'hex'));
  expect(Object.keys(decoded.mapping)).toEqual(['kind']);
  expect(decoded.mapping.kind).toBe(KINDS[number]);
});

const KINDS: Readonly<Record<number, string>> = {
  6: 'ParticipantSynchronizerPermission',
  7: 'PartyHostingLimits',
  11: 'SynchronizerParametersState',
  12: 'MediatorSynchronizerState',
  13: 'SequencerSynchronizerState',
  15: 'SequencingParametersState',
  17: 'LsuAnnouncement',
  18: 'LsuSequencerConnectionSuccessor',
};
