/** Conformance: packages in several versions, in streams, lookups and events. */
import { buildDar } from '../../support/daml/dar-builder.js';
import { e, u } from '../../support/daml/lf-code.js';
import { encodePackage, type EncodedPackage, type Fields } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';
import {
  byInterface,
  byTemplate,
  create,
  eventFormat,
  exercise,
  type Shape,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { model, modelPackage } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { StreamClient } from '../../support/stream-client.js';
import {
  createdEvents,
  exercisedEvents,
  transactionsFor,
  transactionsIn,
} from '../support/events.js';
import { conformanceSuite } from '../support/suite.js';

const ifacePackage = encodePackage({
  name: 'upgrade-iface',
  modules: {
    Iface: {
      types: { Iface1View: { record: { name: t.text } } },
      interfaces: { Iface1: { view: t.con('Iface:Iface1View') } },
    },
  },
});

const api = useLedgerApi({
  grpc: true,
  dars: [buildDar(ifacePackage)],
});
const [alice] = useParties(api, 'alice');
const SHAPES: readonly Shape[] = ['ACS_DELTA', 'LEDGER_EFFECTS'];
const upload = (...dar: [EncodedPackage, ...EncodedPackage[]]) =>
  api.ok('/v2/dars', buildDar(...dar));

/** One of three versions: the second has a field more and implements the interface, and so does the third. */
function upgrade(number: 1 | 2 | 3): EncodedPackage {
  const IFACE = `${ifacePackage.id}:Iface`;
  const ownerOf = (template: string) =>
    e.list(t.party, [e.field(t.con(template), 'owner', e.var('this'))]);
  const template = (name: string, fields: Fields) => ({
    fields: { owner: t.party, field: t.int64, ...fields },
    signatories: ownerOf(name),
    precondition: e.true,
  });
  const view = e.record(t.con(`${IFACE}:Iface1View`), { name: e.text(`Iface1-UAv${number}`) });
  const implementation = { [`${IFACE}:Iface1`]: { view, methods: {} } };
  const more = { more: t.optional(t.text) };
  const templates = {
    UA:
      number === 1
        ? template('Main:UA', {})
        : { ...template('Main:UA', more), implements: implementation },
    ...(number > 1 && { UB: template('Main:UB', number === 3 ? more : {}) }),
  };
  return encodePackage({
    name: 'upgrade-tests',
    version: `${number}.0.0`,
    imports: [ifacePackage.id],
    modules: { Main: { templates } },
  });
}

/** A template that fetches itself; its second version has a field more. */
function fetcher(number: 1 | 2): EncodedPackage {
  const FETCHER = t.con('Main:Fetcher');
  const owners = e.list(t.party, [e.field(FETCHER, 'owner', e.var('this'))]);
  const fetchIt = {
    consuming: false,
    argument: t.con('Main:Fetch'),
    returns: FETCHER,
    controllers: owners,
    update: u.fetch('Main:Fetcher', e.field(t.con('Main:Fetch'), 'cid', e.var('arg'))),
  };
  return encodePackage({
    name: 'upgrade-fetch-tests',
    version: `${number}.0.0`,
    modules: {
      Main: {
        types: { Fetch: { record: { cid: t.contractId(FETCHER) } } },
        templates: {
          Fetcher: {
            fields: { owner: t.party, ...(number === 2 && { i: t.optional(t.int64) }) },
            signatories: owners,
            precondition: e.true,
            choices: { Fetch: fetchIt },
          },
        },
      },
    },
  });
}

/** Both streams and the ACS refuse the filter with the code. */
async function expectFilterRefused(filter: unknown, code: string, cause: string): Promise<void> {
  const requests = SHAPES.map((shape) =>
    api.post('/v2/updates', {
      beginExclusive: 0,
      updateFormat: transactionsFor(shape, [alice], filter),
    }),
  );
  const acs = api.post('/v2/state/active-contracts', {
    activeAtOffset: await api.ledgerEnd(),
    eventFormat: eventFormat([alice], filter),
  });
  for (const answering of [...requests, acs]) await expectRefused(answering, code, { cause });
}

conformanceSuite('UpgradingIT', {}, (reproduce) => {
  reproduce('USubscriptionsUnknownPackageNames', 'PACKAGE_NAMES_NOT_FOUND', async () => {
    await expectFilterRefused(
      byTemplate('#unknownPkgName:module:entity'),
      'PACKAGE_NAMES_NOT_FOUND',
      'The following package names do not match upgradable packages uploaded on this participant: [unknownPkgName].',
    );
  });

  reproduce(
    'USubscriptionsNoTemplatesForPackageName',
    'NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME',
    () =>
      expectFilterRefused(
        byTemplate('#model-tests:unknownModule:unknownEntity'),
        'NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME',
        'The following package-name/template qualified-name pairs do not reference any template-id uploaded on this participant: [(model-tests,unknownModule:unknownEntity)].',
      ),
  );

  reproduce(
    'UDynamicSubscriptions',
    'streams return events of newly uploaded packages, and compute views with the version of their first view',
    async () => {
      const [v1, v2, v3] = ([1, 2, 3] as const).map(upgrade) as [
        EncodedPackage,
        EncodedPackage,
        EncodedPackage,
      ];
      const byIface = byInterface('#upgrade-iface:Iface:Iface1', { view: true });
      const start = await api.ledgerEnd();
      const streams: StreamClient[] = [];
      /** Both shapes of a subscription. @returns a function that waits for a number of events and returns them */
      async function subscribe(filter: unknown) {
        const shapes = SHAPES.map((shape) =>
          new StreamClient(`${api.canticle.url}/v2/updates`).send({
            beginExclusive: start,
            updateFormat: transactionsFor(shape, [alice], filter, byTemplate(model('Dummy'))),
          }),
        );
        const opened = await Promise.all(shapes);
        streams.push(...opened);
        return (count: number): JsonAnswer[] => {
          const createdRows = opened.map(({ elements }) =>
            transactionsIn(elements.map(({ update }) => update))
              .flatMap(createdEvents)
              .filter(({ templateId }) => !templateId.endsWith(':Dummy')),
          );
          expect(createdRows[0]).toHaveLength(count);
          expect(createdRows[1]).toEqual(createdRows[0]);
          return createdRows[0]!;
        };
      }
      /** Every stream has read what there is. */
      async function caughtUp(): Promise<void> {
        const { updateId } = await api.submit(create(model('Dummy'), { operator: alice }), {
          actAs: alice,
        });
        const has = ({ elements }: StreamClient) =>
          elements.at(-1)?.update.Transaction.value.updateId === updateId;
        for (const stream of streams) await stream.until(() => has(stream));
      }
      const made = (reference: string, more: object = {}): Promise<string> =>
        api.create(reference, { owner: alice, field: '0', ...more }, { actAs: alice });
      /** Contract, template of the package that created it, and its views with the package that computed them. */
      const viewed = (events: JsonAnswer[]) =>
        events.map(({ contractId, templateId, interfaceViews }) => [
          contractId,
          templateId,
          interfaceViews.map(({ interfaceId, viewValue, implementationPackageId }: JsonAnswer) => [
            interfaceId,
            viewValue,
            implementationPackageId,
          ]),
        ]);
      const acs = async () => viewed(await api.active(eventFormat([alice], byIface)));
      const seenAs = (version: EncodedPackage, ...contracts: [string, EncodedPackage][]) =>
        contracts.map(([contractId, { id }]) => {
          const value = { name: `Iface1-UAv${version.version[0]}` };
          const views = [[`${ifacePackage.id}:Iface:Iface1`, value, version.id]];
          return [contractId, `${id}:Main:UA`, views];
        });

      await upload(v1);
      const atV1 = await subscribe(byIface);
      const ofUA = await subscribe(byTemplate('#upgrade-tests:Main:UA'));
      const ua1: [string, EncodedPackage] = [await made('#upgrade-tests:Main:UA'), v1];
      const events = () =>
        api.post('/v2/events/events-by-contract-id', {
          contractId: ua1[0],
          eventFormat: eventFormat([alice], byIface),
        });
      expect(await acs()).toEqual([]);
      await expectRefused(events(), 'CONTRACT_EVENTS_NOT_FOUND');
      const afterUA1 = await subscribe(byIface);

      await caughtUp();
      await upload(v2, ifacePackage);
      expect(await acs()).toEqual(seenAs(v2, ua1));
      expect(viewed([(await events()).body.created.createdEvent])).toEqual(seenAs(v2, ua1));
      const atV2 = await subscribe(byIface);
      const ofUB = await subscribe(byTemplate('#upgrade-tests:Main:UB'));
      const ua2: [string, EncodedPackage] = [
        await made('#upgrade-tests:Main:UA', { more: 'more' }),
        v2,
      ];
      const ua3: [string, EncodedPackage] = [await made(`${v1.id}:Main:UA`), v1];
      expect(await acs()).toEqual(seenAs(v2, ua1, ua2, ua3));
      const ub1 = await made('#upgrade-tests:Main:UB');

      await caughtUp();
      await upload(v3, ifacePackage);
      expect(await acs()).toEqual(seenAs(v3, ua1, ua2, ua3));
      expect(viewed([(await events()).body.created.createdEvent])).toEqual(seenAs(v3, ua1));
      const ua4: [string, EncodedPackage] = [
        await made('#upgrade-tests:Main:UA', { more: 'more' }),
        v3,
      ];
      expect(await acs()).toEqual(seenAs(v3, ua1, ua2, ua3, ua4));
      const atV3 = await subscribe(byIface);
      const ub2 = await made('#upgrade-tests:Main:UB', { more: 'extra' });

      await caughtUp();
      expect(viewed(atV1(3))).toEqual(seenAs(v2, ua2, ua3, ua4));
      expect(viewed(afterUA1(3))).toEqual(seenAs(v2, ua2, ua3, ua4));
      expect(viewed(atV2(4))).toEqual(seenAs(v2, ua1, ua2, ua3, ua4));
      expect(viewed(atV3(4))).toEqual(seenAs(v3, ua1, ua2, ua3, ua4));
      await Promise.all(streams.map((stream) => stream.close()));
      /** All contracts of the template, which are also the active ones. */
      async function expectShown(
        name: string,
        shown: JsonAnswer[],
        expected: unknown[],
      ): Promise<void> {
        const filter = byTemplate(`#upgrade-tests:Main:${name}`);
        expect(await api.active(eventFormat([alice], filter))).toEqual(shown);
        expect(
          shown.map(({ contractId, templateId, createArgument }) => [
            contractId,
            templateId,
            createArgument,
          ]),
        ).toEqual(expected);
      }
      const payload = { owner: alice, field: '0' };
      await expectShown('UA', ofUA(4), [
        [ua1[0], `${v1.id}:Main:UA`, payload],
        [ua2[0], `${v2.id}:Main:UA`, { ...payload, more: 'more' }],
        [ua3[0], `${v1.id}:Main:UA`, payload],
        [ua4[0], `${v3.id}:Main:UA`, { ...payload, more: 'more' }],
      ]);
      await expectShown('UB', ofUB(2), [
        [ub1, `${v2.id}:Main:UB`, payload],
        [ub2, `${v3.id}:Main:UB`, { ...payload, more: 'extra' }],
      ]);
    },
  );

  const dummy = () => api.create(model('Dummy'), { operator: alice }, { actAs: alice });
  const ofDummy = (shape: Shape) => transactionsFor(shape, [alice], byTemplate(model('Dummy')));

  reproduce('UPackageNameInEvents', 'each event has its package name', async () => {
    const contractId = await dummy();
    await api.submit(exercise(model('Dummy'), contractId, 'Look'), { actAs: alice });
    const active = await api.active(eventFormat([alice], byTemplate(model('Dummy'))));
    expect(active.map(({ packageName }: JsonAnswer) => packageName)).toEqual(['model-tests']);
    await api.submit(exercise(model('Dummy'), contractId, 'Archive'), { actAs: alice });
    for (const [shape, kinds] of [
      ['ACS_DELTA', ['CreatedEvent', 'ArchivedEvent']],
      ['LEDGER_EFFECTS', ['CreatedEvent', 'ExercisedEvent', 'ExercisedEvent']],
    ] as const)
      expect(
        transactionsIn(await api.updates(ofDummy(shape))).map(({ events }) => events),
      ).toMatchObject(kinds.map((kind) => [{ [kind]: { packageName: 'model-tests' } }]));
  });

  reproduce(
    'URepresentativePackageIdInEvents',
    'the representative package is the package that created the contract (B-VAL-032)',
    async () => {
      await dummy();
      const representativePackageId = modelPackage.id;
      const active = await api.active(eventFormat([alice], byTemplate(model('Dummy'))));
      expect(active).toMatchObject([{ representativePackageId }]);
      for (const shape of SHAPES) {
        const seen = transactionsIn(await api.updates(ofDummy(shape)));
        expect(seen.map(({ events }) => events)).toMatchObject([
          [{ CreatedEvent: { representativePackageId } }],
        ]);
      }
    },
  );

  reproduce(
    'UChoicePackageId',
    'exercised events have the package whose code ran, and its result (B-VAL-033)',
    async () => {
      const [v1, v2] = [fetcher(1), fetcher(2)];
      const FETCHER = '#upgrade-fetch-tests:Main:Fetcher';
      await upload(v1);
      const contractId = await api.create(FETCHER, { owner: alice }, { actAs: alice });
      const fetched = () =>
        api.submit(exercise(FETCHER, contractId, 'Fetch', { cid: contractId }), { actAs: alice });
      await fetched();
      await upload(v2);
      await fetched();
      const seen = transactionsIn(
        await api.updates(transactionsFor('LEDGER_EFFECTS', [alice])),
      ).flatMap(exercisedEvents);
      expect(seen.map(({ templateId, exerciseResult }) => [templateId, exerciseResult])).toEqual(
        [v1, v2].map(({ id }) => [`${id}:Main:Fetcher`, { owner: alice }]),
      );
    },
  );
});
