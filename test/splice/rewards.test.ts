/** Reward accounting: the three states of a round, its totals, and a root hash that is the hash of its batch tree. */
import { createHash } from 'node:crypto';
import { createCanticle } from 'canticle';
import fc from 'fast-check';
import { check } from '../support/property.js';
import { SpliceWorld } from '../support/splice/splice-world.js';
import { expectValid } from '../support/validate.js';

const ROUNDS = '/api/scan/v0/internal/reward-accounting-process/rounds';
const BEFORE_065 = '/api/scan/v0/reward-accounting-process/rounds';

interface Allowance {
  readonly provider: string;
  readonly amount: string;
}

const provider = (name: string): string => `${name}::1220${'ab'.repeat(32)}`;

/** The Daml code's hashes, said once more: sha256 of texts joined by bars, lists with their length in front. */
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const listHash = (hashes: readonly string[]): string =>
  sha256([hashes.length, ...hashes].join('|'));
const variantHash = (tag: string, hash: string): string => sha256(`${tag}|1|${hash}`);
const shownByDaml = (amount: string): string => amount.replace(/0+$/, '').replace(/\.$/, '.0');

/** Walks down from a hash through the API, checking on the way that each batch hashes to what it was asked by. */
async function walk(
  world: SpliceWorld,
  round: number,
  hash: string,
): Promise<{ leaves: Allowance[][]; widest: number }> {
  const { status, body } = await world.get<Record<string, never>>(
    `${ROUNDS}/${round}/batches/${hash}`,
  );
  expect(status).toBe(200);
  if (body.batch_type === ('BatchOfBatches' as never)) {
    const children: string[] = body.child_hashes!;
    expect(variantHash('BatchOfBatches', listHash(children))).toBe(hash);
    const below = await Promise.all(children.map((child) => walk(world, round, child)));
    return {
      leaves: below.flatMap(({ leaves }) => leaves),
      widest: Math.max(children.length, ...below.map(({ widest }) => widest)),
    };
  }
  const allowances: Allowance[] = body.minting_allowances!;
  const hashes = allowances.map((each) =>
    listHash([sha256(each.provider), sha256(shownByDaml(each.amount))]),
  );
  expect(variantHash('BatchOfMintingAllowances', listHash(hashes))).toBe(hash);
  return { leaves: [allowances], widest: allowances.length };
}

