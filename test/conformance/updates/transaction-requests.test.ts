/** Conformance: how reads are checked, ids of the wrong type, contracts by id, many submitters; time and state. */
import { createHash } from 'node:crypto';
import { GrpcClient } from '../../support/grpc/client.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { create, eventFormat, exercise, type JsonAnswer } from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
import { agreements, agreementsPackage } from '../support/agreements.js';
import { transactionsFor } from '../support/events.js';
import { conformanceSuite } from '../support/suite.js';

const api = useLedgerApi({ packages: [agreementsPackage], grpc: true });
const [alice, bob] = useParties(api, 'alice', 'bob');

/** An id that no update has. */
const SOME_UPDATE = `1220${createHash('sha256').update('some update').digest('hex')}`;

const dummy = () => api.create(model('Dummy'), { operator: alice }, { actAs: alice });

const SUBMIT = '/v2/commands/submit-and-wait';
const submit = (...commands: unknown[]) =>
  api.post(SUBMIT, api.commands(commands, { actAs: alice }));

conformanceSuite('TransactionServiceValidationIT', {}, (reproduce) => {
  const format = transactionsFor('ACS_DELTA', [alice]);

  reproduce('TXRejectEmptyFilter', 'rejects a format without filters', async () => {
    const updateFormat = {
      includeTransactions: {
        eventFormat: { filtersByParty: {}, verbose: true },
        transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
      },
    };
    await expectRefused(
      api.post('/v2/updates', { beginExclusive: 0, updateFormat }),
      'INVALID_ARGUMENT',
      { cause: 'filtersByParty and filtersForAnyParty cannot be empty simultaneously' },
    );
  });

  reproduce('TXRejectBeginAfterEnd', 'OFFSET_OUT_OF_RANGE', async () => {
    const earlier = await api.ledgerEnd();
    await dummy();
    const range = { beginExclusive: await api.ledgerEnd(), endInclusive: earlier };
    await expectRefused(
      api.post('/v2/updates', { ...range, updateFormat: format }),
      'OFFSET_OUT_OF_RANGE',
      { cause: 'is before begin offset' },
    );
  });

  const cause = 'The submitted command is missing a mandatory field: update_format';
  reproduce('TXUpdateByIdWithoutParty', 'MISSING_FIELD', async () => {
    const request = { updateId: SOME_UPDATE };
    await expectRefused(api.post('/v2/updates/update-by-id', request), 'MISSING_FIELD', { cause });
  });
  reproduce('TXUpdateByOffsetWithoutParty', 'MISSING_FIELD', async () => {
    const request = { offset: 42 };
    const answering = api.post('/v2/updates/update-by-offset', request);
    await expectRefused(answering, 'MISSING_FIELD', { cause });
  });

  reproduce('TXTransactionByOffsetInvalid', 'NON_POSITIVE_OFFSET', async () => {
    const request = { offset: -21, updateFormat: format };
    const answering = api.post('/v2/updates/update-by-offset', request);
    await expectRefused(answering, 'NON_POSITIVE_OFFSET', {
      cause:
        'Offset -21 in offset is not a positive integer: the offset has to be a positive integer (>0)',
    });
  });
});

conformanceSuite('WronglyTypedContractIdIT', {}, (reproduce) => {
  const fake = (contractId: string) =>
    exercise(model('WithParam'), contractId, 'Set', { number: '1' });
  const expectWronglyTyped = (...commands: unknown[]) =>
    expectRefused(submit(...commands), 'WRONGLY_TYPED_CONTRACT', {
      cause: 'wrongly typed contract id',
      definite: false,
    });

  reproduce('WTExerciseFails', 'WRONGLY_TYPED_CONTRACT', async () => {
    await expectWronglyTyped(fake(await dummy()));
  });

  reproduce(
    'WTMultipleExerciseFails',
    'rejects the second exercise, although the first is valid',
    async () => {
      const contractId = await dummy();
      const right = exercise(model('Dummy'), contractId, 'Look');
      await expectWronglyTyped(right, fake(contractId));
    },
  );
});

