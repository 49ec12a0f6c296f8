/**
 * Settles a batch: all legs of a settlement, or none. One of the allocations must authorize each side of each leg, and the allocations must
 * authorize nothing else.
 */
import type { Update } from '../../daml/define/index.js';
import type { Party } from '../../daml/model/values.js';
import { checkActors } from '../holdings/actors.js';
import { checkIteration } from './allocated.js';
import { sideId, sideKey, sidesOf, type AuthorizedSide } from './allocation-terms.js';
import { EMPTY_METADATA } from '../holdings/conversions.js';
import {
  Allocation,
  type SettleBatchResult,
  type SettlementFactorySettleBatch,
  type SettlementInfo,
} from '../standard/allocation-v2.js';

export function settleBatch(
  update: Update,
  admin: Party,
  batch: SettlementFactorySettleBatch,
): SettleBatchResult {
  const { settlement, transferLegs, allocations, actors, extraArgs } = batch;
  checkActors(update, actors, settlement.executors);
  checkLegs(update, batch);
  const authorized = allocations.flatMap((each) =>
    authorizedSides(update, admin, settlement, each),
  );
  checkUnique(update, 'side of a transfer leg of an authorizer', authorized.map(sideId));
  checkSameSides(update, transferLegs.flatMap(sidesOf), authorized);
  return {
    allocationSettleResults: allocations.map(
      ({ allocationCid, extraTransferLegSides, nextIterationFunding }) =>
        update.exercise(Allocation, allocationCid, 'Allocation_Settle', {
          actors: [admin, ...settlement.executors],
          extraTransferLegSides,
          nextIterationFunding,
          extraArgs,
        }),
    ),
    meta: EMPTY_METADATA,
  };
}

function checkLegs(update: Update, { transferLegs }: SettlementFactorySettleBatch): void {
  checkUnique(
    update,
    'transfer leg id',
    transferLegs.map(({ transferLegId }) => transferLegId),
  );
  for (const { transferLegId, amount } of transferLegs)
    update.assert(amount.sign() > 0, `The amount of leg ${transferLegId} has to be positive`);
}

type Finalized = SettlementFactorySettleBatch['allocations'][number];

function authorizedSides(
  update: Update,
  admin: Party,
  settlement: SettlementInfo,
  { allocationCid, extraTransferLegSides, nextIterationFunding }: Finalized,
): readonly AuthorizedSide[] {
  const { view } = update.fetchView(Allocation, allocationCid);
  update.assert(
    isSameSettlement(view.settlement, settlement),
    `Allocation ${allocationCid} is for another settlement`,
  );
  update.assert(
    view.allocation.admin === admin,
    `Allocation ${allocationCid} is of admin ${view.allocation.admin}, not of ${admin}`,
  );
  checkIteration(update, view.allocation, { extraTransferLegSides, nextIterationFunding });
  const { authorizer, transferLegSides } = view.allocation;
  return [...transferLegSides, ...extraTransferLegSides].map((side) => ({ authorizer, side }));
}

/** The executors must be in the same order, as the allocation lists them. */
function isSameSettlement(left: SettlementInfo, right: SettlementInfo): boolean {
  const text = ({ executors, id, cid, meta }: SettlementInfo) =>
    JSON.stringify([executors, id, cid?.value, [...meta.values]]);
  return text(left) === text(right);
}

function checkUnique(update: Update, what: string, ids: readonly string[]): void {
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  update.assert(twice === undefined, `There may be one ${what} each, but two are ${twice}`);
}

function checkSameSides(
  update: Update,
  needed: readonly AuthorizedSide[],
  authorized: readonly AuthorizedSide[],
): void {
  const lacking = without(needed, authorized);
  update.assert(lacking === undefined, `Missing authorizations: ${lacking}`);
  const idle = without(authorized, needed);
  update.assert(idle === undefined, `Superfluous authorizations: ${idle}`);
}

/** Describes the sides that are missing from the others; undefined if there are none. */
function without(
  sides: readonly AuthorizedSide[],
  others: readonly AuthorizedSide[],
): string | undefined {
  const known = new Set(others.map(sideKey));
  const rest = sides.filter((each) => !known.has(sideKey(each)));
  return rest.length === 0
    ? undefined
    : rest
        .map(
          ({ authorizer, side }) =>
            `${side.side} of leg ${side.transferLegId} by ${authorizer.owner?.value}`,
        )
        .join('; ');
}
