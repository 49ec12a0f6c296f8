/**
 * A task for all wallets of a network, with one subject per piece of work. A refused subject waits alone, so that no wallet waits for the
 * funds of another.
 */
import { LedgerError } from '../../../daml/errors/ledger-error.js';
import type { Timestamp } from '../../../daml/model/values.js';
import type { TemplateName } from '../../../network/ledger/active-contracts.js';
import { AppRefusal } from '../../app-refusal.js';
import type { Task } from '../../automation/task.js';
import type { Splice } from '../../splice.js';
import { installedWallets } from '../../validators/wallets.js';
import { WalletRefusal } from '../refusals.js';
import { templateName } from '../templates.js';
import { OperationFailed } from '../treasury.js';
import { Wallet } from '../wallet.js';

export interface Subject {
  readonly wallet: Wallet;
  /** Identifies the subject: a contract id. */
  readonly id: string;
  readonly due: Timestamp;
  /** Whether a subject that may have been archived still exists. */
  readonly isThere?: () => boolean;
}

export interface SubjectTask<S extends Subject> {
  readonly name: string;
  readonly watches: readonly TemplateName[];
  /** The wallets of the task; those of users by default. */
  readonly wallets?: (splice: Splice) => Iterable<Wallet>;
  readonly subjects: (wallet: Wallet) => Iterable<S>;
  /** @throws LedgerError, WalletRefusal, OperationFailed if it cannot be done now */
  readonly act: (subject: S) => void;
}

/** Delay before a refused subject is retried, in microseconds: the polling interval of Splice's triggers. */
const RETRY_AFTER = 30_000_000n;

/** Delay of timed tasks after their due moment, in microseconds, because clocks may differ. */
export const CLOCK_SKEW = 5_000_000n;

export function subjectTask<S extends Subject>(splice: Splice, task: SubjectTask<S>): Task {
  /** The retry times of refused subjects. A revert clears them. */
  const waiting = new Map<string, Timestamp>();
  splice.network.onRevert(() => waiting.clear());
  splice.network.journal.parts.put(`waiting/${task.name}`, {
    saved: () => (waiting.size === 0 ? undefined : [...waiting].sort(byId)),
    restore(content) {
      for (const [id, until] of content as [string, Timestamp][]) waiting.set(id, until);
    },
  });
  const { name, watches, wallets = usersWallets } = task;
  const now = (): Timestamp => splice.network.clock.now();
  const dueOf = ({ id, due }: Subject): Timestamp => {
    const until = waiting.get(id);
    return until !== undefined && until > due ? until : due;
  };
  function* all(): Generator<S, void, undefined> {
    for (const wallet of wallets(splice)) yield* task.subjects(wallet);
  }
  return {
    name,
    watches: [...watches, templateName('install')],
    due() {
      let first: Timestamp | undefined;
      for (const subject of all()) {
        const due = dueOf(subject);
        if (first === undefined || due < first) first = due;
      }
      return first;
    },
    run() {
      for (const subject of [...all()]) {
        if (dueOf(subject) > now() || subject.isThere?.() === false) continue;
        waiting.delete(subject.id);
        try {
          task.act(subject);
        } catch (error) {
          if (!isExpected(error)) throw error;
          waiting.set(subject.id, now() + RETRY_AFTER);
        }
      }
    },
  };
}

const byId = ([one]: [string, Timestamp], [other]: [string, Timestamp]): number =>
  one < other ? -1 : 1;

function isExpected(error: unknown): boolean {
  return (
    error instanceof LedgerError ||
    error instanceof AppRefusal ||
    error instanceof WalletRefusal ||
    error instanceof OperationFailed
  );
}

/** By validator, in the order of installation. Users of one party share a wallet. */
function* usersWallets(splice: Splice): Generator<Wallet, void, undefined> {
  for (const validator of splice.validators) {
    const parties = new Set(installedWallets(validator).map(({ party }) => party));
    for (const party of parties) yield new Wallet(splice, validator, party);
  }
}
