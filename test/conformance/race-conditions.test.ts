/** Conformance: requests at once, and what their order must be whatever it is. */
import { eventFormat, exercise, transactionFormat } from '../support/ledger-api.js';
import { key, keysPackage } from '../support/keys-package.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';
import { exercisedEvents } from './support/events.js';
import { conformanceSuite } from './support/suite.js';

const api = useLedgerApi({ packages: [keysPackage] });
const [alice] = useParties(api, 'alice');

const made = (entity: string, payload: object) =>
  api.create(key(entity), payload, { actAs: alice });
const submit = (command: unknown) =>
  api.post('/v2/commands/submit-and-wait-for-transaction', {
    commands: api.commands(command, { actAs: alice }),
    transactionFormat: transactionFormat('LEDGER_EFFECTS', eventFormat([alice])),
  });

/** So many requests at once, of which one archives. @returns the archival's offset, and what the others answer */
async function raced(count: number, archival: unknown, other: unknown) {
  const middle = count >> 1;
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => submit(index === middle ? archival : other)),
  );
  const [archived] = answers.splice(middle, 1);
  expect(archived).toMatchObject({ status: 200 });
  return { archivedAt: archived!.body.transaction.offset as number, answers };
}

const UNIQUE = 'written for unique keys; left out upstream, too';

conformanceSuite(
  'RaceConditionIT',
  {
    notApplicable: {
      WWDoubleNonTransientCreate: UNIQUE,
      WWArchiveVsNonTransientCreate: UNIQUE,
      RWTransientCreateVsNonTransientCreate: UNIQUE,
      RWArchiveVsFailedLookupByKey: UNIQUE,
    },
  },
  (reproduce) => {
    const at = { _1: alice, _2: 'one' };
    const account = () => made('Account', { owner: alice, number: 'one', readers: [] });
    const clerk = () => made('Clerk', { owner: alice, delegate: alice });
    const close = (contractId: string) => exercise(key('Account'), contractId, 'Close');

    reproduce('WWDoubleArchive', 'one of five succeeds', async () => {
      const contractId = await account();
      const answers = await Promise.all(Array.from({ length: 5 }, () => submit(close(contractId))));
      const codes = answers.map(({ status, body }) => (status === 200 ? 'archived' : body.code));
      expect(codes.sort()).toEqual([...Array<string>(4).fill('CONTRACT_NOT_FOUND'), 'archived']);
    });

    /** All that succeed do so before the archival; some do, and some do not. */
    function expectBefore(
      archivedAt: number,
      answers: Awaited<ReturnType<typeof submit>>[],
      code: string,
    ): void {
      const succeeded = answers.filter(({ status }) => status === 200);
      for (const { body } of succeeded) expect(body.transaction.offset).toBeLessThan(archivedAt);
      expect(succeeded).not.toEqual([]);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set([code]));
    }

    reproduce('RWArchiveVsNonConsumingChoice', 'no exercise follows the archival', async () => {
      const badge = await made('Badge', { owner: alice });
      const touch = exercise(key('Badge'), badge, 'Touch', { by: alice });
      const { archivedAt, answers } = await raced(
        10,
        exercise(key('Badge'), badge, 'Archive'),
        touch,
      );
      expectBefore(archivedAt, answers, 'CONTRACT_NOT_FOUND');
    });

    reproduce('RWArchiveVsFetch', 'no fetch follows the archival', async () => {
      const contractId = await account();
      const fetch = exercise(key('Clerk'), await clerk(), 'FetchById', { id: contractId });
      const { archivedAt, answers } = await raced(10, close(contractId), fetch);
      expectBefore(archivedAt, answers, 'CONTRACT_NOT_FOUND');
    });

    reproduce('RWArchiveVsLookupByKey', 'it is found before the archival alone', async () => {
      const contractId = await account();
      const lookup = exercise(key('Clerk'), await clerk(), 'Lookup', { key: at });
      const { archivedAt, answers } = await raced(20, close(contractId), lookup);
      for (const { body } of answers) {
        const [{ exerciseResult }] = exercisedEvents(body.transaction);
        expect(exerciseResult === contractId).toBe(body.transaction.offset < archivedAt);
      }
    });
  },
);
