/**
 * One package of Daml-LF version 2: its definitions as the archive has them, decoded module by module when first asked
 * for. Expressions stay bytes, inside the messages that the definitions keep.
 */
import type { PackageId, TypeId } from '../types.js';
import { duplicateDefinition, parseError } from './dar-refusals.js';
import type { LfArchive } from './lf-archive.js';
import { checkPackageId, checkPackageName, checkPackageVersion } from './lf-names.js';
import { lf2, LfTables, type Lf2 } from './lf-tables.js';
import type { LfKind, LfType } from './lf-type.js';
import { STABLE_PACKAGE_IDS, type LanguageVersion } from './lf-version.js';

export type LfParams = readonly (readonly [name: string, kind: LfKind])[];
export type LfFields = readonly (readonly [name: string, type: LfType])[];

export type LfDataBody =
  | { readonly kind: 'record' | 'variant'; readonly fields: LfFields }
  | { readonly kind: 'enum'; readonly constructors: readonly string[] }
  | { readonly kind: 'interface' };

export interface LfDataType {
  readonly params: LfParams;
  readonly serializable: boolean;
  readonly body: LfDataBody;
}

export interface LfSynonym {
  readonly params: LfParams;
  readonly type: LfType;
}

export interface LfChoice {
  readonly name: string;
  readonly consuming: boolean;
  readonly argument: LfType;
  readonly returns: LfType;
  /** Keeps the expressions: controllers, observers, authorizers, update. */
  readonly message: Lf2<'TemplateChoice'>;
}

export interface LfImplementation {
  readonly interfaceId: TypeId;
  /** Each method's expression. */
  readonly methods: ReadonlyMap<string, Uint8Array | undefined>;
  readonly view: Uint8Array | undefined;
}

export interface LfTemplate {
  readonly choices: ReadonlyMap<string, LfChoice>;
  readonly implementations: ReadonlyMap<TypeId, LfImplementation>;
  readonly key: LfType | undefined;
  /** Keeps the expressions: precondition, signatories, observers, key. */
  readonly message: Lf2<'DefTemplate'>;
}

export interface LfInterface {
  readonly choices: ReadonlyMap<string, LfChoice>;
  readonly methods: ReadonlyMap<string, LfType>;
  readonly view: LfType;
  readonly requires: readonly TypeId[];
  /** The interned name of what stands for the contract. */
  readonly param: number;
}

/** The definitions of a module, by their names inside it. */
export interface LfModule {
  readonly name: string;
  readonly dataTypes: ReadonlyMap<string, LfDataType>;
  readonly synonyms: ReadonlyMap<string, LfSynonym>;
  readonly templates: ReadonlyMap<string, LfTemplate>;
  readonly interfaces: ReadonlyMap<string, LfInterface>;
  readonly exceptions: ReadonlyMap<string, Lf2<'DefException'>>;
  /** Types of top-level values, and their expressions. */
  readonly values: ReadonlyMap<string, LfValue>;
}

export interface LfValue {
  readonly type: LfType;
  readonly expression: Uint8Array | undefined;
}

export class LfPackage {
  readonly id: PackageId;
  readonly version: LanguageVersion;
  readonly name: string;
  readonly packageVersion: string;
  /** The packages that it says it imports; undefined where it does not say. */
  readonly declaredImports: readonly PackageId[] | undefined;
  private readonly message: Lf2<'Package'>;
  /** What it interns, for whoever reads its expressions. */
  readonly tables: LfTables;
  private moduleMap: ReadonlyMap<string, LfModule> | undefined;
  private references: readonly PackageId[] | undefined;

  constructor(readonly archive: LfArchive) {
    this.id = archive.packageId;
    this.version = archive.version;
    this.message = lf2.decode('Package', archive.packageBytes);
    this.declaredImports = this.readImports();
    this.tables = new LfTables(this.id, this.version, this.message, this.declaredImports);
    if (this.message.metadata === undefined) {
      throw parseError(`Package.metadata is required in Daml-LF ${this.version.name}`);
    }
    const metadata = lf2.decode('PackageMetadata', this.message.metadata);
    this.name = checkPackageName(this.tables.string(metadata.name));
    this.packageVersion = checkPackageVersion(this.tables.string(metadata.version));
  }

