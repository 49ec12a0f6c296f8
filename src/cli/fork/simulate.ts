/**
 * `canticle simulate`: shows the effects of the submissions in a file, on a running sandbox, a fork or a saved world, without submitting
 * them.
 */
import { readFileSync } from 'node:fs';
import type { Canticle } from '../../assembly/canticle.js';
import type { StartOptions } from '../../assembly/canticle-options.js';
import { createCanticle, startCanticle } from '../../assembly/start.js';
import { fileError } from '../../assembly/file-errors.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import type { Simulation } from '../../network/simulation/simulation-types.js';
import { optionsGiven } from '../flags/option-flags.js';
import { forkOrLoad, reportingProgress } from './fork-flags.js';
import { CommandFailed, type Terminal } from '../terminal.js';
import { fromControls, usingAnswer } from '../running-program.js';
import { simulationText } from './simulation-text.js';

export interface SimulateFlags {
  readonly url: string;
  readonly actAs: readonly string[];
  readonly readAs: readonly string[];
  readonly time?: string;
  readonly json?: true;
}

/** Time limit of an answer in milliseconds. */
const PATIENCE = 60_000;

/** @returns the exit status: 1 if the ledger would reject a submission */
export async function simulateFile(
  file: string,
  flags: SimulateFlags,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const { actAs, readAs, time } = flags;
  const request = {
    steps: stepsIn(file),
    ...(actAs.length > 0 && { actAs }),
    ...(readAs.length > 0 && { readAs }),
    ...(time !== undefined && { time }),
  };
  const world = reportingProgress(forkOrLoad(optionsGiven(flags, 'simulate')), stderr);
  const simulation = await simulationOf(request, flags, world);
  const text = flags.json
    ? `${JSON.stringify(simulation, undefined, 2)}\n`
    : usingAnswer(flags.url, () => simulationText(simulation));
  stdout.write(text);
  return simulation.outcome === 'refused' ? 1 : 0;
}

/** Accepts one submission of the Ledger API, the body of a request, or a list of submissions. */
function stepsIn(file: string): readonly object[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandFailed(`failed to read '${file}': ${fileError(error)}.`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new CommandFailed(
      `failed to read '${file}': it is not JSON (${(error as Error).message}).`,
    );
  }
  if (isJsonObject(json) && Array.isArray(json['steps'])) return json['steps'] as object[];
  return (Array.isArray(json) ? json : [json]).map((each) => stepOf(file, each));
}

function stepOf(file: string, json: unknown): object {
  const { commands } = isJsonObject(json) ? json : {};
  if (Array.isArray(commands)) return json as object;
  if (isJsonObject(commands) && Array.isArray(commands['commands'])) return commands;
  if (isJsonObject(json) && commands === undefined) return { commands: [json] };
  throw new CommandFailed(
    `failed to read '${file}': it is not a submission. Expected { "commands": [ … ], "actAs": [ … ] }.`,
  );
}

async function simulationOf(
  request: object,
  flags: SimulateFlags,
  world: StartOptions,
): Promise<Simulation> {
  const body = JSON.stringify(request);
  if (world.fork === undefined && world.load === undefined) return answered(flags.url, body);
  const canticle = await opened(world);
  try {
    const { status, json } = await canticle.handle({
      path: '/canticle/v1/simulate',
      body: JSON.parse(body),
    });
    return simulationIn(status, json());
  } finally {
    await canticle.close();
  }
}

async function opened(world: StartOptions): Promise<Canticle> {
  try {
    return world.fork === undefined ? createCanticle(world) : await startCanticle(world);
  } catch (error) {
    const { message } = error as Error;
    if (!/^Failed to (read|fork|create)/.test(message)) throw error;
    throw new CommandFailed(message.replace(/^F/, 'f'), { cause: error });
  }
}

async function answered(url: string, body: string): Promise<Simulation> {
  const headers = { 'content-type': 'application/json' };
  const options = { patience: PATIENCE };
  const { status, bytes } = await fromControls(url, 'simulate', options, (side, target) =>
    side.request({ method: 'POST', target, headers, body }),
  );
  return simulationIn(
    status,
    usingAnswer(url, () => JSON.parse(bytes.toString()) as unknown),
  );
}

function simulationIn(status: number, json: unknown): Simulation {
  if (status === 200 && isJsonObject(json) && Array.isArray(json['steps']))
    return json as unknown as Simulation;
  const { error } = isJsonObject(json) ? json : {};
  throw new CommandFailed(`failed to simulate: ${String(error ?? status)}`);
}
