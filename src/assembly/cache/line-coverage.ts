/**
 * Counts lines of Daml in this process, and passes the counts to tools that show the coverage of TypeScript. It fills the object of
 * instrumented code (jest, vitest, nyc), and writes a file for V8's coverage (c8) and the coverage file of Canticle.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LfPackage } from '../../daml/archive/lf-package.js';
import {
  ModuleLines,
  type LineCounting,
  type ModuleFile,
} from '../../daml/lf/counting/line-counts.js';
import type { FileCoverage } from '../../network/coverage/line-report.js';
import { istanbulFile, v8Script } from './coverage-forms.js';

/** The globals of instrumented code: of jest and nyc, and of vitest. */
const GLOBALS = ['__coverage__', '__VITEST_COVERAGE__'] as const;

export class LineCoverage implements LineCounting {
  private readonly byPath = new Map<string, ModuleLines>();
  /** By package, then by module. */
  private readonly packages = new Map<LfPackage, ReadonlyMap<string, ModuleLines>>();
  private readonly texts = new Map<string, string>();
  /** By path: the counts that {@link take} returned before. */
  private readonly taken = new Map<string, FileCoverage>();

  /** @param names of packages to count; if undefined, all whose files are known */
  constructor(
    private readonly fileOf: ModuleFile,
    private readonly names: readonly string[] | undefined,
  ) {}

  linesOf(lf: LfPackage, module: string): ModuleLines | undefined {
    if (this.names?.includes(lf.name) === false) return undefined;
    let modules = this.packages.get(lf);
    if (modules === undefined) {
      modules = this.read(lf);
      this.packages.set(lf, modules);
    }
    return modules.get(module);
  }

  /** Reads all modules, because the report also shows code that never runs. */
  private read(lf: LfPackage): ReadonlyMap<string, ModuleLines> {
    const modules = new Map<string, ModuleLines>();
    for (const module of lf.modules.keys()) {
      const file = this.fileOf(lf.id, module);
      if (file === undefined) continue;
      let lines = this.byPath.get(file.path);
      if (lines === undefined) {
        lines = new ModuleLines(lf, module, file.path, file.text);
        this.byPath.set(file.path, lines);
        this.texts.set(file.path, file.text);
        this.show(lines);
      }
      modules.set(module, lines);
    }
    return modules;
  }

  /** Stores the counts where a test runner reads them after a test file. */
  private show(lines: ModuleLines): void {
    const all = globalThis as unknown as Record<string, Record<string, unknown> | undefined>;
    for (const name of GLOBALS) (all[name] ??= {})[lines.path] = istanbulFile(lines);
  }

  /** The coverage so far. */
  private report(): readonly FileCoverage[] {
    return [...this.byPath.values()].map(fileCoverage);
  }

  /** The counts since the last call. */
  take(): readonly FileCoverage[] {
    return this.report().map((now) => {
      const before = this.taken.get(now.path);
      this.taken.set(now.path, now);
      return before === undefined ? now : less(now, before);
    });
  }

  /** Adds a file to those that V8 writes at the end of the process. @param folder NODE_V8_COVERAGE */
  writeForV8(folder: string): void {
    const result = [...this.byPath.values()].map((lines) =>
      v8Script(istanbulFile(lines), this.texts.get(lines.path)),
    );
    if (result.length === 0) return;
    mkdirSync(folder, { recursive: true });
    // Named as V8 names its files, with a number that no worker has.
    const name = `coverage-${process.pid}-${Date.now()}-9${process.hrtime.bigint() % 1_000_000n}.json`;
    writeFileSync(join(folder, name), JSON.stringify({ result, timestamp: 0 }));
  }
}

function fileCoverage({ path, places, runs, functions, calls }: ModuleLines): FileCoverage {
  const lines = new Map<number, number>();
  places.forEach(({ line }, number) => {
    lines.set(line, Math.max(lines.get(line) ?? 0, runs[number]!));
  });
  return {
    path,
    lines: [...lines].sort(([a], [b]) => a - b),
    functions: functions
      .map(({ name, line }, number) => ({ name, line, calls: calls[number]! }))
      .sort((a, b) => a.line - b.line),
  };
}

function less(now: FileCoverage, before: FileCoverage): FileCoverage {
  return {
    ...now,
    lines: now.lines.map(([line, runs], at) => [line, runs - before.lines[at]![1]]),
    functions: now.functions.map((each, at) => {
      return { ...each, calls: each.calls - before.functions[at]!.calls };
    }),
  };
}
