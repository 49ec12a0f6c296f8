/** A scenario names DAR files in its folder. They are uploaded and vetted before its first step. */
import { createCanticle } from 'canticle';
import { buildDar } from '../support/daml/dar-builder.js';
import { encodePackage } from '../support/daml/lf-encoder.js';
import { t } from '../support/daml/lf-types.js';
import { complaint, scenarioFile } from './scenario-files.js';

const assets = encodePackage({
  name: 'assets',
  modules: { Main: { templates: { Asset: { fields: { owner: t.party } } } } },
});

function world(scenario: string) {
  const { participants, network } = createCanticle({ scenario });
  return participants.map(({ name, engine }) => ({
    name,
    known: engine.packages.package(assets.id) !== undefined,
    vetted: network.synchronizers.map(({ id }) =>
      network.topology.vetting(engine.id, id).packages.has(assets.id),
    ),
  }));
}

beforeAll(() => scenarioFile(buildDar(assets), 'assets.dar'));

it('uploads packages of the file to all participants and synchronizers', () => {
  const scenario = scenarioFile(
    'synchronizers: [global, app]\nparticipants: [one, two]\npackages: [assets.dar]\n',
  );
  expect(world(scenario)).toEqual([
    { name: 'one', known: true, vetted: [true, true] },
    { name: 'two', known: true, vetted: [true, true] },
  ]);
});

it('a step uploads to the participant that it names', () => {
  const scenario = scenarioFile(
    'participants: [one, two]\nsteps:\n  - { upload: assets.dar, on: two }\n',
  );
  expect(world(scenario)).toEqual([
    { name: 'one', known: false, vetted: [false] },
    { name: 'two', known: true, vetted: [true] },
  ]);
});

it('a path may be absolute', () => {
  const path = scenarioFile(buildDar(assets), 'other.dar');
  expect(world(scenarioFile(`packages: [${path}]\n`))).toMatchObject([{ known: true }]);
});

it('reports a missing package or an invalid DAR with its place', () => {
  const scenario = scenarioFile('packages:\n  - assets.dar\n  - absent.dar\n');
  expect(complaint(() => createCanticle({ scenario }))).toMatch(
    /^FILE:3:5: step 2 of packages \(upload\): Failed to read 'absent\.dar': /,
  );
  scenarioFile('this is no archive', 'text.dar');
  const broken = scenarioFile('packages: [text.dar]\n');
  expect(complaint(() => createCanticle({ scenario: broken }))).toMatch(
    /^FILE:1:12: step 1 of packages \(upload\): refused: /,
  );
});
