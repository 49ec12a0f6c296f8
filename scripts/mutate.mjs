// `npm run mutate`: makes small changes to the ledger's rules, one at a time and only in memory, and runs the suites that should fail.
// If no suite fails, the mutant is equivalent, and mutate/equivalent.json says why; or it needs a sharper test.
//
//   npm run mutate -- [RULE…] [--max N] [--seed N] [--files A,B] [--at A:LINE,B:LINE] [--tests A,B] [--timeout SECONDS]
//                     [--json FILE] [--list] [--reach] [--notes FILE]
//
// The first run of a rule notes which suites reach its files, for `npm run tests-of`; --reach does only that.
// SECONDS are processor time: an endless loop exceeds them, and a busy machine does not.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutantsOf, withMarks } from './mutate/operators.cjs';
import { addNotes, pathOf } from './mutate/reached.mjs';
import { RULES } from './mutate/rules.mjs';
import { Runner, TIMED_OUT } from './mutate/runner.mjs';
import { runTogether } from './mutate/together.mjs';

const root = join(fileURLToPath(new URL('.', import.meta.url)), '..');
const EQUIVALENT = JSON.parse(
  readFileSync(new URL('mutate/equivalent.json', import.meta.url), 'utf8'),
);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    max: { type: 'string' },
    seed: { type: 'string', default: '1' },
    files: { type: 'string' },
    at: { type: 'string' },
    tests: { type: 'string' },
    timeout: { type: 'string' },
    json: { type: 'string' },
    list: { type: 'boolean', default: false },
    reach: { type: 'boolean', default: false },
    notes: { type: 'string' },
  },
});

const fail = (text) => {
  console.error(text);
  process.exit(2);
};
const listed = (text) => text?.split(',').filter((part) => part !== '');

/** The files with that ending at a path, which is a file or a folder. */
function filesAt(path, ending) {
  const whole = resolve(root, path);
  if (!existsSync(whole)) fail(`Failed to mutate: ${path} does not exist.`);
  if (!statSync(whole).isDirectory()) return [whole];
  const inside = readdirSync(whole, { recursive: true }).filter((name) => name.endsWith(ending));
  if (inside.length === 0) fail(`Failed to mutate: ${path} contains no *${ending}.`);
  return inside.sort().map((name) => join(whole, name));
}

/**
 * The selected rules, or a new rule for `--files` and `--tests`, with their files and suites. All paths must exist before the first run.
 */
