// Compares costs. They vary by some bytes from run to run, so each is compared with the mean of what was recorded.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * By how much a cost may be off: the spread between two recordings of the same. With 8 seeds of Canticle, the
 * largest error of a row's mean was 0.22 %, and of a single run 0.36 %. An error above the tolerance is not chance.
 */
const TOLERANCE = 0.005;

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Numbers of a note, by name; `paid` for those without one. */
function* numbersOf(note) {
  const [entries] = [Array.isArray(note) ? { paid: note } : note];
  for (const [name, value] of Object.entries(entries ?? {})) {
    if (!Array.isArray(value)) continue;
    const numbers = value.flatMap((each) => {
      if (typeof each === 'number') return [each];
      const match = /^(?:\["?)?(\d+)/.exec(String(each));
      return name === 'got' && match !== null ? [Number(match[1])] : [];
    });
    if (numbers.length > 0 && name !== 'bytes') yield [name, numbers];
  }
}

const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/**
 * @param folders that hold recordings of the same case @param ours folder of our transcripts
 * @returns rows `{ case, row, real, ours, off }`, `off` a share of the real cost
 */
export function compareCosts(folders, ours, name) {
  const recordings = folders.filter((folder) => existsSync(join(folder, `${name}.json`)));
  const real = recordings.map((folder) => read(join(folder, `${name}.json`)));
  const mine = read(join(ours, `${name}.json`));
  const rows = [];
  for (const { step, note } of mine) {
    const own = new Map(numbersOf(note));
    const same = real.flatMap((each) => each.filter((entry) => entry.step === step));
    const known = new Map();
    for (const entry of same)
      for (const [key, numbers] of numbersOf(entry.note))
        known.set(key, [...(known.get(key) ?? []), ...numbers]);
    for (const [key, numbers] of known) {
      const costs = own.get(key) ?? [Number.NaN];
      const off = (mean(costs) - mean(numbers)) / mean(numbers);
      rows.push({
        case: name,
        row: `${step}, ${key}`,
        real: mean(numbers),
        ours: mean(costs),
        off,
      });
    }
  }
  return rows;
}

export const isClose = ({ off }) => Math.abs(off) <= TOLERANCE;
