/**
 * Random commands. A step is a verb with some numbers, whose meaning depends on the state of the model. So most commands use existing
 * contracts. Some use missing ones, act for the wrong party, or repeat an earlier command.
 */
import fc from 'fast-check';
import { controllers, type Iou, type IouChoice } from './model/iou.js';
import type { ModelLedger, Move, Submission } from './model/ledger.js';
import type { Offer, OfferStep, Token, Transfer } from './model/token.js';
import { ACTORS, ADMIN, homeOf, HOSTS, SYNCHRONIZERS, type Alias } from './model/world.js';

export type Command =
  | { readonly kind: 'issue'; readonly submission: Submission; readonly iou: Iou }
  | {
      readonly kind: 'exerciseIou';
      readonly submission: Submission;
      readonly contract: number;
      readonly does: IouChoice;
    }
  | {
      readonly kind: 'mint';
      readonly submission: Submission;
      readonly owner: string;
      readonly amount: number;
    }
  | { readonly kind: 'transfer'; readonly submission: Submission; readonly wish: Transfer }
  | {
      readonly kind: 'endOffer';
      readonly submission: Submission;
      readonly contract: number;
      readonly step: OfferStep;
    }
  | {
      readonly kind: 'unassign';
      readonly submission: Submission;
      readonly contract: number;
      readonly from: Alias;
      readonly to: Alias;
    }
  | {
      readonly kind: 'assign';
      readonly submission: Submission;
      readonly move: number;
      readonly from: Alias;
      readonly to: Alias;
    }
  | { readonly kind: 'advance'; readonly microseconds: bigint }
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'revert'; readonly snapshot: number }
  | { readonly kind: 'schedule'; readonly time: bigint; readonly migration: number }
  | { readonly kind: 'migrate' };

export interface Step {
  readonly verb: Command['kind'];
  readonly picks: readonly number[];
}

const WEIGHTS: readonly (readonly [Command['kind'], number])[] = [
  ['issue', 5],
  ['exerciseIou', 8],
  ['mint', 4],
  ['transfer', 6],
  ['endOffer', 8],
  ['unassign', 4],
  ['assign', 5],
  ['advance', 4],
  ['snapshot', 1],
  ['revert', 1],
  ['schedule', 1],
  ['migrate', 1],
];

const MICROSECONDS = [5n, 30n, 3_600_000_000n, 8n * 86_400_000_000n] as const;
const HOUR = 3_600_000_000;
const WEEK = 7n * 86_400_000_000n;

export const steps = fc.array(
  fc.record<Step>({
    verb: fc.oneof(...WEIGHTS.map(([verb, weight]) => ({ weight, arbitrary: fc.constant(verb) }))),
    picks: fc.array(fc.nat(999), { minLength: 12, maxLength: 12 }),
  }),
  { minLength: 1, maxLength: 50, size: 'max' },
);

/** Returns the numbers of a step, one by one. Small ones give the usual command. */
class Picks {
  private next = 0;
  constructor(private readonly numbers: readonly number[]) {}

  number(): number {
    return this.numbers[this.next++ % this.numbers.length]!;
  }
  of<T>(items: readonly T[]): T {
    return items[this.number() % items.length]!;
  }
  /** Rarely true: this often in ten. */
  rarely(times: number): boolean {
    return this.number() >= 1000 - times * 100;
  }
}

