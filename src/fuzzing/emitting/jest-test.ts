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
  /** Where the test imports the check from, if it is an invariant of the user. */
  readonly own: OwnInvariant | undefined;
}

/** An invariant of a test, or an export of a module. */
export type OwnInvariant =
  | 'test'
  | {
      /** As an import names it. */
      readonly module: string;
      readonly name: string;
      /** The place in an exported list. */
      readonly place: number | undefined;
    };

/** For jest. In another runner, import from its entry point. */
export function asTest(
  { packages, dars, finding }: Reproduction,
  steps: readonly Step[],
  { options, actions, own }: EmittedOptions,
): string {
  const codec = new StepCodec(packages, actions);
  const [dar, ...more] = dars;
  const members: [string, unknown][] = [
    ...Object.entries({ ...options, ...(more.length > 0 && { dars: more }) }),
    ['check', finding.check],
  ];
  const lines = members.map(([name, value]) => `    ${name}: ${JSON.stringify(value)},`);
  const { imports, uses } = importOf(own);
  return [
    ...headOf(finding).map((line) => `// ${line}`),
    "import { replayDaml } from 'canticle/jest';",
    ...imports,
    '',
    `test(${JSON.stringify(asSentence(finding))}, () =>`,
    `  replayDaml(${JSON.stringify(dar)}, {`,
    ...lines,
    ...uses,
    '    steps: [',
    ...steps.map((step) => `      ${JSON.stringify(codec.encode(step))},`),
    '    ],',
    '  }));',
    '',
  ].join('\n');
}

function importOf(own: OwnInvariant | undefined): {
  readonly imports: readonly string[];
  readonly uses: readonly string[];
} {
  if (own === undefined) return { imports: [], uses: [] };
  if (own === 'test')
    return {
      imports: [],
      uses: [
        '    // The invariant that found it: import it from the test that runs the fuzzer.',
        '    invariants: [],',
      ],
    };
  const { module, name, place } = own;
  const binding = name === 'default' ? 'invariants' : `{ ${name} }`;
  const value = name === 'default' ? 'invariants' : name;
  const use = place === undefined ? value : `${value}[${place}]`;
  return {
    imports: [`import ${binding} from ${JSON.stringify(module)};`],
    uses: [`    invariants: [${use}],`],
  };
}
