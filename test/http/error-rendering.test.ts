/** How a Canton error becomes an answer, and a completion's status: the rules of the error catalogue, one by one. */
import {
  CATALOGUE,
  type ErrorCode,
  ledgerError,
  type LedgerErrorDetails,
  BARE,
  callContext,
  JsonLayerError,
  loggedIn,
  type LoggingContext,
  MADE_ANEW,
  PLAIN,
  QUOTED,
  UNTRACED,
} from '../../src/daml/index.js';
import { ledgerErrorAnswer, unexpectedError } from '../../src/http/errors.js';
import { grpcStatus } from '../../src/services/ledger-api/formats/grpc-status.js';
import { rpcStatus } from '../../src/services/ledger-api/formats/rpc-status.js';
import { negativeOffset, nonPositiveOffset } from '../../src/network/index.js';
import { expectValid } from '../support/validate.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const origin = { participant: 'sandbox', traceId };

const answer = (code: ErrorCode, details: LedgerErrorDetails | string, more = {}) =>
  ledgerErrorAnswer(ledgerError(code, details), { ...origin, ...more });

const jsonLayerAnswer = (code: ErrorCode, details: LedgerErrorDetails, more = {}) =>
  ledgerErrorAnswer(new JsonLayerError(code, details), { ...origin, ...more });

const HTTP_STATUS_OF_CATEGORY: Record<number, number> = {
  1: 503,
  2: 409,
  3: 504,
  4: 500,
  5: 400,
  6: 401,
  7: 403,
  8: 400,
  9: 400,
  10: 409,
  11: 404,
  12: 400,
  14: 501,
};

it('each code of the catalogue has the HTTP status of its category, except the list limit (B-ERR-002)', () => {
  for (const [code, { category }] of Object.entries(CATALOGUE)) {
    const { status } = answer(code as ErrorCode, 'x');
    const expected =
      code === 'JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED'
        ? 413
        : HTTP_STATUS_OF_CATEGORY[category];
    expect([code, status]).toEqual([code, expected]);
  }
});

it('each answer matches the schema of JsCantonError, in both forms', async () => {
  for (const code of Object.keys(CATALOGUE) as ErrorCode[])
    for (const answered of [answer, jsonLayerAnswer]) {
      const resources = [['PARTY', 'p']] as const;
      const { status, body } = answered(code, { cause: 'x', context: { a: 'b' }, resources });
      // For 400 the document states the plain text of a body that cannot be read; any other refusal is the default.
      await expectValid('postV2Parties', status === 400 ? 404 : status, body);
    }
});

it('an error from gRPC has its context and its category (B-ERR-007, B-ERR-009, B-ERR-010)', () => {
  const { status, body } = answer('CONTRACT_NOT_FOUND', {
    cause: 'Contract could not be found with id 00ab',
    resources: [['CONTRACT_ID', '00ab']],
  });
  expect(status).toBe(404);
  expect(body).toEqual({
    code: 'CONTRACT_NOT_FOUND',
    cause: 'Contract could not be found with id 00ab',
    correlationId: null,
    traceId,
    context: { category: '11', definite_answer: 'false', participant: 'sandbox', tid: traceId },
    resources: [['ErrorResource(CONTRACT_ID)', '00ab']],
    errorCategory: 11,
    grpcCodeValue: 5,
    retryInfo: null,
    definiteAnswer: null,
  });
});

it('an error outside of commands has no definite_answer', () => {
  const contextOf = (code: ErrorCode) => answer(code, 'x').body.context;
  expect(contextOf('NEGATIVE_OFFSET')).not.toHaveProperty('definite_answer');
  expect(contextOf('INVALID_USER_UPDATE_REQUEST')).not.toHaveProperty('definite_answer');
  expect(contextOf('OFFSET_AFTER_LEDGER_END')).toHaveProperty('definite_answer', 'false');
});

