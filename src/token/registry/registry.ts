/**
 * Answers of the test token's registry about transfers, as functions of the contracts that the registry sees: the factory, the context and
 * the contracts to disclose. Services add HTTP, JSON and blobs.
 */
import { conType } from '../../daml/define/code.js';
import type { DamlType, TypeId } from '../../daml/model/types.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import { EXPIRE_LOCK_KEY, RULES_KEY } from '../holdings/context.js';
import { isBasicAccount, ownerOf } from '../holdings/conversions.js';
import { AnyValue, metadataV1, type ChoiceContext } from '../standard/metadata-v1.js';
import {
  transferInstructionV1,
  type TransferFactoryTransfer as TransferArgumentsV1,
} from '../standard/transfer-instruction-v1.js';
import type { Account } from '../standard/holding-v2.js';
import {
  transferInstructionV2,
  type TransferFactoryTransfer as TransferArgumentsV2,
} from '../standard/transfer-instruction-v2.js';
import { TokenRules } from '../token-rules.js';
import { TransferOffer, type OfferPayload } from '../transfers/transfer-offer.js';

/** An active contract and its synchronizer; undefined during a reassignment. */
export interface LocatedContract {
  readonly contract: ContractInstance;
  readonly synchronizerId: string | undefined;
}

/** The view of the registry's operator, the instrument admin. It includes contracts that are being reassigned. */
export interface RegistryLedger {
  readonly admin: Party;
  contract(id: ContractId): LocatedContract | undefined;
  /** In order of creation. */
  contractsOf(templateId: TypeId): Iterable<LocatedContract>;
}

export interface DisclosedToken {
  readonly contract: ContractInstance;
  readonly synchronizerId: string;
}

/** The Daml type of {@link RegistryContext.context}. */
export const CHOICE_CONTEXT_TYPE: DamlType = conType(
  `${metadataV1.id}:Splice.Api.Token.MetadataV1:ChoiceContext`,
);

/** The Daml types of the choice arguments that a client passes to the transfer-factory operations. */
export const TRANSFER_ARGUMENT_TYPES: Readonly<Record<'v1' | 'v2', DamlType>> = {
  v1: conType(
    `${transferInstructionV1.id}:Splice.Api.Token.TransferInstructionV1:TransferFactory_Transfer`,
  ),
  v2: conType(
    `${transferInstructionV2.id}:Splice.Api.Token.TransferInstructionV2:TransferFactory_Transfer`,
  ),
};

export interface RegistryContext {
  readonly context: ChoiceContext;
  readonly disclosed: readonly DisclosedToken[];
}

export interface FactoryAnswer extends RegistryContext {
  readonly factoryId: ContractId;
}

export interface TransferFactoryAnswer extends FactoryAnswer {
  /** `self`: the sender is the receiver, and the transfer is immediate. `offer`: the receiver has to accept. */
  readonly transferKind: 'self' | 'offer';
}

/**
 * `invalid` is an error of the client. `reassigning` is temporary: the client should retry. `unclear` is an error of the contracts on the
 * ledger.
 */
export interface RegistryRefusal {
  readonly kind: 'not-found' | 'invalid' | 'reassigning' | 'unclear';
  readonly message: string;
}

export type RegistryAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: RegistryRefusal };

export type InstructionStep = 'accept' | 'reject' | 'withdraw';

/** For `POST /registry/transfer-instruction/v1/transfer-factory`. The answer depends on the parties only; the ledger checks the rest. */
export function transferFactoryV1(
  ledger: RegistryLedger,
  { transfer }: Pick<TransferArgumentsV1, 'transfer'>,
): RegistryAnswer<TransferFactoryAnswer> {
  return transferFactory(ledger, transfer.sender === transfer.receiver);
}

/** The answer for version 2. Accounts must be basic: an owner, without provider and id. */
export function transferFactoryV2(
  ledger: RegistryLedger,
  { transfer }: Pick<TransferArgumentsV2, 'transfer'>,
): RegistryAnswer<TransferFactoryAnswer> {
  const accounts: readonly (readonly [string, Account])[] = [
    ['sender', transfer.sender],
    ['receiver', transfer.receiver],
  ];
  for (const [field, account] of accounts)
    if (!isBasicAccount(account))
      return refuse(
        'invalid',
        `transfer.${field}: only accounts with an owner and without provider and id are supported`,
      );
  return transferFactory(ledger, ownerOf(transfer.sender) === ownerOf(transfer.receiver));
}

