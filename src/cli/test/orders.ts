/** The messages between the threads of `canticle test`. */
import type { MessagePort } from 'node:worker_threads';
import type { CoverageReport } from '../../network/coverage/coverage-report.js';
import type { CaseFlags, DarFacts } from './dar-tests.js';
import type { ScriptReport } from './tested-dar.js';

export interface WorkerSetting {
  readonly port: MessagePort;
  /** Of the queue. */
  readonly memory: SharedArrayBuffer;
  readonly flags: CaseFlags;
}

export interface DarOrder {
  readonly kind: 'dar';
  readonly file: string;
  readonly facts: DarFacts;
  /** Number of its first case. */
  readonly first: number;
}

/**
 * `coverage` is sent after the last outcome. `keep` asks a thread to write the compiled code; one thread runs at a
 * time.
 */
export type Order = DarOrder | { readonly kind: 'coverage' } | { readonly kind: 'keep' };

/** The coverage of a DAR in one thread. `first` is the number of the DAR's first case. */
export interface DarCoverage {
  readonly first: number;
  readonly coverage: CoverageReport;
}

export type WorkerMessage =
  | { readonly kind: 'script'; readonly number: number; readonly outcome: ScriptReport }
  | { readonly kind: 'coverage'; readonly coverage: readonly DarCoverage[] }
  | { readonly kind: 'kept' };
