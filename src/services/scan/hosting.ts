/** Scan's list of the participants that host a party (S-SYN-004). */
import { uniqueIdentifierError } from '../../daml/model/identifiers.js';
import { abbreviatedId } from '../../network/model/ids.js';
import { HttpRefusal, type ScanContext, type SomeHandlers } from '../handler.js';

interface Place {
  readonly domain_id: string;
  readonly party_id: string;
}

export const hostingHandlers = {
  getPartyToParticipant: (context, { path }) => {
    const [participant, ...more] = hostsOf(context, path, 'domain');
    if (more.length > 0)
      throw new HttpRefusal(
        500,
        `Party ${abbreviatedId(path.party_id)} is hosted on multiple participants, which is not supported in this version of the API. Please use the /v1 version instead.`,
      );
    return { participant_id: participant! };
  },
  getPartyToParticipantV1: (context, { path }) => ({
    participant_ids: hostsOf(context, path, 'synchronizer'),
  }),
} satisfies SomeHandlers<'scan'>;

/** At least one. @throws HttpRefusal 400, 404 */
function hostsOf(
  { network }: ScanContext,
  { domain_id, party_id }: Place,
  calledDomain: string,
): string[] {
  const domainError = uniqueIdentifierError(domain_id);
  if (domainError !== undefined)
    throw new HttpRefusal(400, `Could not decode ${calledDomain} ID: ${domainError}`);
  const partyError = uniqueIdentifierError(party_id);
  if (partyError !== undefined)
    throw new HttpRefusal(400, `Could not decode party ID: ${partyError}`);
  const hosts = [...network.topology.hosts(party_id, domain_id).keys()];
  if (hosts.length === 0)
    throw new HttpRefusal(
      404,
      `No PartyToParticipant state for ${abbreviatedId(party_id)} on domain ${abbreviatedId(domain_id)}`,
    );
  return hosts.map((uid) => `PAR::${uid}`);
}
