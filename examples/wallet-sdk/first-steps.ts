/** Two parties, one with keys in this process and one with external keys; a first contract; a first holding. */
import { signTransactionHash } from '@canton-network/wallet-sdk';
import { amounts, connect, newParty, submit, tap } from './wallet.ts';

export default async function firstSteps() {
  const sdk = await connect();
  const alice = await newParty(sdk, 'first-alice');

  // The participant returns the hash to sign. Any system may create the signature.
  const keys = sdk.keys.generate();
  const creation = sdk.party.external.create(keys.publicKey, { partyHint: 'first-bob' });
  const { multiHash } = await creation.topology();
  const bob = await creation.execute(signTransactionHash(multiHash, keys.privateKey));

  const { partyId } = alice;
  const ping = sdk.utils.ping.create([{ initiator: partyId, responder: partyId }]);
  await submit(sdk, alice, ping);
  // The same, signed apart.
  const { response } = await sdk.ledger.prepare({ partyId, commands: ping }).toJSON();
  const signature = signTransactionHash(response.preparedTransactionHash, alice.privateKey);
  await sdk.ledger.execute(sdk.ledger.fromSignature(response, signature), { partyId });

  await tap(sdk, alice, '10000');
  const fingerprint = await sdk.keys.fingerprint(keys.publicKey);
  return {
    alice: await amounts(sdk, alice),
    bobIsHisKey: bob.partyId === `first-bob::${fingerprint}`,
  };
}
