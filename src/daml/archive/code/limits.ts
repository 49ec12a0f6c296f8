/** Limits of an expression. Real code stays far below them. */
import { parseError } from '../dar-refusals.js';

/** Levels of one expression; real code stays below 200. */
export const MAX_DEPTH = 600;
/** Parts of one expression, with interned parts counted at each use; real code stays below 50,000. */
const MAX_PARTS = 1_000_000;

/** Counts depth and parts during a walk through one definition's expression. */
export class ExpressionSize {
  private depth = 0;
  private parts = 0;

  /** @throws LedgerError DAR_PARSE_ERROR above the limits */
  enter(): void {
    if (++this.parts > MAX_PARTS)
      throw parseError(`An expression has more than ${MAX_PARTS} parts`);
    if (++this.depth > MAX_DEPTH)
      throw parseError(`An expression nests deeper than ${MAX_DEPTH} levels`);
  }

  leave(): void {
    this.depth -= 1;
  }
}
