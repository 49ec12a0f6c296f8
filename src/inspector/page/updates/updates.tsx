/** All updates of the network, and rejected submissions. */
import { useEffect, useState } from 'preact/hooks';
import type { InspectedUpdate } from '../../../spec/generated/control.js';
import { Find } from '../parts/find.js';
import { Badge, Empty, Fault, Select } from '../parts/frames.js';
import {
  plural,
  shortened,
  timeTexts,
  visible,
  wholeTime,
  withShortParties,
} from '../parts/format.js';
import { PartyNames } from '../parts/ids.js';
import { Rows } from '../parts/rows.js';
import { useLoaded } from '../state/live.js';
import { eyesOf, hrefHere, replaceWith, useRoute } from '../state/route.js';
import { useStored } from '../state/stored.js';
import { useTopology } from '../state/world.js';
import { merged, refusedAtOnce, updatesBefore, type Entry } from './entries.js';

export function Updates() {
  const route = useRoute();
  const { synchronizers } = useTopology();
  const { synchronizer, kind = '', about = '', find = '' } = route.query;
  const [hasOffsets, setOffsets] = useStored('canticle-offsets', true);
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
  const all = merged(updates, newest.value?.refused ?? [], next);
  const entries = all.filter(
    (entry) =>
      (kind === '' || entry.kind === kind) &&
      (about === '' || entry.about === about) &&
      isFound(entry, find),
  );
  const times = timeTexts(entries.map(({ recordTime }) => recordTime));
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
        <Select
          label="About"
          value={about}
          choices={aboutChoices(all, about)}
          onChange={(chosen) => replaceWith(hrefHere({ about: chosen }))}
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
        <label class="check offsets-shown">
          <input
            type="checkbox"
            checked={hasOffsets}
            onChange={(event) => setOffsets(event.currentTarget.checked)}
          />
          Offsets
        </label>
        <span class="faint count">
          {plural(entries.length, 'entry', 'entries')}
          {next !== undefined && ' so far'}
        </span>
      </div>
      {newest.error && <Fault error={newest.error} />}
      <div class={rowClass('table-head', hasOffsets)} aria-hidden="true">
        <span>Record time</span>
        <span>Kind</span>
        <span>What</span>
        <span>Acting</span>
        <span>Command</span>
        {hasOffsets && <span>Offsets</span>}
      </div>
      <Rows
        label="Updates"
        items={entries}
        height={34}
        narrowHeight={58}
        keyOf={({ key }) => key}
        row={(entry, place) => <Row entry={entry} time={times[place]!} hasOffsets={hasOffsets} />}
        more={next === undefined ? undefined : () => void more()}
      />
      {newest.value && entries.length === 0 && <Empty>No such updates yet.</Empty>}
    </div>
  );
}

interface Older {
  readonly question: string;
  readonly updates: readonly InspectedUpdate[];
  readonly next?: string | undefined;
}

const KINDS = ['', 'transaction', 'reassignment', 'topology', 'refused'].map((value) => ({
  value,
  label: value || 'all',
}));

const isFound = (entry: Entry, find: string): boolean =>
  find === '' || JSON.stringify(entry).toLowerCase().includes(find.toLowerCase());

const rowClass = (kind: string, hasOffsets: boolean): string =>
  `${kind} update-row${hasOffsets ? '' : ' no-offsets'}`;

/** The kinds of the loaded updates; the selected kind remains in the list. */
const aboutChoices = (entries: readonly Entry[], chosen: string) =>
  [
    '',
    ...[...new Set([chosen, ...entries.map(({ about = '' }) => about)])].filter(Boolean).sort(),
  ].map((value) => ({ value, label: value || 'all' }));

function Row({ entry, time, hasOffsets }: { entry: Entry; time: string; hasOffsets: boolean }) {
  const { url, kind, recordTime, summary, did, actAs, commandId, offsets, synchronizer } = entry;
  return (
    <a class={rowClass('row', hasOffsets)} href={url}>
      <span class="mono time" title={wholeTime(recordTime)}>
        {time}
      </span>
      <span>
        <Badge kind={kind}>{kind}</Badge>
      </span>
      <span
        class="what"
        title={visible(entry.error?.cause ?? [summary, did].filter(Boolean).join('\n'))}
      >
        <bdi>{visible(shortened(withShortParties(summary), 200))}</bdi>
        {synchronizer !== '' && <span class="faint"> {visible(synchronizer)}</span>}
      </span>
      <span class="who">
        <PartyNames parties={actAs} />
      </span>
      <span class="faint mono">
        <bdi>{visible(shortened(commandId, 24))}</bdi>
      </span>
      {hasOffsets && (
        <span class="faint mono offsets">
          {Object.entries(offsets)
            .map(([name, offset]) => `${visible(name)} ${offset}`)
            .join(' · ')}
        </span>
      )}
    </a>
  );
}
