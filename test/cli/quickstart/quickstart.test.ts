/** `canticle localnet --quickstart`: the file of variables, and the command that starts the back end. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { CommandHere, runHere } from '../in-process.js';

const folder = useTemporaryFolder();
const FLAGS = ['localnet', '--quickstart', '--ports', 'auto', '--splice-dars', 'off'];

it('writes the variables, and prints the command', async () => {
  const file = join(folder(), 'my own.env');
  const command = new CommandHere(...FLAGS, '--env-file', file);
  await command.until('LocalNet is ready.');
  command.stop();
  const { stdout } = await command.ended();
  expect(stdout).toContain(`set -a; . '${file}'; set +a; ./gradlew :backend:bootRun\n`);
  const [url] = /postgres:\S*pqs-app-provider/.exec(stdout)!;
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines).toContain(`POSTGRES_PORT=${new URL(url).port}`);
  expect(lines).toContain('AUTH_APP_PROVIDER_BACKEND_CLIENT_ID=app-provider-backend');
});

it('names a file that it cannot write', async () => {
  const file = join(folder(), 'missing', 'quickstart.env');
  const { status, stderr } = await runHere(...FLAGS, '--env-file', file);
  expect(status).not.toBe(0);
  expect(stderr).toContain(`failed to write ${file}: ENOENT`);
});