it('an error of the JSON layer has no category, bare resource names, and definiteAnswer false (B-ERR-008)', () => {
  const { status, body } = jsonLayerAnswer('TEMPLATES_OR_INTERFACES_NOT_FOUND', {
    cause: 'Templates do not exist',
    context: { seen: 'x' },
    resources: [['TEMPLATE_ID', 'a:B:C']],
  });
  expect(status).toBe(404);
  expect(body).toEqual({
    code: 'TEMPLATES_OR_INTERFACES_NOT_FOUND',
    cause: 'Templates do not exist',
    correlationId: traceId,
    traceId,
    context: { seen: 'x' },
    resources: [['TEMPLATE_ID', 'a:B:C']],
    errorCategory: 11,
    grpcCodeValue: 5,
    retryInfo: null,
    definiteAnswer: false,
  });
});

it('an error of the JSON layer has no trace id if the request has an invalid one', () => {
  const { body } = jsonLayerAnswer('INVALID_ARGUMENT', { cause: 'x' }, { hasBrokenTrace: true });
  expect(body).toMatchObject({ correlationId: null, traceId: null });
});

it('an invalid offset appears in the cause only', () => {
  for (const error of [negativeOffset('begin_exclusive', -1), nonPositiveOffset('offset', 0)])
    expect(Object.keys(ledgerErrorAnswer(error, origin).body.context).toSorted()).toEqual([
      'category',
      'participant',
      'tid',
    ]);
});

it('members have the order of a participant (B-ERR-001)', () => {
  const members =
    'code cause correlationId traceId context resources errorCategory grpcCodeValue retryInfo definiteAnswer'.split(
      ' ',
    );
  for (const code of ['CONTRACT_NOT_FOUND', 'LEDGER_API_INTERNAL_ERROR'] as const)
    for (const answered of [answer, jsonLayerAnswer])
      expect(Object.keys(answered(code, { cause: 'x' }).body)).toEqual(members);
});

it.each([
  ['PERMISSION_DENIED', 403, 7],
  ['UNAUTHENTICATED', 401, 16],
  ['SERVICE_INTERNAL_ERROR', 500, 13],
  ['LEDGER_API_INTERNAL_ERROR', 500, 13],
] as const)(
  'redacts %s: NA, category -1, no context (B-ERR-012)',
  (code, status, grpcCodeValue) => {
    const refused = answer(code, {
      cause: 'secret',
      context: { why: 'secret' },
      resources: [['PARTY', 'secret']],
    });
    expect(refused.status).toBe(status);
    expect(refused.body).toMatchObject({
      code: 'NA',
      errorCategory: -1,
      grpcCodeValue,
      context: {},
      resources: [],
      traceId,
    });
    expect(JSON.stringify(refused.body)).not.toContain('secret');
  },
);

it.each([4, 6, 7, 14])('redacts a failure to which code assigns category %d', (category) => {
  const { body } = answer('DAML_FAILURE', { cause: 'secret', category });
  expect(body).toMatchObject({ code: 'NA', errorCategory: -1, context: {} });
});

it('does not redact a failure to which code assigns category 5 or 13', () => {
  const answerFor = (category: number) => {
    const { status, body } = answer('DAML_FAILURE', { cause: 'told', category });
    return [status, body.code, body.cause, body.errorCategory, body.grpcCodeValue];
  };
  expect(answerFor(5)).toEqual([400, 'DAML_FAILURE', 'told', 5, 3]);
  expect(answerFor(13)).toEqual([500, 'DAML_FAILURE', 'told', 13, 13]);
});

it('says when to retry for categories 1, 2, 3 and 12 (B-ERR-011)', () => {
  const retryable = Object.keys(CATALOGUE).filter(
    (code) => answer(code as ErrorCode, 'x').body.retryInfo !== null,
  );
  for (const code of retryable) {
    expect([1, 2, 3, 12]).toContain(CATALOGUE[code as ErrorCode].category);
    expect(answer(code as ErrorCode, 'x').body.retryInfo).toBe('1 second');
  }
  expect(retryable).toEqual(
    expect.arrayContaining(['OFFSET_AFTER_LEDGER_END', 'SUBMISSION_ALREADY_IN_FLIGHT']),
  );
});

