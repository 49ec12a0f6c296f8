/** Clients keep the addresses that they have in production: nock hands them to an instance, and no port is opened. */
import { useCanticle } from 'canticle/jest';
import { mountCanticle } from 'canticle/nock';
import { Wallet } from './wallet.js';

const LEDGER_API = 'https://participant.example';
const SCAN = 'https://scan.sv-1.global.canton.network.sync.global/api/scan';

const canticle = useCanticle({ seed: 7, listen: false });
const alice = canticle.participant.allocateParty('alice');

let mount;
beforeAll(() => {
  mount = mountCanticle(canticle, [LEDGER_API, SCAN], { onlyMounted: true });
});
afterAll(() => mount.remove());

test('Scan tells who the DSO is', async () => {
  const answer = await fetch(`${SCAN}/v0/dso-party-id`);
  expect(await answer.json()).toEqual({ dso_party_id: expect.stringMatching(/^DSO::1220/) });
});

test('the wallet finds its participant', async () => {
  const { offset } = await new Wallet(LEDGER_API, alice).call('/v2/state/ledger-end');
  expect(offset).toBe(canticle.participant.ledgerEnd);
});

test('what Canticle does not know fails, and names what was probably meant', async () => {
  await expect(fetch(`${SCAN}/v0/dso-party`)).rejects.toThrow();
  const { explanation } = canticle.requests.list().at(-1);
  expect(explanation).toContain('/api/scan/v0/dso');
});
