#!/usr/bin/env node
// Extracts facts from protobuf definitions into src/network/protobuf/definitions/facts: names, numbers, types, the inputs and outputs of
// methods, and extensions of options. It extracts no prose and no options.
//
//   node scripts/carry-protos.mjs --release NAME ROOT…
//   node scripts/carry-protos.mjs NAME ROOT… -- PATTERN… [-- MESSAGE…]
//
// ROOTs are the folders for imports.
// With --release, it extracts the Ledger API and the admin API of a participant of that release of Canton. The file protos/NAME.json has
// only the differences from the default release (mergedFacts in definitions.ts applies them).
// Otherwise NAME is the name of the output file. It extracts each definition whose path matches a PATTERN, which is a regular expression.
// It also extracts their imports that are in a ROOT. With MESSAGEs (full names), it extracts only these messages and those that they
// contain, without services, and without the definitions of other facts files.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const facts = join(
  dirname(fileURLToPath(import.meta.url)),
  '..',
  'src',
  'network',
  'protobuf',
  'definitions',
  'facts',
);
const COMMENT =
  'Facts of official definitions, carried by scripts/carry-protos.mjs: do not edit by hand.';
const SCALARS = new Set(
  'double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes'.split(
    ' ',
  ),
);

/** The tokens of a text, without comments. */
function tokensOf(text) {
  const bare = text.replace(
    /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, literal) => literal ?? ' ',
  );
  return bare.match(/"(?:\\.|[^"\\])*"|[\w.]+|-?\d+|[^\s\w]/g) ?? [];
}

class Parser {
  at = 0;
  constructor(text) {
    this.tokens = tokensOf(text);
  }
  get here() {
    return this.tokens[this.at];
  }
  take(expected) {
    const token = this.tokens[this.at++];
    if (expected !== undefined && token !== expected)
      throw new Error(`expected ${expected}, found ${token} (${this.at})`);
    return token;
  }
  /** Skips to after the next `;`, or after the block that opens before it. */
  skipStatement() {
    for (let depth = 0; ;) {
      const token = this.take();
      if (token === '{') depth += 1;
      if (token === '}' && --depth === 0) return;
      if (token === ';' && depth === 0) return;
    }
  }

