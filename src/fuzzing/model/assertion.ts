/** The behaviour of a correct model where a finding shows a bug. Emitted tests assert it after the last step. */
import type { TypeId } from '../../daml/model/types.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord, Party } from '../../daml/model/values.js';

export type Assertion =
  /** The ledger rejects the last step. */
  | { readonly kind: 'rejected' }
  /** The ledger accepts the last step, or rejects it with an error that does not contain this text. */
  | { readonly kind: 'noError'; readonly text: string }
  /** These parties did not see the creation of a contract, which is active. */
  | {
      readonly kind: 'hidden';
      readonly contract: ContractInstance;
      readonly from: readonly Party[];
    }
  /** A Daml script without arguments succeeds. */
  | { readonly kind: 'script'; readonly name: string }
  /** The active contracts of a template have this sum of a field. */
  | {
      readonly kind: 'sum';
      readonly templateId: TypeId;
      /** With dots for a field of a nested record. */
      readonly field: string;
      /** A decimal. */
      readonly sum: string;
      /** Only contracts with these values of fields. */
      readonly where: DamlRecord;
    };
