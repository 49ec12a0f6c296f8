/** Explained refusals in-process: the tree of what a submission did, who authorized it, and why it came to nothing. */
import { createCanticle, type CanticleOptions } from 'canticle';
import { buildDar } from '../../support/daml/dar-builder.js';
import { IOU, iouWorld } from '../../support/ledger.js';
import { e, u } from '../../support/daml/lf-code.js';
import { encodePackage, type ModuleSpec } from '../../support/daml/lf-encoder.js';
import {
  deepened,
  lfLedger,
  OWNER,
  probeModule,
  type Question,
} from '../../support/daml/lf-probe.js';
import { t } from '../../support/daml/lf-types.js';
import { modelPackage } from '../../support/daml/model-package.js';
import { masked, refusalOf, explanationOf } from './explained.js';

describe('authorization', () => {
  it('lists the required, the actual and the missing authorizers', () => {
    const { canticle, bank, alice } = iouWorld();
    const payload = { issuer: bank, owner: alice, currency: 'EUR', amount: '1', observers: [] };
    const create = () => canticle.participant.create(IOU, payload, { actAs: [alice] });
    expect(explanationOf(create)).toMatchInlineSnapshot(`
      "✗ create Quickstart.Iou:Iou
           with { issuer: bank, owner: alice, currency: "EUR", amount: 1.0, observers: [] }
           needs alice, bank; has alice; missing: bank
      why    Missing: bank. Add the party to actAs, or let it exercise a choice that gives its authority."
    `);
    expect(refusalOf(create).explanation!.toJSON()).toMatchObject({
      error: { code: 'DAML_AUTHORIZATION_ERROR' },
      submission: { participant: 'sandbox', actAs: [alice], readAs: [] },
      actions: [
        {
          kind: 'create',
          outcome: 'failed',
          culprit: true,
          given: [alice],
          required: [alice, bank],
          argument: { ...payload, amount: '1.0000000000' },
        },
      ],
    });
  });

  it('shows namespaces if two parties have the same hint', () => {
    const participants = [{ name: 'one' }, { name: 'two' }];
    const [one, two] = createCanticle({ participants }).participants;
    const [here, there] = [one!.allocateParty('alice'), two!.allocateParty('alice')];
    const payload = { issuer: here, owner: there, currency: 'EUR', amount: '1', observers: [] };
    const text = refusalOf(() => one!.create(IOU, payload, { actAs: [here] })).explanation!.text();
    expect(text).toContain(`missing: ${there.slice(0, 'alice::'.length + 12)}…`);
  });
});

