/**
 * The entry point of the command line. `main(argv, terminal)` runs one command and resolves to its exit status. The code of a command is
 * in another file, which is loaded on use. This file also formats failures for the terminal.
 * NOTE: all texts of the command line are from Canticle, because no real system has this command.
 */
import type { SqlFlags } from './show-sql.js';
import { showTrace, type TraceFlags } from './trace/show-trace.js';
import { Command, CommanderError } from 'commander';
import { explanationLines } from './explanations.js';
import type { CoverageFlags } from './coverage.js';
import type { ReleasesFlags } from './releases.js';
import type { CodegenFlags } from './codegen/codegen.js';
import type { InspectFlags } from './inspect/inspect.js';
import type { RunFlags } from './run/run.js';
import { addDumpCommand, addSimulateCommand } from './fork/commands.js';
import { addFuzzCommand } from './fuzz/command.js';
import { addLocalnetCommands } from './localnet/commands.js';
import { addMutateCommand } from './mutate/command.js';
import { addPrivacyCommand } from './privacy/command.js';
import { addTrafficCommand } from './traffic/command.js';
import { addRehearseCommand } from './rehearse/command.js';
import { addRecordingCommands } from './recording/commands.js';
import { whole } from '../options/kinds.js';
import { parsed } from './flags/flag-values.js';
import { addOptionFlags } from './flags/option-flags.js';
import { addSandboxFlags, readSandboxFlags } from './sandbox-flags.js';
import { spelledOut } from '../daml/errors/printable.js';
import { CommandFailed, terminalOf, type BareTerminal, type Terminal } from './terminal.js';
import { addScriptCommand } from './script/command.js';
import type { TestFlags } from './test/test.js';

/** @param argv the arguments after the program's name. */
export async function main(argv: readonly string[], bare: BareTerminal): Promise<number> {
  const terminal = terminalOf(bare);
  const program = describe(terminal);
  try {
    await program.command.parseAsync(argv, { from: 'user' });
    return program.status();
  } catch (error) {
    // Commander has already printed its own errors, and the help and version texts, for which it also throws.
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof CommandFailed)) throw error;
    const why = explanationLines(error, '    ', { colors: terminal.stderr.isTTY === true });
    const lines = [`canticle: ${spelledOut(oneLine(error.message))}`, ...why];
    terminal.stderr.painted(`${lines.join('\n')}\n`);
    return 1;
  }
}

