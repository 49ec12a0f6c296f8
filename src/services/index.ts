/** The door of the operations: what the tests of other rooms use of it. The rooms themselves import each other's files. */
export { RequestJournal } from './request-journal.js';
export { CHECKPOINT_DELAYS, Checkpoints } from './streams/checkpoints.js';
