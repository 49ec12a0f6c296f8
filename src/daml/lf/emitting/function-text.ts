/** The function that is being emitted: its statements with their positions, its variables, and the variables that it captures. */
import type { SourceLocation } from '../../errors/source-location.js';
import { UNIT } from '../../model/values.js';
import type { Binding, Lambda } from '../lowering/expression.js';
import { NIL } from '../runtime/runtime-values.js';
import type { Unit } from './emitter-unit.js';
import { nameOf } from './emitter-text.js';

export type Mode = 'fast' | 'deep';

export type Place = SourceLocation | undefined;

/** The target of a value: the function's result, or a variable. */
export type Target = 'return' | { readonly name: string };

export interface EmittedFunction {
  readonly text: string;
  readonly places: readonly Place[];
}

/** Counts a call. */
export const STEP = 'if(--M.steps<0)spent(M);';

export abstract class FunctionText {
  protected out: string[] = [];
  /** The position of each line of `out`. */
  protected readonly places: Place[];
  protected readonly local = new Set<Binding>();
  protected readonly known = new Map<Binding, { number: number; arity: number }>();
  protected captured: Binding[];
  protected temporaries = 0;
  protected calls = false;
  protected loops = false;
  protected readonly number: number;

  constructor(
    protected readonly unit: Unit,
    protected readonly mode: Mode,
    protected readonly functions: EmittedFunction[],
    protected readonly lambda: Lambda,
    outer?: FunctionText,
  ) {
    this.places = [unit.home];
    this.number = unit.number(lambda);
    this.captured = unit.captured[this.number] ?? [];
    unit.captured[this.number] = this.captured;
    if (outer) for (const [binding, how] of outer.known) this.known.set(binding, how);
  }

  /** Sets the position of the following statements, which start a new line. */
  protected mark(place: Place): void {
    if (place === this.places[this.places.length - 1]) return;
    this.places.push(place);
    this.out.push('\n');
  }

  protected prologue(names: readonly string[]): string {
    if (!this.calls) return '';
    if (this.mode === 'deep') return 'const D=d;';
    const bytes = 110 + 10 * (this.temporaries + names.length + this.captured.length);
    const args = ['S', ...names].join(',');
    return `if(d>LIM)return deep(C${this.number},[${args}],M,d);${STEP}const D=d+${bytes};`;
  }

  protected temporary(): string {
    return `t${this.temporaries++}`;
  }

  protected reference(binding: Binding): string {
    if (!this.local.has(binding) && !this.captured.includes(binding)) this.captured.push(binding);
    return nameOf(binding);
  }

  protected finish(target: Target, value: string): void {
    this.out.push(target === 'return' ? `return ${value};` : `${target.name}=${value};`);
  }

  protected assigned(value: string): string {
    const name = this.temporary();
    this.out.push(`const ${name}=${value};`);
    return name;
  }

  /** Assigns long texts to temporaries. */
  protected short(values: readonly string[]): string[] {
    return values.map((value) => (value.length > 24 ? this.assigned(value) : value));
  }

  protected constant(value: unknown): string {
    if (typeof value === 'boolean' || value === null) return String(value);
    if (value === undefined) return 'undefined';
    if (typeof value === 'number') return value < 0 ? `(${value})` : String(value);
    if (value === UNIT) return 'UNIT';
    return value === NIL ? 'NIL' : this.unit.constant(value);
  }
}
