/** `splice-api-token-holding-v1`: the holdings of an investor. */
import {
  RelTime,
  d,
  defineInterface,
  definePackage,
  type ValueOf,
} from '../../daml/define/index.js';
import { Metadata } from './metadata-v1.js';

const MODULE = 'Splice.Api.Token.HoldingV1';

export const InstrumentId = d.record(`${MODULE}:InstrumentId`, { admin: d.party, id: d.text });

const Lock = d.record(`${MODULE}:Lock`, {
  holders: d.list(d.party),
  expiresAt: d.optional(d.timestamp),
  expiresAfter: d.optional(RelTime),
  context: d.optional(d.text),
});

export const HoldingView = d.record(`${MODULE}:HoldingView`, {
  owner: d.party,
  instrumentId: InstrumentId,
  amount: d.numeric(10),
  lock: d.optional(Lock),
  meta: Metadata,
});

export const Holding = defineInterface({ name: `${MODULE}:Holding`, view: HoldingView });

export type InstrumentId = ValueOf<typeof InstrumentId>;
export type HoldingView = ValueOf<typeof HoldingView>;

export const holdingV1 = definePackage({
  name: 'splice-api-token-holding-v1',
  version: '1.0.0',
  id: '718a0f77e505a8de22f188bd4c87fe74101274e9d4cb1bfac7d09aec7158d35b',
  interfaces: [Holding],
});
