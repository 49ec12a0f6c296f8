// Compares two transcripts of a case: one of the real participant and one of Canticle. Both are lists of exchanges. Values that differ
// from run to run have names, such as `<o3>` for the third offset. A name of one side may correspond to another name of the other side,
// if it always corresponds to the same name.
const NAMED = /<([a-zA-Z]+?)(\d+)>/g;
const HAS_NAME = /<[a-zA-Z]+\d+>/;
/** The largest distance of the same exchange in both transcripts. */
const MOST_SKIPPED = 12;

/** @returns every value within, by its path, such as `.answer.code` */
function flat(value, path = '', found = new Map()) {
  if (value === null || typeof value !== 'object') found.set(path, value);
  else {
    const entries = Object.entries(value);
    if (entries.length === 0) found.set(path, Array.isArray(value) ? '[]' : '{}');
    for (const [key, each] of entries) flat(each, `${path}.${key}`, found);
  }
  return found;
}

/** The corresponding names of two transcripts. */
class Names {
  #there = new Map();
  #here = new Map();

  /** Whether two values are equal except for corresponding names. @param scope within which names are unique */
  match(ours, real, scope) {
    if (ours === real && (typeof ours !== 'string' || !HAS_NAME.test(ours))) return true;
    if (typeof ours !== 'string' || typeof real !== 'string') return false;
    if (ours.replace(NAMED, '<$1>') !== real.replace(NAMED, '<$1>')) return false;
    const pairs = [...ours.matchAll(NAMED)].map(([name], index) => [
      `${scope} ${name}`,
      `${scope} ${[...real.matchAll(NAMED)][index][0]}`,
    ]);
    const isFree = ([a, b]) => !this.#there.has(a) && !this.#here.has(b);
    if (!pairs.every((pair) => isFree(pair) || this.#there.get(pair[0]) === pair[1]))
      return ours === real;
    for (const [a, b] of pairs) {
      this.#there.set(a, b);
      this.#here.set(b, a);
    }
    return true;
  }
}

const questionOf = (exchange) =>
  JSON.stringify([
    exchange?.step,
    exchange?.at,
    (exchange?.ask ?? exchange?.ws ?? exchange?.rpc ?? 'note').replace(NAMED, '<$1>'),
  ]);

/** Pairs the exchanges of both sides; an exchange of only one side is paired with undefined. */
function aligned(ours, real) {
  const pairs = [];
  let [i, j] = [0, 0];
  const within = (list, from, question) => {
    const end = Math.min(list.length, from + MOST_SKIPPED);
    for (let at = from; at < end; at += 1) if (questionOf(list[at]) === question) return at;
    return -1;
  };
  while (i < ours.length || j < real.length) {
    if (i < ours.length && j < real.length && questionOf(ours[i]) !== questionOf(real[j])) {
      const [later, earlier] = [
        within(ours, i, questionOf(real[j])),
        within(real, j, questionOf(ours[i])),
      ];
      if (later > 0 && (earlier < 0 || later - i <= earlier - j))
        while (i < later) pairs.push([ours[i++], undefined]);
      else if (earlier > 0) while (j < earlier) pairs.push([undefined, real[j++]]);
    }
    pairs.push([ours[i], real[j]]);
    i += 1;
    j += 1;
  }
  return pairs;
}

/**
 * @param explained rules of `explained.mjs`
 * @returns the differences of each exchange: `{ index, real, ours, differences: [{ path, ours, real, kind }] }`, where `kind` names the
 *     rule that explains the difference
 */
export function compare(name, ours, real, explained) {
  const names = new Names();
  return aligned(ours, real).map(([x, y], index) => {
    const [a, b] = [flat(x ?? { missing: true }), flat(y ?? { missing: true })];
    const differences = [];
    for (const path of new Set([...b.keys(), ...a.keys()])) {
      if (path.startsWith('.sent')) continue;
      const difference = { path, ours: a.get(path), real: b.get(path) };
      if (names.match(difference.ours, difference.real, x?.at ?? '')) continue;
      const step = y?.step ?? x?.step ?? '';
      const question = { case: name, index, step, exchange: y ?? x, own: x };
      const rule = explained.find((each) => each.applies({ ...question, ...difference }));
      differences.push({ ...difference, kind: rule?.kind });
    }
    return { index, ours: x, real: y, differences };
  });
}
