/** The parts of a fuzzed run, as plain data: each thread makes the same project from it. */
import type { Budget } from '../../fuzzing/checks/budgets.js';
import type { ProtocolVersion } from '../../network/model/protocol.js';

export interface FuzzSettings {
  /** The DAR, or its name if there are `bytes`. */
  readonly file: string;
  readonly bytes?: Uint8Array;
  /** DARs with further packages, such as setup scripts. */
  readonly dars?: readonly string[];
  readonly cache?: string | false;
  readonly protocolVersion?: ProtocolVersion;
  readonly seed: number;
  /** Names of the packages whose templates are fuzzed; by default the main one, or those it depends on if it has no templates. */
  readonly packages?: readonly string[];
  /** `Module:script`, which makes the start state. */
  readonly setup?: string;
  /** A scenario file, which makes the start state. */
  readonly scenario?: string;
  /** A saved world: the start state. */
  readonly load?: string;
  /** The parties of a start state without contracts. */
  readonly parties?: readonly string[];
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  readonly weights?: Readonly<Record<string, number>>;
  /** Scripts that are actions. */
  readonly actions?: readonly string[];
  /** Checks to leave out, and checks whose notes fail the run. */
  readonly skipChecks?: readonly string[];
  readonly failOn?: readonly string[];
  /** Modules that export invariants. */
  readonly invariants?: readonly string[];
  /** The work and the traffic that one submission may take. */
  readonly budget?: Budget;
  /** The most steps of a sequence. */
  readonly steps?: number;
}

/** The settings do not fit the DAR. */
export class FuzzSettingsError extends Error {
  override readonly name = 'FuzzSettingsError';
}
