/** The controls in this process, which no real network has: snapshots, time, faults, synchronizers, migrations, saved worlds. */
import { lazy } from '../daml/errors/lazy.js';
import { formatTimestampMicros } from '../daml/model/time.js';
import type { Router } from '../http/routing/router.js';
import type { Releases } from '../spec/releases/releases.js';
import type { ChoiceCoverage } from '../network/coverage/choice-coverage.js';
import type { FaultHandler, GivenAnswer } from '../network/faults/fault-rule.js';
import type { FaultHandle, Faults } from '../network/faults/faults.js';
import type { Network } from '../network/network.js';
import { invalidArgument } from '../network/model/request-errors.js';
import type { Simulation } from '../network/simulation/simulation-types.js';
import type { Traced } from '../network/tracing/traced.js';
import type { StepProfile } from '../daml/tracing/step-profile.js';
import type { TransactionTrace } from '../daml/tracing/trace-types.js';
import { noSynchronizer, type Synchronizer } from '../network/synchronizer.js';
import { durationOf, parseTime, type Duration } from '../network/model/time-texts.js';
import type { OperationId } from '../spec/operation-id.js';
import type { Splice } from '../splice/splice.js';
import type { Pqs } from '../pqs/databases.js';
import type { PqsHolder } from './pqs/pqs-holder.js';
import type { ScriptOptions } from './run-script.js';
import type { Simulated, SimulateOptions } from './simulation.js';
import type { SaveOptions } from './worlds/save-world.js';
import type * as Profiled from '../network/tracing/profiled.js';
import type * as TracedModule from '../network/tracing/traced.js';
import type * as Scripts from './run-script.js';
import type * as SimulationModule from './simulation.js';
import type * as SaveWorld from './worlds/save-world.js';
import type * as Written from './worlds/write-world.js';

const profiled = lazy(() => require('../network/tracing/profiled.js') as typeof Profiled);
const traced = lazy(() => require('../network/tracing/traced.js') as typeof TracedModule);
const scripts = lazy(() => require('./run-script.js') as typeof Scripts);
const simulation = lazy(() => require('./simulation.js') as typeof SimulationModule);
const saveWorld = lazy(() => require('./worlds/save-world.js') as typeof SaveWorld);
const written = lazy(() => require('./worlds/write-world.js') as typeof Written);

/** The controls of a whole network. */
export abstract class Controls {
  /** @internal The ledger below the views. NOTE: not public, may change at any time. */
  abstract readonly network: Network;
  /** @internal The world of the DSO, below its views. NOTE: as for `network`. */
  abstract readonly splice: Splice;
  /** @internal Finds the operation for a path. NOTE: as for `network`. */
  abstract readonly router: Router;
  /** @internal NOTE: as for `network`. */
  abstract readonly releases: Releases;

  protected abstract readonly sql: PqsHolder;

  /** SQL over the ledger, as PQS provides it. @throws Error without the option `pqs` */
  get pqs(): Pqs {
    return this.sql.databases;
  }

  /** The URL of each database of {@link pqs}, by its name: `postgres://user:password@host:port/name`. Without a port, none. */
  get sqlApis(): Readonly<Record<string, string>> {
    return this.sql.urls;
  }

  /** Takes a snapshot, in constant time. @returns its id, for {@link revert} */
  snapshot(): string {
    return this.network.snapshot();
  }

  /**
   * Reverts to a snapshot. It stays valid, later ones do not.
   * @throws LedgerError for a snapshot that was never taken, or that an earlier revert removed
   */
  revert(snapshotId: string): void {
    this.network.revert(snapshotId);
  }

  /**
   * After its start, counts the created templates and exercised choices of committed transactions. A revert does not change the counts.
   */
  get coverage(): ChoiceCoverage {
    return this.network.coverage;
  }

  /** The trace of a submission, by the id of its update, its own id, or its error. @throws LedgerError if none is found */
  trace(of: Traced): TransactionTrace {
    return traced().traceOf(this.network, of);
  }

  /**
   * Simulates submissions, each on top of the earlier ones. Nothing is committed. A submission that you submit next has the same ids.
   * Automation does not run in a simulation.
   * @param steps a function receives the results of the earlier steps, for commands that need the id of a new contract
   * @throws LedgerError INVALID_ARGUMENT for invalid commands, an unknown participant, and a time in the past
   */
  simulate(steps: Simulated | readonly Simulated[], options: SimulateOptions = {}): Simulation {
    return simulation().simulated(this.network, this.releases, steps, options);
  }

