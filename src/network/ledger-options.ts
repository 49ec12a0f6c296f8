/** The options of the shared state of a network. */
import type { Deadline } from '../daml/interpreter/input.js';
import type { WallClock } from './journal/clock.js';
import type { ProtocolVersion } from './model/protocol.js';
import type { Timestamp } from './model/ids.js';
import type { SynchronizerOptions } from './synchronizer.js';

export interface LedgerOptions {
  /** The same seed and the same calls give the same bytes. 0 by default. */
  readonly seed?: number;
  /** The start of the virtual clock, in microseconds; 2026-01-01T00:00:00Z by default. */
  readonly start?: Timestamp;
  /** Makes the clock follow this one. */
  readonly wallClock?: WallClock;
  /** One synchronizer `global` by default. Splice's contracts are on the first one. */
  readonly synchronizers?: readonly SynchronizerOptions[];
  /** The protocol version of synchronizers without their own; 35 by default. */
  readonly protocolVersion?: ProtocolVersion;
  /** Whether traffic has a cost. By default false: every cost is 0. */
  readonly trafficControl?: boolean;
  /** Whether participants have offsets without an update, as real ones do; false by default. */
  readonly offsetGaps?: boolean;
  /** How long the code of a transaction may run; if absent, only its steps are limited. */
  readonly deadline?: Deadline;
}
