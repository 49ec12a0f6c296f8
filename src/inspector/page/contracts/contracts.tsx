/**
 * The active contracts now, or at a time or an offset. Newest first, with filters for template, interface, party
 * and participant.
 */
import { useEffect, useState } from 'preact/hooks';
import type { InspectedContract, InspectedContracts } from '../../../spec/generated/control.js';
import { Find } from '../parts/find.js';
import { Badge, Empty, Fault, Select } from '../parts/frames.js';
import {
  entityOf,
  nameParts,
  plural,
  shortId,
  timeTexts,
  visible,
  wholeTime,
} from '../parts/format.js';
import { PartyNames } from '../parts/ids.js';
import { Rows } from '../parts/rows.js';
import { fetchJson } from '../state/api.js';
import { useLoaded } from '../state/live.js';
import { eyesOf, href, hrefHere, replaceWith, useRoute } from '../state/route.js';
import { useTopology } from '../state/world.js';
import { digest } from '../parts/digest.js';

const PAGE = 100;

const pageOf = (query: string, after?: string, signal?: AbortSignal): Promise<InspectedContracts> =>
  fetchJson(
    'inspection/contracts',
    { ...JSON.parse(query), after, limit: PAGE, newest: true },
    signal,
  );

export function Contracts() {
  const route = useRoute();
  const { query } = route;
  const eyes = eyesOf(route) ?? {};
  const { synchronizers, participants, parties } = useTopology();
  const request = JSON.stringify({
    template: query['template'],
    interface: query['interface'],
    party: query['party'],
    participant: query['participant'],
    synchronizer: query['synchronizer'],
    ...momentOf(query['at']),
    archived: query['archived'] === 'true' ? true : undefined,
    ...eyes,
  });
  const first = useLoaded(request, (signal) => pageOf(request, undefined, signal));
  const [older, setOlder] = useState<Older>({ request, contracts: [] });
  const isStill = older.request === request && older.contracts.length > 0;
  const next = isStill ? older.next : (first.value?.next ?? undefined);
  const further = isStill ? older.contracts : [];
  useEffect(
    () => setOlder({ request, contracts: [] }),
    [request, first.value?.contracts[0]?.contractId],
  );
  const more = async () => {
    if (next === undefined) return;
    const page = await pageOf(request, next);
    setOlder({
      request,
      contracts: [...further, ...page.contracts],
      next: page.next ?? undefined,
    });
  };
  const { find = '' } = query;
  const contracts = [...(first.value?.contracts ?? []), ...further].filter(
    (each) => find === '' || JSON.stringify(each).toLowerCase().includes(find.toLowerCase()),
  );
  const set = (name: string) => (value: string) => replaceWith(hrefHere({ [name]: value }));
  const times = timeTexts(contracts.map(({ createdAt }) => createdAt));
  return (
    <div class="view list-view">
      <div class="bar">
        <h1>Contracts</h1>
        <Typed
          label="Template"
          name="template"
          list={list(
            'templates',
            contracts.map(({ template }) => template),
          )}
          hint="Module:Template"
          value={query['template']}
        />
        <Typed
          label="Interface"
          name="interface"
          list={list(
            'interfaces',
            contracts.flatMap(({ interfaces }) => interfaces),
          )}
          hint="Module:Interface"
          value={query['interface']}
        />
        <Typed
          label="Party"
          name="party"
          list={list(
            'parties',
            parties.map(({ party }) => party),
          )}
          hint="name::1220…"
          value={query['party']}
        />
        <Select
          label="Participant"
          value={query['participant'] ?? ''}
          choices={[
            ALL,
            ...participants.map(({ name }) => ({ value: name, label: visible(name) })),
          ]}
          onChange={set('participant')}
        />
        {synchronizers.length > 1 && (
          <Select
            label="Synchronizer"
            value={query['synchronizer'] ?? ''}
            choices={[
              ALL,
              ...synchronizers.map(({ alias }) => ({ value: alias, label: visible(alias) })),
            ]}
            onChange={set('synchronizer')}
          />
        )}
        <Typed label="At" name="at" hint="now: a time, or an offset" value={query['at']} />
        <label class="check">
          <input
            type="checkbox"
            checked={query['archived'] === 'true'}
            onChange={(event) => set('archived')(event.currentTarget.checked ? 'true' : '')}
          />
          archived too
        </label>
        <Find what="contracts" value={find} />
        <span class="faint count">
          {plural(contracts.length, 'contract')}
          {next !== undefined && ' so far'}
        </span>
      </div>
      {first.error && <Fault error={first.error} />}
      <div class="table-head contract-row" aria-hidden="true">
        <span>Contract</span>
        <span>Template</span>
        <span>Payload</span>
        <span>Signed by</span>
        <span>Where</span>
        <span>Created</span>
      </div>
      <Rows
        label="Contracts"
        items={contracts}
        height={34}
        narrowHeight={58}
        keyOf={({ contractId }) => contractId}
        row={(contract, place) => <Row contract={contract} time={times[place]!} />}
        more={next === undefined ? undefined : () => void more()}
      />
      {first.value && contracts.length === 0 && <Empty>No contract matches.</Empty>}
    </div>
  );
}

