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

const TOKEN = 'only Canticle has the test token';
const DSO = 'it needs a DSO with its registry and faucet, but only a participant is available';
const OPERATORS = 'a client of a real participant cannot do that';
const TIME = 'no client can change the time of a real network';
const PAST = 'a real network cannot revert';
const MIGRATION = 'no client can migrate a real network';

/** Unsupported verbs. */
export const UNSUPPORTED_VERBS: Partial<Readonly<Record<VerbName, string>>> = {
  mint: TOKEN,
  transfer: `${TOKEN}, and transfers of Amulet need a registry`,
  accept: `${TOKEN}, and transfers of Amulet need a registry`,
  reject: `${TOKEN}, and transfers of Amulet need a registry`,
  withdraw: `${TOKEN}, and transfers of Amulet need a registry`,
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
  script: 'its requests depend on earlier answers; run it on each side with `canticle script`',
  find: 'it compares payloads, which are not read here; name the contract with `as` instead',
  fault: 'only Canticle can inject faults',
  vet: 'it would change the vetted packages for all users of the participant',
  unvet: 'it would change the vetted packages for all users of the participant',
  advance: TIME,
  scheduleMigration: MIGRATION,
  cancelMigration: MIGRATION,
  carryOutMigration: MIGRATION,
  snapshot: PAST,
  revert: PAST,
};

/** Unsupported expectations. */
export const UNSUPPORTED_EXPECTATIONS: Partial<Readonly<Record<ExpectationName, string>>> = {
  migration: 'no operation of a participant returns it',
  rewardRound: DSO,
  time: 'no operation of a participant returns it',
};
