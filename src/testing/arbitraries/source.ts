/** The source of the types of an arbitrary: an instance, one of its participants, or packages. */
import type { Canticle } from '../../assembly/canticle.js';
import {
  interfaceDefinition,
  resolveTypeId,
  template as templateOf,
  type Choice,
  type DamlPackage,
  type PackageLookup,
  type Template,
} from '../../daml/model/package.js';
import { didYouMean, templateHint } from '../../daml/codec/name-hints.js';
import { STABLE_PACKAGES } from '../../daml/define/stable-packages.js';
import type { DamlType, TypeId } from '../../daml/model/types.js';
import type { ParticipantView } from '../../wallet/participant-view.js';
import { idOf as referenceOf, type TemplateName } from '../../wallet/typed.js';

export type Source = Canticle | ParticipantView | DamlPackage | readonly DamlPackage[];

export function packagesOf(source: Source): PackageLookup {
  if ('participant' in source) return source.participant.engine.packages;
  if ('engine' in source) return source.engine.packages;
  const packages = [...[source].flat(), ...STABLE_PACKAGES] as readonly DamlPackage[];
  const byId = new Map(packages.map((each) => [each.id, each]));
  return {
    package: (id) => byId.get(id),
    packageIdForName: (name) => packages.find((each) => each.name === name)?.id,
  };
}

/** @throws Error for a reference to a package that the source does not have */
function idOf(packages: PackageLookup, reference: string): TypeId {
  const id = resolveTypeId(packages, reference);
  if (id === undefined) {
    const names = packages.packageNames?.().map((name) => `#${name}`) ?? [];
    const hint = didYouMean(reference.split(':')[0]!, names);
    throw new Error(`Failed to find '${reference}': the source has no such package.${hint}`);
  }
  return id;
}

/** A type, or the name of a type: `#package-name:Module:Entity` of a template or of a type without parameters. */
export function typeOf(packages: PackageLookup, type: DamlType | TemplateName): DamlType {
  if (typeof type === 'object' && !('templateId' in type)) return type;
  return { kind: 'con', id: idOf(packages, referenceOf(type)), args: [] };
}

export function templateIn(packages: PackageLookup, reference: string): Template {
  const id = idOf(packages, reference);
  const found = templateOf(packages, id);
  if (found === undefined)
    throw new Error(`Failed to find the template '${reference}': ${templateHint(packages, id)}`);
  return found;
}

/** @param reference of a template, or of an interface for an interface's choice */
export function choiceIn(packages: PackageLookup, reference: string, name: string): Choice {
  const id = idOf(packages, reference);
  const choices = (interfaceDefinition(packages, id) ?? templateOf(packages, id))?.choices;
  const choice = choices?.get(name);
  if (choice === undefined) {
    const known =
      choices === undefined
        ? templateHint(packages, id)
        : `the choices are ${[...choices.keys()].sort().join(', ')}.`;
    throw new Error(`Failed to find the choice '${name}' of '${reference}': ${known}`);
  }
  return choice;
}
