/**
 * A second, simple and slow implementation of the ledger's rules: authorization, routing, duplicates, visibility, time. It uses no code
 * of the engine. Parties are names, and contracts are numbers in the order of creation.
 */
import { Refusal, stakeholders, type Contract } from './contract.js';
import {
  EXCLUSIVITY,
  homeOf,
  HOSTS,
  idOf,
  isOn,
  synchronizersOf,
  SYNCHRONIZERS,
  type Alias,
  type Host,
} from './world.js';
import { Transaction } from './transaction.js';

/** The parts of a submission other than its commands. */
export interface Submission {
  readonly at: Host;
  readonly actAs: readonly string[];
  readonly commandId: string;
  readonly on?: Alias;
  /** In microseconds; seven days if absent. */
  readonly deduplication?: number;
}

export interface Move {
  readonly contract: number;
  readonly from: Alias;
  readonly to: Alias;
  /** The submitter of the unassignment; absent if a transaction reassigns its input. */
  readonly by?: {
    readonly party: string;
    readonly commandId: string;
    readonly exclusiveUntil: bigint;
  };
  done: boolean;
}

/** One item of the network's history. */
export interface Sequenced {
  readonly migration: number;
  readonly time: bigint;
  readonly kind: 'transaction' | 'unassigned' | 'assigned';
}

export interface Ended {
  readonly at: Host;
  readonly offset: number;
  readonly commandId: string;
  readonly actAs: readonly string[];
  /** `moved` for an accepted reassignment, which does not count as a duplicate. */
  readonly code: string;
  readonly time: bigint;
}

interface State {
  now: bigint;
  migration: number;
  scheduled: { time: bigint; migration: number } | undefined;
  contracts: Contract[];
  moves: Move[];
  /** The number of assignments that a participant completed automatically. */
  automatic: number;
  ends: Record<Host, number>;
  completions: Ended[];
  history: Sequenced[];
}

const WEEK = 7n * 86_400_000_000n;

export class ModelLedger {
  private readonly saved: State[] = [];
  /** Commands that a revert removed: a repetition is not a duplicate. */
  readonly forgotten: Ended[] = [];

  constructor(
    now: bigint,
    private state: State = {
      now,
      migration: 0,
      scheduled: undefined,
      contracts: [],
      moves: [],
      automatic: 0,
      ends: { one: 0, two: 0 },
      completions: [],
      history: [],
    },
  ) {}

  get now(): bigint {
    return this.state.now;
  }
  get contracts(): readonly Contract[] {
    return this.state.contracts;
  }
  get moves(): readonly Move[] {
    return this.state.moves;
  }
  get automaticMoves(): number {
    return this.state.automatic;
  }
  get ends(): Readonly<Record<Host, number>> {
    return this.state.ends;
  }
  get completions(): readonly Ended[] {
    return this.state.completions;
  }
  get history(): readonly Sequenced[] {
    return this.state.history;
  }
  get migration(): number {
    return this.state.migration;
  }
  get isMigrationScheduled(): boolean {
    return this.state.scheduled !== undefined;
  }
  get snapshots(): number {
    return this.saved.length;
  }

  /** Adds a contract that exists before the first step. */
  given(template: string, signatories: readonly string[], on: Alias): void {
    const { contracts } = this.state;
    contracts.push({
      name: contracts.length,
      template,
      signatories,
      observers: [],
      data: {},
      place: on,
      counter: 0,
    });
  }

