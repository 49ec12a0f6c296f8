/** The public names of the sub-entrances. A name that comes or goes is a decision: it shows here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as expressEntrance from '../../src/express.js';
import * as fastCheck from '../../src/testing/fast-check.js';
import * as fixturesEntrance from '../../src/testing/fixtures.js';
import * as jestEntrance from '../../src/testing/jest.js';
import * as nockEntrance from '../../src/testing/nock.js';
import * as nodeTestEntrance from '../../src/testing/node-test.js';

it.each([
  ['canticle/express', expressEntrance, ['canticleRouter', 'canticleUpgrade']],
  ['canticle/fixtures', fixturesEntrance, ['fixture']],
  [
    'canticle/jest',
    jestEntrance,
    [
      'conserved',
      'damlTests',
      'fuzzDaml',
      'invariant',
      'lookAt',
      'matchers',
      'measure',
      'privacySnapshot',
      'replayDaml',
      'seenOnlyBy',
      'useCanticle',
      'useLocalnet',
      'useRecording',
    ],
  ],
  [
    'canticle/node-test',
    nodeTestEntrance,
    [
      'after',
      'afterEach',
      'before',
      'beforeEach',
      'conserved',
      'damlTests',
      'describe',
      'expect',
      'fuzzDaml',
      'invariant',
      'it',
      'lookAt',
      'matchers',
      'measure',
      'privacySnapshot',
      'replayDaml',
      'seenOnlyBy',
      'suite',
      'test',
      'useCanticle',
      'useLocalnet',
      'useRecording',
    ],
  ],
  ['canticle/nock', nockEntrance, ['mountCanticle']],
  [
    'canticle/fast-check',
    fastCheck,
    [
      'SurvivalFailed',
      'choiceArgument',
      'createCommand',
      'damlJson',
      'damlValue',
      'everyCommandEnds',
      'exerciseCommand',
      'faultSchedules',
      'holdersSums',
      'ledgerHistory',
      'noGapNoDouble',
      'oneEffectPerCommand',
      'requestBody',
      'survives',
    ],
  ],
])('%s', (_, entrance, names) => {
  expect(Object.keys(entrance).sort()).toEqual(names);
});

// jest cannot import what is for Bun, nor MSW: test/testing/example.test.ts does, as their users do.
it.each([
  [
    'bun-test',
    [
      'damlTests',
      'fuzzDaml',
      'it',
      'lookAt',
      'matchers',
      'privacySnapshot',
      'test',
      'useCanticle',
      'useLocalnet',
      'useRecording',
    ],
  ],
  ['msw', ['canticleHandlers']],
])('canticle/%s', (name, names) => {
  const text = readFileSync(join(__dirname, '../../src/testing', `${name}.ts`), 'utf8');
  const listed = [...text.matchAll(/^export \{ (.*) \};/gm)].flatMap(([, list]) =>
    list!.split(', '),
  );
  const declared = [...text.matchAll(/^export (?:const|function) (\w+)/gm)].map(
    ([, each]) => each!,
  );
  expect([...listed, ...declared].sort()).toEqual(names);
});
