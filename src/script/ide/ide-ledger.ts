/**
 * The in-memory ledger of one script, as `daml test` creates for each script. It has one participant, and parties
 * with plain names. Its time starts at 1970, and the script can set it forwards and back. It starts empty, and ends
 * with the script.
 */
import { createdEventBytes } from '../../daml/contract/created-event-blob.js';
import { contractKey } from '../../daml/contract/contract-key.js';
import { LedgerError, ledgerError } from '../../daml/errors/ledger-error.js';
import type { InterpreterInput } from '../../daml/interpreter/input.js';
import type { Deadline } from '../../daml/interpreter/input.js';
import { Interpreter } from '../../daml/interpreter/interpreter.js';
import { Machine } from '../../daml/lf/runtime/machine.js';
import { sha256Hex, toHex } from '../../daml/model/hash.js';
import { template as templateOf, type PackageLookup } from '../../daml/model/package.js';
import type { ContractInstance, Interpretation } from '../../daml/model/transaction.js';
import type { PackageId, TypeId } from '../../daml/model/types.js';
import type {
  ContractId,
  DamlRecord,
  DamlValue,
  Party,
  Timestamp,
} from '../../daml/model/values.js';
import type { Protocol } from '../../network/model/protocol.js';
import { eventsOf } from '../events.js';
import { inVersion, preferredVersion, viewedBy, viewOf } from '../in-version.js';
import { ScriptRefusal } from '../failures.js';
import type {
  Outcome,
  PackageName,
  RefusedSubmission,
  ScriptContract,
  ScriptLedger,
  ScriptSubmission,
} from '../ledger.js';
import type { ScriptPackages } from '../packages.js';
import { explainRefusal, type Reached } from './explain-refusal.js';
import { IdeContracts } from './ide-contracts.js';
import { IdeSubmission } from './ide-submission.js';
import { IdeUsers } from './ide-users.js';

/** One submission of a script, and what became of it. */
export interface IdeAttempt {
  readonly submission: ScriptSubmission;
  /** Undefined if it was rejected. */
  readonly transaction: Interpretation | undefined;
  readonly error: LedgerError | undefined;
  /** Undefined if its commands did not run. */
  readonly interpreter: Interpreter | undefined;
}

export interface IdeOptions {
  /** The same seed gives the same contract ids. */
  readonly seed?: number;
  readonly protocol: Protocol;
  /** Receives the messages of `debug` and `trace` in submissions. */
  readonly onTrace?: (message: string) => void;
  /** Ends the code of submissions. */
  readonly deadline?: Deadline | undefined;
  /** Receives each transaction. */
  readonly onCommit?: (transaction: Interpretation) => void;
  /** Receives each submission, rejected ones included. */
  readonly onSubmit?: (attempt: IdeAttempt) => void;
  /** The contracts at the start, which the ledger changes. No contracts by default. */
  readonly contracts?: IdeContracts;
  /** The parties at the start. */
  readonly parties?: Iterable<Party>;
  /** The time at the start; 1970 by default. */
  readonly now?: Timestamp;
  /** Creates the interpreter of a submission. */
  readonly interpreterOf?: (input: InterpreterInput) => Interpreter;
  /** The time that scripts read. With a clock, scripts cannot set the time. The default is the ledger's own time. */
  readonly clock?: () => Timestamp;
}

export class IdeLedger implements ScriptLedger {
  readonly contracts: IdeContracts;
  private readonly accounts = new IdeUsers();
  private readonly parties: Set<Party>;
  private unvetted: ReadonlySet<PackageId> = new Set();
  private now: Timestamp;
  private submissions = 0;
  private transactions = 0;

  constructor(
    private readonly packages: ScriptPackages,
    private readonly options: IdeOptions,
  ) {
    const { contracts = new IdeContracts(), parties, now = 0n } = options;
    this.contracts = contracts;
    this.parties = new Set(parties);
    this.now = now;
  }