  /**
   * Processes a transaction completely. `body` runs the commands.
   * @param disclosed disclosed contracts, which all submitters may use
   * @returns the contracts that it created, in order
   */
  submit(
    submission: Submission,
    body: (transaction: Transaction) => void,
    disclosed: readonly number[] = [],
  ): readonly Contract[] {
    const { at, actAs, on } = submission;
    const [first] = actAs as [string];
    // The JSON layer reads the contract first, to find the package of a name (B-PSL-003).
    if (on !== undefined && !isOn(first, on))
      throw new Refusal('INVALID_PRESCRIBED_SYNCHRONIZER_ID');
    if (homeOf(first) !== at)
      throw new Refusal('NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT');
    const transaction = new Transaction(this.contracts, at, actAs, disclosed);
    body(transaction);
    const { target, moving } = this.route(submission, transaction, disclosed);
    for (const batch of batches(moving, actAs)) {
      const moved = { ...submission, actAs: [moverOf(batch[0]!, actAs)!] };
      // The unassignment and the assignment, one after the other. The hosts of the stakeholders see both, and each has a completion.
      for (const { name } of batch) this.take(name, target);
      this.sequence('unassigned', stakeholders(batch[0]!), batch.length);
      this.complete(moved, 'moved');
      for (const { name } of batch) this.put(name);
      this.sequence('assigned', stakeholders(batch[0]!), batch.length);
      this.complete(moved, 'moved');
    }
    // Reassigned contracts stay on their new synchronizer.
    this.refuseDuplicate(submission);
    for (const name of transaction.consumed)
      if (name < this.contracts.length) this.state.contracts[name]!.place = 'archived';
    const created = transaction.created.map((each) => ({
      ...each,
      place: transaction.consumed.has(each.name) ? ('archived' as const) : target,
    }));
    this.state.contracts.push(...created);
    this.sequence('transaction', [...transaction.informees]);
    this.complete(submission, 'accepted');
    this.assignWhatIsDue();
    return created;
  }

  /** The synchronizer of the transaction, and the inputs to reassign. */
  private route(submission: Submission, transaction: Transaction, disclosed: readonly number[]) {
    const { on } = submission;
    const contracts = transaction.inputs.map((name) => this.contracts[name]!);
    const places = new Set(
      contracts.filter(({ name }) => disclosed.includes(name)).map(({ place }) => place as Alias),
    );
    if (places.size > 1) throw new Refusal('DISCLOSED_CONTRACTS_SYNCHRONIZER_ID_MISMATCH');
    const [wanted = on] = places;
    if (on !== undefined && wanted !== on) throw new Refusal('PRESCRIBED_SYNCHRONIZER_ID_MISMATCH');
    try {
      return this.choose(submission, transaction, disclosed, wanted);
    } catch (error) {
      this.lookAgain(submission, transaction, disclosed);
      throw error;
    }
  }

  /** The inputs by synchronizer, as far as the participant knows it. */
  private locate({ at }: Submission, { inputs }: Transaction, disclosed: readonly number[]) {
    const contracts = inputs.map((name) => this.contracts[name]!);
    const isKnown = (contract: Contract) =>
      stakeholders(contract).some((party) => homeOf(party) === at);
    const located = contracts.filter(
      (contract) => typeof contract.place === 'string' && isKnown(contract),
    );
    if (contracts.some((each) => !located.includes(each) && !disclosed.includes(each.name)))
      throw new Refusal('UNKNOWN_CONTRACT_SYNCHRONIZERS');
    return located;
  }

  /** Before a routing error, the participant reads missing data about parties and packages. */
  private lookAgain(
    submission: Submission,
    transaction: Transaction,
    disclosed: readonly number[],
  ): void {
    const { at, actAs, on } = submission;
    // A disclosed contract is used through an interface of another package.
    const isNew =
      disclosed.length > 0 || [...transaction.informees].some((each) => each !== actAs[0]);
    if (!isNew) return;
    if (actAs.some((party) => homeOf(party) !== at))
      throw new Refusal('NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT');
    const concerned = [...actAs, ...transaction.informees];
    const possible = SYNCHRONIZERS.filter((alias) => concerned.every((each) => isOn(each, alias)));
    if (on !== undefined && !possible.includes(on))
      throw new Refusal('INVALID_PRESCRIBED_SYNCHRONIZER_ID');
    const located = this.locate(submission, transaction, disclosed);
    const canMove = (contract: Contract, to: Alias): boolean =>
      contract.place === to ||
      (moverOf(contract, actAs) !== undefined &&
        stakeholders(contract).every((party) => isOn(party, to)));
    const reachable = (on === undefined ? possible : [on]).filter((alias) =>
      located.every((contract) => canMove(contract, alias)),
    );
    if (reachable.length === 0) throw new Refusal('NO_SYNCHRONIZER_FOR_SUBMISSION');
  }

