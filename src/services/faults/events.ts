/** Network events during a call: a time jump, a competing command, pruning, a paused synchronizer. */
import { noSynchronizer } from '../../network/synchronizer.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { UNIT, type ContractId } from '../../daml/model/values.js';
import { submit } from '../../network/commands/submit.js';
import { grantRight, revokeRights } from '../../network/administration/right-changes.js';
import { factsOf } from '../../network/faults/call-facts.js';
import type { FaultAction } from '../../network/faults/fault-rule.js';
import type { Network } from '../../network/network.js';
import type { Participant } from '../../network/participant.js';
import { invalidArgument } from '../../network/model/request-errors.js';
import { parseDuration } from '../../network/model/time-texts.js';
import { vetVersions } from '../../network/vetting/vet-versions.js';

/** The action with this member. */
type Of<Word extends string> = Extract<FaultAction, Readonly<Record<Word, unknown>>>;

/** Performs an event. @returns whether the action is an event @throws LedgerError for an impossible event */
export function happens(
  action: FaultAction,
  network: Network,
  participant: Participant,
  input: unknown,
): boolean {
  if ('advance' in action) network.clock.advance(parseDuration(action.advance));
  else if ('prune' in action) prune(participantAt(network, participant, action.at), action.prune);
  else if ('disconnect' in action) cut(network, participant, action);
  else if ('reconnect' in action)
    participantAt(network, participant, action.at).reconnect(
      synchronizer(network, action.reconnect).id,
    );
  else if ('revoke' in action)
    revokeRights(participantAt(network, participant, action.at).users, action.revoke, action.party);
  else if ('grant' in action) grant(participantAt(network, participant, action.at), action);
  else if ('unvet' in action)
    vetVersions(participantAt(network, participant, action.at), action.unvet, 'unvet');
  else if ('vet' in action)
    vetVersions(participantAt(network, participant, action.at), action.vet, 'vet');
  else if ('resume' in action) network.resume(synchronizer(network, action.resume));
  else if ('pause' in action && !('slow' in action))
    network.pause(synchronizer(network, action.pause));
  else if ('rival' in action) for (const id of factsOf(input).contractIds) archive(network, id);
  else return false;
  return true;
}

/** The participant that received the call, or the named one. @throws LedgerError for an unknown participant */
export function participantAt(
  network: Network,
  receiver: Participant,
  name: string | undefined,
): Participant {
  return name === undefined ? receiver : network.participant(name);
}

/** A participant that is already disconnected stays disconnected. */
function cut(network: Network, receiver: Participant, { disconnect, at }: Of<'disconnect'>): void {
  const participant = participantAt(network, receiver, at);
  const { id } = synchronizer(network, disconnect);
  if (!participant.isCutOffFrom(id)) participant.disconnect(id);
}

function grant({ users, ledger }: Participant, action: Of<'grant'>): void {
  grantRight(users, action.grant, action, ledger.topology.parties());
}

/** The log may have no offset to prune yet. */
function prune(participant: Participant, upTo: number): void {
  const last = participant.log.end - 1;
  const offset = upTo === 0 ? last : Math.min(upTo, last);
  if (offset > 0) participant.prune(offset);
}

function synchronizer(network: Network, name: string) {
  const found = network.synchronizer(name);
  if (found === undefined) throw invalidArgument(noSynchronizer(name, network.synchronizers));
  return found;
}

/** Archives the contract as all its signatories, if one participant hosts them. Otherwise it has no effect. */
function archive(network: Network, contractId: ContractId): void {
  const stored = network.contracts.get(contractId);
  if (stored === undefined || stored.isArchived) return;
  const { signatories, templateId } = stored.instance;
  const host = network.participants.find((each) => signatories.every((party) => each.hosts(party)));
  if (host === undefined) return;
  try {
    submit(host, {
      userId: 'rival',
      commandId: `rival-${network.nextNumber}`,
      actAs: signatories,
      commands: [{ kind: 'exercise', templateId, contractId, choice: 'Archive', argument: UNIT }],
    });
  } catch (error) {
    // The contract may be archived already, or need more parties than its signatories.
    if (!(error instanceof LedgerError)) throw error;
  }
}
