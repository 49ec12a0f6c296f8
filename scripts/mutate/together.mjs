// A test that reaches a mutant usually kills it at once. One run finds many of those (many.cjs). Only the remaining mutants need a
// separate run each.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { TIMED_OUT } from './runner.mjs';

const require = createRequire(import.meta.url);
const { mutantsOf } = require('./operators.cjs');
const { withSwitches } = require('./switches.cjs');

/** Mutants in one run: each keeps its copies of tests until the end. */
const IN_A_RUN = 50;

/** Milliseconds of processor time that a run may take before its first mutant. */
const START = 60_000;
/** A mutant times out after this many milliseconds, plus `MOST` times the duration of its tests without it. */
const LEAST = 15_000;
const MOST = 8;

/** @returns the results of killed mutants, by mutant */
export async function runTogether(mutants, suites, runner, least = LEAST) {
  const { ids, switched } = numbered(mutants);
  if (ids.size === 0 || suites.length === 0) return new Map();
  const seen = await watched({ suites, switched }, runner);
  let left = mutants.filter((mutant) => ids.has(mutant));
  const byId = new Map(left.map((mutant) => [ids.get(mutant), mutant]));
  const kills = new Map();
  while (seen !== undefined && left.length > 0) {
    const batch = left
      .slice(0, IN_A_RUN)
      .map((mutant) => ({ id: ids.get(mutant), ...testsFor(ids.get(mutant), seen, kills, least) }));
    const over = new Set(batch.filter(({ tests }) => !tests).map(({ id }) => id));
    let begun;
    const listen = ({ begun: id, id: ended, status, why, by }) => {
      if (id !== undefined) return (begun = id);
      over.add(ended);
      begun = undefined;
      if (status === 'killed') kills.set(byId.get(ended), { status, why, by });
    };
    const of = batch.filter(({ tests }) => tests);
    const order = { suites: [...new Set(of.flatMap(({ tests }) => Object.keys(tests)))], switched };
    if (of.length > 0) {
      const { failure } = await runner.run({ ...order, many: { mutants: of } }, START, listen);
      if (begun !== undefined) over.add(begun);
      if (begun !== undefined && failure === TIMED_OUT)
        kills.set(byId.get(begun), { status: 'killed', why: TIMED_OUT });
    }
    if (over.size === 0) break;
    left = left.filter((mutant) => !over.has(ids.get(mutant)));
    console.log(`  run together: ${ids.size - left.length} of ${ids.size}, ${kills.size} killed`);
  }
  return kills;
}

/** The ids of mutants that can be switched, and the first id of each file. */
function numbered(mutants) {
  const [ids, switched] = [new Map(), {}];
  let first = 0;
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const text = readFileSync(file, 'utf8');
    const all = mutantsOf(text, file);
    const unswitched = new Set(withSwitches(text, file, first).unswitched);
    for (const mutant of mutants.filter((each) => each.file === file)) {
      const { start, end, replacement } = mutant;
      const id =
        first +
        all.findIndex(
          (each) => each.start === start && each.end === end && each.replacement === replacement,
        );
      if (!unswitched.has(id)) ids.set(mutant, id);
    }
    switched[file] = first;
    first += all.length;
  }
  return { ids, switched };
}

/** @returns by mutant and suite: the ordinals of the tests that reach it, and their duration. Only for suites that may run twice */
async function watched(order, runner) {
  let answer;
  const listen = (message) => (answer = message);
  await runner.run({ ...order, many: {} }, 600_000, listen);
  if (answer?.seen === undefined) return undefined;
  const byId = new Map();
  for (const { suite, ordinal, took, ids } of answer.seen) {
    if (answer.unrepeatable.includes(suite)) continue;
    for (const id of ids) {
      const bySuite = byId.get(id) ?? new Map();
      const tests = bySuite.get(suite) ?? { ordinals: [], took: 0 };
      tests.ordinals.push(ordinal);
      tests.took += took;
      byId.set(id, bySuite.set(suite, tests));
    }
  }
  return byId;
}

/**
 * Suites that killed a mutant recently come first, then the shortest. Empty if no test reaches the mutant. The longer half of the suites
 * is left to the separate run.
 */
function testsFor(id, seen, kills, least) {
  const bySuite = seen.get(id);
  if (bySuite === undefined) return {};
  const killers = [...kills.values()].map(({ by }) => by);
  const sorted = [...bySuite].sort(
    ([a, { took: one }], [b, { took: other }]) =>
      killers.lastIndexOf(b) - killers.lastIndexOf(a) || one - other,
  );
  const tried = sorted.slice(0, Math.ceil(sorted.length / 2));
  const took = tried.reduce((sum, [, each]) => sum + each.took, 0);
  const tests = Object.fromEntries(tried.map(([suite, { ordinals }]) => [suite, ordinals]));
  return { tests, limit: least + MOST * took };
}
