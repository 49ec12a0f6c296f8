/** What a user may ask of a Canticle, and the ways to have one: started on a port, without one, or run through a scenario. */
import { lazy } from '../daml/errors/lazy.js';
import type { DamlPackage } from '../daml/model/package.js';
import type { ChoiceCoverage } from '../network/coverage/choice-coverage.js';
import type { FaultRule } from '../network/faults/fault-rule.js';
import type { OperationId } from '../spec/operation-id.js';
import type { ParticipantOptions } from '../network/participant.js';
import type { ProtocolVersion } from '../network/model/protocol.js';
import type { SynchronizerOptions } from '../network/synchronizer.js';
import type { Progress, ScenarioReport } from '../scenario/run.js';
import type { World } from '../scenario/world.js';
import type { ApiVersion } from '../spec/versions.js';
import type { ScanView } from '../splice/scan/scan-view.js';
import type { ValidatorOptions } from '../splice/validators/validator.js';
import type { AmuletOptions } from '../wallet/amulet.js';
import { assemble, type WorldOptions } from './assemble.js';
import type { PortOptions } from './addresses.js';
import { Canticle } from './canticle.js';
import type { LoadOptions } from './open-world.js';
import type { ForkOptions } from './fork/fork-options.js';
import type { CanticleParts, ServingOptions } from './serving-options.js';
import type { InitScript } from './run-script.js';
import { checkCreateOptions, checkStartOptions } from './options.js';
import type * as ScenarioRun from '../scenario/run.js';

const scenarioRun = lazy(() => require('../scenario/run.js') as typeof ScenarioRun);

