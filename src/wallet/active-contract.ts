/** An active contract as tests and scenarios see it. */
import { encodeValue } from '../daml/codec/json/codec.js';
import { template as templateOf } from '../daml/model/package.js';
import type { ContractInstance } from '../daml/model/transaction.js';
import type { ContractId, Party } from '../daml/model/values.js';
import type { SynchronizerId } from '../network/ids.js';
import type { Participant } from '../network/participant.js';

/** A contract that is active, as a participant sees it. */
export interface ActiveContract {
  /** Hex, as on the wire. */
  readonly contractId: ContractId;
  /** `package-id:Module:Entity`. */
  readonly templateId: string;
  /** As Ledger API JSON. */
  readonly payload: unknown;
  /** Its contract key, as Ledger API JSON; absent where its template has none. */
  readonly key?: unknown;
  /** Sorted. */
  readonly signatories: readonly Party[];
  /** Those that are no signatories, sorted. */
  readonly observers: readonly Party[];
  /** Where it is assigned. */
  readonly synchronizerId: SynchronizerId;
  /** 0 at creation, one more with each unassignment. */
  readonly reassignmentCounter: number;
}

/** Where a contract is, and what it is. */
export interface Placed {
  readonly contract: ContractInstance;
  readonly synchronizerId: SynchronizerId;
  readonly reassignmentCounter: number;
}

export function activeContract(
  { packages }: Participant,
  { contract, synchronizerId, reassignmentCounter }: Placed,
): ActiveContract {
  const { contractId, templateId, signatories, observers } = contract;
  const template = templateOf(packages, templateId)!;
  const key = contract.key && {
    key: encodeValue(packages, template.key!.type, contract.key.value),
  };
  return {
    contractId,
    templateId,
    payload: encodeValue(packages, template.payloadType, contract.payload),
    ...key,
    // Of its own: those inside are shared by all contracts that have the same.
    signatories: [...signatories],
    observers: [...observers],
    synchronizerId,
    reassignmentCounter,
  };
}
