/**
 * Time: the updates of each synchronizer as lanes, newest first; future events; and controls that move time, or
 * revert to a snapshot.
 */
import { useEffect, useState } from 'preact/hooks';
import type { InspectedUpdate, InspectedUpdates, Time } from '../../../spec/generated/control.js';
import { Action } from '../parts/action.js';
import { Empty, Fault, Panel } from '../parts/frames.js';
import {
  clockText,
  plural,
  shortened,
  timeTexts,
  visible,
  wholeTime,
  withShortParties,
} from '../parts/format.js';
import { Rows } from '../parts/rows.js';
import { fetchJson, sendJson } from '../state/api.js';
import { useLoaded, useNetworkTime } from '../state/live.js';
import { eyesOf, href, useRoute } from '../state/route.js';
import { useTopology } from '../state/world.js';
import { Lanes, LANE_WIDTH } from './lanes.js';
import { ToCome } from './to-come.js';
import { Snapshots } from './snapshots.js';

const PAGE = 100;

const pageOf = (before: string | undefined, eyes: object, signal?: AbortSignal) =>
  fetchJson<InspectedUpdates>('inspection/updates', { before, limit: PAGE, ...eyes }, signal);

export function TimeView() {
  const route = useRoute();
  const eyes = eyesOf(route) ?? {};
  const question = JSON.stringify(eyes);
  const { synchronizers } = useTopology();
  const newest = useLoaded(question, (signal) => pageOf(undefined, eyes, signal));
  const [older, setOlder] = useState<InspectedUpdates>({ updates: [] });
  const first = newest.value?.updates[0]?.recordTime;
  useEffect(() => setOlder({ updates: [] }), [question, first]);
  const next = (older.updates.length > 0 ? older.next : newest.value?.next) ?? undefined;
  const updates = [...(newest.value?.updates ?? []), ...older.updates];
  const more = async () => {
    const page = await pageOf(next, eyes);
    setOlder({ ...page, updates: [...older.updates, ...page.updates] });
  };
  const times = timeTexts(updates.map(({ recordTime }) => recordTime));
  const aliases = synchronizers.map(({ alias }) => alias);
  return (
    <div class="view time-view">
      <TimeBar />
      {newest.error && <Fault error={newest.error} />}
      <div class="time-columns">
        <Panel
          title="Sequenced updates"
          aside={
            <span class="faint">
              {plural(updates.length, 'update')}
              {next !== undefined && ' so far'}
            </span>
          }
          kind="flush lanes-panel"
        >
          <LaneHeads aliases={aliases} />
          <Rows
            label="Timeline"
            items={updates}
            height={30}
            keyOf={(update) =>
              update.updateId ?? `${update.recordTime}${update.submission?.submissionId}`
            }
            row={(update, place) => <Row update={update} time={times[place]!} aliases={aliases} />}
            more={next === undefined ? undefined : () => void more()}
          />
          {newest.value && updates.length === 0 && <Empty>Nothing has happened yet.</Empty>}
        </Panel>
        <div class="side-panels">
          <Snapshots />
          {/* Loaded later than the past updates, because it reads all contracts. */}
          {newest.value !== undefined && <ToCome />}
        </div>
      </div>
    </div>
  );
}

const STEPS = [
  ['+1 minute', 'PT1M'],
  ['+10 minutes', 'PT10M'],
  ['+1 hour', 'PT1H'],
  ['+1 day', 'P1D'],
] as const;

function TimeBar() {
  const [to, setTo] = useState('');
  const time = useLoaded('time', (signal) => fetchJson<Time>('time', {}, signal));
  const now = useNetworkTime();
  const isVirtual = time.value?.mode !== 'wall-clock';
  const wanted = to.trim().replace(' ', 'T').replace(/Z?$/, 'Z');
  return (
    <div class="bar">
      <h1>Time</h1>
      <span class="mono now">{now !== undefined && clockText(now)}</span>
      {isVirtual ? (
        <>
          {STEPS.map(([label, duration]) => (
            <Action
              key={duration}
              label={label}
              run={() => sendJson('POST', 'time/advance', { duration })}
            />
          ))}
          <label class="field">
            <span>to</span>
            <input
              value={to}
              placeholder="2026-01-31 12:00:00"
              spellcheck={false}
              onInput={(event) => setTo(event.currentTarget.value)}
            />
          </label>
          <Action
            label="Move"
            disabled={to.trim() === ''}
            run={() => sendJson('PUT', 'time', { time: wanted })}
          />
        </>
      ) : (
        <span class="faint">follows this machine's clock</span>
      )}
    </div>
  );
}

function LaneHeads({ aliases }: { aliases: readonly string[] }) {
  return (
    <div class="table-head time-row" aria-hidden="true">
      <span>Record time</span>
      <span class="lane-names">
        {aliases.map((alias) => (
          <span key={alias} class="lane-name" title={alias}>
            {visible(shortened(alias, 10))}
          </span>
        ))}
      </span>
      <span>What</span>
    </div>
  );
}

function Row({
  update,
  time,
  aliases,
}: {
  update: InspectedUpdate;
  time: string;
  aliases: readonly string[];
}) {
  const { updateId, kind, recordTime, summary, told: description, submission, error } = update;
  const words = description?.text ?? summary.join(', ');
  const url =
    updateId == null
      ? href([
          'updates',
          'submission',
          submission?.participant ?? '',
          submission?.submissionId ?? '',
        ])
      : href(['updates', updateId]);
  return (
    <a class="row time-row" href={url}>
      <span class="mono time" title={wholeTime(recordTime)}>
        {time}
      </span>
      <span style={{ width: `${aliases.length * LANE_WIDTH}px` }}>
        <Lanes update={update} aliases={aliases} />
      </span>
      <span>
        {kind === 'refused' ? (
          <span class="refusal">{visible(error?.code ?? 'refused')}</span>
        ) : (
          <bdi title={visible(words)}>{visible(shortened(withShortParties(words), 160))}</bdi>
        )}
      </span>
    </a>
  );
}
