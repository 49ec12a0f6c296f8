/** A fork from a Scan, here that of another Canticle with real Amulet: alone, and with a participant that does not see the DSO. */
import { join } from 'node:path';
import {
  startCanticle,
  startLocalnet,
  type Canticle,
  type Localnet,
  type StartOptions,
} from 'canticle';
import { describeWithDars } from '../../support/foreign-files.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

type Json = any;
type Fork = NonNullable<NonNullable<Parameters<typeof startCanticle>[0]>['fork']>;

const folder = useTemporaryFolder();
const open: Canticle[] = [];
const started = async (options: Parameters<typeof startCanticle>[0]): Promise<Canticle> => {
  const made = await startCanticle({ cache: join(folder(), 'checked'), ...options });
  open.push(made);
  return made;
};
afterAll(() => Promise.all(open.map((each) => each.close())));

const request = async (of: Canticle, path: string, body?: unknown): Promise<Json> =>
  (await of.handle({ path: `/api/scan/v0${path}`, body })).json();
const answersOf = async (of: Canticle) => [
  await request(of, '/dso-party-id'),
  await request(of, '/amulet-rules', {}),
  await request(of, '/external-party-amulet-rules', {}),
  await request(of, '/open-and-issuing-mining-rounds', {
    cached_open_mining_round_contract_ids: [],
    cached_issuing_round_contract_ids: [],
  }),
  await request(of, '/splice-instance-names'),
  await request(of, '/migrations/last'),
  (await request(of, '/dso')).dso_rules,
  (await request(of, '/dso')).initial_round,
  (await request(of, '/admin/validator/licenses')).validator_licenses,
];

/** A whole DSO takes seconds to found: with CANTICLE_ALL_DARS=1. */
const GOVERNANCE =
  process.env['CANTICLE_ALL_DARS'] === '1'
    ? ['splice-amulet-name-service-0.1.23.dar', 'splice-dso-governance-0.1.28.dar']
    : [];
const DARS: readonly string[] = ['splice-amulet-0.1.22.dar', ...GOVERNANCE];

