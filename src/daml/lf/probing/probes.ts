/**
 * Counts the branches of code, and reports the operands of its comparisons. A branch is an alternative of a `case`, which `if`, guards,
 * patterns, `&&` and `||` become, or a handler of an exception. Places without a position in the archive have only their definition.
 */
import type { LfExpression } from '../../archive/code/expression.js';
import type { FormOf, LfPattern } from '../../archive/code/form.js';
import type { LfPackage } from '../../archive/lf-package.js';
import type { SourceLocation } from '../../errors/source-location.js';
import type { PackageId } from '../../model/types.js';
import type { Expression } from '../lowering/expression.js';
import type { CompiledDefinition, Instrument, Instrumentation } from '../lowering/instrument.js';
import type { Lowering } from '../lowering/lowering.js';
import { ComparisonRecorder } from './comparison-recorder.js';
import { DefinitionReader } from './definition-reader.js';
import { DefinitionNames, isGenerated, type SourceDefinition } from './definition-names.js';
import { restText } from './rest-text.js';
import { SiteTable, type NextSite } from './site-table.js';

/** A place in the code. */
interface Site {
  readonly number: number;
  readonly packageId: PackageId;
  readonly definition: CompiledDefinition;
  /** The position of the innermost expression that has one. */
  readonly at: SourceLocation | undefined;
}

export interface Branch extends Site {
  readonly kind: 'alternative' | 'handler';
  /** The matched expression, as Daml: `amount > limit`. */
  readonly condition: string;
  /** The value that leads to this branch: `True`, `Some x`, `Paid`, `any other value of Color (Green, Blue)`. */
  readonly when: string;
}

export interface Comparison extends Site {
  readonly operator: 'EQUAL' | 'LESS' | 'LESS_EQ' | 'GREATER' | 'GREATER_EQ';
  /** The builtin type of the operands. */
  readonly type: ComparedType;
  readonly text: string;
}

const COMPARED = ['Int64', 'Numeric', 'Text', 'Party', 'Date', 'Timestamp'] as const;
export type ComparedType = (typeof COMPARED)[number];

export class Probes implements Instrumentation {
  /** How often each branch ran, by number. */
  readonly runs: number[] = [];
  /** The numbers of branches whose count was 0 when they ran, in this order. The reader empties it. */
  readonly reached: number[] = [];
  readonly operands: ComparisonRecorder;
  private readonly branchTable = new SiteTable<Branch>();
  private readonly comparisonTable = new SiteTable<Comparison>();
  private readonly names = new DefinitionNames();

  /**
   * @param isProbed whether the code of a package gets probes
   * @param maxOperands the comparisons that are stored until they are taken
   */
  constructor(
    private readonly isProbed: (lf: LfPackage) => boolean,
    maxOperands = 4096,
  ) {
    this.operands = new ComparisonRecorder(maxOperands);
  }

  /** The branches of the code that was compiled or visited by now, by number. */
  get branches(): readonly Branch[] {
    return this.branchTable.sites;
  }

  /** The comparisons of the code that was compiled or visited by now, by number. */
  get comparisons(): readonly Comparison[] {
    return this.comparisonTable.sites;
  }

  /** The definition of the source that has the code. */
  sourceOf({ definition }: Branch | Comparison): SourceDefinition {
    return this.names.sourceOf(definition);
  }

  /** Sets the counts of these branches to 0. */
  reset(numbers: Iterable<number>): void {
    for (const number of numbers) this.runs[number] = 0;
  }

  of(definition: CompiledDefinition): Instrument | undefined {
    if (!this.isProbed(definition.lf)) return undefined;
    if (definition.isValue && isGenerated(definition.name)) return undefined;
    const branch = this.branchTable.within(definition);
    const comparison = this.comparisonTable.within(definition);
    return new ProbeInstrument(this, definition, this.names, branch, comparison);
  }
}

type Describe = (number: number) => Branch;

class ProbeInstrument implements Instrument {
  /** Bodies of alternatives and handlers that are lowered next. */
  private readonly bodies = new Map<LfExpression, Describe>();
  private readonly reader: DefinitionReader;

  constructor(
    private readonly probes: Probes,
    private readonly definition: CompiledDefinition,
    names: DefinitionNames,
    private readonly branch: NextSite<Branch>,
    private readonly comparison: NextSite<Comparison>,
  ) {
    this.reader = new DefinitionReader(definition, names);
  }

  around(expression: LfExpression, by: Lowering, lower: () => Expression): Expression {
    const { form } = expression;
    this.reader.see(expression);
    if (form.kind === 'case') this.ofCase(form, by);
    else if (form.kind === 'tryCatch') this.ofHandler(form, by);
    const describe = this.bodies.get(expression);
    if (describe === undefined) return this.observed(expression, by, lower());
    this.bodies.delete(expression);
    const number = this.branch(describe);
    const { runs, reached } = this.probes;
    runs[number] ??= 0;
    const body = this.observed(expression, by, lower());
    return { kind: 'counted', counts: runs, numbers: [number], reached, body };
  }

  private ofCase({ scrutinee, alternatives }: FormOf<'case'>, by: Lowering): void {
    const when = (pattern: LfPattern): string => {
      if (pattern.kind !== 'default') return this.reader.text.pattern(pattern);
      const patterns = alternatives.map((each) => each.pattern);
      return restText(patterns, (id) => by.context.constructors(id));
    };
    for (const { pattern, body } of alternatives)
      this.bodies.set(body, (number) => ({
        ...this.site(number, by, body, scrutinee),
        kind: 'alternative',
        condition: this.reader.text.of(scrutinee),
        when: when(pattern),
      }));
  }

  private ofHandler({ body, handler }: FormOf<'tryCatch'>, by: Lowering): void {
    this.bodies.set(handler, (number) => ({
      ...this.site(number, by, handler, body),
      kind: 'handler',
      condition: this.reader.text.of(body),
      when: 'an exception',
    }));
  }

  private site(number: number, by: Lowering, ...at: readonly LfExpression[]): Site {
    const { definition } = this;
    return {
      number,
      packageId: definition.lf.id,
      definition,
      at: this.reader.placeOf(by, ...at),
    };
  }

  private observed(expression: LfExpression, by: Lowering, lowered: Expression): Expression {
    if (expression.form.kind !== 'application') return lowered;
    if (lowered.kind === 'counted')
      return { ...lowered, body: this.observed(expression, by, lowered.body) };
    if (lowered.kind !== 'apply' || lowered.fun.kind !== 'builtin') return lowered;
    const { fun } = lowered;
    const type = COMPARED.find((each) => each === fun.type);
    if (type === undefined || lowered.args.length < 2) return lowered;
    const number = this.comparison((own) => ({
      ...this.site(own, by),
      operator: fun.row.name as Comparison['operator'],
      type,
      text: this.reader.text.of(expression),
    }));
    return { ...lowered, fun: { ...fun, observer: { of: this.probes.operands, number } } };
  }
}
