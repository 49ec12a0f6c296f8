/** The validator may merge ten or more holdings of a party. The party proposes it, and the validator accepts and uses it. */
import { amounts, connect, newParty, submit, tap } from './wallet.ts';

/** @param dar splice-util-token-standard-wallet, which a LocalNet does not include */
export default async function mergingForOthers(dar: Uint8Array, packageId: string) {
  const sdk = await connect();
  await sdk.ledger.dar.upload(dar, packageId);
  const alice = await newParty(sdk, 'delegating-alice');
  await Promise.all(Array.from({ length: 10 }, () => tap(sdk, alice, '20')));

  const { delegatedMerge } = sdk.token.utxos;
  await delegatedMerge.setup();
  const owner = alice.partyId;
  await submit(sdk, alice, delegatedMerge.command.propose({ owner }));
  await delegatedMerge.approve({ owner });
  await delegatedMerge.execute({ party: owner });
  return amounts(sdk, alice);
}
