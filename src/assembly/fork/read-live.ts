/**
 * Reads a live participant in an order that allows an interrupted fork to continue: its basic facts, its packages, then its contracts
 * page by page, all at one offset. It does not request data that the store already has.
 */
import { createHash } from 'node:crypto';
import type {
  ConnectedSynchronizer,
  IdentityProviderConfig,
  JsGetActiveContractsResponse,
  PartyDetails,
  Right,
  User,
  VettedPackages,
} from '../../spec/generated/ledger.js';
import { servedOperations } from '../../spec/operations.js';
import { API_VERSIONS, type ApiVersion } from '../../spec/versions.js';
import { read } from '../../client/requests.js';
import { OPERATIONS } from '../../client/operations.js';
import { allPages, eachPage, type Page } from '../../client/paging.js';
import { participantIdOf, releaseOf, synchronizersOf } from '../../client/verbs.js';
import { MAX_FORKED_CONTRACTS, type ForkOptions } from './fork-options.js';
import { readJson, writeJson, type ForkStore } from './fork-store.js';
import { ForkFailed } from './fork-failed.js';
import type { LiveSide } from './live-side.js';

/** The basic facts of a participant. */
export interface LiveHead {
  readonly apiVersion: ApiVersion;
  readonly participantId: string;
  readonly offset: number;
  /** Record time of the last update, in ISO 8601, if the caller sees that update. */
  readonly recordTime: string | undefined;
  readonly synchronizers: readonly ConnectedSynchronizer[];
  readonly parties: readonly PartyDetails[];
  readonly users: readonly { readonly user: User; readonly rights: readonly Right[] }[];
  readonly vetted: readonly VettedPackages[];
  readonly identityProviders: readonly IdentityProviderConfig[];
  readonly packages: readonly string[];
  /** Packages that it knows without an archive: only a Canticle has these, from TypeScript. */
  readonly declared?: readonly string[];
  /** Data that could not be read, and the consequences. */
  readonly notes: readonly string[];
}

/** The progress of reading contracts. */
interface Progress {
  readonly pages: number;
  readonly contracts: number;
  /** Undefined after the last page. */
  readonly next?: string;
}

const PAGE = 2000;
/** Number of packages to request concurrently. */
const AT_ONCE = 8;

export const headName = 'head';
export const pageName = (place: number): string => `contracts/${place}`;
export const packageName = (id: string): string => `packages/${id}`;

/** Whether all data was already read. */
export function isComplete(store: ForkStore): boolean {
  const progress = readJson<Progress>(store, 'progress');
  return progress !== undefined && progress.next === undefined;
}

/** @param known ids of packages that are already available @throws ForkFailed; the store keeps the data read so far */
export async function readLive(
  live: LiveSide,
  store: ForkStore,
  options: ForkOptions,
  known: ReadonlySet<string>,
): Promise<void> {
  const report = options.onProgress ?? (() => undefined);
  let head = readJson<LiveHead>(store, headName);
  if (head === undefined) {
    head = await readHead(live, options, known, report);
    writeJson(store, headName, head);
  } else await requireSame(live, head);
  await readPackages(live, store, head, report);
  await readContracts(live, store, head, options, report);
}

/** @throws ForkFailed if another participant has the URL, or pruning prevents a continuation */
async function requireSame(live: LiveSide, { participantId, offset }: LiveHead): Promise<void> {
  const is = await live.run(participantIdOf());
  if (is !== participantId)
    throw new ForkFailed(
      `it is participant ${is}, but the stored data belongs to ${participantId}. Read it again (refresh, --refresh).`,
    );
  const { participantPrunedUpToInclusive: pruned = 0 } =
    (await live.ifAllowed(
      read<{ participantPrunedUpToInclusive?: number }>(OPERATIONS.prunedOffsets),
    )) ?? {};
  if (pruned > offset)
    throw new ForkFailed(
      `the stored data is from offset ${offset}, but the participant has pruned up to ${pruned} since. Read it again (refresh, --refresh).`,
    );
}