describe('why a contract cannot be used', () => {
  const SYNCHRONIZERS = [{ alias: 'global' }, { alias: 'app' }];
  const world = (options: CanticleOptions = {}) => {
    const { canticle, ...rest } = iouWorld(options);
    return { ...rest, canticle, participant: canticle.participant };
  };
  const split = ({ participant, alice }: ReturnType<typeof world>, iou: string) =>
    participant.exercise(IOU, iou, 'Iou_Split', { splitAmount: '5' }, { actAs: [alice] });

  it('it was archived: by which party, in which update, at which offset', () => {
    const here = world();
    const iou = here.issue();
    split(here, iou);
    expect(explanationOf(() => split(here, iou))).toMatchInlineSnapshot(`
      "✗ exercise Quickstart.Iou:Iou Iou_Split on ·
           with { splitAmount: 5.0 }
           has the authority of alice
           failed: CONTRACT_NOT_FOUND: Contract could not be found with id ·
      why    · (Quickstart.Iou:Iou) was archived by Iou_Split, exercised by alice, in update · (offset 8 of sandbox)."
    `);
  });

  it('it was never created', () => {
    const here = world();
    const iou = here.issue();
    const other = `00${'ab'.repeat(32)}${iou.slice(66)}`;
    expect(explanationOf(() => split(here, other))).toContain('was never created on this network');
  });

  it('its stakeholders are others', () => {
    const here = world();
    const iou = here.issue();
    const choice = { newOwner: here.bob };
    expect(
      explanationOf(() =>
        here.participant.exercise(IOU, iou, 'Iou_Transfer', choice, { actAs: [here.bob] }),
      ),
    ).toContain('is active on global-domain, with counter 0, but its stakeholders are alice, bank');
  });

  it('only another participant knows it', () => {
    const canticle = createCanticle({ participants: [{ name: 'one' }, { name: 'two' }] });
    const [one, two] = canticle.participants;
    const [alice, bob] = [one!.allocateParty('alice'), two!.allocateParty('bob')];
    const payload = { issuer: alice, owner: alice, currency: 'EUR', amount: '1', observers: [] };
    const iou = one!.create(IOU, payload, { actAs: [alice] });
    expect(
      explanationOf(() =>
        two!.exercise(IOU, iou, 'Iou_Split', { splitAmount: '5' }, { actAs: [bob] }),
      ),
    ).toContain('known to one and not to two, which hosts none of its stakeholders (alice)');
  });

  it('it is in flight, found when the transaction is routed', () => {
    const here = world({ synchronizers: SYNCHRONIZERS });
    const iou = here.issue({ synchronizer: 'global' });
    here.participant.unassign(iou, { to: 'app' });
    const text = explanationOf(() => split(here, iou));
    expect(text).toContain('exercise Quickstart.Iou:Iou Iou_Split');
    expect(text).toContain('is in flight from global to app, with counter 1');
  });

  it('it is in flight, for a reassignment', () => {
    const here = world({ synchronizers: SYNCHRONIZERS });
    const iou = here.issue({ synchronizer: 'global' });
    const id = here.participant.unassign(iou, { to: 'app' });
    expect(explanationOf(() => here.participant.unassign(iou, { to: 'app' })))
      .toMatchInlineSnapshot(`
      "✗ unassign ·, from global to app
      why    · (Quickstart.Iou:Iou) is in flight from global to app, with counter 1: it can be used once reassignment · is assigned. Until 2026-01-01T00:01:00.000013Z only alice, who unassigned it, may assign it. From then on any stakeholder may, and participant sandbox does by itself, for alice: advance the clock to then."
    `);
    here.participant.assign(id);
    expect(explanationOf(() => here.participant.assign(id))).toContain('✗ assign reassignment');
  });

  it('it has another template', () => {
    const here = world({ packages: [modelPackage] });
    const iou = here.issue();
    const dummy = '#model-tests:Test:Dummy';
    const archive = () => here.participant.archive(dummy, iou, { actAs: [here.bank] });
    expect(explanationOf(archive)).toMatch(
      /exercise Test:Dummy Archive on ·, a Quickstart.Iou:Iou/,
    );
  });
});

it('lists the interfaces of a contract that lacks the requested one', () => {
  const { canticle, alice, issue } = iouWorld();
  const { participant, token } = canticle;
  const api = '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1';
  const choice = 'TransferInstruction_Accept';
  const argument = { extraArgs: { context: { values: {} }, meta: { values: {} } } };
  token.mint(alice, '1.0');
  const [holding] = token.holdings(alice);
  const accept = (contract: string) => () =>
    participant.exercise(`${api}:TransferInstruction`, contract, choice, argument, {
      actAs: [alice],
    });
  expect(explanationOf(accept(issue()))).toContain('Quickstart.Iou:Iou@· implements no interface.');
  expect(explanationOf(accept(holding!.contractId))).toMatch(
    /\n +\S+@· implements .*Splice\.Api\.Token\.HoldingV1:Holding@·/,
  );
});

