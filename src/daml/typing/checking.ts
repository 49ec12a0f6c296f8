/**
 * The state of a type check, and the rules for types: kinds, synonyms, equality, instances of data types. Cached
 * results for a type are valid only in the scope of type variables in which they were computed.
 */
import { LedgerError } from '../errors/ledger-error.js';
import type { PackageId } from '../model/types.js';
import { parseError, validationError } from '../archive/dar-refusals.js';
import {
  BUILTIN_TYPES,
  kindArrow,
  MAX_TYPE_DEPTH,
  NAT,
  prettyKind,
  sameKind,
  STAR,
  type LfKind,
} from '../archive/lf-type.js';
import type { LfParams } from '../archive/lf-definitions.js';
import type { LfModule } from '../archive/lf-module.js';
import type { LfPackage } from '../archive/lf-package.js';
import type { Message } from '../archive/wire/message.js';
import type { BuiltinRow } from '../archive/builtin-table.js';
import { LfCode } from '../archive/code/expression.js';
import { moduleOf, qualifiedModule, RangeField, rangeOf } from '../archive/code/places.js';
import { builtinFunctionType } from './builtin-types.js';
import { Entities, type DataType, type Entity } from './entities.js';
import { emptyScope, kindInScope, type TypeScope } from './type-scope.js';
import { prettyType } from './type-text.js';
import { alphaEquivalent, substitute, type Substitution } from './type-rules.js';
import { Types, type Type } from './type.js';

/** The place that is being checked, in the form of error texts. */
export interface Place {
  /** `data type p:M:T`; empty for the package as a whole. */
  readonly where: string;
  /** `p:M`, and the name of the place in source locations: `T:C:choice`. */
  readonly module: string;
  readonly definition: string;
}

const NOWHERE: Place = { where: '', module: '', definition: '' };

/** An expression does not have the expected type. */
export class TypeMismatch extends Error {
  constructor(
    readonly found: Type,
    readonly expected: Type,
    /** The error if no caller replaces it. */
    readonly refusal: Error,
  ) {
    super('type mismatch');
  }
}

export class Checking {
  readonly types = new Types();
  readonly entities: Entities;
  /** The package that is being checked, and its expressions. */
  lf!: LfPackage;
  code!: LfCode;
  /** The package's table of types. */
  private typeTable: (Type | undefined)[] = [];
  scope: TypeScope = emptyScope();
  /**
   * The scope of results for closed types. They are valid in one module, because each module records the modules
   * that its types refer to.
   */
  private closedScope: TypeScope = emptyScope();
  place: Place = NOWHERE;
  /** The innermost source location, if there is one. */
  location: Message | undefined;
  private synonyms = 0;
  private readonly soundSynonyms = new Map<Entity, boolean>();
  private readonly builtins = new Map<BuiltinRow, Type>();

  constructor(readonly lfPackages: ReadonlyMap<PackageId, LfPackage>) {
    this.entities = new Entities(lfPackages, this.types, (kind, text) => this.fail(kind, text));
  }

  enterPackage(lf: LfPackage): void {
    this.lf = lf;
    this.code = new LfCode(lf);
    this.typeTable = [];
    this.entities.enterPackage(lf.id);
  }

  enterModule(module: LfModule): void {
    this.entities.enterModule(module);
    this.closedScope = emptyScope();
  }

  /** Starts another definition, with only these type variables in scope. */
  enter(place: Place, params: LfParams = []): void {
    this.place = place;
    this.location = undefined;
    this.scope = scopeOf(params);
  }

  /** The current place, in the form of error texts. */
  get where(): string {
    return this.location === undefined ? this.place.where : this.located(this.location);
  }

  private located(location: Message): string {
    const [module, at] = [moduleOf(location), rangeOf(location)];
    const place = module.isEmpty ? this.place.module : qualifiedModule(this.lf.tables, module);
    const start = `(${at.numberAt(RangeField.StartLine)},${at.numberAt(RangeField.StartColumn)})`;
    const end = `(${at.numberAt(RangeField.EndLine)},${at.numberAt(RangeField.EndColumn)})`;
    const range = `(start: ${start}, end: ${end})`;
    return `definition ${place}:${this.place.definition} ${range}`;
  }

