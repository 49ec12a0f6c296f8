/**
 * Counts created templates and exercised choices in committed transactions. Rejected transactions do not count, and a
 * revert keeps the counts. They are not part of the network's state.
 */
import { interfaceDefinition, type DamlPackage, type Template } from '../../daml/model/package.js';
import type { Transaction } from '../../daml/model/transaction.js';
import { packageIdOf, qualifiedNameOf, type PackageId, type TypeId } from '../../daml/model/types.js';
import { reportOf, type CoverageReport, type PackageCoverage } from './coverage-report.js';
import type { PackageStore } from '../packages/package-store.js';

/** The packages to report. */
export interface CoverageScope {
  /**
   * Names of packages. If absent, all except Canticle's own. Named packages are reported even if none of their code
   * ran.
   */
  readonly packages?: readonly string[];
}

const ARCHIVE = 'Archive';

/** Counts which templates are created and which choices exercised. */
export class ChoiceCoverage {
  private readonly created = new Map<TypeId, number>();
  /** By the contract's template, the interface if any, and the choice. */
  private readonly exercised = new Map<string, number>();
  /** Packages whose code ran: a revert may remove them from the network. */
  private readonly used = new Map<PackageId, DamlPackage>();
  private isOn = false;

  /** @param own ids of packages that are reported only by name */
  constructor(
    private readonly holders: () => readonly {
      readonly packages: Pick<PackageStore, 'package' | 'ids'>;
    }[],
    private readonly own: ReadonlySet<PackageId> | undefined,
  ) {}

  /** Whether it has been started. */
  get isCounting(): boolean {
    return this.isOn;
  }

  /** Starts counting from zero. */
  start(): void {
    this.stop();
    this.isOn = true;
  }

  /** Stops, and removes the counts. */
  stop(): void {
    this.isOn = false;
    this.created.clear();
    this.exercised.clear();
    this.used.clear();
  }

  /** For the network, of what it commits. */
  count({ nodes }: Transaction): void {
    for (const node of nodes) {
      if (node.kind === 'create') {
        const { templateId } = node.contract;
        this.use(templateId);
        this.created.set(templateId, (this.created.get(templateId) ?? 0) + 1);
      } else if (node.kind === 'exercise') {
        const { templateId, interfaceId, choice } = node;
        this.use(templateId);
        const key = keyOf(templateId, interfaceId, choice);
        this.exercised.set(key, (this.exercised.get(key) ?? 0) + 1);
      }
    }
  }

  private use(templateId: TypeId): void {
    const id = packageIdOf(templateId);
    if (this.used.has(id)) return;
    const found = this.known(id);
    if (found !== undefined) this.used.set(id, found);
  }

  private known(id: PackageId): DamlPackage | undefined {
    for (const { packages } of this.holders()) {
      const found = packages.package(id);
      if (found !== undefined) return found;
    }
    return this.used.get(id);
  }

  /**
   * The counts since the start.
   * @throws LedgerError if counting is not started
   */
  report({ packages: names }: CoverageScope = {}): CoverageReport {
    const covered = this.allPackages().filter(({ id, name }) =>
      names === undefined ? this.own?.has(id) !== true : names.includes(name),
    );
    return reportOf(covered.map((each) => this.packageCoverage(each)));
  }

  private allPackages(): readonly DamlPackage[] {
    const all = new Map(this.used);
    for (const { packages } of this.holders())
      for (const id of packages.ids()) all.set(id, packages.package(id)!);
    return [...all.values()];
  }

  private packageCoverage({ id, name, version, templates }: DamlPackage): PackageCoverage {
    const covered = [...templates.values()].map((template) => ({
      name: qualifiedNameOf(template.id),
      created: this.created.get(template.id) ?? 0,
      choices: this.choicesOf(template),
    }));
    return { id, name, version, templates: covered };
  }

  /** The template's choices, and those of each interface that it implements. `Archive` counts only for the template. */
  private choicesOf(template: Template): PackageCoverage['templates'][number]['choices'] {
    const of = (interfaceId: TypeId | undefined, name: string): number =>
      this.exercised.get(keyOf(template.id, interfaceId, name)) ?? 0;
    const own = [...template.choices.keys()].map((name) => ({
      name,
      exercised: of(undefined, name),
    }));
    const lookup = {
      package: (id: PackageId) => this.known(id),
      packageIdForName: () => undefined,
    };
    const inherited = [...template.implementations.keys()].flatMap((interfaceId) =>
      [...(interfaceDefinition(lookup, interfaceId)?.choices.keys() ?? [])]
        .filter((name) => name !== ARCHIVE)
        .map((name) => ({
          name,
          interface: qualifiedNameOf(interfaceId),
          exercised: of(interfaceId, name),
        })),
    );
    return [...own, ...inherited];
  }
}

const keyOf = (template: TypeId, interfaceId: TypeId | undefined, choice: string): string =>
  `${template} ${interfaceId ?? ''} ${choice}`;
