/**
 * Finds every type declaration that a package must contain: the types that its definitions use and that belong to no
 * other package.
 */
import type { ChoiceDefinition } from './choice.js';
import type { AnyInterface, AnyTemplate } from './code.js';
import { checkQualifiedName, moduleOf } from './names.js';
import { NamedType, Type, type Fields } from './types.js';
import type { PackageId } from '../model/types.js';

type Owner = {
  readonly name: string;
  readonly choices: Readonly<Record<string, ChoiceDefinition>>;
};

const argumentRecords = new WeakMap<ChoiceDefinition, NamedType>();

/** The record of a choice's parameters. If they are fields, it is a new record with the name of the choice, as in Daml. */
export function argumentType(owner: Owner, name: string, choice: ChoiceDefinition): Type<unknown> {
  const argument = choice.spec.argument ?? {};
  if (argument instanceof Type) return argument;
  const declared =
    argumentRecords.get(choice) ??
    new NamedType(`${moduleOf(owner.name)}:${name}`, [], { kind: 'record', fields: argument });
  argumentRecords.set(choice, declared);
  return new Type({ kind: 'named', named: declared, args: [] });
}

/** In order of first mention, so that the result never depends on anything but the definitions. */
export function collectTypes(
  templates: readonly AnyTemplate[],
  interfaces: readonly AnyInterface[],
  others: readonly (Type<unknown> | NamedType)[],
  ownId: PackageId | undefined,
): readonly NamedType[] {
  const found = new Set<NamedType>();
  const declaration = (named: NamedType): void => {
    if (found.has(named) || (named.packageId !== undefined && named.packageId !== ownId)) return;
    checkQualifiedName('Type', named.name);
    found.add(named);
    if (named.body.kind === 'record') fields(named.body.fields);
    if (named.body.kind === 'variant') fields(named.body.constructors);
  };
  const fields = (members: Fields): void => Object.values(members).forEach(type);
  const type = ({ node }: Type<unknown>): void => {
    switch (node.kind) {
      case 'named':
        declaration(node.named);
        return node.args.forEach(type);
      case 'optional':
      case 'list':
      case 'textMap':
        return type(node.of);
      case 'genMap':
        type(node.key);
        return type(node.value);
      case 'lazy':
        return type(node.get());
      default:
        // The package of the template or interface declares it, so a contract id adds no declaration here.
        return;
    }
  };
  const choices = (owner: Owner): void => {
    for (const [name, choice] of Object.entries(owner.choices)) {
      type(argumentType(owner, name, choice));
      type(choice.spec.result);
    }
  };
  for (const definition of interfaces) {
    declaration(definition.named);
    type(definition.viewType);
    choices(definition);
  }
  for (const definition of templates) {
    declaration(definition.named);
    if (definition.spec.key !== undefined) type(definition.spec.key.type);
    choices(definition);
  }
  for (const other of others) other instanceof NamedType ? declaration(other) : type(other);
  return [...found];
}
