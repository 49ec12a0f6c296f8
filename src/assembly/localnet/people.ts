/** Creates the parties, users with rights, wallets and holdings of a LocalNet from its options. */
import { Numeric } from '../../daml/model/numeric.js';
import { uniqueIdentifierError } from '../../daml/model/identifiers.js';
import type { Party } from '../../daml/model/values.js';
import type { UserRight } from '../../network/administration/user-rights.js';
import type { Participant } from '../../network/participant.js';
import type { World } from '../../scenario/world.js';
import { latestOf } from '../../splice/dso/amulet-contracts.js';
import { configuredTasks } from '../../splice/wallet/tasks/configured-tasks.js';
import { durationOf } from '../../network/model/time-texts.js';
import { onboardUser } from '../../splice/validators/onboarding.js';
import type { RewardSharing } from '../../splice/reward-sharing.js';
import { walletOf } from '../../splice/wallet/wallet.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import { giveName } from '../../scenario/name-entries.js';
import type {
  LocalnetName,
  LocalnetParty,
  LocalnetRewardSharing,
  LocalnetRight,
  LocalnetUser,
  LocalnetValidatorOptions,
} from './localnet-options.js';

/** @throws ScenarioError for unknown parties, LedgerError for invalid ones */
export function addPeople(world: World, validators: readonly LocalnetValidatorOptions[]): void {
  const people = new People(world);
  for (const each of validators) people.allocate(each);
  for (const { name, users = [] } of validators) for (const user of users) people.add(name, user);
  for (const each of validators) people.fund(each);
  for (const each of validators) people.nameAll(each);
  people.automate(validators);
}

class People {
  /** By the node's name and the hint, and by the hint alone. */
  private readonly parties = new Map<string, Party>();

  constructor(private readonly world: World) {
    const { network, splice } = world;
    for (const participant of network.participants)
      this.parties.set(participant.name, splice.validatorAt(participant).party);
  }

  allocate({ name, parties = [] }: LocalnetValidatorOptions): void {
    const { parties: records, connected } = this.participant(name);
    for (const { hint, displayName } of parties.map(asParty)) {
      const party = records.newPartyId(hint);
      records.host(party, connected, displayName === undefined ? {} : { displayName });
      this.parties.set(placed(name, hint), party);
      if (!this.parties.has(hint)) this.parties.set(hint, party);
    }
  }

  add(node: string, { id, primaryParty, parties = [], rights = [], wallet }: LocalnetUser): void {
    const participant = this.participant(node);
    const primary = primaryParty === undefined ? undefined : this.party(node, primaryParty);
    const granted = [
      ...rights.map((right) => rightOf(right, primary, id)),
      ...parties.flatMap((each) =>
        each.rights.map((right) => rightOf(right, this.party(node, each.hint), id)),
      ),
    ];
    const { users } = participant;
    const { splice } = this.world;
    const validator = splice.validatorAt(participant);
    // The validator creates a new user, with a new party.
    if (wallet && primary === undefined && !users.has(id))
      onboardUser(splice.dsoParty, validator, { userName: id, isUrgent: true });
    if (!users.has(id)) users.create({ id, primaryParty: primary ?? '' }, granted);
    else {
      if (primary !== undefined) users.update({ id, primaryParty: primary }, ['primary_party']);
      users.grant(id, granted);
    }
    if (wallet)
      onboardUser(splice.dsoParty, validator, {
        userName: id,
        isUrgent: true,
        ...(primary !== undefined && { party: primary }),
      });
  }

  fund({ name, holds, parties = [] }: LocalnetValidatorOptions): void {
    this.give(this.party(name, name), holds);
    for (const each of parties.map(asParty)) this.give(this.party(name, each.hint), each.holds);
  }

  /** After the holdings, because they do not pay for names. */
  nameAll({ name: node, names, users = [] }: LocalnetValidatorOptions): void {
    const { walletUser } = this.world.splice.validatorAt(this.participant(node));
    this.nameWallet(node, walletUser, names);
    for (const { id, names: own } of users) this.nameWallet(node, id, own);
  }

