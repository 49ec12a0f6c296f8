/** Which nodes of a trace one sees, through a party's eyes or a participant's. */
import type { Trace, TraceNode } from '../../../spec/generated/control.js';
import type { Eyes } from '../state/route.js';

export type Sees = (node: TraceNode) => boolean;

export function seenBy({ hosts }: Trace, eyes: Eyes): Sees {
  if (eyes === undefined) return () => true;
  if ('party' in eyes)
    return ({ witnesses }) => witnesses.some(({ party }) => party === eyes.party);
  return ({ witnesses }) =>
    witnesses.some(({ party }) => hosts[party]?.includes(eyes.participant) === true);
}