function selectedRules() {
  const [files, tests] = [listed(values.files), listed(values.tests)];
  const unknown = positionals.filter((name) => !(name in RULES));
  if (unknown.length > 0)
    fail(
      `Failed to mutate: unknown rule ${unknown.join(', ')}. Rules: ${Object.keys(RULES).join(', ')}.`,
    );
  const names = positionals.length > 0 ? positionals : Object.keys(RULES);
  const rules =
    files && tests
      ? [{ name: 'given', files, tests }]
      : names.map((name) => ({ name, ...RULES[name], ...(tests && { tests }) }));
  return rules.map((rule) => ({
    name: rule.name,
    sources: rule.files.flatMap((path) => filesAt(path, '.ts')),
    suites: rule.tests.flatMap((path) => filesAt(path, '.test.ts')).map(pathOf),
  }));
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbersFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** At most `max` mutants, chosen by the seed, in the order of the files. */
function sample(mutants, max, seed) {
  const next = numbersFrom(seed);
  const drawn = mutants.map((mutant) => [next(), mutant]).sort(([a], [b]) => a - b);
  const selected = new Set(drawn.slice(0, max).map(([, mutant]) => mutant));
  return mutants.filter((mutant) => selected.has(mutant));
}

/** A row matches the only mutant with these texts in its file, or the `nth` one from 1. */
const reasonOf = ({ file, before, after, nth }) =>
  EQUIVALENT.find(
    (each) =>
      each.file === pathOf(file) &&
      each.before === before &&
      each.after === after &&
      (each.nth ?? 1) === nth,
  )?.reason;
const textOf = ({ file, line, before, after }) => `${pathOf(file)}:${line}: ${before}  →  ${after}`;

/** Adds the ordinal of each mutant among those with the same texts. */
function counted(mutants) {
  const counts = new Map();
  return mutants.map((mutant) => {
    const text = `${mutant.before}\0${mutant.after}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return { ...mutant, nth: counts.get(text) };
  });
}

/** The mutants of the sources, limited by `--files` and `--at`. */
function mutantsIn(sources) {
  const only = listed(values.files)?.map((file) => resolve(root, file));
  const places = listed(values.at);
  return sources
    .filter((file) => only === undefined || only.includes(file))
    .flatMap((file) => counted(mutantsOf(readFileSync(file, 'utf8'), file)))
    .filter(({ file, line }) => places?.includes(`${pathOf(file)}:${line}`) ?? true);
}

/** Mutates one rule. @yields its mutants, each with its result */
async function* mutate({ name, sources, suites }, runner) {
  const all = mutantsIn(sources);
  const mutants = sample(all, Number(values.max ?? all.length), Number(values.seed));
  if (mutants.length === 0 && !values.reach) return;
  const what = values.reach ? 'suites that reach it' : `${mutants.length} of ${all.length} mutants`;
  console.log(`\n${name}: ${what}`);
  if (values.list) {
    for (const mutant of mutants) console.log(`  ${textOf(mutant)}`);
    return;
  }
  const { failure, reached, took, used } = await runner.run({ suites, marked: sources }, 600_000);
  if (failure !== undefined) fail(`Failed to mutate: without a mutant, ${failure} fails.`);
  note(sources, suites, reached);
  if (values.reach) return;
  // An endless loop exceeds four times the processor time of all suites, which included a cold start and marks.
  const limit = values.timeout ? Number(values.timeout) * 1000 : Math.max(30_000, 4 * used);
  const places = new Map(reached.map(([suite, of]) => [suite, new Set(of)]));
  const order = new Order(new Map(took));
  const pending = mutants.filter((mutant) => reasonOf(mutant) === undefined);
  const reachingOf = ({ file, reached: place }) =>
    suites.filter((suite) => place < 0 || places.get(suite)?.has(`${file}\0${place}`));
  const needed = new Set(pending.flatMap(reachingOf));
  const narrowed = suites.filter((suite) => needed.has(suite));
  const together = await runTogether(pending, narrowed, runner, values.timeout && limit);
  for (const mutant of mutants) {
    const reaching = reachingOf(mutant);
    const equivalent = reasonOf(mutant);
    const result =
      equivalent !== undefined
        ? { status: 'equivalent', why: equivalent }
        : reaching.length === 0
          ? { status: 'survived', why: 'no suite of the rule reaches it' }
          : together.has(mutant)
            ? together.get(mutant)
            : await tested(mutant, order.of(reaching, mutant), runner, limit);
    order.learn(mutant, result.by);
    yield { rule: name, ...mutant, file: pathOf(mutant.file), ...result };
    // A timeout may also have another cause than the mutant, so the reader must check it.
    if (result.status !== 'killed' || isLate(result))
      console.log(`  ${result.status}: ${textOf(mutant)}  (${result.why})`);
  }
}

/** @param reached by suite: the functions that it reached, as `file\0place` */
function note(sources, suites, reached) {
  const bySuite = new Map(reached);
  const run = sources.map((file) => {
    const text = readFileSync(file, 'utf8');
    const functions = withMarks(text, file).split('globalThis.reachedByTests?.(').length - 1;
    const countOf = (suite) =>
      (bySuite.get(suite) ?? []).filter((place) => place.startsWith(`${file}\0`)).length;
    return [
      pathOf(file),
      { text, functions, suites: suites.map((suite) => [suite, countOf(suite)]) },
    ];
  });
  addNotes(run, values.notes);
  if (values.reach) console.log(`${sources.length} files and ${suites.length} suites are noted.`);
}

async function tested(mutant, suites, runner, limit) {
  const { failure, failedIn } = await runner.run({ suites, mutant }, limit);
  return failure === undefined
    ? { status: 'survived', why: `${suites.length} suites pass` }
    : { status: 'killed', why: failure, by: failedIn };
}

/** Whether a killed mutant ran into the timeout: the reader must check whether the mutant caused it. */
const isLate = ({ status, why }) => status === 'killed' && why.startsWith(TIMED_OUT);

/** Chooses the first suite: the one that killed a neighbour last, or else the shortest. A run ends at its first failure. */
class Order {
  #took;
  #kills = [];

  /** @param took by suite, in milliseconds */
  constructor(took) {
    this.#took = took;
  }

  of(suites, { file, reached }) {
    const inFile = this.#kills.filter((kill) => kill.file === file);
    const near = [...inFile, ...inFile.filter((kill) => kill.reached === reached)].map(
      ({ by }) => by,
    );
    return [...suites].sort(
      (a, b) => near.lastIndexOf(b) - near.lastIndexOf(a) || this.#took.get(a) - this.#took.get(b),
    );
  }

  learn({ file, reached }, by) {
    if (by !== undefined) this.#kills.push({ file, reached, by });
  }
}

const runner = new Runner();
const results = [];
for (const rule of selectedRules())
  for await (const each of mutate(rule, runner)) {
    results.push(each);
    // Keeps the results of an aborted run.
    if (values.json) writeFileSync(values.json, `${JSON.stringify(results, undefined, 2)}\n`);
  }
runner.close();

const count = (of, status) => of.filter((each) => each.status === status).length;
console.log('');
for (const name of new Set(results.map(({ rule }) => rule))) {
  const of = results.filter(({ rule }) => rule === name);
  const [killed, equivalent] = [count(of, 'killed'), count(of, 'equivalent')];
  const late = of.filter(isLate).length;
  const score = Math.floor((100 * killed) / Math.max(1, of.length - equivalent));
  console.log(
    `${name}: ${killed} killed${late > 0 ? ` (${late} timed out)` : ''}, ${count(of, 'survived')} survived, ${equivalent} equivalent: ${score} %`,
  );
}
process.exitCode = count(results, 'survived') > 0 ? 1 : 0;
