/** The public names of the sub-entrances. A name that comes or goes is a decision: it shows here. */
import * as expressEntrance from '../../src/express.js';
import * as fastCheck from '../../src/testing/fast-check.js';
import * as fixturesEntrance from '../../src/testing/fixtures.js';
import * as jestEntrance from '../../src/testing/jest.js';
import * as nockEntrance from '../../src/testing/nock.js';

it.each([
  ['canticle/express', expressEntrance, ['canticleRouter', 'canticleUpgrade']],
  ['canticle/fixtures', fixturesEntrance, ['fixture']],
  [
    'canticle/jest',
    jestEntrance,
    ['damlTests', 'lookAt', 'matchers', 'useCanticle', 'useLocalnet'],
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
