/** The registry's metadata API: its description, and its instruments in pages by id (R-MD-*). */
import { formatTimestamp } from '../../daml/model/time.js';
import type { Instrument as InstrumentJson } from '../../spec/generated/registry.js';
import { instruments, registryInfo } from '../../token/registry/instruments.js';
import {
  amuletInstrument,
  type AmuletInstrument,
} from '../../splice/registry/amulet-instrument.js';
import { isAmuletRunning } from '../../splice/registry/amulet-registry.js';
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
function known({ splice }: ScanContext): readonly AmuletInstrument[] {
  const asOf = splice.network.clock.now();
  const tokens = instruments(tokenLedger(splice)).map(({ totalSupply: amount, ...token }) => ({
    ...token,
    supply: { amount, asOf },
  }));
  return isAmuletRunning(splice) ? [amuletInstrument(splice), ...tokens].sort(byId) : tokens;
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
