/** `useCanticle({ releases })` in vitest and node:test, under these test runners. */
import { useUserFiles, type Ran, type RunnerName } from './user-files.js';

const run = useUserFiles();

/** The titles of the tests that passed or failed, in order. */
const titles = ({ output }: Ran): readonly string[] =>
  [...output.matchAll(/^ *(not )?ok \d+ - (.*?)(?: # .*)?(?: \{)?$/gm)].map(([, not, title]) =>
    not === undefined ? title!.trim() : `failed: ${title!.trim()}`,
  );

const failed = (ran: Ran) => titles(ran).filter((title) => title.startsWith('failed: '));

/** The lines that one file of the run has printed. */
const printed = ({ output }: Ran, file: string): readonly string[] =>
  [...output.matchAll(/^(?:# )?(\w+) said: (.*)$/gm)]
    .filter(([, by]) => by === file)
    .map(([, , text]) => text!.trim());

const tools = (file: string) => `
  const version = async (canticle) => {
    const answer = await fetch(canticle.url + '/v2/version');
    return (await answer.json()).version.slice(0, 3);
  };
  const say = (text) => console.log('${file} said: ' + text);`;

const BLOCK = `
  ${tools('block')}
  describe('block', () => {
    const canticle = useCanticle({ releases: ['3.4', '3.6'], seed: 1 });
    let alice;
    beforeAll(() => {
      alice = canticle.participant.allocateParty('alice').slice(0, 7);
    });
    afterEach(() => say('after'));
    test('first', async () => say('first ' + alice + ' ' + await version(canticle)));
    describe('inner', () => {
      beforeEach(() => say('before'));
      it('deep', async () => {
        canticle.participant.allocateParty('bob');
        say('deep ' + await version(canticle));
      });
      describe('without hooks', () => it('deepest', () => canticle.participant.allocateParty('bob')));
    });
    test.skip('skipped', () => say('skipped'));
    describe.skip('skipped block', () => test('never', () => say('never')));
  });
  test('other', () => say('other'));`;

const OF_RELEASE = (release: string) => [
  `first alice:: ${release}`,
  'after',
  'before',
  `deep ${release}`,
  'after',
  'before',
  'after',
];

const FILE = `
  ${tools('file')}
  const canticle = useCanticle({ releases: ['3.5', '3.7'] });
  test('asks', async () => say(await version(canticle)));
  beforeEach(() => say('before'));`;

const FAILED = `
  ${tools('failed')}
  describe('block', () => {
    const canticle = useCanticle({ releases: ['3.5', '3.6'] });
    test('fails at 3.6', async () => {
      if ((await version(canticle)) === '3.6') throw new Error('on purpose');
    });
  });`;

const TWICE = `
  useCanticle({ releases: ['3.4'] });
  useCanticle({ releases: ['3.6'] });
  test('not run', () => {});`;

const KEPT = `
  describe('block', () => {
    useCanticle({ releases: ['3.4', '3.7'] });
    test.each([1, 2])('each %i', { timeout: 5000 }, () => {});
    describe.each(['x'])('inner %s', () => test('in it', () => {}));
    test.extend({ extra: 5 })('fixture', ({ extra, task }) => {
      expect(extra).toBe(5);
      expect(task.suite.name).toMatch(/^Canton 3/);
    });
    test.fails('fails', () => expect(1).toBe(2));
    test.todo('later');
  });`;

const REJECTED = [
  ["test('a', () => {}); useCanticle({ releases: ['3.5'] });", 'call useCanticle before'],
  [
    "describe('a', (declare) => { useCanticle({ releases: ['3.5'] }); declare('b', () => {}); });",
    'not declared by the function test or it of vitest',
  ],
  [
    "useCanticle({ releases: ['3.5'] }); describe('a', () => { useCanticle({ releases: ['3.6'] }); test('b', () => {}); });",
    'or one around it, has releases already',
  ],
] as const;

const ASYNC_BLOCK = `
  ${tools('asynchronous')}
  describe('block', async () => {
    const canticle = useCanticle({ releases: ['3.5'] });
    await Promise.resolve();
    test('a', async () => say('a ' + await version(canticle)));
  });`;

const AWAITED = `
  ${tools('awaited')}
  const canticle = useCanticle({ releases: ['3.6'] });
  await test('b', async () => say('b ' + await version(canticle)));
  await test('c', async (t) => {
    await t.test('sub', async () => say('sub ' + await version(canticle)));
  });`;

const OF_OTHERS = `
  import { test as plain } from 'node:test';
  const canticle = useCanticle({ releases: ['3.6'] });
  plain('a', () => void canticle.url);`;

const OF_BOTH = [BLOCK, FILE, FAILED, TWICE];

/** One run of all files, because each run of a test runner takes as long as several files. */
const RUNS: Record<'vitest' | 'node-test', Parameters<typeof run>> = {
  vitest: [
    'vitest',
    [...OF_BOTH, KEPT, ...REJECTED.map(([text]) => text)],
    ['--reporter=verbose', '--reporter=tap', '--disableConsoleIntercept', '--no-file-parallelism'],
    { CANTICLE_CANTON: '3.6' },
  ],
  'node-test': [
    'node-test',
    [...OF_BOTH, ASYNC_BLOCK, AWAITED, OF_OTHERS],
    ['--test', '--test-reporter=tap', '--test-concurrency=1'],
    { CANTICLE_CANTON: '3.6' },
  ],
};
const rans = {} as Record<RunnerName, Ran>;
beforeAll(() => {
  for (const [runner, args] of Object.entries(RUNS)) rans[runner as RunnerName] = run(...args);
}, 120_000);

describe.each(['vitest', 'node-test'] as const)('%s', (runner) => {
  test('runs the tests of a describe once for each release, and other tests once', () => {
    const ran = rans[runner];
    expect(printed(ran, 'block')).toEqual([...OF_RELEASE('3.4'), ...OF_RELEASE('3.6'), 'other']);
    const all = titles(ran);
    for (const title of ['first', 'deep', 'deepest'])
      expect(all.filter((each) => each === title)).toHaveLength(2);
    expect(all.filter((each) => each === 'other')).toHaveLength(1);
  });

  test('runs the tests of a file once for each release, also if the environment names another', () => {
    expect(printed(rans[runner], 'file')).toEqual(['before', '3.5', 'before', '3.7']);
  });

  test('fails if a file or describe has releases twice', () => {
    expect(rans[runner].output).toMatch(/file or describe.* has releases already\./);
    expect(rans[runner].status).toBe(1);
    expect(titles(rans[runner])).not.toContain('not run');
  });

  test('names the release of a failed test', () => {
    const all = titles(rans[runner]);
    const at = all.indexOf('failed: Canton 3.6');
    expect(failed(rans[runner])).toContain('failed: fails at 3.6');
    expect(all.slice(at - 3, at)).toContain('Canton 3.5');
  });
});

test('vitest runs only the test of a line', () => {
  const ran = run(
    'vitest',
    [
      "describe('block', () => {\nuseCanticle({ releases: ['3.5', '3.6'] });\ntest('a', () => {});\ntest('b', () => {});\n});",
    ],
    ['0.test.mjs:6', '--reporter=verbose'],
  );
  expect(ran.output).toMatch(/2 passed \| 2 skipped/);
}, 60_000);

describe('vitest', () => {
  test('keeps options, tables and fixtures of tests', () => {
    for (const release of ['3.4', '3.7'])
      for (const title of ['each 1', 'each 2', 'inner x > in it', 'fixture', 'fails'])
        expect(rans.vitest.output).toContain(`✓ 4.test.mjs > block > Canton ${release} > ${title}`);
  });

  test.each(REJECTED)('rejects %s', (text, why) => {
    const file = RUNS.vitest[1].indexOf(text);
    const [, reason] = rans.vitest.output.split(`FAIL  ${file}.test.mjs [ ${file}.test.mjs ]\n`);
    expect(reason).toMatch(/^TypeError: Failed to declare tests for each release: .*\n/);
    expect(reason!.split('\n')[0]).toContain(why);
  });

  test('fails only where a test or file shall fail', () => {
    expect(failed(rans.vitest)).toEqual([
      ...['failed: 2.test.mjs', 'failed: block', 'failed: Canton 3.6', 'failed: fails at 3.6'],
      ...[3, 5, 6, 7].map((file) => `failed: ${file}.test.mjs`),
    ]);
  });
});

describe('node:test', () => {
  test('waits for the body of an async describe, and for awaited tests of a file', () => {
    expect(printed(rans['node-test'], 'asynchronous')).toEqual(['a 3.5']);
    expect(printed(rans['node-test'], 'awaited')).toEqual(['b 3.6', 'sub 3.6']);
  });

  test('says where the functions come from if tests are declared by others', () => {
    const { output } = rans['node-test'];
    expect(output).toContain('Import test, describe and hooks from canticle/node-test.');
    expect(output).toContain('import test, describe and hooks from canticle/node-test.');
  });

  test('fails only where a test or file shall fail', () => {
    expect(failed(rans['node-test'])).toEqual([
      ...['failed: fails at 3.6', 'failed: Canton 3.6', 'failed: block'],
      expect.stringMatching(/[\\/]3\.test\.mjs$/),
      // The files of async tests pass. In the last one, the tests of another package fail.
      ...['failed: Canton 3.6', 'failed: a'],
    ]);
  });
});
