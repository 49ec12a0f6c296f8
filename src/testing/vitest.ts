/**
 * Canticle for vitest, with or without its globals. {@link useCanticle} starts an instance for a test file and reverts it after each
 * test. Importing this module registers the matchers.
 *
 * @module
 */
import * as vitest from 'vitest';
import type { Canticle } from '../assembly/canticle.js';
import type { Localnet } from '../assembly/localnet/localnet.js';
import { eachInVitest } from './runner/in-vitest.js';
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
import {
  matchers,
  useCanticleIn,
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
export type { Recording };
export type { CanticleMatchers };
export type * from './runner/fuzz-types.js';
export { measure } from './measuring/measure.js';
export type { Measured } from './measuring/measure.js';
export { conserved, invariant, replayDaml, seenOnlyBy } from './runner/fuzz-daml.js';
export type { ExpectedError, Instrument, SeenByOptions, SeenNodes } from './matchers/types.js';

/** With fixtures of `test.extend`, vitest reads from the source of a hook which parts of the context it needs. */
const runner: TestRunner = {
  beforeAll: vitest.beforeAll,
  beforeEach: (action, timeout) => vitest.beforeEach(({ task }) => action({ task }), timeout),
  afterEach: (action, timeout) => vitest.afterEach(({ task }) => action({ task }), timeout),
  afterAll: vitest.afterAll,
  expect: vitest.expect,
};

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-explicit-any, typescript/no-empty-object-type -- as vitest has it
  interface Matchers<T = any> extends CanticleMatchers<void> {}
}

/** Which scripts of a DAR are tests, and how they are called. */
export type DamlTestsOptions = Omit<DamlOptions, 'runner'>;

/** Declares a test for each Daml script of an archive: see canticle/jest. */
export function damlTests(dar: Uint8Array | string, options: DamlTestsOptions = {}): void {
  damlTestsWith(dar, { ...options, runner: vitest });
}

/** Selects the actions of a fuzzed DAR, its start state, its invariants and its budget. */
export type FuzzDamlOptions = Omit<FuzzOptions, 'runner'>;

/** Declares a test for each check and invariant of a fuzzed archive: see canticle/jest. */
export function fuzzDaml(dar: Uint8Array | string, options: FuzzDamlOptions = {}): void {
  fuzzDamlWith(dar, { ...options, runner: vitest });
}

/** The options of `useCanticle`. */
export type UseCanticleOptions = Omit<Options, 'runner'>;

/**
 * Creates an instance for this file, or for this `describe`. It listens from the first `beforeAll` until the end. Calls outside of tests,
 * such as in `beforeAll`, affect all tests.
 */
export const useCanticle = (options: UseCanticleOptions = {}): Canticle =>
  useCanticleIn({ ...options, runner }, eachInVitest(vitest, runner));

/** The options of `useLocalnet`. */
export type UseLocalnetOptions = Omit<LocalnetOptions, 'runner'>;

/** A LocalNet for this file, or for this `describe`, as {@link useCanticle} starts a Canticle. */
export const useLocalnet = (options: UseLocalnetOptions = {}): Localnet =>
  useLocalnetWith({ ...options, runner });

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

vitest.expect.extend(matchers as never);
