/**
 * `canticle test`: runs the Daml scripts of DARs as tests, each on a ledger of its own, and reports a line for each, and below one
 * that failed what it failed with.
 */
import { basename } from 'node:path';
import { readNamedFile } from '../assembly/dar-files.js';
import { checkedPackages } from '../assembly/fact-files.js';
import { readDar, type Dar } from '../daml/dar/dar-file.js';
import type { DamlPackage } from '../daml/model/package.js';
import type { ProtocolVersion } from '../network/protocol.js';
import { scriptName, scriptsOf, type Script } from '../script/find-scripts.js';
import { placeText } from '../script/free.js';
import { contractTables, tableText } from '../script/ide/ledger-table.js';
import { ScriptPackages } from '../script/packages.js';
import { testScript, type ScriptFailure, type TestedScript } from '../script/test-script.js';
import { causeOf, CommandFailed, type Terminal } from './terminal.js';

/** Exit status: every script succeeds, one does not, a DAR cannot be read. */
const PASS = 0;
const FAIL = 1;
const BROKEN = 2;

export interface TestFlags {
  readonly cache?: string;
  /** Text that names contain. */
  readonly testPattern?: string;
  /** Source files, such as `Main/Tests.daml`: the scripts of their modules. */
  readonly files?: readonly string[];
  /** Scripts of dependencies too. */
  readonly all?: boolean;
  readonly seed?: number;
  readonly protocolVersion?: ProtocolVersion;
}

interface Tally {
  passed: number;
  failed: number;
  broken: number;
}

/** @returns the exit status, the worst of all files */
export function runTests(files: readonly string[], terminal: Terminal, flags: TestFlags): number {
  const tally: Tally = { passed: 0, failed: 0, broken: 0 };
  for (const file of files) testDar(file, terminal, flags, tally);
  const { passed, failed, broken } = tally;
  const scripts = `${passed + failed} ${passed + failed === 1 ? 'script' : 'scripts'}`;
  const rest = broken === 0 ? '' : ` ${broken} of the DARs could not be read.`;
  terminal.stdout.write(`${scripts}: ${passed} pass, ${failed} fail.${rest}\n`);
  return broken > 0 ? BROKEN : failed > 0 ? FAIL : PASS;
}

function testDar(file: string, terminal: Terminal, flags: TestFlags, tally: Tally): void {
  const dar = read(file, terminal, flags);
  if (dar === undefined) {
    tally.broken++;
    return;
  }
  const { main, packages: all } = dar;
  const { stdout } = terminal;
  const packages = new ScriptPackages(all);
  const scripts = (flags.all === true ? all : [main])
    .flatMap((each) => scriptsOf(each))
    .filter((script) => script.argument === undefined && isWanted(script, flags));
  stdout.write(`${basename(file)} (${main.name} ${main.version})\n`);
  if (scripts.length === 0) stdout.write(`  ${noScripts(main, flags)}\n`);
  for (const script of scripts) {
    const { seed, protocolVersion } = flags;
    const began = performance.now();
    const tested = testScript(packages, script, { seed, protocolVersion });
    const took = Math.round(performance.now() - began);
    stdout.write(`${reportOf(packages, tested, took, script.of !== main).join('\n')}\n`);
    tally[tested.failure === undefined ? 'passed' : 'failed']++;
  }
}

function read(file: string, { stderr }: Terminal, { cache }: TestFlags): Dar | undefined {
  try {
    const checked = checkedPackages(cache);
    return readDar(readNamedFile(file), undefined, { ...(checked && { checked }) });
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    stderr.write(`canticle: failed to read ${file}: ${causeOf(error)}\n`);
    return undefined;
  }
}

function isWanted(script: Script, { testPattern = '', files }: TestFlags): boolean {
  if (!scriptName(script).includes(testPattern)) return false;
  const own = `/${script.module.replaceAll('.', '/')}.daml`;
  return files === undefined || files.some((file) => `/${file}`.endsWith(own));
}

function noScripts(main: DamlPackage, { testPattern, files }: TestFlags): string {
  const narrowed = testPattern !== undefined || files !== undefined;
  return narrowed
    ? 'It has no script that these flags select.'
    : `${main.name} has no script without arguments.`;
}

function reportOf(
  packages: ScriptPackages,
  { script, failure, traces, ledger }: TestedScript,
  took: number,
  isForeign: boolean,
): readonly string[] {
  const name = isForeign ? `${script.of.name}:${scriptName(script)}` : scriptName(script);
  const said = traces.map((message) => `      ${message}`);
  if (failure === undefined) return [`  ✓ ${name}  ${took} ms`, ...said];
  const table = tableText(contractTables(packages, ledger.contracts));
  const state = table.length === 0 ? [] : ['', '      The ledger:', ...indented(table, 8)];
  return [`  ✗ ${name}  ${took} ms`, ...said, ...failureLines(failure), ...state, ''];
}

const indented = (lines: readonly string[], by: number) =>
  lines.map((line) => `${' '.repeat(by)}${line}`);

function failureLines({ message, places, explanation }: ScriptFailure): readonly string[] {
  const where = places.map((place) => `  in ${placeText(place)}`);
  const why = explanation === undefined ? [] : explanation.body().split('\n');
  return indented([...message.split('\n'), ...where, ...indented(why, 2)], 6);
}

/** @throws CommandFailed where it is no protocol version */
export function protocolVersionOf(text: string): ProtocolVersion {
  const found = ([34, 35] as const).find((each) => String(each) === text);
  if (found === undefined)
    throw new CommandFailed(`there is no protocol version ${text}: there are 34 and 35.`);
  return found;
}
