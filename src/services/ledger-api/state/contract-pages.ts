/**
 * Active contracts in pages. All pages show the same offset (B-ACS-015 to B-ACS-022). The GET operation is deprecated
 * (B-LEG-015).
 */
import { ledgerError } from '../../../daml/errors/ledger-error.js';
import { callContext, loggedIn } from '../../../daml/errors/logging-context.js';
import { negativeOffset } from '../../../network/model/request-errors.js';
import type {
  GetActiveContractsPageRequest,
  JsGetActiveContractsPageResponse,
} from '../../../spec/generated/ledger.js';
import type { SomeHandlers } from '../../handler.js';
import {
  ACS_START,
  numbersOf,
  positionOf,
  type AcsPosition,
} from '../formats/continuation-token.js';
import { checkEventFormat, type ReadingContext } from '../formats/formats.js';
import {
  checkPageSize,
  readPageToken,
  writePageToken,
  type TokenBinding,
} from '../formats/page-tokens.js';
import { loggedFilters } from '../formats/format-logging.js';
import { requireActiveAt } from '../formats/requests.js';
import { resolveFormat } from '../formats/resolve-format.js';
import { activeContracts } from './state.js';

/** Canton's `default-acs-page-size` and `max-acs-page-size`. */
const ACS_PAGE_SIZE = { usual: 2000, largest: 10_000 } as const;

export const contractPages = {
  'getV2StateActive-contracts-page': (context, { body }) => page(context, body),

  'postV2StateActive-contracts-page': (context, { body }) => page(context, body),
} satisfies SomeHandlers<'ledger'>;

function page(
  context: ReadingContext,
  { eventFormat, activeAtOffset: requested, maxPageSize, pageToken }: GetActiveContractsPageRequest,
): JsGetActiveContractsPageResponse {
  const { participant } = context;
  const { log, packages } = participant;
  const checked = checkEventFormat(context, eventFormat);
  const size = checkPageSize(maxPageSize, ACS_PAGE_SIZE.usual, ACS_PAGE_SIZE.largest);
  const bound = {
    kind: 'page of active contracts',
    participantId: participant.id,
    request: [requested ?? null, eventFormat],
  } as const;
  const resumed = readToken(pageToken, bound);
  if (requested !== undefined && requested < 0) throw negativeOffset('active_at_offset', requested);
  const offset = resumed?.offset ?? (requested || log.end);
  const format = loggedIn(
    () =>
      callContext(() => ({
        filters: loggedFilters(checked),
        maxPageSize: size,
        activeAtOffset: offset || undefined,
      })),
    () => {
      const resolved = resolveFormat(packages, checked);
      requireActiveAt(log, offset);
      return resolved;
    },
  );
  const found = [];
  const from = resumed?.position ?? ACS_START;
  for (const each of activeContracts(context, format, offset, from)) {
    found.push(each);
    if (found.length > size) break;
  }
  const shown = found.slice(0, size);
  return {
    activeContracts: shown.map(({ entry }) => ({ ...entry, streamContinuationToken: '' })),
    activeAtOffset: offset,
    nextPageToken:
      found.length > size
        ? writePageToken([offset, ...numbersOf(shown.at(-1)!.position)], bound)
        : undefined,
  };
}

function readToken(
  text: string | undefined,
  bound: TokenBinding,
): { readonly offset: number; readonly position: AcsPosition } | undefined {
  const numbers = readPageToken(text, 4, bound, {
    field: 'page_token',
    broken: 'Invalid page token for GetActiveContractsPageRequest',
    refuse: invalidToken,
    checks: [
      { of: 'participant', reason: 'The page token was prepared by a different participant.' },
      { of: 'version', reason: 'The page token was prepared with different page API version.' },
      {
        of: 'request',
        reason: 'The page token was prepared with different event_format or active_at_offset.',
      },
    ],
  });
  if (numbers === undefined) return undefined;
  const [offset = 0, ...position] = numbers;
  if (offset <= 0) throw invalidToken('Invalid token contents.');
  return { offset, position: positionOf(position) };
}

function invalidToken(reason: string) {
  return ledgerError(
    'INVALID_ACS_PAGE_TOKEN',
    `The submitted command contains an invalid page token. Tokens used in ACS requests must be taken from a valid GetActiveContractsPageResponse and used with the same EventFormat settings, with the same Canton participant running the same Canton version. ${reason}`,
  );
}
