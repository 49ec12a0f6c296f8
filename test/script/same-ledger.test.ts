/** A script and the same commands through the API leave the same ledger, contract for contract, whatever they are. */
import { createCanticle, LedgerError, type Canticle } from 'canticle';
import fc from 'fast-check';
import { e, u } from '../support/daml/lf-code.js';
import { t } from '../support/daml/lf-types.js';
import {
  by,
  casePackage,
  created,
  creation,
  exercised,
  idOf,
  typeOf,
  use,
  type CaseScript,
  type CaseTemplate,
} from './case-package.js';
import { darOf } from './script-package.js';

const NAMES = ['alice', 'bob', 'carol'] as const;
type Name = (typeof NAMES)[number];

/** Makes one, or passes on what an earlier step gave; whether that is refused, the ledger says. */
type Step =
  | { readonly kind: 'make'; readonly obligor: Name; readonly owner: Name }
  | { readonly kind: 'sell'; readonly of: number; readonly actor: Name; readonly to: Name };

const name = fc.constantFrom(...NAMES);
const make = fc.record({ kind: fc.constant('make' as const), obligor: name, owner: name });
const sell = fc.record({
  kind: fc.constant('sell' as const),
  of: fc.nat(6),
  actor: name,
  to: name,
});
const world = fc
  .tuple(make, fc.array(fc.oneof(make, sell), { maxLength: 8 }))
  .map(([first, rest]): readonly Step[] => [first, ...rest]);

const IOU: CaseTemplate = {
  fields: { owner: t.party, obligor: t.party },
  signatories: ['obligor'],
  observers: ['owner'],
  choices: {
    Sell: {
      args: { to: t.party },
      by: ['owner'],
      returns: idOf('Iou'),
      does: ({ my, given }) =>
        u.create(
          'Main:Iou',
          e.record(typeOf('Iou'), { owner: given('to'), obligor: my('obligor') }),
        ),
    },
  },
};

/** The steps after an error continue from the current state. */
interface Played {
  readonly step: Step;
  readonly isRefused: boolean;
}

const template = '#script-cases:Main:Iou';
const worlds = fc.sample(world, { seed: 17, numRuns: Number(process.env['CANTICLE_RUNS'] ?? 20) });

/** By the API, and which of the steps it refused. */
function byApi(canticle: Canticle, steps: readonly Step[]) {
  const { participant } = canticle;
  const parties = Object.fromEntries(NAMES.map((hint) => [hint, participant.allocateParty(hint)]));
  const party = (hint: Name) => parties[hint]!;
  const ids: string[] = [];
  const played = steps.map((step): Played => {
    try {
      ids.push(
        step.kind === 'make'
          ? participant.create(
              template,
              { owner: party(step.owner), obligor: party(step.obligor) },
              { actAs: [party(step.obligor)] },
            )
          : (participant.exercise(
              template,
              ids[step.of % ids.length]!,
              'Sell',
              { to: party(step.to) },
              { actAs: [party(step.actor)] },
            ).result as string),
      );
      return { step, isRefused: false };
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      return { step, isRefused: true };
    }
  });
  return { played, contracts: participant.activeContracts() };
}

function scriptOf(played: readonly Played[]): CaseScript {
  const given: { readonly step: string; readonly isMade: boolean }[] = [];
  const steps = played.map(({ step, isRefused }, index) => {
    const called = `s${index}`;
    const options = isRefused ? { behaviour: 'MustFail' as const } : {};
    if (step.kind === 'make') {
      given.push({ step: called, isMade: true });
      const fields = { owner: e.var(step.owner), obligor: e.var(step.obligor) };
      return by(step.obligor, creation('Iou', fields), called);
    }
    const { step: of, isMade } = given[step.of % given.length]!;
    const id = isMade ? created(of, 'Iou') : exercised(of, idOf('Iou'));
    if (!isRefused) given.push({ step: called, isMade: false });
    return by(step.actor, use('Iou', id, 'Sell', { to: e.var(step.to) }), called, options);
  });
  return { parties: NAMES, steps };
}

it('scripts and API commands produce the same ledger', () => {
  const api = createCanticle({ seed: 5, dars: [darOf(casePackage({ Iou: IOU }, {}))] });
  const empty = api.snapshot();
  const played = worlds.map((steps) => {
    api.revert(empty);
    return byApi(api, steps);
  });
  const scripts = Object.fromEntries(
    played.map((each, index) => [`world${index}`, scriptOf(each.played)]),
  );
  const dar = darOf(casePackage({ Iou: IOU }, scripts));
  const canticle = createCanticle({ seed: 5, dars: [dar] });
  const start = canticle.snapshot();
  const stated = (contracts: (typeof played)[number]['contracts']) =>
    contracts.map(({ payload, signatories, observers }) => ({ payload, signatories, observers }));
  for (const [index, { contracts }] of played.entries()) {
    canticle.runScript(`Main:world${index}`);
    expect(stated(canticle.participant.activeContracts())).toEqual(stated(contracts));
    canticle.revert(start);
  }
  expect(played.some((each) => each.played.some(({ isRefused }) => isRefused))).toBe(true);
});
