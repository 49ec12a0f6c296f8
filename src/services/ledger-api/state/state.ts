/** The state service: the ledger end, the active contracts, and the connected synchronizers. */
import { acsKeys, matchContract, type EventFormat } from '../../../network/reading/event-format.js';
import type { Participant } from '../../../network/participant.js';
import { invalidField, negativeOffset } from '../../../network/model/request-errors.js';
import { callContext, loggedIn } from '../../../daml/errors/logging-context.js';
import { partyError, uniqueIdentifierError } from '../../../daml/model/identifiers.js';
import { formatInstant } from '../../../daml/model/time.js';
import { sortedStakeholders, type ContractInstance } from '../../../daml/model/transaction.js';
import type { Activation } from '../../../network/model/updates.js';
import type { IncompleteReassignment } from '../../../network/ledger/incomplete-reassignments.js';
import type {
  GetActiveContractsRequest,
  JsContractEntry,
  JsGetActiveContractsResponse,
} from '../../../spec/generated/ledger.js';
import { Reply, type SomeHandlers } from '../../handler.js';
import type { ElementStream } from '../../streams/element-stream.js';
import {
  readContinuationToken,
  writeContinuationToken,
  type AcsPosition,
} from '../formats/continuation-token.js';
import { checkEventFormat, type ReadingContext } from '../formats/formats.js';
import { renderCreated, renderPermission, renderUnassigned } from '../formats/render.js';
import type { Writing } from '../formats/writing.js';
import { loggedFilters } from '../formats/format-logging.js';
import { requireActiveAt } from '../formats/requests.js';
import { resolveFormat } from '../formats/resolve-format.js';
import { finiteList } from '../formats/stream-list.js';

/** Without ids in the request, all synchronizers are wanted (R-36-041). */
const isWanted = (id: string, wanted: readonly string[] = []): boolean =>
  wanted.length === 0 || wanted.includes(id);

export const state = {
  getLivez: () => new Reply(''),

  getReadyz: () =>
    new Reply('[+] ledger ok (SERVING)\nreadyz check passed\n', { contentType: 'text/plain' }),

  'getV2StateLedger-end': ({ participant, network }, { query }) => ({
    offset: participant.log.end,
    synchronizerTimes: network.synchronizers
      .filter(({ id, recordTime }) => participant.isConnectedTo(id) && recordTime !== undefined)
      .filter(({ id }) => isWanted(id, query.synchronizer_id))
      .map(({ id, recordTime }) => ({
        synchronizerId: id,
        recordTime: formatInstant(recordTime!),
      })),
  }),

  'getV2StateLatest-pruned-offsets': ({ participant }) => ({
    participantPrunedUpToInclusive: participant.log.prunedUpTo,
    allDivulgedContractsPrunedUpToInclusive: participant.log.prunedUpTo,
  }),

  'getV2StateConnected-synchronizers': ({ participant, network }, { query }) => {
    const { party, participantId } = query;
    const badParty = party ? partyError(party) : undefined;
    if (badParty !== undefined) throw invalidField('party', badParty);
    const badId = participantId ? participantError(participantId) : undefined;
    if (badId !== undefined)
      throw invalidField('participant_id', `Unable to convert field \`participant_id\`: ${badId}`);
    // A request may name another participant, but the answer lists only synchronizers to which this one is connected.
    const host = participantId || participant.id;
    const connected = participant.connected
      .map((each) => network.synchronizer(each)!)
      .map(({ id, alias }) => {
        const permission = party ? network.topology.permission(party, host, id) : undefined;
        return { synchronizerAlias: alias, synchronizerId: id, permission };
      })
      .filter(({ permission }) => !party || permission !== undefined);
    return {
      connectedSynchronizers: connected.map((each) => ({
        ...each,
        permission: renderPermission(each.permission),
      })),
    };
  },

  'postV2StateActive-contracts': (context, { body, query }) =>
    finiteList(activeContractStream(context, body).read(), query),
} satisfies SomeHandlers<'ledger'>;

/** The active contracts of a request in its current form. */
export function activeContractStream(
  context: ReadingContext,
  request: GetActiveContractsRequest,
): ElementStream<JsGetActiveContractsResponse> {
  const { participant } = context;
  const { log, packages } = participant;
  const { activeAtOffset: offset, streamContinuationToken, eventFormat } = request;
  const checked = checkEventFormat(context, eventFormat);
  const bound = {
    kind: 'active contracts',
    participantId: participant.id,
    request: [offset, eventFormat],
  } as const;
  let from = readContinuationToken(streamContinuationToken, bound);
  if (offset < 0) throw negativeOffset('active_at_offset', offset);
  const format = loggedIn(
    () => callContext(() => ({ filters: loggedFilters(checked) })),
    () => {
      const resolved = resolveFormat(packages, checked);
      requireActiveAt(log, offset);
      return resolved;
    },
  );
  return {
    *read() {
      // Pruning may happen before the next turn.
      requireActiveAt(log, offset);
      for (const { position, entry } of activeContracts(context, format, offset, from)) {
        from = position;
        yield { ...entry, streamContinuationToken: writeContinuationToken(position, bound) };
      }
    },
    survivesRevert: () => offset <= log.end,
  };
}

