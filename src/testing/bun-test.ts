/**
 * Canticle for bun:test. {@link useCanticle} starts an instance for a test file and reverts it after each test. Importing this module
 * registers the matchers.
 *
 * @module
 */
import * as runner from 'bun:test';
import type { Canticle } from '../assembly/canticle.js';
import type { Localnet } from '../assembly/localnet/localnet.js';
import { lookAt } from './matchers/instances.js';
import type { CanticleMatchers } from './matchers/types.js';
import {
  damlTests as damlTestsWith,
  type DamlTestsOptions as DamlOptions,
} from './runner/daml-tests.js';
import {
  fuzzDaml as fuzzDamlWith,
  type FuzzDamlOptions as FuzzOptions,
} from './runner/fuzz-daml.js';
import { noting } from './runner/noted-tests.js';
import {
  matchers,
  useCanticle as useCanticleWith,
  type TestRunner,
  type UseCanticleOptions as Options,
} from './runner/use-canticle.js';
import {
  privacySnapshot as privacySnapshotWith,
  type PrivacySnapshotOptions as PrivacyOptions,
} from './measuring/privacy-snapshot.js';
import {
  useLocalnet as useLocalnetWith,
  type UseLocalnetOptions as LocalnetOptions,
} from './runner/use-localnet.js';
import {
  useRecording as useRecordingWith,
  type Recording,
  type UseRecordingOptions as RecordingOptions,
} from './runner/use-recording.js';

export { lookAt, matchers };
export type { CanticleMatchers, Recording };
export type * from './runner/fuzz-types.js';
export { measure } from './measuring/measure.js';
export type { Measured } from './measuring/measure.js';
export { conserved, invariant, replayDaml, seenOnlyBy } from './runner/fuzz-daml.js';
export type { ExpectedError, Instrument, SeenByOptions, SeenNodes } from './matchers/types.js';

declare module 'bun:test' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- as bun has it
  interface Matchers<T> extends CanticleMatchers<void> {}
}

/** Whether the body of a test that {@link test} declared has thrown an error. */
let hasThrown = false;

type Body = (...args: never[]) => unknown;

/** The commonly used part of the type of Bun's `test`. */
export interface BunTest {
  /** @param options milliseconds, or other options of Bun */
  (name: string, body: Body, options?: number | object): void;
  /** The function of Bun. */
  readonly only: BunTest;
  /** The function of Bun. */
  readonly skip: BunTest;
  /** The function of Bun. */
  readonly todo: BunTest;
  /** The function of Bun. */
  readonly failing: BunTest;
  /** The function of Bun. */
  readonly if: (condition: boolean) => BunTest;
  /** The function of Bun. */
  readonly skipIf: (condition: boolean) => BunTest;
  /** The function of Bun. */
  readonly each: (table: readonly unknown[]) => BunTest;
}

const noted = (declare: object): BunTest => noting(declare, () => (hasThrown = true)) as BunTest;

/** Bun's `test`, which also records failures. CANTICLE_KEEP needs them, because Bun's hooks do not receive them. */
export const test: BunTest = noted(runner.test);

/** The same. */
export const it: BunTest = noted(runner.it);

const hooks: TestRunner = {
  beforeAll: runner.beforeAll,
  beforeEach: (action, timeout) =>
    runner.beforeEach(() => {
      hasThrown = false;
      return action();
    }, timeout),
  afterEach: (action, timeout) => runner.afterEach(() => action({ passed: !hasThrown }), timeout),
  afterAll: runner.afterAll,
};

/** Selects the scripts of a DAR, and names their tests. */
export type DamlTestsOptions = Omit<DamlOptions, 'runner'>;

/** Declares a test for each Daml script of an archive: see canticle/jest. */
export function damlTests(dar: Uint8Array | string, options: DamlTestsOptions = {}): void {
  damlTestsWith(dar, { ...options, runner });
}

/** Selects the actions of a fuzzed DAR, its start state, its invariants and its budget. */
export type FuzzDamlOptions = Omit<FuzzOptions, 'runner'>;

/** Declares a test for each check and invariant of a fuzzed archive: see canticle/jest. */
export function fuzzDaml(dar: Uint8Array | string, options: FuzzDamlOptions = {}): void {
  fuzzDamlWith(dar, { ...options, runner });
}

/** The options of `useCanticle`. */
export type UseCanticleOptions = Omit<Options, 'runner'>;

/**
 * Creates an instance for this file, or for this `describe`. It listens from the first `beforeAll` until the end. Calls outside of tests,
 * such as in `beforeAll`, affect all tests.
 */
export const useCanticle = (options: UseCanticleOptions = {}): Canticle =>
  useCanticleWith({ ...options, runner: hooks });

/** The options of `useLocalnet`. */
export type UseLocalnetOptions = Omit<LocalnetOptions, 'runner'>;

/** A LocalNet for this file, or for this `describe`, as {@link useCanticle} starts a Canticle. */
export const useLocalnet = (options: UseLocalnetOptions = {}): Localnet =>
  useLocalnetWith({ ...options, runner: hooks });

/** Options of `privacySnapshot`. */
export type PrivacySnapshotOptions = Omit<PrivacyOptions, 'runner'>;

/** Compares what the parties of this file learn with a snapshot: see canticle/jest. */
export const privacySnapshot = (options: PrivacySnapshotOptions = {}): void =>
  privacySnapshotWith({ ...options, runner });

/** The options of `useRecording`. */
export type UseRecordingOptions = Omit<RecordingOptions, 'runner'>;

/** Answers from a recording instead of live systems in the tests of this file: see canticle/jest. */
export const useRecording = (file: string, options: UseRecordingOptions = {}): Recording =>
  useRecordingWith(file, { ...options, runner });

runner.expect.extend(matchers as never);
