/** How often each declaration of a package was used, if this instance counts uses. */
import type {
  Coverage,
  CoverageTotals,
  InspectedPackage,
} from '../../../spec/generated/control.js';
import { fetchJson, sendJson } from '../state/api.js';
import { now, useLoaded } from '../state/live.js';
import { useStore } from '../state/store.js';

/** By `Module:Entity`, and by `Module:Entity Choice`. */
export type Counts = ReadonlyMap<string, number>;

export interface CoverageShown {
  readonly isCounting: boolean;
  readonly counts: Counts | undefined;
  readonly totals: CoverageTotals;
}

const NOTHING: CoverageTotals = { templates: 0, created: 0, choices: 0, exercised: 0 };

export function useCoverage({ id, name }: InspectedPackage): CoverageShown {
  const isCounting = useStore(now)?.counting === true;
  const { value } = useLoaded(isCounting ? id : undefined, (signal) =>
    fetchJson<Coverage>('coverage', { packages: name }, signal),
  );
  const found = value?.packages.find((each) => each.id === id);
  if (value === undefined) return { isCounting, counts: undefined, totals: NOTHING };
  const counts = new Map<string, number>();
  const totals = { ...NOTHING };
  for (const template of found?.templates ?? []) {
    counts.set(template.name, template.created);
    totals.templates += 1;
    totals.created += Number(template.created > 0);
    for (const { name: choice, exercised } of template.choices) {
      const key = `${template.name} ${choice}`;
      counts.set(key, (counts.get(key) ?? 0) + exercised);
      totals.choices += 1;
      totals.exercised += Number(exercised > 0);
    }
  }
  return { isCounting: true, counts, totals };
}

/**
 * After the click, the page stops its requests for counts at once, because they would fail: the network reports the
 * change later.
 */
export async function stopCounting(): Promise<void> {
  const before = now.get();
  if (before !== undefined) now.set({ ...before, counting: false });
  try {
    await sendJson('DELETE', 'coverage');
  } catch (error) {
    now.set(before);
    throw error;
  }
}
