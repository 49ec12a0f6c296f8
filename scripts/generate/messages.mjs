// Writes the TypeScript types of the carried protobuf messages, by their full names. Members have the names and the
// kinds of `defined` in src/network/protobuf/defined.ts.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { importBundled } from './bundled.mjs';

const NUMBERS = ['int32', 'uint32', 'sint32', 'fixed32', 'sfixed32', 'double', 'float'];
const SCALARS = {
  string: 'string',
  bytes: 'Uint8Array',
  bool: 'boolean',
  ...Object.fromEntries(NUMBERS.map((type) => [type, 'number'])),
  ...Object.fromEntries(
    ['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64'].map((type) => [type, 'bigint']),
  ),
};

/** Writes the types, unless their inputs have not changed. */
export async function generateMessages(root, force) {
  const protobuf = join(root, 'src', 'network', 'protobuf');
  const target = join(protobuf, 'generated');
  const stamp = stampOf(root, join(protobuf, 'definitions'));
  const stampFile = join(target, '.inputs');
  if (!force && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const definitions = await importBundled(
    `export { camelCase } from '../camel-case.ts';
    export { KNOWN } from './known.ts';
    export { LATER_MESSAGES, laterFields } from './later.ts';
    export { definitionsOf } from './releases.ts';`,
    join(protobuf, 'definitions'),
  );
  mkdirSync(target, { recursive: true });
  put(join(target, 'messages.ts'), typesOf(definitions));
  put(stampFile, stamp);
}

function stampOf(root, definitions) {
  const files = readdirSync(definitions, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  const hash = createHash('sha256');
  for (const file of [...files.sort(), join(root, 'scripts', 'generate', 'messages.mjs')])
    hash.update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

/** Files appear whole or not at all, for another process may be reading them. */
function put(file, text) {
  const partial = `${file}.${process.pid}.partial`;
  writeFileSync(partial, text);
  renameSync(partial, file);
}

function typesOf({ camelCase, KNOWN, LATER_MESSAGES, laterFields, definitionsOf }) {
  const definitions = definitionsOf();
  const messageFields = (name) =>
    LATER_MESSAGES.includes(name) ? laterFields(name) : definitions.messageFields(name);
  const names = [...definitions.files.values()].flatMap(({ package: prefix, messages }) =>
    Object.keys(messages).map((name) => `${prefix}.${name}`),
  );
  const typeOf = (type) =>
    SCALARS[type] ?? (messageFields(type) === undefined ? 'number' : `Messages['${type}']`);
  const member = ({ name, label, oneof, type, mapKey }) => {
    if (mapKey !== undefined) return [];
    const one = typeOf(type);
    const isMany = label === 'repeated';
    const mayLack = label === 'optional' || oneof !== undefined || one.startsWith('Messages');
    const mark = !isMany && mayLack ? '?' : '';
    return [`    readonly ${camelCase(name)}${mark}: ${isMany ? `readonly ${one}[]` : one};`];
  };
  const messages = [...Object.keys(KNOWN), ...names, ...LATER_MESSAGES].map((name) => {
    const added = LATER_MESSAGES.includes(name) ? [] : laterFields(name);
    const members = [...messageFields(name), ...added].flatMap(member).join('\n');
    return `  '${name}': {${members && `\n${members}\n  `}};`;
  });
  return `/** Made by scripts/generate/messages.mjs: do not edit. */
export interface Messages {
${messages.join('\n')}
}
`;
}
