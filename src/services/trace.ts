/**
 * Trace contexts. A request without a valid traceparent header gets a new trace, as on a participant (B-GEN-012).
 * Canticle derives it from the seed and the number of requests, so that a replay gives the same bytes.
 */
import { traceparentAt } from '../network/model/ids.js';
import type { Network } from '../network/network.js';
import type { TraceContext } from '../network/model/updates.js';

/** Version, trace id, parent id, flags; neither id may be all zeros. */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/** The trace of the request. A malformed trace counts as absent. */
export function givenTrace(header: (name: string) => string | undefined): TraceContext | undefined {
  const traceparent = header('traceparent');
  if (traceparent === undefined || !TRACEPARENT.test(traceparent)) return undefined;
  const tracestate = header('tracestate');
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}

/** Whether the request has an invalid trace. */
export function namesBrokenTrace(header: (name: string) => string | undefined): boolean {
  return header('traceparent') !== undefined && givenTrace(header) === undefined;
}

export function refusalTrace({ random, requestNumbers }: Network): TraceContext {
  return { traceparent: traceparentAt(random, 'refusal trace', requestNumbers.ofRefusal()) };
}

export function traceIdOf(trace: TraceContext): string {
  return trace.traceparent.slice(3, 35);
}
