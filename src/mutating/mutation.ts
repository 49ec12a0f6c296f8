/** Puts mutants into the code of packages while it is compiled. All of them are compiled once, and a selector chooses the one that runs. */
import type { LfExpression } from '../daml/archive/code/expression.js';
import type { LfPackage } from '../daml/archive/lf-package.js';
import type { SourceLocation } from '../daml/errors/source-location.js';
import type { Expression, Lambda, Selector } from '../daml/lf/lowering/expression.js';
import type {
  CompiledDefinition,
  Instrument,
  Instrumentation,
} from '../daml/lf/lowering/instrument.js';
import type { Lowering } from '../daml/lf/lowering/lowering.js';
import {
  DefinitionNames,
  isGenerated,
  type SourceDefinition,
} from '../daml/lf/probing/definition-names.js';
import { DefinitionReader } from '../daml/lf/probing/definition-reader.js';
import { SiteTable, type NextSite } from '../daml/lf/probing/site-table.js';
import type { QualifiedName } from '../daml/model/types.js';
import { arithmetic } from './operators/arithmetic.js';
import { assertion } from './operators/assertions.js';
import { calledAt } from './operators/called.js';
import { comparison } from './operators/comparisons.js';
import { condition } from './operators/conditions.js';
import type { Mutant, OperatorName } from './operators/mutant.js';
import { parties } from './operators/parties.js';
import { Place, type AddMutant } from './operators/place.js';
import { templatePart } from './operators/template-parts.js';
import { constant, update } from './operators/values.js';

export interface MutationOptions {
  /**
   * The code that gets mutants.
   * @param name of the definition, such as `transfer` or `Iou Transfer update`
   */
  isMutated(lf: LfPackage, module: string, name: string): boolean;
  /** All by default. */
  readonly operators?: ReadonlySet<OperatorName>;
  /** The key of the only mutant to compile, which then runs. All by default. */
  readonly only?: string;
  /**
   * Runs the original code, and receives what it reaches, each once.
   * @param key `reached`: of the first mutant of the place; `differs`: of a mutant whose value differs from that of the original
   */
  readonly recorder?: (kind: 'reached' | 'differs', key: string) => void;
}

export class Mutation implements Instrumentation {
  readonly selector: Selector;
  private readonly table = new SiteTable<Mutant>(1);
  private readonly names = new DefinitionNames();

  constructor(private readonly options: MutationOptions) {
    const { recorder } = options;
    const marks = (kind: 'reached' | 'differs'): boolean[] =>
      recorder === undefined
        ? []
        : firstMarks((number) => recorder(kind, this.mutants[number - 1]!.key));
    const at = recorder === undefined ? 0 : -1;
    this.selector = { at, reached: marks('reached'), differs: marks('differs'), unfinished: [] };
  }

  /** Those of the code that was compiled or visited by now, by number. */
  get mutants(): readonly Mutant[] {
    return this.table.sites;
  }

  /** Whether the mutant could change the run that `selector` has recorded. */
  mayChange({ number, place, isCompared }: Mutant): boolean {
    const { reached, differs, unfinished } = this.selector;
    if (reached[place] !== true) return false;
    return !isCompared || differs[number] === true || unfinished[place]! > 0;
  }

  /** Tells the recorder about mutants that change a run by not throwing an exception. */
  recordUnfinished(): void {
    const { unfinished } = this.selector;
    for (const { key, place } of this.mutants)
      if (unfinished[place]! > 0) this.options.recorder?.('differs', key);
  }

  sourceOf({ definition }: Mutant): SourceDefinition {
    return this.names.sourceOf(definition);
  }

  of(definition: CompiledDefinition): Instrument | undefined {
    const { lf, module, name, isValue } = definition;
    if (!this.options.isMutated(lf, module, name)) return undefined;
    if (isValue ? isGenerated(name) : / Archive \w+$/.test(name)) return undefined;
    const reader = new DefinitionReader(definition, this.names);
    const add = this.adder(definition, this.table.within(definition));
    return new MutationInstrument(reader, this.selector, add);
  }

