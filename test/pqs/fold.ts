/** An independent fold of the public update stream into the rows that SQL must show. Keys of the database are left out. */
import type { Canticle } from 'canticle';

type Json = Readonly<Record<string, any>>;

export interface FoldedContract extends Json {
  readonly created: number;
  archived: number | undefined;
}

export interface Fold {
  /** The offsets of transactions, with 0 first. */
  readonly offsets: readonly number[];
  readonly contracts: readonly FoldedContract[];
  readonly exercises: readonly Json[];
  readonly transactions: readonly Json[];
}

type Shape = 'TRANSACTION_SHAPE_ACS_DELTA' | 'TRANSACTION_SHAPE_LEDGER_EFFECTS';

const post = async (canticle: Canticle, path: string, body: Json): Promise<any> => {
  const request = new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const response = await canticle.fetch(request);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};

const OFFER = 'shop:Shop.Offers:Offer';
const ms = (time: string): number => Date.parse(time.replace(/(\.\d{3})\d+/, '$1'));
const sortedKeys = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Fields that an item and its view leave out if they are the last ones and have no value. */
const withNote = (payload: Json): Json => ({ note: null, ...payload });

export async function foldOf(
  canticle: Canticle,
  shape: Shape,
  version: '3.5' | '3.6',
): Promise<Fold> {
  const filter = (identifierFilter: Json) => ({ identifierFilter });
  const eventFormat = {
    filtersForAnyParty: {
      cumulative: [
        filter({ WildcardFilter: { value: { includeCreatedEventBlob: false } } }),
        filter({
          InterfaceFilter: {
            value: {
              interfaceId: '#shop:Shop.Offers:Offer',
              includeInterfaceView: true,
              includeCreatedEventBlob: false,
            },
          },
        }),
      ],
    },
    verbose: true,
  };
  const updates = await post(canticle, '/v2/updates?limit=1000', {
    beginExclusive: 0,
    endInclusive: canticle.participant.engine.log.end || undefined,
    updateFormat: {
      includeTransactions: { eventFormat, transactionShape: shape },
      includeReassignments: eventFormat,
    },
  });
  const offsets = [0];
  const contracts: FoldedContract[] = [];
  const exercises: Json[] = [];
  const transactions: Json[] = [{ ix: 0, offset: 0 }];
  const nameOf = (id: string, packageName: string) =>
    `${packageName}:${id.split(':').slice(1).join(':')}`;
  for (const { update } of updates) {
    if (!update.Transaction) continue;
    const { value } = update.Transaction;
    const ix = offsets.length;
    offsets.push(value.offset);
    transactions.push({
      ix,
      offset: value.offset,
      transaction_id: value.updateId,
      effective_at: ms(value.effectiveAt),
      workflow_id: value.workflowId,
      trace_context: {
        trace_parent: value.traceContext.traceparent,
        trace_state: value.traceContext.tracestate ?? '',
      },
      external_transaction_hash: null,
      paid_traffic_cost: value.paidTrafficCost ?? null,
    });
    const at = { ix, offset: value.offset, time: ms(value.effectiveAt) };
    const archive = (contractId: string, nodeId: number) => {
      for (const contract of contracts) {
        if (contract['contract_id'] !== contractId) continue;
        contract.archived = at.offset;
        Object.assign(contract, {
          archive_event_id: { offset: at.offset, node_id: nodeId },
          archived_at_ix: at.ix,
          archived_at_offset: at.offset,
          archived_effective_at: at.time,
          life_ix:
            at.ix === contract['created_at_ix']
              ? 'empty'
              : `[${contract['created_at_ix']},${at.ix})`,
        });
      }
    };
    for (const event of value.events) {
      if (event.CreatedEvent) {
        const created = event.CreatedEvent;
        const template = nameOf(created.templateId, created.packageName);
        const payloads: [string, string, Json][] = [
          [
            template,
            'template',
            template.endsWith(':Item') ? withNote(created.createArgument) : created.createArgument,
          ],
          ...created.interfaceViews.map((view: Json) => [
            OFFER,
            'interface',
            withNote(view['viewValue']),
          ]),
        ];
        for (const [name, kind, payload] of payloads) {
          const isKeyed =
            created.contractKeyHash !== '' && (kind === 'template' || version === '3.5');
          contracts.push({
            created: at.offset,
            archived: undefined,
            template_fqn: name,
            payload_type: kind,
            create_event_id: { offset: at.offset, node_id: created.nodeId },
            created_at_ix: at.ix,
            created_at_offset: at.offset,
            archive_event_id: null,
            archived_at_ix: null,
            archived_at_offset: null,
            life_ix: `[${at.ix},)`,
            contract_id: created.contractId,
            payload,
            contract_key: kind === 'template' ? (created.contractKey ?? null) : null,
            metadata: null,
            created_effective_at: at.time,
            archived_effective_at: null,
            redaction_id: null,
            package_name: created.packageName,
            package_version: '1.2.0',
            package_id: created.representativePackageId,
            signatories: created.signatories,
            observers: created.observers,
            witnesses: created.witnessParties,
            divulged_only: !created.acsDelta,
            creation_package_id: created.representativePackageId,
            contract_key_hash: isKeyed
              ? `\\x${Buffer.from(created.contractKeyHash, 'base64').toString('hex')}`
              : null,
          });
        }
      } else if (event.ArchivedEvent)
        archive(event.ArchivedEvent.contractId, event.ArchivedEvent.nodeId);
      else {
        const exercised = event.ExercisedEvent;
        if (exercised.consuming) archive(exercised.contractId, exercised.nodeId);
        const name = exercised.interfaceId
          ? OFFER
          : nameOf(exercised.templateId, exercised.packageName);
        const contract = contracts.find(
          (each) => each['contract_id'] === exercised.contractId && each['template_fqn'] === name,
        );
        exercises.push({
          at: at.offset,
          template_fqn: name,
          choice_fqn: `${name}:${exercised.choice}`,
          choice: exercised.choice,
          consuming: exercised.consuming,
          exercise_event_id: { offset: at.offset, node_id: exercised.nodeId },
          exercised_at_ix: at.ix,
          exercised_at_offset: at.offset,
          contract_id: exercised.contractId,
          argument: exercised.choiceArgument,
          result: exercised.exerciseResult ?? null,
          exercised_effective_at: at.time,
          redaction_id: null,
          package_name: exercised.packageName,
          package_version: '1.2.0',
          package_id: exercised.templateId.split(':')[0],
          signatories: contract?.['signatories'] ?? null,
          observers: contract?.['observers'] ?? null,
          controllers: exercised.actingParties,
          last_descendant_node_id: exercised.lastDescendantNodeId,
          witnesses: exercised.witnessParties,
        });
      }
    }
  }
  return { offsets, contracts, exercises, transactions };
}

const TIMES = [
  'created_effective_at',
  'archived_effective_at',
  'exercised_effective_at',
  'effective_at',
];

/** A row of SQL, as JSON, in the form of the fold. */
function normal({ created: _, archived: __, at: ___, ...rest }: Json): Json {
  const row: Record<string, unknown> = rest;
  for (const name of TIMES)
    if (typeof row[name] === 'string') row[name] = Date.parse(String(row[name]));
  for (const name of Object.keys(row)) if (name.endsWith('_event_pk')) delete row[name];
  return sortedKeys(row);
}

/** The same rows in any order. */
export const inOrder = (rows: readonly Json[]): string[] =>
  rows.map((row) => JSON.stringify(sorted(normal(row)))).sort();

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, sorted(member)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
