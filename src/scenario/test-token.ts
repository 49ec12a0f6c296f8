/**
 * The built-in test token in the words of its users: mint, transfer, accept, reject, withdraw. Each verb asks the
 * registry's own functions for context and disclosures, as a wallet asks the registry over HTTP.
 */
import { encodeValue } from '../daml/json-codec.js';
import { formatInstant } from '../daml/time.js';
import type { ContractId, Party } from '../daml/values.js';
import { invalidArgument } from '../network/request-errors.js';
import {
  CHOICE_CONTEXT_TYPE,
  instructionContext,
  transferFactoryV1,
  type InstructionStep,
  type RegistryAnswer,
  type RegistryContext,
  type RegistryLedger,
} from '../token/registry.js';
import { registryLedger } from '../token/network-ledger.js';
import { ownerOf } from '../token/conversions.js';
import { TransferOffer, type OfferPayload } from '../token/transfer-offer.js';
import { TokenRules } from '../token/token-rules.js';
import type { ActiveContract, ParticipantView } from './participant-view.js';

const RULES = '#canticle-test-token:Canticle.TestToken:TokenRules';
const TOKEN = '#canticle-test-token:Canticle.TestToken:Token';
const FACTORY =
  '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferFactory';
const INSTRUCTION =
  '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferInstruction';
const NO_METADATA = { values: {} };
const MINUTE = 60_000_000n;
const DAY = 86_400_000_000n;

export interface TransferRequest {
  readonly from: Party;
  readonly to: Party;
  /** A decimal, as text. */
  readonly amount: string;
  /** Holdings to take it from; the sender's unlocked ones, oldest first, where absent. */
  readonly inputs?: readonly ContractId[];
  /** How long the receiver may accept, in microseconds; a day by default. */
  readonly expiresIn?: bigint;
  /** For people. */
  readonly reason?: string;
}

export interface TransferOutcome {
  /** `completed` at once for a transfer to oneself; `pending` until the receiver accepts. */
  readonly status: 'completed' | 'pending';
  /** Of a pending transfer. */
  readonly instruction: ContractId | undefined;
  readonly change: readonly ContractId[];
}

/** A `TransferInstructionResult` as Ledger API JSON. */
interface InstructionResult {
  readonly output: {
    readonly tag: string;
    readonly value: {
      readonly transferInstructionCid?: ContractId;
      readonly receiverHoldingCids?: readonly ContractId[];
    };
  };
  readonly senderChangeCids: readonly ContractId[];
}

export class TestToken {
  readonly rules: ContractId;
  private readonly ledger: RegistryLedger;

  /**
   * @param participants each party's verbs are used at its host
   * @param admin issues the token and answers for it as its registry; its rules contract is created if there is none
   */
  constructor(
    readonly participants: readonly ParticipantView[],
    readonly admin: Party,
    readonly instrument = 'TestToken',
  ) {
    this.ledger = registryLedger(this.adminHost.engine.network, admin);
    const [rules] = this.ledger.contractsOf(TokenRules.id);
    this.rules =
      rules?.contract.contractId ?? this.adminHost.create(RULES, { admin }, { actAs: [admin] });
  }

  /** @returns the receiver's holding */
  mint(receiver: Party, amount: string): ContractId {
    // Admin and receiver act together, which takes a participant that hosts both: to others the admin transfers it.
    if (!this.adminHost.engine.hosts(receiver)) return this.mintElsewhere(receiver, amount);
    const { instrument: instrumentId } = this;
    const argument = { instrumentId, receiver, amount, lock: null, meta: NO_METADATA };
    const { result } = this.adminHost.exercise(RULES, this.rules, 'TokenRules_Mint', argument, {
      actAs: [...new Set([this.admin, receiver])],
    });
    return result as ContractId;
  }

  private mintElsewhere(receiver: Party, amount: string): ContractId {
    const inputs = [this.mint(this.admin, amount)];
    const offer = this.transfer({ from: this.admin, to: receiver, amount, inputs, reason: 'mint' });
    return this.accept(offer.instruction!, receiver)[0]!;
  }

