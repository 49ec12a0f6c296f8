/** The bodies of errors, statuses and unmatched paths in release 3.4, next to the default release. */
import { model } from '../../../support/daml/model-package.js';
import {
  byInterface,
  create,
  eventFormat,
  startLedgerApi,
  updateFormat,
  type LedgerApi,
} from '../../../support/ledger-api.js';
import { refusedUpgrade, StreamClient } from '../../../support/stream-client.js';

const RELEASES = ['3.4', '3.5'] as const;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TRACED = { headers: { traceparent: `00-${TRACE}-b7ad6b7169203331-01` } };
const NO_FIELDS = { fields: {} };

let api: LedgerApi;
afterEach(() => api.client.close());

describe.each(RELEASES)('%s', (canton) => {
  const isOld = canton === '3.4';
  beforeEach(async () => {
    api = await startLedgerApi({ canton });
  });

  it('answers an unknown path with or without the member for an error (R-34-022)', async () => {
    const { status, body } = await api.client.send('GET', '/v2/nothing');
    expect([status, Object.keys(body)]).toEqual([
      404,
      ['errors', 'status', ...(isOld ? [] : ['ledgerApiError'])],
    ]);
  });

  it('answers health checks, which only 3.5 documents (R-34-027)', async () => {
    expect((await api.client.ledger('GET', '/livez')).status).toBe(200);
    expect((await api.client.ledger('GET', '/readyz')).status).toBe(200);
    const { body } = await api.client.ledger('GET', '/docs/openapi');
    expect(body.includes('/livez')).toBe(!isOld);
  });

  it('answers an unreadable identifier with or without its place (R-34-020)', async () => {
    const [alice] = await api.parties('alice');
    const { status, body } = await api.post(
      '/v2/commands/submit-and-wait',
      api.commands(create('abc', {}), { actAs: alice }),
    );
    const place =
      ' (Invalid identifier format (abc) not matching the expected format (<package>:<moduleName>:<entityName>) at ' +
      "'commands[0].CreateCommand.templateId')";
    expect([status, body]).toEqual([400, `Invalid value for: body${isOld ? '' : place}`]);
  });

  it('ends a stream whose request has an unreadable identifier (R-34-020)', async () => {
    const stream = new StreamClient(`${api.canticle.url}/v2/updates`);
    const format = eventFormat([], byInterface('abc'));
    await stream.send({ beginExclusive: 0, updateFormat: updateFormat('ACS_DELTA', format) });
    const [{ code, cause }] = await stream.all();
    expect(code).toBe('LEDGER_API_INTERNAL_ERROR');
    expect(cause).toContain(
      isOld
        ? 'java.lang.IllegalArgumentException: Expected <package>:<moduleName>:<entityName>, got abc)'
        : 'JsonDecodeException(List(JsonError(Invalid identifier format (abc)',
    );
  });

  it('reads bodies of up to 8 MiB (R-34-030)', async () => {
    const limit = 8 * 1024 * 1024;
    const body = (size: number) => `{"partyIdHint":"a"}${' '.repeat(size - 19)}`;
    expect((await api.client.send('POST', '/v2/parties', body(limit))).status).toBe(200);
    expect((await api.client.send('POST', '/v2/parties', body(limit + 1))).status).toBe(413);
  });

  it('deletes a user without an answer (R-34-031)', async () => {
    await api.ok('/v2/users', {
      user: { id: 'u', primaryParty: '', isDeactivated: false, identityProviderId: '' },
    });
    const { status, body } = await api.client.ledger('DELETE', '/v2/users/u');
    expect([status, body]).toEqual([200, {}]);
  });

  it('writes the error of a completion as texts or objects (R-34-023, R-34-024, R-34-025)', async () => {
    const [alice] = await api.parties('alice');
    const again = api.commands(create(model('Dummy'), { operator: alice }), { actAs: alice });
    const first = await api.ok('/v2/commands/submit-and-wait', again);
    expect(await api.refusal('/v2/commands/submit-and-wait', again)).toBe('DUPLICATE_COMMAND');
    const stream = await new StreamClient(`${api.canticle.url}/v2/commands/completions`).send({
      userId: 'tester',
      parties: [alice],
      beginExclusive: first.completionOffset,
    });
    const [{ completionResponse }] = await stream.take(1);
    await stream.close();
    const { details } = completionResponse.Completion.value.status;
    expect(Object.keys(details[0])).toEqual(
      isOld
        ? ['typeUrl', 'value', 'unknownFields', 'valueDecoded']
        : ['typeUrl', 'value', 'valueDecoded', 'unknownFields'],
    );
    const decoded = details.map((each: { valueDecoded: unknown }) => each.valueDecoded);
    const [info, request] = decoded;
    if (isOld) {
      expect(info).toMatch(
        /^ErrorInfo\(DUPLICATE_COMMAND,,HashMap\(.*\),UnknownFieldSet\(Map\(\)\)\)$/,
      );
      expect(info).toMatch(/[(, ]category -> 10[,)]/);
      expect(request).toBe('Unknown type for decoding');
    } else {
      expect(info).toMatchObject({ reason: 'DUPLICATE_COMMAND', unknownFields: NO_FIELDS });
      expect(request).toMatchObject({ servingData: '', unknownFields: NO_FIELDS });
    }
  });

  it('writes a failed view as its status, without a value (R-34-021, R-34-045)', async () => {
    const [carol] = await api.parties('carol');
    await api.submit(create(model('Coin'), { owner: carol, label: 'broken' }), { actAs: carol });
    const viewed = eventFormat([carol], byInterface(model('Asset'), { view: true }));
    const [{ interfaceViews }] = await api.active(viewed);
    const [{ viewStatus, viewValue }] = interfaceViews;
    expect(viewValue).toBeNull();
    expect(viewStatus.message).toContain('This view is broken');
    expect(typeof viewStatus.details[0].valueDecoded).toBe(isOld ? 'string' : 'object');
    expect('implementationPackageId' in interfaceViews[0]).toBe(!isOld);
  });

  it('uses the trace of the request for errors of a stream, or none (R-34-029)', async () => {
    const [alice] = await api.parties('alice');
    const open = (request: object) =>
      new StreamClient(`${api.canticle.url}/v2/updates`, TRACED).send(request);
    const unread = await open({ beginExclusive: 'x' });
    const [ofLayer] = await unread.all();
    expect(ofLayer.traceId).toBe(isOld ? null : TRACE);
    const beyond = await open({
      beginExclusive: 1000,
      updateFormat: updateFormat('ACS_DELTA', eventFormat([alice])),
    });
    const [ofLedger] = await beyond.all();
    expect(ofLedger.code).toBe('OFFSET_AFTER_LEDGER_END');
    expect(ofLedger.traceId === TRACE).toBe(!isOld);
    expect(ofLedger.traceId).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe.each(RELEASES)('%s with authorization', (canton) => {
  const isOld = canton === '3.4';

  it('uses the trace of the request for errors of its token, or none (R-34-028)', async () => {
    api = await startLedgerApi({
      canton,
      auth: { services: [{ type: 'unsafe-jwt-hmac-256', secret: 'unsafe' }] },
    });
    const token = await api.canticle.accessToken({ sub: 'nobody' });
    const headers = { ...TRACED.headers, authorization: `Bearer ${token}` };
    const answers = [
      await api.client.ledger('GET', '/v2/parties', undefined, { headers }),
      await refusedUpgrade(`${api.canticle.url}/v2/updates`, { headers }),
    ];
    const trace = isOld ? null : TRACE;
    for (const { status, body } of answers) {
      expect(status).toBeGreaterThanOrEqual(401);
      expect(body).toMatchObject({
        correlationId: trace,
        traceId: trace,
        context: { ledger_api_error: 'invalid token' },
      });
    }
  });
});
