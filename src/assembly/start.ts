/** Puts a Canticle together from what the user asks for: the network, the DSO's world, the packages, the port. */
import { dirname } from 'node:path';
import { readBoundedFile } from './bounded-file.js';
import { readNamedFile } from './dar-files.js';
import { unreadable } from './file-faults.js';
import { checkedPackages } from './fact-files.js';
import { Canticle, type PortOptions, type ServingOptions } from './canticle.js';
import { LedgerError, ledgerError } from '../daml/errors/ledger-error.js';
import type { DamlPackage } from '../daml/model/package.js';
import { quickstartPackage } from '../daml/define/quickstart.js';
import { parseTimestamp } from '../daml/model/time.js';
import { MachineClock } from './machine-clock.js';
import type { ChoiceCoverage } from '../network/coverage/choice-coverage.js';
import type { Network } from '../network/network.js';
import { PING_PACKAGE } from '../network/packages/admin-workflow-ping.js';
import { openNetwork } from '../network/open.js';
import type { ParticipantOptions } from '../network/participant.js';
import type { ProtocolVersion } from '../network/protocol.js';
import type { SynchronizerOptions } from '../network/synchronizer.js';
import { Amulet, type AmuletOptions } from '../wallet/amulet.js';
import { ParticipantView } from '../wallet/participant-view.js';
import { scenarioAuthorization } from './scenario-authorization.js';
import { parseScenario, type ScenarioDocument, type ScenarioHead } from '../scenario/document.js';
import { requireMet, runScenario, type Progress, type ScenarioReport } from '../scenario/run.js';
import { TestToken } from '../wallet/test-token.js';
import { World } from '../scenario/world.js';
import {
  checkCreateOptions,
  checkStartOptions,
  participantsOf,
  synchronizersOf,
} from './options.js';
import { releaseOf, type ApiVersion } from '../spec/versions.js';
import type { ScanView } from '../splice/scan/scan-view.js';
import { Splice } from '../splice/splice.js';
import type { ValidatorOptions } from '../splice/validator.js';
import { TOKEN_PACKAGES } from '../token/package.js';
import { toldToCaller } from '../daml/errors/own-frames.js';

export interface CanticleOptions extends ServingOptions {
  /** Same seed, same calls, same bytes. 0 by default. */
  readonly seed?: number;
  /** RFC 3339, where the virtual clock starts; 2026-01-01T00:00:00Z by default. */
  readonly time?: string;
  /** `virtual` by default: time moves by updates and when told. `wall` follows the clock of this machine. */
  readonly clock?: 'virtual' | 'wall';
  /** Archives, or paths of their files: known to every participant and vetted. */
  readonly dars?: readonly (Uint8Array | string)[];
  /**
   * Your copy of Splice's Amulet, such as `splice-amulet-0.1.14.dar`: its bytes or its path, or its name in the folder
   * that CANTICLE_DARS says (`~/.canticle/dars` by default). Amulet is booted from it as on DevNet, before any scenario.
   */
  readonly amulet?: Uint8Array | string | ({ readonly dar: Uint8Array | string } & AmuletOptions);
  /**
   * A folder that keeps what was found out about the packages of DARs, so that the next process need not check them again;
   * false for none. Where absent, the environment's CANTICLE_CACHE says it (`off` for none), else it is `~/.canticle/cache`.
   */
  readonly cache?: string | false;
  /** Packages written in TypeScript: known to every participant and vetted. */
  readonly packages?: readonly DamlPackage[];
  /** One, `global`, by default. A name alone is its alias. */
  readonly synchronizers?: readonly (string | SynchronizerOptions)[];
  /** One, `sandbox`, connected to every synchronizer, by default. The first one's Ledger API stands at the root. */
  readonly participants?: readonly (string | ParticipantOptions)[];
  /**
   * Beside `participant_admin` an administrator of every participant (Canton's `additional-admin-user-id`). By default it is
   * `ledger-api-user`, as on a LocalNet: clients such as the wallet SDK come as it. False for none.
   */
  readonly additionalAdminUser?: string | false;
  /** Paths below which the registry stands as well, such as `/api/token-standard/v0/registrars/x`. */
  readonly registryPrefixes?: readonly string[];
  /**
   * Path of a scenario file (YAML or JSON), carried out before anything else. Its seed, time, synchronizers, participants
   * and authorization hold where no option says otherwise. Without one there is nothing but the DSO party and the test
   * token's rules.
   */
  readonly scenario?: string;
  /** Path below which the Ledger API stands instead of at the root. */
  readonly pathPrefix?: string;
  /** Which release of the Ledger API is spoken; `3.5` by default. `3.6` is a preview. */
  readonly apiVersion?: ApiVersion;
  /**
   * What the synchronizers speak: 35, the latest, by default, and 34 where `apiVersion` is 3.4. At 34 what was created or
   * consumed is taken back where an exception is caught, which 35 refuses; packages are vetted only with all that they depend on;
   * and those of Daml-LF 2.3, the version of contract keys, cannot be used (a participant of 3.4 does not even take them).
   */
  readonly protocolVersion?: ProtocolVersion;
  /**
   * Milliseconds of this machine that the Daml code of one transaction may run for, 10,000 by default: then it is refused with
   * INTERPRETATION_TIME_EXCEEDED, as by a participant that finds its ledger time too far behind.
   */
  readonly interpretationTimeout?: number;
  /** Milliseconds since 1970: the clock that tokens expire by, whatever the ledger's time is. This machine's by default. */
  readonly realClock?: () => number;
  /** Counts from the first moment on which templates are created and which choices exercised: see `coverage` of a Canticle. */
  readonly coverage?: boolean;
  /** The validator that wallets ask: its party, of its own, and its user. */
  readonly validator?: ValidatorOptions;
  /**
   * What Scan shows: what the DSO party sees, or `everything`, the default; and whether clients may have a snapshot of the
   * active contracts taken: true by default.
   */
  readonly scan?: { readonly sees?: ScanView; readonly forcedAcsSnapshots?: boolean };
}

