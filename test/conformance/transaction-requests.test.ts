/** Conformance: how reads are checked, ids of the wrong type, contracts by id, many submitters; time, state and TLS. */
import { createHash } from 'node:crypto';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';
import {
  create,
  createAndExercise,
  eventFormat,
  exercise,
  type Told,
} from '../support/ledger-api.js';
import { model } from '../support/model-package.js';
import { agreements, agreementsPackage } from './support/agreements.js';
import { transactionsFor } from './support/events.js';
import { conformanceSuite } from './support/suite.js';

const api = useLedgerApi({ packages: [agreementsPackage] });
const [alice, bob] = useParties(api, 'alice', 'bob');

/** An id that no update has. */
const SOME_UPDATE = `1220${createHash('sha256').update('some update').digest('hex')}`;

const dummy = () => api.create(model('Dummy'), { operator: alice }, { actAs: alice });

/** Status, code and text of a refusal. */
async function refused(path: string, body: unknown) {
  const answer = await api.post(path, body);
  return [answer.status, answer.body.code, answer.body.cause];
}

conformanceSuite('TransactionServiceValidationIT', {}, (reproduce) => {
  const format = transactionsFor('ACS_DELTA', [alice]);

  reproduce('TXRejectEmptyFilter', 'no party and no filter for any', async () => {
    const updateFormat = {
      includeTransactions: {
        eventFormat: { filtersByParty: {}, verbose: true },
        transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
      },
    };
    expect(await refused('/v2/updates', { beginExclusive: 0, updateFormat })).toEqual([
      400,
      'INVALID_ARGUMENT',
      expect.stringContaining(
        'filtersByParty and filtersForAnyParty cannot be empty simultaneously',
      ),
    ]);
  });

  reproduce('TXRejectBeginAfterEnd', 'OFFSET_OUT_OF_RANGE', async () => {
    const earlier = await api.ledgerEnd();
    await dummy();
    const range = { beginExclusive: await api.ledgerEnd(), endInclusive: earlier };
    expect(await refused('/v2/updates', { ...range, updateFormat: format })).toEqual([
      400,
      'OFFSET_OUT_OF_RANGE',
      expect.stringContaining('is before begin offset'),
    ]);
  });

  const MISSING = [
    400,
    'MISSING_FIELD',
    'The submitted command is missing a mandatory field: update_format',
  ];
  reproduce('TXUpdateByIdWithoutParty', 'MISSING_FIELD', async () => {
    expect(await refused('/v2/updates/update-by-id', { updateId: SOME_UPDATE })).toEqual(MISSING);
  });
  reproduce('TXUpdateByOffsetWithoutParty', 'MISSING_FIELD', async () => {
    expect(await refused('/v2/updates/update-by-offset', { offset: 42 })).toEqual(MISSING);
  });

  reproduce('TXTransactionByOffsetInvalid', 'NON_POSITIVE_OFFSET', async () => {
    const request = { offset: -21, updateFormat: format };
    expect(await refused('/v2/updates/update-by-offset', request)).toEqual([
      400,
      'NON_POSITIVE_OFFSET',
      'Offset -21 in offset is not a positive integer: the offset has to be a positive integer (>0)',
    ]);
  });
});

conformanceSuite('WronglyTypedContractIdIT', {}, (reproduce) => {
  const fake = (contractId: string) =>
    exercise(model('WithParam'), contractId, 'Set', { number: '1' });
  const submit = (...commands: unknown[]) =>
    refused('/v2/commands/submit-and-wait', api.commands(commands, { actAs: alice }));
  const REFUSAL = [
    400,
    'WRONGLY_TYPED_CONTRACT',
    expect.stringContaining('wrongly typed contract id'),
  ];

  reproduce('WTExerciseFails', 'WRONGLY_TYPED_CONTRACT', async () => {
    expect(await submit(fake(await dummy()))).toEqual(REFUSAL);
  });

  reproduce('WTMultipleExerciseFails', 'also behind an exercise that is right', async () => {
    const contractId = await dummy();
    const right = exercise(model('Dummy'), contractId, 'Look');
    expect(await submit(right, fake(contractId))).toEqual(REFUSAL);
  });
});

