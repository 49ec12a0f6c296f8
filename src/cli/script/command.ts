/**
 * The flags of `canticle script`, with the names of `dpm script`, and the combinations that are invalid.
 * NOTE: only Canticle has `--json-api`, `--cache`, and scripts without a Ledger API, which run on a new ledger as with `daml test`.
 */
import { Option, type Command } from 'commander';
import { addOptionFlags } from '../flags/option-flags.js';
import { DEFAULT_PROTOCOL_VERSION, PROTOCOL_VERSIONS } from '../../network/model/protocol.js';
import { CommandFailed, type Terminal } from '../terminal.js';

export interface ScriptFlags {
  readonly dar: string;
  /** Each as `Module:name`. */
  readonly scriptName: readonly string[];
  /** Scripts to omit from `all` or `scriptName`. */
  readonly skipScriptName: readonly string[];
  /** Every script of the main package that takes no argument. */
  readonly all?: boolean;
  /** JSON files for the names of all scripts, and for the results of several. */
  readonly listScriptsJson?: string;
  readonly jsonTestSummary?: string;
  /** JSON file with the argument of the script. */
  readonly inputFile?: string;
  /** JSON file for the result of the script. */
  readonly outputFile?: string;
  /** URL of the JSON Ledger API; a new ledger if undefined. */
  readonly jsonApi?: string;
  /** Host of the gRPC Ledger API. */
  readonly ledgerHost?: string;
  readonly ledgerPort?: string;
  /** A file with the gRPC addresses of several participants. */
  readonly participantConfig?: string;
  /** Use a new ledger, as the real runner does. */
  readonly ideLedger?: boolean;
  readonly ideLedgerProtocolVersion?: string;
  readonly staticTime?: boolean;
  readonly wallClockTime?: boolean;
  /** Use TLS. The flags of certificate files imply it. */
  readonly tls?: boolean;
  readonly cacrt?: string;
  readonly crt?: string;
  readonly pem?: string;
  /** Bytes. */
  readonly maxInboundMessageSize?: string;
  readonly accessTokenFile?: string;
  readonly userId?: string;
  readonly uploadDar: string;
  readonly cache?: string | false;
}

const append = (name: string, previous: readonly string[]) => [...previous, name];

export function addScriptCommand(
  program: Command,
  terminal: Terminal,
  ended: (status: number) => void,
): void {
  addOptionFlags(program.command('script'), 'script')
    .description('Run Daml scripts on a live Ledger API, or on a new ledger.')
    .requiredOption('--dar <file>', 'DAR with the scripts')
    .option('--script-name <name>', 'script to run, such as Main:setup; repeatable', append, [])
    .option('--all', 'run each script of the main package that takes no argument')
    .option('--skip-script-name <name>', 'with --all: script to leave out; repeatable', append, [])
    .option(
      '--list-scripts-json <file>',
      'write the names of the scripts to this file, as JSON, and run nothing',
    )
    .option('--json-test-summary <file>', 'write the result of each script to this file, as JSON')
    .option('--input-file <file>', 'file with the argument of a single script, as JSON')
    .option('--output-file <file>', 'write the result of a single script to this file, as JSON')
    .option('--json-api <url>', 'URL of the JSON Ledger API; without it, a new ledger')
    .option('--ledger-host <host>', 'host of the gRPC Ledger API, with --ledger-port')
    .option('--ledger-port <port>', 'port of the gRPC Ledger API')
    .addOption(
      new Option(
        '--admin-port <port>',
        'not used: Canticle sends nothing to the admin API',
      ).hideHelp(),
    )
    .option(
      '--participant-config <file>',
      'file with the gRPC addresses of several participants, as JSON',
    )
    .option('--ide-ledger', "use a new ledger, with the machine's time unless --static-time is set")
    .option(
      '--ide-ledger-protocol-version <version>',
      'protocol version of the new ledger: V34 or V35; V35 by default',
    )
    .option('-w, --wall-clock-time', "use the machine's time, which is the default")
    .option('-s, --static-time', "use the ledger's time, which scripts set")
    .option('--tls', 'use TLS; each of the next three flags implies it')
    .option(
      '--cacrt <file>',
      'certificate authority to trust, as PEM; by default the authorities that Node trusts',
    )
    .option('--crt <file>', 'client certificate, as PEM')
    .option('--pem <file>', 'private key of the client certificate, as PEM')
    .option(
      '--max-inbound-message-size <bytes>',
      'largest size of an answer of the Ledger API, in bytes',
    )
    .option('--access-token-file <file>', 'file with a token for the Ledger API')
    .option('--user-id <id>', 'user that submits; daml-script by default, if no token names one')
    .option('--upload-dar <true or false>', 'upload the DAR first', 'false')
    .action(async (flags: ScriptFlags) => {
      checkFlags(flags);
      const { runScripts } = await import('./script.js');
      ended(await runScripts(flags, terminal));
    });
}

