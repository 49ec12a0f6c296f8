/**
 * The command line's entrance: `main(argv, terminal)` runs one command and resolves to its exit status. What a command
 * does is in a file of its own, loaded when it is asked for; how a failure is worded for the terminal is here.
 * NOTE: the texts of the command line are ours, here and in its other files: no real system has this command.
 */
import { showTrace, type TraceFlags } from './trace/show-trace.js';
import { Command, CommanderError } from 'commander';
import { explanationLines } from './explanations.js';
import type { CoverageFlags } from './coverage.js';
import type { CodegenFlags } from './codegen/codegen.js';
import type { InspectFlags } from './inspect/inspect.js';
import type { RunFlags } from './run/run.js';
import { addDumpCommand, addSimulateCommand } from './fork/commands.js';
import { addLocalnetCommands } from './localnet/commands.js';
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
    // Commander has already printed its own refusals, and the help and version texts that it throws to end with.
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof CommandFailed)) throw error;
    const why = explanationLines(error, '    ', { colors: terminal.stderr.isTTY === true });
    const lines = [`canticle: ${spelledOut(oneLine(error.message))}`, ...why];
    terminal.stderr.painted(`${lines.join('\n')}\n`);
    return 1;
  }
}

/** The commands, and how the one that ran ended. */
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
    .description('Run a Canton sandbox in this process, empty or as a scenario says.')
    .action(async (scenario: string | undefined, flags: object) => {
      const read = readSandboxFlags(scenario, flags);
      const { runSandbox } = await import('./sandbox.js');
      await runSandbox(read, terminal);
    });
  addLocalnetCommands(program, terminal, (ended) => (status = ended));
  addRecordingCommands(program, terminal, (ended) => (status = ended));
  addSimulateCommand(program, terminal, (ended) => (status = ended));
  addDumpCommand(program, terminal);
  addOptionFlags(program.command('run'), 'run')
    .argument('<files...>', 'scenario files, YAML or JSON')
    .description(
      'Run scenarios and report what they expect: 0 if all holds, 1 if not, 2 if one cannot be run.',
    )
    .option('--json', 'the report as JSON')
    .option('--junit <file>', 'a file that gets the results in the form of JUnit')
    .option('--watch', 'again whenever a scenario changes, or a file that one names')
    .option('--coverage', 'tell which templates were created and which choices exercised')
    .option('--coverage-json <file>', 'the same as JSON, added to what is in the file')
    .option('--coverage-package <name>', 'of this package; may be given again', append, [])
    .action(async (files: readonly string[], flags: RunFlags) => {
      const { runScenarios } = await import('./run/run.js');
      status = await runScenarios(files, terminal, flags);
    });
  addOptionFlags(program.command('test'), 'test')
    .argument('[dars...]', 'DAR files')
    .description(
      'Run the Daml scripts of DARs as tests: 0 if all succeed, 1 if one fails, 2 if a DAR cannot be read.',
    )
    .option('-p, --test-pattern <text>', 'of the scripts whose names contain it')
    .option('--files <files...>', 'of the modules of these source files, such as Main/Tests.daml')
    .option('--all', 'the scripts of dependencies too')
    .option('--junit <file>', 'a file that gets the results in the form of JUnit')
    .option('--json', 'the report as JSON')
    .option('--coverage', 'tell which templates were created and which choices exercised')
    .option('--show-coverage', 'the same as daml test tells it')
    .option('--coverage-json <file>', 'the same as JSON, added to what is in the file')
    .option('--coverage-package <name>', 'of this package; may be given again', append, [])
    .option(
      '--rows <script=file>',
      'the script with each row of a JSON, YAML or CSV file as its argument; may be given again',
      append,
      [],
    )
    .option('--watch', 'again whenever a DAR changes')
    .option(
      '--workers <number>',
      'threads that run scripts; as many as pay by default',
      parsed(whole(1)),
    )
    .action(async (files: readonly string[], flags: TestFlags) => {
      const { runTests } = await import('./test/test.js');
      status = await runTests(files, terminal, flags);
    });
  addScriptCommand(program, terminal, (ended) => (status = ended));
  addOptionFlags(program.command('codegen'), 'codegen')
    .argument('<dars...>', 'DAR files')
    .description('Write TypeScript for the templates, choices, interfaces and types of DARs.')
    .requiredOption('-o, --out <folder>', 'gets a folder a package, and in it a file a module')
    .option('--watch', 'again whenever a DAR changes')
    .action(async (files: readonly string[], flags: CodegenFlags) => {
      const { runCodegen } = await import('./codegen/codegen.js');
      status = await runCodegen(files, terminal, flags);
    });
  addOptionFlags(program.command('inspect'), 'inspect')
    .alias('upgrade-check')
    .argument('<dars...>', 'DAR files: of several, each is held to those before it')
    .description(
      'Tell what a DAR holds, or compare several: 1 if one is refused where those before it are vetted.',
    )
    .option('--json', 'as JSON')
    .option('--all', 'what all packages declare, not the main one alone')
    .action(async (files: readonly string[], flags: InspectFlags) => {
      const { inspectDars } = await import('./inspect/inspect.js');
      status = inspectDars(files, terminal, flags);
    });
  program
    .command('trace')
    .argument('[update-id]', 'the id of an update')
    .description('Show what a submission did on a Canticle that runs: each node, and who sees it.')
    .option('--url <url>', 'where it runs', 'http://127.0.0.1:7575')
    .option('--command-id <id>', 'the newest submission of that command instead')
    .option('--request <id>', 'a request of the journal, or latest for the newest refused one')
    .option('--json', 'as JSON')
    .option('--diff <update-id>', 'what is different of another, as JSON: 1 if anything is')
    .option('--svg <file>', 'gets a sequence diagram')
    .option('--flame <file>', 'gets a flame graph of its steps')
    .action(async (updateId: string | undefined, flags: TraceFlags) => {
      status = await showTrace(updateId, flags, terminal);
    });
  program
    .command('coverage')
    .argument('<files...>', 'files of choice coverage, as tests and runs write them')
    .option('--json', 'as JSON')
    .option('--lcov <file>', 'gets the lines of Daml, as lcov has them')
    .option('--svg <file>', 'gets a picture of the choices')
    .description('Add up files of choice coverage and show what was never exercised.')
    .action(async (files: readonly string[], flags: CoverageFlags) => {
      const { showCoverage } = await import('./coverage.js');
      showCoverage(files, flags, terminal);
    });
  return { command: program, status: () => status };
}

