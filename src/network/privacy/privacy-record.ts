/** The facts that the parties of a run learned, each once, with the place where it was seen first. */
import type { Network } from '../network.js';
import type { TransactionUpdate } from '../model/updates.js';
import { learnedFrom, PAYLOAD, type Around, type Learned } from './learned.js';

/** The place where a fact was seen first. */
export interface SeenFirst {
  /** The title of the test, if one ran. */
  readonly test?: string;
  readonly updateId: string;
  readonly party: string;
  /** The nodes from the root to the one that shows it, such as `exercise Trade:Deal Settle`. */
  readonly path: readonly string[];
}

export interface RecordedFact extends Learned {
  readonly first: SeenFirst;
}

/** The facts of a run, sorted. */
export interface PrivacyReport {
  readonly facts: readonly RecordedFact[];
}

/** The most facts of a record. A model has a few for each template and choice. */
export const MAX_FACTS = 100_000;

export interface PrivacyRecordOptions {
  /** The title of the running test. */
  readonly test?: () => string | undefined;
  /** Is called with each new fact. */
  readonly added?: (fact: RecordedFact) => void;
  /** The most facts; {@link MAX_FACTS} by default. */
  readonly max?: number;
}

/** Collects facts. A revert keeps them, as they are facts of the model. */
export class PrivacyRecord {
  private readonly facts = new Map<string, RecordedFact>();

  constructor(private readonly options: PrivacyRecordOptions = {}) {}

  /** Adds the facts of all updates of a network, also of those until now. */
  watch(network: Network): void {
    const { updates, participants } = network;
    // Canticle's own, such as the test token.
    const leftOut = network.options.ownPackages;
    const add = (update: NonNullable<ReturnType<typeof updates.at>>): void => {
      if (update.kind === 'transaction') this.add(update, { participants, leftOut });
    };
    for (let index = 0; index < updates.length; index += 1) add(updates.at(index)!);
    network.onCommit(add);
  }

  private add(update: TransactionUpdate, around: Around): void {
    const { max = MAX_FACTS } = this.options;
    for (const { template, what, who, why, party, path } of learnedFrom(update, around)) {
      const key = keyOf({ template, what, who, why });
      if (this.facts.has(key) || this.facts.size === max) continue;
      const test = this.options.test?.();
      const first = {
        ...(test !== undefined && { test }),
        updateId: update.updateId,
        party,
        path: path(),
      };
      const fact = { template, what, who, why, first };
      this.facts.set(key, fact);
      this.options.added?.(fact);
    }
  }

  report(): PrivacyReport {
    return { facts: sortedFacts(this.facts.values()) };
  }
}

/** The facts of both, each once. */
export function mergedPrivacy(one: PrivacyReport, other: PrivacyReport): PrivacyReport {
  const facts = new Map<string, RecordedFact>();
  for (const fact of [...one.facts, ...other.facts]) {
    const key = keyOf(fact);
    if (!facts.has(key)) facts.set(key, fact);
  }
  return { facts: sortedFacts(facts.values()) };
}

export const keyOf = ({ template, what, who, why }: Learned): string =>
  [template, what, who, why].join('\n');

/** A template's payload comes before its choices. */
const orderOf = (fact: Learned): string =>
  keyOf({ ...fact, what: fact.what === PAYLOAD ? '' : fact.what });

function sortedFacts(facts: Iterable<RecordedFact>): readonly RecordedFact[] {
  const keyed = [...facts].map((fact) => [orderOf(fact), fact] as const);
  keyed.sort(([one], [other]) => (one < other ? -1 : 1));
  return withoutJoined(keyed.map(([, fact]) => fact));
}

/**
 * If one party has two roles in a test, the role is `issuer+owner`. This says nothing new if `issuer` or `owner` alone
 * learns the same for the same reason.
 */
function withoutJoined(facts: readonly RecordedFact[]): readonly RecordedFact[] {
  const known = new Set(facts.map(keyOf));
  return facts.filter((fact) => {
    const single = [
      ...separated(fact.who).map((who) => ({ ...fact, who })),
      ...separated(fact.why).map((why) => ({ ...fact, why })),
    ];
    return !single.some((each) => known.has(keyOf(each)));
  });
}

/** Each role of `issuer+owner of Trade:Deal` or `hosts issuer+owner` alone; none without a joined role. */
function separated(text: string): readonly string[] {
  const [, start = '', fields = '', end = ''] = /^(hosts )?(\S*\+\S*)(.*)$/.exec(text) ?? [];
  return fields === '' ? [] : fields.split('+').map((field) => `${start}${field}${end}`);
}
