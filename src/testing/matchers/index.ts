/** Every matcher by its name, for `expect.extend`. */
export {
  toBeActive,
  toBeArchived,
  toBeInFlight,
  toBeOn,
  toHavePayload,
  toHaveReassignmentCounter,
} from './contract-matchers.js';
export { toBeCantonError } from './error-matchers.js';
export { toHaveAnswered } from './journal-matchers.js';
export { toHold, toSee } from './party-matchers.js';
export { toBeSeenBy, toBeSeenOnlyBy, toKnowNothingOf } from './privacy-matchers.js';
export { toCostAtMost } from './traffic-matchers.js';
