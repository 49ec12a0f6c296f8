// Imports the official documents of a release: writes their facts, prints the differences from the previous release, and names each place
// in the code that needs a decision. Run it again after each decision: it lists the rest. A part without a decision is served as in the
// previous release, and `canticle releases` lists it as undecided.
//
//     npm run carry -- --canton 3.7.4 openapi.yaml [asyncapi.yaml] [protos/]
//     npm run carry -- --splice 0.10.1 scan.yaml sv-internal.yaml validator-internal.yaml …
//
// Flags: --dry prints and writes nothing; --out DIR writes the facts into another folder; --asyncapi-version VERSION, if the AsyncAPI
// document has another version.
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { distinctRows, factsText, parsedDocument } from './facts-text.mjs';
import { importBundled } from './generate/bundled.mjs';
import { endWith, root, runNode } from './steps.mjs';

const spec = join(root, 'src', 'spec');
const sources = await importBundled(
  `export * from './carrying/canton.ts'; export * from './carrying/changes.ts'; export * from './carrying/openapi.ts';
  export * from './carrying/differences.ts'; export * from './loading/differences.ts'; export { BASE } from './ledger-api/facts.ts'; export { baseOf } from './splice/facts.ts'; export { SERVED } from './served.ts'; export { usedSchemas } from './api.ts'; export { whyUnrouted } from './operations.ts';
  export { API_VERSIONS, SPLICE_RELEASES } from './versions.ts';
  export { CATALOGUE } from '../daml/errors/error-catalogue.ts';`,
  spec,
);

const minorOf = (version) => version.split('.').slice(0, 2).join('.');

const COMMENT = 'Facts of official documents, carried by scripts/carry.mjs: do not edit by hand.';
const load = (file) => parsedDocument(readFileSync(file, 'utf8'), parse);

/** Documents by their kinds; folders have protobuf definitions. */
function sorted(paths) {
  const found = { openapi: [], asyncapi: [], protos: [] };
  for (const path of paths) {
    if (statSync(path).isDirectory()) found.protos.push(path);
    else {
      const document = load(path);
      const kind = ['openapi', 'asyncapi'].find((each) => document[each] !== undefined);
      if (kind === undefined) throw new Error(`${path} is no OpenAPI or AsyncAPI document.`);
      found[kind].push({ path, document });
    }
  }
  return found;
}

