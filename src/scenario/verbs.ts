/** Every verb, by its name in files and in the builder. */
import { advanceRounds, amulet, feature, preapprove, tap } from './verbs/amulet.js';
import { pauseAutomation, resumeAutomation, runAutomation } from './verbs/automation.js';
import {
  disconnect,
  grant,
  pauseSynchronizer,
  reconnect,
  restart,
  resumeSynchronizer,
  revoke,
  unvet,
  vet,
} from './verbs/disturbances.js';
import { fault } from './verbs/faults.js';
import { script } from './verbs/script.js';
import { accept, mint, reject, transfer, withdraw } from './verbs/token.js';
import { walletAccount, walletMode, walletNetwork, walletSession } from './verbs/dapp-wallet.js';
import { buyTraffic, claimName, offer, wallet } from './verbs/wallets.js';
import { archive, assign, create, exercise, unassign } from './verbs/contracts.js';
import { find } from './verbs/find.js';
import {
  advance,
  cancelMigration,
  carryOutMigration,
  party,
  prune,
  revert,
  rewardRound,
  scheduleMigration,
  snapshot,
  upload,
  user,
} from './verbs/network.js';

export const VERBS = {
  party,
  user,
  upload,
  script,
  create,
  exercise,
  archive,
  find,
  unassign,
  assign,
  mint,
  amulet,
  tap,
  preapprove,
  feature,
  wallet,
  offer,
  claimName,
  buyTraffic,
  walletMode,
  walletSession,
  walletAccount,
  walletNetwork,
  advanceRounds,
  pauseAutomation,
  resumeAutomation,
  runAutomation,
  transfer,
  accept,
  reject,
  withdraw,
  prune,
  advance,
  scheduleMigration,
  cancelMigration,
  carryOutMigration,
  rewardRound,
  fault,
  disconnect,
  reconnect,
  restart,
  pauseSynchronizer,
  resumeSynchronizer,
  grant,
  revoke,
  vet,
  unvet,
  snapshot,
  revert,
} as const;

export type VerbName = keyof typeof VERBS;
