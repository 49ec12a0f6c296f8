/**
 * Types of expressions, in the order in which the real checker finds them, so that of several faults the same one is
 * found first. This is the walk through an archive's bytes; the forms of expressions are in the files beside.
 */
import { illegalInterning, parseError } from '../archive/dar-refusals.js';
import { ExpressionDecoder, MAX_EXPRESSION_DEPTH } from './decoding/expression-decoder.js';
import type { PackageId } from '../model/types.js';
import type { LfPackage } from '../archive/lf-package.js';
import { Checking, TypeMismatch } from './checking.js';
import type { DataType, Entity } from './entities.js';
import { FORMS } from './expression-forms.js';
import { PackageCode } from './package-code.js';
import { prettyType } from './type-text.js';
import type { Type } from './type.js';

/** Parts of one expression, its interned parts written out; real code stays below 50,000. */
const MAX_EXPRESSION_PARTS = 1_000_000;

/** Fields of `Expr`. */
const [LOCATION, VARIABLE, PROJECTION, TYPE_APPLICATION, INTERNED] = [1, 2, 8, 16, 44];

/** A data type, applied to as many types as it wants. */
export interface Instance {
  readonly entity: Entity;
  readonly data: DataType;
  readonly args: readonly Type[];
  readonly type: Type;
}

export class ExpressionChecker extends Checking {
  /** Types of the variables in scope, by the numbers of their names. */
  private variables: (Type | undefined)[] = [];
  /** What bindings hid: the numbers and types of `bind`, undone by `unbind`. */
  private readonly hidden: [number, Type | undefined][] = [];
  private depth = 0;
  private parts = 0;
  /** Interned expressions may only refer to those before this one. */
  private internedBelow = Infinity;
  /** The next expression is an entry of the table. */
  private isEntry = false;
  /** What `open` found. */
  private sum = 0;
  private start = 0;
  private end = 0;
  private locStart = 0;
  private locEnd = 0;
  private readonly instances = new Map<Type, Instance>();

  constructor(packages: ReadonlyMap<PackageId, LfPackage>) {
    super(packages);
  }

  override enterPackage(lf: LfPackage): void {
    super.enterPackage(lf);
    this.variables = [];
    this.hidden.length = 0;
  }

  /** The number to `unbind` with later. */
  get mark(): number {
    return this.hidden.length;
  }

  /** Brings a variable into scope, by the index of its name. */
  bind(name: number, type: Type): void {
    const index = this.code.nameIndex(name);
    this.hidden.push([index, this.variables[index]]);
    this.variables[index] = type;
  }

  unbind(mark: number): void {
    while (this.hidden.length > mark) {
      const [index, type] = this.hidden.pop()!;
      this.variables[index] = type;
    }
  }

  variable(name: number): Type {
    return (
      this.variables[this.code.nameIndex(name)] ??
      this.fail('EUnknownExprVar', `unknown expr variable: ${this.code.name(name)}`)
    );
  }

  /** The expression of a definition, against the type that it must have; what is absent is no expression. */
  checkTop(view: Uint8Array | undefined, expected: Type): void {
    const [start, end] = this.code.rangeOf(view);
    this.depth = 0;
    this.parts = 0;
    this.isEntry = false;
    this.internedBelow = Infinity;
    const found = this.typeOf(start, end);
    if (found !== expected && !this.equivalent(found, expected)) this.mismatch(found, expected);
  }

  /** Finds the form of an expression and its location. */
  private open(start: number, end: number): void {
    const { code } = this;
    this.sum = 0;
    this.locEnd = 0;
    code.at = start;
    while (code.at < end) {
      const tag = code.varint();
      const field = tag >>> 3;
      const wireType = tag & 7;
      if (wireType === 2) {
        const from = code.varint() + code.at;
        if (field === LOCATION) {
          this.locStart = code.at;
          this.locEnd = from;
        } else {
          this.sum = field;
          this.start = code.at;
          this.end = from;
        }
        code.at = from;
      } else if (wireType === 0) {
        this.sum = field;
        this.start = code.varint();
      } else code.skip(wireType);
    }
    if (this.isEntry && this.sum === INTERNED) throw illegalInterning('InternedExpr');
    this.isEntry = false;
  }

  typeOf(start: number, end: number): Type {
    if (++this.depth > MAX_EXPRESSION_DEPTH)
      throw parseError(`An expression nests deeper than ${MAX_EXPRESSION_DEPTH} levels`);
    if (++this.parts > MAX_EXPRESSION_PARTS)
      throw parseError(`An expression has more than ${MAX_EXPRESSION_PARTS} parts`);
    this.open(start, end);
    const { sum, start: from, end: to, locStart, locEnd } = this;
    const type =
      locEnd === 0 || !this.hasRange(locStart, locEnd)
        ? this.typeOfForm(sum, from, to)
        : this.located(sum, from, to, locStart, locEnd);
    this.depth -= 1;
    return type;
  }

  /** A location without lines and columns counts as none. */
  private hasRange(start: number, end: number): boolean {
    return this.code.find(start, end, 2);
  }

  private located(sum: number, start: number, end: number, locStart: number, locEnd: number): Type {
    const { locationStart, locationEnd } = this;
    this.locationStart = locStart;
    this.locationEnd = locEnd;
    const type = this.typeOfForm(sum, start, end);
    this.locationStart = locationStart;
    this.locationEnd = locationEnd;
    return type;
  }