  private choose(
    submission: Submission,
    transaction: Transaction,
    disclosed: readonly number[],
    wanted: Alias | undefined,
  ) {
    const { at, actAs } = submission;
    const { informees } = transaction;
    const located = this.locate(submission, transaction, disclosed);
    if (actAs.some((party) => homeOf(party) !== at))
      throw new Refusal('NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT');
    const concerned = [...actAs, ...informees];
    const possible = [...SYNCHRONIZERS]
      .sort()
      .filter((alias) => concerned.every((party) => isOn(party, alias)));
    const sources = [...new Set(located.map(({ place }) => place as Alias))];
    const stays =
      sources.length === 0 ||
      (sources.length === 1 &&
        (wanted ?? sources[0]) === sources[0] &&
        [...informees].every((party) => isOn(party, sources[0]!)));
    if (
      !stays &&
      located.some((each) => !stakeholders(each).some((party) => actAs.includes(party)))
    )
      throw new Refusal('SUBMITTER_ALWAYS_STAKEHOLDER');
    const fixed = wanted ?? (stays ? sources[0] : undefined);
    if (fixed !== undefined && !possible.includes(fixed))
      throw new Refusal('INVALID_PRESCRIBED_SYNCHRONIZER_ID');
    const elsewhere = (alias: Alias) => located.filter(({ place }) => place !== alias);
    const target =
      fixed ?? possible.reduce((a, b) => (elsewhere(b).length < elsewhere(a).length ? b : a));
    return { target, moving: elsewhere(target) };
  }

  unassign(submission: Submission, name: number, to: Alias): void {
    const contract = this.contracts[name];
    this.checkMover(submission, contract);
    const { place } = contract!;
    if (typeof place !== 'string' || place === 'archived' || place === to)
      throw new Refusal('INVALID_ARGUMENT');
    if (!stakeholders(contract!).every((party) => isOn(party, to)))
      throw new Refusal('INVALID_ARGUMENT');
    const { actAs, commandId } = submission;
    // The period starts at its record time.
    const exclusiveUntil = this.now + 1n + EXCLUSIVITY[to];
    this.take(name, to, { party: actAs[0]!, commandId, exclusiveUntil });
    this.sequence('unassigned', stakeholders(contract!));
    this.complete(submission, 'moved');
    this.assignWhatIsDue();
  }

  assign(submission: Submission, index: number): void {
    const move = this.state.moves[index];
    if (move === undefined || move.done) throw new Refusal('INVALID_ARGUMENT');
    const contract = this.contracts[move.contract]!;
    this.checkMover(submission, contract);
    if (submission.actAs[0] !== move.by!.party && this.now + 1n < move.by!.exclusiveUntil)
      this.refuseLate(submission, 'REASSIGNMENT_VALIDATION_FAILED');
    this.put(contract.name);
    this.sequence('assigned', stakeholders(contract));
    this.complete(submission, 'moved');
    this.assignWhatIsDue();
  }

  /** The first participant that can assigns automatically, for its first stakeholder and with the command id of the unassignment. */
  private assignWhatIsDue(): void {
    const open = this.moves.filter(({ done, by }) => !done && by!.exclusiveUntil <= this.now);
    const [due] = open.sort((a, b) => (a.by!.exclusiveUntil < b.by!.exclusiveUntil ? -1 : 1));
    if (due === undefined) return;
    const contract = this.contracts[due.contract]!;
    const at = HOSTS.find((host) =>
      stakeholders(contract).some((party) => homeOf(party) === host),
    )!;
    const own = stakeholders(contract).filter((party) => homeOf(party) === at);
    const [first] = own.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
    this.put(contract.name);
    this.sequence('assigned', stakeholders(contract));
    this.complete({ at, actAs: [first!], commandId: due.by!.commandId }, 'moved');
    this.state.automatic += 1;
    this.assignWhatIsDue();
  }