it('the list limit has status 413 and category 2', () => {
  const { status, body } = jsonLayerAnswer('JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED', {
    cause: 'x',
  });
  expect([status, body.errorCategory, body.grpcCodeValue]).toEqual([413, 2, 10]);
});

it('an unexpected exception is LEDGER_API_INTERNAL_ERROR with its text as the cause (B-ERR-006)', () => {
  const { status, body } = ledgerErrorAnswer(unexpectedError(new TypeError('boom')), origin);
  expect([status, body.code, body.cause, body.grpcCodeValue]).toEqual([
    500,
    'LEDGER_API_INTERNAL_ERROR',
    'boom',
    13,
  ]);
  expect(body.context).toEqual({ throwableO: 'Some(TypeError: boom)' });
});

it('a failed submission has its submission id as the correlation id', () => {
  const error = ledgerError('CONTRACT_NOT_FOUND', 'x');
  error.logIn({ ...QUOTED, correlationId: 'submission-7' });
  const { body } = ledgerErrorAnswer(error, origin);
  expect([body.correlationId, body.traceId]).toEqual(['submission-7', traceId]);
});

describe('the context of an error', () => {
  const arisenIn = (logging: LoggingContext, details: LedgerErrorDetails | string = 'x') =>
    ledgerErrorAnswer(ledgerError('MISSING_FIELD', details).logIn(logging), origin).body;

  it('has the participant name plain, in quotes, or not at all (B-ERR-028)', () => {
    expect(arisenIn(PLAIN).context.participant).toBe('sandbox');
    expect(arisenIn(QUOTED).context.participant).toBe("'sandbox'");
    expect(arisenIn(BARE).context).toEqual({ definite_answer: 'false', category: '8' });
  });

  it('includes a known trace id (B-ERR-028)', () => {
    expect(arisenIn(PLAIN)).toMatchObject({ traceId, context: { tid: traceId } });
    expect(arisenIn(UNTRACED)).toEqual({
      ...arisenIn(PLAIN),
      traceId: null,
      context: { participant: 'sandbox', definite_answer: 'false', category: '8' },
    });
  });

  it('comes from the innermost service', () => {
    const arise = () =>
      loggedIn(QUOTED, () =>
        loggedIn(UNTRACED, () => {
          throw ledgerError('MISSING_FIELD', 'x');
        }),
      );
    expect(arise).toThrow(expect.objectContaining({ logging: UNTRACED }));
  });

  it('omits details if only code and cause are passed on (B-ERR-036)', () => {
    const details = { cause: 'x', context: { a: 'b' }, resources: [['PARTY', 'p']] } as const;
    expect(arisenIn(BARE, details)).toMatchObject({ context: { a: 'b' } });
    expect(arisenIn(MADE_ANEW, details)).toMatchObject({
      cause: 'x',
      correlationId: null,
      traceId: null,
      context: { definite_answer: 'false', category: '8' },
      resources: [],
    });
  });

  it('has the order of a hash map if it has at least five entries (B-ERR-035)', () => {
    const four = arisenIn(PLAIN).context;
    expect(Object.keys(four)).toEqual(['participant', 'definite_answer', 'tid', 'category']);
    const five = arisenIn(PLAIN, { cause: 'x', context: { commands: 'y' } }).context;
    expect(Object.keys(five)).toEqual([
      'participant',
      'category',
      'tid',
      'definite_answer',
      'commands',
    ]);
  });

  it('has texts in quotes, lists in brackets, and no entry for an absent value (B-ERR-028)', () => {
    const context = callContext(() => ({
      text: 'a',
      number: 1,
      list: ['b', ''],
      nested: { truth: true, absent: undefined },
    }));
    expect(arisenIn(context).context).toMatchObject({
      text: "'a'",
      number: '1',
      list: "['b', '']",
      nested: '{truth: true, absent: }',
    });
  });

  it('has at most 256 characters of a correlation id', () => {
    const { correlationId } = arisenIn({ ...QUOTED, correlationId: 'c'.repeat(257) });
    expect(correlationId).toBe(`${'c'.repeat(253)}...`);
  });

  it('fills the remaining space of the status with a long entry', () => {
    const long = (code: ErrorCode, more = {}) => {
      const error = ledgerError(code, { cause: 'x', context: { long: 'y'.repeat(9000) } });
      return ledgerErrorAnswer(error.logIn({ ...PLAIN, ...more }), origin).body.context.long!
        .length;
    };
    // Besides a trace id as the request id: two entries, and 5 bytes for each text.
    expect(long('MISSING_FIELD')).toBe(3776);
    expect(long('MISSING_FIELD', { correlationId: 'c'.repeat(36) })).toBe(3772);
    // A retry delay needs 53.
    expect(long('REQUEST_ALREADY_IN_FLIGHT')).toBeLessThan(long('MISSING_FIELD') - 53);
  });
});

