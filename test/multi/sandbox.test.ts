/** `canticle sandbox --multi-sync` and `--auth` as processes: the ports they tell, and that the flags take effect. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runHere } from '../cli/in-process.js';
import { RunningCommand } from '../cli/running-sandbox.js';
import { ensureBuilt } from '../repository/built-package.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const folder = useTemporaryFolder();
const started: RunningCommand[] = [];

beforeAll(ensureBuilt, 60_000);
afterEach(() => Promise.all(started.splice(0).map((command) => command.kill())));

function sandbox(...args: string[]): RunningCommand {
  const command = new RunningCommand('sandbox', '--json-api-port', '0', ...args);
  started.push(command);
  return command;
}

it('--multi-sync prints the port of each participant, and each answers', async () => {
  const [file, numberFile] = [join(folder(), 'ports.json'), join(folder(), 'port')];
  const printed = await sandbox(
    '--multi-sync',
    '--port-file',
    file,
    '--json-api-port-file',
    numberFile,
  ).ready();
  const ports = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { jsonApi: number }>;
  expect(Object.keys(ports)).toEqual(['sandbox', 'pebblebox', 'sidebox']);
  expect(readFileSync(numberFile, 'utf8')).toBe(String(ports.sandbox!.jsonApi));
  for (const [name, { jsonApi }] of Object.entries(ports)) {
    const { participantId } = (await (
      await fetch(`http://127.0.0.1:${jsonApi}/v2/parties/participant-id`)
    ).json()) as any;
    expect(participantId).toMatch(new RegExp(`^${name}::1220`));
    expect(printed).toContain(`http://127.0.0.1:${jsonApi}\n`);
  }
});

it('--auth requires tokens', async () => {
  const printed = await sandbox('--auth', 'built-in-issuer').ready();
  const url = /JSON Ledger API +(\S+)/.exec(printed)![1]!;
  const parties = (headers = {}) => fetch(`${url}/v2/parties`, { headers });
  expect((await parties()).status).toBe(401);
  const grant = await fetch(`${url}/canticle/v1/issuer/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'participant_admin' }),
  });
  const { access_token: token } = (await grant.json()) as { access_token: string };
  expect((await parties({ authorization: `Bearer ${token}` })).status).toBe(200);
});

it.each(['nonsense', 'unsafe-jwt-hmac-256', 'jwt-es-256-crt=/nowhere', 'jwt-jwks=/nowhere'])(
  '--auth %s is rejected in one line',
  async (service) => {
    const ending = await runHere('sandbox', '--json-api-port', '0', '--auth', service);
    expect([ending.status, ending.stdout]).toEqual([1, '']);
    expect(ending.stderr.trimEnd().split('\n')).toHaveLength(1);
  },
);
