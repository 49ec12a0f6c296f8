/** Converts line counts of Daml to the formats of JavaScript tools: istanbul's and V8's. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { ModuleLines } from '../../daml/lf/counting/line-counts.js';
import type { CodeSpan } from '../../daml/lf/counting/located.js';

type Span = ReturnType<typeof rangeOf>;

const rangeOf = ({ line, column, endLine, endColumn }: CodeSpan) => ({
  start: { line, column },
  end: { line: endLine, column: endColumn },
});

/** A file in istanbul's format. It shares the counters, which change later. */
export function istanbulFile({ path, places, runs, functions, calls }: ModuleLines) {
  const functionMap = functions.map((each) => {
    const loc = rangeOf(each);
    return { name: each.name, line: each.line, decl: loc, loc };
  });
  return {
    path,
    statementMap: { ...places.map(rangeOf) } as Readonly<Record<number, Span>>,
    fnMap: { ...functionMap } as Readonly<Record<number, (typeof functionMap)[number]>>,
    branchMap: {},
    s: runs,
    f: calls,
    b: {},
  };
}

export type IstanbulFile = Pick<
  ReturnType<typeof istanbulFile>,
  'path' | 'statementMap' | 's' | 'fnMap' | 'f'
>;

/** A script in V8's format. Its source is the Daml file. NOTE: a line without code counts as covered, as in scripts of V8. */
export function v8Script({ path, statementMap, s, fnMap, f }: IstanbulFile, text = textOf(path)) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const startOf = (line: number): number => starts[line - 1] ?? text.length;
  const endOf = (line: number): number => Math.max((starts[line] ?? text.length + 1) - 1, 0);
  const counts = new Map<number, number>();
  for (const [number, { start }] of Object.entries(statementMap)) {
    counts.set(start.line, Math.max(counts.get(start.line) ?? 0, s[Number(number)]!));
  }
  const range = (line: number, count: number, last = line) => {
    return { startOffset: startOf(line), endOffset: endOf(last), count };
  };
  // Lines without code count as the lines around them.
  const runs: { first: number; last: number; count: number }[] = [];
  for (const [line, count] of [...counts].sort(([a], [b]) => a - b)) {
    const before = runs.at(-1);
    if (before?.count === count) before.last = line;
    else runs.push({ first: line, last: line, count });
  }
  const ranges = runs
    .filter(({ count }) => count !== 1)
    .map(({ first, last, count }) => range(first, count, last));
  const whole = { startOffset: 0, endOffset: text.length, count: 1 };
  const script = { functionName: '', isBlockCoverage: true, ranges: [whole, ...ranges] };
  const called = Object.entries(fnMap).map(([number, { name, line }]) => ({
    functionName: name,
    isBlockCoverage: false,
    ranges: [range(line, f[Number(number)]!)],
  }));
  return { scriptId: '0', url: pathToFileURL(path).href, functions: [script, ...called] };
}

const textOf = (path: string): string => readFileSync(path, 'utf8');
