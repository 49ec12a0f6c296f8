/** Answers as they are printed, and the check that holds every answer of every test to its schema. */
import { operation } from '../../src/spec/operations.js';
import { completeResponse } from '../../src/spec/responses.js';
import { expectValid } from '../support/validate.js';

describe('optional members are written (B-GEN-014)', () => {
  test('on the Ledger API as null, and as empty lists and maps', async () => {
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

  test('in an error body of any status', async () => {
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

  test('in the present variant, and in maps', () => {
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

  test('but free JSON is unchanged', () => {
    const row = operation('ledger', 'postV2EventsEvents-by-contract-id');
    const createArgument = { note: null, nested: {} };
    const body = completeResponse(row, 200, { created: { createdEvent: { createArgument } } }) as {
      created: { createdEvent: { createArgument: unknown } };
    };
    expect(body.created.createdEvent.createArgument).toEqual(createArgument);
  });

  test('on Scan, except the external hash of an update (S-GEN-023, S-GEN-024)', () => {
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

describe('the validation of responses', () => {
  const end = 'getV2StateLedger-end';
  test('accepts null for an optional field', () => expectValid(end, 200, { offset: null }));
  test.each<[string, number, unknown]>([
    ['another type', 200, { offset: '7' }],
    ['a body that is not an object', 200, []],
    ['an error without its code', 404, { cause: '', context: {}, errorCategory: 1 }],
  ])('rejects %s', async (_name, status, body) => {
    await expect(expectValid(end, status, body)).rejects.toThrow('does not fit its schema');
  });
  test('rejects a status that the document does not list', async () => {
    await expect(expectValid('getUpdateById', 418, {}, 'scan')).rejects.toThrow('answered 418');
  });
});
