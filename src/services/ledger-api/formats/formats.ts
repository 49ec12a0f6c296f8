/**
 * Checks the read formats of requests (B-FLT-*), including the legacy forms (B-LEG-*). {@link resolveFormat} resolves
 * package names later, because the real service does it after all validation.
 */
import {
  parseTypeReference,
  partyError,
  requireArgument,
} from '../../../daml/model/identifiers.js';
import {
  invalidArgument,
  invalidField,
  missingField,
} from '../../../network/model/request-errors.js';
import type {
  CumulativeFilter,
  EventFormat,
  Filters,
  TransactionFilter,
  TransactionFormat,
  UpdateFormat,
} from '../../../spec/generated/ledger.js';
import { releaseOf } from '../../../spec/versions.js';
import type { LedgerContext } from '../../handler.js';
import { inJsonLayer } from './requests.js';

/** A template or interface as a filter names it: in all versions of the package. */
export interface NamedType {
  /** Empty if the id names an unknown package. */
  readonly packageName: string;
  /** `Module:Entity`. */
  readonly qualified: string;
  /** Present if the filter names the package by its id. */
  readonly packageId?: string;
}

/** The context of the caller. */
export type FormatContext = Pick<LedgerContext, 'participant' | 'apiVersion'>;

/** The context of a reader that sees the contents of the format. */
export type ReadingContext = FormatContext & Pick<LedgerContext, 'values' | 'origin'>;

/** A valid filter. Its names are not resolved yet. */
export interface CheckedFilter {
  readonly wildcard: { readonly blob: boolean } | undefined;
  readonly templates: readonly (NamedType & { readonly blob: boolean })[];
  readonly interfaces: readonly (NamedType & { readonly blob: boolean; readonly view: boolean })[];
}

export interface CheckedEventFormat {
  readonly byParty: ReadonlyMap<string, CheckedFilter>;
  readonly anyParty: CheckedFilter | undefined;
  readonly verbose: boolean;
}

export interface CheckedUpdateFormat {
  readonly transactions:
    | { readonly eventFormat: CheckedEventFormat; readonly shape: 'ACS_DELTA' | 'LEDGER_EFFECTS' }
    | undefined;
  readonly reassignments: CheckedEventFormat | undefined;
  readonly topology: { readonly parties: readonly string[] } | undefined;
}

const checkParty = (party: string): string => requireArgument(partyError, party);

export function checkEventFormat(
  context: FormatContext,
  format: EventFormat | undefined,
): CheckedEventFormat {
  if (!format) throw missingField('event_format');
  const { filtersByParty, filtersForAnyParty, verbose } = format;
  const byParty = Object.entries(filtersByParty ?? {});
  if (byParty.length === 0 && !filtersForAnyParty)
    throw invalidArgument('filtersByParty and filtersForAnyParty cannot be empty simultaneously');
  return {
    byParty: new Map(
      byParty.map(([party, filters]) => [checkParty(party), checkFilters(context, filters)]),
    ),
    anyParty: filtersForAnyParty ? checkFilters(context, filtersForAnyParty) : undefined,
    verbose: verbose ?? false,
  };
}

export function checkTransactionFormat(
  context: FormatContext,
  { transactionShape, eventFormat }: TransactionFormat,
) {
  switch (transactionShape) {
    case 'TRANSACTION_SHAPE_ACS_DELTA':
      return { shape: 'ACS_DELTA', eventFormat: checkEventFormat(context, eventFormat) } as const;
    case 'TRANSACTION_SHAPE_LEDGER_EFFECTS':
      return {
        shape: 'LEDGER_EFFECTS',
        eventFormat: checkEventFormat(context, eventFormat),
      } as const;
    case 'TRANSACTION_SHAPE_UNSPECIFIED':
      throw missingField('transaction_shape');
    default:
      // The error includes a number that the enumeration does not have, but not a text.
      throw invalidArgument(
        `transaction_shape is defined with invalid value ${/^-?\d+$/.test(transactionShape) ? transactionShape : -1}`,
      );
  }
}

export function checkUpdateFormat(
  context: FormatContext,
  format: UpdateFormat | undefined,
): CheckedUpdateFormat {
  if (!format) throw missingField('update_format');
  const { includeTransactions, includeReassignments, includeTopologyEvents } = format;
  return {
    transactions: includeTransactions
      ? checkTransactionFormat(context, includeTransactions)
      : undefined,
    reassignments: includeReassignments
      ? checkEventFormat(context, includeReassignments)
      : undefined,
    topology: checkTopology(includeTopologyEvents?.includeParticipantAuthorizationEvents?.parties),
  };
}

function checkTopology(parties: readonly string[] | undefined): CheckedUpdateFormat['topology'] {
  if (parties === undefined) return undefined;
  for (const party of parties) {
    const error = partyError(party);
    if (error !== undefined) throw invalidField('parties', error);
  }
  return { parties };
}

interface LegacyForm<F> {
  readonly filter?: TransactionFilter;
  readonly verbose?: boolean;
  readonly format?: F;
}

/** @throws LedgerError if requests may not have `filter` and `verbose` */
export type RequireLegacy = () => void;

/** Takes either the current member or the legacy pair, never both (B-LEG-002, B-LEG-004). */
function eitherForm<F>(
  name: string,
  { filter, verbose, format }: LegacyForm<F>,
  requireLegacy?: RequireLegacy,
): { format: F } | { legacy: EventFormat } {
  return inJsonLayer(() => {
    const either = `Please use either backwards compatible arguments (filter and verbose) or ${name}`;
    if (format && filter)
      throw invalidArgument(`Both ${name} and filter are set. ${either}, but not both.`);
    if (format && verbose)
      throw invalidArgument(`Both ${name} and verbose are set. ${either}, but not both.`);
    if (format) return { format };
    if (!filter) throw invalidArgument(`Either filter/verbose or ${name} is required. ${either}.`);
    requireLegacy?.();
    return { legacy: { ...filter, verbose: verbose ?? false } };
  });
}

