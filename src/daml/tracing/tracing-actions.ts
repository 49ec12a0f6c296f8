/** The actions of a choice's body, which tell the tracing interpreter first where in the source they stand. */
import { FrameActions } from '../interpreter/frame-actions.js';
import type { Frame } from '../interpreter/frame.js';
import type { Place } from '../errors/explanation.js';
import { codeCalls } from './code-places.js';
import type { TracingInterpreter } from './tracing-interpreter.js';

export class TracingActions extends FrameActions {
  constructor(
    readonly tracing: TracingInterpreter,
    frame: Frame,
  ) {
    super(tracing, frame);
  }
}

/** Where among its arguments an action of Daml says where it stands; TypeScript says it nowhere. */
const ACTIONS = {
  ...{ create: -1, exercise: -1, fetch: -1, fetchView: -1, archive: -1 },
  ...{ fetchByKey: -1, queryByKey: -1, exerciseByKey: -1 },
  ...{ createValue: 1, exerciseValue: 2, exerciseInterface: 2, exerciseSteps: 2 },
  ...{ fetchValue: 1, fetchInterface: 1, fetchValueByKey: 1, lookupValueByKey: 1 },
  ...{ queryValuesByKey: 1, exerciseValueByKey: 2, exerciseByKeySteps: 2 },
} as const satisfies Partial<Record<keyof FrameActions, number>>;

/** They begin only later, from a loop that keeps no stack. */
const STEPS: ReadonlySet<string> = new Set(['exerciseSteps', 'exerciseByKeySteps']);

for (const name of Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]) {
  const act = FrameActions.prototype[name] as (...given: readonly unknown[]) => unknown;
  const value = function (this: TracingActions, ...given: readonly unknown[]): unknown {
    const at = given[ACTIONS[name]] as Place | undefined;
    this.tracing.comingFrom(STEPS.has(name) ? [] : codeCalls(), at);
    return act.apply(this, [...given]);
  };
  Object.defineProperty(TracingActions.prototype, name, { value });
}
