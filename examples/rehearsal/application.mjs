// An application for Canton 3.5. It would read the address of its participant from its configuration; here, a Canticle is the participant.
import { startCanticle } from 'canticle';

const canticle = await startCanticle({ port: 0, seed: 7 });
const alice = canticle.participant.allocateParty('alice');
canticle.token.mint(alice, '100.0');

const filtersByParty = {
  [alice]: { cumulative: [{ identifierFilter: { WildcardFilter: { value: {} } } }] },
};

// Two operations and two members that Canton 3.6 disables.
for (const prefix of ['canticle-test-token', 'canticle-quickstart'])
  await post('/v2/package-vetting', { packageMetadataFilter: { packageNamePrefixes: [prefix] } });
const query = new URLSearchParams({ parties: alice, 'package-name': 'canticle-quickstart' });
await get(`/v2/interactive-submission/preferred-package-version?${query}`);
const { offset } = await get('/v2/state/ledger-end');
await post('/v2/updates', {
  beginExclusive: 0,
  endInclusive: offset,
  filter: { filtersByParty },
  verbose: true,
});

const absent = 'nobody'; // The error has another text in Canton 3.6.
await get(`/v2/users/${absent}`);

await canticle.close();

async function get(path) {
  return (await fetch(canticle.url + path)).json();
}

async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(canticle.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return answer.json();
}
