/** Arbitrary messages of any schema: those that the package gives its users, for every schema instead of every operation. */
export { messageFor } from '../../src/testing/arbitraries/request-body.js';
