// `npm run truth`: sends recorded requests of a real participant to a new Canticle, and reports where the answers differ. It needs the
// recorded transcripts, which are not part of this repository.
//
//   npm run truth -- [AREA…] [--only CASE-PREFIX…] [--quick] [--release 3.6] [--folder DIR]
//
// Areas: cmd adm read pkg auth grpc lang multi traffic; all of them by default. It writes differences to .cache/truth/AREA.txt. The exit
// status is 1 if a difference has no explanation in scripts/truth/explained.mjs. `--quick` runs the cases of scripts/truth/quick.mjs.
// `--release 3.6` compares with the answers of a snapshot of 3.6, which were recorded for some cases of cmd, adm and read.
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './steps.mjs';
import { EXPLAINED } from './truth/explained.mjs';
import { EXPLAINED_SNAPSHOT } from './truth/explained-snapshot.mjs';
import { QUICK } from './truth/quick.mjs';
import { bundle, freePorts, Host } from './truth/servers.mjs';
import { compareCosts, isClose } from './truth/traffic.mjs';
import { compare } from './truth/transcripts.mjs';

const work = join(root, '.cache', 'truth');
const harness = join(work, 'harness');
/** Distance between the ports of two services: the cases of authorization compute the ports of other participants from it. */
const SPAN = 24;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true },
    folder: { type: 'string' },
    quick: { type: 'boolean' },
    release: { type: 'string', default: '3.5' },
  },
});
const folder = resolve(values.folder ?? join(root, '..', 'shared', 'truth'));
// `--only a b` names two prefixes: an argument that is not an area is a prefix.
const named = [...(values.only ?? []), ...positionals.filter((each) => each.includes('-'))];
const only = values.quick ? QUICK : named;
/** The folder of recorded answers, and the flags that start the release. */
const RELEASES = {
  3.5: { answers: 'real-3.5.10', flags: [], explained: EXPLAINED },
  3.6: {
    answers: 'real-3.6.0',
    // The snapshot disables nothing.
    flags: [
      '--canton',
      '3.6',
      '--enable-deprecated-endpoints-34',
      '--enable-deprecated-parameters-34',
      '--enable-deprecated-endpoints-35',
    ],
    explained: [...EXPLAINED_SNAPSHOT, ...EXPLAINED],
  },
};
const release = RELEASES[values.release];
if (release === undefined) {
  console.error(`truth: --release is one of ${Object.keys(RELEASES).join(', ')}.`);
  process.exit(2);
}
const recorded = join(folder, release.answers);

/** Copies the programs that send the requests, together with the packages that they use. */
function copyHarness() {
  rmSync(harness, { recursive: true, force: true });
  mkdirSync(harness, { recursive: true });
  const isLeftOut = (path) => /[\\/](real-[\d.]+|traffic|faults)$/.test(path);
  cpSync(folder, harness, { recursive: true, filter: (path) => !isLeftOut(path) });
  execFileSync('chmod', ['-R', 'u+w', harness]);
  linkPackages();
  makeKeys();
}

/** Cases read files of packages below their own folder. */
function linkPackages() {
  const link = join(harness, 'node_modules');
  if (!existsSync(link)) symlinkSync(join(root, 'node_modules'), link, 'dir');
}

