/** The actions of a choice's body. They first report their position in the source to the tracing interpreter. */
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

/** The index of the argument that has a Daml action's position. TypeScript actions have none. */
const ACTIONS = {
  ...{ create: -1, exercise: -1, fetch: -1, fetchView: -1, archive: -1 },
  ...{ fetchByKey: -1, queryByKey: -1, exerciseByKey: -1 },
  ...{ createValue: 1, exerciseValue: 2, exerciseInterface: 2, exerciseSteps: 2 },
  ...{ fetchValue: 1, fetchInterface: 1, fetchValueByKey: 1, lookupValueByKey: 1 },
  ...{ queryValuesByKey: 1, exerciseValueByKey: 2, exerciseByKeySteps: 2 },
} as const satisfies Partial<Record<keyof FrameActions, number>>;

/** These start later, from a loop without a stack. */
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