/** The suggestions of a field, without duplicates. */
interface Suggestions {
  readonly id: string;
  readonly texts: readonly string[];
}

/** The most contracts that the list shows. */
const MOST_SUGGESTED = 200;

const list = (id: string, texts: readonly string[]): Suggestions => ({
  id,
  texts: [...new Set(texts)].sort().slice(0, MOST_SUGGESTED),
});

interface Older {
  readonly request: string;
  readonly contracts: readonly InspectedContract[];
  readonly next?: string | undefined;
}

const ALL = { value: '', label: 'all' };

/** Digits alone are an offset of the selected participant; other texts are a time. */
const momentOf = (at = ''): { at?: string; offset?: number } =>
  at === '' ? {} : /^\d{1,15}$/.test(at) ? { offset: Number(at) } : { at: queryTime(at) };

/** `2026-01-01 12:00` in the format of RFC 3339. */
const queryTime = (text: string): string => {
  const whole = text.trim().replace(' ', 'T').replace(/Z$/, '');
  const withTime = /T/.test(whole) ? whole : `${whole}T00:00:00`;
  return `${/T\d\d:\d\d$/.test(withTime) ? `${withTime}:00` : withTime}Z`;
};

/** Loads the contracts when the input is complete: on Enter, or when the field loses focus. */
function Typed({
  label,
  name,
  hint,
  list,
  value = '',
}: {
  label: string;
  name: string;
  hint: string;
  list?: Suggestions;
  value?: string | undefined;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        value={value}
        placeholder={hint}
        list={list?.id}
        spellcheck={false}
        onChange={(event) => replaceWith(hrefHere({ [name]: event.currentTarget.value.trim() }))}
      />
      {list !== undefined && (
        <datalist id={list.id}>
          {list.texts.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
    </label>
  );
}

function Row({ contract, time }: { contract: InspectedContract; time: string }) {
  const { contractId, template, payload, key, signatories, state, createdAt } = contract;
  const { synchronizer, reassignmentCounter, participants } = contract;
  return (
    <a class={`row contract-row ${state}`} href={href(['contracts', contractId])}>
      <span class="mono">{shortId(contractId)}</span>
      <span title={template}>
        <strong>{visible(entityOf(template))}</strong>{' '}
        <span class="faint">{visible(nameParts(template).module)}</span>
      </span>
      <span class="digest">
        {key !== undefined && key !== null && <span class="faint">key {digest(key)} · </span>}
        {digest(payload)}
      </span>
      <span class="who">
        <PartyNames parties={signatories} />
      </span>
      <span>
        {state !== 'active' && (
          <Badge kind={state}>{state === 'inFlight' ? 'in flight' : state}</Badge>
        )}{' '}
        <span class="faint">
          {visible(synchronizer)}
          {reassignmentCounter > 0 && ` (${reassignmentCounter})`} ·{' '}
          {participants.map(visible).join(', ')}
        </span>
      </span>
      <span class="mono time" title={wholeTime(createdAt)}>
        {time}
      </span>
    </a>
  );
}
