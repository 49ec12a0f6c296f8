/**
 * A long poll for changes of the network's state, for pages that show the current state. Requests to the control API count only by their
 * effects, so that reading changes nothing.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { InspectedChanges } from '../../spec/generated/control.js';
import type { ControlContext, SomeHandlers } from '../handler.js';
import { HttpRefusal } from '../handler.js';

/** Milliseconds; less than the timeout of a request. */
const MAX_WAIT = 15_000;
/** The polling interval, in milliseconds. */
const LOOK = 50;

export const changes = {
  inspectChanges: async (context, { query: { after, wait = MAX_WAIT } }) => {
    if (wait < 0 || wait > MAX_WAIT)
      throw new HttpRefusal(400, `wait is from 0 to ${MAX_WAIT} milliseconds, and was ${wait}.`);
    // Also limited by the clock: on a busy machine, polls take longer, and the request could time out before the answer.
    const end = performance.now() + wait;
    for (let waited = 0; waited < wait && performance.now() < end; waited += LOOK) {
      if (after !== stateOf(context)) break;
      if (!(await elapsed(LOOK, context.signal))) break;
    }
    const { network, requests } = context;
    return {
      state: stateOf(context),
      time: formatTimestampMicros(network.clock.now()),
      updates: network.updates.length,
      requests: requests.lastAnswered,
      counting: network.coverage.isCounting,
      ticking: network.options.wallClock !== undefined,
    } satisfies InspectedChanges;
  },
} satisfies SomeHandlers<'control'>;

/**
 * Equal if and only if a page would look the same. For time, it has only the mode, because a wall clock always changes.
 */
function stateOf({ network, requests }: ControlContext): string {
  const { updates, participants, synchronizers, clock, coverage } = network;
  const newest = updates.length === 0 ? '' : updates.at(updates.length - 1)!.updateId.slice(-16);
  const ends = participants.map(({ log }) => `${log.end}-${log.prunedUpTo}`);
  const states = synchronizers.map(
    (each) => `${each.isPaused}${network.inFlight.on(each.id).length}`,
  );
  const time = network.options.wallClock === undefined ? clock.now() : '';
  const answered = requests.lastAnswered;
  return [updates.length, newest, ...ends, ...states, time, answered, coverage.isCounting].join(
    '.',
  );
}

/** @returns false if the client has disconnected */
function elapsed(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve(!signal.aborted);
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}
