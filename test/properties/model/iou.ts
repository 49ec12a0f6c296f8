/** The behaviour of the Quickstart Iou. Amounts are in quarters. */
import { Refusal, type Contract } from './contract.js';
import type { ModelLedger, Submission } from './ledger.js';
import type { Transaction } from './transaction.js';

export interface Iou {
  readonly issuer: string;
  readonly owner: string;
  readonly observers: readonly string[];
  readonly amount: number;
}

export type IouChoice =
  | { readonly choice: 'Iou_Split'; readonly amount: number }
  | { readonly choice: 'Iou_Transfer'; readonly party: string }
  | { readonly choice: 'Iou_AddObserver'; readonly party: string }
  | { readonly choice: 'Archive' };

const TEMPLATE = 'Iou';

export const issue = (ledger: ModelLedger, submission: Submission, iou: Iou): readonly Contract[] =>
  ledger.submit(submission, (transaction) => {
    // The validity check comes before the authorization check.
    if (iou.amount <= 0) throw new Refusal('TEMPLATE_PRECONDITION_VIOLATED');
    transaction.consent([iou.issuer, iou.owner]);
    create(transaction, iou);
  });

export const exerciseIou = (
  ledger: ModelLedger,
  submission: Submission,
  contract: number,
  does: IouChoice,
): readonly Contract[] =>
  ledger.submit(submission, (transaction) => {
    const iou = transaction.use(contract).data as unknown as Iou;
    transaction.consent(controllers(iou, does));
    transaction.archive(contract);
    switch (does.choice) {
      case 'Iou_Split':
        create(transaction, { ...iou, amount: does.amount });
        create(transaction, { ...iou, amount: iou.amount - does.amount });
        break;
      case 'Iou_Transfer':
        create(transaction, { ...iou, owner: does.party });
        break;
      case 'Iou_AddObserver':
        create(transaction, { ...iou, observers: [...iou.observers, does.party] });
    }
  });

/** The required acting parties. */
export function controllers({ issuer, owner }: Iou, does: IouChoice): readonly string[] {
  switch (does.choice) {
    case 'Archive':
      return [issuer, owner];
    case 'Iou_Transfer':
      return [owner, does.party];
    default:
      return [owner];
  }
}

function create(transaction: Transaction, iou: Iou): void {
  if (iou.amount <= 0) throw new Refusal('TEMPLATE_PRECONDITION_VIOLATED');
  const signatories = [...new Set([iou.issuer, iou.owner])];
  transaction.create(TEMPLATE, signatories, [...new Set(iou.observers)], { ...iou });
}
