/** The file of `--participant-config`: the addresses of participants by name, and the participant of each party. */
import { readFileSync } from 'node:fs';
import { isJsonObject } from '../../daml/model/own-members.js';
import { causeOf, CommandFailed } from '../terminal.js';

/** The gRPC address of a participant, and its user. */
export interface ApiParameters {
  readonly host: string;
  readonly port: number;
  readonly accessToken?: string;
  /** Empty for the user of the token. */
  readonly userId?: string;
}

export interface Participants {
  /** The default participant. */
  readonly usual: ApiParameters;
  readonly named: readonly (readonly [string, ApiParameters])[];
  /** Names of participants by party. */
  readonly places: readonly (readonly [string, string])[];
}

/** @throws CommandFailed */
export function readParticipants(file: string): Participants {
  const refused = (why: string) => new CommandFailed(`failed to read '${file}': ${why}`);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw refused(causeOf(error));
  }
  const object = (value: unknown, name: string) => {
    if (isJsonObject(value)) return value;
    throw refused(`${name} is not a JSON object`);
  };
  const parameters = (value: unknown, name: string): ApiParameters => {
    const { host, port, access_token: accessToken, user_id: userId } = object(value, name);
    if (typeof host !== 'string' || !Number.isInteger(port))
      throw refused(`${name} needs a host (a string) and a port (a number)`);
    for (const each of [accessToken, userId])
      if (each !== undefined && each !== null && typeof each !== 'string')
        throw refused(`access_token and user_id of ${name} must be strings`);
    return {
      host,
      port: port as number,
      ...(typeof accessToken === 'string' && { accessToken }),
      ...(typeof userId === 'string' && { userId }),
    };
  };
  const {
    default_participant: usual,
    participants,
    party_participants: places,
  } = object(json, 'it');
  if (usual === undefined || usual === null) throw refused('No default participant');
  return {
    usual: parameters(usual, 'default_participant'),
    named: Object.entries(object(participants, 'participants')).map(
      ([name, each]) => [name, parameters(each, `participants.${name}`)] as const,
    ),
    places: Object.entries(object(places, 'party_participants')).map(([party, name]) => {
      if (typeof name === 'string') return [party, name] as const;
      throw refused(`the participant of ${party} must be a string`);
    }),
  };
}
