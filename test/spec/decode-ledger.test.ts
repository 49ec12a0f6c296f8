/** How the JSON Ledger API reads requests: its leniency and its words. */
import fc from 'fast-check';
import { decodeRequest, refuseBody } from '../../src/spec/decode.js';
import { parseJsonBody } from '../../src/spec/reading/json-text.js';
import { operation, operationsOf } from '../../src/spec/operations.js';
import { loadValidators } from '../../src/spec/validators.js';
import { requestBody } from '../../src/testing/fast-check.js';
import { check } from '../support/property.js';

const PATH = { 'user-id': 'u', party: 'p', 'idp-id': 'i' };
const read = (operationId: string, body: unknown, query = {}) =>
  decodeRequest(operation('ledger', operationId), { path: PATH, query, body });
const bodyOf = (operationId: string, body: unknown): unknown => {
  const decoded = read(operationId, body);
  if (!decoded.ok) throw new Error(decoded.text);
  return decoded.input.body;
};

const create = { CreateCommand: { templateId: '#p:M:T', createArguments: {} } };
const commands = { commandId: 'c', actAs: ['alice'], commands: [create] };
const SUBMIT = 'postV2CommandsSubmit-and-wait';
const PREPARE = {
  ...commands,
  synchronizerId: '',
  packageIdSelectionPreference: [],
};
const withTemplate = (templateId: unknown) => ({
  ...commands,
  commands: [{ CreateCommand: { templateId, createArguments: {} } }],
});

