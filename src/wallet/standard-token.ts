/**
 * A token of the token standard for tests. It acts like a wallet with the token's registry, without HTTP: it gets the factory or the
 * context, exercises the choice, and passes on the disclosed contracts. Subclasses provide the registry.
 */
import { encodeValue } from '../daml/codec/json/codec.js';
import { LedgerError } from '../daml/errors/ledger-error.js';
import { withCallerStack } from '../daml/errors/own-frames.js';
import { Numeric } from '../daml/model/numeric.js';
import { formatInstant } from '../daml/model/time.js';
import type { ContractId, Party } from '../daml/model/values.js';
import { invalidArgument } from '../network/model/request-errors.js';
import { durationOf, type Duration } from '../network/model/time-texts.js';
import {
  CHOICE_CONTEXT_TYPE,
  type InstructionStep,
  type RegistryAnswer,
  type RegistryContext,
} from '../token/registry/registry.js';
import { holdingsOf, type Held } from './holdings.js';
import type { ParticipantView } from './participant-view.js';

const FACTORY =
  '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferFactory';
const INSTRUCTION =
  '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferInstruction';
export const NO_METADATA = Object.freeze({ values: Object.freeze({}) });
const REASON = 'splice.lfdecentralizedtrust.org/reason';
const MINUTE = 60_000_000n;
const DAY = 86_400_000_000n;

/** A transfer by the token standard. */
export interface TransferRequest {
  /** The sender. */
  readonly from: Party;
  /** The receiver. */
  readonly to: Party;
  /** A decimal. */
  readonly amount: string | number;
  /** Holdings to use as inputs; by default, the sender's unlocked ones, oldest first. */
  readonly inputs?: readonly ContractId[];
  /** The time in which the receiver may accept, such as `{ minutes: 10 }`; one day by default. */
  readonly expiresIn?: Duration;
  /** A reason, for display. */
  readonly reason?: string;
}

/** The outcome of a transfer. */
export interface TransferOutcome {
  /** `completed` for a transfer to oneself or by preapproval; `pending` until the receiver accepts. */
  readonly status: 'completed' | 'pending';
  /** The instruction of a pending transfer. */
  readonly instruction: ContractId | undefined;
  /** The sender's change, as new holdings. */
  readonly change: readonly ContractId[];
}

export interface TransferParties {
  readonly sender: Party;
  readonly receiver: Party;
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

export abstract class StandardToken {
  /**
   * @param participants each party acts through its host among these
   * @param admin issues the token, and is the registry's party
   * @param instrument its id
   */
  constructor(
    readonly participants: readonly ParticipantView[],
    readonly admin: Party,
    readonly instrument: string,
  ) {}

  protected abstract answerFactory(
    parties: TransferParties,
  ): RegistryAnswer<RegistryContext & { readonly factoryId: ContractId }>;

  protected abstract answerContext(
    instruction: ContractId,
    step: InstructionStep,
  ): RegistryAnswer<RegistryContext>;

  /** Sender and receiver of a pending or past transfer instruction; undefined if it does not belong to this token. */
  abstract partiesOf(instruction: ContractId): TransferParties | undefined;

  /** Unlocked holdings of a party, oldest first. */
  protected abstract unlocked(owner: Party): readonly ContractId[];

  /**
   * Transfers through the registry's factory.
   * @throws LedgerError if the registry or the ledger refuses it
   */
  transfer({
    from,
    to,
    amount,
    inputs,
    expiresIn = DAY,
    reason = '',
  }: TransferRequest): TransferOutcome {
    requireParties('transfer', { from, to });
    const factory = answered(this.answerFactory({ sender: from, receiver: to }));
    const now = this.adminHost.engine.ledger.clock.now();
    const transfer = {
      sender: from,
      receiver: to,
      amount,
      instrumentId: { admin: this.admin, id: this.instrument },
      requestedAt: formatInstant(now - MINUTE),
      executeBefore: formatInstant(now + durationOf(expiresIn)),
      inputHoldingCids: inputs ?? this.unlocked(from),
      meta: { values: { [REASON]: reason } },
    };
    const argument = { expectedAdmin: this.admin, transfer, extraArgs: this.extraArgs(factory) };
    const exercise = () =>
      this.hostOf(from).exercise(FACTORY, factory.factoryId, 'TransferFactory_Transfer', argument, {
        actAs: [from],
        disclosedContracts: factory.disclosed,
      });
    const { result } = this.withHoldings(from, amount, exercise);
    const { output, senderChangeCids } = result as InstructionResult;
    const status = output.tag === 'TransferInstructionResult_Pending' ? 'pending' : 'completed';
    return { status, instruction: output.value.transferInstructionCid, change: senderChangeCids };
  }

