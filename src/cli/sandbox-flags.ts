/**
 * The flags of `canticle sandbox`: Canton's own names and meanings where they apply, and ours. A flag whose value
 * cannot be meant is refused here, before anything starts.
 */
import { InvalidArgumentError, type Command, Option } from 'commander';
import type { AuthOptions } from '../services/authorization/options.js';
import { PROTOCOL_VERSIONS, type ProtocolVersion } from '../network/protocol.js';
import { API_VERSIONS, DEFAULT_API_VERSION, type ApiVersion } from '../spec/versions.js';
import type { JournalDetail } from '../services/request-journal.js';
import { LOG_FORMS, type LogForm } from './request-log.js';
import { addAuthFlags, readAuthFlags, type RawAuthFlags } from './auth-flags.js';
import type { ForkOptions } from '../assembly/fork/fork-options.js';
import { addForkFlags, readForkFlags, readLoadFlags } from './fork/fork-flags.js';
import type { LoadOptions } from '../assembly/open-world.js';
import { addTlsFlags, readTlsFlags, type RawTlsFlags } from './tls-flags.js';
import { UPDATE_ORDERS, type UpdateOrder } from '../services/streams/update-order.js';
import type { TlsOptions } from '../services/tls.js';
import { append, instant, milliseconds, port, seed } from './flag-values.js';

const DEFAULT_PORT = 7575;

/** Canton's flags for ports of services that are not there. */
const UNSERVED_PORTS = ['sequencer-public-port', 'sequencer-admin-port', 'mediator-admin-port'];

export interface SandboxFlags {
  readonly host: string;
  /** 0 for any free one. */
  readonly jsonApiPort: number;
  /** Of the gRPC Ledger API, 0 for any free one; undefined where it is not served. */
  readonly ledgerApiPort?: number;
  /** Of the gRPC admin API, likewise. */
  readonly adminApiPort?: number;
  /** Of every port; undefined where nothing is encrypted. */
  readonly tls?: TlsOptions;
  /** Flags that were given and mean nothing here. */
  readonly unused: readonly string[];
  /** Files that get `{"sandbox":{"jsonApi":PORT}}` when the sandbox is ready. */
  readonly portsFiles: readonly string[];
  /** A file that gets the port alone, as decimal text. */
  readonly jsonApiPortFile?: string;
  readonly clock: 'virtual' | 'wall';
  /** RFC 3339, UTC. */
  readonly time?: string;
  readonly seed?: number;
  /** Paths of DAR files, in the order given. */
  readonly dars: readonly string[];
  /** Path or name of the Amulet DAR to boot from. */
  readonly amulet?: string;
  /** Path of a saved world to go on from, or of active contracts, and who is there beside those whom they name. */
  readonly load?: string | LoadOptions | undefined;
  /** Which participant to go on from. */
  readonly fork?: ForkOptions | undefined;
  /** First part of the validator's party. */
  readonly validatorPartyHint?: string;
  /** Folder that keeps what was found out about DARs, or `off`; undefined where the environment decides. */
  readonly cache?: string;
  /** `Module:name` of a Daml script in one of the DARs, run at the end of the start. */
  readonly initScript?: string;
  /** Path of the rules of faults. */
  readonly faults?: string;
  /** Path of the scenario to start from. */
  readonly scenario?: string;
  readonly apiVersion: ApiVersion;
  /** Undefined where the release decides. */
  readonly protocolVersion?: ProtocolVersion;
  /** Id of an administrator of every participant beside `participant_admin`. */
  readonly additionalAdminUser?: string;
  /** What is sequenced has a cost. */
  readonly trafficControl: boolean;
  /** Packages may be of Daml-LF versions that are not stable. */
  readonly dev: boolean;
  /** Participants have offsets without an update. */
  readonly offsetGaps: boolean;
  /** When open streams have an update. */
  readonly updateOrder?: UpdateOrder | undefined;
  /** Three participants on two synchronizers. */
  readonly multiSync: boolean;
  readonly auth?: AuthOptions;
  /** Prepare tells how the hash comes about, where it is asked to. */
  readonly enableVerboseHashing: boolean;
  readonly allowOrigins: readonly string[];
  readonly openControls: boolean;
  /** Milliseconds after which a request is answered with 503; undefined for the usual time. */
  readonly requestTimeout?: number;
  /** Milliseconds that the code of a transaction may run for; undefined for the usual time. */
  readonly interpretationTimeout?: number;
  /** What the journal keeps of each request. */
  readonly journal: JournalDetail;
  /** How requests are told on stderr; undefined where they are not. */
  readonly log?: LogForm;
  /** Refused submissions are explained on stderr. */
  readonly verbose: boolean;
  readonly shutdownStdinClose: boolean;
}

