/**
 * Reads and checks the text of a scenario file: YAML, which includes JSON. It finds every mistake in the form
 * before the scenario runs, with its line and a suggestion. References are resolved only while the scenario runs.
 */
import type { Document, LineCounter } from 'yaml';
import type { ValidatorOptions } from '../splice/validators/validator.js';
import type { NodeOptions, ValidatorRelease } from '../spec/releases/node-options.js';
import type { ApiVersion, SpliceVersion } from '../spec/versions.js';
import type { SynchronizerOptions } from '../network/synchronizer.js';
import { nearest } from '../daml/errors/edit-distance.js';
import { CANTICLE } from '../options/canticle.js';
import type { AUTH, SERVICE } from '../options/parts.js';
import { headers, type HeaderOf } from '../options/row.js';
import { yaml } from '../spec/loading/yaml.js';
import { EXPECTATIONS } from './expectations.js';
import { ScenarioError, type FieldPath, type Place } from '../wallet/scenario-error.js';
import { formError } from './form.js';
import type { Step } from './perform.js';
import { expectationDefinition, stepDefinition } from './schema.js';
import { VERBS, type VerbName } from './verbs.js';

interface StepPlace {
  /** The step, such as `3`, or `3.2` in a repetition; for the head, a text. */
  readonly number: string;
  /** From the root of the document. */
  readonly path: FieldPath;
}

export type ScenarioStep =
  | (StepPlace & { readonly kind: 'verb'; readonly verb: VerbName; readonly step: Step })
  | (StepPlace & {
      readonly kind: 'expect';
      readonly expectations: readonly { readonly path: FieldPath; readonly step: Step }[];
    })
  | (StepPlace & {
      readonly kind: 'repeat';
      readonly times: number;
      readonly index: string;
      readonly steps: readonly ScenarioStep[];
    })
  | (StepPlace & {
      readonly kind: 'attempt';
      readonly steps: readonly ScenarioStep[];
      readonly step: Step;
    });

/** The members of the network, by the names of options. */
export interface ScenarioHead {
  readonly name?: string;
  readonly seed?: number;
  readonly time?: string;
  readonly synchronizers?: readonly SynchronizerOptions[];
  readonly canton?: ApiVersion;
  readonly splice?: SpliceVersion;
  readonly participants?: readonly NodeOptions[];
  readonly auth?: ScenarioAuthorization;
  readonly validator?: ValidatorOptions & ValidatorRelease;
}

/** The issuers of tokens that the Ledger API accepts, with files by their paths. */
export type ScenarioAuthorization = Omit<HeaderOf<typeof AUTH>, 'services'> & {
  readonly services: readonly ScenarioAuthService[];
};

/** A token service. Its type determines the required members. */
export type ScenarioAuthService = HeaderOf<typeof SERVICE>;

export interface ScenarioDocument {
  readonly file: string;
  readonly head: ScenarioHead;
  /** The steps. Packages, parties and users of the head come first, as steps. */
  readonly steps: readonly ScenarioStep[];
  placeOf(path: FieldPath): Place;
}

/** Maximum number of mistakes reported for one file. */
const MAX_ERRORS = 100;
/** Maximum number of synchronizers, and of participants, of a network. */
const MAX_MEMBERS = 200;
/**
 * Maximum number of values of a file. Nested values count, and a value counts each time that an alias repeats it. The other limit is the
 * nesting depth.
 */
const MAX_VALUES = 1_000_000;
const MAX_DEPTH = 200;

/** A value that contains itself is too deep. */
function isTooLarge(root: unknown): boolean {
  let left = MAX_VALUES;
  const isAbove = (value: unknown, depth: number): boolean => {
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH) return true;
    if (typeof value !== 'object' || value === null) return false;
    return Object.values(value).some((each) => isAbove(each, depth + 1));
  };
  return isAbove(root, 0);
}

const STEP_WORDS = [...Object.keys(VERBS), 'expect', 'repeat', 'attempt'];

/**
 * @param file its name, for messages
 * @throws ScenarioError with the first mistake in the order of the file; its message also counts the others
 */
export function parseScenario(text: string, file: string): ScenarioDocument {
  return new Reader(text, file).read();
}

class Reader {
  private readonly lines: LineCounter;
  private readonly document: Document;
  private readonly errors: ScenarioError[] = [];

  constructor(
    text: string,
    private readonly file: string,
  ) {
    const { LineCounter: Counter, parseDocument } = yaml();
    this.lines = new Counter();
    this.document = parseDocument(text, { lineCounter: this.lines });
  }