/**
 * For `POST /registry/transfer-instruction/{v1,v2}/{id}/choice-contexts/{accept,reject,withdraw}`, equal in both versions. If the locked
 * token is gone, its lock has expired: accept fails, the other steps continue without it.
 */
export function instructionContext(
  ledger: RegistryLedger,
  instructionId: ContractId,
  step: InstructionStep,
): RegistryAnswer<RegistryContext> {
  const offer = ledger.contract(instructionId);
  if (offer?.contract.templateId !== TransferOffer.id)
    return refuse('not-found', `TransferOffer '${instructionId}' not found.`);
  const rules = rulesOf(ledger);
  if (rules === undefined) return noRules(ledger);
  const { lockedToken, transfer } = offer.contract.payload as unknown as OfferPayload;
  const token = ledger.contract(lockedToken);
  if (token === undefined && step === 'accept')
    return refuse(
      'not-found',
      `Locked token '${lockedToken}' of TransferOffer '${instructionId}' not found. ` +
        `Its lock expired at ${transfer.executeBefore} microseconds since 1970, and its owner has used it since.`,
    );
  if (offer.synchronizerId === undefined) return reassigning(offer);
  const disclosed = disclose(token === undefined ? [rules] : [rules, token]);
  if (!disclosed.ok) return disclosed;
  const values = new Map([
    [EXPIRE_LOCK_KEY, AnyValue.of('AV_Bool', token !== undefined)],
    [RULES_KEY, AnyValue.of('AV_ContractId', rules.contract.contractId)],
  ]);
  return { ok: true, value: { context: { values }, disclosed: disclosed.value } };
}

/** The admin's latest rules contract. */
export function rulesOf(ledger: RegistryLedger): LocatedContract | undefined {
  return [...ledger.contractsOf(TokenRules.id)]
    .filter(({ contract }) => contract.payload.admin === ledger.admin)
    .at(-1);
}

function transferFactory(
  ledger: RegistryLedger,
  toSelf: boolean,
): RegistryAnswer<TransferFactoryAnswer> {
  const found = rulesFactory(ledger);
  if (!found.ok) return found;
  return { ok: true, value: { ...found.value, transferKind: toSelf ? 'self' : 'offer' } };
}

/**
 * The answer with the rules contract, which is the factory for all operations of the token.
 * @param tokens tokens to disclose because the choice needs them
 */
export function rulesFactory(
  ledger: RegistryLedger,
  tokens: readonly LocatedContract[] = [],
): RegistryAnswer<FactoryAnswer> {
  const rules = rulesOf(ledger);
  if (rules === undefined) return noRules(ledger);
  const disclosed = disclose([rules, ...tokens]);
  if (!disclosed.ok) return disclosed;
  const factoryId = rules.contract.contractId;
  const values = new Map([[RULES_KEY, AnyValue.of('AV_ContractId', factoryId)]]);
  return { ok: true, value: { factoryId, context: { values }, disclosed: disclosed.value } };
}

export function disclose(
  contracts: readonly LocatedContract[],
): RegistryAnswer<readonly DisclosedToken[]> {
  const disclosed: DisclosedToken[] = [];
  for (const located of contracts) {
    if (located.synchronizerId === undefined) return reassigning(located);
    disclosed.push({ contract: located.contract, synchronizerId: located.synchronizerId });
  }
  return { ok: true, value: disclosed };
}

export function refuse(
  kind: RegistryRefusal['kind'],
  message: string,
): { ok: false; refusal: RegistryRefusal } {
  return { ok: false, refusal: { kind, message } };
}

export function reassigning({ contract }: LocatedContract): {
  ok: false;
  refusal: RegistryRefusal;
} {
  return refuse(
    'reassigning',
    `Contract '${contract.contractId}' is being reassigned to another synchronizer. Try again.`,
  );
}

export function noRules({ admin }: RegistryLedger): { ok: false; refusal: RegistryRefusal } {
  return refuse('not-found', `No TokenRules contract of ${admin} found.`);
}
