/**
 * A validator, as wallets use it: a party at a participant, and the participant's user that it submits as (L-USR-002, L-USR-007). Its
 * automation is in the tasks.
 */
import type { Party } from '../../daml/model/values.js';
import { PARTICIPANT_ADMIN_USER } from '../../network/administration/users.js';
import { uniqueId } from '../../network/model/ids.js';
import type { Network } from '../../network/network.js';
import type { Participant } from '../../network/participant.js';
import { invalidArgument } from '../../network/model/request-errors.js';

export interface ValidatorOptions {
  /** Name of its participant; the first one by default. */
  readonly participant?: string;
  /** Prefix of its party, which is allocated. If only a user is set, it is `app_user_localnet-localparty-1`, as on a LocalNet. */
  readonly partyHint?: string;
  /**
   * The participant's user that it submits as; created if it does not exist. By default, the participant's administrator,
   * `ledger-api-user`.
   */
  readonly user?: string;
  /** The user of the validator's own wallet, such as `app-user`; by default, the user that it submits as. */
  readonly walletUser?: string;
}

/** With what a LocalNet sets. */
export interface ValidatorSetup extends ValidatorOptions {
  /** The port that its status reports (L-HLT-004). */
  readonly adminPort?: number;
}

export interface Validator {
  readonly participant: Participant;
  readonly party: Party;
  /** The user that it submits as. */
  readonly user: string;
  /** The user with its party's wallet, once onboarded (L-USR-005, L-USR-006). */
  readonly walletUser: string;
  /** Bytes of its bought traffic that are reserved for purchases; undefined without a reserve. */
  readonly reservedTraffic?: number | undefined;
  /** The port that its status reports (L-HLT-004); undefined for Splice's own. */
  readonly adminPort?: number | undefined;
}

/** The name of the first validator of a LocalNet. */
const VALIDATOR_HINT = 'app_user_localnet-localparty-1';

/** @throws LedgerError for a participant that does not exist or already has a validator, an invalid hint or user, or an existing party */
export function openValidators(
  { participants }: Network,
  options: readonly ValidatorSetup[] = [],
  reservedTraffic?: number,
): readonly Validator[] {
  const byParticipant = new Map<Participant, ValidatorSetup>();
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
    const given = byParticipant.get(each);
    const adminPort = given?.adminPort;
    return { ...openValidator(each, given), reservedTraffic, ...(adminPort && { adminPort }) };
  });
}

/**
 * With options, it allocates the party and makes it the primary party of the user, which may act as it. Without options, the party is the
 * participant's admin party (B-ID-012), and the user does not change.
 * @throws LedgerError for an invalid hint or user, or an existing party
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
  // On a LocalNet, the hint of a super-validator equals its participant's identifier: its party is the participant's admin party.
  const isOwn = uniqueId(partyHint, participant.namespace) === participant.id;
  const party = isOwn ? participant.id : participant.allocateParty(partyHint);
  const rights = [{ kind: 'CanActAs', party }, { kind: 'ParticipantAdmin' }] as const;
  if (users.has(user)) {
    users.update({ id: user, primaryParty: party }, ['primary_party']);
    users.grant(user, rights);
  } else users.create({ id: user, primaryParty: party }, rights);
  return { participant, party, user, walletUser };
}
