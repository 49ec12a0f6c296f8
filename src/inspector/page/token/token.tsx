/** Tokens by the token standard: holdings by instrument and owner, pending offers, allocations. */
import type { InspectedContract, InspectedContracts } from '../../../spec/generated/control.js';
import { Answer, Badge, Empty, Panel } from '../parts/frames.js';
import { plural, visible } from '../parts/format.js';
import { ContractId, Party, Timestamp } from '../parts/ids.js';
import { Text } from '../parts/text.js';
import { fetchJson } from '../state/api.js';
import { useLoaded } from '../state/live.js';
import { eyesOf, href, hrefHere, useRoute } from '../state/route.js';
import { sumOf } from './amounts.js';

/** The most contracts that the view reads. */
const MOST = 1_000;
const MODULE = 'Splice.Api.Token';

const shown = (name: string, who: object, signal: AbortSignal): Promise<InspectedContracts> =>
  fetchJson(
    'inspection/contracts',
    { interface: `${MODULE}.${name}`, limit: MOST, newest: true, ...who },
    signal,
  );

export function Token() {
  const route = useRoute();
  const who = eyesOf(route) ?? (route.query['party'] ? { party: route.query['party'] } : {});
  const loaded = useLoaded(JSON.stringify(who), async (signal) => {
    const [holdings, second, offers, allocations] = await Promise.all([
      shown('HoldingV1:Holding', who, signal),
      shown('HoldingV2:Holding', who, signal),
      shown('TransferInstructionV1:TransferInstruction', who, signal),
      shown('AllocationV1:Allocation', who, signal),
    ]);
    // A contract of both versions of the standard appears once.
    const first = new Set(holdings.contracts.map(({ contractId }) => contractId));
    const all = [
      ...holdings.contracts,
      ...second.contracts.filter(({ contractId }) => !first.has(contractId)),
    ];
    return {
      holdings: all.flatMap(holdingOf),
      offers: offers.contracts.flatMap(offerOf),
      allocations: allocations.contracts.flatMap(allocationOf),
      isCut: [holdings, second, offers, allocations].some(({ next }) => next != null),
    };
  });
  return (
    <div class="view">
      <div class="bar">
        <h1>Token</h1>
        {route.query['party'] && (
          <a class="back" href={hrefHere({ party: undefined })}>
            of one party ×
          </a>
        )}
        {loaded.value?.isCut === true && (
          <span class="faint">the newest {MOST.toLocaleString('en')} of each</span>
        )}
      </div>
      <Answer loaded={loaded}>
        {({ holdings, offers, allocations }) => (
          <div class="columns token-view">
            {instruments(holdings).map(([instrument, own]) => (
              <Holdings key={instrument} holdings={own} />
            ))}
            {holdings.length === 0 && (
              <Panel title="Holdings">
                <Empty>There are no holdings.</Empty>
              </Panel>
            )}
            <Panel
              title="Offers"
              aside={<span class="faint">{plural(offers.length, 'transfer')} pending</span>}
            >
              {offers.length === 0 && <Empty>There are no pending transfers.</Empty>}
              {offers.map((offer) => (
                <article key={offer.contractId} class="card">
                  <header>
                    <strong>
                      {visible(offer.amount)} {visible(offer.instrument)}
                    </strong>
                    <span>
                      <Party party={offer.sender} plain /> → <Party party={offer.receiver} plain />
                    </span>
                    <ContractId id={offer.contractId} />
                    <Exercise contractId={offer.contractId} />
                  </header>
                  <p class="faint">
                    until <Timestamp at={offer.until} />
                    {offer.reason !== '' && (
                      <>
                        {' '}
                        · <Text text={offer.reason} />
                      </>
                    )}
                  </p>
                </article>
              ))}
            </Panel>
            <Panel
              title="Allocations"
              aside={<span class="faint">{plural(allocations.length, 'allocation')}</span>}
            >
              {allocations.length === 0 && <Empty>There are no allocations.</Empty>}
              {allocations.map((each) => (
                <article key={each.contractId} class="card">
                  <header>
                    <strong>
                      {visible(each.amount)} {visible(each.instrument)}
                    </strong>
                    <span>
                      <Party party={each.sender} plain /> → <Party party={each.receiver} plain />
                    </span>
                    <ContractId id={each.contractId} />
                    <Exercise contractId={each.contractId} />
                  </header>
                  <p class="faint">
                    leg <Text text={each.leg} /> · settled by <Party party={each.executor} plain />{' '}
                    before <Timestamp at={each.until} />
                  </p>
                </article>
              ))}
            </Panel>
          </div>
        )}
      </Answer>
    </div>
  );
}