  /** Runs last, so that automation does not change the initial state while it is incomplete. */
  automate(validators: readonly LocalnetValidatorOptions[]): void {
    const accepts = validators.flatMap(({ name, autoAcceptTransfers = [] }) =>
      autoAcceptTransfers.map(({ party = name, fromParties }) => ({
        party: this.party(name, party),
        fromParties: fromParties.map((from) => this.party(name, from)),
      })),
    );
    const sweeps = validators.flatMap(({ name, walletSweep = [] }) =>
      walletSweep.map(
        ({ party = name, receiver, useTransferPreapproval = false, ...balances }) => ({
          party: this.party(name, party),
          receiver: this.party(name, receiver),
          maxBalanceUsd: String(balances.maxBalanceUsd),
          minBalanceUsd: String(balances.minBalanceUsd),
          useTransferPreapproval,
        }),
      ),
    );
    const { splice } = this.world;
    const sharing = new Map(
      validators.flatMap(({ name, rewardSharing = [] }) =>
        rewardSharing.map((each) => this.sharingOf(name, each)),
      ),
    );
    if (accepts.length + sweeps.length + sharing.size > 0)
      splice.walletConfiguration.value = { accepts, sweeps, sharing };
    const tasks = configuredTasks(splice);
    if (tasks.length === 0) return;
    splice.automation.add(...tasks);
    splice.automation.carryOut();
  }

  /** @throws ScenarioError */
  private sharingOf(
    node: string,
    { party = node, ...options }: LocalnetRewardSharing,
  ): readonly [Party, RewardSharing] {
    const {
      beneficiaries = [],
      minTtlAfterSharing: ttl = { hours: 30 },
      batchSize = 100,
    } = options;
    const { splice } = this.world;
    const whose = `rewardSharing of ${party} at ${node}`;
    if (latestOf(splice, 'dsoRules') === undefined)
      throw new ScenarioError(
        `${whose} needs the rewards of Splice's code, but Splice's DARs are missing: \`canticle dars\` lists them.`,
      );
    const sum = beneficiaries.reduce(
      (total, { percentage }) => total.add(Numeric.of(String(percentage), 10)),
      Numeric.of('0', 10),
    );
    if (sum.compare(Numeric.of('1', 10)) > 0)
      throw new ScenarioError(
        `${whose}: the percentages must sum to at most 1, not ${sum.toCompact()}.`,
      );
    const sharing = {
      beneficiaries: beneficiaries.map(({ beneficiary, percentage }) => ({
        beneficiary: this.party(node, beneficiary),
        percentage: String(percentage),
      })),
      minTtlAfterSharing: durationOf(ttl),
      batchSize,
    };
    return [this.party(node, party), sharing];
  }

  private nameWallet(node: string, user: string, names: readonly (string | LocalnetName)[] = []) {
    if (names.length === 0) return;
    const { splice } = this.world;
    const wallet = walletOf(splice, splice.validatorAt(this.participant(node)), user);
    if (wallet === undefined)
      throw new ScenarioError(
        `The name ${asName(names[0]!).name} needs a wallet, but user ${user} has none. Set wallet: true; this requires Splice's DARs.`,
      );
    for (const each of names) giveName(this.world, wallet, asName(each));
  }

  private give(party: Party, amount: string | number | undefined): void {
    const { amulet, token } = this.world;
    if (amount === undefined) return;
    if (amulet.isRunning) amulet.tap(party, String(amount));
    else token.mint(party, String(amount));
  }

  private party(node: string, named: string): Party {
    const found = this.parties.get(placed(node, named)) ?? this.parties.get(named);
    if (found !== undefined) return found;
    // The full id of a party that is created later, such as an external party.
    if (uniqueIdentifierError(named) === undefined) return named;
    const known = [...this.parties.keys()].filter((key) => !key.includes(' ')).join(', ');
    throw new ScenarioError(`This LocalNet has no party '${named}'. Its parties are ${known}.`);
  }

  private participant(name: string): Participant {
    return this.world.network.participant(name);
  }
}

const asParty = (given: string | LocalnetParty): LocalnetParty =>
  typeof given === 'string' ? { hint: given } : given;
const asName = (given: string | LocalnetName): LocalnetName =>
  typeof given === 'string' ? { name: given } : given;
/** No name has a space. */
const placed = (node: string, hint: string): string => `${node} ${hint}`;

function rightOf(kind: LocalnetRight, party: Party | undefined, user: string): UserRight {
  switch (kind) {
    case 'CanActAs':
    case 'CanReadAs':
    case 'CanExecuteAs':
      if (party === undefined)
        throw new ScenarioError(
          `The right ${kind} of user ${user} needs a party. Set primaryParty, or use parties.`,
        );
      return { kind, party };
    default:
      return { kind };
  }
}