/** What commander collects, before it is put in order. */
interface RawFlags extends RawAuthFlags, RawTlsFlags {
  host: string;
  jsonApiPort?: number;
  ledgerApiPort?: number;
  adminApiPort?: number;
  port?: number;
  portFile?: string;
  cantonPortFile?: string;
  jsonApiPortFile?: string;
  staticTime?: true;
  wallClockTime?: true;
  time?: string;
  seed?: number;
  dar: string[];
  amulet?: string;
  faults?: string;
  initScript?: string;
  validatorPartyHint?: string;
  cache?: string;
  apiVersion: ApiVersion;
  protocolVersion?: string;
  additionalAdminUser?: string;
  trafficControl?: true;
  dev?: true;
  offsetGaps?: boolean;
  updateOrder?: string;
  multiSync?: true;
  enableVerboseHashing?: true;
  allowOrigin: string[];
  openControls?: true;
  requestTimeout?: number;
  interpretationTimeout?: number;
  journal: JournalDetail;
  log?: true | string;
  verbose?: true;
  shutdownStdinClose?: true;
}

/** What `--cache <folder>` does, of whichever command. */
export const CACHE_FLAG = 'keeps what was found out about DARs there; off for nowhere';

/** How long Daml code may run, of whichever command. */
export const interpretationTimeoutFlag = (): Option =>
  new Option(
    '--interpretation-timeout <ms>',
    'milliseconds that the Daml code of a transaction may run for; 10000 unless told otherwise',
  ).argParser(milliseconds);

export function addSandboxFlags(command: Command): Command {
  const flag = (names: string, description: string) => new Option(names, description);
  for (const name of UNSERVED_PORTS)
    command.addOption(flag(`--${name} <port>`, 'not used: nothing is served there').hideHelp());
  return addForkFlags(addTlsFlags(addAuthFlags(command)))
    .argument('[scenario]', 'scenario file to start from')
    .addOption(
      flag(
        '--json-api-port <port>',
        `port of all APIs, 0 for any free one (default: ${DEFAULT_PORT})`,
      ).argParser(port),
    )
    .addOption(
      flag('--port <port>', 'the same, where --json-api-port is not given').argParser(port),
    )
    .addOption(
      flag(
        '--ledger-api-port <port>',
        'serve the Ledger API over gRPC too, there; 0 for any free port',
      ).argParser(port),
    )
    .addOption(
      flag(
        '--admin-api-port <port>',
        "serve the participant's admin API over gRPC too, there; 0 for any free port",
      ).argParser(port),
    )
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port-file <file>', 'file that gets the ports, as JSON, when ready')
    .option('--canton-port-file <file>', 'the same, by its other name')
    .option('--json-api-port-file <file>', 'file that gets the port as plain text when ready')
    .addOption(
      flag('--static-time', 'time moves only when asked to (this is the default)').conflicts(
        'wallClockTime',
      ),
    )
    .option('--wall-clock-time', 'time is that of this machine')
    .addOption(
      flag('--time <instant>', 'time to start at, for example 2026-01-01T00:00:00Z')
        .argParser(instant)
        .conflicts('wallClockTime'),
    )
    .addOption(flag('--seed <n>', 'seed of every id and every choice').argParser(seed))
    .addOption(
      flag('--dar <file>', 'DAR file to upload; may be given again')
        .default([], 'none')
        .argParser(append),
    )
    .option('--faults <file>', 'rules of faults, YAML or JSON: what goes wrong on purpose')
    .option('--init-script <name>', 'Daml script of a DAR to run at the end of the start')
    .option(
      '--load <file>',
      "go on from a world that was saved, or from active contracts (Canton's ExportAcs)",
    )
    .option('--amulet <file>', "boot Splice's Amulet from your copy of its DAR")
    .option('--validator-party-hint <hint>', "first part of the validator's party")
    .option('--cache <folder>', CACHE_FLAG)
    .addOption(
      flag('--api-version <release>', 'release of the JSON Ledger API to speak')
        .choices(API_VERSIONS)
        .default(DEFAULT_API_VERSION),
    )
    .addOption(
      flag(
        '--protocol-version <version>',
        'what the synchronizers speak; 34 with release 3.4, else 35',
      ).choices(PROTOCOL_VERSIONS.map(String)),
    )
    .option('--additional-admin-user <id>', 'an administrator beside participant_admin')
    .option('--traffic-control', 'what is sequenced has a cost, as on a LocalNet')
    .option('--dev', 'take packages of Daml-LF 2.dev, as with alpha-version-support')
    .option(
      '--offset-gaps',
      'offsets have gaps, as those of a real participant (the default with --wall-clock-time)',
    )
    .option('--no-offset-gaps', 'offsets are 1, 2, 3 and so on (the default otherwise)')
    .addOption(
      flag(
        '--update-order <order>',
        'when open streams have an update: before its submission is answered (the default), or after',
      ).choices(UPDATE_ORDERS),
    )
    .option('--multi-sync', 'three participants on two synchronizers, each with a port of its own')
    .option(
      '--enable-verbose-hashing',
      'prepared transactions come with hashing details, where verboseHashing asks for them',
    )
    .addOption(
      flag(
        '--request-timeout <ms>',
        "milliseconds after which a request is answered with 503; 20000 unless told otherwise, 38000 by Splice's apps",
      ).argParser(milliseconds),
    )
    .addOption(interpretationTimeoutFlag())
    .addOption(
      flag(
        '--allow-origin <origin>',
        'let its pages use the Ledger API (CORS), controls, WebSockets; again; * for all',
      )
        .default([], 'none')
        .argParser(append),
    )
    .addOption(
      flag('-c, --config <file...>', 'of Canton, which are not read')
        .hideHelp()
        .argParser(refuseConfig),
    )
    .option('--open-controls', 'controls need no token, although --auth is given')
    .addOption(
      flag(
        '--journal <detail>',
        'what the journal keeps of a request: full for bodies, headers, durations',
      )
        .choices(['brief', 'full'])
        .default('brief'),
    )
    .addOption(flag('--log [form]', 'print a line for each request on stderr').choices(LOG_FORMS))
    .option('--verbose', 'explain each refused submission on stderr')
    .option('--shutdown-stdin-close', 'stop when stdin is closed')
    .allowExcessArguments(false);
}

