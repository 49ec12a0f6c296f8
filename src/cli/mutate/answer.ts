/** Runs a script or a mutant, in any thread. */
import type { MutatedDar } from '../../assembly/mutating/mutated-dar.js';
import type { Answer, Order } from './orders.js';

export const answerTo = ({ suite }: MutatedDar, order: Order): Answer =>
  order.kind === 'facts' ? suite.facts(order.index) : suite.judge(order.number, order.scripts);
