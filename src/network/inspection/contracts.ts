/**
 * Contracts at a given time, in pages, and the life of each: creation, exercises, reassignments with counters,
 * archival.
 */
import { encodeValue } from '../../daml/codec/json/codec.js';
import { template as templateOf } from '../../daml/model/package.js';
import { formatTimestampMicros } from '../../daml/model/time.js';
import { stakeholdersOf } from '../../daml/model/transaction.js';
import { qualifiedNameOf, type TypeId } from '../../daml/model/types.js';
import { createdEventBlob } from '../../daml/contract/created-event-blob.js';
import type { ContractId, Party, Timestamp } from '../../daml/model/values.js';
import type { SynchronizerId } from '../model/ids.js';
import type { StoredContract } from '../ledger/contract-store.js';
import type { Network } from '../network.js';
import type { Participant } from '../participant.js';
import type { LedgerUpdate } from '../model/updates.js';
import { viewsOf, type InspectedView } from './views.js';

/** The most events of a life, from its beginning. */
const MAX_LIFE = 1_000;

/** The conditions of a search; by default, all contracts that are active now. */
export interface ContractQuery {
  /** The state after this record time; now if absent. */
  readonly at?: Timestamp | undefined;
  /** Start after this contract. */
  readonly after?: ContractPlace | undefined;
  readonly limit: number;
  /** Start with the newest contract instead of the oldest. */
  readonly newest?: boolean | undefined;
  /** Include archived contracts. */
  readonly archived?: boolean | undefined;
  /** `#name:Module:Entity`, the same with an id, or `Module:Entity`. */
  readonly template?: string | undefined;
  readonly interface?: string | undefined;
  readonly party?: Party | undefined;
  readonly participant?: Participant | undefined;
  readonly synchronizerId?: SynchronizerId | undefined;
}

/** The creation of a contract: the update's position in the ledger's history, and the node. */
export interface ContractPlace {
  readonly sequence: number;
  readonly nodeId: number;
}

type State = 'active' | 'inFlight' | 'archived';

export interface InspectedContract {
  readonly contractId: ContractId;
  readonly template: string;
  readonly templateId: string;
  readonly interfaces: readonly string[];
  readonly payload?: unknown;
  readonly key?: unknown;
  readonly signatories: readonly Party[];
  readonly observers: readonly Party[];
  /** Names of the participants that store it. */
  readonly participants: readonly string[];
  readonly createdAt: string;
  readonly createdIn: string;
  readonly archivedIn?: string;
  readonly state: State;
  /** Its synchronizer; for a contract in flight, the target. */
  readonly synchronizer: string;
  readonly reassignmentCounter: number;
  /** Its view of the interface in the search. */
  readonly views?: readonly InspectedView[];
}

/** The reassignments of contracts, up to a time. */
type Moves = ReadonlyMap<
  ContractId,
  { readonly to: SynchronizerId; readonly counter: number; readonly inFlight: boolean }
>;

/**
 * In the order of creation, or in reverse.
 * @returns up to `limit` contracts, and the position to continue from
 */
export function inspectContracts(
  network: Network,
  query: ContractQuery,
): { readonly contracts: readonly InspectedContract[]; readonly next?: ContractPlace } {
  const { after, newest = false } = query;
  const moves = movesUntil(network, query.at);
  const isOf = ofTemplate(network, query);
  const contracts: InspectedContract[] = [];
  let last: ContractPlace | undefined;
  const history = network.ledgerHistory;
  const { length } = history;
  const isBefore = (place: ContractPlace): boolean =>
    after !== undefined && (newest ? !precedes(place, after) : !precedes(after, place));
  for (let step = 0; step < length; step += 1) {
    const update = history.at(newest ? length - 1 - step : step)!;
    if (query.at !== undefined && update.recordTime > query.at) {
      if (newest) continue;
      break;
    }
    if (update.kind !== 'transaction' || isOutside(update.sequence, after, newest)) continue;
    const { nodes } = update.transaction;
    for (const node of newest ? [...nodes].reverse() : nodes) {
      if (node.kind !== 'create') continue;
      const place = { sequence: update.sequence, nodeId: node.nodeId };
      if (isBefore(place)) continue;
      const stored = network.contracts.get(node.contract.contractId);
      if (stored === undefined || !fits(stored, query, moves, isOf)) continue;
      if (contracts.length === query.limit) return { contracts, next: last! };
      contracts.push(withViews(network, stored, query, shown(network, stored, query.at, moves)));
      last = place;
    }
  }
  return { contracts };
}

