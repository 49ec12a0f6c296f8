/**
 * Look-ups across the packages of one DAR, and what needs them: expanding type synonyms, kinds. A reference that leads
 * nowhere is refused with the place that it was found in.
 */
import { splitTypeId, type PackageId, type TypeId } from '../types.js';
import { parseError, validationError } from './dar-refusals.js';
import type {
  LfDataType,
  LfInterface,
  LfModule,
  LfPackage,
  LfParams,
  LfSynonym,
} from './lf-package.js';
import {
  BUILTIN_TYPES,
  kindArrow,
  MAX_TYPE_DEPTH,
  NAT,
  prettyKind,
  prettyType,
  sameKind,
  STAR,
  substituteType,
  typeApp,
  typeForall,
  typeStruct,
  type LfKind,
  type LfType,
} from './lf-type.js';

export class LfWorld {
  private readonly expanded = new Map<LfType, LfType>();
  private readonly expanding = new Set<TypeId>();
  private depth = 0;
  private readonly kindsOfClosed = new Map<LfType, LfKind>();

  constructor(private readonly packages: ReadonlyMap<PackageId, LfPackage>) {}

  private notFound(where: string, missing: string, wanted: string): Error {
    const context = missing === wanted ? '' : ` while looking for ${wanted}`;
    return validationError('EUnknownDefinition', where, `unknown ${missing}${context}`);
  }

  package(id: PackageId): LfPackage | undefined {
    return this.packages.get(id);
  }

  private module(id: TypeId, where: string, wanted: string): { module: LfModule; entity: string } {
    const { packageId, module: name, entity } = splitTypeId(id);
    const found = this.packages.get(packageId);
    if (found === undefined) throw this.notFound(where, `package ${packageId}`, wanted);
    const module = found.modules.get(name);
    if (module === undefined) throw this.notFound(where, `module ${packageId}:${name}`, wanted);
    return { module, entity };
  }

  private isDefined(module: LfModule, entity: string): boolean {
    return module.dataTypes.has(entity) || module.synonyms.has(entity) || module.values.has(entity);
  }

  dataType(id: TypeId, where: string): LfDataType {
    const wanted = `data type ${id}`;
    const { module, entity } = this.module(id, where, wanted);
    const found = module.dataTypes.get(entity);
    if (found !== undefined) return found;
    throw this.notFound(
      where,
      this.isDefined(module, entity) ? wanted : `definition ${id}`,
      wanted,
    );
  }

  private synonym(id: TypeId, where: string): LfSynonym {
    const wanted = `type synonym ${id}`;
    const { module, entity } = this.module(id, where, wanted);
    const found = module.synonyms.get(entity);
    if (found !== undefined) return found;
    throw this.notFound(
      where,
      this.isDefined(module, entity) ? wanted : `definition ${id}`,
      wanted,
    );
  }

  interface(id: TypeId, where: string): LfInterface {
    const wanted = `interface ${id}`;
    const { module, entity } = this.module(id, where, wanted);
    const found = module.interfaces.get(entity);
    if (found === undefined) throw this.notFound(where, wanted, wanted);
    return found;
  }

  /** The same type without synonyms. */
  expand(type: LfType, where = ''): LfType {
    const known = this.expanded.get(type);
    if (known !== undefined) return known;
    // A chain of synonyms nests without any type that does.
    if (this.depth >= MAX_TYPE_DEPTH) {
      throw parseError(`A type nests deeper than ${MAX_TYPE_DEPTH} levels`);
    }
    this.depth += 1;
    try {
      const result = this.expandOnce(type, where);
      this.expanded.set(type, result);
      return result;
    } finally {
      this.depth -= 1;
    }
  }

