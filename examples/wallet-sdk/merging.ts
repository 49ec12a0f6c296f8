/** Many small holdings made one. */
import { amounts, connect, newParty, submit, tap } from './wallet.ts';

export default async function merging() {
  const sdk = await connect();
  const alice = await newParty(sdk, 'merging-alice');
  await Promise.all(Array.from({ length: 6 }, () => tap(sdk, alice, '20')));
  const before = await amounts(sdk, alice);

  const [commands, disclosed] = await sdk.token.utxos.merge({ partyId: alice.partyId });
  for (const command of commands) await submit(sdk, alice, command, disclosed);
  return { before: before.length, after: await amounts(sdk, alice) };
}