  file() {
    const file = { package: '', imports: [], messages: {}, enums: {}, services: {} };
    while (this.here !== undefined) {
      const word = this.take();
      if (word === 'package') file.package = this.take();
      else if (word === 'syntax') {
        this.take('=');
        const syntax = this.take().slice(1, -1);
        if (syntax !== 'proto3') file.syntax = syntax;
        this.take(';');
      } else if (word === 'extend') this.extension(file);
      else if (word === 'import') {
        const named = this.take();
        file.imports.push((/^"/.test(named) ? named : this.take()).slice(1, -1));
      } else if (word === 'message') this.message(file, '');
      else if (word === 'enum') this.enumeration(file, '');
      else if (word === 'service') this.service(file);
      else if (word === 'option') this.skipStatement();
      else if (word !== ';') throw new Error(`no statement begins with ${word}`);
    }
    return file;
  }

  /** Reads an extension of a message from another file. */
  extension(file) {
    const extended = this.take();
    this.take('{');
    const fields = ((file.extensions ??= {})[extended] ??= {});
    while (this.here !== '}') this.field(fields, undefined);
    this.take('}');
  }

  message(file, outer) {
    const name = outer + this.take();
    const fields = (file.messages[name] = {});
    this.take('{');
    this.members(file, name, fields, undefined);
  }

  members(file, name, fields, oneof) {
    while (this.here !== '}') {
      const word = this.here;
      const isBlock = this.tokens[this.at + 2] === '{';
      if (word === 'message' && isBlock) {
        this.take();
        this.message(file, `${name}.`);
      } else if (word === 'enum' && isBlock) {
        this.take();
        this.enumeration(file, `${name}.`);
      } else if (word === 'extensions' && this.tokens[this.at + 2] === 'to') {
        this.take();
        (file.extendable ??= {})[name] = Number(this.take());
        this.skipStatement();
      } else if (word === 'reserved' || word === 'option') this.skipStatement();
      else if (word === 'oneof') {
        this.take();
        const group = this.take();
        this.take('{');
        this.members(file, name, fields, group);
      } else if (word === ';') this.take();
      else this.field(fields, oneof);
    }
    this.take('}');
  }

  field(fields, oneof) {
    let label = '';
    if ((this.here === 'repeated' || this.here === 'optional') && this.tokens[this.at + 1] !== '=')
      label = this.take();
    let type = this.take();
    if (type === 'map') {
      this.take('<');
      const key = this.take();
      this.take(',');
      type = `map ${key} ${this.take()}`;
      this.take('>');
    }
    const name = this.take();
    this.take('=');
    const number = this.take();
    while (this.take() !== ';');
    fields[name] = { number, label, type, oneof };
  }

  enumeration(file, outer) {
    const values = (file.enums[outer + this.take()] = {});
    this.take('{');
    while (this.here !== '}') {
      if (this.here === 'reserved' || this.here === 'option') this.skipStatement();
      else {
        const name = this.take();
        this.take('=');
        const sign = this.here === '-' ? this.take() : '';
        values[name] = Number(sign + this.take());
        while (this.take() !== ';');
      }
    }
    this.take('}');
  }

  service(file) {
    const methods = (file.services[this.take()] = {});
    this.take('{');
    while (this.here !== '}') {
      const word = this.take();
      if (word === 'option') {
        this.skipStatement();
        continue;
      }
      if (word === ';') continue;
      if (word !== 'rpc') throw new Error(`no method begins with ${word}`);
      const name = this.take();
      const side = () => {
        this.take('(');
        const isStream = this.here === 'stream' && this.tokens[this.at + 1] !== ')';
        if (isStream) this.take();
        const type = this.take();
        this.take(')');
        return { isStream, type };
      };
      const input = side();
      this.take('returns');
      const output = side();
      if (this.here === '{') this.skipStatement();
      else this.take(';');
      methods[name] = [input, output];
    }
    this.take('}');
  }
}

/** The definitions in the ROOTs whose paths match, and their imports, by their paths. */
function parsedFiles(roots, patterns) {
  const paths = roots.flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && each.name.endsWith('.proto'))
      .map((each) => relative(root, join(each.parentPath, each.name)))
      .filter((path) => patterns.some((pattern) => pattern.test(path))),
  );
  const files = new Map();
  const add = (path) => {
    const root = roots.find((each) => existsSync(join(each, path)));
    if (files.has(path) || root === undefined) return;
    const parsed = new Parser(readFileSync(join(root, path), 'utf8')).file();
    files.set(path, parsed);
    parsed.imports.forEach(add);
  };
  paths.sort().forEach(add);
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The full names of the types that the files define. */
const typesOf = (files) =>
  [...files.values()].flatMap(({ package: prefix, messages, enums }) =>
    [...Object.keys(messages), ...Object.keys(enums)].map((each) => `${prefix}.${each}`),
  );

/** Searches from the innermost scope outwards. A type that no file defines keeps its whole name. */
function resolved(type, scope, known) {
  if (SCALARS.has(type)) return type;
  for (let at = scope; at !== ''; at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '')
    if (known.has(`${at}.${type}`)) return `${at}.${type}`;
  return type.replace(/^\./, '');
}

/** Removes the package from the name of a type in the same package. */
const short = (type, prefix, known) =>
  type.startsWith(`${prefix}.`) && known.has(type) ? type.slice(prefix.length) : type;

/** @param known the full names of all types */
function stated({ package: prefix, imports, messages, enums, services, ...rest }, known) {
  const type = (given, scope) => short(resolved(given, `${prefix}${scope}`, known), prefix, known);
  const field = (message, { number, label, type: given, oneof }) => {
    const parts = given.split(' ');
    const typeText =
      parts[0] === 'map'
        ? `map ${parts[1]} ${type(parts[2], `.${message}`)}`
        : type(given, `.${message}`);
    return [number, label, oneof && `oneof ${oneof}`, typeText].filter(Boolean).join(' ');
  };
  const side = ({ isStream, type: given }) => (isStream ? 'stream ' : '') + type(given, '');
  const of = (entries, to) =>
    Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, to(value, key)]));
  return {
    package: prefix,
    ...(rest.syntax && { syntax: rest.syntax }),
    imports,
    messages: of(messages, (fields, message) => of(fields, (each) => field(message, each))),
    enums,
    services: of(services, (methods) =>
      of(methods, ([input, output]) => `${side(input)} -> ${side(output)}`),
    ),
    ...(rest.extendable && { extendable: rest.extendable }),
    ...(rest.extensions && {
      extensions: of(rest.extensions, (fields) => of(fields, (each) => field('', each))),
    }),
  };
}

