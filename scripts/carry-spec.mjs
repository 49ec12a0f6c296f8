#!/usr/bin/env node
// Extracts the facts of an official OpenAPI document into src/spec/facts: names, types, formats, requiredness, enum values, references,
// parameters, status codes, content types, deprecation. It extracts no prose.
//
//     node scripts/carry-spec.mjs ledger-api DOCUMENT.json [OTHER RELEASES' DOCUMENTS.json …]
//     node scripts/carry-spec.mjs scan DOCUMENT.json
//     node scripts/carry-spec.mjs validator|names|sv DOCUMENT.json SERVICE SCAN.json [SUFFIX]    (without messages of Scan)
//     node scripts/carry-spec.mjs registry|wallet DOCUMENT.json SERVICE [SUFFIX]
//
// A service contains its operations and its own messages. SUFFIX distinguishes operation ids that occur in two documents of a group. All
// operations of a registry document get it. Of other documents, only those whose ids another service already has. Differences between
// releases become rows with `since` and `until`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const factsRoot = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'spec', 'facts');
const COMMENT =
  'Facts of official documents, carried by scripts/carry-spec.mjs: do not edit by hand.';
/** The depth of a message or an operation below the root of the file. */
const LINE_DEPTH = 3;
const load = (file) => JSON.parse(readFileSync(file, 'utf8'));
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const PREFIX = '#/components/schemas/';

/** The service of an operation, by its path, and the service of messages that several services use. */
const GROUPS = {
  'ledger-api': {
    serviceOf: (path) => {
      const first = path.match(/^\/v2\/([^/]+)/)?.[1] ?? 'health';
      return (
        { dars: 'packages', 'authenticated-user': 'users', idps: 'identity-providers' }[first] ??
        first
      );
    },
    sharedHome: (name) => {
      if (/^(JsCantonError|Map_String|Tuple2_String_String)$/.test(name)) return 'errors';
      if (/Filter|^EventFormat$|^TransactionFormat$|^Empty1$/.test(name)) return 'filters';
      if (/Command$|^DisclosedContract$|^PrefetchContractKey$/.test(name)) return 'commands';
      if (
        /Event|JsTransaction|JsReassignment|JsInterfaceView|JsStatus|ProtoAny|SynchronizerTime|OffsetCheckpoint/.test(
          name,
        )
      )
        return 'transactions';
      return 'values';
    },
  },
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

/** A schema without prose. Vendor extensions are kept only if they change the output of a service. */
function facts(schema) {
  if (Array.isArray(schema)) return schema.map(facts);
  if (schema === null || typeof schema !== 'object') return schema;
  const out = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'x-scala-type' && /OmitNull/.test(value)) out['x-omit-null'] = true;
    else if (
      /^(description|summary|example|examples|title|externalDocs)$/.test(key) ||
      key.startsWith('x-')
    )
      continue;
    else if (key === 'properties')
      out.properties = Object.fromEntries(
        Object.entries(value).map(([n, s]) => [n, property(n, s)]),
      );
    else if (key === 'enum' || key === 'required' || key === 'default' || key === 'discriminator')
      out[key] = value;
    else out[key] = facts(value);
  }
  // In OpenAPI 3.0, members next to a reference have no meaning. `nullable` is an exception, because Scan uses it.
  if (out.$ref) return out.nullable ? { $ref: out.$ref, nullable: true } : { $ref: out.$ref };
  return out;
}

/** A request can omit the debug fields of the registry. Some Daml values of Scan are not objects, although the document says so. */
function property(name, schema) {
  const stated = facts(schema);
  if (/^(choice_argument|exercise_result)$/.test(name)) return { ...stated, 'x-daml-value': true };
  return /^debug[A-Z]/.test(name) ? { ...stated, 'x-omit-null': true } : stated;
}

function content(document, holder) {
  const part = follow(document, holder);
  const [contentType, media] = Object.entries(part.content ?? {})[0] ?? [];
  const headers = Object.entries(part.headers ?? {}).map(([name, header]) => [
    name,
    facts(header.schema),
  ]);
  return {
    ...(contentType ? { contentType, schema: facts(media.schema ?? {}) } : {}),
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
  };
}

function requestOf(document, body) {
  const request = content(document, body);
  return follow(document, body).required ? request : { ...request, optional: true };
}

