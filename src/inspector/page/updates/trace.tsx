/** One submission: its nodes, and the parties that see them. The URL selects the view and the node. */
import type { Trace } from '../../../spec/generated/control.js';
import { Answer, Badge, Facts, Tabs } from '../parts/frames.js';
import { plural, visible } from '../parts/format.js';
import { Id, Parties, Timestamp } from '../parts/ids.js';
import { Prose } from '../parts/prose.js';
import { Text } from '../parts/text.js';
import { fetchJson, type Query } from '../state/api.js';
import { useLoaded } from '../state/live.js';
import { eyesOf, href, useRoute } from '../state/route.js';
import { Changes } from './changes.js';
import { Matrix } from './matrix.js';
import { Pictures } from './pictures.js';
import { seenBy } from './seen.js';
import { Storage } from './storage.js';
import { TreeView } from './tree-view.js';

/**
 * @param path after `updates`: an update's id, `request` with an id of the journal, or `submission` with a participant
 * and an id
 */
export function TraceOf({ path }: { path: readonly string[] }) {
  const loaded = useLoaded(path.join('/'), (signal) => traceAt(path, signal), false);
  return (
    <div class="view trace-view">
      <Answer loaded={loaded}>
        {(trace) => <TraceShown trace={trace} named={namedBy(path)} />}
      </Answer>
    </div>
  );
}

function traceAt([first = '', second = '', third = '']: readonly string[], signal: AbortSignal) {
  if (first === 'request')
    return fetchJson<Trace>(`requests/${encodeURIComponent(second)}/trace`, {}, signal);
  if (first === 'submission')
    return fetchJson<Trace>('traces', { participant: second, submissionId: third }, signal);
  return fetchJson<Trace>(`traces/${encodeURIComponent(first)}`, {}, signal);
}

/** The identifier for the controls. */
function namedBy([first = '', second = '', third = '']: readonly string[]): Query {
  if (first === 'request') return { requestId: second };
  if (first === 'submission') return { participant: second, submissionId: third };
  return { updateId: first };
}

const TABS = [
  ['tree', 'Tree'],
  ['change', 'State change'],
  ['matrix', 'Visibility'],
  ['storage', 'Storage'],
] as const;
const PICTURES = ['pictures', 'Pictures'] as const;

/** @param isInside another view, with its own title */
export function TraceShown({
  trace,
  named,
  isInside = false,
}: {
  trace: Trace;
  /** Its identifier in the controls, if they have one. */
  named?: Query;
  isInside?: boolean;
}) {
  const route = useRoute();
  const { tab = 'tree' } = route.query;
  const eyes = eyesOf(route);
  const sees = seenBy(trace, eyes);
  return (
    <>
      {!isInside && <TraceHead trace={trace} />}
      <div class="bar">
        <Tabs tabs={named === undefined ? TABS : [...TABS, PICTURES]} chosen={tab} />
        <span class="faint count">
          {plural(trace.nodes.length, 'node')}
          {trace.steps != null && ` · ${plural(trace.steps, 'step')}`}
          {!trace.retraced && ' · from stored events'}
        </span>
      </div>
      {tab === 'change' ? (
        <Changes trace={trace} sees={sees} />
      ) : tab === 'matrix' ? (
        <Matrix trace={trace} sees={sees} />
      ) : tab === 'pictures' && named !== undefined ? (
        <Pictures named={named} />
      ) : tab === 'storage' ? (
        <Storage trace={trace} />
      ) : (
        <TreeView trace={trace} sees={sees} />
      )}
    </>
  );
}

function TraceHead({ trace }: { trace: Trace }) {
  const { update, submission, outcome, error, reasons } = trace;
  return (
    <header class="trace-head">
      <div class="bar">
        <a class="back" href={href(['updates'])}>
          ← Updates
        </a>
        <Badge kind={outcome === 'committed' ? (update?.kind ?? '') : outcome}>
          {outcome === 'committed' ? update?.kind : outcome}
        </Badge>
        {update && <Id id={update.updateId} />}
        {update && <Timestamp at={update.recordTime} />}
        {update && <span class="faint">on {visible(update.synchronizer)}</span>}
      </div>
      <Facts
        facts={[
          ['Acting', submission && <Parties parties={submission.actAs} />],
          [
            'Reading',
            submission && submission.readAs.length > 0 && <Parties parties={submission.readAs} />,
          ],
          ['Command', submission && <Text text={submission.commandId} most={60} />],
          ['At', submission && visible(submission.participant)],
          ['User', submission?.userId && <Text text={submission.userId} most={60} />],
          ['Workflow', update?.workflowId && <Text text={update.workflowId} most={60} />],
          [
            'Offsets',
            update &&
              Object.entries(update.offsets)
                .map(([name, offset]) => `${visible(name)} ${offset}`)
                .join(' · '),
          ],
        ]}
      />
      {error != null && (
        <div class="fault" role="alert">
          <strong>{visible(error.code)}</strong> <Prose text={error.cause} />
          {reasons?.map((reason) => (
            <div key={reason}>
              <Prose text={reason} />
            </div>
          ))}
        </div>
      )}
    </header>
  );
}
