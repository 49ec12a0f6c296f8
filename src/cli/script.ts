/**
 * `canticle script`: runs one Daml script against a ledger behind a Ledger API, over JSON or gRPC, Canticle's or any other's, or on a
 * ledger of its own. NOTE: flags are called as those of `dpm script`, where it has them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { keepCompiled } from '../assembly/cache/fact-files.js';
import { ScriptTests } from '../assembly/script-tests.js';
import { grpcLedger, type ClientTls } from '../assembly/grpc/ledger.js';
import { readNamedFile } from '../assembly/dar-files.js';
import { JsonApi, type RemoteValues, type Send } from '../script/remote/json-api.js';
import { ScriptFailed, ScriptRefusal } from '../script/failures.js';
import { scriptNamed } from '../script/find-scripts.js';
import { runScriptRemotely } from '../script/run-remotely.js';
import { scriptArgument } from '../script/arguments.js';
import { causeOf, CommandFailed, type Terminal } from './terminal.js';

export interface ScriptFlags {
  readonly dar: string;
  /** `Module:name` */
  readonly scriptName: string;
  /** A file with its argument, as JSON. */
  readonly inputFile?: string;
  /** A file that gets its result, as JSON. */
  readonly outputFile?: string;
  /** Where the Ledger API is; none for a ledger of its own. */
  readonly jsonApi?: string;
  /** Where it is over gRPC. */
  readonly ledgerHost?: string;
  readonly ledgerPort?: string;
  /** Over TLS, which files of certificates ask for, too. */
  readonly tls?: boolean;
  readonly cacrt?: string;
  readonly crt?: string;
  readonly pem?: string;
  readonly accessTokenFile?: string;
  readonly userId?: string;
  readonly uploadDar?: string;
  readonly cache?: string;
}

/** As the real runner calls itself, where no token says who it is. */
const USER = 'daml-script';
const MICROS = 1000n;

/** @returns the exit status: 1 where the script fails */
export async function runOneScript(flags: ScriptFlags, terminal: Terminal): Promise<number> {
  const { dar, scriptName, inputFile, outputFile, cache } = flags;
  const onTrace = (message: string) => terminal.stderr.write(`${message}\n`);
  const argument = inputFile === undefined ? undefined : jsonIn(inputFile);
  try {
    const tests = new ScriptTests(dar, {}, cache);
    const script = scriptNamed(tests.main, scriptName);
    let result: unknown;
    const ledger = ledgerOf(flags);
    if (ledger === undefined) {
      const { argument: type } = script;
      const given =
        type === undefined || argument === undefined
          ? argument
          : scriptArgument(tests.packages, type, argument);
      const { failure, json, traces } = tests.run(script, given);
      traces.forEach(onTrace);
      if (failure !== undefined) throw new ScriptFailed(scriptName, failure, undefined);
      result = json();
    } else {
      try {
        if (flags.uploadDar !== 'no')
          await new JsonApi(ledger.send).ask('POST', '/v2/dars', readNamedFile(dar));
        const { userId = flags.accessTokenFile === undefined ? USER : undefined } = flags;
        result = await runScriptRemotely(tests.packages, script, {
          ...ledger,
          now: () => BigInt(Date.now()) * MICROS,
          wait: (micros) => new Promise((done) => setTimeout(done, Number(micros / MICROS))),
          newCommandId: () => crypto.randomUUID(),
          argument,
          onTrace,
          ...(userId !== undefined && { userId }),
        });
      } finally {
        ledger.close();
      }
    }
    if (outputFile !== undefined) write(outputFile, result);
    return 0;
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    if (error instanceof ScriptFailed) {
      terminal.stderr.write(`canticle: ${error.message}\n`);
      return 1;
    }
    const isOfLedger = error instanceof ScriptRefusal;
    if (!isOfLedger && typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    const cause = isOfLedger ? error.message : causeOf(error);
    throw new CommandFailed(`failed to run ${scriptName} of ${dar}: ${cause}`);
  } finally {
    keepCompiled();
  }
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    throw new CommandFailed(`failed to read '${file}': ${causeOf(error)}`);
  }
}

function write(file: string, result: unknown): void {
  if (result === undefined)
    throw new CommandFailed('the result of the script is no value of a ledger, which has no JSON.');
  try {
    writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`);
  } catch (error) {
    throw new CommandFailed(`failed to write '${file}': ${causeOf(error)}`);
  }
}

interface Ledger {
  readonly send: Send;
  readonly values?: RemoteValues;
  readonly close: () => void;
}

/** Undefined where none is named. @throws CommandFailed */
function ledgerOf(flags: ScriptFlags): Ledger | undefined {
  const { jsonApi, ledgerHost, ledgerPort, accessTokenFile } = flags;
  const token = accessTokenFile === undefined ? undefined : textOf(accessTokenFile).trim();
  const tls = tlsOf(flags);
  if (jsonApi !== undefined && ledgerHost !== undefined)
    throw new CommandFailed(
      '--json-api and --ledger-host name two ledgers: leave one of them out.',
    );
  if (tls !== undefined && ledgerHost === undefined)
    throw new CommandFailed('--tls, --cacrt, --crt and --pem are for --ledger-host.');
  if (jsonApi !== undefined) return { send: sender(jsonApi, token), close: () => undefined };
  if (ledgerHost === undefined && ledgerPort === undefined) return undefined;
  const port = Number(ledgerPort);
  if (ledgerHost === undefined || !Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CommandFailed('--ledger-host and --ledger-port belong together: a name and a port.');
  return overGrpc(ledgerHost, port, { token, tls });
}

function tlsOf({ tls, cacrt, crt, pem }: ScriptFlags): ClientTls | undefined {
  if ((crt === undefined) !== (pem === undefined))
    throw new CommandFailed('--crt and --pem belong together: a certificate and its private key.');
  if (tls !== true && cacrt === undefined && crt === undefined) return undefined;
  const pemIn = (file: string | undefined) => (file === undefined ? undefined : textOf(file));
  return { ca: pemIn(cacrt), cert: pemIn(crt), key: pemIn(pem) };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandFailed(`failed to read '${file}': ${causeOf(error)}`);
  }
}

function overGrpc(
  host: string,
  port: number,
  options: { readonly token: string | undefined; readonly tls: ClientTls | undefined },
): Ledger {
  const ledger = grpcLedger(host, port, options);
  const send: Send = async (...request) => {
    try {
      return await ledger.send(...request);
    } catch (error) {
      if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
      throw new CommandFailed(`failed to reach ${host}:${port}: ${causeOf(error)}`);
    }
  };
  return { send, values: ledger.values, close: () => ledger.close() };
}

function sender(url: string, token: string | undefined): Send {
  const base = url.replace(/\/$/, '');
  return async (method, path, body) => {
    const isBytes = body instanceof Uint8Array;
    const type = isBytes ? 'application/octet-stream' : 'application/json';
    let answer: Response;
    try {
      answer = await fetch(base + path, {
        method,
        headers: {
          ...(body && { 'content-type': type }),
          ...(token && { authorization: `Bearer ${token}` }),
        },
        ...(body && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
      });
    } catch (error) {
      throw new CommandFailed(
        `failed to reach ${base}: ${causeOf((error as Error).cause ?? error)}`,
      );
    }
    const text = await answer.text();
    return { status: answer.status, body: parsed(text) };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
