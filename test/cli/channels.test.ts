/**
 * Other ways to use Canticle: the GitHub action, whose step runs as a runner runs it; the component of dpm; the feature
 * of devcontainers.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ensureBuilt, root, run } from '../repository/built-package.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const folder = useTemporaryFolder();
const textOf = (name: string) => readFileSync(join(root, name), 'utf8');
beforeAll(ensureBuilt, 60_000);

describe('the GitHub action', () => {
  interface Action {
    readonly inputs: Record<string, { default: string }>;
    readonly outputs: Record<string, { value: string }>;
    readonly runs: { steps: { env: Record<string, string>; run: string }[] };
  }
  const action = parse(textOf('action.yml')) as Action;
  const groups: number[] = [];
  afterAll(() => {
    for (const group of groups) process.kill(-group);
  });

  /** Runs its step in a project that has the package. @returns its output, exports and outputs for later steps */
  async function step(inputs: Record<string, string>) {
    const project = join(folder(), inputs['mode']!);
    const bin = join(project, 'node_modules', '.bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(join(root, 'bin', 'canticle.js'), join(bin, 'canticle'));
    writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true }');
    const files = Object.fromEntries(
      ['GITHUB_ENV', 'GITHUB_OUTPUT'].map((name) => [name, join(project, name)]),
    );
    for (const file of Object.values(files)) writeFileSync(file, '');
    const { env, run: script } = action.runs.steps[0]!;
    const valueOf = (expression: string) => {
      const name = /^\$\{\{ inputs\.(\S+) \}\}$/.exec(expression)![1]!;
      return inputs[name] ?? action.inputs[name]!.default;
    };
    const given = Object.entries(env).map(([name, value]) => [name, valueOf(value)]);
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: project,
      env: { ...process.env, RUNNER_TEMP: project, ...files, ...Object.fromEntries(given) },
      // The test ends remaining processes with their group, like a runner at the end of the job.
      detached: true,
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [status] = (await once(child, 'exit')) as [number];
    if (status === 0) groups.push(child.pid!);
    const read = (name: string) => {
      const lines = readFileSync(files[name]!, 'utf8').trimEnd().split('\n').filter(Boolean);
      // A runner refuses a file with anything else in it.
      for (const line of lines) expect(line).toMatch(/^[A-Za-z_][\w-]*=/);
      return Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      ) as Record<string, string>;
    };
    return { status, printed, exported: read('GITHUB_ENV'), given: read('GITHUB_OUTPUT') };
  }

  it('starts a sandbox and prints its address', async () => {
    const { status, exported, given } = await step({ mode: 'sandbox', args: '--seed 7' });
    expect(status).toBe(0);
    expect(Object.keys(given)).toEqual(Object.keys(action.outputs));
    const url = exported['CANTON_JSON_API_URL']!;
    expect(given).toEqual({ 'ledger-api': url, scan: `${url}/api/scan` });
    expect((await fetch(`${given['scan']}/v0/dso-party-id`)).status).toBe(200);
  }, 60_000);

  it('starts a LocalNet, and exports the variables of each node', async () => {
    const args = '--ports auto --splice-dars off';
    const { status, printed, exported, given } = await step({ mode: 'localnet', args });
    expect(status).toBe(0);
    const url = exported['CANTON_LOCALNET_B_VALIDATOR_1_JSON_API_URL']!;
    expect(given['ledger-api']).toBe(url);
    expect(exported['CANTON_LOCALNET_APP_USER_JSON_API_URL']).toBe(url);
    const token = exported['CANTON_LOCALNET_B_VALIDATOR_1_JWT'];
    expect(printed).toContain(`::add-mask::${token}`);
    const headers = { authorization: `Bearer ${token}` };
    const user = exported['CANTON_LOCALNET_B_VALIDATOR_1_VALIDATOR_USER_ID'];
    expect((await fetch(`${url}/v2/users/${user}`, { headers })).status).toBe(200);
  }, 60_000);

  it('rejects an unknown mode', async () => {
    const { status, printed } = await step({ mode: 'participant' });
    expect(status).toBe(1);
    expect(printed).toContain('::error::mode is sandbox or localnet, not participant');
  });
});

describe('the dpm component', () => {
  it('has one command, which runs the package in its folder', () => {
    const component = parse(textOf('channels/dpm/component.yaml')) as {
      spec: { commands: { path: string; name: string; desc: string }[] };
    };
    expect(component).toEqual({
      apiVersion: 'digitalasset.com/v1',
      kind: 'Component',
      spec: { commands: [{ path: './canticle', name: 'canticle', desc: expect.any(String) }] },
    });
    const { path } = component.spec.commands[0]!;
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect(run(join(root, 'channels', 'dpm', path), ['--version'], folder())).toBe(`${version}\n`);
  });
});

describe('the devcontainer feature', () => {
  it('installs the requested version for all users', () => {
    const feature = JSON.parse(
      textOf('channels/devcontainer/src/canticle/devcontainer-feature.json'),
    );
    expect(feature).toMatchObject({ id: 'canticle', options: { version: { default: 'latest' } } });
    // A replacement of npm that prints its arguments, and the command that npm would install.
    const bin = join(folder(), 'bin');
    mkdirSync(bin);
    for (const name of ['npm', 'canticle'])
      writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} "$@"\n`, { mode: 0o755 });
    const install = (VERSION?: string) => {
      const script = join(root, 'channels/devcontainer/src/canticle/install.sh');
      const env = { PATH: `${bin}:/usr/bin:/bin`, ...(VERSION && { VERSION }) };
      return spawnSync('/bin/sh', [script], { env, encoding: 'utf8' }).stdout.split('\n');
    };
    const called = (what: string) => [
      `npm install --global --no-audit --no-fund ${what}`,
      'canticle --version',
      '',
    ];
    expect(install()).toEqual(called('canticle@latest'));
    expect(install('0.1.0')).toEqual(called('canticle@0.1.0'));
    expect(install('/opt/canticle-0.1.0.tgz')).toEqual(called('/opt/canticle-0.1.0.tgz'));
  });
});
