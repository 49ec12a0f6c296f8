/** Moments to go back to: those that were remembered on this page, and the start. */
import type { Snapshot, Time } from '../../../spec/generated/control.js';
import { Action } from '../parts/action.js';
import { Panel } from '../parts/frames.js';
import { fetchJson, sendJson } from '../state/api.js';
import { storeOf, useStore } from '../state/store.js';
import { Moment } from '../parts/ids.js';

interface Moment {
  readonly snapshotId: string;
  readonly time: string;
}

const KEY = 'canticle-moments';

const saved = (): readonly Moment[] => {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as Moment[];
  } catch {
    return [];
  }
};

const moments = storeOf<readonly Moment[]>(saved());

function save(next: readonly Moment[]): void {
  moments.set(next);
  sessionStorage.setItem(KEY, JSON.stringify(next));
}

async function remember(): Promise<void> {
  const { time } = await fetchJson<Time>('time');
  const { snapshotId } = await sendJson<Snapshot>('POST', 'snapshots');
  save([...moments.get(), { snapshotId, time }]);
}

/** Later moments are gone with it; one that is not known any more leaves the list. */
async function goBackTo(moment: Moment): Promise<void> {
  const all = moments.get();
  const place = all.indexOf(moment);
  try {
    await sendJson('POST', `snapshots/${encodeURIComponent(moment.snapshotId)}/revert`);
    save(all.slice(0, place + 1));
  } catch (error) {
    save(all.filter((each) => each !== moment));
    throw error;
  }
}

async function goBackToStart(): Promise<void> {
  await sendJson('POST', 'reset');
  save([]);
}

export function Moments() {
  const all = useStore(moments);
  return (
    <Panel title="Go back" aside={<Action label="Remember this moment" run={remember} />}>
      <ul class="plain moments">
        {all.map((moment) => (
          <li key={moment.snapshotId}>
            <Moment at={moment.time} /> <span class="faint">{moment.snapshotId}</span>
            <Action label="Go back" run={() => goBackTo(moment)} />
          </li>
        ))}
        <li>
          <span>the start</span>
          <Action label="Go back" run={goBackToStart} />
        </li>
      </ul>
    </Panel>
  );
}
