/**
 * Arbitrary histories of a ledger: steps that the ledger accepts and steps that it refuses. A step names parties and contracts
 * by their place in the history, so that it can be run on any instance, shrunk, and read.
 */
import fc, { type Arbitrary } from 'fast-check';
import { damlJson } from './commands.js';
import type { Pools } from './daml-value.js';
import { LedgerHistory, partyMark, contractMark, type HistoryStep } from './history-run.js';
import { idOf, type TemplateName } from '../../wallet/typed.js';
import { choiceIn, packagesOf, templateIn, type Source } from './source.js';

export interface HistoryOptions {
  /** First parts of the party ids; three of them by default. They are allocated on the participants in turn. */
  readonly parties?: readonly string[];
  /** The maximum number of steps; 20 by default. */
  readonly maxLength?: number;
}

/** Numbers that select a contract, a reassignment or a synchronizer, modulo their count. */
const MAX_PLACE = 40;
const MAX_ADVANCE = 86_400_000_000n;

/** @param templates the templates to create and exercise, such as `#canticle-quickstart:Quickstart.Iou:Iou` */
export function ledgerHistory(
  source: Source,
  templates: readonly TemplateName[],
  { parties = ['alice', 'bob', 'carol'], maxLength = 20 }: HistoryOptions = {},
): Arbitrary<LedgerHistory> {
  const pools: Pools = {
    parties: parties.map(partyMark),
    contractIds: Array.from({ length: MAX_PLACE }, (_, place) => contractMark(place)),
  };
  const place = fc.nat({ max: MAX_PLACE });
  // Usually all parties act, which authorizes most commands. Sometimes one party acts alone, or none.
  const actAs = fc.oneof(
    { weight: 4, arbitrary: fc.constant(parties) },
    { weight: 1, arbitrary: fc.subarray([...parties], { maxLength: 1 }) },
  );
  const names = templates.map(idOf);
  const create = names.map((template) => createStep(source, template, pools, { place, actAs }));
  const exercise = names.flatMap((template) =>
    exerciseSteps(source, template, pools, { place, actAs }),
  );
  const steps = fc.oneof(
    { weight: 4, arbitrary: fc.oneof(...create) },
    { weight: 4, arbitrary: fc.oneof(...exercise) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('unassign' as const), contract: place, to: place }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('assign' as const), reassignment: place }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('advanceTime' as const),
        microseconds: fc.bigInt({ min: 1n, max: MAX_ADVANCE }),
      }),
    },
  );
  // Uses the maximum length, unlike fast-check's default: a few steps rarely find a fault.
  return fc
    .array(steps, { maxLength, size: 'max' })
    .map((made) => new LedgerHistory(parties, made));
}

interface Common {
  readonly place: Arbitrary<number>;
  readonly actAs: Arbitrary<readonly string[]>;
}

function createStep(
  source: Source,
  template: string,
  pools: Pools,
  { place, actAs }: Common,
): Arbitrary<HistoryStep> {
  const { payloadType } = templateIn(packagesOf(source), template);
  return fc.record({
    kind: fc.constant('create' as const),
    participant: place,
    template: fc.constant(template),
    payload: damlJson(source, payloadType, pools),
    actAs,
  });
}

function exerciseSteps(
  source: Source,
  template: string,
  pools: Pools,
  common: Common,
): Arbitrary<HistoryStep>[] {
  const packages = packagesOf(source);
  return [...templateIn(packages, template).choices.keys()].sort().map((choice) =>
    fc.record({
      kind: fc.constant('exercise' as const),
      participant: common.place,
      template: fc.constant(template),
      contract: common.place,
      choice: fc.constant(choice),
      argument: damlJson(source, choiceIn(packages, template, choice).argumentType, pools),
      actAs: common.actAs,
    }),
  );
}
