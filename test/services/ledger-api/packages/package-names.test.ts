/** Package names and versions (B-PSL-*): the package that a `#name` selects, in commands and in filters. */
import { addPackages } from '../../../../src/network/index.js';
import { d, defineInterface, definePackage, defineTemplate } from 'canticle';
import {
  byInterface,
  byTemplate,
  create,
  createAndExercise,
  eventFormat,
  exercise,
  startLedgerApi,
  transactionFormat,
  updateFormat,
  type LedgerApi,
  type JsonAnswer,
} from '../../../support/ledger-api.js';
import { StreamClient } from '../../../support/stream-client.js';

/** One template in two versions; the second has a field more and a choice that reads it. */
function version(number: 1 | 2) {
  const fields = { owner: d.party };
  const Thing = defineTemplate({
    name: 'Main:Thing',
    fields: number === 2 ? { ...fields, ...({ note: d.optional(d.text) } as object) } : fields,
    signatories: ({ owner }) => [owner],
    choices: (choice) => ({
      Describe: choice({
        consuming: false,
        result: d.text,
        controllers: ({ owner }) => [owner],
        run: (_update, { payload }) => `version ${number} of ${Object.keys(payload).join(', ')}`,
      }),
    }),
  });
  return definePackage({ name: 'versions', version: `${number}.0.0`, templates: [Thing] });
}

const v1 = version(1);
const v2 = version(2);
const NAMED = '#versions:Main:Thing';
const idOf = ({ id }: { id: string }) => `${id}:Main:Thing`;

let api: LedgerApi;
let alice: string;

beforeEach(async () => {
  api = await startLedgerApi({ packages: [v2, v1] });
  [alice] = await api.parties('alice');
});
afterEach(() => api.client.close());

const effects = () => transactionFormat('LEDGER_EFFECTS', eventFormat([alice]));
const thing = (reference: string, more: object = {}) =>
  api.transact(create(reference, { owner: alice, ...more }), { actAs: alice });
const templateOf = ({ events }: JsonAnswer) => events[0].CreatedEvent.templateId;

function vet(...packages: { id: string }[]) {
  const { topology, synchronizers } = api.canticle.network;
  const { engine } = api.canticle.participant;
  const before = [...topology.vetting(engine.id, synchronizers[0]!.id).packages];
  const others = before.filter(([id]) => id !== v1.id && id !== v2.id);
  topology.setVetting(
    engine.id,
    synchronizers[0]!.id,
    new Map([...others, ...packages.map(({ id }) => [id, { packageId: id }] as const)]),
  );
}

