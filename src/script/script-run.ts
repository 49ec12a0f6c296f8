/**
 * Runs a script: evaluates it to its next question, answers the question, and continues with the answer until the
 * script ends. `questions/` has the code of the questions.
 */
import { LedgerError } from '../daml/errors/ledger-error.js';
import type { Deadline } from '../daml/interpreter/input.js';
import { Evaluation } from '../daml/dar/evaluation.js';
import { DamlException } from '../daml/lf/runtime/exceptions.js';
import type { RuntimeRecord } from '../daml/lf/runtime/runtime-values.js';
import { sha256 } from '../daml/model/hash.js';
import { DamlFailure } from '../daml/model/package.js';
import { UNIT } from '../daml/model/values.js';
import type { Waiting } from './awaited.js';
import { FailedCommand, ScriptError, ThrownInScript } from './failures.js';
import type { Script } from './find-scripts.js';
import { scriptName } from './find-scripts.js';
import { stepOf, type Question } from './free.js';
import type { ScriptLedger } from './ledger.js';
import { onlyLibrary, stableLibraries, type LibraryOf } from './library/libraries.js';
import type { ScriptLibrary } from './library/library.js';
import type { ScriptPackages } from './packages.js';
import { PartyHints } from './party-hints.js';
import type { RunningScript } from './running-script.js';
import { questionRow } from './questions/questions.js';
import { isError } from '../daml/errors/realms.js';

/** The most questions of one script, which stops endless scripts. */
const MAX_QUESTIONS = 200_000;

export interface ScriptSetting {
  readonly packages: ScriptPackages;
  readonly ledger: ScriptLedger;
  /** The same seed gives the same keys. */
  readonly seed?: number;
  /** Receives the messages of `debug` and `trace` outside submissions. */
  readonly onTrace?: (message: string) => void;
  /** Ends the code of the script outside of submissions. */
  readonly deadline?: Deadline | undefined;
}

export class ScriptRun implements RunningScript {
  private readonly libraryOf: LibraryOf;
  private asker: ScriptLibrary | undefined;
  readonly hints = new PartyHints();
  private readonly evaluation: Evaluation;
  private questions = 0;
  private secrets = 0;

  /** @throws ScriptError if the script's library is not supported */
  constructor(
    readonly script: Script,
    private readonly setting: ScriptSetting,
  ) {
    if (script.isLegacy)
      throw new ScriptError(
        'Legacy daml-script is not supported in daml 3.3, please recompile your script using a daml 3.3+ SDK',
      );
    const { packages, onTrace, deadline } = setting;
    this.libraryOf = script.isStable
      ? stableLibraries(packages)
      : onlyLibrary(packages.package(script.library));
    const tell = (messages: readonly string[]) => {
      for (const message of messages) onTrace?.(message);
    };
    this.evaluation = new Evaluation(packages, tell, deadline);
  }

  get ledger(): ScriptLedger {
    return this.setting.ledger;
  }

  get library(): ScriptLibrary {
    return (this.asker ??= this.libraryOf(UNIT));
  }

  get packages(): ScriptPackages {
    return this.setting.packages;
  }

  nextSecret(): Uint8Array {
    return sha256(`canticle script key ${this.setting.seed ?? 0} ${this.secrets++}`);
  }

  /**
   * Runs the whole script.
   * @param argument a run-time value, if the script takes an argument
   * @returns a run-time value
   */
  *run(argument?: unknown): Waiting<unknown> {
    const { of, module, name } = this.script;
    if ((this.script.argument === undefined) !== (argument === undefined)) {
      const takes = argument === undefined ? 'requires an argument' : 'does not take arguments';
      throw new ScriptError(`The script ${scriptName(this.script)} ${takes}.`);
    }
    const value = this.evaluated(true, () => this.evaluation.value(of, module, name));
    const script =
      argument === undefined
        ? value
        : this.evaluated(true, () => this.evaluation.apply(value, [argument]));
    return yield* this.resolved(script, true);
  }

  *closure(act: unknown, converts: boolean): Waiting<unknown> {
    const script = this.evaluated(converts, () => this.evaluation.apply(act, [UNIT]));
    return yield* this.resolved(script, converts);
  }

  *resolved(script: unknown, converts: boolean): Waiting<unknown> {
    const start = (script as RuntimeRecord)['p0'];
    let next = this.evaluated(converts, () => this.evaluation.apply(start, [UNIT]));
    for (;;) {
      const step = stepOf(next);
      if (step.isDone) return step.result;
      const { question } = step;
      const answer = yield* this.answer(question, converts);
      next = this.evaluated(converts, () => this.evaluation.apply(question.resume, [answer]));
    }
  }

  private *answer(question: Question, converts: boolean): Waiting<unknown> {
    const { name, version, payload, places } = question;
    if (++this.questions > MAX_QUESTIONS)
      throw new ScriptError(`The script asked more than ${MAX_QUESTIONS} questions.`);
    const row = questionRow(name, version);
    this.asker = this.libraryOf(payload);
    try {
      return yield* row(this, payload, converts);
    } catch (error) {
      if (error instanceof ThrownInScript || error instanceof ScriptError) throw error;
      // A library that only resembles the script library may pass any value.
      if (isError(error, 'TypeError'))
        throw new ScriptError(`Expected ${name} payload, but it is another: ${error.message}`);
      if (!isError(error) || isBug(error)) throw error;
      throw new FailedCommand(name, places, error);
    }
  }

  failureOf(exception: DamlException): DamlFailure {
    return this.evaluation.failureOf(exception);
  }

  private evaluated<T>(converts: boolean, compute: () => T): T {
    try {
      return compute();
    } catch (error) {
      if (error instanceof DamlException)
        throw new ThrownInScript(converts ? this.failureOf(error) : error);
      if (error instanceof DamlFailure || error instanceof LedgerError)
        throw new ThrownInScript(error);
      throw error;
    }
  }
}

/** Whether the error is a bug, not an answer of a ledger. */
const isBug = (error: Error): boolean =>
  error.name === 'InvariantError' || isError(error, 'RangeError');
