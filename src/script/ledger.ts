/**
 * What a script asks a ledger, and what it is answered: in Daml values and ids of packages. A ledger of its own (`ide/`) answers at
 * once, as does a network of this process; one behind an API later. Refusals are {@link ScriptRefusal}s.
 */
import type { LedgerError } from '../daml/errors/ledger-error.js';
import type { Command } from '../daml/model/transaction.js';
import type { PackageId, TypeId } from '../daml/model/types.js';
import type { ContractId, DamlRecord, DamlValue, Party, Timestamp } from '../daml/model/values.js';
import type { Awaitable } from './awaited.js';
import type { ScriptPlace } from './failures.js';

/** A command in the types that the script was compiled with. */
export interface ScriptCommand {
  readonly command: Command;
  /** Just these versions of packages; otherwise those that their names stand for. */
  readonly isExact: boolean;
}

export interface ScriptDisclosure {
  readonly templateId: TypeId;
  readonly contractId: ContractId;
  /** Hexadecimal. */
  readonly blob: string;
}

/** What the script wants of the outcome. */
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
  /** Of which contracts are looked for beforehand: what a submission does is the same without. */
  readonly prefetchedKeys: readonly ScriptKey[];
  readonly behaviour: ErrorBehaviour;
  readonly place: ScriptPlace | undefined;
}

/** An event of a transaction; values are of the named versions of the types. */
export type ScriptEvent =
  | {
      readonly kind: 'created';
      readonly templateId: TypeId;
      readonly contractId: ContractId;
      readonly payload: DamlRecord;
    }
  | {
      readonly kind: 'exercised';
      readonly templateId: TypeId;
      readonly interfaceId: TypeId | undefined;
      readonly contractId: ContractId;
      readonly choice: string;
      readonly argument: DamlValue;
      readonly result: DamlValue;
      readonly children: readonly ScriptEvent[];
    };

/** Why a contract was not found, as far as a ledger tells scripts. */
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
      /** Who knows of the contract. */
      readonly observers: readonly Party[];
    };

export interface RefusedSubmission {
  readonly error: LedgerError;
  readonly notFound?: NotFoundReason;
}

/** One event a command, two for a create-and-exercise. */
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

/** The rights that scripts know, by the names of their constructors. */
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
  /** Whether there was none of the id. */
  create(user: ScriptUser, rights: readonly ScriptRight[]): Awaitable<boolean>;
  get(id: string): Awaitable<ScriptUser | undefined>;
  /** Whether there was one. */
  delete(id: string): Awaitable<boolean>;
  all(): Awaitable<readonly ScriptUser[]>;
  /** Those that are new; undefined where there is no such user. */
  grant(id: string, rights: readonly ScriptRight[]): Awaitable<readonly ScriptRight[] | undefined>;
  revoke(id: string, rights: readonly ScriptRight[]): Awaitable<readonly ScriptRight[] | undefined>;
  rights(id: string): Awaitable<readonly ScriptRight[] | undefined>;
}

/** `participant` is the name that the script gives it, undefined for the one that is meant by default. */
export interface ScriptLedger {
  submit(submission: ScriptSubmission): Awaitable<Outcome>;
  /** Those of just this template that the parties have a stake in. */
  query(parties: readonly Party[], templateId: TypeId): Awaitable<readonly ScriptContract[]>;
  /** The contract in this version of its template, with its blob in hexadecimal. */
  queryContractId(
    parties: readonly Party[],
    templateId: TypeId,
    contractId: ContractId,
  ): Awaitable<(ScriptContract & { readonly blob: string }) | undefined>;
  /** With their views; undefined where that fails. */
  queryInterface(
    parties: readonly Party[],
    interfaceId: TypeId,
  ): Awaitable<readonly { readonly contractId: ContractId; readonly view?: DamlRecord }[]>;
  queryInterfaceContractId(
    parties: readonly Party[],
    interfaceId: TypeId,
    contractId: ContractId,
  ): Awaitable<DamlRecord | undefined>;
  /** At most `limit`, newest first. */
  queryByKey(
    parties: readonly Party[],
    templateId: TypeId,
    key: DamlValue,
    limit: number,
  ): Awaitable<readonly ScriptContract[]>;
  /** @param participants the first is the one that the party acts through */
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
