/** Runs a submission, dry or for real, and shows its result and the same submission as code. */
import { useState } from 'preact/hooks';
import type {
  ClientAccess,
  ContractLife,
  InspectedParty,
  Simulation,
  Submitted,
  Trace,
} from '../../../spec/generated/control.js';
import { Action } from '../parts/action.js';
import { Badge, Empty, Panel } from '../parts/frames.js';
import { Copy, UpdateId } from '../parts/ids.js';
import { Prose } from '../parts/prose.js';
import { Value } from '../parts/value.js';
import { visible } from '../parts/format.js';
import { fetchJson, ROOT, sendJson } from '../state/api.js';
import { useLoaded } from '../state/live.js';
import { useTopology } from '../state/world.js';
import { TraceShown } from '../updates/trace.js';
import {
  commandOf,
  curlOf,
  scenarioOf,
  typescriptOf,
  type DisclosedContract,
  type Submission,
} from './texts.js';

type Outcome =
  | { readonly kind: 'tried'; readonly simulation: Simulation }
  | { readonly kind: 'done'; readonly submitted: Submitted; readonly trace: Trace | undefined };

async function stepOf(submission: Submission): Promise<object> {
  const { actAs, readAs } = submission;
  const disclosedContracts = await disclosedOf(submission);
  return {
    actAs,
    readAs,
    commands: [commandOf(submission)],
    ...(disclosedContracts.length > 0 && { disclosedContracts }),
  };
}

const disclosedOf = ({ disclosed }: Submission): Promise<readonly DisclosedContract[]> =>
  Promise.all(
    disclosed.map(async (contractId) => {
      const { blob } = await fetchJson<ContractLife>(
        `inspection/contracts/${encodeURIComponent(contractId)}`,
      );
      return { contractId, createdEventBlob: blob ?? '' };
    }),
  );

export function Run({ submission }: { submission: Submission }) {
  const [outcome, setOutcome] = useState<Outcome>();
  const dryRun = async () => {
    setOutcome(undefined);
    const steps = [await stepOf(submission)];
    setOutcome({
      kind: 'tried',
      simulation: await sendJson<Simulation>('POST', 'simulate', { steps }),
    });
  };
  const forReal = async () => {
    setOutcome(undefined);
    const submitted = await sendJson<Submitted>('POST', 'submit', await stepOf(submission));
    const trace = await fetchJson<Trace>(`traces/${submitted.updateId}`).catch(() => undefined);
    setOutcome({ kind: 'done', submitted, trace });
  };
  const nobody = submission.actAs.length === 0;
  return (
    <div>
      <Panel
        title="Result"
        aside={
          <span class="actions">
            <Action label="Dry run" run={dryRun} disabled={nobody} />
            <Action label="For real" kind="first" run={forReal} disabled={nobody} />
          </span>
        }
      >
        {outcome === undefined ? (
          <Empty>
            {nobody
              ? 'Select the acting parties.'
              : 'A dry run shows the result and changes nothing.'}
          </Empty>
        ) : outcome.kind === 'tried' ? (
          <Tried simulation={outcome.simulation} />
        ) : (
          <>
            <p>
              <Badge kind="active">done</Badge> <UpdateId id={outcome.submitted.updateId} />{' '}
              <span class="faint">
                at offset {outcome.submitted.offset} of {visible(outcome.submitted.participant)}
              </span>
            </p>
            {outcome.trace?.nodes[0]?.result != null && (
              <Value value={outcome.trace.nodes[0].result} />
            )}
          </>
        )}
      </Panel>
      {outcome?.kind === 'tried' && <TriedTrace simulation={outcome.simulation} />}
      <Elsewhere submission={submission} />
    </div>
  );
}

function Tried({ simulation: { steps } }: { simulation: Simulation }) {
  const [step] = steps;
  if (step === undefined) return null;
  const { outcome, created, archived, witnesses, returned, error, missing } = step;
  return (
    <>
      <p>
        <Badge
          kind={outcome === 'accepted' ? 'active' : outcome === 'refused' ? 'refused' : 'exercise'}
        >
          {outcome === 'accepted'
            ? 'would be accepted'
            : outcome === 'refused'
              ? 'would be refused'
              : 'would wait'}
        </Badge>{' '}
        {outcome === 'accepted' && (
          <span class="faint">
            {created.length} created, {archived.length} archived, seen by {witnesses.length}
          </span>
        )}
      </p>
      {error != null && (
        <p class="refusal">
          <strong>{visible(error.code)}</strong> <Prose text={error.cause} />
        </p>
      )}
      {missing.map(({ parties }, index) => (
        <p key={index} class="refusal">
          authority of <Prose text={parties.join(', ')} /> is missing
        </p>
      ))}
      {returned[0]?.result != null && <Value value={returned[0].result} />}
    </>
  );
}

function TriedTrace({ simulation: { steps } }: { simulation: Simulation }) {
  const trace = steps[0]?.trace;
  if (trace == null || trace.nodes.length === 0) return null;
  return (
    <details class="panel trace-inside">
      <summary>Effects, node by node</summary>
      <TraceShown trace={trace} isInside />
    </details>
  );
}

const hostOf = (parties: readonly InspectedParty[], actAs: readonly string[]): string | undefined =>
  parties.find(({ party }) => party === actAs[0])?.hosts[0]?.participant;

function Elsewhere({ submission }: { submission: Submission }) {
  const { participants, parties } = useTopology();
  const [blobs, setBlobs] = useState<readonly DisclosedContract[]>([]);
  const host = hostOf(parties, submission.actAs);
  const place = participants.findIndex(({ name }) => name === host);
  const query = {
    participant: host,
    actAs: submission.actAs.join(','),
    readAs: submission.readAs.join(','),
  };
  const access = useLoaded(JSON.stringify(query), (signal) =>
    fetchJson<ClientAccess>('inspection/access', query, signal),
  ).value;
  const client = {
    userId: 'participant_admin',
    needsToken: false,
    mayAct: true,
    ...access,
    ledgerApi:
      access?.ledgerApi ??
      (place <= 0 ? ROOT : `${ROOT}/participants/${encodeURIComponent(host!)}`),
  };
  const isWhole = blobs.length === submission.disclosed.length;
  const texts = [
    ['As curl', curlOf(submission, client, blobs)],
    ['As TypeScript', typescriptOf(submission, place)],
    ['As a step of a scenario', scenarioOf(submission)],
  ] as const;
  return (
    <Panel title="The same as code">
      {!isWhole && (
        <Action
          label="With disclosed contracts"
          run={() => disclosedOf(submission).then(setBlobs)}
        />
      )}
      {texts.map(([label, text]) => (
        <details key={label} class="elsewhere" open={label === 'As TypeScript'}>
          <summary>
            {label} <Copy text={text} label={`Copy it ${label.toLowerCase()}`} />
          </summary>
          <pre>{visible(text)}</pre>
        </details>
      ))}
    </Panel>
  );
}