describe('unreadable bodies', () => {
  test.each<[string, string, unknown, string]>([
    [
      'a missing member (B-GEN-018)',
      SUBMIT,
      { commandId: 'c', actAs: [] },
      "Missing required field at 'commands'",
    ],
    [
      'three missing members, which the error lists together',
      SUBMIT,
      {},
      "Missing required field at 'commands', Missing required field at 'commandId', Missing required field at 'actAs'",
    ],
    [
      'a text instead of a list',
      SUBMIT,
      { ...commands, actAs: 'alice' },
      "Got value '\"alice\"' with wrong type, expecting array at 'actAs'",
    ],
    [
      'a number instead of a text',
      SUBMIT,
      { ...commands, commandId: 7 },
      "Got value '7' with wrong type, expecting string at 'commandId'",
    ],
    [
      'null instead of a text',
      SUBMIT,
      { ...commands, commandId: null },
      "Got value 'null' with wrong type, expecting string at 'commandId'",
    ],
    [
      'an unknown command',
      SUBMIT,
      { ...commands, commands: [{ MakeCommand: {} }] },
      "JSON decoding to CNil should never happen at 'commands[0]'",
    ],
    [
      'a template id without three parts (B-GEN-022)',
      SUBMIT,
      withTemplate('#p:M'),
      "Invalid identifier format (#p:M) not matching the expected format (<package>:<moduleName>:<entityName>) at 'commands[0].CreateCommand.templateId'",
    ],
    [
      'a blob that is not base64 (B-GEN-023); the path begins at the disclosed contract',
      SUBMIT,
      { ...commands, disclosedContracts: [{ createdEventBlob: 'not-base64' }] },
      "The string is not a valid Base64: not-base64 at 'createdEventBlob'",
    ],
    [
      'an unknown enum (B-GEN-024)',
      'postV2CommandsSubmit-and-wait-for-transaction',
      { commands, transactionFormat: { transactionShape: 'FLAT' } },
      "Unrecognized enum value FLAT. Supported values: [TRANSACTION_SHAPE_UNSPECIFIED, TRANSACTION_SHAPE_ACS_DELTA, TRANSACTION_SHAPE_LEDGER_EFFECTS] at 'transactionShape'",
    ],
    [
      'a missing enum (B-GEN-017)',
      'postV2CommandsSubmit-and-wait-for-transaction',
      { commands, transactionFormat: {} },
      'Got value \'{"Unrecognized":{"unrecognizedValue":0}}\' with wrong type, expecting string at \'transactionShape\'',
    ],
    [
      'the unknown value of an enum that the document lists (B-GEN-063)',
      'postV2UpdatesUpdate-by-offset',
      { offset: 1, updateFormat: { includeTransactions: { transactionShape: 'UNRECOGNIZED' } } },
      'expected updateFormat.includeTransactions.transactionShape to be one of (TRANSACTION_SHAPE_UNSPECIFIED, TRANSACTION_SHAPE_ACS_DELTA, TRANSACTION_SHAPE_LEDGER_EFFECTS), but got: UNRECOGNIZED',
    ],
    [
      'the same in a list (B-GEN-063)',
      'postV2Package-vetting',
      { updateVettedPackagesForceFlags: ['UNRECOGNIZED'] },
      'expected updateVettedPackagesForceFlags to be one of (UPDATE_VETTED_PACKAGES_FORCE_FLAG_UNSPECIFIED, UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES, UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES), but got: UNRECOGNIZED',
    ],
    [
      'a fraction instead of an offset',
      'postV2Updates',
      { beginExclusive: 1.5 },
      "Long at 'beginExclusive'",
    ],
    [
      'an offset beyond 64 bits (B-GEN-051)',
      'postV2Updates',
      { beginExclusive: '9223372036854775808' },
      "Long at 'beginExclusive'",
    ],
    [
      'a size beyond 32 bits (B-GEN-051)',
      'postV2StateActive-contracts-page',
      { maxPageSize: 2 ** 31 },
      "Int at 'maxPageSize'",
    ],
    [
      'a text instead of a flag',
      'postV2Updates',
      { verbose: 'yes' },
      "Got value '\"yes\"' with wrong type, expecting 'true' or 'false' at 'verbose'",
    ],
    [
      'an invalid time',
      SUBMIT,
      { ...commands, minLedgerTimeAbs: 'noon' },
      "Text 'noon' could not be parsed at index 0 at 'minLedgerTimeAbs'",
    ],
    [
      'a body that is not an object (B-GEN-048)',
      SUBMIT,
      [],
      "Missing required field at 'commands', Missing required field at 'commandId', Missing required field at 'actAs'",
    ],
    [
      'null instead of commands (B-GEN-048)',
      'postV2CommandsSubmit-and-wait-for-transaction',
      { commands: null },
      "Missing required field at 'commands.commands', Missing required field at 'commands.commandId', Missing required field at 'commands.actAs'",
    ],
    [
      'null instead of a key to prefetch, whose limit has no default (B-GEN-048)',
      SUBMIT,
      { ...commands, prefetchContractKeys: [null] },
      "Missing required field at 'prefetchContractKeys[0].templateId', Missing required field at 'prefetchContractKeys[0].contractKey', Missing required field at 'prefetchContractKeys[0].limit'",
    ],
    [
      'a list instead of a request to prepare, whose maxRecordTime has no default (B-GEN-048)',
      'postV2Interactive-submissionPrepare',
      [],
      "Missing required field at 'commandId', Missing required field at 'commands', Missing required field at 'actAs', Missing required field at 'synchronizerId', Missing required field at 'packageIdSelectionPreference', Missing required field at 'maxRecordTime'",
    ],
    [
      'null instead of hints of costs, which have no defaults (B-GEN-049)',
      'postV2Interactive-submissionPrepare',
      { ...PREPARE, estimateTrafficCost: {} },
      "Missing required field at 'estimateTrafficCost.disabled', Missing required field at 'estimateTrafficCost.expectedSignatures'",
    ],
    [
      'an unknown algorithm in these hints (B-GEN-024)',
      'postV2Interactive-submissionPrepare',
      { ...PREPARE, estimateTrafficCost: { disabled: false, expectedSignatures: ['RSA'] } },
      "Unrecognized enum value RSA. Supported values: [SIGNING_ALGORITHM_SPEC_UNSPECIFIED, SIGNING_ALGORITHM_SPEC_ED25519, SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256, SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_384] at 'estimateTrafficCost.expectedSignatures[0]'",
    ],
    [
      'a request to prepare without a synchronizer (B-GEN-019)',
      'postV2Interactive-submissionPrepare',
      commands,
      "Missing required field at 'synchronizerId', Missing required field at 'packageIdSelectionPreference'",
    ],
  ])('%s', (_name, operationId, body, reason) => {
    expect(read(operationId, body)).toMatchObject({
      ok: false,
      status: 400,
      text: `Invalid value for: body (${reason})`,
    });
  });

  test('the journal contains the path and the reason', () => {
    expect(read(SUBMIT, withTemplate('T'))).toMatchObject({
      path: 'commands[0].CreateCommand.templateId',
      reason: expect.stringMatching(/^Invalid identifier format/) as string,
    });
  });

  test.each<[string, string]>([
    ['', 'exhausted input'],
    ['{"a":', 'exhausted input'],
    ['nope', "expected null got 'nope' (line 1, column 1)"],
    ['hello world', "expected json value got 'hello ...' (line 1, column 1)"],
    ['{"a":1,}', "expected \" got '}' (line 1, column 8)"],
    ['{"a":{"b":[1]},}', "expected \" got '}' (line 1, column 16)"],
    ['[1 2]', "expected ] or , got '2]' (line 1, column 4)"],
    ['["a\tb"]', "control char (9) in string got '\t...' (line 1, column 4)"],
    ['["a b\tc"]', "control char (9) in string got '\t...' (line 1, column 6)"],
    ['["a\\xb"]', "illegal escape sequence (\\x) got '\\...' (line 1, column 4)"],
    ['{"a":"\\u12g4"}', "expected valid unicode escape got '12g4\"}' (line 1, column 9)"],
    ['{"a":"\\u1', 'exhausted input'],
    ['{"a":"\\', 'exhausted input'],
    ['"a', 'exhausted input'],
    ['{"a":-}', "expected digit got '-}' (line 1, column 6)"],
    ['--1', "expected digit got '--1' (line 1, column 1)"],
    ['{"a":1.}', "expected digit got '1.}' (line 1, column 6)"],
    ['{"a":1e+}', "expected digit got '1e+}' (line 1, column 6)"],
    ['{"a":01}', "expected } or , got '1}' (line 1, column 7)"],
    ['-', 'exhausted input'],
    ['1.', 'exhausted input'],
    ['[tru', 'exhausted input'],
    ['[trx', "expected true got 'trx' (line 1, column 2)"],
    ['{"a"\n 1}', "expected : got '1}' (line 2, column 2)"],
    ['{} x', "expected whitespace or eof got 'x' (line 1, column 4)"],
  ])('text that is not JSON: %j', (text, reason) => {
    const parsed = parseJsonBody(text);
    expect(parsed).toEqual({ ok: false, reason });
    expect(refuseBody('ledger', reason).text).toBe(`Invalid value for: body (${reason})`);
  });
});

