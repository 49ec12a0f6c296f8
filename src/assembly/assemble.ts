/**
 * Assembles an instance: a network with its packages, the DSO's world, the changes of a scenario, and the Canticle that serves them. The
 * caller chooses the class: one of start.ts, or a LocalNet.
 */
import { lazy } from '../daml/errors/lazy.js';
import { fromEnvironment } from '../options/environment.js';
import { TextDecoder } from 'node:util';
import { dirname } from 'node:path';
import { LedgerError, ledgerError } from '../daml/errors/ledger-error.js';
import { withCallerStack } from '../daml/errors/own-frames.js';
import type { DamlPackage } from '../daml/model/package.js';
import { quickstartPackage } from '../daml/define/quickstart.js';
import { parseTimestamp } from '../daml/model/time.js';
import type { Network, NetworkOptions } from '../network/network.js';
import { BUILT_IN, openNetwork } from '../network/open.js';
import { PING_PACKAGE } from '../network/packages/admin-workflow-ping.js';
import { addPackages, storeDar, readDar } from '../network/vetting/upload.js';
import type { ScenarioDocument, ScenarioHead } from '../scenario/document.js';
import type { Progress, ScenarioReport } from '../scenario/run.js';
import { World } from '../scenario/world.js';
import { GRPC_ALONE } from '../spec/grpc-alone.js';
import { GATEWAY_OPERATIONS } from '../spec/wallet-gateway/operations.js';
import { operationIds } from '../spec/operations.js';
import type { ValidatorRelease } from '../spec/releases/node-options.js';
import { Releases } from '../spec/releases/releases.js';
import { spliceReleaseOf } from '../spec/versions.js';
import { inNamedReleases } from './releases/named.js';
import type * as OwnDocuments from './releases/own-documents.js';
import type { InstanceNames } from '../splice/instance-names.js';
import { Splice, type SpliceOptions } from '../splice/splice.js';
import type { TrafficOptions } from '../splice/validators/traffic.js';
import type { ValidatorSetup } from '../splice/validators/validator.js';
import { TOKEN_PACKAGES, TOKEN_STANDARD_PACKAGES } from '../token/package.js';
import { Amulet } from '../wallet/amulet.js';
import { ParticipantView } from '../wallet/participant-view.js';
import { TestToken } from '../wallet/test-token.js';
import { readBoundedFile } from './bounded-file.js';
import type { Canticle } from './canticle.js';
import type { CanticleParts } from './serving-options.js';
import { namedFile, readNamedFile } from './dar-files.js';
import { checkedPackages } from './cache/fact-files.js';
import { addFaults } from './faults/fault-files.js';
import { unreadable } from './file-errors.js';
import { MachineClock } from './machine-clock.js';
import { participantsOf, synchronizersOf } from './options.js';
import { withExternalCalls } from './extensions/external-calls.js';
import {
  languagesOf,
  requireSupported,
  rulesOf,
  statedReleases,
  usualProtocol,
  withAccounts,
  withoutReleases,
  withRelease,
} from './releases/stated.js';
import { bothGateways, dappWalletOf } from './wallet-gateway/dapp-wallet-of.js';
import { scenarioAuthorization } from './scenario-authorization.js';
import type { CanticleOptions } from './canticle-options.js';
import type { LoadedWorld } from './worlds/load-world.js';
import { isBytes } from '../daml/errors/realms.js';
import type * as FactFiles from './recorded/fact-files.js';
import type * as Documents from '../scenario/document.js';
import type * as ScenarioRun from '../scenario/run.js';
import type * as FoundedTasks from '../splice/founding/founded-tasks.js';
import type * as Model from '../splice/model/packages.js';
import type * as OpenWorld from './open-world.js';
import type * as Scripts from './run-script.js';

const ownDocuments = lazy(() => require('./releases/own-documents.js') as typeof OwnDocuments);
const factFiles = lazy(() => require('./recorded/fact-files.js') as typeof FactFiles);
const documents = lazy(() => require('../scenario/document.js') as typeof Documents);
const scenarioRun = lazy(() => require('../scenario/run.js') as typeof ScenarioRun);
const foundedTasks = lazy(
  () => require('../splice/founding/founded-tasks.js') as typeof FoundedTasks,
);
const model = lazy(() => require('../splice/model/packages.js') as typeof Model);
const openWorld = lazy(() => require('./open-world.js') as typeof OpenWorld);
const scripts = lazy(() => require('./run-script.js') as typeof Scripts);

