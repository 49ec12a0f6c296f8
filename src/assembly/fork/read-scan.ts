/**
 * Reads the public contracts of the DSO from a Scan, with their blobs, and the contracts that the DSO shares with some parties.
 * NOTE: Scan's snapshots (`/api/scan/v0/state/acs`) have no blobs, and no client can use a contract without one.
 */
import { gunzipSync } from 'node:zlib';
import type {
  Contract,
  GetAmuletRulesResponse,
  GetDsoInfoResponse,
  GetOpenAndIssuingMiningRoundsResponse,
  GetSpliceInstanceNamesResponse,
  MaybeCachedContractWithState,
} from '../../spec/generated/scan.js';
import type { TransferFactoryWithChoiceContext } from '../../spec/generated/registry.js';
import { read, type Requests } from '../../client/requests.js';
import type { Operation } from '../../client/operations.js';
import { allPages } from '../../client/paging.js';
import { MAX_FORKED_CONTRACTS, type ForkOptions } from './fork-options.js';
import { readJson, writeJson, type ForkStore } from './fork-store.js';
import { ForkFailed } from './fork-failed.js';
import { LiveSide } from './live-side.js';
import type { Reading } from './reading.js';
import { SCAN, SCAN_LISTS, SCAN_UPDATES } from './scan-shapes.js';

/** The data of a Scan. */
export interface ScanHead {
  readonly dsoParty: string;
  /** The version of Splice that it reports; undefined if it reports none. */
  readonly version?: string | undefined;
  readonly synchronizerId: string;
  readonly contracts: readonly Contract[];
  readonly names: GetSpliceInstanceNamesResponse | undefined;
  readonly migrationId: number | undefined;
  /** The number of the first round that was ever opened. */
  readonly initialRound: string | undefined;
  /** The number of further files of contracts, one for each party. */
  readonly files: number;
}

export const scanName = 'scan/head';
export const scanFileName = (place: number): string => `scan/acs-${place}`;

/** Page size of validator licences. */
const PAGE = 1000;
/** Maximum uncompressed bytes of the contracts of one party. */
const MAX_ACS = 1024 * 1024 * 1024;

/** @param url the URL of the node, with or without `/api/scan` */
export const scanSide = (url: string, reading: Reading): LiveSide => {
  const base = url.replace(/\/+$/, '').replace(/\/api\/scan(\/v0)?$/, '');
  return new LiveSide(base, reading, undefined, 'a Scan');
};

export const isScanRead = (store: ForkStore): boolean =>
  readJson<ScanHead>(store, scanName) !== undefined;

/** @throws ForkFailed; the store keeps the contracts of parties read so far */
export async function readScan(
  scan: LiveSide,
  store: ForkStore,
  { parties = [], maxContracts = MAX_FORKED_CONTRACTS, onProgress }: ForkOptions,
): Promise<void> {
  const { dso_party_id: dsoParty } = await scan.get<{ dso_party_id: string }>(SCAN.dso);
  const rules = await amuletRulesOf(scan);
  const report = onProgress ?? (() => undefined);
  const app = await ifServed(scan, SCAN.version, report, read<{ version: string }>(SCAN.version));
  const others = await Promise.all(
    SCAN_UPDATES.map(async ({ operation, member }) => {
      const requests = read<Record<string, MaybeCachedContractWithState>>(operation, NO_QUESTION);
      return (await ifServed(scan, operation, report, requests))?.[member];
    }),
  );
  const governance = await governanceOf(scan, report);
  const lists = await Promise.all([
    roundsOf(scan, report),
    governance.contracts,
    ...SCAN_LISTS.map(async ({ operation, member }) => {
      const answer = await ifServed(scan, operation, report, read<ContractLists>(operation));
      return answer?.[member] ?? [];
    }),
    licencesOf(scan, maxContracts, report),
    transferContextOf(scan, dsoParty, report),
  ]);
  const contracts = [rules.contract, ...others.flatMap((each) => each?.contract ?? [])];
  for (const list of lists) contracts.push(...list);
  if (contracts.length > maxContracts)
    throw new ForkFailed(`its Scan returned more than ${maxContracts} contracts (maxContracts).`);
  report(`a Scan of ${dsoParty}: ${contracts.length} contracts`);
  await readParties(scan, store, parties, report);
  writeJson(store, scanName, {
    dsoParty,
    version: app?.version,
    synchronizerId: rules.domain_id,
    contracts: [
      ...new Map(contracts.toReversed().map((each) => [each.contract_id, each])).values(),
    ],
    names: await ifServed(
      scan,
      SCAN.names,
      report,
      read<GetSpliceInstanceNamesResponse>(SCAN.names),
    ),
    migrationId: (
      await ifServed(scan, SCAN.migration, report, read<{ migration_id: number }>(SCAN.migration))
    )?.migration_id,
    initialRound: governance.initialRound,
    files: parties.length,
  } satisfies ScanHead);
}

