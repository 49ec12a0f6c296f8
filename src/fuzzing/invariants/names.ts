/** Templates and interfaces by the names that users give. */
import { template as templateOf, type PackageLookup } from '../../daml/model/package.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { AnyTemplate } from '../../daml/model/typed-template.js';
import { qualifiedNameOf, splitTypeId, type TypeId } from '../../daml/model/types.js';

/**
 * A template or an interface: `Template`, `Module:Template`, `#package-name:Module:Template`, an id, or an object with
 * the id. It means all versions of the package.
 */
export type TemplateName = string | AnyTemplate;

/** A name of a template, an interface, a choice or a field that does not exist. */
export class UnknownName extends Error {
  override readonly name = 'UnknownName';
}

interface Meaning {
  /** The contract's template has the name. */
  readonly isTemplate: boolean;
  /** The interface with the name, if the contract's template implements it. */
  readonly interfaceId: TypeId | undefined;
}

const idOf = (name: TemplateName): string => (typeof name === 'string' ? name : name.templateId);

/** The contracts that some names mean. */
export class NamedContracts {
  private readonly names: readonly string[];
  private readonly meanings = new Map<TypeId, Meaning>();

  constructor(names: TemplateName | readonly TemplateName[]) {
    this.names = [names].flat().map((each) => idOf(each as TemplateName));
  }

  /** @throws UnknownName if a name has no meaning in these packages */
  check(packages: PackageLookup): void {
    for (const name of this.names) if (!isKnown(packages, name)) throw unknown(packages, name);
  }

  /** The templates that the names mean, the newest version of a package first. */
  templates(packages: PackageLookup): readonly TypeId[] {
    return (packages.packageNames?.() ?? []).flatMap((name) => {
      const of = packages.package(packages.packageIdForName(name) ?? '');
      const ids = [...(of?.templates.values() ?? [])].map(({ id }) => id);
      return ids.filter((id) => this.names.some((each) => isNamed(id, name, each)));
    });
  }

  /** Undefined if none of the names means the contract. */
  meaning(
    packages: PackageLookup,
    { templateId, packageName }: Pick<ContractInstance, 'templateId' | 'packageName'>,
  ): Meaning | undefined {
    let known = this.meanings.get(templateId);
    if (known === undefined) {
      const isTemplate = this.names.some((name) => isNamed(templateId, packageName, name));
      const interfaces = templateOf(packages, templateId)?.implementations.keys() ?? [];
      const interfaceId = [...interfaces].find((id) => {
        const of = packages.package(splitTypeId(id).packageId)?.name ?? '';
        return this.names.some((name) => isNamed(id, of, name));
      });
      known = { isTemplate, interfaceId };
      this.meanings.set(templateId, known);
    }
    return known.isTemplate || known.interfaceId !== undefined ? known : undefined;
  }
}

/** Whether a name means the template, interface or type with the id. */
function isNamed(id: TypeId, packageName: string, name: string): boolean {
  const qualified = qualifiedNameOf(id);
  return (
    name === qualified ||
    name === id ||
    name === `#${packageName}:${qualified}` ||
    name === splitTypeId(id).entity
  );
}

function isKnown(packages: PackageLookup, name: string): boolean {
  const named = packages.packageNames?.().map((each) => packages.packageIdForName(each)) ?? [];
  const own = packages.package(name.slice(0, Math.max(0, name.indexOf(':'))));
  for (const one of [
    own,
    ...named.map((id) => (id === undefined ? undefined : packages.package(id))),
  ])
    for (const { id } of [...(one?.templates.values() ?? []), ...(one?.interfaces.values() ?? [])])
      if (isNamed(id, one!.name, name)) return true;
  return false;
}

function unknown(packages: PackageLookup, name: string): UnknownName {
  const known = (packages.packageNames?.() ?? []).flatMap((each) => {
    const one = packages.package(packages.packageIdForName(each) ?? '');
    return [...(one?.templates.keys() ?? [])];
  });
  return new UnknownName(
    `There is no template or interface ${name}. There are ${known.slice(0, 20).join(', ') || 'none'}.`,
  );
}
