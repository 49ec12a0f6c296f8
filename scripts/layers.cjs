/**
 * The rooms of src/ and what each may import: imports run down only, and the engine knows no web server, schema,
 * file, clock or chance. One table, read by the lint rule below and by the test of the house. The rule answers for
 * every way to import: static, re-export, dynamic, `import type`, `require`.
 */
const { existsSync } = require('node:fs');
const { dirname, join, relative, resolve, sep } = require('node:path');

const source = join(__dirname, '..', 'src');
const tests = join(__dirname, '..', 'test');

/** Of node:crypto, what gives the same answer to the same question. */
const pureCrypto = [
  'createHash',
  'createHmac',
  'createPublicKey',
  'verify',
  'KeyObject',
  // For Ed25519 keys made of the seed, whose signatures draw nothing.
  'createPrivateKey',
  'sign',
];

/** The one file of a sealed room that loads packages late: those that hardly any run needs. */
const lateLoader = join(source, 'daml', 'lf', 'builtins', 'noble.ts');

/** The one file that has the module as a whole, as it looks what of `hash` this Node has. */
const wholeCrypto = join(source, 'daml', 'model', 'hash.ts');

const engine = ['daml', 'network'];
const world = [...engine, 'token', 'splice'];
const served = [...world, 'wallet', 'spec'];
const inside = [...served, 'options', 'client', 'services', 'http', 'grpc', 'scenario', 'script'];

/**
 * `below`: the rooms that may be imported. `packages`: the packages, where only some may be. `sealed`: whatever it
 * does follows from the seed and the calls.
 */
const rooms = {
  daml: {
    below: [],
    packages: [
      'node:zlib',
      '@bufbuild/protobuf',
      '@noble/curves',
      '@noble/hashes',
      'node:crypto',
      'node:assert',
      'node:util',
    ],
    sealed: true,
  },
  network: {
    below: ['daml'],
    packages: ['@bufbuild/protobuf', 'node:crypto', 'node:assert', 'node:util', 'pako'],
    sealed: true,
  },
  token: { below: engine, packages: ['node:crypto', 'node:assert'], sealed: true },
  splice: { below: [...engine, 'token'], packages: ['node:crypto', 'node:assert'], sealed: true },
  wallet: { below: world, packages: ['node:assert', 'node:util'], sealed: true },
  // Each option in one place, for all that read them: programs, command lines, files, headers, environments.
  options: { below: [...engine, 'spec'], packages: [] },
  scenario: { below: [...served, 'options', 'script'], sealed: true },
  script: { below: [...world, 'client'], packages: [], sealed: true },
  spec: { below: engine },
  // What is asked of other participants, and how it travels.
  client: { below: ['daml', 'spec'] },
  // Packages in, texts out: whoever calls it reads and writes the files.
  codegen: { below: ['daml'], packages: ['node:path'], sealed: true },
  // Operations know no socket: another transport can stand beside the one there is.
  services: {
    below: served,
    packages: [
      '@bufbuild/protobuf',
      'jose',
      'node:crypto',
      'node:module',
      'node:timers',
      'node:util',
      'node:zlib',
    ],
  },
  http: { below: [...served, 'services'] },
  grpc: {
    below: [...engine, 'spec', 'services', 'client'],
    packages: [
      '@bufbuild/protobuf',
      'node:http2',
      'node:net',
      'node:timers',
      'node:tls',
      'node:zlib',
    ],
  },
  // What is read of recordings, matched and compared: files and sockets are of the bridge.
  recording: { below: ['daml', 'spec'], packages: ['node:crypto', 'node:util'], sealed: true },
  // What serves the page; the page itself, in `page`, is a client of the controls and runs in browsers.
  inspector: { below: ['spec', 'services', 'http'] },
  // Nothing else puts the rooms together, and nothing else imports a transport.
  assembly: { below: [...inside, 'inspector'] },
  // To and from systems outside: proxies, recordings as files, what is asked there and here.
  bridge: {
    below: [
      ...served,
      ...['client', 'services', 'http', 'scenario', 'script', 'assembly', 'recording'],
    ],
  },
  // The entrances.
  '.': { below: [...inside, 'assembly', 'recording', 'bridge'] },
  cli: {
    below: [
      ...served,
      'options',
      'client',
      'services',
      'scenario',
      'script',
      'assembly',
      'codegen',
      'recording',
      'bridge',
      '.',
    ],
  },
  testing: {
    below: [
      ...served,
      ...[
        'options',
        'client',
        'services',
        'scenario',
        'script',
        'assembly',
        'recording',
        'bridge',
        '.',
      ],
    ],
  },
};

