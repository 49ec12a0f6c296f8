/** The snapshots that were taken on this page, and the start. Reverts to each of them. */
import type { Snapshot as TakenSnapshot, Time } from '../../../spec/generated/control.js';
import { Action } from '../parts/action.js';
import { Panel } from '../parts/frames.js';
import { fetchJson, sendJson } from '../state/api.js';
import { storeOf, useStore } from '../state/store.js';
import { Timestamp } from '../parts/ids.js';

interface Snapshot {
  readonly snapshotId: string;
  readonly time: string;
}

const KEY = 'canticle-snapshots';

const saved = (): readonly Snapshot[] => {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as Snapshot[];
  } catch {
    return [];
  }
};

const snapshots = storeOf<readonly Snapshot[]>(saved());

function save(next: readonly Snapshot[]): void {
  snapshots.set(next);
  sessionStorage.setItem(KEY, JSON.stringify(next));
}

async function take(): Promise<void> {
  const { time } = await fetchJson<Time>('time');
  const { snapshotId } = await sendJson<TakenSnapshot>('POST', 'snapshots');
  save([...snapshots.get(), { snapshotId, time }]);
}

/** Removes the later snapshots from the list, and this one if it no longer exists. */
async function revertTo(snapshot: Snapshot): Promise<void> {
  const all = snapshots.get();
  const place = all.indexOf(snapshot);
  try {
    await sendJson('POST', `snapshots/${encodeURIComponent(snapshot.snapshotId)}/revert`);
    save(all.slice(0, place + 1));
  } catch (error) {
    save(all.filter((each) => each !== snapshot));
    throw error;
  }
}

async function revertToStart(): Promise<void> {
  await sendJson('POST', 'reset');
  save([]);
}

export function Snapshots() {
  const all = useStore(snapshots);
  return (
    <Panel title="Snapshots" aside={<Action label="Take a snapshot" run={take} />}>
      <ul class="plain snapshots">
        {all.map((snapshot) => (
          <li key={snapshot.snapshotId}>
            <Timestamp at={snapshot.time} /> <span class="faint">{snapshot.snapshotId}</span>
            <Action label="Revert" run={() => revertTo(snapshot)} />
          </li>
        ))}
        <li>
          <span>the start</span>
          <Action label="Revert" run={revertToStart} />
        </li>
      </ul>
    </Panel>
  );
}
