/**
 * A wallet's allocations, which lock amulets for a settlement, and the requests of apps for them (WA-ALL-001 to
 * WA-ALL-009).
 */
import { formatInstant } from '../../daml/model/time.js';
import { createdEventBlob } from '../../daml/contract/created-event-blob.js';
import type { DamlRecord, DamlValue, DamlVariant } from '../../daml/model/values.js';
import type {
  AllocateAmuletRequest,
  AllocateAmuletResponse,
  AllocateAmuletV2Request,
  Contract,
} from '../../spec/generated/wallet.js';
import {
  allocationRequests,
  rejectRequest,
  type AllocationRequest,
} from '../../splice/wallet/allocation-requests.js';
import { onceADay } from '../../splice/wallet/tap.js';
import {
  allocate,
  allocateV2,
  basicAccount,
  withdrawAllocation,
} from '../../splice/wallet/token-standard.js';
import type { Wallet } from '../../splice/wallet/wallet.js';
import { contractJson } from '../scan/formats/contracts.js';
import { readDecimal, readTime } from './reading.js';
import { forWalletUsers } from './wallet-handler.js';

const METHOD = 'org.lfdecentralizedtrust.splice.wallet.allocateAmulet';
/** Microseconds. Short, so that a withdrawn allocation can be created again. */
const DEDUPLICATED_FOR_V2 = 300_000_000n;

interface OfAllocation {
  readonly path: { readonly contract_id: string };
}

const metaOf = (meta: Readonly<Record<string, string>> = {}) => ({ values: meta });

export const allocationHandlers = forWalletUsers({
  allocateAmulet: (wallet, { body }) =>
    allocationJson(allocateV1(wallet, body), ({ senderChangeCids }) => senderChangeCids!),
  allocateAmuletV2: (wallet, { body }) =>
    allocationJson(allocateSecond(wallet, body), ({ authorizerChangeCids }) => {
      const byInstrument = authorizerChangeCids as ReadonlyMap<string, readonly string[]>;
      return byInstrument.get('Amulet') ?? [];
    }),
  listAmuletAllocations: (wallet) => {
    const all = [...wallet.list('allocationV2'), ...wallet.list('allocation')].map((each) =>
      contractJson(wallet.splice, each),
    );
    return { allocations: byCreation(all).map((contract) => ({ contract })) };
  },
  withdrawAmuletAllocation: (wallet, { path }: OfAllocation) => {
    const { senderHoldingCids, meta } = withdrawAllocation(
      wallet,
      1,
      path.contract_id,
    ) as unknown as {
      readonly senderHoldingCids: readonly string[];
      readonly meta: Meta;
    };
    return { sender_holding_cids: [...senderHoldingCids], meta: metaJson(meta) };
  },
  withdrawAmuletAllocationV2: (wallet, { path }: OfAllocation) => {
    const { authorizerHoldingCids, meta } = withdrawAllocation(
      wallet,
      2,
      path.contract_id,
    ) as unknown as {
      readonly authorizerHoldingCids: ReadonlyMap<string, readonly string[]>;
      readonly meta: Meta;
    };
    const holdings: Record<string, string[]> = {};
    for (const [id, cids] of authorizerHoldingCids) holdings[id] = [...cids];
    return { authorizer_holding_cids: holdings, meta: metaJson(meta) };
  },
  listAllocationRequests: (wallet) => ({
    allocation_requests: allocationRequests(wallet).map((each) => ({
      contract: requestJson(wallet, each),
    })),
  }),
  rejectAllocationRequest: (wallet, { path }: OfAllocation) => ({
    meta: metaJson((rejectRequest(wallet, 1, path.contract_id) as unknown as Executed).meta),
  }),
  rejectAllocationRequestV2: (wallet, { path }: OfAllocation) => ({
    meta: metaJson((rejectRequest(wallet, 2, path.contract_id) as unknown as Executed).meta),
  }),
});

interface Meta {
  readonly values: ReadonlyMap<string, string>;
}

