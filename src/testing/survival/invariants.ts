/** Invariants under faults: of commands, of the holdings of parties and of the updates that a client saw. */
import type { AnyTemplate } from '../../daml/model/typed-template.js';
import type { Completion } from '../../network/model/updates.js';
import type { Invariant, SurvivalOutcome } from './outcome.js';

/** Nothing that was submitted twice took effect twice: a command id of a user and its parties has one effect at most. */
export const oneEffectPerCommand: Invariant<unknown> = (outcome) => {
  const counts = new Map<string, number>();
  for (const { userId, actAs, commandId } of acceptedBy(outcome)) {
    const change = `${commandId} of ${userId || 'nobody'} for ${[...actAs].sort().join(', ')}`;
    counts.set(change, (counts.get(change) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > 1)
    .map(([change, count]) => `Command ${change} took effect ${count} times.`);
};

/** The sums that parties hold in contracts with an owner and an amount. */
export interface Sums<T> {
  /** By name, or as an object. */
  readonly template: string | AnyTemplate;
  /** Names of fields. */
  readonly owner: string;
  /** The field to sum. */
  readonly amount: string;
  /** Decimals by owner. Any other party holds 0. */
  readonly expected:
    | Readonly<Record<string, string>>
    | ((outcome: SurvivalOutcome<T>) => Readonly<Record<string, string>>);
}

/** After the run, parties hold the expected sums. */
export function holdersSums<T>({ template, owner, amount, expected }: Sums<T>): Invariant<T> {
  return (outcome) => {
    const held = new Map<string, bigint>();
    for (const { payload } of outcome.canticle.participants.flatMap((each) =>
      each.activeContracts({ template }),
    )) {
      const fields = payload as Readonly<Record<string, string>>;
      held.set(fields[owner]!, (held.get(fields[owner]!) ?? 0n) + units(fields[amount]!));
    }
    const wanted = new Map(
      Object.entries(typeof expected === 'function' ? expected(outcome) : expected),
    );
    return [...new Set([...wanted.keys(), ...held.keys()])].flatMap((holder) => {
      const [has, should] = [held.get(holder) ?? 0n, units(wanted.get(holder) ?? '0')];
      return has === should ? [] : [`${holder} holds ${decimal(has)}, not ${decimal(should)}.`];
    });
  };
}

/**
 * A client has seen each update exactly once.
 * @param seen the offsets that it has seen, in its order
 * @param of the participant of the updates; the first by default
 */
export function noGapNoDouble<T>(
  seen: (result: T) => readonly number[],
  { party, participant }: { readonly party?: string; readonly participant?: string } = {},
): Invariant<T> {
  return (outcome) => {
    if (outcome.result === undefined) return [];
    const offsets = seen(outcome.result);
    const earlier = new Set<number>();
    const violations: string[] = [];
    for (const offset of offsets) {
      if (earlier.has(offset)) violations.push(`The client saw offset ${offset} twice.`);
      else if (offset < Math.max(0, ...earlier))
        violations.push(`The client saw offset ${offset} after a later one.`);
      earlier.add(offset);
    }
    const missed = updatesOf(outcome, party, participant).filter((offset) => !earlier.has(offset));
    return [...violations, ...missed.map((offset) => `The client never saw offset ${offset}.`)];
  };
}

/** The outcome of a command, as the client reports it. */
export type CommandEnd = 'accepted' | 'rejected';

/**
 * A client knows the result of each command: accepted commands are on the ledger, and rejected ones are not.
 * @param ends by command id
 */
export function everyCommandEnds<T>(
  ends: (result: T) => Readonly<Record<string, CommandEnd | undefined>>,
): Invariant<T> {
  return (outcome) => {
    if (outcome.result === undefined) return [`The client gave up: ${String(outcome.error)}`];
    const accepted = new Set(acceptedBy(outcome).map(({ commandId }) => commandId));
    return Object.entries(ends(outcome.result)).flatMap(([commandId, end]) => {
      const isAccepted = accepted.has(commandId);
      if (end === (isAccepted ? 'accepted' : 'rejected')) return [];
      const truth = isAccepted ? 'was accepted' : 'never took effect';
      return [`Command ${commandId} ${truth}, and its client says: ${end ?? 'nothing'}.`];
    });
  };
}

/** Completions of accepted commands since the start of the client, on any participant. */
function acceptedBy({ canticle, begin }: SurvivalOutcome<unknown>): Completion[] {
  return canticle.participants.flatMap(({ name, engine: { log } }) =>
    [...log.between(begin[name]!, log.end)].flatMap(({ completion, update }) =>
      completion === undefined || update === undefined ? [] : [completion],
    ),
  );
}

/** Offsets of transactions and reassignments since the client began. */
function updatesOf(
  { canticle, begin }: SurvivalOutcome<unknown>,
  party: string | undefined,
  participant: string = canticle.participant.name,
): number[] {
  const view = canticle.participants.find(({ name }) => name === participant);
  if (view === undefined) throw new TypeError(`There is no participant ${participant}.`);
  const { log } = view.engine;
  const parties = party === undefined ? undefined : [party];
  return [...log.witnessedBy(parties, begin[participant]!, log.end)].flatMap(({ offset, update }) =>
    update === undefined || update.kind === 'topology' ? [] : [offset],
  );
}

/** Decimal places of a Daml decimal. */
const SCALE = 10;

/** In units of the last digit. @throws TypeError for a text that is not a decimal */
function units(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{0,10}))?$/.exec(text);
  if (match === null) throw new TypeError(`'${text}' is not a decimal.`);
  const [, sign, whole, fraction = ''] = match;
  const value = BigInt(whole! + fraction.padEnd(SCALE, '0'));
  return sign === '-' ? -value : value;
}

function decimal(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(SCALE + 1, '0');
  const text = `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`.replace(/\.?0+$/, '');
  return value < 0n ? `-${text}` : text;
}
