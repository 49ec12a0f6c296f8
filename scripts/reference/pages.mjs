// Generates the pages of docs/reference from declarations, help texts, the scenario schema and the controls' document.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importBundled } from '../generate/bundled.mjs';
import { root } from '../steps.mjs';

const load = createRequire(join(root, 'dist', 'cjs', 'index.js'));

const cell = (text) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
const row = (...cells) => `| ${cells.map(cell).join(' | ')} |`;
const table = (heads, rows) =>
  [row(...heads), row(...heads.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');
const code = (text) => `\`${text}\``;
const item = (term, meaning, more = '') =>
  wrapped(`- ${code(term)}${meaning === '' ? '' : `: ${prose(meaning)}`}${more}`, '  ');

const WIDTH = 120;
/** Breaks a text into lines, if possible not inside code. @param indent of all lines after the first */
function wrapped(text, indent = '') {
  const words = [];
  let isInCode = false;
  for (const word of text.trim().split(/\s+/)) {
    const longer = `${words.at(-1)} ${word}`;
    if (isInCode && longer.length < WIDTH) words[words.length - 1] = longer;
    else words.push(word);
    if (word.split('`').length % 2 === 0) isInCode = !isInCode;
  }
  const lines = [words[0]];
  for (const word of words.slice(1)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(indent + word);
  }
  return lines.join('\n');
}

/** Links of docstrings are names in the code. */
const prose = (text) => text.replace(/\{@link (\w+)\}/g, '`$1`').replaceAll('<', '\\<');
const page = (title, about, parts) =>
  [
    `# ${title}`,
    `<!-- Made by scripts/reference.mjs from the code: change it there. -->`,
    wrapped(about),
    ...parts,
  ].join('\n\n') + '\n';

const rows = await importBundled(
  ['canticle', 'environment', 'localnet', 'origins', 'parts', 'row']
    .map((name) => `export * from './src/options/${name}.ts';`)
    .join('\n'),
  root,
);

/** The rows of types with options, by their names. */
const TABLES = {
  CanticleOptions: rows.CANTICLE,
  StartOptions: rows.LISTENING,
  LocalnetOptions: rows.LOCALNET,
  AmuletOptions: rows.AMULET,
  AuthOptions: rows.AUTH,
};

/** The other places where users can set an option, as a sentence. */
function elsewhere(row) {
  if (row === undefined) return '';
  const flags = rows
    .flagsOf(row)
    .map(({ name, of }) => `\`${name}\` of ${of.map((each) => `\`${each}\``).join(', ')}`);
  const header = row.header && `\`${row.header.key ?? row.name}\` of a scenario`;
  const variable = row.variable && `\`${row.variable}\` of the environment`;
  const places = [...flags, header, variable].filter(Boolean);
  return places.length === 0 ? '' : ` Also: ${places.join('; ')}.`;
}

const OPTIONS = [
  ['index', 'CanticleOptions', 'For `createCanticle`, `startCanticle` and `useCanticle`'],
  ['index', 'StartOptions', 'For `startCanticle` and `useCanticle`'],
  ['jest', 'UseCanticleOptions', 'For `useCanticle`'],
  ['index', 'AmuletOptions', 'For the option `amulet`, as `{ dar, … }`'],
  ['index', 'AuthOptions', 'For the option `auth`'],
  ['index', 'IssuerOptions', 'For the option `issuer`'],
  ['index', 'CheckpointDelays', 'For the option `checkpoints`'],
  ['index', 'LocalnetOptions', 'For `startLocalnet` and `useLocalnet`'],
  ['jest', 'UseLocalnetOptions', 'For `useLocalnet`'],
  ['jest', 'DamlTestsOptions', 'For `damlTests`'],
  ['index', 'SubmitOptions', 'For submissions of a participant'],
  ['nock', 'MountOptions', 'For a mount of `canticle/nock`'],
  ['msw', 'HandlerOptions', 'For the handlers of `canticle/msw`'],
  ['coverage-reporter', 'CoverageReporterOptions', 'For the reporter for jest'],
];

function optionsPage(entrances) {
  const nameIn = (entrance, wanted) =>
    entrances.find((each) => each.entrance === entrance).names.find(({ name }) => name === wanted);
  const has = (name) => OPTIONS.some(([, listed]) => listed === name);
  /** Members, including those of base types without their own section on the page. */
  const own = (found) => [
    ...found.members,
    ...found.heirOf.filter(({ name }) => !has(name)).flatMap(own),
  ];
  const parts = OPTIONS.map(([entrance, name, of]) => {
    const found = nameIn(entrance, name);
    if (found === undefined)
      throw new Error(
        `${entrance} does not export ${name}: correct OPTIONS in scripts/reference/pages.mjs.`,
      );
    const also = found.heirOf
      .filter(({ name }) => has(name))
      .map(({ name: each }) => `[${each}](#${each.toLowerCase()})`);
    const about = `${of}${also.length > 0 ? `, in addition to ${also.join(' and ')}` : ''}. ${prose(found.doc)}`;
    const rowOf = (member) => TABLES[name]?.[member] && { name: member, ...TABLES[name][member] };
    const items = own(found).map((member) =>
      item(member.text, member.doc, elsewhere(rowOf(member.name))),
    );
    return [`## ${name}`, wrapped(about), ...(items.length > 0 ? [items.join('\n')] : [])].join(
      '\n\n',
    );
  });
  const about = 'Options with a question mark are optional.';
  return page('Options', about, parts);
}

/** The variables of options, and the others. */
function environmentPage() {
  const ofRow = ([, row]) => (row.variable ? [[row.variable, row.doc]] : []);
  const ofOptions = [...rows.rowsIn(rows.LOCALNET), ...rows.rowsIn(rows.FORK)].flatMap(ofRow);
  const all = [...ofOptions, ...Object.entries(rows.VARIABLES)];
  return page(
    'Environment variables',
    'Canticle reads these variables. An option or a flag takes precedence over its variable.',
    [
      table(
        ['variable', 'sets'],
        all.map(([name, doc]) => [code(name), prose(rows.sentence(doc))]),
      ),
    ],
  );
}

function matchersPage(entrances) {
  const matchers = entrances
    .find(({ entrance }) => entrance === 'jest')
    .names.find(({ name }) => name === 'CanticleMatchers');
  const rows = matchers.members.map(({ text, doc }) => [
    code(text.replace(/: R$/, '')),
    prose(doc),
  ]);
  const about =
    'Import `canticle/jest`, `canticle/vitest` or `canticle/bun-test` to register the matchers. For node:test, `canticle/node-test` exports an `expect` with only these matchers. You can negate each with `.not`. A failure shows the actual state of the ledger.';
  return page('Matchers', about, [table(['matcher', 'checks'], rows)]);
}

async function help(...words) {
  const { main } = load('./cli/main.js');
  let printed = '';
  const stream = { write: (text) => ((printed += text), true), isTTY: false };
  await main([...words, '--help'], {
    version: '',
    stdin: process.stdin,
    stdout: stream,
    stderr: stream,
    signals: process,
  });
  return printed;
}

/** The list below a heading of a help text: pairs of a term and its description. */
function listed(text, heading) {
  const [, below] = text.split(`${heading}:\n`);
  if (below === undefined) return [];
  const pairs = [];
  for (const line of below.split('\n')) {
    if (line === '') break;
    const [, term, meaning = ''] = /^ {2}(\S.*?)(?: {2,}(.*))?$/.exec(line) ?? [];
    if (term === undefined) pairs.at(-1)[1] += ` ${line.trim()}`;
    else pairs.push([term, meaning]);
  }
  return pairs;
}

/** Marks the values of choices and defaults as code. */
const withCode = (meaning) =>
  meaning.replace(/\(choices: .*\)|\(default: .*\)/, (values) =>
    values.replace(/"([^"]*)"/g, '`$1`'),
  );