/** The command that a step means for this ledger. @param place of the step, which names its command */
export function commandOf(step: Step, ledger: ModelLedger, place: number): Command {
  const picks = new Picks(step.picks);
  const verb = picks.rarely(1) ? step.verb : possibleVerb(step.verb, ledger);
  const submission = (actors: readonly string[]): Submission =>
    submissionOf(picks, ledger, actors, place);
  const contractOf = (template: string): number => contractFor(picks, ledger, template);
  switch (verb) {
    case 'issue': {
      const issuer = picks.of(ACTORS);
      const owner = neighbour(picks, issuer);
      const observers = ACTORS.filter(() => picks.rarely(3));
      return {
        kind: verb,
        iou: { issuer, owner, observers, amount: picks.rarely(1) ? 0 : 1 + (picks.number() % 40) },
        submission: submission([issuer, owner]),
      };
    }
    case 'exerciseIou': {
      const contract = contractOf('Iou');
      const iou = ledger.contracts[contract]?.data as unknown as Iou | undefined;
      const does = iouChoice(picks, iou);
      return {
        kind: verb,
        contract,
        does,
        submission: submission(iou ? controllers(iou, does) : [picks.of(ACTORS)]),
      };
    }
    case 'mint': {
      const owner = picks.of(ACTORS);
      return {
        kind: verb,
        owner,
        amount: picks.rarely(1) ? 0 : 20 + (picks.number() % 40),
        submission: submission([ADMIN, owner]),
      };
    }
    case 'transfer': {
      const wish = wishOf(picks, ledger);
      return { kind: verb, wish, submission: submission([wish.sender]) };
    }
    case 'endOffer': {
      const due = ledger.contracts.find(({ data }) => data.executeBefore === ledger.now);
      const contract = due?.name ?? contractOf('TransferOffer');
      const step = picks.of<OfferStep>(['accept', 'reject', 'withdraw']);
      const offer = ledger.contracts[contract]?.data as unknown as Offer | undefined;
      const actor = (step === 'withdraw' ? offer?.sender : offer?.receiver) ?? picks.of(ACTORS);
      return { kind: verb, contract, step, submission: submission([actor]) };
    }
    case 'unassign': {
      // Without the rules there are no tokens, so the rules are rarely archived.
      const template = picks.rarely(1) ? 'TokenRules' : picks.of(['Iou', 'Token', 'TransferOffer']);
      const contract = contractFor(picks, ledger, template);
      const { signatories = ACTORS, place: where } = ledger.contracts[contract] ?? {};
      const to = where === 'app' || picks.rarely(1) ? 'global' : 'app';
      const from = where === 'app' ? where : 'global';
      return { kind: verb, contract, from, to, submission: submission([picks.of(signatories)]) };
    }
    case 'assign': {
      const open = ledger.moves.flatMap(({ done }, index) => (done ? [] : [index]));
      const move =
        open.length === 0 || picks.rarely(1)
          ? picks.number() % (ledger.moves.length + 1)
          : picks.of(open);
      const { contract, from, to, by } = ledger.moves[move] ?? NO_MOVE;
      const moved = ledger.contracts[contract];
      return {
        kind: verb,
        move,
        from,
        to,
        // Usually the party that unassigned.
        submission: submission([
          by === undefined || picks.rarely(3) ? picks.of(moved?.signatories ?? ACTORS) : by.party,
        ]),
      };
    }
    case 'advance':
      return { kind: verb, microseconds: picks.of([...untilDeadlines(ledger), ...MICROSECONDS]) };
    case 'snapshot':
    case 'migrate':
      return { kind: verb };
    case 'revert':
      return { kind: verb, snapshot: picks.number() % (ledger.snapshots + 1) };
    case 'schedule':
      return {
        kind: verb,
        time: ledger.now + BigInt(picks.number()) - 100n,
        migration: ledger.migration + (picks.number() % 4),
      };
  }
}

/** Verbs to replace by spending if an offer ends now. All others are replaced by accepting it. */
const SPENDING: readonly Command['kind'][] = ['issue', 'exerciseIou', 'mint', 'transfer'];

/** Replaces a verb that has no contract to act on by one that creates such a contract. */
function possibleVerb(verb: Command['kind'], ledger: ModelLedger): Command['kind'] {
  // The exact end of an offer must be tested.
  const isDue = ledger.contracts.some(
    ({ place, data }) => place !== 'archived' && data.executeBefore === ledger.now,
  );
  if (isDue) return SPENDING.includes(verb) ? 'transfer' : 'endOffer';
  const has = (template: string): boolean =>
    ledger.contracts.some((each) => each.template === template && each.place !== 'archived');
  switch (verb) {
    case 'exerciseIou':
      return has('Iou') ? verb : 'issue';
    case 'endOffer':
      return has('TransferOffer') ? verb : possibleVerb('transfer', ledger);
    case 'transfer':
      return has('Token') ? verb : 'mint';
    case 'unassign':
      return ledger.contracts.length > 1 ? verb : 'issue';
    case 'assign':
      return ledger.moves.some(({ done }) => !done) ? verb : 'unassign';
    case 'revert':
      return ledger.snapshots > 0 ? verb : 'snapshot';
    case 'migrate':
      return ledger.isMigrationScheduled ? verb : 'schedule';
    default:
      return verb;
  }
}