function participantError(id: string): string | undefined {
  if (!id.includes('::'))
    return `Invalid member \`PAR::${id}\`, expecting <three-letter-code>::id::fingerprint.`;
  return uniqueIdentifierError(id);
}

interface AcsEntry {
  readonly entry: { workflowId: string; contractEntry: JsContractEntry };
  readonly position: AcsPosition;
}

/** Active contracts by activation, then the halves of reassignments by offset (B-ACS-009). */
export function* activeContracts(
  context: Omit<ReadingContext, 'apiVersion'>,
  format: EventFormat,
  offset: number,
  from: AcsPosition,
): Generator<AcsEntry> {
  const { participant, values } = context;
  const { log, activeContracts: contracts, incompleteReassignments, packages } = participant;
  const writing = { participant, writer: values.writer(format.verbose), call: context };
  const since = [...log.between(offset, log.end)];
  if (from.part === 'active')
    for (const activation of contracts.at(offset, since, acsKeys(packages, format), from.after)) {
      const { sequence, update } = activation;
      const contractEntry = renderActive(writing, format, activation);
      if (contractEntry)
        yield {
          entry: { workflowId: update.workflowId, contractEntry },
          position: { part: 'active', after: sequence, taken: 0 },
        };
    }
  let { after, taken } = from.part === 'incomplete' ? from : { after: 0, taken: 0 };
  for (const half of incompleteReassignments.at(offset, since)) {
    const { sequence, update } = half;
    if (sequence <= after) continue;
    const entries = [...renderIncomplete(writing, format, half)];
    for (const [index, contractEntry] of entries.entries()) {
      if (index < taken) continue;
      const isLast = index === entries.length - 1;
      const position = {
        part: 'incomplete',
        after: isLast ? sequence : after,
        taken: isLast ? 0 : index + 1,
      } as const;
      yield { entry: { workflowId: update.workflowId, contractEntry }, position };
    }
    [after, taken] = [sequence, 0];
  }
}

function matchStakeholders(
  participant: Participant,
  format: EventFormat,
  contract: ContractInstance,
) {
  const stakeholders = sortedStakeholders(contract);
  return matchContract(participant.packages, format, contract, stakeholders, true);
}

function renderActive(
  writing: Writing,
  format: EventFormat,
  activation: Activation,
): JsContractEntry | undefined {
  const { contract, offset, nodeId, synchronizerId, reassignmentCounter } = activation;
  const match = matchStakeholders(writing.participant, format, contract);
  if (match === undefined) return undefined;
  const createdEvent = renderCreated(writing, contract, match, {
    offset,
    nodeId,
    acsDelta: true,
  });
  return { JsActiveContract: { createdEvent, synchronizerId, reassignmentCounter } };
}

function* renderIncomplete(
  writing: Writing,
  format: EventFormat,
  { update, sequence }: IncompleteReassignment,
): Generator<JsContractEntry> {
  const { participant } = writing;
  for (const event of update.events) {
    const { contract, nodeId, source, target, reassignmentId, submitter, reassignmentCounter } =
      event;
    const match = matchStakeholders(participant, format, contract);
    if (match === undefined) continue;
    if (event.kind === 'assigned') {
      const createdEvent = renderCreated(writing, contract, match, {
        offset: sequence,
        nodeId,
        acsDelta: true,
      });
      const assignedEvent = {
        source,
        target,
        reassignmentId,
        submitter,
        reassignmentCounter,
        createdEvent,
      };
      yield { JsIncompleteAssigned: { assignedEvent } };
      continue;
    }
    const position = { ...lastActivation(participant, contract, sequence), acsDelta: true };
    const createdEvent = renderCreated(writing, contract, match, position);
    const unassignedEvent = renderUnassigned(participant, event, match.witnesses, sequence);
    yield { JsIncompleteUnassigned: { createdEvent, unassignedEvent } };
  }
}

/** The start of an activation that ended at an offset; its creation, if the start was pruned. */
function lastActivation(
  { log, ledger, id }: Participant,
  { contractId }: ContractInstance,
  ended: number,
): { readonly offset: number; readonly nodeId: number } {
  const stays = ended > log.forgottenUpTo ? log.entry(ended)?.deactivated : undefined;
  const stay = stays?.find(({ contract }) => contract.contractId === contractId);
  if (stay !== undefined) return { offset: stay.offset, nodeId: stay.nodeId };
  const { createdIn, createdNode } = ledger.contracts.get(contractId)!;
  const position = createdIn.offsets.at(id);
  return {
    offset: position?.offset ?? ended,
    nodeId: position?.nodeIdOf(createdNode) ?? createdNode,
  };
}
