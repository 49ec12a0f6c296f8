/** Conformance: subscriptions by interface, each case without blobs (IS…) and with them (ISWP…). */
import {
  byInterface,
  byTemplate,
  create,
  eventFormat,
  exercise,
  transactionFormat,
  type Shape,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { StreamClient } from '../../support/stream-client.js';
import { conformanceSuite } from '../support/suite.js';
import { later, views, viewsPackage } from '../support/views.js';
import { archivedEvents, createdEvents, exercisedEvents } from '../support/events.js';

const api = useLedgerApi({
  grpc: true,
  packages: [viewsPackage],
});
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

/** The status of a view that fails names the trace of its request. */
const withoutTraces = (list: readonly JsonAnswer[]): JsonAnswer[] =>
  JSON.parse(
    JSON.stringify(list, (key, value) => {
      if (key === 'details') return undefined;
      return key === 'message' ? String(value).replace(/,[0-9a-f]{8}\)/, ')') : value;
    }),
  );

async function transactions(format: object, shape: Shape = 'ACS_DELTA'): Promise<JsonAnswer[]> {
  const updates = await api.updates({
    includeTransactions: transactionFormat(shape, format as Record<string, unknown>),
  });
  return updates.map(({ Transaction }: JsonAnswer) => Transaction.value);
}
/** `<package id>:Views:<entity>`, as in events. */
const idOf = (entity: string) => `${viewsPackage.id}:Views:${entity}`;
const view = (name: string, viewValue: object) => ({
  interfaceId: idOf(name),
  viewStatus: { code: 0, message: '', details: [] },
  viewValue,
  implementationPackageId: viewsPackage.id,
});
/** A copy whose members of that name are empty lists. */
const without = (answer: JsonAnswer, member: string): JsonAnswer =>
  JSON.parse(JSON.stringify(answer, (key, value: unknown) => (key === member ? [] : value)));
/** In the order of their ids, because the order of views and of an exercise's interfaces is unspecified. */
const byInterfaceId = (list: { interfaceId: string }[]) =>
  [...list].sort((a, b) => (a.interfaceId < b.interfaceId ? -1 : 1));

