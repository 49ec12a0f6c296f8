/** A task of the automation of the DSO or a validator: its next due time, and its action. */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { TemplateName } from '../../network/ledger/active-contracts.js';

export interface Task {
  /** The name of Splice's trigger without `Trigger`, such as `AdvanceOpenMiningRound`; unique. */
  readonly name: string;
  /**
   * Templates on whose contracts `due` depends. After a contract of one is created or archived, `due` is called again. Without templates,
   * `due` is called after every update.
   */
  readonly watches?: readonly TemplateName[];
  /**
   * For a task whose contracts each have their own due moment: the due moment of a newly created contract. It avoids calls of {@link due}
   * for each update: `due` is called only once the first of these moments has come.
   */
  dueOf?(contract: ContractInstance): Timestamp | undefined;
  /**
   * The moment from which the task has work, in the past or in the future; undefined if there is no work. It depends on contracts, not on
   * the clock.
   */
  due(): Timestamp | undefined;
  /**
   * Does all work that is due now, if there is any. If the ledger refuses any of it, the task throws, nothing is done, and it is retried
   * later.
   */
  run(): void;
}