const NO_MOVE: Pick<Move, 'contract' | 'from' | 'to' | 'by'> = {
  contract: -1,
  from: 'global',
  to: 'app',
};

/**
 * The times until a pending offer expires, until the latest command may be repeated, and until any stakeholder may assign: rules change
 * at these times.
 */
function untilDeadlines({ now, contracts, completions, moves }: ModelLedger): bigint[] {
  const offers = contracts.filter(
    ({ template, place }) => template === 'TransferOffer' && place !== 'archived',
  );
  const deadlines = offers.map(({ data }) => (data as unknown as Offer).executeBefore);
  const latest = completions.at(-1);
  if (latest !== undefined) deadlines.push(latest.time + BigInt(HOUR), latest.time + WEEK);
  for (const { done, by } of moves)
    if (!done) deadlines.push(by!.exclusiveUntil - 1n, by!.exclusiveUntil);
  return deadlines.map((deadline) => deadline - now).filter((span) => span > 0n);
}

function submissionOf(
  picks: Picks,
  ledger: ModelLedger,
  actors: readonly string[],
  place: number,
): Submission {
  const actAs = picks.rarely(1) ? [picks.of(ACTORS)] : [...new Set(actors)];
  const home = homeOf(actAs[0]!);
  const isAgain = picks.rarely(2);
  const before = [...ledger.completions, ...ledger.forgotten].findLast(
    ({ actAs: others }) =>
      others.length === actAs.length && others.every((each) => actAs.includes(each)),
  );
  return {
    at: picks.rarely(0.5) ? HOSTS.find((host) => host !== home)! : home,
    actAs,
    commandId: (isAgain && before?.commandId) || `command-${place}`,
    on: picks.rarely(3) ? picks.of(SYNCHRONIZERS) : undefined,
    deduplication: picks.rarely(2) ? HOUR : undefined,
  };
}

/** Usually a party that can act together with this party. */
function neighbour(picks: Picks, party: string): string {
  return picks.of(
    picks.rarely(1) ? ACTORS : ACTORS.filter((each) => homeOf(each) === homeOf(party)),
  );
}

/** Usually an active contract. The number of a contract that never existed if there is none. */
function contractFor(picks: Picks, ledger: ModelLedger, template: string): number {
  const all = ledger.contracts.filter((each) => each.template === template);
  const live = all.filter(({ place }) => place !== 'archived');
  const among = live.length === 0 || picks.rarely(1) ? all : live;
  return among.length === 0 ? ledger.contracts.length : picks.of(among).name;
}

function iouChoice(picks: Picks, iou: Iou | undefined): IouChoice {
  const choice = picks.of<IouChoice['choice']>([
    'Iou_Split',
    'Iou_Transfer',
    'Iou_AddObserver',
    'Archive',
  ]);
  switch (choice) {
    case 'Iou_Split':
      return { choice, amount: picks.number() % ((iou?.amount ?? 4) + 2) };
    case 'Iou_Transfer':
      return { choice, party: neighbour(picks, iou?.owner ?? 'alice') };
    case 'Iou_AddObserver':
      return { choice, party: picks.of(ACTORS) };
    case 'Archive':
      return { choice };
  }
}

function wishOf(picks: Picks, ledger: ModelLedger): Transfer {
  const tokens = ledger.contracts.filter(
    ({ template, place }) => template === 'Token' && place !== 'archived',
  );
  const due = tokens.filter(({ data }) => data.lockedUntil === ledger.now);
  const among = due.length > 0 ? due : tokens;
  const first = among.length === 0 ? undefined : picks.of(among);
  const sender = first === undefined ? picks.of(ACTORS) : (first.data as unknown as Token).owner;
  const own = tokens.filter(({ data }) => data.owner === sender);
  const input = (): number =>
    picks.rarely(1)
      ? contractFor(picks, ledger, 'Token')
      : (picks.of(own)?.name ?? ledger.contracts.length);
  const inputs = [first?.name ?? input(), ...(picks.rarely(4) ? [input()] : [])];
  const lifetime = picks.rarely(1) ? 0n : picks.of(MICROSECONDS);
  return {
    sender,
    receiver: picks.of(ACTORS),
    amount: picks.number() % 30,
    inputs,
    executeBefore: ledger.now + lifetime,
  };
}
