/**
 * An option is one row. These tests cover each row at public entrances: checks of values, files of LocalNets, heads of scenarios, flags,
 * `--help` and the reference.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import {
  createCanticle,
  startCanticle,
  startLocalnet,
  type AuthOptions,
  type CanticleOptions,
  type LocalnetOptions,
  type StartOptions,
} from 'canticle';
import { main } from '../../src/cli/main.js';
import { addOptionFlags, optionsGiven } from '../../src/cli/flags/option-flags.js';
import { CANTICLE, STARTED } from '../../src/options/canticle.js';
import { VARIABLES } from '../../src/options/environment.js';
import type { Kind } from '../../src/options/row.js';
import * as localnet from '../../src/options/localnet.js';

import type { LOAD } from '../../src/options/origins.js';
import { FORK } from '../../src/options/origins.js';
import type {
  AMULET,
  AUTH,
  CHECKPOINTS,
  EXTENSION_SERVICE,
  GRPC,
  INIT_SCRIPT,
  ISSUER,
  SCAN,
  TLS,
  VALIDATOR,
  PQS,
  WALLET_GATEWAY,
} from '../../src/options/parts.js';
import {
  flagsOf,
  headers,
  rowOf,
  rowsIn,
  sentence,
  type CommandName,
  type Row,
  type Rows,
} from '../../src/options/row.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

/** A table has a row for each option of a type, of its kind, and no other: otherwise this file does not compile. */
type TableOf<T> = {
  readonly [K in keyof Required<T>]: Row<NonNullable<T[K]>> | Kind<NonNullable<T[K]>>;
};
type Fits<T, R extends TableOf<T>> = [Exclude<keyof R, keyof T>] extends [never] ? true : never;
type Part<K extends keyof StartOptions> = Extract<NonNullable<StartOptions[K]>, object>;
type Element<T> = Exclude<Extract<T, readonly unknown[]>[number], string>;
type Node = Element<LocalnetOptions['validators']>;
type LocalnetPackage = Extract<Element<LocalnetOptions['packages']>, { readonly dar: unknown }>;
type Own<T> = Exclude<T, string | boolean | Uint8Array | readonly unknown[]>;
const fits: [
  Fits<CanticleOptions, typeof CANTICLE>,
  Fits<StartOptions, typeof STARTED>,
  Fits<LocalnetOptions, typeof localnet.LOCALNET>,
  Fits<AuthOptions, typeof AUTH>,
  Fits<Own<Part<'amulet'>>, typeof AMULET>,
  Fits<Part<'checkpoints'>, typeof CHECKPOINTS>,
  Fits<Part<'fork'>, typeof FORK>,
  Fits<Part<'grpc'>, typeof GRPC>,
  Fits<Part<'initScript'>, typeof INIT_SCRIPT>,
  Fits<Part<'issuer'>, typeof ISSUER>,
  Fits<Own<Part<'load'>>, typeof LOAD>,
  Fits<Part<'scan'>, typeof SCAN>,
  Fits<
    Exclude<
      NonNullable<StartOptions['externalCalls']>[string],
      string | ((...given: never[]) => unknown)
    >,
    typeof EXTENSION_SERVICE
  >,
  Fits<Part<'tls'>, typeof TLS>,
  Fits<Part<'walletGateway'>, typeof WALLET_GATEWAY>,
  Fits<Part<'pqs'>, typeof PQS>,
  Fits<Part<'validator'>, typeof VALIDATOR>,
  Fits<NonNullable<LocalnetOptions['amulet']>, typeof localnet.LOCALNET_AMULET>,
  Fits<NonNullable<LocalnetOptions['instanceNames']>, typeof localnet.INSTANCE_NAMES>,
  Fits<Exclude<LocalnetOptions['traffic'], string | undefined>, typeof localnet.TRAFFIC>,
  Fits<LocalnetPackage, typeof localnet.PACKAGE>,
  Fits<Node, typeof localnet.VALIDATOR_NODE>,
  Fits<NonNullable<Node['ports']>, typeof localnet.NODE_PORTS>,
  Fits<Element<Node['names']>, typeof localnet.NAME>,
  Fits<Element<Node['parties']>, typeof localnet.PARTY>,
  Fits<Element<Node['autoAcceptTransfers']>, typeof localnet.AUTO_ACCEPT>,
  Fits<Element<Node['walletSweep']>, typeof localnet.SWEEP>,
  Fits<Element<Node['rewardSharing']>, typeof localnet.SHARING>,
  Fits<Element<Element<Node['rewardSharing']>['beneficiaries']>, typeof localnet.BENEFICIARY>,
  Fits<Element<Node['users']>, typeof localnet.USER>,
  Fits<Element<Element<Node['users']>['parties']>, typeof localnet.FOR_PARTY>,
] = Array(30).fill(true) as never;