describe('the tree of an explanation', () => {
  const UNIT = t.unit;
  const ERR = t.con('Main:Err');
  const located = (line: number, code: Parameters<typeof e.located>[2]) =>
    e.located('Main', line, code);
  const note = (text: string) => e.record(t.con('Main:Note'), { owner: OWNER, text: e.text(text) });
  const create = (text: string) => u.create('Main:Note', note(text));
  const CID = t.contractId(t.con('Main:Note'));
  const fail = e.throw(t.builtin(17, UNIT), ERR, e.record(ERR, { code: e.int(7) }));
  const questions: Readonly<Record<string, Question>> = {
    nested: {
      type: UNIT,
      update: u.block(
        [['first', CID, located(10, create('one'))]],
        located(13, u.exercise('Main:Note', 'Explode', e.var('first'), e.unit)),
      ),
    },
    caught: {
      type: UNIT,
      update: u.block(
        [
          [
            '_',
            UNIT,
            u.tryCatch(
              UNIT,
              u.block(
                [['_', t.con('Main:Probe'), located(20, u.fetch('Main:Probe', e.var('self')))]],
                fail,
              ),
              'x',
              e.some(t.builtin(17, UNIT), u.pure(UNIT, e.unit)),
            ),
          ],
        ],
        u.block([['_', CID, located(22, create(''))]], u.pure(UNIT, e.unit)),
      ),
    },
  };
  const types: ModuleSpec['types'] = { Err: { record: { code: t.int64 } } };
  const exceptions: ModuleSpec['exceptions'] = { Err: e.lambda({ x: ERR }, e.text('it is seven')) };
  const main = encodePackage({
    modules: {
      Main: probeModule(questions, {
        types,
        exceptions,
        templates: {
          Note: {
            fields: { owner: t.party, text: t.text },
            signatories: e.list(t.party, [e.field(t.con('Main:Note'), 'owner', e.var('this'))]),
            precondition: e.call(
              e.builtin('LESS', t.text),
              e.text(''),
              e.field(t.con('Main:Note'), 'text', e.var('this')),
            ),
            choices: {
              Archive: {
                argument: UNIT,
                returns: UNIT,
                controllers: e.list(t.party, [e.field(t.con('Main:Note'), 'owner', e.var('this'))]),
                update: u.pure(UNIT, e.unit),
              },
              Explode: {
                consuming: false,
                argument: UNIT,
                returns: UNIT,
                controllers: e.list(t.party, [e.field(t.con('Main:Note'), 'owner', e.var('this'))]),
                update: u.block(
                  [
                    [
                      '_',
                      UNIT,
                      u.pure(UNIT, e.call(e.builtin('TRACE', UNIT), e.text('so far'), e.unit)),
                    ],
                  ],
                  located(31, fail),
                ),
              },
            },
          },
        },
      }),
    },
  });

  function actionFor(name: string): () => unknown {
    const { participant } = createCanticle({ seed: 1 });
    participant.uploadDar(buildDar(main));
    const alice = participant.allocateParty('alice');
    const template = `${main.id}:Main:Probe`;
    const probe = participant.create(template, { owner: alice }, { actAs: [alice] });
    return () => participant.exercise(template, probe, name, {}, { actAs: [alice] });
  }

  it('has the locations in Daml code, the trace messages, and the uncaught exception', () => {
    expect(explanationOf(actionFor('nested'))).toMatchInlineSnapshot(`
      "✗ exercise Main:Probe nested on · by alice
      ├─ create Main:Note → ·, signed by alice   at Main:10:1
      │       with { owner: alice, text: "one" }
      └─ ✗ exercise Main:Note Explode on ·   at Main:13:1
         │    this is { owner: alice, text: "one" }
         │    by alice, with the authority of alice
         │    failed: UNHANDLED_EXCEPTION/Main:Err: it is seven
         └─ trace: so far
      failed at   Main:31:1
      called from Main:13:1"
    `);
  });

  it('shows rolled-back nodes and the failed precondition', () => {
    expect(explanationOf(actionFor('caught'))).toMatchInlineSnapshot(`
      "✗ exercise Main:Probe caught on · by alice
      ├─ ↶ fetch Main:Probe on ·, rolled back   at Main:20:1
      └─ ✗ create Main:Note   at Main:22:1
              with { owner: alice, text: "" }
              has the authority of alice
              failed: TEMPLATE_PRECONDITION_VIOLATED: the precondition (ensure) does not hold
      failed at   Main:22:1"
    `);
  });

  it('shows the location of a failure deep in a recursion', () => {
    const lonely = { type: UNIT, update: located(40, fail) };
    const [nested, more] = deepened({ deep: lonely }, { types, exceptions });
    const { canticle, alice } = lfLedger(
      encodePackage({ modules: { Main: probeModule(nested, more) } }),
    );
    const [probe] = canticle.participant.activeContracts({ party: alice });
    const exercise = () =>
      canticle.participant.exercise(
        probe!.templateId,
        probe!.contractId,
        'deep',
        {},
        { actAs: [alice] },
      );
    expect(explanationOf(exercise)).toContain('\nfailed at   Main:40:1');
  });

  it('shows the key of a contract that was found or missing', () => {
    const OWNER_OF = (name: string) => e.field(t.con(`Main:${name}`), 'owner', e.var('this'));
    const tagged = encodePackage({
      lf: '3',
      modules: {
        Main: {
          types,
          exceptions,
          templates: {
            Tag: {
              fields: { owner: t.party },
              precondition: e.true,
              signatories: e.list(t.party, [OWNER_OF('Tag')]),
              key: {
                type: t.party,
                body: OWNER_OF('Tag'),
                maintainers: e.lambda({ key: t.party }, e.list(t.party, [e.var('key')])),
              },
              choices: {
                Fail: {
                  argument: UNIT,
                  returns: UNIT,
                  controllers: e.list(t.party, [OWNER_OF('Tag')]),
                  update: fail,
                },
              },
            },
          },
        },
      },
    });
    const { participant } = createCanticle({ seed: 1 });
    participant.uploadDar(buildDar(tagged));
    const alice = participant.allocateParty('alice');
    const id = `${tagged.id}:Main:Tag`;
    const failByKey = () => participant.exerciseByKey(id, alice, 'Fail', {}, { actAs: [alice] });
    participant.create(id, { owner: alice }, { actAs: [alice] });
    expect(explanationOf(failByKey)).toMatchInlineSnapshot(`
      "lookup Main:Tag
           with alice
      ✗ exercise Main:Tag Fail on ·
           by key alice
           this is { owner: alice }
           by alice, with the authority of alice
           failed: UNHANDLED_EXCEPTION/Main:Err: it is seven"
    `);
    expect(refusalOf(failByKey).explanation!.toJSON().actions.at(-1)).toMatchObject({ key: alice });
  });

  it('shows locations of TypeScript code', () => {
    const { participant } = createCanticle({ seed: 1, packages: [modelPackage] });
    const alice = participant.allocateParty('alice');
    const dummy = participant.create(
      '#model-tests:Test:Dummy',
      { operator: alice },
      { actAs: [alice] },
    );
    const twice = () =>
      participant.exercise(
        '#model-tests:Test:Dummy',
        dummy,
        'ConsumeTwice',
        {},
        { actAs: [alice] },
      );
    expect(explanationOf(twice)).toMatchInlineSnapshot(`
      "✗ exercise Test:Dummy ConsumeTwice on · by alice
      ├─ exercise Test:Dummy Archive on · by alice   at test/support/daml/model-package.ts
      └─ ✗ exercise Test:Dummy Archive on ·   at test/support/daml/model-package.ts
              this is { operator: alice }
              has the authority of alice
              failed: CONTRACT_NOT_ACTIVE: Update failed due to fetch of an inactive contract · (Test:Dummy@·).
                The contract had been consumed in sub-transaction #NodeId(1):
      failed at   test/support/daml/model-package.ts
      why    · was consumed earlier in this transaction."
    `);
  });
});

