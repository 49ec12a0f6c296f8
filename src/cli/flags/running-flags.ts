/** The flags of commands that run until a signal: port files and logs. */
import { Option, type Command } from 'commander';
import type { PortFiles } from '../port-files.js';
import { LOG_FORMS, type LogForm } from '../request-log.js';

export interface RunningFlags extends PortFiles {
  /** The format of requests on stderr; undefined if they are not printed. */
  readonly log: LogForm | undefined;
  /** Refused submissions are explained on stderr. */
  readonly verbose: boolean;
  /** Whether it prints nothing at its end about calls that the next release disables or removes. */
  readonly quietDeprecations: boolean;
  readonly shutdownStdinClose: boolean;
}

/** The options that commander parses. */
interface RawFlags {
  readonly portFile?: string;
  readonly cantonPortFile?: string;
  readonly jsonApiPortFile?: string;
  readonly log?: true | LogForm;
  readonly verbose?: true;
  readonly quietDeprecations?: true;
  readonly shutdownStdinClose?: true;
}

export const addRunningFlags = (command: Command): Command =>
  command
    .option('--port-file <file>', 'write the ports to this file as JSON, when ready')
    .addOption(
      new Option('--log [form]', 'print a line for each request on stderr').choices(LOG_FORMS),
    )
    .option('--verbose', 'explain each refused submission on stderr')
    .option(
      '--quiet-deprecations',
      'do not count the calls that use what the next release disables or removes, at the end',
    )
    .option('--shutdown-stdin-close', 'stop when stdin is closed');

export function readRunningFlags(flags: object): RunningFlags {
  const { portFile, cantonPortFile, jsonApiPortFile, log, ...raw } = flags as RawFlags;
  return {
    portsFiles: [portFile, cantonPortFile].filter((file) => file !== undefined),
    ...(jsonApiPortFile !== undefined && { jsonApiPortFile }),
    log: log === true ? 'pretty' : log,
    verbose: raw.verbose ?? false,
    quietDeprecations: raw.quietDeprecations ?? false,
    shutdownStdinClose: raw.shutdownStdinClose ?? false,
  };
}
