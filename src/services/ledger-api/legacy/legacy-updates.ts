/**
 * Updates in the format of earlier releases: only transactions, flat or as trees (B-LEG-004 to B-LEG-013). They are
 * converted to current requests, which the participant handles.
 */
import { loggedIn, QUOTED } from '../../../daml/errors/logging-context.js';
import { partyError, requireArgument } from '../../../daml/model/identifiers.js';
import { JsonLayerError } from '../../../daml/codec/json/json-layer.js';
import type { LedgerError } from '../../../daml/errors/ledger-error.js';
import {
  wildcardFor,
  type TransactionShape,
  type UpdateFormat,
} from '../../../network/reading/event-format.js';
import { projectTransaction, type UpdateView } from '../../../network/reading/projection.js';
import { invalidArgument, nonPositiveOffset } from '../../../network/model/request-errors.js';
import { submit } from '../../../network/commands/submit.js';
import type {
  GetUpdatesRequest,
  JsGetUpdateTreesResponse,
  JsTransaction,
  JsTransactionTree,
  TransactionFormat,
  TreeEvent,
} from '../../../spec/generated/ledger.js';
import type { SomeHandlers } from '../../handler.js';
import type { LogStream } from '../../streams/element-stream.js';
import { submitAndRead } from '../commands/submit-and-read.js';
import { checkTransactionFormat, type ReadingContext } from '../formats/formats.js';
import { renderTransaction } from '../formats/render.js';
import { untracedCall } from '../formats/writing.js';
import { resolveFormat } from '../formats/resolve-format.js';
import { JSON_WRITER } from '../../value-form.js';
import { finiteList, openList } from '../formats/stream-list.js';
import { toSubmission } from '../commands/translate.js';
import {
  readers,
  requireUpdateId,
  requireVisible,
  updateNotFound,
  updateStream,
} from '../updates/updates.js';

export const legacyUpdates = {
  'postV2CommandsSubmit-and-wait-for-transaction-tree': (context, { body }) => {
    const { participant } = context;
    const submission = toSubmission(context, body);
    const { actAs } = body;
    return submitAndRead(
      context,
      () => submit(participant, submission, true),
      (update, offset) => {
        const format = { eventFormat: wildcardFor(actAs), shape: 'LEDGER_EFFECTS' } as const;
        const events = projectTransaction(participant, update, format);
        const view = { kind: 'transaction', update, offset, events } as const;
        return {
          transactionTree: toTree(
            renderTransaction(
              { participant, writer: JSON_WRITER, call: untracedCall(context), parties: actAs },
              view,
            ),
          ),
        };
      },
    );
  },

  postV2UpdatesFlats: (context, { body, query }) => {
    const stream = updateStream(context, body);
    if (stream.open === undefined) return finiteList(stream.read(), query);
    return openList(context, stream, query);
  },

  postV2UpdatesTrees: (context, { body, query }) => {
    const stream = treeStream(context, body);
    if (stream.open === undefined) return finiteList(stream.read(), query);
    return openList(context, stream, query);
  },

  'postV2UpdatesTransaction-by-id': (context, { body }) => {
    const { requestingParties, transactionFormat } = body;
    const format = flatFormat(requestingParties, transactionFormat);
    return { transaction: byId(context, body.updateId, format) };
  },

  'postV2UpdatesTransaction-by-offset': (context, { body }) => {
    const { requestingParties, transactionFormat } = body;
    const format = flatFormat(requestingParties, transactionFormat);
    return { transaction: byOffset(context, body.offset, format) };
  },

  'getV2UpdatesTransaction-tree-by-idUpdate-id': (context, { path, query }) => {
    const format = formatFor(query.parties, 'LEDGER_EFFECTS');
    return { transaction: toTree(byId(context, path['update-id'], format)) };
  },

  'getV2UpdatesTransaction-tree-by-offsetOffset': (context, { path, query }) => {
    const format = formatFor(query.parties, 'LEDGER_EFFECTS');
    return { transaction: toTree(byOffset(context, path.offset, format)) };
  },
} satisfies SomeHandlers<'ledger'>;