  /** Adds the sender's holdings to the explanation of an error. */
  private withHoldings<R>(sender: Party, amount: string | number, transfer: () => R): R {
    try {
      return transfer();
    } catch (error) {
      if (error instanceof LedgerError)
        error.explanation?.addReason(this.fundsText(sender, amount));
      throw error;
    }
  }

  private fundsText(sender: Party, amount: string | number): string {
    const { admin, instrument, participants } = this;
    const held = holdingsOf(
      participants.map(({ engine }) => engine),
      sender,
    ).filter((each) => each.instrument.id === instrument && each.instrument.admin === admin);
    const sum = (holdings: readonly Held[]): string =>
      holdings.reduce((total, each) => total.add(each.amount), Numeric.of('0', 10)).toCompact();
    const locked = held.filter((each) => each.locked);
    const ofWhich = locked.length === 0 ? '' : `, of which ${sum(locked)} locked`;
    return `${sender} holds ${sum(held)} ${instrument}${ofWhich}; the transfer needs ${amount}.`;
  }

  /**
   * @param instruction of a pending transfer; undefined, which a completed transfer has, is an error
   * @returns the receiver's holdings
   */
  accept(instruction: ContractId | undefined, receiver: Party): readonly ContractId[] {
    const { output } = this.answerInstruction('accept', instruction, receiver);
    return output.value.receiverHoldingCids ?? [];
  }

  reject(instruction: ContractId | undefined, receiver: Party): void {
    this.answerInstruction('reject', instruction, receiver);
  }

  withdraw(instruction: ContractId | undefined, sender: Party): void {
    this.answerInstruction('withdraw', instruction, sender);
  }

  private answerInstruction(
    step: InstructionStep,
    instruction: ContractId | undefined,
    actor: Party,
  ): InstructionResult {
    if (instruction === undefined)
      throw withCallerStack(
        new TypeError(
          `Failed to ${step}: there is no instruction. Was the transfer completed at once, as one to oneself or by preapproval is?`,
        ),
      );
    requireParties(step, { actor });
    const context = answered(this.answerContext(instruction, step));
    const choice = `TransferInstruction_${step[0]!.toUpperCase()}${step.slice(1)}`;
    const argument = { extraArgs: this.extraArgs(context) };
    const { result } = this.hostOf(actor).exercise(INSTRUCTION, instruction, choice, argument, {
      actAs: [actor],
      disclosedContracts: context.disclosed,
    });
    return result as InstructionResult;
  }

  protected get adminHost(): ParticipantView {
    return this.hostOf(this.admin);
  }

  protected hostOf(party: Party): ParticipantView {
    return this.participants.find(({ engine }) => engine.hosts(party)) ?? this.participants[0]!;
  }

  private extraArgs({ context }: RegistryContext) {
    const { packages } = this.adminHost.engine;
    return {
      context: encodeValue(packages, CHOICE_CONTEXT_TYPE, context as never),
      meta: NO_METADATA,
    };
  }
}

/** @throws TypeError for values that only a JavaScript test can pass */
export function requireParties(verb: string, parties: Readonly<Record<string, unknown>>): void {
  for (const [role, party] of Object.entries(parties))
    if (typeof party !== 'string')
      throw withCallerStack(
        new TypeError(`Failed to ${verb}: ${role} is ${String(party)}. Expected a party.`),
      );
}

/** @throws LedgerError INVALID_ARGUMENT with the registry's text */
function answered<T>(answer: RegistryAnswer<T>): T {
  if (!answer.ok) throw invalidArgument(answer.refusal.message);
  return answer.value;
}