/** The messages with these names, and the messages in them, except for those of other facts files. */
function only(name, names, every) {
  const others = readdirSync(facts)
    .filter((file) => file.endsWith('.json') && file !== `${name}.json`)
    .flatMap((file) => Object.keys(JSON.parse(readFileSync(join(facts, file), 'utf8')).files));
  const reached = new Set();
  const reach = (full) => {
    if (reached.has(full)) return;
    reached.add(full);
    const home = Object.values(every).find(
      ({ package: prefix, messages }) =>
        full.startsWith(`${prefix}.`) && Object.hasOwn(messages, full.slice(prefix.length + 1)),
    );
    const fields = Object.values(home?.messages[full.slice(home.package.length + 1)] ?? {});
    for (const field of fields) {
      const type = field.split(' ').at(-1);
      reach(type.startsWith('.') ? home.package + type : type);
    }
  };
  names.forEach(reach);
  const reachable = ({ package: prefix, ...rest }) => {
    const of = (entries) =>
      Object.fromEntries(
        Object.entries(entries).filter(([key]) => reached.has(`${prefix}.${key}`)),
      );
    const [messages, enums] = [of(rest.messages), of(rest.enums)];
    return { package: prefix, ...rest, imports: [], messages, enums, services: {} };
  };
  return Object.fromEntries(
    Object.entries(every)
      .filter(([path]) => !others.includes(path))
      .map(([path, file]) => [path, reachable(file)])
      .filter(([, { messages, enums }]) => Object.keys({ ...messages, ...enums }).length > 0),
  );
}

/** Prints one line for each message, enumeration and service. */
function printed(value) {
  const entry = ([key, each], depth) => {
    const pad = ' '.repeat(depth);
    const isNested = depth < 4 && each !== null && typeof each === 'object' && !Array.isArray(each);
    if (!isNested || Object.keys(each).length === 0)
      return `${pad}${JSON.stringify(key)}: ${JSON.stringify(each)}`;
    const inner = Object.entries(each).map((next) => entry(next, depth + 1));
    return `${pad}${JSON.stringify(key)}: {\n${inner.join(',\n')}\n${pad}}`;
  };
  return `{\n${Object.entries(value)
    .map((each) => entry(each, 1))
    .join(',\n')}\n}\n`;
}

/** The files of a release: the Ledger API, and the admin API of a participant. */
const OF_RELEASE = [
  /^com\/daml\/ledger\/api\/v2\//,
  /^com\/digitalasset\/canton\/(admin\/(participant|health)|connection|(crypto|time|topology)\/admin)\/v30\//,
];
const OF_DEFAULT = ['ledger-api', 'admin-api'];
const DEFAULT_RELEASE = '3.5';

