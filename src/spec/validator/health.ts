/** The health checks of each Splice app, in addition to its document's operations (L-HLT-001): the rows are Scan's. */
import type { OperationFacts } from '../schema.js';
import { scan } from '../scan/index.js';

export const health = (): readonly OperationFacts[] =>
  scan.operations
    .filter(({ path }) => path === '/status' || path === '/version')
    .map((row) => ({ ...row, unlisted: true }));
