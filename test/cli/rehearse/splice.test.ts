/** A rehearsal of an upgrade of Splice, with outcomes that are known by hand: the program calls operations of Scan that 0.9 removes. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, root } from '../../repository/built-package.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { runHere } from '../in-process.js';

const home = useTemporaryFolder();
beforeAll(async () => {
  mkdirSync(join(home(), 'node_modules'));
  symlinkSync(root, join(home(), 'node_modules', 'canticle'));
  await ensureBuilt();
});

const PROGRAM = `
import { startCanticle } from 'canticle';
const canticle = await startCanticle({ port: 0 });
const headers = { 'content-type': 'application/json' };
const call = async (method, path, body) =>
  (await fetch(canticle.url + path, { method, headers, body: body && JSON.stringify(body) })).json();
const forced = await call('POST', '/api/scan/v0/state/acs/force', {});
const page = { migration_id: forced.migration_id, record_time: forced.record_time, page_size: 10 };
const held = { ...page, owner_party_ids: ['alice::1220'] };
await call('POST', '/api/scan/v0/state/acs', page);
await call('POST', '/api/scan/v0/state/acs', page);
await call('POST', '/api/scan/v1/holdings/state', held);
await call('GET', '/api/sv/v0/dso');
await call('GET', '/api/scan/v0/dso-party-id');
await canticle.close();
`;

const MIGRATED = PROGRAM.replaceAll('/v0/state/acs', '/v2/state/acs')
  .replace('/v2/state/acs/force', '/v0/state/acs/force')
  .replace('/v1/holdings/state', '/v2/holdings/state')
  .replace('startCanticle({ port: 0 })', "startCanticle({ port: 0, splice: '0.8' })")
  .replace("await call('GET', '/api/sv/v0/dso');\n", '');

const rehearse = (to: string, name: string, text: string) => {
  const file = join(home(), name);
  writeFileSync(file, text);
  return runHere('rehearse', '--to', to, '--', process.execPath, file);
};

test('to 0.9 names each removed operation with its replacement, its place and its count', async () => {
  const { status, stdout } = await rehearse('splice-0.9', 'early.mjs', PROGRAM);
  const at = (line: number) =>
    expect.stringMatching(
      new RegExp(`^ {6}.*early\\.mjs:6:10, called at .*early\\.mjs:${line}:7$`),
    );
  expect(stdout.split('\n').slice(1)).toEqual([
    '  ✗ removed: GET /api/sv/v0/dso (1 call)',
    '      the release does not have it',
    '      Use GET /api/scan/v0/dso, or GET /api/sv/v1/dso as an operator.',
    at(13),
    '  ✗ removed: POST /api/scan/v0/state/acs (2 calls)',
    '      the release does not have it',
    '      Use POST /api/scan/v2/state/acs.',
    at(10),
    at(11),
    '  ✗ removed: POST /api/scan/v1/holdings/state (1 call)',
    '      the release does not have it',
    '      Use POST /api/scan/v2/holdings/state.',
    at(12),
    '  Splice 0.9 breaks 4 calls in 3 ways, and 0 tests.',
    '',
  ]);
  expect(status).toBe(1);
});

test('of a migrated program breaks nothing, from 0.8 to 0.9 and 0.10', async () => {
  const { status, stdout } = await rehearse('splice-0.9,splice-0.10', 'migrated.mjs', MIGRATED);
  expect(stdout).toContain('from Canton 3.5 and Splice 0.8 to Splice 0.9');
  expect([status, stdout.includes('✗')]).toEqual([0, false]);
});
