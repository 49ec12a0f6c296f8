/** A finding as a test in TypeScript or JavaScript, which fails as long as the model has the bug. */
import { StepCodec } from '../model/step-json.js';
import type { Step } from '../model/step.js';
import type { ActionTypes } from '../model/step-json.js';
import type { Reproduction } from './reproduction.js';
import { asSentence, headOf } from './words.js';

export interface EmittedOptions {
  /** The options of the run that the start state depends on. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly actions?: ActionTypes;
  /** Whether the check is an invariant of the user, which the test must import. */
  readonly isOwn: boolean;
}

/** For jest. In another runner, import from its entry point. */
export function asTest(
  { packages, dars, finding }: Reproduction,
  steps: readonly Step[],
  { options, actions, isOwn }: EmittedOptions,
): string {
  const codec = new StepCodec(packages, actions);
  const [dar, ...more] = dars;
  const members: [string, unknown][] = [
    ...Object.entries({ ...options, ...(more.length > 0 && { dars: more }) }),
    ['check', finding.check],
  ];
  const lines = members.map(([name, value]) => `    ${name}: ${JSON.stringify(value)},`);
  const own = isOwn
    ? [
        '    // The invariant that found it: import it from the test that runs the fuzzer.',
        '    invariants: [],',
      ]
    : [];
  return [
    ...headOf(finding).map((line) => `// ${line}`),
    "import { replayDaml } from 'canticle/jest';",
    '',
    `test(${JSON.stringify(asSentence(finding))}, () =>`,
    `  replayDaml(${JSON.stringify(dar)}, {`,
    ...lines,
    ...own,
    '    steps: [',
    ...steps.map((step) => `      ${JSON.stringify(codec.encode(step))},`),
    '    ],',
    '  }));',
    '',
  ].join('\n');
}
