/** One request: whether it could be read, its result, why it was rejected, and its bodies if the journal keeps them. */
import type {
  JournalEntry,
  JournalMessage,
  RequestJournal,
} from '../../../spec/generated/control.js';
import { Answer, Badge, Empty, Facts, Panel } from '../parts/frames.js';
import { visible } from '../parts/format.js';
import { Timestamp, UpdateId } from '../parts/ids.js';
import { Prose } from '../parts/prose.js';
import { Text } from '../parts/text.js';
import { Value } from '../parts/value.js';
import { fetchJson } from '../state/api.js';
import { useLoaded } from '../state/live.js';
import { href } from '../state/route.js';
import { isSubmission } from '../updates/entries.js';

interface Found {
  readonly entry: JournalEntry;
  /** For people; absent if it was accepted, or was not a submission. */
  readonly explanation?: string;
}

async function requestWith(id: string, signal: AbortSignal): Promise<Found> {
  const { requests } = await fetchJson<RequestJournal>('requests', { since: id }, signal);
  const entry = requests.find((each) => String(each.id) === id);
  if (entry === undefined)
    throw new Error(`The journal has no request ${id}: it keeps the newest.`);
  if (entry.outcome !== 'refused' || !isSubmission(entry)) return { entry };
  const explanation = await fetchJson<string>(`requests/${id}/explanation/text`, {}, signal).catch(
    () => undefined,
  );
  return { entry, ...(explanation !== undefined && { explanation }) };
}

export function Request({ path: [id = ''] }: { path: readonly string[] }) {
  const loaded = useLoaded(id, (signal) => requestWith(id, signal), false);
  return (
    <div class="view">
      <div class="bar">
        <a class="back" href={href(['requests'])}>
          ← Requests
        </a>
        <h1>Request {visible(id)}</h1>
      </div>
      <Answer loaded={loaded}>{(found) => <Shown found={found} />}</Answer>
    </div>
  );
}

function Shown({ found: { entry, explanation } }: { found: Found }) {
  const { id, at, method, path, status, outcome, api, operation, validation, error } = entry;
  return (
    <div class="columns">
      <Panel title="Request">
        <Facts
          facts={[
            ['Request', <code>{`${method} ${visible(path)}`}</code>],
            ['API', api],
            ['Operation', operation],
            ['Ledger time', <Timestamp at={at} />],
            ['Took', entry.durationMs != null && `${entry.durationMs.toFixed(1)} ms`],
            [
              'Readable',
              validation.ok ? (
                <Badge kind="active">yes</Badge>
              ) : (
                <>
                  <Badge kind="refused">no</Badge>{' '}
                  {validation.path != null && <code>{visible(validation.path)}</code>}{' '}
                  <Text text={validation.reason ?? ''} />
                </>
              ),
            ],
          ]}
        />
      </Panel>
      <Panel title="Result">
        <Facts
          facts={[
            ['Outcome', <Badge kind={outcome}>{outcome}</Badge>],
            ['Status', status],
            ['Error', error],
            ['Update', entry.updateId != null && <UpdateId id={entry.updateId} />],
            ['Offset', entry.offset],
            [
              'Trace',
              explanation !== undefined && (
                <a href={href(['updates', 'request', String(id)])}>effects, node by node</a>
              ),
            ],
            ['Why', entry.explanation != null && <Prose text={entry.explanation} />],
            [
              'On purpose',
              entry.faults != null &&
                entry.faults.map((each) => (
                  <div key={each.id}>{visible(`${each.fault} (${each.id})`)}</div>
                )),
            ],
          ]}
        />
      </Panel>
      {explanation !== undefined && (
        <Panel title="Explanation" kind="whole">
          <pre class="explanation">{visible(explanation)}</pre>
        </Panel>
      )}
      {entry.request != null || entry.answer != null ? (
        <>
          <Message title="Request" message={entry.request} />
          <Message title="Answer" message={entry.answer} />
        </>
      ) : (
        <Panel title="Bodies">
          <Empty>
            The journal keeps the bodies of rejected requests. It keeps all bodies, and headers,
            with <code>--journal full</code>, or the option <code>journal</code>.
          </Empty>
        </Panel>
      )}
    </div>
  );
}

function Message({
  title,
  message,
}: {
  title: string;
  message: JournalMessage | null | undefined;
}) {
  if (message == null) return null;
  return (
    <Panel title={title}>
      {Object.keys(message.headers).length > 0 && (
        <>
          <Value value={message.headers} depth={2} />
          <h3>Body</h3>
        </>
      )}
      <Body text={message.body ?? ''} />
    </Panel>
  );
}

function Body({ text }: { text: string }) {
  if (text === '') return <p class="faint">none</p>;
  try {
    return <Value value={JSON.parse(text)} />;
  } catch {
    return <Text text={text} most={2_000} />;
  }
}
