/**
 * The processor time that the Wallet Gateway adds to the start of an instance and of a LocalNet, in turns. Also the time from the
 * connection of a dApp to its first executed transaction, with a provider in this process.
 */
import { createCanticle } from 'canticle';
import { createLocalnet } from '../../src/assembly/localnet/create-localnet.js';
import { installWallet } from '../../src/provider/index.js';
import { quickstartCommand } from '../../test/support/wallet-gateway/gateway-client.js';
import { figure, machine, middle, milliseconds, spread } from '../measure/report.js';

const [STARTS, TRANSACTIONS] = [21, 15];

machine();

/** Milliseconds of the processor. */
const processorTime = (action: () => unknown): number => {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

const started = {
  'an instance': (walletGateway: boolean) => createCanticle({ seed: 1, walletGateway }),
  'a LocalNet': (walletGateway: boolean) => createLocalnet({ seed: 1, walletGateway }),
};
for (const [what, start] of Object.entries(started)) {
  const added: number[] = [];
  for (let n = 0; n <= STARTS; n += 1) {
    const [without, beside] = [false, true].map((gateway) => processorTime(() => start(gateway)));
    // The first start loads code.
    if (n > 0) added.push(beside! - without!);
  }
  figure(`added to a start of ${what} (goal at most 50)`, middle(added), 'ms');
}

async function connectAndExecute(): Promise<number> {
  const canticle = createCanticle({ seed: 1, walletGateway: { wallets: ['alice'] } });
  const { provider, remove } = installWallet({ canticle, discovery: [] });
  const time = await milliseconds(async () => {
    await provider.request({ method: 'connect' });
    const { partyId } = await provider.request({ method: 'getPrimaryAccount' });
    const commands = quickstartCommand(partyId) as never;
    await provider.request({ method: 'prepareExecuteAndWait', params: { commands } });
  });
  remove();
  return time;
}
await connectAndExecute();
const times: number[] = [];
for (let n = 0; n < TRANSACTIONS; n += 1) times.push(await connectAndExecute());
spread('from connect to executed (goal 300)', times, 'ms');