interface Executed {
  readonly meta: Meta;
}

const metaJson = ({ values }: Meta): Record<string, string> => Object.fromEntries(values);

function allocateV1(wallet: Wallet, body: AllocateAmuletRequest): DamlValue {
  const { settlement, transfer_leg: leg, transfer_leg_id: transferLegId } = body;
  const { executor, settlement_ref: reference } = settlement;
  const { id, cid } = reference;
  return allocate(
    wallet,
    {
      settlement: {
        executor,
        settlementRef: { id, cid: cid ?? null },
        requestedAt: readTime(settlement.requested_at),
        allocateBefore: readTime(settlement.allocate_before),
        settleBefore: readTime(settlement.settle_before),
        meta: metaOf(settlement.meta),
      },
      transferLegId,
      receiver: leg.receiver,
      amount: readDecimal(leg.amount).toString(),
      meta: metaOf(leg.meta),
    },
    onceADay(wallet, METHOD, executor, id, cid ?? '', transferLegId),
  );
}

function allocateSecond(wallet: Wallet, body: AllocateAmuletV2Request): DamlValue {
  const { settlement, transfer_leg_sides: sides, next_iteration_funding: funding } = body;
  const { executors, settlement_ref: reference, settlement_deadline: deadline } = settlement;
  const { id, cid } = reference;
  const transferLegSides = sides.map((side) => ({
    transferLegId: side.transfer_leg_id,
    side: side.side === 'SENDERSIDE' ? 'SenderSide' : 'ReceiverSide',
    otherside: basicAccount(side.otherside),
    amount: readDecimal(side.amount).toString(),
    instrumentId: 'Amulet',
    meta: metaOf(side.meta),
  }));
  const nextIterationFunding = funding && {
    ...Object.fromEntries(
      Object.entries(funding).map(([key, amount]) => [key, readDecimal(amount).toString()]),
    ),
  };
  const once = onceADay(wallet, METHOD, id, cid ?? '', ...executors);
  return allocateV2(
    wallet,
    { executors, id, cid: cid ?? null, meta: metaOf(settlement.meta) },
    {
      transferLegSides,
      settlementDeadline: deadline === undefined ? null : readTime(deadline),
      nextIterationFunding: nextIterationFunding ?? null,
      committed: body.committed,
      meta: metaOf(body.meta),
    },
    { ...once, period: { kind: 'duration', microseconds: DEDUPLICATED_FOR_V2 } },
  );
}

function allocationJson(
  result: DamlValue,
  changeOf: (result: DamlRecord) => DamlValue,
): AllocateAmuletResponse {
  const record = result as DamlRecord;
  const { tag, value } = record.output as unknown as DamlVariant<DamlRecord>;
  return {
    output: outputJson(tag, value),
    sender_change_cids: [...(changeOf(record) as readonly string[])],
    meta: metaJson(record.meta as unknown as Meta),
  };
}

function outputJson(tag: string, value: DamlRecord): AllocateAmuletResponse['output'] {
  switch (tag) {
    case 'AllocationInstructionResult_Completed':
      return { allocation_cid: value.allocationCid as string };
    case 'AllocationInstructionResult_Pending':
      return { allocation_instruction_cid: value.allocationInstructionCid as string };
    default:
      return {};
  }
}

/** In the order of creation: compares the times as texts. */
function byCreation(contracts: readonly Contract[]): Contract[] {
  return [...contracts].sort((a, b) =>
    a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at),
  );
}

/** The request in the view of its interface. */
function requestJson({ splice }: Wallet, request: AllocationRequest): Contract {
  const { contract, interfaceId, view, viewType } = request;
  return {
    template_id: interfaceId,
    contract_id: contract.contractId,
    payload: splice.scanJson.payload(splice.packages, viewType, view) as Record<string, unknown>,
    created_event_blob: createdEventBlob(splice.packages, contract),
    created_at: formatInstant(contract.createdAt),
  };
}
