/** What each app of Splice answers for its health beside what its own document lists (L-HLT-001): the rows are Scan's. */
import type { OperationFacts } from '../schema.js';
import { scan } from '../scan/index.js';

export const health = (): readonly OperationFacts[] =>
  scan.operations
    .filter(({ path }) => path === '/status' || path === '/version')
    .map((row) => ({ ...row, unlisted: true }));
