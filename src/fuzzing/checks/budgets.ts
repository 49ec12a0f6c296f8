/** Submissions that take more work or more traffic than a budget. */
import type { Transaction } from '../../daml/model/transaction.js';
import type { DamlValue } from '../../daml/model/values.js';
import type { Check, Finding } from '../model/finding.js';
import type { Submitted } from '../model/outcome.js';
import type { LedgerState } from '../model/state.js';
import { leavesOf } from '../model/scalars.js';
import { actionsIn } from './nodes.js';
import { commandName, crashOf, failingPlace } from './failures.js';
import { trafficOf } from './traffic.js';

export interface Budget {
  /** Steps of the Daml machine for one submission; 10 million by default, about a second of a participant. */
  readonly steps?: number;
  /**
   * Bytes of traffic for one transaction, as a synchronizer charges them if each party has its own participant. By
   * default, the bytes of its values are counted instead, which takes less time, and 1 MB is the most.
   */
  readonly bytes?: number;
}

const DEFAULT_STEPS = 10_000_000;
/** 10% of the size that a sequencer accepts. */
const DEFAULT_VALUES = 1_000_000;

const STEPS = 'step-budget';
const BYTES = 'traffic-budget';

const overBudget = (
  name: string,
  summary: string,
  judge: (
    submitted: Submitted,
    state: LedgerState,
  ) => readonly [place: string, message: string] | undefined,
): Check => ({
  name,
  summary,
  start: () => ({
    *afterStep({ submitted }, state): Generator<Finding> {
      for (const each of submitted) {
        const [place, message] = judge(each, state) ?? [];
        if (place !== undefined)
          yield {
            check: name,
            place,
            message: `${place} ${message}`,
            assertion: { kind: 'rejected' },
          };
      }
    },
  }),
});

export const stepBudget = ({ steps = DEFAULT_STEPS }: Budget): Check =>
  overBudget(STEPS, `A submission that takes more than ${steps} steps.`, (submitted) => {
    const { work, error, submission } = submitted;
    const isStopped = error !== undefined && crashOf(error) === 'time';
    if (work <= steps && !isStopped) return undefined;
    const place = isStopped ? failingPlace(error, submission.commands[0]) : commandsOf(submitted);
    return [
      place,
      `takes ${work} steps${isStopped ? ', and is stopped' : ''}. The budget is ${steps}.`,
    ];
  });

/** Transactions with fewer steps and nodes are not measured, because their values are small. */
const SMALL = { work: 1_000, nodes: 10 };

export const trafficBudget = ({ bytes }: Budget): Check =>
  bytes === undefined ? valueBudget : paidBudget(bytes);

const paidBudget = (bytes: number): Check =>
  overBudget(
    BYTES,
    `A transaction that costs more than ${bytes} bytes of traffic.`,
    (submitted, state) => {
      const { submission, transaction } = submitted;
      if (transaction === undefined) return undefined;
      const cost = trafficOf(submission, transaction, state);
      if (cost <= bytes) return undefined;
      return [commandsOf(submitted), `costs ${cost} bytes of traffic. The budget is ${bytes}.`];
    },
  );

const valueBudget: Check = overBudget(
  BYTES,
  `A transaction whose values have more than ${DEFAULT_VALUES} bytes.`,
  (submitted) => {
    const { transaction, work } = submitted;
    if (transaction === undefined) return undefined;
    if (work < SMALL.work && transaction.nodes.length < SMALL.nodes) return undefined;
    const size = sizeOf(transaction);
    if (size <= DEFAULT_VALUES) return undefined;
    return [
      commandsOf(submitted),
      `creates a transaction of ${size} bytes. The budget is ${DEFAULT_VALUES}.`,
    ];
  },
);

const commandsOf = ({ submission }: Submitted): string =>
  submission.commands.map(commandName).join(', ');

function sizeOf(transaction: Transaction): number {
  let size = 0;
  for (const node of actionsIn(transaction)) {
    if (node.kind === 'create') size += bytesOf(node.contract.payload);
    else if (node.kind === 'exercise')
      size += bytesOf(node.argument) + bytesOf(node.result ?? null);
  }
  return size;
}

/** A text takes a byte for each character, and another value up to eight bytes. */
function bytesOf(value: DamlValue): number {
  let size = 0;
  for (const leaf of leavesOf(value)) size += typeof leaf === 'string' ? 2 + leaf.length : 10;
  return size;
}
