#!/usr/bin/env node
// Writes the facts of official OpenAPI documents of the default release of Splice into src/spec/facts. src/spec/carrying extracts them.
// scripts/carry.mjs writes those of Canton, and of later releases of Splice.
//
//     node scripts/carry-spec.mjs scan DOCUMENT
//     node scripts/carry-spec.mjs validator|names|sv DOCUMENT SERVICE SCAN [SUFFIX]    (without messages of Scan)
//     node scripts/carry-spec.mjs registry|wallet DOCUMENT SERVICE [SUFFIX]
//     node scripts/carry-spec.mjs registry/previews DOCUMENT PREVIEW
//
// Documents are YAML or JSON. Those of other apps are one service each, with its operations and its own messages. SUFFIX
// distinguishes operation ids that occur in two documents of a group. All operations of a registry document get it. Of
// other documents, only those whose ids another service already has.
//
// A preview shares the messages of the registry. One with the name of a different message gets the name of the preview.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { distinctRows, factsText, parsedDocument } from './facts-text.mjs';
import { importBundled } from './generate/bundled.mjs';
import { root } from './steps.mjs';

const { messagesOf, operationsIn, schemasIn } = await importBundled(
  `export * from './openapi.ts';`,
  join(root, 'src', 'spec', 'carrying'),
);
const factsRoot = join(root, 'src', 'spec', 'facts');
const COMMENT =
  'Facts of official documents, carried by scripts/carry-spec.mjs: do not edit by hand.';
const load = (file) => parsedDocument(readFileSync(file, 'utf8'), parse);

