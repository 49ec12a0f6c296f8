/** Exceptions and failures inside a script, and the questions that catch them in an inner script. */
import { DamlException } from '../../daml/lf/runtime/exceptions.js';
import { compareText } from '../../daml/model/text-order.js';
import type { Any, RuntimeRecord } from '../../daml/lf/runtime/runtime-values.js';
import { SortedMap } from '../../daml/lf/runtime/sorted-map.js';
import { DamlFailure } from '../../daml/model/package.js';
import { qualifiedNameOf } from '../../daml/model/types.js';
import { FailedCommand, ScriptRefusal, ThrownInScript } from '../failures.js';
import { left, record, right } from '../library/library.js';
import type { RunningScript } from '../running-script.js';
import { textOf, timeOf } from '../values.js';
import type { QuestionRows } from './question-row.js';

/** The messages of values that the script library throws and that are not Daml exceptions. */
const OWN_MESSAGES: Readonly<Record<string, (held: unknown) => string>> = {
  'UserManagement:InvalidUserId': (message) => textOf(message),
  'UserManagement:UserAlreadyExists': (id) => `User already exists: ${userId(id)}`,
  'UserManagement:UserNotFound': (id) => `User not found: ${userId(id)}`,
};

const userId = (id: unknown): string => textOf((id as RuntimeRecord)['p0']);

function failureOf(run: RunningScript, thrown: Any): DamlFailure {
  const id = thrown.type.constructorId;
  const own = Object.entries(OWN_MESSAGES).find(([type]) => run.library.idOf(type) === id);
  if (id === undefined || own === undefined) return run.failureOf(new DamlException(thrown));
  const message = own[1]((thrown.value as RuntimeRecord)['p0']);
  return new DamlFailure(message, `UNHANDLED_EXCEPTION/${qualifiedNameOf(id)}`);
}

export const failureStatus = ({ errorId, category, message, meta }: DamlFailure): RuntimeRecord =>
  record(errorId, category, message, textMap(meta));

function textMap(entries: Readonly<Record<string, string>>): SortedMap {
  let map = SortedMap.empty((a, b) => compareText(a as string, b as string));
  for (const [key, value] of Object.entries(entries)) map = map.insert(key, value);
  return map;
}

export const exceptionQuestions: QuestionRows = {
  *'Throw 1'(run, { p0: thrown }, converts) {
    const exception = thrown as Any;
    throw new ThrownInScript(converts ? failureOf(run, exception) : new DamlException(exception));
  },
  *'Catch 1'(run, { p0: act }) {
    try {
      return right(yield* run.closure(act, false));
    } catch (error) {
      const thrown = error instanceof ThrownInScript ? error.cause : undefined;
      if (!(thrown instanceof DamlException)) throw error;
      return left(thrown.value);
    }
  },
  *'FailWithStatus 1'(_run, { p0: status }) {
    const { p0: errorId, p1: category, p2: message, p3: meta } = status as RuntimeRecord;
    const context = Object.fromEntries((meta as SortedMap).toArray()) as Record<string, string>;
    const failure = new DamlFailure(
      textOf(message),
      textOf(errorId),
      Number(timeOf(category)),
      context,
    );
    throw new ThrownInScript(failure);
  },
  *'TryFailureStatus 1'(run, { p0: act }) {
    try {
      return right(yield* run.closure(act, true));
    } catch (error) {
      const failure = error instanceof ThrownInScript ? error.cause : undefined;
      if (!(failure instanceof DamlFailure)) throw error;
      return left(failureStatus(failure));
    }
  },
  *'TryCommands 1'(run, { p0: act }, converts) {
    try {
      return right(yield* run.resolved(act, converts));
    } catch (error) {
      if (!(error instanceof FailedCommand)) throw error;
      const { cause } = error;
      const name = cause instanceof ScriptRefusal ? cause.className : cause.name;
      return left(record(error.command, name, cause.message));
    }
  },
};
