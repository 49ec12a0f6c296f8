/** fixtures/exchanges: a recording for each API, as one that is made now would be, and as this release answers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeExchanges } from '../../fixtures/worlds/exchanges.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { runHere } from '../cli/in-process.js';
import { LOCALNET, SCENARIO } from '../cli/recording/recorded-session.js';

const folder = useTemporaryFolder();
const exchanges = join('fixtures', 'exchanges');

it('equal a new recording: `npm run fixtures` writes them again', async () => {
  const made = await makeExchanges(folder());
  expect([...made.keys()].map((api) => `${api}.har`).sort()).toEqual(readdirSync(exchanges).sort());
  for (const [api, text] of made)
    expect(readFileSync(join(exchanges, `${api}.har`), 'utf8')).toBe(text);
});

/** Exchanges of wallets, which need a LocalNet. */
const OF_LOCALNET = ['wallet.har', 'names.har', 'sv.har'];

it.each([
  ['on another network', false, ['--scenario', SCENARIO, '--seed', '9']],
  ['on a loaded LocalNet', true, ['--load', LOCALNET]],
])('verify separately, and %s', async (_where, isOfLocalnet, world) => {
  const files = readdirSync(exchanges)
    .filter((name) => OF_LOCALNET.includes(name) === isOfLocalnet)
    .map((name) => join(exchanges, name));
  const { status, stdout } = await runHere('verify', ...files, ...world);
  expect(stdout).not.toContain('✗');
  expect(status).toBe(0);
});
