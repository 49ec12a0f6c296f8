/** An active contract as tests and scenarios see it. */
import { encodeValue } from '../daml/codec/json/codec.js';
import { template as templateOf } from '../daml/model/package.js';
import type { ContractInstance } from '../daml/model/transaction.js';
import type { ContractId, Party } from '../daml/model/values.js';
import type { SynchronizerId } from '../network/model/ids.js';
import type { Participant } from '../network/participant.js';

/** A contract that is active, as a participant sees it. */
export interface ActiveContract {
  /** Hexadecimal, as in the Ledger API. */
  readonly contractId: ContractId;
  /** `package-id:Module:Entity`. */
  readonly templateId: string;
  /** As Ledger API JSON. */
  readonly payload: unknown;
  /** The contract key as Ledger API JSON; absent if the template has no key. */
  readonly key?: unknown;
  /** Sorted. */
  readonly signatories: readonly Party[];
  /** Observers that are not signatories, sorted. */
  readonly observers: readonly Party[];
  /** The synchronizer that it is assigned to. */
  readonly synchronizerId: SynchronizerId;
  /** 0 at creation, plus 1 with each unassignment. */
  readonly reassignmentCounter: number;
}

/** A contract and its assignment. */
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
    // Copies, because contracts share equal lists inside the network.
    signatories: [...signatories],
    observers: [...observers],
    synchronizerId,
    reassignmentCounter,
  };
}
