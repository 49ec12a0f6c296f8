/** All that happened on the network, and what was refused. */
import { useEffect, useState } from 'preact/hooks';
import type { InspectedUpdate } from '../../../spec/generated/control.js';
import { Find } from '../parts/find.js';
import { Badge, Empty, Fault, Select } from '../parts/frames.js';
import { partyName, plural, shortened, timeText, visible } from '../parts/format.js';
import { Rows } from '../parts/rows.js';
import { useLoaded } from '../state/live.js';
import { eyesOf, hrefHere, replaceWith, useRoute } from '../state/route.js';
import { useTopology } from '../state/world.js';
import { merged, refusedAtOnce, updatesBefore, type Entry } from './entries.js';

export function Updates() {
  const route = useRoute();
  const { synchronizers } = useTopology();
  const { synchronizer, kind = '', find = '' } = route.query;
  const eyes = eyesOf(route);
  const question = JSON.stringify([eyes, synchronizer]);
  const newest = useLoaded(question, async (signal) => {
    const [page, refused] = await Promise.all([
      updatesBefore(undefined, eyes, synchronizer, signal),
      eyes === undefined && !synchronizer ? refusedAtOnce(signal) : [],
    ]);
    return { page, refused };
  });
  const [older, setOlder] = useState<Older>({ question, updates: [] });
  const { updates: further, next } =
    older.question === question && older.updates.length > 0
      ? older
      : { updates: [], next: newest.value?.page.next ?? undefined };
  useEffect(
    () => setOlder({ question, updates: [] }),
    [question, newest.value?.page.updates[0]?.updateId],
  );
  const more = async () => {
    if (next === undefined) return;
    const page = await updatesBefore(next, eyes, synchronizer);
    setOlder({ question, updates: [...further, ...page.updates], next: page.next ?? undefined });
  };
  const updates = [...(newest.value?.page.updates ?? []), ...further];
  const entries = merged(updates, newest.value?.refused ?? [], next).filter(
    (entry) => (kind === '' || entry.kind === kind) && isFound(entry, find),
  );
  return (
    <div class="view list-view">
      <div class="bar">
        <h1>Updates</h1>
        <Select
          label="Kind"
          value={kind}
          choices={KINDS}
          onChange={(chosen) => replaceWith(hrefHere({ kind: chosen }))}
        />
        {synchronizers.length > 1 && (
          <Select
            label="Synchronizer"
            value={synchronizer ?? ''}
            choices={[
              { value: '', label: 'all' },
              ...synchronizers.map(({ alias }) => ({ value: alias, label: alias })),
            ]}
            onChange={(chosen) => replaceWith(hrefHere({ synchronizer: chosen }))}
          />
        )}
        <Find what="updates" value={find} />
        <span class="faint count">
          {plural(entries.length, 'entry', 'entries')}
          {next !== undefined && ' so far'}
        </span>
      </div>
      {newest.error && <Fault error={newest.error} />}
      <div class="table-head update-row" aria-hidden="true">
        <span>Record time</span>
        <span>Kind</span>
        <span>What</span>
        <span>Acting</span>
        <span>Command</span>
        <span>Offsets</span>
      </div>
      <Rows
        label="Updates"
        items={entries}
        height={34}
        keyOf={({ key }) => key}
        row={(entry) => <Row entry={entry} />}
        more={next === undefined ? undefined : () => void more()}
      />
      {newest.value && entries.length === 0 && (
        <Empty>Nothing of that kind has happened yet.</Empty>
      )}
    </div>
  );
}

interface Older {
  readonly question: string;
  readonly updates: readonly InspectedUpdate[];
  readonly next?: string | undefined;
}

/** Of parties, whose names are enough here. */
const FINGERPRINT = /::1220[0-9a-f]{64}/g;

const KINDS = ['', 'transaction', 'reassignment', 'topology', 'refused'].map((value) => ({
  value,
  label: value || 'all',
}));

const isFound = (entry: Entry, find: string): boolean =>
  find === '' || JSON.stringify(entry).toLowerCase().includes(find.toLowerCase());

function Row({ entry }: { entry: Entry }) {
  const { url, kind, recordTime, summary, actAs, commandId, offsets, synchronizer } = entry;
  return (
    <a class="row update-row" href={url} title={entry.error?.cause}>
      <span class="mono time">{timeText(recordTime)}</span>
      <span>
        <Badge kind={kind}>{kind}</Badge>
      </span>
      <span class="what">
        <bdi>{visible(shortened(summary.replace(FINGERPRINT, ''), 200))}</bdi>
        {synchronizer !== '' && <span class="faint"> {visible(synchronizer)}</span>}
      </span>
      <span class="who">{actAs.map(partyName).join(', ')}</span>
      <span class="faint mono">
        <bdi>{visible(shortened(commandId, 24))}</bdi>
      </span>
      <span class="faint mono">
        {Object.entries(offsets)
          .map(([name, offset]) => `${visible(name)} ${offset}`)
          .join(' · ')}
      </span>
    </a>
  );
}
