/** Fault injection: add, list and remove rules, and release held requests. */
import type { FaultRule } from '../../network/faults/fault-rule.js';
import type { FaultState } from '../../network/faults/faults.js';
import type { Fault } from '../../spec/generated/control.js';
import { HttpRefusal, type ControlContext, type SomeHandlers } from '../handler.js';

const shown = ({ id, rule, seen, hits }: FaultState): Fault =>
  // JSON drops answers that a test gives as a function.
  JSON.parse(JSON.stringify({ id, ...rule, seen, hits })) as Fault;

export const faults = {
  listFaults: ({ network }) => ({
    faults: network.faults.list().map(shown),
    held: [...network.faults.held],
  }),

  addFault: ({ network }, { body }) => {
    const { id } = network.faults.add(body as unknown as FaultRule);
    return shown(network.faults.list().find((each) => each.id === id)!);
  },

  removeFault: (context, { path }) => {
    const before = shown(named(context, path.fault));
    context.network.faults.remove(path.fault);
    return before;
  },

  clearFaults: ({ network }) => ({ cleared: network.faults.reset() }),

  releaseFault: (context, { path }) => {
    named(context, path.fault);
    return { released: context.network.faults.release(path.fault) };
  },

  releaseFaults: ({ network }) => ({ released: network.faults.release() }),

  stepFaults: ({ network }) => ({ released: network.faults.step() ? 1 : 0 }),
} satisfies SomeHandlers<'control'>;

function named({ network }: ControlContext, id: string): FaultState {
  const found = network.faults.list().find((each) => each.id === id);
  if (found === undefined) throw new HttpRefusal(404, `There is no fault ${id}.`);
  return found;
}