  /** The bytes of an interned expression. */
  expression(index: number): Uint8Array {
    const bytes = this.message.expressions[index];
    if (bytes === undefined) throw parseError(`invalid internedExprs table index ${index}`);
    return bytes;
  }

  private readImports(): readonly PackageId[] | undefined {
    const { imports, noImportsReason } = this.message;
    if (imports === undefined && noImportsReason === undefined) return undefined;
    if (!this.version.packageImports) {
      const what = imports === undefined ? 'NO_IMPORTED_PACKAGES_REASON' : 'PACKAGE_IMPORTS';
      throw parseError(
        `Explicit pkg imports set on unsupported lf version (version ${this.version.name}), case set ${what}`,
      );
    }
    if (imports === undefined) return undefined;
    return lf2.decode('PackageImports', imports).packages.map(checkPackageId);
  }

  /**
   * The packages that anything in it refers to, expressions too, sorted. Reading them visits the whole package, and
   * refuses what nests too deep or is not of the language.
   */
  get directDependencies(): readonly PackageId[] {
    if (this.references === undefined) {
      const strings = new Set<number>();
      const imports = new Set<number>();
      const bytes = this.archive.packageBytes;
      lf2.walk(
        'Package',
        bytes,
        this.version.maxNesting,
        'SelfOrImportedPackageId',
        (field, index) => {
          (field === 3 ? strings : imports).add(index);
        },
      );
      const ids = new Set([
        ...[...strings].map((index) => this.tables.importedPackageId(index)),
        ...[...imports].map((index) => this.tables.packageImport(index)),
      ]);
      ids.delete(this.id);
      this.references = [...ids].sort();
    }
    return this.references;
  }

  /** What a DAR must hold for this package, stable packages apart. */
  get imports(): readonly PackageId[] {
    return (
      this.declaredImports ?? this.directDependencies.filter((id) => !STABLE_PACKAGE_IDS.has(id))
    );
  }

  get modules(): ReadonlyMap<string, LfModule> {
    this.moduleMap ??= unique(
      this.message.modules.map((bytes) => {
        const module = this.readModule(bytes);
        return [module.name, module] as const;
      }),
      'module',
    );
    return this.moduleMap;
  }

  private readModule(bytes: Uint8Array): LfModule {
    const message = lf2.decode('Module', bytes);
    const flags = lf2.decode('FeatureFlags', message.flags ?? new Uint8Array());
    if (
      !flags.forbidPartyLiterals ||
      !flags.dontDivulgeContractIds ||
      !flags.dontDiscloseNonConsuming
    ) {
      throw parseError('Deprecated feature flag settings detected, refusing to parse package');
    }
    const { tables } = this;
    const synonyms = message.synonyms.map((entry) => {
      const { name, params, type } = lf2.decode('DefTypeSyn', entry);
      const synonym = { params: tables.params(params), type: tables.type(type) };
      return [tables.dottedName(name), synonym] as const;
    });
    const values = message.values.map((entry) => {
      const { nameWithType, expr } = lf2.decode('DefValue', entry);
      const { name, type } = lf2.decode('DefValue.NameWithType', nameWithType ?? new Uint8Array());
      return [tables.dottedName(name), { type: tables.type(type), expression: expr }] as const;
    });
    const exceptions = message.exceptions.map((entry) => {
      const exception = lf2.decode('DefException', entry);
      return [tables.dottedName(exception.name), exception] as const;
    });
    const dataTypes = message.dataTypes.map((entry) => this.readDataType(entry));
    unique<string, unknown>([...synonyms, ...dataTypes, ...values], 'definition');
    const templates = unique(
      message.templates.map((entry) => this.readTemplate(entry)),
      'template',
    );
    const interfaces = unique(
      message.interfaces.map((entry) => this.readInterface(entry)),
      'interface',
    );
    unique<string, unknown>(
      [...templates, ...interfaces, ...exceptions],
      'template, interface or exception',
    );
    return {
      name: tables.dottedName(message.name),
      dataTypes: new Map(dataTypes),
      synonyms: new Map(synonyms),
      templates,
      interfaces,
      exceptions: new Map(exceptions),
      values: new Map(values),
    };
  }

