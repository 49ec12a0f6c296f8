/** Read filters: which events a reader asked for, and what to compute for each (B-FLT-*). */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { TypeId } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import { templateNameOf, type AcsKey, type TemplateName } from '../ledger/active-contracts.js';
import type { PackageStore } from '../packages/package-store.js';

/** What one party (or any) wants. Entries are united: a contract that matches one of them matches. */
export interface EventFilter {
  /** Everything matches. */
  readonly wildcard: { readonly blob: boolean } | undefined;
  /** By `<package name>:<Module>:<Entity>`. */
  readonly templates: ReadonlyMap<TemplateName, { readonly blob: boolean }>;
  /** By interface id, in the order of the request. */
  readonly interfaces: ReadonlyMap<TypeId, { readonly blob: boolean; readonly view: boolean }>;
}

export interface EventFormat {
  readonly byParty: ReadonlyMap<Party, EventFilter>;
  readonly anyParty: EventFilter | undefined;
  readonly verbose: boolean;
}

export type TransactionShape = 'ACS_DELTA' | 'LEDGER_EFFECTS';

export interface TransactionFormat {
  readonly eventFormat: EventFormat;
  readonly shape: TransactionShape;
}

export interface UpdateFormat {
  readonly transactions: TransactionFormat | undefined;
  readonly reassignments: EventFormat | undefined;
  /** Parties whose hosting is reported; none named means all. */
  readonly topology: { readonly parties: readonly Party[] } | undefined;
}

/** How one contract's event is shown to the readers that it matched for. */
export interface Match {
  /** Requested parties that see it, sorted. */
  readonly witnesses: readonly Party[];
  readonly blob: boolean;
  /** Interfaces whose view was asked for, in the order of the request. */
  readonly views: readonly TypeId[];
}

export const WILDCARD: EventFilter = {
  wildcard: { blob: false },
  templates: new Map(),
  interfaces: new Map(),
};

export function wildcardFor(parties: readonly Party[]): EventFormat {
  return {
    byParty: new Map(parties.map((party) => [party, WILDCARD])),
    anyParty: undefined,
    verbose: true,
  };
}

/** Parties whose events the format can show; undefined where it asks for any party's. */
export function partiesOf(format: EventFormat): readonly Party[] | undefined {
  return format.anyParty === undefined ? [...format.byParty.keys()] : undefined;
}

/**
 * Whether the contract's event is shown, to whom and with what.
 * @param visibleTo the parties that may see the event
 */
export function matchContract(
  packages: PackageStore,
  format: EventFormat,
  contract: ContractInstance,
  visibleTo: readonly Party[],
): Match | undefined {
  const witnesses: Party[] = [];
  const requests: EventFilterMatch[] = [];
  for (const party of visibleTo) {
    const own = format.byParty.get(party);
    const matched = [own, format.anyParty]
      .map((filter) => filter && matchFilter(packages, filter, contract))
      .filter((match) => match !== undefined);
    if (matched.length === 0) continue;
    witnesses.push(party);
    requests.push(...matched);
  }
  if (witnesses.length === 0) return undefined;
  const wanted = new Set(requests.flatMap(({ views }) => views));
  return { witnesses, blob: requests.some(({ blob }) => blob), views: [...wanted] };
}

interface EventFilterMatch {
  readonly blob: boolean;
  readonly views: readonly TypeId[];
}

function matchFilter(
  packages: PackageStore,
  filter: EventFilter,
  contract: ContractInstance,
): EventFilterMatch | undefined {
  const byTemplate = filter.templates.get(templateNameOf(contract));
  const matched: { blob: boolean; view?: boolean; interfaceId?: TypeId }[] = [];
  if (filter.wildcard) matched.push(filter.wildcard);
  if (byTemplate) matched.push(byTemplate);
  // Whichever version implements the interface, contracts of all versions match (B-PSL-013).
  for (const [interfaceId, wants] of filter.interfaces)
    if (packages.implementersOf(interfaceId).includes(templateNameOf(contract)))
      matched.push({ ...wants, interfaceId });
  if (matched.length === 0) return undefined;
  return {
    blob: matched.some(({ blob }) => blob),
    views: matched.filter(({ view }) => view).map(({ interfaceId }) => interfaceId!),
  };
}

/** Where to look in the active contract set for what the format can match. */
export function acsKeys(packages: PackageStore, format: EventFormat): readonly AcsKey[] {
  const keyOf = (party: Party | undefined, filter: EventFilter): AcsKey => ({
    party,
    templates: filter.wildcard ? undefined : templatesOf(packages, filter),
  });
  const keys = [...format.byParty].map(([party, filter]) => keyOf(party, filter));
  if (format.anyParty) keys.push(keyOf(undefined, format.anyParty));
  return keys;
}

function templatesOf(packages: PackageStore, filter: EventFilter): readonly TemplateName[] {
  const names = new Set(filter.templates.keys());
  for (const interfaceId of filter.interfaces.keys())
    for (const name of packages.implementersOf(interfaceId)) names.add(name);
  return [...names];
}