/**
 * The inner walls: what stands in a hall, from top to ground. An import inside a hall runs down, so that no two of these can be
 * in a circle. '.' is where the files of the hall itself stand that are not named.
 */
const halls = {
  daml: [
    'index',
    'explanation',
    'tracing',
    'describing',
    'dar',
    'interpreter',
    'lf',
    'upgrade',
    'contract',
    'typing',
    'refusals',
    'archive',
    'define',
    'writing',
    'codec',
    'model',
    'errors',
  ],
  'daml/lf': ['.', 'emitting', 'lowering', 'counting', 'builtins', 'runtime'],
  'daml/archive': ['code', '.', 'wire', 'zip', 'dar-refusals'],
  'daml/codec': ['json', 'protobuf', '.'],
  network: [
    'index',
    'simulation',
    'tracing',
    'inspection',
    'external',
    'commands',
    'open',
    'worlds',
    'explanation',
    'reassignment',
    'routing',
    'network',
    'faults',
    'coverage',
    'vetting',
    'reading',
    'participant',
    'administration',
    'submission',
    'traffic',
    'ledger',
    'topology',
    'synchronizer',
    'packages',
    'model',
    'journal',
    'protobuf',
  ],
  'network/external': ['.', 'prepared'],
  token: [
    'index',
    'registry',
    'package',
    'token-rules',
    'allocations',
    'transfers',
    'holdings',
    'standard',
  ],
  splice: [
    'founding',
    'sv',
    'wallet',
    'registry',
    'splice',
    'wallet-log',
    'scan',
    'automation',
    'dso',
    'validators',
    'rewards',
    'model',
    '.',
  ],
  services: [
    'index',
    'calls',
    'handlers',
    'pages',
    'participant-admin',
    'control',
    'names',
    'sv',
    'wallet-app',
    'validator',
    'registry',
    'scan',
    'ledger-api',
    'faults',
    '.',
    'authorization',
    'streams',
  ],
  'services/ledger-api': [
    'index',
    'json-layer',
    'channels',
    'version',
    'command-status',
    'unlisted',
    'legacy',
    'interactive',
    'commands',
    'updates',
    'state',
    'packages',
    'parties',
    'users',
    'formats',
  ],
  'services/scan': [
    'index',
    '.',
    'contracts',
    'history',
    'rounds-and-rules',
    'names',
    'rewards',
    'formats',
  ],
  http: [
    'index',
    'server',
    'in-process',
    'http-entry',
    'hosts',
    'keycloak',
    'sites',
    'streams',
    'dispatch',
    'transport',
    'faults',
    '.',
    'delivery',
    'routing',
    'pages',
  ],
  grpc: [
    'index',
    'open',
    'worlds',
    'client',
    'admin-port',
    'ledger-port',
    'stream-line',
    'transport',
    'standard',
    'methods',
    'status',
    'context',
    'values',
    'messages',
    'wire',
  ],
  scenario: [
    '.',
    'verbs',
    'expectations',
    'fields',
    'row',
    'name-entries',
    'world',
    'names',
    'faults',
    'generated',
  ],
  script: [
    'index',
    'run-on-network',
    'run-remotely',
    'test-script',
    'ide',
    'network',
    'remote',
    'script-run',
    'questions',
    '.',
  ],
};

/**
 * The rooms that the folders of test/ are about, where these are not called the same: tests look inside of these. What they use of
 * others comes through a public entrance, or through the room's door, its `index.ts`.
 */