  private typeOfForm(sum: number, start: number, end: number): Type {
    switch (sum) {
      case VARIABLE:
        return this.variable(start);
      case TYPE_APPLICATION:
        return this.typeApplication(start, end);
      case INTERNED:
        return this.interned(start);
      default: {
        const form = FORMS[sum];
        if (form === undefined) throw parseError('Expr.SUM_NOT_SET');
        return form(this, start, end);
      }
    }
  }

  private interned(index: number): Type {
    const outer = this.enterInterned(index);
    const { partStart, partEnd } = this.code;
    this.depth -= 1;
    const type = this.typeOf(partStart, partEnd);
    this.depth += 1;
    this.internedBelow = outer;
    return type;
  }

  private enterInterned(index: number): number {
    if (!this.code.lf.version.flatArchive)
      throw this.code.lf.tables.notSupported('Flat Archive (case INTERNED_EXPR)');
    const outer = this.internedBelow;
    PackageCode.checkOrder(index, outer);
    this.internedBelow = index;
    this.isEntry = true;
    this.code.interned(index);
    return outer;
  }

  /** The type of an expression that must have an equivalent one. */
  checkExpression(start: number, end: number, expected: Type): Type {
    const found = this.typeOf(start, end);
    if (found === expected || this.equivalent(found, expected)) return found;
    this.enterForm(start, end);
    if (this.sum === PROJECTION && this.locEnd === 0) {
      const { code } = this;
      code.scan(this.start, this.end);
      const field = code.name(code.starts[4]!);
      const record = this.instance(code.starts[1]!, code.ends[1]!).type;
      this.fail(
        'EFieldTypeMismatch',
        `Tried to use field ${field} with type ${prettyType(found)} on value of type ${prettyType(record)}, ` +
          `but that field has type ${prettyType(expected)}`,
      );
    }
    return this.mismatch(found, expected);
  }

  /** What makes objects of the expression that is being checked, for texts that show it. */
  decoder(): ExpressionDecoder {
    const { code, types, place, internedBelow } = this;
    return new ExpressionDecoder(code.lf, { types, ...place }, internedBelow);
  }

  /** Opens an expression, interned or not. */
  private enterForm(start: number, end: number): void {
    this.open(start, end);
    while (this.sum === INTERNED && this.locEnd === 0) {
      this.enterInterned(this.start);
      this.open(this.code.partStart, this.code.partEnd);
    }
  }

  /** Type applications to type applications are one, as the real checker takes them. */
  private typeApplication(start: number, end: number): Type {
    const { code } = this;
    const outer = this.internedBelow;
    const types: Type[] = [];
    let from = start;
    let to = end;
    for (;;) {
      const own: Type[] = [];
      for (let next = from; code.find(next, to, 2);) {
        next = code.partEnd;
        own.push(code.type(code.partStart, code.partEnd));
      }
      this.requireSome(own.length, 'args');
      this.requireOne(own.length, 'params');
      types.unshift(...own);
      code.scan(from, to);
      from = code.starts[1]!;
      to = code.ends[1]!;
      this.enterForm(from, to);
      if (this.sum !== TYPE_APPLICATION || this.locEnd !== 0) break;
      from = this.start;
      to = this.end;
    }
    this.internedBelow = outer;
    const head = this.typeOf(from, to);
    return this.applyType(head, types);
  }

  requireSome(count: number, what: string): void {
    if (count === 0) throw parseError(`Unexpected empty ${what}`);
  }

  requireOne(count: number, what: string): void {
    this.code.lf.tables.requireOne(count, what);
  }

  private applyType(head: Type, types: readonly Type[]): Type {
    const bindings = new Map<string, Type>();
    let body = head;
    for (const type of types) {
      const forall = body.tag === 'forall' ? body : this.expand(body);
      if (forall.tag !== 'forall')
        this.fail(
          'EExpectedUniversalType',
          `expected universal type, but found: ${prettyType(body)}`,
        );
      this.checkType(type, forall.bound);
      bindings.set(forall.name, type);
      body = forall.body;
    }
    return this.substitute(bindings, body);
  }

  /** The data type that a `Type.Con` names, its arguments checked. */
  instance(start: number, end: number): Instance {
    const { code } = this;
    code.scan(start, end);
    const entity = code.entity(code.starts[1]!, code.ends[1]!);
    const data = this.dataType(entity);
    const args: Type[] = [];
    for (let next = start; code.find(next, end, 2);) {
      next = code.partEnd;
      args.push(code.type(code.partStart, code.partEnd));
    }
    const { params } = data.lf;
    const type = args.reduce((fun, arg) => this.types.app(fun, arg), entity.type);
    if (params.length !== args.length)
      this.fail('ETypeConAppWrongArity', `wrong arity in typecon application: ${prettyType(type)}`);
    for (let n = 0; n < args.length; n += 1) this.checkType(args[n]!, params[n]![1]);
    let instance = this.instances.get(type);
    if (instance === undefined) {
      instance = { entity, data, args, type };
      this.instances.set(type, instance);
    }
    return instance;
  }

  /** As a method's or a view's fault, which every mismatch within it is. */
  naming<T>(run: () => T, refuse: (mismatch: TypeMismatch) => never): T {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof TypeMismatch)) throw error;
      return refuse(error);
    }
  }
}
