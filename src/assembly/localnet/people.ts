/** Who is in a LocalNet besides its validators, as its options say: parties, users with their rights, wallets, holdings. */
import type { Party } from '../../daml/model/values.js';
import type { UserRight } from '../../network/administration/user-rights.js';
import type { Participant } from '../../network/participant.js';
import type { World } from '../../scenario/world.js';
import { onboardUser } from '../../splice/validators/onboarding.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import type {
  LocalnetParty,
  LocalnetRight,
  LocalnetUser,
  LocalnetValidatorOptions,
} from './localnet-options.js';

/** @throws ScenarioError for parties that nobody named, LedgerError for what the ledger refuses */
export function addPeople(world: World, validators: readonly LocalnetValidatorOptions[]): void {
  const people = new People(world);
  for (const each of validators) people.allocate(each);
  for (const { name, users = [] } of validators) for (const user of users) people.add(name, user);
  for (const each of validators) people.fund(each);
}

class People {
  /** By the node's name and the hint, and by what of both is enough. */
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
    if (!users.has(id)) users.create({ id, primaryParty: primary ?? '' }, granted);
    else {
      if (primary !== undefined) users.update({ id, primaryParty: primary }, ['primary_party']);
      users.grant(id, granted);
    }
    if (!wallet) return;
    const { splice } = this.world;
    onboardUser(splice.dsoParty, splice.validatorAt(participant), {
      userName: id,
      ...(primary !== undefined && { party: primary }),
    });
  }

  fund({ name, holds, parties = [] }: LocalnetValidatorOptions): void {
    this.give(this.party(name, name), holds);
    for (const each of parties.map(asParty)) this.give(this.party(name, each.hint), each.holds);
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
    const known = [...this.parties.keys()].filter((key) => !key.includes(' ')).join(', ');
    throw new ScenarioError(`There is no party ${named} in this LocalNet, only ${known}.`);
  }

  private participant(name: string): Participant {
    return this.world.network.participant(name);
  }
}

const asParty = (given: string | LocalnetParty): LocalnetParty =>
  typeof given === 'string' ? { hint: given } : given;
/** No name has a space. */
const placed = (node: string, hint: string): string => `${node} ${hint}`;

function rightOf(kind: LocalnetRight, party: Party | undefined, user: string): UserRight {
  switch (kind) {
    case 'CanActAs':
    case 'CanReadAs':
    case 'CanExecuteAs':
      if (party === undefined)
        throw new ScenarioError(
          `The right ${kind} of user ${user} is for a party, and none is named: primaryParty says it, or parties.`,
        );
      return { kind, party };
    default:
      return { kind };
  }
}
