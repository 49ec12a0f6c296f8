/** Conformance: subscriptions by interface, each case without blobs (IS…) and with them (ISWP…). */
import {
  byInterface,
  byTemplate,
  create,
  eventFormat,
  exercise,
  transactionFormat,
  type Shape,
  type Told,
} from '../support/ledger-api.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';
import { StreamClient } from '../support/stream-client.js';
import { conformanceSuite } from './support/suite.js';
import { later, views, viewsPackage } from './support/views.js';

const api = useLedgerApi({ packages: [viewsPackage] });
const [alice, bob] = useParties(api, 'alice', 'bob');
const byAlice = { actAs: alice };

/** T1 to T4 of Alice's, with 1 to 4; I is implemented by the first three. */
const createFour = async (): Promise<string[]> => {
  const ids: string[] = [];
  for (const at of [1, 2, 3, 4])
    ids.push(await api.create(views(`T${at}`), { p: alice, a: String(at) }, byAlice));
  return ids;
};
async function archive(ids: string[]): Promise<void> {
  for (const [at, id] of ids.entries())
    await api.submit(exercise(views(`T${at + 1}`), id, 'Archive'), byAlice);
}
const createT6 = () => api.create(views('T6'), { p1: alice, p2: bob }, byAlice);

async function transactions(format: object, shape: Shape = 'ACS_DELTA'): Promise<Told[]> {
  const updates = await api.updates({
    includeTransactions: transactionFormat(shape, format as Record<string, unknown>),
  });
  return updates.map(({ Transaction }: Told) => Transaction.value);
}
const ofKind = (list: Told[], kind: string): Told[] =>
  list.flatMap(({ events }) => events.flatMap((event: Told) => event[kind] ?? []));
const interfaceEndingIn = (name: string) => expect.stringMatching(new RegExp(`:Views:${name}$`));
const view = (name: string, viewValue: object) => ({
  interfaceId: interfaceEndingIn(name),
  viewStatus: { code: 0, message: '', details: [] },
  viewValue,
  implementationPackageId: expect.any(String),
});

