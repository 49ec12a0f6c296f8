/** Runs one script as a test on a new in-memory ledger, and reports its result or failure. */
import { DamlFailure } from '../daml/model/package.js';
import type { Deadline } from '../daml/interpreter/input.js';
import type { Interpretation } from '../daml/model/transaction.js';
import type { Timestamp } from '../daml/model/values.js';
import { LedgerError } from '../daml/errors/ledger-error.js';
import { DamlException } from '../daml/lf/runtime/exceptions.js';
import { protocolFor, PROTOCOLS, type ProtocolVersion } from '../network/model/protocol.js';
import { atOnce } from './awaited.js';
import {
  FailedCommand,
  ScriptError,
  ScriptRefusal,
  ThrownInScript,
  type ScriptFailure,
} from './failures.js';
import type { Script } from './find-scripts.js';
import { resultJson } from './result-json.js';
import { IdeLedger } from './ide/ide-ledger.js';
import type { ScriptPackages } from './packages.js';
import { ScriptRun } from './script-run.js';

export interface TestOptions {
  /** 0 by default. */
  readonly seed?: number;
  /** By default, the version that the packages' languages need. */
  readonly protocolVersion?: ProtocolVersion;
  /** The argument, if the script takes one: a run-time value. */
  readonly argument?: unknown;
  readonly onCommit?: (transaction: Interpretation) => void;
  /** Ends the code of the script and of its submissions. */
  readonly deadline?: Deadline;
  /**
   * The time that the script reads. With a clock, the script cannot set the time. The default is the ledger's own
   * time.
   */
  readonly clock?: () => Timestamp;
}

export interface TestedScript {
  readonly script: Script;
  /** The result, a run-time value; undefined if the script failed. */
  readonly result: unknown;
  /** The result as Ledger API JSON; undefined if it is not a ledger value. */
  readonly json: () => unknown;
  /** Undefined if it succeeded. */
  readonly failure: ScriptFailure | undefined;
  /** The messages of `debug` and `trace`. */
  readonly traces: readonly string[];
  /** The ledger after the script. */
  readonly ledger: IdeLedger;
}

/** The most messages of `debug` and `trace` that are stored for one script. */
const MAX_TRACES = 10_000;

export function testScript(
  packages: ScriptPackages,
  script: Script,
  { seed, protocolVersion, onCommit, clock, argument, deadline }: TestOptions = {},
): TestedScript {
  const traces: string[] = [];
  const onTrace = (message: string) => {
    if (traces.length < MAX_TRACES) traces.push(message);
  };
  const protocol =
    protocolVersion === undefined
      ? protocolFor([script.of.languageVersion])
      : PROTOCOLS[protocolVersion];
  const ledger = new IdeLedger(packages, { seed, protocol, onTrace, onCommit, clock, deadline });
  const setting = { packages, ledger, seed, onTrace, deadline };
  const run = () => new ScriptRun(script, setting).run(argument);
  try {
    const result = atOnce(run());
    const json = () => resultJson(packages, script.result, result);
    return { script, result, json, failure: undefined, traces, ledger };
  } catch (error) {
    const json = () => undefined;
    return { script, result: undefined, json, failure: failureOf(error), traces, ledger };
  }
}

/** @throws the error itself if it is a bug, not a failure of a script */
export function failureOf(error: unknown): ScriptFailure {
  if (error instanceof ScriptError)
    return { message: error.message, places: [], explanation: undefined };
  if (error instanceof ThrownInScript) {
    const { cause } = error;
    const explanation = cause instanceof LedgerError ? cause.explanation : undefined;
    return { message: thrownText(cause), places: [], explanation };
  }
  if (error instanceof FailedCommand) {
    const { command, cause, stack_: places } = error.innermost;
    const refused = cause instanceof ScriptRefusal ? cause.refused : undefined;
    const message = `${command} failed: ${refusedText(cause, refused)}`;
    return { message, places, explanation: refused?.explanation };
  }
  throw error;
}

function thrownText(cause: DamlException | DamlFailure | LedgerError): string {
  if (cause instanceof DamlFailure) return `${cause.message} (${cause.errorId})`;
  if (cause instanceof DamlException) return 'Unhandled exception';
  const { details, code } = cause;
  const text = details.resources?.find(([type]) => type === 'EXCEPTION_TEXT')?.[1];
  if (code === 'INTERPRETATION_USER_ERROR' && text !== undefined) return text;
  return [`${code}: ${details.cause}`, details.explanation].filter(Boolean).join(' ');
}

const refusedText = (cause: Error, refused: LedgerError | undefined): string =>
  refused === undefined ? cause.message : `${refused.code}: ${refused.details.cause}`;