  fail(kind: string, text: string): never {
    throw validationError(kind, this.where, text);
  }

  mismatch(found: Type, expected: Type): never {
    const text = `type mismatch:\n * expected type: ${prettyType(expected)}\n * found type: ${prettyType(found)}`;
    throw new TypeMismatch(found, expected, validationError('ETypeMismatch', this.where, text));
  }

  builtinFunction(row: BuiltinRow): Type {
    let type = this.builtins.get(row);
    if (type === undefined) {
      type = builtinFunctionType(this.types, row);
      this.builtins.set(row, type);
    }
    return type;
  }

  /** The type at an index of the package's table. */
  type(index: number): Type {
    let type = this.typeTable[index];
    if (type === undefined) {
      type = this.types.of(this.lf.tables.internedType(index));
      this.typeTable[index] = type;
    }
    return type;
  }

  /** Checks a kind. `nat` is valid only for arguments. */
  checkKind(kind: LfKind): void {
    if (kind.tag !== 'arrow') return;
    if (kind.to.tag === 'nat')
      this.fail('ENatKindRightOfArrow', `invalid kind ${prettyKind(kind)}`);
    this.checkKind(kind.from);
    this.checkKind(kind.to);
  }

  kindOf(type: Type): LfKind {
    const scope = type.closed ? this.closedScope : this.scope;
    if (type.scope === scope) return type.kind!;
    const kind = this.findKind(type);
    type.kind = kind;
    type.scope = scope;
    return kind;
  }

  private findKind(type: Type): LfKind {
    switch (type.tag) {
      case 'variable':
        return (
          kindInScope(this.scope, type.name) ??
          this.fail('EUnknownTypeVar', `unknown type variable: ${type.name}`)
        );
      case 'nat':
        return NAT;
      case 'builtin':
        return BUILTIN_KINDS.get(type.name)!;
      case 'con':
        return this.dataType(this.entities.of(type)).kind;
      case 'syn':
        if (this.isSound(this.entities.of(type))) this.synonymBindings(type);
        else this.deeper(() => this.checkType(this.expandOnce(type)));
        // Refuses types that are too large, before other code expands them.
        this.expand(type);
        return STAR;
      case 'app': {
        const fun = this.kindOf(type.function);
        if (fun.tag !== 'arrow') {
          return this.fail('EExpectedHigherKind', 'expected higher kinded type, but found: *');
        }
        this.checkType(type.argument, fun.from);
        return fun.to;
      }
      case 'forall':
        this.checkKind(type.bound!);
        this.within(type.name, type.bound!, () => this.checkType(type.body));
        return STAR;
      case 'struct':
        for (const field of type.inner) this.checkType(field);
        return STAR;
    }
  }

  /** Runs something in the scope of one more type variable. */
  within<T>(name: string, kind: LfKind, run: () => T): T {
    const outer = this.scope;
    this.scope = { outer, name, kind };
    const result = run();
    this.scope = outer;
    return result;
  }

  checkType(type: Type, expected: LfKind = STAR): void {
    const found = this.kindOf(type);
    if (found === expected || sameKind(found, expected)) return;
    const text = `kind mismatch:\n * expected kind: ${prettyKind(expected)}\n * found Kind: ${prettyKind(found)}`;
    this.fail('EKindMismatch', text);
  }

  /** Limits the depth, because a chain of synonyms nests although no single type is deep. */
  private deeper<T>(run: () => T): T {
    this.synonyms += 1;
    if (this.synonyms > MAX_TYPE_DEPTH)
      throw parseError(`A type nests deeper than ${MAX_TYPE_DEPTH} levels`);
    const result = run();
    this.synonyms -= 1;
    return result;
  }

