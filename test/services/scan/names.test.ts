/** The name service of Scan and of the validator's proxy (S-ANS-*, P-PROXY-004, P-PROXY-006). */
import { ModelWorld } from '../../support/splice/amulet-model.js';

const SCAN = '/api/scan/v0';
const PROXY = '/api/validator/v0/scan-proxy';
const DAY = 86_400_000_000n;

function named() {
  const world = new ModelWorld();
  const [alice, bob, sv] = ['alice', 'bob', 'sv'].map((hint) =>
    world.participant.allocateParty(hint),
  ) as [string, string, string];
  const entry = (name: string, user: string, days = 90n) =>
    world.make('AnsEntry', {
      user,
      provider: world.dso,
      name,
      url: `https://${name}`,
      description: `${name} is here`,
      expiresAt: world.network.clock.now() + days * DAY,
    });
  const found = () => world.make('DsoRules', { svs: [[sv, { name: 'SV-One' }]] });
  return { world, alice, bob, sv, entry, found };
}

describe.each([
  [SCAN, 'Scan'],
  [PROXY, 'the proxy'],
])('%s', (base, who) => {
  const list = async (world: ModelWorld, query = 'page_size=10') =>
    (await world.get<any>(`${base}/ans-entries?${query}`)).body;
  const nameOf = ({ name }: { name: string }) => name;

  test('lists the entries of users by name, then the entries of the DSO, which have no contracts (S-ANS-001 to S-ANS-004)', async () => {
    const { world, alice, bob, sv, entry, found } = named();
    expect(await list(world)).toEqual({ entries: [] });
    found();
    const bobs = entry('bob.unverified.ans', bob);
    entry('alice.unverified.ans', alice);
    entry('alas.unverified.ans', alice, 1n);
    const { entries } = await list(world);
    expect(entries.map(nameOf)).toEqual([
      'alas.unverified.ans',
      'alice.unverified.ans',
      'bob.unverified.ans',
      'dso.ans',
      'sv-one.sv.ans',
    ]);
    expect(entries[2]).toEqual({
      contract_id: bobs,
      user: bob,
      name: 'bob.unverified.ans',
      url: 'https://bob.unverified.ans',
      description: 'bob.unverified.ans is here',
      expires_at: expect.stringMatching(/^2026-04-01T00:00:00\.\d+Z$/),
    });
    expect(entries[4]).toEqual({
      contract_id: null,
      user: sv,
      name: 'sv-one.sv.ans',
      url: '',
      description: '',
      expires_at: null,
    });
    expect((await list(world, 'page_size=4')).entries.map(nameOf)).toEqual(
      entries.slice(0, 4).map(nameOf),
    );
    const prefixed = async (prefix: string) =>
      (await list(world, `page_size=10&name_prefix=${prefix}`)).entries.map(nameOf);
    expect(await prefixed('al')).toEqual(['alas.unverified.ans', 'alice.unverified.ans']);
    expect(await prefixed('d')).toEqual(['dso.ans']);
    // An expired entry is gone, although its contract is active.
    world.network.clock.advance(2n * DAY);
    expect(await prefixed('al')).toEqual(['alice.unverified.ans']);
    expect(await list(world, 'page_size=0')).toEqual({ error: 'Limit must be at least 1.' });
  });

  test('finds an entry by name and by party, with entries of the DSO first (S-ANS-006, S-ANS-007)', async () => {
    const { world, alice, sv, entry, found } = named();
    const getEntry = async (path: string) =>
      (await world.get<any>(`${base}/ans-entries/${path}`)).body;
    found();
    entry('dso.ans', alice);
    entry('zoe.unverified.ans', alice);
    entry('sv.unverified.ans', sv);
    expect(await getEntry('by-name/dso.ans')).toMatchObject({ entry: { user: world.dso } });
    expect(await getEntry('by-name/zoe.unverified.ans')).toMatchObject({ entry: { user: alice } });
    expect(await getEntry(`by-party/${alice}`)).toMatchObject({ entry: { name: 'dso.ans' } });
    expect(await getEntry(`by-party/${sv}`)).toMatchObject({ entry: { name: 'sv-one.sv.ans' } });
    expect(await getEntry('by-party/alice')).toEqual({
      error: 'Invalid unique identifier `alice` with missing namespace.',
    });
  });

  test('reports a missing entry', async () => {
    const { world, bob, found } = named();
    const getEntry = (path: string) => world.get(`${base}/ans-entries/${path}`);
    const proxied = {
      name: 'Did not find a AnsEntry with name nobody.ans',
      party: `Party ${bob} does not have any ANSEntry.`,
    };
    const [unfounded, name, party] =
      who === 'Scan'
        ? [
            'No DsoRules contract found',
            'No ans entry found for name: nobody.ans',
            `No ans entry found for party: ${bob}`,
          ]
        : [proxied.name, proxied.name, proxied.party];
    expect(await getEntry('by-name/nobody.ans')).toEqual({
      status: 404,
      body: { error: unfounded },
    });
    found();
    expect(await getEntry('by-name/nobody.ans')).toEqual({ status: 404, body: { error: name } });
    expect(await getEntry(`by-party/${bob}`)).toEqual({ status: 404, body: { error: party } });
  });

  test('returns the rules (S-RUL-003, P-PROXY-004)', async () => {
    const { world } = named();
    const postRules = (body: object = {}) => world.post(`${base}/ans-rules`, body);
    expect(await postRules()).toEqual({
      status: 500,
      body: { error: 'An unexpected error occurred.' },
    });
    const contract_id = world.make('AnsRules', { config: 'of it' });
    const domain_id = world.synchronizerId('global');
    expect((await postRules()).body).toMatchObject({
      ans_rules_update: { contract: { contract_id }, domain_id },
    });
    expect((await postRules({ cached_ans_rules_contract_id: contract_id })).body).toMatchObject({
      ans_rules_update: { contract: who === 'Scan' ? null : { contract_id }, domain_id },
    });
  });
});
