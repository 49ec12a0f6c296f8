/** The terms of an allocation: the two sides of transfer legs, the net amounts that they move, and the validity of a specification. */
import type { Numeric } from '../../daml/model/numeric.js';
import { compareText } from '../../daml/model/text-order.js';
import { hasAccountEntries, isBasicAccount, ownerOf } from '../holdings/conversions.js';
import type {
  AllocationSpecification,
  SettlementInfo,
  TransferLeg,
  TransferLegSide,
} from '../standard/allocation-v2.js';
import type { Account } from '../standard/holding-v2.js';
import { ZERO } from '../holdings/token.js';

/** By instrument id. */
export type Amounts = ReadonlyMap<string, Numeric>;
type Side = 'SenderSide' | 'ReceiverSide';

/** A side of a leg, with the account that has to authorize it. */
export interface AuthorizedSide {
  readonly authorizer: Account;
  readonly side: TransferLegSide;
}

export function sidesOf(leg: TransferLeg): readonly AuthorizedSide[] {
  const { sender, receiver, ...terms } = leg;
  const side = (name: Side, otherside: Account): TransferLegSide => ({
    ...terms,
    side: name,
    otherside,
  });
  return [
    { authorizer: sender, side: side('SenderSide', receiver) },
    { authorizer: receiver, side: side('ReceiverSide', sender) },
  ];
}

/** The authorizer's net credit of each instrument; negative if more goes out than comes in. */
export function netCredits(sides: readonly TransferLegSide[]): Amounts {
  return sum(
    sides.map(({ instrumentId, side, amount }) => [
      instrumentId,
      side === 'SenderSide' ? amount.negate() : amount,
    ]),
  );
}

/** The amounts to lock: the net outflow and the funding of the next iteration. */
export function requiredFunds({
  transferLegSides,
  nextIterationFunding,
}: AllocationSpecification): Amounts {
  const outgoing = [...netCredits(transferLegSides)].flatMap(([id, credit]) =>
    credit.sign() < 0 ? [[id, credit.negate()] as const] : [],
  );
  return sum([...outgoing, ...(nextIterationFunding?.value ?? [])]);
}

/** Keys in Daml's order. */
export function sum(entries: Iterable<readonly [string, Numeric]>): Amounts {
  const total = new Map<string, Numeric>();
  for (const [id, amount] of entries) total.set(id, (total.get(id) ?? ZERO).add(amount));
  return new Map([...total].sort(([left], [right]) => compareText(left, right)));
}

/** An allocation without legs must be open to further iterations. Accounts must be in their fields, not in metadata. */
export function isValidSpecification(
  { executors }: SettlementInfo,
  { authorizer, transferLegSides, nextIterationFunding, meta }: AllocationSpecification,
): boolean {
  const keys = transferLegSides.map(({ transferLegId, side }) => `${side} ${transferLegId}`);
  return (
    executors.length > 0 &&
    isBasicAccount(authorizer) &&
    (transferLegSides.length > 0 || nextIterationFunding !== null) &&
    new Set(keys).size === keys.length &&
    transferLegSides.every(isValidSide) &&
    [...(nextIterationFunding?.value.values() ?? [])].every((amount) => amount.sign() >= 0) &&
    !hasAccountEntries('authorizer', meta)
  );
}

function isValidSide({ amount, otherside, meta }: TransferLegSide): boolean {
  return (
    amount.sign() > 0 &&
    isBasicAccount(otherside) &&
    !hasAccountEntries('sender', meta) &&
    !hasAccountEntries('receiver', meta)
  );
}

/** A text that is equal for equal sides with equal authorizers. */
export function sideKey({ authorizer, side }: AuthorizedSide): string {
  const { transferLegId, side: name, otherside, amount, instrumentId, meta } = side;
  return JSON.stringify([
    ...sideIdParts(authorizer, transferLegId, name),
    accountParts(otherside),
    amount.toString(),
    instrumentId,
    [...meta.values],
  ]);
}

/** A text for the part that must be unique in a settlement. */
export function sideId({ authorizer, side }: AuthorizedSide): string {
  return JSON.stringify(sideIdParts(authorizer, side.transferLegId, side.side));
}

function sideIdParts(authorizer: Account, transferLegId: string, side: Side): readonly unknown[] {
  return [accountParts(authorizer), transferLegId, side];
}

const accountParts = (account: Account): readonly unknown[] => [
  ownerOf(account),
  account.provider?.value ?? null,
  account.id,
];
