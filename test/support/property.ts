/**
 * Runs a fast-check property with reproducible failures: it prints a command that replays the failure. The seed is
 * fixed unless the environment sets another, so that only a change of the code can fail a run.
 *
 * CANTICLE_SEED another seed; `random` for a new one CANTICLE_PATH one case of that seed, as a failure prints it
 * CANTICLE_RUNS the number of cases of each property
 */
import { join, relative } from 'node:path';
import fc from 'fast-check';

const DEFAULT_SEED = 1;
const SEEDS = 2 ** 31;
/** The limit of cases for shrinking. Enough for a readable case; with slow cases, full shrinking takes minutes. */
const MAX_SHRINKS = 150;

/** Whether the environment sets neither seed nor number of cases: only then is the coverage of the cases known. */
export const isUsualRun = ['CANTICLE_SEED', 'CANTICLE_PATH', 'CANTICLE_RUNS'].every(
  (name) => process.env[name] === undefined,
);

/** The options of a property; the environment overrides them. */
export interface RunOptions {
  readonly numRuns?: number;
  readonly seed?: number;
}

/** `fc.assert` with a known seed, and failures that include the command for a replay. */
export function check<Ts>(property: fc.IAsyncProperty<Ts>, options?: RunOptions): Promise<void>;
export function check<Ts>(property: fc.IProperty<Ts>, options?: RunOptions): void;
export function check<Ts>(
  property: fc.IAsyncProperty<Ts> | fc.IProperty<Ts>,
  options: RunOptions = {},
): Promise<void> | void {
  const place = placeInTest();
  const report = (details: fc.RunDetails<Ts>): void => {
    if (details.failed) throw failureOf(details, place);
  };
  boundShrinking(property);
  const parameters = { seed: DEFAULT_SEED, ...options, ...fromEnvironment(place) };
  return property.isAsync()
    ? fc.assert(property as fc.IAsyncProperty<Ts>, {
        ...parameters,
        asyncReporter: reportLater(report),
      })
    : fc.assert(property as fc.IProperty<Ts>, { ...parameters, reporter: report });
}

function boundShrinking<Ts>(property: fc.IRawProperty<Ts>): void {
  const shrink = property.shrink.bind(property);
  let tried = 0;
  property.shrink = (value) => shrink(value).takeWhile(() => ++tried <= MAX_SHRINKS);
}

const reportLater =
  <T>(report: (details: T) => void) =>
  (details: T): Promise<void> =>
    Promise.resolve(details).then(report);

/** The current test, and the index of the property in it: a path is for one property. */
interface Place {
  readonly file: string | undefined;
  readonly test: string | undefined;
  readonly property: number;
}

type FromEnvironment = Pick<fc.Parameters, 'seed' | 'path' | 'numRuns' | 'endOnFailure'>;

let last: { test: string | undefined; properties: number } = { test: undefined, properties: 0 };

function placeInTest(): Place {
  const { file, test } = suiteAndTest();
  last = { test, properties: last.test === test ? last.properties + 1 : 1 };
  return { file, test, property: last.properties };
}

/** The test's full name when its suite runs alone: within a group, the suite's name comes first. */
function suiteAndTest(): Pick<Place, 'file' | 'test'> {
  const { testPath, currentTestName } = expect.getState();
  const [, suite, test] = /^(\S+\.test\.ts) (.*)$/s.exec(currentTestName ?? '') ?? [];
  if (suite === undefined) return { file: testPath, test: currentTestName };
  return { file: join(__dirname, '..', suite), test };
}

function fromEnvironment({ property }: Place): FromEnvironment {
  const { CANTICLE_SEED: seed, CANTICLE_PATH: path, CANTICLE_RUNS: runs } = process.env;
  const [, which = '1', cases = ''] = /^(?:(\d+)\/)?([\d:]+)$/.exec(path ?? '') ?? [];
  return {
    ...(seed === 'random' && { seed: Math.floor(Math.random() * SEEDS) }),
    ...(seed !== undefined && seed !== 'random' && { seed: wholeNumber('CANTICLE_SEED', seed) }),
    ...(runs !== undefined && { numRuns: wholeNumber('CANTICLE_RUNS', runs) }),
    // The case of a path is already minimal.
    ...(cases !== '' && Number(which) === property && { path: cases, endOnFailure: true }),
  };
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || text.trim() === '')
    throw new Error(`${name} is '${text}'; it has to be a whole number.`);
  return number;
}

function failureOf<Ts>(details: fc.RunDetails<Ts>, place: Place): Error {
  const { errorInstance, seed, counterexamplePath } = details as fc.RunDetails<Ts> & {
    errorInstance?: unknown;
  };
  const cause = errorInstance instanceof Error ? `\n\n${errorInstance.message}` : '';
  const failure = new Error(
    `${fc.defaultReportMessage(details)}${cause}\n\n${replayLine(place, seed, counterexamplePath)}`,
  );
  if (errorInstance instanceof Error)
    failure.stack = `${failure.message}\n${framesOf(errorInstance)}`;
  return failure;
}

const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');

function replayLine({ file, test, property }: Place, seed: number, path: string | null): string {
  const cases =
    path === null ? '' : ` CANTICLE_PATH=${property === 1 ? '' : `${property}/`}${path}`;
  const suite = file === undefined ? '' : ` ${relative(process.cwd(), file)}`;
  const only = test === undefined ? '' : ` -t ${quoted(`^${escaped(test)}$`)}`;
  return `replay: CANTICLE_SEED=${seed}${cases} npx jest${suite}${only}`;
}

/** Jest reads the name as a regular expression; the shell does not change quoted text. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