const tested = {
  bridge: ['bridge', 'client'],
  http: ['http', 'services'],
  'services/registry': ['services', 'splice', 'token'],
  'services/scan': ['services', 'splice'],
  'splice/amulet': ['splice', 'wallet'],
  'testing/forks': ['testing', 'assembly'],
  options: ['options', 'cli'],
  scenario: ['scenario', 'assembly'],
  script: ['script', 'assembly', 'client'],
  support: ['testing'],
  'support/daml': ['daml', 'testing'],
  'support/splice': ['splice'],
};

/** Folders of `test/` whose suites may look inside the room of a source. */
function testFoldersOf(file) {
  const room = roomOf(file);
  const folders = Object.keys(tested).filter((folder) => tested[folder].includes(room));
  return [room, ...folders].filter(
    (each, place, all) =>
      each !== '.' && all.indexOf(each) === place && existsSync(join(tests, String(each))),
  );
}

/** What users import: the entrances of package.json. */
const isEntrance = (way) => way.length === 1 || (way.length === 2 && way[0] === 'testing');
const isDoor = (way) => way.length === 2 && way[1] === 'index';

/** The room that a path is in: '.' for a file of src/ itself, undefined outside src/. */
function roomOf(path) {
  const inside = relative(source, path);
  if (inside.startsWith('..')) return undefined;
  const [first, ...rest] = inside.split(sep);
  return rest.length > 0 || first in rooms ? first : '.';
}

/** The way from src/ to a file: folders, and its name without its ending. */
const wayTo = (path) =>
  relative(source, path)
    .replace(/\.[jt]s$/, '')
    .split(sep);

/** Why an import inside a room climbs, or undefined if it does not: judged in the hall in which the two ways part. */
function climb(file, target) {
  const [from, to] = [wayTo(file), wayTo(target)];
  let at = 0;
  while (at < from.length - 1 && at < to.length - 1 && from[at] === to[at]) at += 1;
  const hall = from.slice(0, at).join('/');
  const floors = halls[hall];
  if (floors === undefined) return undefined;
  const floorOf = (way) => {
    const named = floors.indexOf(way[at]);
    return named < 0 && at === way.length - 1 ? floors.indexOf('.') : named;
  };
  for (const way of [from, to])
    if (floorOf(way) < 0)
      return `src/${hall} has no place for ${way[at]}: add it to the halls of scripts/layers.cjs.`;
  if (floorOf(from) <= floorOf(to)) return undefined;
  return `In src/${hall}, ${from[at]} stands below ${to[at]} and may not import it.`;
}

/** What a transport leaves to the pipeline of calls (src/services/calls): the journal of requests, and the faults. */
const ofCalls = ['services/request-journal', 'services/faults', 'network/faults'];
const transports = ['http', 'grpc'];

/** Why a transport may not import a file, or undefined if it may. */
function bypass(from, target) {
  if (!transports.includes(from)) return undefined;
  const way = wayTo(target).join('/');
  const passed = ofCalls.find((place) => way === place || way.startsWith(`${place}/`));
  return passed && `${from} may not import ${passed}: src/services/calls has to do with it.`;
}

/** Why `file` may not import `specifier`, or undefined if it may. */
function refusal(file, specifier) {
  const from = roomOf(file);
  if (from === undefined) return undefined;
  const room = rooms[from];
  if (room === undefined)
    return `src/${from} is not a room of the house: add it to scripts/layers.cjs.`;
  if (specifier.startsWith('.')) {
    const target = resolve(dirname(file), specifier);
    const to = roomOf(target);
    if (isDoor(wayTo(target)) && !isDoor(wayTo(file)))
      return `The door of ${to} is for the tests of other rooms: import the file.`;
    if (to === undefined) return `src/ imports nothing that lies outside it ('${specifier}').`;
    if (to === from) return climb(file, target);
    if (room.below.includes(to)) return bypass(from, target);
    return `${from} may not import ${to === '.' ? 'src/ itself' : to}: imports run down only.`;
  }
  if (specifier === 'canticle') return 'src/ imports its own files by their paths.';
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (room.packages === undefined || room.packages.includes(name)) return undefined;
  if (name === 'node:module' && file === lateLoader) return undefined;
  return `${from} may not import '${name}', only ${room.packages.join(', ')}.`;
}

