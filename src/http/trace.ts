/**
 * Trace contexts. A request without a valid traceparent header gets one of its own, as at a participant (B-GEN-012); ours
 * derives from the seed and the state of the network, so that a replay gives the same bytes.
 */
import { sha256Hex } from '../daml/hash.js';
import type { Network } from '../network/network.js';
import type { TraceContext } from '../network/updates.js';

/** Version, trace id, parent id, flags; neither id may be all zeros. */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

export function traceOf(
  header: (name: string) => string | undefined,
  network: Network,
): TraceContext {
  return givenTrace(header) ?? newTrace(network);
}

/** Of the request itself; one that is not well-formed counts for none. */
export function givenTrace(header: (name: string) => string | undefined): TraceContext | undefined {
  const traceparent = header('traceparent');
  if (traceparent === undefined || !TRACEPARENT.test(traceparent)) return undefined;
  const tracestate = header('tracestate');
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}

function newTrace({ options, journal }: Network): TraceContext {
  const hash = sha256Hex(`trace/${options.seed ?? 0}/${journal.position}`);
  return { traceparent: `00-${hash.slice(0, 32)}-${hash.slice(32, 48)}-01` };
}

export function traceIdOf(trace: TraceContext): string {
  return trace.traceparent.slice(3, 35);
}
