/** Each effect of an upgrade, from a program to the report. */
import { usePrograms } from './programs.js';

const { program, rehearse } = usePrograms('@grpc/grpc-js');

interface Found {
  readonly kind: string;
  readonly call: string;
  readonly detail: string;
  readonly count: number;
  readonly places: readonly string[];
}

async function found(to: string, file: string) {
  const { stdout, stderr } = await rehearse(to, file, '--json');
  if (stdout === '') throw new Error(stderr);
  const { runs } = JSON.parse(stdout) as { runs: readonly { findings: readonly Found[] }[] };
  return runs[0]!.findings.map(({ places, ...other }) => ({
    ...other,
    // The line that led to the call.
    places: places.map((place) => place.replace(/^.*\//, '')),
  }));
}

const COMPLETIONS = [
  "const alice = canticle.participant.allocateParty('alice');",
  "const record = { issuer: alice, owner: alice, currency: 'EUR', amount: '1.0', observers: [] };",
  "const create = { templateId: '#canticle-quickstart:Quickstart.Iou:Iou', createArguments: record };",
  "const body = { commands: [{ CreateCommand: create }], commandId: 'c', userId: 'u', actAs: [alice] };",
  "const { completionOffset } = await (await call('POST', '/v2/commands/submit-and-wait', body)).json();",
  "await call('POST', '/v2/commands/submit-and-wait', body);",
  "await call('POST', '/v2/commands/completions?stream_idle_timeout_ms=200', { userId: 'u', parties: [alice], beginExclusive: completionOffset });",
];

test.each([
  {
    name: 'a member that is missing',
    options: { canton: '3.6' },
    lines: ["await call('GET', '/v2/state/ledger-end');"],
    to: '3.5',
    finding: {
      kind: 'missing',
      call: 'GET /v2/state/ledger-end',
      detail: '/synchronizerTimes is missing',
      count: 1,
      places: ['1.mjs:6:7'],
    },
  },
  {
    name: 'a member of another type',
    options: { canton: '3.4' },
    lines: COMPLETIONS,
    to: '3.5',
    finding: {
      kind: 'shape',
      call: 'POST /v2/commands/completions',
      detail:
        '/*/completionResponse/Completion/value/status/details/*/valueDecoded: text becomes object',
      count: 1,
      places: ['2.mjs:12:7'],
    },
  },
  {
    name: 'another text of an error',
    options: {},
    lines: ["await call('GET', '/v2/users/a');", "await call('GET', '/v2/users/b');"],
    to: '3.6',
    finding: {
      kind: 'text',
      call: 'GET /v2/users/{user-id}',
      detail: '/resources/*/*: "ErrorResource(USER)" becomes "USER"',
      count: 2,
      places: ['3.mjs:6:7', '3.mjs:7:7'],
    },
  },
  {
    name: 'a request that is rejected',
    options: {},
    lines: [
      'const filter = { filtersForAnyParty: { cumulative: [] } };',
      "await call('POST', '/v2/state/active-contracts', { activeAtOffset: 0, filter, verbose: true });",
    ],
    to: '3.7',
    finding: {
      kind: 'rejected',
      call: 'POST /v2/state/active-contracts',
      detail: '400 MISSING_FIELD: The submitted command is missing a mandatory field: event_format',
      count: 1,
      places: ['4.mjs:7:7'],
      instead: 'eventFormat',
      group: 'parameters-34',
    },
  },
  {
    name: 'a request that is accepted only then',
    options: { canton: '3.4' },
    lines: [
      'const filter = { filtersForAnyParty: { cumulative: [] } };',
      "await call('POST', '/v2/state/active-contracts-page', { eventFormat: { ...filter, verbose: true } });",
    ],
    to: '3.5',
    finding: {
      kind: 'accepted',
      call: 'POST /v2/state/active-contracts-page',
      detail: 'no longer rejected with 404',
      count: 1,
      places: ['5.mjs:7:7'],
    },
  },
])(
  'finds $name',
  async ({ options, lines, to, finding }) => {
    const file = program(String((files += 1)), lines, options);
    expect(await found(to, file)).toContainEqual(finding);
  },
  60_000,
);
let files = 0;

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
    const file = program('grpc', GRPC);
    expect(await found('3.6', file)).toEqual([
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
    expect(await found('3.7', file)).toContainEqual({
      kind: 'removed',
      detail: 'the release does not have it',
      ...VERSION,
    });
  }, 60_000);
});
