/** Parties of one participant, and of two: a second one that confirms, or that observes. The validator as a featured app. */
import { auth, connect, newParty, submit } from './wallet.ts';

/** The participant of the app provider. */
const elsewhere = [{ url: new URL('http://127.0.0.1:3975'), tokenProviderConfig: auth }];

export default async function parties() {
  const sdk = await connect();
  const [alice, bob, confirmed, observed] = await Promise.all([
    newParty(sdk, 'parties-alice'),
    newParty(sdk, 'parties-bob'),
    newParty(sdk, 'parties-confirmed', { confirmingParticipantEndpoints: elsewhere }),
    newParty(sdk, 'parties-observed', { observingParticipantEndpoints: elsewhere }),
  ]);
  const listed = await sdk.party.list();

  for (const party of [confirmed, observed]) {
    const { partyId } = party;
    await submit(sdk, party, sdk.utils.ping.create([{ initiator: partyId, responder: partyId }]));
  }

  const right = await sdk.amulet.featuredApp.grant();
  return {
    listed: [alice, bob].every(({ partyId }) => listed.includes(partyId)),
    featured: String(right!.payload.provider).split('::')[0],
  };
}
