/**
 * Chooses the synchronizer of a transaction, with the checks and the order of Canton's router. It considers the
 * prescribed synchronizer, the location of the inputs, the hosting of the informees, and the vetting of the packages.
 */
import { ledgerError, LedgerError } from '../../daml/errors/ledger-error.js';
import { caseClassHash, trieOrder } from '../../daml/errors/scala-order.js';
import {
  stakeholdersOf,
  type Interpretation,
  type TransactionNode,
} from '../../daml/model/transaction.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import { abbreviatedId, type SynchronizerId } from '../model/ids.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Participant } from '../participant.js';
import { commonSynchronizers, invalidPrescription, requireCommon } from './common-synchronizers.js';
import { disclosedSynchronizer } from './disclosed-synchronizer.js';
import type { Submission } from '../submission/submission.js';
import type { PartyPermission } from '../model/updates.js';
import { unvetted } from './unvetted-packages.js';
import { informeesOf } from './visibility.js';
import { unsupported } from './unsupported-protocol.js';

export interface Move {
  readonly contractId: ContractId;
  readonly source: SynchronizerId;
  /** The reader that submits the reassignment. */
  readonly submitter: Party;
}

export interface Route {
  readonly synchronizerId: SynchronizerId;
  /** Inputs that must be reassigned to it first. */
  readonly moves: readonly Move[];
}

/** The location of an input. */
interface LocatedInput {
  readonly contractId: ContractId;
  readonly source: SynchronizerId;
}

type Located = readonly LocatedInput[];
const NOTHING_LOCATED: Located = [];
const NOTHING_UNKNOWN: readonly ContractId[] = [];
const NO_MOVES: readonly Move[] = [];

/** A transaction and its inputs, which may have to be reassigned. */
interface Moving {
  readonly ledger: Ledger;
  readonly participant: Participant;
  readonly submission: Submission;
  readonly transaction: Interpretation;
  readonly located: Located;
}

/** A transaction with all data that the choice depends on. */
interface Routing extends Moving {
  readonly informees: readonly Party[];
  /** By node id. */
  readonly witnesses: readonly (readonly Party[])[];
}

/**
 * @param witnesses by node id
 * @throws LedgerError if no synchronizer is usable
 */
export function route(
  participant: Participant,
  submission: Submission,
  transaction: Interpretation,
  witnesses: readonly (readonly Party[])[],
): Route {
  const { ledger } = participant;
  const informees = informeesOf(ledger.partySets, witnesses);
  const disclosed = disclosedSynchronizer(submission, transaction);
  const target = resolved(participant, disclosed ?? submission.synchronizerId);
  const located = locateInputs(participant, submission, transaction);
  const routing: Routing = {
    ledger,
    participant,
    submission,
    transaction,
    informees,
    witnesses,
    located,
  };
  const common = commonSynchronizers(
    participant,
    submission.actAs,
    informees,
    submission.externallySigned,
  );
  if (located.length === 0)
    return target === undefined ? best(routing, common) : arrive(routing, target, common);
  const source = onlySource(located);
  if (isAcrossSynchronizers(routing, source, target)) {
    if (!participant.rules.movesForStakeholdersOnly) checkReadersAreStakeholders(routing);
    return target === undefined ? best(routing, common) : arrive(routing, target, common);
  }
  return arrive(routing, target ?? source!, common);
}

/** A synchronizer in the request was already checked; one of a disclosed contract was not. */
function resolved(
  participant: Participant,
  named: SynchronizerId | undefined,
): SynchronizerId | undefined {
  if (named === undefined) return undefined;
  const known = participant.ledger.synchronizer(named);
  if (known !== undefined && participant.isConnectedTo(known.id)) return known.id;
  throw invalidPrescription(
    named,
    `cannot resolve ${abbreviatedId(named)} to a physical synchronizer id`,
  );
}

/**
 * Of the usable synchronizers for all parties, the one with the fewest reassignments, before any other check of the
 * transaction.
 * @throws LedgerError UNKNOWN_CONTRACT_SYNCHRONIZERS, NO_SYNCHRONIZER_FOR_SUBMISSION
 */
export function bestRanked(
  participant: Participant,
  submission: Submission,
  transaction: Interpretation,
  admissible: readonly SynchronizerId[],
): SynchronizerId {
  const located = locateInputs(participant, submission, transaction);
  const { ledger } = participant;
  return ranked({ ledger, participant, submission, transaction, located }, admissible)
    .synchronizerId;
}

/** The location of all inputs; undefined if they are on several synchronizers. */
function onlySource(located: Located): SynchronizerId | undefined {
  let source: SynchronizerId | undefined;
  for (const each of located)
    if (source === undefined) ({ source } = each);
    else if (each.source !== source) return undefined;
  return source;
}

