/** Scan, the validator's proxy and the registry show values with the newest code that they have, for any version (S-ENC-009). */
import {
  d,
  definePackage,
  defineTemplate,
  quickstartPackage,
  STABLE_PACKAGES,
} from '../../../src/daml/index.js';
import { AMULET_DAR, amuletWorld } from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { SpliceWorld } from '../../support/splice/splice-world.js';

/** The template of splice-amulet 0.1.2, with `more` fields. */
function licenses(more: Record<string, ReturnType<typeof d.optional>> = {}) {
  return defineTemplate({
    name: 'Splice.ValidatorLicense:ValidatorLicense',
    fields: {
      validator: d.party,
      sponsor: d.party,
      dso: d.party,
      faucetState: d.optional(d.int64),
      ...more,
    },
    signatories: ({ dso }) => [dso],
  });
}

async function licensesOf(
  version: string,
  more: Record<string, ReturnType<typeof d.optional>> = {},
) {
  const template = licenses(more);
  const packages = [
    ...STABLE_PACKAGES,
    quickstartPackage,
    definePackage({ name: 'splice-amulet', version, templates: [template] }),
  ];
  const world = new SpliceWorld({ network: { packages }, splice: { scanSees: 'dso' } });
  const { dsoParty: dso } = world.splice;
  const none = Object.fromEntries(Object.keys(more).map((name) => [name, null]));
  world.create([dso], template.id, {
    validator: dso,
    sponsor: dso,
    dso,
    faucetState: null,
    ...none,
  });
  const listed = await world.get<any>('/api/scan/v0/admin/validator/licenses');
  const events = await world.post('/api/scan/v0/events', { page_size: 10 });
  const untyped = { page_size: 10, daml_value_encoding: 'protobuf_json' };
  const stored = await world.post('/api/scan/v0/events', untyped);
  const created = ({ body }: { body: any }) =>
    body.events
      .flatMap(({ update }: any) => Object.values(update?.events_by_id ?? {}))
      .find((event: any) => event.template_id === template.id).create_arguments;
  return {
    dso,
    payload: listed.body.validator_licenses[0].payload,
    event: created(events),
    stored: created(stored),
  };
}

test('shows null for fields that a later version added, in contracts and in events', async () => {
  const { dso, payload, event, stored } = await licensesOf('0.1.2');
  const license = { validator: dso, sponsor: dso, dso, faucetState: null };
  expect(payload).toEqual({ ...license, metadata: null, lastActiveAt: null });
  expect(event).toEqual({ ...license, metadata: null, lastActiveAt: null });
  // As the ledger has it, without a field that it has not.
  expect(stored.record.fields).toHaveLength(3);
});

test('omits fields that no release knows', async () => {
  const more = { metadata: d.optional(d.text), lastActiveAt: d.optional(d.text) };
  const { payload, event } = await licensesOf('0.9.0', {
    ...more,
    fromTheFuture: d.optional(d.text),
  });
  for (const json of [payload, event]) {
    expect(Object.keys(json)).toHaveLength(6);
    expect(json).not.toHaveProperty('fromTheFuture');
  }
});

describeWithDars('contracts of an older DAR', [AMULET_DAR], (bytes) => {
  const { canticle, alice, bob } = amuletWorld(bytes);
  const request = async (path: string, body?: unknown) =>
    (await canticle.handle({ path, ...(body === undefined ? {} : { body }) })).json() as any;

  test('Scan and its proxy show rules and rounds with the fields of the newest version', async () => {
    const scan = await request('/api/scan/v0/amulet-rules', {});
    const proxy = await request('/api/validator/v0/scan-proxy/amulet-rules');
    for (const { contract } of [scan.amulet_rules_update, proxy.amulet_rules]) {
      expect(contract.payload).toHaveProperty('contractStateSchemaVersion', null);
      expect(contract.payload.configSchedule.initialValue).toHaveProperty('rewardConfig', null);
    }
    const rounds = await request('/api/validator/v0/scan-proxy/open-and-issuing-mining-rounds');
    for (const { contract } of rounds.open_mining_rounds)
      expect(contract.payload).toHaveProperty('trafficPrice', null);
  });

  test('events and the contexts of the registry show the fields of the newest version', async () => {
    canticle.amulet.tap(alice, '100.0');
    const { instruction } = canticle.amulet.transfer({ from: alice, to: bob, amount: '1.0' });
    const context = await request(
      `/registry/transfer-instruction/v1/${instruction!}/choice-contexts/accept`,
      {},
    );
    const payloads = context.disclosedContracts.map(({ debugPayload }: any) => debugPayload);
    expect(payloads).toContainEqual(expect.objectContaining({ contractStateSchemaVersion: null }));

    const { transactions } = await request('/api/scan/v2/updates', { page_size: 1000 });
    const results = transactions
      .flatMap((each: any) => Object.values(each.events_by_id ?? {}))
      .filter(({ choice }: any) => choice === 'AmuletRules_DevNet_Tap');
    expect(results).not.toHaveLength(0);
    for (const { exercise_result: result } of results) expect(result).toHaveProperty('meta');
    const rounds = transactions
      .flatMap((each: any) => Object.values(each.events_by_id ?? {}))
      .filter(
        ({ template_id: id, event_type: type }: any) =>
          type === 'created_event' && id.endsWith(':OpenMiningRound'),
      );
    for (const { create_arguments: round } of rounds)
      expect(round).toHaveProperty('rewardConfig', null);
  });
});
