/** The coverage of the fuzzed packages: lines, and branches with the conditions of those that never ran. */
import type { LfPackage } from '../../daml/archive/lf-package.js';
import {
  ModuleLines,
  type LineCounting,
  type ModuleFile,
} from '../../daml/lf/counting/line-counts.js';
import { LineInstrumentation } from '../../daml/lf/counting/line-instrument.js';
import { together, type Instrumentation } from '../../daml/lf/lowering/instrument.js';
import { Probes, type Branch } from '../../daml/lf/probing/probes.js';
import type { PackageId } from '../../daml/model/types.js';

/** Of how many there are. */
export interface Share {
  readonly reached: number;
  readonly all: number;
}

/** A branch that never ran. */
export interface MissedBranch {
  readonly module: string;
  /** From 1; undefined if the archive has no position. */
  readonly line: number | undefined;
  /** `Template.Choice`, `Template signatories` or a function. */
  readonly definition: string;
  /** The condition, and the value that leads to the branch. */
  readonly condition: string;
  readonly when: string;
}

/** Lines of a module that never ran. */
export interface MissedLines {
  readonly module: string;
  readonly path: string;
  /** From 1, ascending. */
  readonly lines: readonly number[];
}

export interface CoverageSummary {
  /** Undefined if the archive has no sources. */
  readonly lines: Share | undefined;
  readonly branches: Share;
  readonly missedLines: readonly MissedLines[];
  /** In the order of the code. Branches inside a branch that never ran are left out. */
  readonly missedBranches: readonly MissedBranch[];
}

export class CodeCoverage implements LineCounting {
  readonly probes: Probes;
  readonly instrumentation: Instrumentation;
  private readonly modules = new Map<string, ModuleLines | undefined>();
  private readonly reachedLines: number[] = [];

  /**
   * @param isCovered whether to cover a package
   * @param fileOf the sources, as far as they are known
   */
  constructor(
    private readonly isCovered: (id: PackageId) => boolean,
    private readonly fileOf: ModuleFile,
  ) {
    this.probes = new Probes((lf) => isCovered(lf.id));
    this.instrumentation = together([new LineInstrumentation(this), this.probes]);
  }

  linesOf(lf: LfPackage, module: string): ModuleLines | undefined {
    const key = `${lf.id}:${module}`;
    if (this.modules.has(key)) return this.modules.get(key);
    const file = this.isCovered(lf.id) ? this.fileOf(lf.id, module) : undefined;
    const lines = file && new ModuleLines(lf, module, file.path, file.text, this.reachedLines);
    this.modules.set(key, lines);
    return lines;
  }

  /** Reads all modules of a package, because the summary also has code that never runs. */
  include(lf: LfPackage): void {
    for (const module of lf.modules.keys()) this.linesOf(lf, module);
  }

  /** How many places and branches have run for the first time since the last call. */
  takeNew(): number {
    const { reached } = this.probes;
    const count = reached.length + this.reachedLines.length;
    reached.length = 0;
    this.reachedLines.length = 0;
    return count;
  }

  /** The share of branches that ran, from 0 to 1. */
  get share(): number {
    const { branches, runs } = this.probes;
    const reached = runs.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
    return branches.length === 0 ? 1 : reached / branches.length;
  }

  summary(): CoverageSummary {
    const { branches, runs } = this.probes;
    const reached = branches.filter(({ number }) => runs[number]! > 0).length;
    const files = [...this.modules.values()].filter((each) => each !== undefined);
    const lines = files.map(linesIn);
    return {
      lines: files.length === 0 ? undefined : sum(lines.map(({ share }) => share)),
      branches: { reached, all: branches.length },
      missedLines: lines.flatMap(({ missed }) => (missed.lines.length > 0 ? [missed] : [])),
      missedBranches: branches
        .filter(({ number }) => runs[number] === 0)
        .map((branch) => this.missed(branch)),
    };
  }

  private missed(branch: Branch): MissedBranch {
    const { module, owner, name } = this.probes.sourceOf(branch);
    const definition = [owner, name].filter((part) => part !== '').join('.');
    const { at, condition, when } = branch;
    return { module, line: at?.line, definition, condition, when };
  }
}

function linesIn(module: ModuleLines): { share: Share; missed: MissedLines } {
  const runs = new Map<number, number>();
  module.places.forEach(({ line }, number) => {
    runs.set(line, (runs.get(line) ?? 0) + module.runs[number]!);
  });
  const missed = [...runs].filter(([, count]) => count === 0).map(([line]) => line);
  missed.sort((a, b) => a - b);
  return {
    share: { reached: runs.size - missed.length, all: runs.size },
    missed: { module: module.module, path: module.path, lines: missed },
  };
}

const sum = (shares: readonly Share[]): Share => ({
  reached: shares.reduce((total, { reached }) => total + reached, 0),
  all: shares.reduce((total, { all }) => total + all, 0),
});
