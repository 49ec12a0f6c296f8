/** Daml types as TypeScript says what the JSON Ledger API has for them, and what a module imports to say it. */
import { posix } from 'node:path';
import type { DamlType, TypeId } from '../daml/model/types.js';
import type { ModuleFile } from './layout.js';

/** Names as one module sees them. */
export class ModuleView {
  /** What the types of values are called behind: `Daml.Party`. */
  readonly daml: string;
  private readonly imports = new Map<ModuleFile, string>();

  constructor(
    private readonly own: ModuleFile,
    private readonly fileOf: ReadonlyMap<TypeId, ModuleFile>,
  ) {
    this.daml = own.scope.name('Daml');
  }

  /** Undefined for what is not written. */
  reference(id: TypeId): string | undefined {
    const file = this.fileOf.get(id);
    if (file === undefined) return undefined;
    const name = file.names.get(id)!;
    return file === this.own ? name : `${this.alias(file)}.${name}`;
  }

  private alias(file: ModuleFile): string {
    const known = this.imports.get(file);
    if (known !== undefined) return known;
    const alias = this.own.scope.name(file.module.replaceAll('.', '_'));
    this.imports.set(file, alias);
    return alias;
  }

  /** Of what was referred to until now: types alone, so that nothing is left of them at run time. */
  importLines(isDamlUsed: boolean): readonly string[] {
    const daml = this.daml === 'Daml' ? 'Daml' : `Daml as ${this.daml}`;
    const folder = posix.dirname(this.own.path);
    const others = [...this.imports].map(([{ path }, alias]) => {
      const way = posix.relative(folder, path).replace(/\.ts$/, '.js');
      return `import type * as ${alias} from '${way.startsWith('.') ? way : `./${way}`}';`;
    });
    return [...(isDamlUsed ? [`import type { ${daml} } from 'canticle';`] : []), ...others.sort()];
  }
}

/** What type parameters are called. */
export type Params = ReadonlyMap<string, string>;
export const NO_PARAMS: Params = new Map();

const SCALARS = {
  unit: 'Unit',
  bool: 'Bool',
  int64: 'Int64',
  text: 'Text',
  timestamp: 'Time',
  date: 'Date',
  party: 'Party',
  numeric: 'Numeric',
} as const;

export function typeText(type: DamlType, view: ModuleView, params: Params = NO_PARAMS): string {
  const { daml } = view;
  const text = (inner: DamlType): string => typeText(inner, view, params);
  switch (type.kind) {
    case 'contractId':
      return `${daml}.ContractId${targetText(type.of, view, params)}`;
    case 'optional':
      return type.of.kind === 'optional'
        ? `${daml}.NestedOptional<${nestedText(type.of, view, params)}>`
        : `${daml}.Optional<${text(type.of)}>`;
    case 'list':
      return `${daml}.List<${text(type.of)}>`;
    case 'textMap':
      return `${daml}.TextMap<${text(type.of)}>`;
    case 'genMap':
      return `${daml}.GenMap<${text(type.key)}, ${text(type.value)}>`;
    case 'con': {
      const args = type.args.map((arg) =>
        isPlainOptional(arg) ? `${text(arg)} | undefined` : text(arg),
      );
      const name = view.reference(type.id) ?? 'unknown';
      return args.length === 0 || name === 'unknown' ? name : `${name}<${args.join(', ')}>`;
    }
    case 'var':
      return params.get(type.name) ?? 'unknown';
    case 'opaque':
      return 'never';
    default:
      return `${daml}.${SCALARS[type.kind]}`;
  }
}

/** Each level of an Optional that is written as one of Optionals has an array of its own. */
function nestedText(
  type: DamlType & { kind: 'optional' | 'list' | 'textMap' },
  view: ModuleView,
  params: Params,
): string {
  const inner =
    type.of.kind === 'optional'
      ? nestedText(type.of, view, params)
      : typeText(type.of, view, params);
  return `${view.daml}.NestedOptional<${inner}>`;
}

/** One whose None is null, which answers leave out at the end of a record; requests may anywhere in it. */
export const isPlainOptional = (type: DamlType): boolean =>
  type.kind === 'optional' && type.of.kind !== 'optional';

function targetText(type: DamlType, view: ModuleView, params: Params): string {
  const known = type.kind !== 'con' || view.reference(type.id) !== undefined;
  return type.kind === 'opaque' || !known ? '' : `<${typeText(type, view, params)}>`;
}
