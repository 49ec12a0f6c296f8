/**
 * Simulates steps: it submits each one as usual, describes the result, and finally reverts everything. Each step sees
 * the earlier ones. Automation and due assignments do not run in the meantime, and listeners are not called.
 */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { SubmissionExplanation } from '../../daml/explanation/explanation.js';
import { formatTimestampMicros } from '../../daml/model/time.js';
import { submit } from '../commands/submit.js';
import type { SubmissionResult } from '../ledger/in-flight.js';
import type { Network } from '../network.js';
import type { Participant } from '../participant.js';
import type { Submission } from '../submission/submission.js';
import { paidTrafficCost } from '../traffic/update-cost.js';
import { findTrace } from '../tracing/traced.js';
import { traceOfUpdate } from '../tracing/traces.js';
import type { Timestamp } from '../model/ids.js';
import type { TransactionUpdate } from '../model/updates.js';
import { overrideContract, type ContractOverride } from './overrides.js';
import { effectsOf, missingIn, NO_EFFECTS } from './effects.js';
import {
  SIMULATION_VERSION,
  type SimulatedRefusal,
  type SimulatedStep,
  type Simulation,
} from './simulation-types.js';

/** A step before it runs. */
export interface StepToSimulate {
  readonly participant: Participant;
  readonly actAs: readonly string[];
  readonly readAs: readonly string[];
  /** Advances time to this moment first. */
  readonly time?: Timestamp | undefined;
  /**
   * Reads the submission after the earlier steps.
   * @throws LedgerError, which rejects the step
   */
  readonly submission: () => Submission;
}

export interface SimulationOptions {
  /** Contracts to change before the first step. */
  readonly contracts?: readonly ContractOverride[] | undefined;
  /** Whether steps carry their traces; true by default. */
  readonly trace?: boolean | undefined;
}

/** @param next returns the next step from the results of the earlier ones; undefined ends the simulation */
export function simulate(
  network: Network,
  next: (done: readonly SimulatedStep[]) => StepToSimulate | undefined,
  options: SimulationOptions = {},
): Simulation {
  const { requestNumbers, journal, clock } = network;
  const time = formatTimestampMicros(clock.now());
  const { mark } = requestNumbers;
  try {
    const steps = journal.rehearse(() => run(network, next, options));
    return {
      version: SIMULATION_VERSION,
      outcome: steps.at(-1)?.outcome ?? 'accepted',
      time,
      steps,
    };
  } finally {
    requestNumbers.goBackTo(mark);
  }
}

function run(
  network: Network,
  next: (done: readonly SimulatedStep[]) => StepToSimulate | undefined,
  options: SimulationOptions,
): readonly SimulatedStep[] {
  for (const each of options.contracts ?? []) overrideContract(network, each);
  const done: SimulatedStep[] = [];
  while (done.at(-1)?.outcome !== 'refused') {
    const step = next(done);
    if (step === undefined) break;
    done.push(new Trial(network, step, options).outcome());
  }
  return done;
}

type StepResult = Omit<SimulatedStep, 'participant' | 'actAs' | 'readAs'>;

/** One step. */
class Trial {
  constructor(
    private readonly network: Network,
    private readonly step: StepToSimulate,
    private readonly options: SimulationOptions,
  ) {}

  outcome(): SimulatedStep {
    const { participant, actAs, readAs } = this.step;
    return { participant: participant.name, actAs, readAs, ...this.stepResult() };
  }

  private stepResult(): StepResult {
    const { network, step } = this;
    if (step.time !== undefined) network.clock.pretend(step.time);
    const first = network.nextSequence;
    let result: SubmissionResult<TransactionUpdate>;
    try {
      result = submit(step.participant, step.submission());
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      return this.refused(error);
    }
    if (result.kind === 'rejected') return this.refused(result.error);
    if (result.kind === 'inFlight')
      return {
        ...this.nothing(),
        outcome: 'waiting',
        synchronizerId: result.pending.synchronizerId,
      };
    return this.accepted(result.update, first);
  }

  private accepted(update: TransactionUpdate, first: number): StepResult {
    const { network, options } = this;
    const { synchronizerId, effectiveAt } = update;
    const trace = { ...traceOfUpdate(network, update), outcome: 'simulated' } as const;
    const bytes = paidTrafficCost(this.step.participant, update);
    const left = this.availableAfter(update);
    return {
      outcome: 'accepted',
      time: formatTimestampMicros(effectiveAt),
      synchronizerId,
      ...effectsOf(trace),
      moved: this.movedSince(first),
      missing: [],
      cost: { bytes, ...(left !== undefined && { available: left + bytes }) },
      ...(options.trace !== false && { trace }),
    };
  }

  /** Undefined if traffic is not metered. */
  private availableAfter({ synchronizerId }: TransactionUpdate): number | undefined {
    const state = this.network.traffic.state(synchronizerId, this.step.participant.id);
    return state && state.purchased - state.consumed + state.baseRemainder;
  }

  private movedSince(first: number): SimulatedStep['moved'] {
    const { updates } = this.network;
    const from = updates.firstIndex(({ sequence }) => sequence >= first);
    const moved: SimulatedStep['moved'][number][] = [];
    for (let index = from; index < updates.length; index += 1) {
      const update = updates.at(index)!;
      if (update.kind !== 'reassignment') continue;
      for (const { kind, contract, source, target } of update.events)
        if (kind === 'assigned') moved.push({ contractId: contract.contractId, source, target });
    }
    return moved;
  }

  private refused(error: LedgerError): StepResult {
    const trace = findTrace(this.network, error);
    return {
      ...this.nothing(),
      outcome: 'refused',
      missing: trace === undefined ? [] : missingIn(trace),
      error: refusalOf(error),
      ...(trace !== undefined && this.options.trace !== false && { trace }),
    };
  }

  private nothing(): Omit<StepResult, 'outcome'> {
    const time = formatTimestampMicros(this.network.clock.now());
    return { time, ...NO_EFFECTS, moved: [], missing: [] };
  }
}

function refusalOf(error: LedgerError): SimulatedRefusal {
  const { code, details, category, grpcCode, explanation } = error;
  const { cause, context = {}, resources = [] } = details;
  const reasons = explanation instanceof SubmissionExplanation ? explanation.reasons : [];
  return { code, cause, category, grpcCode, context, resources, reasons };
}
