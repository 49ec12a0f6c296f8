/** Pages of an ACS snapshot, and the sums of its amulets (S-ACS-007 to S-ACS-011, S-HLD-*). */
import { Numeric } from '../../daml/model/numeric.js';
import { stakeholdersOf, type ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord, Party } from '../../daml/model/values.js';
import type { TemplateName } from '../../network/ledger/active-contracts.js';
import type { AcsSnapshot, SnapshotContract } from './acs-snapshots.js';
import { isOf, templateName } from '../dso/amulet-contracts.js';

export interface AcsQuery {
  /** The number of the last contract of the previous page. Contracts are numbered from 1. */
  readonly after?: number;
  readonly limit: number;
  /** Stakeholders to filter by; empty for all. */
  readonly parties: readonly Party[];
  /** Templates to filter by; empty for all. */
  readonly templates: readonly TemplateName[];
}

export interface AcsPage {
  readonly contracts: readonly SnapshotContract[];
  /** Present if the page is full, even if no contract follows (S-ACS-010). */
  readonly next: number | undefined;
}

export function acsPage(snapshot: AcsSnapshot, query: AcsQuery): AcsPage {
  const { after = 0, limit, parties } = query;
  const contracts: SnapshotContract[] = [];
  let last = 0;
  for (const place of placesIn(snapshot, query.templates)) {
    if (place < after) continue;
    const found = snapshot.contracts[place]!;
    if (!concerns(found.contract, parties)) continue;
    contracts.push(found);
    last = place + 1;
    if (contracts.length === limit) return { contracts, next: last };
  }
  return { contracts, next: undefined };
}

function* placesIn(
  { contracts, placesOf }: AcsSnapshot,
  templates: readonly TemplateName[],
): Generator<number, void, undefined> {
  if (templates.length === 0) yield* contracts.keys();
  else if (templates.length === 1) yield* placesOf(templates[0]!);
  else yield* [...new Set(templates)].flatMap(placesOf).sort((a, b) => a - b);
}

function concerns(contract: ContractInstance, parties: readonly Party[]): boolean {
  if (parties.length === 0) return true;
  const stakeholders = stakeholdersOf(contract);
  return parties.some((party) => stakeholders.includes(party));
}

/** Amulets of these owners. The page is cut before it is filtered by owner, so that a short page may have a successor (S-HLD-002). */
export function holdingsPage(
  snapshot: AcsSnapshot,
  { owners, ...query }: Pick<AcsQuery, 'after' | 'limit'> & { readonly owners: readonly Party[] },
): AcsPage {
  const templates = [templateName('amulet'), templateName('lockedAmulet')];
  const { contracts, next } = acsPage(snapshot, { ...query, parties: owners, templates });
  const theirs = contracts.filter(({ contract }) =>
    owners.includes(amuletOf(contract).owner as Party),
  );
  return { contracts: theirs, next };
}

/** The holdings of an owner, in amulets. */
export interface Holdings {
  unlocked: Numeric;
  locked: Numeric;
  unlockedFees: Numeric;
  lockedFees: Numeric;
}

const ZERO = Numeric.of('0');

export const NO_HOLDINGS: Holdings = {
  unlocked: ZERO,
  locked: ZERO,
  unlockedFees: ZERO,
  lockedFees: ZERO,
};

/** @param asOfRound the round up to which holding fees accumulate */
export function holdingsOf(
  contracts: readonly Pick<SnapshotContract, 'contract'>[],
  asOfRound: bigint,
): ReadonlyMap<Party, Holdings> {
  const byOwner = new Map<Party, Holdings>();
  for (const { contract } of contracts) {
    const amulet = amuletOf(contract);
    const owner = amulet.owner as Party;
    let held = byOwner.get(owner);
    if (held === undefined) byOwner.set(owner, (held = { ...NO_HOLDINGS }));
    const amount = amulet.amount as unknown as ExpiringAmount;
    const fee = holdingFee(amount, asOfRound);
    if (isOf(contract, 'lockedAmulet')) {
      held.locked = held.locked.add(amount.initialAmount);
      held.lockedFees = held.lockedFees.add(fee);
    } else {
      held.unlocked = held.unlocked.add(amount.initialAmount);
      held.unlockedFees = held.unlockedFees.add(fee);
    }
  }
  return byOwner;
}

interface ExpiringAmount {
  readonly initialAmount: Numeric;
  readonly createdAt: { readonly number: bigint };
  readonly ratePerRound: { readonly rate: Numeric };
}

/** At most the amount. Like in Splice, it is negative for an amulet of a later round. */
function holdingFee(
  { initialAmount, createdAt, ratePerRound }: ExpiringAmount,
  round: bigint,
): Numeric {
  const rounds = Numeric.of(round - createdAt.number);
  const fee = rounds.multiply(ratePerRound.rate);
  return fee.compare(initialAmount) > 0 ? initialAmount : fee;
}

/** The fields of an amulet or of the amulet in a locked one. */
export function amuletOf(contract: ContractInstance): DamlRecord {
  const { payload } = contract;
  return isOf(contract, 'lockedAmulet') ? (payload.amulet as DamlRecord) : payload;
}
