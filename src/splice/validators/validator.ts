/**
 * A validator, as a wallet meets it: a party of its own at a participant, and the user of that participant as whom it acts
 * (L-USR-002, L-USR-007). What it does by itself are tasks of the automation.
 */
import type { Party } from '../../daml/model/values.js';
import { PARTICIPANT_ADMIN_USER } from '../../network/administration/users.js';
import { uniqueId } from '../../network/ids.js';
import type { Network } from '../../network/network.js';
import type { Participant } from '../../network/participant.js';
import { invalidArgument } from '../../network/request-errors.js';

export interface ValidatorOptions {
  /** Name of the participant that it works at; the first one by default. */
  readonly participant?: string;
  /** First part of its party, which is allocated; where only a user is named, `app_user_localnet-localparty-1` as on a LocalNet. */
  readonly partyHint?: string;
  /** The participant's user as whom it acts; created where it is not there. By default whoever administers it: `ledger-api-user`. */
  readonly user?: string;
  /** The user whose wallet is the validator's own, such as `app-user`; the user as whom it acts by default. */
  readonly walletUser?: string;
}

export interface Validator {
  readonly participant: Participant;
  readonly party: Party;
  /** As whom it acts. */
  readonly user: string;
  /** Who has its party's wallet, once it is onboarded (L-USR-005, L-USR-006). */
  readonly walletUser: string;
  /** Bytes of what it bought that only purchases may use; undefined where it keeps none. */
  readonly reservedTraffic?: number | undefined;
}

/** As a LocalNet names the first of its validators. */
const VALIDATOR_HINT = 'app_user_localnet-localparty-1';

/** @throws LedgerError for a participant that there is not or that has one, a hint or a user that is none, or a party that is there already */
export function openValidators(
  { participants }: Network,
  options: readonly ValidatorOptions[] = [],
  reservedTraffic?: number,
): readonly Validator[] {
  const byParticipant = new Map<Participant, ValidatorOptions>();
  for (const each of options) {
    const { participant: name = participants[0]!.name } = each;
    const participant = participants.find((known) => known.name === name);
    if (participant === undefined)
      throw invalidArgument(`A validator names the participant '${name}', and there is none.`);
    if (byParticipant.has(participant))
      throw invalidArgument(`Participant '${name}' has a validator already.`);
    byParticipant.set(participant, each);
  }
  return participants.map((each) => {
    const opened = openValidator(each, byParticipant.get(each));
    return { ...opened, reservedTraffic };
  });
}

/**
 * With options, its party is allocated: its user's primary party, as which that may act. Without any it is the party that the
 * participant itself is (B-ID-012), and its user stays as it is.
 * @throws LedgerError for a hint or a user that is none, or a party that is there already
 */
function openValidator(participant: Participant, options: ValidatorOptions | undefined): Validator {
  const { users } = participant;
  const [administrator = PARTICIPANT_ADMIN_USER] = [...users.admins].filter(
    (id) => id !== PARTICIPANT_ADMIN_USER,
  );
  if (options?.partyHint === undefined && options?.user === undefined)
    return {
      participant,
      party: participant.id,
      user: administrator,
      walletUser: options?.walletUser ?? administrator,
    };
  const { partyHint = VALIDATOR_HINT, user = administrator, walletUser = user } = options;
  // A super validator's hint is its participant's identifier on a LocalNet: its party is the participant's own.
  const isOwn = uniqueId(partyHint, participant.namespace) === participant.id;
  const party = isOwn ? participant.id : participant.allocateParty(partyHint);
  const rights = [{ kind: 'CanActAs', party }, { kind: 'ParticipantAdmin' }] as const;
  if (users.has(user)) {
    users.update({ id: user, primaryParty: party }, ['primary_party']);
    users.grant(user, rights);
  } else users.create({ id: user, primaryParty: party }, rights);
  return { participant, party, user, walletUser };
}
