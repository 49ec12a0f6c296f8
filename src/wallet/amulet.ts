/**
 * Amulet, Splice's own token, where the code of its DAR runs: booting it as a DSO does, and what a wallet of DevNet does with
 * it. All of it are commands of parties on the ledger; what comes of them Splice's Daml code says.
 */
import type { ContractInstance } from '../daml/model/transaction.js';
import { formatInstant } from '../daml/model/time.js';
import { Numeric } from '../daml/model/numeric.js';
import type { ContractId, Party, Some } from '../daml/model/values.js';
import type { DisclosedContract } from '../network/submission/submission.js';
import { bootableVersion, defaultFees, fittingChoice } from './amulet-versions.js';
import { durationOf, type Duration } from '../network/time-texts.js';
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
import { bootAmulet, type AmuletOptions } from '../splice/founding/boot-amulet.js';
import type { Splice } from '../splice/splice.js';
import type { InstructionStep } from '../token/registry/registry.js';
import { ScenarioError } from './scenario-error.js';
import type { ActiveContract } from './active-contract.js';
import type { ParticipantView } from './participant-view.js';
import { requireParties, StandardToken, type TransferParties } from './standard-token.js';

const RULES = '#splice-amulet:Splice.AmuletRules:AmuletRules';
const SETUP_PROPOSAL = '#splice-amulet:Splice.AmuletRules:ExternalPartySetupProposal';
const AMULET = '#splice-amulet:Splice.Amulet:Amulet';
const LOCKED_AMULET = '#splice-amulet:Splice.Amulet:LockedAmulet';
const DAY = 86_400_000_000n;
/** USD a day, where the configuration says nothing (Splice.AmuletConfig). */
const PREAPPROVAL_FEE = Numeric.of('0.00274');

export type { AmuletOptions };

/** The `PaymentTransferContext` of Splice's choices, as Ledger API JSON, and the contracts to disclose with it. */
export interface AmuletContext {
  /** What choices take as their `PaymentTransferContext`. */
  readonly payment: {
    readonly amuletRules: ContractId;
    readonly context: {
      readonly openMiningRound: ContractId;
      readonly issuingMiningRounds: readonly (readonly [{ number: string }, ContractId])[];
      readonly validatorRights: readonly (readonly [Party, ContractId])[];
      readonly featuredAppRight: ContractId | null;
    };
  };
  /** To be given with the command. */
  readonly disclosedContracts: readonly DisclosedContract[];
}

/** Of a preapproval of transfers. */
export interface PreapprovalOptions {
  /** Who manages it, pays for it and has the rewards; the operator of the validator by default. */
  readonly provider?: Party;
  /** How long it holds, such as `{ days: 30 }`; 90 days by default. */
  readonly expiresIn?: Duration;
}

/** Splice's Amulet as a test holds it: its faucet, transfers, preapprovals and rounds. */
export class Amulet extends StandardToken {
  private readonly node: DsoNode;

  constructor(
    participants: readonly ParticipantView[],
    /** The network of the DSO that it belongs to. */
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
   * Founds the network's Amulet as the DSO: its rules, those for external parties, and three mining rounds of which two
   * are open at once.
   * @throws ScenarioError where the package is not there, or Amulet runs already; LedgerError for a configuration that
   *   the Daml code refuses
   */
  boot(options: AmuletOptions = {}): void {
    const version = bootableVersion(this.adminHost.engine.packages);
    if (this.isRunning) throw new ScenarioError('Amulet runs already.');
    bootAmulet(this.splice, { ...options, fees: options.fees ?? defaultFees(version) });
  }

  /** The contract of the rules: they are replaced when the configuration changes. */
  get rules(): ContractId {
    return this.needed('rules').contractId;
  }

  /** The factory of transfers and allocations. */
  get factory(): ContractId {
    return this.needed('externalPartyRules').contractId;
  }

  /** The newest open round that may be used now. */
  get round(): ContractId {
    return this.usableRound.contractId;
  }

  /** The faucet of DevNet. @returns the receiver's new amulet */
  tap(receiver: Party, amount: string | number): ContractId {
    requireParties('tap', { receiver });
    const argument = { receiver, amount, openRound: this.round };
    const { result } = this.exerciseRules('AmuletRules_DevNet_Tap', argument, receiver);
    return (result as { amuletSum: { amulet: ContractId } }).amuletSum.amulet;
  }

  /** Amulets of a party, locked ones too, oldest first. */
  holdings(owner: Party): ActiveContract[] {
    const host = this.hostOf(owner);
    return [AMULET, LOCKED_AMULET]
      .flatMap((template) => host.activeContracts({ party: owner, template }))
      .filter(({ payload }) => amuletOf(payload).owner === owner);
  }

  /**
   * Lets a party receive amulet without accepting: the provider proposes, as validators do for external parties, and the
   * receiver accepts. On DevNet the provider taps what it costs.
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

  /** On DevNet a provider features its own app. @returns the featured app right */
  feature(provider: Party): ContractId {
    const { result } = this.exerciseRules('AmuletRules_DevNet_FeatureApp', { provider }, provider);
    return (result as { featuredAppRightCid: ContractId }).featuredAppRightCid;
  }

  /**
   * Does what the DSO's automation does when the time of the oldest open round is over, and moves time there if it is
   * still to come: a new round, the oldest one summarized and issued, issued ones closed, what nobody collected expired.
   * @param price in USD, of the new round; as before by default
   */
  advanceRounds(price?: string): void {
    advanceNow(this.splice.automation, this.node, price);
  }

  /** What choices that pay with amulet are given, for whoever exercises them. */
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

/** Of an amulet, or of the one that a lock holds. */
function amuletOf(payload: unknown): AmuletPayload {
  return (payload as { amulet?: AmuletPayload }).amulet ?? (payload as AmuletPayload);
}

/**
 * More than a preapproval of that length costs, in amulet; the rest comes back as change.
 * @param length microseconds
 */
function preapprovalFunds(price: Numeric, dailyFee: Numeric, length: bigint): string {
  const days = Numeric.of(length).divide(String(DAY));
  return days.multiply(dailyFee).divide(price).add('1').multiply('2').toString();
}
