/** `canticle script`: one script, on a ledger of its own or behind an API. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCanticle } from 'canticle';
import { dar } from '../script/world-scripts.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { runHere } from './in-process.js';

const folder = useTemporaryFolder();

async function script(name: string, ...flags: readonly string[]) {
  const [file, output] = [join(folder(), 'own.dar'), join(folder(), 'result.json')];
  writeFileSync(file, dar);
  writeFileSync(output, '');
  const own = ['--dar', file, '--script-name', name, '--output-file', output];
  const { status, stderr } = await runHere('script', ...own, ...flags);
  return { status, stderr, result: readFileSync(output, 'utf8').trim() };
}

it('runs on a ledger of its own', async () => {
  const input = join(folder(), 'input.json');
  writeFileSync(input, '"so"');
  expect(await script('Main:named', '--input-file', input)).toEqual({
    status: 0,
    stderr: '',
    result: '"so"',
  });
});

it('runs against a JSON Ledger API, to which it uploads the DAR', async () => {
  const canticle = await startCanticle();
  const { status, result } = await script('Main:setup', '--json-api', canticle.url);
  const template = '#script-tests:Main:Asset';
  const made = canticle.participant.activeContracts({ template });
  await canticle.close();
  expect(status).toBe(0);
  expect(made).toMatchObject([{ payload: { owner: JSON.parse(result) as string } }]);
});

it('runs against a Ledger API over gRPC', async () => {
  const canticle = await startCanticle({ grpc: true });
  const [host = '', port = ''] = canticle.urls.grpc!.split(':');
  const grpc = ['--ledger-host', host, '--ledger-port', port];
  const setup = await script('Main:setup', ...grpc);
  const template = '#script-tests:Main:Asset';
  const made = canticle.participant.activeContracts({ template });
  await canticle.close();
  expect(setup.stderr).toBe('');
  expect(made).toMatchObject([{ payload: { owner: JSON.parse(setup.result) as string } }]);
  const nowhere = await script('Main:setup', '--ledger-host', '127.0.0.1', '--ledger-port', '1');
  expect(nowhere.stderr).toContain('canticle: failed to reach 127.0.0.1:1: ');
  const half = await script('Main:setup', '--ledger-host', '127.0.0.1');
  expect(half.stderr).toContain('--ledger-host and --ledger-port belong together');
});

it('says why it failed', async () => {
  const refused = await script('Main:refused');
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(
    /^canticle: Script Main:refused failed: Submit failed: DAML_FAILURE/,
  );
  const absent = await script('Main:absent');
  expect(absent.status).toBe(1);
  expect(absent.stderr).toContain('script-tests-1.0.0 has no script Main:absent. It has Main:');
  const nowhere = await script('Main:setup', '--json-api', 'http://127.0.0.1:1');
  expect(nowhere.stderr).toContain('canticle: failed to reach http://127.0.0.1:1: ');
});