async function readHead(
  live: LiveSide,
  { at }: ForkOptions,
  known: ReadonlySet<string>,
  report: (line: string) => void,
): Promise<LiveHead> {
  const { version, apiVersion } = await live.run(releaseOf());
  if (apiVersion === undefined)
    throw new ForkFailed(
      `its release is ${version}, but Canticle can fork only ${API_VERSIONS.join(', ')}.`,
    );
  const notes: string[] = [];
  const { offset: end } = await live.get<{ offset: number }>(OPERATIONS.ledgerEnd);
  if (at !== undefined && at > end)
    throw new ForkFailed(`offset ${at} (at, --at) is after its ledger end ${end}.`);
  const offset = at ?? end;
  const participantId = await live.run(participantIdOf());
  const synchronizers = await live.run(synchronizersOf());
  if (synchronizers.length === 0) throw new ForkFailed('it is not connected to a synchronizer.');
  report(`a participant of release ${version}, at offset ${offset}: ${participantId}`);
  const { packageIds = [] } = await live.get<{ packageIds?: readonly string[] }>(
    OPERATIONS.packages,
  );
  const users = await readUsers(live);
  if (users === undefined)
    notes.push('the token may not list its users: the fork has none of them');
  const identityProviders = await readIdentityProviders(live);
  if (identityProviders === undefined) notes.push('the token may not list its identity providers');
  else if (identityProviders.length > 0)
    notes.push('no operation lists the users of its identity providers: the fork has none of them');
  const parties = await readParties(live, identityProviders ?? []);
  if (parties === undefined)
    notes.push('the token may not list its parties: the fork has only those with contracts');
  const vetted = await live.ifAllowed(
    allPages<VettedPackages>(OPERATIONS.vettedPackages, { body: { pageSize: 100 } }),
  );
  if (vetted === undefined)
    notes.push('the token may not list its vetted packages: all packages count as vetted');
  for (const note of notes) report(note);
  return {
    apiVersion,
    participantId,
    offset,
    recordTime: await recordTimeOf(live, offset),
    synchronizers,
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

const QUERY = { pageSize: 1000 };

async function readIdentityProviders(
  live: LiveSide,
): Promise<readonly IdentityProviderConfig[] | undefined> {
  const answer = await live.ifAllowed(
    read<{ identityProviderConfigs?: readonly IdentityProviderConfig[] }>(
      OPERATIONS.identityProviders,
    ),
  );
  return answer && (answer.identityProviderConfigs ?? []);
}

/** The parties of the default provider, and of each other provider. An authorized caller also sees parties of other providers. */
async function readParties(
  live: LiveSide,
  providers: readonly IdentityProviderConfig[],
): Promise<readonly PartyDetails[] | undefined> {
  const listed = (query: object = {}) =>
    allPages<PartyDetails>(OPERATIONS.parties, { query: { ...QUERY, ...query } });
  const parties = await live.ifAllowed(listed());
  if (parties === undefined) return undefined;
  const all = new Map(parties.map((each) => [each.party, each]));
  for (const { identityProviderId: id } of providers) {
    const own = await live.ifAllowed(listed({ 'identity-provider-id': id }));
    // The list of a provider also has parties of others, without their local data.
    for (const each of own ?? [])
      if (each.identityProviderId === id || !all.has(each.party)) all.set(each.party, each);
  }
  return [...all.values()];
}

async function readUsers(live: LiveSide): Promise<LiveHead['users'] | undefined> {
  const users = await live.ifAllowed(allPages<User>(OPERATIONS.users, { query: QUERY }));
  if (users === undefined) return undefined;
  const all: { user: User; rights: readonly Right[] }[] = [];
  for (const user of users) {
    const answer = await live.ifAllowed(
      read<{ rights?: readonly Right[] }>(OPERATIONS.rights, { id: user.id }),
    );
    all.push({ user, rights: answer?.rights ?? [] });
  }
  return all;
}

/** Record time of the last update, if the caller sees it. */
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
    const { update } = await live.get<{
      update: Record<string, { value: { recordTime?: string } }>;
    }>(OPERATIONS.updateAt, { body: { offset, updateFormat } });
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
    const answer = await live.get<{ packageStatus?: string }>(OPERATIONS.packageStatus, { id });
    if (answer.packageStatus === 'PACKAGE_STATUS_REGISTERED') found.push(id);
  });
  return found.sort();
}

