/** `canticle script`: runs Daml scripts against any Ledger API, or on new in-memory ledgers. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers';
import { saveCompiledCode } from '../../assembly/cache/fact-files.js';
import { readNamedFile } from '../../assembly/dar-files.js';
import { ScriptTests, type ScriptTestOptions } from '../../assembly/script-tests.js';
import { OPERATIONS } from '../../client/operations.js';
import { InvariantError } from '../../daml/errors/ledger-error.js';
import { scriptArgument } from '../../script/arguments.js';
import { ScriptFailed, ScriptRefusal } from '../../script/failures.js';
import { scriptName, scriptNamed, type Script } from '../../script/find-scripts.js';
import { RemoteApi } from '../../script/remote/remote-api.js';
import { resultText } from '../../script/result-json.js';
import { runScriptRemotely } from '../../script/run-remotely.js';
import { causeOf, CommandFailed, type Terminal } from '../terminal.js';
import { ideProtocol, isYes, type ScriptFlags } from './command.js';
import { ledgersOf, type Ledgers } from './ledgers.js';
import { isError } from '../../daml/errors/realms.js';

const MICROS = 1000n;
const now = () => BigInt(Date.now()) * MICROS;

/** @returns the exit status: 1 where a script fails @throws CommandFailed */
export async function runScripts(flags: ScriptFlags, terminal: Terminal): Promise<number> {
  const { dar, inputFile, outputFile, listScriptsJson } = flags;
  try {
    const tests = readDar(flags);
    if (listScriptsJson !== undefined) {
      const names = tests.scripts().map(scriptName);
      write(listScriptsJson, JSON.stringify(names, undefined, 2));
      return 0;
    }
    const scripts = chosen(flags, tests);
    const runs = new Runs(tests, ledgersOf(flags), flags.staticTime === true, terminal);
    try {
      await runs.start(isYes(flags.uploadDar) ? readNamedFile(dar) : undefined);
      if (inputFile === undefined && outputFile === undefined)
        return await runSeveral(runs, scripts, flags.jsonTestSummary, terminal);
      const [script] = scripts as [Script];
      const result = await runs.run(
        script,
        inputFile === undefined ? undefined : jsonIn(inputFile),
      );
      if (outputFile !== undefined) write(outputFile, textOf(tests, script, result));
      return 0;
    } finally {
      runs.ledgers?.close();
    }
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    if (error instanceof ScriptFailed) {
      terminal.stderr.write(`canticle: ${error.message}\n`);
      return 1;
    }
    const isOfLedger = error instanceof ScriptRefusal;
    if (!isOfLedger && typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    const cause = isOfLedger ? error.message : causeOf(error);
    throw new CommandFailed(`failed to run ${flags.scriptName.join(', ')} of ${dar}: ${cause}`);
  } finally {
    saveCompiledCode();
  }
}

/** @throws CommandFailed if the file does not exist or is not a DAR */
function readDar(flags: ScriptFlags): ScriptTests {
  const { dar, cache } = flags;
  try {
    return new ScriptTests(dar, ownLedger(flags), cache);
  } catch (error) {
    if (isError(error, 'TypeError') || error instanceof InvariantError) throw error;
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(`failed to read ${dar}: ${causeOf(error)}`);
  }
}

/** How an in-memory ledger behaves: like the real runner if requested, otherwise like `daml test`. */
function ownLedger(flags: ScriptFlags): ScriptTestOptions {
  const { ideLedger = false } = flags;
  const byClock = flags.wallClockTime ?? (ideLedger && flags.staticTime !== true);
  return {
    ...(byClock && { clock: now }),
    ...(ideLedger && { protocolVersion: ideProtocol(flags) }),
  };
}

/** In the order of their names, as the real runner runs them. */
function chosen(flags: ScriptFlags, tests: ScriptTests): readonly Script[] {
  const isIncluded = (name: string) => !flags.skipScriptName.includes(name);
  const scripts =
    flags.all === true
      ? tests.scripts().filter((each) => isIncluded(scriptName(each)))
      : flags.scriptName.filter(isIncluded).map((name) => scriptNamed(tests.main, name));
  /** Names by their parts: `A:a` comes before `A.B:a`, and that before `AA:a`. */
  const order = ({ module, name }: Script) => `${module}\u0000${name}`.replaceAll('.', '\u0001');
  return scripts.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

class Runs {
  constructor(
    private readonly tests: ScriptTests,
    readonly ledgers: Ledgers | undefined,
    private readonly isStatic: boolean,
    private readonly terminal: Terminal,
  ) {}

  /** Reaches the ledgers. @param dar DARs to upload to the default participant @throws CommandFailed, ScriptRefusal, LedgerError */
  async start(dar: Uint8Array | undefined): Promise<void> {
    if (this.ledgers === undefined) return;
    const { usual, named } = this.ledgers;
    for (const { send } of [usual, ...named.values()])
      await new RemoteApi(send).request(OPERATIONS.version);
    if (dar !== undefined)
      await new RemoteApi(usual.send).request(OPERATIONS.uploadDar, { body: dar });
  }

  /** @returns Ledger API JSON; undefined for a value without a JSON form @throws ScriptFailed */
  async run(script: Script, argument: unknown): Promise<unknown> {
    const { tests, ledgers, isStatic } = this;
    const onTrace = (message: string) => this.terminal.stderr.write(`${message}\n`);
    if (ledgers === undefined) {
      const { argument: type } = script;
      const given =
        type === undefined || argument === undefined
          ? argument
          : scriptArgument(tests.packages, type, argument);
      const { failure, json, traces } = tests.run(script, given);
      traces.forEach(onTrace);
      if (failure !== undefined) throw new ScriptFailed(scriptName(script), failure, undefined);
      return json();
    }
    const shared = {
      now,
      wait: (micros: bigint) =>
        new Promise<void>((done) => setTimeout(done, Number(micros / MICROS))),
      newCommandId: () => crypto.randomUUID(),
      isStatic,
    };
    const named = [...ledgers.named].map(([name, each]) => [name, { ...each, ...shared }] as const);
    return await runScriptRemotely(tests.packages, script, {
      ...ledgers.usual,
      ...shared,
      participants: new Map(named),
      places: ledgers.places,
      argument,
      onTrace,
    });
  }

  text(script: Script, result: unknown): string {
    return textOf(this.tests, script, result);
  }
}

/** One after the other, a line for each. */
async function runSeveral(
  runs: Runs,
  scripts: readonly Script[],
  summary: string | undefined,
  terminal: Terminal,
): Promise<number> {
  const members: string[] = [];
  let status = 0;
  for (const script of scripts) {
    const name = scriptName(script);
    let member: string;
    try {
      const result = await runs.run(script, undefined);
      if (summary === undefined) terminal.stdout.write(`${name} SUCCESS\n`);
      member = summary === undefined ? '' : `"result": ${runs.text(script, result)}`;
    } catch (error) {
      if (!(error instanceof ScriptFailed)) throw error;
      status = 1;
      if (summary === undefined) terminal.stdout.write(`${name} FAILURE (${error.message})\n`);
      member = `"error": ${JSON.stringify(error.message)}`;
    }
    members.push(`${JSON.stringify(name)}: { ${member} }`);
  }
  if (summary !== undefined) write(summary, `{\n  ${members.join(',\n  ')}\n}`);
  return status;
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    throw new CommandFailed(`failed to read '${file}': ${causeOf(error)}`);
  }
}

/** @throws CommandFailed */
function textOf(tests: ScriptTests, script: Script, result: unknown): string {
  if (result === undefined)
    throw new CommandFailed('the result of the script has a type that JSON cannot represent.');
  return resultText(tests.packages, script.result, result);
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${text}\n`);
  } catch (error) {
    throw new CommandFailed(`failed to write '${file}': ${causeOf(error)}`);
  }
}
