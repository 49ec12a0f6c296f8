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
  { byParty, anyParty }: EventFormat,
  contract: ContractInstance,
  visibleTo: readonly Party[],
): Match | undefined {
  const found: GrowingMatch = { witnesses: [], blob: false, views: [] };
  // By index: iterators over frozen lists are objects.
  for (let i = 0; i < visibleTo.length; i++) {
    const party = visibleTo[i]!;
    const isOwn = matchFilter(packages, byParty.get(party), contract, found);
    const isAnys = matchFilter(packages, anyParty, contract, found);
    if (isOwn || isAnys) found.witnesses.push(party);
  }
  return found.witnesses.length === 0 ? undefined : found;
}

interface GrowingMatch extends Match {
  readonly witnesses: Party[];
  blob: boolean;
  readonly views: TypeId[];
}

/** Whether the contract matches; what is wanted of it then is added to what was found. */
function matchFilter(
  packages: PackageStore,
  filter: EventFilter | undefined,
  contract: ContractInstance,
  found: GrowingMatch,
): boolean {
  if (filter === undefined) return false;
  const template = templateNameOf(contract);
  const byTemplate = filter.templates.get(template);
  let isMatched = filter.wildcard !== undefined || byTemplate !== undefined;
  if (filter.wildcard?.blob === true || byTemplate?.blob === true) found.blob = true;
  // Whichever version implements the interface, contracts of all versions match (B-PSL-013).
  for (const [interfaceId, { blob, view }] of filter.interfaces) {
    if (!packages.implementersOf(interfaceId).includes(template)) continue;
    isMatched = true;
    found.blob ||= blob;
    if (view && !found.views.includes(interfaceId)) found.views.push(interfaceId);
  }
  return isMatched;
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
