/** The health checks of each Splice app, in addition to its document's operations (L-HLT-001): the rows are Scan's. */
import type { OperationFacts } from '../schema.js';
import { scan } from '../scan/index.js';
import type { SpliceVersion } from '../versions.js';

export const health = (version: SpliceVersion): readonly OperationFacts[] =>
  scan(version)
    .operations.filter(({ path }) => path === '/status' || path === '/version')
    .map((row) => ({ ...row, unlisted: true }));
