/**
 * A client process of a LocalNet in another process: two parties that sign for themselves, a tap, a transfer in two steps. It prints
 * the result in its last line.
 *
 *   node sdk-client.mjs NAME '[["2975", 40001], …]'
 */
import * as wallet from '../../examples/wallet-sdk/wallet.ts';
import { giveLaterNode } from '../support/wallet-sdk.js';
import { leadTo } from './by-localnet-names.js';

const [name = '', ports = '[]'] = process.argv.slice(2);
giveLaterNode();
leadTo(new Map(JSON.parse(ports) as [string, number][]));

async function flow() {
  const sdk = await wallet.connect();
  const alice = await wallet.newParty(sdk, `${name}-alice`);
  const bob = await wallet.newParty(sdk, `${name}-bob`);
  await wallet.tap(sdk, alice, '1000');
  await wallet.send(sdk, alice, bob, '100');
  const [pending] = await sdk.token.transfer.pending(bob.partyId);
  const { registryUrl } = wallet;
  const offer = { transferInstructionCid: pending!.contractId, registryUrl };
  await wallet.submit(sdk, bob, ...(await sdk.token.transfer.accept(offer)));
  const held = [await wallet.amounts(sdk, alice), await wallet.amounts(sdk, bob)];
  return { alice: alice.partyId, held };
}

console.log(JSON.stringify(await flow()));
process.exit(0);
