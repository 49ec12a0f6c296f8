/**
 * Every flow of the guide of `@canton-network/wallet-sdk` 1.4.0 from examples/wallet-sdk, against a LocalNet with Splice's real code
 * at the SDK's default addresses (W-BOOT-002, W-BOOT-009 to W-BOOT-020). They run at once, like flows of several processes.
 */
import type { Localnet } from 'canticle';
import allocations from '../../examples/wallet-sdk/allocations.ts';
import events from '../../examples/wallet-sdk/events.ts';
import firstSteps from '../../examples/wallet-sdk/first-steps.ts';
import hashing from '../../examples/wallet-sdk/hashing.ts';
import ledgerProvider from '../../examples/wallet-sdk/ledger-provider.ts';
import merging from '../../examples/wallet-sdk/merging.ts';
import mergingForOthers from '../../examples/wallet-sdk/merging-for-others.ts';
import offers from '../../examples/wallet-sdk/offers.ts';
import parties from '../../examples/wallet-sdk/parties.ts';
import preapproval from '../../examples/wallet-sdk/preapproval.ts';
import reading from '../../examples/wallet-sdk/reading.ts';
import rewardsForDeposits from '../../examples/wallet-sdk/rewards-for-deposits.ts';
import traffic from '../../examples/wallet-sdk/traffic.ts';
import users from '../../examples/wallet-sdk/users.ts';
import * as wallet from '../../examples/wallet-sdk/wallet.ts';
import { describeWithDars } from '../support/foreign-files.js';
import { cutWaits, giveLaterNode } from '../support/wallet-sdk.js';
import { answerByLocalnetNames } from './by-localnet-names.js';

/** Of code that knows of the token standard alone. */
export const STANDARD_DARS = [
  'splice-util-token-standard-wallet-1.0.0.dar',
  'splice-token-test-trading-app-1.0.0.dar',
] as const;
const DARS = [...STANDARD_DARS, 'splice-util-featured-app-proxies-1.1.0.dar'] as const;
export const MERGES = '1da198cb7968fa478cfa12aba9fdf128a63a8af6ab284ea6be238cf92a3733ac';
export const TRADES = 'e5c9847d5a88d3b8d65436f01765fc5ba142cc58529692e2dacdd865d9939f71';
const PROXIES = '81dd5a9e5c02d0de03208522a895fb85eeb12fbea4aca7c4ad0ad106f3b0bfce';

