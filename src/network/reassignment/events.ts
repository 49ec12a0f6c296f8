/** The events of an unassignment or an assignment, and a participant's checks before it submits them (B-RSG-*). */
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import { scalaList, scalaSet } from '../../daml/errors/scala-text.js';
import {
  sortedStakeholders,
  stakeholdersOf,
  type ContractInstance,
} from '../../daml/model/transaction.js';
import { packageIdOf } from '../../daml/model/types.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import { withoutMultiSynchronizer } from './multi-synchronizer.js';
import { reassigningParticipants, unassignedEvent } from './assignment-exclusivity.js';
import {
  abbreviatedHash,
  abbreviatedId,
  printedContractId as shown,
  reassignmentId,
  type SynchronizerId,
} from '../model/ids.js';
import type { StoredContract } from '../ledger/contract-store.js';
import type { Participant } from '../participant.js';
import { requiredPackages } from '../packages/required-packages.js';
import { invalidArgument } from '../model/request-errors.js';
import type { ReassignmentCommand, ReassignmentSubmission } from '../submission/submission.js';
import type { Synchronizer } from '../synchronizer.js';
import type { ReassignmentEvent } from '../model/updates.js';

type Unassign = Extract<ReassignmentCommand, { kind: 'unassign' }>;
type Assign = Extract<ReassignmentCommand, { kind: 'assign' }>;

/**
 * @returns the events of the commands
 * @throws LedgerError for a synchronous rejection (B-RSG-010 to B-RSG-017)
 */
export function eventsOf(
  participant: Participant,
  submission: ReassignmentSubmission,
): readonly ReassignmentEvent[] {
  const { commands, submitter } = submission;
  const [first, ...more] = commands;
  if (first === undefined) throw invalidBatch('no commands');
  if (first.kind === 'assign') {
    if (more.length > 0) throw invalidBatch(MIXED);
    return assignEvents(participant, submitter, first);
  }
  const unassigns = [first];
  for (const command of more) {
    if (command.kind === 'assign') throw invalidBatch(MIXED);
    if (command.source !== first.source || command.target !== first.target)
      throw invalidBatch('differing synchronizers');
    unassigns.push(command);
  }
  return unassignEvents(participant, submitter, unassigns);
}

const MIXED = 'mixed assign with other commands';

function invalidBatch(error: string): LedgerError {
  return invalidArgument(`The batch of reassignment commands was invalid: ${error}`);
}

/** @throws LedgerError INVALID_ARGUMENT */
function unassignEvents(
  participant: Participant,
  submitter: Party,
  commands: readonly Unassign[],
): readonly ReassignmentEvent[] {
  const { ledger } = participant;
  const ids = commands.map(({ contractId }) => contractId);
  const [{ source: sourceName, target: targetName }] = commands as [Unassign];
  const from = connected(participant, sourceName);
  const to = connected(participant, targetName);
  const { id: source } = from;
  const { id: target, assignmentExclusivityTimeout } = to;
  // NOTE: Canticle's text. A participant reassigns the contract twice.
  if (new Set(ids).size < ids.length) throw invalidBatch('it unassigns a contract twice');
  if (source === target)
    throw invalidArgument(
      `Cannot unassign contracts \`${scalaList(ids.map(shown))}\`: source and target synchronizers are the same`,
    );
  const moved = commands.map((command) => unassigned(participant, source, command));
  requireSameStakeholders(moved.map(({ contract }) => contract));
  const stakeholders = stakeholdersOf(moved[0]!.contract);
  const contractIds = scalaSet(ids.map(shown));
  checkSubmitter(participant, submitter, stakeholders, `unassignment of ${contractIds}`);
  checkHosting(participant, stakeholders, source, target);
  for (const each of [from, to]) checkFlags(participant, stakeholders, each);
  for (const { id, physicalId } of [from, to])
    for (const { contract } of moved)
      checkVetted(participant, contract, id, physicalId, contractIds);
  // NOTE: the exclusivity starts at the record time. On a real participant it starts at the last observed time of the
  // target, which is slightly earlier.
  const at = ledger.clock.now() + 1n;
  const shared = {
    kind: 'unassigned',
    source,
    target,
    reassignmentId: reassignmentId(source, target, at, ids),
    submitter,
    assignmentExclusivity: at + assignmentExclusivityTimeout,
    reassigningParticipants: reassigningParticipants(ledger, stakeholders, source, target),
  } as const;
  return moved.map((each, nodeId) => ({ ...shared, ...each, nodeId }));
}