async function rootOf(world: SpliceWorld, round: number): Promise<string> {
  const { body } = await world.get<{ status: string; root_hash: string }>(
    `${ROUNDS}/${round}/root-hash`,
  );
  expect(body).toMatchObject({
    status: 'Ok',
    round_number: round,
    root_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  return body.root_hash;
}

describe('the batch tree', () => {
  const amount = fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.integer({ min: 0, max: 10 }))
    .map(([whole, places]) => {
      const digits = String(whole).padStart(places + 1, '0');
      return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
    });
  const allowances = fc.uniqueArray(
    fc.record({ provider: fc.stringMatching(/^[a-z]{1,8}$/).map(provider), amount }),
    {
      selector: (each) => each.provider,
      maxLength: 40,
    },
  );

  test('the root hash is the hash of the tree, which contains every allowance once, in order, in batches of the batch size', async () => {
    const world = new SpliceWorld();
    await check(
      fc.asyncProperty(allowances, fc.integer({ min: 2, max: 7 }), async (given, batchSize) => {
        world.splice.rewards.set(5, { status: 'Ok', mintingAllowances: given, batchSize });
        const { leaves, widest } = await walk(world, 5, await rootOf(world, 5));
        expect(widest).toBeLessThanOrEqual(batchSize);
        // All leaves but the last are full.
        expect(leaves.slice(0, -1).every(({ length }) => length === batchSize)).toBe(true);
        const expected = [...given]
          .sort((a, b) => (a.provider < b.provider ? -1 : 1))
          .map((each) => each.provider);
        expect(leaves.flat().map((each) => each.provider)).toEqual(expected);
        for (const each of leaves.flat()) expect(each.amount).toMatch(/^\d+\.\d{10}$/);
      }),
      { numRuns: 40 },
    );
  });

  test('a round without rewards has one empty leaf', async () => {
    const world = new SpliceWorld();
    world.splice.rewards.set(1, { status: 'Ok' });
    expect(await rootOf(world, 1)).toBe(variantHash('BatchOfMintingAllowances', listHash([])));
    expect((await walk(world, 1, await rootOf(world, 1))).leaves).toEqual([[]]);
  });

  test('up to a hundred allowances are one batch by default', async () => {
    const world = new SpliceWorld();
    const mintingAllowances = Array.from({ length: 101 }, (_, i) => ({
      provider: provider(`app${i}`),
      amount: '1',
    }));
    world.splice.rewards.set(1, { status: 'Ok', mintingAllowances });
    expect(
      (await walk(world, 1, await rootOf(world, 1))).leaves.map(({ length }) => length),
    ).toEqual([100, 1]);
  });

  test('a batch of another round is not found, and the error names the round and the hash (S-RWD-007)', async () => {
    const world = new SpliceWorld();
    world.splice.rewards.set(1, { status: 'Ok' });
    const hash = await rootOf(world, 1);
    const { status, body } = await world.get<{ error: string }>(`${ROUNDS}/2/batches/${hash}`);
    expect(status).toBe(404);
    expect(body.error).toContain('round 2');
    expect(body.error).toContain(hash);
  });
});

describe('the states of a round', () => {
  const both = async (world: SpliceWorld, round: number) =>
    (
      await Promise.all(
        ['activity-totals', 'root-hash'].map((what) =>
          world.get<{ status: string }>(`${ROUNDS}/${round}/${what}`),
        ),
      )
    ).map(({ status, body }) => [status, body.status]);
  const bothAre = (state: string) => [
    [200, state],
    [200, state],
  ];

  test('nothing is available before the first round with data, and every round may still come (S-RWD-001, S-RWD-003)', async () => {
    const world = new SpliceWorld();
    expect((await world.get(`${ROUNDS}/earliest-available`)).status).toBe(404);
    expect(await both(world, 0)).toEqual(bothAre('Undetermined'));
  });

  test('rounds before the first round with data cannot be provided, and later ones are undetermined (S-RWD-003, S-RWD-004)', async () => {
    const world = new SpliceWorld();
    for (const round of [12, 10]) world.splice.rewards.set(round, { status: 'Ok' });
    expect((await world.get(`${ROUNDS}/earliest-available`)).body).toEqual({ earliest_round: 10 });
    expect(await both(world, 9)).toEqual(bothAre('CannotProvide'));
    expect(await both(world, 10)).toEqual(bothAre('Ok'));
    // Between two that are known, or behind them.
    for (const round of [11, 13]) expect(await both(world, round)).toEqual(bothAre('Undetermined'));
    // Nothing is known of the first one any more: what lies before the next one is lost with it.
    world.splice.rewards.set(10, { status: 'Undetermined' });
    expect((await world.get(`${ROUNDS}/earliest-available`)).body).toEqual({ earliest_round: 12 });
    expect(await both(world, 10)).toEqual(bothAre('Undetermined'));
    expect(await both(world, 11)).toEqual(bothAre('CannotProvide'));
  });

  test('a test may set and change the state of a round, and revert it', async () => {
    const world = new SpliceWorld();
    world.splice.rewards.set(3, { status: 'CannotProvide' });
    expect(await both(world, 3)).toEqual(bothAre('CannotProvide'));
    const snapshot = world.network.snapshot();
    world.splice.rewards.set(3, { status: 'Ok' });
    expect(await both(world, 3)).toEqual(bothAre('Ok'));
    world.splice.rewards.set(3, { status: 'Undetermined' });
    expect(await both(world, 3)).toEqual(bothAre('Undetermined'));
    world.network.revert(snapshot);
    expect(await both(world, 3)).toEqual(bothAre('CannotProvide'));
    expect((await world.get(`${ROUNDS}/earliest-available`)).status).toBe(404);
  });

  test('amounts are texts with ten decimals, and counts and the weight are numbers (S-RWD-005)', async () => {
    const world = new SpliceWorld();
    world.splice.rewards.set(7, {
      status: 'Ok',
      appActivityWeight: 5_000_000,
      activePartiesCount: 3,
      activityRecordsCount: 8,
      appRewardThresholded: '0.5',
      appRewardUnclaimed: '1000',
      mintingAllowances: [
        { provider: provider('bob'), amount: '6' },
        { provider: provider('alice'), amount: '10.25' },
      ],
    });
    const { status, body } = await world.get(`${ROUNDS}/7/activity-totals`);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 'Ok',
        round_number: 7,
        total_app_activity_weight: 5_000_000,
        active_parties_count: 3,
        activity_records_count: 8,
        total_app_reward_minting_allowance: '16.2500000000',
        total_app_reward_thresholded: '0.5000000000',
        total_app_reward_unclaimed: '1000.0000000000',
        rewarded_app_provider_parties_count: 2,
      },
    });
    await expectValid('getRewardAccountingActivityTotals', status, body, 'scan');
  });

  test.each(['earliest-available', '7/activity-totals', '7/root-hash', '7/batches/ab'])(
    'the path %s from before 0.6.5 is not found',
    async (rest) => {
      const canticle = createCanticle({ seed: 1 });
      expect((await canticle.handle({ path: `${BEFORE_065}/${rest}` })).status).toBe(404);
    },
  );
});

describe('invalid states of a round', () => {
  const world = new SpliceWorld();
  test.each([
    ['a negative round', -1, {}],
    ['a negative amount', 1, { appRewardUnclaimed: '-1' }],
    ['an amount with eleven decimals', 1, { appRewardThresholded: '0.00000000001' }],
    ['a missing amount', 1, { mintingAllowances: [{ provider: provider('bob'), amount: 'six' }] }],
    ['a missing party', 1, { mintingAllowances: [{ provider: 'bob!', amount: '6' }] }],
    [
      'a repeated provider',
      1,
      {
        mintingAllowances: ['1', '2'].map((each) => ({ provider: provider('bob'), amount: each })),
      },
    ],
    [
      'fewer active parties than rewarded ones',
      1,
      { activePartiesCount: 0, mintingAllowances: [{ provider: provider('bob'), amount: '6' }] },
    ],
    [
      'a batch size of one',
      1,
      {
        batchSize: 1,
        mintingAllowances: ['bob', 'eve'].map((name) => ({
          provider: provider(name),
          amount: '6',
        })),
      },
    ],
    [
      'more than a decimal can represent',
      1,
      {
        mintingAllowances: ['bob', 'eve'].map((name) => ({
          provider: provider(name),
          amount: '9'.repeat(28),
        })),
      },
    ],
  ])('%s', (_what, round, more) => {
    expect(() => world.splice.rewards.set(round, { status: 'Ok', ...more })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }) as Error,
    );
    expect(world.splice.rewards.round(1)).toEqual({ status: 'Undetermined' });
  });
});
