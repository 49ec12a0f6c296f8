/** Compares the answers of a ledger over both transports, field by field. */
import type { GrpcClient } from './grpc/client.js';
import { expectSame } from './grpc/json.js';
import type { OpenLedger } from './shared-ledger-api.js';
import { eventFormat, updateFormat, wildcard, type LedgerApi, type Shape } from './ledger-api.js';

type Json = any;

const SHAPES: readonly Shape[] = ['ACS_DELTA', 'LEDGER_EFFECTS'];

/** The number of completions after an offset that a client sees, by user. */
function completionsBehind(api: LedgerApi, begin: number, parties: readonly string[]) {
  const { log } = api.canticle.network.participants[0]!;
  const counts = new Map<string, number>();
  for (let offset = begin + 1; offset <= log.end; offset += 1) {
    const completion = log.entry(offset)?.completion;
    if (completion?.userId === undefined) continue;
    if (!completion.actAs.some((party: string) => parties.includes(party))) continue;
    counts.set(completion.userId, (counts.get(completion.userId) ?? 0) + 1);
  }
  return counts;
}

/** @param begin the offset after which updates and completions are read */
export async function expectReadsTheSame(
  api: LedgerApi,
  grpc: GrpcClient,
  parties: readonly string[],
  begin: number,
): Promise<void> {
  const { body: ledgerEnd } = await api.client.ledger('GET', '/v2/state/ledger-end');
  const end: number = ledgerEnd.offset;
  expectSame(await grpc.call('StateService/GetLedgerEnd'), ledgerEnd);
  const wildcards = { cumulative: [{ wildcardFilter: { includeCreatedEventBlob: true } }] };
  const format = {
    filtersByParty: Object.fromEntries(parties.map((party) => [party, wildcards])),
    verbose: true,
  };
  const jsonFormat = eventFormat(parties, wildcard(true));
  const range = { beginExclusive: String(begin), endInclusive: String(end) };
  for (const shape of SHAPES) {
    const asMessage = {
      includeTransactions: { eventFormat: format, transactionShape: `TRANSACTION_SHAPE_${shape}` },
      includeReassignments: format,
    };
    const updates = await grpc.stream('UpdateService/GetUpdates', {
      ...range,
      updateFormat: asMessage,
    });
    const asJson = updateFormat(shape, jsonFormat);
    const overJson = (await api.updates(asJson, { beginExclusive: begin })).map(
      (update: object) => ({ update }),
    );
    expectSame(updates, overJson);
    const [first] = overJson;
    if (first === undefined) continue;
    const { offset } = first.update.Transaction?.value ?? first.update.Reassignment.value;
    const byOffset = { offset: String(offset), updateFormat: asMessage };
    expectSame(await grpc.call('UpdateService/GetUpdateByOffset', byOffset), {
      update: first.update,
    });
  }
  const acs = await grpc.stream('StateService/GetActiveContracts', {
    activeAtOffset: String(end),
    eventFormat: format,
  });
  const untold = (each: object) => ({ ...each, streamContinuationToken: '' });
  expectSame(acs.map(untold), (await api.acs(jsonFormat)).map(untold));
  const contractId = acs.find((each: Json) => each.activeContract)?.activeContract.createdEvent
    .contractId;
  if (contractId !== undefined)
    expectSame(
      await grpc.call('EventQueryService/GetEventsByContractId', {
        contractId,
        eventFormat: format,
      }),
      await api.ok('/v2/events/events-by-contract-id', { contractId, eventFormat: jsonFormat }),
    );
  for (const [userId, take] of completionsBehind(api, begin, parties)) {
    const request = { userId, parties: [...parties], beginExclusive: begin };
    expectSame(
      await grpc.stream('CommandCompletionService/CompletionStream', request, { take }),
      (await api.ok(`/v2/commands/completions?limit=${take}`, request)).map(
        ({ completionResponse }: Json) => ({ completion: completionResponse.Completion.value }),
      ),
    );
  }
  for (const party of parties.slice(0, 2))
    expectSame(
      await grpc.call('admin.PartyManagementService/GetParties', { parties: [party] }),
      (await api.client.ledger('GET', `/v2/parties/${encodeURIComponent(party)}`)).body,
    );
}

/**
 * Compares the transports for a sample of a suite: after a case that changed the ledger, it reads everything over
 * both transports. The ledger must serve gRPC.
 * @returns call it after each case
 */
export function sampleOf({ api, connect }: OpenLedger): () => Promise<void> {
  let isTaken = false;
  return async () => {
    if (isTaken || (await api.ledgerEnd()) === api.canticle.network.participants[0]!.log.prunedUpTo)
      return;
    const { body } = await api.client.ledger('GET', '/v2/parties?pageSize=1000');
    const parties = body.partyDetails
      .filter(({ isLocal }: Json) => isLocal)
      .map(({ party }: Json) => party);
    if (parties.length === 0) return;
    isTaken = true;
    const begin = api.canticle.network.participants[0]!.log.prunedUpTo;
    await expectReadsTheSame(api, await connect(), parties, begin);
  };
}
