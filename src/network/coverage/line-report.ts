/** How often lines of Daml were run, as data that adds up over several runs, and in the form of `lcov`. */

export interface FunctionCount {
  /** The name of a top-level value, or `Template.Choice`. */
  readonly name: string;
  /** The line number, from 1. */
  readonly line: number;
  /** How often it was called or started. */
  readonly calls: number;
}

/** The counts of one Daml file. */
export interface FileCoverage {
  /** The path of the file. */
  readonly path: string;
  /** Each line with code and how often it was run, ascending. */
  readonly lines: readonly (readonly [line: number, runs: number])[];
  /** In the order of the file. */
  readonly functions: readonly FunctionCount[];
}

/** Merges two runs, sorted by path; files with the same path are the same. */
export function mergedFiles(
  one: readonly FileCoverage[] = [],
  other: readonly FileCoverage[] = [],
): readonly FileCoverage[] {
  const all = new Map(one.map((file) => [file.path, file]));
  for (const file of other) {
    const known = all.get(file.path);
    all.set(file.path, known === undefined ? file : sum(known, file));
  }
  return [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function sum(one: FileCoverage, other: FileCoverage): FileCoverage {
  const lines = new Map(one.lines);
  for (const [line, runs] of other.lines) lines.set(line, (lines.get(line) ?? 0) + runs);
  const key = ({ name, line }: FunctionCount): string => `${line} ${name}`;
  const functions = new Map(one.functions.map((each) => [key(each), each]));
  for (const each of other.functions) {
    const calls = (functions.get(key(each))?.calls ?? 0) + each.calls;
    functions.set(key(each), { ...each, calls });
  }
  return {
    path: one.path,
    lines: [...lines].sort(([a], [b]) => a - b),
    functions: [...functions.values()].sort((a, b) => a.line - b.line),
  };
}

/** One record for each file, as `genhtml` and editors read it. A name in it has no comma and no line break. */
export function lcovText(files: readonly FileCoverage[]): string {
  return files.map(record).join('');
}

function record({ path, lines, functions }: FileCoverage): string {
  const names = unique(functions);
  return [
    'TN:',
    `SF:${path}`,
    ...names.map(([name, { line }]) => `FN:${line},${name}`),
    ...names.map(([name, { calls }]) => `FNDA:${calls},${name}`),
    `FNF:${names.length}`,
    `FNH:${names.filter(([, { calls }]) => calls > 0).length}`,
    ...lines.map(([line, runs]) => `DA:${line},${runs}`),
    `LF:${lines.length}`,
    `LH:${lines.filter(([, runs]) => runs > 0).length}`,
    'end_of_record',
    '',
  ].join('\n');
}

/** Readers identify the functions of a file by name. */
function unique(functions: readonly FunctionCount[]): readonly (readonly [string, FunctionCount])[] {
  const seen = new Map<string, number>();
  return functions.map((each) => {
    const count = (seen.get(each.name) ?? 0) + 1;
    seen.set(each.name, count);
    return [count === 1 ? each.name : `${each.name} ${count}`, each] as const;
  });
}

/** A line of text for each file and one for the total; none without files. */
export function linesText(files: readonly FileCoverage[]): string {
  if (files.length === 0) return '';
  const share = (some: number, all: number): string =>
    `${some} of ${all}${all === 0 ? '' : ` (${Math.floor((100 * some) / all)} %)`}`;
  const counts = files.map(({ path, lines }) => {
    const run = lines.filter(([, runs]) => runs > 0).length;
    return { path, all: lines.length, run };
  });
  const all = counts.reduce((total, each) => total + each.all, 0);
  const run = counts.reduce((total, each) => total + each.run, 0);
  return [
    `Lines of Daml: ${share(run, all)} run`,
    ...counts.map((each) => `  ${each.path}: ${share(each.run, each.all)}`),
    '',
  ].join('\n');
}