/** The cases of both suites, by prefix. */
function cases(prefix: 'IS' | 'ISWP') {
  const blob = prefix === 'ISWP';
  const byI = (withView: boolean) => byInterface(views('I'), { view: withView, blob });
  const byI2 = () => byInterface(views('I2'), { view: true, blob });
  const byT = (at: number) => byTemplate(views(`T${at}`), blob);
  const created = (list: Told[]): Told[] => {
    const events = ofKind(list, 'CreatedEvent');
    for (const { createdEventBlob } of events) expect(createdEventBlob !== '').toBe(blob);
    return events;
  };
  const expectThreeWithViews = (events: Told[], ids: string[]) => {
    expect(events.map(({ contractId }) => contractId)).toEqual(ids.slice(0, 3));
    for (const [at, event] of events.entries()) {
      expect(event.templateId).toEqual(interfaceEndingIn(`T${at + 1}`));
      expect(event.createArgument).toEqual({ p: alice, a: String(at + 1) });
      expect(event.interfaceViews).toHaveLength(1);
    }
    expect(events[0].interfaceViews).toEqual([view('I', { a: '1', b: true })]);
    expect(events[1].interfaceViews).toEqual([view('I', { a: '2', b: false })]);
    const [failed] = events[2].interfaceViews;
    expect(failed).toMatchObject({ interfaceId: interfaceEndingIn('I'), viewValue: null });
    expect(failed.viewStatus.code).toBe(9);
  };
  const implemented = (events: Told[]) =>
    events.map(({ implementedInterfaces }) => implementedInterfaces.length);

  return {
    async transactionsBasic() {
      const ids = await createFour();
      await archive(ids);
      const withViews = await transactions(eventFormat([alice], byT(1), byI(true)));
      expectThreeWithViews(created(withViews), ids);
      for (const { implementedInterfaces } of ofKind(withViews, 'ArchivedEvent'))
        expect(implementedInterfaces).toEqual([interfaceEndingIn('I')]);
      const without = await transactions(eventFormat([alice], byT(1), byI(false)));
      expect(created(without).map(({ interfaceViews }) => interfaceViews)).toEqual([[], [], []]);
      expect(implemented(ofKind(without, 'ArchivedEvent'))).toEqual([0, 0, 0]);
    },

    async ledgerEffectsBasic() {
      const ids = await createFour();
      await api.submit(exercise(views('T2'), ids[1]!, 'ChoiceT2'), byAlice);
      await api.submit(exercise(views('I'), ids[1]!, 'ChoiceI'), byAlice);
      await archive(ids);
      const withViews = await transactions(
        eventFormat([alice], byT(1), byI(true)),
        'LEDGER_EFFECTS',
      );
      expectThreeWithViews(created(withViews), ids);
      // Of what stays active, an exercise tells none.
      expect(implemented(ofKind(withViews, 'ExercisedEvent'))).toEqual([0, 0, 1, 1, 1]);
      const without = await transactions(
        eventFormat([alice], byT(1), byI(false)),
        'LEDGER_EFFECTS',
      );
      expect(created(without).map(({ interfaceViews }) => interfaceViews)).toEqual([[], [], []]);
      expect(implemented(ofKind(without, 'ExercisedEvent'))).toEqual([0, 0, 0, 0, 0]);
    },

    async acsBasic() {
      const ids = await createFour();
      const events = await api.active(eventFormat([alice], byT(1), byI(true)));
      expectThreeWithViews(events, ids);
      for (const { createdEventBlob } of events) expect(createdEventBlob !== '').toBe(blob);
    },

    async multipleWitness() {
      const id = await createT6();
      const each = {
        filtersByParty: { [alice]: { cumulative: [byI(true)] }, [bob]: { cumulative: [byI2()] } },
        verbose: true,
      };
      const [merged, ...others] = created(await transactions(each));
      expect(others).toEqual([]);
      expect(merged.contractId).toBe(id);
      expect(merged.interfaceViews).toHaveLength(2);
      expect(merged.interfaceViews).toEqual(
        expect.arrayContaining([view('I', { a: '6', b: true }), view('I2', { c: '7' })]),
      );
      const [hers] = created(await transactions(eventFormat([alice], byI(true))));
      expect(hers.interfaceViews).toEqual([view('I', { a: '6', b: true })]);
    },

    async multipleViews() {
      const id = await api.create(views('T5'), { p: alice, a: '31337' }, byAlice);
      await api.submit(exercise(views('T5'), id, 'Archive'), byAlice);
      const list = await transactions(eventFormat([alice], byI(true), byI2()));
      expect(list).toHaveLength(2);
      const [event] = created(list);
      expect(event.interfaceViews).toHaveLength(2);
      expect(event.interfaceViews).toEqual(
        expect.arrayContaining([view('I', { a: '31337', b: true }), view('I2', { c: '1' })]),
      );
      const [archived] = ofKind(list, 'ArchivedEvent');
      expect(archived.contractId).toBe(id);
      expect([...archived.implementedInterfaces].sort()).toEqual([
        interfaceEndingIn('I'),
        interfaceEndingIn('I2'),
      ]);
    },

    async irrelevantTransactions() {
      await api.submit(create(views('T4'), { p: alice, a: '4' }), byAlice);
      const filter = byInterface(views('NoTemplate'), { view: true, blob });
      expect(await transactions(eventFormat([alice], filter))).toEqual([]);
    },

    async duplicateInterfaceFilters() {
      const ids = await createFour();
      const format = eventFormat([alice], byT(1), byI(false), byI(true));
      const events = created(await transactions({ ...format, verbose: false }));
      expect(events.map(({ contractId }) => contractId)).toEqual(ids.slice(0, 3));
      expect(events[1].interfaceViews).toEqual([view('I', { a: '2', b: false })]);
    },

    async duplicateTemplateFilters() {
      const ids = await createFour();
      const twice = [byTemplate(views('T1'), false), byT(1)];
      const events = created(await transactions(eventFormat([alice], ...twice, byI(true))));
      expect(events.map(({ contractId }) => contractId)).toEqual(ids.slice(0, 3));
      expect(events[1].interfaceViews).toEqual([view('I', { a: '2', b: false })]);
    },

    async noIncludedView() {
      const ids = await createFour();
      const events = created(await transactions(eventFormat([alice], byT(1), byI(false))));
      expect(events.map(({ contractId }) => contractId)).toEqual(ids.slice(0, 3));
      for (const { interfaceViews, createArgument } of events)
        expect([interfaceViews, createArgument]).toEqual([[], expect.any(Object)]);
    },

    async equivalentFilters() {
      await createFour();
      const templates = [byT(1), byT(2), byT(3)];
      const [byInterfaceAlone, byTemplates, byBoth] = await Promise.all([
        transactions(eventFormat([alice], byI(true))),
        transactions(eventFormat([alice], ...templates)),
        transactions(eventFormat([alice], ...templates, byI(true))),
      ]);
      const withoutViews = JSON.parse(
        JSON.stringify(byBoth, (key, value: unknown) => (key === 'interfaceViews' ? [] : value)),
      );
      expect(byInterfaceAlone).toHaveLength(3);
      expect(byInterfaceAlone).toEqual(byBoth);
      expect(byTemplates).toEqual(withoutViews);
    },

    async unknownTemplateOrInterface() {
      const refusal = async (filter: unknown) => {
        const endInclusive = await api.ledgerEnd();
        const includeTransactions = transactionFormat('ACS_DELTA', eventFormat([alice], filter));
        const updateFormat = { includeTransactions };
        const answer = await api.post('/v2/updates', {
          beginExclusive: 0,
          endInclusive,
          updateFormat,
        });
        return { status: answer.status, code: answer.body.code, cause: answer.body.cause };
      };
      expect(await refusal(byTemplate(views('TemplateDoesNotExist'), blob))).toEqual({
        status: 404,
        code: 'NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME',
        cause: expect.stringContaining('Views:TemplateDoesNotExist'),
      });
      expect(
        await refusal(byInterface(views('InterfaceDoesNotExist'), { view: true, blob })),
      ).toEqual({
        status: 404,
        code: 'NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME',
        cause: expect.stringContaining('Views:InterfaceDoesNotExist'),
      });
    },

    async multipleParties() {
      await createT6();
      /** Without what depends on the reader. */
      const seenBy = async (party: string, withView: boolean) =>
        created(await transactions(eventFormat([party], byI(withView)))).map(
          ({ witnessParties, ...event }) => ({ ...event, isWitness: witnessParties[0] === party }),
        );
      const [hers, his] = [await seenBy(alice, true), await seenBy(bob, true)];
      expect(hers).toHaveLength(1);
      expect(his).toEqual(hers);
      const bare = await seenBy(bob, false);
      expect(await seenBy(alice, false)).toEqual(bare);
      expect(hers.map((event) => ({ ...event, interfaceViews: [] }))).toEqual(bare);
    },

    async subscribeBeforeTemplateCreated() {
      await api.ok('/v2/dars', later.interfaceDar);
      const filter = byInterface(later.interfaceId, { view: true, blob });
      const stream = new StreamClient(`${api.canticle.url}/v2/updates`);
      await stream.send({
        beginExclusive: await api.ledgerEnd(),
        updateFormat: {
          includeTransactions: transactionFormat('ACS_DELTA', eventFormat([alice], filter)),
        },
      });
      await api.ok('/v2/dars', later.templateDar);
      const payload = { owner: alice, value: '21' };
      const id = await api.create(later.templateId, payload, byAlice);
      const [{ update }] = await stream.take(1);
      await stream.close();
      const [event, ...others] = created([update.Transaction.value]);
      expect(others).toEqual([]);
      expect(event.contractId).toBe(id);
      expect(event.interfaceViews).toMatchObject([
        { interfaceId: expect.stringMatching(/:Later:I$/), viewValue: { value: '21' } },
      ]);
    },
  };
}

