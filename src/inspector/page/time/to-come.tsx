/** Future events: rounds, automation of the DSO and the validators, expiries, and the scheduled migration. */
import type {
  Automation,
  AutomationTask,
  InspectedContracts,
  MigrationState,
} from '../../../spec/generated/control.js';
import { Action } from '../parts/action.js';
import { Answer, Badge, Empty, Panel } from '../parts/frames.js';
import { timeText, visible } from '../parts/format.js';
import { ContractId } from '../parts/ids.js';
import { fetchJson, sendJson } from '../state/api.js';
import { now, useLoaded } from '../state/live.js';
import { useStore } from '../state/store.js';

interface Due {
  readonly time: string;
  readonly what: string;
  readonly contractId?: string;
}

export function ToCome() {
  const time = useStore(now)?.time;
  const due = useLoaded(time && 'due', (signal) => allDue(time!, signal));
  const automation = useLoaded('automation', (signal) =>
    fetchJson<Automation>('automation', {}, signal),
  );
  return (
    <>
      <Panel title="To come">
        <Answer loaded={due}>
          {(all) =>
            all.length === 0 ? (
              <Empty>Nothing waits for its time.</Empty>
            ) : (
              <ul class="plain due">
                {all.map(({ time: at, what, contractId }, index) => (
                  <li key={index}>
                    <span class={time !== undefined && at <= time ? 'mono past' : 'mono'}>
                      {timeText(at)}
                    </span>
                    <span>
                      {visible(what)} {contractId !== undefined && <ContractId id={contractId} />}
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Answer>
      </Panel>
      <Answer loaded={automation}>{(value) => <Tasks automation={value} />}</Answer>
    </>
  );
}

/** The most contracts that the view reads. */
const MOST = 200;

/** @param at now */
async function allDue(at: string, signal: AbortSignal): Promise<readonly Due[]> {
  const named = (query: object) =>
    fetchJson<InspectedContracts>('inspection/contracts', { ...query, limit: MOST }, signal);
  const [automation, migration, open, issuing, offers, allocations, locked] = await Promise.all([
    fetchJson<Automation>('automation', {}, signal),
    fetchJson<MigrationState>('migration', {}, signal),
    named({ template: 'Splice.Round:OpenMiningRound' }),
    named({ template: 'Splice.Round:IssuingMiningRound' }),
    named({ interface: 'Splice.Api.Token.TransferInstructionV1:TransferInstruction' }),
    named({ interface: 'Splice.Api.Token.AllocationV1:Allocation' }),
    named({ template: 'Splice.Amulet:LockedAmulet' }),
  ]);
  const due: Due[] = [];
  for (const { name, due: time, paused } of automation.tasks)
    if (time != null && !paused) due.push({ time, what: name });
  if (migration.scheduled != null)
    due.push({
      time: migration.scheduled.time,
      what: `migration ${migration.scheduled.migrationId}`,
    });
  for (const { payload, contractId } of [...open.contracts, ...issuing.contracts]) {
    const { round, opensAt, targetClosesAt } = payload as Round;
    const name = `round ${round?.number ?? ''}`;
    // An open round is shown with the time when it closes.
    if (typeof opensAt === 'string' && opensAt > at) add(due, opensAt, `${name} opens`, contractId);
    add(due, targetClosesAt, `${name} closes`, contractId);
  }
  for (const { views, contractId } of offers.contracts) {
    const { transfer } = (views?.[0]?.value ?? {}) as { transfer?: { executeBefore?: string } };
    add(due, transfer?.executeBefore, 'an offer expires', contractId);
  }
  for (const { views, contractId } of allocations.contracts) {
    const value = (views?.[0]?.value ?? {}) as { allocation?: { settlement?: Settlement } };
    add(due, value.allocation?.settlement?.settleBefore, 'an allocation expires', contractId);
  }
  for (const { payload, contractId } of locked.contracts) {
    const { lock } = payload as { lock?: { expiresAt?: string } };
    add(due, lock?.expiresAt, 'a lock expires', contractId);
  }
  return due.sort((a, b) => (a.time < b.time ? -1 : 1));
}

interface Round {
  readonly round?: { readonly number?: string };
  readonly opensAt?: string;
  readonly targetClosesAt?: string;
}

interface Settlement {
  readonly settleBefore?: string;
}

function add(due: Due[], time: unknown, what: string, contractId: string): void {
  if (typeof time === 'string') due.push({ time, what, contractId });
}

function Tasks({ automation: { off, tasks } }: { automation: Automation }) {
  return (
    <Panel
      title="Automation"
      aside={
        <Action
          label={off ? 'Turn on' : 'Turn off'}
          run={() => sendJson('PUT', 'automation', { off: !off })}
        />
      }
    >
      {tasks.length === 0 && <Empty>No DSO runs here.</Empty>}
      <ul class="plain tasks">
        {tasks.map((task) => (
          <Task key={task.name} task={task} />
        ))}
      </ul>
    </Panel>
  );
}

function Task({ task: { name, paused, due } }: { task: AutomationTask }) {
  const path = `automation/${encodeURIComponent(name)}`;
  return (
    <li>
      <span>
        {visible(name)} {paused && <Badge kind="refused">paused</Badge>}
        {due != null && <span class="faint mono"> {timeText(due)}</span>}
      </span>
      <span class="actions">
        <Action label="Run" run={() => sendJson('POST', `${path}/run`)} />
        <Action
          label={paused ? 'Resume' : 'Pause'}
          run={() => sendJson('POST', `${path}/${paused ? 'resume' : 'pause'}`)}
        />
      </span>
    </li>
  );
}
