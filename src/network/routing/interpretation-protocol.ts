/** The protocol version by which a participant runs commands, before it knows their synchronizer. */
import { packageIdOf } from '../../daml/model/types.js';
import type { SynchronizerId } from '../model/ids.js';
import type { Protocol } from '../model/protocol.js';
import type { Participant } from '../participant.js';
import type { Submission } from '../submission/submission.js';

type Commands = Pick<Submission, 'actAs' | 'commands' | 'synchronizerId' | 'chosenFor'>;

/**
 * That of the synchronizer in the request, or of the one for which a later pass chose the versions. In the first pass
 * it is that of the last synchronizer by id which could take the commands (B-PSL-033).
 */
export function protocolFor(participant: Participant, commands: Commands): Protocol {
  const { ledger, connected } = participant;
  if (ledger.onlyProtocol !== undefined) return ledger.onlyProtocol;
  const named = commands.chosenFor ?? commands.synchronizerId;
  const known = named === undefined ? undefined : ledger.synchronizer(named);
  if (known !== undefined) return known.protocol;
  const usable = connected.filter((each) => couldTake(participant, commands, each));
  const last = [...(usable.length > 0 ? usable : connected)].sort().at(-1);
  return last === undefined ? ledger.synchronizers[0]!.protocol : ledger.protocolOf(last);
}

function couldTake(
  { ledger, id: participantId }: Participant,
  { actAs, commands }: Commands,
  where: SynchronizerId,
): boolean {
  const { topology, clock } = ledger;
  return (
    actAs.every((party) => topology.hosts(party, where).has(participantId)) &&
    commands.every(({ templateId }) =>
      topology.isVetted(participantId, where, packageIdOf(templateId), clock.now()),
    )
  );
}
