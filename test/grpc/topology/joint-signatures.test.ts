/** Signatures that each cover the hashes of several topology transactions. */
import { multiHash } from '../../../src/network/index.js';
import { ADD, externalKey, MANAGER, useTwoAdminApis } from '../two-admin-apis.js';

const apis = useTwoAdminApis();
type Key = ReturnType<typeof externalKey>;

const store = () => ({ synchronizer: { id: apis.canticle.network.synchronizers[0]!.id } });

/** A root certificate, and a mapping of a key for a party of the namespace. */
async function generated() {
  const [root, key] = [externalKey(), externalKey()];
  const party = `joint::${root.fingerprint}`;
  const namespaceDelegation = {
    namespace: root.fingerprint,
    targetKey: root.message,
    canSignAllMappings: {},
  };
  const partyToKeyMapping = { party, threshold: 1, signingKeys: [key.message] };
  const { generatedTransactions } = await apis.one.call(
    `${MANAGER}WriteService/GenerateTransactions`,
    {
      proposals: [{ namespaceDelegation }, { partyToKeyMapping }].map((mapping) => ({
        operation: ADD,
        mapping,
        store: store(),
      })),
    },
  );
  const [first, second] = generatedTransactions.map((each: any) => ({
    transaction: each.serializedTransaction as string,
    hash: each.transactionHash as string,
  }));
  return { root, key, party, first, second };
}

/** The signatures of the keys, each for all these hashes in base64. */
function joint(transactionHashes: readonly string[], by: readonly Key[]) {
  const hashes = transactionHashes.map((each) => Buffer.from(each, 'base64'));
  const covered = Buffer.from(multiHash(hashes)).toString('base64');
  return { transactionHashes, signatures: by.map(({ sign }) => sign(covered)) };
}

const add = (transactions: readonly object[]) =>
  apis.one.call(`${MANAGER}WriteService/AddTransactions`, { transactions, store: store() });

async function keysOf(party: string): Promise<any[]> {
  const { results } = await apis.two.call(`${MANAGER}ReadService/ListPartyToKeyMapping`, {
    baseQuery: { store: store(), headState: {} },
    filterParty: party,
  });
  return results;
}

const shown = (hash: string) => `${Buffer.from(hash, 'base64').toString('hex').slice(0, 12)}...`;

it('a signature authorizes each of the transactions whose hashes it covers', async () => {
  const { root, key, party, first, second } = await generated();
  const both = joint([first.hash, second.hash], [root, key]);
  await add(
    [first, second].map(({ transaction }) => ({ transaction, multiTransactionSignatures: [both] })),
  );
  const [{ context }, ...more] = await keysOf(party);
  expect(more).toEqual([]);
  expect([...context.signedByFingerprints].sort()).toEqual(
    [root.fingerprint, key.fingerprint].sort(),
  );
});

it('the error names the first set of hashes without the transaction', async () => {
  const { root, key, party, first, second } = await generated();
  await add([{ transaction: first.transaction, signatures: [root.sign(first.hash)] }]);
  const other = await generated();
  const good = joint([second.hash, first.hash], [root, key]);
  const wrong = [joint([first.hash], [root]), joint([other.first.hash], [key])];
  await expect(
    add([{ transaction: second.transaction, multiTransactionSignatures: [good, ...wrong] }]),
  ).rejects.toMatchObject({
    code: 9,
    message: expect.stringContaining(
      `The given transaction hash set Set(${shown(first.hash)}) did not contain the expected hash ${shown(second.hash)} of the transaction.`,
    ),
    details: { ErrorInfo: { reason: 'TOPOLOGY_MULTI_TRANSACTION_HASH_MISMATCH' } },
  });
  expect(await keysOf(party)).toEqual([]);
  await add([{ transaction: second.transaction, multiTransactionSignatures: [good] }]);
  expect(await keysOf(party)).toHaveLength(1);
});