async function readParties(
  scan: LiveSide,
  store: ForkStore,
  parties: readonly string[],
  report: Report,
): Promise<void> {
  for (const [place, party] of parties.entries()) {
    if (store.read(scanFileName(place)) !== undefined) continue;
    const { acs_snapshot } = await scan.get<{ acs_snapshot: string }>(SCAN.acs, { id: party });
    let bytes: Buffer;
    try {
      bytes = gunzipSync(Buffer.from(acs_snapshot, 'base64'), { maxOutputLength: MAX_ACS });
    } catch {
      throw new ForkFailed(`its Scan returned an invalid file of active contracts for ${party}.`);
    }
    store.write(scanFileName(place), bytes);
    report(`the contracts of the DSO and ${party}`);
  }
}

/** @throws ForkFailed if there are none, because a Scan without them has no world of a DSO */
async function amuletRulesOf(scan: LiveSide): Promise<Required<MaybeCachedContractWithState>> {
  const answer = await scan
    .get<GetAmuletRulesResponse>(SCAN.amuletRules, NO_QUESTION)
    .catch((error: unknown) => {
      // A Scan without rules fails.
      if ((error as ForkFailed).status === 500) return undefined;
      throw error;
    });
  const { contract, domain_id } = answer?.amulet_rules_update ?? {};
  if (contract !== undefined && domain_id !== undefined) return { contract, domain_id };
  throw new ForkFailed(
    `its Scan has no AmuletRules${answer === undefined ? `: ${SCAN.amuletRules.path} was answered with 500` : ''}. Set up Amulet there first, or fork only the participant (fork.url, --fork).`,
  );
}

/** Empty for a DSO whose rounds have not begun: its Scan fails. */
async function roundsOf(scan: LiveSide, report: Report): Promise<Contract[]> {
  const body = {
    cached_open_mining_round_contract_ids: [],
    cached_issuing_round_contract_ids: [],
  };
  const requests = read<GetOpenAndIssuingMiningRoundsResponse>(SCAN.rounds, { body });
  const answer = await ifServed(scan, SCAN.rounds, report, requests);
  if (answer === undefined) return [];
  const { open_mining_rounds: open, issuing_mining_rounds: issuing } = answer;
  const all = [open, issuing].flatMap((each) => Object.values(each));
  return all.flatMap(({ contract }) => contract ?? []);
}

/** Empty for a DSO without governance. */
async function governanceOf(scan: LiveSide, report: Report): Promise<Governance> {
  const requests = read<GetDsoInfoResponse>(SCAN.governance);
  const answer = await ifServed(scan, SCAN.governance, report, requests);
  if (answer === undefined) return { contracts: [], initialRound: undefined };
  const { dso_rules: rules, sv_node_states: states, initial_round } = answer;
  return {
    contracts: [rules, ...states].flatMap(({ contract }) => contract ?? []),
    initialRound: initial_round ?? undefined,
  };
}

interface Governance {
  readonly contracts: Contract[];
  readonly initialRound: string | undefined;
}

type Report = (line: string) => void;
type ContractLists = Readonly<Record<string, Contract[]>>;
const NO_QUESTION = { body: {} };

/** Statuses after which a later attempt may succeed: the fork then fails, instead of omitting the data. */
const PASSING = [408, 429, 502, 503, 504];

/** Undefined if the Scan does not have it. The user gets a line about it. */
async function ifServed<T>(
  scan: LiveSide,
  { path }: Operation,
  report: Report,
  requests: Requests<T>,
): Promise<T | undefined> {
  try {
    return await scan.run(requests);
  } catch (error) {
    const { status } = error as ForkFailed;
    if (status === undefined || PASSING.includes(status)) throw error;
    report(`its Scan answers ${path} with ${status}: the fork does not have this data`);
    return undefined;
  }
}

/** The contracts that a transfer of amulets needs, from the registry. For newer Amulets it lists more than the other answers. */
async function transferContextOf(scan: LiveSide, dso: string, report: Report): Promise<Contract[]> {
  const nothing = { values: {} };
  const transfer = {
    ...{ sender: dso, receiver: dso, amount: '1.0', inputHoldingCids: [], meta: nothing },
    instrumentId: { admin: dso, id: 'Amulet' },
    requestedAt: '1970-01-01T00:00:00Z',
    executeBefore: '9999-12-31T00:00:00Z',
  };
  const extraArgs = { context: nothing, meta: nothing };
  const body = { choiceArguments: { expectedAdmin: dso, transfer, extraArgs } };
  const requests = read<TransferFactoryWithChoiceContext>(SCAN.transferFactory, { body });
  const answer = await ifServed(scan, SCAN.transferFactory, report, requests);
  const disclosed = answer?.choiceContext.disclosedContracts ?? [];
  return disclosed.map(({ templateId, contractId, createdEventBlob, debugPayload }) => ({
    template_id: templateId,
    contract_id: contractId,
    payload: debugPayload ?? {},
    created_event_blob: createdEventBlob,
    created_at: '',
  }));
}

async function licencesOf(scan: LiveSide, most: number, report: Report): Promise<Contract[]> {
  const requests = allPages<Contract>(SCAN.licences, { query: { limit: PAGE } }, most);
  return (await ifServed(scan, SCAN.licences, report, requests)) ?? [];
}
