/**
 * Parses the Daml types that packages declare, such as `Optional (Map Text Main:Size)`, into a tree, and resolves
 * the names in them.
 */
import type {
  InspectedField,
  InspectedModule,
  InspectedPackage,
} from '../../../spec/generated/control.js';
import { packageOf } from '../packages/load.js';

export type DamlType =
  | { readonly kind: 'scalar'; readonly name: string }
  | { readonly kind: 'contractId'; readonly of: DamlType }
  | { readonly kind: 'optional'; readonly of: DamlType }
  | { readonly kind: 'list'; readonly of: DamlType }
  | { readonly kind: 'textMap'; readonly of: DamlType }
  | { readonly kind: 'map'; readonly key: DamlType; readonly of: DamlType }
  | { readonly kind: 'named'; readonly name: string; readonly args: readonly DamlType[] };

const SCALARS = new Set(['()', 'Bool', 'Int', 'Text', 'Time', 'Date', 'Party']);

/** A type that cannot be parsed becomes an unknown name: the form asks for its value as JSON. */
export function parseType(text: string): DamlType {
  const tokens = text.match(/\(\)|[()[\]]|[^\s()[\]]+/g) ?? [];
  let at = 0;
  const atom = (): DamlType => {
    const token = tokens[at++];
    if (token === '(') {
      const inner = application();
      at += 1;
      return inner;
    }
    if (token === '[') {
      const inner = application();
      at += 1;
      return { kind: 'list', of: inner };
    }
    return SCALARS.has(token ?? '')
      ? { kind: 'scalar', name: token! }
      : { kind: 'named', name: token ?? '?', args: [] };
  };
  const application = (): DamlType => {
    const head = atom();
    const args: DamlType[] = [];
    while (at < tokens.length && tokens[at] !== ')' && tokens[at] !== ']') args.push(atom());
    return applied(head, args);
  };
  return application();
}

function applied(head: DamlType, args: readonly DamlType[]): DamlType {
  if (head.kind !== 'named' || args.length === 0) return head;
  const [first, second] = args as [DamlType, DamlType | undefined];
  switch (head.name) {
    case 'Numeric':
      return { kind: 'scalar', name: 'Numeric' };
    case 'ContractId':
      return { kind: 'contractId', of: first };
    case 'Optional':
      return { kind: 'optional', of: first };
    case 'TextMap':
      return { kind: 'textMap', of: first };
    case 'Map':
      return second === undefined ? head : { kind: 'map', key: first, of: second };
    default:
      return { ...head, args };
  }
}

/** The declaration of a name, with the package and module that resolve the names in it. */
export interface Definition {
  readonly kind: 'record' | 'variant' | 'enum';
  readonly fields: readonly InspectedField[];
  readonly params: readonly string[];
  readonly scope: Scope;
}

/** The module of names without one. */
export interface Scope {
  readonly packageId: string;
  readonly module: string;
}

/** @returns undefined if no referenced package declares it */
export async function definitionOf(name: string, scope: Scope): Promise<Definition | undefined> {
  const [module, entity] = name.includes(':')
    ? (name.split(':') as [string, string])
    : [scope.module, name];
  const own = await packageOf(scope.packageId);
  const found = inPackage(own, module, entity);
  if (found !== undefined) return found;
  for (const id of own.dependencies) {
    const other = await packageOf(id).catch(() => undefined);
    const there = other && inPackage(other, module, entity);
    if (there !== undefined) return there;
  }
  return undefined;
}

function inPackage(
  { id, modules }: InspectedPackage,
  name: string,
  entity: string,
): Definition | undefined {
  const module = modules.find((each) => each.name === name);
  const found = module && declared(module, entity);
  return found && { ...found, scope: { packageId: id, module: name } };
}

function declared(module: InspectedModule, entity: string): Omit<Definition, 'scope'> | undefined {
  const type = module.types.find(({ name }) => name === entity);
  if (type !== undefined)
    return { kind: type.kind as Definition['kind'], fields: type.fields, params: type.params };
  const template = module.templates.find(({ name }) => name === entity);
  if (template !== undefined) return { kind: 'record', fields: template.fields, params: [] };
  const choices = [...module.templates, ...module.interfaces].flatMap((each) => each.choices);
  const choice = choices.find(({ name }) => name === entity);
  return choice && { kind: 'record', fields: choice.fields, params: [] };
}

/** Replaces its parameters with the arguments. */
export function substituted(
  type: DamlType,
  params: readonly string[],
  args: readonly DamlType[],
): DamlType {
  const inner = (each: DamlType): DamlType => substituted(each, params, args);
  switch (type.kind) {
    case 'scalar':
      return type;
    case 'map':
      return { ...type, key: inner(type.key), of: inner(type.of) };
    case 'named': {
      const place = type.args.length === 0 ? params.indexOf(type.name) : -1;
      return place < 0 ? { ...type, args: type.args.map(inner) } : (args[place] ?? type);
    }
    default:
      return { ...type, of: inner(type.of) };
  }
}