async function flagsPage() {
  const commands = async (...words) => {
    const text = await help(...words);
    const below = listed(text, 'Commands')
      .map(([term]) => term.split(/[ |]/)[0])
      .filter((name) => name !== 'help');
    const rest = await Promise.all(below.map((name) => commands(...words, name)));
    return [{ words, text }, ...rest.flat()];
  };
  const all = await commands();
  const parts = all.slice(1).map(({ words, text }) => {
    const [usage, ...after] = text.split('\n\n');
    const about =
      after[0].startsWith('Arguments:') || after[0].startsWith('Options:') ? '' : after[0];
    const items = ['Arguments', 'Options']
      .flatMap((heading) => listed(text, heading))
      .filter(([term]) => term !== '-h, --help')
      .map(([term, meaning]) => item(term, withCode(meaning)));
    const title = `## canticle ${words.join(' ')}`;
    const line = usage.replace(/^Usage: /, '').replace(/\s+/g, ' ');
    return [
      title,
      code(line),
      wrapped(prose(about)),
      ...(items.length > 0 ? [items.join('\n')] : []),
    ]
      .filter((each) => each !== '')
      .join('\n\n');
  });
  return page(
    'Commands and flags',
    'The output of `npx canticle COMMAND --help` for all commands.',
    parts,
  );
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.replace(/^.*\/(step-|expect-)?/, '');
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const some = schema.anyOf ?? schema.oneOf;
  if (some) return [...new Set(some.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  return Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any value');
}

function verbsPage() {
  const schema = JSON.parse(readFileSync(join(root, 'scenarios', 'scenario.schema.json'), 'utf8'));
  const fields = (of) =>
    Object.entries(of.properties ?? {})
      .map(([name, field]) => {
        const term = `${name}${of.required?.includes(name) ? '' : '?'}: ${typeOf(field)}`;
        return item(term, field.description ?? '');
      })
      .join('\n');
  const parts = (prefix) =>
    Object.entries(schema.$defs)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, each]) =>
        [
          `### ${name.slice(prefix.length)}`,
          ...(each.description ? [wrapped(prose(each.description))] : []),
          fields(each),
        ].join('\n\n'),
      );
  const others = [
    'synchronizer',
    'participant',
    'authorization',
    'authService',
    'validator',
    'walletGateway',
  ];
  return page(
    'Scenario verbs',
    'This page lists the contents of `scenarios/scenario.schema.json`, which editors use for completion. In a test, `canticle.scenario` has the same verbs as functions. Pass the value of the verb first, and the other fields as an object.',
    [
      '## The head of a file',
      fields(schema),
      '## Verbs',
      ...parts('step-'),
      '## Expectations',
      ...parts('expect-'),
      '## Parts',
      ...others.map((name) => `### ${name}\n\n${fields(schema.$defs[name])}`),
    ],
  );
}

