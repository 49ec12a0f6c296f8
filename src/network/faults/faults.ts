/**
 * The faults of a network: which rules there are, which calls they meet, and what waits to be released. What is drawn, is drawn from
 * the network's seed; rules and their counts are state, which a revert takes back.
 */
import { JournaledCell, type Journal } from '../journal/journal.js';
import type { SeededRandom } from '../journal/random.js';
import { factsOf, isParty, isTemplate, type CallFacts } from './call-facts.js';
import { actionOf, checkRule, describeAction } from './check-rule.js';
import type { FaultAction, FaultCall, FaultCondition, FaultRule } from './fault-rule.js';
import { Waiting, type HeldCall } from './waiting.js';

/** A rule as it stands. */
export interface FaultState {
  /** `f1`, `f2`: in the order of their adding. */
  readonly id: string;
  /** As it was given. */
  readonly rule: FaultRule;
  /** How many calls it was looked at for, of all that its conditions meet but the count and chance. */
  readonly seen: number;
  /** How often it happened. */
  readonly hits: number;
}

/** What adding a rule gives. */
export interface FaultHandle {
  /** `f1`, `f2`: in the order of their adding. */
  readonly id: string;
  /** How often it has happened. */
  readonly hits: number;
  /** From now on it does not happen; what it holds goes on. */
  remove(): void;
}

/** A fault that happens to a call. */
export interface AppliedFault {
  readonly id: string;
  readonly action: FaultAction;
  /** In one line. */
  readonly text: string;
  /** From 0 to 1: drawn for this call. */
  readonly draw: number;
}

export interface MetCall extends FaultCall {
  /** Whether its answer comes as elements: only some faults happen to streams, and some to these alone. */
  readonly isStream?: boolean;
  /** `ledger`, `scan` …; `ledger` where absent. */
  readonly api?: string;
  /** Whether its answer is a message of gRPC. */
  readonly isMessage?: boolean;
  /** Whether its turn has come, of those that were gathered: what else happens to them is counted in that order. */
  readonly isInTurn?: boolean;
}

/** Which actions a stream knows beside what happens in the network; those behind are of streams alone. */
const OF_STREAMS = new Set(['lose', 'delay', 'hold', 'refuse', 'cut', 'stall']);
const OF_STREAMS_ALONE = new Set(['cut', 'stall']);
/** What happens in the network while a call is on its way. */
const EVENTS = new Set([
  'prune',
  'advance',
  'pause',
  'resume',
  'disconnect',
  'reconnect',
  'revoke',
  'grant',
  'unvet',
  'vet',
]);

interface Kept extends FaultState {
  readonly operations: ReadonlySet<string>;
}

/** Nobody is told what became of a request. */
export class ParticipantRestarted extends Error {
  override readonly name = 'ParticipantRestarted';

  constructor() {
    super(
      'The participant restarted before it answered. What it had sent to the synchronizer goes on.',
    );
  }
}

/** How a network misbehaves: its rules, and what they hold. A revert takes both back. */
export class Faults<On extends string = string> {
  /** Calls that are held. */
  readonly waiting: Waiting;
  private readonly kept: JournaledCell<readonly Kept[]>;
  private readonly count: JournaledCell<number>;
  /** These are no part of the state. */
  private readonly restartListeners = new Set<(participant: string) => void>();

  /** @param operations that there are; any where absent */
  constructor(
    journal: Journal,
    private readonly random: SeededRandom,
    private readonly operations?: ReadonlySet<string>,
  ) {
    this.kept = new JournaledCell<readonly Kept[]>(journal, 'faults', []);
    this.count = new JournaledCell(journal, 'fault-count', 0);
    this.waiting = new Waiting((purpose, number) => this.drawn(purpose, number));
  }

  /** Whether there is any rule: without, nothing is looked at. */
  get isArmed(): boolean {
    return this.kept.value.length > 0;
  }

  /**
   * @param isFirst before those that there are: of several answers that are given the first counts
   * @throws LedgerError INVALID_ARGUMENT for what is no rule
   */
  add(given: FaultRule<On>, isFirst = false): FaultHandle {
    const rule = checkRule(given, this.operations);
    const number = (this.count.value += 1);
    const id = `f${number}`;
    const operations = new Set([rule.on].flat());
    const kept = { id, rule, seen: 0, hits: 0, operations };
    this.kept.value = isFirst ? [kept, ...this.kept.value] : [...this.kept.value, kept];
    const hits = (): number => this.kept.value.find((each) => each.id === id)?.hits ?? 0;
    return {
      id,
      get hits() {
        return hits();
      },
      remove: () => void this.remove(id),
    };
  }

  /** In the order of their adding. */
  list(): FaultState[] {
    return this.kept.value.map(({ id, rule, seen, hits }) => ({ id, rule, seen, hits }));
  }

  /** @returns whether there was such a rule */
  remove(id: string): boolean {
    const others = this.kept.value.filter((each) => each.id !== id);
    if (others.length === this.kept.value.length) return false;
    this.kept.value = others;
    this.waiting.release(id);
    return true;
  }

  /** Removes all rules, and lets everything go on that is held. @returns how many there were */
  reset(): number {
    const { length } = this.kept.value;
    if (length > 0) this.kept.value = [];
    this.waiting.releaseAll();
    return length;
  }

  /** Rules that never happened, but those that need not. */
  neverFired(): FaultState[] {
    return this.list().filter(
      ({ hits, rule }) =>
        hits === 0 && rule.optional !== true && rule.when?.probability === undefined,
    );
  }

  /** Calls `listener` with the name of each participant that restarts, until the returned function is called. */
  onRestart(listener: (participant: string) => void): () => void {
    this.restartListeners.add(listener);
    return () => this.restartListeners.delete(listener);
  }