describe('a message that mirrors one of protobuf', () => {
  const STRING = "Got value 'null' with wrong type, expecting string at";
  const ARRAY = "Got value 'null' with wrong type, expecting array at";
  const OBJECT = "Got value 'null' with wrong type, expecting object at";
  const FLAG = "Got value 'null' with wrong type, expecting 'true' or 'false' at";
  const MISSING = 'Missing required field at';
  const disclosed = (contract: unknown) => ({ ...commands, disclosedContracts: [contract] });
  const format = (eventFormat: unknown) => ({ activeAtOffset: 1, eventFormat });
  const rights = (...rights: unknown[]) => ({ userId: 'u', rights });

  test.each<[operationId: string, body: unknown, reason: string]>([
    ['postV2CommandsCompletions', { userId: null }, `${STRING} 'userId'`],
    ['postV2CommandsCompletions', { parties: null }, `${ARRAY} 'parties'`],
    ['postV2CommandsCompletions', { beginExclusive: null }, "Long at 'beginExclusive'"],
    [SUBMIT, disclosed({ contractId: null }), `${STRING} 'contractId'`],
    [SUBMIT, disclosed({ createdEventBlob: null }), `${STRING} 'createdEventBlob'`],
    [
      SUBMIT,
      disclosed({ createdEventBlob: '', synchronizerId: null }),
      `${STRING} 'synchronizerId'`,
    ],
    ['postV2StateActive-contracts', format({ filtersByParty: null }), `${OBJECT} 'filtersByParty'`],
    ['postV2StateActive-contracts', format({ verbose: null }), `${FLAG} 'verbose'`],
    [
      'postV2StateActive-contracts',
      format({ filtersForAnyParty: { cumulative: null } }),
      `${ARRAY} 'cumulative'`,
    ],
    [
      'postV2StateActive-contracts',
      format({ filtersForAnyParty: { cumulative: [{ identifierFilter: null }] } }),
      "JSON decoding to CNil should never happen at 'identifierFilter'",
    ],
    ['postV2Parties', { partyIdHint: null }, `${STRING} 'partyIdHint'`],
    ['postV2Parties', { localMetadata: { annotations: null } }, `${OBJECT} 'annotations'`],
    [
      'postV2PartiesExternalGenerate-topology',
      { confirmationThreshold: null },
      "Int at 'confirmationThreshold'",
    ],
    ['postV2UsersUser-idRights', { rights: null }, `${ARRAY} 'rights'`],
    [
      'postV2UsersUser-idRights',
      rights({ kind: { CanActAs: { value: { party: null } } } }),
      `${STRING} 'party'`,
    ],
  ])(
    '%s rejects null for a value that is not a message: %j (B-GEN-046)',
    (operationId, body, reason) => {
      expect(read(operationId, body)).toMatchObject({
        text: `Invalid value for: body (${reason})`,
      });
    },
  );

  test.each<[operationId: string, body: object]>([
    ['postV2Parties', { localMetadata: null }],
    ['postV2Updates', { beginExclusive: 1, updateFormat: null, endInclusive: null }],
    ['postV2Updates', { beginExclusive: 1, filter: null, verbose: null, descendingOrder: null }],
    ['postV2StateActive-contracts', { activeAtOffset: 1, filter: null, verbose: null }],
    ['postV2StateActive-contracts', { activeAtOffset: 1, streamContinuationToken: null }],
    ['postV2StateActive-contracts', format({ filtersForAnyParty: null })],
    [
      'postV2StateActive-contracts-page',
      { activeAtOffset: null, maxPageSize: null, pageToken: null },
    ],
    [SUBMIT, disclosed({ templateId: null })],
    [SUBMIT, { ...commands, userId: null, deduplicationPeriod: null, disclosedContracts: null }],
    [SUBMIT, { ...commands, deduplicationPeriod: { DeduplicationDuration: { value: null } } }],
    [SUBMIT, { ...commands, deduplicationPeriod: { DeduplicationDuration: { value: 5 } } }],
    ['postV2Interactive-submissionPrepare', { ...PREPARE, estimateTrafficCost: null }],
  ])(
    '%s accepts null for a message and for an optional value: %j (B-GEN-046)',
    (operationId, body) => {
      expect(read(operationId, body)).toMatchObject({ ok: true });
    },
  );

  describe.each([[null], [5], ['x'], [true], [[]]])(
    '%j instead of an object is a message without its first member (B-GEN-047):',
    (it) => {
      test.each<[operationId: string, body: unknown, member: string]>([
        ['postV2CommandsCompletions', it, 'userId'],
        ['postV2Updates', it, 'beginExclusive'],
        ['postV2UpdatesGet-updates-page', it, 'beginOffsetExclusive'],
        ['postV2StateActive-contracts', it, 'filter'],
        ['postV2UpdatesUpdate-by-id', it, 'updateId'],
        ['postV2Parties', it, 'partyIdHint'],
        [SUBMIT, disclosed(it), 'templateId'],
        [SUBMIT, { ...commands, deduplicationPeriod: { DeduplicationOffset: it } }, 'value'],
        [
          'postV2StateActive-contracts',
          format({ filtersForAnyParty: { cumulative: [it] } }),
          'identifierFilter',
        ],
        ['postV2StateActive-contracts', format({ filtersByParty: { alice: it } }), 'cumulative'],
        ['postV2UsersUser-idRights', rights(it), 'kind'],
        ['postV2UsersUser-idRights', rights({ kind: { CanActAs: it } }), 'value'],
        ['postV2UsersUser-idRights', rights({ kind: { CanActAs: { value: it } } }), 'party'],
      ])('%s %j', (operationId, body, member) => {
        expect(read(operationId, body)).toMatchObject({
          text: `Invalid value for: body (${MISSING} '${member}')`,
        });
      });
    },
  );

  test.each<[operationId: string, body: unknown, reason: string]>([
    ['postV2UsersUser-idRights', rights({ kind: { ParticipantAdmin: { value: null } } }), 'HNil'],
    [
      SUBMIT,
      { ...commands, deduplicationPeriod: { Empty: null } },
      "HNil at 'deduplicationPeriod.Empty'",
    ],
    [
      SUBMIT,
      { ...commands, deduplicationPeriod: { Empty: [] } },
      "HNil at 'deduplicationPeriod.Empty'",
    ],
  ])(
    '%s requires an object for a message without members: %j (B-GEN-050)',
    (operationId, body, reason) => {
      expect(read(operationId, body)).toMatchObject({
        text: `Invalid value for: body (${reason})`,
      });
    },
  );

  test('an empty envelope has no value (B-GEN-047)', () => {
    const body = { ...PREPARE, minLedgerTime: { time: { MinLedgerTimeAbs: {} } } };
    expect(read('postV2Interactive-submissionPrepare', body)).toMatchObject({
      text: `Invalid value for: body (${MISSING} 'value')`,
    });
  });

  test('NoPrior is null, an empty list or an empty object (B-GEN-050)', () => {
    const vetting = (NoPrior: unknown) =>
      read('postV2Package-vetting', { expectedTopologySerial: { serial: { NoPrior } } });
    for (const nothing of [null, [], {}]) expect(vetting(nothing)).toMatchObject({ ok: true });
    expect(vetting({ value: {} })).toMatchObject({
      text: `Invalid value for: body (Got value '{"value":{}}' with wrong type, expecting 'null' or '[]' or '{}' at 'serial.NoPrior')`,
    });
  });
});

