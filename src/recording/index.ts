/**
 * The entry point of recordings for tests of other folders. Source files of other folders import its files
 * directly.
 */
export { Identities } from './identities.js';
