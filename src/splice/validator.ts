/**
 * A validator, as a wallet meets it: a party of its own at a participant, and the user of that participant as whom it acts
 * (L-USR-002, L-USR-007). What it does by itself is not simulated.
 */
import type { Party } from '../daml/model/values.js';
import { PARTICIPANT_ADMIN_USER } from '../network/administration/users.js';
import type { Participant } from '../network/participant.js';

export interface ValidatorOptions {
  /** First part of its party, which is allocated; where only a user is named, `app_user_localnet-localparty-1` as on a LocalNet. */
  readonly partyHint?: string;
  /** The participant's user as whom it acts; created where it is not there. By default whoever administers it: `ledger-api-user`. */
  readonly user?: string;
}

export interface Validator {
  readonly participant: Participant;
  readonly party: Party;
  readonly user: string;
}

/** As a LocalNet names the first of its validators. */
const VALIDATOR_HINT = 'app_user_localnet-localparty-1';

/**
 * With options, its party is allocated: its user's primary party, as which that may act. Without any it is the party that the
 * participant itself is (B-ID-012), and its user stays as it is.
 * @throws LedgerError for a hint or a user that is none, or a party that is there already
 */
export function openValidator(
  participant: Participant,
  options: ValidatorOptions | undefined,
): Validator {
  const { users } = participant;
  const [administrator = PARTICIPANT_ADMIN_USER] = [...users.admins].filter(
    (id) => id !== PARTICIPANT_ADMIN_USER,
  );
  if (options?.partyHint === undefined && options?.user === undefined)
    return { participant, party: participant.id, user: administrator };
  const { partyHint = VALIDATOR_HINT, user = administrator } = options;
  const party = participant.allocateParty(partyHint);
  const rights = [{ kind: 'CanActAs', party }, { kind: 'ParticipantAdmin' }] as const;
  if (users.has(user)) {
    users.update({ id: user, primaryParty: party }, ['primary_party']);
    users.grant(user, rights);
  } else users.create({ id: user, primaryParty: party }, rights);
  return { participant, party, user };
}
