/**
 * Compiled packages in the cache. The next process runs them, with or without V8's cached data, with the same results and source
 * locations. It compiles damaged files again.
 */
import { createCanticle } from 'canticle';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../../repository/built-package.js';
import { RunningCommand } from '../../cli/running-sandbox.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { probeModule } from '../../support/daml/lf-probe.js';
import { t } from '../../support/daml/lf-types.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import {
  allocate,
  ANSWER,
  asset,
  createAndExerciseCmd,
  createCmd,
  darOf,
  packageOf,
  steps,
  submit,
} from '../../script/script-package.js';

const folder = useTemporaryFolder();
const codeOf = (cache: string): string => {
  const [version] = readdirSync(cache);
  return join(cache, version!, 'code');
};

describe('in this process, which runs outside the main realm', () => {
  const names = Array.from({ length: 9 }, (_, index) => `Ask${index}`);
  const questions = names.map(
    (name, index) => [name, { type: t.text, value: e.text(`the € of ${index}`) }] as const,
  );
  const main = encodePackage({ modules: { Main: probeModule(Object.fromEntries(questions)) } });

  async function answersWith(cache: string): Promise<readonly unknown[]> {
    const canticle = createCanticle({ seed: 3, cache, dars: [buildDar(main)] });
    const { participant } = canticle;
    const alice = participant.allocateParty('alice');
    const by = { actAs: [alice] };
    const template = `${main.id}:Main:Probe`;
    const probe = participant.create(template, { owner: alice }, by);
    const answers = names.map((name) => participant.exercise(template, probe, name, {}, by).result);
    await canticle.close();
    return answers;
  }

  /** The answer to a question by a process that finds the file changed so. @param hash by default the one that fits */
  async function answerAfter(change: (body: string) => string, hash?: string): Promise<unknown> {
    const cache = join(folder(), 'first');
    if (!existsSync(cache)) await answersWith(cache);
    const copy = join(folder(), `copy-${(copies += 1)}`);
    cpSync(cache, copy, { recursive: true });
    const file = join(codeOf(copy), main.id);
    const body = change(readFileSync(file, 'latin1').slice(64));
    const fitting = createHash('sha256').update(body, 'latin1').digest('hex');
    writeFileSync(file, `${hash ?? fitting}${body}`, 'latin1');
    return (await answersWith(copy))[4];
  }
  let copies = 0;
  const toSeven = (body: string): string => body.replace(' of 4', ' of 7');

  it.each([
    ['the unchanged code', (body: string) => body, undefined, 'the € of 4'],
    ['code that another program changed, with a matching hash', toSeven, undefined, 'the € of 7'],
    ['not with a wrong hash', toSeven, '0'.repeat(64), 'the € of 4'],
    ['not if it is truncated', (body: string) => body.slice(0, 300), undefined, 'the € of 4'],
    [
      'not of another compiler',
      (body: string) => toSeven(body).replace('canticle-unbuilt', 'canticle-another'),
      undefined,
      'the € of 4',
    ],
    [
      'not of another package',
      (body: string) => toSeven(body).replace(`"id":"${main.id}`, `"id":"${'0'.repeat(64)}`),
      undefined,
      'the € of 4',
    ],
  ])('loads stored code only if it is valid: %s', async (_, change, hash, answer) => {
    expect(await answerAfter(change, hash)).toBe(answer);
  });

  it('stores the code of a package with few executed definitions, and does not compile it again', async () => {
    const cache = join(folder(), 'little');
    const canticle = createCanticle({ cache, dars: [buildDar(main)] });
    const { participant } = canticle;
    const alice = participant.allocateParty('alice');
    participant.create(`${main.id}:Main:Probe`, { owner: alice }, { actAs: [alice] });
    await canticle.close();
    expect(existsSync(join(codeOf(cache), main.id))).toBe(true);
  });
});

describe('between processes', () => {
  beforeAll(ensureBuilt, 60_000);

  const alice = e.var('alice');
  const fails = {
    result: ANSWER,
    code: steps(
      [
        ['alice', t.party, allocate('alice')],
        ['_', ANSWER, submit(alice, [createCmd(asset(alice))])],
      ],
      [ANSWER, submit(alice, [createAndExerciseCmd(asset(alice, 'silver'), 'Refuse')])],
    ),
  };

  it('reports a failure in the same way, and replaces damaged files', async () => {
    const dar = join(folder(), 'own.dar');
    const cache = join(folder(), 'cache');
    const scripts = Array.from({ length: 8 }, (_, index) => [`fails${index}`, fails] as const);
    writeFileSync(dar, darOf(packageOf(Object.fromEntries(scripts))));
    const runTests = async () => {
      const { status, stdout } = await new RunningCommand('test', dar, '--cache', cache).ended();
      return { status, stdout: stdout.replace(/\d+ ms/g, 'N ms') };
    };
    const anew = await runTests();
    expect(anew.stdout).toContain('        in main at Main:7:3\n');
    const [text] = readdirSync(codeOf(cache));
    // V8's cached data is written on the second use.
    expect(await runTests()).toEqual(anew);
    const [, data] = readdirSync(codeOf(cache));
    expect(data).toMatch(new RegExp(`^${text}-.`));
    const whole = readFileSync(join(codeOf(cache), data!));
    expect(await runTests()).toEqual(anew);
    truncateSync(join(codeOf(cache), data!), 1000);
    expect(await runTests()).toEqual(anew);
    expect(readFileSync(join(codeOf(cache), data!))).toHaveLength(whole.length);
  });
});
