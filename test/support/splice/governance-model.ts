/** Templates of the names and fields of Splice's governance package, as far as Scan looks at them. A vote is closed with any result. */
import { d, defineTemplate } from '../../../src/daml/index.js';

const DSO_RULES = 'Splice.DsoRules';

const SvInfo = d.record(`${DSO_RULES}:SvInfo`, { name: d.text });

const DsoAction = d.variant(`${DSO_RULES}:DsoRules_ActionRequiringConfirmation`, {
  SRARC_UpdateSvRewardWeight: d.record(`${DSO_RULES}:DsoRules_UpdateSvRewardWeight`, {
    svParty: d.party,
    newRewardWeight: d.int64,
  }),
  SRARC_OffboardSv: d.record(`${DSO_RULES}:DsoRules_OffboardSv`, { sv: d.party }),
});
const AmuletAction = d.variant(`${DSO_RULES}:AmuletRules_ActionRequiringConfirmation`, {
  CRARC_SetConfig: d.record(`${DSO_RULES}:AmuletRules_SetConfig`, { amount: d.numeric(10) }),
});
export const Action = d.variant(`${DSO_RULES}:ActionRequiringConfirmation`, {
  ARC_DsoRules: { dsoAction: DsoAction },
  ARC_AmuletRules: { amuletRulesAction: AmuletAction },
  ARC_AnsEntryContext: { ansEntryContextCid: d.text },
});
export const Inner = { DsoAction, AmuletAction };

const Request = d.record(`${DSO_RULES}:VoteRequestFields`, { requester: d.text, action: Action });
export const Outcome = d.variant(`${DSO_RULES}:VoteRequestOutcome`, {
  VRO_Rejected: d.unit,
  VRO_Expired: d.unit,
  VRO_Accepted: { effectiveAt: d.timestamp },
  VRO_AcceptedButActionFailed: { description: d.text },
});
const CloseResult = d.record(`${DSO_RULES}:DsoRules_CloseVoteRequestResult`, {
  request: Request,
  completedAt: d.timestamp,
  offboardedVoters: d.list(d.text),
  abstainingSvs: d.list(d.text),
  outcome: Outcome,
});

const Sequencer = d.record('Splice.DSO.DecentralizedSynchronizer:SequencerConfig', {
  migrationId: d.int64,
  sequencerId: d.text,
  url: d.text,
  availableAfter: d.optional(d.timestamp),
});
const Legacy = d.record('Splice.DSO.DecentralizedSynchronizer:LegacySequencerConfig', {
  migrationId: d.int64,
  sequencerId: d.text,
  url: d.text,
});
const Scan = d.record('Splice.DSO.DecentralizedSynchronizer:ScanConfig', { publicUrl: d.text });
const Physical = d.record('Splice.DSO.DecentralizedSynchronizer:PhysicalSynchronizerNodeConfig', {
  sequencer: d.optional(
    d.record('Splice.DSO.DecentralizedSynchronizer:PhysicalSequencer', { url: d.text }),
  ),
});
const Identity = d.record('Splice.DSO.DecentralizedSynchronizer:SequencerIdentity', {
  sequencerId: d.text,
  availableAfter: d.optional(d.timestamp),
});
const NodeConfig = d.record('Splice.DSO.DecentralizedSynchronizer:SynchronizerNodeConfig', {
  sequencer: d.optional(Sequencer),
  scan: d.optional(Scan),
  legacySequencerConfig: d.optional(Legacy),
  physicalSynchronizers: d.optional(d.genMap(d.int64, Physical)),
  sequencerIdentity: d.optional(Identity),
});
const NodeState = d.record('Splice.DSO.SvState:NodeState', {
  synchronizerNodes: d.genMap(d.text, NodeConfig),
});

const dso = d.party;
const ofDso = (payload: { dso: string }) => [payload.dso];

export const Governance = {
  DsoRules: defineTemplate({
    name: `${DSO_RULES}:DsoRules`,
    fields: { dso, svs: d.genMap(d.party, SvInfo) },
    signatories: ofDso,
    choices: (choice) => ({
      DsoRules_CloseVoteRequest: choice({
        consuming: false,
        argument: { result: CloseResult },
        result: CloseResult,
        controllers: ofDso,
        run: (_update, _contract, { result }) => result,
      }),
    }),
  }),
  VoteRequest: defineTemplate({
    name: `${DSO_RULES}:VoteRequest`,
    fields: {
      dso,
      requester: d.text,
      action: Action,
      trackingCid: d.optional(d.contractId(`${DSO_RULES}:VoteRequest`)),
    },
    signatories: ofDso,
  }),
  SvNodeState: defineTemplate({
    name: 'Splice.DSO.SvState:SvNodeState',
    fields: { dso, sv: d.party, svName: d.text, state: NodeState },
    signatories: ofDso,
  }),
  AmuletPriceVote: defineTemplate({
    name: 'Splice.DSO.AmuletPrice:AmuletPriceVote',
    fields: { dso, amuletPrice: d.numeric(10) },
    signatories: ofDso,
  }),
};
