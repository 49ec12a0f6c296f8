/** The inspector's summary of each update, in the terms of wallets and the token standard. */
import { createCanticle, startLocalnet, type Canticle } from 'canticle';

const readWords = async (canticle: Canticle): Promise<any[]> => {
  const { body } = await canticle.handle({
    method: 'GET',
    path: '/canticle/v1/inspection/updates?limit=1000',
  });
  const { updates } = JSON.parse(Buffer.from(body).toString()) as { updates: any[] };
  return updates.flatMap((each) => each.told ?? []).reverse();
};

const short = (words: any[]) =>
  words.map(({ about, text }) => [about, text.replace(/::1220[0-9a-f]{64}/g, '')]);

it('describes the actions of a token of the standard', async () => {
  const canticle = createCanticle({ seed: 1 });
  const { participant, token } = canticle;
  const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint));
  token.mint(alice!, '100.0');
  const offer = () => token.transfer({ from: alice!, to: bob!, amount: '7.5' }).instruction;
  token.accept(offer(), bob!);
  token.reject(offer(), bob!);
  token.withdraw(offer(), alice!);
  token.transfer({ from: alice!, to: alice!, amount: '1.0' });
  const words = await readWords(canticle);
  expect(short(words)).toEqual([
    ['mint', 'alice is given 100.0 TestToken'],
    ['offer', 'offer 7.5 TestToken from alice to bob'],
    ['offer', 'offer accepted: 7.5 TestToken from alice to bob'],
    ['offer', 'offer 7.5 TestToken from alice to bob'],
    ['offer', 'offer rejected: 7.5 TestToken from alice to bob'],
    ['offer', 'offer 7.5 TestToken from alice to bob'],
    ['offer', 'offer withdrawn: 7.5 TestToken from alice to bob'],
    ['transfer', 'transfer 1.0 TestToken from alice to alice'],
  ]);
  expect(words[0].text).toContain(`${alice} is given`);
});

it('describes four actions of a transaction, each once, and counts the others', async () => {
  const canticle = createCanticle({ seed: 1 });
  const { participant, token } = canticle;
  const alice = participant.allocateParty('alice');
  const { rules, instrument, admin } = token;
  const textOf = async (...amounts: readonly string[]) => {
    const commands = amounts.map((amount) => ({
      ExerciseCommand: {
        templateId: '#canticle-test-token:Canticle.TestToken:TokenRules',
        contractId: rules,
        choice: 'TokenRules_Mint',
        choiceArgument: {
          ...{ instrumentId: instrument, receiver: alice, amount, lock: null },
          meta: { values: {} },
        },
      },
    }));
    const { status, body } = await canticle.handle({
      method: 'POST',
      path: '/v2/commands/submit-and-wait',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        commands,
        commandId: amounts.join('-'),
        actAs: [admin, alice],
        userId: 'u',
      }),
    });
    expect([status, status === 200 ? '' : body.toString()]).toEqual([200, '']);
    const [, text] = short(await readWords(canticle)).at(-1)!;
    return text;
  };
  const given = (...amounts: readonly string[]) =>
    amounts.map((amount) => `alice is given ${amount} TestToken`).join(', ');
  expect(await textOf('1.0', '2.0', '3.0', '4.0')).toBe(given('1.0', '2.0', '3.0', '4.0'));
  expect(await textOf('1.0', '2.0', '3.0', '4.0', '5.0')).toBe(
    `${given('1.0', '2.0', '3.0', '4.0')} and 1 more`,
  );
  expect(await textOf('1.5', '1.5', '1.5', '1.5', '2.25')).toBe(given('1.5', '2.25'));
});

it('describes the actions of wallets and rounds', async () => {
  const localnet = await startLocalnet({ spliceDars: false, clock: 'virtual' });
  const { appUser, amulet, scenario } = localnet;
  const post = (call: string, body = {}) =>
    fetch(`${appUser.wallet}/${call}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${appUser.token('alice')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
  const later = (minutes: number) => Number(localnet.network.clock.now()) + minutes * 60_000_000;
  const before = (await readWords(localnet)).length;
  amulet.tap(appUser.party, '10.0');
  amulet.tap(appUser.party, '1.0');
  scenario.wallet('alice', { on: 'app-user' });
  // The validator's party acts for alice, and has no entry of it in its own wallet.
  await post('tap', { amount: '1.0' });
  await post('transfer-preapproval');
  const allocated = await post('../allocations', {
    settlement: {
      ...{ executor: appUser.party, settlement_ref: { id: 'one' }, requested_at: later(0) },
      ...{ allocate_before: later(5), settle_before: later(10) },
    },
    transfer_leg_id: 'leg',
    transfer_leg: { receiver: appUser.party, amount: '5.0' },
  });
  const { output } = (await allocated.json()) as any;
  await post(`../allocations/${output.allocation_cid}/withdraw`);
  localnet.advanceTime('PT20M');
  const words = short((await readWords(localnet)).slice(before)).map(([about, text]) => [
    about,
    text.replace(/app_user\S*/, 'app-user'),
  ]);
  expect(words).toEqual([
    ['tap', 'app-user taps 10.0'],
    ['tap', 'app-user taps 1.0'],
    ['wallet', 'wallet of alice set up'],
    ['tap', 'alice taps 200.0'],
    ['preapproval', 'app-user pays for a preapproval'],
    ['allocation', 'allocate 5.0 from alice to app-user'],
    ['allocation', 'allocation withdrawn: 5.0 from alice to app-user'],
    ['merge', 'app-user merges amulets'],
    ['merge', 'alice merges amulets'],
    ['round', 'round 3 opens'],
    ['round', 'round 4 opens'],
  ]);
  await localnet.close();
});
