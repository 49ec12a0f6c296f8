/** A script that runs, as the questions see it that it asks. */
import type { DamlException } from '../daml/lf/runtime/exceptions.js';
import type { DamlFailure } from '../daml/model/package.js';
import type { Waiting } from './awaited.js';
import type { Script } from './find-scripts.js';
import type { ScriptLedger } from './ledger.js';
import type { ScriptLibrary } from './library.js';
import type { ScriptPackages } from './packages.js';
import type { PartyHints } from './party-hints.js';

export interface RunningScript {
  readonly script: Script;
  readonly library: ScriptLibrary;
  readonly packages: ScriptPackages;
  readonly ledger: ScriptLedger;
  readonly hints: PartyHints;
  /** 32 bytes for a key that the script generates. */
  nextSecret(): Uint8Array;
  /** A function that gives a script, run. @param converts whether exceptions become failures with a status */
  closure(act: unknown, converts: boolean): Waiting<unknown>;
  /** A value of type `Script a`, run. */
  resolved(script: unknown, converts: boolean): Waiting<unknown>;
  /** What an exception is for whoever looks at failures with a status. */
  failureOf(exception: DamlException): DamlFailure;
}