conformanceSuite('ContractServiceIT', {}, (reproduce) => {
  const contract = (queryingParties: string[], contractId: string) =>
    api.post('/v2/contracts/contract-by-id', { queryingParties, contractId });

  reproduce('CSNotFound', 'CONTRACT_PAYLOAD_NOT_FOUND for a stranger', async () => {
    const { status, body } = await contract([bob], await dummy());
    expect([status, body.code, body.cause]).toEqual([
      404,
      'CONTRACT_PAYLOAD_NOT_FOUND',
      'Contract payload not found, or not visible.',
    ]);
  });

  reproduce(['CSanyParty', 'CSforParty'], 'it is found, with its blob', async (caseId) => {
    const contractId = await dummy();
    const { body } = await contract(caseId === 'CSforParty' ? [alice] : [], contractId);
    expect(body.createdEvent.contractId).toBe(contractId);
    expect(body.createdEvent.createdEventBlob).not.toBe('');
  });
});

conformanceSuite('ValueLimitsIT', {}, (reproduce) => {
  reproduce('VLLargeSubmittersNumberCreateContract', 'fifty parties submit together', async () => {
    const parties = Array.from({ length: 50 }, (_, index) =>
      api.canticle.participant.allocateParty(`party-${index}-${'x'.repeat(100)}`),
    );
    const [first] = parties as [string];
    await api.submit(create(model('Dummy'), { operator: first }), {
      actAs: parties,
      readAs: parties,
    });
    expect(await api.active(eventFormat([first]))).toHaveLength(1);
  });
});

conformanceSuite('StateServiceIT', {}, (reproduce) => {
  reproduce('StateServiceGetConnectedSynchronizersWithoutParty', 'all are listed', async () => {
    const { status, body } = await api.client.ledger('GET', '/v2/state/connected-synchronizers');
    expect(status).toBe(200);
    expect(body.connectedSynchronizers.map((each: Told) => each.synchronizerId)).toEqual(
      api.canticle.network.synchronizers.map(({ id }) => id),
    );
  });
});

// The real TimeService speaks gRPC alone; Canticle's clock is told the time under /canticle/v1.
conformanceSuite(
  'TimeServiceIT',
  { notApplicable: { TSTimeAdvancementCanFail: 'JSON has no call that names the time before' } },
  (reproduce) => {
    const now = async (): Promise<string> =>
      (await api.client.control('GET', '/v1/time')).body.time;
    const advance = (duration: string) =>
      api.client.control('POST', '/v1/time/advance', { duration });
    const guarded = (begin: string, end: string) =>
      createAndExercise(agreements('CreateAndFetch'), { party: alice }, 'ConsumeIfTimeIsBetween', {
        begin,
        end,
      });
    const day = (date: string) => `${date}T00:00:00Z`;
    /** From a day before to an hour before it is over: only later than now. */
    const tomorrow = [day('2026-01-02'), day('2026-01-03')] as const;

    reproduce('TSTimeIsStatic', 'it stands still', async () => {
      const time = await now();
      await new Promise((resolve) => setImmediate(resolve));
      expect(await now()).toBe(time);
    });

    reproduce('TSTimeCanBeAdvanced', 'it is set forward', async () => {
      const time = await now();
      await advance('PT1H');
      expect(Date.parse(await now()) - Date.parse(time)).toBe(3_600_000);
    });

    reproduce('TSFailWhenTimeNotAdvanced', 'a choice that time guards is refused', async () => {
      expect(await api.submitRefusal(guarded(...tomorrow), { actAs: alice })).toBe('DAML_FAILURE');
    });

    reproduce('TSSucceedWhenTimeAdvanced', 'it passes once time has come', async () => {
      await advance('P1D');
      expect(await api.submitRefusal(guarded(...tomorrow), { actAs: alice })).toBe('accepted');
    });
  },
);

const TLS = 'handshakes of the gRPC port';

conformanceSuite('TLSOnePointThreeIT', {
  notApplicable: {
    ServerOnTLSv13ConnectionFromClientOnTLSv12andTLSv13: TLS,
    ServerOnTLSv13ConnectionFromClientOnTLSv13: TLS,
    ServerOnTLSv13ConnectionFromClientOnTLSv12: TLS,
    ServerOnTLSv13ConnectionFromClientOnTLSv11: TLS,
    ServerOnTLSv13ConnectionFromClientOnTLSv1: TLS,
  },
});

conformanceSuite('TLSAtLeastOnePointTwoIT', {
  notApplicable: {
    ServerOnTLSConnectionFromClientOnTLSv12andTLSv13: TLS,
    ServerOnTLSConnectionFromClientOnTLSv13: TLS,
    ServerOnTLSConnectionFromClientOnTLSv12: TLS,
    ServerOnTLSConnectionFromClientOnTLSv11: TLS,
    ServerOnTLSConnectionFromClientOnTLSv1: TLS,
  },
});
