/** Counts the calls that use what the next release disables or removes, and describes them in one line. */
import type { JournalEntry, RequestJournal } from './request-journal.js';

type Upcoming = NonNullable<JournalEntry['deprecated']>;

/** The number of parts of the API that the line names. It counts the calls of the others. */
const MAX_NAMED_PARTS = 5;

/** Such as `Canton 3.6 disables GET /v2/package-vetting. Use POST /v2/package-vetting/list.` */
export const upcomingText = ({ release, effect, api, instead }: Upcoming): string =>
  `Canton ${release} ${effect} ${api}. Use ${instead}.`;

/** The calls of some journals, by the part of the API that they use. */
export class UpcomingCalls {
  private readonly parts = new Map<string, { readonly change: Upcoming; calls: number }>();

  /** Counts the calls of a journal from now on. */
  watch(requests: RequestJournal): void {
    requests.onRequest(({ deprecated }) => {
      if (deprecated !== undefined) this.add(deprecated);
    });
  }

  add(change: Upcoming, calls = 1): void {
    const key = `${change.release} ${change.effect} ${change.api}`;
    const known = this.parts.get(key);
    if (known === undefined) this.parts.set(key, { change, calls });
    else known.calls += calls;
  }

  /** The counts so far, in a fixed order. */
  get counts(): readonly { readonly change: Upcoming; readonly calls: number }[] {
    const sorted = [...this.parts].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([, part]) => part);
  }

  /** Undefined without such calls. */
  get line(): string | undefined {
    const { counts } = this;
    if (counts.length === 0) return undefined;
    const all = counts.reduce((sum, { calls }) => sum + calls, 0);
    const effects = [
      ...new Set(counts.map(({ change }) => `Canton ${change.release} ${change.effect}`)),
    ];
    const named = counts.slice(0, MAX_NAMED_PARTS).map(partText);
    const left = counts.length - named.length;
    const others = left === 0 ? [] : [`${left} more`];
    return `${all} ${all === 1 ? 'call uses' : 'calls use'} what ${effects.join(', and what ')}: ${[...named, ...others].join('; ')}.`;
  }
}

const partText = ({ change, calls }: { readonly change: Upcoming; readonly calls: number }) =>
  `${change.api} (${calls}, use ${change.instead})`;
