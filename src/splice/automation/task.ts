/** Something that the DSO or a validator does by itself: when it is next due, and how it is done. */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { TemplateName } from '../../network/ledger/active-contracts.js';

export interface Task {
  /** As Splice calls its trigger, without `Trigger`: `AdvanceOpenMiningRound`. One task has it. */
  readonly name: string;
  /**
   * Templates on whose contracts it depends when this is due. It is asked again once one of these is created or archived; without any,
   * after every update.
   */
  readonly watches?: readonly TemplateName[];
  /**
   * For tasks that are due at the first of many contracts' own moments: that of one that was created. Then all are asked again, by
   * {@link due}, only once the first of these moments has come, however many come and go.
   */
  dueOf?(contract: ContractInstance): Timestamp | undefined;
  /**
   * The moment from which there is something to do, past or to come; undefined as long as there is nothing. It looks at contracts, not at
   * the clock.
   */
  due(): Timestamp | undefined;
  /** Does what is due now; nothing where nothing is. All of it, or none where the ledger refuses it: what it throws is tried again later. */
  run(): void;
}