/** What a user may ask of a Canticle. */
export interface CanticleOptions extends ServingOptions {
  /** Same seed, same calls, same bytes. 0 by default. */
  readonly seed?: number;
  /** RFC 3339, where the virtual clock starts; 2026-01-01T00:00:00Z by default. */
  readonly time?: string;
  /** `virtual` by default: time moves by updates and when told. `wall` follows the clock of this machine. */
  readonly clock?: 'virtual' | 'wall';
  /**
   * A world that was saved (`save` of a Canticle): the path of its file, or its bytes. It goes on from there, and
   * whatever else says how a world begins is not taken beside it: seed, time, synchronizers, participants, protocolVersion,
   * additionalAdminUser, trafficControl, alphaVersionSupport, validator, scan and amulet. `dars` and `packages` that it lacks are added; a scenario is carried out on top.
   * Active contracts that a participant exported (Canton's ExportAcs) are taken as well, with their packages from `dars` or
   * from the folder of DARs: whoever they name is hosted here, and `parties` as well; of those options only
   * synchronizers and amulet are not taken beside them.
   */
  readonly load?: string | Uint8Array | LoadOptions;
  /**
   * A participant that runs elsewhere, such as `{ url: 'https://participant.example', token }`: its parties, users, packages and
   * active contracts are read over its JSON Ledger API, and this goes on from there, on its own. Nothing is ever submitted to it.
   * What is not taken beside `load` is not taken beside it either, but `seed` and `protocolVersion`. Of
   * `startCanticle`, which waits for it; `useCanticle` goes on from one by `load`: its `dump()`. With `scan` the DSO's contracts that a Scan tells of are added, or are all there is: then options
   * are taken as of a new world, but synchronizers and amulet.
   */
  readonly fork?: ForkOptions;
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
  /** One, `global`, by default; with `bare` it is `synchronizer-1`. A name alone is its alias. */
  readonly synchronizers?: readonly (string | SynchronizerOptions)[];
  /** One, `sandbox`, connected to every synchronizer, by default. The first one's Ledger API stands at the root. */
  readonly participants?: readonly (string | ParticipantOptions)[];
  /**
   * Beside `participant_admin` an administrator of every participant (Canton's `additional-admin-user-id`). By default it is
   * `ledger-api-user`, as on a LocalNet: clients such as the wallet SDK come as it. False for none, the default with `bare`.
   */
  readonly additionalAdminUser?: string | false;
  /**
   * Begins as Canton's own sandbox does, which `canticle sandbox` does: one synchronizer, `synchronizer-1`; no user but `participant_admin`; no
   * traffic control; no package, party or contract that Canticle adds by itself. Those (the DSO's party, the test token, the quickstart
   * package) come as soon as something needs them: Scan, the registry, the validator, Amulet, the test token, or the first step of
   * a scenario. False by default; it says nothing of a world that is loaded. Options that say one of these things count for more.
   */
  readonly bare?: boolean;
  /**
   * Whether what is sequenced has a cost (`paidTrafficCost`, estimates), as on a LocalNet. False by default: every cost is 0,
   * as in Canton's own sandbox.
   */
  readonly trafficControl?: boolean;
  /**
   * Whether participants have offsets without an update, as real ones do, where each event of a synchronizer takes one: a transaction is
   * followed by two or so, and the ledger end is ahead of the last update. How many depends on the seed. False by default;
   * `canticle sandbox --wall-clock-time` and `canticle localnet` have them.
   */
  readonly offsetGaps?: boolean;
  /** Paths below which the registry stands as well, such as `/api/token-standard/v0/registrars/x`. */
  readonly registryPrefixes?: readonly string[];
  /**
   * Path of a scenario file (YAML or JSON), carried out before anything else. Its seed, time, synchronizers, participants
   * and authorization hold where no option says otherwise. Without one there is nothing but the DSO party and the test
   * token's rules.
   */
  readonly scenario?: string;
  /** A Daml script that is run at the end of the start, such as `Main:setup` of one of the `dars`. */
  readonly initScript?: InitScript;
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
   * Whether participants take packages of Daml-LF versions that are not stable (2.dev), as Canton does with `alpha-version-support`.
   * False by default: then they refuse such DARs with ALLOWED_LANGUAGE_VERSIONS.
   */
  readonly alphaVersionSupport?: boolean;
  /**
   * Milliseconds of this machine that the Daml code of one transaction may run for, 10,000 by default: then it is refused with
   * INTERPRETATION_TIME_EXCEEDED, as by a participant that finds its ledger time too far behind.
   */
  readonly interpretationTimeout?: number;
  /** Milliseconds since 1970: the clock that tokens expire by, whatever the ledger's time is. This machine's by default. */
  readonly realClock?: () => number;
  /** What goes wrong from the start on: rules, or the path of a file of them; a reset does not take them away. */
  readonly faults?: string | readonly FaultRule<OperationId>[];
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

/** What `startCanticle` and `useCanticle` take: the world, and where it listens. */
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
  const { fork } = options;
  const forked = fork && (await (await import('./fork/open-fork.js')).openFork(fork, options));
  const canticle = made(forked === undefined ? options : { ...options, forked });
  await canticle.listen(options);
  return canticle;
}

/** The same without a port: driven from the same process alone. */
export function createCanticle(options: CanticleOptions = {}): Canticle {
  checkCreateOptions(options);
  return made(options);
}

function made(options: WorldOptions): Canticle {
  const { canticle, report } = assemble(options, newCanticle);
  if (report !== undefined) scenarioRun().requireMet(report);
  return canticle;
}

export type ReportOptions = Pick<CanticleOptions, 'cache' | 'coverage' | 'interpretationTimeout'> &
  Pick<WorldOptions, 'onRead'>;

/** Carries out a scenario file and reports what it expects, held or not. @throws ScenarioError for mistakes in its form */
export function reportScenario(
  file: string,
  progress?: Progress,
  options: ReportOptions = {},
): ScenarioReport & { readonly coverage: ChoiceCoverage } {
  const { report, canticle } = assemble({ ...options, scenario: file }, newCanticle, progress);
  return { ...report!, coverage: canticle.coverage };
}

const newCanticle = (world: World, parts: CanticleParts): Canticle => new Canticle(world, parts);