/** The cases of both suites, by prefix. */
function cases(prefix: 'IS' | 'ISWP') {
  const blob = prefix === 'ISWP';
  const byI = (withView: boolean) => byInterface(views('I'), { view: withView, blob });
  const byI2 = () => byInterface(views('I2'), { view: true, blob });
  const byT = (at: number) => byTemplate(views(`T${at}`), blob);
  const created = (list: JsonAnswer[]): JsonAnswer[] => {
    const events = list.flatMap(createdEvents);
    for (const { createdEventBlob } of events) expect(createdEventBlob !== '').toBe(blob);
    return events;
  };
  const expectThreeWithViews = (events: JsonAnswer[], ids: string[]) => {
    expect(events.map(({ contractId }) => contractId)).toEqual(ids.slice(0, 3));
    for (const [at, event] of events.entries()) {
      expect(event.templateId).toBe(idOf(`T${at + 1}`));
      expect(event.createArgument).toEqual({ p: alice, a: String(at + 1) });
      expect(event.interfaceViews).toHaveLength(1);
    }
    expect(events[0].interfaceViews).toEqual([view('I', { a: '1', b: true })]);
    expect(events[1].interfaceViews).toEqual([view('I', { a: '2', b: false })]);
    const [failed] = events[2].interfaceViews;
    expect(failed).toMatchObject({ interfaceId: idOf('I'), viewValue: null });
    expect(failed.viewStatus.code).toBe(9);
  };
  const implemented = (events: JsonAnswer[]): string[][] =>
    events.map(({ implementedInterfaces }) => implementedInterfaces);
  const [NONE, ONLY_I] = [[], [idOf('I')]];

  return {
    async transactionsBasic() {
      const ids = await createFour();
      await archive(ids);
      const withViews = await transactions(eventFormat([alice], byT(1), byI(true)));
      expectThreeWithViews(created(withViews), ids);
      expect(implemented(withViews.flatMap(archivedEvents))).toEqual([ONLY_I, ONLY_I, ONLY_I]);
      const without = await transactions(eventFormat([alice], byT(1), byI(false)));
      expect(created(without).map(({ interfaceViews }) => interfaceViews)).toEqual([[], [], []]);
      expect(implemented(without.flatMap(archivedEvents))).toEqual([NONE, NONE, NONE]);
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
      expect(implemented(withViews.flatMap(exercisedEvents))).toEqual([
        ...[NONE, NONE],
        ...[ONLY_I, ONLY_I, ONLY_I],
      ]);
      const without = await transactions(
        eventFormat([alice], byT(1), byI(false)),
        'LEDGER_EFFECTS',
      );
      expect(created(without).map(({ interfaceViews }) => interfaceViews)).toEqual([[], [], []]);
      expect(implemented(without.flatMap(exercisedEvents))).toEqual(Array(5).fill(NONE));
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
      const seen = async (format: object): Promise<JsonAnswer> => {
        const list = await transactions(format);
        expect(list).toHaveLength(1);
        const [event, ...others] = created(list);
        expect(others).toEqual([]);
        expect(event.contractId).toBe(id);
        return byInterfaceId(event.interfaceViews);
      };
      const viewOfI = view('I', { a: '6', b: true });
      expect(await seen(each)).toEqual([viewOfI, view('I2', { c: '7' })]);
      expect(await seen(eventFormat([alice], byI(true)))).toEqual([viewOfI]);
    },

    async multipleViews() {
      const id = await api.create(views('T5'), { p: alice, a: '31337' }, byAlice);
      await api.submit(exercise(views('T5'), id, 'Archive'), byAlice);
      const list = await transactions(eventFormat([alice], byI(true), byI2()));
      expect(list).toHaveLength(2);
      const [[event], [archived]] = [created([list[0]]), archivedEvents(list[1])];
      expect([event.contractId, archived.contractId]).toEqual([id, id]);
      expect(byInterfaceId(event.interfaceViews)).toEqual([
        view('I', { a: '31337', b: true }),
        view('I2', { c: '1' }),
      ]);
      expect([...archived.implementedInterfaces].sort()).toEqual([idOf('I'), idOf('I2')]);
    },

    async irrelevantTransactions() {
      await api.submit(create(views('T4'), { p: alice, a: '4' }), byAlice);
      const filter = byInterface(views('NoTemplate'), { view: true, blob });
      expect(await transactions(eventFormat([alice], filter))).toEqual([]);
    },

    async duplicateInterfaceFilters() {
      const ids = await createFour();
      const format = eventFormat([alice], byT(1), byI(false), byI(true));
      // Over gRPC the records would have no labels; JSON always has them.
      expectThreeWithViews(created(await transactions({ ...format, verbose: false })), ids);
    },

    async duplicateTemplateFilters() {
      const ids = await createFour();
      const twice = [byTemplate(views('T1'), false), byT(1)];
      const events = created(await transactions(eventFormat([alice], ...twice, byI(true))));
      expectThreeWithViews(events, ids);
    },

    async noIncludedView() {
      const ids = await createFour();
      const list = await transactions(eventFormat([alice], byT(1), byI(false)));
      expect(list).toHaveLength(3);
      expect(
        created(list).map(({ contractId, templateId, interfaceViews, createArgument }) => {
          return { contractId, templateId, interfaceViews, createArgument };
        }),
      ).toEqual(
        [1, 2, 3].map((at) => ({
          contractId: ids[at - 1],
          templateId: idOf(`T${at}`),
          interfaceViews: [],
          createArgument: { p: alice, a: String(at) },
        })),
      );
    },

    async equivalentFilters() {
      await createFour();
      const templates = [byT(1), byT(2), byT(3)];
      const [byInterfaceAlone, byTemplates, byBoth] = await Promise.all([
        transactions(eventFormat([alice], byI(true))),
        transactions(eventFormat([alice], ...templates)),
        transactions(eventFormat([alice], ...templates, byI(true))),
      ]);
      expect(byInterfaceAlone).toHaveLength(3);
      expect(withoutTraces(byInterfaceAlone)).toEqual(withoutTraces(byBoth));
      expect(byTemplates).toEqual(without(byBoth, 'interfaceViews'));
      expect(byTemplates).not.toEqual(byBoth);
    },

    async unknownTemplateOrInterface() {
      await api.submit(create(views('T1'), { p: alice, a: '1' }), byAlice);
      const endInclusive = await api.ledgerEnd();
      const reading = (filter: unknown) => {
        const includeTransactions = transactionFormat('ACS_DELTA', eventFormat([alice], filter));
        const updateFormat = { includeTransactions };
        return api.post('/v2/updates', { beginExclusive: 0, endInclusive, updateFormat });
      };
      await expectRefused(
        reading(byTemplate(views('TemplateDoesNotExist'), blob)),
        'NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME',
        {
          cause:
            /The following package-name\/template qualified-name pairs do not reference any template-id uploaded on this participant.*Views:TemplateDoesNotExist/,
        },
      );
      await expectRefused(
        reading(byInterface(views('InterfaceDoesNotExist'), { view: true, blob })),
        'NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME',
        {
          cause:
            /The following package-name\/interface qualified-name pairs do not reference any interface-id uploaded on this participant.*Views:InterfaceDoesNotExist/,
        },
      );
    },

    async multipleParties() {
      await createT6();
      /** Whole transactions, without the command id and the traffic cost, which only the submitter sees. */
      const seenBy = async (party: string, withView: boolean): Promise<JsonAnswer[]> => {
        const list = await transactions(eventFormat([party], byI(withView)));
        expect(list).toHaveLength(1);
        expect(created(list).map(({ witnessParties }) => witnessParties)).toEqual([[party]]);
        return list.map(({ commandId, paidTrafficCost, ...transaction }) => {
          expect([commandId !== '', paidTrafficCost !== null]).toEqual(
            Array(2).fill(party === alice),
          );
          return without(transaction, 'witnessParties');
        });
      };
      const hers = await seenBy(alice, true);
      expect(hers[0].events[0].CreatedEvent.interfaceViews).toEqual([
        view('I', { a: '6', b: true }),
      ]);
      expect(await seenBy(bob, true)).toEqual(hers);
      const bare = await seenBy(bob, false);
      expect(await seenBy(alice, false)).toEqual(bare);
      expect(bare).toEqual(hers.map((transaction) => without(transaction, 'interfaceViews')));
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
      expect(stream.elements).toEqual([]);
      const payload = { owner: alice, value: '21' };
      const id = await api.create(later.templateId, payload, byAlice);
      const [{ update }] = await stream.take(1);
      await stream.close();
      const [event, ...others] = created([update.Transaction.value]);
      expect(others).toEqual([]);
      const [template, implemented] = [later.template, later.interface];
      expect(event).toMatchObject({ contractId: id, templateId: template });
      expect(event.interfaceViews).toEqual([
        {
          interfaceId: implemented,
          viewStatus: { code: 0, message: '', details: [] },
          viewValue: { value: '21' },
          implementationPackageId: template.split(':')[0],
        },
      ]);
    },
  };
}

const both = { IS: cases('IS'), ISWP: cases('ISWP') };
const run = (name: keyof typeof both.IS) => (caseId: string) =>
  both[caseId.startsWith('ISWP') ? 'ISWP' : 'IS'][name]();

conformanceSuite('InterfaceSubscriptionsIT', {}, (reproduce, _, overJson) => {
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
  overJson(
    'ISTransactionsDuplicateInterfaceFilters',
    'whoever asks for the view gets it, with labels',
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

conformanceSuite('InterfaceSubscriptionsWithEventBlobsIT', {}, (reproduce, _, overJson) => {
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
  overJson(
    'ISWPTransactionsDuplicateInterfaceFilters',
    'whoever asks for the view gets it, with labels',
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