  submit(submission: ScriptSubmission): Outcome {
    const seed = sha256Hex(`canticle script ${this.options.seed ?? 0} ${this.submissions++}`);
    let reached: Reached | undefined;
    let input: IdeSubmission | undefined;
    try {
      this.requireAllocated([...submission.actAs, ...submission.readAs]);
      input = this.inputOf(submission, seed);
      const interpreter = this.options.interpreterOf?.(input) ?? new Interpreter(input);
      reached = { input, interpreter };
      const transaction = this.interpreted(interpreter);
      this.requireActive(input);
      this.commit(transaction);
      this.options.onSubmit?.({ submission, transaction, error: undefined, interpreter });
      const events = eventsOf(this.packages, this.packages, transaction, submission.commands);
      return { events };
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      const interpreter = reached?.interpreter;
      this.options.onSubmit?.({ submission, transaction: undefined, error, interpreter });
      explainRefusal(error, submission, this.packages, this.contracts, reached);
      return { refused: refusedBy(error, input) };
    }
  }

  private inputOf(submission: ScriptSubmission, seed: string): IdeSubmission {
    const known = this.packages;
    const preferred = new Map(
      submission.packagePreference.map((id) => [this.vettedName(id), id] as const),
    );
    const packages = known.vetted(this.unvetted, preferred);
    const { contracts, now: ledgerTime } = this;
    const { protocol, deadline } = this.options;
    const { rollsBackEffects } = protocol;
    const setting = { known, packages, contracts, ledgerTime, seed, rollsBackEffects, deadline };
    return new IdeSubmission(setting, submission);
  }

  private vettedName(id: PackageId): string {
    const found = this.packages.package(id);
    if (found === undefined)
      throw new ScriptRefusal(`No such PackageId ${id}`, 'IllegalArgumentException');
    if (this.unvetted.has(id))
      throw new ScriptRefusal(
        `Package ${id} does not support Upgrades.`,
        'IllegalArgumentException',
      );
    return found.name;
  }

  private interpreted(interpreter: Interpreter): Interpretation {
    try {
      return interpreter.run();
    } finally {
      for (const message of interpreter.machine.traces) this.options.onTrace?.(message);
    }
  }

  private requireAllocated(parties: Iterable<Party>): void {
    const unknown = [...new Set(parties)].filter((party) => !this.parties.has(party)).sort();
    if (unknown.length === 0) return;
    throw ledgerError(
      'UNKNOWN_SUBMITTERS',
      `Tried to submit a command for parties that have not been allocated: ${unknown.join(', ')}`,
    );
  }

  private requireActive(input: IdeSubmission): void {
    const stale = input.inactiveDisclosure;
    if (stale === undefined) return;
    const { contractId, templateId } = stale;
    input.missed.set(contractId, { kind: 'NotActive', contractId, templateId });
    throw ledgerError('CONTRACT_NOT_FOUND', {
      cause: `Contract could not be found with id ${contractId}`,
      resources: [['CONTRACT_ID', contractId]],
    });
  }

  private commit(transaction: Interpretation): void {
    this.requireAllocated(this.contracts.informees(transaction));
    this.contracts.apply(transaction, this.transactions++);
    this.options.onCommit?.(transaction);
  }

  /** The number of active contracts, and the number of transactions. */
  get counts(): { readonly active: number; readonly transactions: number } {
    const active = [...this.contracts.all()].filter(({ archivedIn }) => archivedIn === undefined);
    return { active: active.length, transactions: this.transactions };
  }

  query(parties: readonly Party[], templateId: TypeId): readonly ScriptContract[] {
    return this.contracts.visibleTo(parties, this.now, templateId);
  }

  private find(parties: readonly Party[], id: ContractId): ContractInstance | undefined {
    const found = this.contracts.lookup(id, [], parties, this.now);
    return 'instance' in found ? found.instance : undefined;
  }

  queryContractId(parties: readonly Party[], templateId: TypeId, contractId: ContractId) {
    const found = this.find(parties, contractId);
    if (found === undefined) return undefined;
    const blob = toHex(createdEventBytes(this.packages, found));
    return { ...inVersion(this.packages, found, templateId), blob };
  }

