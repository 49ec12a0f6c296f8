/** The entries of a call's logging context that describe its read format (B-ERR-034). */
import { scalaOrder, textHash } from '../../../daml/errors/scala-order.js';
import type { LoggedValue } from '../../../daml/errors/logging-context.js';
import type { CheckedEventFormat, CheckedFilter, NamedType } from './formats.js';

export function loggedFilters({ byParty, anyParty }: CheckedEventFormat): LoggedValue {
  const filters = new Map(byParty);
  if (anyParty !== undefined) filters.set('anyParty', anyParty);
  const parties = scalaOrder([...filters.keys()], textHash);
  return Object.fromEntries(parties.map((party) => [party, loggedFilter(filters.get(party)!)]));
}

function loggedFilter({ templates, interfaces, wildcard }: CheckedFilter): LoggedValue {
  return {
    templates: templates.map(nameOf),
    interfaces: interfaces.map(nameOf),
    ...(wildcard && { 'all-templates, created_event_blob': wildcard.blob }),
  };
}

function nameOf({ packageId, packageName, qualified }: NamedType): string {
  return `${packageId ?? `#${packageName}`}:${qualified}`;
}
