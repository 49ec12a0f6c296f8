/**
 * A submission to a script's in-memory ledger: runs its commands in the preferred package versions on the ledger's
 * contracts.
 */
import { readBlobBytes, type DisclosedBlob } from '../../daml/contract/created-event-blob.js';
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import type { Claim, Deadline, InterpreterInput } from '../../daml/interpreter/input.js';
import type { PackageLookup } from '../../daml/model/package.js';
import type { Command, ContractInstance, ContractKey } from '../../daml/model/transaction.js';
import type { TypeId } from '../../daml/model/types.js';
import type { ContractId, Party, Timestamp } from '../../daml/model/values.js';
import { fromHex } from '../../daml/model/hash.js';
import { resolved } from '../commands.js';
import type { NotFoundReason, ScriptSubmission } from '../ledger.js';
import type { ScriptPackages } from '../packages.js';
import type { IdeContracts } from './ide-contracts.js';

export interface IdeSetting {
  /** All packages, unvetted packages included. */
  readonly known: ScriptPackages;
  /** The vetted packages. */
  readonly packages: PackageLookup;
  readonly contracts: IdeContracts;
  readonly ledgerTime: Timestamp;
  readonly seed: string;
  readonly rollsBackEffects: boolean;
  readonly deadline?: Deadline | undefined;
}

export class IdeSubmission implements InterpreterInput {
  readonly commands: readonly Command[];
  readonly actAs: readonly Party[];
  readonly ledgerTime: Timestamp;
  readonly seed: string;
  readonly packages: PackageLookup;
  readonly rollsBackEffects: boolean;
  readonly deadline?: Deadline;
  /** The reasons why contracts were not found. */
  readonly missed = new Map<ContractId, NotFoundReason>();
  private readonly disclosed: ReadonlyMap<ContractId, DisclosedBlob>;

  /** @throws LedgerError if a command names a missing definition, or a blob is unreadable */
  constructor(
    private readonly setting: IdeSetting,
    private readonly submission: ScriptSubmission,
  ) {
    const { packages, ledgerTime, seed, rollsBackEffects, deadline } = setting;
    this.packages = packages;
    this.ledgerTime = ledgerTime;
    this.seed = seed;
    this.rollsBackEffects = rollsBackEffects;
    if (deadline !== undefined) this.deadline = deadline;
    this.actAs = submission.actAs;
    this.commands = submission.commands.map((each) => resolved(setting.known, packages, each));
    this.disclosed = new Map(
      submission.disclosures.map(({ contractId, blob }) => [contractId, this.disclosure(blob)]),
    );
  }

  private disclosure(blob: string): DisclosedBlob {
    try {
      return readBlobBytes(this.setting.known, fromHex(blob));
    } catch (error) {
      if (!(error instanceof ProtobufError)) throw error;
      const cause = `decoding of disclosure fails: ${error.message}`;
      throw ledgerError('INVALID_DISCLOSED_CONTRACT', cause);
    }
  }

  contract(id: ContractId): ContractInstance | undefined {
    const shown = this.disclosed.get(id);
    if (shown !== undefined) return shown.contract;
    const { contracts, ledgerTime } = this.setting;
    const { actAs, readAs } = this.submission;
    const found = contracts.lookup(id, actAs, readAs, ledgerTime);
    if ('instance' in found) return found.instance;
    this.missed.set(id, found.reason);
    return undefined;
  }

  claim(id: ContractId): Claim | undefined {
    const shown = this.disclosed.get(id);
    return shown?.error && { error: shown.error };
  }

  /** The contracts with a key, disclosed contracts first. */
  *contractsByKey({ hash }: ContractKey): Generator<ContractInstance, void, undefined> {
    const { contracts, ledgerTime } = this.setting;
    const { actAs, readAs } = this.submission;
    for (const { contract } of this.disclosed.values())
      if (contract.key?.hash === hash) yield contract;
    for (const id of contracts.withKey(hash)) {
      if (this.disclosed.has(id)) continue;
      const found = contracts.lookup(id, actAs, readAs, ledgerTime);
      if ('instance' in found) yield found.instance;
    }
  }

  /** A disclosed contract that is no longer active. The caller checks it after the commands have run. */
  get inactiveDisclosure(): { contractId: ContractId; templateId: TypeId } | undefined {
    const { contracts } = this.setting;
    return this.submission.disclosures.find(({ contractId }) => !contracts.isActive(contractId));
  }
}