/** Builds the commands. `status` returns the exit status of the command that ran. */
function describe(terminal: Terminal): { command: Command; status: () => number } {
  let status = 0;
  const program = new Command('canticle')
    .description('An in-memory Canton Network for tests.')
    .version(terminal.version)
    .helpCommand(true)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, write) =>
        write(`canticle: ${helpful(oneLine(text.replace(/^error: /, '')))}\n`),
    });
  addSandboxFlags(program.command('sandbox'))
    .description('Run a Canton sandbox in this process. A scenario file can create its contents.')
    .action(async (scenario: string | undefined, flags: object) => {
      const read = readSandboxFlags(scenario, flags);
      const { runSandbox } = await import('./sandbox.js');
      await runSandbox(read, terminal);
    });
  addLocalnetCommands(program, terminal, (ended) => (status = ended));
  addRecordingCommands(program, terminal, (ended) => (status = ended));
  addRehearseCommand(program, terminal, (ended) => (status = ended));
  addPrivacyCommand(program, terminal, (ended) => (status = ended));
  addTrafficCommand(program, terminal, (ended) => (status = ended));
  addSimulateCommand(program, terminal, (ended) => (status = ended));
  addDumpCommand(program, terminal);
  addOptionFlags(program.command('run'), 'run')
    .argument('<files...>', 'scenario files, YAML or JSON')
    .description(
      'Run scenarios and check their expectations. Exits with 0 if all hold, with 1 if not, and with 2 if a scenario cannot run.',
    )
    .option('--json', 'print the report as JSON')
    .option('--junit <file>', "write the results to this file, in JUnit's format")
    .option('--watch', 'run again if a scenario or one of its files changes')
    .option('--coverage', 'report which templates were created and which choices were exercised')
    .option('--coverage-json <file>', 'add the coverage to this file, as JSON')
    .option('--coverage-package <name>', 'package for the coverage; repeatable', append, [])
    .action(async (files: readonly string[], flags: RunFlags) => {
      const { runScenarios } = await import('./run/run.js');
      status = await runScenarios(files, terminal, flags);
    });
  addOptionFlags(program.command('test'), 'test')
    .argument('[dars...]', 'DAR files')
    .description(
      'Run the Daml scripts of DARs as tests. Exits with 0 if all succeed, with 1 if one fails, and with 2 if a DAR cannot be read.',
    )
    .option('-p, --test-pattern <text>', 'run only scripts whose names contain this text')
    .option('--files <files...>', 'run only scripts of these source files, such as Main/Tests.daml')
    .option('--all', 'run the scripts of dependencies too')
    .option('--junit <file>', "write the results to this file, in JUnit's format")
    .option('--json', 'print the report as JSON')
    .option('--coverage', 'report which templates were created and which choices were exercised')
    .option('--show-coverage', 'print the coverage in the form of `daml test`')
    .option('--coverage-json <file>', 'add the coverage to this file, as JSON')
    .option('--coverage-package <name>', 'package for the coverage; repeatable', append, [])
    .option(
      '--rows <script=file>',
      'run a script once for each row of a JSON, YAML or CSV file, with the row as its argument; repeatable',
      append,
      [],
    )
    .option('--watch', 'run again if a DAR changes')
    .option(
      '--workers <number>',
      'number of threads; chosen by the number of scripts by default',
      parsed(whole(1)),
    )
    .action(async (files: readonly string[], flags: TestFlags) => {
      const { runTests } = await import('./test/test.js');
      status = await runTests(files, terminal, flags);
    });
  addFuzzCommand(program, terminal, (ended) => (status = ended));
  addMutateCommand(program, terminal, (ended) => (status = ended));
  addScriptCommand(program, terminal, (ended) => (status = ended));
  addOptionFlags(program.command('codegen'), 'codegen')
    .argument('<dars...>', 'DAR files')
    .description('Write TypeScript for the templates, choices, interfaces and types of DARs.')
    .requiredOption(
      '-o, --out <folder>',
      'output folder: one folder per package, one file per module',
    )
    .option('--watch', 'run again if a DAR changes')
    .action(async (files: readonly string[], flags: CodegenFlags) => {
      const { runCodegen } = await import('./codegen/codegen.js');
      status = await runCodegen(files, terminal, flags);
    });
  addOptionFlags(program.command('inspect'), 'inspect')
    .alias('upgrade-check')
    .argument(
      '<dars...>',
      'DAR files; of several, each is checked as an upgrade of the earlier ones',
    )
    .description(
      'Show the contents of a DAR, or check several as upgrades. Exits with 1 if a participant that vets the earlier ones rejects one.',
    )
    .option('--json', 'print JSON')
    .option('--all', 'show all packages, not only the main one')
    .action(async (files: readonly string[], flags: InspectFlags) => {
      const { inspectDars } = await import('./inspect/inspect.js');
      status = inspectDars(files, terminal, flags);
    });
  program
    .command('trace')
    .argument('[update-id]', 'id of an update')
    .description(
      'Show the trace of a submission on a running Canticle: each node, and the parties that see it.',
    )
    .option('--url <url>', 'URL of the running Canticle', 'http://127.0.0.1:7575')
    .option('--command-id <id>', 'show the newest submission with this command id')
    .option('--request <id>', 'show a request of the journal; latest is the newest rejected one')
    .option('--json', 'print JSON')
    .option(
      '--diff <update-id>',
      'compare with another update, as JSON; exits with 1 if they differ',
    )
    .option('--svg <file>', 'write a sequence diagram to this file')
    .option('--flame <file>', 'write a flame graph of the steps to this file')
    .action(async (updateId: string | undefined, flags: TraceFlags) => {
      status = await showTrace(updateId, flags, terminal);
    });
  program
    .command('sql')
    .argument('<statement>', 'one SQL statement')
    .description('Run SQL over the ledger of a Canticle that runs with --pqs, and print the rows.')
    .option('--url <url>', 'URL of the running Canticle', 'http://127.0.0.1:7575')
    .option('--database <name>', 'database of a participant; the first one by default')
    .option('--json', 'print a line of JSON for each row')
    .action(async (statement: string, flags: SqlFlags) => {
      const { showSql } = await import('./show-sql.js');
      status = await showSql(statement, flags, terminal);
    });
  program
    .command('coverage')
    .argument('<files...>', 'coverage files of tests and runs')
    .option('--json', 'print JSON')
    .option('--lcov <file>', "write the coverage of Daml lines to this file, in lcov's format")
    .option('--svg <file>', 'write a picture of the choices to this file')
    .description('Add up coverage files, and list the choices that were never exercised.')
    .action(async (files: readonly string[], flags: CoverageFlags) => {
      const { showCoverage } = await import('./coverage.js');
      showCoverage(files, flags, terminal);
    });
  program
    .command('releases')
    .argument('[name]', 'release of Canton or of Splice, such as 3.6 or 0.9, for all details')
    .option('--json', 'print JSON')
    .description('List the releases, with the parts of each that are complete or not.')
    .action(async (name: string | undefined, flags: ReleasesFlags) => {
      const { showReleases } = await import('./releases.js');
      showReleases(name, flags, terminal);
    });
  return { command: program, status: () => status };
}

/** Mistyped commands and file names, with the commands that fit. */
const MEANT: readonly (readonly [RegExp, string])[] = [
  [/\.dar$/i, 'canticle test FILE, or canticle inspect FILE'],
  [/\.(?:ya?ml|json)$/i, 'canticle sandbox FILE, or canticle run FILE'],
  [/\.har$/i, 'canticle replay FILE, or canticle verify FILE'],
  [/^(?:start|up|serve|server|dev)$/i, 'canticle sandbox, or canticle localnet'],
  [/^(?:stop|down|kill)$/i, 'canticle localnet stop'],
  [/^status$/i, 'canticle localnet status'],
  [/^(?:fork|load)$/i, 'canticle sandbox --fork URL, or --load FILE'],
];

/** Suggests a command where commander found none of a similar name. */
function helpful(text: string): string {
  const [, name] = /^unknown command '(.*)'$/.exec(text) ?? [];
  if (name === undefined) return text;
  const meant = MEANT.find(([pattern]) => pattern.test(name))?.[1];
  if (meant === undefined) return `${text}. canticle --help lists the commands.`;
  return `${text} (Did you mean ${meant.replaceAll('FILE', /\.\w+$/.test(name) ? name : 'FILE')}?)`;
}

const append = (name: string, previous: readonly string[]) => [...previous, name];
const oneLine = (text: string) => text.trim().replace(/\s*\n\s*/g, ' ');