/** The options of a world, including those that no user sets. */
export interface WorldOptions extends CanticleOptions {
  /** Validators of several participants. {@link CanticleOptions.validator} is the validator of the first one. */
  readonly validators?: readonly (ValidatorSetup & ValidatorRelease)[];
  /** DARs for some of the participants. */
  readonly uploads?: readonly Upload[];
  readonly instanceNames?: Partial<InstanceNames>;
  readonly traffic?: TrafficOptions | undefined;
  /** Whether to load the test token and the quickstart package on first use: a LocalNet has neither. */
  readonly ownAreLate?: boolean;
  /** Microseconds. */
  readonly maxDeduplicationDuration?: bigint;
  /** Called with the path of each file that the scenario names, before it is read. */
  readonly onRead?: (path: string) => void;
  /** The data of a live participant, instead of the file of a world. @param fresh the options of a new network */
  readonly forked?: (fresh: NetworkOptions) => LoadedWorld;
  /** Whether the environment cannot change its releases. */
  readonly hasOwnRelease?: boolean;
  /** The file of a world, if it is already open. */
  readonly loaded?: LoadedWorld;
  /** Runs before any scenario, and after Amulet has started. */
  readonly furnish?: (world: World) => void;
}

export interface Upload {
  readonly dar: Uint8Array | string;
  /** Names of participants. */
  readonly to: readonly string[];
}

/** @param make makes the Canticle of its world */
export function assemble<Made extends Canticle>(
  given: WorldOptions,
  make: (world: World, parts: CanticleParts) => Made,
  progress?: Progress,
): { canticle: Made; report: ScenarioReport | undefined } {
  const { registryPrefixes, pathPrefix, scan, scenario } = given;
  const document = scenario === undefined ? undefined : readScenario(scenario);
  // A fork has the release of its live participant.
  const hasOwnRelease = given.forked !== undefined || given.hasOwnRelease === true;
  const released = hasOwnRelease ? withRelease(given) : inNamedReleases(withRelease(given));
  const options = document === undefined ? released : withHead(document.head, released);
  const machine = options.clock === 'wall' ? new MachineClock() : undefined;
  const fresh = freshOptions(options, machine);
  const loaded =
    options.forked?.(fresh) ??
    options.loaded ??
    (options.load === undefined ? undefined : openWorld().openedWorld(options.load, given, fresh));
  const releases = releasesOf(options, loaded);
  const closing = new AbortController();
  const network = networkOf(options, releases, fresh, machine, loaded, closing.signal);
  for (const dar of options.dars ?? []) addDar(network, dar, undefined, loaded !== undefined);
  for (const { dar, to } of options.uploads ?? []) addDar(network, dar, to, loaded !== undefined);
  const isLate = loaded === undefined ? isBare(options) : loaded.splice.saved?.isLate === true;
  const addOwn = (): void => addNew(network, OWN);
  const spliceOptions: SpliceOptions = {
    scanSees: scan?.sees,
    forcedAcsSnapshots: scan?.forcedAcsSnapshots,
    instanceNames: options.instanceNames,
    traffic: options.traffic,
    late: isLate ? { before: addOwn, after: () => void token.rules } : undefined,
    validators: options.validators ?? [options.validator ?? {}],
    releaseAt: (participant) => spliceReleaseOf(releases.at(participant).validatorVersion),
    laterFields: spliceReleaseOf(releases.spliceVersion).laterFields,
    ...loaded?.splice,
  };
  const splice: Splice =
    loaded === undefined
      ? new Splice(network, spliceOptions)
      : loaded.withSource(() => savedSplice(network, spliceOptions));
  const participants = network.participants.map((each) => new ParticipantView(each));
  const token: TestToken = new TestToken(participants, splice.registryAdmin, {
    isLate: isLate || loaded !== undefined || options.ownAreLate === true,
    prepare: addOwn,
  });
  const amulet = new Amulet(participants, splice);
  // A scenario runs in the world of the DSO.
  if (options.amulet !== undefined || (document?.steps.length ?? 0) > 0) splice.begin();
  if (document !== undefined && namesQuickstart(document)) addOwn();
  if (options.amulet !== undefined) bootAmulet(network, amulet, options.amulet);
  const folder = scenario === undefined ? '.' : dirname(scenario);
  const readFile = (path: string) => {
    options.onRead?.(namedFile(path, folder));
    return readNamedFile(path, folder);
  };
  const world = new World({ network, splice, token, amulet, participants }, readFile);
  if (document) world.dappWallet = dappWalletOf(network, options.walletGateway);
  options.furnish?.(world);
  const report = document && scenarioRun().runScenario(world, document, progress);
  if (options.initScript !== undefined) scripts().runInitScript(network, options.initScript);
  addFaults(network, options.faults ?? []);
  const canticle = make(world, {
    ...options,
    auth: options.auth ?? (document && scenarioAuthorization(document, readFile)),
    realClock: options.realClock ?? Date.now,
    onClose: () => {
      machine?.stop();
      closing.abort();
    },
    registryPrefixes,
    ledgerPathPrefix: pathPrefix,
    releases,
  });
  return { canticle, report };
}

