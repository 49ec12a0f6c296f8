/** Each effect of an upgrade, from a program to the report. */
import { START_LINES, usePrograms } from './programs.js';

const { program, rehearse } = usePrograms('@grpc/grpc-js');

interface Found {
  readonly kind: string;
  readonly call: string;
  readonly detail: string;
  readonly count: number;
  readonly places: readonly string[];
}

/** By the release that it is rehearsed for. */
async function found(to: string, file: string): Promise<ReadonlyMap<string, readonly Found[]>> {
  const { stdout, stderr } = await rehearse(to, file, '--json');
  if (stdout === '') throw new Error(stderr);
  const { runs } = JSON.parse(stdout) as {
    runs: readonly { release: string; findings: readonly Found[] }[];
  };
  const named = runs.map(({ release, findings }) => {
    const short = findings.map(({ places, ...other }) => ({
      ...other,
      // The line that led to the call.
      places: places.map((place) => place.replace(/^.*\//, '')),
    }));
    return [release.replace('Canton ', ''), short] as const;
  });
  return new Map(named);
}

/** Calls of three instances. Each begins with the name of its case. */
const CALLS = [
  'const send = (url, method, path, body) =>',
  '  fetch(url + path, { method, headers, body: body && JSON.stringify(body) });',
  'const filter = { filtersForAnyParty: { cumulative: [] } };',
  "const later = await startCanticle({ port: 0, canton: '3.6' });",
  "/* missing */ await send(later.url, 'GET', '/v2/state/ledger-end');",
  "const early = await startCanticle({ port: 0, canton: '3.4' });",
  "const alice = early.participant.allocateParty('alice');",
  "const record = { issuer: alice, owner: alice, currency: 'EUR', amount: '1.0', observers: [] };",
  "const create = { templateId: '#canticle-quickstart:Quickstart.Iou:Iou', createArguments: record };",
  "const body = { commands: [{ CreateCommand: create }], commandId: 'c', userId: 'u', actAs: [alice] };",
  "const submitted = await send(early.url, 'POST', '/v2/commands/submit-and-wait', body);",
  'const { completionOffset: beginExclusive } = await submitted.json();',
  "await send(early.url, 'POST', '/v2/commands/submit-and-wait', body);",
  "const wanted = { userId: 'u', parties: [alice], beginExclusive };",
  "/* shape */ await send(early.url, 'POST', '/v2/commands/completions?stream_idle_timeout_ms=200', wanted);",
  'const eventFormat = { ...filter, verbose: true };',
  "/* accepted */ await send(early.url, 'POST', '/v2/state/active-contracts-page', { eventFormat });",
  "/* text */ await call('GET', '/v2/users/a');",
  "/* text */ await call('GET', '/v2/users/b');",
  "/* rejected */ await call('POST', '/v2/state/active-contracts', { activeAtOffset: 0, filter, verbose: true });",
  'await Promise.all([later.close(), early.close()]);',
];
/** The place of each call of a case, with the lines that the program begins with. */
const placesOf = (name: string) =>
  CALLS.flatMap((line, index) =>
    line.startsWith(`/* ${name} */`)
      ? [`calls.mjs:${index + START_LINES + 1}:${line.indexOf('await') + 7}`]
      : [],
  );

describe('in one run for three releases', () => {
  let findings: ReadonlyMap<string, readonly Found[]>;
  beforeAll(async () => {
    findings = await found('3.5,3.6,3.7', program('calls', CALLS));
  }, 60_000);

  test.each([
    {
      name: 'a member that is missing',
      to: '3.5',
      finding: {
        kind: 'missing',
        call: 'GET /v2/state/ledger-end',
        detail: '/synchronizerTimes is missing',
        count: 1,
      },
    },
    {
      name: 'a member of another type',
      to: '3.5',
      finding: {
        kind: 'shape',
        call: 'POST /v2/commands/completions',
        detail:
          '/*/completionResponse/Completion/value/status/details/*/valueDecoded: text becomes object',
        count: 1,
      },
    },
    {
      name: 'another text of an error',
      to: '3.6',
      finding: {
        kind: 'text',
        call: 'GET /v2/users/{user-id}',
        detail: '/resources/*/*: "ErrorResource(USER)" becomes "USER"',
        count: 2,
      },
    },
    {
      name: 'a request that is rejected',
      to: '3.7',
      finding: {
        kind: 'rejected',
        call: 'POST /v2/state/active-contracts',
        detail:
          '400 MISSING_FIELD: The submitted command is missing a mandatory field: event_format',
        count: 1,
        instead: 'eventFormat',
        group: 'parameters-34',
      },
    },
    {
      name: 'a request that is accepted only then',
      to: '3.5',
      finding: {
        kind: 'accepted',
        call: 'POST /v2/state/active-contracts-page',
        detail: 'no longer rejected with 404',
        count: 1,
      },
    },
  ])('finds $name', ({ to, finding }) => {
    expect(findings.get(to)).toContainEqual({ ...finding, places: placesOf(finding.kind) });
  });
});

describe('calls of gRPC', () => {
  /** Messages are bytes: a field is its tag, its length and a text. */
  const GRPC = [
    "import { Client, credentials } from '@grpc/grpc-js';",
    "const client = new Client(canticle.urls.grpc.replace('http://', ''), credentials.createInsecure());",
    'const field = (n, text) => Buffer.concat([Buffer.from([n * 8 + 2, text.length]), Buffer.from(text)]);',
    'const same = (bytes) => bytes;',
    "const path = (name) => '/com.daml.ledger.api.v2.' + name;",
    'const ask = (name, bytes = Buffer.alloc(0)) => new Promise((resolve) =>',
    '  client.makeUnaryRequest(path(name), same, same, bytes, (error, answer) => resolve(error ?? answer)));',
    "const alice = canticle.participant.allocateParty('alice');",
    "const version = 'interactive.InteractiveSubmissionService/GetPreferredPackageVersion';",
    "const named = Buffer.concat([field(1, alice), field(2, 'canticle-quickstart')]);",
    'for (let i = 0; i < 2; i += 1) await ask(version, named);',
    "await ask('StateService/GetLedgerEnd');",
    "await ask('UpdateService/GetUpdateByHash');",
    "const stream = client.makeServerStreamRequest(path('UpdateService/GetUpdates'), same, same, Buffer.alloc(0));",
    "stream.on('data', () => undefined);",
    "await new Promise((resolve) => stream.on('error', resolve).on('end', resolve));",
    'client.close();',
  ];
  const VERSION = {
    call: 'GRPC /com.daml.ledger.api.v2.interactive.InteractiveSubmissionService/GetPreferredPackageVersion',
    count: 2,
    places: ['grpc.mjs:16:38'],
    instead: 'interactive.InteractiveSubmissionService/GetPreferredPackages',
    group: 'endpoints-34',
  };

  test('are found with their method, count, replacement and place', async () => {
    const findings = await found('3.6,3.7', program('grpc', GRPC));
    expect(findings.get('3.6')).toEqual([
      { kind: 'disabled', detail: 'DEPRECATED_API_DISABLED', ...VERSION },
      {
        kind: 'error',
        call: 'GRPC /com.daml.ledger.api.v2.UpdateService/GetUpdateByHash',
        detail: 'UNIMPLEMENTED becomes MISSING_FIELD',
        count: 1,
        places: ['grpc.mjs:18:7'],
      },
      {
        kind: 'added',
        call: 'GRPC /com.daml.ledger.api.v2.StateService/GetLedgerEnd',
        detail: '/synchronizerTimes is new',
        count: 1,
        places: ['grpc.mjs:17:7'],
      },
    ]);
    expect(findings.get('3.7')).toContainEqual({
      kind: 'removed',
      detail: 'the release does not have it',
      ...VERSION,
    });
  }, 60_000);
});
