/** One faked call: a fixture has the recorded response of a ledger, and no ledger runs. */
import { fixture } from 'canticle/fixtures';
import nock from 'nock';
import { Wallet } from './wallet.js';

const LEDGER_API = 'https://participant.example';
const contracts = fixture('postV2StateActive-contracts');
const ledgerEnd = fixture('getV2StateLedger-end');

beforeEach(() => {
  nock(LEDGER_API).get(ledgerEnd.request().path).reply(200, ledgerEnd.response(200));
});
afterEach(() => nock.cleanAll());

test('the wallet lists the parties of the response', async () => {
  nock(LEDGER_API).post(contracts.request().path).reply(200, contracts.response(200));
  const listed = await new Wallet(LEDGER_API, 'alice').contracts('#any:Any:Template');
  expect(listed).toHaveLength(contracts.response(200).length);
});

test('the wallet forwards an error', async () => {
  const refusal = contracts.response('default');
  nock(LEDGER_API).post(contracts.request().path).reply(400, refusal);
  const listing = new Wallet(LEDGER_API, 'alice').contracts('#any:Any:Template');
  await expect(listing).rejects.toMatchObject({ cause: { code: refusal.code } });
});
