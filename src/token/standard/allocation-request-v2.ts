/** `splice-api-token-allocation-request-v2`: how an app asks accounts to allocate for a settlement. */
import {
  d,
  defineInterface,
  definePackage,
  methods,
  type Update,
  type ValueOf,
} from '../../daml/define/index.js';
import type { Party } from '../../daml/model/values.js';
import { AllocationSpecification, SettlementInfo } from './allocation-v2.js';
import { ExtraArgs, Metadata } from './metadata-v1.js';

const MODULE = 'Splice.Api.Token.AllocationRequestV2';

const AllocationRequestAction = d.variant(`${MODULE}:AllocationRequestAction`, {
  ARA_Accept: d.unit,
  ARA_Reject: d.unit,
  ARA_Custom: { id: d.text },
});

const AllocationRequestView = d.record(`${MODULE}:AllocationRequestView`, {
  originalRequestCid: d.optional(d.contractId(`${MODULE}:AllocationRequest`)),
  settlement: SettlementInfo,
  allocations: d.list(AllocationSpecification),
  requestedAt: d.timestamp,
  settleAt: d.optional(d.timestamp),
  availableActions: d.genMap(AllocationRequestAction, d.list(d.list(d.party))),
  meta: Metadata,
});

const AcceptResult = d.record(`${MODULE}:AllocationRequest_AcceptResult`, { meta: Metadata });
const RejectResult = d.record(`${MODULE}:AllocationRequest_RejectResult`, { meta: Metadata });
const WithdrawResult = d.record(`${MODULE}:AllocationRequest_WithdrawResult`, { meta: Metadata });

const stepArguments = { actors: d.list(d.party), extraArgs: ExtraArgs };

type Step = { readonly [K in keyof typeof stepArguments]: ValueOf<(typeof stepArguments)[K]> };
type Method<R> = (update: Update, argument: Step) => ValueOf<R>;
type ExtraObservers = (argument: Step) => readonly Party[];

const AllocationRequest = defineInterface({
  name: `${MODULE}:AllocationRequest`,
  view: AllocationRequestView,
  methods: methods<{
    allocationRequest_acceptImpl: Method<typeof AcceptResult>;
    allocationRequest_rejectImpl: Method<typeof RejectResult>;
    allocationRequest_withdrawImpl: Method<typeof WithdrawResult>;
    allocationRequest_acceptExtraObservers: ExtraObservers;
    allocationRequest_rejectExtraObservers: ExtraObservers;
    allocationRequest_withdrawExtraObservers: ExtraObservers;
  }>()(
    'allocationRequest_acceptImpl',
    'allocationRequest_rejectImpl',
    'allocationRequest_withdrawImpl',
    'allocationRequest_acceptExtraObservers',
    'allocationRequest_rejectExtraObservers',
    'allocationRequest_withdrawExtraObservers',
  ),
  choices: (choice) => ({
    AllocationRequest_Accept: choice({
      consuming: false,
      argument: stepArguments,
      result: AcceptResult,
      controllers: (_view, { actors }) => actors,
      observers: (_view, argument, self) =>
        self.methods.allocationRequest_acceptExtraObservers(argument),
      run: (update, self, argument) => self.methods.allocationRequest_acceptImpl(update, argument),
    }),
    AllocationRequest_Reject: choice({
      consuming: false,
      argument: stepArguments,
      result: RejectResult,
      controllers: (_view, { actors }) => actors,
      observers: (_view, argument, self) =>
        self.methods.allocationRequest_rejectExtraObservers(argument),
      run: (update, self, argument) => self.methods.allocationRequest_rejectImpl(update, argument),
    }),
    AllocationRequest_Withdraw: choice({
      consuming: false,
      argument: stepArguments,
      result: WithdrawResult,
      controllers: (_view, { actors }) => actors,
      observers: (_view, argument, self) =>
        self.methods.allocationRequest_withdrawExtraObservers(argument),
      run: (update, self, argument) =>
        self.methods.allocationRequest_withdrawImpl(update, argument),
    }),
  }),
});

export const allocationRequestV2 = definePackage({
  name: 'splice-api-token-allocation-request-v2',
  version: '1.0.0',
  id: 'adc16315a8943a8433886694720a2a000ae84c2315c4414bd6d0db4d1660de9c',
  interfaces: [AllocationRequest],
});
