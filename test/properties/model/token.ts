/**
 * The behaviour of the test token: minting, transfers to the sender and to others, offers and their ends. Amounts
 * are in quarters.
 */
import { Refusal, type Contract } from './contract.js';
import type { ModelLedger, Submission } from './ledger.js';
import type { Transaction } from './transaction.js';
import { ADMIN } from './world.js';

export interface Token {
  readonly owner: string;
  readonly amount: number;
  /** In microseconds since 1970: until then the admin's consent is needed. */
  readonly lockedUntil: bigint | null;
}

export interface Offer {
  readonly sender: string;
  readonly receiver: string;
  readonly amount: number;
  readonly executeBefore: bigint;
  readonly lockedToken: number;
}

export interface Transfer {
  readonly sender: string;
  readonly receiver: string;
  readonly amount: number;
  readonly inputs: readonly number[];
  readonly executeBefore: bigint;
}

export type OfferStep = 'accept' | 'reject' | 'withdraw';

/** The admin's only contract, which exists from the start. */
export const RULES = 0;

/** The errors of the registry, by HTTP status. */
const NOT_FOUND = 'REGISTRY 404';
const REASSIGNING = 'REGISTRY 409';

const isMoving = ({ place }: Contract): boolean => typeof place !== 'string';
const lives = (contract: Contract | undefined): contract is Contract =>
  contract !== undefined && contract.place !== 'archived';

export const mint = (
  ledger: ModelLedger,
  submission: Submission,
  owner: string,
  amount: number,
): readonly Contract[] =>
  ledger.submit(submission, (transaction) => {
    transaction.use(RULES);
    transaction.consent([ADMIN, owner]);
    create(transaction, { owner, amount, lockedUntil: null });
  });

export function transfer(
  ledger: ModelLedger,
  submission: Submission,
  wish: Transfer,
): readonly Contract[] {
  if (isMoving(ledger.contracts[RULES]!)) throw new Refusal(REASSIGNING);
  const { sender, receiver, amount, inputs, executeBefore } = wish;
  return ledger.submit(
    submission,
    (transaction) => {
      transaction.use(RULES);
      transaction.consent([sender]);
      transaction.addInformees([ADMIN]);
      transaction.demand(amount > 0 && ledger.now < executeBefore && inputs.length > 0);
      const total = inputs.reduce(
        (sum, input) => sum + spend(transaction, input, sender, ledger.now),
        0,
      );
      transaction.demand(total >= amount);
      if (total > amount)
        create(transaction, { owner: sender, amount: total - amount, lockedUntil: null });
      const toSelf = sender === receiver;
      const lockedUntil = toSelf ? null : executeBefore;
      const lockedToken = create(transaction, { owner: sender, amount, lockedUntil });
      if (toSelf) return;
      const offer: Offer = { sender, receiver, amount, executeBefore, lockedToken };
      transaction.create('TransferOffer', [ADMIN, sender], [receiver], { ...offer });
    },
    [RULES],
  );
}

function spend(transaction: Transaction, input: number, sender: string, now: bigint): number {
  const { owner, amount, lockedUntil } = transaction.use(input).data as unknown as Token;
  transaction.demand(owner === sender && (lockedUntil === null || lockedUntil <= now));
  transaction.archive(input);
  // A lock that has run out comes off first: one more token, for a moment.
  if (lockedUntil !== null)
    transaction.archive(create(transaction, { owner, amount, lockedUntil: null }));
  return amount;
}

export function endOffer(
  ledger: ModelLedger,
  submission: Submission,
  contract: number,
  step: OfferStep,
): readonly Contract[] {
  const offered = ledger.contracts[contract];
  if (!lives(offered) || offered.template !== 'TransferOffer') throw new Refusal(NOT_FOUND);
  const { sender, receiver, amount, executeBefore, lockedToken } = offered.data as unknown as Offer;
  const token = ledger.contracts[lockedToken]!;
  if (!lives(token) && step === 'accept') throw new Refusal(NOT_FOUND);
  const disclosed = lives(token) ? [RULES, lockedToken] : [RULES];
  if ([contract, ...disclosed].some((name) => isMoving(ledger.contracts[name]!)))
    throw new Refusal(REASSIGNING);
  return ledger.submit(
    submission,
    (transaction) => {
      transaction.use(contract);
      transaction.consent([step === 'withdraw' ? sender : receiver]);
      transaction.archive(contract);
      if (step === 'accept') transaction.demand(ledger.now < executeBefore);
      transaction.use(RULES);
      if (!lives(token)) return transaction.demand(ledger.now >= executeBefore);
      transaction.archive(lockedToken);
      create(transaction, {
        owner: step === 'accept' ? receiver : sender,
        amount,
        lockedUntil: null,
      });
    },
    disclosed,
  );
}

function create(transaction: Transaction, token: Token): number {
  if (token.amount <= 0) throw new Refusal('TEMPLATE_PRECONDITION_VIOLATED');
  return transaction.create('Token', [ADMIN, token.owner], [], { ...token });
}