const { LOCALNET } = localnet;
const folder = useTemporaryFolder();
const root = join(__dirname, '../..');
const page = (name: string) => readFileSync(join(root, 'docs/reference', `${name}.md`), 'utf8');

/** A value that a kind rejects, and that a file can have. */
function impossible({ check }: Kind): unknown {
  return [-1.5, {}, '\n', [5]].find((value) => {
    try {
      check(value, 'it');
      return false;
    } catch {
      return true;
    }
  });
}

/** A text that a flag of a kind takes. */
function textFor({ read, each, named }: Kind, takes?: string): string {
  if (takes === 'content') return __filename;
  if (takes === 'service') return 'built-in-issuer';
  if (named !== undefined) return 'prices=http://127.0.0.1:9000';
  const own = each?.read ?? read;
  const texts = ['5', 'localnet', '3.5', '35', '2026-01-01T00:00:00Z', 'virtual', 'brief', 'Admin'];
  texts.push('before-answers', 'oauth2', 'metered', '0.9', 'count', 'conditional-lock');
  return texts.find((text) => own === undefined || own(text) !== undefined)!;
}

const sometimes = (rows: Rows) =>
  rowsIn(rows).filter(([, { kind }]) => impossible(kind) !== undefined);

it('the table has a row for each member of the public types', () => expect(fits).toHaveLength(30));

it.each(sometimes(CANTICLE))('createCanticle rejects an invalid value of %s', (name, { kind }) => {
  const given = { [name]: impossible(kind) } as CanticleOptions;
  expect(() => createCanticle(given)).toThrow(new RegExp(`Failed to create a Canticle: .*${name}`));
});

it.each(sometimes(STARTED))(
  'startCanticle rejects an invalid value of %s',
  async (name, { kind }) => {
    const given = { [name]: impossible(kind) } as StartOptions;
    await expect(startCanticle(given)).rejects.toThrow(`Failed to create a Canticle: ${name}`);
  },
);

it.each(sometimes(LOCALNET))(
  'startLocalnet rejects an invalid value of %s, as an option and in a file',
  async (name, { kind }) => {
    const given = { [name]: impossible(kind) } as LocalnetOptions;
    await expect(startLocalnet(given)).rejects.toThrow(`Failed to create a Canticle: ${name}`);
    const config = join(folder(), 'network.json');
    writeFileSync(config, JSON.stringify(given));
    await expect(startLocalnet({ config })).rejects.toThrow(`network.json': ${name}`);
  },
);

it.each(headers(CANTICLE).map(([key, { kind }]) => [key, kind] as const))(
  'a scenario file accepts %s, and rejects an invalid value',
  (key, kind) => {
    const scenario = join(folder(), 'scenario.json');
    writeFileSync(scenario, JSON.stringify({ [key]: impossible(kind) }));
    expect(() => createCanticle({ scenario })).toThrow(`'${key}' cannot be`);
    const schema = readFileSync(join(root, 'scenarios/scenario.schema.json'), 'utf8');
    expect(Object.keys(JSON.parse(schema).properties)).toContain(key);
    expect(page('scenario-verbs')).toContain(`\`${key}?`);
  },
);

/** Each flag of a command, with the place of what it sets. */
function flagsIn(command: CommandName, rows: Rows | undefined, above: readonly string[] = []) {
  return rowsIn(rows).flatMap(([name, row]): FlagAt[] => [
    ...flagsOf(row)
      .filter(({ of }) => of.includes(command))
      .map((flag) => ({ path: [...above, name], row, flag })),
    ...flagsIn(command, row.kind.rows, [...above, name]),
  ]);
}

interface FlagAt {
  readonly path: readonly string[];
  readonly row: Row;
  readonly flag: ReturnType<typeof flagsOf>[number];
}

async function helpOf(command: CommandName): Promise<string> {
  let printed = '';
  const write = (text: string) => (printed += text);
  const stream = { write, isTTY: false };
  await main([command, '--help'], {
    version: '0',
    stdin: process.stdin,
    stdout: stream,
    stderr: stream,
    signals: process,
  });
  return printed.replace(/\s+/g, ' ');
}

