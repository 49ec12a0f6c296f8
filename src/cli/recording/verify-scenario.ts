/**
 * `canticle verify --scenario FILE --against URL`: runs a scenario on a Canticle and on a live participant with the same requests, and
 * reports different answers. The Canticle gets the release, synchronizers and name of the live participant.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Canticle } from '../../assembly/canticle.js';
import { readNamedFile } from '../../assembly/dar-files.js';
import { LivePlace } from '../../bridge/upstream/live-place.js';
import { ParticipantClient } from '../../bridge/upstream/participant-client.js';
import { RemoteSteps } from '../../bridge/upstream/remote-steps.js';
import { scenarioExchanges } from '../../bridge/upstream/scenario-exchanges.js';
import { drive } from '../../client/requests.js';
import { COMMAND_PATIENCE_MS, HttpSide } from '../../client/http-side.js';
import { verify } from '../../bridge/verify.js';
import { parseScenario, type ScenarioDocument } from '../../scenario/document.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import { junitText } from '../junit.js';
import { causeOf, CommandFailed, type Terminal } from '../terminal.js';
import { writeResult } from '../write-result.js';
import { BROKEN, DIFFERENT, EQUAL, started, tokenIn, type VerifyFlags } from './verify.js';
import { suiteOf, verificationText, type Sides } from './verify-report.js';

const SIDES: Sides = { recorded: 'Canticle', now: 'live' };

/** Options that the live participant determines here. */
const OTHERWISE = ['load', 'amulet', 'canton', 'apiVersion', 'splice'] as const;

/** @returns the exit status */
export async function verifyScenario(flags: VerifyFlags, terminal: Terminal): Promise<number> {
  const { scenario: file, against } = flags;
  if (file === undefined || against === undefined)
    throw new CommandFailed(
      'failed to verify: name recordings, or use --scenario and --against to run a scenario on a live participant.',
    );
  const given = OTHERWISE.find((name) => flags[name] !== undefined);
  if (given !== undefined)
    throw new CommandFailed(
      `failed to verify: --${given === 'apiVersion' ? 'api-version' : given} cannot be used with a scenario on both sides: the live participant sets it.`,
    );
  const document = documentIn(file);
  const token = tokenIn(flags);
  const system = new HttpSide(against.href, { token, patience: COMMAND_PATIENCE_MS });
  const live = await drive(LivePlace.of(token !== undefined), system.send).catch(
    (error: NodeJS.ErrnoException) => {
      if (typeof error.code !== 'string') throw error;
      throw new CommandFailed(`failed to verify against ${against.href}: ${causeOf(error)}`);
    },
  );
  const canticle = await likeLive(document, live, flags);
  try {
    const verification = await verify(await exchanges(document, file, live, canticle, flags), {
      apiVersion: live.apiVersion,
      system,
      tokenOf: () => Promise.resolve(token),
      isGuarded: live.user !== undefined,
      quiet: flags.quiet,
      isLive: true,
      isOneStory: true,
    });
    if (flags.json === true)
      terminal.stdout.write(`${JSON.stringify([{ file, ...verification }], undefined, 2)}\n`);
    else terminal.stdout.write(verificationText(file, verification, SIDES));
    if (flags.junit !== undefined)
      writeResult(flags.junit, junitText([suiteOf(file, verification, SIDES)]));
    const { stopped, different } = verification;
    if (stopped === undefined) return different > 0 ? DIFFERENT : EQUAL;
    terminal.stderr.write(`canticle: failed to verify against ${against.href}: ${stopped}\n`);
    return BROKEN;
  } finally {
    await canticle.close();
  }
}

export function documentIn(file: string): ScenarioDocument {
  try {
    return parseScenario(readFileSync(file, 'utf8'), file);
  } catch (error) {
    const why = error instanceof ScenarioError ? error.message : causeOf(error);
    throw new CommandFailed(`failed to read '${file}': ${why}`);
  }
}

/** An empty Canticle with the names of the live side. */
function likeLive(
  { head }: ScenarioDocument,
  live: LivePlace,
  { seed = head.seed, time }: VerifyFlags,
): Promise<Canticle> {
  const { user, participant: name = 'sandbox' } = live;
  return started({
    seed,
    // Contracts may name an expiry time: it must be equally far in the future on both sides.
    time: time ?? new Date().toISOString(),
    apiVersion: live.apiVersion,
    participants: [{ name, id: live.participantId }],
    synchronizers: live.synchronizers.map(({ alias, id }) => ({
      ...head.synchronizers?.find((each) => each.alias === alias),
      identifier: undefined,
      alias,
      id,
    })),
    ...(user !== undefined && {
      auth: { services: [{ type: 'built-in-issuer' }] },
      additionalAdminUser: user,
    }),
  });
}

async function exchanges(
  document: ScenarioDocument,
  file: string,
  live: LivePlace,
  canticle: Canticle,
  { run = randomBytes(4).toString('hex'), dar: dars = [] }: VerifyFlags,
) {
  const { user } = live;
  let commands = 0;
  const client = new ParticipantClient({
    userId: user ?? 'participant_admin',
    rightsTo: user,
    newCommandId: () => `verify-${run}-${(commands += 1)}`,
  });
  const folder = dirname(file);
  const steps = new RemoteSteps(client, {
    synchronizers: live.synchronizersFor(document.head.synchronizers),
    participant: document.head.participants?.[0]?.name ?? 'sandbox',
    suffix: run,
    readFile: (path) => readNamedFile(path, folder),
  });
  const side = {
    system: new HttpSide(new URL(canticle.urls.ledgerApi).origin, {
      token: user === undefined ? undefined : await canticle.accessToken({ sub: user }),
      patience: COMMAND_PATIENCE_MS,
    }),
    client,
    steps,
  };
  return scenarioExchanges(
    document,
    side,
    dars.map((path) => bytesOf(path)),
  );
}

function bytesOf(path: string): Uint8Array {
  try {
    return readNamedFile(path);
  } catch (error) {
    throw new CommandFailed(`failed to read '${path}': ${causeOf(error)}`);
  }
}
