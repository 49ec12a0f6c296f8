/** The actions of packages: their creates and choices, with names and weights. */
import type { Targets } from '../ledger/targets.js';
import type { CustomAction } from '../ledger/custom-action.js';
import type {
  Choice,
  DamlPackage,
  Interface,
  PackageLookup,
  Template,
} from '../../daml/model/package.js';
import { interfaceDefinition } from '../../daml/model/package.js';
import { qualifiedNameOf, splitTypeId, type TypeId } from '../../daml/model/types.js';

export interface CreateAction {
  readonly kind: 'create';
  /** `Module:Template`. */
  readonly name: string;
  readonly template: Template;
}

export interface ExerciseAction {
  readonly kind: 'exercise';
  /** `Module:Template.Choice`, or with the interface in place of the template. */
  readonly name: string;
  /** The template or interface of the choice. */
  readonly definition: Template | Interface;
  readonly choice: Choice;
  /** The templates of the contracts that have the choice, in all versions. */
  readonly targets: readonly TypeId[];
  /** The template, if its contracts have keys. */
  readonly keyed: Template | undefined;
}

export interface CallAction {
  readonly kind: 'custom';
  readonly name: string;
  readonly action: CustomAction;
}

export type Action = CreateAction | ExerciseAction | CallAction;

/**
 * The creates and choices of the templates and interfaces of packages, and the choices of interfaces that their
 * templates implement, in the order of the archives.
 */
export function actionsOf(
  packages: PackageLookup,
  chosen: Iterable<DamlPackage>,
  targets: Targets,
): readonly Action[] {
  const actions: Action[] = [];
  const interfaces = new Map<TypeId, Interface>();
  for (const each of chosen) {
    for (const template of each.templates.values()) {
      const versions = targets.versionsOf(template.packageName, qualifiedNameOf(template.id));
      actions.push({ kind: 'create', name: qualifiedNameOf(template.id), template });
      for (const choice of template.choices.values())
        actions.push(exerciseOf(template, choice, versions, template));
      for (const id of template.implementations.keys()) {
        const found = interfaceDefinition(packages, id);
        if (found !== undefined) interfaces.set(id, found);
      }
    }
    for (const found of each.interfaces.values()) interfaces.set(found.id, found);
  }
  for (const found of interfaces.values())
    for (const choice of found.choices.values())
      actions.push(exerciseOf(found, choice, targets.implementersOf(found.id), undefined));
  return actions;
}

function exerciseOf(
  definition: Template | Interface,
  choice: Choice,
  targets: readonly TypeId[],
  template: Template | undefined,
): ExerciseAction {
  const name = `${qualifiedNameOf(definition.id)}.${choice.name}`;
  const keyed = template?.key === undefined ? undefined : template;
  return { kind: 'exercise', name, definition, choice, targets, keyed };
}

/**
 * Whether a name of a user means the action: `Template`, `Module:Template`, `Template.Choice`,
 * `Module:Template.Choice`, `create Template`, or the name of a custom action. A template's name means its choices,
 * too.
 */
export function isNamed(action: Action, name: string): boolean {
  if (action.name === name) return true;
  if (action.kind === 'custom') return false;
  const id = action.kind === 'create' ? action.template.id : action.definition.id;
  const { entity } = splitTypeId(id);
  const names = [entity, qualifiedNameOf(id)];
  if (names.includes(name)) return true;
  if (action.kind === 'create') return names.some((each) => name === `create ${each}`);
  return name === `${entity}.${action.choice.name}`;
}
