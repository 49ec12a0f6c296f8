/**
 * Reads a live participant, in an order in which what was read can be kept: what it is, its packages, then its contracts page by page,
 * all of one offset. What the store has already is not asked for again.
 */
import { createHash } from 'node:crypto';
import type {
  ConnectedSynchronizer,
  IdentityProviderConfig,
  JsGetActiveContractsPageResponse,
  JsGetActiveContractsResponse,
  PartyDetails,
  Right,
  User,
  VettedPackages,
} from '../../spec/generated/ledger.js';
import { API_VERSIONS, type ApiVersion } from '../../spec/versions.js';
import { MAX_FORKED_CONTRACTS, type ForkOptions } from './fork-options.js';
import { readJson, writeJson, type ForkStore } from './fork-store.js';
import { ForkFailed } from './fork-failed.js';
import { ANSWERS, CONTRACT } from './live-shapes.js';
import type { LiveSide } from './live-side.js';
import { allPages, PageTokens } from './paging.js';

/** What a participant tells of itself. */
export interface LiveHead {
  readonly apiVersion: ApiVersion;
  readonly participantId: string;
  readonly offset: number;
  /** ISO 8601, of the last update, where that can be seen. */
  readonly recordTime: string | undefined;
  readonly synchronizers: readonly ConnectedSynchronizer[];
  readonly parties: readonly PartyDetails[];
  readonly users: readonly { readonly user: User; readonly rights: readonly Right[] }[];
  readonly vetted: readonly VettedPackages[];
  readonly identityProviders: readonly IdentityProviderConfig[];
  readonly packages: readonly string[];
  /** Those that it knows and has no archive of, as only a Canticle does: they are declared in TypeScript there too. */
  readonly declared?: readonly string[];
  /** What could not be read, and what follows. */
  readonly notes: readonly string[];
}

/** How far the contracts were read. */
interface Progress {
  readonly pages: number;
  readonly contracts: number;
  /** Absent once all were. */
  readonly next?: string;
}

const PAGE = 2000;
/** Packages that are asked for at once. */
const AT_ONCE = 8;

export const headName = 'head';
export const pageName = (place: number): string => `contracts/${place}`;
export const packageName = (id: string): string => `packages/${id}`;

/** Whether all of it was read already. */
export function isComplete(store: ForkStore): boolean {
  const progress = readJson<Progress>(store, 'progress');
  return progress !== undefined && progress.next === undefined;
}

/** @param known ids of packages that are here already @throws ForkFailed; what was read stays in the store */
export async function readLive(
  live: LiveSide,
  store: ForkStore,
  options: ForkOptions,
  known: ReadonlySet<string>,
): Promise<void> {
  const tell = options.onProgress ?? (() => undefined);
  let head = readJson<LiveHead>(store, headName);
  if (head === undefined) {
    head = await readHead(live, options, known, tell);
    writeJson(store, headName, head);
  } else await requireSame(live, head);
  await readPackages(live, store, head, tell);
  await readContracts(live, store, head, options, tell);
}

/** @throws ForkFailed where somebody else is there now, or where what was begun cannot be gone on with */
async function requireSame(live: LiveSide, { participantId, offset }: LiveHead): Promise<void> {
  const is = await participantIdOf(live);
  if (is !== participantId)
    throw new ForkFailed(
      `it is participant ${is}, and what was read before is of ${participantId}. Read it again (refresh, --refresh).`,
    );
  const { participantPrunedUpToInclusive: pruned = 0 } =
    (await live.ifAllowed(() =>
      live.get<{ participantPrunedUpToInclusive?: number }>(
        '/v2/state/latest-pruned-offsets',
        ANSWERS.pruned,
      ),
    )) ?? {};
  if (pruned > offset)
    throw new ForkFailed(
      `it was read at offset ${offset}, and has pruned up to ${pruned} since. Read it again (refresh, --refresh).`,
    );
}

async function participantIdOf(live: LiveSide): Promise<string> {
  const told = await live.get<{ participantId: string }>(
    '/v2/parties/participant-id',
    ANSWERS.participantId,
  );
  return told.participantId.replace(/^PAR::/, '');
}

