/**
 * Look-ups across the packages of one DAR, and the expansion of type synonyms, which needs them. The packages were
 * type-checked, so references are valid. An invalid reference gives the same error as the check.
 */
import { splitTypeId, type PackageId, type TypeId } from '../model/types.js';
import { parseError, validationError } from './dar-refusals.js';
import type { LfDataType, LfInterface } from './lf-definitions.js';
import type { LfModule, LfSynonym } from './lf-module.js';
import type { LfPackage } from './lf-package.js';
import {
  MAX_TYPE_DEPTH,
  substituteType,
  typeApp,
  typeForall,
  typeStruct,
  type LfType,
} from './lf-type.js';

export class LfWorld {
  private readonly expanded = new Map<LfType, LfType>();
  private readonly expanding = new Set<TypeId>();
  private depth = 0;

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
      const text = `wrong arity in type synonym application: ${id}`;
      throw validationError('ETypeSynAppWrongArity', where, text);
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
}
