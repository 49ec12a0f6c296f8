#!/usr/bin/env node
// Writes src/splice/scan/known-records.json: the number of fields of the records in Splice's packages, and the names
// of the fields that later versions added. A Scan of the newest release among these DARs has the same data. Nothing
// else of a DAR is carried.
//
//   node scripts/build.mjs && node scripts/carry-splice.mjs FOLDER
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCanticle } from 'canticle';

const target = join(
  dirname(fileURLToPath(import.meta.url)),
  '../src/splice/scan/known-records.json',
);
const COMMENT =
  "Facts of Splice's packages, carried by scripts/carry-splice.mjs: do not edit by hand.";
/**
 * The packages that a Scan is built with (ContractCompanions). Each of their dependencies has one version, or is
 * one of them.
 */
const NAMES = [
  'splice-amulet',
  'splice-amulet-name-service',
  'splice-dso-governance',
  'splice-util-batched-markers',
  'splice-validator-lifecycle',
  'splice-wallet',
  'splice-wallet-payments',
];

const folder = process.argv[2];
if (folder === undefined) throw new Error('Usage: node scripts/carry-splice.mjs FOLDER');
const packages = new Map(NAMES.map((name) => [name, []]));
for (const file of readdirSync(folder)) {
  const [, name] = /^(.*)-\d+\.\d+\.\d+\.dar$/.exec(file) ?? [];
  if (!packages.has(name)) continue;
  const { network, participant } = createCanticle();
  participant.uploadDar(readFileSync(join(folder, file)));
  packages.get(name).push(network.packages.package(network.packages.packageIdForName(name)));
}

const part = (version) => version.split('.').map(Number);
const ascending = ({ version: a }, { version: b }) => {
  const [left, right] = [part(a), part(b)];
  const at = left.findIndex((each, index) => each !== right[index]);
  return at < 0 ? 0 : left[at] - right[at];
};

const releases = {};
const records = {};
for (const [name, versions] of packages) {
  versions.sort(ascending);
  const newest = versions.at(-1);
  releases[name] = newest.version;
  const rows = [...newest.dataTypes]
    .filter(([, { serializable, body }]) => serializable && body.kind === 'record')
    .map(([qualified, { body }]) => {
      const first = versions
        .map(({ dataTypes }) => dataTypes.get(qualified)?.body.fields.length)
        .find((length) => length !== undefined);
      const later = body.fields.slice(first).map((field) => field.name);
      return [qualified, later.length === 0 ? first : [first, ...later]];
    });
  records[name] = Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
}
const line = (value) => JSON.stringify(value);
const blocks = Object.entries(records).map(
  ([name, rows]) =>
    `    ${line(name)}: {\n${Object.entries(rows)
      .map(([key, row]) => `      ${line(key)}: ${line(row).replaceAll(',', ', ')}`)
      .join(',\n')}\n    }`,
);
writeFileSync(
  target,
  `{\n  "comment": ${line(COMMENT)},\n  "versions": ${line(releases)},\n  "records": {\n${blocks.join(',\n')}\n  }\n}\n`,
);
