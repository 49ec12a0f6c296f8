/** `canticle script`: one script, on a ledger of its own or behind an API. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCanticle } from 'canticle';
import { dar } from '../script/world-scripts.js';
import {
  AUTHORITY,
  CLIENT_CERT,
  CLIENT_KEY,
  SERVER_CERT,
  SERVER_KEY,
} from '../support/certificates.js';
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

it('runs over TLS, with a certificate of its own where one is asked for', async () => {
  const tls = { cert: SERVER_CERT, key: SERVER_KEY, clientCa: AUTHORITY };
  const canticle = await startCanticle({ grpc: true, tls });
  const [host = '', port = ''] = canticle.urls.grpc!.split(':');
  const pem = (name: string, text: string): string => {
    const file = join(folder(), name);
    writeFileSync(file, text);
    return file;
  };
  const grpc = ['--ledger-host', host, '--ledger-port', port];
  const trusting = [...grpc, '--cacrt', pem('authority', AUTHORITY)];
  const own = ['--crt', pem('crt', CLIENT_CERT), '--pem', pem('pem', CLIENT_KEY)];
  const known = await script('Main:setup', ...trusting, ...own);
  const made = canticle.participant.activeContracts({ template: '#script-tests:Main:Asset' });
  const unknown = await script('Main:setup', ...trusting);
  const mistrusting = await script('Main:setup', ...grpc, ...own);
  const plain = await script('Main:setup', ...grpc);
  await canticle.close();
  expect(known).toMatchObject({ status: 0, stderr: '' });
  expect(made).toHaveLength(1);
  for (const { status, stderr } of [unknown, mistrusting, plain]) {
    expect(stderr).toContain(`canticle: failed to reach ${host}:${port}: `);
    expect(status).toBe(1);
  }
  const half = await script('Main:setup', ...grpc, '--crt', 'absent');
  expect(half.stderr).toContain('--crt and --pem belong together');
  const absent = await script('Main:setup', ...grpc, '--cacrt', 'absent');
  expect(absent.stderr).toContain("failed to read 'absent': ");
  const overJson = await script('Main:setup', '--json-api', 'http://127.0.0.1:1', '--tls');
  expect(overJson.stderr).toContain('are for --ledger-host');
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
