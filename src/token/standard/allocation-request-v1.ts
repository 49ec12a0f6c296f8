/** `splice-api-token-allocation-request-v1`: how an app asks parties to allocate for a settlement. */
import {
  d,
  defineInterface,
  definePackage,
  methods,
  type Update,
  type ValueOf,
} from '../../daml/define/index.js';
import { SettlementInfo, TransferLeg } from './allocation-v1.js';
import { ChoiceExecutionMetadata, ExtraArgs, Metadata } from './metadata-v1.js';

const MODULE = 'Splice.Api.Token.AllocationRequestV1';

const AllocationRequestView = d.record(`${MODULE}:AllocationRequestView`, {
  settlement: SettlementInfo,
  transferLegs: d.textMap(TransferLeg),
  meta: Metadata,
});

const rejectArguments = { actor: d.party, extraArgs: ExtraArgs };
const withdrawArguments = { extraArgs: ExtraArgs };

type Method<A> = (
  update: Update,
  argument: { readonly [K in keyof A]: ValueOf<A[K]> },
) => ValueOf<typeof ChoiceExecutionMetadata>;

const AllocationRequest = defineInterface({
  name: `${MODULE}:AllocationRequest`,
  view: AllocationRequestView,
  methods: methods<{
    allocationRequest_RejectImpl: Method<typeof rejectArguments>;
    allocationRequest_WithdrawImpl: Method<typeof withdrawArguments>;
  }>()('allocationRequest_RejectImpl', 'allocationRequest_WithdrawImpl'),
  choices: (choice) => ({
    AllocationRequest_Reject: choice({
      argument: rejectArguments,
      result: ChoiceExecutionMetadata,
      controllers: (_view, { actor }) => [actor],
      run: (update, self, argument) => self.methods.allocationRequest_RejectImpl(update, argument),
    }),
    AllocationRequest_Withdraw: choice({
      argument: withdrawArguments,
      result: ChoiceExecutionMetadata,
      controllers: (view) => [view.settlement.executor],
      run: (update, self, argument) =>
        self.methods.allocationRequest_WithdrawImpl(update, argument),
    }),
  }),
});

export const allocationRequestV1 = definePackage({
  name: 'splice-api-token-allocation-request-v1',
  version: '1.0.0',
  id: '6fe848530b2404017c4a12874c956ad7d5c8a419ee9b040f96b5c13172d2e193',
  interfaces: [AllocationRequest],
});
