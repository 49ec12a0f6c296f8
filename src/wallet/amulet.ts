/**
 * Amulet, Splice's token, running the code of its DAR: founding it as a DSO does, and using it as a DevNet wallet does. All operations are
 * commands of parties on the ledger, with effects from Splice's Daml code.
 */
import { lazy } from '../daml/errors/lazy.js';
import type { ContractInstance } from '../daml/model/transaction.js';
import { formatInstant } from '../daml/model/time.js';
import { Numeric } from '../daml/model/numeric.js';
import type { ContractId, Party, Some } from '../daml/model/values.js';
import type { DisclosedContract } from '../network/submission/submission.js';
import { bootableVersion, defaultFees, fittingChoice } from './amulet-versions.js';
import { durationOf, type Duration } from '../network/model/time-texts.js';
import {
  activeSynchronizer,
  amuletConfig,
  isOf,
  latestOf,
  usableOpenRound,
  type AmuletTemplate,
} from '../splice/dso/amulet-contracts.js';
import {
  AMULET_INSTRUMENT,
  amuletInstructionContext,
  amuletTransferFactory,
  isAmuletRunning,
} from '../splice/registry/amulet-registry.js';
import { DsoNode } from '../splice/automation/dso-node.js';
import { advanceNow } from '../splice/automation/rounds.js';
import type { AmuletOptions } from '../splice/founding/boot-amulet.js';
import type { Splice } from '../splice/splice.js';
import type { InstructionStep } from '../token/registry/registry.js';
import { ScenarioError } from './scenario-error.js';
import type { ActiveContract } from './active-contract.js';
import type { ParticipantView } from './participant-view.js';
import { requireParties, StandardToken, type TransferParties } from './standard-token.js';
import type * as Booting from '../splice/founding/boot-amulet.js';

const booting = lazy(() => require('../splice/founding/boot-amulet.js') as typeof Booting);

const RULES = '#splice-amulet:Splice.AmuletRules:AmuletRules';
const SETUP_PROPOSAL = '#splice-amulet:Splice.AmuletRules:ExternalPartySetupProposal';
const AMULET = '#splice-amulet:Splice.Amulet:Amulet';
const LOCKED_AMULET = '#splice-amulet:Splice.Amulet:LockedAmulet';
const DAY = 86_400_000_000n;
/** USD per day, if the configuration has no fee (Splice.AmuletConfig). */
const PREAPPROVAL_FEE = Numeric.of('0.00274');

export type { AmuletOptions };

/** The `PaymentTransferContext` of Splice's choices, as Ledger API JSON, and the contracts to disclose with it. */
export interface AmuletContext {
  /** The `PaymentTransferContext` argument of choices. */
  readonly payment: {
    readonly amuletRules: ContractId;
    readonly context: {
      readonly openMiningRound: ContractId;
      readonly issuingMiningRounds: readonly (readonly [{ number: string }, ContractId])[];
      readonly validatorRights: readonly (readonly [Party, ContractId])[];
      readonly featuredAppRight: ContractId | null;
    };
  };
  /** Pass these with the command. */
  readonly disclosedContracts: readonly DisclosedContract[];
}

/** Options of a transfer preapproval. */
export interface PreapprovalOptions {
  /** The party that manages it, pays for it and gets its rewards; by default, the operator of the validator. */
  readonly provider?: Party;
  /** Its lifetime, such as `{ days: 30 }`; 90 days by default. */
  readonly expiresIn?: Duration;
}

/** Splice's Amulet for tests: its faucet, transfers, preapprovals and rounds. */
export class Amulet extends StandardToken {
  private readonly node: DsoNode;

  constructor(
    participants: readonly ParticipantView[],
    /** The Splice nodes of its network. */
    readonly splice: Splice,
  ) {
    super(participants, splice.dsoParty, AMULET_INSTRUMENT);
    this.node = new DsoNode(splice);
  }

  /** Whether it has been booted. */
  get isRunning(): boolean {
    return isAmuletRunning(this.splice);
  }

  /**
   * Founds the network's Amulet as the DSO: its rules, the rules for external parties, and three mining rounds of which two are open at
   * once.
   * @throws ScenarioError if the package is missing or Amulet already runs; LedgerError if the Daml code refuses the configuration
   */
  boot(options: AmuletOptions = {}): void {
    const version = bootableVersion(this.adminHost.engine.packages);
    if (this.isRunning) throw new ScenarioError('Amulet runs already.');
    booting().bootAmulet(this.splice, { ...options, fees: options.fees ?? defaultFees(version) });
  }

  /** The rules contract. A change of the configuration replaces it. */
  get rules(): ContractId {
    return this.needed('rules').contractId;
  }

  /** The factory of transfers and allocations. */
  get factory(): ContractId {
    return this.needed('externalPartyRules').contractId;
  }

  /** The newest open round that can be used now. */
  get round(): ContractId {
    return this.usableRound.contractId;
  }

  /**
   * Taps the faucet of DevNet.
   * @returns the receiver's new amulet
   */
  tap(receiver: Party, amount: string | number): ContractId {
    requireParties('tap', { receiver });
    const argument = { receiver, amount, openRound: this.round };
    const { result } = this.exerciseRules('AmuletRules_DevNet_Tap', argument, receiver);
    return (result as { amuletSum: { amulet: ContractId } }).amuletSum.amulet;
  }

  /** Amulets of a party, including locked ones, oldest first. */
  holdings(owner: Party): ActiveContract[] {
    const host = this.hostOf(owner);
    return [AMULET, LOCKED_AMULET]
      .flatMap((template) => host.activeContracts({ party: owner, template }))
      .filter(({ payload }) => amuletOf(payload).owner === owner);
  }

