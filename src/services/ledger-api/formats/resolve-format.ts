/** Resolves the names in a checked read format at a participant, and finds the unknown ones (B-PSL-011, B-PSL-012). */
import { ledgerError, type LedgerError } from '../../../daml/errors/ledger-error.js';
import {
  witnessOrder,
  type EventFilter,
  type EventFormat as EngineEventFormat,
  type UpdateFormat as EngineUpdateFormat,
} from '../../../network/reading/event-format.js';
import type { PackageStore } from '../../../network/packages/package-store.js';
import type { UpdateFormat } from '../../../spec/generated/ledger.js';
import {
  checkUpdateFormat,
  type CheckedEventFormat,
  type CheckedFilter,
  type CheckedUpdateFormat,
  type FormatContext,
  type NamedType,
} from './formats.js';

/** @throws LedgerError that lists the unknown references: packages first, then templates, then interfaces */
export function resolveFormat(
  packages: PackageStore,
  format: CheckedEventFormat,
): EngineEventFormat {
  const filters = [...format.byParty.values(), ...(format.anyParty ? [format.anyParty] : [])];
  checkKnown(packages, filters);
  const byParty = new Map(
    [...format.byParty].map(([party, filter]) => [party, resolveFilter(packages, filter)] as const),
  );
  return {
    byParty,
    anyParty: format.anyParty && resolveFilter(packages, format.anyParty),
    witnesses: format.anyParty ? undefined : witnessOrder(packages, byParty),
    verbose: format.verbose,
  };
}

export function resolveUpdateFormat(
  packages: PackageStore,
  { transactions, reassignments, topology }: CheckedUpdateFormat,
): EngineUpdateFormat {
  return {
    transactions: transactions && {
      shape: transactions.shape,
      eventFormat: resolveFormat(packages, transactions.eventFormat),
    },
    reassignments: reassignments && resolveFormat(packages, reassignments),
    topology,
  };
}

/** Checks a format, and resolves it at once. */
export function readUpdateFormat(
  context: FormatContext,
  format: UpdateFormat | undefined,
): EngineUpdateFormat {
  return resolveUpdateFormat(context.participant.packages, checkUpdateFormat(context, format));
}

function checkKnown(packages: PackageStore, filters: readonly CheckedFilter[]): void {
  const [templates, templatesById] = partition(filters.flatMap((filter) => filter.templates));
  const [interfaces, interfacesById] = partition(filters.flatMap((filter) => filter.interfaces));
  const unknown = [...templates, ...interfaces].filter(
    ({ packageName }) => packages.versionsOf(packageName).length === 0,
  );
  if (unknown.length > 0) throw packagesNotFound(unknown);
  const noTemplates = templates.filter(
    (each) => declaring(packages, each, 'templates').length === 0,
  );
  if (noTemplates.length > 0)
    throw ledgerError('NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME', {
      cause: `The following package-name/template qualified-name pairs do not reference any template-id uploaded on this participant: ${pairs(noTemplates)}.`,
    });
  const noInterfaces = interfaces.filter(
    (each) => declaring(packages, each, 'interfaces').length === 0,
  );
  if (noInterfaces.length > 0)
    throw ledgerError('NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME', {
      cause: `The following package-name/interface qualified-name pairs do not reference any interface-id uploaded on this participant: ${pairs(noInterfaces)}.`,
    });
  const unknownIds = {
    templates: undeclared(packages, templatesById, 'templates'),
    interfaces: undeclared(packages, interfacesById, 'interfaces'),
  };
  if (unknownIds.templates.length + unknownIds.interfaces.length > 0) throw notFound(unknownIds);
}

/** The types with a package's name, and those with a package's id. */
function partition(types: readonly NamedType[]) {
  const isById = ({ packageId }: NamedType) => packageId !== undefined;
  return [types.filter((each) => !isById(each)), types.filter(isById)] as const;
}

type Kind = 'templates' | 'interfaces';

function undeclared(
  packages: PackageStore,
  types: readonly NamedType[],
  kind: Kind,
): readonly string[] {
  const unknown = types.filter((each) => declaring(packages, each, kind).length === 0);
  return [...new Set(unknown.map(({ packageId, qualified }) => `${packageId}:${qualified}`))];
}

function notFound({ templates, interfaces }: Record<Kind, readonly string[]>): LedgerError {
  const sentences = (kind: string, ids: readonly string[]) =>
    ids.length > 0 ? [`${kind} do not exist: [${ids.join(', ')}].`] : [];
  return ledgerError('TEMPLATES_OR_INTERFACES_NOT_FOUND', {
    cause: [...sentences('Templates', templates), ...sentences('Interfaces', interfaces)].join(' '),
    resources: [
      ...templates.map((id) => ['TEMPLATE_ID', id] as const),
      ...interfaces.map((id) => ['INTERFACE_ID', id] as const),
    ],
  });
}

function packagesNotFound(unknown: readonly NamedType[]): LedgerError {
  const names = [...new Set(unknown.map(({ packageName }) => packageName))];
  return ledgerError('PACKAGE_NAMES_NOT_FOUND', {
    cause: `The following package names do not match upgradable packages uploaded on this participant: [${names.join(', ')}].`,
  });
}

function pairs(types: readonly NamedType[]): string {
  return `[${types.map(({ packageName, qualified }) => `(${packageName},${qualified})`).join(', ')}]`;
}

/** Ids of the packages with that name, or of the package with that id, that declare it. */
function declaring(
  packages: PackageStore,
  { packageName, qualified, packageId }: NamedType,
  kind: Kind,
): readonly string[] {
  const ids = packageId === undefined ? packages.versionsOf(packageName) : [packageId];
  return ids.filter((id) => packages.package(id)?.[kind].has(qualified));
}

/** Merges the flags of entries for the same type (B-FLT-009). */
function resolveFilter(packages: PackageStore, filter: CheckedFilter): EventFilter {
  const templates = new Map<string, { blob: boolean }>();
  for (const { packageName, qualified, blob } of filter.templates) {
    const name = `${packageName}:${qualified}`;
    templates.set(name, { blob: blob || (templates.get(name)?.blob ?? false) });
  }
  const interfaces = new Map<string, { blob: boolean; view: boolean }>();
  for (const each of filter.interfaces)
    for (const packageId of declaring(packages, each, 'interfaces')) {
      const id = `${packageId}:${each.qualified}`;
      const before = interfaces.get(id);
      interfaces.set(id, {
        blob: each.blob || (before?.blob ?? false),
        view: each.view || (before?.view ?? false),
      });
    }
  return { wildcard: filter.wildcard, templates, interfaces };
}