/** The service of an operation, by its path, and the service of messages that several services use. */
const GROUPS = {
  scan: {
    serviceOf: (path) => {
      if (/reward-accounting/.test(path)) return 'reward-accounting';
      if (/^\/v\d\/updates/.test(path)) return 'updates';
      if (/^\/v\d\/events/.test(path)) return 'events';
      if (/backfilling|\/history\//.test(path)) return 'backfilling';
      if (
        /migrations|synchronizer-|\/lsu|roll-forward-lsu|sequencers|active-synchronizer|scans$/.test(
          path,
        )
      )
        return 'synchronizers';
      if (/holdings/.test(path)) return 'holdings';
      if (/state\/acs|\/acs\//.test(path)) return 'active-contracts';
      if (/\/domains\//.test(path)) return 'hosting';
      if (/ans-/.test(path)) return 'names';
      if (/vote|weight|admin\/sv|price/.test(path)) return 'governance';
      if (/^\/(readyz|livez|status|version)|feature-support/.test(path)) return 'health';
      if (/transfer-|featured-apps|faucets|licenses|unclaimed/.test(path)) return 'amulet-lookups';
      return 'dso';
    },
    sharedHome: (name) =>
      /Error/.test(name)
        ? 'errors'
        : /Event|Update|Daml|Transaction/.test(name)
          ? 'update-items'
          : 'contracts',
  },
};

/** Writes a service's facts to the file of its group, and keeps those of other services. */
function write(group, service, { schemas, rows }, source) {
  const file = join(factsRoot, `${group}.json`);
  const { $comment: _, ...services } = existsSync(file) ? load(file) : {};
  services[service] = {
    source,
    ...(Object.keys(schemas).length > 0 && { schemas }),
    ...(rows.length > 0 && { operations: rows }),
  };
  writeFileSync(file, factsText({ $comment: COMMENT, ...services }, 3));
  console.log(
    `${group}, ${service}: ${Object.keys(schemas).length} messages, ${rows.length} operations`,
  );
}

/** The operations of each service in a document, and the service of each message. */
function homesIn(group, document) {
  const { serviceOf, sharedHome } = GROUPS[group];
  const rows = new Map();
  const users = new Map();
  for (const row of operationsIn(document)) {
    const service = serviceOf(row.path);
    rows.set(service, [...(rows.get(service) ?? []), row]);
    for (const name of messagesOf(document, [row]))
      users.set(name, (users.get(name) ?? new Set()).add(service));
  }
  const homes = new Map(
    [...users].map(([name, services]) => [
      name,
      services.size === 1 ? [...services][0] : sharedHome(name),
    ]),
  );
  return { rows, homes };
}

function carryGroup(group, document) {
  const { rows, homes } = homesIn(group, document);
  for (const service of [...new Set([...rows.keys(), ...homes.values()])].sort()) {
    const names = [...homes].filter(([, home]) => home === service).map(([name]) => name);
    const schemas = schemasIn(document, names);
    write(group, service, { schemas, rows: rows.get(service) ?? [] }, source);
  }
}

/** The facts of other services in a group's file. */
function otherServices(group, service) {
  const file = join(factsRoot, `${group}.json`);
  const { $comment: _, [service]: __, ...others } = existsSync(file) ? load(file) : {};
  return Object.values(others);
}

/** The facts of an app. It does not repeat the facts of Scan or of the group's other services. */
function carryApp(group, document, service, scan, suffix) {
  const others = otherServices(group, service);
  const rows = distinctRows(operationsIn(document), others, suffix);
  const known = [scan.components.schemas, ...others.map(({ schemas = {} }) => schemas)];
  const own = [...messagesOf(document, rows)].filter((name) => !known.some((each) => name in each));
  write(group, service, { schemas: schemasIn(document, own), rows }, source);
}

/** A document whose messages have other names. */
function withNames(document, names) {
  const reference = (text) =>
    text.replace(/(?<=^#\/components\/schemas\/).*/, (name) => names.get(name) ?? name);
  const renamed = JSON.parse(
    JSON.stringify(document, (key, value) => (key === '$ref' ? reference(value) : value)),
  );
  const schemas = Object.entries(renamed.components.schemas).map(([name, schema]) => [
    names.get(name) ?? name,
    schema,
  ]);
  return {
    ...renamed,
    components: { ...renamed.components, schemas: Object.fromEntries(schemas) },
  };
}

const pascalCase = (name) => name.replace(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase());

/** The facts of an upcoming API of the registry. */
function carryPreview(document, preview) {
  const { $comment: _, ...ofRegistry } = load(join(factsRoot, 'registry.json'));
  const others = [...Object.values(ofRegistry), ...otherServices(group, preview)];
  const own = schemasIn(document, messagesOf(document, operationsIn(document)));
  const differs = ([name, schema]) =>
    others.some(({ schemas = {} }) => name in schemas && !isDeepStrictEqual(schemas[name], schema));
  const names = Object.entries(own)
    .filter(differs)
    .map(([name]) => [name, pascalCase(preview) + name]);
  const carried = withNames(document, new Map(names));
  const rows = operationsIn(carried);
  const isShared = (name) => others.some(({ schemas = {} }) => name in schemas);
  const schemas = Object.entries(schemasIn(carried, messagesOf(carried, rows))).map(
    ([name, schema]) => [name, isShared(name) ? schema : withoutNulls(schema)],
  );
  write(group, preview, { schemas: Object.fromEntries(schemas), rows }, source);
}

/** Its server leaves out members without a value. */
function withoutNulls({ properties, required = [], ...schema }) {
  const marked = Object.entries(properties).map(([name, each]) => [
    name,
    required.includes(name) ? each : { ...each, 'x-omit-null': true },
  ]);
  return { ...schema, properties: Object.fromEntries(marked), required };
}

const USAGE = `usage: carry-spec.mjs scan DOCUMENT |
  validator|names|sv DOCUMENT SERVICE SCAN [SUFFIX] | registry|wallet DOCUMENT SERVICE [SUFFIX] |
  registry/previews DOCUMENT PREVIEW`;
const [group, ...given] = process.argv.slice(2);
const LEAST = { scan: 1, validator: 3, names: 3, sv: 3, registry: 2, wallet: 2 };
const least = { ...LEAST, 'registry/previews': 2 }[group];
if (least === undefined || given.length < least) {
  console.error(USAGE);
  process.exit(2);
}
const [path, service, second = '', third = ''] = given;
const document = load(path);
const source = `${document.info.title} ${document.info.version}`;
if (group === 'scan') carryGroup(group, document);
else if (group === 'registry/previews') carryPreview(document, service);
else if (least === 3) carryApp(group, document, service, load(second), third);
else {
  const rows = operationsIn(document, second);
  write(group, service, { schemas: schemasIn(document, messagesOf(document, rows)), rows }, source);
}