const precedes = (one: ContractPlace, other: ContractPlace): boolean =>
  one.sequence < other.sequence || (one.sequence === other.sequence && one.nodeId < other.nodeId);

/** Whether earlier pages contain the whole update. */
const isOutside = (sequence: number, after: ContractPlace | undefined, newest: boolean): boolean =>
  after !== undefined && (newest ? sequence > after.sequence : sequence < after.sequence);

/** Adds the view if the search names an interface. */
function withViews(
  network: Network,
  { instance }: StoredContract,
  { interface: wanted }: ContractQuery,
  contract: InspectedContract,
): InspectedContract {
  if (wanted === undefined) return contract;
  return {
    ...contract,
    views: viewsOf(network, instance, (id, packageName) => isNamed(wanted, id, packageName)),
  };
}

export interface LifeEvent {
  readonly kind: 'created' | 'exercised' | 'archived' | 'unassigned' | 'assigned';
  readonly updateId: string;
  readonly recordTime: string;
  readonly nodeId: number;
  readonly synchronizer: string;
  readonly choice?: string;
  readonly actors?: readonly Party[];
  readonly reassignmentCounter?: number;
}

export interface ContractLife {
  readonly contract: InspectedContract;
  readonly life: readonly LifeEvent[];
  readonly views: readonly InspectedView[];
  /** The blob for disclosing it, base64; absent if its package was removed. */
  readonly blob?: string;
}

/** One contract and all of its events; undefined for an unknown contract. */
export function contractLife(network: Network, contractId: ContractId): ContractLife | undefined {
  const stored = network.contracts.get(contractId);
  if (stored === undefined) return undefined;
  const contract = shown(network, stored, undefined, movesUntil(network, undefined));
  const life: LifeEvent[] = [];
  const history = network.ledgerHistory;
  const from = history.firstIndex((update) => update.sequence >= stored.createdIn.sequence);
  for (let index = from; index < history.length && life.length < MAX_LIFE; index += 1)
    life.push(...eventsIn(network, history.at(index)!, contractId));
  const { instance } = stored;
  const isKnown = templateOf(network.packages, instance.templateId) !== undefined;
  return {
    contract,
    life,
    views: viewsOf(network, instance),
    ...(isKnown && { blob: createdEventBlob(network.packages, instance) }),
  };
}

function eventsIn(network: Network, update: LedgerUpdate, id: ContractId): readonly LifeEvent[] {
  const common = {
    updateId: update.updateId,
    recordTime: formatTimestampMicros(update.recordTime),
    synchronizer: network.synchronizer(update.synchronizerId)!.alias,
  };
  if (update.kind === 'reassignment')
    return update.events
      .filter(({ contract }) => contract.contractId === id)
      .map(({ kind, nodeId, submitter, reassignmentCounter }) => ({
        kind,
        ...common,
        nodeId,
        actors: [submitter],
        reassignmentCounter,
      }));
  return update.transaction.nodes.flatMap((node): LifeEvent[] => {
    if ((node.kind !== 'create' && node.kind !== 'exercise') || node.contract.contractId !== id)
      return [];
    const { nodeId } = node;
    if (node.kind === 'create') return [{ kind: 'created', ...common, nodeId }];
    const { choice, actingParties: actors, consuming } = node;
    return [{ kind: consuming ? 'archived' : 'exercised', ...common, nodeId, choice, actors }];
  });
}

function movesUntil(network: Network, at: Timestamp | undefined): Moves {
  const moves = new Map<ContractId, { to: SynchronizerId; counter: number; inFlight: boolean }>();
  // A single synchronizer has no reassignments.
  if (network.synchronizers.length === 1) return moves;
  const history = network.ledgerHistory;
  for (let index = 0; index < history.length; index += 1) {
    const update = history.at(index)!;
    if (at !== undefined && update.recordTime > at) break;
    if (update.kind !== 'reassignment') continue;
    for (const { kind, contract, target, reassignmentCounter } of update.events)
      moves.set(contract.contractId, {
        to: target,
        counter: reassignmentCounter,
        inFlight: kind === 'unassigned',
      });
  }
  return moves;
}

