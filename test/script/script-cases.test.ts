/** The count of third-party scripts that our tests cover: each test and row that it names exists. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const count = (...file: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join('scripts', 'script-count.mjs'), ...file],
    { encoding: 'utf8' },
  );
  return { status, stderr, all: stdout.match(/^all +(.*)$/m)?.[1]?.split(/ +/) };
};

it('counts all 121 scripts, each once', () => {
  const { all, ...rest } = count();
  expect(rest).toEqual({ status: 0, stderr: '' });
  expect(all!.reduce((sum, each) => sum + Number(each), 0)).toBe(121);
});

it('reports a row that no test has', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'canticle-count-')), 'cases.json');
  const { FetchByKey } = JSON.parse(readFileSync('test/script/script-cases.json', 'utf8')) as {
    FetchByKey: unknown;
  };
  const cases = JSON.stringify({ FetchByKey });
  writeFileSync(file, cases.replace('"FetchByKey:mustFail"', '"FetchByKey:mayFail"'));
  expect(count(file)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("says nothing of 'FetchByKey:mayFail'") as string,
  });
});