export interface StartOptions extends CanticleOptions, PortOptions {
  /** 0, the default, for any free one. */
  readonly port?: number;
  /** Loopback by default. */
  readonly host?: string;
}

/**
 * @throws TypeError for options that there are not, LedgerError for those that no network can be made of, ScenarioError for a
 *   scenario that cannot be carried out or whose expectations do not hold; what listening refuses has the system's `code`
 */
export async function startCanticle(options: StartOptions = {}): Promise<Canticle> {
  checkStartOptions(options);
  const canticle = made(options);
  await canticle.listen(options);
  return canticle;
}

/** The same without a port: driven from the same process alone. */
export function createCanticle(options: CanticleOptions = {}): Canticle {
  checkCreateOptions(options);
  return made(options);
}

function made(options: CanticleOptions): Canticle {
  const { canticle, report } = assemble(options);
  if (report !== undefined) requireMet(report);
  return canticle;
}

export type ReportOptions = Pick<CanticleOptions, 'cache' | 'coverage' | 'interpretationTimeout'>;

/** Carries out a scenario file and reports what it expects, held or not. @throws ScenarioError for mistakes in its form */
export function reportScenario(
  file: string,
  progress?: Progress,
  options: ReportOptions = {},
): ScenarioReport & { readonly coverage: ChoiceCoverage } {
  const { report, canticle } = assemble({ ...options, scenario: file }, progress);
  return { ...report!, coverage: canticle.coverage };
}

function assemble(
  options: CanticleOptions,
  progress?: Progress,
): { canticle: Canticle; report: ScenarioReport | undefined } {
  const { registryPrefixes, pathPrefix, apiVersion, scan, scenario } = options;
  const document = scenario === undefined ? undefined : readScenario(scenario);
  const machine = options.clock === 'wall' ? new MachineClock() : undefined;
  const network = networkOf(options, document?.head ?? {}, machine);
  for (const dar of options.dars ?? []) addDar(network, dar);
  const splice = new Splice(network, {
    scanSees: scan?.sees,
    forcedAcsSnapshots: scan?.forcedAcsSnapshots,
    validators: [{ ...document?.head.validator, ...options.validator }],
  });
  const participants = network.participants.map((each) => new ParticipantView(each));
  const token = new TestToken(participants, splice.registryAdmin);
  const amulet = new Amulet(participants, splice);
  if (options.amulet !== undefined) bootAmulet(network, amulet, options.amulet);
  const folder = scenario === undefined ? '.' : dirname(scenario);
  const readFile = (path: string) => readNamedFile(path, folder);
  const world = new World({ network, splice, token, amulet, participants }, readFile);
  const report = document && runScenario(world, document, progress);
  const canticle = new Canticle(world, {
    ...options,
    auth: options.auth ?? (document && scenarioAuthorization(document, readFile)),
    realClock: options.realClock ?? Date.now,
    onClose: () => machine?.stop(),
    registryPrefixes,
    ledgerPathPrefix: pathPrefix,
    apiVersion,
  });
  return { canticle, report };
}