/**
 * The locations of the inputs that this participant knows. Contracts in flight cannot be used (B-RSG-019). The
 * confirmers check disclosed contracts.
 */
function locateInputs(
  participant: Participant,
  submission: Submission,
  transaction: Interpretation,
): Located {
  if (transaction.inputs.length === 0) return NOTHING_LOCATED;
  const { contracts } = participant.ledger;
  const located: LocatedInput[] = [];
  let unknown = NOTHING_UNKNOWN;
  for (const id of transaction.inputs) {
    const state = contracts.state(id);
    const isThere = state?.kind === 'active' && participant.isConnectedTo(state.synchronizerId);
    if (isThere && participant.knowsContract(id))
      located.push({ contractId: id, source: state.synchronizerId });
    else if (!submission.disclosedContracts?.some(({ contract }) => contract.contractId === id))
      unknown = [...unknown, id];
  }
  if (unknown.length > 0) throw unknownSynchronizers(inLookupOrder(transaction, unknown));
  return located;
}

/** @param unknown ids of contracts */
function unknownSynchronizers(unknown: readonly ContractId[]): LedgerError {
  return ledgerError('UNKNOWN_CONTRACT_SYNCHRONIZERS', {
    cause: `The synchronizers for the contracts (${unknown.join(', ')}) are currently unknown due to ongoing contract reassignments or disconnected synchronizers.`,
    context: { notFound: `List(${unknown.join(', ')})`, archived: 'Map()' },
    resources: [['CONTRACT_IDS', `[${unknown.join(', ')}]`]],
    explanation:
      'The contract is in flight between two synchronizers, or on one that the participant has left. Assign it or reconnect, then submit again.',
  });
}

/**
 * Inputs in the order of a participant's map of nodes: by the hashes of the ids of the nodes that first use them.
 * NOTE: for five or more inputs, a participant uses a map that is ordered by the hashes of their ids; here they keep
 * this order.
 */
function inLookupOrder(
  { nodes }: Interpretation,
  ids: readonly ContractId[],
): readonly ContractId[] {
  if (ids.length < 2) return ids;
  const places = trieOrder([...nodes.keys()], (node) => caseClassHash('NodeId', [node]));
  const found = new Set<ContractId>();
  for (const place of places)
    for (const id of usedBy(nodes[place]!)) if (ids.includes(id)) found.add(id);
  return [...found];
}

function usedBy(node: TransactionNode): readonly ContractId[] {
  switch (node.kind) {
    case 'exercise':
    case 'fetch':
      return [node.contract.contractId];
    case 'queryByKey':
      return node.result;
    case 'rolledBack':
      return usedBy(node.action);
    default:
      return [];
  }
}

/**
 * Whether inputs must be reassigned: they have several sources, another target, or informees that the source does not
 * host.
 */
function isAcrossSynchronizers(
  { ledger, informees }: Routing,
  source: SynchronizerId | undefined,
  target: SynchronizerId | undefined,
): boolean {
  if (source === undefined || (target !== undefined && target !== source)) return true;
  for (let i = 0; i < informees.length; i++)
    if (ledger.topology.hosts(informees[i]!, source).size === 0) return true;
  return false;
}

function checkReadersAreStakeholders({ ledger, submission, located }: Routing): void {
  const readers = [...submission.actAs, ...(submission.readAs ?? [])];
  const inputs = located.map(({ contractId }) => contractId);
  const foreign = inputs.filter((id) => {
    const stakeholders = stakeholdersOf(ledger.contracts.get(id)!.instance);
    return !stakeholders.some((party) => readers.includes(party));
  });
  if (foreign.length > 0)
    throw ledgerError('SUBMITTER_ALWAYS_STAKEHOLDER', {
      cause: 'The given contracts cannot be reassigned as no submitter is a stakeholder.',
      context: { cids: `List(${foreign.join(', ')})` },
      explanation: 'The inputs are not where the transaction goes, and no reader may move them.',
    });
}

/** The prescribed synchronizer, or the location of the inputs. */
function arrive(
  routing: Routing,
  target: SynchronizerId,
  common: readonly SynchronizerId[],
): Route {
  requireCommon(routing.ledger, target, common);
  const obstacle = obstacleAt(routing, target);
  if (obstacle !== undefined) throw invalidPrescription(target, obstacle);
  if (isThere(routing.located, target)) return { synchronizerId: target, moves: NO_MOVES };
  const moves = movesTo(routing, target);
  if (moves instanceof LedgerError) throw moves;
  return { synchronizerId: target, moves };
}

/** The reason why a synchronizer cannot take the transaction, in Canton's words and order. */
const obstacleAt = (routing: Routing, at: SynchronizerId): string | undefined =>
  unvetted(routing, at) ?? unsupported(routing.ledger, routing.transaction, at);