/**
 * @param scenario the argument that commander parsed for a command made by {@link addSandboxFlags}, if there was one
 * @param flags its options
 */
export function readSandboxFlags(scenario: string | undefined, flags: unknown): SandboxFlags {
  const raw = flags as RawFlags;
  return {
    host: raw.host,
    jsonApiPort: raw.jsonApiPort ?? raw.port ?? DEFAULT_PORT,
    ledgerApiPort: ledgerApiPortOf(raw),
    adminApiPort: raw.adminApiPort,
    tls: readTlsFlags(raw),
    unused: unusedFlags(raw),
    portsFiles: [raw.portFile, raw.cantonPortFile].filter((file) => file !== undefined),
    jsonApiPortFile: raw.jsonApiPortFile,
    clock: raw.wallClockTime ? 'wall' : 'virtual',
    time: raw.time,
    seed: raw.seed,
    dars: raw.dar,
    amulet: raw.amulet,
    load: readLoadFlags(flags),
    fork: readForkFlags(flags),
    initScript: raw.initScript,
    faults: raw.faults,
    validatorPartyHint: raw.validatorPartyHint,
    cache: raw.cache,
    scenario,
    apiVersion: raw.apiVersion,
    protocolVersion: PROTOCOL_VERSIONS.find((version) => String(version) === raw.protocolVersion),
    additionalAdminUser: raw.additionalAdminUser,
    trafficControl: raw.trafficControl ?? false,
    dev: raw.dev ?? false,
    offsetGaps: raw.offsetGaps ?? raw.wallClockTime ?? false,
    updateOrder: UPDATE_ORDERS.find((each) => each === raw.updateOrder),
    multiSync: raw.multiSync ?? false,
    auth: readAuthFlags(raw),
    enableVerboseHashing: raw.enableVerboseHashing ?? false,
    allowOrigins: raw.allowOrigin,
    openControls: raw.openControls ?? false,
    requestTimeout: raw.requestTimeout,
    interpretationTimeout: raw.interpretationTimeout,
    journal: raw.journal,
    log: raw.log === true ? 'pretty' : LOG_FORMS.find((form) => form === raw.log),
    verbose: raw.verbose ?? false,
    shutdownStdinClose: raw.shutdownStdinClose ?? false,
  };
}

/** Canton's own sandbox takes files of its configuration, of which nothing here has a meaning. */
function refuseConfig(): never {
  throw new InvalidArgumentError(
    "Files of Canton's configuration are not read. Ports are flags (--json-api-port, --ledger-api-port, --admin-api-port), and so are --auth and TLS (--help lists them); participants, synchronizers, parties and users stand in a scenario: canticle sandbox FILE. Several validators: canticle localnet FILE.",
  );
}

/** To `dpm sandbox`, `--port` is that of gRPC; so it is here, beside the port of JSON. */
function ledgerApiPortOf({ ledgerApiPort, port, jsonApiPort }: RawFlags): number | undefined {
  return ledgerApiPort ?? (jsonApiPort === undefined ? undefined : port);
}

function unusedFlags(raw: RawFlags): readonly string[] {
  const isGiven = (name: string) =>
    name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) in raw;
  const isPortUnused =
    raw.port !== undefined && raw.jsonApiPort !== undefined && raw.ledgerApiPort !== undefined;
  return [...(isPortUnused ? ['port'] : []), ...UNSERVED_PORTS.filter(isGiven)].map(
    (name) => `--${name}`,
  );
}
