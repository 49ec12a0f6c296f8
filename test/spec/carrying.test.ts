/** The facts of official documents, and the differences between two releases. */
import { cantonFacts } from '../../src/spec/carrying/canton.js';
import { changesBetween, undecidedIn, type Code } from '../../src/spec/carrying/changes.js';
import {
  messagesOf,
  operationsIn,
  schemasIn,
  type OpenApiSource,
} from '../../src/spec/carrying/openapi.js';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });

function documentOf(paths: object, schemas: object = {}): OpenApiSource {
  return { info: { title: 'API', version: '1' }, paths, components: { schemas } } as OpenApiSource;
}
const schemaOf = (schema: object) => schemasIn(documentOf({}, { It: schema }), ['It'])['It'];
const notice = (group: string, instead: string) =>
  'Deprecated: disabled by default (re-enable with ' +
  `\`canton.participants.p.features.deprecated.enable-deprecated-${group} = true\`) ` +
  `and will be removed in Canton 3.7. Use ${instead} instead.`;

describe('a schema', () => {
  it('has no prose and no vendor extensions, except one', () => {
    const prose = {
      description: 'd',
      summary: 's',
      example: 1,
      examples: [1],
      title: 't',
      externalDocs: {},
    };
    expect(schemaOf({ ...prose, type: 'string', 'x-other': 1, 'x-scala-type': 'Plain' })).toEqual({
      type: 'string',
    });
    expect(schemaOf({ 'x-scala-type': 'OmitNull[Text]' })).toEqual({ 'x-omit-null': true });
  });

  it('keeps values that look like prose', () => {
    const stated = {
      required: ['title'],
      enum: ['example', null],
      default: { title: 'a' },
      discriminator: { propertyName: 'title', mapping: { description: 'b' } },
    };
    expect(schemaOf(stated)).toEqual(stated);
    expect(schemaOf({ properties: { title: { title: 'Title', type: 'string' } } })).toEqual({
      properties: { title: { type: 'string' } },
    });
  });

  it('has nothing next to a reference but whether it may be null', () => {
    expect(schemaOf({ ...ref('A'), type: 'object' })).toEqual(ref('A'));
    expect(schemaOf({ ...ref('A'), nullable: true })).toEqual({ ...ref('A'), nullable: true });
    expect(schemaOf({ ...ref('A'), nullable: false })).toEqual(ref('A'));
    expect(schemaOf({ oneOf: [{ ...ref('A'), title: 'a' }, null, 7] })).toEqual({
      oneOf: [ref('A'), null, 7],
    });
  });

  it('marks Daml values and members that may be absent', () => {
    const text = { type: 'string' };
    const names = ['choice_argument', 'exercise_result', 'debugName', 'debugname', 'result'];
    const { properties } = schemaOf({
      properties: Object.fromEntries(names.map((name) => [name, text])),
    }) as { properties: object };
    expect(properties).toEqual({
      choice_argument: { ...text, 'x-daml-value': true },
      exercise_result: { ...text, 'x-daml-value': true },
      debugName: { ...text, 'x-omit-null': true },
      debugname: text,
      result: text,
    });
  });

  it('that is missing, or a missing part, is an error', () => {
    expect(() => schemasIn(documentOf({}), ['Moon'])).toThrow('The document has no message Moon.');
    const paths = { '/a': { get: { operationId: 'a', responses: { 200: ref('Moon') } } } };
    expect(() => operationsIn(documentOf(paths))).toThrow(
      'The document has no #/components/schemas/Moon.',
    );
  });

  it('comes in the order of names', () => {
    const all = documentOf({}, { B: {}, A: {} });
    expect(Object.keys(schemasIn(all, ['B', 'A']))).toEqual(['A', 'B']);
  });
});

