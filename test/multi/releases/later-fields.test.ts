/** Scan shows the fields that its release knows, and from 0.9 on all fields of the installed packages (S-ENC-009). */
import { createCanticle, d, definePackage, defineTemplate } from 'canticle';

const text = d.optional(d.text);

/** A config of splice-amulet 0.1.22, and the fields of later versions. */
const FIELDS = {
  '0.1.22': {},
  '0.1.23': {
    developmentFundManagerBlacklist: d.optional(d.list(d.party)),
    minDevelopmentFundMintingDelay: text,
  },
  '0.1.25': {
    developmentFundManagerBlacklist: d.optional(d.list(d.party)),
    minDevelopmentFundMintingDelay: text,
    amuletSwitchOverTimes: d.optional(d.textMap(d.timestamp)),
    validatorRewardConfig: text,
  },
};
type Version = keyof typeof FIELDS;

const COUPON = { mintAfter: d.optional(d.timestamp) };

/** A package with the names of Amulet, with a part of its templates. */
function amulet(version: Version) {
  const config = d.record('Splice.AmuletConfig:AmuletConfig', {
    transferConfig: d.text,
    issuanceCurve: d.text,
    decentralizedSynchronizer: d.text,
    tickDuration: d.text,
    packageConfig: d.text,
    transferPreapprovalFee: text,
    featuredAppActivityMarkerAmount: text,
    optDevelopmentFundManager: text,
    externalPartyConfigStateTickDuration: text,
    rewardConfig: text,
    transferPreapprovalBaseDuration: text,
    ...FIELDS[version],
  });
  const rules = defineTemplate({
    name: 'Splice.AmuletRules:AmuletRules',
    fields: { dso: d.party, config },
    signatories: ({ dso }) => [dso],
  });
  const coupon = defineTemplate({
    name: 'Splice.Amulet:DevelopmentFundCoupon',
    fields: {
      dso: d.party,
      beneficiary: d.party,
      fundManager: d.party,
      amount: d.numeric(10),
      expiresAt: d.timestamp,
      reason: d.text,
      ...(version === '0.1.22' ? {} : COUPON),
    },
    signatories: ({ dso }) => [dso],
  });
  const pack = definePackage({ name: 'splice-amulet', version, templates: [rules, coupon] });
  return { pack, rules, coupon };
}

async function shown(splice: '0.7.4' | '0.8' | '0.9', version: Version) {
  const { pack, rules, coupon } = amulet(version);
  const canticle = createCanticle({ splice, packages: [pack], scan: { sees: 'everything' } });
  const { participant } = canticle;
  const dso = participant.allocateParty('dso-of-test');
  const required = ['transferConfig', 'issuanceCurve', 'decentralizedSynchronizer'];
  const config = Object.fromEntries(
    [...required, 'tickDuration', 'packageConfig'].map((name) => [name, name]),
  );
  const later =
    version === '0.1.25'
      ? {
          amuletSwitchOverTimes: { 'a-switch': '2026-01-02T00:00:00Z' },
          validatorRewardConfig: 'v',
        }
      : {};
  const newer = version === '0.1.22' ? {} : { developmentFundManagerBlacklist: [dso] };
  participant.create(
    rules.id,
    { dso, config: { ...config, ...newer, ...later } },
    { actAs: [dso] },
  );
  participant.create(
    coupon.id,
    {
      ...{ dso, beneficiary: dso, fundManager: dso, amount: '1.0', reason: 'docs' },
      expiresAt: '2026-02-01T00:00:00Z',
      ...(version === '0.1.22' ? {} : { mintAfter: '2026-01-03T00:00:00Z' }),
    },
    { actAs: [dso] },
  );
  const answer = await canticle.handle({
    method: 'POST',
    path: '/api/scan/v0/events',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ page_size: 100 }),
  });
  const created = (answer.json() as any).events
    .flatMap(({ update }: any) => Object.values(update?.events_by_id ?? {}))
    .map(({ create_arguments: argument }: any) => argument);
  const found = created.find((each: any) => 'config' in each).config;
  return {
    dso,
    config: Object.fromEntries(Object.entries(found).slice(11)),
    coupon: created.find((each: any) => 'reason' in each),
  };
}

test('0.7.4 shows none of the later fields', async () => {
  for (const version of ['0.1.22', '0.1.23', '0.1.25'] as const) {
    const { config, coupon } = await shown('0.7.4', version);
    expect(config).toEqual({});
    expect(coupon).not.toHaveProperty('mintAfter');
  }
});

test('0.8 shows the fields of splice-amulet 0.1.23 (R-08-008)', async () => {
  const without = await shown('0.8', '0.1.22');
  const none = { developmentFundManagerBlacklist: null, minDevelopmentFundMintingDelay: null };
  expect([without.config, without.coupon.mintAfter]).toEqual([none, null]);
  for (const version of ['0.1.23', '0.1.25'] as const) {
    const { dso, config, coupon } = await shown('0.8', version);
    expect(config).toEqual({ ...none, developmentFundManagerBlacklist: [dso] });
    expect(coupon.mintAfter).toBe('2026-01-03T00:00:00Z');
  }
});

test('0.9 shows all fields of the installed package, until 0.1.25 (R-09-012)', async () => {
  const without = await shown('0.9', '0.1.22');
  expect(without.config).toEqual({
    developmentFundManagerBlacklist: null,
    minDevelopmentFundMintingDelay: null,
    amuletSwitchOverTimes: null,
  });
  const { dso, config } = await shown('0.9', '0.1.25');
  expect(config).toEqual({
    developmentFundManagerBlacklist: [dso],
    minDevelopmentFundMintingDelay: null,
    amuletSwitchOverTimes: { 'a-switch': expect.stringMatching(/^2026-01-02T00:00:00/) },
    validatorRewardConfig: 'v',
  });
});
