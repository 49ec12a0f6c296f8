// Differences from the recorded transcripts that stay, each with its reason. A rule applies to one differing value of one exchange:
// `{ case, index, step, exchange, own, path, ours, real }`, where `path` is such as `.answer.context.tid`, `own` is our exchange whole, and
// `ours` or `real` is undefined where that side lacks the value. Keep rules narrow: a rule that explains too much hides faults.

/** @typedef {{ case: string, index: number, step: string, exchange: object, own: object | undefined, path: string, ours: unknown, real: unknown }} Difference */

/** Methods of the admin API that nobody needs of a simulated participant: of databases, replicas, key stores and sequencers. */
const NOT_WORTH_SERVING = {
  // Changes of a node's storage by hand, by itself without effect on what clients see.
  ParticipantRepairService: [
    'MigrateSynchronizer',
    'PurgeDeactivatedSynchronizer',
    'IgnoreEvents',
    'UnignoreEvents',
    'RollbackUnassignment',
    'RepairCommitmentsUsingAcs',
    'PerformLateLsu',
  ],
  // The synchronizers of a network are there from its start.
  SynchronizerConnectivityService: [
    'RegisterSynchronizer',
    'ModifySynchronizer',
    'ConnectSynchronizer',
    'PerformManualLsu',
  ],
  // Refused without arguments, and without an alpha feature of the configuration with them.
  PartyManagementService: ['AddPartyWithAcsAsync'],
  // Commitments are not exchanged.
  ParticipantInspectionService: [
    'OpenCommitment',
    'InspectCommitmentContracts',
    'SetConfigForSlowCounterParticipants',
  ],
  // Key management services, wrapper keys, and private keys.
  VaultService: [
    'RegisterKmsSigningKey',
    'RegisterKmsEncryptionKey',
    'GetWrapperKeyId',
    'RotateWrapperKey',
    'ImportKeyPair',
  ],
  StatusService: ['HealthDump'],
  // What sequencers begin with.
  TopologyManagerReadService: [
    'ExportTopologySnapshot',
    'ExportTopologySnapshotV2',
    'GenesisState',
    'GenesisStateV2',
    'SequencerLsuState',
  ],
  TopologyManagerWriteService: ['ImportTopologySnapshot', 'ImportTopologySnapshotV2'],
};

/** Whether ours answers that there is no such method, as it should. */
function isNotWorthServing(own) {
  const [, service, method] =
    /^Method not found: \S+\.(\w+)\/(\w+)$/.exec(own?.error?.message ?? '') ?? [];
  return (
    own?.error?.code === 'UNIMPLEMENTED' && (NOT_WORTH_SERVING[service]?.includes(method) ?? false)
  );
}

const named = (text) =>
  String(text).replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-\d{10}_\d\d/, '<uuid>');

