/**
 * A module of Daml-LF: its definitions as the archive has them, each kind decoded when first asked for. Expressions stay
 * bytes, inside the messages that the definitions keep.
 */
import type { TypeId } from '../types.js';
import { parseError } from './dar-refusals.js';
import { unique } from './lf-names.js';
import { lf2, type LfTables, type Lf2 } from './lf-tables.js';
import type { LfKind, LfType } from './lf-type.js';
import type { LanguageVersion } from './lf-version.js';
import { LfValues } from './lf-values.js';
import type { Parts } from './wire-reader.js';

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
export class LfModule {
  readonly name: string;
  private readonly message: Lf2<'Module'>;
  private readonly known: Partial<Definitions> = {};

  constructor(
    bytes: Uint8Array,
    private readonly tables: LfTables,
    private readonly version: LanguageVersion,
  ) {
    this.message = lf2.decode('Module', bytes);
    const flags = lf2.decode('FeatureFlags', this.message.flags ?? new Uint8Array());
    if (
      !flags.forbidPartyLiterals ||
      !flags.dontDivulgeContractIds ||
      !flags.dontDiscloseNonConsuming
    ) {
      throw parseError('Deprecated feature flag settings detected, refusing to parse package');
    }
    this.name = tables.dottedName(this.message.name);
  }

  /** Reads every definition, and refuses what cannot be read or is defined twice. */
  readAll(): void {
    const { synonyms, values, exceptions, dataTypes, templates, interfaces } = this;
    for (const [, { type }] of values) void type;
    unique<string, unknown>([...synonyms, ...dataTypes, ...values], 'definition');
    unique<string, unknown>(
      [...templates, ...interfaces, ...exceptions],
      'template, interface or exception',
    );
  }

  get synonyms(): Definitions['synonyms'] {
    this.known.synonyms ??= this.read('synonyms', 'definition', (entry) => {
      const { name, params, type } = lf2.decode('DefTypeSyn', entry);
      const synonym = { params: this.tables.params(params), type: this.tables.type(type) };
      return [this.tables.dottedName(name), synonym];
    });
    return this.known.synonyms;
  }

  get values(): Definitions['values'] {
    this.known.values ??= new LfValues(this.message.values, this.tables);
    return this.known.values;
  }

  get exceptions(): Definitions['exceptions'] {
    this.known.exceptions ??= this.read('exceptions', 'exception', (entry) => {
      const exception = lf2.decode('DefException', entry);
      return [this.tables.dottedName(exception.name), exception];
    });
    return this.known.exceptions;
  }

  get dataTypes(): Definitions['dataTypes'] {
    this.known.dataTypes ??= this.read('dataTypes', 'definition', (entry) =>
      this.readDataType(entry),
    );
    return this.known.dataTypes;
  }

  get templates(): Definitions['templates'] {
    this.known.templates ??= this.read('templates', 'template', (entry) =>
      this.readTemplate(entry),
    );
    return this.known.templates;
  }

  get interfaces(): Definitions['interfaces'] {
    this.known.interfaces ??= this.read('interfaces', 'interface', (entry) =>
      this.readInterface(entry),
    );
    return this.known.interfaces;
  }

  private read<Definition>(
    kind: Exclude<keyof Definitions, 'values'>,
    what: string,
    entry: (bytes: Uint8Array) => readonly [string, Definition],
  ): ReadonlyMap<string, Definition> {
    return unique(this.message[kind].map(entry), what);
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
      return { kind: 'enum', constructors: this.tables.namesOf(constructors) };
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

  private readChoices(messages: Parts): ReadonlyMap<string, LfChoice> {
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

interface Definitions {
  synonyms: ReadonlyMap<string, LfSynonym>;
  /** Types of top-level values, and their expressions. */
  values: LfValues;
  exceptions: ReadonlyMap<string, Lf2<'DefException'>>;
  dataTypes: ReadonlyMap<string, LfDataType>;
  templates: ReadonlyMap<string, LfTemplate>;
  interfaces: ReadonlyMap<string, LfInterface>;
}
