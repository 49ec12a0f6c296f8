/**
 * Reads what a Scan tells everybody of the DSO's contracts, with their blobs, and what it and each of some parties have together.
 * NOTE: Scan's snapshots (`/api/scan/v0/state/acs`) have no blobs, and nobody can use a contract without one.
 */
import { gunzipSync } from 'node:zlib';
import type {
  Contract,
  GetAmuletRulesResponse,
  GetDsoInfoResponse,
  GetOpenAndIssuingMiningRoundsResponse,
  GetSpliceInstanceNamesResponse,
  ListValidatorLicensesResponse,
  MaybeCachedContractWithState,
} from '../../spec/generated/scan.js';
import type { TransferFactoryWithChoiceContext } from '../../spec/generated/registry.js';
import { MAX_FORKED_CONTRACTS, type ForkOptions } from './fork-options.js';
import { readJson, writeJson, type ForkStore } from './fork-store.js';
import { ForkFailed } from './fork-failed.js';
import { LiveSide } from './live-side.js';
import { allPages } from './paging.js';
import type { Reading } from './reading.js';
import { contractsAs, SCAN_ANSWERS, updateAs } from './scan-shapes.js';

/** What a Scan told. */
export interface ScanHead {
  readonly dsoParty: string;
  readonly synchronizerId: string;
  readonly contracts: readonly Contract[];
  readonly names: GetSpliceInstanceNamesResponse | undefined;
  readonly migrationId: number | undefined;
  /** How many files of contracts there are beside, one for each party. */
  readonly files: number;
}

export const scanName = 'scan/head';
export const scanFileName = (place: number): string => `scan/acs-${place}`;

/** Lists of contracts, each with the member of the answer that has them. */
const LISTS = [
  ['/api/scan/v0/featured-apps', 'featured_apps'],
  ['/api/scan/v0/closed-rounds', 'rounds'],
  ['/api/scan/v0/amulet-price/votes', 'amulet_price_votes'],
  ['/api/scan/v0/admin/sv/voterequests', 'dso_rules_vote_requests'],
] as const;

const MIGRATION = '/api/scan/v0/migrations/last';
const NAMES = '/api/scan/v0/splice-instance-names';

/** Of validator licences. */
const PAGE = 1000;
/** Bytes of the contracts of one party, unpacked. */
const MAX_ACS = 1024 * 1024 * 1024;

/** @param url as people know it, of the node or with `/api/scan` */
export const scanSide = (url: string, reading: Reading): LiveSide => {
  const base = url.replace(/\/+$/, '').replace(/\/api\/scan(\/v0)?$/, '');
  return new LiveSide(base, reading, undefined, 'a Scan');
};

export const isScanRead = (store: ForkStore): boolean =>
  readJson<ScanHead>(store, scanName) !== undefined;

/** @throws ForkFailed; what was read of parties stays in the store */
export async function readScan(
  scan: LiveSide,
  store: ForkStore,
  { parties = [], maxContracts = MAX_FORKED_CONTRACTS, onProgress }: ForkOptions,
): Promise<void> {
  const { dso_party_id: dsoParty } = await scan.get<{ dso_party_id: string }>(
    '/api/scan/v0/dso-party-id',
    SCAN_ANSWERS.dso,
  );
  const { amulet_rules_update: rules } = await scan.post<GetAmuletRulesResponse>(
    '/api/scan/v0/amulet-rules',
    SCAN_ANSWERS.amuletRules,
    {},
  );
  if (rules.contract === undefined || rules.domain_id === undefined)
    throw new ForkFailed('its Scan has no AmuletRules on any synchronizer.');
  const tell = onProgress ?? (() => undefined);
  const others = await Promise.all([
    updateOf(
      scan,
      '/api/scan/v0/external-party-amulet-rules',
      'external_party_amulet_rules_update',
      tell,
    ),
    updateOf(scan, '/api/scan/v0/ans-rules', 'ans_rules_update', tell),
  ]);
  const lists = await Promise.all([
    roundsOf(scan),
    governanceOf(scan, tell),
    ...LISTS.map(([path, member]) => listOf(scan, path, member, tell)),
    licencesOf(scan, maxContracts, tell),
    transferContextOf(scan, dsoParty, tell),
  ]);
  const contracts = [rules.contract, ...others.flatMap((each) => each?.contract ?? [])];
  for (const list of lists) contracts.push(...list);
  if (contracts.length > maxContracts)
    throw new ForkFailed(`its Scan tells of more than ${maxContracts} contracts (maxContracts).`);
  tell(`a Scan of ${dsoParty}: ${contracts.length} contracts`);
  await readParties(scan, store, parties, tell);
  writeJson(store, scanName, {
    dsoParty,
    synchronizerId: rules.domain_id,
    contracts: [
      ...new Map(contracts.toReversed().map((each) => [each.contract_id, each])).values(),
    ],
    names: await ifTold(NAMES, tell, () =>
      scan.get<GetSpliceInstanceNamesResponse>(NAMES, SCAN_ANSWERS.names),
    ),
    migrationId: (
      await ifTold(MIGRATION, tell, () =>
        scan.get<{ migration_id: number }>(MIGRATION, SCAN_ANSWERS.migration),
      )
    )?.migration_id,
    files: parties.length,
  } satisfies ScanHead);
}