describeWithDars('the Scan of a real Amulet', DARS, (...dars) => {
  let there: Canticle;
  let [carol, dora] = ['', ''];
  const forked = (options: Partial<Fork> = {}, dars: Uint8Array[] = []) =>
    started({ fork: { scan: there.urls.scan, cache: false, ...options }, dars });

  beforeAll(async () => {
    there = await started({
      seed: 5,
      dars: dars.slice(1),
      amulet: { dar: dars[0]!, automaticRounds: false, initialRound: 3 },
      participants: ['dso', 'user'],
    });
    [carol, dora] = ['carol', 'dora'].map((hint) => there.participant.allocateParty(hint)) as [
      string,
      string,
    ];
    there.scheduleMigration({ time: there.time, migrationId: 3 });
    there.carryOutMigration();
    // The first round closes, so that only the history knows it.
    for (let each = 0; each < 4; each += 1) there.amulet.advanceRounds();
    there.amulet.tap(carol, '100.0');
    there.requests.clear();
  });

  it('becomes a world with its rules, rounds and names, in which amulets are tapped and transferred', async () => {
    const here = await forked({ parties: [carol, dora] });
    const kinds = there.requests.list().map(({ method, path }) => `${method} ${path}`);
    expect(kinds.filter((each) => /POST/.test(each)).sort()).toEqual([
      'POST /api/scan/v0/amulet-rules',
      'POST /api/scan/v0/ans-rules',
      'POST /api/scan/v0/external-party-amulet-rules',
      'POST /api/scan/v0/open-and-issuing-mining-rounds',
      'POST /registry/transfer-instruction/v1/transfer-factory',
    ]);
    expect(await answersOf(here)).toEqual(await answersOf(there));
    const held = [there, here].map(({ amulet, ...each }) => {
      const before = there.snapshot();
      amulet.tap(dora, '7.0');
      const offer = amulet.transfer({ from: carol, to: dora, amount: '30.0' });
      amulet.accept(offer.instruction!, dora);
      const holdings = [carol, dora].map((party) =>
        amulet.holdings(party).map(({ payload }) => payload),
      );
      if (each.network === there.network) there.revert(before);
      return holdings;
    });
    expect(held[0]![1]).toHaveLength(2);
    expect(held[1]).toEqual(held[0]);
    const { record_time, migration_id } = (
      await here.handle({ method: 'POST', path: '/api/scan/v0/state/acs/force' })
    ).json() as Json;
    const place = { record_time, migration_id, page_size: 100 };
    const { created_events: active } = await request(here, '/state/acs', place);
    expect(active).toHaveLength(here.participant.activeContracts().length);
  });

  describe('with a participant', () => {
    let erin: string;
    let fork: Fork;
    beforeAll(() => {
      const user = there.participants[1]!;
      erin = user.allocateParty('erin');
      there.amulet.tap(erin, '50.0');
      fork = { url: there.ledgerApis['user']!, scan: there.url, cache: join(folder(), 'both') };
    });

    it('adds the contracts that the participant does not see, at its ledger end', async () => {
      const alone = await started({ fork: { ...fork, scan: undefined, cache: false } });
      const here = await started({ fork });
      expect(here.participant.ledgerEnd).toBe(alone.participant.ledgerEnd);
      const ids = (of: Canticle) => of.participant.activeContracts().map((each) => each.contractId);
      expect(ids(here)).toEqual(expect.arrayContaining(ids(alone)));
      expect(await answersOf(here)).toEqual(await answersOf(there));
      const offer = here.amulet.transfer({ from: erin, to: carol, amount: '5.0' });
      here.amulet.accept(offer.instruction!, carol);
      expect(here.amulet.holdings(carol)).toHaveLength(1);
      expect(() => alone.amulet.tap(erin, '1.0')).toThrow();
    });

    it('sends no requests at a second start', async () => {
      there.requests.clear();
      const here = await started({ fork });
      expect(here.amulet.holdings(erin)).toHaveLength(1);
      expect(there.requests.list()).toEqual([]);
    });

    it('rejects another synchronizer', async () => {
      const other = await started({ seed: 9 });
      const of = { ...fork, url: other.url, cache: false } as const;
      await expect(startCanticle({ fork: of })).rejects.toThrow(
        /^Failed to fork: its Scan belongs to synchronizer global-domain::1220\w+, but the participant is connected only to global-domain::/,
      );
    });
  });

  it('continues after an interruption', async () => {
    const cache = join(folder(), 'resumed');
    const rule = there.use('getOpenAndIssuingMiningRounds', { status: 503, body: {} });
    await expect(forked({ cache })).rejects.toThrow('was answered with 503');
    rule.remove();
    expect((await forked({ cache })).amulet.holdings(carol)).toEqual([]);
  });

  it('reports and omits endpoints that Scan does not have', async () => {
    const rule = there.use('listFeaturedAppRights', { status: 501, body: {} });
    const lines: string[] = [];
    await forked({ onProgress: (line) => void lines.push(line) });
    rule.remove();
    expect(lines).toContain(
      'its Scan answers /api/scan/v0/featured-apps with 501: the fork does not have this data',
    );
  });

  it('rejects a changed blob', async () => {
    const answer = await request(there, '/amulet-rules', {});
    const { contract } = answer.amulet_rules_update;
    const bytes = Buffer.from(contract.created_event_blob, 'base64');
    bytes[bytes.indexOf('DSO::') + 8]! ^= 1;
    contract.created_event_blob = bytes.toString('base64');
    const rule = there.use('getAmuletRules', { body: answer });
    await expect(forked()).rejects.toThrow('does not match its blob, which was changed');
    rule.remove();
  });

  it('reports a missing package', async () => {
    const before = process.env['CANTICLE_DARS'];
    process.env['CANTICLE_DARS'] = folder();
    try {
      await expect(forked()).rejects.toThrow(
        /^Failed to fork: the contracts of its Scan are invalid: it needs packages that are missing: .*splice-amulet \([0-9a-f]{64}\)/,
      );
      const [own] = [await forked({}, [...dars])];
      expect(own.amulet.holdings(carol)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env['CANTICLE_DARS'];
      else process.env['CANTICLE_DARS'] = before;
    }
  });
});

it('a fork without a source is rejected, and so is a Scan without Amulet', async () => {
  const bare = await started({});
  const of = { scan: bare.urls.scan, cache: false } as const;
  await expect(startCanticle({ fork: of })).rejects.toThrow(
    /^Failed to fork: its Scan has no AmuletRules: \/api\/scan\/v0\/amulet-rules was answered with 500\. Set up Amulet there first, or fork only the participant \(fork\.url, --fork\)\.$/,
  );
  await expect(startCanticle({ fork: { cache: false } })).rejects.toThrow(
    'fork.url without scan cannot be undefined',
  );
  await expect(startCanticle({ fork: of, synchronizers: ['x'] })).rejects.toThrow(
    'synchronizers cannot be used with fork: the Scan sets it.',
  );
});

it('a fork of a Scan that answers 500 for its rounds has no rounds', async () => {
  const localnet = await startLocalnet({ ports: 'auto', spliceDars: false });
  open.push(localnet);
  localnet.use('getOpenAndIssuingMiningRounds', { status: 500, body: {} });
  const lines: string[] = [];
  const onProgress = (line: string): void => void lines.push(line);
  const here = await started({ fork: { scan: localnet.urls.scan, cache: false, onProgress } });
  expect(lines).toContain(
    'its Scan answers /api/scan/v0/open-and-issuing-mining-rounds with 500: the fork does not have this data',
  );
  expect(await request(here, '/amulet-rules', {})).toEqual(
    await request(localnet, '/amulet-rules', {}),
  );
});

describe('the release of a fork', () => {
  let localnet: Localnet;
  beforeAll(async () => {
    localnet = await startLocalnet({ ports: 'auto', spliceDars: false, splice: '0.9' });
    open.push(localnet);
  });
  let rule: { remove(): void } | undefined;
  afterEach(() => rule?.remove());
  const fork = async (more: Partial<Fork> = {}, options: Partial<StartOptions> = {}) => {
    const lines: string[] = [];
    const onProgress = (line: string): void => void lines.push(line);
    const scan = localnet.urls.scan;
    const here = await started({ fork: { scan, cache: false, onProgress, ...more }, ...options });
    const version = async (path: string) => ((await here.handle({ path })).json() as any).version;
    return {
      line: lines.find((each) => each.includes('the fork answers as')),
      versions: [await version('/api/scan/version'), await version('/v2/version')],
    };
  };
  const reporting = (status: number, body: object) =>
    (rule = localnet.use('getVersion', { status, body }));

  it('is that of its Scan, even if another one is stated', async () => {
    for (const options of [{}, { splice: '0.8' } as const])
      expect(await fork({}, options)).toEqual({
        line: 'its Scan runs Splice 0.9.0: the fork answers as 0.9',
        versions: ['0.9.0', '3.6.1'],
      });
  });

  it('is that of its Scan and of its participant', async () => {
    const users = { parties: [localnet.splice.dsoParty], token: localnet.sv.token() };
    const { ledgerApi: url } = localnet.sv;
    reporting(200, { version: '0.8.2', commit_ts: '2026-01-01T00:00:00Z' });
    expect((await fork({ url, ...users })).versions).toEqual(['0.8.4', '3.6.1']);
  });

  it.each([
    ['0.8.1', {}, 'its Scan runs Splice 0.8.1: the fork answers as 0.8', '0.8.4'],
    ['0.10.2', {}, 'its Scan runs Splice 0.10.2: the fork answers as 0.10', '0.10.0'],
    [
      '0.6.2',
      {},
      'its Scan runs Splice 0.6.2, which Canticle does not know: the fork answers as 0.7.4, the default',
      '0.7.4',
    ],
    [
      '0.11.0',
      { splice: '0.9' },
      'its Scan runs Splice 0.11.0, which Canticle does not know: the fork answers as 0.9, as stated',
      '0.9.0',
    ],
  ] as const)('of a Scan of %s with the options %j', async (version, options, line, answers) => {
    reporting(200, { version, commit_ts: '2026-01-01T00:00:00Z' });
    const found = await fork({}, options);
    expect([found.line, found.versions[0]]).toEqual([line, answers]);
  });

  it('is the stated one if the Scan does not report its own', async () => {
    reporting(404, {});
    expect(await fork({}, { splice: '0.8' })).toMatchObject({
      line: 'its Scan does not report its release: the fork answers as 0.8, as stated',
      versions: ['0.8.4', '3.5.14'],
    });
  });
});

it('a fork of the Scan of a LocalNet without DARs uses the Amulet model and its packages', async () => {
  const localnet = await startLocalnet({ ports: 'auto', spliceDars: false });
  open.push(localnet);
  const here = await started({ fork: { scan: localnet.urls.scan, cache: false } });
  expect((await answersOf(here)).slice(0, 6)).toEqual((await answersOf(localnet)).slice(0, 6));
  const [alice, bob] = ['alice', 'bob'].map((hint) => here.participant.allocateParty(hint)) as [
    string,
    string,
  ];
  here.amulet.tap(alice, '10.0');
  const offer = here.amulet.transfer({ from: alice, to: bob, amount: '4.0' });
  here.amulet.accept(offer.instruction!, bob);
  expect(here.amulet.holdings(bob)).toHaveLength(1);
});
