/** How Scan, the registry and our controls read requests. */
import { decodeRequest, refuseBody, type RawRequest } from '../../src/spec/decode.js';
import type { Api } from '../../src/spec/api.js';
import { operation } from '../../src/spec/operations.js';

const read = (api: Api, operationId: string, raw: Partial<RawRequest>) =>
  decodeRequest(operation(api, operationId), { path: {}, query: {}, ...raw });

describe('Scan', () => {
  test('reports the first fault with its whole path', () => {
    expect(read('scan', 'getUpdateHistory', { body: { after: {} } })).toMatchObject({
      ok: false,
      status: 400,
      text: 'The request content was malformed:\nDecodingFailure at .after.after_migration_id: Missing required field',
    });
  });
  test('rejects a missing body', () => {
    expect(read('scan', 'getUpdateHistory', {})).toMatchObject({
      status: 400,
      text: 'Request entity expected but not supplied',
    });
  });
  test('rejects a body that is not JSON', () => {
    expect(refuseBody('scan', 'exhausted input').text).toBe(
      'The request content was malformed:\nexhausted input',
    );
  });
  test('rejects a query parameter of the wrong type', () => {
    expect(
      read('scan', 'getUpdateById', { path: { update_id: 'u' }, query: { lossless: 'maybe' } }),
    ).toMatchObject({
      status: 400,
      text: "The query parameter 'lossless' was malformed:\n'maybe' is not a valid Boolean value",
    });
  });
  test('a round that is not a number does not match the path', () => {
    expect(
      read('scan', 'getRewardAccountingRootHash', { path: { round_number: 'x' } }),
    ).toMatchObject({
      status: 404,
      text: 'The requested resource could not be found.',
    });
  });
  test('converts parameters to their types', () => {
    expect(
      read('scan', 'getRewardAccountingRootHash', { path: { round_number: '12' } }),
    ).toMatchObject({
      input: { path: { round_number: 12 } },
    });
  });
});

describe('the registry (R-GEN-001)', () => {
  const reject = (body: unknown) =>
    read('registry', 'getTransferInstructionRejectContextV2', {
      path: { transferInstructionId: '00ab' },
      body,
    });
  test('{} is valid, and gets the defaults', () => {
    expect(reject({})).toMatchObject({ ok: true, input: { body: { excludeDebugFields: false } } });
  });
  test('choiceArguments are required', () => {
    expect(read('registry', 'getTransferFactory', { body: {} })).toMatchObject({
      ok: false,
      path: 'choiceArguments',
      reason: 'Missing required field',
    });
  });
  test.each([
    [{ meta: { a: 1 } }, 'meta.a'],
    [{ excludeDebugFields: 'no' }, 'excludeDebugFields'],
    [[], ''],
  ])('rejects %j', (body, path) =>
    expect(reject(body)).toMatchObject({ ok: false, status: 400, path }),
  );
  test('page sizes have defaults', () => {
    expect(read('registry', 'listInstruments', {})).toMatchObject({
      input: { query: { pageSize: 25 } },
    });
  });
});

describe('the controls of Canticle', () => {
  test('a round has a known status', () => {
    const body = { status: 'Ok', mintingAllowances: [{ provider: 'p', amount: '1.0' }] };
    expect(read('control', 'setRewardRound', { path: { round: '3' }, body })).toMatchObject({
      ok: true,
      input: { path: { round: 3 } },
    });
    expect(
      read('control', 'setRewardRound', { path: { round: '3' }, body: { status: 'Maybe' } }),
    ).toMatchObject({ ok: false });
  });
  test('a filter has a known value', () => {
    expect(read('control', 'listRequests', { query: { outcome: 'lost' } })).toMatchObject({
      ok: false,
      path: 'outcome',
    });
  });
});