/** Keys and certificates of the cases of authorization. */
function makeKeys() {
  const keys = join(harness, 'auth', 'keys');
  mkdirSync(keys, { recursive: true });
  for (const [name, ...kind] of [
    ['rs', 'rsa:2048'],
    ['es256', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
    ['es512', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  ]) {
    const files = ['-keyout', join(keys, `${name}.key`), '-out', join(keys, `${name}.crt`)];
    const args = ['req', '-x509', '-nodes', '-days', '30', '-subj', '/CN=test', '-newkey', ...kind];
    execFileSync('openssl', [...args, ...files], { stdio: 'ignore' });
  }
}

const wallClock = '--wall-clock-time';
const portFlags = (base) => {
  const ports = { json: base, ledger: base + 1, admin: base + 2 };
  return [
    ['--json-api-port', ports.json],
    ['--ledger-api-port', ports.ledger],
    ['--admin-api-port', ports.admin],
  ].flatMap(([flag, port]) => [flag, String(port)]);
};
const sandbox = (host, base, ...flags) =>
  host.serve(['cli', 'sandbox', ...flags, ...release.flags, wallClock, ...portFlags(base)]);

/** Starts a participant that requires tokens, with the library. */
function guarded(host, base, name, auth) {
  const options = {
    bare: true,
    participants: [{ name }],
    clock: 'wall',
    port: base,
    grpc: { ledgerApiPort: base + 1, adminApiPort: base + 2 },
    auth,
  };
  return host.serve(['library', JSON.stringify(options)]);
}

const secret = { type: 'unsafe-jwt-hmac-256', secret: 'canticle-secret' };
const FIVE_MINUTES = 300;
const lifetime = { maxTokenLife: FIVE_MINUTES };
const everything = { adminClaim: true, actAsAnyPartyClaim: true };
const certificate = (type, name) => ({
  type,
  certificate: readFileSync(join(harness, 'auth', 'keys', `${name}.crt`), 'utf8'),
});

async function guardedOnes(host, base) {
  return [
    await guarded(host, base, 'sandbox', { services: [secret], ...lifetime }),
    await guarded(host, base + 9, 'paud', {
      services: [{ ...secret, targetAudience: 'https://aud.example' }],
      ...lifetime,
    }),
    await guarded(host, base + 12, 'pscope', {
      services: [{ ...secret, targetScope: 'ledger:all' }],
      ...lifetime,
    }),
    await guarded(host, base + 15, 'padm', {
      services: [secret],
      adminToken: 'the-fixed-admin-token',
    }),
    await guarded(host, base + 18, 'pjwks', {
      services: [
        { type: 'jwt-jwks', url: 'http://127.0.0.1:5290/jwks.json' },
        certificate('jwt-rs-256-crt', 'rs'),
        certificate('jwt-es-256-crt', 'es256'),
        certificate('jwt-es-512-crt', 'es512'),
        secret,
      ],
      ...lifetime,
    }),
    await guarded(host, base + 21, 'ppriv', {
      services: [
        {
          ...secret,
          targetAudience: 'priv-admin',
          privileged: true,
          accessLevel: 'Admin',
        },
        {
          ...secret,
          targetScope: 'priv:wild',
          privileged: true,
          accessLevel: 'Wildcard',
        },
        secret,
      ],
      ...lifetime,
      ...everything,
      adminToken: 'the-fixed-admin-token',
    }),
  ];
}

/** For each area: how to start the participants, and which cases to run. */
const plainArea = {
  start: async (host, base) => [await sandbox(host, base)],
};
const isQuota = (name) => name === 'auth-self-quota';
const AREAS = {
  cmd: [plainArea],
  adm: [plainArea],
  read: [plainArea],
  pkg: [plainArea],
  auth: [
    { takes: (name) => !isQuota(name), start: guardedOnes },
    {
      takes: isQuota,
      start: async (host, base) => [
        await guarded(host, base, 'sandbox', { services: [secret], ...lifetime }),
        await guarded(host, base + 9, 'pself', {
          services: [secret],
          ...lifetime,
          maxSelfAllocatedParties: 2,
        }),
      ],
    },
  ],
  grpc: [plainArea],
  lang: [plainArea],
  traffic: [
    {
      within: '35',
      start: async (host, base) => [await sandbox(host, base, '--traffic-control')],
    },
    {
      within: '34',
      start: async (host, base) => [
        await sandbox(host, base, '--traffic-control', '--protocol-version', '34'),
      ],
    },
  ],
  multi: [
    {
      start: async (host, _base, ports) => [
        await host.serve([
          ...['cli', 'sandbox', '--multi-sync', wallClock, '--port-file', ports],
          ...['--json-api-port', '0', '--ledger-api-port', '0', '--admin-api-port', '0'],
        ]),
      ],
    },
  ],
};

/** Runs cases and shows their progress. */
function runProgram(program, args) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [join(harness, program), ...args], {
      cwd: harness,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('exit', done);
  });
}

const costs = join(folder, 'traffic');
const isOf = (area, name) =>
  area === 'traffic'
    ? existsSync(join(costs, `${name}.json`))
    : name.startsWith(`${area}-`) && existsSync(join(recorded, `${name}.json`));

const casesOf = (area) =>
  readdirSync(join(harness, area === 'multi' ? 'multi' : '.', 'cases'))
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => file.replace('.mjs', ''))
    .filter((name) => isOf(area, name))
    .filter((name) => only.length === 0 || only.some((prefix) => name.startsWith(prefix)));