  private checkMover({ at, actAs: [mover] }: Submission, contract: Contract | undefined): void {
    if (contract === undefined || !stakeholders(contract).includes(mover!) || homeOf(mover!) !== at)
      throw new Refusal('INVALID_ARGUMENT');
  }

  private take(name: number, to: Alias, by?: Move['by']): void {
    const contract = this.state.contracts[name]!;
    const from = contract.place as Alias;
    this.state.moves.push({ contract: name, from, to, by, done: false });
    contract.place = { from, to };
    contract.counter += 1;
  }

  private put(name: number): void {
    const move = this.state.moves.find(({ contract, done }) => contract === name && !done)!;
    move.done = true;
    this.state.contracts[name]!.place = move.to;
  }

  /** Rejects the same change within the period, with a completion. */
  private refuseDuplicate(submission: Submission): void {
    const { at, actAs, commandId, deduplication } = submission;
    const since = this.now - (deduplication === undefined ? WEEK : BigInt(deduplication));
    const isSame = (ended: Ended) =>
      ended.at === at &&
      ended.commandId === commandId &&
      ended.code === 'accepted' &&
      sameSet(ended.actAs, actAs);
    if (!this.completions.some((ended) => isSame(ended) && ended.time > since)) return;
    this.refuseLate(submission, 'DUPLICATE_COMMAND');
  }

  /** Rejects with a completion, which takes a record time. */
  private refuseLate(submission: Submission, code: string): never {
    this.state.now += 1n;
    this.state.ends[submission.at] += 1;
    this.complete(submission, code);
    this.assignWhatIsDue();
    throw new Refusal(code);
  }

  private sequence(kind: Sequenced['kind'], informed: readonly string[], events = 1): void {
    const time = (this.state.now += 1n);
    for (const host of new Set(informed.map(homeOf))) this.state.ends[host] += 1;
    for (let event = 0; event < events; event++)
      this.state.history.push({ migration: this.migration, time, kind });
  }

  private complete({ at, commandId, actAs }: Submission, code: string): void {
    this.state.completions.push({
      at,
      offset: this.ends[at],
      commandId,
      actAs,
      code,
      time: this.now,
    });
  }

  advance(microseconds: bigint): void {
    this.state.now += microseconds;
    this.assignWhatIsDue();
  }

  schedule(time: bigint, migration: number): void {
    if (migration <= this.migration || time < this.now) throw new Refusal('INVALID_ARGUMENT');
    this.state.scheduled = { time, migration };
  }

  migrate(): void {
    const { scheduled } = this.state;
    if (scheduled === undefined) throw new Refusal('INVALID_ARGUMENT');
    if (scheduled.time > this.now) this.advance(scheduled.time - this.now);
    this.state.migration = scheduled.migration;
    this.state.scheduled = undefined;
  }

  snapshot(): void {
    this.saved.push(structuredClone(this.state));
  }

  /** A snapshot stays valid after its use, later ones do not. */
  revert(index: number): void {
    const then = this.saved[index];
    if (then === undefined) throw new Refusal('INVALID_ARGUMENT');
    this.saved.length = index + 1;
    this.forgotten.push(...this.completions.slice(then.completions.length));
    this.state = structuredClone(then);
  }
}

const sameSet = (some: readonly string[], others: readonly string[]): boolean =>
  new Set([...some, ...others]).size === new Set(some).size &&
  new Set(some).size === new Set(others).size;

/** The first party that may reassign the contract. */
const moverOf = (contract: Contract, actAs: readonly string[]): string | undefined =>
  actAs.find(
    (party) =>
      stakeholders(contract).includes(party) &&
      synchronizersOf(party).includes(contract.place as Alias),
  );

/** Contracts are reassigned together if they have the same submitter, the same source and the same stakeholders. */
function batches(moving: readonly Contract[], actAs: readonly string[]): Contract[][] {
  const found = new Map<string, Contract[]>();
  for (const contract of moving) {
    const mover = moverOf(contract, actAs);
    const key = JSON.stringify([mover, contract.place, contract.signatories, contract.observers]);
    found.set(key, [...(found.get(key) ?? []), contract]);
  }
  return [...found.values()];
}
