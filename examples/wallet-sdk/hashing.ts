/** The wallet computes the hash that it signs, and trusts no participant. Only requests and submissions need a network. */
import { SDK, signTransactionHash } from '@canton-network/wallet-sdk';
import { amounts, connect, logAdapter, registryUrl, type Party } from './wallet.ts';

export default async function hashing() {
  const online = await connect();
  const offline = SDK.createOffline({ logAdapter });
  const agreed: boolean[] = [];

  const onboard = async (partyHint: string): Promise<Party> => {
    const keys = offline.keys.generate();
    const creation = online.party.external.create(keys.publicKey, { partyHint });
    const { multiHash, topologyTransactions } = await creation.topology();
    agreed.push((await offline.utils.hash.topologyTransaction(topologyTransactions)) === multiHash);
    const { partyId } = await creation.execute(signTransactionHash(multiHash, keys.privateKey));
    return { partyId, ...keys };
  };
  const submitHashed = async (
    { partyId, privateKey }: Party,
    commands: unknown,
    disclosed: never,
  ) => {
    const { response } = await online.ledger
      .prepare({ partyId, commands, disclosedContracts: disclosed })
      .toJSON();
    const { preparedTransaction, preparedTransactionHash } = response;
    const own = await offline.utils.hash.preparedTransacation(preparedTransaction!);
    agreed.push(own.toBase64() === preparedTransactionHash);
    const signature = signTransactionHash(own.toBase64(), privateKey);
    await online.ledger.execute(online.ledger.fromSignature(response, signature), { partyId });
  };

  const [alice, bob] = await Promise.all([onboard('hashing-alice'), onboard('hashing-bob')]);
  const [tap, withTap] = await online.amulet.tap(alice.partyId, '10000');
  await submitHashed(alice, tap, withTap as never);
  const [transfer, withTransfer] = await online.token.transfer.create({
    sender: alice.partyId,
    recipient: bob.partyId,
    amount: '100',
    instrumentId: 'Amulet',
    registryUrl,
  });
  await submitHashed(alice, transfer, withTransfer as never);
  const [offer] = await online.token.transfer.pending(bob.partyId);
  const [accept, withAccept] = await online.token.transfer.accept({
    transferInstructionCid: offer!.contractId,
    registryUrl,
  });
  await submitHashed(bob, accept, withAccept as never);
  return { agreed, held: [await amounts(online, alice), await amounts(online, bob)] };
}