async function controlsPage() {
  const { createCanticle } = load('./index.js');
  const canticle = createCanticle();
  const { body } = await canticle.handle({ method: 'GET', path: '/canticle/v1/docs/openapi.json' });
  await canticle.close();
  const { paths, components } = JSON.parse(Buffer.from(body).toString());
  const fieldsOf = (schema) => {
    const { properties = {}, required = [] } = schema?.$ref
      ? components.schemas[schema.$ref.split('/').at(-1)]
      : (schema ?? {});
    return Object.keys(properties)
      .map((name) => code(required.includes(name) ? name : `${name}?`))
      .join(', ');
  };
  const jsonOf = (content) => content?.content?.['application/json']?.schema;
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const [answer] = Object.entries(operation.responses).filter(([status]) =>
        status.startsWith('2'),
      );
      const inputs = [
        ...(operation.parameters ?? [])
          .filter((each) => each.in === 'query')
          .map(({ name }) => code(`${name}=`)),
        fieldsOf(jsonOf(operation.requestBody)),
      ].filter((each) => each !== '');
      if (operation.summary === undefined)
        throw new Error(
          `${operation.operationId} has no summary in src/spec/control/summaries.ts.`,
        );
      return [
        code(`${method.toUpperCase()} /canticle${path}`),
        prose(operation.summary),
        inputs.join(', '),
        `${answer[0]} ${fieldsOf(jsonOf(answer[1]))}`,
      ];
    }),
  );
  const about =
    'Controls are HTTP operations that no real network has. `/canticle/v1/docs/openapi.json` has their types, and `/docs` shows them. [The guide](../guides/sandbox.md#controls) explains their use and authorization.';
  return page('Controls', about, [table(['request', 'effect', 'parameters', 'answer'], rows)]);
}