  private readDataType(bytes: Uint8Array): readonly [string, LfDataType] {
    const { name, params, serializable, ...cons } = lf2.decode('DefDataType', bytes);
    const body = this.readDataBody(cons);
    if (body.kind === 'enum' && params.length > 0) throw parseError('Unexpected non-empty params');
    const definition = { params: this.tables.params(params), serializable, body };
    return [this.tables.dottedName(name), definition];
  }

  private readDataBody(
    cons: Pick<Lf2<'DefDataType'>, 'record' | 'variant' | 'enum' | 'interface'>,
  ): LfDataBody {
    if (cons.record !== undefined) return { kind: 'record', fields: this.readFields(cons.record) };
    if (cons.variant !== undefined)
      return { kind: 'variant', fields: this.readFields(cons.variant) };
    if (cons.enum !== undefined) {
      const { constructors } = lf2.decode('DefDataType.EnumConstructors', cons.enum);
      return { kind: 'enum', constructors: this.tables.names(constructors) };
    }
    if (cons.interface !== undefined) return { kind: 'interface' };
    throw parseError('DefDataType.DATACONS_NOT_SET');
  }

  private readFields(bytes: Uint8Array): LfFields {
    return lf2.decode('DefDataType.Fields', bytes).fields.map((entry) => {
      const { field, type } = lf2.decode('FieldWithType', entry);
      return [this.tables.name(field), this.tables.type(type)] as const;
    });
  }

  private readTemplate(bytes: Uint8Array): readonly [string, LfTemplate] {
    const message = lf2.decode('DefTemplate', bytes);
    if (message.key !== undefined && !this.version.contractKeys) {
      throw this.tables.notSupported('Contract Keys');
    }
    this.tables.name(message.param);
    const key = message.key && lf2.decode('DefTemplate.DefKey', message.key);
    const template = {
      choices: this.readChoices(message.choices),
      implementations: unique(
        message.implements.map((entry) => this.readImplementation(entry)),
        'interface implementation',
      ),
      key: key && this.tables.type(key.type),
      message,
    };
    return [this.tables.dottedName(message.name), template];
  }

  private readImplementation(bytes: Uint8Array): readonly [TypeId, LfImplementation] {
    const { interface: id, body } = lf2.decode('DefTemplate.Implements', bytes);
    const { methods, view } = lf2.decode('InterfaceInstanceBody', body ?? new Uint8Array());
    const named = methods.map((entry) => {
      const method = lf2.decode('InterfaceInstanceBody.InterfaceInstanceMethod', entry);
      return [this.tables.name(method.name), method.value] as const;
    });
    const interfaceId = this.tables.typeId(id);
    return [interfaceId, { interfaceId, methods: unique(named, 'method implementation'), view }];
  }

  private readInterface(bytes: Uint8Array): readonly [string, LfInterface] {
    const message = lf2.decode('DefInterface', bytes);
    const methods = message.methods.map((entry) => {
      const { name, type } = lf2.decode('InterfaceMethod', entry);
      return [this.tables.name(name), this.tables.type(type)] as const;
    });
    this.tables.name(message.param);
    const requires = message.requires.map((entry) => this.tables.typeId(entry));
    unique(
      requires.map((id) => [id, id] as const),
      'required interface',
    );
    const definition = {
      choices: this.readChoices(message.choices),
      methods: unique(methods, 'interface method'),
      view: this.tables.type(message.view),
      requires,
      param: message.param,
    };
    return [this.tables.dottedName(message.name), definition];
  }

  private readChoices(messages: readonly Uint8Array[]): ReadonlyMap<string, LfChoice> {
    const choices = messages.map((bytes) => {
      const message = lf2.decode('TemplateChoice', bytes);
      const { type } = lf2.decode('VarWithType', message.argument ?? new Uint8Array());
      const name = this.tables.name(message.name);
      const argument = this.tables.type(type);
      const returns = this.tables.type(message.returnType);
      return [name, { name, consuming: message.consuming, argument, returns, message }] as const;
    });
    return unique(choices, 'choice');
  }
}

function unique<Key, Value>(
  entries: Iterable<readonly [Key, Value]>,
  what: string,
): ReadonlyMap<Key, Value> {
  const map = new Map<Key, Value>();
  for (const [key, value] of entries) {
    if (map.has(key)) throw duplicateDefinition(`The ${what} '${String(key)}' is defined twice.`);
    map.set(key, value);
  }
  return map;
}