describe('numbers beyond 2^53 (B-GEN-051)', () => {
  const begin = (text: string) => {
    const parsed = parseJsonBody(`{"s":"\\" 12345678901234567","beginExclusive":${text}}`);
    if (!parsed.ok) throw new Error(parsed.reason);
    return read('postV2Updates', parsed.value);
  };

  test.each([
    ['9223372036854775807', 2n ** 63n - 1n],
    ['9223372036854775807.0', 2n ** 63n - 1n],
    ['"9223372036854775807"', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['9007199254740993', 9007199254740993n],
    ['"9007199254740993.0"', 9007199254740993n],
    ['1e18', 10n ** 18n],
    ['9007199254740991', 9007199254740991],
  ])('reads %s with all its digits', (text, beginExclusive) => {
    expect(begin(text)).toMatchObject({ ok: true, input: { body: { beginExclusive } } });
  });

  test.each([
    '9223372036854775808',
    '-9223372036854775809',
    '1e19',
    '1e400',
    '"9223372036854775808"',
  ])('rejects %s', (text) => {
    expect(begin(text)).toMatchObject({ ok: false, reason: 'Long' });
  });

  test('reads 16 digits at any position in the body', () => {
    for (let spaces = 0; spaces <= 16; spaces += 1) {
      const parsed = parseJsonBody(`${' '.repeat(spaces)}{"beginExclusive":9007199254740993}`);
      if (!parsed.ok) throw new Error(parsed.reason);
      expect(read('postV2Updates', parsed.value)).toMatchObject({
        input: { body: { beginExclusive: 9007199254740993n } },
      });
    }
  });

  test('reads a number in a list as a usual number', () => {
    expect(parseJsonBody('[12345678901234567]')).toEqual({ ok: true, value: [12345678901234567] });
  });
});

describe('absent fields get their defaults (B-GEN-016)', () => {
  test.each<[string, string, unknown, unknown]>([
    [
      'lists of a command',
      SUBMIT,
      commands,
      {
        ...commands,
        readAs: [],
        disclosedContracts: [],
        packageIdSelectionPreference: [],
        prefetchContractKeys: [],
      },
    ],
    ['a party request', 'postV2Parties', {}, {}],
    ['completions', 'postV2CommandsCompletions', {}, { parties: [] }],
    ['an update request', 'postV2Updates', {}, { beginExclusive: 0 }],
    [
      'null, which counts as absent',
      'postV2Updates',
      { beginExclusive: 4, endInclusive: null, verbose: null },
      { beginExclusive: 4 },
    ],
    [
      'numbers as texts, and fractions that are whole',
      'postV2Updates',
      { beginExclusive: '12', endInclusive: 14 },
      { beginExclusive: 12, endInclusive: 14 },
    ],
    [
      'unknown members are ignored (B-GEN-015)',
      'postV2Updates',
      { beginExclusive: 1, nonsense: true },
      { beginExclusive: 1 },
    ],
    [
      'an unset filter',
      'postV2StateActive-contracts',
      { activeAtOffset: 3, eventFormat: { filtersForAnyParty: { cumulative: [{}] } } },
      {
        activeAtOffset: 3,
        eventFormat: {
          filtersByParty: {},
          filtersForAnyParty: { cumulative: [{ identifierFilter: { Empty: {} } }] },
        },
      },
    ],
    [
      'a right with two kinds, of which the first counts (B-GEN-039)',
      'postV2UsersUser-idRights',
      {
        userId: 'u',
        rights: [
          { kind: { CanReadAs: { value: { party: 'a' } }, CanActAs: { value: { party: 'a' } } } },
        ],
      },
      { userId: 'u', rights: [{ kind: { CanActAs: { value: { party: 'a' } } } }] },
    ],
    [
      'the unknown value of an enum (B-GEN-025)',
      'postV2PartiesExternalGenerate-topology',
      { publicKey: { format: 'UNRECOGNIZED', keySpec: 'UNRECOGNIZED' } },
      expect.objectContaining({
        publicKey: { format: 'UNRECOGNIZED', keyData: '', keySpec: 'UNRECOGNIZED' },
      }),
    ],
    [
      'a duration without unknownFields (B-GEN-032)',
      SUBMIT,
      { ...commands, deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 5 } } } },
      expect.objectContaining({
        deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 5, nanos: 0 } } },
      }),
    ],
  ])('%s', (_name, operationId, body, expected) => {
    expect(bodyOf(operationId, body)).toEqual(expected);
  });
});