/** Trees, and unchanged reassignments. A tree cannot show changes of the topology (B-TOP-006). */
export function treeStream(
  context: ReadingContext,
  request: GetUpdatesRequest,
): LogStream<JsGetUpdateTreesResponse> {
  return updateStream(context, request).mapped(({ update }) => {
    if (update !== undefined && 'Transaction' in update)
      return { update: { TransactionTree: { value: toTree(update.Transaction.value) } } };
    if (update !== undefined && 'TopologyTransaction' in update) throw notOfATree();
    return { update } as JsGetUpdateTreesResponse;
  });
}

/** On a participant this is an internal error. */
function notOfATree(): LedgerError {
  const cause = 'Value Empty was not expected here';
  return new JsonLayerError('LEDGER_API_INTERNAL_ERROR', {
    cause,
    context: { throwableO: `Some(java.lang.IllegalStateException: ${cause})` },
    explanation:
      'A tree cannot show a change of the topology. Leave includeTopologyEvents out, or read /v2/updates.',
  });
}

/** By node id. Nodes without a place in a tree, such as an archival, are left out (B-LEG-008). */
function toTree({ events = [], ...transaction }: JsTransaction): JsTransactionTree {
  const nodes: [string, TreeEvent][] = [];
  for (const event of events)
    if ('CreatedEvent' in event) {
      const value = event.CreatedEvent;
      nodes.push([String(value.nodeId), { CreatedTreeEvent: { value } }]);
    } else if ('ExercisedEvent' in event) {
      const value = event.ExercisedEvent;
      nodes.push([String(value.nodeId), { ExercisedTreeEvent: { value } }]);
    }
  return { ...transaction, eventsById: Object.fromEntries(nodes) };
}

/** The look-up resolves the names in a format after it has checked the request. */
type LookupFormat = (context: ReadingContext) => UpdateFormat;

/** The request has exactly one of the two members (B-LEG-009, B-LEG-010). The JSON layer checks this. */
export function flatFormat(
  parties: readonly string[] = [],
  format: TransactionFormat | undefined,
): LookupFormat {
  const either =
    'Please use either backwards compatible arguments (requesting_parties) or transaction_format';
  if (parties.length > 0) {
    if (format) {
      const both = 'Both transaction_format and requesting_parties are set.';
      throw invalidArgument(`${both} ${either} but not both.`);
    }
    return formatFor(parties, 'ACS_DELTA');
  }
  if (!format)
    throw invalidArgument(
      `Either transaction_format or requesting_parties is required. ${either}.`,
    );
  return (context) => {
    const { shape, eventFormat } = checkTransactionFormat(context, format);
    const { packages } = context.participant;
    return transactionsOnly({ shape, eventFormat: resolveFormat(packages, eventFormat) });
  };
}

/** All contracts of these parties. */
function formatFor(parties: readonly string[] = [], shape: TransactionShape): LookupFormat {
  return () => {
    // B-LEG-012
    if (parties.length === 0)
      throw invalidArgument('filtersByParty and filtersForAnyParty cannot be empty simultaneously');
    for (const party of parties) requireArgument(partyError, party);
    return transactionsOnly({ shape, eventFormat: wildcardFor(parties) });
  };
}

function transactionsOnly(transactions: NonNullable<UpdateFormat['transactions']>): UpdateFormat {
  return { transactions, reassignments: undefined, topology: undefined };
}

function byId(context: ReadingContext, id: string, formatAt: LookupFormat): JsTransaction {
  const { participant } = context;
  const { updateId, format } = loggedIn(QUOTED, () => ({
    updateId: requireUpdateId(id),
    format: formatAt(context),
  }));
  const resource = ['UPDATE_ID', updateId] as const;
  const update = participant.ledger.updateById(updateId);
  return render(context, format, requireVisible(participant, update, format, resource), resource);
}

function byOffset(context: ReadingContext, offset: number, formatAt: LookupFormat): JsTransaction {
  const { participant } = context;
  return loggedIn(QUOTED, () => {
    if (offset <= 0) throw nonPositiveOffset('offset', offset);
    const format = formatAt(context);
    const resource = ['OFFSET', String(offset)] as const;
    const update = participant.log.entry(offset)?.update;
    return render(context, format, requireVisible(participant, update, format, resource), resource);
  });
}

function render(
  context: ReadingContext,
  format: UpdateFormat,
  view: UpdateView,
  resource: readonly [string, string],
): JsTransaction {
  if (view.kind !== 'transaction') throw updateNotFound(...resource);
  const { participant } = context;
  return renderTransaction(
    { participant, writer: JSON_WRITER, call: context, parties: readers(format) },
    view,
  );
}
