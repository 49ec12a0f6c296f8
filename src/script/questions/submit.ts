/** Submissions: converts the records of a script to commands, and outcomes to records. */
import type { RuntimeRecord } from '../../daml/lf/runtime/runtime-values.js';
import { SortedMap } from '../../daml/lf/runtime/sorted-map.js';
import type { Command } from '../../daml/model/transaction.js';
import type { ContractId } from '../../daml/model/values.js';
import { toRuntime } from '../../daml/lf/runtime/convert.js';
import { awaited, type Waiting } from '../awaited.js';
import { ScriptError, ScriptRefusal } from '../failures.js';
import { placeOf } from '../free.js';
import type {
  ErrorBehaviour,
  ScriptCommand,
  ScriptDisclosure,
  ScriptEvent,
  ScriptSubmission,
} from '../ledger.js';
import { left, record, right } from '../library/library.js';
import type { RunningScript } from '../running-script.js';
import {
  choiceIn,
  choiceOf,
  fromList,
  idOfTypeRep,
  keyIn,
  listOf,
  optionalOf,
  templateIn,
  textOf,
} from '../values.js';
import type { QuestionRow, QuestionRows } from './question-row.js';
import { classNameOf, submitError } from './submit-error.js';
import { transactionTree } from './transaction-tree.js';

const COMMAND = 'Commands:Command';
const EXACT = 'explicitPackageId';

function commandIn(run: RunningScript, value: unknown): Command {
  const { packages, library } = run;
  const { name, value: held } = library.constructorOf(COMMAND, value);
  const { p0, p1, p2 } = held as RuntimeRecord;
  switch (name) {
    case 'Create':
      return { kind: 'create', ...templateIn(packages, p0) };
    case 'Exercise': {
      const exercised = { contractId: textOf(p1), ...choiceIn(packages, p2) };
      return { kind: 'exercise', templateId: idOfTypeRep(p0), ...exercised };
    }
    case 'ExerciseByKey': {
      const key = keyIn(packages, p1).value;
      return {
        kind: 'exerciseByKey',
        templateId: idOfTypeRep(p0),
        key,
        ...choiceIn(packages, p2),
      };
    }
    case 'CreateAndExercise':
      return {
        kind: 'createAndExercise',
        ...templateIn(packages, p0),
        ...choiceIn(packages, p1),
      };
    default:
      throw new ScriptError(`Unknown kind of command ${name}`);
  }
}

/** Stable types have the data of a command in a map (B-SCR-003). */
function scriptCommand(run: RunningScript, value: unknown): ScriptCommand {
  const members = run.library.members('Commands:CommandWithMeta', value);
  const { command, additionalData } = members;
  const more = additionalData instanceof SortedMap ? additionalData : undefined;
  const { explicitPackageId = more?.lookup(EXACT)?.[0] } = members;
  return { command: commandIn(run, command), isExact: explicitPackageId === true };
}

function disclosureIn(run: RunningScript, value: unknown): ScriptDisclosure {
  const members = run.library.members('Commands:Disclosure', value);
  const { templateId, contractId, blob } = members;
  return {
    templateId: idOfTypeRep(templateId),
    contractId: contractId as ContractId,
    blob: textOf(blob),
  };
}

const setOf = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];

function submissionIn(run: RunningScript, value: unknown): ScriptSubmission {
  const { library, packages } = run;
  const members = library.members('Submit:Submission', value);
  const { p0: head, p1: tail } = members['sActAs'] as RuntimeRecord;
  const behaviour = library.constructorOf('Submit:ErrorBehaviour', members['sErrorBehaviour']);
  const packageId = (id: unknown) => textOf((id as RuntimeRecord)['p0']);
  const preference = optionalOf(members['sPackagePreference'], (list) => listOf(list, packageId));
  const prefetched = members['sPrefetchKeys'];
  return {
    actAs: setOf([textOf(head), ...listOf(tail, textOf)]),
    readAs: setOf(listOf(members['sReadAs'], textOf)),
    commands: listOf(members['sCommands'], (each) => scriptCommand(run, each)),
    disclosures: listOf(members['sDisclosures'], (each) => disclosureIn(run, each)),
    packagePreference: preference ?? [],
    prefetchedKeys:
      prefetched === undefined ? [] : listOf(prefetched, (key) => keyIn(packages, key)),
    behaviour: behaviour.name as ErrorBehaviour,
    place: optionalOf(members['sLocation'], placeOf),
  };
}

/** The result of each event of a command, in the types of the script's own packages. */
function commandResult({ library, packages }: RunningScript, event: ScriptEvent): unknown {
  const result = 'Commands:CommandResult';
  if (event.kind === 'created') return library.variant(result, 'CreateResult', event.contractId);
  const { templateId, interfaceId, choice } = event;
  const { returnType } = choiceOf(packages, templateId, interfaceId, choice)!;
  const value = toRuntime(packages, returnType, event.result!);
  return library.variant(result, 'ExerciseResult', value);
}

/** How a version of the question differs from the others (B-SCR-001). */
interface SubmitVersion {
  /** Whether keys are those of the standard library. */
  readonly isLegacy: boolean;
  /** Whether commands and errors have stable types. */
  readonly isStable: boolean;
}

function* submitOne(
  run: RunningScript,
  submission: ScriptSubmission,
  { isLegacy, isStable }: SubmitVersion,
): Waiting<unknown> {
  if (run.library.isStable !== isStable) throw ofOtherEra(isStable);
  const { behaviour } = submission;
  const outcome = yield* awaited(run.ledger.submit(submission));
  if ('events' in outcome) {
    if (behaviour === 'MustFail')
      throw new ScriptRefusal('Expected submit to fail but it succeeded', 'UserError');
    const results = fromList(outcome.events, (event) => commandResult(run, event));
    return right(record(results, transactionTree(run, outcome.events)));
  }
  const { error } = outcome.refused;
  if (behaviour === 'MustSucceed')
    throw new ScriptRefusal(error.message, classNameOf(error.code), error);
  return left(submitError(run, outcome.refused, isLegacy));
}

const submit = (version: SubmitVersion): QuestionRow =>
  function* (run, payload) {
    const submissions = listOf(payload['p0'], (each) => submissionIn(run, each));
    const results: unknown[] = [];
    for (const each of submissions) results.push(yield* submitOne(run, each, version));
    return fromList(results, (each) => each);
  };

function ofOtherEra(isStable: boolean): ScriptRefusal {
  const [submission, library] = isStable ? ['stable', 'non-stable'] : ['non-stable', 'stable'];
  return new ScriptRefusal(
    `Unsupported ${submission} submission using ${library} daml-script. Do not use daml-script internal directly.`,
  );
}

export const submitQuestions: QuestionRows = {
  'Submit 1': submit({ isLegacy: true, isStable: false }),
  'Submit 2': submit({ isLegacy: false, isStable: false }),
  'Submit 3': submit({ isLegacy: false, isStable: true }),
};
