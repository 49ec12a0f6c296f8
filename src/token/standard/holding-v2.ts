/** `splice-api-token-holding-v2`: holdings in accounts. */
import {
  RelTime,
  d,
  defineInterface,
  definePackage,
  type ValueOf,
} from '../../daml/define/index.js';
import { Metadata } from './metadata-v1.js';

const MODULE = 'Splice.Api.Token.HoldingV2';

export const InstrumentId = d.record(`${MODULE}:InstrumentId`, { admin: d.party, id: d.text });

/** No owner: a special account of the instrument's admin, for example where minted tokens come from. */
export const Account = d.record(`${MODULE}:Account`, {
  owner: d.optional(d.party),
  provider: d.optional(d.party),
  id: d.text,
});

export const Lock = d.record(`${MODULE}:Lock`, {
  holders: d.list(d.party),
  expiresAt: d.optional(d.timestamp),
  expiresAfter: d.optional(RelTime),
  context: d.optional(d.text),
});

export const HoldingView = d.record(`${MODULE}:HoldingView`, {
  account: Account,
  instrumentId: InstrumentId,
  amount: d.numeric(10),
  lock: d.optional(Lock),
  meta: Metadata,
});

export const Holding = defineInterface({ name: `${MODULE}:Holding`, view: HoldingView });

export type Account = ValueOf<typeof Account>;
export type InstrumentId = ValueOf<typeof InstrumentId>;
export type Lock = ValueOf<typeof Lock>;
export type HoldingView = ValueOf<typeof HoldingView>;

export const holdingV2 = definePackage({
  name: 'splice-api-token-holding-v2',
  version: '1.0.0',
  id: '4b7ecfc366d79ccc5ed07c80f26fe489cf2dfd43ce2856c06a78e6a048db7032',
  interfaces: [Holding],
});
