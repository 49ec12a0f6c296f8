/** Applies fault rules to a call of the Wallet Gateway, which takes no other step of the pipeline. */
import type { Network } from '../../network/network.js';
import { answerUnder, type FaultyCall } from '../faults/under-faults.js';

/** How a transport answers under faults. */
export type FaultEffects<A> = Pick<
  FaultyCall<A>,
  'refused' | 'lost' | 'turnedAway' | 'given' | 'delivered' | 'altered'
>;

/** @param call its name in fault rules, and what its conditions look at @param handle answers without a fault */
export function answerGatewayCall<A>(
  network: Network,
  call: { readonly operation: string; readonly host: string | undefined; readonly input: unknown },
  effects: FaultEffects<A>,
  handle: () => Promise<A>,
): Promise<A> {
  const participant = network.participants[0]!;
  const met = { ...call, api: 'gateway' };
  const applied = network.faults.meet({ ...met, participant: participant.name });
  return answerUnder<A>(applied, {
    ...met,
    ...effects,
    network,
    participant,
    handle,
    met: () => undefined,
    // Only Scan and the registry read an earlier state.
    behind: handle,
  });
}
