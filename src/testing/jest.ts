/**
 * Canticle for jest. {@link useCanticle} starts an instance for a test file and reverts it after each test. Importing this module
 * registers the matchers.
 *
 * @module
 */
import { extendGlobalExpect, matchers } from './runner/use-canticle.js';
import { lookAt } from './matchers/instances.js';
import type { CanticleMatchers } from './matchers/types.js';

export { lookAt, matchers };
export { damlTests } from './runner/daml-tests.js';
export type { DamlTestsOptions } from './runner/daml-tests.js';
export { measure } from './measuring/measure.js';
export type { Measured } from './measuring/measure.js';
export { conserved, fuzzDaml, invariant, replayDaml, seenOnlyBy } from './runner/fuzz-daml.js';
export type { FuzzDamlOptions } from './runner/fuzz-daml.js';
export type * from './runner/fuzz-types.js';
export { privacySnapshot } from './measuring/privacy-snapshot.js';
export type { PrivacySnapshotOptions } from './measuring/privacy-snapshot.js';
export { useCanticle } from './runner/use-canticle.js';
export { useLocalnet } from './runner/use-localnet.js';
export { useRecording } from './runner/use-recording.js';
export type { Recording, UseRecordingOptions } from './runner/use-recording.js';
export type { TestRunner, UseCanticleOptions } from './runner/use-canticle.js';
export type { UseLocalnetOptions } from './runner/use-localnet.js';
export type { CanticleMatchers };
export type { ExpectedError, Instrument, SeenByOptions, SeenNodes } from './matchers/types.js';

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- where jest's own types are extended
  namespace jest {
    // oxlint-disable-next-line typescript/no-empty-object-type -- as jest has it
    interface Matchers<R, T = {}> extends CanticleMatchers<R> {}
  }
}

declare module 'expect' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- as jest has it
  interface Matchers<R extends void | Promise<void>, T = unknown> extends CanticleMatchers<R> {}
}

extendGlobalExpect();