/** Restores its scheduled tasks too. */
function savedSplice(network: Network, options: SpliceOptions): Splice {
  const splice = new Splice(network, options);
  foundedTasks().addSavedTasks(splice);
  return splice;
}

function readScenario(file: string): ScenarioDocument {
  return documents().parseScenario(scenarioText(file), file);
}

const MAX_SCENARIO_BYTES = 16 * 1024 * 1024;
/** Rejects bytes that are not UTF-8. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

function scenarioText(file: string): string {
  try {
    return UTF8.decode(readBoundedFile(file, MAX_SCENARIO_BYTES));
  } catch (cause) {
    const isAbsent = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isAbsent ? `no such file in ${process.cwd()}` : undefined;
    throw unreadable(`the scenario '${file}'`, cause, why);
  }
}

/** The head of a scenario; options take precedence. Its authorization names files, which are read later. */
function withHead({ auth: _, ...rest }: ScenarioHead, options: WorldOptions): WorldOptions {
  const head = rest as typeof rest & Pick<WorldOptions, 'walletGateway'>;
  const said = Object.entries(options).filter(([, value]) => value !== undefined);
  return {
    ...head,
    ...Object.fromEntries(said),
    validator: { ...head.validator, ...options.validator },
    walletGateway: bothGateways(head.walletGateway, options.walletGateway),
  };
}

/** The options of a new network. */
function freshOptions(options: WorldOptions, machine: MachineClock | undefined) {
  const { seed, time } = options;
  const bare = isBare(options);
  const { synchronizers = bare ? BARE_SYNCHRONIZERS : undefined } = options;
  const releases = releasesOf(options, undefined);
  const participants = withAccounts(
    withoutReleases(participantsOf(options.participants)),
    options.trafficAccounts,
  );
  const { protocolVersion = usualProtocol(releases, participants) } = options;
  const { additionalAdminUser = !bare && 'ledger-api-user', trafficControl } = options;
  const synchronizerOptions = synchronizersOf(synchronizers);
  requireSupported(releases, participants, synchronizerOptions ?? [GLOBAL], protocolVersion);
  return {
    seed,
    protocolVersion,
    additionalAdminUser: additionalAdminUser === false ? undefined : additionalAdminUser,
    synchronizers: synchronizerOptions,
    participants,
    trafficControl,
    packages: [...(bare ? [] : ownAtStart(options)), ...(options.packages ?? [])],
    languages: languagesOf(releases.apiVersion, options.alphaVersionSupport),
    maxDeduplicationDuration: options.maxDeduplicationDuration,
    ...clockOf({ time }, machine),
  };
}

const OWN = [...TOKEN_PACKAGES, quickstartPackage];

const ownAtStart = ({ ownAreLate = false }: WorldOptions): readonly DamlPackage[] =>
  ownAreLate ? TOKEN_STANDARD_PACKAGES : OWN;

/** Whether the scenario uses the package. */
const namesQuickstart = ({ steps }: ScenarioDocument): boolean =>
  JSON.stringify(steps).includes(`${quickstartPackage.name}:`);

/** The synchronizer without options. */
const GLOBAL = { alias: 'global' };
/** The name in Canton's sandbox. */
const BARE_SYNCHRONIZERS = ['synchronizer-1'];

const isBare = ({ bare = false }: WorldOptions): boolean => bare;