/** Why a test may not import `specifier`, or undefined if it may. */
function refusalOfTest(file, specifier) {
  if (!specifier.startsWith('.')) return undefined;
  const target = resolve(dirname(file), specifier);
  const room = roomOf(target);
  if (room === undefined || isEntrance(wayTo(target)) || isDoor(wayTo(target))) return undefined;
  const [top, ...rest] = relative(tests, file).split(sep);
  const within = rest.length > 1 ? `${top}/${rest[0]}` : top;
  const own = tested[within] ?? (top === 'support' && within !== top ? [] : tested[top]) ?? [top];
  if (own.includes(room)) return undefined;
  return `A test of ${own.join(', ')} looks at ${room} through its door, src/${room}/index.ts, or through a public entrance.`;
}

/** A rule about every way to import. @param why an import may not be, or undefined */
const importRule = (why) => ({
  meta: { type: 'problem', schema: [] },
  create(context) {
    const check = (node, specifier) => {
      if (typeof specifier !== 'string') return;
      const message = why(context.filename, specifier);
      if (message !== undefined) context.report({ node, message });
    };
    return {
      ImportDeclaration: (node) => check(node, node.source.value),
      ExportNamedDeclaration: (node) => check(node, node.source?.value),
      ExportAllDeclaration: (node) => check(node, node.source.value),
      ImportExpression: (node) => check(node, node.source.value),
      TSImportType: (node) => check(node, (node.source ?? node.argument?.literal)?.value),
      TSExternalModuleReference: (node) => check(node, node.expression.value),
      'CallExpression[callee.name="require"]': (node) => check(node, node.arguments[0]?.value),
    };
  },
});

const pureCryptoOnly = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    'ImportDeclaration[source.value="node:crypto"]'(node) {
      for (const part of node.specifiers) {
        if (part.type === 'ImportSpecifier' && pureCrypto.includes(part.imported.name)) continue;
        if (part.type === 'ImportDefaultSpecifier' && context.filename === wholeCrypto) continue;
        const message = `Of node:crypto only ${pureCrypto.join(', ')}, by name: chance comes from the seed.`;
        context.report({ node: part, message });
      }
    },
  }),
};

/** What JavaScript itself has, of which each realm has its own. */
const builtIns = new Set([
  ...['AggregateError', 'Array', 'ArrayBuffer', 'Date', 'Error', 'EvalError', 'Function', 'Map'],
  ...['Object', 'Promise', 'RangeError', 'ReferenceError', 'RegExp', 'Set', 'SharedArrayBuffer'],
  ...['SyntaxError', 'TypeError', 'URIError', 'WeakMap', 'WeakSet', 'DataView', 'Buffer'],
  ...['Int8', 'Uint8', 'Uint8Clamped', 'Int16', 'Uint16', 'Int32', 'Uint32'].map(
    (n) => `${n}Array`,
  ),
  ...['Float32', 'Float64', 'BigInt64', 'BigUint64'].map((n) => `${n}Array`),
  // And of what runners have classes of their own.
  ...[
    'AbortSignal',
    'Blob',
    'DOMException',
    'Event',
    'EventTarget',
    'FormData',
    'Headers',
    'Request',
  ],
  ...['Response', 'ReadableStream', 'URL', 'URLSearchParams', 'WebSocket'],
]);

/** A value may come from another realm than the code that looks at it: there `instanceof` says no of what is one. */
const structureOnly = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    'BinaryExpression[operator="instanceof"]'(node) {
      const { name } = node.right;
      if (!builtIns.has(name)) return;
      const message = `A ${name} of another realm is none to instanceof: ask isBytes, isError and their like of src/daml/errors/realms.ts.`;
      context.report({ node, message });
    },
  }),
};

const given = (names, from) =>
  names.map((name) => ({
    name,
    message: `Environments of test runners have no ${name}, or another: take it from ${from}.`,
  }));