const Exercise = ({ contractId }: { contractId: string }) => (
  <a class="faint" href={href(['do'], { contract: contractId })}>
    exercise
  </a>
);

interface Holding {
  readonly contractId: string;
  readonly owner: string;
  readonly admin: string;
  readonly instrument: string;
  readonly amount: string;
  readonly isLocked: boolean;
}

interface Named {
  readonly admin?: string;
  readonly id?: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const viewOf = ({ views }: InspectedContract): object | undefined =>
  (views?.[0]?.value ?? undefined) as object | undefined;

function holdingOf(contract: InspectedContract): Holding[] {
  const view = viewOf(contract) as
    | {
        owner?: string;
        account?: { owner?: string };
        instrumentId?: Named;
        amount?: string;
        lock?: unknown;
      }
    | undefined;
  if (view === undefined) return [];
  return [
    {
      contractId: contract.contractId,
      owner: textOf(view.owner ?? view.account?.owner),
      admin: textOf(view.instrumentId?.admin),
      instrument: textOf(view.instrumentId?.id),
      amount: textOf(view.amount),
      isLocked: view.lock !== null && view.lock !== undefined,
    },
  ];
}

function offerOf(contract: InspectedContract) {
  const view = viewOf(contract) as
    | {
        transfer?: {
          sender?: string;
          receiver?: string;
          amount?: string;
          instrumentId?: Named;
          executeBefore?: string;
          meta?: { values?: Record<string, string> };
        };
      }
    | undefined;
  const transfer = view?.transfer;
  if (transfer === undefined) return [];
  const { values = {} } = transfer.meta ?? {};
  return [
    {
      contractId: contract.contractId,
      sender: textOf(transfer.sender),
      receiver: textOf(transfer.receiver),
      amount: textOf(transfer.amount),
      instrument: textOf(transfer.instrumentId?.id),
      until: textOf(transfer.executeBefore),
      reason: textOf(values['splice.lfdecentralizedtrust.org/reason']),
    },
  ];
}

function allocationOf(contract: InspectedContract) {
  const view = viewOf(contract) as
    | {
        allocation?: {
          settlement?: { executor?: string; settleBefore?: string };
          transferLegId?: string;
          transferLeg?: {
            sender?: string;
            receiver?: string;
            amount?: string;
            instrumentId?: Named;
          };
        };
      }
    | undefined;
  const { settlement, transferLegId, transferLeg } = view?.allocation ?? {};
  if (transferLeg === undefined) return [];
  return [
    {
      contractId: contract.contractId,
      sender: textOf(transferLeg.sender),
      receiver: textOf(transferLeg.receiver),
      amount: textOf(transferLeg.amount),
      instrument: textOf(transferLeg.instrumentId?.id),
      leg: textOf(transferLegId),
      executor: textOf(settlement?.executor),
      until: textOf(settlement?.settleBefore),
    },
  ];
}

function instruments(
  holdings: readonly Holding[],
): readonly (readonly [string, readonly Holding[]])[] {
  const found = new Map<string, Holding[]>();
  for (const holding of holdings) {
    const key = `${holding.admin}\n${holding.instrument}`;
    found.set(key, [...(found.get(key) ?? []), holding]);
  }
  return [...found];
}

function Holdings({ holdings }: { holdings: readonly Holding[] }) {
  const [{ instrument, admin }] = holdings as [Holding, ...Holding[]];
  const owners = [...new Set(holdings.map(({ owner }) => owner))].sort();
  return (
    <Panel
      title={visible(instrument)}
      aside={
        <span class="faint">
          {sumOf(holdings.map(({ amount }) => amount))} in all · issued by{' '}
          <Party party={admin} plain />
        </span>
      }
    >
      {owners.map((owner) => {
        const own = holdings.filter((each) => each.owner === owner);
        const locked = own.filter(({ isLocked }) => isLocked);
        return (
          <details key={owner} class="owner">
            <summary>
              <Party party={owner} />
              <span class="mono amount">{sumOf(own.map(({ amount }) => amount))}</span>
              {locked.length > 0 && (
                <Badge kind="exercise">{sumOf(locked.map(({ amount }) => amount))} locked</Badge>
              )}
              <span class="faint">{plural(own.length, 'holding')}</span>
            </summary>
            <ul class="plain">
              {own.map(({ contractId, amount, isLocked }) => (
                <li key={contractId}>
                  <span class="mono amount">{visible(amount)}</span> <ContractId id={contractId} />{' '}
                  {isLocked && <Badge kind="exercise">locked</Badge>}
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </Panel>
  );
}
