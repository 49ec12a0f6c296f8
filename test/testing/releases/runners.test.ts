/** `useCanticle({ releases })` in vitest and node:test, under these test runners. */
import { useUserFiles, type Ran } from './user-files.js';

const run = useUserFiles();

const WAYS = [
  ['vitest', ['--reporter=tap', '--disableConsoleIntercept']],
  ['node-test', ['--test', '--test-reporter=tap']],
] as const;

/** The titles of the tests that passed or failed, in order. */
const titles = ({ output }: Ran): readonly string[] =>
  [...output.matchAll(/^ *(not )?ok \d+ - (.*?)(?: # .*)?(?: \{)?$/gm)].map(([, not, title]) =>
    not === undefined ? title!.trim() : `failed: ${title!.trim()}`,
  );

const printed = ({ output }: Ran): readonly string[] =>
  [...output.matchAll(/^(?:# )?said: (.*)$/gm)].map(([, text]) => text!.trim());

const VERSION = `
  const version = async (canticle) => {
    const answer = await fetch(canticle.url + '/v2/version');
    return (await answer.json()).version.slice(0, 3);
  };
  const say = (text) => console.log('said: ' + text);`;

const BLOCK = `
  ${VERSION}
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

describe.each(WAYS)('%s', (runner, args) => {
  const runFile = (text: string) => run(runner, [text], args);

  test('runs the tests of a describe once for each release, and other tests once', () => {
    const ran = runFile(BLOCK);
    expect(printed(ran)).toEqual([...OF_RELEASE('3.4'), ...OF_RELEASE('3.6'), 'other']);
    expect(ran.status).toBe(0);
    const all = titles(ran);
    for (const title of ['Canton 3.4', 'Canton 3.6', 'other'])
      expect(all.filter((each) => each === title)).toHaveLength(1);
    expect(all.filter((each) => each === 'deepest')).toHaveLength(2);
  }, 60_000);

  test('runs the tests of a file once for each release, also if the environment names another', () => {
    const text = `
      ${VERSION}
      const canticle = useCanticle({ releases: ['3.5', '3.7'] });
      test('asks', async () => say(await version(canticle)));
      beforeEach(() => say('before'));`;
    const ran = run(runner, [text], args, { CANTICLE_CANTON: '3.6' });
    expect(printed(ran)).toEqual(['before', '3.5', 'before', '3.7']);
    expect(ran.status).toBe(0);
  }, 60_000);

  test('fails if a file or describe has releases twice', () => {
    const twice = "useCanticle({ releases: ['3.4'] }); useCanticle({ releases: ['3.6'] });";
    const ran = runFile(`${twice} test('a', () => {});`);
    expect(ran.output).toMatch(/file or describe.* has releases already\./);
    expect(ran.status).toBe(1);
  }, 60_000);

  test('names the release of a failed test', () => {
    const ran = runFile(`
      ${VERSION}
      describe('block', () => {
        const canticle = useCanticle({ releases: ['3.5', '3.6'] });
        test('fails at 3.6', async () => {
          if ((await version(canticle)) === '3.6') throw new Error('on purpose');
        });
      });`);
    expect(titles(ran)).toContain('failed: Canton 3.6');
    expect(titles(ran)).toContain('Canton 3.5');
    expect(ran.status).toBe(1);
  }, 60_000);
});

describe('vitest', () => {
  test('keeps options, tables and fixtures of tests', () => {
    const ran = run(
      'vitest',
      [
        `
      describe('block', () => {
        useCanticle({ releases: ['3.5', '3.6'] });
        test.each([1, 2])('each %i', { timeout: 5000 }, () => {});
        describe.each(['x'])('inner %s', () => test('in it', () => {}));
        test.extend({ extra: 5 })('fixture', ({ extra, task }) => {
          expect(extra).toBe(5);
          expect(task.suite.name).toMatch(/^Canton 3/);
        });
        test.fails('fails', () => expect(1).toBe(2));
        test.todo('later');
      });`,
      ],
      ['--reporter=verbose', '--reporter=tap'],
    );
    for (const release of ['3.5', '3.6'])
      for (const title of ['each 1', 'each 2', 'inner x > in it', 'fixture', 'fails'])
        expect(ran.output).toContain(`✓ 0.test.mjs > block > Canton ${release} > ${title}`);
    expect(ran.status).toBe(0);
  }, 60_000);

  test('runs only the test of a line', () => {
    const ran = run(
      'vitest',
      [
        "describe('block', () => {\nuseCanticle({ releases: ['3.5', '3.6'] });\ntest('a', () => {});\ntest('b', () => {});\n});",
      ],
      ['0.test.mjs:6', '--reporter=verbose'],
    );
    expect(ran.output).toMatch(/2 passed \| 2 skipped/);
  }, 60_000);

  test.each([
    ["test('a', () => {}); useCanticle({ releases: ['3.5'] });", 'call useCanticle before'],
    [
      "describe('a', (declare) => { useCanticle({ releases: ['3.5'] }); declare('b', () => {}); });",
      'not declared by the function test or it of vitest',
    ],
    [
      "useCanticle({ releases: ['3.5'] }); describe('a', () => { useCanticle({ releases: ['3.6'] }); test('b', () => {}); });",
      'or one around it, has releases already',
    ],
  ])(
    'rejects %s',
    (text, why) => {
      const ran = run('vitest', [text]);
      expect(ran.output).toContain(`Failed to declare tests for each release: `);
      expect(ran.output).toContain(why);
      expect(ran.status).toBe(1);
    },
    60_000,
  );
});

describe('node:test', () => {
  const ARGS = ['--test', '--test-reporter=tap'];

  test('waits for the body of an async describe, and for awaited tests of a file', () => {
    const ran = run(
      'node-test',
      [
        `${VERSION}
        describe('block', async () => {
          const canticle = useCanticle({ releases: ['3.5'] });
          await Promise.resolve();
          test('a', async () => say('a ' + await version(canticle)));
        });`,
        `${VERSION}
        const canticle = useCanticle({ releases: ['3.6'] });
        await test('b', async () => say('b ' + await version(canticle)));
        await test('c', async (t) => {
          await t.test('sub', async () => say('sub ' + await version(canticle)));
        });`,
      ],
      [...ARGS, '--test-concurrency=1'],
    );
    expect(printed(ran)).toEqual(['a 3.5', 'b 3.6', 'sub 3.6']);
    expect(ran.status).toBe(0);
  }, 60_000);

  test('says where the functions come from if tests are declared by others', () => {
    const ran = run(
      'node-test',
      [
        `import { test as plain } from 'node:test';
        const canticle = useCanticle({ releases: ['3.6'] });
        plain('a', () => void canticle.url);`,
      ],
      ARGS,
    );
    expect(ran.output).toContain('Import test, describe and hooks from canticle/node-test.');
    expect(ran.output).toContain('import test, describe and hooks from canticle/node-test.');
    expect(ran.status).toBe(1);
  }, 60_000);
});
