/**
 * The flags of `canticle script`, called as those of `dpm script`, and which of them cannot stand together.
 * NOTE: `--json-api` and `--cache` are ours, and so is a script without a ledger: it has one of its own, as with `daml test`.
 */
import { Option, type Command } from 'commander';
import { addOptionFlags } from '../flags/option-flags.js';
import { CommandFailed, type Terminal } from '../terminal.js';

export interface ScriptFlags {
  readonly dar: string;
  /** `Module:name`, each. */
  readonly scriptName: readonly string[];
  /** Left out of `all`, or of `scriptName`. */
  readonly skipScriptName: readonly string[];
  /** Every script of the main package that takes no argument. */
  readonly all?: boolean;
  /** Files that get what scripts there are, and what several came to, as JSON. */
  readonly listScriptsJson?: string;
  readonly jsonTestSummary?: string;
  /** A file with its argument, as JSON. */
  readonly inputFile?: string;
  /** A file that gets its result, as JSON. */
  readonly outputFile?: string;
  /** Where the Ledger API is; none for a ledger of its own. */
  readonly jsonApi?: string;
  /** Where it is over gRPC. */
  readonly ledgerHost?: string;
  readonly ledgerPort?: string;
  /** A file that says where several participants are, over gRPC. */
  readonly participantConfig?: string;
  /** A ledger of its own, as the real runner has it. */
  readonly ideLedger?: boolean;
  readonly ideLedgerProtocolVersion?: string;
  readonly staticTime?: boolean;
  readonly wallClockTime?: boolean;
  /** Over TLS, which files of certificates ask for, too. */
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
    .description('Run Daml scripts against a Ledger API, or on a ledger of their own.')
    .requiredOption('--dar <file>', 'the DAR that has them')
    .option('--script-name <name>', 'such as Main:setup; may be given again', append, [])
    .option('--all', 'every script of the main package that takes no argument')
    .option('--skip-script-name <name>', 'but not this one; may be given again', append, [])
    .option('--list-scripts-json <file>', 'gets the names of those, as JSON; nothing is run')
    .option('--json-test-summary <file>', 'gets what each came to, as JSON')
    .option('--input-file <file>', 'the argument of a single script, as JSON')
    .option('--output-file <file>', 'gets the result of a single script, as JSON')
    .option('--json-api <url>', 'where the JSON Ledger API is; a ledger of its own without it')
    .option('--ledger-host <host>', 'where the Ledger API is over gRPC, with --ledger-port')
    .option('--ledger-port <port>', 'its port')
    .addOption(
      new Option('--admin-port <port>', 'not used: nothing is asked of the admin API').hideHelp(),
    )
    .option('--participant-config <file>', 'where several participants are over gRPC, as JSON')
    .option('--ide-ledger', 'a ledger of its own, with the time of the clock unless it is static')
    .option(
      '--ide-ledger-protocol-version <version>',
      'what it speaks: V34 or V35, which is the default',
    )
    .option('-w, --wall-clock-time', 'the time is that of the clock, as it is by default')
    .option('-s, --static-time', "the time is the ledger's, and goes where scripts set it")
    .option('--tls', 'over TLS, which each of these three asks for, too')
    .option(
      '--cacrt <file>',
      'whose certificates are trusted, as PEM; those of the machine by default',
    )
    .option('--crt <file>', 'the certificate that it shows of itself, as PEM')
    .option('--pem <file>', 'its private key, as PEM')
    .option('--max-inbound-message-size <bytes>', 'of a message that the Ledger API answers with')
    .option('--access-token-file <file>', 'a token for the Ledger API')
    .option('--user-id <id>', 'who submits; daml-script where no token says it')
    .option('--upload-dar <true or false>', 'whether the DAR is uploaded first', 'false')
    .action(async (flags: ScriptFlags) => {
      checkFlags(flags);
      const { runScripts } = await import('./script.js');
      ended(await runScripts(flags, terminal));
    });
}

/** @throws CommandFailed for what the real runner refuses, too */
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
    `${named.join(' and ')} name ${named.length === 2 ? 'two' : 'several'} ledgers: leave one of them.`,
  );
  const isOverGrpc = ledgerHost !== undefined || participantConfig !== undefined;
  const hasTls = [flags.tls, flags.cacrt, crt, pem].some((each) => each !== undefined);
  refuse(
    hasTls && !isOverGrpc,
    '--tls, --cacrt, --crt and --pem are for --ledger-host and --participant-config.',
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
    'Cannot upload a DAR to a ledger of its own: name a Ledger API, or leave --upload-dar.',
  );
}

/** As the real runner reads it. @throws CommandFailed */
export function isYes(text: string): boolean {
  const told = text.toLowerCase();
  if (['true', 'yes', '1'].includes(told)) return true;
  if (['false', 'no', '0'].includes(told)) return false;
  throw new CommandFailed(`--upload-dar is true or false, not '${text}'.`);
}

/** Of a ledger of its own that was asked for. @throws CommandFailed */
export function ideProtocol({ ideLedgerProtocolVersion: text = 'latest' }: ScriptFlags) {
  const told = text.toLowerCase().replace(/^v/, '');
  const found = ([34, 35] as const).find((each) => (told === 'latest' ? '35' : told) === `${each}`);
  if (found !== undefined) return found;
  throw new CommandFailed(`--ide-ledger-protocol-version is V34 or V35, not '${text}'.`);
}
