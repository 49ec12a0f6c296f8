/** The automation of wallets that a configuration adds. */
import { createCanticle } from 'canticle';
import type { WalletConfiguration } from '../../../src/splice/wallet-configuration.js';
import { configuredTasks } from '../../../src/splice/wallet/tasks/configured-tasks.js';

const NOTHING: WalletConfiguration = { accepts: [], sweeps: [], sharing: new Map() };
const accepts = [{ party: 'alice::1', fromParties: ['bob::1'] }];
const limits = { maxBalanceUsd: '2', minBalanceUsd: '1', useTransferPreapproval: false };
const sweeps = [{ party: 'alice::1', receiver: 'bob::1', ...limits }];
const terms = { beneficiaries: [], minTtlAfterSharing: 1n, batchSize: 1 };
const sharing = new Map([['alice::1', terms]]);

test.each([
  ['nothing', {}, []],
  ['one party that accepts offers', { accepts }, ['AutoAcceptTransferOffers']],
  ['one party that sweeps its balance', { sweeps }, ['WalletSweep']],
  ['one party that shares its rewards', { sharing }, ['RewardSharing']],
])('runs the tasks that a configuration with %s needs', (_, configuration, tasks) => {
  const { splice } = createCanticle();
  splice.walletConfiguration.value = { ...NOTHING, ...configuration };
  expect(configuredTasks(splice).map(({ name }) => name)).toEqual(tasks);
});
