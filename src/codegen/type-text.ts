/**
 * Writes Daml types as TypeScript types of their JSON in the JSON Ledger API, and the imports that a module needs
 * for them.
 */
import { posix } from 'node:path';
import type { DamlType, TypeId } from '../daml/model/types.js';
import type { ModuleFile } from './layout.js';

/** The names that one module uses. */
export class ModuleView {
  /** The namespace of the value types: `Daml.Party`. */
  readonly daml: string;
  private readonly imports = new Map<ModuleFile, string>();

  constructor(
    private readonly own: ModuleFile,
    private readonly fileOf: ReadonlyMap<TypeId, ModuleFile>,
  ) {
    this.daml = own.scope.name('Daml');
  }

  /** Undefined if the entity is not written. */
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

  /** The imports for the references so far. They import only types, so that no import remains at run time. */
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

/** The names of type parameters. */
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

/** In an Optional of Optionals, each level has an array. */
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

/** Whether None is null. Answers omit such fields at the end of a record, and requests may omit them anywhere. */
export const isPlainOptional = (type: DamlType): boolean =>
  type.kind === 'optional' && type.of.kind !== 'optional';

function targetText(type: DamlType, view: ModuleView, params: Params): string {
  const known = type.kind !== 'con' || view.reference(type.id) !== undefined;
  return type.kind === 'opaque' || !known ? '' : `<${typeText(type, view, params)}>`;
}