  read(): ScenarioDocument {
    const [broken] = this.document.errors;
    if (broken !== undefined) {
      const { line, col } = this.lines.linePos(broken.pos[0]);
      const [reason] = broken.message.split(/ at line /);
      throw new ScenarioError(`${reason}.`, [], { file: this.file, line, column: col });
    }
    const root = this.value() as Record<string, unknown>;
    if (isTooLarge(root))
      throw this.error(
        `The file is too large. With its aliases expanded, it may have at most ${MAX_VALUES} values, nested ${MAX_DEPTH} levels deep.`,
        [],
      );
    if (Object.keys(root).length === 0)
      throw this.error('The file is empty. A scenario is a map with a list of `steps`.', []);
    if (typeof root !== 'object' || Array.isArray(root))
      throw this.error('A scenario is a map with a list of `steps`.', []);
    const steps = [
      ...this.headSteps('upload', root.packages, 'packages'),
      ...this.headSteps('party', root.parties, 'parties'),
      ...this.headSteps('user', root.users, 'users'),
      ...this.steps(root.steps ?? [], ['steps'], ''),
    ];
    const form = formError('document', headAlone(root));
    if (form !== undefined) this.errors.push(this.error(form.reason, form.path, form.atKey));
    this.checkHead(root);
    this.refuseErrors();
    return { file: this.file, head: headOf(root), steps, placeOf: (path) => this.placeOf(path) };
  }

  private value(): unknown {
    try {
      return this.document.toJS({ maxAliasCount: -1 }) ?? {};
    } catch (error) {
      // For example, an alias inside its own anchor.
      throw this.error(`Failed to read its values: ${(error as Error).message}.`, []);
    }
  }

  /** Checks rules that a schema cannot express: the most members, and numbers that are exact. */
  private checkHead({ seed, synchronizers, participants }: Record<string, unknown>): void {
    for (const [name, given] of Object.entries({ synchronizers, participants }))
      if (Array.isArray(given) && given.length > MAX_MEMBERS)
        this.errors.push(
          this.error(
            `'${name}' has ${given.length} entries, but may have at most ${MAX_MEMBERS}.`,
            [name],
          ),
        );
    if (typeof seed === 'number' && !Number.isSafeInteger(seed))
      this.errors.push(
        this.error(`'seed' must be an integer of at most 2^53 - 1, not ${seed}.`, ['seed']),
      );
  }

  private refuseErrors(): void {
    const [first, ...more] = this.errors.sort((a, b) => a.place!.line - b.place!.line);
    if (first === undefined) return;
    if (more.length === 0) throw first;
    const rest = this.isFull
      ? [`There may be more mistakes: Canticle stops after ${MAX_ERRORS}.`]
      : [];
    const lines = [first.message, ...more.map(({ message }) => message), ...rest].join('\n');
    throw Object.assign(first, { message: lines });
  }

  /** Converts a section of the head to steps. */
  private headSteps(verb: VerbName, given: unknown, section: string): ScenarioStep[] {
    if (!Array.isArray(given)) return [];
    return given.flatMap((item: unknown, i) => {
      if (this.isFull) return [];
      const step = typeof item === 'object' && item !== null ? (item as Step) : { [verb]: item };
      const number = `${i + 1} of ${section}`;
      return this.verbStep(verb, step, [section, i], number);
    });
  }

  private steps(given: unknown, path: FieldPath, prefix: string): ScenarioStep[] {
    if (!Array.isArray(given)) {
      this.errors.push(
        this.error(`Expected a list of steps, each after a dash${exampleOf(given)}.`, path),
      );
      return [];
    }
    return given.flatMap((step: unknown, i) =>
      this.isFull ? [] : this.step(step, [...path, i], `${prefix}${i + 1}`),
    );
  }

  private get isFull(): boolean {
    return this.errors.length >= MAX_ERRORS;
  }

  private step(step: unknown, path: FieldPath, number: string): ScenarioStep[] {
    if (typeof step !== 'object' || step === null || Array.isArray(step)) {
      this.errors.push(
        this.error('A step is a map with a verb and its fields.', path, false, number),
      );
      return [];
    }
    const found = Object.keys(step).filter((key) => STEP_WORDS.includes(key));
    const words = found.filter((word) => !found.some((other) => isFieldOf(word, other)));
    if (words.length !== 1) {
      const form = formError('verb', step, words, STEP_WORDS)!;
      this.errors.push(this.error(form.reason, [...path, ...form.path], form.atKey, number));
      return [];
    }
    const [word] = words as [string];
    if (word === 'expect') return this.expectStep(step as Step, path, number);
    if (word === 'repeat') return this.repeatStep(step as Step, path, number);
    if (word === 'attempt') return this.attemptStep(step as Step, path, number);
    return this.verbStep(word as VerbName, step as Step, path, number);
  }

  private verbStep(verb: VerbName, step: Step, path: FieldPath, number: string): ScenarioStep[] {
    if (!this.fits(stepDefinition(verb), step, path, `${number} (${verb})`)) return [];
    return [{ kind: 'verb', verb, step, path, number }];
  }

  private expectStep(step: Step, path: FieldPath, number: string): ScenarioStep[] {
    const several = Array.isArray(step.expect);
    const given = (several ? step.expect : [step.expect]) as readonly unknown[];
    const expectations = given.flatMap((each, i) => {
      const own = several ? [...path, 'expect', i] : [...path, 'expect'];
      return this.expectation(each, own, `${number} (expect)`);
    });
    if (expectations.length === given.length)
      this.fits(stepDefinition('expect'), step, path, `${number} (expect)`);
    return [{ kind: 'expect', expectations, path, number }];
  }

