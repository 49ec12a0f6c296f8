/**
 * How a validator takes in a user and lets it go (V-REG-002 to V-REG-008, V-USR-001 to V-USR-008): a party, a user of the
 * participant, its wallet and the right to its rewards.
 * NOTE: without the packages of the wallet or of Amulet, which a real validator always has, there is a party and a user alone.
 */
import { checkUserId, uniqueIdentifierFault } from '../../daml/model/identifiers.js';
import { resolveTypeId, template } from '../../daml/model/package.js';
import type { Party } from '../../daml/model/values.js';
import { uniqueId, type SynchronizerId } from '../../network/ids.js';
import { AppRefusal } from '../app-refusal.js';
import { Submitter } from '../submitter.js';
import { requireTraffic } from './traffic.js';
import type { Validator } from './validator.js';
import { validatorRightOf, WALLET_INSTALL, installedWallet, installedWallets } from './wallets.js';

const INSTALL = `#${WALLET_INSTALL}`;
const RIGHT = '#splice-amulet:Splice.Amulet:ValidatorRight';

const UNEXPECTED = 'An unexpected error occurred.';

export interface OnboardingRequest {
  readonly userName: string;
  /** To which the user is tied; one of its own is allocated where absent. */
  readonly party?: Party;
  /** True by default without a party, false with one: then a party of its hint is found or allocated. */
  readonly createPartyIfMissing?: boolean;
  /** Whether the traffic that is kept for purchases may be used, as while a validator starts. */
  readonly isUrgent?: boolean;
}

/**
 * May be asked again: what is there already stays.
 * @returns the user's party: its primary party, whatever is asked for, where there is such a user (V-USR-004)
 * @throws AppRefusal for a name or party that is none, or a user that others made without a primary party; LedgerError for what the
 *   ledger refuses. NOTE: then nothing is done; of a real validator what came before would stay.
 */
export function onboardUser(
  dsoParty: Party,
  validator: Validator,
  request: OnboardingRequest,
): Party {
  const { journal } = validator.participant.ledger;
  return journal.atomically(() => onboarded(dsoParty, validator, request));
}

function onboarded(dsoParty: Party, validator: Validator, request: OnboardingRequest): Party {
  const { participant, user: ledgerUser, party: validatorParty } = validator;
  const { userName, isUrgent = false } = request;
  const party = partyFor(validator, request);
  participant.users.grant(ledgerUser, [{ kind: 'CanActAs', party }]);
  const submitter = new Submitter(participant, ledgerUser);
  const acting = { actAs: together(validator, party), synchronizer: mainOf(validator) };
  if (isKnown(validator, INSTALL) && installedWallet(validator, userName) === undefined) {
    if (!isUrgent) requireTraffic(validator);
    const install = { dsoParty, validatorParty, endUserName: userName, endUserParty: party };
    submitter.create(INSTALL, install, acting);
  }
  if (isKnown(validator, RIGHT) && validatorRightOf(validator, party) === undefined)
    submitter.create(RIGHT, { dso: dsoParty, user: party, validator: validatorParty }, acting);
  return party;
}

/**
 * Archives a user's wallet and the right of its party in one transaction, then deletes the user, and lets go of a party without any; without
 * a wallet nothing happens.
 * @throws AppRefusal for the validator's own users or for want of traffic, LedgerError for what the ledger refuses
 */
export function offboardUser(validator: Validator, userName: string): void {
  const { participant, user, walletUser } = validator;
  const wallet = installedWallet(validator, userName);
  if (wallet === undefined) return;
  if (userName === user || userName === walletUser)
    throw new AppRefusal(400, `Tried to offboard the validator's user: ${userName}`);
  requireTraffic(validator);
  const right = validatorRightOf(validator, wallet.party);
  const submitter = new Submitter(participant, user);
  const ended: [string, string | undefined][] = [
    [INSTALL, wallet.install],
    [RIGHT, right?.contractId],
  ];
  const commands = ended.flatMap(([template, id]) =>
    id === undefined ? [] : [submitter.command(template, id, 'Archive', {})],
  );
  const actAs = together(validator, wallet.party);
  submitter.submit(commands, { actAs, synchronizer: mainOf(validator) });
  if (participant.users.has(userName)) participant.users.delete(userName);
  if (!installedWallets(validator).some(({ party }) => party === wallet.party))
    letPartyGo(validator, wallet.party);
}

/** With its last wallet gone the validator acts for the party no more (V-USR-009). NOTE: at once; a real one within half a minute. */
function letPartyGo({ participant, user }: Validator, party: Party): void {
  participant.users.revoke(user, [
    { kind: 'CanActAs', party },
    { kind: 'CanReadAs', party },
  ]);
}

function isKnown({ participant: { packages } }: Validator, reference: string): boolean {
  const id = resolveTypeId(packages, reference);
  return id !== undefined && template(packages, id) !== undefined;
}

/** The validator and its user. */
function together({ party }: Validator, user: Party): readonly Party[] {
  return [...new Set([party, user])];
}

/** Where Amulet is. */
function mainOf({ participant }: Validator): SynchronizerId {
  return participant.ledger.synchronizers[0]!.id;
}

function partyFor(
  validator: Validator,
  { userName, party, createPartyIfMissing = party === undefined }: OnboardingRequest,
): Party {
  if (party !== undefined) {
    const fault = uniqueIdentifierFault(party);
    if (fault !== undefined) throw new AppRefusal(400, fault);
    if (!createPartyIfMissing) return userTiedTo(validator, userName, party);
    return userTiedTo(validator, userName, partyOfUser(validator, hintOf(party)));
  }
  if (createPartyIfMissing) return partyOfUser(validator, userName);
  const existing = primaryPartyOf(validator, userName);
  if (existing === undefined)
    throw new AppRefusal(
      400,
      `party_id must be provided when createPartyIfMissing is false and no existing party for user ${userName} is found.`,
    );
  return existing;
}

const hintOf = (party: Party): string => party.slice(0, party.indexOf('::'));

function primaryPartyOf(
  { participant, party, user }: Validator,
  userName: string,
): Party | undefined {
  checkUserId(userName, 'user_id');
  const own = participant.users.lookup(userName)?.user.primaryParty;
  // As whom a participant's own party acts, that is its user's too.
  return own || (userName === user ? party : undefined);
}

/** The user's party, or else a party of its name, and the user with it. */
function partyOfUser(validator: Validator, userName: string): Party {
  const existing = primaryPartyOf(validator, userName);
  if (existing !== undefined) return existing;
  const { parties, namespace, connected } = validator.participant;
  const hint = partyHintOf(userName);
  const party = uniqueId(hint, namespace);
  if (!validator.participant.hosts(party)) parties.host(parties.newPartyId(hint), connected);
  return userTiedTo(validator, userName, party);
}

/** Makes the user, which has that party then, or leaves it with its own. */
function userTiedTo(validator: Validator, userName: string, party: Party): Party {
  const { users } = validator.participant;
  checkUserId(userName, 'user_id');
  if (!users.has(userName))
    users.create({ id: userName, primaryParty: party }, [{ kind: 'CanActAs', party }]);
  const own = primaryPartyOf(validator, userName);
  // Others made it without a primary party: the real validator breaks over it.
  if (own === undefined) throw new AppRefusal(500, UNEXPECTED);
  return own;
}

/** A user's name as the first part of a party's id: what may not stand there becomes `_` and four hexadecimal digits (V-REG-005). */
function partyHintOf(userName: string): string {
  return userName.replace(/[^a-zA-Z0-9:\- ]/g, (letter) =>
    letter === '_' ? '__' : `_${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