  /**
   * Lets a party receive amulets without accepting them. The provider proposes it, as validators do for external parties, and the receiver
   * accepts. On DevNet, the provider taps the price.
   * @returns the transfer preapproval
   */
  preapprove(receiver: Party, options: PreapprovalOptions = {}): ContractId {
    const { provider = this.splice.validator.party, expiresIn = 90n * DAY } = options;
    const lifetime = durationOf(expiresIn);
    const expiresAt = formatInstant(this.splice.network.clock.now() + lifetime);
    const funds = this.tap(provider, this.preapprovalFunds(lifetime));
    const { payment } = this.context();
    const argument = {
      context: payment,
      inputs: [{ tag: 'InputAmulet', value: funds }],
      user: receiver,
      validator: provider,
      preapprovalExpiresAt: expiresAt,
      expectedDso: this.admin,
    };
    const choice = 'AmuletRules_CreateExternalPartySetupProposal';
    const { result } = this.exerciseRules(choice, argument, provider);
    const { proposalCid } = result as { proposalCid: ContractId };
    const accepted = this.hostOf(receiver).exercise(
      SETUP_PROPOSAL,
      proposalCid,
      'ExternalPartySetupProposal_Accept',
      {},
      { actAs: [receiver] },
    );
    return (accepted.result as { transferPreapprovalCid: ContractId }).transferPreapprovalCid;
  }

  /**
   * Features a provider's app, which a provider on DevNet can do for itself.
   * @returns the featured app right
   */
  feature(provider: Party): ContractId {
    const { result } = this.exerciseRules('AmuletRules_DevNet_FeatureApp', { provider }, provider);
    return (result as { featuredAppRightCid: ContractId }).featuredAppRightCid;
  }

  /**
   * Advances the rounds like the DSO's automation at the end of the oldest open round. If that moment is in the future, it moves time
   * there. It opens a round, summarizes the oldest one and starts its issuing, closes issued rounds, and expires uncollected coupons.
   * @param price in USD, of the new round; unchanged by default
   */
  advanceRounds(price?: string): void {
    advanceNow(this.splice.automation, this.node, price);
  }

  /** The context of choices that pay with amulets. */
  context(): AmuletContext {
    return {
      payment: {
        amuletRules: this.rules,
        context: {
          openMiningRound: this.round,
          issuingMiningRounds: [],
          validatorRights: [],
          featuredAppRight: null,
        },
      },
      disclosedContracts: this.disclosures,
    };
  }

  partiesOf(instruction: ContractId): TransferParties | undefined {
    const stored = this.splice.network.contracts.get(instruction)?.instance;
    if (stored === undefined || !isOf(stored, 'transferInstruction')) return undefined;
    return stored.payload.transfer as unknown as TransferParties;
  }

  protected answerFactory(parties: TransferParties) {
    return amuletTransferFactory(this.splice, parties);
  }

  protected answerContext(instruction: ContractId, step: InstructionStep) {
    return amuletInstructionContext(this.splice, instruction, step);
  }

  protected unlocked(owner: Party): ContractId[] {
    return this.hostOf(owner)
      .activeContracts({ party: owner, template: AMULET })
      .filter(({ payload }) => amuletOf(payload).owner === owner)
      .map(({ contractId }) => contractId);
  }

  private exerciseRules(choice: string, argument: unknown, actor: Party) {
    const host = this.hostOf(actor);
    return host.exercise(RULES, this.rules, choice, fittingChoice(host, choice, argument), {
      actAs: [actor],
      disclosedContracts: this.disclosures,
    });
  }

  private preapprovalFunds(length: bigint): string {
    const { transferPreapprovalFee: fee } = amuletConfig(this.splice, this.needed('rules'));
    const { amuletPrice } = this.usableRound.payload as unknown as { amuletPrice: Numeric };
    const dailyFee = fee === null ? PREAPPROVAL_FEE : (fee as Some<Numeric>).value;
    return preapprovalFunds(amuletPrice, dailyFee, length);
  }

  private get disclosures(): readonly DisclosedContract[] {
    const rules = this.needed('rules');
    const synchronizerId = activeSynchronizer(this.splice, rules);
    return [rules, this.usableRound].map((contract) => ({ contract, synchronizerId }));
  }

  private get usableRound(): ContractInstance {
    const round = usableOpenRound(this.splice);
    if (round === undefined) throw new ScenarioError(NOT_RUNNING);
    return round;
  }

  private needed(template: AmuletTemplate): ContractInstance {
    const contract = latestOf(this.splice, template);
    if (contract === undefined) throw new ScenarioError(NOT_RUNNING);
    return contract;
  }
}

const NOT_RUNNING =
  "Amulet does not run here. Start it with createCanticle({ amulet: 'splice-amulet-0.1.14.dar' }), with the verb `amulet` of a scenario, or with amulet.boot() once its DAR is uploaded.";

interface AmuletPayload {
  readonly owner: Party;
  readonly amount: { readonly initialAmount: string };
}

/** The amulet in a payload of an Amulet or LockedAmulet. */
function amuletOf(payload: unknown): AmuletPayload {
  return (payload as { amulet?: AmuletPayload }).amulet ?? (payload as AmuletPayload);
}

/**
 * An amount that exceeds the price of a preapproval, in amulets; the rest returns as change.
 * @param length microseconds
 */
function preapprovalFunds(price: Numeric, dailyFee: Numeric, length: bigint): string {
  const days = Numeric.of(length).divide(String(DAY));
  return days.multiply(dailyFee).divide(price).add('1').multiply('2').toString();
}
