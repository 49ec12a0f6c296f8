/** After random commands: what the lists and pages tell, whole and in parts, is the history that the model foresaw. */
import fc from 'fast-check';
import { eventFormat, updateFormat, wildcard, type JsonAnswer } from '../support/ledger-api.js';
import { check, isUsualRun } from '../support/property.js';
import { steps, type Step } from './commands.js';
import { EVERYONE, homeOf, HOSTS, STRANGER, type Host } from './model/world.js';
import { timeText, type RealLedger } from './real-ledger.js';
import { SideBySide } from './side-by-side.js';

/** The gRPC status code of DUPLICATE_COMMAND. */
/** By what the model says that a submission came to. */
const GRPC_CODES: Readonly<Record<string, number>> = {
  accepted: 0,
  moved: 0,
  REASSIGNMENT_VALIDATION_FAILED: 5,
  DUPLICATE_COMMAND: 6,
};

const pageSizes = fc.integer({ min: 1, max: 12 });

/** More than any of these histories has: a list that goes round ends as a failure. */
const MAX_PAGES = 200;

const formatOf = (real: RealLedger, host: Host) =>
  eventFormat(EVERYONE.filter((party) => homeOf(party) === host).map(real.party), wildcard());

/** The first number has a step do what it says; the others put the migration a moment off, under the next id. */
const migration: readonly Step[] = [
  { verb: 'schedule', picks: [0, 150, 1] },
  { verb: 'migrate', picks: [0] },
];
const stepsAcrossMigration = fc
  .tuple(steps, steps)
  .map(([before, after]) => [...before, ...migration, ...after]);

/** Follows the tokens of pages to the last. */
async function allPages(
  real: RealLedger,
  host: Host,
  path: string,
  body: object,
  items: string,
): Promise<JsonAnswer[]> {
  const found: JsonAnswer[] = [];
  let pageToken: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page: JsonAnswer = await real.on(host, path, { ...body, pageToken });
    found.push(...page[items]);
    pageToken = page.nextPageToken;
    if (!pageToken) return found;
  }
  throw new Error(`${path} has no last page: ${MAX_PAGES} were read.`);
}

/** Follows Scan from each page's last item to the end. */
async function allOfScan(real: RealLedger, page_size: number): Promise<JsonAnswer[]> {
  const items: JsonAnswer[] = [];
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const last = items.at(-1);
    const after = last && {
      after_migration_id: migrationOf(last),
      after_record_time: last.record_time,
    };
    const { transactions } = await real.request('/api/scan/v2/updates', { page_size, after });
    items.push(...transactions);
    if (transactions.length < page_size) return items;
  }
  throw new Error(`Scan has no last page: ${MAX_PAGES} were read.`);
}

test('the Ledger API: pages of any size and order together contain the whole list of updates', () =>
  check(
    fc.asyncProperty(steps, pageSizes, async (list, maxPageSize) => {
      const { real } = await new SideBySide().run(list);
      for (const host of HOSTS) {
        const endInclusive = real.host(host).ledgerEnd;
        const format = updateFormat('LEDGER_EFFECTS', formatOf(real, host));
        const whole: JsonAnswer[] = await real.on(host, '/v2/updates?limit=200', {
          beginExclusive: 0,
          endInclusive,
          updateFormat: format,
        });
        const offsets = whole.map(
          ({ update }) => Object.values<JsonAnswer>(update)[0].value.offset,
        );
        expect(offsets).toEqual([...new Set(offsets)].sort((a, b) => a - b));
        const updates = whole.map(({ update }) => ({ update }));
        const range = { beginOffsetExclusive: 0, endOffsetInclusive: endInclusive };
        for (const descendingOrder of [false, true]) {
          const body = { ...range, maxPageSize, descendingOrder, updateFormat: format };
          const paged = await allPages(real, host, '/v2/updates/get-updates-page', body, 'updates');
          expect(descendingOrder ? paged.reverse() : paged).toEqual(updates);
        }
      }
    }),
    { numRuns: 10 },
  ));