  /** Whether the type of a synonym has kind `*` for all arguments of the right kinds. */
  private isSound(entity: Entity): boolean {
    let isSound = this.soundSynonyms.get(entity);
    if (isSound === undefined) {
      const { scope, synonyms } = this;
      const { params, type } = this.entities.synonym(entity);
      try {
        this.soundSynonyms.set(entity, false);
        this.scope = scopeOf(params);
        isSound = this.deeper(() => this.kindOf(this.types.of(type))).tag === 'star';
      } catch (error) {
        // The error appears where the synonym is used, as in the real checker.
        if (!(error instanceof LedgerError) || error.code !== 'DAR_VALIDATION_ERROR') throw error;
        isSound = false;
      }
      this.scope = scope;
      this.synonyms = synonyms;
      this.soundSynonyms.set(entity, isSound);
    }
    return isSound;
  }

  /** The arguments of a synonym, checked, by the names of its parameters. */
  private synonymBindings(type: Type): Substitution {
    const { params } = this.entities.synonym(this.entities.of(type));
    const args = type.inner;
    if (params.length !== args.length) {
      const head = type.name.slice(type.name.indexOf(':') + 1);
      const text = [head, args.map((arg) => prettyType(arg)).join(' ')].join(' ');
      this.fail('ETypeSynAppWrongArity', `wrong arity in type synonym application: ${text}`);
    }
    const bindings = new Map<string, Type>();
    params.forEach(([name, kind], index) => {
      this.checkType(args[index]!, kind);
      bindings.set(name, args[index]!);
    });
    return bindings;
  }

  /** The type of a synonym, with its arguments substituted. */
  private expandOnce(type: Type): Type {
    const bindings = this.synonymBindings(type);
    return this.substitute(
      bindings,
      this.types.of(this.entities.synonym(this.entities.of(type)).type),
    );
  }

  /** The type without synonyms. */
  expand(type: Type): Type {
    type.expansion ??= this.findExpansion(type);
    return type.expansion;
  }

  private findExpansion(type: Type): Type {
    switch (type.tag) {
      case 'syn':
        return this.deeper(() => this.expand(this.expandOnce(type)));
      case 'app':
        return this.types.app(this.expand(type.function), this.expand(type.argument));
      case 'forall': {
        const body = this.within(type.name, type.bound!, () => this.expand(type.body));
        return this.types.forall(type.name, type.bound!, body);
      }
      case 'struct':
        return this.types.struct(
          type.names,
          type.inner.map((field) => this.expand(field)),
        );
      default:
        return type;
    }
  }

  equivalent(left: Type, right: Type): boolean {
    return (
      left === right ||
      alphaEquivalent(left, right) ||
      alphaEquivalent(this.expand(left), this.expand(right))
    );
  }

  substitute(bindings: Substitution, type: Type): Type {
    return substitute(this.types, bindings, type);
  }

  dataType(entity: Entity): DataType {
    return this.entities.dataType(entity);
  }

  /** The type of a field or constructor of a data type that is applied to `args`. */
  partType(entity: Entity, applied: Type, args: readonly Type[], index: number): Type {
    const parts = (applied.parts ??= []);
    let type = parts[index];
    if (type === undefined) {
      const { params, body } = this.dataType(entity).lf;
      const fields = body.kind === 'record' || body.kind === 'variant' ? body.fields : [];
      const bindings = new Map(params.map(([name], n) => [name, args[n]!]));
      type = substitute(this.types, bindings, this.types.of(fields[index]![1]));
      parts[index] = type;
    }
    return type;
  }
}

function scopeOf(params: LfParams): TypeScope {
  return params.reduce((outer, [name, kind]) => ({ outer, name, kind }), emptyScope());
}

const BUILTIN_KINDS: ReadonlyMap<string, LfKind> = new Map(
  BUILTIN_TYPES.map(({ name, params }) => {
    const kinds = [...params].map((param): LfKind => (param === 'n' ? NAT : STAR));
    return [name, kinds.reduceRight((to, from) => kindArrow(from, to), STAR)] as const;
  }),
);
