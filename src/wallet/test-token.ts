/**
 * The built-in test token in the words of its users: mint, transfer, accept, reject, withdraw. Each verb asks the
 * registry's own functions for context and disclosures, as a wallet asks the registry over HTTP.
 */
import type { ContractId, Party } from '../daml/model/values.js';
import {
  instructionContext,
  transferFactoryV1,
  type InstructionStep,
  type RegistryLedger,
} from '../token/registry/registry.js';
import { registryLedger } from '../token/registry/network-ledger.js';
import { ownerOf } from '../token/holdings/conversions.js';
import { TransferOffer, type OfferPayload } from '../token/transfers/transfer-offer.js';
import { TokenRules } from '../token/token-rules.js';
import type { ActiveContract } from './active-contract.js';
import type { ParticipantView } from './participant-view.js';
import {
  NO_METADATA,
  requireParties,
  StandardToken,
  type TransferParties,
} from './standard-token.js';

const RULES = '#canticle-test-token:Canticle.TestToken:TokenRules';
const TOKEN = '#canticle-test-token:Canticle.TestToken:Token';

/** The built-in test token, which implements the token standard. */
export class TestToken extends StandardToken {
  private readonly known: ContractId | undefined;
  private readonly prepare: (() => void) | undefined;
  private readonly ledger: RegistryLedger;

  /**
   * @param participants each party's verbs are used at its host
   * @param admin issues the token and answers for it as its registry; its rules contract is created if there is none
   * @param isLate whether that is done when it is first asked for
   * @param prepare brings its package, before that
   */
  constructor(
    participants: readonly ParticipantView[],
    admin: Party,
    {
      instrument = 'TestToken',
      isLate = false,
      prepare,
    }: {
      readonly instrument?: string;
      readonly isLate?: boolean;
      readonly prepare?: () => void;
    } = {},
  ) {
    super(participants, admin, instrument);
    this.prepare = prepare;
    this.ledger = registryLedger(
      this.adminHost.engine.ledger,
      participants.map(({ engine }) => engine),
      admin,
    );
    if (!isLate) this.known = this.rulesThere ?? this.createRules();
  }

  /** The contract of its rules. */
  get rules(): ContractId {
    return this.known ?? this.rulesThere ?? this.createRules();
  }

  private get rulesThere(): ContractId | undefined {
    const [rules] = this.ledger.contractsOf(TokenRules.id);
    return rules?.contract.contractId;
  }

  /** On the synchronizer that the admin was connected to first, as Splice's are on the global one: the tokens follow them. */
  private createRules(): ContractId {
    this.prepare?.();
    const { admin, adminHost } = this;
    const { connected, ledger } = adminHost.engine;
    const synchronizer = connected.find((id) => ledger.topology.hosts(admin, id).size > 0);
    return adminHost.create(RULES, { admin }, { actAs: [admin], synchronizer });
  }

  /** @returns the receiver's holding */
  mint(receiver: Party, amount: string | number): ContractId {
    requireParties('mint', { receiver });
    // Admin and receiver act together, which takes a participant that hosts both: to others the admin transfers it.
    if (!this.adminHost.engine.hosts(receiver)) return this.mintElsewhere(receiver, amount);
    const { instrument: instrumentId } = this;
    const argument = { instrumentId, receiver, amount, lock: null, meta: NO_METADATA };
    const { result } = this.adminHost.exercise(RULES, this.rules, 'TokenRules_Mint', argument, {
      actAs: [...new Set([this.admin, receiver])],
    });
    return result as ContractId;
  }

  private mintElsewhere(receiver: Party, amount: string | number): ContractId {
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

  partiesOf(instruction: ContractId): TransferParties | undefined {
    const stored = this.adminHost.engine.ledger.contracts.get(instruction);
    if (stored?.instance.templateId !== TransferOffer.id) return undefined;
    const { transfer } = stored.instance.payload as unknown as OfferPayload;
    return { sender: ownerOf(transfer.sender), receiver: ownerOf(transfer.receiver) };
  }

  protected answerFactory({ sender, receiver }: TransferParties) {
    return transferFactoryV1(this.ledger, { transfer: { sender, receiver } as never });
  }

  protected answerContext(instruction: ContractId, step: InstructionStep) {
    return instructionContext(this.ledger, instruction, step);
  }

  protected unlocked(owner: Party): ContractId[] {
    return this.holdings(owner)
      .filter(({ payload }) => !(payload as { lock: unknown }).lock)
      .map(({ contractId }) => contractId);
  }
}