function networkOf(
  options: WorldOptions,
  releases: Releases,
  fresh: ReturnType<typeof freshOptions>,
  machine: MachineClock | undefined,
  loaded: LoadedWorld | undefined,
  closing: AbortSignal,
): Network {
  const around = {
    checkedPackages: checkedPackages(options.cache),
    deadline: deadlineOf(options.interpretationTimeout ?? INTERPRETATION_TIMEOUT_MS),
    // Made at the first fault rule that names an operation: to read the facts of a release takes time.
    operations: lazy(
      () =>
        new Set([
          ...releases.cantonVersions.flatMap((each) => [...operationIds(each)]),
          ...GRPC_ALONE,
          ...GATEWAY_OPERATIONS,
        ]),
    ),
    ...withExternalCalls(options, rulesOf(releases, loaded?.network ?? fresh), closing),
    ownPackages: new Set([PING_PACKAGE, ...OWN].map(({ id }) => id)),
    ...(options.offsetGaps === undefined ? {} : { offsetGaps: options.offsetGaps }),
  };
  const network =
    loaded === undefined
      ? openNetwork({ ...fresh, ...around })
      : loaded.withSource(() =>
          openNetwork(
            { ...loaded.network, ...around, wallClock: machine },
            loaded.restore([
              ...BUILT_IN,
              ...OWN,
              ...(options.packages ?? []),
              ...model().AMULET_MODEL,
            ]),
          ),
        );
  if (loaded !== undefined) addNew(network, options.packages ?? []);
  if (options.coverage === true) network.coverage.start();
  const [facts, costs] = [fromEnvironment('CANTICLE_PRIVACY'), fromEnvironment('CANTICLE_TRAFFIC')];
  if (facts) factFiles().writeFacts(network, facts);
  if (costs) factFiles().writeCosts(network, costs);
  return network;
}

/** The releases of a live participant, or of the options, or of the file of a world. */
function releasesOf(options: WorldOptions, loaded: LoadedWorld | undefined): Releases {
  const { validators = options.validator && [options.validator] } = options;
  const participants = participantsOf(options.participants);
  const stated = statedReleases({ ...options, participants, validators });
  // A stated release of Splice implies that of Canton, even for a saved world. A fork has that of its live participant.
  const isImplied = stated.splice !== undefined && options.forked === undefined;
  const implied = isImplied ? { canton: undefined } : {};
  const { cantonDocuments: folder } = options;
  return new Releases({ ...loaded?.releases, ...implied, ...stated }, (version) =>
    folder === undefined ? version : ownDocuments().releaseWithDocuments(version, folder),
  );
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

/** Adds packages of TypeScript that a saved world does not contain. */
function addNew({ participants }: Network, packages: readonly DamlPackage[]): void {
  for (const participant of participants)
    for (const each of packages)
      if (!participant.packages.has(each.id)) addPackages(participant, [each]);
}

/** @param to names of participants; all if undefined */
function addDar(
  { participants }: Network,
  dar: Uint8Array | string,
  to?: readonly string[],
  isKnownLeft = false,
): void {
  const bytes = typeof dar === 'string' ? darAt(dar) : dar;
  const receivers = participants.filter(({ name }) => to?.includes(name) ?? true);
  try {
    // Participants of the same languages share the parsed DAR.
    const parsed = new Map<unknown, ReturnType<typeof readDar>>();
    for (const participant of receivers) {
      const { languages } = participant.shared;
      const read = parsed.get(languages) ?? readDar(participant, bytes);
      parsed.set(languages, read);
      if (!isKnownLeft || !participant.packages.has(read.main.id))
        storeDar(participant, bytes, read);
    }
  } catch (error) {
    if (!(error instanceof LedgerError) || typeof dar !== 'string') throw error;
    throw error.explained(`${dar}: ${error.details.explanation ?? error.details.cause}`);
  }
}

function darAt(path: string): Uint8Array {
  try {
    return readNamedFile(path);
  } catch (cause) {
    throw withCallerStack(unreadable(`the DAR file '${path}'`, cause));
  }
}

function bootAmulet(
  network: Network,
  amulet: Amulet,
  given: NonNullable<CanticleOptions['amulet']>,
): void {
  const isDar = typeof given === 'string' || isBytes(given);
  const { dar, ...options } = isDar ? { dar: given } : given;
  addDar(network, dar);
  amulet.boot(options);
}