conformanceSuite('ContractServiceIT', {}, (reproduce) => {
  const contract = (queryingParties: string[], contractId: string) =>
    api.post('/v2/contracts/contract-by-id', { queryingParties, contractId });

  reproduce(
    'CSNotFound',
    'returns CONTRACT_PAYLOAD_NOT_FOUND to a party that is not a stakeholder',
    async () => {
      await expectRefused(contract([bob], await dummy()), 'CONTRACT_PAYLOAD_NOT_FOUND', {
        cause: 'Contract payload not found, or not visible.',
        definite: false,
      });
    },
  );

  reproduce(['CSanyParty', 'CSforParty'], 'returns the contract with its blob', async (caseId) => {
    const contractId = await dummy();
    const readers = caseId === 'CSforParty' ? [alice] : [];
    const { status, body } = await contract(readers, contractId);
    expect([status, body.createdEvent.contractId]).toEqual([200, contractId]);
    expect(body.createdEvent.createdEventBlob).toEqual(expect.stringMatching(/.+/));
  });
});

conformanceSuite('ValueLimitsIT', {}, (reproduce) => {
  reproduce(
    'VLLargeSubmittersNumberCreateContract',
    'accepts a submission of fifty parties',
    async () => {
      const parties = Array.from({ length: 50 }, (_, index) =>
        api.canticle.participant.allocateParty(`party-${index}-${'x'.repeat(100)}`),
      );
      const [first] = parties as [string];
      const { events } = await api.transact(create(model('Dummy'), { operator: first }), {
        actAs: parties,
        readAs: parties,
      });
      expect(events).toMatchObject([{ CreatedEvent: { signatories: [first] } }]);
      const { contractId } = events[0].CreatedEvent;
      expect(await api.active(eventFormat([first]))).toMatchObject([{ contractId }]);
    },
  );
});

conformanceSuite('StateServiceIT', {}, (reproduce) => {
  reproduce(
    'StateServiceGetConnectedSynchronizersWithoutParty',
    'lists all synchronizers',
    async () => {
      const { status, body } = await api.client.ledger('GET', '/v2/state/connected-synchronizers');
      expect(status).toBe(200);
      expect(body.connectedSynchronizers.map((each: JsonAnswer) => each.synchronizerId)).toEqual(
        api.canticle.network.synchronizers.map(({ id }) => id),
      );
    },
  );
});

// The real TimeService speaks gRPC only; the test sets Canticle's clock under /canticle/v1.
conformanceSuite('TimeServiceIT', {}, (reproduce, _, overJson) => {
  const now = async (): Promise<string> => (await api.client.control('GET', '/v1/time')).body.time;
  const set = async (time: string) => {
    const { status } = await api.client.control('PUT', '/v1/time', { time });
    expect(status).toBe(200);
  };
  const later = (time: string, seconds: number) =>
    new Date(Date.parse(time) + seconds * 1000).toISOString();
  /** An exercise, after `seconds`, of a choice that succeeds only after half a minute. */
  const guarded = async (seconds: number) => {
    const time = await now();
    const self = agreements('CreateAndFetch');
    const contractId = await api.create(self, { party: alice }, { actAs: alice });
    await set(later(time, seconds));
    return submit(
      exercise(self, contractId, 'ConsumeIfTimeIsBetween', {
        begin: later(time, 30),
        end: later(time, 60),
      }),
    );
  };

  reproduce('TSTimeAdvancementCanFail', 'rejects a wrong current time, over gRPC', async () => {
    const grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
    const time = await now();
    const refused = grpc.call('testing.TimeService/SetTime', {
      currentTime: later(time, 1),
      newTime: later(time, 30),
    });
    await expect(refused).rejects.toMatchObject({
      message: expect.stringContaining('current_time mismatch'),
      details: { ErrorInfo: { reason: 'INVALID_ARGUMENT' } },
    });
    grpc.close();
  });

  overJson('TSTimeIsStatic', 'the time does not change without a request', async () => {
    const time = await now();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await now()).toBe(time);
  });

  overJson('TSTimeCanBeAdvanced', 'sets the time to the requested one', async () => {
    const time = await now();
    await set(later(time, 30));
    expect(Date.parse(await now())).toBe(Date.parse(later(time, 30)));
  });

  reproduce('TSFailWhenTimeNotAdvanced', 'rejects a choice before its earliest time', async () => {
    const { errorCategory } = await expectRefused(guarded(29), 'DAML_FAILURE', {
      cause: 'UNHANDLED_EXCEPTION',
      definite: false,
    });
    expect(errorCategory).toBe(9);
  });

  reproduce('TSSucceedWhenTimeAdvanced', 'accepts a choice at its earliest time', async () => {
    expect((await guarded(30)).status).toBe(200);
  });
});
