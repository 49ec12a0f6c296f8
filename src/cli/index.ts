/** The door of the command line: what the tests of other rooms use of it. The rooms themselves import each other's files. */
export { multiSync } from './multi-sync.js';