function readScenario(file: string): ScenarioDocument {
  return parseScenario(scenarioText(file), file);
}

const MAX_SCENARIO_BYTES = 16 * 1024 * 1024;
/** What is no text is refused. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

function scenarioText(file: string): string {
  try {
    return UTF8.decode(readBoundedFile(file, MAX_SCENARIO_BYTES));
  } catch (cause) {
    const isAbsent = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isAbsent ? `there is none in ${process.cwd()}` : undefined;
    throw unreadable(`the scenario '${file}'`, cause, why);
  }
}

function networkOf(
  options: CanticleOptions,
  head: ScenarioHead,
  machine: MachineClock | undefined,
): Network {
  const { seed = head.seed, time = head.time } = options;
  const { synchronizers = head.synchronizers, participants = head.participants } = options;
  const own = [...TOKEN_PACKAGES, quickstartPackage];
  const release = releaseOf(options.apiVersion);
  const { protocolVersion = release.protocolVersion } = options;
  const { additionalAdminUser = 'ledger-api-user' } = options;
  const network = openNetwork({
    seed,
    protocolVersion,
    additionalAdminUser: additionalAdminUser === false ? undefined : additionalAdminUser,
    synchronizers: synchronizersOf(synchronizers),
    participants: participantsOf(participants),
    packages: [...own, ...(options.packages ?? [])],
    // Who asks for a later protocol than 3.4 has, has a participant that never was.
    languages: protocolVersion === release.protocolVersion ? release.languages : undefined,
    checkedPackages: checkedPackages(options.cache),
    deadline: deadlineOf(options.interpretationTimeout ?? INTERPRETATION_TIMEOUT_MS),
    ownPackages: new Set([PING_PACKAGE, ...own].map(({ id }) => id)),
    ...clockOf({ time }, machine),
  });
  if (options.coverage === true) network.coverage.start();
  return network;
}

/** Milliseconds. */
const INTERPRETATION_TIMEOUT_MS = 10_000;

const deadlineOf = (milliseconds: number) => () => {
  const end = performance.now() + milliseconds;
  return () => performance.now() > end;
};

function clockOf(
  { time }: Pick<CanticleOptions, 'time'>,
  machine: MachineClock | undefined,
): { start?: bigint; wallClock?: MachineClock } {
  if (machine !== undefined) return { start: machine.now(), wallClock: machine };
  if (time === undefined) return {};
  const start = parseTimestamp(time);
  if (start === undefined)
    throw ledgerError(
      'INVALID_ARGUMENT',
      `'${time}' is not a time to start at, such as 2026-01-01T00:00:00Z.`,
    );
  return { start };
}

function addDar({ participants }: Network, dar: Uint8Array | string): void {
  const bytes = typeof dar === 'string' ? darAt(dar) : dar;
  try {
    for (const participant of participants) new ParticipantView(participant).uploadDar(bytes);
  } catch (error) {
    if (!(error instanceof LedgerError) || typeof dar !== 'string') throw error;
    throw error.explained(`${dar}: ${error.details.explanation ?? error.details.cause}`);
  }
}

function darAt(path: string): Uint8Array {
  try {
    return readNamedFile(path);
  } catch (cause) {
    throw toldToCaller(unreadable(`the DAR file '${path}'`, cause));
  }
}

function bootAmulet(
  network: Network,
  amulet: Amulet,
  given: NonNullable<CanticleOptions['amulet']>,
): void {
  const isDar = typeof given === 'string' || given instanceof Uint8Array;
  const { dar, ...options } = isDar ? { dar: given } : given;
  addDar(network, dar);
  amulet.boot(options);
}