/** @type {readonly { kind: string, reason: string, applies: (difference: Difference) => boolean }[]} */
export const EXPLAINED = [
  {
    kind: 'PKG-03',
    reason:
      'Of five or more templates that share the type of an argument, the real one takes the last by the hashes of their whole ' +
      'signatures, that is of syntax trees as Scala has them.',
    applies: ({ case: name, path, ours, real }) =>
      name.startsWith('pkg-') &&
      /\.(cause|context\.upgradeError)$/.test(path) &&
      [ours, real].every((text) => /input type of choice \w+ on template/.test(String(text))),
  },
  {
    kind: 'PKG-START',
    reason:
      'The packages with code that a participant has at its start (canton-builtin-admin-workflow-ping, and daml-prim and daml-stdlib of its ' +
      'compiler) are not bundled. A package without its archive is not handed out, as who downloads all packages would fail; the two ' +
      'libraries are not listed either. The contracts of a ping work nevertheless.',
    applies: ({ case: name, step, exchange, path, ours, real }) =>
      name === 'pkg-00-start' &&
      ((/^vetted canton/.test(step) && /^\.note\.[1-4]$/.test(path)) ||
        (step === 'vetted daml-prim' &&
          (path.startsWith('.note.') ||
            JSON.stringify([exchange, ours, real]).includes('590736e6f7bc')))),
  },
  {
    kind: 'PKG-C1',
    reason:
      'Between two lists the real one was asked by others as well, who vetted something: the serial went up without a change of the packages that are told.',
    applies: ({ case: name, path, ours, real }) =>
      name === 'pkg-vet-list' &&
      path.endsWith('.topologySerial') &&
      ours === 'base+16' &&
      real === 'base+17',
  },
  {
    kind: 'LANG-C1',
    reason:
      'The cases put a line into ten digits and more of a result, also into those of a random id that has so many, which then is no id to them.',
    applies: ({ case: name, path, ours, real }) =>
      name.startsWith('lang-') && path.endsWith('.commands') && named(ours) === named(real),
  },
  {
    kind: 'LANG-08',
    reason:
      'The real one commits a result that it can read only as long as nobody wants the fields at the end of records that are None: whoever reads ' +
      'it with them is answered with a failure, and so is each who reads other updates beside it. Here it is refused at once.',
    applies: ({ case: name, step }) => /^lang-(22-)?deep-values$/.test(name) && step === 'nest 50',
  },
  {
    kind: 'READ-08',
    reason:
      'A participant neither answers the closing of a WebSocket by its client nor ends the stream, so that clients wait for half a minute. That is a defect of its HTTP server, and would hold up each test that closes its streams.',
    applies: ({ case: name, step }) => name === 'read-ws' && /^close by the client$/.test(step),
  },
  {
    kind: 'MULTI-C1',
    reason:
      'The sandbox with several synchronizers connects sidebox to both for a moment when it starts, so its checkpoints tell the time of the first for ever; here it never was there.',
    applies: ({ case: name, step }) =>
      name === 'multi-checkpoints' && step === 'a stream of sidebox, once connected to both',
  },
  {
    kind: 'CMD-20',
    reason:
      'Here a submission is over before the next one is looked at, so nothing is in flight by chance; a synchronizer that is paused keeps submissions in flight for as long as a test wants.',
    applies: ({ case: name, exchange }) =>
      name === 'cmd-dedup' &&
      /^(SUBMISSION_ALREADY_IN_FLIGHT|LOCAL_VERDICT_LOCKED_CONTRACTS)$/.test(
        exchange?.answer?.code ?? '',
      ),
  },
  {
    kind: 'GRPC-C3',
    reason:
      'A build of the real one that is no release also supports the protocol version dev, and has SNAPSHOT in its version.',
    applies: ({ case: name, path, ours, real }) =>
      /^(grpc|adm)-/.test(name) &&
      ((/\.(reason|cause)$/.test(path) &&
        String(real).replace('34, 35, dev.', '34, 35.') === ours) ||
        (/\.version$/.test(path) &&
          /-SNAPSHOT$/.test(String(real)) &&
          /^3\.5\./.test(String(ours)))),
  },
  {
    kind: 'ADM-11',
    reason:
      'A prepared transaction with a node that is below itself keeps the real one busy for ever; here it is refused as what nobody foresaw.',
    applies: ({ case: name, step }) =>
      name === 'adm-execute-tamper2' && step === 'exercise: children itself',
  },
  {
    kind: 'ADM-16',
    reason:
      'What the parsers of the JVM found in a key that is none, with a stack trace, and what the real one remembers of a key by its bytes, ' +
      'however it was described the first time: it depends on the library and on who asked before.',
    applies: ({ case: name, path, real }) =>
      /^adm-(ext-generate|grpc-parties)$/.test(name) &&
      /\.(cause|message)$/.test(path) &&
      /KeyParseAndValidateError|InvalidKey/.test(String(real)),
  },
  {
    kind: 'GRPC-20',
    reason:
      'Tokens are opaque, and those of the real one have another form. A byte that was changed is one of an offset there, whose ' +
      'numbers are larger.',
    applies: ({ case: name, step, path, ours, real }) =>
      name.startsWith('grpc-') &&
      (/\.(nextPageToken|streamContinuationToken)\.bytes$/.test(path) ||
        [ours, real].every((value) => /^<bytes \d+>$/.test(String(value))) ||
        (name === 'grpc-14-streams' && step === 'token flipped')),
  },
  {
    kind: 'GRPC-14',
    reason: 'Methods that nobody needs of a simulated participant are not served.',
    applies: ({ own }) => isNotWorthServing(own),
  },
  {
    kind: 'GRPC-14',
    reason: 'The real one also had keys that were made when the cases were run before.',
    applies: ({ case: name, step, path }) =>
      name.startsWith('grpc-93') &&
      /^keys( of encryption| of namespace)?$/.test(step) &&
      path.startsWith('.answer'),
  },
  {
    kind: 'GRPC-13',
    reason:
      'The size of a request is that of its parts, which the real one compresses, each time to another size. Steps take no time here.',
    applies: ({ case: name, path, ours, real }) =>
      name === 'grpc-15-completions' &&
      ((/\.requestSize$/.test(path) && Math.abs(ours / real - 1) < 0.1) ||
        /\.timings\.\d+\.durationMs$/.test(path)),
  },
  {
    kind: 'GRPC-H',
    reason:
      'Exports of the real one hang on the machine that recorded them, until the client goes away: refusals are not told, and what came of ' +
      'others is missing. An error may also come behind the first bytes of a file, by chance.',
    applies: ({ case: name, exchange, own }) =>
      (name === 'grpc-31-admin-parties' &&
        (exchange.why === 'time' || (own === exchange && own?.note?.chunks !== undefined))) ||
      (name === 'grpc-01-empty' &&
        /\/ExportPartyAcs$/.test(exchange.rpc ?? '') &&
        exchange.answers?.[0] === 'chunks'),
  },
  {
    kind: 'GRPC-B',
    reason:
      'The real one had been asked by other cases before: their transactions, completions, contracts and packages are told, too, offsets ' +
      'are counted on, and something was in flight.',
    applies: ({ case: name, step }) =>
      /^grpc-14-streams (any party|far begin|acs page (now|0))$/.test(`${name} ${step}`) ||
      /^grpc-15-completions get completions of all$/.test(`${name} ${step}`) ||
      /^grpc-01-empty CommandCompletionService\/GetCompletions$/.test(`${name} ${step}`) ||
      /^grpc-22-packages list has it$/.test(`${name} ${step}`) ||
      /^grpc-34-topology-read vetted$/.test(`${name} ${step}`) ||
      /^grpc-93-unserved-vault in flight$/.test(`${name} ${step}`),
  },
  {
    kind: 'GRPC-T',
    reason:
      'The real one was too slow for the client: a list of parties that was cancelled, and a ping that took longer than its timeout.',
    applies: ({ case: name, step }) =>
      /^grpc-01-empty PartyManagementService\/ListKnownParties$/.test(`${name} ${step}`) ||
      /^grpc-03-metadata ping with timeout$/.test(`${name} ${step}`),
  },
  {
    kind: 'GRPC-F',
    reason:
      'Five or more rights stand in the order of their hashes, which depend on the party, whose namespace is another here.',
    applies: ({ case: name, step, path }) =>
      name === 'grpc-20-users' && step === 'rights' && path.startsWith('.answer.rights.'),
  },
  {
    kind: 'ADM-C4',
    reason: 'The name of the run, cut within, which is that of a time.',
    applies: ({ case: name, step, ours, real }) =>
      name === 'adm-parties-list' &&
      step === 'filter percent' &&
      String(ours).replace(/"pg-\w+%"/, '') === String(real).replace(/"pg-\w+%"/, ''),
  },
  {
    kind: 'ADM-C3',
    reason:
      'A fingerprint in upper case, which the comparison gives no name; it is that of another synchronizer.',
    applies: ({ case: name, step, ours, real }) =>
      name === 'adm-parties' &&
      step === 'synchronizer upper' &&
      [ours, real].every((text) => /SYNCHRONIZER-1::1220[0-9A-F]{64}/.test(String(text))),
  },
  {
    kind: 'GRPC-19',
    reason:
      'The definition of health checking is a later one here: it also lists all components, which nobody serves. So is that of descriptors.',
    applies: ({ case: name, path, ours, real }) =>
      name === 'grpc-00-services' &&
      (/(health|descriptor)\.proto$/.test(path) ||
        (/\.note\.methods\.[12]$/.test(path) &&
          ([ours, real].join() === 'List,Watch stream' ||
            [ours, real].join() === 'Watch stream,'))),
  },
  {
    kind: 'GRPC-18',
    reason:
      'What nodes are made of inside: components of a participant, its ports, how it reaches sequencers, and how Scala and ' +
      'protobuf print the status in the reason of a failed ping, with identity hashes.',
    applies: ({ case: name, path, real }) =>
      name.startsWith('grpc-33') &&
      (/^\.answer\.(ports|components)(\.|$)/.test(path) ||
        /^\.answer\.results\.\d+\.config\.(sequencerConnections|timeTracker|physicalSynchronizerId)(\.|$)/.test(
          path,
        ) ||
        (/\.reason$/.test(path) && /ByteString@/.test(String(real)))),
  },
  {
    kind: 'READ-19',
    reason:
      'The parser of Node refuses what is no HTTP at its first line that cannot be read; the real one waits for a line that it takes ' +
      'for one until the connection was idle for long.',
    applies: ({ case: name, step }) => name === 'read-http' && step === 'noise',
  },
  {
    kind: 'READ-21',
    reason: 'The length of an answer that names the port, whose number has other digits.',
    applies: ({ exchange, path, ours, real }) =>
      /^\.head\.\d+$/.test(path) &&
      [ours, real].every((line) => /^Content-Length: \d+$/.test(String(line))) &&
      String(exchange.body).includes('<address>'),
  },
  {
    kind: 'ADM-C2',
    reason: 'Pages of our own, and the number of the release.',
    applies: ({ exchange, path, real }) =>
      /^GET \/(?:docs\/?)?$/.test(exchange.ask ?? '') ||
      (path === '.answer.version' && real === '3.5.10-SNAPSHOT') ||
      (path === '.why' && String(real).includes('3.5.10-SNAPSHOT')) ||
      (path === '.answer' && /^GET \/docs\/openapi/.test(exchange.ask ?? '')),
  },
  {
    kind: 'MULTI-05',
    reason:
      'A contract that one unassignment names twice is refused here. The real one moves it twice, and one of its two stays is never ' +
      'closed.',
    applies: ({ case: name }) => name === 'multi-twice',
  },
  {
    kind: 'MULTI-F1',
    reason:
      'The real one pairs the halves of several contracts that left together in two different orders, so that an incomplete ' +
      'unassignment tells the creation of another contract.',
    applies: ({ case: name, path }) =>
      /^multi-(several|more)$/.test(name) &&
      (/JsIncompleteUnassigned\.createdEvent\./.test(path) ||
        /^\.note\.\d+\.created(Node)?$/.test(path)),
  },
  {
    kind: 'MULTI-F2',
    reason: 'The real one tells the synchronizer of the creation as that of the archival.',
    applies: ({ case: name, exchange, path }) =>
      /^multi-(lookups|more)$/.test(name) &&
      /events-by-contract-id$/.test(exchange.ask ?? '') &&
      path === '.answer.archived.synchronizerId',
  },
  {
    kind: 'MULTI-C1',
    reason:
      'sidebox was connected to the first synchronizer once, and its checkpoints go on telling both times.',
    applies: ({ case: name, path }) =>
      name === 'multi-checkpoints' && /synchronizerTimes/.test(path),
  },
];
