/**
 * The layers, which are the top folders of src/, and their allowed imports: imports run down only, and the engine has no web server,
 * schema, file, clock or randomness. The lint rule below and test/repository/layers.test.ts use this table. The rule covers all forms of
 * imports: static, re-export, dynamic, `import type`, `require`.
 */
const { existsSync } = require('node:fs');
const { dirname, join, relative, resolve, sep } = require('node:path');

const source = join(__dirname, '..', 'src');
const tests = join(__dirname, '..', 'test');

/** The deterministic exports of node:crypto. */
const pureCrypto = [
  'createHash',
  'createHmac',
  'createPublicKey',
  'verify',
  'KeyObject',
  // For Ed25519 keys from the seed, whose signatures are deterministic.
  'createPrivateKey',
  'sign',
];

/** The only file of a sealed layer that loads packages on use: those that hardly any run needs. */
const lateLoader = join(source, 'daml', 'lf', 'builtins', 'noble.ts');

/** The only file that imports the whole module, because it checks which hash functions this Node has. */
const wholeCrypto = join(source, 'daml', 'model', 'hash.ts');

const engine = ['daml', 'network'];
const world = [...engine, 'token', 'splice'];
const served = [...world, 'wallet', 'spec'];
const inside = [
  ...served,
  ...['options', 'client', 'services', 'http', 'grpc', 'scenario', 'script', 'fuzzing', 'mutating'],
];

/**
 * `below`: the layers that it may import. `packages`: the only packages that it may import; if absent, all. `sealed`: its behaviour
 * depends only on the seed and the calls.
 */
const layers = {
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
  // Defines each option once, for programs, command lines, files, headers and environments.
  options: { below: [...engine, 'spec'], packages: [] },
  scenario: { below: [...served, 'options', 'script'], packages: ['yaml'], sealed: true },
  script: { below: [...world, 'client'], packages: [], sealed: true },
  // Changed versions of Daml code, and what tests notice of them. Files, threads and processes belong to its callers.
  mutating: {
    below: ['daml', 'network', 'script', 'fuzzing'],
    packages: ['node:assert'],
    sealed: true,
  },
  // Random sequences of commands over Daml models. Files, threads and times of runs belong to its callers.
  fuzzing: { below: ['daml', 'network', 'script'], packages: ['node:assert'], sealed: true },
  spec: { below: engine, packages: ['node:crypto', 'node:module', 'node:vm', 'yaml'] },
  // Requests to other participants, and their transport.
  client: { below: ['daml', 'spec'] },
  // Converts packages to texts. Its callers read and write the files.
  codegen: { below: ['daml'], packages: ['node:path'], sealed: true },
  // Operations do not depend on sockets, so that several transports can use them.
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
  // The ledger in SQL: databases, their tables and functions, and the rows of each participant.
  pqs: {
    below: [...engine, 'spec', 'services'],
    packages: [
      ...['@electric-sql/pglite', 'pg'],
      ...['node:crypto', 'node:net', 'node:timers', 'node:tls', 'node:util'],
    ],
  },
  // Parses, matches and compares recordings. Files and sockets belong to the bridge.
  recording: { below: ['daml', 'spec'], packages: ['node:crypto', 'node:util'], sealed: true },
  // Serves the page. The page in `page` is a client of the controls, and runs in browsers.
  inspector: { below: ['spec', 'services', 'http'] },
  // Only this layer assembles the others, and only it imports a transport.
  assembly: { below: [...inside, 'inspector', 'pqs'] },
  // Connects to systems outside: proxies, recordings as files, requests to both sides.
  bridge: {
    below: [
      ...served,
      ...['client', 'services', 'http', 'scenario', 'script', 'assembly', 'recording'],
    ],
  },
  // Pages and workers. `platform` has the replacements of Node's modules.
  browser: {
    below: [...inside, 'assembly'],
    packages: ['@noble/curves', '@noble/hashes', 'express', 'pako', 'yaml'],
  },
  // A wallet in pages, where a gateway answers. It imports neither the network nor Node.
  provider: { below: [], packages: [] },
  // The entry points.
  '.': { below: [...inside, 'assembly', 'recording', 'bridge', 'browser'] },
  cli: {
    below: [
      ...served,
      'options',
      'client',
      'services',
      'scenario',
      'script',
      'fuzzing',
      'mutating',
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
        'provider',
        'options',
        'client',
        'services',
        'scenario',
        'script',
        'fuzzing',
        'mutating',
        'assembly',
        'recording',
        'bridge',
        '.',
      ],
    ],
  },
};

