/** The registry's metadata API: its description, and its instruments in pages by id (R-MD-*). */
import { formatTimestamp } from '../../daml/model/time.js';
import type { Party } from '../../daml/model/values.js';
import type { Instrument as InstrumentJson } from '../../spec/generated/registry.js';
import { instruments, registryInfo } from '../../token/registry/instruments.js';
import {
  amuletInstrument,
  type AmuletInstrument,
} from '../../splice/registry/amulet-instrument.js';
import { CONDITIONAL_LOCK_API, hasLockFactory } from '../../token/previews/conditional-lock.js';
import { AMULET_INSTRUMENT, isAmuletRunning } from '../../splice/registry/amulet-registry.js';
import { HttpRefusal, type ScanContext, type SomeHandlers } from '../handler.js';
import { tokenLedger } from './tokens.js';

const DEFAULT_PAGE_SIZE = 25;

export const metadataHandlers = {
  getRegistryInfo: ({ splice }) => {
    const { adminId, supportedApis } = registryInfo(tokenLedger(splice));
    return { adminId, supportedApis: { ...supportedApis } };
  },
  /** The page token is the last id of the page; absent on the last page (R-MD-014). */
  listInstruments: (context, { query }) => {
    const { pageSize = DEFAULT_PAGE_SIZE, pageToken } = query;
    if (pageSize < 1) throw new HttpRefusal(400, 'Limit must be at least 1.');
    const following = known(context).filter(({ id }) => pageToken === undefined || id > pageToken);
    const page = following.slice(0, pageSize);
    return {
      instruments: page.map((each) => instrumentJson(each)),
      nextPageToken: following.length > page.length ? page.at(-1)!.id : undefined,
    };
  },
  getInstrument: (context, { path }) => {
    const found = known(context).find(({ id }) => id === path.instrumentId);
    if (found === undefined)
      throw new HttpRefusal(404, `No instrument with id ${path.instrumentId} found`);
    return instrumentJson(found);
  },
} satisfies SomeHandlers<'registry'>;

/** The supply of the built-in token is current; Amulet's is that of a snapshot. */
function known({ splice, registryPreviews }: ScanContext): readonly AmuletInstrument[] {
  const { network } = splice;
  const asOf = network.clock.now();
  const ledger = tokenLedger(splice);
  const tokens = instruments(ledger).map(({ totalSupply: amount, ...token }) => ({
    ...token,
    supply: { amount, asOf },
  }));
  const isAmulet = ({ id }: AmuletInstrument) => id === AMULET_INSTRUMENT;
  const all = isAmuletRunning(splice) ? [amuletInstrument(splice), ...tokens].sort(byId) : tokens;
  if (!registryPreviews.includes('conditional-lock')) return all;
  const locksOf = (admin: Party): Readonly<Record<string, number>> =>
    hasLockFactory(network, admin) ? { [CONDITIONAL_LOCK_API]: 1 } : {};
  return all.map((each) => ({
    ...each,
    supportedApis: {
      ...each.supportedApis,
      ...locksOf(isAmulet(each) ? splice.dsoParty : ledger.admin),
    },
  }));
}

const byId = (a: AmuletInstrument, b: AmuletInstrument) => (a.id < b.id ? -1 : 1);

function instrumentJson(instrument: AmuletInstrument): InstrumentJson {
  const { id, name, symbol, decimals, supply, supportedApis } = instrument;
  return {
    id,
    name,
    symbol,
    decimals,
    totalSupply: supply?.amount.toString(),
    totalSupplyAsOf: supply && formatTimestamp(supply.asOf),
    paused: false,
    supportedApis: { ...supportedApis },
    // Both tokens support only basic accounts, which need no further input fields (R-MD-015).
    accountInputFieldsToShow: [],
  };
}