async function readParties(
  scan: LiveSide,
  store: ForkStore,
  parties: readonly string[],
  tell: Tell,
): Promise<void> {
  for (const [place, party] of parties.entries()) {
    if (store.read(scanFileName(place)) !== undefined) continue;
    const path = `/api/scan/v0/acs/${encodeURIComponent(party)}`;
    const { acs_snapshot } = await scan.get<{ acs_snapshot: string }>(path, SCAN_ANSWERS.acs);
    let bytes: Buffer;
    try {
      bytes = gunzipSync(Buffer.from(acs_snapshot, 'base64'), { maxOutputLength: MAX_ACS });
    } catch {
      throw new ForkFailed(`what its Scan tells of ${party} is no file of active contracts.`);
    }
    store.write(scanFileName(place), bytes);
    tell(`what the DSO and ${party} have together`);
  }
}

async function updateOf(
  scan: LiveSide,
  path: string,
  member: string,
  tell: Tell,
): Promise<MaybeCachedContractWithState | undefined> {
  const ask = () =>
    scan.post<Record<string, MaybeCachedContractWithState>>(path, updateAs(member), {});
  return (await ifTold(path, tell, ask))?.[member];
}

async function roundsOf(scan: LiveSide): Promise<Contract[]> {
  const { open_mining_rounds: open, issuing_mining_rounds: issuing } =
    await scan.post<GetOpenAndIssuingMiningRoundsResponse>(
      '/api/scan/v0/open-and-issuing-mining-rounds',
      SCAN_ANSWERS.rounds,
      {
        cached_open_mining_round_contract_ids: [],
        cached_issuing_round_contract_ids: [],
      },
    );
  const all = [open, issuing].flatMap((each) => Object.values(each));
  return all.flatMap(({ contract }) => contract ?? []);
}

/** None of a DSO that nobody governs. */
async function governanceOf(scan: LiveSide, tell: Tell): Promise<Contract[]> {
  const told = await ifTold('/api/scan/v0/dso', tell, () =>
    scan.get<GetDsoInfoResponse>('/api/scan/v0/dso', SCAN_ANSWERS.governance),
  );
  if (told === undefined) return [];
  const { dso_rules: rules, sv_node_states: states } = told;
  return [rules, ...states].flatMap(({ contract }) => contract ?? []);
}

async function listOf(
  scan: LiveSide,
  path: string,
  member: string,
  tell: Tell,
): Promise<readonly Contract[]> {
  const ask = () => scan.get<Record<string, Contract[]>>(path, contractsAs(member));
  const told = await ifTold(path, tell, ask);
  return told?.[member] ?? [];
}

type Tell = (line: string) => void;

/** Answers after which asking again may help: what is asked for is not given up. */
const PASSING = [408, 429, 502, 503, 504];

/** Undefined for what a Scan has not, which is told. */
async function ifTold<T>(path: string, tell: Tell, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    const { status } = error as ForkFailed;
    if (status === undefined || PASSING.includes(status)) throw error;
    tell(`its Scan answers ${path} with ${status}: what that tells is not here`);
    return undefined;
  }
}

/** What a transfer of amulets needs, as its registry gives it: of newer Amulets more than other answers tell. */
async function transferContextOf(scan: LiveSide, dso: string, tell: Tell): Promise<Contract[]> {
  const path = '/registry/transfer-instruction/v1/transfer-factory';
  const nothing = { values: {} };
  const transfer = {
    ...{ sender: dso, receiver: dso, amount: '1.0', inputHoldingCids: [], meta: nothing },
    instrumentId: { admin: dso, id: 'Amulet' },
    requestedAt: '1970-01-01T00:00:00Z',
    executeBefore: '9999-12-31T00:00:00Z',
  };
  const extraArgs = { context: nothing, meta: nothing };
  const body = { choiceArguments: { expectedAdmin: dso, transfer, extraArgs } };
  const told = await ifTold(path, tell, () =>
    scan.post<TransferFactoryWithChoiceContext>(path, SCAN_ANSWERS.transferFactory, body),
  );
  const disclosed = told?.choiceContext.disclosedContracts ?? [];
  return disclosed.map(({ templateId, contractId, createdEventBlob, debugPayload }) => ({
    template_id: templateId,
    contract_id: contractId,
    payload: debugPayload ?? {},
    created_event_blob: createdEventBlob,
    created_at: '',
  }));
}

async function licencesOf(scan: LiveSide, most: number, tell: Tell): Promise<Contract[]> {
  const path = '/api/scan/v0/admin/validator/licenses';
  let count = 0;
  return allPages(scan, path, async (after) => {
    const asked = `${path}?limit=${PAGE}${after === undefined ? '' : `&after=${after}`}`;
    const ask = () => scan.get<ListValidatorLicensesResponse>(asked, SCAN_ANSWERS.licences);
    const { validator_licenses: items = [], next_page_token: next } =
      (await ifTold(asked, tell, ask)) ?? {};
    count += items.length;
    return { items, next: next === undefined || count > most ? undefined : String(next) };
  });
}
