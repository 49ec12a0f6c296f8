/** The exports of the command line for other parts of the code base. The rooms themselves import each other's files. */
export { multiSync } from './multi-sync.js';
