/** Packages of DARs and packages of TypeScript in one ledger: each calls the other through an interface that both know. */
import {
  createCanticle,
  d,
  defineInterface,
  definePackage,
  defineTemplate,
  methods,
  type Update,
} from 'canticle';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e, u, type Code } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { answer, deepened } from '../../support/daml/lf-probe.js';
import { t } from '../../support/daml/lf-types.js';

const parties = (...items: Code[]) => e.list(t.party, items);

/** The interface, as its DAR has it. */
const COUNTER = t.con('Api:Counter');
const api = encodePackage({
  name: 'counter-api',
  modules: {
    Api: {
      types: {
        CounterView: { record: { count: t.int64 } },
        Increase: { record: { by: t.int64 } },
      },
      interfaces: {
        Counter: {
          view: t.con('Api:CounterView'),
          methods: {
            increaseImpl: t.arrow(
              t.contractId(COUNTER),
              t.arrow(t.con('Api:Increase'), t.builtin(17, t.contractId(COUNTER))),
            ),
          },
          choices: {
            Increase: {
              argument: t.con('Api:Increase'),
              returns: t.contractId(COUNTER),
              controllers: e.signatoryInterface('Api:Counter', e.var('this')),
              update: e.call(
                e.callInterface('Api:Counter', 'increaseImpl', e.var('this')),
                e.var('self'),
                e.var('arg'),
              ),
            },
          },
        },
      },
    },
  },
});
const API = `${api.id}:Api:Counter`;
const apiType = (name: string) => t.con(`${api.id}:Api:${name}`);

/** The same interface, as TypeScript declares it. */
const CounterView = d.record('Api:CounterView', { count: d.int64 });
const Counter = defineInterface({
  name: 'Api:Counter',
  view: CounterView,
  methods: methods<{ increaseImpl(update: Update, argument: { by: bigint }): string }>()(
    'increaseImpl',
  ),
  choices: (choice) => ({
    Increase: choice({
      argument: { by: d.int64 },
      result: d.contractId('Api:Counter'),
      controllers: () => [],
      run: (update, self, argument) => self.methods.increaseImpl(update, argument),
    }),
  }),
});
const declared = definePackage({
  name: 'counter-api',
  version: '1.0.0',
  id: api.id,
  interfaces: [Counter],
});

const Tally = defineTemplate({
  name: 'Typed:Tally',
  fields: { owner: d.party, count: d.int64 },
  signatories: ({ owner }) => [owner],
  choices: (choice) => ({
    /** Increases the counter in its argument. */
    IncreaseOther: choice({
      consuming: false,
      argument: { other: d.contractId(Counter) },
      result: d.contractId(Counter),
      controllers: ({ owner }) => [owner],
      run: (update, _self, { other }) => update.exercise(Counter, other, 'Increase', { by: 5n }),
    }),
  }),
  implements: (implement) => [
    implement(Counter, {
      view: ({ count }) => ({ count }),
      methods: {
        increaseImpl: (self, update, { by }) => {
          const { owner, count } = self.payload;
          // By its id: the template is being defined.
          return update.untyped.create(self.template.id, { owner, count: count + by });
        },
      },
    }),
  ],
});
const typed = definePackage({ name: 'typed', version: '1.0.0', templates: [Tally] });

/** A template of a DAR with the same interface, and a choice that increases the counter in its argument. */
const BEADS = t.con('Main:Beads');
const bead = (name: string) => e.field(BEADS, name, e.var('this'));
const CID = t.contractId(apiType('Counter'));
const increased = (other: Code, by: Code) =>
  u.exerciseInterface(API, 'Increase', other, e.record(apiType('Increase'), { by }));
