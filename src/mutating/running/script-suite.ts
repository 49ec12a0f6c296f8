/** Runs scripts against mutants. Each run starts on a new ledger, so that its outcome depends only on the mutant and the script. */
import { isError } from '../../daml/errors/realms.js';
import type { DarPackage } from '../../daml/dar/dar-package.js';
import { sha256Hex } from '../../daml/model/hash.js';
import type { Interpretation } from '../../daml/model/transaction.js';
import { scriptName, type Script } from '../../script/find-scripts.js';
import type { ScriptPackages } from '../../script/packages.js';
import { testScript } from '../../script/test-script.js';
import type { Mutation } from '../mutation.js';
import { StepBudget, stepLimit } from './step-budget.js';
import { oneLine, type Verdict } from './verdict.js';

/** A shorter script counts as this long. */
const LEAST_STEPS = 10_000;

/** A script with the original code. */
export interface ScriptFacts {
  readonly name: string;
  /** Why it fails; undefined if it succeeds. */
  readonly failure: string | undefined;
  readonly steps: number;
  /** The numbers of the mutants that it reaches. */
  readonly reached: readonly number[];
  /** The numbers of those that can change its outcome. With the others, all values stay the same. */
  readonly affected: readonly number[];
  /** A hash of its transactions. */
  readonly effect: string;
}

/** A script that a mutant runs with, and its facts. */
export interface ScriptOrder {
  readonly index: number;
  readonly steps: number;
  readonly effect: string;
}

interface Ran {
  readonly failure: string | undefined;
  readonly steps: number;
  readonly isExceeded: boolean;
  readonly effect: () => string;
}

export class ScriptSuite {
  /** @param affected the packages with mutants, and those that refer to them */
  constructor(
    private readonly packages: ScriptPackages,
    private readonly affected: readonly DarPackage[],
    private readonly mutation: Mutation,
    readonly scripts: readonly Script[],
    private readonly seed: number,
  ) {}

  /** Runs a script with the original code. */
  facts(index: number): ScriptFacts {
    const { selector } = this.mutation;
    selector.reached.length = 0;
    selector.differs.length = 0;
    selector.unfinished.length = 0;
    const { failure, steps, effect } = this.run(index, -1, Infinity);
    const reaches = this.mutation.mutants.filter(({ place }) => selector.reached[place]);
    const affects = reaches.filter((each) => this.mutation.mayChange(each));
    return {
      ...{ name: scriptName(this.scripts[index]!), failure, steps, effect: effect() },
      reached: reaches.map(({ number }) => number),
      affected: affects.map(({ number }) => number),
    };
  }

  /**
   * Runs the scripts in this order, up to the first that fails.
   * @param number of the mutant
   * @param orders at least one
   */
  judge(number: number, orders: readonly ScriptOrder[]): Verdict {
    let changed = false;
    for (const { index, steps, effect: original } of orders) {
      const limit = stepLimit(steps, LEAST_STEPS);
      const { failure, isExceeded, effect } = this.run(index, number, limit);
      const by = scriptName(this.scripts[index]!);
      if (isExceeded) return { status: 'timeout', by };
      if (failure !== undefined) return { status: 'killed', by, reason: failure };
      changed ||= effect() !== original;
    }
    return { status: changed ? 'survived' : 'undecided' };
  }

  private run(index: number, mutant: number, limit: number): Ran {
    const budget = new StepBudget(limit);
    const transactions: Interpretation[] = [];
    for (const each of this.affected) each.forgetConstants();
    this.mutation.selector.at = mutant;
    try {
      const { failure } = testScript(this.packages, this.scripts[index]!, {
        seed: this.seed,
        deadline: budget.deadline,
        onCommit: (transaction) => transactions.push(transaction),
      });
      return this.ran(budget, transactions, failure && oneLine(failure.message));
    } catch (error) {
      // Values that no Daml code could make, such as negative lengths, can end in an error of this program.
      if (!isError(error)) throw error;
      return this.ran(budget, transactions, oneLine(error.message));
    } finally {
      this.mutation.selector.at = 0;
    }
  }

  private ran(
    { used: steps, isExceeded }: StepBudget,
    transactions: readonly Interpretation[],
    failure: string | undefined,
  ): Ran {
    return { failure, steps, isExceeded, effect: () => hashOf(transactions) };
  }
}

const hashOf = (transactions: readonly Interpretation[]): string =>
  sha256Hex(JSON.stringify(transactions, plain));

/** Values that JSON has no form for. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  const isCollection = typeof value === 'object' && value !== null && Symbol.iterator in value;
  return isCollection ? [...(value as Iterable<unknown>)] : value;
}
