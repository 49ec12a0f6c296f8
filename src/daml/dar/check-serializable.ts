/**
 * Checks that values on the ledger have serializable types: payloads, arguments, results, keys, views, and types
 * marked as serializable.
 */
import { dottedNameHash, textHash } from '../errors/scala-order.js';
import { entriesInOrder } from '../model/definition-order.js';
import { qualifiedNameOf, typeId, type PackageId, type TypeId } from '../model/types.js';
import { validationError } from '../archive/dar-refusals.js';
import type { LfChoice, LfDataType } from '../archive/lf-definitions.js';
import type { LfModule } from '../archive/lf-module.js';
import { prettyKind, typeCon, unapply, type LfType } from '../archive/lf-type.js';
import type { Checking } from '../typing/checking.js';
import { prettyType } from '../typing/type-text.js';

/** Builtin types that are serializable, by how many arguments must be as well; the others never are. */
const SERIALIZABLE_BUILTINS: Readonly<Record<string, number>> = {
  Unit: 0,
  Bool: 0,
  Int64: 0,
  Text: 0,
  Timestamp: 0,
  Date: 0,
  Party: 0,
  AnyException: 0,
  List: 1,
  Optional: 1,
  TextMap: 1,
  GenMap: 2,
};

const REASONS: Readonly<Record<string, string>> = {
  List: 'unapplied List',
  Optional: 'unapplied Option',
  TextMap: 'unapplied TextMap',
  GenMap: 'unapplied GenMap',
  Numeric: 'unapplied Numeric',
  ContractId: 'ContractId not applied to a template type',
  Arrow: 'function type',
};

interface Requirement {
  readonly checker: Checking;
  readonly where: string;
  readonly problem: string;
  readonly whole: LfType;
  readonly variables: ReadonlySet<string>;
}

function refuse({ checker, where, problem, whole }: Requirement, reason: string): never {
  const found = prettyType(checker.types.of(whole));
  const text = `expected serializable type:\n * reason: ${reason}\n * found: ${found}\n * problem: ${problem}\n     `;
  throw validationError('EExpectedSerializableType', where, text);
}

export function checkModuleSerializability(
  checker: Checking,
  packageId: PackageId,
  module: LfModule,
): void {
  const id = (entity: string): string => typeId(packageId, `${module.name}:${entity}`);
  const check = (type: LfType, problem: string, where: string): void =>
    checkType(type, { checker, where, problem, whole: type, variables: new Set() });
  const checkChoices = (choices: ReadonlyMap<string, LfChoice>, where: string): void => {
    for (const [, { argument, returns }] of entriesInOrder(choices, textHash)) {
      check(argument, 'choice argument', where);
      check(returns, 'choice result', where);
    }
  };
  for (const name of module.definitionNames) {
    const definition = module.dataTypes.get(name);
    if (definition?.serializable === true) checkDataType(checker, id(name), definition);
  }
  for (const [name, { choices, key }] of entriesInOrder(module.templates, dottedNameHash)) {
    const where = `template ${id(name)}`;
    check(typeCon(id(name)), 'template argument', where);
    checkChoices(choices, where);
    if (key !== undefined) check(key, 'contract key', where);
  }
  for (const [name] of entriesInOrder(module.exceptions, dottedNameHash)) {
    check(typeCon(id(name)), 'exception argument', `exception ${id(name)}`);
  }
  for (const [name, { choices, view }] of entriesInOrder(module.interfaces, dottedNameHash)) {
    const where = `interface ${id(name)}`;
    checkChoices(choices, where);
    check(view, 'view', where);
  }
}

function checkDataType(checker: Checking, id: string, { params, body }: LfDataType): void {
  const variables = new Set<string>();
  const requirement = {
    checker,
    where: `data type ${id}`,
    problem: 'serializable data type',
    whole: typeCon(id),
    variables,
  };
  for (const [name, kind] of params) {
    if (kind.tag !== 'star') {
      refuse(requirement, `higher-kinded type variable ${name} : ${prettyKind(kind)}`);
    }
    variables.add(name);
  }
  if (body.kind === 'interface') refuse(requirement, 'Interface');
  const constructors = body.kind === 'enum' ? body.constructors : body.fields;
  if (body.kind !== 'record' && constructors.length === 0) {
    refuse(requirement, 'variant type without constructors');
  }
  if (body.kind === 'enum') return;
  for (const [, type] of body.fields) checkType(type, requirement);
}

function checkType(type: LfType, requirement: Requirement): void {
  const { head, args } = unapply(type);
  switch (head.tag) {
    case 'variable':
      if (!requirement.variables.has(head.name))
        refuse(requirement, `free type variable ${head.name}`);
      break;
    case 'con':
      if (!isSerializable(requirement.checker, head.id)) {
        refuse(requirement, `unserializable data type ${qualifiedNameOf(head.id)}`);
      }
      break;
    case 'builtin': {
      // A contract id is serializable for any type argument, and a numeric if it has a scale.
      if (head.name === 'ContractId' && args.length === 1) return;
      if (head.name === 'Numeric' && args[0]?.tag === 'nat') return;
      const arity = Object.hasOwn(SERIALIZABLE_BUILTINS, head.name)
        ? SERIALIZABLE_BUILTINS[head.name]
        : undefined;
      if (arity !== args.length) refuse(requirement, REASONS[head.name] ?? head.name);
      break;
    }
    case 'syn':
      return refuse(requirement, `type synonym ${qualifiedNameOf(head.id)}`);
    case 'nat':
      return refuse(requirement, 'Nat');
    case 'forall':
      return refuse(requirement, 'higher-ranked type');
    case 'struct':
      return refuse(requirement, 'structural record');
  }
  for (const arg of args) checkType(arg, requirement);
}

function isSerializable({ entities }: Checking, id: TypeId): boolean {
  return entities.dataType(entities.get(id)).lf.serializable;
}