/** @returns the unformatted text of each page, by its name */
const STATES = { holds: 'shown by a test', note: 'explained', open: 'open' };

async function releasesPage() {
  const {
    API_VERSIONS,
    SPLICE_VERSIONS,
    completenessOf,
    previewsOfRegistry,
    spliceCompletenessOf,
  } = await importBundled(
    `export { API_VERSIONS, SPLICE_VERSIONS } from './src/spec/versions.ts';
    export { completenessOf } from './src/spec/releases/completeness.ts';
    export { previewsOfRegistry } from './src/spec/releases/previews.ts';
    export { spliceCompletenessOf } from './src/spec/releases/splice-completeness.ts';`,
    root,
  );
  const all = API_VERSIONS.map(completenessOf);
  const splice = SPLICE_VERSIONS.map(spliceCompletenessOf);
  const operations = table(
    ['release', 'document', 'operations'],
    all.map(({ release, document, operations: { served, documented } }) => [
      release,
      document,
      `${served} of ${documented}`,
    ]),
  );
  const ofSplice = table(
    ['release', 'API', 'document', 'operations'],
    splice.flatMap(({ release, apis }) =>
      apis.map(({ api, document, served, documented }) => [
        release,
        api,
        document,
        `${served} of ${documented}`,
      ]),
    ),
  );
  const packages = table(
    ['package', ...splice.map(({ release }) => release)],
    Object.keys(splice[0].packages.versions).map((name) => [
      name,
      ...splice.map(
        ({ packages: { versions, orLater } }) => `${versions[name]}${orLater ? ' or later' : ''}`,
      ),
    ]),
  );
  const missingIn = (release, missing) =>
    missing.map(({ operation, reason }) => [release, code(operation), reason]);
  const missing = [
    ...all.flatMap((each) => missingIn(`Canton ${each.release}`, each.operations.missing)),
    ...splice.flatMap((each) => missingIn(`Splice ${each.release}`, each.missing)),
  ];
  const undecided = [
    ...all.map((each) => ['Canton', each]),
    ...splice.map((each) => ['Splice', each]),
  ].flatMap(([product, each]) =>
    each.undecided.map((text) => `- ${product} ${each.release}: ${text}`),
  );
  const differences = (between, facts) => {
    const topics = [...new Set(facts.map(({ topic }) => topic))];
    return topics.flatMap((topic) => [
      `### ${topic}, ${between}`,
      table(
        ['fact', 'difference', 'state'],
        facts
          .filter((each) => each.topic === topic)
          .map(({ id, text, state, note }) => [id, text, note ?? STATES[state]]),
      ),
    ]);
  };
  const previews = table(
    ['`--registry-preview`', 'operation', 'draft'],
    previewsOfRegistry().flatMap(({ preview, document, operations: own }) =>
      own.map((each) => [code(preview), code(each), document]),
    ),
  );
  return page(
    'Releases',
    'This page lists what each release of Canton and of Splice has here. A difference with the state "open" has no test that shows it.',
    [
      '## Operations of Canton',
      operations,
      '## Operations of Splice',
      ofSplice,
      '## Operations without an answer',
      table(['release', 'operation', 'reason'], missing),
      '## Packages of Splice',
      packages,
      '## Previews',
      'No release has these operations of the registry. An option switches them on.',
      previews,
      '## Undecided parts',
      undecided.length === 0 ? 'None.' : undecided.join('\n'),
      '## Differences',
      ...differences('3.4 and 3.5', all[0].facts),
      ...differences('3.6 and 3.7', all[2].facts),
      ...differences('Splice 0.8', splice[1].facts),
      ...differences('Splice 0.9', splice[2].facts),
      ...differences('Splice 0.10', splice[3].facts),
    ],
  );
}

export async function pages(entrances) {
  return {
    'options.md': optionsPage(entrances),
    'flags.md': await flagsPage(),
    'environment.md': environmentPage(),
    'matchers.md': matchersPage(entrances),
    'scenario-verbs.md': verbsPage(),
    'controls.md': await controlsPage(),
    'releases.md': await releasesPage(),
  };
}
