/** Single contracts: their events, and their contents. */
import { parseContractId } from '../../../daml/contract/contract-id.js';
import { partyError, requireArgument } from '../../../daml/model/identifiers.js';
import { invariant, ledgerError } from '../../../daml/errors/ledger-error.js';
import { QUOTED } from '../../../daml/errors/logging-context.js';
import { sortedStakeholders } from '../../../daml/model/transaction.js';
import type { Archival } from '../../../network/ledger/contract-store.js';
import { matchContract, type Match } from '../../../network/reading/event-format.js';
import { missingField } from '../../../network/model/request-errors.js';
import type { LocalUpdate } from '../../../network/model/updates.js';
import type { SomeHandlers } from '../../handler.js';
import { checkEventFormat } from '../formats/formats.js';
import { renderCreated, renderEvent } from '../formats/render.js';
import type { Writing } from '../formats/writing.js';
import { resolveFormat } from '../formats/resolve-format.js';

export const contracts = {
  'postV2EventsEvents-by-contract-id': (context, { body }) => {
    const { participant, values } = context;
    const contractId = requireContractId(body.contractId);
    const format = resolveFormat(participant.packages, checkEventFormat(context, body.eventFormat));
    const stored = participant.knowsContract(contractId)
      ? participant.ledger.contracts.get(contractId)
      : undefined;
    const stakeholders = stored === undefined ? [] : sortedStakeholders(stored.instance);
    const match =
      stored && matchContract(participant.packages, format, stored.instance, stakeholders, true);
    const createdAt = stored?.createdIn.offsets.at(participant.id);
    const archival = participant.ledger.contracts.archival(contractId);
    const archivedAt = archival?.update.offsets.at(participant.id);
    // Pruning keeps an active contract with its creation until its archival is pruned too.
    const isPruned = archivedAt !== undefined && archivedAt.offset <= participant.log.prunedUpTo;
    if (!stored || !match || isPruned || (createdAt === undefined && archivedAt === undefined))
      throw ledgerError('CONTRACT_EVENTS_NOT_FOUND', {
        cause: 'Contract events not found, or not visible.',
        resources: [['CONTRACT_ID', contractId]],
      }).logIn(QUOTED);
    const { instance, createdIn, createdNode } = stored;
    const writing = { participant, writer: values.writer(format.verbose), call: context };
    const acsDelta = archival?.update !== createdIn;
    return {
      created:
        createdAt === undefined
          ? undefined
          : {
              createdEvent: renderCreated(writing, instance, match, {
                offset: createdAt.offset,
                nodeId: createdAt.nodeIdOf(createdNode)!,
                acsDelta,
              }),
              synchronizerId: createdIn.synchronizerId,
            },
      archived:
        archivedAt === undefined
          ? undefined
          : {
              archivedEvent: renderArchived(writing, archival!, match, archivedAt),
              synchronizerId: archival!.update.synchronizerId,
            },
    };
  },

  'postV2ContractsContract-by-id': (context, { body }) => {
    const { participant, values } = context;
    const contractId = requireContractId(body.contractId);
    const parties = body.queryingParties ?? [];
    for (const party of parties) requireArgument(partyError, party);
    const stored = participant.knowsContract(contractId)
      ? participant.ledger.contracts.get(contractId)
      : undefined;
    const stakeholders = stored === undefined ? [] : sortedStakeholders(stored.instance);
    const witnesses =
      parties.length === 0 ? stakeholders : stakeholders.filter((party) => parties.includes(party));
    if (stored === undefined || witnesses.length === 0)
      throw ledgerError('CONTRACT_PAYLOAD_NOT_FOUND', {
        cause: 'Contract payload not found, or not visible.',
        resources: [['CONTRACT_ID', contractId]],
      });
    const match = { witnesses, blob: true, views: [] };
    const placeholder = { offset: 1, nodeId: 0, acsDelta: false };
    const writing = { participant, writer: values.writer(false), call: context };
    return { createdEvent: renderCreated(writing, stored.instance, match, placeholder) };
  },
} satisfies SomeHandlers<'ledger'>;

function requireContractId(contractId: string): string {
  if (contractId === '') throw missingField('contract_id');
  return parseContractId(contractId, 'contract_id');
}

function renderArchived(
  writing: Writing,
  { update, nodeId }: Archival,
  { witnesses, views }: Match,
  position: LocalUpdate,
) {
  const node = update.transaction.nodes[nodeId];
  invariant(node?.kind === 'exercise', 'contracts are consumed by exercises');
  const { contract, templateId } = node;
  const event = renderEvent(writing, {
    kind: 'archived',
    offset: position.offset,
    nodeId: position.nodeIdOf(nodeId)!,
    contract,
    templateId,
    witnesses,
    implementedInterfaces: views,
  });
  return (event as Extract<typeof event, { ArchivedEvent: unknown }>).ArchivedEvent;
}
