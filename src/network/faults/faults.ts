/**
 * The faults of a network: its rules, the calls that they match, and the calls that they hold. Random numbers come
 * from the network's seed. Rules and their counts are state, which a revert restores.
 */
import { JournaledCell, type Journal } from '../journal/journal.js';
import type { SeededRandom } from '../journal/random.js';
import { factsOf, isParty, isTemplate, type CallFacts } from './call-facts.js';
import { actionOf, checkRule, describeAction } from './check-rule.js';
import type { FaultAction, FaultCall, FaultCondition, FaultRule } from './fault-rule.js';
import type { RuleNames } from './rule-values.js';
import { Waiting, type HeldCall } from './waiting.js';

/** A rule and its counts. */
export interface FaultState {
  /** `f1`, `f2`, in the order in which the rules were added. */
  readonly id: string;
  /** The rule as the caller passed it. */
  readonly rule: FaultRule;
  /** How many calls matched the conditions other than count and probability. */
  readonly seen: number;
  /** How often it happened. */
  readonly hits: number;
}

/** The result of adding a rule. */
export interface FaultHandle {
  /** `f1`, `f2`, in the order in which the rules were added. */
  readonly id: string;
  /** How often it has happened. */
  readonly hits: number;
  /** Removes the rule; the calls that it holds continue. */
  remove(): void;
}

/** A fault that happens to a call. */
export interface AppliedFault {
  readonly id: string;
  readonly action: FaultAction;
  /** The fault, in one line. */
  readonly text: string;
  /** A random number from 0 to 1 for this call. */
  readonly draw: number;
}

export interface MetCall extends FaultCall {
  /** Whether the answer is a stream of elements: some faults apply to streams only, and some do not apply to them. */
  readonly isStream?: boolean;
  /** `ledger`, `scan` …; `ledger` by default. */
  readonly api?: string;
  /** Whether the answer is a gRPC message. */
  readonly isMessage?: boolean;
  /** Whether a shuffled call has its turn: the other rules count such calls in the shuffled order. */
  readonly isInTurn?: boolean;
}

/** The actions that a stream supports besides events of the network. Those on the second line are for streams only. */
const OF_STREAMS = new Set(['lose', 'delay', 'hold', 'refuse', 'cut', 'stall']);
const OF_STREAMS_ALONE = new Set(['cut', 'stall']);
/** Events in the network during a call. */
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

interface StoredFault extends FaultState {
  readonly operations: ReadonlySet<string>;
}

/** The participant restarted, so that the result of a request is unknown. */
export class ParticipantRestarted extends Error {
  override readonly name = 'ParticipantRestarted';

  constructor() {
    super(
      'The participant restarted before it answered. What it had sent to the synchronizer goes on.',
    );
  }
}

/** The fault rules of a network, and the calls that they hold. A revert restores both. */
export class Faults<On extends string = string> {
  /** The calls that rules hold. */
  readonly waiting: Waiting;
  private readonly stored: JournaledCell<readonly StoredFault[]>;
  private readonly count: JournaledCell<number>;
  /** These maps are not part of the network's state. */
  private readonly restartListeners = new Set<(participant: string) => void>();

  /** @param names those that rules may use */
  constructor(
    journal: Journal,
    private readonly random: SeededRandom,
    private readonly names: RuleNames,
  ) {
    this.stored = new JournaledCell<readonly StoredFault[]>(journal, 'faults', []);
    this.count = new JournaledCell(journal, 'fault-count', 0);
    this.waiting = new Waiting((purpose, number) => this.drawn(purpose, number));
  }

  /** Whether there is any rule. If not, calls skip all checks. */
  get isArmed(): boolean {
    return this.stored.value.length > 0;
  }

  /**
   * @param isFirst adds the rule before the existing ones: if several rules answer a call, the first one counts
   * @throws LedgerError INVALID_ARGUMENT for an invalid rule
   */
  add(given: FaultRule<On>, isFirst = false): FaultHandle {
    const rule = checkRule(given, this.names);
    const number = (this.count.value += 1);
    const id = `f${number}`;
    const operations = new Set([rule.on].flat());
    const added = { id, rule, seen: 0, hits: 0, operations };
    this.stored.value = isFirst ? [added, ...this.stored.value] : [...this.stored.value, added];
    const hits = (): number => this.stored.value.find((each) => each.id === id)?.hits ?? 0;
    return {
      id,
      get hits() {
        return hits();
      },
      remove: () => void this.remove(id),
    };
  }

  /** The rules in the order in which they were added. */
  list(): FaultState[] {
    return this.stored.value.map(({ id, rule, seen, hits }) => ({ id, rule, seen, hits }));
  }

