/** Onboarding transactions that a client wrote itself, and what the topology manager makes of them (B-EXT-025 to B-EXT-027). */
import { readPublicKey, type PartyKey } from '../../../src/network/topology/party-keys.js';
import {
  encodeHosting,
  multiHash,
  topologyHash,
  type PartyHost,
} from '../../../src/network/topology/party-hosting.js';
import { encodeAddition } from '../../../src/network/topology/topology-messages.js';
import { Versioned } from '../../../src/network/protobuf/versioned.js';
import type { LedgerApi } from '../../support/ledger-api.js';
import { useLedgerApi } from '../../support/shared-ledger-api.js';
import { newKey, type TestKey } from './external-party.js';

const ALLOCATE = '/v2/parties/external/allocate';
const ledger: LedgerApi = useLedgerApi();

const synchronizer = () => ledger.canticle.network.synchronizers[0]!;
const ownId = () => ledger.canticle.participant.id;
const partyOf = (key: TestKey) => `alice::${key.fingerprint}`;
const short = (fingerprint: string) => `${fingerprint.slice(0, 12)}...`;
const INVALID = 'The submitted request has invalid arguments: ';
const UNREAD =
  'The submitted command has a field with invalid value: Invalid field onboarding_transactions.transaction: Invalid transaction: ';

function partyKey({ publicKey }: TestKey, usage: readonly number[] = [1, 4]): PartyKey {
  const bytes = Buffer.from(publicKey.keyData, 'base64');
  return {
    ...(readPublicKey({ format: 4, publicKey: bytes, usage, keySpec: 1 }) as PartyKey),
    usage,
  };
}

interface Hosting {
  readonly keys?: readonly PartyKey[];
  readonly keyThreshold?: number;
  readonly threshold?: number;
  readonly hosts?: readonly PartyHost[];
}

const hosting = (
  key: TestKey,
  {
    keys = [partyKey(key)],
    keyThreshold = 1,
    threshold = 1,
    hosts = [{ participantId: ownId(), permission: 'confirmation' }],
  }: Hosting = {},
) =>
  encodeHosting({
    party: partyOf(key),
    threshold,
    hosts,
    ...(keys.length > 0 && { signing: { keys, threshold: keyThreshold } }),
  });

/** All signed at once. */
async function allocate(
  transactions: readonly Uint8Array[],
  signers: readonly TestKey[],
  more: object = {},
) {
  const hash = Buffer.from(multiHash(transactions.map(topologyHash))).toString('base64');
  const { status, body } = await ledger.post(ALLOCATE, {
    synchronizer: synchronizer().id,
    onboardingTransactions: transactions.map((each) => ({
      transaction: Buffer.from(each).toString('base64'),
    })),
    multiHashSignatures: signers.map((key) => key.sign(hash)),
    ...more,
  });
  return [status, status === 200 ? body.partyId : body.cause];
}

describe('the namespace of a party', () => {
  it('requires the hosting’s own key, not a mapping of keys (B-EXT-025)', async () => {
    const key = newKey();
    const { fingerprint: _, ...own } = partyKey(key);
    const keyMapping = encodeAddition({
      partyToKeyMapping: { party: partyOf(key), threshold: 1, signingKeys: [own] },
    });
    expect(await allocate([hosting(key, { keys: [] }), keyMapping], [key])).toEqual([
      400,
      `INVALID_ARGUMENT: Topology transaction is missing authorizations by namespaces=Set(${short(key.fingerprint)}) and keys=Set()`,
    ]);
    expect(await allocate([hosting(key)], [key])).toEqual([200, partyOf(key)]);
  });

  it('is not proved if its key signed a hosting with other keys only (B-EXT-025)', async () => {
    const [key, other] = [newKey(), newKey()];
    const transactions = [hosting(key, { keys: [partyKey(other)] })];
    expect(await allocate(transactions, [key, other])).toEqual([
      400,
      `INVALID_ARGUMENT: Topology transaction is missing authorizations by namespaces=Set(${short(key.fingerprint)}) and keys=Set()`,
    ]);
    // Without that signature it is a proposal.
    expect(await allocate(transactions, [other])).toEqual([200, partyOf(key)]);
    expect(ledger.canticle.network.topology.knows(partyOf(key))).toBe(false);
  });
});

it('rejects a threshold above the number of hosts, after it checks the keys (B-EXT-026)', async () => {
  const key = newKey();
  const both = { threshold: 2, keyThreshold: 2 };
  expect(await allocate([hosting(key, both)], [key])).toEqual([
    400,
    `${INVALID}Tried to set a signing threshold (2) above the number of signing keys (1).`,
  ]);
  expect(await allocate([hosting(key, { threshold: 2 })], [key])).toEqual([
    400,
    `${INVALID}Tried to set a confirming threshold (2) above the number of hosting nodes (1).`,
  ]);
});