/** What others call a command, or name in its place. */
const MEANT: readonly (readonly [RegExp, string])[] = [
  [/\.dar$/i, 'canticle test FILE, or canticle inspect FILE'],
  [/\.(?:ya?ml|json)$/i, 'canticle sandbox FILE, or canticle run FILE'],
  [/\.har$/i, 'canticle replay FILE, or canticle verify FILE'],
  [/^(?:start|up|serve|server|dev)$/i, 'canticle sandbox, or canticle localnet'],
  [/^(?:stop|down|kill)$/i, 'canticle localnet stop'],
  [/^status$/i, 'canticle localnet status'],
  [/^(?:fork|load)$/i, 'canticle sandbox --fork URL, or --load FILE'],
];

/** Where no command is near to what was asked for. */
function helpful(text: string): string {
  const [, name] = /^unknown command '(.*)'$/.exec(text) ?? [];
  if (name === undefined) return text;
  const meant = MEANT.find(([pattern]) => pattern.test(name))?.[1];
  if (meant === undefined) return `${text}. canticle --help lists the commands.`;
  return `${text} (Did you mean ${meant.replaceAll('FILE', /\.\w+$/.test(name) ? name : 'FILE')}?)`;
}

const append = (name: string, previous: readonly string[]) => [...previous, name];
const oneLine = (text: string) => text.trim().replace(/\s*\n\s*/g, ' ');
