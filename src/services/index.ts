/** The exports of the operations for other modules and their tests. The rooms themselves import each other's files. */
export { RequestJournal } from './request-journal.js';
export { CHECKPOINT_DELAYS, Checkpoints } from './streams/checkpoints.js';
