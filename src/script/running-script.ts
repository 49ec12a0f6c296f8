/** The running script, as its questions see it. */
import type { DamlException } from '../daml/lf/runtime/exceptions.js';
import type { DamlFailure } from '../daml/model/package.js';
import type { Waiting } from './awaited.js';
import type { Script } from './find-scripts.js';
import type { ScriptLedger } from './ledger.js';
import type { ScriptLibrary } from './library/library.js';
import type { ScriptPackages } from './packages.js';
import type { PartyHints } from './party-hints.js';

export interface RunningScript {
  readonly script: Script;
  /** The library of the current question. */
  readonly library: ScriptLibrary;
  readonly packages: ScriptPackages;
  readonly ledger: ScriptLedger;
  readonly hints: PartyHints;
  /** 32 bytes for a key that the script generates. */
  nextSecret(): Uint8Array;
  /** Runs the script that a function returns. @param converts whether exceptions become failures with a status */
  closure(act: unknown, converts: boolean): Waiting<unknown>;
  /** Runs a value of type `Script a`. */
  resolved(script: unknown, converts: boolean): Waiting<unknown>;
  /** The failure with a status for an exception. */
  failureOf(exception: DamlException): DamlFailure;
}