/** Globals that a file of tests may lack, or have of a page. */
const environmentGlobals = [
  ...given(['TextDecoder', 'TextEncoder'], 'node:util'),
  ...given(['setTimeout', 'setInterval', 'setImmediate'], 'node:timers'),
  ...given(['clearTimeout', 'clearInterval', 'clearImmediate'], 'node:timers'),
  ...given(['ReadableStream', 'TransformStream', 'CompressionStream'], 'node:stream/web'),
  ...given(['MessageChannel', 'BroadcastChannel'], 'node:worker_threads'),
  ...given(['fetch', 'Request', 'Response', 'Headers', 'structuredClone'], 'nodeGlobals'),
];

const clock = 'Time is handed in by the network: read no clock here.';
const chance = "Chance comes from the network's seeded generator.";
const waiting = 'Nothing waits here: the caller decides when things happen.';
const locale = 'Order and text must not depend on the locale of the machine: compare code units.';

/** What a sealed room may not say. `new Date(n)`, Date.UTC and Date.parse are arithmetic, and allowed. */
const sealedRules = {
  'rooms/pure-crypto-only': 'error',
  'no-restricted-globals': [
    'error',
    { name: 'performance', message: clock },
    { name: 'crypto', message: chance },
    ...['setTimeout', 'setInterval', 'setImmediate'].map((name) => ({ name, message: waiting })),
    { name: 'process', message: 'What depends on the machine is handed in.' },
    { name: 'fetch', message: 'The world has no outside.' },
    ...given(['TextDecoder', 'TextEncoder'], 'node:util'),
  ],
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: clock },
    { object: 'Math', property: 'random', message: chance },
    { property: 'localeCompare', message: locale },
    { property: 'toLocaleString', message: locale },
    { property: 'toLocaleUpperCase', message: locale },
    { property: 'toLocaleLowerCase', message: locale },
  ],
  'rooms/restricted-syntax': [
    'error',
    { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: clock },
    { selector: 'CallExpression[callee.name="Date"]', message: clock },
    {
      selector: 'MemberExpression[object.name="globalThis"]',
      message: 'Name a global directly, so that the rules of this room see it.',
    },
  ],
};

/** ESLint's rule of that name, which oxlint has not: each form of code that a selector finds, with the reason why it may not be. */
const restrictedSyntax = {
  meta: {
    type: 'problem',
    schema: { type: 'array', items: { type: 'object' } },
  },
  create: (context) => {
    const visit = {};
    for (const { selector, message } of context.options)
      visit[selector] = (node) => context.report({ node, message });
    return visit;
  },
};

/** The part of the lint configuration that holds the rooms. */
const roomConfig = [
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    rules: { 'rooms/imports-run-down': 'error' },
  },
  // The page runs in browsers alone, and the command line in a process of its own.
  {
    files: Object.keys(rooms)
      .filter((room) => room !== '.')
      .map((room) => (room === 'inspector' ? 'src/inspector/*.ts' : `src/${room}/**/*.ts`)),
    rules: { 'rooms/structure-only': 'error' },
  },
  {
    files: Object.keys(rooms)
      .filter((room) => !['.', 'cli', 'inspector'].includes(room))
      .map((room) => `src/${room}/**/*.ts`),
    rules: { 'no-restricted-globals': ['error', ...environmentGlobals] },
  },
  {
    // Its timers are those of the realm, as the time of day is.
    files: ['src/assembly/machine-clock.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: { 'rooms/tests-look-through-doors': 'error' },
  },
  {
    files: Object.keys(rooms)
      .filter((room) => rooms[room].sealed)
      .map((room) => `src/${room}/**/*.ts`),
    rules: sealedRules,
  },
];

module.exports = {
  meta: { name: 'rooms' },
  rules: {
    'imports-run-down': importRule(refusal),
    'pure-crypto-only': pureCryptoOnly,
    'tests-look-through-doors': importRule(refusalOfTest),
    'restricted-syntax': restrictedSyntax,
    'structure-only': structureOnly,
  },
  roomConfig,
  testFoldersOf,
};
