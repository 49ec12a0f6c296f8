/**
 * Transfers and allocations of the token standard. The user's party exercises the factory that the registry names, with all unlocked
 * amulets and those whose lock has expired (WA-TRE-016, WA-TRE-017).
 */
import { encodeValue } from '../../daml/codec/json/codec.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import { formatTimestamp } from '../../daml/model/time.js';
import type {
  ContractId,
  DamlRecord,
  DamlValue,
  Party,
  Timestamp,
} from '../../daml/model/values.js';
import type { DisclosedContract } from '../../network/submission/submission.js';
import {
  CHOICE_CONTEXT_TYPE,
  type FactoryAnswer,
  type InstructionStep,
  type RegistryAnswer,
  type RegistryContext,
  type RegistryRefusal,
} from '../../token/registry/registry.js';
import { activeSynchronizer } from '../dso/amulet-contracts.js';
import {
  amuletAllocationContext,
  amuletAllocationContextV2,
  amuletAllocationFactory,
  amuletAllocationFactoryV2,
} from '../registry/amulet-allocations.js';
import {
  AMULET_INSTRUMENT,
  amuletInstructionContext,
  amuletTransferFactory,
} from '../registry/amulet-registry.js';
import type { Splice } from '../splice.js';
import { WalletRefusal, type RefusalKind } from './refusals.js';
import { amuletRules } from './rounds.js';
import { exercise, type Deduplicated } from './submit.js';
import { exerciseInstall } from './treasury.js';
import type { Wallet } from './wallet.js';

/** The version of the standard's interfaces. */
export type Version = 1 | 2;

const KINDS: Readonly<Record<RegistryRefusal['kind'], RefusalKind>> = {
  invalid: 'INVALID_ARGUMENT',
  'not-found': 'NOT_FOUND',
  reassigning: 'ALREADY_EXISTS',
  unclear: 'INTERNAL',
};

const NO_META = Object.freeze({ values: Object.freeze({}) });

/** The registry's answer, as part of a choice's argument. */
interface RegistryParts {
  readonly extraArgs: object;
  readonly disclosed: readonly DisclosedContract[];
}

function answered<T extends RegistryContext>({ packages }: Splice, answer: RegistryAnswer<T>) {
  if (!answer.ok) throw new WalletRefusal(KINDS[answer.refusal.kind], answer.refusal.message);
  const { value } = answer;
  const context = encodeValue(
    packages,
    CHOICE_CONTEXT_TYPE,
    value.context as unknown as DamlRecord,
  );
  const parts: RegistryParts = {
    extraArgs: { context, meta: NO_META },
    disclosed: value.disclosed,
  };
  return { ...parts, value };
}

const api = (name: string, version: Version): string =>
  `#splice-api-token-${name.replace(/[A-Z]/g, (letter, at: number) => (at > 0 ? '-' : '') + letter.toLowerCase())}-v${version}:Splice.Api.Token.${name}V${version}`;

/** A version 2 account without provider and id. */
export const basicAccount = (owner: Party) => ({ owner, provider: null, id: '' });

const ownInstrument = ({ dsoParty }: Wallet) => ({ admin: dsoParty, id: AMULET_INSTRUMENT });

/** Free amulets, and those with an expired lock. */
function holdings(wallet: Wallet): ContractId[] {
  const now = wallet.splice.network.clock.now();
  const isOver = ({ payload }: ContractInstance): boolean =>
    (payload.lock as { readonly expiresAt: Timestamp }).expiresAt < now;
  return [...wallet.list('amulet'), ...wallet.list('lockedAmulet').filter(isOver)].map(
    ({ contractId }) => contractId,
  );
}

const timeNow = ({ splice }: Wallet): string => formatTimestamp(splice.network.clock.now());

export interface TransferRequest {
  readonly receiver: Party;
  /** Decimal. */
  readonly amount: string;
  readonly description: string;
  /** As Ledger API JSON. */
  readonly expiresAt: string;
}

/**
 * @returns a TransferInstructionResult
 * @throws WalletRefusal, LedgerError
 */
export function transferTokens(
  wallet: Wallet,
  version: Version,
  { receiver, amount, description, expiresAt }: TransferRequest,
  deduplicated: Deduplicated,
): DamlValue {
  const { splice, party, dsoParty } = wallet;
  const found = answered(splice, amuletTransferFactory(splice, { sender: party, receiver }));
  const holder = (each: Party) => (version === 1 ? each : basicAccount(each));
  const transfer = {
    sender: holder(party),
    receiver: holder(receiver),
    amount,
    instrumentId: ownInstrument(wallet),
    requestedAt: timeNow(wallet),
    executeBefore: expiresAt,
    inputHoldingCids: holdings(wallet),
    meta: { values: { 'splice.lfdecentralizedtrust.org/reason': description } },
  };
  const who = version === 1 ? { expectedAdmin: dsoParty } : { actors: [party] };
  return onFactory(wallet, found, deduplicated, {
    reference: `${api('TransferInstruction', version)}:TransferFactory`,
    choice: 'TransferFactory_Transfer',
    argument: { ...who, transfer, extraArgs: found.extraArgs },
  });
}

