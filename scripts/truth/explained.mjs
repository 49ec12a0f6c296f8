// Differences from the recorded transcripts that we accept, each with its reason. A rule applies to one different value of one exchange:
// `{ case, index, step, exchange, own, path, ours, real }`. `path` is such as `.answer.context.tid`, and `own` is Canticle's whole
// exchange. `ours` or `real` is undefined if that side lacks the value. Keep rules narrow: a rule that explains too much hides faults.

/**
 * @typedef {{
 *   case: string, index: number, step: string, exchange: object, own: object | undefined, path: string, ours: unknown, real: unknown
 * }} Difference
 */

/** Methods of the admin API that a simulated participant does not need: about databases, replicas, key stores and sequencers. */
const NOT_WORTH_SERVING = {
  // Manual changes of a node's storage, which clients do not see.
  ParticipantRepairService: [
    'MigrateSynchronizer',
    'PurgeDeactivatedSynchronizer',
    'IgnoreEvents',
    'UnignoreEvents',
    'RollbackUnassignment',
    'RepairCommitmentsUsingAcs',
    'PerformLateLsu',
  ],
  // The synchronizers of a network exist from its start.
  SynchronizerConnectivityService: [
    'RegisterSynchronizer',
    'ModifySynchronizer',
    'ConnectSynchronizer',
    'PerformManualLsu',
  ],
  // The real participant rejects it without arguments, and with them unless an alpha feature is configured.
  PartyManagementService: ['AddPartyWithAcsAsync'],
  // Canticle does not exchange commitments.
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
  // Initial state of sequencers.
  TopologyManagerReadService: [
    'ExportTopologySnapshot',
    'ExportTopologySnapshotV2',
    'GenesisState',
    'GenesisStateV2',
    'SequencerLsuState',
  ],
  TopologyManagerWriteService: ['ImportTopologySnapshot', 'ImportTopologySnapshotV2'],
};