  /**
   * Restarts a participant: cuts off its open streams and whoever waits for an answer of it. What was submitted goes on, what has not
   * been looked at is gone, and completions that were late are there.
   */
  restart(participant: string): void {
    for (const listener of [...this.restartListeners]) listener(participant);
  }

  /** Rejects with {@link ParticipantRestarted} once the participant restarts, where the answer is not there by then. */
  whileUp<T>(participant: string, answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = this.onRestart((name) => {
        if (name !== participant) return;
        stop();
        reject(new ParticipantRestarted());
      });
      const told = <R>(tell: (value: R) => void) => {
        return (value: R): void => {
          stop();
          tell(value);
        };
      };
      answer.then(told(resolve), told(reject));
    });
  }

  /** What happens to a call, in the order of the rules; it is counted. Of what gathers calls nothing else, until their turn has come. */
  meet(call: MetCall): AppliedFault[] {
    const isGathered = ({ rule }: Kept): boolean => 'shuffle' in rule.do;
    if (call.isInTurn) return this.met(call, (each) => !isGathered(each));
    if (!this.kept.value.some(isGathered)) return this.met(call, () => true);
    const gathered = this.met(call, isGathered);
    return gathered.length > 0 ? gathered : this.met(call, (each) => !isGathered(each));
  }

  private met(call: MetCall, isAsked: (kept: Kept) => boolean): AppliedFault[] {
    let facts: CallFacts | undefined;
    const applied: AppliedFault[] = [];
    const next = this.kept.value.map((each) => {
      const { rule, operations, id } = each;
      if (!operations.has('*') && !operations.has(call.operation)) return each;
      if (!isAsked(each)) return each;
      if (!isOfKind(rule.do, call)) return each;
      // Who has answered leaves nothing to answer.
      if ('answer' in rule.do && applied.some(({ action }) => 'answer' in action)) return each;
      if (!isMet(rule, call, () => (facts ??= factsOf(call.input)))) return each;
      const seen = each.seen + 1;
      const draw = (): number => this.drawn(`fault-${id}`, seen);
      if (!isDue(rule.when, seen, each.hits, draw)) return { ...each, seen };
      const text = describeAction(rule.do);
      applied.push({ id, action: rule.do, text, draw: this.drawn(`fault-${id}-how`, seen) });
      return { ...each, seen, hits: each.hits + 1 };
    });
    if (next.some((each, index) => each !== this.kept.value[index])) this.kept.value = next;
    return applied;
  }

  /** What is held, oldest first. */
  get held(): readonly HeldCall[] {
    return this.waiting.held;
  }

  /** Lets go on what a rule holds, or everything. @returns how many calls */
  release(id?: string): number {
    return id === undefined ? this.waiting.releaseAll() : this.waiting.release(id);
  }

  /** Lets the oldest go on that is held. @returns whether there was one */
  step(): boolean {
    return this.waiting.step();
  }

  private drawn(purpose: string, number: number): number {
    return parseInt(this.random.hexAt(purpose, number).slice(0, 12), 16) / 2 ** 48;
  }
}

function isOfKind(action: FaultAction, call: MetCall): boolean {
  const { isStream = false, isMessage = false, api = 'ledger' } = call;
  const name = actionOf(action);
  if (isStream) return (OF_STREAMS.has(name) && !isOfCompletion(action)) || EVENTS.has(name);
  if (name === 'behind') return api === 'scan' || api === 'registry';
  if (name === 'alter') return !isMessage;
  return !OF_STREAMS_ALONE.has(name);
}

/** Whether it makes a completion late. */
export function isOfCompletion(action: FaultAction): boolean {
  if ('hold' in action) return action.hold === 'completion';
  return 'delay' in action && action.of === 'completion';
}

function isMet(
  { on, when = {}, do: action }: FaultRule,
  call: FaultCall,
  facts: () => CallFacts,
): boolean {
  const { participant, host, commandId, party, template, choice } = when;
  if (participant !== undefined && participant !== call.participant) return false;
  if (host !== undefined && !isHost(call.host, host)) return false;
  if (commandId !== undefined && !facts().commandIds.has(commandId)) return false;
  if (party !== undefined && ![...facts().parties].some((id) => isParty(id, party))) return false;
  if (template !== undefined && ![...facts().templates].some((id) => isTemplate(id, template)))
    return false;
  if (choice !== undefined && !facts().choices.has(choice)) return false;
  if (isOfCommands(action) && isAny(on) && !facts().isSubmission) return false;
  return !needsContracts(action) || facts().contractIds.size > 0;
}

const isAny = (on: FaultRule['on']): boolean => [on].flat().includes('*');

/** Where any call is meant, those that submit something. */
function isOfCommands(action: FaultAction): boolean {
  return 'reject' in action || isOfCompletion(action);
}

/** With the port, where the condition names one. */
function isHost(asked: string | undefined, wanted: string): boolean {
  const host = asked?.toLowerCase();
  const name = wanted.toLowerCase();
  return host === name || host?.replace(/:\d*$/, '') === name;
}

/** Who uses no contract loses none to others. */
function needsContracts(action: FaultAction): boolean {
  if ('reject' in action) return /_(?:LOCKED|INACTIVE)_CONTRACTS$/.test(action.reject);
  return 'rival' in action;
}

/** @param draw from 0 to 1, where chance has a say */
function isDue(when: FaultCondition = {}, seen: number, hits: number, draw: () => number): boolean {
  const { nth, times = Infinity, probability = 1 } = when;
  if (nth !== undefined && ![nth].flat().includes(seen)) return false;
  return hits < times && (probability === 1 || draw() < probability);
}
