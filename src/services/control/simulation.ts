/** Simulations: they decode steps in Ledger API JSON like requests, try them, and revert them. */
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { Network } from '../../network/network.js';
import type { Participant } from '../../network/participant.js';
import { invalidArgument } from '../../network/model/request-errors.js';
import type { ContractOverride } from '../../network/simulation/overrides.js';
import { simulate, type StepToSimulate } from '../../network/simulation/simulate.js';
import type { SimulatedStep, Simulation } from '../../network/simulation/simulation-types.js';
import type { Submission } from '../../network/submission/submission.js';
import { parseTime } from '../../network/model/time-texts.js';
import { decodeBody } from '../../spec/decode.js';
import type {
  Simulation as SimulationAnswer,
  StepToSimulate as StepMessage,
} from '../../spec/generated/control.js';
import type { JsCommands } from '../../spec/generated/ledger.js';
import { operation } from '../../spec/operations.js';
import type { Releases } from '../../spec/releases/releases.js';
import { USER } from '../../wallet/submit-options.js';
import { HttpRefusal, type SomeHandlers } from '../handler.js';
import { toSubmission } from '../ledger-api/commands/translate.js';
import { JSON_VALUES } from '../value-form.js';

/** A step in Ledger API JSON. */
export type WordedStep = StepMessage;

/** Defaults for fields that a step omits. */
export interface SimulationDefaults {
  readonly actAs?: readonly string[] | undefined;
  readonly readAs?: readonly string[] | undefined;
  readonly participant?: string | undefined;
  readonly time?: string | undefined;
  readonly trace?: boolean | undefined;
  readonly contracts?: readonly ContractOverride[] | undefined;
}

export const simulation = {
  simulate: ({ network, releases }, { body: { steps, ...defaults } }) => {
    for (const name of [defaults.participant, ...steps.map(({ participant }) => participant)])
      if (name !== undefined && !network.participants.some((each) => each.name === name))
        throw new HttpRefusal(404, `There is no participant ${name}.`);
    const simulated = simulateSteps(network, releases, (done) => steps[done.length], defaults);
    return simulated as unknown as SimulationAnswer;
  },
} satisfies SomeHandlers<'control'>;

/**
 * Decodes a step for a real submission.
 * @throws LedgerError INVALID_ARGUMENT if the Ledger API would not decode it
 */
export function readStep(network: Network, releases: Releases, worded: WordedStep) {
  const time = worded.time === undefined ? undefined : parseTime(worded.time);
  return new StepReader(network, releases, {}).read(worded, [], time);
}

/**
 * @param next returns the next step, from the results of those before it; undefined ends the simulation
 * @throws LedgerError INVALID_ARGUMENT for a step that the Ledger API would not decode, an unknown participant, or a time in the past
 */
export function simulateSteps(
  network: Network,
  releases: Releases,
  next: (done: readonly SimulatedStep[]) => WordedStep | undefined,
  { trace, time, contracts, ...defaults }: SimulationDefaults = {},
): Simulation {
  const reader = new StepReader(network, releases, defaults);
  const stepAfter = (done: readonly SimulatedStep[]): StepToSimulate | undefined => {
    const worded = next(done);
    if (worded === undefined) return undefined;
    const at = worded.time ?? (done.length === 0 ? time : undefined);
    return reader.read(worded, done, at === undefined ? undefined : parseTime(at));
  };
  return simulate(network, stepAfter, { trace, contracts });
}

class StepReader {
  constructor(
    private readonly network: Network,
    private readonly releases: Releases,
    private readonly defaults: Pick<SimulationDefaults, 'actAs' | 'readAs' | 'participant'>,
  ) {}

  read(
    worded: WordedStep,
    done: readonly SimulatedStep[],
    time: Timestamp | undefined,
  ): StepToSimulate {
    const { defaults, network } = this;
    const { participant: named = defaults.participant, time: _, ...fields } = worded;
    const request = {
      ...(filled(fields, done) as typeof fields),
      actAs: saidOr(worded.actAs, defaults.actAs),
      readAs: saidOr(worded.readAs, defaults.readAs),
    };
    const { actAs, readAs } = request;
    const participant = named === undefined ? this.hostOf(actAs) : network.participant(named);
    const isUnnamed = request.commandId === undefined;
    const whole = isUnnamed ? { ...request, commandId: UNNAMED } : request;
    const commands = this.checked(participant, whole, done);
    const submission = (): Submission => ({
      ...this.submission(participant, commands),
      ...(isUnnamed && { commandId: participant.ledger.nextNumber }),
    });
    return { participant, actAs, readAs, time, submission };
  }

  /**
   * Decodes a request like the Ledger API.
   * @throws LedgerError INVALID_ARGUMENT
   */
  private checked(
    { name }: Participant,
    request: object,
    { length }: readonly SimulatedStep[],
  ): JsCommands {
    const { apiVersion } = this.releases.at(name);
    const row = operation('ledger', 'postV2CommandsSubmit-and-wait', apiVersion);
    const read = decodeBody(row, { path: {}, query: {}, body: undefined }, request);
    if (read.ok) return read.input.body as JsCommands;
    throw unreadable(length, read.reason, read.path);
  }

  private submission(participant: Participant, request: JsCommands): Submission {
    const { apiVersion } = this.releases.at(participant.name);
    const values = JSON_VALUES;
    const submission = toSubmission({ participant, apiVersion, values, userId: USER }, request);
    return {
      ...submission,
      externallySigned: signsForItself(participant, submission.actAs),
    };
  }

  /** The first participant that hosts all of them, otherwise the first one. */
  private hostOf(parties: readonly string[]): Participant {
    const { participants } = this.network;
    const host = participants.find((each) => parties.every((party) => each.hosts(party)));
    return host ?? participants[0]!;
  }
}

/** Uses the default for an empty list, because over HTTP a missing list is empty. */
const saidOr = (said: readonly string[] = [], otherwise: readonly string[] = []): string[] => [
  ...(said.length > 0 ? said : otherwise),
];

/** The command id of a step without one. */
const UNNAMED = 'simulated';

/** Whether a step is for an external party. Simulated steps need no signature. */
function signsForItself(participant: Participant, parties: readonly string[]): boolean {
  const { externalParties } = participant.ledger;
  if (externalParties.isEmpty) return false;
  return parties.some((party) =>
    participant.connected.some((id) => externalParties.get(party, id) !== undefined),
  );
}

const PLACEHOLDER = /\{\{(\d{1,6})\.created\.(\d{1,6})\}\}/g;

/**
 * Replaces placeholders with the ids of contracts that earlier steps created.
 * @throws LedgerError INVALID_ARGUMENT for a placeholder without such a contract
 */
function filled(json: unknown, done: readonly SimulatedStep[]): unknown {
  if (typeof json === 'string')
    return json.includes('{{')
      ? json.replace(PLACEHOLDER, (name, step: string, place: string) => {
          const made = done[Number(step)]?.created[Number(place)];
          if (made !== undefined) return made.contractId;
          throw unreadable(done.length, `no earlier step made ${name}`, '');
        })
      : json;
  if (Array.isArray(json)) return json.map((each) => filled(each, done));
  if (json === null || typeof json !== 'object') return json;
  return Object.fromEntries(Object.entries(json).map(([key, each]) => [key, filled(each, done)]));
}

function unreadable(step: number, reason: string, path: string): LedgerError {
  const where = path === '' ? '' : ` at '${path}'`;
  return invalidArgument(`Step ${step} of the simulation cannot be read: ${reason}${where}`);
}
