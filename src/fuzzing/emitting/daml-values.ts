/** Daml values, commands and types as Daml source. */
import type { Numeric } from '../../daml/model/numeric.js';
import { boundBody, interfaceDefinition, type PackageLookup } from '../../daml/model/package.js';
import { formatDate } from '../../daml/model/time.js';
import { splitTypeId, type DamlType, type TypeId } from '../../daml/model/types.js';
import {
  Some,
  type ContractId,
  type DamlRecord,
  type DamlValue,
  type DamlVariant,
  type Party,
} from '../../daml/model/values.js';

/** The names of parties and contracts. */
export interface Variables {
  party(party: Party): string;
  contract(id: ContractId): string | undefined;
}

/** A use of the standard library that needs an import. */
const IMPORTS = {
  date: 'import DA.Date (Month (..), date)',
  time: 'import DA.Time (addRelTime, microseconds, time)',
  textMap: 'import qualified DA.TextMap as TextMap',
  map: 'import qualified DA.Map as Map',
  set: 'import qualified DA.Set as Set',
  nonEmpty: 'import DA.NonEmpty.Types (NonEmpty (..))',
  relTime: 'import DA.Time (microseconds)',
} as const;

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const MICROS_PER_DAY = 86_400_000_000n;
type Con = Extract<DamlType, { kind: 'con' }>;
const NO_CONTRACT = '(error "a contract that does not exist")';

/** Writes expressions, and collects their imports. */
export class DamlSource {
  private readonly modules = new Set<string>();
  private readonly used = new Set<keyof typeof IMPORTS>();

  constructor(
    private readonly packages: PackageLookup,
    private readonly names: Variables,
  ) {}

  /** Lines, sorted. */
  get imports(): readonly string[] {
    const own = [...this.modules].map((module) => `import qualified ${module}`);
    return [...own, ...[...this.used].map((each) => IMPORTS[each])].sort();
  }

  /** A template, choice, or constructor with its module. */
  name(id: TypeId, entity = splitTypeId(id).entity): string {
    const { module } = splitTypeId(id);
    this.modules.add(module);
    return `${module}.${entity.split('.').at(-1)!}`;
  }

  /** A use of a name that needs this import. */
  private from(key: keyof typeof IMPORTS, name: string): string {
    this.used.add(key);
    return name;
  }

  /** An expression that can be an argument: in parentheses unless it is one word. */
  value(type: DamlType, value: DamlValue): string {
    switch (type.kind) {
      case 'unit':
        return '()';
      case 'bool':
        return value === true ? 'True' : 'False';
      case 'int64':
        return signed(String(value));
      case 'numeric':
        return signed((value as Numeric).toCompact());
      case 'text':
        return text(value as string);
      case 'party':
        return this.names.party(value as Party);
      case 'contractId':
        return this.contract(type.of, value as ContractId);
      case 'date':
        return this.date(value as number);
      case 'timestamp':
        return this.time(value as bigint);
      case 'optional':
        return value instanceof Some ? `(Some ${this.value(type.of, value.value)})` : 'None';
      case 'list':
        return `[${(value as readonly DamlValue[]).map((each) => this.value(type.of, each)).join(', ')}]`;
      case 'textMap': {
        const pairs = [...(value as ReadonlyMap<string, DamlValue>)].map(
          ([key, item]) => `(${text(key)}, ${this.value(type.of, item)})`,
        );
        return `(${this.from('textMap', 'TextMap')}.fromList [${pairs.join(', ')}])`;
      }
      case 'genMap': {
        const pairs = (value as readonly (readonly [DamlValue, DamlValue])[]).map(
          ([key, item]) => `(${this.value(type.key, key)}, ${this.value(type.value, item)})`,
        );
        return `(${this.from('map', 'Map')}.fromList [${pairs.join(', ')}])`;
      }
      case 'con':
        return this.named(type, value);
      default:
        return '(error "not a ledger value")';
    }
  }

  /** The fields of a record that are in `record`, with their values as source. */
  fields(type: DamlType, record: DamlRecord): readonly (readonly [string, string])[] {
    const body = type.kind === 'con' ? boundBody(this.packages, type) : undefined;
    if (body?.kind !== 'record') return [];
    return body.fields
      .filter(({ name }) => Object.hasOwn(record, name))
      .map((field) => [field.name, this.value(field.type, record[field.name]!)] as const);
  }