const both = { IS: cases('IS'), ISWP: cases('ISWP') };
const run = (name: keyof typeof both.IS) => (caseId: string) =>
  both[caseId.startsWith('ISWP') ? 'ISWP' : 'IS'][name]();

conformanceSuite('InterfaceSubscriptionsIT', {}, (reproduce) => {
  reproduce(
    'ISTransactionsBasic',
    'views that are there, fail, or were not asked for',
    run('transactionsBasic'),
  );
  reproduce(
    'ISTransactionLedgerEffectsBasic',
    'the same with every exercise',
    run('ledgerEffectsBasic'),
  );
  reproduce('ISAcsBasic', 'the same for active contracts', run('acsBasic'));
  reproduce('ISMultipleWitness', 'the views of two readers on one event', run('multipleWitness'));
  reproduce('ISMultipleViews', 'two views, and both interfaces at the end', run('multipleViews'));
  reproduce(
    'ISTransactionsIrrelevantTransactions',
    'nothing of what nobody implements',
    run('irrelevantTransactions'),
  );
  reproduce(
    'ISTransactionsDuplicateInterfaceFilters',
    'whoever asks for the view gets it',
    run('duplicateInterfaceFilters'),
  );
  reproduce(
    'ISTransactionsDuplicateTemplateFilters',
    'whoever asks for the blob gets it',
    run('duplicateTemplateFilters'),
  );
  reproduce('ISTransactionsNoIncludedView', 'events without views', run('noIncludedView'));
  reproduce(
    'ISTransactionsEquivalentFilters',
    'an interface is all its templates',
    run('equivalentFilters'),
  );
  reproduce(
    'ISTransactionsUnknownTemplateOrInterface',
    'NO_TEMPLATES_…, NO_INTERFACE_…',
    run('unknownTemplateOrInterface'),
  );
  reproduce('ISTransactionsMultipleParties', 'the same for two readers', run('multipleParties'));
  reproduce(
    'ISTransactionsSubscribeBeforeTemplateCreated',
    'a template that comes later is seen',
    run('subscribeBeforeTemplateCreated'),
  );
});

