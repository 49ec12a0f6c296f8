/**
 * The interface between scripts and ledgers, with Daml values and package ids. An in-memory ledger (`ide/`) or a
 * network of this process answers synchronously, a ledger behind an API asynchronously. Errors are {@link
 * ScriptRefusal}s.
 */
import type { LedgerError } from '../daml/errors/ledger-error.js';
import type { Command } from '../daml/model/transaction.js';
import type { PackageId, TypeId } from '../daml/model/types.js';
import type { ContractId, DamlRecord, DamlValue, Party, Timestamp } from '../daml/model/values.js';
import type { Awaitable } from './awaited.js';
import type { ScriptPlace } from './failures.js';

/** A command with the types that the script was compiled with. */
export interface ScriptCommand {
  readonly command: Command;
  /** Whether to use these exact package versions. Otherwise the ledger uses the preferred versions. */
  readonly isExact: boolean;
}

export interface ScriptDisclosure {
  readonly templateId: TypeId;
  readonly contractId: ContractId;
  /** Hexadecimal. */
  readonly blob: string;
}

/** The outcome that the script expects. */
export type ErrorBehaviour = 'MustSucceed' | 'MustFail' | 'Try';

export interface ScriptKey {
  readonly templateId: TypeId;
  readonly value: DamlValue;
}

export interface ScriptSubmission {
  readonly actAs: readonly Party[];
  readonly readAs: readonly Party[];
  readonly commands: readonly ScriptCommand[];
  readonly disclosures: readonly ScriptDisclosure[];
  readonly packagePreference: readonly PackageId[];
  /** The keys to prefetch, which do not change the result of a submission. */
  readonly prefetchedKeys: readonly ScriptKey[];
  readonly behaviour: ErrorBehaviour;
  readonly place: ScriptPlace | undefined;
}

/**
 * An event of a transaction; values have the named versions of the types. An opaque event has no payload or argument:
 * the packages of the script cannot show it (B-SCR-005). Only events of the commands have a result.
 */
export type ScriptEvent =
  | {
      readonly kind: 'created';
      readonly templateId: TypeId;
      readonly contractId: ContractId;
      readonly payload: DamlRecord | undefined;
    }
  | {
      readonly kind: 'exercised';
      readonly templateId: TypeId;
      readonly interfaceId: TypeId | undefined;
      readonly contractId: ContractId;
      readonly choice: string;
      readonly argument: DamlValue | undefined;
      readonly result: DamlValue | undefined;
      readonly children: readonly ScriptEvent[];
    };

/** The reason why a contract was not found, if the ledger reports it to scripts. */
export type NotFoundReason =
  | { readonly kind: 'NotFound' }
  | { readonly kind: 'NotActive'; readonly contractId: ContractId; readonly templateId: TypeId }
  | {
      readonly kind: 'NotEffective';
      readonly contractId: ContractId;
      readonly templateId: TypeId;
      readonly effectiveAt: Timestamp;
    }
  | {
      readonly kind: 'NotVisible';
      readonly contractId: ContractId;
      readonly templateId: TypeId;
      readonly actAs: readonly Party[];
      readonly readAs: readonly Party[];
      /** The parties that have seen the contract. */
      readonly observers: readonly Party[];
    };

export interface RefusedSubmission {
  readonly error: LedgerError;
  readonly notFound?: NotFoundReason;
}

/** One event for each command, two for a create-and-exercise. */
export type Outcome =
  | { readonly events: readonly ScriptEvent[] }
  | { readonly refused: RefusedSubmission };

export interface ScriptContract {
  readonly contractId: ContractId;
  readonly templateId: TypeId;
  readonly payload: DamlRecord;
}

export interface ScriptUser {
  readonly id: string;
  readonly primaryParty: Party | undefined;
}

/** A right in scripts, by the name of its constructor. */
export interface ScriptRight {
  readonly kind: string;
  readonly party?: Party;
}

export interface PackageName {
  readonly name: string;
  readonly version: string;
}

/** The users of one participant. */
export interface ScriptUsers {
  /** Returns false if a user with the id exists. */
  create(user: ScriptUser, rights: readonly ScriptRight[]): Awaitable<boolean>;
  get(id: string): Awaitable<ScriptUser | undefined>;
  /** Returns whether the user existed. */
  delete(id: string): Awaitable<boolean>;
  all(): Awaitable<readonly ScriptUser[]>;
  /** Returns the new rights; undefined if the user does not exist. */
  grant(id: string, rights: readonly ScriptRight[]): Awaitable<readonly ScriptRight[] | undefined>;
  revoke(id: string, rights: readonly ScriptRight[]): Awaitable<readonly ScriptRight[] | undefined>;
  rights(id: string): Awaitable<readonly ScriptRight[] | undefined>;
}

/** `participant` is its name in the script; undefined means the default participant. */
export interface ScriptLedger {
  submit(submission: ScriptSubmission): Awaitable<Outcome>;
  /** The contracts of exactly this template with one of the parties as a stakeholder. */
  query(parties: readonly Party[], templateId: TypeId): Awaitable<readonly ScriptContract[]>;
  /** The contract in this version of its template, with its blob in hexadecimal. */
  queryContractId(
    parties: readonly Party[],
    templateId: TypeId,
    contractId: ContractId,
  ): Awaitable<(ScriptContract & { readonly blob: string }) | undefined>;
  /** The contracts with their views; the view is undefined if it fails. */
  queryInterface(
    parties: readonly Party[],
    interfaceId: TypeId,
  ): Awaitable<readonly { readonly contractId: ContractId; readonly view?: DamlRecord }[]>;
  queryInterfaceContractId(
    parties: readonly Party[],
    interfaceId: TypeId,
    contractId: ContractId,
  ): Awaitable<DamlRecord | undefined>;
  /** The contracts with a key: at most `limit`, newest first. */
  queryByKey(
    parties: readonly Party[],
    templateId: TypeId,
    key: DamlValue,
    limit: number,
  ): Awaitable<readonly ScriptContract[]>;
  /** @param participants the party acts through the first */
  allocateParty(hint: string, participants: readonly string[]): Awaitable<Party>;
  knownParties(
    participant: string | undefined,
  ): Awaitable<readonly { readonly party: Party; readonly isLocal: boolean }[]>;
  time(): Awaitable<Timestamp>;
  setTime(time: Timestamp): Awaitable<void>;
  sleep(micros: bigint): Awaitable<void>;
  users(participant: string | undefined): ScriptUsers;
  vet(packages: readonly PackageName[], participant: string | undefined): Awaitable<void>;
  unvet(packages: readonly PackageName[], participant: string | undefined): Awaitable<void>;
  vettedPackages(): Awaitable<readonly PackageName[]>;
  allPackages(): Awaitable<readonly PackageName[]>;
}
