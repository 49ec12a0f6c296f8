/** The exports of the command line for other parts of the code base. Its own files import each other directly. */
export { multiSync } from './multi-sync.js';
