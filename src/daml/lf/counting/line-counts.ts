/**
 * Counts how often each place of a Daml file ran. All places of a module are known before its code runs, so that unused ones have a count
 * of 0. Archives have no places in choices: the lines of a choice count how often it started.
 */
import type { LfPackage } from '../../archive/lf-package.js';
import type { PackageId } from '../../model/types.js';
import type { Counts } from '../lowering/expression.js';
import { choiceSpans } from './choice-spans.js';
import { locatedIn, type CodeSpan } from './located.js';

/** A top-level function, or a choice. */
export interface CodeFunction extends CodeSpan {
  readonly name: string;
}

/** The counts of one module. */
export class ModuleLines {
  readonly places: CodeSpan[] = [];
  /** How often each place ran. */
  readonly runs: Counts = {};
  readonly functions: CodeFunction[] = [];
  /** How often each function was called. */
  readonly calls: Counts = {};
  private readonly numbers = new Map<string, number>();
  private readonly functionNumbers = new Map<string, number>();
  private readonly linesOfChoices = new Map<string, readonly number[]>();

  /**
   * @param path the path of its file
   * @param reached receives the number of each place that runs for the first time
   */
  constructor(
    lf: LfPackage,
    readonly module: string,
    readonly path: string,
    text: string,
    readonly reached?: number[],
  ) {
    const lines = text.split('\n');
    const taken = new Set<number>();
    for (const { owner, span } of locatedIn(lf, module, lines)) {
      const key = keyOf(owner, span);
      if (this.numbers.has(key)) continue;
      this.numbers.set(key, this.place(span));
      taken.add(span.line);
      const isOutermost = owner !== '' && !this.functionNumbers.has(owner);
      if (isOutermost) this.function(owner, owner, span);
    }
    for (const { owner, name, line, column, lines: own } of choiceSpans(text)) {
      const wholeLines = own.filter((each) => !taken.has(each));
      const numbers = wholeLines.map((each) => {
        const { length } = lines[each - 1]!;
        return this.place({ line: each, column: 0, endLine: each, endColumn: length });
      });
      const key = `${owner} ${name} update`;
      this.linesOfChoices.set(key, numbers);
      const end = own.at(-1)!;
      const endColumn = lines[end - 1]!.length;
      this.function(key, `${owner}.${name}`, { line, column, endLine: end, endColumn });
    }
  }

  private place(span: CodeSpan): number {
    const number = this.places.push(span) - 1;
    this.runs[number] = 0;
    return number;
  }

  /** Skips functions that the Daml compiler generated. */
  private function(key: string, name: string, span: CodeSpan): void {
    if (name.startsWith('$')) return;
    const number = this.functions.push({ ...span, name }) - 1;
    this.calls[number] = 0;
    this.functionNumbers.set(key, number);
  }

  /**
   * The number of a place.
   * @param owner the top-level value; empty in templates and interfaces
   */
  numberOf(owner: string, span: CodeSpan): number | undefined {
    return this.numbers.get(keyOf(owner, span));
  }

  /**
   * The number of a function.
   * @param name of the value, or of the choice's code
   */
  functionOf(name: string): number | undefined {
    return this.functionNumbers.get(name);
  }

  /** The places of a choice. */
  choicePlaces(name: string): readonly number[] {
    return this.linesOfChoices.get(name) ?? [];
  }
}

const keyOf = (owner: string, { line, column, endLine, endColumn }: CodeSpan): string =>
  `${line}:${column}:${endLine}:${endColumn} ${owner}`;

/** Provides the counters. */
export interface LineCounting {
  /** Undefined for a module without counters. */
  linesOf(lf: LfPackage, module: string): ModuleLines | undefined;
}

/** The path and text of a module's file; undefined if unknown. */
export type ModuleFile = (
  id: PackageId,
  module: string,
) => { readonly path: string; readonly text: string } | undefined;