describe('a command', () => {
  it('may have a package name, which selects the highest vetted version, or an id (B-PSL-001, B-PSL-002, B-PSL-006, B-PSL-008)', async () => {
    expect(templateOf(await thing(NAMED))).toBe(idOf(v2));
    expect(templateOf(await thing(idOf(v1)))).toBe(idOf(v1));
    vet(v1);
    expect(templateOf(await thing(NAMED))).toBe(idOf(v1));
  });

  it.each([
    ['in this order', 1],
    ['in reverse order', -1],
  ])(
    'by name uses the greater package id if two packages have the same version, %s (B-PKG-021)',
    async (_how, sign) => {
      const twins = ['One', 'Other'].map((type) =>
        definePackage({
          name: 'twins',
          version: '1.0.0',
          types: [d.enum(`Main:${type}`, ['It'])],
          templates: [
            defineTemplate({
              name: 'Main:Thing',
              fields: { owner: d.party },
              signatories: ({ owner }) => [owner],
            }),
          ],
        }),
      );
      const [lesser, greater] = twins.map(({ id }) => id).sort() as [string, string];
      const ordered = twins.sort((one, other) => (one.id < other.id ? -sign : sign));
      addPackages(api.canticle.participant.engine, ordered);
      expect(templateOf(await thing('#twins:Main:Thing'))).toBe(`${greater}:Main:Thing`);
      expect(templateOf(await thing(`${lesser}:Main:Thing`))).toBe(`${lesser}:Main:Thing`);
      const preferred = await api.ok('/v2/interactive-submission/preferred-packages', {
        packageVettingRequirements: [{ packageName: 'twins', parties: [alice] }],
      });
      expect(preferred.packageReferences[0].packageId).toBe(greater);
    },
  );

  it('is parsed with the selected version (B-PSL-003, B-ERR-014)', async () => {
    const noted = create(NAMED, { owner: alice, note: 'n' });
    await api.submit(noted, { actAs: alice });
    const older = { actAs: alice, packageIdSelectionPreference: [v1.id] };
    expect(await api.submitRefusal(noted, older)).toBe('INVALID_ARGUMENT');
    expect(templateOf(await api.transact(create(NAMED, { owner: alice }), older))).toBe(idOf(v1));
  });

  it.each([
    ['an unknown name', '#unknown:Main:Thing', [], 'PACKAGE_NAMES_NOT_FOUND'], // B-ERR-021
    [
      'an unknown package id',
      `${'0'.repeat(64)}:Main:Thing`,
      [],
      'TEMPLATES_OR_INTERFACES_NOT_FOUND',
    ],
    [
      'an unknown template (B-CMD-039)',
      '#versions:Main:Nothing',
      [],
      'TEMPLATES_OR_INTERFACES_NOT_FOUND',
    ],
    ['a malformed package id (B-ERR-022)', '###:Main:Thing', [], 'INVALID_ARGUMENT'],
    [
      'an unknown preference (B-PSL-005)',
      NAMED,
      ['0'.repeat(64)],
      'JSON_API_PACKAGE_SELECTION_FAILED',
    ],
    ['two preferences for one name (B-PSL-005)', NAMED, [v1.id, v2.id], 'INVALID_ARGUMENT'],
  ])('with %s is rejected', async (_why, reference, packageIdSelectionPreference, code) => {
    const command = create(reference, { owner: alice });
    expect(await api.submitRefusal(command, { actAs: alice, packageIdSelectionPreference })).toBe(
      code,
    );
  });

  it('with an unknown preference has the first digits of its id in the error (B-PSL-005)', async () => {
    const request = (id: string) =>
      api.commands(create(NAMED, { owner: alice }), {
        actAs: alice,
        packageIdSelectionPreference: [id],
      });
    for (const [id, shown] of [
      ['0'.repeat(64), '000000000000...'],
      ['x', 'x'],
    ] as const) {
      const { body } = await api.post('/v2/commands/submit-and-wait', request(id));
      expect(body.cause).toContain(`Package-id ${shown} not known`);
    }
  });

  it('with an unknown template reports an unknown choice (B-CMD-032)', async () => {
    const { contractId } = (await thing(NAMED)).events[0].CreatedEvent;
    const of = (reference: string) =>
      api.submitRefusal(exercise(reference, contractId, 'Describe'), { actAs: alice });
    expect(await of('#versions:Main:Nothing')).toBe('INVALID_ARGUMENT');
    expect(await of(`${'0'.repeat(64)}:Main:Thing`)).toBe('TEMPLATES_OR_INTERFACES_NOT_FOUND');
  });

  it('finds no version if none is vetted (B-PSL-004)', async () => {
    vet();
    expect(await api.submitRefusal(create(NAMED, { owner: alice }), { actAs: alice })).toBe(
      'JSON_API_PACKAGE_SELECTION_FAILED',
    );
    const byId = create(idOf(v1), { owner: alice });
    expect(await api.submitRefusal(byId, { actAs: alice })).toBe('NO_SYNCHRONIZER_FOR_SUBMISSION');
  });

  it('is rejected if another informee has not vetted its package (B-PSL-007)', async () => {
    const two = await startLedgerApi({ participants: [{ name: 'one' }, { name: 'two' }] });
    const [one, other] = two.canticle.participants;
    const [giver, observer] = [one!.allocateParty('giver'), other!.allocateParty('observer')];
    const shared = definePackage({
      name: 'shared',
      version: '1.0.0',
      templates: [
        defineTemplate({
          name: 'Main:Shared',
          fields: { giver: d.party, observer: d.party },
          signatories: (it) => [it.giver],
          observers: (it) => [it.observer],
        }),
      ],
    });
    addPackages(one!.engine, [shared]);
    const submit = (reference: string, more: object = {}) =>
      two.submitRefusal(create(reference, { giver, observer }), { actAs: giver, ...more });
    const [synchronizer] = two.canticle.network.synchronizers;
    expect(await submit('#shared:Main:Shared')).toBe('PACKAGE_SELECTION_FAILED');
    expect(await submit(`${shared.id}:Main:Shared`)).toBe('NO_SYNCHRONIZER_FOR_SUBMISSION');
    expect(await submit('#shared:Main:Shared', { synchronizerId: synchronizer!.id })).toBe(
      'INVALID_PRESCRIBED_SYNCHRONIZER_ID',
    );
    addPackages(other!.engine, [shared]);
    expect(await submit('#shared:Main:Shared')).toBe('accepted');
    await two.client.close();
  });

  it('by interface finds no version of its contract if none is still vetted', async () => {
    const { engine } = api.canticle.participant;
    const Poked = defineInterface({ name: 'Main:Poked', view: d.record('Main:PokedView', {}) });
    const template = defineTemplate({
      name: 'Main:Thing',
      fields: { owner: d.party },
      signatories: ({ owner }) => [owner],
      implements: (implement) => [implement(Poked, { view: () => ({}) })],
    });
    const interfaces = definePackage({ name: 'poked', version: '1.0.0', interfaces: [Poked] });
    const things = definePackage({ name: 'things', version: '1.0.0', templates: [template] });
    addPackages(engine, [interfaces, things]);
    const { events } = await thing(idOf(things));
    const archive = exercise('#poked:Main:Poked', events[0].CreatedEvent.contractId, 'Archive');
    const { topology, synchronizers } = api.canticle.network;
    const { id: where } = synchronizers[0]!;
    const vetted = new Map(topology.vetting(engine.id, where).packages);
    vetted.delete(things.id);
    topology.setVetting(engine.id, where, vetted);
    const request = api.commands(archive, { actAs: alice });
    const { status, body } = await api.post('/v2/commands/submit-and-wait', request);
    expect(status).toBe(404);
    expect(body).toMatchObject({
      code: 'UNRESOLVED_PACKAGE_NAME',
      cause:
        'Interpretation error: Error: Update failed due to a failed package name resolution: things',
      resources: [['ErrorResource(PACKAGE_NAME)', 'things']],
    });
  });

  it('reads a contract of another version if no data is lost', async () => {
    const { contractId: old } = (await thing(idOf(v1))).events[0].CreatedEvent;
    const described = async (contractId: string, reference: string) => {
      const { events } = await api.transact(
        exercise(reference, contractId, 'Describe'),
        { actAs: alice },
        effects(),
      );
      return events[0].ExercisedEvent.exerciseResult;
    };
    expect(await described(old, NAMED)).toBe('version 2 of owner, note');
    expect(await described(old, idOf(v1))).toBe('version 1 of owner');
    const { contractId: plain } = (await thing(idOf(v2))).events[0].CreatedEvent;
    expect(await described(plain, idOf(v1))).toBe('version 1 of owner');
    const { contractId: noted } = (await thing(idOf(v2), { note: 'n' })).events[0].CreatedEvent;
    expect(await api.submitRefusal(exercise(idOf(v1), noted, 'Describe'), { actAs: alice })).toBe(
      'INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED',
    );
  });
});