describe('parameters (B-GEN-026)', () => {
  const limited = (limit: string | string[]) => read('postV2CommandsCompletions', {}, { limit });
  test('a number is read', () =>
    expect(limited('7')).toMatchObject({ ok: true, input: { query: { limit: 7 } } }));
  test.each([['abc'], [''], ['1.5']])('limit=%s is rejected', (limit) => {
    expect(limited(limit)).toMatchObject({
      ok: false,
      status: 400,
      text: 'Invalid value for: query parameter limit',
    });
  });
  test('a parameter that occurs twice is rejected', () => {
    expect(limited(['1', '2'])).toMatchObject({
      text: 'Invalid value for: query parameter limit (multiple values)',
    });
  });
  test('a missing parameter is rejected', () => {
    expect(read('getV2Interactive-submissionPreferred-package-version', undefined)).toMatchObject({
      text: 'Invalid value for: query parameter package-name (missing)',
    });
  });
  test('a parameter is read before the body', () => {
    expect(read('postV2CommandsCompletions', 'nonsense', { limit: 'x' })).toMatchObject({
      path: 'limit',
    });
  });
});

describe('keys that every object inherits', () => {
  test('are not members, and cannot change the prototype', () => {
    const body = JSON.parse(
      '{"filter":{"filtersByParty":{"__proto__":{"cumulative":[]}}},"__proto__":{"verbose":true}}',
    ) as unknown;
    const decoded = bodyOf('postV2Updates', body) as {
      filter: { filtersByParty: object };
      verbose?: boolean;
    };
    expect(Object.keys(decoded.filter.filtersByParty)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(decoded.filter.filtersByParty)).toBe(Object.prototype);
    expect(decoded.verbose).toBeUndefined();
    expect(({} as { cumulative?: unknown }).cumulative).toBeUndefined();
  });
  test('do not replace required members', () => {
    expect(read(SUBMIT, { ...commands, commands: [{ constructor: {} }] })).toMatchObject({
      ok: false,
    });
  });
});

