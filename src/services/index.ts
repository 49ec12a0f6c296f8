/** The exports of the operations for other modules and their tests. Their own files import each other directly. */
export { RequestJournal } from './request-journal.js';
export { CHECKPOINT_DELAYS, Checkpoints } from './streams/checkpoints.js';