describe('an operation', () => {
  const responses = { 200: json(ref('Answer')) };

  it('has its parameters after those of its path', () => {
    const parameter = { name: 'size', in: 'query', required: false };
    const shared = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    const paths = {
      '/a/{id}': {
        parameters: [shared],
        get: { operationId: 'a', parameters: [parameter], responses },
      },
    };
    expect(operationsIn(documentOf(paths))[0]!.parameters).toEqual([
      shared,
      { name: 'size', in: 'query', schema: {} },
    ]);
  });

  it('may refer to a part of the document', () => {
    const shared = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    const paths = {
      '/a/{id}': {
        get: { operationId: 'a', parameters: [{ $ref: '#/components/parameters/id' }], responses },
      },
    };
    const { components, ...document } = documentOf(paths);
    const all = { ...document, components: { ...components, parameters: { id: shared } } };
    expect(operationsIn(all)[0]!.parameters).toEqual([shared]);
  });

  it('has its request, each answer with headers, and no empty parts', () => {
    const headers = { etag: { schema: { type: 'string' } }, other: {} };
    const paths = {
      '/a': {
        post: {
          operationId: 'a',
          requestBody: { ...json(ref('Ask')), required: true },
          responses: {
            200: { ...json(ref('Answer')), headers },
            202: { headers: { date: {} } },
            204: {},
            400: { content: { 'text/plain': {} } },
          },
        },
        get: { operationId: 'b', requestBody: json(ref('Ask')), responses: {} },
        delete: { operationId: 'c', deprecated: true, responses: {} },
        trace: { operationId: 'd', responses: {} },
      },
    };
    const ask = { contentType: 'application/json', schema: ref('Ask') };
    const [get, post, ...more] = operationsIn(documentOf(paths), 'Suffix');
    expect(post).toEqual({
      operationId: 'aSuffix',
      method: 'post',
      path: '/a',
      request: ask,
      responses: {
        200: {
          contentType: 'application/json',
          schema: ref('Answer'),
          headers: { etag: { type: 'string' }, other: {} },
        },
        202: { headers: { date: {} } },
        204: {},
        400: { contentType: 'text/plain', schema: {} },
      },
    });
    expect(get!.request).toEqual({ ...ask, optional: true });
    expect(more).toEqual([
      { operationId: 'cSuffix', method: 'delete', path: '/a', deprecated: true, responses: {} },
    ]);
  });

  it('is disabled if its description says so', () => {
    const get = { operationId: 'a', description: notice('endpoints-34', 'POST /b'), responses };
    const [row] = operationsIn(documentOf({ '/a': { get } }));
    expect(row!.disabled).toEqual({ group: 'endpoints-34', instead: 'POST /b' });
    const usual = { ...get, description: 'Use POST /b instead.' };
    expect(operationsIn(documentOf({ '/a': { get: usual } }))[0]).not.toHaveProperty('disabled');
  });

  it('uses messages, which use others', () => {
    const document = documentOf(
      { '/a': { get: { operationId: 'a', responses } } },
      { Answer: { properties: { part: ref('Part') } }, Part: {}, Other: {} },
    );
    expect([...messagesOf(document, operationsIn(document))]).toEqual(['Answer', 'Part']);
  });
});

describe('the channels of a release', () => {
  const get = { operationId: 'a', responses: {} };
  const document = documentOf({ '/b': { get }, '/a': { get }, '/c': { get } });
  const channelsOf = (stated: Parameters<typeof cantonFacts>[2]) =>
    cantonFacts('1.2.3', document, stated).channels;

  it('are those with an operation, sorted', () => {
    const source = { channels: { '/b': {}, '/none': {}, '/a': {} } };
    expect(channelsOf({ document: '1.2.3', source })).toEqual({
      document: '1.2.3',
      paths: ['/a', '/b'],
    });
  });

  it('may be those of another release', () => {
    const stated = { document: '1.2.2', paths: ['/c', '/gone'] };
    expect(channelsOf(stated)).toEqual({ document: '1.2.2', paths: ['/c'] });
  });
});

/** A release with one operation for each name, and one message. */
function release(operations: Readonly<Record<string, object>>, more: object = {}) {
  const paths = Object.fromEntries(
    Object.entries(operations).map(([name, stated]) => [
      `/${name}`,
      { get: { operationId: name, responses: { 200: json(ref('Answer')) }, ...stated } },
    ]),
  );
  const document = documentOf(paths, {
    Answer: { type: 'object', ...more },
    One: {},
    Two: {},
  });
  const channels = { document: '1', source: { channels: paths as Record<string, object> } };
  return { document, facts: cantonFacts('1', document, channels) };
}