  private contract(of: DamlType, id: ContractId): string {
    const name = this.names.contract(id);
    if (name === undefined) return NO_CONTRACT;
    const isInterface =
      of.kind === 'con' && interfaceDefinition(this.packages, of.id) !== undefined;
    return isInterface ? `(toInterfaceContractId ${name})` : name;
  }

  private date(days: number): string {
    this.used.add('date');
    const [, year, month, day] = /^(-?\d+)-(\d\d)-(\d\d)$/.exec(formatDate(days))!;
    return `(date ${Number(year)} ${MONTHS[Number(month) - 1]!} ${Number(day)})`;
  }

  private time(micros: bigint): string {
    this.used.add('time');
    const days =
      (micros - (((micros % MICROS_PER_DAY) + MICROS_PER_DAY) % MICROS_PER_DAY)) / MICROS_PER_DAY;
    const rest = micros - days * MICROS_PER_DAY;
    const start = `(time ${this.date(Number(days))} 0 0 0)`;
    return rest === 0n ? start : `(addRelTime ${start} (microseconds ${rest}))`;
  }

  private named(type: Con, value: DamlValue): string {
    const library = this.ofLibrary(type, value);
    if (library !== undefined) return library;
    const body = boundBody(this.packages, type);
    switch (body?.kind) {
      case 'record':
        return this.record(type.id, splitTypeId(type.id).entity, body.fields, value as DamlRecord);
      case 'enum':
        return this.name(type.id, value as string);
      case 'variant': {
        const { tag, value: inner } = value as DamlVariant;
        const of = body.constructors.find(({ name }) => name === tag)!.type;
        if (of.kind === 'unit') return this.name(type.id, tag);
        // A constructor with fields has its own record: `Shape.Circle`.
        if (
          of.kind === 'con' &&
          splitTypeId(of.id).entity === `${splitTypeId(type.id).entity}.${tag}`
        )
          return this.named(of, inner);
        return `(${this.name(type.id, tag)} ${this.value(of, inner)})`;
      }
      default:
        return '(error "not a ledger value")';
    }
  }

  private record(
    id: TypeId,
    entity: string,
    fields: readonly { readonly name: string; readonly type: DamlType }[],
    value: DamlRecord,
  ): string {
    const name = this.name(id, entity);
    if (fields.length === 0) return name;
    const members = fields.map(
      (field) => `${field.name} = ${this.value(field.type, value[field.name]!)}`,
    );
    return `(${name} with ${members.join('; ')})`;
  }

  /** Types of the standard library whose modules are internal. */
  private ofLibrary({ id, args }: Con, value: DamlValue): string | undefined {
    const { module, entity } = splitTypeId(id);
    const members = () => Object.values(value as DamlRecord);
    switch (`${module}:${entity}`) {
      case 'DA.Types:Tuple2':
      case 'DA.Types:Tuple3':
      case 'DA.Types:Tuple4':
      case 'DA.Types:Tuple5':
        return `(${members()
          .map((each, place) => this.value(args[place]!, each))
          .join(', ')})`;
      case 'DA.Types:Either': {
        const { tag, value: inner } = value as DamlVariant;
        return `(${tag} ${this.value(args[tag === 'Left' ? 0 : 1]!, inner)})`;
      }
      case 'DA.Time.Types:RelTime':
        return `(${this.from('relTime', 'microseconds')} ${signed(String(members()[0]))})`;
      case 'DA.Set.Types:Set': {
        const pairs = members()[0] as readonly (readonly [DamlValue, DamlValue])[];
        const items = pairs.map(([item]) => this.value(args[0]!, item));
        return `(${this.from('set', 'Set')}.fromList [${items.join(', ')}])`;
      }
      case 'DA.NonEmpty.Types:NonEmpty': {
        const [head, tail] = members() as [DamlValue, DamlValue];
        const list = this.value({ kind: 'list', of: args[0]! }, tail);
        return `(${this.from('nonEmpty', 'NonEmpty')} with hd = ${this.value(args[0]!, head)}; tl = ${list})`;
      }
      default:
        return undefined;
    }
  }
}

const signed = (digits: string): string => (digits.startsWith('-') ? `(${digits})` : digits);

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
};

/** A text literal. Control characters are escaped by their numbers. */
function text(value: string): string {
  let inner = '';
  for (const point of value) {
    const code = point.codePointAt(0)!;
    const escaped = ESCAPES[point];
    if (escaped !== undefined) inner += escaped;
    // The empty escape `\&` separates the number from a digit that follows.
    else if (code < 32 || code === 127) inner += `\\${code}\\&`;
    else inner += point;
  }
  return `"${inner}"`;
}
