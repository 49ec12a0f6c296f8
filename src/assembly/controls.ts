/** What a Canticle is told beside its APIs, in this process: moments, time, faults, synchronizers, migrations, files of its world. */
import { lazy } from '../daml/errors/lazy.js';
import { formatTimestampMicros } from '../daml/model/time.js';
import type { Router } from '../http/routing/router.js';
import type { ChoiceCoverage } from '../network/coverage/choice-coverage.js';
import type { FaultHandler, GivenAnswer } from '../network/faults/fault-rule.js';
import type { FaultHandle, Faults } from '../network/faults/faults.js';
import type { Network } from '../network/network.js';
import { invalidArgument } from '../network/model/request-errors.js';
import type { Simulation } from '../network/simulation/simulation-types.js';
import type { Traced } from '../network/tracing/traced.js';
import type { StepProfile } from '../daml/tracing/step-profile.js';
import type { TransactionTrace } from '../daml/tracing/trace-types.js';
import type { Synchronizer } from '../network/synchronizer.js';
import { durationOf, parseTime, type Duration } from '../network/model/time-texts.js';
import type { OperationId } from '../spec/operation-id.js';
import type { Splice } from '../splice/splice.js';
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

/** Of a whole network. */
export abstract class Controls {
  /** @internal The ledger itself, below the views. NOTE: no public name; it changes as it needs to. */
  abstract readonly network: Network;
  /** @internal The world of the DSO, below its views. NOTE: as of `network`. */
  abstract readonly splice: Splice;
  /** @internal Which operation stands at a path of this instance. NOTE: as of `network`. */
  abstract readonly router: Router;

  /** Remembers this moment, at no cost. @returns its id, for {@link revert} */
  snapshot(): string {
    return this.network.snapshot();
  }

  /**
   * Goes back to a snapshot. It stays valid, later ones do not.
   * @throws LedgerError for a snapshot that was never taken, or that an earlier revert removed
   */
  revert(snapshotId: string): void {
    this.network.revert(snapshotId);
  }

  /**
   * Counts, once it is started, which templates are created and which choices exercised, in transactions that are committed. A
   * revert takes no count back.
   */
  get coverage(): ChoiceCoverage {
    return this.network.coverage;
  }

  /** What a submission did and who saw it: by its update's id, its own, or its refusal. @throws LedgerError where there is none */
  trace(of: Traced): TransactionTrace {
    return traced().traceOf(this.network, of);
  }

  /**
   * What would happen if these were submitted, one on top of the other, or why not. Nothing of it is kept, and ids are those that the
   * same has if it is submitted next. What runs by itself (automation) does not run meanwhile.
   * @param steps a function is told what became of those before it: where a command needs the id of what they made
   * @throws LedgerError INVALID_ARGUMENT for what no Ledger API would read, for an unknown participant, and for a time that has passed
   */
  simulate(steps: Simulated | readonly Simulated[], options: SimulateOptions = {}): Simulation {
    return simulation().simulated(this.network, this.router.apiVersion, steps, options);
  }

  /** Where the steps of a submission went, by the functions of Daml that took them. @throws LedgerError as `trace`, and where no code ran */
  profile(of: Traced): StepProfile {
    return profiled().profileOf(this.network, of);
  }

  /** What goes wrong on purpose: rules to add, to list and to remove, and calls that they hold. A revert takes rules back. */
  get faults(): Faults<OperationId> {
    return this.network.faults;
  }

  /**
   * Answers an operation in place of the network, before any answer that was given earlier: what `handler` returns, or the network
   * where that is nothing.
   * @param operation its id in the API's document, or '*'
   * @throws LedgerError INVALID_ARGUMENT for an operation that there is not
   */
  use(
    operation: OperationId | '*' | readonly (OperationId | '*')[],
    handler: FaultHandler | GivenAnswer,
    { once = false }: { readonly once?: boolean } = {},
  ): FaultHandle {
    const rule = { on: operation, when: once ? { times: 1 } : {}, do: { answer: handler } };
    return this.faults.add({ ...rule, optional: true }, true);
  }

  /** Runs a Daml script, `Module:name`. @returns its result, as its argument Ledger API JSON @throws ScriptFailed */
  runScript<Result = unknown>(name: string, argument?: unknown, options?: ScriptOptions): Result {
    return scripts().runScript(this.network, name, argument, options) as Result;
  }

  /**
   * Goes back to the moment after the start; with `useCanticle`, to where the running test began, or the last one. Later
   * snapshots are forgotten. Where a revert went further back than that, it is the moment that the revert went to.
   */
  reset(): void {
    this.network.reset();
  }

  /**
   * The whole world as the bytes of a file, which the option `load` takes: what follows there is what would follow here, ids too.
   * Snapshots, open streams and the journal of requests are not in it. With `format: 'acs'` a participant's active contracts alone,
   * as Canton exports and imports them.
   * @throws LedgerError while submissions wait for a paused synchronizer, Error for a fault that runs a function
   */
  dump(options?: SaveOptions): Uint8Array {
    return saveWorld().savedBytes(this.network, this.splice, this.router.apiVersion, options);
  }

  /** Writes {@link dump} into a file, whole or not at all. @throws the system's error, with its `code` */
  save(file: string, options?: SaveOptions): void {
    written().writeWorld(file, this.dump(options));
  }

  /** Time of the network: RFC 3339, UTC, microseconds. */
  get time(): string {
    return formatTimestampMicros(this.network.clock.now());
  }

  /** @throws LedgerError for a time that is none, or that has passed */
  setTime(time: string): void {
    this.network.clock.set(parseTime(time));
  }

  /**
   * @param by such as `{ days: 2 }`, `'PT10M'`, or microseconds
   * @throws LedgerError for what is no duration, or goes back
   */
  advanceTime(by: Duration): void {
    this.network.clock.advance(durationOf(by));
  }

  /**
   * Stops sequencing on a synchronizer, as if it were down: what is submitted over HTTP stays in flight, and what is done
   * in-process there is refused.
   * @param name its alias or id; the first where absent
   * @throws LedgerError INVALID_ARGUMENT for an unknown one
   */
  pauseSynchronizer(name?: string): void {
    this.network.pause(this.synchronizer(name));
  }

  /** Sequences what is in flight there, in the order of submission, and goes on. */
  resumeSynchronizer(name?: string): void {
    this.network.resume(this.synchronizer(name));
  }

  private synchronizer(name?: string): Synchronizer {
    const [first] = this.network.synchronizers;
    const found = name === undefined ? first : this.network.synchronizer(name);
    if (found === undefined) throw invalidArgument(`There is no synchronizer ${name}.`);
    return found;
  }

  /** The next migration of the network, at a time and under an id above the running one. */
  scheduleMigration({ time, migrationId }: { time: string; migrationId: number }): void {
    this.network.migrations.schedule({ time: parseTime(time), migrationId });
  }

  /** Takes the scheduled migration back. */
  clearMigrationSchedule(): void {
    this.network.migrations.clear();
  }

  /** Moves the network to the scheduled migration, and time to its moment if that is still to come. */
  carryOutMigration(): void {
    this.network.migrations.carryOut();
  }
}