export interface AllocationRequestV1 {
  /** SettlementInfo, as Ledger API JSON. */
  readonly settlement: object;
  readonly transferLegId: string;
  readonly receiver: Party;
  readonly amount: string;
  readonly meta: object;
}

/**
 * @returns an AllocationInstructionResult
 * @throws WalletRefusal, LedgerError
 */
export function allocate(
  wallet: Wallet,
  { settlement, transferLegId, receiver, amount, meta }: AllocationRequestV1,
  deduplicated: Deduplicated,
): DamlValue {
  const { splice, party: sender, dsoParty } = wallet;
  const found = answered(splice, amuletAllocationFactory(splice));
  const transferLeg = { sender, receiver, amount, instrumentId: ownInstrument(wallet), meta };
  return onFactory(wallet, found, deduplicated, {
    reference: `${api('AllocationInstruction', 1)}:AllocationFactory`,
    choice: 'AllocationFactory_Allocate',
    argument: {
      expectedAdmin: dsoParty,
      allocation: { settlement, transferLegId, transferLeg },
      requestedAt: timeNow(wallet),
      inputHoldingCids: holdings(wallet),
      extraArgs: found.extraArgs,
    },
  });
}

/**
 * @param allocation AllocationSpecification without admin and authorizer, as Ledger API JSON
 * @returns an AllocationInstructionResult
 * @throws WalletRefusal, LedgerError
 */
export function allocateV2(
  wallet: Wallet,
  settlement: object,
  allocation: object,
  deduplicated: Deduplicated,
): DamlValue {
  const { splice, party, dsoParty } = wallet;
  const found = answered(splice, amuletAllocationFactoryV2(splice));
  return onFactory(wallet, found, deduplicated, {
    reference: `${api('AllocationInstruction', 2)}:AllocationFactory`,
    choice: 'AllocationFactory_Allocate',
    argument: {
      settlement,
      allocation: { admin: dsoParty, authorizer: basicAccount(party), ...allocation },
      requestedAt: timeNow(wallet),
      inputHoldingCids: holdings(wallet),
      extraArgs: found.extraArgs,
      actors: [party],
    },
  });
}

interface FactoryCall {
  readonly reference: string;
  readonly choice: string;
  readonly argument: object;
}

function onFactory(
  { splice, validator, party }: Wallet,
  { value, disclosed }: RegistryParts & { readonly value: FactoryAnswer },
  deduplicated: Deduplicated,
  { reference, choice, argument }: FactoryCall,
): DamlValue {
  return exercise(validator, reference, value.factoryId, choice, argument, {
    actAs: [party],
    readAs: [party],
    disclosedContracts: disclosed,
    synchronizer: activeSynchronizer(splice, amuletRules(splice)),
    deduplicated,
  });
}

const VERBS = { accept: 'Accept', reject: 'Reject', withdraw: 'Withdraw' } as const;

/**
 * Exercises a choice of a transfer instruction through the wallet's `WalletAppInstall`.
 * @throws WalletRefusal, LedgerError
 */
export function stepTransfer(
  wallet: Wallet,
  version: Version,
  step: InstructionStep,
  transferInstructionCid: ContractId,
): DamlValue {
  const { splice, party } = wallet;
  const context = amuletInstructionContext(splice, transferInstructionCid, step);
  const { extraArgs, disclosed } = answered(splice, context);
  const choice = `TransferInstruction${version === 1 ? '' : 'V2'}_${VERBS[step]}`;
  const own = version === 1 ? { extraArgs } : { actors: [party], extraArgs };
  const argument = { transferInstructionCid, [`${step}Arg`]: own };
  return exerciseInstall(wallet, choice, argument, { alsoDisclosed: disclosed });
}

/**
 * @returns an Allocation_WithdrawResult of version 1, or an AllocationResult
 * @throws WalletRefusal, LedgerError
 */
export function withdrawAllocation(
  wallet: Wallet,
  version: Version,
  allocation: ContractId,
): DamlValue {
  const { splice, validator, validatorParty, party } = wallet;
  if (version === 1) wallet.get('allocation', allocation);
  const context =
    version === 1
      ? amuletAllocationContext(splice, allocation, 'withdraw')
      : amuletAllocationContextV2(splice, allocation);
  const { extraArgs, disclosed } = answered(splice, context);
  if (version === 2 && wallet.find('allocationV2', allocation) === undefined)
    wallet.get('allocation', allocation);
  const argument = version === 1 ? { extraArgs } : { actors: [party], extraArgs };
  const reference = `${api('Allocation', version)}:Allocation`;
  return exercise(validator, reference, allocation, 'Allocation_Withdraw', argument, {
    actAs: [...new Set([validatorParty, party])],
    disclosedContracts: disclosed,
  });
}
