#!/usr/bin/env node
// Writes src/spec/generated/: for each API group its TypeScript types, wide enough for every release, and for each
// release its compiled validators. Also writes the schema of scenario files with its validators, and the types of the
// carried protobuf messages. Does nothing when neither the inputs nor the generators have changed. The build runs it,
// and the tests run it first.
//
//   node scripts/generate.mjs [--force] [--out DIR]
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const spec = join(root, 'src', 'spec');
const out = process.argv.indexOf('--out');
const target = out < 0 ? join(spec, 'generated') : process.argv[out + 1];
const stampFile = join(target, '.inputs');

/** The files that decide what is generated, in a fixed order. */
function inputs() {
  const data = readdirSync(spec, { recursive: true })
    .map(String)
    .filter((name) => /\.(ts|json)$/.test(name) && !name.startsWith('generated'))
    .map((name) => join('src', 'spec', name));
  const generators = readdirSync(join(root, 'scripts', 'generate')).map((name) =>
    join('scripts', 'generate', name),
  );
  return [...data, ...generators, join('scripts', 'generate.mjs')].sort();
}

function stampOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

/** The API groups in each of their releases, the default release first, read from the TypeScript sources. */
async function loadApis() {
  const { importBundled } = await import('./generate/bundled.mjs');
  const contents = `export { APIS, apiIn } from './apis.ts'; export { usedSchemas } from './api.ts';
    export { documentedIn } from './splice/facts.ts';
    export { REGISTRY_PREVIEWS } from './splice/registry-previews.ts';
    export * from './versions.ts';`;
  const { APIS, apiIn, usedSchemas, documentedIn, REGISTRY_PREVIEWS, ...versions } =
    await importBundled(contents, spec);
  const { API_VERSIONS, DEFAULT_API_VERSION, SPLICE_VERSIONS, DEFAULT_SPLICE_VERSION } = versions;
  /** The releases of an API that differ from the default one, each with its name. */
  const othersOf = (api) => {
    if (api === 'control') return [];
    if (api === 'ledger')
      return API_VERSIONS.filter((v) => v !== DEFAULT_API_VERSION).map((v) => [v, v]);
    const usual = documentedIn(api, DEFAULT_SPLICE_VERSION);
    return SPLICE_VERSIONS.filter((v) => v !== usual && documentedIn(api, v) === v).map((v) => [
      v,
      { spliceVersion: v },
    ]);
  };
  const used = (facts) => ({ ...facts, schemas: usedSchemas(facts) });
  return Object.keys(APIS).map((api) => {
    const usual = apiIn(api, { registryPreviews: REGISTRY_PREVIEWS });
    const releases = othersOf(usual.api).map(([version, spoken]) => [
      `-${version}`,
      used(apiIn(usual.api, spoken)),
    ]);
    return [['', used(usual)], ...releases];
  });
}

/** Files appear whole or not at all, for another process may be reading them. */
function put(name, text) {
  const file = join(target, name);
  const partial = `${file}.${process.pid}.partial`;
  writeFileSync(partial, text);
  renameSync(partial, file);
}

const stamp = stampOf(inputs());
const fresh = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
if (!fresh || process.argv.includes('--force')) {
  const { typesFile } = await import('./generate/types.mjs');
  const { validatorsFile } = await import('./generate/validators.mjs');
  mkdirSync(target, { recursive: true });
  const { widest } = await import('./generate/widest.mjs');
  for (const releases of await loadApis()) {
    const facts = releases.map(([, each]) => each);
    put(`${facts[0].api}.ts`, typesFile(widest(facts)));
    for (const [suffix, each] of releases)
      put(`${each.api}${suffix}-validators.ts`, await validatorsFile(each));
  }
  put('.inputs', stamp);
}
if (out < 0) {
  const { generateMessages } = await import('./generate/messages.mjs');
  await generateMessages(root, process.argv.includes('--force'));
  const { generateScenario } = await import('./generate/scenario.mjs');
  await generateScenario(root, process.argv.includes('--force'));
}