async function readHead(
  live: LiveSide,
  { at }: ForkOptions,
  known: ReadonlySet<string>,
  tell: (line: string) => void,
): Promise<LiveHead> {
  const { version } = await live.get<{ version: string }>('/v2/version', ANSWERS.version);
  const apiVersion = API_VERSIONS.find((each) => version.startsWith(`${each}.`));
  if (apiVersion === undefined)
    throw new ForkFailed(
      `it is of release ${version}, and what can be forked is ${API_VERSIONS.join(', ')}.`,
    );
  const notes: string[] = [];
  const { offset: end } = await live.get<{ offset: number }>(
    '/v2/state/ledger-end',
    ANSWERS.ledgerEnd,
  );
  if (at !== undefined && at > end)
    throw new ForkFailed(`offset ${at} is behind its ledger end, ${end}.`);
  const offset = at ?? end;
  const participantId = await participantIdOf(live);
  const { connectedSynchronizers } = await live.get<{
    connectedSynchronizers?: readonly ConnectedSynchronizer[];
  }>('/v2/state/connected-synchronizers', ANSWERS.synchronizers);
  if (!connectedSynchronizers?.length) throw new ForkFailed('it is connected to no synchronizer.');
  tell(`a participant of release ${version}, at offset ${offset}: ${participantId}`);
  const { packageIds = [] } = await live.get<{ packageIds?: readonly string[] }>(
    '/v2/packages',
    ANSWERS.packages,
  );
  const users = await readUsers(live);
  if (users === undefined) notes.push('its users may not be listed, and are not here');
  const identityProviders = await readIdentityProviders(live);
  if (identityProviders === undefined) notes.push('its identity providers may not be listed');
  else if (identityProviders.length > 0)
    notes.push('users of its identity providers are listed nowhere, and are not here');
  const parties = await readParties(live, identityProviders ?? []);
  if (parties === undefined)
    notes.push('its parties may not be listed: those are here who have contracts');
  const vetted = await readVetted(live);
  if (vetted === undefined)
    notes.push('what it vetted may not be listed: all packages count as vetted');
  for (const note of notes) tell(note);
  return {
    apiVersion,
    participantId,
    offset,
    recordTime: await recordTimeOf(live, offset),
    synchronizers: connectedSynchronizers,
    parties: parties ?? [],
    users: users ?? [],
    vetted: vetted ?? [],
    identityProviders: identityProviders ?? [],
    packages: [...packageIds].sort(),
    declared: await readDeclared(
      live,
      [...known].filter((id) => !packageIds.includes(id)),
    ),
    notes,
  };
}

/** Pages of a list; undefined where the caller may not see it. */
function pagesOf<T>(
  live: LiveSide,
  path: string,
  list: 'parties' | 'users',
  more = '',
): Promise<T[] | undefined> {
  const member = LISTED[list];
  return live.ifAllowed(() =>
    allPages(live, path, async (token) => {
      const query = token === undefined ? '' : `&pageToken=${encodeURIComponent(token)}`;
      const asked = `${path}?pageSize=1000${query}${more}`;
      const page = await live.get<Record<string, unknown>>(asked, ANSWERS[list]);
      const items = (page[member] as readonly T[] | undefined) ?? [];
      return { items, next: page['nextPageToken'] as string | undefined };
    }),
  );
}

const LISTED = { parties: 'partyDetails', users: 'users' } as const;

async function readIdentityProviders(
  live: LiveSide,
): Promise<readonly IdentityProviderConfig[] | undefined> {
  const told = await live.ifAllowed(() =>
    live.get<{ identityProviderConfigs?: readonly IdentityProviderConfig[] }>(
      '/v2/idps',
      ANSWERS.identityProviders,
    ),
  );
  return told && (told.identityProviderConfigs ?? []);
}

/** Those of the default provider, which who may see others sees as well, and of each of the others. */
async function readParties(
  live: LiveSide,
  providers: readonly IdentityProviderConfig[],
): Promise<readonly PartyDetails[] | undefined> {
  const parties = await pagesOf<PartyDetails>(live, '/v2/parties', 'parties');
  if (parties === undefined) return undefined;
  const all = new Map(parties.map((each) => [each.party, each]));
  for (const { identityProviderId: id } of providers) {
    const more = `&identity-provider-id=${encodeURIComponent(id)}`;
    const own = await pagesOf<PartyDetails>(live, '/v2/parties', 'parties', more);
    // A provider is told of others' parties too, without what only theirs may know.
    for (const each of own ?? [])
      if (each.identityProviderId === id || !all.has(each.party)) all.set(each.party, each);
  }
  return [...all.values()];
}

async function readUsers(live: LiveSide): Promise<LiveHead['users'] | undefined> {
  const users = await pagesOf<User>(live, '/v2/users', 'users');
  if (users === undefined) return undefined;
  const all: { user: User; rights: readonly Right[] }[] = [];
  for (const user of users) {
    const path = `/v2/users/${encodeURIComponent(user.id)}/rights`;
    const told = await live.ifAllowed(() =>
      live.get<{ rights?: readonly Right[] }>(path, ANSWERS.rights),
    );
    all.push({ user, rights: told?.rights ?? [] });
  }
  return all;
}

async function readVetted(live: LiveSide): Promise<readonly VettedPackages[] | undefined> {
  const path = '/v2/package-vetting/list';
  return live.ifAllowed(() =>
    allPages(live, path, async (pageToken) => {
      const body = { pageSize: 100, ...(pageToken && { pageToken }) };
      const { vettedPackages = [], nextPageToken: next } = await live.post<{
        vettedPackages?: readonly VettedPackages[];
        nextPageToken?: string;
      }>(path, ANSWERS.vetted, body);
      return { items: vettedPackages, next };
    }),
  );
}