/**
 * The layers inside a folder, from top to bottom. An import inside a folder runs down, which prevents import cycles. '.' is the layer of
 * the files that have no layer by name.
 */
const innerLayers = {
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
  'daml/lf': ['.', 'counting', 'probing', 'emitting', 'lowering', 'builtins', 'runtime'],
  'daml/archive': ['code', '.', 'wire', 'zip', 'dar-refusals'],
  'daml/codec': ['json', 'protobuf', '.'],
  network: [
    'index',
    'simulation',
    'privacy',
    'budgets',
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
    'ledger-options',
    'extensions',
    'topology',
    'synchronizer',
    'packages',
    'values',
    'model',
    'journal',
    'protobuf',
  ],
  'network/external': ['.', 'prepared'],
  token: [
    'index',
    'previews',
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
    'wallet-gateway',
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
    'disabled-apis',
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
    'wallet-gateway',
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
    'library',
    'packages',
    'failures',
  ],
  mutating: ['index', 'reporting', 'running', '.', 'operators'],
  pqs: ['index', 'wire', '.', 'writing', 'schema', 'store'],
  browser: ['.', 'loading', 'platform'],
  // The order of the packages of a fuzzed run, from its loop down to its data.
  fuzzing: [
    'index',
    'emitting',
    'shrinking',
    'solving',
    'running',
    'invariants',
    'checks',
    'guidance',
    'actions',
    'values',
    'ledger',
    'model',
    '.',
  ],
};

/**
 * The layers whose internals a folder of test/ may import, if they differ from its name. Of other layers, tests import only public entry
 * points or the layer's `index.ts`.
 */
const tested = {
  bridge: ['bridge', 'client'],
  http: ['http', 'services'],
  'services/registry': ['services', 'splice', 'token'],
  'services/scan': ['services', 'splice'],
  'splice/amulet': ['splice', 'wallet'],
  'testing/forks': ['testing', 'assembly'],
  options: ['options', 'cli'],
  'recording/rehearsal': ['recording', 'assembly', 'bridge'],
  'cli/fuzz': ['cli', 'assembly'],
  fuzzing: ['fuzzing', 'script', 'daml'],
  'fuzzing/solving': ['fuzzing', 'script', 'daml', 'assembly'],
  mutating: ['mutating', 'daml', 'script', 'assembly', 'fuzzing'],
  scenario: ['scenario', 'assembly'],
  script: ['script', 'assembly', 'client'],
  support: ['testing'],
  'support/daml': ['daml', 'testing'],
  'support/splice': ['splice'],
};

/** Folders of `test/` whose suites may import the internals of a source's layer. */
function testFoldersOf(file) {
  const layer = layerOf(file);
  const folders = Object.keys(tested).filter((folder) => tested[folder].includes(layer));
  return [layer, ...folders].filter(
    (each, place, all) =>
      each !== '.' && all.indexOf(each) === place && existsSync(join(tests, String(each))),
  );
}

/** Whether users import it: an entry point of package.json. */
const isEntrance = (way) => way.length === 1 || (way.length === 2 && way[0] === 'testing');
const isIndex = (way) => way.length === 2 && way[1] === 'index';

/** The layer of a path: '.' for a file directly in src/, undefined outside src/. */
function layerOf(path) {
  const inside = relative(source, path);
  if (inside.startsWith('..')) return undefined;
  const [first, ...rest] = inside.split(sep);
  return rest.length > 0 || first in layers ? first : '.';
}

/** The path from src/ to a file: its folders, and its name without extension. */
const wayTo = (path) =>
  relative(source, path)
    .replace(/\.[jt]s$/, '')
    .split(sep);