it('shows a command that could not be parsed', () => {
  const { canticle, alice } = iouWorld();
  const create = () => canticle.participant.create(IOU, { issuer: alice }, { actAs: [alice] });
  expect(explanationOf(create)).toContain(`✗ create ${IOU}`);
});

it('is part of the stack of an uncaught error', () => {
  const { canticle, bank, alice } = iouWorld();
  const payload = { issuer: bank, owner: alice, currency: 'EUR', amount: '1', observers: [] };
  const { stack, message } = refusalOf(() =>
    canticle.participant.create(IOU, payload, { actAs: [alice] }),
  );
  expect(stack!.startsWith(`LedgerError: ${message}\n\nalice at sandbox\n`)).toBe(true);
  expect(stack).toContain('missing: bank');
  expect(stack).toMatch(/\n +at .*explanations\.test/);
});

it('has colours if the terminal supports them', () => {
  const { canticle, bank, alice } = iouWorld();
  const payload = { issuer: bank, owner: alice, currency: 'EUR', amount: '1', observers: [] };
  const { explanation } = refusalOf(() =>
    canticle.participant.create(IOU, payload, { actAs: [alice] }),
  );
  const colored = explanation!.text({ colors: true });
  expect(colored).toContain('\u001b[31m');
  expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(explanation!.text());
  expect(masked(String(explanation))).toContain('✗ create Quickstart.Iou:Iou');
});