/** Of the last update, where that is one that the caller sees. */
async function recordTimeOf(live: LiveSide, offset: number): Promise<string | undefined> {
  if (offset === 0) return undefined;
  const eventFormat = { filtersByParty: {}, filtersForAnyParty: WILDCARD, verbose: false };
  const transactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' };
  const updateFormat = {
    includeTransactions: transactions,
    includeReassignments: eventFormat,
    includeTopologyEvents: { includeParticipantAuthorizationEvents: {} },
  };
  try {
    const { update } = await live.post<{
      update: Record<string, { value: { recordTime?: string } }>;
    }>('/v2/updates/update-by-offset', ANSWERS.update, { offset, updateFormat });
    return Object.values(update)[0]?.value.recordTime;
  } catch (error) {
    if (error instanceof ForkFailed && error.status !== undefined) return undefined;
    throw error;
  }
}

const WILDCARD = {
  cumulative: [
    { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: true } } } },
  ],
};

async function readDeclared(live: LiveSide, ids: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  await together(ids, async (id) => {
    const path = `/v2/packages/${id}/status`;
    const answer = await live.get<{ packageStatus?: string }>(path, ANSWERS.packageStatus);
    if (answer.packageStatus === 'PACKAGE_STATUS_REGISTERED') found.push(id);
  });
  return found.sort();
}

/** For each, so many at once. */
async function together(all: readonly string[], ask: (one: string) => Promise<void>) {
  const left = [...all];
  const next = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await ask(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function readPackages(
  live: LiveSide,
  store: ForkStore,
  { packages }: LiveHead,
  tell: (line: string) => void,
): Promise<void> {
  const wanted = packages.filter((id) => store.read(packageName(id)) === undefined);
  await together(wanted, async (id) => {
    const bytes = await live.bytes(`/v2/packages/${id}`);
    if (createHash('sha256').update(bytes).digest('hex') !== id)
      throw new ForkFailed(`package ${id} is not what its id says.`);
    store.write(packageName(id), bytes);
  });
  tell(`${packages.length} packages, ${wanted.length} of them read`);
}

async function readContracts(
  live: LiveSide,
  store: ForkStore,
  { offset, apiVersion }: LiveHead,
  { parties, maxContracts = MAX_FORKED_CONTRACTS }: ForkOptions,
  tell: (line: string) => void,
): Promise<void> {
  let progress = readJson<Progress>(store, 'progress') ?? { pages: 0, contracts: 0, next: '' };
  const most = (contracts: number): void => {
    if (contracts > maxContracts)
      throw new ForkFailed(
        `it has more than ${maxContracts} active contracts (maxContracts). Say whose are wanted: parties, --party.`,
      );
  };
  const filters =
    parties === undefined
      ? { filtersByParty: {}, filtersForAnyParty: WILDCARD }
      : { filtersByParty: Object.fromEntries(parties.map((party) => [party, WILDCARD])) };
  if (apiVersion === '3.4' && offset > 0) {
    if (progress.next === undefined) return;
    const request = { eventFormat: { ...filters, verbose: false }, activeAtOffset: offset };
    progress = await streamed(live, store, request, most, tell);
    return writeJson(store, 'progress', progress);
  }
  const path = '/v2/state/active-contracts-page';
  const tokens = new PageTokens(path, progress.pages);
  while (progress.next !== undefined && offset > 0) {
    const { activeContracts = [], nextPageToken } = await live.post<
      Partial<JsGetActiveContractsPageResponse>
    >(path, ANSWERS.contracts, {
      eventFormat: { ...filters, verbose: false },
      activeAtOffset: offset,
      maxPageSize: PAGE,
      ...(progress.next !== '' && { pageToken: progress.next }),
    });
    const next = tokens.next(nextPageToken);
    const contracts = progress.contracts + activeContracts.length;
    most(contracts);
    writeJson(store, pageName(progress.pages), activeContracts);
    progress = {
      pages: progress.pages + 1,
      contracts,
      ...(next !== undefined && { next }),
    };
    writeJson(store, 'progress', progress);
    tell(`${contracts} contracts`);
  }
  if (offset === 0) writeJson(store, 'progress', { pages: 0, contracts: 0 });
}

/** Of a release that has no pages: what it sends breaks off or comes whole, and is then begun anew. */
async function streamed(
  live: LiveSide,
  store: ForkStore,
  request: object,
  most: (contracts: number) => void,
  tell: (line: string) => void,
): Promise<Progress> {
  let [pages, contracts] = [0, 0];
  let page: JsGetActiveContractsResponse[] = [];
  const turn = (): void => {
    writeJson(store, pageName(pages), page);
    [pages, page] = [pages + 1, []];
    tell(`${contracts} contracts`);
  };
  const path = '/v2/state/active-contracts';
  await live.stream<JsGetActiveContractsResponse>(path, CONTRACT, request, (message) => {
    most((contracts += 1));
    page.push(message);
    if (page.length === PAGE) turn();
  });
  turn();
  return { pages, contracts };
}

/** How many pages of contracts there are. */
export const pagesIn = (store: ForkStore): number =>
  readJson<Progress>(store, 'progress')?.pages ?? 0;