/** The usable synchronizer that needs the fewest reassignments. */
function best(routing: Routing, common: readonly SynchronizerId[]): Route {
  let usable: readonly SynchronizerId[] = common;
  const obstacles: Discarded[] = [];
  for (let i = 0; i < common.length; i++) {
    const obstacle = obstacleAt(routing, common[i]!);
    if (obstacle !== undefined) obstacles.push([common[i]!, obstacle]);
  }
  if (obstacles.length > 0) usable = common.filter((id) => !obstacles.some(([it]) => it === id));
  if (usable.length > 0) return ranked(routing, usable);
  throw noneUsable(routing.ledger, 'No valid synchronizer for submission found', {
    synchronizersNotUsed: obstacles,
  });
}

/**
 * The synchronizer with the fewest reassignments; among equals the first by id.
 * @throws LedgerError NO_SYNCHRONIZER_FOR_SUBMISSION, with the reason for each
 */
function ranked(routing: Moving, usable: readonly SynchronizerId[]): Route {
  let found: Route | undefined;
  for (let i = 0; i < usable.length; i++) {
    const synchronizerId = usable[i]!;
    const moves = movesTo(routing, synchronizerId);
    if (moves instanceof LedgerError) continue;
    const route = { synchronizerId, moves };
    if (found === undefined || isBetter(route, found)) found = route;
  }
  if (found !== undefined) return found;
  const unreachable = usable.map((id): Discarded => {
    const refused = movesTo(routing, id) as LedgerError;
    return [id, refused.details.cause];
  });
  throw noneUsable(routing.ledger, 'No valid synchronizer found for synchronizer ranking', {
    discardedSynchronizers: unreachable,
  });
}

function isBetter(one: Route, other: Route): boolean {
  const more = one.moves.length - other.moves.length;
  return more === 0 ? one.synchronizerId < other.synchronizerId : more < 0;
}

/** A synchronizer and the reason why it is not usable. */
type Discarded = readonly [SynchronizerId, string];

/** @param discarded by the key of the error's context */
function noneUsable(
  ledger: Ledger,
  summary: string,
  discarded: Readonly<Record<string, readonly Discarded[]>>,
): LedgerError {
  const [[name, all]] = Object.entries(discarded) as [[string, readonly Discarded[]]];
  const printed = all.map(([id, reason]) => [ledger.synchronizer(id)!.printedId, reason] as const);
  const reasons = printed.map(([id, reason]) => `${id}: ${reason}`).join(', ');
  return ledgerError('NO_SYNCHRONIZER_FOR_SUBMISSION', {
    cause: `${summary}. Discarded synchronizers: ${reasons}`,
    context: { [name]: `Map(${printed.map((each) => each.join(' -> ')).join(', ')})` },
  });
}

/** The error if an input cannot be reassigned to the synchronizer. */
const movesTo = (routing: Moving, target: SynchronizerId): readonly Move[] | LedgerError =>
  isThere(routing.located, target) ? NO_MOVES : movesFromElsewhere(routing, target);

// NOTE: each call of a function with closures costs more, so that this one is apart from the usual case.
function movesFromElsewhere(
  { ledger, participant, submission, transaction, located }: Moving,
  target: SynchronizerId,
): readonly Move[] | LedgerError {
  const moves: Move[] = [];
  const readers = [...submission.actAs, ...(submission.readAs ?? [])];
  const elsewhere = new Map(
    located
      .filter(({ source }) => source !== target)
      .map(({ contractId, source }) => [contractId, source] as const),
  );
  for (const contractId of inLookupOrder(transaction, [...elsewhere.keys()])) {
    const source = elsewhere.get(contractId)!;
    const stakeholders = stakeholdersOf(ledger.contracts.get(contractId)!.instance);
    const submitter = readers.find(
      (party) =>
        stakeholders.includes(party) &&
        maySubmit(ledger.topology.permission(party, participant.id, source), submission),
    );
    const absent = stakeholders.filter((party) => ledger.topology.hosts(party, target).size === 0);
    if (submitter === undefined || absent.length > 0)
      return reassignmentFailed(
        `Cannot reassign contract ${contractId} from ${source} to ${target}: stakeholders not active on the target: Set(${absent.join(', ')})`,
      );
    moves.push({ contractId, source, submitter });
  }
  return moves;
}

export function reassignmentFailed(reason: string): LedgerError {
  return ledgerError('AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED', {
    cause: 'Automatically reassigning contracts to a common synchronizer failed.',
    context: { reason },
  });
}

function isThere(located: Located, target: SynchronizerId): boolean {
  for (let i = 0; i < located.length; i++) if (located[i]!.source !== target) return false;
  return true;
}

/** To reassign for parties that sign externally, the participant only needs to host them. */
function maySubmit(
  permission: PartyPermission | undefined,
  { externallySigned }: Submission,
): boolean {
  return externallySigned ? permission !== undefined : permission === 'submission';
}