  consuming(
    lf: LfPackage,
    owner: QualifiedName,
    { name, consuming }: { readonly name: string; readonly consuming: boolean },
  ): (() => boolean) | undefined {
    const [module = '', entity = ''] = owner.split(':');
    const part = `${entity} ${name} consuming`;
    if (name === 'Archive' || !this.options.isMutated(lf, module, part)) return undefined;
    // Only its name matters here.
    const definition = { lf, module, name: part, isValue: false } as CompiledDefinition;
    const [before, after] = [consuming, !consuming].map(
      (is) => `${is ? '' : 'nonconsuming '}choice ${name}`,
    );
    const add = this.adder(definition, this.table.within(definition));
    const added = add(
      { operator: 'consuming', before: before!, after: after! },
      undefined,
      undefined,
      false,
    );
    if (added?.isActive !== true) return undefined;
    const { number } = added;
    const { selector } = this;
    return () => {
      if (selector.at < 0) selector.reached[number] = true;
      return selector.at === number ? !consuming : consuming;
    };
  }

  private adder(definition: CompiledDefinition, next: NextSite<Mutant>): AddMutant {
    const { operators, only } = this.options;
    return (change, at, place, isCompared) => {
      if (operators?.has(change.operator) === false) return undefined;
      const number = next((own, index) => {
        const key = `${definition.module}:${definition.name}#${index}`;
        return { ...change, number: own, key, place: place ?? own, isCompared, definition, at };
      });
      const isActive = only === undefined || this.mutants[number - 1]!.key === only;
      if (only !== undefined && isActive) this.selector.at = number;
      return { number, isActive };
    };
  }
}

/** An array that calls back when an element is set for the first time. */
const firstMarks = (onFirst: (number: number) => void): boolean[] =>
  new Proxy<boolean[]>([], {
    set(marks, name, value) {
      const isFirst = !(name in marks);
      const isSet = Reflect.set(marks, name, value);
      if (isFirst) onFirst(Number(name));
      return isSet;
    },
  });

class MutationInstrument implements Instrument {
  constructor(
    private readonly reader: DefinitionReader,
    private readonly selector: Selector,
    private readonly add: AddMutant,
  ) {}

  around(expression: LfExpression, by: Lowering, lower: () => Expression): Expression {
    this.reader.see(expression);
    const lowered = lower();
    return this.isWrapper ? lowered : this.mutated(expression, by, lowered);
  }

  /** The compiler's code around the expression of `ensure`. */
  private get isWrapper(): boolean {
    const { name, isValue } = this.reader.definition;
    return !isValue && name.endsWith(' precondition');
  }

  private mutated(expression: LfExpression, by: Lowering, lowered: Expression): Expression {
    if (lowered.kind === 'counted')
      return { ...lowered, body: this.mutated(expression, by, lowered.body) };
    const { form } = expression;
    const place = this.place(by, this.reader.placeOf(by, expression));
    if (form.kind === 'literal') return constant(place, expression, form, lowered);
    if (form.kind === 'case' && lowered.kind === 'case')
      return condition(place, expression, form, lowered);
    if (form.kind === 'recordUpdate' && lowered.kind === 'update')
      return update(place, expression, form, lowered);
    if (form.kind !== 'application' || lowered.kind !== 'apply') return lowered;
    const called = calledAt(place, expression, lowered);
    if (called === undefined) return lowered;
    return (
      comparison(place, called) ??
      arithmetic(place, called) ??
      assertion(place, called, expression) ??
      lowered
    );
  }

  whole(lambda: Lambda, by: Lowering): Lambda {
    const part = templatePart(this.reader.definition);
    if (part === undefined) return lambda;
    return parties(this.place(by, this.reader.firstPlace(by, part.expression)), part, lambda);
  }

  private place(by: Lowering, at: SourceLocation | undefined): Place {
    return new Place(this.reader, by, this.selector, this.add, at);
  }
}