describe('the differences between releases', () => {
  const disabled = { description: notice('endpoints-34', 'GET /c') };
  const before = release(
    { kept: {}, gone: {}, switched: {}, off: disabled },
    { properties: { a: {}, b: {} }, required: ['a'], enum: ['x', 'y'], oneOf: [ref('One')] },
  ).facts;

  it('are none between a release and itself', () => {
    const none = Object.values(changesBetween(before, before));
    expect(none.length).toBeGreaterThan(0);
    for (const each of none) expect(each).toEqual([]);
  });

  it('are operations, channels, and the parts of messages', () => {
    const after = release(
      {
        kept: { deprecated: true, requestBody: json({}) },
        new: {},
        switched: disabled,
        off: disabled,
      },
      {
        properties: { a: {}, c: {} },
        required: ['c'],
        enum: ['y', 'z'],
        oneOf: [ref('Two'), { properties: { Three: {} } }],
      },
    ).facts;
    expect(changesBetween(before, after)).toEqual({
      added: ['GET /new'],
      gone: ['GET /gone'],
      disabled: ['GET /switched: endpoints-34, use GET /c'],
      changed: ['GET /kept: request, deprecated'],
      addedMembers: [
        'Answer.a',
        'Answer.c (required)',
        'Answer = z',
        'Answer | Two',
        'Answer | Three',
        'Two',
      ],
      goneMembers: ['Answer.a (required)', 'Answer.b', 'Answer = x', 'Answer | One', 'One'],
      addedChannels: ['/new'],
      goneChannels: ['/gone'],
    });
  });

  it('do not need channels', () => {
    const { channels: _, ...plain } = before;
    expect(changesBetween(plain, plain).addedChannels).toEqual([]);
    expect(changesBetween(plain, before).addedChannels).toHaveLength(4);
  });
});

describe('what the code must decide', () => {
  const code: Code = {
    handlers: new Set(['served']),
    unrouted: new Set(['unrouted']),
    errorCodes: new Set(['A_KNOWN_CODE', 'PARTY_NOT_FOUND']),
    mentions: (member) => member === 'known',
  };
  const undecided = (
    operations: Readonly<Record<string, object>>,
    more: object = {},
    addedMembers: readonly string[] = [],
  ) => {
    const { document, facts } = release(operations, more);
    return undecidedIn(facts, { addedMembers }, document, code);
  };

  it('are operations without a handler, if participants route them', () => {
    expect(undecided({ served: {}, unrouted: {}, open: {} })).toEqual([
      'GET /open has no handler: src/spec/served.ts and src/services (open)',
    ]);
  });

  it('are notices of deprecation in other words, or with an unknown group', () => {
    const fault = (description: string) => undecided({ served: { description } });
    const line =
      'GET /served has an unknown notice of deprecation: src/spec/deprecated/deprecated-apis.ts';
    expect(fault('It is disabled by default.')).toEqual([line]);
    expect(fault('Re-enable it.')).toEqual([line]);
    expect(fault(notice('moons-99', 'GET /b'))).toEqual([line]);
    expect(fault(notice('endpoints-34', 'GET /b'))).toEqual([]);
    expect(fault('It is deprecated.')).toEqual([]);
  });

  it('are new members of messages in use that no source mentions', () => {
    const members = [
      'Answer.known',
      'Answer.moon',
      'Answer.sun (required)',
      'Other.moon',
      'Answer',
    ];
    expect(undecided({ served: {} }, {}, [...members, 'Answer = MOON'])).toEqual([
      'Answer.moon is new, and no source mentions it: src/services',
      'Answer.sun is new, and no source mentions it: src/services',
    ]);
    expect(undecided({ unrouted: {} }, {}, members)).toEqual([]);
  });

  it('are error codes in descriptions that are unknown', () => {
    const described = (text: string) => undecided({ served: { description: text } });
    const line = (name: string) =>
      `The documents mention ${name}: src/daml/errors/error-catalogue.ts`;
    expect(described('PARTY_IS_ODD, TWO_WORDS, PARTY_NOT_FOUND, AB_CD_EF')).toEqual([
      line('PARTY_IS_ODD'),
    ]);
    // A member may have this name, and values of enumerations are not codes.
    const properties = { description: { description: 'See MOON_IS_FULL.' } };
    expect(undecided({ served: {} }, { properties })).toEqual([line('MOON_IS_FULL')]);
    const values = { enum: ['MOON_IS_NEW'], description: 'The default is MOON_IS_NEW.' };
    expect(undecided({ served: {} }, { properties: { phase: { oneOf: [values] } } })).toEqual([]);
    expect(undecided({ served: {} }, { properties: { enum: { type: 'string' } } })).toEqual([]);
  });
});