  queryInterface(parties: readonly Party[], interfaceId: TypeId) {
    return viewedBy(
      this.packages,
      this.vettedNow,
      this.contracts.visibleTo(parties, this.now),
      interfaceId,
    );
  }

  queryInterfaceContractId(
    parties: readonly Party[],
    interfaceId: TypeId,
    contractId: ContractId,
  ): DamlRecord | undefined {
    const found = this.find(parties, contractId);
    if (found === undefined) return undefined;
    const version = preferredVersion(this.vettedNow, found);
    return viewOf(this.packages, found, version, interfaceId);
  }

  private get vettedNow(): PackageLookup {
    return this.packages.vetted(this.unvetted, new Map());
  }

  queryByKey(parties: readonly Party[], templateId: TypeId, key: DamlValue, limit: number) {
    const template = templateOf(this.packages, templateId);
    if (template?.key === undefined) return [];
    const { hash } = contractKey(new Machine(this.packages), template, key);
    return this.contracts
      .withKey(hash)
      .slice(0, limit)
      .flatMap((id) => this.find(parties, id) ?? [])
      .map((found) => inVersion(this.packages, found, templateId));
  }

  /** NOTE: the only participant also hosts replicated parties. */
  allocateParty(hint: string): Party {
    if (this.parties.has(hint))
      throw new ScriptRefusal(
        `Error: Tried to allocate a party that already exists: ${hint}`,
        'PartyAlreadyExists',
      );
    if (!/^[A-Za-z0-9:\-_ ]{1,255}$/.test(hint))
      throw new ScriptRefusal(
        `Error: Invalid party: Daml-LF Party is invalid: "${hint}"`,
        'InvalidPartyName',
      );
    this.parties.add(hint);
    return hint;
  }

  knownParties() {
    return [...this.parties].map((party) => ({ party, isLocal: true }));
  }

  time(): Timestamp {
    return this.options.clock?.() ?? this.now;
  }

  setTime(time: Timestamp): void {
    if (this.options.clock !== undefined)
      throw new ScriptRefusal('setTime is not supported in wallclock mode');
    this.now = time;
  }

  /** NOTE: it returns at once, because nothing can happen in the meantime. */
  sleep(): void {}

  users(): IdeUsers {
    return this.accounts;
  }

  vet(names: readonly PackageName[]): void {
    const vetted = new Set(names.map((name) => this.packageId(name)));
    this.unvetted = new Set([...this.unvetted].filter((id) => !vetted.has(id)));
  }

  unvet(names: readonly PackageName[]): void {
    this.unvetted = new Set([...this.unvetted, ...names.map((name) => this.packageId(name))]);
  }

  private packageId({ name, version }: PackageName): PackageId {
    const found = this.packages.versionsOf(name).find((each) => each.version === version);
    if (found === undefined)
      throw new ScriptRefusal(`Unknown package ${name}-${version}`, 'IllegalArgumentException');
    return found.id;
  }

  vettedPackages(): readonly PackageName[] {
    return this.packages.all().filter(({ id }) => !this.unvetted.has(id));
  }

  allPackages(): readonly PackageName[] {
    return this.packages.all();
  }
}

function refusedBy(error: LedgerError, input: IdeSubmission | undefined): RefusedSubmission {
  const resources = error.details.resources ?? [];
  const valueOf = (type: string) => resources.find(([kind]) => kind === type)?.[1];
  const contractId = valueOf('CONTRACT_ID');
  if (contractId === undefined) return { error };
  const templateId = valueOf('TEMPLATE_ID');
  if (error.code === 'CONTRACT_NOT_ACTIVE' && templateId !== undefined)
    return { error, notFound: { kind: 'NotActive', contractId, templateId } };
  const notFound = input?.missed.get(contractId);
  if (error.code !== 'CONTRACT_NOT_FOUND' || notFound === undefined) return { error };
  return { error, notFound };
}