/** Increases the counter in the argument by 3, and then by what its view counts, deep in a recursion. */
const [{ doubled }, deepening] = deepened({
  doubled: {
    type: CID,
    update: u.block(
      [
        ['next', CID, increased(e.var('arg'), e.int(3))],
        ['counter', apiType('Counter'), u.fetchInterface(API, e.var('next'))],
      ],
      increased(
        e.var('next'),
        e.field(apiType('CounterView'), 'count', e.viewInterface(API, e.var('counter'))),
      ),
    ),
  },
});
const compiled = encodePackage({
  name: 'compiled',
  imports: [api.id],
  modules: {
    Main: {
      ...deepening,
      templates: {
        Beads: {
          fields: { owner: t.party, count: t.int64 },
          precondition: e.true,
          signatories: parties(bead('owner')),
          choices: {
            IncreaseOther: {
              consuming: false,
              argument: CID,
              returns: CID,
              controllers: parties(bead('owner')),
              update: increased(e.var('arg'), e.int(3)),
            },
            DoubleOther: {
              consuming: false,
              argument: CID,
              returns: CID,
              controllers: parties(bead('owner')),
              update: doubled!.update!,
            },
          },
          implements: {
            [API]: {
              view: e.record(apiType('CounterView'), { count: bead('count') }),
              methods: {
                increaseImpl: e.lambda(
                  { self: CID, arg: apiType('Increase') },
                  u.block(
                    [
                      [
                        'made',
                        t.contractId(BEADS),
                        u.create(
                          'Main:Beads',
                          e.with(
                            BEADS,
                            'count',
                            e.var('this'),
                            e.call(
                              e.builtin('ADD_INT64'),
                              bead('count'),
                              e.field(apiType('Increase'), 'by', e.var('arg')),
                            ),
                          ),
                        ),
                      ],
                    ],
                    u.pure(
                      CID,
                      e.call(
                        e.builtin('COERCE_CONTRACT_ID', BEADS, apiType('Counter')),
                        e.var('made'),
                      ),
                    ),
                  ),
                ),
              },
            },
          },
        },
      },
    },
  },
});

const BEADS_ID = `${compiled.id}:Main:Beads`;

function world() {
  const { participant } = createCanticle({ seed: 1, packages: [declared, typed] });
  const alice = participant.allocateParty('alice');
  const asAlice = { actAs: [alice] };
  const tally = () => participant.create(Tally.id, { owner: alice, count: '1' }, asAlice);
  const upload = () => participant.uploadDar(buildDar(compiled, api));
  const beads = () => participant.create(BEADS_ID, { owner: alice, count: '1' }, asAlice);
  const increase = (id: string, contract: string, other: string, argument: unknown) =>
    participant.exercise(id, contract, 'IncreaseOther', argument ?? other, asAlice)
      .result as string;
  return { participant, asAlice, tally, upload, beads, increase };
}

const countOf = ({ participant }: ReturnType<typeof world>, id: string) =>
  (participant.contract(id)!.payload as { count: string }).count;

test('the DAR of an interface replaces its TypeScript declaration', () => {
  const it = world();
  const tally = it.tally();
  it.upload();
  const { result } = it.participant.exercise(API, tally, 'Increase', { by: '2' }, it.asAlice);
  expect(countOf(it, result as string)).toBe('3');
});

test('Daml code exercises a TypeScript contract, and TypeScript code a Daml contract', () => {
  const it = world();
  it.upload();
  const [tally, beads] = [it.tally(), it.beads()];
  expect(countOf(it, it.increase(BEADS_ID, beads, tally, tally))).toBe('4');
  expect(countOf(it, it.increase(Tally.id, it.tally(), beads, { other: beads }))).toBe('6');
});

test('deeply nested Daml code exercises and views a TypeScript contract', () => {
  const it = world();
  it.upload();
  const { result } = it.participant.exercise(
    BEADS_ID,
    it.beads(),
    'DoubleOther',
    it.tally(),
    it.asAlice,
  );
  expect(countOf(it, result as string)).toBe('8');
});

test('both contracts have interface views', () => {
  const it = world();
  it.upload();
  const [tally, beads] = [it.tally(), it.beads()];
  for (const contract of [tally, beads]) {
    const { result } = it.participant.exercise(API, contract, 'Increase', { by: '1' }, it.asAlice);
    expect(countOf(it, result as string)).toBe('2');
  }
});

test('a rejected command remains rejected if TypeScript code catches the error', () => {
  const STUBBORN = '#stubborn:Main:Stubborn';
  const Stubborn = defineTemplate({
    name: 'Main:Stubborn',
    fields: { owner: d.party },
    signatories: ({ owner }) => [owner],
    choices: (choice) => ({
      Try: choice({
        consuming: false,
        argument: { throws: d.bool },
        result: d.bool,
        controllers: ({ owner }) => [owner],
        run: (update, { contractId }, { throws }) => {
          update.untyped.archive(STUBBORN, contractId);
          try {
            update.untyped.archive(STUBBORN, contractId);
          } catch {
            if (throws) throw new Error('something else');
          }
          return true;
        },
      }),
    }),
  });
  const packages = [definePackage({ name: 'stubborn', version: '1.0.0', templates: [Stubborn] })];
  const { participant } = createCanticle({ packages });
  const owner = participant.allocateParty('owner');
  const id = participant.create(STUBBORN, { owner }, { actAs: [owner] });
  for (const throws of [false, true])
    expect(
      answer(() => participant.exercise(STUBBORN, id, 'Try', { throws }, { actAs: [owner] })),
    ).toMatchObject({ refused: 'CONTRACT_NOT_ACTIVE' });
});