describe.each<[CommandName, Rows]>([
  ['codegen', STARTED],
  ['inspect', STARTED],
  ['localnet', LOCALNET],
  ['run', STARTED],
  ['sandbox', STARTED],
  ['script', STARTED],
  ['simulate', STARTED],
  ['test', STARTED],
  ['verify', STARTED],
])('canticle %s', (command, rows) => {
  const flags = flagsIn(command, rows);

  it('has flags for options', () => expect(flags.length).toBeGreaterThan(0));

  it('lists each flag in --help and in the reference', async () => {
    const help = await helpOf(command);
    const reference = page('flags');
    const names = flags.map(({ flag }) => flag.name);
    expect(names.filter((name) => !help.includes(` ${name} `))).toEqual([]);
    expect(names.filter((name) => !reference.includes(`- \`${name}\`: `))).toEqual([]);
  });

  it.each(flags.map((at) => [at.flag.name, at] as const))('%s sets its option', (_, at) => {
    const { path, row, flag } = at;
    const beside = flagsIn(command, rows).filter(
      ({ path: [first, second] }) =>
        first === path[0] &&
        second !== path[1] &&
        (rowOf(rows[first!]!).kind.required ?? []).includes(second!),
    );
    const words = [at, ...beside].flatMap(({ row: { kind }, flag: { name, takes } }) => {
      const [long = '', value] = name.split(' ');
      return value === undefined ? [long] : [long, textFor(kind, takes)];
    });
    const parsed = addOptionFlags(new Command(), command, rows).parse(words, { from: 'user' });
    const options = optionsGiven(parsed.opts(), command, rows);
    const value = path.reduce<unknown>(
      (all, part) => (all as Record<string, unknown>)[part],
      options,
    );
    expect(value).toBeDefined();
    if (flag.value !== undefined) expect(value).toBe(flag.value);
    expect(() => row.kind.check(value, path.join('.'))).not.toThrow();
  });

  it('rejects an invalid value of a flag, and says what it expects', () => {
    const checked = flags.filter(
      ({ row: { kind }, flag: { name, takes } }) =>
        name.includes('<') && takes === undefined && (kind.each ?? kind).read?.('?') === undefined,
    );
    for (const { row, flag } of checked.filter((at) => (at.row.kind.each ?? at.row.kind).read)) {
      const quiet = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
      const parser = addOptionFlags(quiet, command, rows);
      const words = [flag.name.split(' ')[0]!, '?'];
      expect(() => parser.parse(words, { from: 'user' })).toThrow(
        `Expected ${(row.kind.each ?? row.kind).words}.`,
      );
    }
  });
});

it('lists the flags of each option in the reference', () => {
  const options = page('options').replace(/\s+/g, ' ');
  const flags = rowsIn({ ...STARTED, ...LOCALNET }).flatMap(([, row]) => flagsOf(row));
  expect(flags.filter(({ name }) => !options.includes(`\`${name}\` of \``))).toEqual([]);
});

it('lists each environment variable, and reads no others', () => {
  const rows = [...rowsIn(LOCALNET), ...rowsIn(FORK)].flatMap(([, row]) => row.variable ?? []);
  const known = [...rows, ...Object.keys(VARIABLES)].sort();
  const documented = [...page('environment').matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  expect(documented.sort()).toEqual(known);
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && name !== join('options', 'environment.ts'))
    .map((name) => [name, readFileSync(join(root, 'src', name), 'utf8')] as const);
  const bypassing = sources.filter(([, text]) => /process\.env\W+CANTICLE_/.test(text));
  expect(bypassing.map(([name]) => name)).toEqual([]);
});

it('describes each flag, header and variable in one sentence', () => {
  const all = (rows: Rows | undefined): string[] =>
    rowsIn(rows).flatMap(([, row]) => {
      const { doc, kind, header, variable } = row;
      const isSaid = flagsOf(row).length > 0 || header !== undefined || variable !== undefined;
      if (isSaid) expect(doc).toBeDefined();
      return [...(doc === undefined ? [] : [doc]), ...all(kind.rows), ...all(kind.each?.rows)];
    });
  for (const doc of [...all(STARTED), ...all(LOCALNET), ...Object.values(VARIABLES)]) {
    expect(doc).not.toMatch(/\.( |$)/);
    expect(sentence(doc)).toMatch(/^[A-Z0-9].*\.$/);
  }
});
