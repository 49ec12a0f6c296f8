/** An ES module: transfers of the built-in test token, and a wallet that reads them over HTTP. */
import { useCanticle } from 'canticle/jest';
import { Wallet } from './wallet.js';

const TOKEN = '#canticle-test-token:Canticle.TestToken:Token';

const canticle = useCanticle({ seed: 7 });
const { participant, token } = canticle;
const alice = participant.allocateParty('alice');
const bob = participant.allocateParty('bob');

beforeEach(() => {
  token.mint(alice, '100.0');
});

test('a transfer waits for its receiver', () => {
  const { status, instruction } = token.transfer({ from: alice, to: bob, amount: '30.0' });
  expect(status).toBe('pending');
  expect(instruction).toBeActive();
  expect(bob).toSee(instruction);
  expect(bob).toHold('0');

  token.accept(instruction, bob);
  expect(instruction).toBeArchived();
  expect(alice).toHold('70.0');
  expect(bob).toHold('30.0');
});

test('every test starts where the last one did', () => {
  expect(alice).toHold('100.0');
  expect(bob).toHold('0');
});

test('a transfer is answered once', () => {
  const { instruction } = token.transfer({ from: alice, to: bob, amount: '30.0' });
  token.reject(instruction, bob);
  const again = () => participant.archive(TOKEN, instruction, { actAs: [bob] });
  expect(again).toBeCantonError('CONTRACT_NOT_FOUND', { status: 404 });
  expect(alice).toHold('100.0');
});

test('the wallet lists what its party holds', async () => {
  const wallet = new Wallet(canticle.urls.ledgerApi, alice);
  const [holding, ...others] = await wallet.contracts(TOKEN);
  expect(others).toEqual([]);
  expect(holding).toHavePayload({ owner: alice, amount: '100.0000000000' });
  expect(canticle).toHaveAnswered('postV2StateActive-contracts', 1);
});

test('the wallet forwards errors of the ledger', async () => {
  const wallet = new Wallet(canticle.urls.ledgerApi, alice);
  const listing = wallet.contracts('#unknown-package:Some.Module:Token');
  await expect(listing).rejects.toBeCantonError('PACKAGE_NAMES_NOT_FOUND');
});