  /** @returns whether the rule existed */
  remove(id: string): boolean {
    const others = this.stored.value.filter((each) => each.id !== id);
    if (others.length === this.stored.value.length) return false;
    this.stored.value = others;
    this.waiting.release(id);
    return true;
  }

  /**
   * Removes all rules, and releases all calls.
   * @returns the number of rules
   */
  reset(): number {
    const { length } = this.stored.value;
    if (length > 0) this.stored.value = [];
    this.waiting.releaseAll();
    return length;
  }

  /** Rules that never happened, except optional ones. */
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
   * Restarts a participant: cuts off its open streams and its pending answers. Submissions continue, unprocessed
   * requests are lost, and delayed completions become visible.
   */
  restart(participant: string): void {
    for (const listener of [...this.restartListeners]) listener(participant);
  }

  /** Rejects with {@link ParticipantRestarted} if the participant restarts before the answer is available. */
  whileUp<T>(participant: string, answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = this.onRestart((name) => {
        if (name !== participant) return;
        stop();
        reject(new ParticipantRestarted());
      });
      const settling = <R>(settle: (value: R) => void) => {
        return (value: R): void => {
          stop();
          settle(value);
        };
      };
      answer.then(settling(resolve), settling(reject));
    });
  }

  /**
   * Counts a call, and returns the faults that happen to it, in the order of the rules. For a rule that gathers calls,
   * it returns only that fault until the call has its turn.
   */
  meet(call: MetCall): AppliedFault[] {
    const isGathered = ({ rule }: StoredFault): boolean => 'shuffle' in rule.do;
    if (call.isInTurn) return this.met(call, (each) => !isGathered(each));
    if (!this.stored.value.some(isGathered)) return this.met(call, () => true);
    const gathered = this.met(call, isGathered);
    return gathered.length > 0 ? gathered : this.met(call, (each) => !isGathered(each));
  }

  private met(call: MetCall, applies: (fault: StoredFault) => boolean): AppliedFault[] {
    let facts: CallFacts | undefined;
    const applied: AppliedFault[] = [];
    const next = this.stored.value.map((each) => {
      const { rule, operations, id } = each;
      if (!operations.has('*') && !operations.has(call.operation)) return each;
      if (!applies(each)) return each;
      if (!isOfKind(rule.do, call)) return each;
      // Only one rule can answer a call.
      if ('answer' in rule.do && applied.some(({ action }) => 'answer' in action)) return each;
      if (!isMet(rule, call, () => (facts ??= factsOf(call.input)))) return each;
      const seen = each.seen + 1;
      const draw = (): number => this.drawn(`fault-${id}`, seen);
      if (!isDue(rule.when, seen, each.hits, draw)) return { ...each, seen };
      const text = describeAction(rule.do);
      applied.push({ id, action: rule.do, text, draw: this.drawn(`fault-${id}-how`, seen) });
      return { ...each, seen, hits: each.hits + 1 };
    });
    if (next.some((each, index) => each !== this.stored.value[index])) this.stored.value = next;
    return applied;
  }

  /** Held calls, oldest first. */
  get held(): readonly HeldCall[] {
    return this.waiting.held;
  }

  /**
   * Releases the calls that a rule holds, or all calls.
   * @returns the number of calls
   */
  release(id?: string): number {
    return id === undefined ? this.waiting.releaseAll() : this.waiting.release(id);
  }

  /**
   * Releases the oldest held call.
   * @returns whether there was one
   */
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

/** Whether the action delays a completion. */
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

/** Whether the action affects submissions only, if the rule names any operation. */
function isOfCommands(action: FaultAction): boolean {
  return 'reject' in action || isOfCompletion(action);
}

/** Compares hosts, including the port if the condition has one. */
function isHost(given: string | undefined, wanted: string): boolean {
  const host = given?.toLowerCase();
  const name = wanted.toLowerCase();
  return host === name || host?.replace(/:\d*$/, '') === name;
}

/** A rival needs contracts that the call uses. */
function needsContracts(action: FaultAction): boolean {
  if ('reject' in action) return /_(?:LOCKED|INACTIVE)_CONTRACTS$/.test(action.reject);
  return 'rival' in action;
}

/** @param draw from 0 to 1, for the probability */
function isDue(when: FaultCondition = {}, seen: number, hits: number, draw: () => number): boolean {
  const { nth, times = Infinity, probability = 1 } = when;
  if (nth !== undefined && ![nth].flat().includes(seen)) return false;
  return hits < times && (probability === 1 || draw() < probability);
}
