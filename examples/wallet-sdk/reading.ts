/** The views of a wallet: its history, a party of the participant, and a user with rights for all parties. */
import { getPublicKeyFromPrivate, SDK } from '@canton-network/wallet-sdk';
import {
  auth,
  authOf,
  connect,
  ledgerApi,
  logAdapter,
  namespaces,
  newParty,
  send,
  tap,
} from './wallet.ts';

export default async function reading() {
  const sdk = await connect();
  const [alice, bob] = await Promise.all([
    newParty(sdk, 'reading-alice'),
    newParty(sdk, 'reading-bob'),
  ]);
  await tap(sdk, alice, '2000');
  const { updateId } = await send(sdk, alice, bob, '100');
  const { partyId } = alice;

  const { transactions } = await sdk.token.holdings({ partyId });
  const sent = await sdk.token.transactionsById({ updateId, partyId });

  // A prepared transaction shows its effects before a party signs it.
  const [commands, disclosedContracts] = await sdk.amulet.tap(partyId, '1');
  const { transaction } = await sdk.ledger
    .prepare({ partyId, commands, disclosedContracts })
    .decode();

  // Another user's wallet starts with few rights, gets more, and then reads for any party.
  const primaryParty = await sdk.party.internal.allocate({ partyHint: 'reading-reader' });
  await sdk.user.create({ userId: 'reading-reader', primaryParty });
  const userRights = { canReadAsAnyParty: true };
  const basic = await SDK.create({
    auth: authOf('reading-reader'),
    ledgerClientUrl: ledgerApi,
    logAdapter,
  });
  const reader = await basic.extend({ token: { ...namespaces.token, auth } });
  const allowed = async () =>
    reader.token.utxos.list({ partyId }).then(
      (holdings) => holdings.length,
      (error: { code: string }) => error.code,
    );
  const before = await allowed();
  await sdk.user.rights.grant({ userId: 'reading-reader', userRights });
  return {
    labels: transactions.map(({ events }) => events.map(({ label }) => label.type)),
    sent: sent.updateId === updateId,
    prepared: transaction!.nodes.length,
    reader: [before, await allowed()],
    publicKey: getPublicKeyFromPrivate(alice.privateKey) === alice.publicKey,
  };
}
