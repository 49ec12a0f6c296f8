/**
 * What the test token's registry answers about transfers, as plain functions over what the registry sees of the ledger: which
 * factory, which context, which contracts to disclose. HTTP, JSON and blobs are left to others.
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

/** An active contract, and where it is: no synchronizer while it is being reassigned. */
export interface LocatedContract {
  readonly contract: ContractInstance;
  readonly synchronizerId: string | undefined;
}

/** The ledger as the registry's operator, the instrument admin, sees it. Contracts in flight are among its contracts. */
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

/** The Daml types of the choice arguments that a client hands to the transfer-factory operations. */
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
  /** `self`: sender and receiver are one, done at once. `offer`: the receiver has to accept. */
  readonly transferKind: 'self' | 'offer';
}

/** `invalid` is the client's mistake; `reassigning` passes: the client should try again. */
export interface RegistryRefusal {
  readonly kind: 'not-found' | 'invalid' | 'reassigning';
  readonly message: string;
}

export type RegistryAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: RegistryRefusal };

export type InstructionStep = 'accept' | 'reject' | 'withdraw';

/** For `POST /registry/transfer-instruction/v1/transfer-factory`. Only the parties are looked at; the ledger checks the rest. */
export function transferFactoryV1(
  ledger: RegistryLedger,
  { transfer }: Pick<TransferArgumentsV1, 'transfer'>,
): RegistryAnswer<TransferFactoryAnswer> {
  return transferFactory(ledger, transfer.sender === transfer.receiver);
}

/** The same for version 2, whose accounts must be basic ones: an owner, no provider, no id. */
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
 * For `POST /registry/transfer-instruction/{v1,v2}/{id}/choice-contexts/{accept,reject,withdraw}`; the versions differ
 * in nothing here. Where the locked token is gone, its lock has expired: accept is refused, the others go on without it.
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

/** The admin's rules: the newest, should there be several. */
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

/** The rules are all factories of the token. @param tokens that the choice needs, to be disclosed too */
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