function follow(document, node) {
  if (!node.$ref) return node;
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((at, key) => at[key], document);
}

/** The configuration key that enables a disabled operation again, and the operation to use instead. */
const DISABLED =
  /features\.deprecated\.enable-deprecated-([a-z]+-\d+) = true`\) and will be removed in Canton [\d.]+\. Use (.+?) instead\./;

/** From the sentence that the real system writes into the description of an operation that is disabled by default. */
function deprecationOf({ description = '' }) {
  const [, group, instead] = DISABLED.exec(description) ?? [];
  return group === undefined ? {} : { disabled: { group, instead } };
}

function operations(document, suffix) {
  const rows = [];
  for (const [path, item] of Object.entries(document.paths))
    for (const method of METHODS.filter((m) => item[m])) {
      const stated = item[method];
      const parameters = [...(item.parameters ?? []), ...(stated.parameters ?? [])].map((p) =>
        follow(document, p),
      );
      rows.push({
        operationId: stated.operationId + suffix,
        method,
        path,
        ...(stated.deprecated ? { deprecated: true } : {}),
        ...deprecationOf(stated),
        ...(parameters.length > 0
          ? {
              parameters: parameters.map((p) => ({
                name: p.name,
                in: p.in,
                ...(p.required ? { required: true } : {}),
                schema: facts(p.schema),
              })),
            }
          : {}),
        ...(stated.requestBody ? { request: requestOf(document, stated.requestBody) } : {}),
        responses: Object.fromEntries(
          Object.entries(stated.responses).map(([status, r]) => [status, content(document, r)]),
        ),
      });
    }
  return rows;
}

/** All message names that are reachable from a node. */
function reachable(document, node, found = new Set()) {
  if (Array.isArray(node)) for (const part of node) reachable(document, part, found);
  else if (node && typeof node === 'object') {
    if (typeof node.$ref === 'string' && node.$ref.startsWith(PREFIX)) {
      const name = node.$ref.slice(PREFIX.length);
      if (!found.has(name)) {
        found.add(name);
        reachable(document, document.components.schemas[name], found);
      }
    }
    for (const part of Object.values(node)) reachable(document, part, found);
  }
  return found;
}

/** Writes a service's facts to the file of its group, and keeps those of other services. */
function write(group, service, { schemas, variants = [], rows }, source) {
  const file = join(factsRoot, `${group}.json`);
  const { $comment: _, ...services } = existsSync(file) ? load(file) : {};
  services[service] = {
    source,
    ...(Object.keys(schemas).length > 0 && { schemas }),
    ...(variants.length > 0 && { variants }),
    ...(rows.length > 0 && { operations: rows }),
  };
  writeFileSync(file, print({ $comment: COMMENT, ...services }));
  console.log(
    `${group}, ${service}: ${Object.keys(schemas).length} messages, ${variants.length} variants, ${rows.length} operations`,
  );
}

/** JSON with one line for each message, variant and operation, so that a new release gives a readable diff. */
function print(value, depth = 0) {
  if (depth === LINE_DEPTH || typeof value !== 'object') return JSON.stringify(value);
  const indent = '  '.repeat(depth + 1);
  const items = Array.isArray(value)
    ? value.map((item) => indent + print(item, LINE_DEPTH))
    : Object.entries(value).map(
        ([name, item]) => `${indent}${JSON.stringify(name)}: ${print(item, depth + 1)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${items.join(',\n')}\n${'  '.repeat(depth)}${close}${depth === 0 ? '\n' : ''}`;
}

const pick = (document, names) =>
  Object.fromEntries(
    [...names].sort().map((name) => [name, facts(document.components.schemas[name])]),
  );

/** The operations of each service in a document, and the service of each message. */
function homesIn(group, document) {
  const { serviceOf, sharedHome } = GROUPS[group];
  const rows = new Map();
  const users = new Map();
  for (const row of operations(document, '')) {
    const service = serviceOf(row.path);
    rows.set(service, [...(rows.get(service) ?? []), row]);
    for (const name of reachable(document, row))
      users.set(name, (users.get(name) ?? new Set()).add(service));
  }
  const homes = new Map(
    [...users].map(([name, services]) => [
      name,
      services.size === 1 ? [...services][0] : sharedHome(name),
    ]),
  );
  return { document, rows, homes };
}

const minorOf = (version) => version.split('.').slice(0, 2).join('.');

/**
 * All statements of the releases under a name, with the releases that make each. Releases are in their order.
 * `since` is absent if the first release has the statement, `until` if the last one has it.
 */
function ranges(releases, statementIn) {
  const found = [];
  for (const [index, release] of releases.entries()) {
    const statement = statementIn(release);
    if (statement === undefined) continue;
    const text = JSON.stringify(statement);
    const last = found.at(-1);
    if (last?.text === text && last.to === index - 1) last.to = index;
    else found.push({ text, statement, from: index, to: index });
  }
  const at = (index) => minorOf(releases[index].document.info.version);
  return found.map(({ statement, from, to }) => ({
    statement,
    includes: (release) => releases.indexOf(release) >= from && releases.indexOf(release) <= to,
    bounds: {
      ...(from > 0 ? { since: at(from) } : {}),
      ...(to < releases.length - 1 ? { until: at(to + 1) } : {}),
    },
  }));
}

const unionOf = (base, others, keysOf) => [...new Set([base, ...others].flatMap(keysOf))];

/** @param documents of the default release, then of others */
function carryGroup(group, documents) {
  const [base, ...others] = documents.map((document) => homesIn(group, document));
  const releases = [base, ...others].sort((a, b) =>
    a.document.info.version.localeCompare(b.document.info.version, 'en', { numeric: true }),
  );
  const services = unionOf(base, others, ({ rows, homes }) => [...rows.keys(), ...homes.values()]);
  const names = unionOf(base, others, ({ homes }) => [...homes.keys()]).sort();
  const homeOf = (name) => [base, ...others].find(({ homes }) => homes.has(name)).homes.get(name);
  const schemaIn =
    (name) =>
    ({ document, homes }) =>
      homes.has(name) ? facts(document.components.schemas[name]) : undefined;
  const source = `${base.document.info.title} ${releases.map((each) => each.document.info.version).join(', ')}`;
  for (const service of services.sort()) {
    const schemas = {};
    const variants = [];
    for (const name of names.filter((each) => homeOf(each) === service))
      for (const { statement, includes, bounds } of ranges(releases, schemaIn(name)))
        if (includes(base)) schemas[name] = statement;
        else variants.push({ name, ...bounds, schema: statement });
    const keyOf = (row) => `${row.method} ${row.path}`;
    const rowsOf = ({ rows }) => rows.get(service) ?? [];
    const keys = unionOf(base, others, (each) => rowsOf(each).map(keyOf));
    const rows = keys.flatMap((key) =>
      ranges(releases, (each) => rowsOf(each).find((row) => keyOf(row) === key)).map(
        ({ statement, bounds }) => ({ ...statement, ...bounds }),
      ),
    );
    write(group, service, { schemas, variants, rows }, source);
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
  const taken = new Set(
    others.flatMap(({ operations: rows = [] }) => rows.map((row) => row.operationId)),
  );
  const rows = operations(document, '').map((row) =>
    taken.has(row.operationId) ? { ...row, operationId: row.operationId + suffix } : row,
  );
  const known = [scan.components.schemas, ...others.map(({ schemas = {} }) => schemas)];
  const own = [...reachable(document, rows)].filter((name) => !known.some((each) => name in each));
  write(group, service, { schemas: pick(document, own), rows }, source);
}

const [group, path, ...rest] = process.argv.slice(2);
const [service, second = '', third = ''] = rest;
const isApp = /^(validator|names|sv)$/.test(group);
const needsService = isApp || /^(registry|wallet)$/.test(group);
if (!group || !path || (needsService && !service) || (isApp && !second)) {
  console.error(
    'usage: carry-spec.mjs ledger-api|scan DOCUMENT.json [OTHER.json …] | validator|names|sv DOCUMENT.json SERVICE SCAN.json [SUFFIX] | registry|wallet DOCUMENT.json SERVICE [SUFFIX]',
  );
  process.exit(2);
}
const document = load(path);
const source = `${document.info.title} ${document.info.version}`;
if (GROUPS[group]) carryGroup(group, [document, ...rest.map(load)]);
else if (isApp) carryApp(group, document, service, load(second), third);
else {
  const rows = operations(document, second);
  write(group, service, { schemas: pick(document, reachable(document, rows)), rows }, source);
}