it('DAML_FAILURE has the status of the category that the Daml code chose', () => {
  expect(answer('DAML_FAILURE', { cause: 'x', category: 10 }).status).toBe(409);
});

it('a cause of several lines is replaced by the whole message', () => {
  expect(answer('DAML_FAILURE', 'one line').body.cause).toBe('one line');
  expect(answer('DAML_FAILURE', 'one\ntwo').body.cause).toBe('DAML_FAILURE(9,0af76519): one\ntwo');
});

describe('a status has fewer than 4096 bytes', () => {
  it('has at most 512 characters of a cause', () => {
    const { cause } = answer('INVALID_ARGUMENT', 'x'.repeat(600)).body;
    expect(cause).toBe(`${'x'.repeat(512)}...`);
    const longest = 'x'.repeat(512);
    expect(answer('INVALID_ARGUMENT', longest).body.cause).toBe(longest);
    expect(answer('INVALID_ARGUMENT', `${longest}y`).body.cause).toBe(`${longest}...`);
  });

  it('has at most 63 characters of a key, and no entries without a value', () => {
    const { context } = answer('INVALID_ARGUMENT', {
      cause: 'x',
      context: { ['k'.repeat(80)]: 'v', empty: '', 'a b': 'c' },
    }).body;
    expect(context).toMatchObject({ ['k'.repeat(63)]: 'v', ab: 'c' });
    expect(context).not.toHaveProperty('empty');
  });

  it('shortens the longest context entries, and omits resources that do not fit', () => {
    const resources = Array.from(
      { length: 100 },
      (_, i) => ['CONTRACT_ID', `${i}`.repeat(40)] as const,
    );
    const status = rpcStatus(
      ledgerError('CONTRACT_NOT_ACTIVE', {
        cause: 'x',
        context: { long: 'y'.repeat(9000), short: 'z' },
        resources,
      }),
      origin,
    );
    const bytes = status.details.reduce(
      (sum, { value, typeUrl }) => sum + Buffer.from(value, 'base64').length + typeUrl.length,
      0,
    );
    expect(bytes).toBeLessThan(4096);
    const { info } = grpcStatus(
      ledgerError('INVALID_ARGUMENT', {
        cause: 'x',
        context: { long: 'y'.repeat(9000), short: 'z' },
      }),
      origin,
    );
    const metadata = Object.fromEntries(info!.metadata);
    expect(metadata.short).toBe('z');
    expect(metadata.long).toMatch(/^y+\.\.\.$/);
    expect(metadata.category).toBe('8');
  });
});

