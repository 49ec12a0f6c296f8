/**
 * Our message types against those of the official clients, 1.8.0: what we answer fits what they read, what they send
 * fits what we read. The type checker is the test; there is nothing to run. The lists of exceptions are exact: a name
 * that stops differing, or a new one that differs, is an error here.
 */
import type { v3_5 } from '@canton-network/core-ledger-client-types';
import type {
  metadataRegistryTypes,
  transferInstructionRegistryTypes,
} from '@canton-network/core-token-standard';
// core-splice-client exports its Scan types through a path that does not resolve; this is the file it means.
import type { components } from '../../node_modules/@canton-network/core-splice-client/dist/generated-clients/scan.js';
import type { Messages as Ledger } from '../../src/spec/generated/ledger.js';
import type { Messages as Registry } from '../../src/spec/generated/registry.js';
import type { Messages as Scan } from '../../src/spec/generated/scan.js';

type OfficialLedger = v3_5.components['schemas'];
type OfficialScan = components['schemas'];
type OfficialTransfers = transferInstructionRegistryTypes['schemas'];
type OfficialMetadata = metadataRegistryTypes['schemas'];

/** The official types say of an object of free JSON that it has no members; here it may have any. */
type Freed<T> = T extends readonly (infer Item)[]
  ? Freed<Item>[]
  : T extends object
    ? string extends keyof T
      ? [T[keyof T]] extends [never]
        ? Record<string, unknown>
        : { [Key in keyof T]: Freed<T[Key]> }
      : { [Key in keyof T]: Freed<T[Key]> }
    : T;

/** The names that both have and whose type in Left is not assignable to that in Right. */
type Differing<Left, Right> = {
  [Name in keyof Left & keyof Right]: [Left[Name]] extends [Right[Name]] ? never : Name;
}[keyof Left & keyof Right];
type DifferingFreed<Left, Right> = {
  [Name in keyof Left & keyof Right]: [Freed<Left[Name]>] extends [Freed<Right[Name]>]
    ? never
    : Name;
}[keyof Left & keyof Right];

type Equal<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** One line per claim. */
export interface Claims {
  ledgerAnswersFit: Holds<Equal<Differing<Ledger, OfficialLedger>, LedgerOfOtherReleases>>;
  ledgerRequestsFit: Holds<Equal<Differing<OfficialLedger, Ledger>, LedgerExceptions>>;
  ledgerLacksNothing: Holds<Equal<Exclude<keyof OfficialLedger, keyof Ledger>, never>>;
  scanAnswersFit: Holds<
    Equal<DifferingFreed<Scan, OfficialScan>, ScanExceptions | ScanRequests | ScanNulls>
  >;
  scanRequestsFit: Holds<Equal<DifferingFreed<OfficialScan, Scan>, ScanExceptions>>;
  transfersFit: Holds<Equal<DifferingFreed<Registry, OfficialTransfers>, RegistryRequests>>;
  transferRequestsFit: Holds<Equal<DifferingFreed<OfficialTransfers, Registry>, never>>;
  metadataFits: Holds<Equal<Differing<Registry, OfficialMetadata>, never>>;
  metadataRequestsFit: Holds<Equal<Differing<OfficialMetadata, Registry>, never>>;
}
type Holds<Claim extends true> = Claim;

/** Our types are wide enough for every release: 3.6 has a right, a hashing scheme and an algorithm more. */
type LedgerOfOtherReleases =
  | 'CostEstimationHints'
  | 'CreateUserRequest'
  | 'GrantUserRightsRequest'
  | 'GrantUserRightsResponse'
  | 'JsExecuteSubmissionAndWaitForTransactionRequest'
  | 'JsExecuteSubmissionAndWaitRequest'
  | 'JsExecuteSubmissionRequest'
  | 'JsPrepareSubmissionRequest'
  | 'JsPrepareSubmissionResponse'
  | 'Kind'
  | 'ListUserRightsResponse'
  | 'RevokeUserRightsRequest'
  | 'RevokeUserRightsResponse'
  | 'Right';
/** We state that a resource is a pair; the official type states a list of any length. */
type LedgerExceptions = 'JsCantonError' | 'Tuple2_String_String';
/** Changed between the Scan of these clients and 0.7.4: rewards have three states, health has other members. */
type ScanExceptions =
  | 'GetRewardAccountingActivityTotalsResponse'
  | 'GetRewardAccountingRootHashResponse'
  | 'NodeStatus'
  | 'Status'
  | 'SuccessStatusResponse';
/** The document of 0.7.4 says that parts of an event may be null, the older one leaves them out. */
type ScanNulls = 'EventHistoryItem' | 'EventHistoryResponse';
/** Requests whose members have defaults: the client type demands them, the wire does not. They travel to us only. */
type ScanRequests = 'AcsRequest' | 'HoldingsStateRequest' | 'HoldingsSummaryRequest';
type RegistryRequests = 'GetChoiceContextRequest' | 'GetFactoryRequest';
