/** Conformance: requests at once, and what their order must be whatever it is. */
import { create, createAndExercise, eventFormat, exercise } from '../../support/ledger-api.js';
import { key, keysPackage } from '../../support/daml/keys-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import {
  createdEvents,
  exercisedEvents,
  transactionsFor,
  transactionsIn,
} from '../support/events.js';
import { expectBefore, raced } from '../support/races.js';
import { conformanceSuite } from '../support/suite.js';

const api = useLedgerApi({
  grpc: true,
  packages: [keysPackage],
});
const [alice] = useParties(api, 'alice');

const made = (entity: string, payload: object) =>
  api.create(key(entity), payload, { actAs: alice });
const FIVE = Array.from({ length: 5 });
const atOnce = (command: unknown) =>
  Promise.all(
    FIVE.map(() =>
      api.post('/v2/commands/submit-and-wait', api.commands(command, { actAs: alice })),
    ),
  );
const effects = async (beginExclusive: number) =>
  transactionsIn(await api.updates(transactionsFor('LEDGER_EFFECTS', [alice]), { beginExclusive }));

conformanceSuite('RaceConditionIT', {}, (reproduce, answerOtherwise) => {
  const payload = { owner: alice, number: 'one', readers: [] };
  const account = () => made('Account', payload);
  const another = create(key('Account'), payload);
  const clerk = () => made('Clerk', { owner: alice, delegate: alice });
  const close = (contractId: string) => exercise(key('Account'), contractId, 'Close');
  const lookUp = async () =>
    exercise(key('Clerk'), await clerk(), 'Lookup', { key: { _1: alice, _2: 'one' } });

  reproduce('WWDoubleArchive', 'accepts one of five concurrent archivals', async () => {
    const contractId = await account();
    const begin = await api.ledgerEnd();
    const answers = await atOnce(close(contractId));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(4);
    for (const answer of refused) await expectRefused(answer, 'CONTRACT_NOT_FOUND');
    const archivals = (await effects(begin)).flatMap(exercisedEvents);
    expect(archivals).toMatchObject([{ contractId, choice: 'Close', consuming: true }]);
  });

  reproduce(
    'RWArchiveVsNonConsumingChoice',
    'rejects each exercise after the archival',
    async () => {
      const badge = await made('Badge', { owner: alice });
      const archive = exercise(key('Badge'), badge, 'Archive');
      const touch = exercise(key('Badge'), badge, 'Touch', { by: alice });
      await expectBefore(await raced(api, alice, 10, archive, touch), 'CONTRACT_NOT_FOUND');
    },
  );

  reproduce('RWArchiveVsFetch', 'rejects each fetch after the archival', async () => {
    const contractId = await account();
    const fetch = exercise(key('Clerk'), await clerk(), 'FetchById', { id: contractId });
    await expectBefore(await raced(api, alice, 10, close(contractId), fetch), 'CONTRACT_NOT_FOUND');
  });

  reproduce(
    'RWArchiveVsLookupByKey',
    'the look-up finds the contract before its archival only',
    async () => {
      const contractId = await account();
      const { one, accepted } = await raced(api, alice, 20, close(contractId), await lookUp());
      expect(accepted).toHaveLength(19);
      for (const transaction of accepted) {
        const [{ exerciseResult }] = exercisedEvents(transaction);
        expect(exerciseResult).toBe(transaction.offset < one.offset ? contractId : null);
      }
    },
  );

  reproduce(
    'RWArchiveVsFailedLookupByKey',
    'the look-up finds the contract after its creation only',
    async () => {
      const { one, accepted } = await raced(api, alice, 5, another, await lookUp());
      const [{ contractId }] = createdEvents(one);
      expect(accepted).toHaveLength(4);
      for (const transaction of accepted) {
        const [{ exerciseResult }] = exercisedEvents(transaction);
        expect(exerciseResult).toBe(transaction.offset < one.offset ? null : contractId);
      }
    },
  );

  // The following cases were written for unique keys.

  answerOtherwise(
    'WWDoubleNonTransientCreate',
    'accepts five contracts with the same key',
    async () => {
      for (const { status } of await atOnce(another)) expect(status).toBe(200);
      const active = await api.active(eventFormat([alice]));
      expect(active).toHaveLength(5);
      expect(
        new Set(active.map(({ contractKeyHash }: { contractKeyHash: string }) => contractKeyHash))
          .size,
      ).toBe(1);
    },
  );

  answerOtherwise(
    'WWArchiveVsNonTransientCreate',
    'accepts a second contract with the key before and after the archival',
    async () => {
      const { one, accepted } = await raced(api, alice, 3, close(await account()), another);
      expect(exercisedEvents(one)).toHaveLength(1);
      expect(accepted.flatMap(createdEvents)).toHaveLength(2);
    },
  );

  answerOtherwise(
    'RWTransientCreateVsNonTransientCreate',
    'accepts transient contracts before and after another contract with the key',
    async () => {
      const transient = createAndExercise(key('Account'), payload, 'Close');
      const { one, accepted } = await raced(api, alice, 20, another, transient);
      expect(accepted).toHaveLength(19);
      expect(accepted.some(({ offset }) => offset > one.offset)).toBe(true);
    },
  );
});
