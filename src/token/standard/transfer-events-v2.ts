/** `splice-api-token-transfer-events-v2`: how an admin reports each change of an account's holdings. */
import { d, definePackage, type ValueOf } from '../../daml/define/index.js';
import { Account, Holding } from './holding-v2.js';
import { ExtraArgs, Metadata } from './metadata-v1.js';
import { standardInterface } from './standard-interface.js';

const MODULE = 'Splice.Api.Token.TransferEventsV2';

const TransferSide = d.enum(`${MODULE}:TransferSide`, ['SenderSide', 'ReceiverSide']);

export const TransferLegSide = d.record(`${MODULE}:TransferLegSide`, {
  transferLegId: d.text,
  side: TransferSide,
  otherside: Account,
  amount: d.numeric(10),
  instrumentId: d.text,
  meta: Metadata,
});

const EventLogView = d.record(`${MODULE}:EventLogView`, { admin: d.party, meta: Metadata });
const HoldingsChangeResult = d.record(`${MODULE}:EventLog_HoldingsChangeResult`, {});

const holdingsChange = {
  admin: d.party,
  account: Account,
  inputHoldingCids: d.list(d.contractId(Holding)),
  transferLegSides: d.list(TransferLegSide),
  outputHoldingCids: d.list(d.contractId(Holding)),
  observers: d.list(d.party),
  extraArgs: ExtraArgs,
};

export type TransferLegSide = ValueOf<typeof TransferLegSide>;
export const EventLog = standardInterface({
  name: `${MODULE}:EventLog`,
  view: EventLogView,
  choices: ({ choice }) => ({
    EventLog_HoldingsChange: choice({
      consuming: false,
      argument: holdingsChange,
      result: HoldingsChangeResult,
      controllers: (_view, { admin }) => [admin],
      observers: (_view, { observers }) => observers,
    }),
  }),
});

export const transferEventsV2 = definePackage({
  name: 'splice-api-token-transfer-events-v2',
  version: '1.0.0',
  id: '5c1097a9bad0af4bcfe6d3fb0fe55112d3d11f18eae57ddfb14c20836fee226c',
  interfaces: [EventLog],
});
