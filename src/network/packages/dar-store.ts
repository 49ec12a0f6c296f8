/** Uploaded DARs: a participant returns them, and they group packages. */
import type { DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import { JournaledMap, type Journal } from '../journal/journal.js';

export interface StoredDar {
  readonly main: DamlPackage;
  /** All of its packages, including the main one. */
  readonly packageIds: readonly PackageId[];
  readonly bytes: Uint8Array;
  /** The uploader's description. */
  readonly description: string;
}

export class DarStore {
  private readonly dars: JournaledMap<PackageId, StoredDar>;

  constructor(journal: Journal, participant: string) {
    this.dars = new JournaledMap(journal, `dars/${participant}`);
  }

  /**
   * Replaces an earlier DAR of the same package.
   * @param description made from the main package's id if absent
   */
  add(
    { main, packages }: { readonly main: DamlPackage; readonly packages: readonly DamlPackage[] },
    bytes: Uint8Array,
    description = `DAR_${main.id}`,
  ): void {
    const packageIds = [main.id, ...packages.map(({ id }) => id).filter((id) => id !== main.id)];
    this.dars.set(main.id, { main, packageIds, bytes, description });
  }

  get(mainPackageId: PackageId): StoredDar | undefined {
    return this.dars.get(mainPackageId);
  }

  remove(mainPackageId: PackageId): void {
    this.dars.delete(mainPackageId);
  }

  /** Sorted by the ids of their main packages. */
  all(): readonly StoredDar[] {
    return this.dars.sortedKeys().map((id) => this.dars.get(id)!);
  }
}