/** The members of an unassignment that depend only on the contract. */
function unassigned(
  participant: Participant,
  source: SynchronizerId,
  { contractId, expectedCounter }: Unassign,
): Pick<ReassignmentEvent, 'contract' | 'reassignmentCounter'> {
  const { contracts } = participant.ledger;
  const stored = contracts.get(contractId);
  const stakeholders = stored === undefined ? [] : stakeholdersOf(stored.instance);
  const state = contracts.state(contractId);
  if (stored === undefined || !stakeholders.some((party) => participant.hosts(party)))
    throw unknownContract(contractId);
  if (state?.kind !== 'active' || state.synchronizerId !== source) {
    const status = inactivity(participant, stored, source);
    throw status === undefined
      ? unknownContract(contractId)
      : invalidArgument(
          `Cannot unassign contract \`${shown(contractId)}\` because it's not active. Current status ${status}`,
        );
  }
  const reassignmentCounter = state.reassignmentCounter + 1;
  checkCounter(contractId, expectedCounter, reassignmentCounter);
  return { contract: stored.instance, reassignmentCounter };
}

const unknownContract = (contractId: ContractId): LedgerError =>
  invalidArgument(`Cannot unassign contract \`${shown(contractId)}\`: unknown contract`);

/** The state of an inactive contract on the synchronizer; undefined if it was never there (B-RSG-028). */
function inactivity(
  { ledger: { ledgerHistory: history } }: Participant,
  { archivedIn, instance }: StoredContract,
  source: SynchronizerId,
): string | undefined {
  if (archivedIn?.synchronizerId === source) return 'Archived';
  for (let index = history.length - 1; index >= 0; index--) {
    const update = history.at(index)!;
    if (update.kind !== 'reassignment' || update.synchronizerId !== source) continue;
    const left = update.events.find(
      ({ kind, contract }) => kind === 'unassigned' && contract.contractId === instance.contractId,
    );
    if (left !== undefined) return `ReassignedAway(${abbreviatedId(left.target)})`;
  }
  return undefined;
}

/** NOTE: a participant lists the different sets of stakeholders in the order of their hashes. */
function requireSameStakeholders(contracts: readonly ContractInstance[]): void {
  const sets = new Set(contracts.map(printedStakeholders));
  if (sets.size > 1) throw invalidArgument(`DifferingStakeholders(${scalaList([...sets])})`);
}

/** Beyond this width, Canton prints the members of an object on separate lines. */
const PAGE_WIDTH = 200;

function printedStakeholders(contract: ContractInstance): string {
  const all = `all = ${printedParties(sortedStakeholders(contract))}`;
  const signatories = `signatories = ${printedParties(contract.signatories)}`;
  const flat = `Stakeholders(${all}, ${signatories})`;
  return flat.length <= PAGE_WIDTH ? flat : `Stakeholders(\n  ${all},\n  ${signatories}\n)`;
}

/** A single party is printed without a list. */
function printedParties(parties: readonly Party[]): string {
  const [first, ...more] = parties.map(abbreviatedId);
  return more.length === 0 ? first! : `Seq(${[first, ...more].join(', ')})`;
}

/** @throws LedgerError INVALID_ARGUMENT */
export function assignEvents(
  participant: Participant,
  submitter: Party,
  command: Assign,
): readonly ReassignmentEvent[] {
  const { ledger } = participant;
  const to = connected(participant, command.target);
  const { id: target } = to;
  // Upper-case and lower-case digits are equal.
  const id = command.reassignmentId.toLowerCase();
  const reassignment = ledger.contracts.reassignment(id);
  const first = reassignment && unassignedEvent(reassignment.unassigned);
  // The source in the request is not checked.
  if (!first?.reassigningParticipants.includes(participant.id) || first.target !== target)
    throw noData(id, 'unknown reassignment id');
  if (reassignment!.assigned !== undefined) throw noData(id, 'reassignment already completed');
  const stakeholders = stakeholdersOf(first.contract);
  const reference = `assignment ReassignmentId(${id})`;
  checkSubmitter(participant, submitter, stakeholders, reference);
  checkFlags(participant, stakeholders, to);
  return reassignment!.unassigned.events.map((event) => {
    const { contract, nodeId, reassignmentCounter, source } = event;
    checkCounter(contract.contractId, command.expectedCounter, reassignmentCounter);
    return {
      kind: 'assigned',
      nodeId,
      contract,
      source,
      target,
      reassignmentId: id,
      submitter,
      reassignmentCounter,
    };
  });
}