/** Call it where tests can be registered. @param localnet at a price of 0.25 dollars, with the system clock */
export function testGuideOfWalletSdk(localnet: Localnet): void {
  describeWithDars('the guide of the wallet SDK', DARS, (merges, trades, proxies) => {
    const begin = {
      firstSteps,
      offers: () => offers(later(localnet)),
      parties,
      preapproval,
      merging,
      traffic,
      users,
      events,
      hashing,
      ledgerProvider,
      reading,
      mergingForOthers: () => mergingForOthers(merges, MERGES),
      allocations: () => allocations(trades, TRADES),
      rewardsForDeposits: () => rewardsForDeposits(proxies, PROXIES),
      rivals,
    };
    type Name = keyof typeof begin;
    const begun = new Map<Name, Promise<unknown>>();
    const outcomeOf = <Of extends Name>(name: Of) =>
      begun.get(name) as ReturnType<(typeof begin)[Of]>;

    const takeBack: (() => void)[] = [];
    beforeAll(async () => {
      giveLaterNode();
      takeBack.push(answerByLocalnetNames(localnet), cutWaits());
      const { events: last, ...others } = begin;
      for (const [name, flow] of Object.entries(others)) begun.set(name as Name, flow());
      await Promise.allSettled(begun.values());
      // A stream ends when its user's rights change, as those of the one user do whenever it gets a party.
      const events = last();
      // Its own test, which comes later, reports the failure.
      events.catch(() => {});
      begun.set('events', events);
    });
    afterAll(() => {
      for (const each of takeBack) each();
    });

    test('first steps: local and external parties, a contract, a holding', async () => {
      expect(await outcomeOf('firstSteps')).toEqual({ alice: [10_000], bobIsHisKey: true });
    });

    test('offers: accepted, rejected, withdrawn, expired', async () => {
      expect(await outcomeOf('offers')).toEqual({
        accepted: [[8_000], [2_000]],
        givenBack: 8_000,
        waiting: 0,
        tooLate: 'DAML_FAILURE',
      });
    });

    test('parties on two participants, and the validator as a featured app', async () => {
      expect(await outcomeOf('parties')).toEqual({
        listed: true,
        featured: 'app_user_localnet-localparty-1',
      });
    });

    test('a preapproval: requested, used, renewed, cancelled', async () => {
      expect(await outcomeOf('preapproval')).toEqual({
        held: [[8_000], [2_000]],
        renewedByDays: 2,
        left: null,
      });
    });

    test('merging holdings, by the owner and by the validator', async () => {
      expect(await outcomeOf('merging')).toEqual({ before: 6, after: [120] });
      expect(await outcomeOf('mergingForOthers')).toEqual([200]);
    });

    test('buying traffic', async () => {
      const { bytes, left } = await outcomeOf('traffic');
      expect(bytes).toBeGreaterThanOrEqual(200_000);
      // 0.2 MB at 16.67 dollars each, at 0.25 dollars for an amulet.
      expect(left).toEqual([2_000_000 - 13.336]);
    });

    test('users, and the parties that they see', async () => {
      expect(await outcomeOf('users')).toEqual({
        master: [true, true],
        alice: [true, false],
        bobOfAlice: [false, true, false],
      });
    });

    test('a stream of events', async () => {
      const { updateId, update, completion } = await outcomeOf('events');
      expect(update).toMatchObject({ update: { Transaction: { value: { updateId } } } });
      expect(completion).toMatchObject({
        completionResponse: { Completion: { value: { updateId, status: { code: 0 } } } },
      });
    });

    test('hashing and signing offline', async () => {
      expect(await outcomeOf('hashing')).toEqual({
        agreed: [true, true, true, true, true],
        held: [[9_900], [100]],
      });
    });

    test('a custom ledger provider', async () => {
      expect(await outcomeOf('ledgerProvider')).toEqual({ held: [10_000], prepared: true });
    });

    test('reads past transactions, and data of other parties', async () => {
      expect(await outcomeOf('reading')).toEqual({
        labels: [['Mint'], ['MergeSplit']],
        sent: true,
        prepared: 5,
        reader: ['NA', 1],
        publicKey: true,
      });
    });

    test('a delivery-versus-payment trade', async () => {
      expect(await outcomeOf('allocations')).toEqual({ alice: 1_920, bob: 2_080 });
    });

    test('rewards for deposits, through a proxy', async () => {
      expect(await outcomeOf('rewardsForDeposits')).toEqual({
        withdrawn: [1_000, 1_000],
        rejected: [1_000, 1_000],
        accepted: [900, 1_100],
      });
    });

    test('concurrent clients spend each holding once, and lose none', async () => {
      const { refused, sent, left, received } = await outcomeOf('rivals');
      expect(sent).toBeGreaterThanOrEqual(1);
      expect(sent + refused.length).toBe(6);
      expect(refused.length).toBeGreaterThanOrEqual(1);
      // Spent before it was prepared, or between that and its execution.
      expect(['CONTRACT_NOT_FOUND', 'LOCAL_VERDICT_INACTIVE_CONTRACTS']).toEqual(
        expect.arrayContaining([...new Set(refused)]),
      );
      expect([received, left]).toEqual([sent * 10, 100 - sent * 10]);
    });
  });
}

/** Time that passes at once. */
export const later = (localnet: Localnet) => (milliseconds: number) =>
  localnet.advanceTime(BigInt(Math.max(0, milliseconds)) * 1_000n);

/** Six clients of a user, none of which knows of the others, and one holding. */
async function rivals() {
  const first = await wallet.connect();
  const [alice, bob] = [
    await wallet.newParty(first, 'rivals-alice'),
    await wallet.newParty(first, 'rivals-bob'),
  ];
  const receiver = bob.partyId;
  const { command } = first.amulet.preapproval;
  await wallet.submit(first, bob, await command.create({ parties: { receiver } }));
  await first.amulet.preapproval.fetchStatus(receiver);
  await wallet.tap(first, alice, '100');
  const clients = await Promise.all(Array.from({ length: 6 }, wallet.connect));
  const outcomes = await Promise.allSettled(
    clients.map((client) => wallet.send(client, alice, bob, '10')),
  );
  const total = async (party: wallet.Party) =>
    (await wallet.amounts(first, party)).reduce((sum, amount) => sum + amount, 0);
  return {
    sent: outcomes.filter(({ status }) => status === 'fulfilled').length,
    refused: outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : [])),
    left: await total(alice),
    received: await total(bob),
  };
}
