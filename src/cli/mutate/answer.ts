/** Follows orders, in any thread. */
import { invariant } from '../../daml/errors/ledger-error.js';
import type { FuzzSuite } from '../../mutating/running/fuzz-suite.js';
import { ScriptSuite } from '../../mutating/running/script-suite.js';
import type { Answer, Order } from './orders.js';

export function answerTo(suite: ScriptSuite | FuzzSuite, order: Order): Answer {
  if (suite instanceof ScriptSuite) {
    if (order.kind === 'script') return suite.facts(order.index);
    invariant(order.kind === 'judge', 'scripts judge a mutant');
    return suite.judge(order.number, order.scripts);
  }
  if (order.kind === 'sequences') return suite.facts();
  invariant(order.kind === 'fuzz', 'sequences judge a mutant');
  return suite.judge(order.number, order.original);
}
