/** A completion that arrives late, although a caller that waits for the command already has its answer. */
import { clearTimeout, setTimeout } from 'node:timers';
import { factsOf } from '../../network/faults/call-facts.js';
import type { AppliedFault, MetCall } from '../../network/faults/faults.js';
import type { Network } from '../../network/network.js';
import type { Completion } from '../../network/model/updates.js';
import type { Participant } from '../../network/participant.js';
import { delayOf } from './delays.js';

/** A call that submits a command, and its participant. */
interface Submitting extends Omit<MetCall, 'participant'> {
  readonly network: Network;
  readonly participant: Participant;
}

/** Delays the completion until the delay ends, or until the release or a restart of the participant. */
export function makeLate(fault: AppliedFault, call: Submitting): void {
  const { network, participant, input, operation } = call;
  const { action, id } = fault;
  const { log } = participant;
  const { commandIds, submissionIds } = factsOf(input);
  const isMeant = ({ commandId, submissionId }: Completion): boolean =>
    commandIds.has(commandId) || submissionIds.has(submissionId);
  const late: number[] = [];
  const stops: (() => void)[] = [];
  const letGo = (): void => {
    for (const stop of stops) stop();
    for (const offset of late) log.letGo(offset);
  };
  stops.push(
    log.onAppend(({ offset, completion }) => {
      if (completion === undefined || !isMeant(completion)) return;
      late.push(offset);
      log.withhold(offset);
    }),
    network.faults.onRestart((name) => {
      if (name === participant.name) letGo();
    }),
    // A revert ends the delays.
    network.onRevert(() => {
      for (const stop of stops) stop();
    }),
  );
  if ('delay' in action) {
    const timer = setTimeout(letGo, delayOf(action, fault)).unref();
    stops.push(() => clearTimeout(timer));
  } else stops.push(network.faults.waiting.holdFor(id, operation, letGo));
}
