/** The flags of `canticle localnet`, and what they ask of a LocalNet. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LocalnetOptions } from '../../assembly/localnet/localnet-options.js';
import { UPDATE_ORDERS } from '../../services/streams/update-order.js';
import { append, instant, port, seed } from '../flag-values.js';
import { LOG_FORMS, type LogForm } from '../request-log.js';
import { CACHE_FLAG } from '../sandbox-flags.js';
import { addTlsFlags, readTlsFlags, type RawTlsFlags } from '../tls-flags.js';

export interface LocalnetFlags {
  readonly options: LocalnetOptions;
  /** Files that get the ports, by node and service, when it is ready. */
  readonly portsFiles: readonly string[];
  readonly log?: LogForm;
  readonly verbose: boolean;
  readonly shutdownStdinClose: boolean;
}

/** What commander collects. */
interface RawFlags extends RawTlsFlags {
  host?: string;
  portOffset?: number;
  ports?: 'localnet' | 'auto';
  scanPort?: number;
  svPort?: number;
  portFile?: string;
  multiSync?: true;
  expiry?: true;
  traffic?: 'unmetered' | 'metered';
  auth?: 'shared-secret' | 'oauth2';
  staticTime?: true;
  time?: string;
  seed?: number;
  dar: string[];
  spliceDars?: string;
  load?: string;
  cache?: string;
  allowOrigin: string[];
  openControls?: true;
  offsetGaps?: boolean;
  updateOrder?: string;
  log?: true | string;
  verbose?: true;
  shutdownStdinClose?: true;
}

const AUTH_MODES = ['shared-secret', 'oauth2'] as const;
const TRAFFIC = ['unmetered', 'metered'] as const;
const PORTS = ['localnet', 'auto'] as const;

export function addLocalnetFlags(command: Command): Command {
  const flag = (names: string, description: string) => new Option(names, description);
  command
    .argument('[file]', 'a file that says more: validators, parties, users, packages, holdings')
    .addOption(
      flag(
        '--ports <which>',
        'localnet: those of a LocalNet, which is the default; auto: any free ones',
      ).choices(PORTS),
    )
    .addOption(flag('--port-offset <n>', "added to each of a LocalNet's ports").argParser(offset))
    .addOption(
      flag(
        '--scan-port <port>',
        'a port of its own for Scan and the registry, such as 5012',
      ).argParser(port),
    )
    .addOption(
      flag('--sv-port <port>', 'a port of its own for the SV app, such as 5014').argParser(port),
    )
    .option('--host <host>', 'address to listen on; 127.0.0.1 by default')
    .option('--port-file <file>', 'file that gets the ports, as JSON, when ready')
    .addOption(
      flag(
        '--auth <mode>',
        "how clients come by tokens: signed by themselves, or from cn-quickstart's Keycloak",
      ).choices(AUTH_MODES),
    );
  return addTlsFlags(command)
    .option('--multi-sync', 'a second synchronizer, app-synchronizer, for all but sv')
    .option('--expiry', "let run the SV's automation that archives what has expired")
    .addOption(
      flag(
        '--traffic <how>',
        'metered: what participants send costs traffic, which validators buy, as on a LocalNet; unmetered by default',
      ).choices(TRAFFIC),
    )
    .option('--static-time', 'time moves only when asked to; by default it is that of this machine')
    .addOption(flag('--time <instant>', 'time to start at, with --static-time').argParser(instant))
    .addOption(flag('--seed <n>', 'seed of every id and every choice').argParser(seed))
    .addOption(
      flag('--dar <file>', 'DAR file to upload to every participant; may be given again')
        .default([], 'none')
        .argParser(append),
    )
    .option(
      '--splice-dars <folder>',
      "folder of Splice's DARs, off for none; CANTICLE_DARS or ~/.canticle/dars by default",
    )
    .option('--load <file>', 'go on from a LocalNet that was saved (save of a Canticle)')
    .option('--cache <folder>', CACHE_FLAG)
    .addOption(
      flag(
        '--allow-origin <origin>',
        'let its pages use the Ledger APIs (CORS), controls; again; * for all',
      )
        .default([], 'none')
        .argParser(append),
    )
    .option('--open-controls', 'controls need no token')
    .option('--offset-gaps', 'offsets have gaps, as those of a real participant (the default)')
    .option('--no-offset-gaps', 'offsets are 1, 2, 3 and so on')
    .addOption(
      flag(
        '--update-order <order>',
        'when open streams have an update: before its submission is answered (the default), or after',
      ).choices(UPDATE_ORDERS),
    )
    .addOption(flag('--log [form]', 'print a line for each request on stderr').choices(LOG_FORMS))
    .option('--verbose', 'explain each refused submission on stderr')
    .option('--shutdown-stdin-close', 'stop when stdin is closed')
    .allowExcessArguments(false);
}

/** @param config a file that says options as well @param flags the options that commander parsed for a command made by {@link addLocalnetFlags} */
export function readLocalnetFlags(config: string | undefined, flags: unknown): LocalnetFlags {
  const raw = flags as RawFlags;
  const isStatic = raw.staticTime ?? raw.time !== undefined;
  return {
    options: {
      config,
      host: raw.host,
      ports: raw.ports,
      portOffset: raw.portOffset,
      scanPort: raw.scanPort,
      svPort: raw.svPort,
      auth: raw.auth,
      multiSync: raw.multiSync,
      amulet: raw.expiry && { expiry: true },
      traffic: raw.traffic,
      clock: isStatic ? 'virtual' : undefined,
      time: raw.time,
      seed: raw.seed,
      dars: raw.dar.length === 0 ? undefined : raw.dar,
      spliceDars: raw.spliceDars === 'off' ? false : raw.spliceDars,
      load: raw.load,
      tls: readTlsFlags(raw),
      cache: raw.cache,
      allowOrigins: raw.allowOrigin.length === 0 ? undefined : raw.allowOrigin,
      openControls: raw.openControls,
      offsetGaps: raw.offsetGaps,
      updateOrder: UPDATE_ORDERS.find((each) => each === raw.updateOrder),
    },
    portsFiles: raw.portFile === undefined ? [] : [raw.portFile],
    log: raw.log === true ? 'pretty' : LOG_FORMS.find((form) => form === raw.log),
    verbose: raw.verbose ?? false,
    shutdownStdinClose: raw.shutdownStdinClose ?? false,
  };
}

/** So that the highest of a LocalNet's ports is still one. */
const MAX_OFFSET = 60_000;

/** What `--port-offset` takes. */
export function offset(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (value <= MAX_OFFSET) return value;
  throw new InvalidArgumentError(`An offset is a whole number from 0 to ${MAX_OFFSET}.`);
}
