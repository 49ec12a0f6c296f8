/**
 * Onboarding and offboarding of a validator's users (V-REG-002 to V-REG-008, V-USR-001 to V-USR-008): a party, a participant user, a wallet
 * and a validator right. NOTE: without the packages of the wallet or of Amulet, which a real validator always has, it creates only a party
 * and a user.
 */
import { checkUserId, uniqueIdentifierError } from '../../daml/model/identifiers.js';
import { resolveTypeId, template } from '../../daml/model/package.js';
import type { Party } from '../../daml/model/values.js';
import { uniqueId, type SynchronizerId } from '../../network/model/ids.js';
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
  /** The user's party; by default, a new party is allocated. */
  readonly party?: Party;
  /** By default, true without a party and false with one. If true, a party with the user's hint is found or allocated. */
  readonly createPartyIfMissing?: boolean;
  /** Whether it may use the traffic reserved for purchases, as a validator does during its start. */
  readonly isUrgent?: boolean;
}

/**
 * Onboards a user. It can be repeated: existing parts stay.
 * @returns the user's party; if the user exists, its primary party, regardless of the request (V-USR-004)
 * @throws AppRefusal for an invalid name or party, or for an existing user without a primary party; LedgerError if the ledger refuses it.
 * NOTE: then nothing changes; on a real validator, the earlier steps stay.
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
 * Archives a user's wallet and the right of its party in one transaction, then deletes the user. It releases a party without users. If
 * there is no wallet, nothing happens.
 * @throws AppRefusal for the validator's own users or without traffic; LedgerError if the ledger refuses it
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

/**
 * After the last wallet of a party, the validator no longer acts for the party (V-USR-009). NOTE: this is immediate; a real validator takes
 * up to 30 seconds.
 */
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

/** The parties of the validator and its user. */
function together({ party }: Validator, user: Party): readonly Party[] {
  return [...new Set([party, user])];
}

/** The synchronizer of Amulet. */
function mainOf({ participant }: Validator): SynchronizerId {
  return participant.ledger.synchronizers[0]!.id;
}

function partyFor(
  validator: Validator,
  { userName, party, createPartyIfMissing = party === undefined }: OnboardingRequest,
): Party {
  if (party !== undefined) {
    const error = uniqueIdentifierError(party);
    if (error !== undefined) throw new AppRefusal(400, error);
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
  // The participant's admin party also belongs to its user.
  return own || (userName === user ? party : undefined);
}

/** The user's party; otherwise allocates a party with the user's name, and creates the user. */
function partyOfUser(validator: Validator, userName: string): Party {
  const existing = primaryPartyOf(validator, userName);
  if (existing !== undefined) return existing;
  const { parties, namespace, connected } = validator.participant;
  const hint = partyHintOf(userName);
  const party = uniqueId(hint, namespace);
  if (!validator.participant.hosts(party)) parties.host(parties.newPartyId(hint), connected);
  return userTiedTo(validator, userName, party);
}

/**
 * Creates the user with this primary party. If the user exists, its primary party stays.
 * @returns the primary party
 */
function userTiedTo(validator: Validator, userName: string, party: Party): Party {
  const { users } = validator.participant;
  checkUserId(userName, 'user_id');
  if (!users.has(userName))
    users.create({ id: userName, primaryParty: party }, [{ kind: 'CanActAs', party }]);
  const own = primaryPartyOf(validator, userName);
  // A user that was created without a primary party; the real validator fails for it.
  if (own === undefined) throw new AppRefusal(500, UNEXPECTED);
  return own;
}

/** A user's name as the prefix of a party id. Each character that is not allowed becomes `_` and four hexadecimal digits (V-REG-005). */
function partyHintOf(userName: string): string {
  return userName.replace(/[^a-zA-Z0-9:\- ]/g, (letter) =>
    letter === '_' ? '__' : `_${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