/** Runs a request for each item, with at most {@link AT_ONCE} at the same time. */
async function together(all: readonly string[], task: (one: string) => Promise<void>) {
  const left = [...all];
  const next = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await task(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function readPackages(
  live: LiveSide,
  store: ForkStore,
  { packages }: LiveHead,
  report: (line: string) => void,
): Promise<void> {
  const wanted = packages.filter((id) => store.read(packageName(id)) === undefined);
  await together(wanted, async (id) => {
    const bytes = await live.bytes(OPERATIONS.package, { id });
    if (createHash('sha256').update(bytes).digest('hex') !== id)
      throw new ForkFailed(`the hash of package ${id} differs from its id.`);
    store.write(packageName(id), bytes);
  });
  report(`${packages.length} packages, ${wanted.length} of them read`);
}

/** Whether the release returns active contracts in pages. */
const hasPages = (version: ApiVersion): boolean =>
  servedOperations('ledger', version).some(
    ({ operationId }) => operationId === 'postV2StateActive-contracts-page',
  );

async function readContracts(
  live: LiveSide,
  store: ForkStore,
  { offset, apiVersion }: LiveHead,
  { parties, maxContracts = MAX_FORKED_CONTRACTS }: ForkOptions,
  report: (line: string) => void,
): Promise<void> {
  let progress = readJson<Progress>(store, 'progress') ?? { pages: 0, contracts: 0, next: '' };
  const most = (contracts: number): void => {
    if (contracts > maxContracts)
      throw new ForkFailed(
        `it has more than ${maxContracts} active contracts (maxContracts). Read only those of some parties (parties, --party).`,
      );
  };
  const filters =
    parties === undefined
      ? { filtersByParty: {}, filtersForAnyParty: WILDCARD }
      : { filtersByParty: Object.fromEntries(parties.map((party) => [party, WILDCARD])) };
  if (!hasPages(apiVersion) && offset > 0) {
    if (progress.next === undefined) return;
    const request = { eventFormat: { ...filters, verbose: false }, activeAtOffset: offset };
    progress = await streamed(live, store, request, most, report);
    return writeJson(store, 'progress', progress);
  }
  if (progress.next !== undefined && offset > 0) {
    const body = {
      eventFormat: { ...filters, verbose: false },
      ...{ activeAtOffset: offset, maxPageSize: PAGE },
    };
    const take = ({ items, next }: Page): void => {
      const contracts = progress.contracts + items.length;
      most(contracts);
      writeJson(store, pageName(progress.pages), items);
      progress = { pages: progress.pages + 1, contracts, ...(next !== undefined && { next }) };
      writeJson(store, 'progress', progress);
      report(`${contracts} contracts`);
    };
    const { next: token, pages } = progress;
    await live.run(eachPage(OPERATIONS.activeContractsPage, { body }, take, { token, pages }));
  }
  if (offset === 0) writeJson(store, 'progress', { pages: 0, contracts: 0 });
}

/** For a release without pages. An interrupted stream starts again from the beginning. */
async function streamed(
  live: LiveSide,
  store: ForkStore,
  request: object,
  most: (contracts: number) => void,
  report: (line: string) => void,
): Promise<Progress> {
  let [pages, contracts] = [0, 0];
  let page: JsGetActiveContractsResponse[] = [];
  const turn = (): void => {
    writeJson(store, pageName(pages), page);
    [pages, page] = [pages + 1, []];
    report(`${contracts} contracts`);
  };
  const { activeContractsStream } = OPERATIONS;
  await live.stream<JsGetActiveContractsResponse>(activeContractsStream, request, (message) => {
    most((contracts += 1));
    page.push(message);
    if (page.length === PAGE) turn();
  });
  turn();
  return { pages, contracts };
}

/** The number of pages of contracts. */
export const pagesIn = (store: ForkStore): number =>
  readJson<Progress>(store, 'progress')?.pages ?? 0;
