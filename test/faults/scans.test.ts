/** Several Scans that do not agree: one is behind, one tells other values, one is asked too often. */
import { useCanticle } from '../../src/testing/jest.js';
import { furnishModel, MODEL_PACKAGES } from '../support/splice/amulet-model.js';

const SCAN = '/api/scan';
const SECOND = 'scan.sv-2.localhost';
const canticle = useCanticle({ seed: 9, listen: false, packages: MODEL_PACKAGES });
furnishModel(canticle);
const { participant, splice } = canticle;
const dso = splice.dsoParty;
const ROUND = '#splice-amulet:Splice.Round:OpenMiningRound';

const openRound = (number: number) => {
  const { payload } = participant.activeContracts({ template: ROUND })[0]!;
  const round = { number: String(number) };
  return participant.create(ROUND, { ...(payload as object), round }, { actAs: dso });
};

const request = async (host: string, path: string, body?: unknown) => {
  const headers = { host };
  const answer = await canticle.handle({ method: body ? 'POST' : 'GET', path, body, headers });
  return { status: answer.status, headers: answer.headers, text: answer.body.toString() };
};
const BOTH = ['scan.sv-1.localhost:4000', `${SECOND}:4000`];
const fromBoth = async (path: string, body?: unknown) =>
  (await Promise.all(BOTH.map((host) => request(host, path, body)))).map(({ text }) =>
    JSON.parse(text),
  );
const openRounds = async () => {
  const cached = {
    cached_open_mining_round_contract_ids: [],
    cached_issuing_round_contract_ids: [],
  };
  const answers = await fromBoth(`${SCAN}/v0/open-and-issuing-mining-rounds`, cached);
  return answers.map(({ open_mining_rounds }) =>
    Object.values<any>(open_mining_rounds).map(({ contract }) => contract.payload.round.number),
  );
};

it('one Scan is several updates behind, in its contracts, its history and single updates', async () => {
  const four = openRound(4);
  openRound(5);
  participant.exercise(ROUND, four, 'Archive', {}, { actAs: dso });
  const history = { page_size: 50 };
  const whole = JSON.parse(
    (await request(BOTH[0]!, `${SCAN}/v2/updates`, history)).text,
  ).transactions;
  const rule = canticle.faults.add({ on: '*', when: { host: SECOND }, do: { behind: 1 } });
  expect(await openRounds()).toEqual([
    ['0', '5'],
    ['0', '4', '5'],
  ]);
  const [current, late] = await fromBoth(`${SCAN}/v2/updates`, history);
  expect([current.transactions, late.transactions]).toEqual([whole, whole.slice(0, -1)]);
  const { update_id } = whole.at(-1);
  const statuses = await Promise.all(
    BOTH.map(async (host) => (await request(host, `${SCAN}/v2/updates/${update_id}`)).status),
  );
  expect([statuses, rule.hits]).toEqual([[200, 404], 3]);
  canticle.faults.reset();
  // Further behind than the whole history, it is empty.
  canticle.faults.add({ on: '*', when: { host: `${SECOND}:4000` }, do: { behind: 1000 } });
  const [, empty] = await fromBoth(`${SCAN}/v2/updates`, history);
  expect(empty.transactions).toEqual([]);
  expect(canticle.requests.list().at(-1)).toMatchObject({ faults: [{ fault: 'behind: 1000' }] });
  canticle.faults.reset();
  // The first of two rules says how far.
  for (const behind of [1, 1000])
    canticle.faults.add({ on: '*', when: { host: SECOND }, do: { behind } });
  const [, byFirst] = await fromBoth(`${SCAN}/v2/updates`, history);
  expect(byFirst.transactions).toEqual(late.transactions);
});

it('one Scan returns other values than another', async () => {
  const alter = { dso_party_id: 'DSO::1220ff', 'not.there': 1 };
  canticle.faults.add({ on: 'getDsoPartyId', when: { host: SECOND }, do: { alter } });
  const [right, wrong] = await fromBoth(`${SCAN}/v0/dso-party-id`);
  expect([right, wrong]).toEqual([{ dso_party_id: dso }, { dso_party_id: 'DSO::1220ff' }]);
});

it('one Scan refuses too many requests, as Splice apps do', async () => {
  canticle.faults.add({ on: '*', when: { host: SECOND }, do: { refuse: 429 } });
  const { status, text, headers } = await request(SECOND, `${SCAN}/v0/dso-party-id`);
  expect([status, text]).toEqual([
    429,
    'Too Many Requests: Server is busy, please try again later.',
  ]);
  expect(headers['content-type']).toBe('text/plain; charset=UTF-8');
  expect((await request(BOTH[0]!, `${SCAN}/v0/dso-party-id`)).status).toBe(200);
});

it('faults of a Scan do not affect a participant', async () => {
  canticle.faults.add({ on: '*', do: { behind: 1 }, optional: true });
  await canticle.handle({ path: '/v2/version' });
  expect(canticle.faults.list()).toMatchObject([{ seen: 0 }]);
});
