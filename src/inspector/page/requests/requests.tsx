/** The journal: the requests to this instance, whether they could be read, and their results. */
import type { JournalEntry, RequestJournal } from '../../../spec/generated/control.js';
import { Action } from '../parts/action.js';
import { Find } from '../parts/find.js';
import { Badge, Empty, Fault, Select } from '../parts/frames.js';
import { plural, timeTexts, visible, wholeTime } from '../parts/format.js';
import { Rows } from '../parts/rows.js';
import { fetchJson, sendJson } from '../state/api.js';
import { useLoaded } from '../state/live.js';
import { href, hrefHere, replaceWith, useRoute } from '../state/route.js';

const APIS = [
  'ledger',
  'scan',
  'registry',
  'validator',
  'wallet',
  'names',
  'sv',
  'gateway',
  'control',
];
const OUTCOMES = ['answered', 'refused', 'unmatched', 'failed'];

export function Requests() {
  const { query } = useRoute();
  const { api = 'served', outcome, find = '' } = query;
  const loaded = useLoaded(JSON.stringify([api, outcome]), (signal) =>
    fetchJson<RequestJournal>(
      'requests',
      { api: APIS.includes(api) ? api : undefined, outcome },
      signal,
    ),
  );
  const requests = [...(loaded.value?.requests ?? [])]
    .reverse()
    .filter((each) => api !== 'served' || each.api !== 'control')
    .filter(
      (each) => find === '' || JSON.stringify(each).toLowerCase().includes(find.toLowerCase()),
    );
  const times = timeTexts(requests.map(({ at }) => at));
  return (
    <div class="view list-view">
      <div class="bar">
        <h1>Requests</h1>
        <Select
          label="API"
          value={api}
          choices={[
            { value: 'served', label: 'all but controls' },
            { value: 'all', label: 'all' },
            ...APIS.map((value) => ({ value, label: value })),
          ]}
          onChange={(value) =>
            replaceWith(hrefHere({ api: value === 'served' ? undefined : value }))
          }
        />
        <Select
          label="Outcome"
          value={outcome ?? ''}
          choices={[
            { value: '', label: 'any' },
            ...OUTCOMES.map((value) => ({ value, label: value })),
          ]}
          onChange={(value) => replaceWith(hrefHere({ outcome: value }))}
        />
        <Find what="requests" value={find} />
        <Action label="Empty the journal" run={() => sendJson('DELETE', 'requests')} />
        <span class="faint count">{plural(requests.length, 'request')}</span>
      </div>
      {loaded.error && <Fault error={loaded.error} />}
      <div class="table-head request-row" aria-hidden="true">
        <span>Id</span>
        <span>Ledger time</span>
        <span>Status</span>
        <span>Request</span>
        <span>Result</span>
      </div>
      <Rows
        label="Requests"
        items={requests}
        height={34}
        narrowHeight={58}
        keyOf={({ id }) => String(id)}
        row={(entry, place) => <Row entry={entry} time={times[place]!} />}
      />
      {loaded.value && requests.length === 0 && <Empty>No such requests.</Empty>}
    </div>
  );
}

function Row({ entry, time }: { entry: JournalEntry; time: string }) {
  const { id, at, method, path, status, outcome, validation, error, explanation } = entry;
  return (
    <a class="row request-row" href={href(['requests', String(id)])}>
      <span class="mono faint">{id}</span>
      <span class="mono time" title={wholeTime(at)}>
        {time}
      </span>
      <span>
        <Badge kind={outcome}>{status}</Badge>
      </span>
      <span class="mono">
        {method} {visible(path)}
      </span>
      <span class="faint">
        {!validation.ok && <Badge kind="refused">not readable</Badge>}{' '}
        {visible(
          error ?? validation.reason ?? explanation ?? (outcome === 'answered' ? '' : outcome),
        )}
      </span>
    </a>
  );
}
