/** The validator has its own party and user: as on a LocalNet, or as options and scenarios configure it (V-VAL-001). */
import { createCanticle, type Canticle } from 'canticle';
import { scenarioFile } from './scenario-files.js';

const validatorUser = async (canticle: Canticle) =>
  (await canticle.handle({ path: '/api/validator/v0/validator-user' })).json() as any;
const hintOf = (party: string) => party.split('::')[0];

test('the validator is neither the DSO nor participant_admin', async () => {
  const canticle = createCanticle();
  const { splice, participant } = canticle;
  const { party_id: party, user_name: user, featured } = await validatorUser(canticle);
  expect([party, user, featured]).toEqual([participant.engine.id, 'ledger-api-user', false]);
  expect(party).not.toBe(splice.dsoParty);
  expect(party.split('::')[1]).toBe(splice.dsoParty.split('::')[1]);
  // The validator can act as this party.
  participant.create(
    '#canticle-quickstart:Quickstart.Iou:Iou',
    { issuer: party, owner: party, currency: 'EUR', amount: '1.0', observers: [] },
    { actAs: [party] },
  );
});

test('an option or a scenario sets its party and its user', async () => {
  const named = await validatorUser(
    createCanticle({ validator: { partyHint: 'acme-validator-1', user: 'acme' } }),
  );
  expect([hintOf(named.party_id), named.user_name]).toEqual(['acme-validator-1', 'acme']);
  const { network } = createCanticle({ validator: { user: 'ledger-api-user' } });
  const { users } = network.participants[0]!;
  const party = users.get('ledger-api-user').primaryParty;
  expect(hintOf(party)).toBe('app_user_localnet-localparty-1');
  expect(users.rights('ledger-api-user')).toContainEqual({ kind: 'CanActAs', party });

  const scenario = scenarioFile('validator: { partyHint: beta-validator-2 }\nsteps: []\n');
  const fromFile = createCanticle({ scenario });
  const { party_id, user_name } = await validatorUser(fromFile);
  expect([hintOf(party_id), user_name]).toEqual(['beta-validator-2', 'ledger-api-user']);
  const both = await validatorUser(createCanticle({ scenario, validator: { partyHint: 'gamma' } }));
  expect(hintOf(both.party_id)).toBe('gamma');

  expect(() => createCanticle({ validator: { partyHint: 'no party!' } })).toThrow('INVALID');
  expect(() => createCanticle({ validator: { hint: 'x' } as never })).toThrow(/partyHint/);
});

test("the user of a renamed administrator is the validator's user, also after a revert", async () => {
  const canticle = createCanticle({ additionalAdminUser: 'operator' });
  expect(await validatorUser(canticle)).toMatchObject({ user_name: 'operator' });
  canticle.participant.allocateParty('alice');
  canticle.reset();
  expect(await validatorUser(canticle)).toMatchObject({ user_name: 'operator' });
});

test('each participant has a validator, which answers at its own URL', async () => {
  const canticle = createCanticle({
    participants: ['provider', 'user'],
    validator: { participant: 'user', partyHint: 'acme-validator-1' },
  });
  const [provider] = canticle.participants;
  const own = (await (
    await canticle.handle({ path: '/participants/user/api/validator/v0/validator-user' })
  ).json()) as any;
  expect(hintOf(own.party_id)).toBe('acme-validator-1');
  expect(await validatorUser(canticle)).toMatchObject({ party_id: provider!.engine.id });
  expect(() => createCanticle({ validator: { participant: 'nowhere' } })).toThrow('nowhere');
});