function stateAt(stored: StoredContract, at: Timestamp | undefined, moves: Moves): State {
  const { archivedIn, instance } = stored;
  if (archivedIn !== undefined && (at === undefined || archivedIn.recordTime <= at))
    return 'archived';
  return moves.get(instance.contractId)?.inFlight === true ? 'inFlight' : 'active';
}

function fits(
  stored: StoredContract,
  query: ContractQuery,
  moves: Moves,
  isOf: OfTemplate,
): boolean {
  const { instance, createdIn } = stored;
  const { templateId, packageName, contractId } = instance;
  if (!query.archived && stateAt(stored, query.at, moves) === 'archived') return false;
  if (!isOf(templateId, packageName)) return false;
  if (query.party !== undefined && !stakeholdersOf(instance).includes(query.party)) return false;
  if (query.participant !== undefined && !query.participant.hostsStakeholder(instance))
    return false;
  const where = moves.get(contractId)?.to ?? createdIn.synchronizerId;
  return query.synchronizerId === undefined || where === query.synchronizerId;
}

type OfTemplate = (templateId: TypeId, packageName: string) => boolean;

/**
 * Whether contracts of a template match, computed once for each template: there are few templates and many contracts.
 */
function ofTemplate(network: Network, query: ContractQuery): OfTemplate {
  const { template, interface: wanted } = query;
  if (template === undefined && wanted === undefined) return () => true;
  const known = new Map<TypeId, boolean>();
  const found: OfTemplate = (id, packageName) =>
    (template === undefined || isNamed(template, id, packageName)) &&
    (wanted === undefined ||
      interfacesOf(network, id).some(([each, name]) => isNamed(wanted, each, name)));
  return (id, packageName) => {
    let isOne = known.get(id);
    if (isOne === undefined) known.set(id, (isOne = found(id, packageName)));
    return isOne;
  };
}

const isNamed = (wanted: string, id: string, packageName: string): boolean => {
  const name = qualifiedNameOf(id);
  return wanted === id || wanted === name || wanted === `#${packageName}:${name}`;
};

/** Their ids, with package names. */
function interfacesOf(
  { packages }: Network,
  templateId: TypeId,
): readonly (readonly [string, string])[] {
  const ids = templateOf(packages, templateId)?.implementations.keys() ?? [];
  return [...ids].map(
    (id) => [id, packages.package(id.slice(0, id.indexOf(':')))?.name ?? ''] as const,
  );
}

function shown(
  network: Network,
  stored: StoredContract,
  at: Timestamp | undefined,
  moves: Moves,
): InspectedContract {
  const { instance, createdIn, archivedIn } = stored;
  const { contractId, templateId, packageName, payload, key, signatories, observers } = instance;
  const template = templateOf(network.packages, templateId);
  const move = moves.get(contractId);
  const state = stateAt(stored, at, moves);
  const hosting = network.participants.filter((each) => each.hostsStakeholder(instance));
  return {
    contractId,
    template: `#${packageName}:${qualifiedNameOf(templateId)}`,
    templateId,
    interfaces: interfacesOf(network, templateId).map(
      ([id, name]) => `#${name}:${qualifiedNameOf(id)}`,
    ),
    ...(template && { payload: encodeValue(network.packages, template.payloadType, payload) }),
    ...(template?.key &&
      key && { key: encodeValue(network.packages, template.key.type, key.value) }),
    signatories,
    observers,
    participants: hosting.map(({ name }) => name),
    createdAt: formatTimestampMicros(instance.createdAt),
    createdIn: createdIn.updateId,
    ...(state === 'archived' && { archivedIn: archivedIn!.updateId }),
    state,
    synchronizer: network.synchronizer(move?.to ?? createdIn.synchronizerId)!.alias,
    reassignmentCounter: move?.counter ?? 0,
  };
}