/** Why an import inside a layer runs up; undefined if it does not. The layers are those of the folder in which both paths part. */
function climb(file, target) {
  const [from, to] = [wayTo(file), wayTo(target)];
  let at = 0;
  while (at < from.length - 1 && at < to.length - 1 && from[at] === to[at]) at += 1;
  const folder = from.slice(0, at).join('/');
  const order = innerLayers[folder];
  if (order === undefined) return undefined;
  const rankOf = (way) => {
    const named = order.indexOf(way[at]);
    return named < 0 && at === way.length - 1 ? order.indexOf('.') : named;
  };
  for (const way of [from, to])
    if (rankOf(way) < 0)
      return `src/${folder} has no layer for ${way[at]}: add it to innerLayers of scripts/layers.cjs.`;
  if (rankOf(from) <= rankOf(to)) return undefined;
  return `In src/${folder}, ${from[at]} is below ${to[at]} and may not import it.`;
}

/** Parts that transports must use only through the pipeline of calls (src/services/calls): the journal of requests, and the faults. */
const ofCalls = ['services/request-journal', 'services/faults', 'network/faults'];
const transports = ['http', 'grpc'];

/** Why a transport may not import a file; undefined if it may. */
function bypass(from, target) {
  if (!transports.includes(from)) return undefined;
  const way = wayTo(target).join('/');
  const passed = ofCalls.find((place) => way === place || way.startsWith(`${place}/`));
  return passed && `${from} may not import ${passed}: use src/services/calls.`;
}

/** Why `file` may not import `specifier`; undefined if it may. */
function refusal(file, specifier) {
  const from = layerOf(file);
  if (from === undefined) return undefined;
  const layer = layers[from];
  if (layer === undefined) return `src/${from} is missing in scripts/layers.cjs: add it there.`;
  if (specifier.startsWith('.')) {
    const target = resolve(dirname(file), specifier);
    const to = layerOf(target);
    if (isIndex(wayTo(target)) && !isIndex(wayTo(file)))
      return `The index.ts of ${to} is for the tests of other layers: import the file.`;
    if (to === undefined) return `src/ may not import files outside src/ ('${specifier}').`;
    if (to === from) return climb(file, target);
    if (layer.below.includes(to)) return bypass(from, target);
    return `${from} may not import ${to === '.' ? 'src/ itself' : to}: imports run down only.`;
  }
  if (specifier === 'canticle') return 'src/ imports its own files by their paths.';
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (layer.packages === undefined || layer.packages.includes(name)) return undefined;
  if (name === 'node:module' && file === lateLoader) return undefined;
  return `${from} may not import '${name}', only ${layer.packages.join(', ')}.`;
}

/** Why a test may not import `specifier`; undefined if it may. */
function refusalOfTest(file, specifier) {
  if (!specifier.startsWith('.')) return undefined;
  const target = resolve(dirname(file), specifier);
  const layer = layerOf(target);
  if (layer === undefined || isEntrance(wayTo(target)) || isIndex(wayTo(target))) return undefined;
  const [top, ...rest] = relative(tests, file).split(sep);
  const within = rest.length > 1 ? `${top}/${rest[0]}` : top;
  const own = tested[within] ?? (top === 'support' && within !== top ? [] : tested[top]) ?? [top];
  if (own.includes(layer)) return undefined;
  return `A test of ${own.join(', ')} may import ${layer} only through src/${layer}/index.ts or a public entry point.`;
}

/** A rule for all forms of imports. @param why an import is not allowed; undefined if it is */
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
        const message = `Of node:crypto only ${pureCrypto.join(', ')}, by name: randomness comes from the seed.`;
        context.report({ node: part, message });
      }
    },
  }),
};

