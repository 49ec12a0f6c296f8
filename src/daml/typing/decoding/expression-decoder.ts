/**
 * Expressions as the real decoder makes them of an archive's bytes: which objects, and in which order it reads their
 * parts, so that of several faults it is the same one that is found. Only what is refused is decoded like this.
 */
import type { LfPackage } from '../../archive/lf-package.js';
import { LF2 } from '../../archive/wire/lf-schema.js';
import { lf2, type LfTables } from '../../archive/lf-tables.js';
import { illegalInterning, parseError } from '../../archive/dar-refusals.js';
import { PackageCode } from '../package-code.js';
import { showKind, showType } from '../type-text.js';
import type { Types } from '../type.js';
import { WireReader, WireType, type Parts } from '../../archive/wire/wire-reader.js';
import { EXPRESSIONS } from './expression-objects.js';
import { EMPTY, formsByNumber } from './forms.js';
import {
  immArray,
  scalaObject,
  scalaTuple,
  type ScalaObject,
  type ScalaPart,
} from './scala-object.js';

/** Levels of one expression; real code stays below 200. */
export const MAX_EXPRESSION_DEPTH = 600;

/** What texts need to know of the code that is decoded. */
export interface ShownCode {
  readonly types: Types;
  /** `p:M`: source locations that do not say their module are in this one. */
  readonly module: string;
  /** `T:C:choice`. */
  readonly definition: string;
}

const FORMS = formsByNumber(EXPRESSIONS, LF2.Expr);
const LOCATION = (LF2.Expr.location[0] << 3) | WireType.LengthDelimited;
const INTERNED = LF2.Expr.interned[0];

interface ReadExpression {
  /** The number of the last one, which counts. */
  readonly member: number;
  readonly value: number | Uint8Array;
  readonly location: Uint8Array | undefined;
}

export class ExpressionDecoder {
  private readonly reader = new WireReader();
  private depth = 0;
  private readonly interned = new Map<number, ScalaPart>();

  constructor(
    readonly lf: LfPackage,
    /** Undefined where only faults are looked for: no object is kept, nor has it a text. */
    private readonly shown?: ShownCode,
    /** Interned expressions may only refer to those before this one. */
    private internedBelow = Infinity,
  ) {}

  get tables(): LfTables {
    return this.lf.tables;
  }

  expression(bytes: Uint8Array = EMPTY): ScalaPart {
    if (++this.depth > MAX_EXPRESSION_DEPTH)
      throw parseError(`An expression nests deeper than ${MAX_EXPRESSION_DEPTH} levels`);
    const { member, value, location } = this.read(bytes);
    const form = FORMS[member];
    if (form === undefined) throw parseError('Expr.SUM_NOT_SET');
    const object = form(this, value as never);
    this.depth -= 1;
    return this.located(location, object);
  }

  /** There are more expressions than anything else: they are read without an object of all their members. */
  private read(bytes: Uint8Array): ReadExpression {
    const { reader } = this;
    let [member, location]: [number, Uint8Array | undefined] = [0, undefined];
    let value: number | Uint8Array = 0;
    reader.open(bytes);
    while (reader.at < bytes.length) {
      const tag = reader.varint();
      if (tag === LOCATION) location = reader.bytesValue();
      else {
        member = tag >>> 3;
        const isNumber = (tag & 7) === WireType.Varint;
        value = isNumber ? reader.varint() | 0 : reader.bytesValue();
      }
    }
    return { member, value, location };
  }

  expressions(parts: Parts): ScalaPart[] {
    return parts.map((part) => this.expression(part));
  }

  /** Each entry is decoded once. */
  internedExpression(index: number): ScalaPart {
    if (!this.lf.version.flatArchive)
      throw this.tables.notSupported('Flat Archive (case INTERNED_EXPR)');
    const outer = this.internedBelow;
    PackageCode.checkOrder(index, outer);
    let object = this.interned.get(index);
    if (object === undefined) {
      const bytes = this.lf.expression(index);
      if (this.read(bytes).member === INTERNED) throw illegalInterning('InternedExpr');
      this.internedBelow = index;
      this.depth -= 1;
      object = this.expression(bytes);
      this.depth += 1;
      this.internedBelow = outer;
      this.interned.set(index, this.shown === undefined ? '' : object);
    }
    return object;
  }

  /** A location without lines and columns counts as none. */
  private located(bytes: Uint8Array | undefined, expression: ScalaPart): ScalaPart {
    if (bytes === undefined) return expression;
    const { module, range } = lf2.decode('Location', bytes);
    if (range === undefined) return expression;
    const { startLine, startColumn, endLine, endColumn } = lf2.decode('Location.Range', range);
    const { module: own, definition } = this.shown ?? { module: '', definition: '' };
    const [packageId = '', name = ''] = (module === undefined ? own : this.module(module)).split(
      ':',
    );
    const [start, end] = [`(${startLine},${startColumn})`, `(${endLine},${endColumn})`];
    const location = scalaObject('Location', packageId, name, definition, start, end);
    return scalaObject('ELocation', location, expression);
  }

  private module(bytes: Uint8Array): string {
    const { packageId, moduleName } = lf2.decode('ModuleId', bytes);
    const name = this.tables.dottedName(moduleName);
    return `${this.tables.packageIdOf(packageId)}:${name}`;
  }

  name(index: number): string {
    return this.tables.name(index);
  }

  /** The same, of an index that is looked at first. */
  listedName(index: number): string {
    return this.tables.listedName(index);
  }

  id(bytes: Uint8Array | undefined): string {
    return this.tables.typeId(bytes);
  }

  type(bytes: Uint8Array | undefined): ScalaPart {
    const type = this.tables.type(bytes);
    const { shown } = this;
    return shown === undefined ? '' : () => showType(shown.types.of(type));
  }

  /** A data type that is applied to types. */
  typeConApp(bytes: Uint8Array = EMPTY): ScalaObject {
    const { con, args } = lf2.decode('Type.Con', bytes);
    const types = args.map((arg) => this.type(arg));
    return scalaObject('TypeConApp', this.id(con), immArray(types));
  }

  typeVariables(parts: Parts): ScalaPart[] {
    return this.tables.params(parts).map(([name, kind]) => scalaTuple(name, showKind(kind)));
  }

  /** The variable, and its type. */
  binder(bytes: Uint8Array = EMPTY): readonly [name: string, type: ScalaPart] {
    const { variable, type } = lf2.decode('VarWithType', bytes);
    const object = this.type(type);
    return [this.name(variable), object];
  }

  /** Of a let or a block. */
  bindings(parts: Parts): ScalaPart[] {
    return parts.map((part) => {
      const { binder, bound } = lf2.decode('Binding', part);
      const [name, type] = this.binder(binder);
      return scalaObject('Binding', scalaObject('Some', name), type, this.expression(bound));
    });
  }

  /** Of a record or struct. */
  fields(parts: Parts): ScalaPart {
    const fields = parts.map((part) => {
      const { expr, field } = lf2.decode('FieldWithExpr', part);
      const expression = this.expression(expr);
      return scalaTuple(this.name(field), expression);
    });
    return immArray(fields);
  }

  requireSome(parts: Parts, what: string): void {
    if (parts.length === 0) throw parseError(`Unexpected empty ${what}`);
  }

  /** There is one, since interning; there may be several before. */
  requireOne(parts: Parts, what: string): void {
    this.tables.requireOne(parts.length, what);
  }
}