test('the Ledger API: pages of any size together contain the active contracts', () =>
  check(
    fc.asyncProperty(steps, pageSizes, async (list, maxPageSize) => {
      const { real } = await new SideBySide().run(list);
      for (const host of HOSTS) {
        const request = {
          eventFormat: formatOf(real, host),
          activeAtOffset: real.host(host).ledgerEnd,
        };
        const whole: JsonAnswer[] = await real.on(host, '/v2/state/active-contracts', request);
        const path = '/v2/state/active-contracts-page';
        const paged = await allPages(
          real,
          host,
          path,
          { ...request, maxPageSize },
          'activeContracts',
        );
        // Only the list can be continued from each of its entries.
        expect(paged).toEqual(whole.map((entry) => ({ ...entry, streamContinuationToken: '' })));
      }
    }),
    { numRuns: 10 },
  ));

test('Scan: pages of any size, before and after a migration, contain the sequenced updates with times and migrations', async () => {
  let across = 0;
  await check(
    fc.asyncProperty(stepsAcrossMigration, pageSizes, async (list, page_size) => {
      const { real, model, before } = await new SideBySide().run(list);
      const items = await allOfScan(real, page_size);
      const beforeThat = items.length - model.history.length;
      expect(beforeThat).toBe(before.history);
      expect(items.slice(beforeThat).map(kindOf)).toEqual(
        model.history.map(
          ({ kind, time, migration }) => `${kind} ${timeText(time)} under ${migration}`,
        ),
      );
      if (new Set(items.map(migrationOf)).size > 1) across++;
    }),
    { numRuns: 8 },
  );
  if (isUsualRun) expect(across).toBeGreaterThan(3);
});

test('completions: one for each command that was accepted, or rejected after sequencing, at its offset', () =>
  check(
    fc.asyncProperty(steps, async (list) => {
      const { real, model, before } = await new SideBySide().run(list);
      for (const [index, host] of HOSTS.entries()) {
        const start = before.ends[index]!;
        const entries: JsonAnswer[] = await real.on(
          host,
          '/v2/commands/completions?stream_idle_timeout_ms=1',
          {
            userId: 'tester',
            parties: EVERYONE.map(real.party),
            beginExclusive: start,
          },
        );
        const completions = entries.flatMap(
          ({ completionResponse }) => completionResponse.Completion?.value ?? [],
        );
        expect(
          completions.map(({ commandId, offset, status }) => [
            commandId,
            offset - start,
            status.code,
          ]),
        ).toEqual(
          model.completions
            .filter(({ at }) => at === host)
            .map(({ commandId, offset, code }) => [commandId, offset, GRPC_CODES[code]]),
        );
      }
    }),
    { numRuns: 10 },
  ));

test('a party that is not a stakeholder receives no events, regardless of other transactions', () =>
  check(
    fc.asyncProperty(steps, async (list) => {
      const { real } = await new SideBySide().run(list);
      const format = eventFormat([real.party(STRANGER)], wildcard());
      const host = homeOf(STRANGER);
      const endInclusive = real.host(host).ledgerEnd;
      for (const shape of ['ACS_DELTA', 'LEDGER_EFFECTS'] as const) {
        const body = { beginExclusive: 0, endInclusive, updateFormat: updateFormat(shape, format) };
        expect(await real.on(host, '/v2/updates', body)).toEqual([]);
      }
      const request = { eventFormat: format, activeAtOffset: endInclusive };
      expect(await real.on(host, '/v2/state/active-contracts', request)).toEqual([]);
    }),
    { numRuns: 10 },
  ));

const migrationOf = (item: JsonAnswer): number => item.migration_id ?? item.event.migration_id;

function kindOf(item: JsonAnswer): string {
  const kind =
    item.event === undefined
      ? 'transaction'
      : 'created_event' in item.event
        ? 'assigned'
        : 'unassigned';
  return `${kind} ${item.record_time} under ${migrationOf(item)}`;
}
