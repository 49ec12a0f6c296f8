/** Contracts with keys, over which the real Scan stumbles (S-ENC-013). */
import { addPackages } from '../../../src/network/index.js';
import { d, definePackage, defineTemplate } from '../../../src/daml/index.js';
import { SpliceWorld } from '../../support/splice/splice-world.js';

const Badge = defineTemplate({
  name: 'Club:Badge',
  fields: { club: d.party, guest: d.party },
  signatories: ({ club }) => [club],
  observers: ({ guest }) => [guest],
  key: { type: d.party, of: ({ club }) => club, maintainers: (club: string) => [club] },
});
const badges = definePackage({ name: 'club', version: '1.0.0', templates: [Badge] });
const STUMBLE = { status: 500, body: { error: 'An unexpected error occurred.' } };

function worldOf(scanSees: 'everything' | 'dso') {
  const world = new SpliceWorld({ splice: { scanSees } });
  addPackages(world.participant, [badges]);
  const [club, guest] = ['club', 'guest'].map((hint) => world.participant.allocateParty(hint));
  const badge = (of: string) => world.create([club!], Badge.id, { club: club!, guest: of });
  const answersOfAll = async () => {
    const { updateId } = world.network.updates.last()!;
    const answers = [];
    for (const version of ['v0', 'v1', 'v2']) {
      answers.push(await world.post(`/api/scan/${version}/updates`, { page_size: 10 }));
      answers.push(await world.get(`/api/scan/${version}/updates/${updateId}`));
    }
    answers.push(await world.post('/api/scan/v0/events', { page_size: 10 }));
    world.network.clock.advance(10_800_000_000n);
    const query = { migration_id: 0, record_time: '2026-01-01T03:00:00Z', page_size: 10 };
    answers.push(await world.post('/api/scan/v0/state/acs', query));
    answers.push(await world.post('/api/scan/v1/state/acs', query));
    return answers;
  };
  return { world, guest: guest!, badge, answersOfAll };
}

test.each(['everything', 'dso'] as const)(
  'contracts with keys let Scan fail if the DSO sees them, with a Scan that sees %s',
  async (scanSees) => {
    const { world, badge, answersOfAll } = worldOf(scanSees);
    badge(world.splice.dsoParty);
    for (const answer of await answersOfAll()) expect(answer).toEqual(STUMBLE);
  },
);

test('contracts with keys appear without the key in a sandbox that sees more than the DSO', async () => {
  const { guest, badge, answersOfAll } = worldOf('everything');
  badge(guest);
  for (const answer of await answersOfAll()) {
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).toContain('club');
  }
});