interface LegacyRequest {
  readonly filter?: TransactionFilter;
  readonly verbose?: boolean;
}

/** The request with only the current member. */
export function currentContracts<R extends LegacyRequest & { eventFormat?: EventFormat }>(
  { filter, verbose, ...request }: R,
  requireLegacy?: RequireLegacy,
): Omit<R, keyof LegacyRequest> {
  const given = { filter, verbose, format: request.eventFormat };
  const form = eitherForm('event_format', given, requireLegacy);
  return { ...request, eventFormat: 'format' in form ? form.format : form.legacy };
}

type UpdatesRequest = LegacyRequest & { updateFormat?: UpdateFormat };

/** Like {@link currentContracts}, for updates. @param formatOf the meaning of the older members */
export function currentUpdates<R extends UpdatesRequest>(
  request: R,
  formatOf = updateFormatOf,
  requireLegacy?: RequireLegacy,
): Omit<R, keyof LegacyRequest> {
  const { filter: _filter, verbose: _verbose, ...rest } = request;
  return { ...rest, updateFormat: formatOf(request, requireLegacy) };
}

/** The legacy form of updates means ACS_DELTA transactions, and reassignments (B-LEG-005). */
export function updateFormatOf(
  request: UpdatesRequest,
  requireLegacy?: RequireLegacy,
): UpdateFormat {
  const given = { ...request, format: request.updateFormat };
  const form = eitherForm('update_format', given, requireLegacy);
  if ('format' in form) return form.format;
  const { legacy: eventFormat } = form;
  return {
    includeTransactions: { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
    includeReassignments: eventFormat,
  };
}

/** For trees, the format is LEDGER_EFFECTS, and includes all nodes in addition to those of the filter (B-LEG-006). */
export function treeFormatOf(request: UpdatesRequest): UpdateFormat {
  const form = eitherForm('update_format', { ...request, format: request.updateFormat });
  if ('format' in form) return form.format;
  const { filtersByParty, filtersForAnyParty, verbose } = form.legacy;
  const byParty = Object.entries(filtersByParty ?? {});
  const eventFormat = {
    filtersByParty: Object.fromEntries(
      byParty.map(([party, filters]) => [party, withWildcard(filters)]),
    ),
    filtersForAnyParty: filtersForAnyParty && withWildcard(filtersForAnyParty),
    verbose,
  };
  return {
    includeTransactions: { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' },
    includeReassignments: eventFormat,
  };
}

function withWildcard({ cumulative = [] }: Filters): Filters {
  const hasWildcard = cumulative.some(
    ({ identifierFilter }) =>
      identifierFilter !== undefined && 'WildcardFilter' in identifierFilter,
  );
  const wildcard = { WildcardFilter: { value: { includeCreatedEventBlob: false } } };
  return { cumulative: hasWildcard ? cumulative : [...cumulative, { identifierFilter: wildcard }] };
}

/** No entry, or only empty ones, is a wildcard; several wildcards are one (B-FLT-002, B-FLT-007, B-FLT-008). */
function checkFilters(context: FormatContext, filters: Filters): CheckedFilter {
  const templates: CheckedFilter['templates'][number][] = [];
  const interfaces: CheckedFilter['interfaces'][number][] = [];
  const entries = (filters.cumulative ?? []).filter(isSet);
  let wildcard: CheckedFilter['wildcard'] = entries.length === 0 ? { blob: false } : undefined;
  for (const { identifierFilter } of entries) {
    const filter = identifierFilter!;
    if ('WildcardFilter' in filter) {
      const blob = filter.WildcardFilter.value.includeCreatedEventBlob ?? false;
      wildcard = { blob: blob || (wildcard?.blob ?? false) };
    } else if ('TemplateFilter' in filter) {
      const { templateId, includeCreatedEventBlob } = filter.TemplateFilter.value;
      templates.push({
        ...checkName(context, templateId, 'templateId'),
        blob: includeCreatedEventBlob ?? false,
      });
    } else if ('InterfaceFilter' in filter) {
      const { interfaceId, includeCreatedEventBlob, includeInterfaceView } =
        filter.InterfaceFilter.value;
      interfaces.push({
        ...checkName(context, interfaceId, 'interfaceId'),
        blob: includeCreatedEventBlob ?? false,
        view: includeInterfaceView ?? false,
      });
    }
  }
  return { wildcard, templates, interfaces };
}

function isSet({ identifierFilter }: CumulativeFilter): boolean {
  return !!identifierFilter && !('Empty' in identifierFilter);
}

function checkName(
  { participant, apiVersion }: FormatContext,
  reference: string | undefined,
  field: string,
): NamedType {
  if (!reference) throw missingField(field);
  const { packageReference, module, entity } = parseTypeReference(reference);
  const qualified = `${module}:${entity}`;
  if (packageReference.startsWith('#'))
    return { packageName: packageReference.slice(1), qualified };
  if (!releaseOf(apiVersion).filtersByPackageId)
    throw invalidField(
      'packageId',
      `Received an identifier with package ID ${packageReference}, but expected a package name.`,
    );
  const packageName = participant.packages.package(packageReference)?.name ?? '';
  return { packageName, qualified, packageId: packageReference };
}