describe('events and filters', () => {
  it('a name in a filter matches all versions, and events have ids and the name (B-PSL-009, B-PSL-013)', async () => {
    await thing(idOf(v1));
    await thing(idOf(v2));
    const events = await api.active(eventFormat([alice], byTemplate(NAMED)));
    expect(
      events.map(({ templateId, packageName, representativePackageId }: JsonAnswer) => [
        templateId,
        packageName,
        representativePackageId,
      ]),
    ).toEqual([
      [idOf(v1), 'versions', v1.id],
      [idOf(v2), 'versions', v2.id],
    ]);
  });

  it.each([
    [idOf(v1), 'INVALID_FIELD'], // B-PSL-010
    ['#unknown:Main:Thing', 'PACKAGE_NAMES_NOT_FOUND'], // B-PSL-011
    ['#versions:Main:Nothing', 'NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME'], // B-PSL-012
    ['#versions:Main', 'plain text'],
  ])('a filter by %s returns %s (R-34-058)', async (reference, code) => {
    const body = { eventFormat: eventFormat([alice], byTemplate(reference)), activeAtOffset: 1 };
    expect(await api.refusal('/v2/state/active-contracts', body)).toBe(code);
  });

  it('release 3.4 matches all versions of a name for a package id in a filter (R-34-058)', async () => {
    const Named = defineInterface({
      name: 'Main:Named',
      view: d.record('Main:NamedView', { owner: d.party }),
    });
    const interfaces = definePackage({ name: 'named', version: '1.0.0', interfaces: [Named] });
    await api.client.close();
    api = await startLedgerApi({ apiVersion: '3.4', packages: [v2, v1, interfaces] });
    [alice] = await api.parties('alice');
    await thing(idOf(v1));
    await thing(idOf(v2));
    const found = await api.active(eventFormat([alice], byTemplate(idOf(v1))));
    expect(found.map(({ templateId }: JsonAnswer) => templateId)).toEqual([idOf(v1), idOf(v2)]);
    expect(
      await api.active(eventFormat([alice], byInterface(`${interfaces.id}:Main:Named`))),
    ).toEqual([]);
    const unknown = `${'0'.repeat(64)}:Main:Thing`;
    const { status, body } = await api.post('/v2/state/active-contracts', {
      eventFormat: eventFormat([alice], byTemplate(unknown), byInterface(idOf(v1))),
      activeAtOffset: 1,
    });
    expect([status, body.code, body.cause, body.resources]).toEqual([
      404,
      'TEMPLATES_OR_INTERFACES_NOT_FOUND',
      `Templates do not exist: [${unknown}]. Interfaces do not exist: [${idOf(v1)}].`,
      [
        ['ErrorResource(TEMPLATE_ID)', unknown],
        ['ErrorResource(INTERFACE_ID)', idOf(v1)],
      ],
    ]);
  });

  it('rejects an unknown name in a format after the commit, and the transaction remains', async () => {
    const before = await api.ledgerEnd();
    const commands = api.commands(createAndExercise(NAMED, { owner: alice }, 'Describe'), {
      actAs: alice,
    });
    const format = transactionFormat('ACS_DELTA', eventFormat([alice], byTemplate('#unknown:A:B')));
    const path = '/v2/commands/submit-and-wait-for-transaction';
    expect(await api.refusal(path, { commands, transactionFormat: format })).toBe(
      'PACKAGE_NAMES_NOT_FOUND',
    );
    expect(await api.ledgerEnd()).toBe(before + 1);
    expect(await api.refusal(path, { commands })).toBe('DUPLICATE_COMMAND');
  });

  it('the newest vetted version that implements the interface computes views (B-PSL-016, B-PSL-017, B-FLT-020)', async () => {
    const Named = defineInterface({
      name: 'Main:Named',
      view: d.record('Main:NamedView', { owner: d.party }),
    });
    const interfaces = definePackage({ name: 'named', version: '1.0.0', interfaces: [Named] });
    const later = definePackage({
      name: 'versions',
      version: '3.0.0',
      templates: [
        defineTemplate({
          name: 'Main:Thing',
          fields: { owner: d.party, note: d.optional(d.text), more: d.optional(d.text) },
          signatories: ({ owner }) => [owner],
          implements: (implement) => [implement(Named, { view: ({ owner }) => ({ owner }) })],
        }),
      ],
    });
    await thing(idOf(v1));
    const { engine } = api.canticle.participant;
    addPackages(engine, [interfaces]);
    const format = eventFormat([alice], byInterface('#named:Main:Named', { view: true }));
    expect(await api.active(format)).toEqual([]);
    addPackages(engine, [later]);
    const [{ templateId, interfaceViews }] = await api.active(format);
    expect(templateId).toBe(idOf(v1));
    expect(interfaceViews[0]).toMatchObject({
      viewValue: { owner: alice },
      implementationPackageId: later.id,
    });
    const [synchronizer] = api.canticle.network.synchronizers;
    const { topology } = api.canticle.network;
    const vetted = new Map(topology.vetting(engine.id, synchronizer!.id).packages);
    const failure = async () => {
      const [{ interfaceViews: failed }] = await api.active(format);
      expect(failed[0]).toMatchObject({ viewValue: null, implementationPackageId: null });
      return failed[0].viewStatus.message.replace(/\(\d+,[0-9a-f]+\)/, '');
    };
    const short = ({ id }: { id: string }) => `${id.slice(0, 12)}...`;
    const discarded = (reason: string) =>
      "NO_VETTED_INTERFACE_IMPLEMENTATION_PACKAGE: No vetted package for rendering the interface view for package-name 'versions'. " +
      `Reason: No synchronizer satisfies the vetting requirements. Discarded synchronizers: List((${synchronizer!.printedId},${reason}))`;
    const unfit = discarded(
      "No vetted package candidate satisfies the package-id filter 'Package-ids with interface instances for the requested interface'=" +
        `versions -> ${short(later)}.\nCandidates: Set(${short(v1)}, ${short(v2)})`,
    );
    const revet = (change: (packages: typeof vetted) => unknown) => {
      const packages = new Map(vetted);
      change(packages);
      topology.setVetting(engine.id, synchronizer!.id, packages);
    };
    const far = 253_402_300_799_000_000n;
    revet((packages) => packages.set(later.id, { packageId: later.id, validUntil: far }));
    expect(await failure()).toBe(unfit);
    revet((packages) => packages.delete(later.id));
    expect(await failure()).toBe(unfit);
    revet((packages) => [v1, v2, later].forEach(({ id }) => packages.delete(id)));
    const [prefix, fingerprint] = engine.id.split('::') as [string, string];
    expect(await failure()).toBe(
      discarded(
        `No package with package-name 'versions' is consistently vetted by all hosting participants of party ${prefix}::${fingerprint.slice(0, 12)}....`,
      ),
    );
    revet(() => undefined);
    engine.disconnect(synchronizer!.id);
    expect(await failure()).toBe(
      'NOT_CONNECTED_TO_ANY_SYNCHRONIZER: Could not compute a package-id for rendering the interface view. ' +
        'Root cause: This participant is not connected to any synchronizer.',
    );
  });

  it('an open stream continues with the version that was preferred at its start (B-PSL-015)', async () => {
    const Tagged = defineInterface({
      name: 'Main:Tagged',
      view: d.record('Main:TagView', { tag: d.text }),
    });
    const interfaces = definePackage({ name: 'tagged', version: '1.0.0', interfaces: [Tagged] });
    const versionOf = (version: string) =>
      definePackage({
        name: 'tags',
        version,
        templates: [
          defineTemplate({
            name: 'Main:Tag',
            fields: { owner: d.party },
            signatories: ({ owner }) => [owner],
            implements: (implement) => [implement(Tagged, { view: () => ({ tag: version }) })],
          }),
        ],
      });
    const { engine } = api.canticle.participant;
    addPackages(engine, [interfaces, versionOf('1.0.0')]);
    const format = eventFormat([alice], byInterface('#tagged:Main:Tagged', { view: true }));
    const body = {
      beginExclusive: await api.ledgerEnd(),
      updateFormat: updateFormat('ACS_DELTA', format),
    };
    const tag = () => api.submit(create('#tags:Main:Tag', { owner: alice }), { actAs: alice });
    const tagsIn = (elements: JsonAnswer[]) =>
      elements.map(
        ({ update }) =>
          update.Transaction.value.events[0].CreatedEvent.interfaceViews[0].viewValue.tag,
      );
    const stream = await new StreamClient(`${api.canticle.url}/v2/updates`).send(body);
    await tag();
    await stream.take(1);
    addPackages(engine, [versionOf('2.0.0')]);
    await tag();
    expect(tagsIn(await stream.take(2))).toEqual(['1.0.0', '1.0.0']);
    await stream.close();
    const again = await new StreamClient(`${api.canticle.url}/v2/updates`).send(body);
    expect(tagsIn(await again.take(2))).toEqual(['2.0.0', '2.0.0']);
    await again.close();
  });

  it('an open stream finds packages that are uploaded later (B-PSL-014)', async () => {
    const endless = api.ok('/v2/updates?limit=1&stream_idle_timeout_ms=20000', {
      beginExclusive: await api.ledgerEnd(),
      updateFormat: {
        includeTransactions: transactionFormat(
          'ACS_DELTA',
          eventFormat([alice], byTemplate(NAMED)),
        ),
      },
    });
    const v3 = definePackage({
      name: 'versions',
      version: '3.0.0',
      templates: [
        defineTemplate({
          name: 'Main:Thing',
          fields: { owner: d.party },
          signatories: ({ owner }) => [owner],
        }),
      ],
    });
    addPackages(api.canticle.participant.engine, [v3]);
    await thing(NAMED);
    const [{ update }] = await endless;
    expect(templateOf(update.Transaction.value)).toBe(idOf(v3));
  });
});