/** The files of the default release, by their paths. */
const defaultFiles = () =>
  Object.assign(
    {},
    ...OF_DEFAULT.map(
      (name) => JSON.parse(readFileSync(join(facts, `${name}.json`), 'utf8')).files,
    ),
  );

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** The differences as a merge patch of JSON (RFC 7396); undefined without differences. */
function patchOf(from, to) {
  if (!isObject(from) || !isObject(to))
    return JSON.stringify(from) === JSON.stringify(to) ? undefined : to;
  const patch = {};
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const difference = Object.hasOwn(to, key)
      ? Object.hasOwn(from, key)
        ? patchOf(from[key], to[key])
        : to[key]
      : null;
    if (difference !== undefined) patch[key] = difference;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** The methods of all services, as `package.Service/Method`. */
const methodsIn = (files) =>
  Object.values(files).flatMap(({ package: prefix, services }) =>
    Object.entries(services).flatMap(([service, methods]) =>
      Object.keys(methods).map((method) => `${prefix}.${service}/${method}`),
    ),
  );

/**
 * Writes the facts of a release of Canton.
 * @param release such as `3.6`
 * @param roots folders with its definitions
 * @returns its differences from the release before: the methods that are new and gone, and the messages that are changed
 */
export function carryRelease(release, roots) {
  const before = defaultFiles();
  const files = parsedFiles(roots, OF_RELEASE);
  const known = new Set([...typesOf(files), ...typesOf(new Map(Object.entries(before)))]);
  const after = {};
  for (const [path, file] of files) after[path] = stated(file, known);
  // Definitions of values are in another repository for some releases.
  for (const path of importsOf(after))
    if (Object.hasOwn(before, path)) after[path] ??= before[path];
  const patch = patchOf(before, after) ?? {};
  mkdirSync(join(facts, 'protos'), { recursive: true });
  writeFileSync(
    join(facts, 'protos', `${release}.json`),
    printed({ $comment: COMMENT, files: patch }),
  );
  const earlier = earlierFiles(release, before);
  const [had, has] = [methodsIn(earlier), methodsIn(after)];
  return {
    added: has.filter((each) => !had.includes(each)),
    removed: had.filter((each) => !has.includes(each)),
    changed: Object.entries(patchOf(earlier, after) ?? {}).flatMap(([path, file]) =>
      Object.keys(file?.messages ?? {}).map(
        (name) => `${(after[path] ?? earlier[path]).package}.${name}`,
      ),
    ),
  };
}

/** The files of the latest earlier release that has facts. @param usual the files of the default release */
function earlierFiles(release, usual) {
  const numbers = (name) => name.split('.').map(Number);
  const isEarlier = (one, other) => {
    const [[a, b], [c, d]] = [numbers(one), numbers(other)];
    return a < c || (a === c && b < d);
  };
  const earlier = readdirSync(join(facts, 'protos'))
    .map((file) => file.replace(/\.json$/, ''))
    .filter((name) => isEarlier(name, release) && isEarlier(DEFAULT_RELEASE, name))
    .sort((one, other) => (isEarlier(one, other) ? -1 : 1))
    .at(-1);
  if (earlier === undefined) return usual;
  const { files } = JSON.parse(readFileSync(join(facts, 'protos', `${earlier}.json`), 'utf8'));
  return patched(usual, files);
}

/** Applies the differences of {@link patchOf}. */
function patched(target, patch) {
  if (!isObject(patch)) return patch;
  const result = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch))
    if (value === null) delete result[key];
    else result[key] = patched(result[key], value);
  return result;
}

const importsOf = (files) => [...new Set(Object.values(files).flatMap(({ imports }) => imports))];

function carryFile(name, roots, patterns, wanted) {
  const files = parsedFiles(roots, patterns);
  const known = new Set(typesOf(files));
  const every = Object.fromEntries([...files].map(([path, file]) => [path, stated(file, known)]));
  const all = wanted.length > 0 ? only(name, wanted, every) : every;
  writeFileSync(join(facts, `${name}.json`), printed({ $comment: COMMENT, files: all }));
  console.log(`carried ${Object.keys(all).length} definitions into definitions/facts/${name}.json`);
}

function main([name, ...rest]) {
  if (name === '--release' && rest.length > 1) {
    const [release, ...roots] = rest;
    for (const [kind, names] of Object.entries(carryRelease(release, roots)))
      console.log(`${kind}:${names.map((each) => `\n  ${each}`).join('') || ' none'}`);
    const table = join(facts, '..', 'releases.ts');
    if (!readFileSync(table, 'utf8').includes(`'${release}':`))
      console.log(
        `Add ${release} to DIFFERENCES in ${relative('.', table)}, and its definitions to the row in src/spec/versions.ts.`,
      );
    return;
  }
  const split = rest.indexOf('--');
  if (name === undefined || name.startsWith('-') || split < 1) {
    console.error('carry-protos --release NAME ROOT… | NAME ROOT… -- PATTERN… [-- MESSAGE…]');
    process.exit(2);
  }
  const words = rest.slice(split + 1);
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const patterns = words.slice(0, end).map((each) => new RegExp(each));
  carryFile(name, rest.slice(0, split), patterns, words.slice(end + 1));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