/** The text of all sources, without facts and generated files. */
function sourceText() {
  const files = readdirSync(join(root, 'src'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts') && !/[\\/]generated[\\/]/.test(name));
  return files.map((name) => readFileSync(join(root, 'src', name), 'utf8')).join('\n');
}

/** The facts about the code that decide what is undecided. */
function codeFor(api, spoken, operations) {
  const { SERVED, whyUnrouted, CATALOGUE } = sources;
  const text = sourceText();
  const isUnrouted = (id) => whyUnrouted(api, id, spoken) !== undefined;
  const ids = operations.map(({ operationId }) => operationId);
  return {
    handlers: new Set(SERVED[api]),
    unrouted: new Set(ids.filter(isUnrouted)),
    errorCodes: new Set(Object.keys(CATALOGUE)),
    mentions: (member) => new RegExp(`\\b${member.replaceAll('$', '\\$')}\\b`).test(text),
  };
}

/** The places that name each release, where a new one is missing. */
function missingRows(minor) {
  const { API_VERSIONS } = sources;
  if (API_VERSIONS.includes(minor)) return [];
  return [
    `src/spec/versions.ts: a row '${minor}' of RELEASES, which inherits the row before`,
    `src/spec/ledger-api/facts.ts: the line of facts/canton/${minor}.json`,
    `src/spec/validators.ts: the line of ledger-${minor}-validators.js`,
    `src/network/protobuf/definitions/releases.ts: the line of facts/protos/${minor}.json, if protobuf definitions were given`,
    'docs/guides/releases.md: its row, and the steps to migrate',
  ];
}

const HEADINGS = {
  added: 'new operations',
  gone: 'operations that are gone',
  disabled: 'operations that are disabled now',
  changed: 'changed operations',
  addedMembers: 'new messages, members, values and variants',
  goneMembers: 'messages, members, values and variants that are gone',
  addedChannels: 'new WebSocket channels',
  goneChannels: 'WebSocket channels that are gone',
};

function report(title, lines) {
  console.log(`\n${title}: ${lines.length === 0 ? 'none' : lines.length}`);
  for (const line of lines) console.log(`  ${line}`);
}

/** The facts of each Canton release, by its minor version: all but one file have differences from that one. */
function cantonReleases(folder) {
  const { BASE, withDifferences } = sources;
  const read = (name) => load(join(folder, `${name}.json`));
  const base = read(BASE);
  const minors = readdirSync(folder).map((name) => basename(name, '.json'));
  return new Map(
    minors.map((name) => {
      if (name === BASE) return [name, base];
      const own = read(name);
      return [name, { ...own, ...withDifferences(base, own) }];
    }),
  );
}

/** Writes the facts of a release. If it is the base, the files of the others refer to its new facts. */
function writeCanton(folder, known, minor, facts) {
  const { BASE, differencesFrom } = sources;
  const all = new Map(known).set(minor, facts);
  const changed = minor === BASE ? [...all.keys()] : [minor];
  for (const each of changed) {
    const { document, channels, undecided = [], ...parts } = all.get(each);
    const { schemas, operations } = each === BASE ? parts : differencesFrom(all.get(BASE), parts);
    const ordered = { $comment: COMMENT, document, channels, undecided, schemas, operations };
    const file = join(folder, `${each}.json`);
    writeFileSync(file, factsText(ordered, 2));
    console.log(`\nThe facts are in ${file}.`);
  }
}

/** The facts of an earlier patch of the version, if there are some, and those of the minor version before. */
function earlierFacts(known, version) {
  const of = (name) => known.get(name);
  const minors = [...known.keys()];
  minors.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const minor = minorOf(version);
  const before = minors.filter((each) => each.localeCompare(minor, 'en', { numeric: true }) < 0);
  const ofMinor = of(before.at(-1) ?? minor);
  const ofPatch = minors.includes(minor) ? of(minor) : undefined;
  return [ofPatch === undefined || ofPatch.document === version ? ofMinor : ofPatch, ofMinor];
}

async function carryCanton(version, paths, { dry, out, 'asyncapi-version': its = version }) {
  const { openapi, asyncapi, protos } = sorted(paths);
  if (openapi.length !== 1 || asyncapi.length > 1)
    throw new Error('Name one OpenAPI document, and at most one AsyncAPI document.');
  const folder = join(spec, 'facts', 'canton');
  const minor = minorOf(version);
  const known = cantonReleases(folder);
  const [previous, ofMinor] = earlierFacts(known, version);
  const [{ document: source }] = openapi;
  const channels =
    asyncapi.length === 0 ? previous.channels : { document: its, source: asyncapi[0].document };
  const facts = sources.cantonFacts(version, source, channels);
  const code = codeFor('ledger', minorOf(version), facts.operations);
  const sinceMinor = sources.changesBetween(ofMinor, facts);
  const undecided = sources.undecidedIn(facts, sinceMinor, source, code);
  console.log(`Canton ${version}, compared with ${previous.document}`);
  const changes = sources.changesBetween(previous, facts);
  for (const [key, title] of Object.entries(HEADINGS)) report(title, changes[key]);
  report('rows to add', missingRows(minor));
  report('undecided, served as in the previous release', undecided);
  if (dry) return;
  writeCanton(out ?? folder, known, minor, { ...facts, undecided });
  if (protos.length > 0)
    await runNode([join('scripts', 'carry-protos.mjs'), '--release', minor, ...protos]);
}

/** The group and the service of a document of Splice, by its file name, and the suffix of new ids that are taken. */
const OF_SPLICE = [
  [/scan-proxy/, 'validator', 'scan-proxy', 'OfProxy'],
  [/scan/, 'scan', 'scan'],
  [/sv-internal/, 'sv', 'sv'],
  [/validator-internal/, 'validator', 'internal', 'Administered'],
  [/wallet-internal/, 'wallet', 'internal'],
  [/wallet-external/, 'wallet', 'external', 'OfExternal'],
  [/ans-external/, 'names', 'names'],
];

const schemasOf = (services = {}) =>
  Object.assign({}, ...Object.values(services).map(({ schemas = {} }) => schemas));

/** The facts of one service, or of all services of a group together, with all messages that its operations use. */
function factsIn(services, service, scan) {
  const own = services[service] === undefined ? Object.values(services) : [services[service]];
  const operations = own.flatMap(({ operations: rows = [] }) => rows);
  const schemas = { ...schemasOf(scan), ...schemasOf(services) };
  return { operations, schemas: sources.usedSchemas({ operations, schemas }) };
}

/** The latest facts of a group before a version that have a service: of an earlier patch, of a release, or of the default one. */
function spliceFactsBefore(folder, version, group, service) {
  const minor = minorOf(version);
  const files = readdirSync(folder).map((name) => basename(name, '.json'));
  files.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  for (const each of files.toReversed()) {
    if (each.localeCompare(minor, 'en', { numeric: true }) > 0) continue;
    const { document, scan, [group]: services } = readSplice(join(folder, `${each}.json`));
    if (services?.[service] !== undefined && document !== version)
      return { document, services, ...factsIn(services, service, scan) };
  }
  const services = baseOfSplice(group);
  const document = 'the default release';
  return { document, services, ...factsIn(services, service, baseOfSplice('scan')) };
}

/** The services of a group in the release that the files of the others refer to. */
function baseOfSplice(group) {
  const { $comment: _, ...services } = load(join(spec, 'facts', `${group}.json`));
  return services;
}

/** The services of each group, changed by a function of the service and its base. */
const eachService = (groups, change) =>
  Object.fromEntries(
    Object.entries(groups).map(([group, services]) => {
      const base = baseOfSplice(group);
      const changed = Object.entries(services).map(([name, service]) => [
        name,
        change(sources.baseOf(base, name), service),
      ]);
      return [group, Object.fromEntries(changed)];
    }),
  );

/** The facts of a release of Splice: its file has the differences of each service. */
function readSplice(file) {
  const { $comment: _, document, undecided, ...groups } = load(file);
  return { document, undecided, ...eachService(groups, sources.withDifferences) };
}

/** Services of a group without a document: they are as before, with the messages of the new documents. */
function keptServices(before, given) {
  const messages = schemasOf(given);
  const kept = Object.entries(before).filter(([name]) => given[name] === undefined);
  return Object.fromEntries(
    kept.map(([name, { operations = [], schemas = {} }]) => [
      name,
      {
        schemas: Object.fromEntries(
          Object.entries(schemas).filter(([each]) => !Object.hasOwn(messages, each)),
        ),
        operations,
      },
    ]),
  );
}

/** The places that name each release of Splice, where a new one, or one of its documents, is missing. */
function missingSpliceRows(minor, groups) {
  const row = sources.SPLICE_RELEASES[minor];
  const without = groups.filter((group) => !row?.documents.includes(group));
  const files = without.map((group) => `${group}-${minor}-validators.js`);
  return [
    ...(row === undefined
      ? [
          `src/spec/versions.ts: a row '${minor}' of SPLICE_RELEASES, which inherits the row before`,
          `src/spec/splice/facts.ts: the line of facts/splice/${minor}.json`,
          `src/spec/releases/splice-completeness.ts: its row of FACTS_OF`,
          'docs/guides/releases.md: its row, and the steps to migrate',
        ]
      : []),
    ...(without.length === 0
      ? []
      : [
          `src/spec/versions.ts: ${without.join(', ')} in the documents of '${minor}'`,
          `src/spec/validators.ts: the line${files.length === 1 ? '' : 's'} of ${files.join(', ')}`,
        ]),
  ];
}

/** Documents of Splice with their rows of {@link OF_SPLICE}. Scan is first, because the other apps do not repeat its messages. */
function namedDocuments(paths) {
  const named = sorted(paths).openapi.map(({ path, document }) => {
    const row = OF_SPLICE.find(([pattern]) => pattern.test(basename(path)));
    if (row === undefined)
      throw new Error(
        `${path}: name the file after its API, such as scan.yaml or sv-internal.yaml.`,
      );
    return { document, row };
  });
  return named.sort((a, b) => Number(b.row[1] === 'scan') - Number(a.row[1] === 'scan'));
}

async function carrySplice(version, paths, { dry, out }) {
  const folder = join(spec, 'facts', 'splice');
  const minor = minorOf(version);
  const file = join(out ?? folder, `${minor}.json`);
  const { document: _, undecided = {}, ...groups } = existsSync(file) ? readSplice(file) : {};
  const named = namedDocuments(paths);
  const servicesBefore = new Map();
  for (const { document, row } of named) {
    const [, group, service, suffix = ''] = row;
    const before = spliceFactsBefore(folder, version, group, service);
    const { [service]: __, ...others } = groups[group] ?? {};
    const rows = sources.operationsIn(document).map((each) => idAsIn(before, each));
    const operations = distinctRows(rows, Object.values(others), suffix);
    const ofScan = group === 'scan' || group === 'wallet' ? {} : groups.scan;
    const known = { ...schemasOf(ofScan), ...schemasOf(others) };
    const messages = [...sources.messagesOf(document, operations)];
    const own = messages.filter((each) => !Object.hasOwn(known, each));
    const schemas = sources.schemasIn(document, own);
    groups[group] = { ...others, [service]: { schemas, operations } };
    const facts = { operations, schemas: sources.schemasIn(document, messages) };
    const changes = sources.changesBetween(before, facts);
    const code = codeFor(group, spokenIn(minor), operations);
    const open = sources.undecidedIn(facts, changes, document, code);
    const name = group === service ? group : `${group} (${service})`;
    console.log(`\nSplice ${version}, ${name}, compared with ${before.document}`);
    for (const [key, title] of Object.entries(HEADINGS)) report(title, changes[key]);
    delete undecided[name];
    if (open.length > 0) undecided[name] = open;
    // Each document of Scan has all of its services.
    if (group !== 'scan') servicesBefore.set(group, before.services);
    report('undecided, served as in the previous release', open);
  }
  const kept = [];
  for (const [group, services] of servicesBefore) {
    const others = keptServices(services, groups[group]);
    groups[group] = { ...groups[group], ...others };
    kept.push(...Object.keys(others).map((name) => `${group} (${name})`));
  }
  report('documents that were not named: as before', kept);
  report('rows to add', missingSpliceRows(minor, [...new Set(named.map(({ row }) => row[1]))]));
  if (dry) return;
  const differences = eachService(groups, sources.differencesFrom);
  const facts = { $comment: COMMENT, document: version, undecided, ...differences };
  writeFileSync(file, factsText(facts, 4));
  console.log(`\nThe facts are in ${file}.`);
}

/** The release, or the latest one before its row exists. */
function spokenIn(minor) {
  const known = Object.keys(sources.SPLICE_RELEASES);
  const version = known.includes(minor) ? minor : known.at(-1);
  return { spliceVersion: version, validatorVersion: version };
}

/** An operation keeps the id that it had. Documents of a group may have the same id twice. */
function idAsIn({ operations }, row) {
  const known = operations.find(({ method, path }) => method === row.method && path === row.path);
  return known === undefined ? row : { ...row, operationId: known.operationId };
}

const USAGE = `usage: npm run carry -- --canton VERSION OPENAPI [ASYNCAPI] [PROTOS] | --splice VERSION DOCUMENT…
  [--dry] [--out DIR] [--asyncapi-version VERSION]`;

async function carry() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      canton: { type: 'string' },
      splice: { type: 'string' },
      dry: { type: 'boolean', default: false },
      out: { type: 'string' },
      'asyncapi-version': { type: 'string' },
    },
  });
  const { canton, splice } = values;
  if ((canton === undefined) === (splice === undefined) || positionals.length === 0) {
    console.error(USAGE);
    process.exitCode = 2;
  } else if (canton !== undefined) await carryCanton(canton, positionals, values);
  else await carrySplice(splice, positionals, values);
}

endWith(carry());