  private expandOnce(type: LfType, where: string): LfType {
    switch (type.tag) {
      case 'app': {
        const fun = this.expand(type.function, where);
        const argument = this.expand(type.argument, where);
        const same = fun === type.function && argument === type.argument;
        return same ? type : typeApp(fun, argument);
      }
      case 'forall': {
        const body = this.expand(type.body, where);
        return body === type.body ? type : typeForall(type.variable, type.kind, body);
      }
      case 'struct': {
        const fields = type.fields.map(
          ([name, field]) => [name, this.expand(field, where)] as const,
        );
        return fields.every(([, field], index) => field === type.fields[index]![1])
          ? type
          : typeStruct(fields);
      }
      case 'syn':
        return this.expandSynonym(type.id, type.args, where);
      default:
        return type;
    }
  }

  private expandSynonym(id: TypeId, args: readonly LfType[], where: string): LfType {
    const synonym = this.synonym(id, where);
    if (synonym.params.length !== args.length) {
      const text = [id.slice(id.indexOf(':') + 1), ...args.map((arg) => prettyType(arg))].join(' ');
      throw validationError(
        'ETypeSynAppWrongArity',
        where,
        `wrong arity in type synonym application: ${text}`,
      );
    }
    if (this.expanding.has(id)) {
      const names = [...this.expanding, id].join(' -> ');
      throw validationError('ETypeSynCycle', '', `cycle in type synonym definitions ${names}`);
    }
    this.expanding.add(id);
    try {
      const body = this.expand(synonym.type, where);
      const values = args.map((arg) => this.expand(arg, where));
      const bindings = new Map(synonym.params.map(([name], index) => [name, values[index]!]));
      return substituteType(body, bindings);
    } finally {
      this.expanding.delete(id);
    }
  }

  /** The kind of a type whose free variables are `variables`. */
  kind(type: LfType, variables: ReadonlyMap<string, LfKind>, where: string): LfKind {
    const known = type.closed ? this.kindsOfClosed.get(type) : undefined;
    if (known !== undefined) return known;
    const kind = this.kindOf(type, variables, where);
    if (type.closed) this.kindsOfClosed.set(type, kind);
    return kind;
  }

  private kindOf(type: LfType, variables: ReadonlyMap<string, LfKind>, where: string): LfKind {
    switch (type.tag) {
      case 'variable': {
        const kind = variables.get(type.name);
        if (kind !== undefined) return kind;
        throw validationError('EUnknownTypeVar', where, `unknown type variable: ${type.name}`);
      }
      case 'nat':
        return NAT;
      case 'builtin':
        return BUILTIN_KINDS.get(type.name)!;
      case 'con':
        return paramsKind(this.dataType(type.id, where).params);
      case 'syn':
        this.check(this.expand(type, where), STAR, variables, where);
        return STAR;
      case 'app': {
        const fun = this.kind(type.function, variables, where);
        if (fun.tag !== 'arrow') {
          const text = `expected higher kinded type, but found: ${prettyKind(fun)}`;
          throw validationError('EExpectedHigherKind', where, text);
        }
        this.check(type.argument, fun.from, variables, where);
        return fun.to;
      }
      case 'forall': {
        const inner = new Map(variables).set(type.variable, type.kind);
        this.check(type.body, STAR, inner, where);
        return STAR;
      }
      case 'struct':
        for (const [, field] of type.fields) this.check(field, STAR, variables, where);
        return STAR;
    }
  }

  check(
    type: LfType,
    expected: LfKind,
    variables: ReadonlyMap<string, LfKind>,
    where: string,
  ): void {
    const found = this.kind(type, variables, where);
    if (sameKind(found, expected)) return;
    const text = `kind mismatch:\n * expected kind: ${prettyKind(expected)}\n * found Kind: ${prettyKind(found)}`;
    throw validationError('EKindMismatch', where, text);
  }
}

const BUILTIN_KINDS: ReadonlyMap<string, LfKind> = new Map(
  BUILTIN_TYPES.map(({ name, params }) => {
    const kinds = [...params].map((param): LfKind => (param === 'n' ? NAT : STAR));
    return [name, kinds.reduceRight((to, from) => kindArrow(from, to), STAR)] as const;
  }),
);

function paramsKind(params: LfParams): LfKind {
  return params.reduceRight<LfKind>((to, [, from]) => kindArrow(from, to), STAR);
}