  /** The interpretation steps of a submission, by Daml function. @throws LedgerError as `trace`, and if no code ran */
  profile(of: Traced): StepProfile {
    return profiled().profileOf(this.network, of);
  }

  /** Injected faults: add, list and remove rules, and release the calls that they hold. A revert restores the rules. */
  get faults(): Faults<OperationId> {
    return this.network.faults;
  }

  /**
   * Answers an operation instead of the network, before earlier handlers: with the value that `handler` returns, or with the answer of
   * the network if it returns undefined.
   * @param operation its id in the API's document, or '*'
   * @throws LedgerError INVALID_ARGUMENT for an unknown operation
   */
  use(
    operation: OperationId | '*' | readonly (OperationId | '*')[],
    handler: FaultHandler | GivenAnswer,
    { once = false }: { readonly once?: boolean } = {},
  ): FaultHandle {
    const rule = { on: operation, when: once ? { times: 1 } : {}, do: { answer: handler } };
    return this.faults.add({ ...rule, optional: true }, true);
  }

  /** Runs a Daml script, `Module:name`. Its argument and result are Ledger API JSON. @throws ScriptFailed */
  runScript<Result = unknown>(name: string, argument?: unknown, options?: ScriptOptions): Result {
    return scripts().runScript(this.network, name, argument, options) as Result;
  }

  /**
   * Reverts to the moment after the start; with `useCanticle`, to the start of the running or last test. Later snapshots become invalid.
   * If an earlier revert went further back, it reverts to the moment of that revert.
   */
  reset(): void {
    this.network.reset();
  }

  /**
   * The whole world as the bytes of a file for the option `load`. A loaded world continues as this one would, with the same ids. The file
   * has no snapshots, open streams or request journal. With `format: 'acs'` it has only a participant's active contracts, in the format
   * in which Canton exports and imports them.
   * @throws LedgerError while submissions wait for a paused synchronizer, Error for a fault that runs a function
   */
  dump(options?: SaveOptions): Uint8Array {
    return saveWorld().savedBytes(this.network, this.splice, this.releases, options);
  }

  /** Writes {@link dump} to a file, completely or not at all. @throws the system's error, with its `code` */
  save(file: string, options?: SaveOptions): void {
    written().writeWorld(file, this.dump(options));
  }

  /** The ledger time: RFC 3339, UTC, microseconds. */
  get time(): string {
    return formatTimestampMicros(this.network.clock.now());
  }

  /** @throws LedgerError for an invalid time, or one in the past */
  setTime(time: string): void {
    this.network.clock.set(parseTime(time));
  }

  /**
   * @param by such as `{ days: 2 }`, `'PT10M'`, or microseconds
   * @throws LedgerError for an invalid or negative duration
   */
  advanceTime(by: Duration): void {
    this.network.clock.advance(durationOf(by));
  }

  /**
   * Stops sequencing on a synchronizer, as if it were down. HTTP submissions stay in flight, and in-process submissions fail.
   * @param name its alias or id; the first one if undefined
   * @throws LedgerError INVALID_ARGUMENT for an unknown one
   */
  pauseSynchronizer(name?: string): void {
    this.network.pause(this.synchronizer(name));
  }

  /** Sequences the submissions in flight, in their order, and continues. */
  resumeSynchronizer(name?: string): void {
    this.network.resume(this.synchronizer(name));
  }

  private synchronizer(name?: string): Synchronizer {
    const [first] = this.network.synchronizers;
    const found = name === undefined ? first : this.network.synchronizer(name);
    if (found === undefined)
      throw invalidArgument(noSynchronizer(String(name), this.network.synchronizers));
    return found;
  }

  /** Schedules the next migration of the network, with an id above the current one. */
  scheduleMigration({ time, migrationId }: { time: string; migrationId: number }): void {
    this.network.migrations.schedule({ time: parseTime(time), migrationId });
  }

  /** Cancels the scheduled migration. */
  clearMigrationSchedule(): void {
    this.network.migrations.clear();
  }

  /** Migrates the network as scheduled. If the scheduled time is in the future, moves the time there. */
  carryOutMigration(): void {
    this.network.migrations.carryOut();
  }
}