/** @throws CommandFailed also for the combinations that the real runner rejects */
function checkFlags(flags: ScriptFlags): void {
  const refuse = (isSo: boolean, message: string): void => {
    if (isSo) throw new CommandFailed(message);
  };
  const { all = false, scriptName, jsonTestSummary, listScriptsJson } = flags;
  const hasFiles = flags.inputFile !== undefined || flags.outputFile !== undefined;
  if (listScriptsJson !== undefined) {
    const others = Object.entries(flags).filter(
      ([name, value]) => !MAY_LIST.has(name) && !(Array.isArray(value) && value.length === 0),
    );
    refuse(others.length > 0, 'Only --dar can be provided when using --list-scripts-json.');
    return;
  }
  refuse(all && scriptName.length > 0, '--all and --script-name flags are incompatible.');
  refuse(all && hasFiles, '--all and --input-file/--output-file are incompatible.');
  refuse(!all && scriptName.length === 0, '--all or --script-name must be specified.');
  const chosen = scriptName.filter((name) => !flags.skipScriptName.includes(name));
  refuse(
    !all && chosen.length === 0,
    '--script-name and --skip-script-name flags fully cancel out to no tests.',
  );
  refuse(
    hasFiles && jsonTestSummary !== undefined,
    '--json-test-summary not supported when using --input-file or --output-file.',
  );
  refuse(
    hasFiles && chosen.length > 1,
    'Cannot use --input-file/--output-file when more than one test is specified.',
  );
  checkLedger(flags, refuse);
}

const MAY_LIST = new Set(['dar', 'listScriptsJson', 'uploadDar', 'cache']);

function checkLedger(flags: ScriptFlags, refuse: (isSo: boolean, message: string) => void): void {
  const { jsonApi, ledgerHost, participantConfig, ideLedger, crt, pem } = flags;
  const named = Object.entries({
    '--json-api': jsonApi !== undefined,
    '--ledger-host': ledgerHost !== undefined,
    '--participant-config': participantConfig !== undefined,
    '--ide-ledger': ideLedger === true,
  }).flatMap(([flag, isGiven]) => (isGiven ? [flag] : []));
  refuse(
    named.length > 1,
    `${named.join(' and ')} name ${named.length === 2 ? 'two' : 'several'} ledgers. Use only one of them.`,
  );
  const isOverGrpc = ledgerHost !== undefined || participantConfig !== undefined;
  const hasTls = [flags.tls, flags.cacrt, crt, pem].some((each) => each !== undefined);
  refuse(
    hasTls && !isOverGrpc,
    '--tls, --cacrt, --crt and --pem need --ledger-host or --participant-config.',
  );
  refuse(
    flags.staticTime === true && flags.wallClockTime === true,
    '--static-time and --wall-clock-time are mutually exclusive.',
  );
  refuse(
    flags.staticTime === true && jsonApi !== undefined,
    '--static-time needs gRPC: the JSON Ledger API does not serve the time. Use --ledger-host.',
  );
  refuse(
    flags.ideLedgerProtocolVersion !== undefined && ideLedger !== true,
    '--ide-ledger-protocol-version is only available with --ide-ledger.',
  );
  ideProtocol(flags);
  refuse(
    isYes(flags.uploadDar) && named.every((flag) => flag === '--ide-ledger'),
    'Cannot upload a DAR to a new ledger. Name a Ledger API, or remove --upload-dar.',
  );
}

/** Parses a boolean as the real runner does. @throws CommandFailed */
export function isYes(text: string): boolean {
  const lower = text.toLowerCase();
  if (['true', 'yes', '1'].includes(lower)) return true;
  if (['false', 'no', '0'].includes(lower)) return false;
  throw new CommandFailed(`--upload-dar must be true or false, not '${text}'.`);
}

/** Protocol version of the new ledger. @throws CommandFailed */
export function ideProtocol({ ideLedgerProtocolVersion: text = 'latest' }: ScriptFlags) {
  const lower = text.toLowerCase().replace(/^v/, '');
  const found = PROTOCOL_VERSIONS.find(
    (each) => (lower === 'latest' ? `${DEFAULT_PROTOCOL_VERSION}` : lower) === `${each}`,
  );
  if (found !== undefined) return found;
  throw new CommandFailed(`--ide-ledger-protocol-version must be V34 or V35, not '${text}'.`);
}
