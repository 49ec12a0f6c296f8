/** Traffic of the synchronizer, bought with Amulet. */
import { amounts, connect, newParty, submit, tap } from './wallet.ts';

export default async function traffic() {
  const sdk = await connect();
  const alice = await newParty(sdk, 'traffic-alice');
  await tap(sdk, alice, '2000000');
  const before = await sdk.amulet.traffic.status();

  const purchase = await sdk.amulet.traffic.buy({
    buyer: alice.partyId,
    ccAmount: 200_000,
    inputUtxos: [],
  });
  await submit(sdk, alice, ...purchase);
  const after = await sdk.amulet.traffic.status();
  const bought = ({ traffic_status: { target } }: typeof after) => target.total_purchased;
  return { bytes: bought(after) - bought(before), left: await amounts(sdk, alice) };
}
