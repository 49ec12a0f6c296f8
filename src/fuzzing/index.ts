/**
 * The entry point of this folder for tests of other folders. Source files of other folders import its files
 * directly.
 */
export { ActionSet } from './actions/action-set.js';
export { FuzzLedger } from './ledger/fuzz-ledger.js';
export { plainStart, startFromScript } from './ledger/start-state.js';
export { FuzzRun, replay } from './running/fuzz-run.js';
export { constantsOf } from './values/constants.js';
