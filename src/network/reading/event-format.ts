/** Read filters: the events of a request, and the data to compute for each (B-FLT-*). */
import { scalaOrder, textHash } from '../../daml/errors/scala-order.js';
import { namedParties } from '../../daml/model/parties.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { TypeId } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import { templateNameOf, type AcsKey, type TemplateName } from '../ledger/active-contracts.js';
import type { PackageStore } from '../packages/package-store.js';

/** The filter of one party, or of any party. A contract matches if one entry matches. */
export interface EventFilter {
  /** Matches all templates. */
  readonly wildcard: { readonly blob: boolean } | undefined;
  /** By `<package name>:<Module>:<Entity>`. */
  readonly templates: ReadonlyMap<TemplateName, { readonly blob: boolean }>;
  /** By interface id, in the order of the request. */
  readonly interfaces: ReadonlyMap<TypeId, { readonly blob: boolean; readonly view: boolean }>;
}

export interface EventFormat {
  readonly byParty: ReadonlyMap<Party, EventFilter>;
  readonly anyParty: EventFilter | undefined;
  /** All parties of the request, in the order of witnesses; undefined if it is for any party's events. */
  readonly witnesses: readonly Party[] | undefined;
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
  /** Parties whose hosting is reported; an empty list means all. */
  readonly topology: { readonly parties: readonly Party[] } | undefined;
}

/** How a contract's event is shown to the readers that it matches. */
export interface Match {
  /** Requested parties that see the event, even if another party's filter matched. */
  readonly witnesses: readonly Party[];
  readonly blob: boolean;
  /** Interfaces whose view is requested, in the order of the request. */
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
    witnesses: namedParties(parties),
    verbose: true,
  };
}

/** Parties whose events the format can show; undefined for any party's. */
export function partiesOf(format: EventFormat): readonly Party[] | undefined {
  return format.anyParty === undefined ? [...format.byParty.keys()] : undefined;
}

/**
 * The order of an event's witnesses in a participant's in-memory buffer: first the parties with a wildcard, then those
 * of each template in turn.
 */
export function witnessOrder(
  packages: PackageStore,
  byParty: EventFormat['byParty'],
): readonly Party[] {
  const parties = namedParties([...byParty.keys()]);
  const wanting = new Map<TemplateName, Party[]>();
  for (const party of parties)
    for (const template of templatesOf(packages, byParty.get(party)!)) {
      const others = wanting.get(template);
      if (others === undefined) wanting.set(template, [party]);
      else others.push(party);
    }
  const ofEvery = parties.filter((party) => byParty.get(party)!.wildcard !== undefined);
  return namedParties([...ofEvery, ...[...wanting.values()].flat(), ...parties]);
}

/**
 * Whether the contract's event is shown, to which parties and with which data.
 * @param visibleTo the parties that may see the event, sorted
 * @param isStored whether it is read from storage: then the witnesses are sorted
 */
export function matchContract(
  packages: PackageStore,
  { byParty, anyParty, witnesses }: EventFormat,
  contract: ContractInstance,
  visibleTo: readonly Party[],
  isStored = false,
): Match | undefined {
  const found: GrowingMatch = { witnesses: NOBODY, blob: false, views: [] };
  let isMatched = false;
  // A loop by index, because iterators over frozen lists allocate objects.
  for (let i = 0; i < visibleTo.length; i++) {
    const party = visibleTo[i]!;
    const isOwn = matchFilter(packages, byParty.get(party), contract, found);
    const isAnys = matchFilter(packages, anyParty, contract, found);
    isMatched ||= isOwn || isAnys;
  }
  if (!isMatched) return undefined;
  if (witnesses === undefined) found.witnesses = scalaOrder(visibleTo, textHash);
  else if (isStored) found.witnesses = scalaOrder(onlyThese(visibleTo, witnesses), textHash);
  else found.witnesses = onlyThese(witnesses, visibleTo);
  return found;
}

/** The parties of the first list that are also in the second. */
function onlyThese(some: readonly Party[], others: readonly Party[]): readonly Party[] {
  const these: Party[] = [];
  for (let i = 0; i < some.length; i++) if (others.includes(some[i]!)) these.push(some[i]!);
  return these;
}

const NOBODY: readonly Party[] = [];

interface GrowingMatch extends Match {
  witnesses: readonly Party[];
  blob: boolean;
  readonly views: TypeId[];
}

/** Whether the contract matches. If so, it adds the requested data to the result. */
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
  // If any version implements the interface, contracts of all versions match (B-PSL-013).
  for (const [interfaceId, { blob, view }] of filter.interfaces) {
    if (!packages.implementersOf(interfaceId).includes(template)) continue;
    isMatched = true;
    found.blob ||= blob;
    if (view && !found.views.includes(interfaceId)) found.views.push(interfaceId);
  }
  return isMatched;
}

/** The keys in the active contract set that the format can match. */
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
