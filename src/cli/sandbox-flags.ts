/**
 * The flags of `canticle sandbox`: flags of options, with Canton's names and meanings where they exist, and flags of a process. It
 * rejects an invalid value before anything starts.
 */
import { InvalidArgumentError, type Command, Option } from 'commander';
import type { StartOptions } from '../assembly/canticle-options.js';
import { PQS_PORT } from '../assembly/pqs/pqs-options.js';
import { WALLET_GATEWAY_PORT } from '../assembly/wallet-gateway/gateway-paths.js';
import { port } from '../options/kinds.js';
import { forkOrLoad } from './fork/fork-flags.js';
import { parsed } from './flags/flag-values.js';
import { multiSync } from './multi-sync.js';
import { addOptionFlags, optionsGiven } from './flags/option-flags.js';
import { addRunningFlags, readRunningFlags, type RunningFlags } from './flags/running-flags.js';

const DEFAULT_PORT = 7575;

/** Canton's flags for ports of services that Canticle does not serve. */
const UNSERVED_PORTS = ['sequencer-public-port', 'sequencer-admin-port', 'mediator-admin-port'];

export interface SandboxFlags extends RunningFlags {
  readonly options: StartOptions & { readonly port: number };
  /** Flags that were set and have no effect. */
  readonly unused: readonly string[];
}

/** Values that commander collects in addition to options. */
interface RawFlags {
  readonly jsonApiPort?: number;
  readonly ledgerApiPort?: number;
  readonly port?: number;
  readonly multiSync?: true;
}

export function addSandboxFlags(command: Command): Command {
  const flag = (names: string, description: string) => new Option(names, description);
  for (const name of UNSERVED_PORTS)
    command.addOption(
      flag(`--${name} <port>`, 'not used: Canticle has no server on this port').hideHelp(),
    );
  addOptionFlags(command, 'sandbox')
    .argument('[scenario]', 'scenario file to run at the start')
    .addOption(
      flag(
        '--port <port>',
        'the same as --json-api-port; together with that flag, the same as --ledger-api-port',
      ).argParser(parsed(port)),
    )
    .option('--multi-sync', 'run three participants on two synchronizers, each on a separate port')
    .option('--canton-port-file <file>', 'the same as --port-file')
    .option('--json-api-port-file <file>', 'write the port to this file as plain text, when ready')
    .addOption(
      flag('-c, --config <file...>', "Canton's configuration files, which Canticle does not read")
        .hideHelp()
        .argParser(refuseConfig),
    );
  return addRunningFlags(command);
}

/**
 * @param scenario the optional argument that commander parsed for a command made by {@link addSandboxFlags}
 * @param flags its options
 */
export function readSandboxFlags(scenario: string | undefined, flags: object): SandboxFlags {
  const raw = flags as RawFlags;
  const options: StartOptions = forkOrLoad(optionsGiven(flags, 'sandbox'));
  const first = options.port ?? raw.port ?? DEFAULT_PORT;
  // As in `dpm sandbox`, `--port` is the gRPC port if another flag sets the JSON port.
  const grpcPort = raw.ledgerApiPort ?? (options.port === undefined ? undefined : raw.port);
  const grpc =
    grpcPort === undefined ? options.grpc : { ...Object(options.grpc), ledgerApiPort: grpcPort };
  return {
    options: {
      bare: true,
      ...options,
      port: first,
      ...gatewayPort(options),
      ...sqlPort(options),
      ...(scenario !== undefined && { scenario }),
      ...(grpc && { grpc }),
      offsetGaps: options.offsetGaps ?? options.clock === 'wall',
      ...(raw.multiSync && multiSync(first)),
    },
    unused: unusedFlags(raw),
    ...readRunningFlags(flags),
  };
}

/** The gateway of a sandbox has the port that dApps expect. */
function gatewayPort({ walletGateway }: StartOptions): Pick<StartOptions, 'walletGateway'> {
  if (!walletGateway) return {};
  const given = walletGateway === true ? {} : walletGateway;
  return { walletGateway: { port: WALLET_GATEWAY_PORT, ...given } };
}

/** SQL of a sandbox has the port that clients of PostgreSQL expect. */
function sqlPort({ pqs }: StartOptions): Pick<StartOptions, 'pqs'> {
  return pqs ? { pqs: { port: PQS_PORT, ...(pqs === true ? {} : pqs) } } : {};
}

/** Canton's sandbox reads its own configuration files, which have no meaning here. */
function refuseConfig(): never {
  throw new InvalidArgumentError(
    "Canticle does not read Canton's configuration files. Use flags for ports (--json-api-port, --ledger-api-port, --admin-api-port), --auth and TLS; --help lists them. Put participants, synchronizers, parties and users into a scenario: canticle sandbox FILE. Several validators: canticle localnet FILE.",
  );
}

function unusedFlags(raw: RawFlags): readonly string[] {
  const isGiven = (name: string) => new Option(`--${name}`).attributeName() in raw;
  const isPortUnused =
    raw.port !== undefined && raw.jsonApiPort !== undefined && raw.ledgerApiPort !== undefined;
  return [...(isPortUnused ? ['port'] : []), ...UNSERVED_PORTS.filter(isGiven)].map(
    (name) => `--${name}`,
  );
}
