/**
 * Data types, templates and interfaces of a module. The module decodes their names; everything else is decoded once, on first use.
 * Expressions stay encoded in the definitions' messages.
 */
import type { TypeId } from '../model/types.js';
import { parseError } from './dar-refusals.js';
import { unique } from './lf-names.js';
import { lf2, type Lf2 } from './lf-messages.js';
import type { LfTables } from './lf-tables.js';
import type { LfKind, LfType } from './lf-type.js';
import type { Parts } from './wire/wire-reader.js';

export type LfParams = readonly (readonly [name: string, kind: LfKind])[];
export type LfFields = readonly (readonly [name: string, type: LfType])[];

export type LfDataBody =
  | { readonly kind: 'record' | 'variant'; readonly fields: LfFields }
  | { readonly kind: 'enum'; readonly constructors: readonly string[] }
  | { readonly kind: 'interface' };

export class LfDataType {
  readonly name: string;
  readonly serializable: boolean;
  private knownParams: LfParams | undefined;
  private knownBody: LfDataBody | undefined;

  constructor(
    private readonly message: Lf2<'DefDataType'>,
    private readonly tables: LfTables,
  ) {
    this.name = tables.dottedName(message.name);
    this.serializable = message.serializable;
  }

  get params(): LfParams {
    this.knownParams ??= this.tables.params(this.message.params);
    return this.knownParams;
  }

  get body(): LfDataBody {
    this.knownBody ??= this.readBody();
    return this.knownBody;
  }

  readAll(): void {
    void [this.params, this.body];
  }

  private readBody(): LfDataBody {
    const { record, variant, enum: enumeration, params } = this.message;
    if (record !== undefined) return { kind: 'record', fields: this.readFields(record) };
    if (variant !== undefined) return { kind: 'variant', fields: this.readFields(variant) };
    if (enumeration !== undefined) {
      if (params.length > 0) throw parseError('Unexpected non-empty params');
      const { constructors } = lf2.decode('DefDataType.EnumConstructors', enumeration);
      return { kind: 'enum', constructors: this.tables.namesOf(constructors) };
    }
    if (this.message.interface !== undefined) return { kind: 'interface' };
    throw parseError('DefDataType.DATACONS_NOT_SET');
  }

  private readFields(bytes: Uint8Array): LfFields {
    return lf2.decode('DefDataType.Fields', bytes).fields.map((entry) => {
      const { field, type } = lf2.decode('FieldWithType', entry);
      const fieldType = this.tables.type(type);
      return [this.tables.name(field), fieldType] as const;
    });
  }
}

export class LfChoice {
  readonly name: string;
  readonly consuming: boolean;
  private knownArgument: LfType | undefined;
  private knownReturns: LfType | undefined;

  constructor(
    /** Contains the expressions: controllers, observers, authorizers, update. */
    readonly message: Lf2<'TemplateChoice'>,
    private readonly tables: LfTables,
  ) {
    this.name = tables.name(message.name);
    this.consuming = message.consuming;
  }

  get argument(): LfType {
    const { argument = new Uint8Array() } = this.message;
    this.knownArgument ??= this.tables.type(lf2.decode('VarWithType', argument).type);
    return this.knownArgument;
  }

  get returns(): LfType {
    this.knownReturns ??= this.tables.type(this.message.returnType);
    return this.knownReturns;
  }

  readAll(): void {
    void [this.argument, this.returns];
  }
}

export interface LfImplementation {
  readonly interfaceId: TypeId;
  /** The expression of each method. */
  readonly methods: ReadonlyMap<string, Uint8Array | undefined>;
  readonly view: Uint8Array | undefined;
}

export class LfTemplate {
  readonly name: string;
  private knownChoices: ReadonlyMap<string, LfChoice> | undefined;
  private knownImplementations: ReadonlyMap<TypeId, LfImplementation> | undefined;
  private knownKey: LfType | undefined;

  constructor(
    /** Contains the expressions: precondition, signatories, observers, key. */
    readonly message: Lf2<'DefTemplate'>,
    private readonly tables: LfTables,
  ) {
    this.name = tables.dottedName(message.name);
    tables.name(message.param);
  }

  get choices(): ReadonlyMap<string, LfChoice> {
    this.knownChoices ??= readChoices(this.message.choices, this.tables);
    return this.knownChoices;
  }

  get implementations(): ReadonlyMap<TypeId, LfImplementation> {
    this.knownImplementations ??= unique(
      this.message.implements.map((entry) => this.readImplementation(entry)),
      'interface implementation',
    );
    return this.knownImplementations;
  }

  get key(): LfType | undefined {
    const { key } = this.message;
    if (key === undefined) return undefined;
    this.knownKey ??= this.tables.type(lf2.decode('DefTemplate.DefKey', key).type);
    return this.knownKey;
  }

  readAll(): void {
    for (const choice of this.choices.values()) choice.readAll();
    void [this.implementations, this.key];
  }

  private readImplementation(bytes: Uint8Array): readonly [TypeId, LfImplementation] {
    const { interface: id, body } = lf2.decode('DefTemplate.Implements', bytes);
    const { methods, view } = lf2.decode('InterfaceInstanceBody', body ?? new Uint8Array());
    const named = methods.map((entry) => {
      const method = lf2.decode('InterfaceInstanceBody.InterfaceInstanceMethod', entry);
      return [this.tables.listedName(method.name), method.value] as const;
    });
    const interfaceId = this.tables.typeId(id);
    return [interfaceId, { interfaceId, methods: unique(named, 'method implementation'), view }];
  }
}

export class LfInterface {
  readonly name: string;
  /** The interned name of the variable for the contract. */
  readonly param: number;
  private knownChoices: ReadonlyMap<string, LfChoice> | undefined;
  private knownMethods: ReadonlyMap<string, LfType> | undefined;
  private knownView: LfType | undefined;
  private knownRequires: readonly TypeId[] | undefined;

  constructor(
    private readonly message: Lf2<'DefInterface'>,
    private readonly tables: LfTables,
  ) {
    this.name = tables.dottedName(message.name);
    this.param = message.param;
    tables.listedName(message.param);
  }

  get choices(): ReadonlyMap<string, LfChoice> {
    this.knownChoices ??= readChoices(this.message.choices, this.tables);
    return this.knownChoices;
  }

  get methods(): ReadonlyMap<string, LfType> {
    this.knownMethods ??= unique(
      this.message.methods.map((entry) => {
        const { name, type } = lf2.decode('InterfaceMethod', entry);
        const returns = this.tables.type(type);
        return [this.tables.listedName(name), returns] as const;
      }),
      'interface method',
    );
    return this.knownMethods;
  }

  get view(): LfType {
    this.knownView ??= this.tables.type(this.message.view);
    return this.knownView;
  }

  get requires(): readonly TypeId[] {
    if (this.knownRequires === undefined) {
      const ids = this.message.requires.map((entry) => this.tables.typeId(entry));
      const byId = ids.map((id) => [id, id] as const);
      this.knownRequires = [...unique(byId, 'required interface').keys()];
    }
    return this.knownRequires;
  }

  readAll(): void {
    for (const choice of this.choices.values()) choice.readAll();
    void [this.methods, this.view, this.requires];
  }
}

function readChoices(messages: Parts, tables: LfTables): ReadonlyMap<string, LfChoice> {
  const choices = messages.map((bytes) => {
    const choice = new LfChoice(lf2.decode('TemplateChoice', bytes), tables);
    return [choice.name, choice] as const;
  });
  return unique(choices, 'choice');
}
