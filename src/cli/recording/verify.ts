/** `canticle verify`: repeats the requests of recordings on a Canticle or a live participant, and reports different answers. */
import { readFileSync } from 'node:fs';
import { startCanticle } from '../../assembly/start.js';
import { readHar } from '../../bridge/har-reader.js';
import { requestOf } from '../../client/requests.js';
import { COMMAND_PATIENCE_MS, HttpSide } from '../../client/http-side.js';
import { OPERATIONS } from '../../client/operations.js';
import { asRecorded, verify, type ParticipantAddress } from '../../bridge/verify.js';
import { RecordingError } from '../../recording/entry-scanner.js';
import type { Verification } from '../../recording/report.js';
import type { ApiVersion, SpliceVersion } from '../../spec/versions.js';
import { junitText } from '../junit.js';
import { causeOf, CommandFailed, type Terminal } from '../terminal.js';
import { writeResult } from '../write-result.js';
import { suiteOf, verificationText } from './verify-report.js';

/** Exit status: all comparable answers are equal; one differs; a file cannot be read or a live participant stops. */
export const EQUAL = 0;
export const DIFFERENT = 1;
export const BROKEN = 2;

export interface VerifyFlags {
  readonly scenario?: string;
  /** A saved world. */
  readonly load?: string;
  readonly dar?: readonly string[];
  readonly amulet?: string;
  readonly seed?: number;
  readonly time?: string;
  readonly canton?: ApiVersion;
  /** The older name of {@link canton}. */
  readonly apiVersion?: ApiVersion;
  readonly splice?: SpliceVersion;
  readonly against?: URL;
  readonly accessTokenFile?: string;
  readonly token?: string;
  /** The addresses of participants in the recording. */
  readonly participant?: readonly ParticipantAddress[];
  /** Suffix of the names in a scenario, so that they are unused. */
  readonly run?: string;
  /** Milliseconds. */
  readonly quiet: number;
  readonly json?: boolean;
  readonly junit?: string;
}

interface Verified {
  readonly file: string;
  readonly verification: Verification;
}

/** Verifies each file in a separate world. @returns the exit status, the worst of all files */
export async function verifyRecordings(
  files: readonly string[],
  flags: VerifyFlags,
  terminal: Terminal,
): Promise<number> {
  const verified: Verified[] = [];
  let status = EQUAL;
  for (const file of files) {
    try {
      const verification = await verifyOne(file, flags);
      verified.push({ file, verification });
      if (verification.different > 0) status = Math.max(status, DIFFERENT);
      if (flags.json !== true) terminal.stdout.write(verificationText(file, verification));
    } catch (error) {
      if (error instanceof CommandFailed || !hasCode(error)) throw error;
      const why = error instanceof RecordingError ? error.message : causeOf(error);
      terminal.stderr.write(`canticle: failed to verify '${file}': ${why}\n`);
      status = BROKEN;
    }
  }
  if (flags.json === true) {
    const all = verified.map(({ file, verification }) => ({ file, ...verification }));
    terminal.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`);
  }
  const suites = verified.map(({ file, verification }) => suiteOf(file, verification));
  if (flags.junit !== undefined) writeResult(flags.junit, junitText(suites));
  return status;
}

/** Errors of the system, of a recording, or of Node, which refuses to send some requests. */
const hasCode = (error: unknown): boolean =>
  typeof (error as NodeJS.ErrnoException).code === 'string';

/** @param entriesOf reads the exchanges of a file */
export async function verifyOne(
  file: string,
  flags: VerifyFlags,
  entriesOf = (path: string) => asRecorded(readHar(path)),
): Promise<Verification> {
  const { canton, apiVersion = canton, against, quiet } = flags;
  if (against !== undefined) {
    const system = new HttpSide(against.href, { patience: COMMAND_PATIENCE_MS });
    const token = tokenIn(flags);
    const tokenOf = () => Promise.resolve(token);
    return verify(entriesOf(file), {
      apiVersion,
      system,
      tokenOf,
      isGuarded: await guarded(system),
      quiet,
      isLive: true,
    });
  }
  const { scenario, load, dar: dars, amulet, seed, time, splice } = flags;
  const world = { scenario, load, dars, amulet, seed, time, apiVersion, splice };
  const canticle = await started(world);
  try {
    const { apiVersion: spoken } = canticle.router;
    const system = new HttpSide(new URL(canticle.urls.ledgerApi).origin, {
      patience: COMMAND_PATIENCE_MS,
    });
    const isGuarded = await guarded(system);
    const tokenOf = (user?: string) =>
      user === undefined ? Promise.resolve(undefined) : canticle.accessToken({ sub: user });
    const names = canticle.network.participants.map(({ name }) => name);
    return await verify(entriesOf(file), {
      apiVersion: spoken,
      participants: Object.fromEntries(
        names.map((name) => [name, canticle.releases.at(name).apiVersion]),
      ),
      addresses: known(flags.participant, names),
      system,
      tokenOf,
      isGuarded,
      quiet,
      isLive: false,
    });
  } finally {
    await canticle.close();
  }
}

/** @throws CommandFailed if the world lacks one of them */
function known(
  addresses: readonly ParticipantAddress[] = [],
  names: readonly string[],
): readonly ParticipantAddress[] {
  for (const { name } of addresses)
    if (!names.includes(name))
      throw new CommandFailed(
        `there is no participant '${name}' in this world: there are ${names.join(', ')}`,
      );
  return addresses;
}

export async function started(options: Parameters<typeof startCanticle>[0]) {
  try {
    return await startCanticle(options);
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    throw new CommandFailed(`failed to build the world: ${causeOf(error)}`);
  }
}

async function guarded(system: HttpSide): Promise<boolean> {
  try {
    const { status } = await system.send(requestOf(OPERATIONS.parties));
    return status === 401;
  } catch (error) {
    throw new CommandFailed(`failed to reach the participant: ${causeOf(error)}`);
  }
}

export function tokenIn({ token, accessTokenFile: path }: VerifyFlags): string | undefined {
  if (path === undefined) return token;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new CommandFailed(`failed to read '${path}': ${causeOf(error)}`);
  }
}