/** Classes of JavaScript that exist separately in each realm. */
const builtIns = new Set([
  ...['AggregateError', 'Array', 'ArrayBuffer', 'Date', 'Error', 'EvalError', 'Function', 'Map'],
  ...['Object', 'Promise', 'RangeError', 'ReferenceError', 'RegExp', 'Set', 'SharedArrayBuffer'],
  ...['SyntaxError', 'TypeError', 'URIError', 'WeakMap', 'WeakSet', 'DataView', 'Buffer'],
  ...['Int8', 'Uint8', 'Uint8Clamped', 'Int16', 'Uint16', 'Int32', 'Uint32'].map(
    (n) => `${n}Array`,
  ),
  ...['Float32', 'Float64', 'BigInt64', 'BigUint64'].map((n) => `${n}Array`),
  // And classes that test runners replace.
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

/** A value may come from another realm than the code that checks it: `instanceof` is then false. */
const structureOnly = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    'BinaryExpression[operator="instanceof"]'(node) {
      const { name } = node.right;
      if (!builtIns.has(name)) return;
      const message = `instanceof ${name} is false for values of another realm: use isBytes, isError or another function of src/daml/errors/realms.ts.`;
      context.report({ node, message });
    },
  }),
};

const given = (names, from) =>
  names.map((name) => ({
    name,
    message: `Environments of test runners have no ${name}, or another one: import it from ${from}.`,
  }));

/** Globals that the environment of a test may lack or replace. */
const environmentGlobals = [
  ...given(['TextDecoder', 'TextEncoder'], 'node:util'),
  ...given(['setTimeout', 'setInterval', 'setImmediate'], 'node:timers'),
  ...given(['clearTimeout', 'clearInterval', 'clearImmediate'], 'node:timers'),
  ...given(['ReadableStream', 'TransformStream', 'CompressionStream'], 'node:stream/web'),
  ...given(['MessageChannel', 'BroadcastChannel'], 'node:worker_threads'),
  ...given(['fetch', 'Request', 'Response', 'Headers', 'structuredClone'], 'nodeGlobals'),
];

const clock = 'The network provides the time: do not read a clock here.';
const chance = "Random values come from the network's seeded generator.";
const waiting = 'Do not wait here: the caller controls the time.';
const locale = 'Order and text must not depend on the locale of the machine: compare code units.';

/** Restrictions of a sealed layer. `new Date(n)`, Date.UTC and Date.parse are deterministic, and allowed. */
const sealedRules = {
  'layers/pure-crypto-only': 'error',
  'no-restricted-globals': [
    'error',
    { name: 'performance', message: clock },
    { name: 'crypto', message: chance },
    ...['setTimeout', 'setInterval', 'setImmediate'].map((name) => ({ name, message: waiting })),
    { name: 'process', message: 'Pass values that depend on the machine as parameters.' },
    { name: 'fetch', message: 'Do not use the network here.' },
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
  'layers/restricted-syntax': [
    'error',
    { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: clock },
    { selector: 'CallExpression[callee.name="Date"]', message: clock },
    {
      selector: 'MemberExpression[object.name="globalThis"]',
      message: 'Name a global directly, so that the rules of this layer see it.',
    },
  ],
};

/** ESLint's rule of that name, which oxlint does not have: forbids code that matches a selector, with a reason. */
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

/** The part of the lint configuration about layers. */
const layerConfig = [
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    rules: { 'layers/imports-run-down': 'error' },
  },
  // The page runs only in browsers, and the command line in a separate process.
  {
    files: Object.keys(layers)
      .filter((layer) => layer !== '.')
      .map((layer) => (layer === 'inspector' ? 'src/inspector/*.ts' : `src/${layer}/**/*.ts`)),
    rules: { 'layers/structure-only': 'error' },
  },
  {
    files: Object.keys(layers)
      .filter((layer) => !['.', 'cli', 'inspector'].includes(layer))
      .map((layer) => `src/${layer}/**/*.ts`),
    rules: { 'no-restricted-globals': ['error', ...environmentGlobals] },
  },
  {
    // Its timers and its time of day must come from the same realm.
    files: ['src/assembly/machine-clock.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: { 'layers/tests-use-public-exports': 'error' },
  },
  {
    files: Object.keys(layers)
      .filter((layer) => layers[layer].sealed)
      .map((layer) => `src/${layer}/**/*.ts`),
    rules: sealedRules,
  },
];

module.exports = {
  meta: { name: 'layers' },
  rules: {
    'imports-run-down': importRule(refusal),
    'pure-crypto-only': pureCryptoOnly,
    'tests-use-public-exports': importRule(refusalOfTest),
    'restricted-syntax': restrictedSyntax,
    'structure-only': structureOnly,
  },
  layerConfig,
  testFoldersOf,
};
