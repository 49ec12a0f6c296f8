/** A module of Daml-LF: its definitions from the archive. Each kind of definition is decoded on first use. */
import { dottedNameHash, scalaOrder } from '../errors/scala-order.js';
import { parseError } from './dar-refusals.js';
import { LfDataType, LfInterface, LfTemplate, type LfParams } from './lf-definitions.js';
import { definedTwice, unique } from './lf-names.js';
import { lf2, type Lf2 } from './lf-messages.js';
import type { LfTables } from './lf-tables.js';
import type { LfType } from './lf-type.js';
import type { LanguageVersion } from './lf-version.js';
import { LfValues } from './lf-values.js';

export interface LfSynonym {
  readonly params: LfParams;
  readonly type: LfType;
}

/** The definitions of a module, by their names inside it. */
export class LfModule {
  readonly name: string;
  private readonly message: Lf2<'Module'>;
  private readonly known: Partial<Definitions> = {};
  private orderedNames: readonly string[] | undefined;

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

  /** Reads every definition, and rejects definitions that are invalid or occur twice. */
  readAll(): void {
    const { synonyms, values, exceptions, dataTypes, templates, interfaces } = this;
    for (const dataType of dataTypes.values()) dataType.readAll();
    for (const template of templates.values()) template.readAll();
    for (const definition of interfaces.values()) definition.readAll();
    for (const [, { type }] of values) void type;
    requireUnique([synonyms, dataTypes, values], 'definition');
    requireUnique([templates, interfaces, exceptions], 'template, interface or exception');
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

  /** Names of synonyms, data types and values: one map, in the order in which the checks go through it. */
  get definitionNames(): readonly string[] {
    if (this.orderedNames === undefined) {
      const { synonyms, dataTypes, values } = this;
      const names = [...synonyms.keys(), ...dataTypes.keys(), ...values.keys()];
      this.orderedNames = scalaOrder(names, dottedNameHash);
    }
    return this.orderedNames;
  }

  get exceptions(): Definitions['exceptions'] {
    this.known.exceptions ??= this.read('exceptions', 'exception', (entry) => {
      const exception = lf2.decode('DefException', entry);
      return [this.tables.dottedName(exception.name), exception];
    });
    return this.known.exceptions;
  }

  get dataTypes(): Definitions['dataTypes'] {
    this.known.dataTypes ??= this.read('dataTypes', 'definition', (entry) => {
      const definition = new LfDataType(lf2.decode('DefDataType', entry), this.tables);
      return [definition.name, definition];
    });
    return this.known.dataTypes;
  }

  get templates(): Definitions['templates'] {
    this.known.templates ??= this.read('templates', 'template', (entry) => {
      const definition = new LfTemplate(lf2.decode('DefTemplate', entry), this.tables);
      if (definition.message.key !== undefined && !this.version.contractKeys)
        throw this.tables.notSupported('Contract Keys');
      return [definition.name, definition];
    });
    return this.known.templates;
  }

  get interfaces(): Definitions['interfaces'] {
    this.known.interfaces ??= this.read('interfaces', 'interface', (entry) => {
      const definition = new LfInterface(lf2.decode('DefInterface', entry), this.tables);
      return [definition.name, definition];
    });
    return this.known.interfaces;
  }

  private read<Definition>(
    kind: Exclude<keyof Definitions, 'values'>,
    what: string,
    entry: (bytes: Uint8Array) => readonly [string, Definition],
  ): ReadonlyMap<string, Definition> {
    return unique(this.message[kind].map(entry), what);
  }
}

/** @throws LedgerError where two have one name */
function requireUnique(definitions: readonly { keys(): Iterable<string> }[], what: string): void {
  const names = new Set<string>();
  for (const each of definitions)
    for (const name of each.keys()) {
      if (names.has(name)) throw definedTwice(what, name);
      names.add(name);
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