  /** Active holdings of a party, oldest first. */
  holdings(owner: Party): ActiveContract[] {
    return this.hostOf(owner)
      .activeContracts({ party: owner, template: TOKEN })
      .filter(({ payload }) => (payload as { owner: Party }).owner === owner);
  }

  transfer({
    from,
    to,
    amount,
    inputs,
    expiresIn = DAY,
    reason = '',
  }: TransferRequest): TransferOutcome {
    const factory = this.answer(
      transferFactoryV1(this.ledger, { transfer: { sender: from, receiver: to } as never }),
    );
    const now = this.adminHost.engine.network.clock.now();
    const transfer = {
      sender: from,
      receiver: to,
      amount,
      instrumentId: { admin: this.admin, id: this.instrument },
      requestedAt: formatInstant(now - MINUTE),
      executeBefore: formatInstant(now + expiresIn),
      inputHoldingCids: inputs ?? this.unlocked(from),
      meta: { values: { 'splice.lfdecentralizedtrust.org/reason': reason } },
    };
    const argument = { expectedAdmin: this.admin, transfer, extraArgs: this.extraArgs(factory) };
    const { result } = this.hostOf(from).exercise(
      FACTORY,
      factory.factoryId,
      'TransferFactory_Transfer',
      argument,
      { actAs: [from], disclosedContracts: factory.disclosed },
    );
    const { output, senderChangeCids } = result as InstructionResult;
    const status = output.tag === 'TransferInstructionResult_Pending' ? 'pending' : 'completed';
    return { status, instruction: output.value.transferInstructionCid, change: senderChangeCids };
  }

  /** @returns the receiver's holdings */
  accept(instruction: ContractId, receiver: Party): readonly ContractId[] {
    const { output } = this.answerInstruction('accept', instruction, receiver);
    return output.value.receiverHoldingCids ?? [];
  }

  reject(instruction: ContractId, receiver: Party): void {
    this.answerInstruction('reject', instruction, receiver);
  }

  withdraw(instruction: ContractId, sender: Party): void {
    this.answerInstruction('withdraw', instruction, sender);
  }

  /** Sender and receiver of a transfer instruction, pending or past; undefined where it is none of this token. */
  partiesOf(instruction: ContractId): { sender: Party; receiver: Party } | undefined {
    const stored = this.adminHost.engine.network.contracts.get(instruction);
    if (stored?.instance.templateId !== TransferOffer.id) return undefined;
    const { transfer } = stored.instance.payload as unknown as OfferPayload;
    return { sender: ownerOf(transfer.sender), receiver: ownerOf(transfer.receiver) };
  }

  private answerInstruction(
    step: InstructionStep,
    instruction: ContractId,
    actor: Party,
  ): InstructionResult {
    const context = this.answer(instructionContext(this.ledger, instruction, step));
    const choice = `TransferInstruction_${step[0]!.toUpperCase()}${step.slice(1)}`;
    const argument = { extraArgs: this.extraArgs(context) };
    const { result } = this.hostOf(actor).exercise(INSTRUCTION, instruction, choice, argument, {
      actAs: [actor],
      disclosedContracts: context.disclosed,
    });
    return result as InstructionResult;
  }

  private unlocked(owner: Party): ContractId[] {
    return this.holdings(owner)
      .filter(({ payload }) => !(payload as { lock: unknown }).lock)
      .map(({ contractId }) => contractId);
  }

  private get adminHost(): ParticipantView {
    return this.hostOf(this.admin);
  }

  private hostOf(party: Party): ParticipantView {
    return this.participants.find(({ engine }) => engine.hosts(party)) ?? this.participants[0]!;
  }

  private extraArgs({ context }: RegistryContext) {
    const { packages } = this.adminHost.engine;
    return {
      context: encodeValue(packages, CHOICE_CONTEXT_TYPE, context as never),
      meta: NO_METADATA,
    };
  }

  private answer<T>(answer: RegistryAnswer<T>): T {
    if (!answer.ok) throw invalidArgument(answer.refusal.message);
    return answer.value;
  }
}