  private expectation(given: unknown, path: FieldPath, step: string) {
    const words = Object.keys(EXPECTATIONS);
    const keys = typeof given === 'object' && given !== null ? Object.keys(given) : [];
    const word = words.find((each) => keys.includes(each));
    if (word === undefined) {
      const form = formError('expectation', given, [], words)!;
      this.errors.push(this.error(form.reason, [...path, ...form.path], form.atKey, step));
      return [];
    }
    return this.fits(expectationDefinition(word), given, path, step)
      ? [{ path, step: given as Step }]
      : [];
  }

  private repeatStep(step: Step, path: FieldPath, number: string): ScenarioStep[] {
    const before = this.errors.length;
    const steps = this.steps(step.steps ?? [], [...path, 'steps'], `${number}.`);
    if (
      this.errors.length > before ||
      !this.fits(stepDefinition('repeat'), step, path, `${number} (repeat)`)
    )
      return [];
    const { repeat: times, index = 'index' } = step as { repeat: number; index?: string };
    return [{ kind: 'repeat', times, index, steps, path, number }];
  }

  private attemptStep(step: Step, path: FieldPath, number: string): ScenarioStep[] {
    const before = this.errors.length;
    const steps = this.steps(step.attempt, [...path, 'attempt'], `${number}.`);
    const fits =
      this.errors.length === before &&
      this.fits(stepDefinition('attempt'), step, path, `${number} (attempt)`);
    return fits ? [{ kind: 'attempt', steps, step, path, number }] : [];
  }

  private fits(definition: string, given: unknown, path: FieldPath, step: string): boolean {
    const form = formError(definition, given);
    if (form === undefined) return true;
    this.errors.push(this.error(form.reason, [...path, ...form.path], form.atKey, step));
    return false;
  }

  private error(reason: string, path: FieldPath, atKey = false, step?: string): ScenarioError {
    return new ScenarioError(reason, path, this.placeOf(path, atKey), step);
  }

  /** The position of a value, or of its key. If it is missing, the position of the nearest enclosing value. */
  private placeOf(path: FieldPath, atKey = false): Place {
    for (let depth = path.length; depth >= 0; depth--) {
      const range = this.rangeOf(path.slice(0, depth), atKey && depth === path.length);
      if (range === undefined) continue;
      const { line, col } = this.lines.linePos(range);
      return { file: this.file, line, column: col };
    }
    return { file: this.file, line: 1, column: 1 };
  }

  private rangeOf(path: FieldPath, atKey: boolean): number | undefined {
    const { isMap, isNode, isScalar } = yaml();
    const parent = atKey && path.length > 0 ? this.nodeAt(path.slice(0, -1)) : undefined;
    if (isMap(parent)) {
      const key = parent.items.find(
        (pair) => isScalar(pair.key) && pair.key.value === path.at(-1),
      )?.key;
      if (isNode(key) && key.range) return key.range[0];
    }
    const node = this.nodeAt(path);
    return isNode(node) ? node.range?.[0] : undefined;
  }

  private nodeAt(path: FieldPath): unknown {
    return path.length === 0 ? this.document.contents : this.document.getIn(path, true);
  }
}

/** Whether a verb's name is also the name of another verb's field, such as `party` of `revoke`. */
function isFieldOf(word: string, verb: string): boolean {
  return Object.hasOwn(VERBS, verb) && Object.hasOwn(VERBS[verb as VerbName].fields, word);
}

/** An example for a missing dash, with the verb, even if it is misspelt. */
function exampleOf(given: unknown): string {
  const words = typeof given === 'string' ? [given] : Object.keys(given ?? {});
  const [word] = words.flatMap((each) => nearest(each, STEP_WORDS) ?? []);
  return word === undefined ? '' : `, such as \`- ${word}: …\``;
}

/** The head without the lists whose items are checked one by one. */
function headAlone(root: Record<string, unknown>): Record<string, unknown> {
  const checked = ['parties', 'users'];
  return Object.fromEntries(
    Object.entries(root).filter(
      ([key, value]) =>
        !(key === 'steps' && value !== null) && !(checked.includes(key) && Array.isArray(value)),
    ),
  );
}

/** The head by the names of options. A plain name means a synchronizer or participant with only that name. */
function headOf(root: Record<string, unknown>): ScenarioHead {
  const listed = (given: unknown, key: string) =>
    (given as readonly unknown[] | undefined)?.map((each) =>
      typeof each === 'string' ? { [key]: each } : each,
    );
  return {
    name: root.name,
    ...Object.fromEntries(headers(CANTICLE).map(([key, , name]) => [name, root[key]])),
    synchronizers: listed(root.synchronizers, 'alias'),
    participants: listed(root.participants, 'name'),
  } as ScenarioHead;
}