function noData(id: string, reason: string): LedgerError {
  const named = `ReassignmentId(${id})`;
  return invalidArgument(`Cannot find reassignment data for reassignment \`${named}\`: ${reason}`);
}

/**
 * The submitter must be known here and be a stakeholder (B-RSG-013, B-RSG-017).
 * @param reference describes the submission
 */
function checkSubmitter(
  participant: Participant,
  submitter: Party,
  stakeholders: readonly Party[],
  reference: string,
): void {
  if (!stakeholders.includes(submitter))
    throw failed(`For ${reference}: submitter \`${submitter}\` is not a stakeholder. `);
  if (!participant.hosts(submitter))
    throw failed(
      `For ${reference}: ${submitter} is not hosted on PAR::${abbreviatedId(participant.id)}`,
    );
}

/** The target must also host every stakeholder (B-RSG-015, B-RSG-016). */
function checkHosting(
  { ledger }: Participant,
  stakeholders: readonly Party[],
  source: SynchronizerId,
  target: SynchronizerId,
): void {
  const absent = stakeholders.filter((party) => ledger.topology.hosts(party, target).size === 0);
  if (absent.length > 0)
    throw failed(
      `The following stakeholders are not active on the target synchronizer: ${treeSet(absent)}`,
    );
  const apart = stakeholders.filter(
    (party) => reassigningParticipants(ledger, [party], source, target).length === 0,
  );
  if (apart.length > 0)
    throw failed(
      `The following stakeholders are not hosted on any reassigning participants: ${treeSet(apart)}`,
    );
}

function checkFlags(
  { ledger }: Participant,
  stakeholders: readonly Party[],
  synchronizer: Synchronizer,
): void {
  const reason = withoutMultiSynchronizer(ledger, stakeholders, synchronizer);
  if (reason !== undefined) throw failed(reason);
}

/** In Scala's format of a sorted set. */
const treeSet = (parties: readonly Party[]): string => `TreeSet(${[...parties].sort().join(', ')})`;

/** All participants that host a stakeholder there must have vetted the package, and what its protocol requires with it. */
function checkVetted(
  { ledger, packages }: Participant,
  contract: ContractInstance,
  synchronizer: SynchronizerId,
  physicalId: string,
  contractIds: string,
): void {
  const { topology, clock } = ledger;
  const needed = requiredPackages(ledger.protocolOf(synchronizer), packages, [
    packageIdOf(contract.templateId),
  ]);
  const hosts = stakeholdersOf(contract).flatMap((party) => [
    ...topology.hosts(party, synchronizer).keys(),
  ]);
  const sentences = [...new Set(hosts)].flatMap((host) =>
    needed
      .filter((id) => !topology.isVetted(host, synchronizer, id, clock.now()))
      .map((id) => `Participant PAR::${abbreviatedId(host)} has not vetted ${abbreviatedHash(id)}`),
  );
  if (sentences.length === 0) return;
  const place = abbreviatedId(synchronizer) + physicalId.slice(synchronizer.length);
  throw failed(
    `Cannot unassign contracts \`${contractIds}\` on synchronizer \`${place}\`: ${sentences.join(', ')}`,
  );
}

/** NOTE: Canticle's text. Commands of a participant have no expected counter; only the network's own interface does. */
function checkCounter(contractId: ContractId, expected: number | undefined, actual: number): void {
  if (expected !== undefined && expected !== actual)
    throw invalidArgument(
      `Cannot reassign contract \`${contractId}\`: its reassignment counter would be ${actual}, not ${expected}`,
    );
}

function connected(participant: Participant, name: string): Synchronizer {
  const synchronizer = participant.ledger.synchronizer(name);
  if (synchronizer === undefined || !participant.isConnectedTo(synchronizer.id))
    throw invalidArgument(
      `Unable to resolve ${abbreviatedId(synchronizer?.id ?? name)} to a connected physical synchronizer id`,
    );
  return synchronizer;
}

function failed(reason: string): LedgerError {
  return invalidArgument(`Submission failed because: ${reason}`);
}