async function run(area, host) {
  const out = join(work, 'ours', area);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const { takes = () => true, within = '', start } of AREAS[area]) {
    const cases = casesOf(area).filter(takes);
    if (cases.length === 0) continue;
    const base = await freePorts(SPAN);
    const ports = join(work, `${area}-ports.json`);
    const servers = await start(host, base, ports);
    try {
      const at = ['--json', `http://127.0.0.1:${base}`, '--grpc', `127.0.0.1:${base + 1}`];
      const args = [...at, '--admin', `127.0.0.1:${base + 2}`, '--only', ...cases];
      if (area === 'multi') await runProgram('multi/run.mjs', [out, ports, '--only', ...cases]);
      else await runProgram('run.mjs', [join(out, within), ...args]);
    } finally {
      for (const stop of servers) stop();
    }
  }
}

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const LONGEST = 600;
const shown = (value) =>
  value === undefined ? '(absent)' : JSON.stringify(value).slice(0, LONGEST);

/** The report about traffic costs: a row that is close counts as equal. */
function reportCosts() {
  const lines = [];
  const rows = casesOf('traffic').flatMap((name) => {
    const ours = (version) => join(work, 'ours', 'traffic', version);
    return [
      ...compareCosts([costs, join(costs, '2')], ours('35'), name),
      ...compareCosts([join(costs, 'pv34')], ours('34'), name).map((row) => ({
        ...row,
        row: `${row.row} (protocol version 34)`,
      })),
    ];
  });
  for (const each of rows) {
    const mark = isClose(each) ? ' ' : '!';
    const off = `${(each.off * 100).toFixed(2)} %`;
    lines.push(
      `${mark} ${each.row}: real ${each.real.toFixed(0)}, ours ${each.ours.toFixed(0)}, off by ${off}`,
    );
  }
  writeFileSync(join(work, 'traffic.txt'), `${lines.join('\n')}\n`);
  const equal = rows.filter(isClose).length;
  return { exchanges: rows.length, equal, explained: 0, different: rows.length - equal, kinds: {} };
}

/** Writes the differences to a file. @returns the numbers of equal, explained and different exchanges */
function report(area) {
  const counts = { exchanges: 0, equal: 0, explained: 0, different: 0 };
  const lines = [];
  const kinds = new Map();
  for (const name of casesOf(area)) {
    const ours = join(work, 'ours', area, `${name}.json`);
    const compared = compare(
      name,
      existsSync(ours) ? read(ours) : [],
      read(join(recorded, `${name}.json`)),
      release.explained,
    );
    for (const { index, real, ours: mine, differences } of compared) {
      counts.exchanges += 1;
      const open = differences.filter(({ kind }) => kind === undefined);
      if (differences.length === 0) counts.equal += 1;
      else if (open.length === 0) counts.explained += 1;
      else counts.different += 1;
      for (const kind of new Set(differences.map((each) => each.kind)))
        if (kind !== undefined) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      if (open.length === 0) continue;
      const exchange = real ?? mine;
      const question = exchange.ask ?? exchange.ws ?? exchange.rpc ?? '';
      lines.push('', `## ${name} #${index} [${exchange.step}] ${question}`);
      for (const { path, ours: a, real: b } of open)
        lines.push(`  ${path}`, `    ours ${shown(a)}`, `    real ${shown(b)}`);
    }
  }
  writeFileSync(join(work, `${area}.txt`), `${lines.join('\n').trim()}\n`);
  return { ...counts, kinds: Object.fromEntries([...kinds].sort()) };
}

if (!existsSync(recorded)) {
  console.log(`truth: skipped, because ${folder} has no recorded transcripts.`);
  process.exit(0);
}
const wanted = positionals.filter((each) => each in AREAS);
const chosen = wanted.length > 0 ? wanted : Object.keys(AREAS);
let areas = chosen;
copyHarness();
areas = chosen.filter((area) => casesOf(area).length > 0);
await bundle();
const queue = [...areas];
const worker = async () => {
  const host = new Host();
  for (let area = queue.shift(); area !== undefined; area = queue.shift()) await run(area, host);
};
// Two areas run concurrently, because cases wait most of the time.
await Promise.all([worker(), worker()]);
let open = 0;
const rows = areas.map((area) => {
  const { kinds, ...counts } = area === 'traffic' ? reportCosts() : report(area);
  open += counts.different;
  const why = Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`);
  if (why.length > 0) console.log(`truth: ${area}: explained by ${why.join(', ')}`);
  return { area, ...counts };
});
console.table(rows);
writeFileSync(join(work, 'summary.json'), `${JSON.stringify(rows, undefined, 1)}\n`);
console.log(
  open === 0 ? 'truth: no unexplained difference' : `truth: ${open} unexplained, see .cache/truth`,
);
process.exit(open === 0 ? 0 : 1);
