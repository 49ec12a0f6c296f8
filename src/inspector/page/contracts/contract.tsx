/** One contract: its payload, its parties, its synchronizer, its interface views, and its history. */
import type { ContractLife, ContractLifeEvent } from '../../../spec/generated/control.js';
import { Answer, Badge, Facts, Panel } from '../parts/frames.js';
import { plural, visible } from '../parts/format.js';
import { Copy, Id, Name, Parties, Timestamp, UpdateId } from '../parts/ids.js';
import { Value } from '../parts/value.js';
import { fetchJson } from '../state/api.js';
import { useLoaded } from '../state/live.js';
import { href } from '../state/route.js';

export function Contract({ path: [id = ''] }: { path: readonly string[] }) {
  const loaded = useLoaded(id, (signal) =>
    fetchJson<ContractLife>(`inspection/contracts/${encodeURIComponent(id)}`, {}, signal),
  );
  return (
    <div class="view">
      <Answer loaded={loaded}>{(found) => <Shown found={found} />}</Answer>
    </div>
  );
}

function Shown({ found: { contract, life, views, blob } }: { found: ContractLife }) {
  const packageId = contract.templateId.split(':')[0];
  return (
    <>
      <div class="bar">
        <a class="back" href={href(['contracts'])}>
          ← Contracts
        </a>
        <Badge kind={contract.state}>
          {contract.state === 'inFlight' ? 'in flight' : contract.state}
        </Badge>
        <Name id={contract.template} packageId={packageId} />
        <Id id={contract.contractId} />
        {contract.state === 'active' && (
          <a class="back" href={href(['do'], { contract: contract.contractId })}>
            exercise a choice
          </a>
        )}
      </div>
      <div class="columns two">
        <div>
          <Panel title="Payload">
            <Value value={contract.payload} />
            {contract.key !== undefined && contract.key !== null && (
              <>
                <h3>Key</h3>
                <Value value={contract.key} />
              </>
            )}
          </Panel>
          {views.map(({ interface: name, interfaceId, value, error }) => (
            <Panel
              key={interfaceId}
              title={
                <>
                  View of <Name id={name} packageId={interfaceId.split(':')[0]} />
                </>
              }
            >
              {error != null ? (
                <p class="fault">
                  {visible(error.code)}: {visible(error.cause)}
                </p>
              ) : (
                <Value value={value} />
              )}
            </Panel>
          ))}
        </div>
        <div>
          <Panel title="About it">
            <Facts
              facts={[
                ['Signatories', <Parties parties={contract.signatories} plain={false} />],
                ['Observers', <Parties parties={contract.observers} plain={false} />],
                ['Stored at', contract.participants.map(visible).join(', ')],
                ['Synchronizer', visible(contract.synchronizer)],
                ['Reassignments', contract.reassignmentCounter],
                ['Created', <Timestamp at={contract.createdAt} />],
                [
                  'Blob',
                  blob != null && (
                    <span class="id">
                      {plural(Math.floor((blob.length * 3) / 4), 'byte')} for disclosing
                      <Copy text={blob} label="Copy the blob" />
                    </span>
                  ),
                ],
              ]}
            />
          </Panel>
          <Panel title="Life" aside={<span class="faint">{plural(life.length, 'event')}</span>}>
            <ol class="life">
              {life.map((event) => (
                <LifeRow key={`${event.updateId} ${event.nodeId}`} event={event} />
              ))}
            </ol>
          </Panel>
        </div>
      </div>
    </>
  );
}

const TONES = {
  created: 'create',
  exercised: 'exercise',
  archived: 'archive',
  unassigned: 'reassignment',
  assigned: 'reassignment',
};

function LifeRow({ event }: { event: ContractLifeEvent }) {
  const { kind, choice, actors, recordTime, synchronizer, updateId, reassignmentCounter } = event;
  return (
    <li class={`tone-${TONES[kind]}`}>
      <div>
        <Badge kind={TONES[kind]}>{kind}</Badge>{' '}
        {choice != null && <strong>{visible(choice)}</strong>}
        {reassignmentCounter != null && <span class="faint"> counter {reassignmentCounter}</span>}
      </div>
      <div class="faint">
        <Timestamp at={recordTime} /> on {visible(synchronizer)} · <UpdateId id={updateId} />
      </div>
      {actors != null && actors.length > 0 && (
        <div class="faint">
          by <Parties parties={actors} />
        </div>
      )}
    </li>
  );
}