it('the last of equally long entries get the remaining bytes (B-ERR-042)', () => {
  const names = Array.from({ length: 39 }, (_, index) => `key${index + 10}`);
  const context = Object.fromEntries(names.map((name) => [name, 'y'.repeat(120)]));
  const rendered = answer('INVALID_ARGUMENT', { cause: 'x', context }).body.context;
  const lengths = Object.entries(rendered)
    .filter(([name]) => name.startsWith('key'))
    .map(([, value]) => value.length);
  expect(new Set(lengths).size).toBe(2);
  expect(lengths).toEqual([...lengths].sort((one, other) => one - other));
});

describe("a completion's status (B-GEN-034)", () => {
  it('has the bytes that a participant sends', () => {
    const error = ledgerError('OFFSET_AFTER_LEDGER_END', {
      cause: 'This is a sample error',
      context: { ck: 'cv' },
      resources: [['DEV_ERROR_TYPE', 'some/resource']],
    });
    error.logIn({ ...PLAIN, correlationId: 'corrId' });
    const { code, message, details } = rpcStatus(error);
    expect([code, message]).toEqual([
      11,
      'OFFSET_AFTER_LEDGER_END(12,corrId): This is a sample error',
    ]);
    const values = details.map(({ typeUrl, value }) => [
      typeUrl.split('.').at(-1),
      Buffer.from(value, 'base64').toString('latin1'),
    ]);
    expect(values).toEqual([
      [
        'ErrorInfo',
        '\n\x17OFFSET_AFTER_LEDGER_END\x1a\b\n\x02ck\x12\x02cv\x1a\x18\n\x0fdefinite_answer\x12\x05false\x1a\x0e\n\bcategory\x12\x0212',
      ],
      ['RetryInfo', '\n\x02\b\x01'],
      ['RequestInfo', '\n\x06corrId'],
      ['ResourceInfo', '\n\x0eDEV_ERROR_TYPE\x12\rsome/resource'],
    ]);
  });

  it('includes each detail in decoded form', () => {
    const { details } = rpcStatus(
      ledgerError('CONTRACT_NOT_FOUND', { cause: 'x', resources: [['CONTRACT_ID', '00']] }),
      origin,
    );
    const unknownFields = { fields: {} };
    expect(details.map(({ valueDecoded }) => valueDecoded)).toEqual([
      {
        reason: 'CONTRACT_NOT_FOUND',
        domain: '',
        metadata: {
          participant: 'sandbox',
          definite_answer: 'false',
          tid: traceId,
          category: '11',
        },
        unknownFields,
      },
      { requestId: traceId, servingData: '', unknownFields },
      {
        resourceType: 'CONTRACT_ID',
        resourceName: '00',
        owner: '',
        description: '',
        unknownFields,
      },
    ]);
  });

  it('includes details as texts in release 3.4, of two kinds only (R-34-023, R-34-024)', () => {
    const error = ledgerError('OFFSET_AFTER_LEDGER_END', {
      cause: 'x',
      resources: [['CONTRACT_ID', '00']],
    });
    const { details } = rpcStatus(error, { participant: 'sandbox', traceId }, '3.4');
    const unknown = 'Unknown type for decoding';
    expect(details.map(({ valueDecoded }) => valueDecoded)).toEqual([
      `ErrorInfo(OFFSET_AFTER_LEDGER_END,,Map(participant -> sandbox, definite_answer -> false, tid -> ${traceId}, category -> 12),UnknownFieldSet(Map()))`,
      'RetryInfo(Some(Duration(1,0,UnknownFieldSet(Map()))),UnknownFieldSet(Map()))',
      unknown,
      unknown,
    ]);
    expect(Object.keys(details[0]!)).toEqual(['typeUrl', 'value', 'unknownFields', 'valueDecoded']);
  });

  it('is redacted like an answer', () => {
    const { message, details } = rpcStatus(ledgerError('SERVICE_INTERNAL_ERROR', 'secret'), origin);
    expect(message).toContain(`the request ${traceId} with tid ${traceId}`);
    expect(details.map(({ typeUrl }) => typeUrl)).toEqual([
      'type.googleapis.com/google.rpc.RequestInfo',
    ]);
  });
});