/** Whether Canticle answers that the method does not exist, as it should. */
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
      'Of five or more templates that share the type of an argument, the real participant uses the last one, in the order of the hashes of ' +
      'their whole signatures, which are syntax trees of Scala.',
    applies: ({ case: name, path, ours, real }) =>
      name.startsWith('pkg-') &&
      /\.(cause|context\.upgradeError)$/.test(path) &&
      [ours, real].every((text) => /input type of choice \w+ on template/.test(String(text))),
  },
  {
    kind: 'PKG-START',
    reason:
      'Canticle does not contain the packages with code that a participant has at its start (canton-builtin-admin-workflow-ping, and ' +
      'daml-prim and daml-stdlib of its compiler). It does not list packages without an archive, because a client that downloads all ' +
      'packages would fail. The two libraries are not listed either. The contracts of a ping work nevertheless.',
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
      'Between two lists, another client of the real participant vetted a package: the serial increased without a change of the listed packages.',
    applies: ({ case: name, path, ours, real }) =>
      name === 'pkg-vet-list' &&
      path.endsWith('.topologySerial') &&
      ours === 'base+16' &&
      real === 'base+17',
  },
  {
    kind: 'LANG-C1',
    reason:
      'The cases replace ten and more digits of a result by a line, also in a random id with that many digits, which they then do not recognize as an id.',
    applies: ({ case: name, path, ours, real }) =>
      name.startsWith('lang-') && path.endsWith('.commands') && named(ours) === named(real),
  },
  {
    kind: 'LANG-08',
    reason:
      'The real participant commits a result that it can read only if no client requests the trailing fields of records that are None. A client ' +
      'that requests them gets an error, and so does each client that reads other updates with them. Canticle rejects the submission.',
    applies: ({ case: name, step }) => /^lang-(22-)?deep-values$/.test(name) && step === 'nest 50',
  },
  {
    kind: 'READ-08',
    reason:
      'A participant neither answers a WebSocket close by its client nor ends the stream, so that clients wait for 30 seconds. This is a defect of its HTTP server, and would delay each test that closes its streams.',
    applies: ({ case: name, step }) => name === 'read-ws' && /^close by the client$/.test(step),
  },
  {
    kind: 'MULTI-C1',
    reason:
      'At its start, the sandbox with several synchronizers briefly connects sidebox to both, so that its checkpoints contain the time of the first one from then on. Canticle does not connect it.',
    applies: ({ case: name, step }) =>
      name === 'multi-checkpoints' && step === 'a stream of sidebox, once connected to both',
  },
  {
    kind: 'CMD-20',
    reason:
      'Canticle completes a submission before it reads the next one, so nothing is in flight by chance. With a paused synchronizer, a test can keep submissions in flight.',
    applies: ({ case: name, exchange }) =>
      name === 'cmd-dedup' &&
      /^(SUBMISSION_ALREADY_IN_FLIGHT|LOCAL_VERDICT_LOCKED_CONTRACTS)$/.test(
        exchange?.answer?.code ?? '',
      ),
  },
  {
    kind: 'GRPC-C3',
    reason:
      'A build of the real participant that is not a release also supports the protocol version dev, and has SNAPSHOT in its version.',
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
      'A prepared transaction with a node that is below itself makes the real participant loop forever. Canticle rejects it as an unexpected error.',
    applies: ({ case: name, step }) =>
      name === 'adm-execute-tamper2' && step === 'exercise: children itself',
  },
  {
    kind: 'ADM-16',
    reason:
      'Messages of the JVM parsers about an invalid key, with a stack trace; and the first description of a key that the real participant ' +
      'remembers by its bytes. They depend on the library and on earlier requests.',
    applies: ({ case: name, path, real }) =>
      /^adm-(ext-generate|grpc-parties)$/.test(name) &&
      /\.(cause|message)$/.test(path) &&
      /KeyParseAndValidateError|InvalidKey/.test(String(real)),
  },
  {
    kind: 'GRPC-20',
    reason:
      'Tokens are opaque, and those of the real participant have another format. The changed byte is part of an offset there, because its ' +
      'offsets are larger.',
    applies: ({ case: name, step, path, ours, real }) =>
      name.startsWith('grpc-') &&
      (/\.(nextPageToken|streamContinuationToken)\.bytes$/.test(path) ||
        [ours, real].every((value) => /^<bytes \d+>$/.test(String(value))) ||
        (name === 'grpc-14-streams' && step === 'token flipped')),
  },
  {
    kind: 'GRPC-14',
    reason: 'Canticle does not serve methods that a simulated participant does not need.',
    applies: ({ own }) => isNotWorthServing(own),
  },
  {
    kind: 'GRPC-14',
    reason: 'The real participant also had keys from an earlier run of the cases.',
    applies: ({ case: name, step, path }) =>
      name.startsWith('grpc-93') &&
      /^keys( of encryption| of namespace)?$/.test(step) &&
      path.startsWith('.answer'),
  },
  {
    kind: 'GRPC-13',
    reason:
      'The size of a request is the size of its parts, which the real participant compresses, each time to another size. Steps take no time in Canticle.',
    applies: ({ case: name, path, ours, real }) =>
      name === 'grpc-15-completions' &&
      ((/\.requestSize$/.test(path) && Math.abs(ours / real - 1) < 0.1) ||
        /\.timings\.\d+\.durationMs$/.test(path)),
  },
  {
    kind: 'GRPC-H',
    reason:
      'On the machine of the recording, exports of the real participant do not end until the client disconnects. Errors are then missing, and so ' +
      'are the results of others. An error may also come after the first bytes of a file, by chance.',
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
      'The real participant had run other cases before: the answers also contain their transactions, completions, contracts and packages. ' +
      'Offsets continue, and a submission was in flight.',
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
      'The real participant was too slow for the client: a list of parties that was cancelled, and a ping that took longer than its timeout.',
    applies: ({ case: name, step }) =>
      /^grpc-01-empty PartyManagementService\/ListKnownParties$/.test(`${name} ${step}`) ||
      /^grpc-03-metadata ping with timeout$/.test(`${name} ${step}`),
  },
  {
    kind: 'GRPC-F',
    reason:
      'Five or more rights are in the order of their hashes. These depend on the party, whose namespace is different here.',
    applies: ({ case: name, step, path }) =>
      name === 'grpc-20-users' && step === 'rights' && path.startsWith('.answer.rights.'),
  },
  {
    kind: 'ADM-C4',
    reason: 'A part of the name of the run, which is a time.',
    applies: ({ case: name, step, ours, real }) =>
      name === 'adm-parties-list' &&
      step === 'filter percent' &&
      String(ours).replace(/"pg-\w+%"/, '') === String(real).replace(/"pg-\w+%"/, ''),
  },
  {
    kind: 'ADM-C3',
    reason:
      'A fingerprint in upper case, which the comparison does not recognize. It belongs to another synchronizer.',
    applies: ({ case: name, step, ours, real }) =>
      name === 'adm-parties' &&
      step === 'synchronizer upper' &&
      [ours, real].every((text) => /SYNCHRONIZER-1::1220[0-9A-F]{64}/.test(String(text))),
  },
  {
    kind: 'GRPC-19',
    reason:
      'Canticle uses a later definition of health checking, which also has a method that lists all components. The same holds for descriptors.',
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
      'Internals of nodes: components of a participant, its ports, its connections to sequencers, and how Scala and protobuf print the ' +
      'status in the reason of a failed ping, with identity hashes.',
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
      'The parser of Node rejects the first line that is not HTTP. The real participant waits for a valid line until the connection has ' +
      'been idle for a long time.',
    applies: ({ case: name, step }) => name === 'read-http' && step === 'noise',
  },
  {
    kind: 'READ-21',
    reason: 'The length of an answer with a port number that has another number of digits.',
    applies: ({ exchange, path, ours, real }) =>
      /^\.head\.\d+$/.test(path) &&
      [ours, real].every((line) => /^Content-Length: \d+$/.test(String(line))) &&
      String(exchange.body).includes('<address>'),
  },
  {
    kind: 'ADM-C2',
    reason: 'Pages of Canticle, and the number of the release.',
    applies: ({ exchange, path, real }) =>
      /^GET \/(?:docs\/?)?$/.test(exchange.ask ?? '') ||
      (path === '.answer.version' && real === '3.5.10-SNAPSHOT') ||
      (path === '.why' && String(real).includes('3.5.10-SNAPSHOT')) ||
      (path === '.answer' && /^GET \/docs\/openapi/.test(exchange.ask ?? '')),
  },
  {
    kind: 'MULTI-05',
    reason:
      'Canticle rejects an unassignment that names a contract twice. The real participant moves it twice, and one of the two activations ' +
      'never ends.',
    applies: ({ case: name }) => name === 'multi-twice',
  },
  {
    kind: 'MULTI-F1',
    reason:
      'The real participant pairs the parts of several contracts that were unassigned together in two different orders, so that an incomplete ' +
      'unassignment contains the creation of another contract.',
    applies: ({ case: name, path }) =>
      /^multi-(several|more)$/.test(name) &&
      (/JsIncompleteUnassigned\.createdEvent\./.test(path) ||
        /^\.note\.\d+\.created(Node)?$/.test(path)),
  },
  {
    kind: 'MULTI-F2',
    reason:
      'The real participant returns the synchronizer of the creation as that of the archival.',
    applies: ({ case: name, exchange, path }) =>
      /^multi-(lookups|more)$/.test(name) &&
      /events-by-contract-id$/.test(exchange.ask ?? '') &&
      path === '.answer.archived.synchronizerId',
  },
  {
    kind: 'MULTI-C1',
    reason:
      'sidebox was once connected to the first synchronizer, and its checkpoints continue to contain both times.',
    applies: ({ case: name, path }) =>
      name === 'multi-checkpoints' && /synchronizerTimes/.test(path),
  },
];
