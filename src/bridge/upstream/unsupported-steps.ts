/**
 * The verbs and expectations of scenarios that the JSON Ledger API does not support, with the reasons. NOTE: the
 * texts are from Canticle, because they are about scenario files.
 */
import type { ExpectationName } from '../../scenario/expectations.js';
import type { VerbName } from '../../scenario/verbs.js';

/** A remote participant does not support the step. */
export class UnsupportedStep extends Error {
  /** `UnsupportedStep`. */
  override readonly name = 'UnsupportedStep';
}

const TOKEN = "the test token is Canticle's own";
const DSO = 'it needs a DSO, its registry or its faucet, and a participant alone is asked';
const OPERATORS = 'a client of a real participant cannot do that';
const TIME = 'no client moves the time of a real network';
const PAST = 'a real network has one past, and nothing is taken back';
const MIGRATION = 'no client migrates a real network';

/** Unsupported verbs. */
export const UNSUPPORTED_VERBS: Partial<Readonly<Record<VerbName, string>>> = {
  mint: TOKEN,
  transfer: `${TOKEN}, and Amulet's transfers need a registry`,
  accept: `${TOKEN}, and Amulet's transfers need a registry`,
  reject: `${TOKEN}, and Amulet's transfers need a registry`,
  withdraw: `${TOKEN}, and Amulet's transfers need a registry`,
  amulet: DSO,
  tap: DSO,
  preapprove: DSO,
  feature: DSO,
  advanceRounds: DSO,
  pauseAutomation: DSO,
  resumeAutomation: DSO,
  runAutomation: DSO,
  rewardRound: DSO,
  prune: OPERATORS,
  disconnect: OPERATORS,
  reconnect: OPERATORS,
  restart: OPERATORS,
  pauseSynchronizer: OPERATORS,
  resumeSynchronizer: OPERATORS,
  script: 'a script asks as it goes: `canticle script` runs it on either',
  fault: 'faults are planted here alone',
  vet: 'it would change what the participant vouches for, for everybody',
  unvet: 'it would change what the participant vouches for, for everybody',
  advance: TIME,
  scheduleMigration: MIGRATION,
  cancelMigration: MIGRATION,
  carryOutMigration: MIGRATION,
  snapshot: PAST,
  revert: PAST,
};

/** Unsupported expectations. */
export const UNSUPPORTED_EXPECTATIONS: Partial<Readonly<Record<ExpectationName, string>>> = {
  migration: 'no operation of a participant tells it',
  rewardRound: DSO,
  time: 'no operation of a participant tells it',
};
