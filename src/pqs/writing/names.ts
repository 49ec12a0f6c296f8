/** The names of templates, interfaces and choices, and the keys of their rows. */
import type { DamlPackage } from '../../daml/model/package.js';
import {
  packageIdOf,
  qualifiedNameOf,
  type PackageId,
  type TypeId,
} from '../../daml/model/types.js';
import type { PackageStore } from '../../network/packages/package-store.js';

/** `package:Module:Entity`, with the name of the package. */
export type TypeName = string;

type Row = Readonly<Record<string, unknown>>;

/** Rows that a database needs before those that refer to them. */
export interface NameRows {
  readonly packages: Row[];
  readonly types: Row[];
  readonly choices: Row[];
  readonly implements: Row[];
}

/**
 * The keys of packages, types and choices. They stay when a revert removes a package: a real database keeps its types, too.
 */
export class Names {
  private readonly packages = new Map<PackageId, number>();
  private readonly types = new Map<TypeName, number>();
  private readonly choices = new Map<string, number>();
  /** The keys of interfaces by those of the templates that implement them. */
  private readonly implemented = new Map<number, Set<number>>();
  private rows: NameRows = noRows();

  constructor(private readonly store: PackageStore) {}

  /** Adds the names of new packages. @returns whether there are any */
  update(): boolean {
    const added = this.store
      .ids()
      .filter((id) => !this.packages.has(id))
      .map((id) => this.store.package(id)!);
    if (added.length === 0) return false;
    // By name and version, so that the keys do not depend on ids.
    added.sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
    for (const each of added) this.add(each);
    for (const each of added) this.addImplementations(each);
    return true;
  }

  /** The rows that were not written yet. */
  get unwritten(): NameRows {
    return this.rows;
  }

  get areWritten(): boolean {
    return this.rows.packages.length === 0;
  }

  /** Call it when the rows are in the database. */
  noteWritten(): void {
    this.rows = noRows();
  }

  nameOf(id: TypeId): TypeName {
    return `${this.store.package(packageIdOf(id))!.name}:${qualifiedNameOf(id)}`;
  }

  package(id: PackageId): number {
    return this.packages.get(id)!;
  }

  type(name: TypeName): number {
    return this.types.get(name)!;
  }

  /** Of a template, and of the interfaces that it implements. */
  typesOfContract(template: TypeName): readonly number[] {
    const pk = this.type(template);
    return [pk, ...(this.implemented.get(pk) ?? [])];
  }

  choice(name: TypeName, choice: string): number {
    return this.choices.get(`${name}:${choice}`)!;
  }

  private add({ id, name, version, templates, interfaces }: DamlPackage): void {
    const pk = this.packages.size + 1;
    this.packages.set(id, pk);
    this.rows.packages.push({ pk, name, version, id });
    for (const [qualified, { choices }] of templates)
      this.addType(name, qualified, 'template', choices);
    for (const [qualified, { choices }] of interfaces)
      this.addType(name, qualified, 'interface', choices);
  }

  private addType(
    packageName: string,
    qualified: string,
    payloadType: 'template' | 'interface',
    choices: ReadonlyMap<string, { readonly consuming: boolean }>,
  ): void {
    const type = `${packageName}:${qualified}`;
    const [module, entity] = qualified.split(':') as [string, string];
    const named = { package_name: packageName, module_name: module, entity_name: entity };
    if (!this.types.has(type)) {
      const pk = this.types.size + 1;
      this.types.set(type, pk);
      const aliases = [type, qualified, entity];
      this.rows.types.push({ pk, payload_type: payloadType, aliases, ...named });
    }
    for (const [choice, { consuming }] of choices) {
      const full = `${type}:${choice}`;
      if (this.choices.has(full)) continue;
      const pk = this.choices.size + 1;
      this.choices.set(full, pk);
      const aliases = [full, `${qualified}:${choice}`, `${entity}:${choice}`, choice];
      this.rows.choices.push({ pk, choice, consuming, aliases, ...named });
    }
  }

  private addImplementations({ name, templates }: DamlPackage): void {
    for (const [qualified, { implementations }] of templates)
      for (const interfaceId of implementations.keys()) {
        // A package can refer to an interface of a package that the participant does not have.
        if (this.store.package(packageIdOf(interfaceId)) === undefined) continue;
        const template_pk = this.type(`${name}:${qualified}`);
        const interface_pk = this.type(this.nameOf(interfaceId));
        const known = this.implemented.get(template_pk) ?? new Set();
        this.implemented.set(template_pk, known);
        if (known.has(interface_pk)) continue;
        known.add(interface_pk);
        this.rows.implements.push({ template_pk, interface_pk });
      }
  }
}

const noRows = (): NameRows => ({ packages: [], types: [], choices: [], implements: [] });

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
