/** Answers as they are printed, and the check that holds every answer of every test to its schema. */
import { operation } from '../../src/spec/operations.js';
import { completeResponse } from '../../src/spec/responses.js';
import { expectValid } from '../support/validate.js';

describe('optional members are written out (B-GEN-014)', () => {
  test('on the Ledger API as null; lists and maps as empty', async () => {
    const row = operation('ledger', 'postV2Parties');
    const body = completeResponse(row, 200, {
      partyDetails: { party: 'alice::1220', localMetadata: {} },
    });
    expect(body).toEqual({
      partyDetails: {
        party: 'alice::1220',
        isLocal: null,
        localMetadata: { resourceVersion: null, annotations: {} },
        identityProviderId: null,
      },
    });
    await expectValid('postV2Parties', 200, body);
  });

  test('in the error body too, for whichever status', async () => {
    const error = { code: 'NA', cause: 'why', context: {}, errorCategory: -1 };
    const body = completeResponse(operation('ledger', 'getV2Version'), 404, error);
    expect(body).toEqual({
      ...error,
      correlationId: null,
      traceId: null,
      resources: [],
      grpcCodeValue: null,
      retryInfo: null,
      definiteAnswer: null,
    });
    await expectValid('getV2Version', 404, body);
  });

  test('inside the present variant, and in maps', () => {
    const tree = { CreatedTreeEvent: { value: { offset: 1 } } };
    const row = operation('ledger', 'postV2CommandsSubmit-and-wait-for-transaction-tree');
    const body = completeResponse(row, 200, { transactionTree: { eventsById: { '0': tree } } }) as {
      transactionTree: {
        eventsById: Record<string, { CreatedTreeEvent: { value: Record<string, unknown> } }>;
      };
    };
    expect(body.transactionTree.eventsById['0']?.CreatedTreeEvent.value).toMatchObject({
      offset: 1,
      contractKey: null,
      observers: [],
    });
  });

  test('free JSON remains unchanged', () => {
    const row = operation('ledger', 'postV2EventsEvents-by-contract-id');
    const createArgument = { note: null, nested: {} };
    const body = completeResponse(row, 200, { created: { createdEvent: { createArgument } } }) as {
      created: { createdEvent: { createArgument: unknown } };
    };
    expect(body.created.createdEvent.createArgument).toEqual(createArgument);
  });

  test('on Scan, save the external hash of an update (S-GEN-023, S-GEN-024)', () => {
    const row = operation('scan', 'getUpdateByIdV2');
    const update = {
      update_id: 'u',
      events_by_id: {},
      root_event_ids: [],
      migration_id: 0,
      workflow_id: '',
      record_time: '',
      synchronizer_id: '',
      effective_at: '',
    };
    expect(completeResponse(row, 200, update)).toEqual(update);
    const history = completeResponse(operation('scan', 'getVersion'), 200, { version: '1' });
    expect(history).toEqual({ version: '1' });
  });
});

describe('the check of answers', () => {
  const end = 'getV2StateLedger-end';
  test('accepts null for an optional field', () => expectValid(end, 200, { offset: null }));
  test.each<[string, number, unknown]>([
    ['another type', 200, { offset: '7' }],
    ['no object', 200, []],
    ['an error without its code', 404, { cause: '', context: {}, errorCategory: 1 }],
  ])('refuses %s', async (_name, status, body) => {
    await expect(expectValid(end, status, body)).rejects.toThrow('does not fit its schema');
  });
  test('refuses a status that the document does not have', async () => {
    await expect(expectValid('getUpdateById', 418, {}, 'scan')).rejects.toThrow('answered 418');
  });
});
