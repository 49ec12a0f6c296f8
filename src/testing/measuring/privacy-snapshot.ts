/** Compares what the parties of a test file learn with a snapshot. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Canticle } from '../../assembly/canticle.js';
import { currentTest } from '../../assembly/rehearsal/current-test.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { lazy } from '../../daml/errors/lazy.js';
import type * as Records from '../../network/privacy/privacy-record.js';
import type * as Snapshots from '../../network/privacy/privacy-snapshot.js';
import { knownInstances } from '../matchers/instances.js';
import { globalRunner, type TestRunner } from '../runner/use-canticle.js';

// Few tests use them.
const records = lazy(() => require('../../network/privacy/privacy-record.js') as typeof Records);
const snapshots = lazy(
  () => require('../../network/privacy/privacy-snapshot.js') as typeof Snapshots,
);

/** Options of {@link privacySnapshot}. */
export interface PrivacySnapshotOptions {
  /** The instance. By default, the newest one of the file. */
  readonly canticle?: Canticle;
  /**
   * The path of the snapshot. By default, `__snapshots__/FILE.privacy.snap` in the folder of the test file, whose path jest and
   * vitest know.
   */
  readonly file?: string;
  /** Whether to write what the run shows. By default, as jest and vitest do with `-u`. */
  readonly update?: boolean;
  /** Required if the hooks are not global: `import * as runner from '@jest/globals'`. */
  readonly runner?: TestRunner;
}

interface ExpectState {
  readonly testPath?: string;
  readonly snapshotState?: { readonly _updateSnapshot?: string };
}

/**
 * Records who learns what of each template and choice, from now to the end of the file, and compares it with a snapshot
 * then. The first run writes the snapshot. The file fails if a party learns more. Call it after `useCanticle`.
 */
export function privacySnapshot(options: PrivacySnapshotOptions = {}): void {
  const { runner } = options;
  const { canticle = knownInstances()[0]! } = options;
  const { PrivacyRecord } = records();
  const record = new PrivacyRecord({ test: () => currentTest()?.title });
  record.watch(canticle.network);
  (runner ?? globalRunner()).afterAll(() => {
    const { comparePrivacy, parsePrivacySnapshot, privacyChangesText, ...others } = snapshots();
    const state = stateOf(runner);
    const path = options.file ?? pathOf(state);
    const update = options.update ?? state.snapshotState?._updateSnapshot === 'all';
    const report = record.report();
    if (update || !existsSync(path)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, others.privacySnapshot(report));
      return;
    }
    const changes = comparePrivacy(parsePrivacySnapshot(readFileSync(path, 'utf8')), report);
    if (changes.more.length === 0) return;
    const text = privacyChangesText({ ...changes, less: [] });
    throw withCallerStack(
      new Error(
        `A party learns more than in ${path}:\n\n${text}\nIf this is intended, update the snapshot with -u or with update: true.`,
      ),
    );
  });
}

function stateOf(runner: TestRunner | undefined): ExpectState {
  const { expect = (globalThis as { readonly expect?: object }).expect } = runner ?? {};
  return (expect as { getState?(): ExpectState } | undefined)?.getState?.() ?? {};
}

function pathOf({ testPath }: ExpectState): string {
  if (testPath === undefined)
    throw withCallerStack(
      new TypeError(
        "Failed to find the privacy snapshot: this test runner does not name the test file. Pass its path: privacySnapshot({ file: 'privacy.snap' }).",
      ),
    );
  return join(dirname(testPath), '__snapshots__', `${basename(testPath)}.privacy.snap`);
}