conformanceSuite('InterfaceSubscriptionsWithEventBlobsIT', {}, (reproduce) => {
  reproduce(
    'ISWPTransactionsBasic',
    'views that are there, fail, or were not asked for',
    run('transactionsBasic'),
  );
  reproduce(
    'ISWPTransactionLedgerEffectsBasic',
    'the same with every exercise',
    run('ledgerEffectsBasic'),
  );
  reproduce('ISWPAcsBasic', 'the same for active contracts', run('acsBasic'));
  reproduce('ISWPMultipleWitness', 'the views of two readers on one event', run('multipleWitness'));
  reproduce('ISWPMultipleViews', 'two views, and both interfaces at the end', run('multipleViews'));
  reproduce(
    'ISWPTransactionsIrrelevantTransactions',
    'nothing of what nobody implements',
    run('irrelevantTransactions'),
  );
  reproduce(
    'ISWPTransactionsDuplicateInterfaceFilters',
    'whoever asks for the view gets it',
    run('duplicateInterfaceFilters'),
  );
  reproduce(
    'ISWPTransactionsDuplicateTemplateFilters',
    'whoever asks for the blob gets it',
    run('duplicateTemplateFilters'),
  );
  reproduce('ISWPTransactionsNoIncludedView', 'events without views', run('noIncludedView'));
  reproduce(
    'ISWPTransactionsEquivalentFilters',
    'an interface is all its templates',
    run('equivalentFilters'),
  );
  reproduce(
    'ISWPTransactionsUnknownTemplateOrInterface',
    'NO_TEMPLATES_…, NO_INTERFACE_…',
    run('unknownTemplateOrInterface'),
  );
  reproduce('ISWPTransactionsMultipleParties', 'the same for two readers', run('multipleParties'));
  reproduce(
    'ISWPTransactionsSubscribeBeforeTemplateCreated',
    'a template that comes later is seen',
    run('subscribeBeforeTemplateCreated'),
  );
});
