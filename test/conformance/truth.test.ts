/** A part of the recorded answers of a real participant: `npm run truth` compares all of them. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { skipsWithout } from '../support/foreign-files.js';

const TITLE = 'answers equal the recorded ones of a participant of 3.5.10';

if (!skipsWithout('documents', ['truth/README.md'], TITLE))
  it(`${TITLE}, or the difference is explained`, () => {
    const script = join(__dirname, '../../scripts/truth.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--quick'], {
      encoding: 'utf8',
      timeout: 240_000,
    });
    expect({ status, said: `${stdout}${stderr}` }).toEqual({
      status: 0,
      said: expect.stringContaining('no unexplained difference'),
    });
  }, 250_000);
