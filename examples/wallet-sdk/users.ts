/** Users and their rights: each sees its own parties, one sees all, and rights are granted and revoked. */
import { SDK } from '@canton-network/wallet-sdk';
import { auth, authOf, ledgerApi, logAdapter, newParty } from './wallet.ts';

const connectAs = (user: typeof auth) =>
  SDK.create({ auth: user, ledgerClientUrl: ledgerApi, logAdapter });

export default async function users() {
  const operator = await connectAs(auth);
  const create = async (userId: string) => {
    const primaryParty = await operator.party.internal.allocate({ partyHint: userId });
    const userRights = { participantAdmin: true };
    await operator.user.create({ userId, primaryParty, userRights });
    return connectAs(authOf(userId));
  };
  const [alice, bob, master] = await Promise.all(
    ['users-alice', 'users-bob', 'users-master'].map(create),
  );
  const all = { canExecuteAsAnyParty: true, canReadAsAnyParty: true };
  await operator.user.rights.grant({ userId: 'users-master', userRights: all });

  const [aliceParty, bobParty] = await Promise.all([
    newParty(alice!, 'users-external-alice'),
    newParty(bob!, 'users-external-bob'),
  ]);
  const sees = async (user: typeof operator, { partyId }: { partyId: string }) =>
    (await user.party.list()).includes(partyId);
  const readAs = { userRights: { readAs: [aliceParty.partyId] } };
  const before = await sees(bob!, aliceParty);
  await bob!.user.rights.grant(readAs);
  const granted = await sees(bob!, aliceParty);
  await bob!.user.rights.revoke(readAs);
  return {
    master: [await sees(master!, aliceParty), await sees(master!, bobParty)],
    alice: [await sees(alice!, aliceParty), await sees(alice!, bobParty)],
    bobOfAlice: [before, granted, await sees(bob!, aliceParty)],
  };
}
