/**
 * Canticle in a page or a web worker: {@link createCanticle} creates an instance whose `fetch` answers the JSON APIs. It needs no server
 * and no polyfills.
 *
 * @module
 */
import { assemble } from './assembly/assemble.js';
import { checkCreateOptions } from './assembly/options.js';
import type { CanticleOptions } from './assembly/canticle-options.js';
import { BrowserCanticle } from './browser/browser-canticle.js';
import { checkParts, refuseMissing } from './browser/options.js';
import { loadParts, partsOf, type Part } from './browser/parts.js';

export type { Part };
export type { CanticleOptions };
export { BrowserCanticle };
export { loadParts };
export { ScriptFailed } from './script/failures.js';
export { ExpectationFailed } from './scenario/faults.js';
export { ScenarioError } from './wallet/scenario-error.js';
export { LedgerError, type LedgerErrorDetails } from './daml/errors/ledger-error.js';
export * from './daml/define/index.js';
export { quickstartPackage } from './daml/define/quickstart.js';
export { Numeric, type NumericLike } from './daml/model/numeric.js';
export { some } from './daml/model/values.js';

/** Options of an instance in a browser. */
export interface BrowserOptions extends Omit<
  CanticleOptions,
  'cache' | 'cantonDocuments' | 'fork' | 'scenario' | 'dars' | 'amulet' | 'load'
> {
  /** The bytes of DARs. */
  readonly dars?: readonly Uint8Array[];
  /** The bytes of Amulet's DAR, with the options of {@link CanticleOptions.amulet}. */
  readonly amulet?:
    | Uint8Array
    | (Exclude<CanticleOptions['amulet'], string | Uint8Array | undefined> & {
        readonly dar: Uint8Array;
      });
  /** The bytes of a saved world. */
  readonly load?: Uint8Array;
  /** Parts of the code to load at the start, for synchronous calls. */
  readonly parts?: readonly Part[];
}

/**
 * Creates an instance, after it has loaded the code that its options need.
 * @throws TypeError for unknown options and for files, LedgerError for invalid options, Error if code cannot be loaded
 */
export async function createCanticle({
  parts = [],
  ...options
}: BrowserOptions = {}): Promise<BrowserCanticle> {
  checkParts(parts);
  refuseMissing(options);
  checkCreateOptions(options);
  await loadParts([...partsOf(options), ...parts]);
  const { canticle } = assemble(
    { ...options, cache: false },
    (world, made) => new BrowserCanticle(world, made),
  );
  return canticle;
}