describe('for each operation with a body', () => {
  const rows = operationsOf('ledger').filter(
    (row) => row.request?.contentType === 'application/json',
  );

  test.each(rows.map((row) => row.operationId))(
    '%s reads a body that matches its schema, and reads its result to the same value',
    async (id) => {
      const { requests } = await loadValidators('ledger');
      check(
        fc.property(requestBody(id), (body) => {
          const sent: unknown = JSON.parse(JSON.stringify(body));
          expect(requests[id]?.(sent)).toBe(true);
          const once = bodyOf(id, sent);
          expect(bodyOf(id, once)).toEqual(once);
        }),
        { numRuns: 20, seed: 7 },
      );
    },
  );

  test('a deeply nested value is rejected like any other', () => {
    const nested = '['.repeat(200_000);
    expect(parseJsonBody(nested)).toEqual({ ok: false, reason: 'exhausted input' });
    const deep = parseJsonBody(nested + ']'.repeat(200_000));
    if (!deep.ok) throw new Error(deep.reason);
    expect(read('postV2Updates', { beginExclusive: deep.value })).toMatchObject({ reason: 'Long' });
    expect(read('postV2Updates', { filter: { filtersByParty: deep.value } })).toMatchObject({
      reason: expect.stringMatching(/wrong type, expecting object$/) as string,
    });
  });

  test('arbitrary JSON is read or rejected, without a crash', () => {
    check(
      fc.property(fc.constantFrom(...rows), fc.jsonValue(), (row, body) => {
        const decoded = decodeRequest(row, { path: PATH, query: {}, body });
        if (!decoded.ok) expect(decoded.text).toMatch(/^Invalid value for: /);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
