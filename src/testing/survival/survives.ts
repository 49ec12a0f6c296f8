/**
 * Survival as a property: runs an unmodified client under many schedules of faults. It shrinks a schedule that the
 * client does not survive to the few faults that matter. NOTE: the messages are our own, not those of a real system.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import fc, { type Arbitrary } from 'fast-check';
import type { CanticleUrls } from '../../assembly/addresses.js';
import type { Canticle } from '../../assembly/canticle.js';
import { startCanticle } from '../../assembly/start.js';
import type { FaultRule } from '../../network/faults/fault-rule.js';
import type { OperationId } from '../../spec/operation-id.js';
import { SurvivalFailed, type Invariant, type SurvivalOutcome } from './outcome.js';
import { faultSchedules } from './schedules.js';
import { isError } from '../../daml/errors/realms.js';

/** The arguments of a client. */
export interface ClientWorld {
  /** The URLs of each API. */
  readonly urls: CanticleUrls;
  /** The instance itself. */
  readonly canticle: Canticle;
}

/** The schedules to try, and the invariants. */
export interface SurvivalOptions<T> {
  /** The invariants that must hold after each run. */
  readonly invariant: Invariant<T> | readonly Invariant<T>[];
  /** An instance that listens. Each run begins with its state. By default a new instance. */
  readonly canticle?: Canticle;
  /** 100 by default. */
  readonly runs?: number;
  /** Seed of the schedules; 1 by default. */
  readonly seed?: number;
  /** Which faults happen; drawn from all that are common by default. */
  readonly schedules?: Arbitrary<FaultRule[]>;
  /** Milliseconds in which the client must end in any case; 5000 by default. */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT_MS = 5_000;

/**
 * Runs the client under each schedule, from the same state of the ledger.
 * @throws SurvivalFailed for a schedule after which an invariant does not hold
 */
export async function survives<T>(
  client: (world: ClientWorld) => Promise<T>,
  options: SurvivalOptions<T>,
): Promise<void> {
  const { runs = 100, seed = 1, schedules = faultSchedules() } = options;
  const canticle = options.canticle ?? (await startCanticle());
  try {
    const run = (schedule: readonly FaultRule[]) => runUnder(schedule, client, canticle, options);
    const property = fc.asyncProperty(schedules, async (schedule) => {
      const { violations } = await run(schedule);
      if (violations.length > 0) throw new Error(violations.join('\n'));
    });
    const { counterexample, numRuns, numShrinks } = await fc.check(property, {
      numRuns: runs,
      seed,
    });
    if (counterexample === null) return;
    const [shrunk] = counterexample;
    const { requests, violations } = await run(shrunk);
    throw new SurvivalFailed(shrunk, violations, requests, {
      seed,
      run: numRuns,
      shrinks: numShrinks,
    });
  } finally {
    if (options.canticle === undefined) await canticle.close();
  }
}

/** One run; the ledger is as it was before, afterwards. */
async function runUnder<T>(
  schedule: readonly FaultRule[],
  client: (world: ClientWorld) => Promise<T>,
  canticle: Canticle,
  { invariant, timeout = DEFAULT_TIMEOUT_MS }: SurvivalOptions<T>,
): Promise<{ violations: string[]; requests: SurvivalOutcome<T>['requests'] }> {
  const snapshot = canticle.snapshot();
  const since = canticle.requests.lastId + 1;
  const begin = Object.fromEntries(
    canticle.participants.map(({ name, ledgerEnd }) => [name, ledgerEnd]),
  );
  for (const rule of schedule) canticle.faults.add(rule as FaultRule<OperationId>);
  let ended: { result: T } | { error: unknown };
  try {
    ended = await inTime(client({ urls: canticle.urls, canticle }), timeout);
  } catch (error) {
    ended = { error };
  }
  canticle.faults.reset();
  const requests = canticle.requests.list({ since });
  const outcome: SurvivalOutcome<T> = { canticle, schedule, begin, requests, ...ended };
  const violations: string[] = [];
  if ('error' in ended && ended.error === NOT_ENDED)
    violations.push(`The client did not end within ${timeout} ms.`);
  for (const each of [invariant].flat() as Invariant<T>[])
    violations.push(...(await judged(each, outcome)));
  canticle.revert(snapshot);
  return { violations, requests };
}

const NOT_ENDED = new Error('The client did not end.');

async function inTime<T>(running: Promise<T>, timeout: number): Promise<{ result: T }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(NOT_ENDED), timeout);
  });
  try {
    return { result: await Promise.race([running, late]) };
  } finally {
    clearTimeout(timer);
  }
}

async function judged<T>(
  invariant: Invariant<T>,
  outcome: SurvivalOutcome<T>,
): Promise<readonly string[]> {
  try {
    return (await invariant(outcome)) ?? [];
  } catch (error) {
    return [isError(error) ? error.message : String(error)];
  }
}