it('counts a repeated participant once, with its highest permission (B-EXT-026)', async () => {
  const key = newKey();
  const hosts = (['observation', 'confirmation'] as const).map((permission) => ({
    participantId: ownId(),
    permission,
  }));
  expect(await allocate([hosting(key, { hosts, threshold: 2 })], [key])).toEqual([
    400,
    `${INVALID}Tried to set a confirming threshold (2) above the number of hosting nodes (1).`,
  ]);
  expect(await allocate([hosting(key, { hosts })], [key])).toEqual([200, partyOf(key)]);
  const { topology } = ledger.canticle.network;
  expect(topology.permission(partyOf(key), ownId(), synchronizer().id)).toBe('confirmation');
});

describe('errors about the fields of a transaction (B-EXT-027)', () => {
  it('name a repeated key', async () => {
    const key = newKey();
    const [, cause] = await allocate(
      [hosting(key, { keys: [partyKey(key), partyKey(key)] })],
      [key],
    );
    const shown = `SigningPublicKey(id = ${short(key.fingerprint)}, format = DER-encoded X.509 SubjectPublicKeyInfo, keySpec = EC-Curve25519, usage = Set(namespace, proof-of-ownership, signing))`;
    const whole = `${UNREAD}All signing keys must be unique. Duplicate keys: List(Vector(${shown}, ${shown}))`;
    expect(cause).toBe(`${whole.slice(0, 512)}...`);
  });

  it('name an invalid participant', async () => {
    const key = newKey();
    const hosts = [{ participantId: 'x', permission: 'confirmation' as const }];
    expect(await allocate([hosting(key, { hosts })], [key])).toEqual([
      400,
      `${UNREAD}Unable to convert field \`participant_uid\`: Invalid unique identifier \`x\` with missing namespace.`,
    ]);
  });

  it('name a missing key of a namespace delegation', async () => {
    const { fingerprint: namespace } = newKey();
    const namespaceDelegation = { namespace, isRoot: true };
    expect(await allocate([encodeAddition({ namespaceDelegation })], [])).toEqual([
      400,
      `${UNREAD}Field \`target_key\` is not set`,
    ]);
  });

  it('name packages that are vetted in both ways', async () => {
    const vetting = (packageIds: readonly string[], ...ids: readonly string[]) =>
      encodeAddition({
        vettedPackages: {
          participantUid: ownId(),
          packageIds,
          packages: ids.map((packageId) => ({ packageId })),
        },
      });
    const refused = async (...args: Parameters<typeof vetting>) =>
      (await allocate([vetting(...args)], []))[1];
    expect(await refused(['a', 'b'], 'b', 'c')).toBe(
      `${UNREAD}packages Set(b) are listed in both fields 'package_ids' and 'packages' but may only be set in one.`,
    );
    expect(await refused(['a'], 'b')).toContain('Unsupported transactions found: VettedPackages');
  });

  it('do not occur for a key without usages, which has all usages', async () => {
    const key = newKey();
    expect(await allocate([hosting(key, { keys: [partyKey(key, [])] })], [key])).toEqual([
      200,
      partyOf(key),
    ]);
  });

  it.each([0, 29, 31])('do not occur for the version %s', async (version) => {
    const key = newKey();
    const { data } = Versioned.decode(hosting(key));
    const transaction = Versioned.encode({ data, version });
    expect(await allocate([transaction], [key])).toEqual([200, partyOf(key)]);
  });

  it('name the missing data of an empty transaction', async () => {
    expect(await allocate([new Uint8Array()], [newKey()])).toEqual([
      400,
      `${UNREAD}Field \`TopologyTransaction: data\` is not set`,
    ]);
  });
});

describe('the synchronizer of an allocation (B-EXT-028)', () => {
  it.each<[string, (physical: string) => string, outcome: string | undefined]>([
    ['another serial', (id) => id.replace(/-0$/, '-1'), undefined],
    [
      'an unknown protocol version',
      (id) => id.replace(/::35-0$/, '::99-0'),
      'Protocol version 99 is not supported. The supported versions are 34, 35, dev.',
    ],
    ['a word that is not a number', () => 'x', 'Unable to parse `x` as physical synchronizer id'],
  ])('may be a physical id, whose logical part counts: %s', async (_what, change, fault) => {
    const key = newKey();
    const outcome = await allocate([hosting(key)], [key], {
      synchronizer: change(synchronizer().physicalId),
    });
    expect(outcome).toEqual(
      fault === undefined
        ? [200, partyOf(key)]
        : [
            400,
            `The submitted command has a field with invalid value: Invalid field synchronizer: ${fault}`,
          ],
    );
  });
});
