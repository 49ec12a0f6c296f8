/** The snapshot of what the parties of a test file learn. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanticle } from 'canticle';
import { lookAt, privacySnapshot } from '../../../src/testing/jest.js';
import { Asset, trades } from '../../support/daml/privacy-model.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

const home = useTemporaryFolder();

/** A test file: its snapshot is compared at its end. */
function testFile(options: object = {}, state: object = {}) {
  const atEnd: (() => void | Promise<void>)[] = [];
  const never = () => undefined;
  const runner = {
    beforeAll: never,
    beforeEach: never,
    afterEach: never,
    afterAll: (action: () => void | Promise<void>) => void atEnd.push(action),
    expect: { extend: never, getState: () => ({ testPath: join(home(), 'a.test.ts'), ...state }) },
  };
  const canticle = createCanticle({ packages: [trades] });
  lookAt(canticle);
  privacySnapshot({ runner, ...options });
  const [issuer, owner] = ['issuer', 'owner'].map((hint) =>
    canticle.participant.allocateParty(hint),
  ) as [string, string];
  const issue = () =>
    canticle.participant.create(Asset, { issuer, owner, amount: '1' }, { actAs: [issuer] });
  const show = () =>
    canticle.participant.exercise(issue(), Asset.Show, { viewer: owner }, { actAs: [owner] });
  return { issue, show, end: () => atEnd.forEach((action) => void action()) };
}
const path = () => join(home(), '__snapshots__', 'a.test.ts.privacy.snap');

it('writes the snapshot of a new file, and compares later runs with it', () => {
  const first = testFile();
  first.issue();
  expect(existsSync(path())).toBe(false);
  first.end();
  const text = readFileSync(path(), 'utf8');
  expect(text).toContain('  payload\n    issuer: signatory\n    owner: observer\n');
  const same = testFile();
  same.issue();
  same.end();
  // A run that shows less passes: it may have run only some of the tests.
  testFile().end();
  const leaking = testFile();
  leaking.show();
  expect(leaking.end).toThrow(
    /A party learns more than in .*\n\n\+ #trades:Trade:Asset payload: owner \(controller of Show\)/,
  );
  expect(readFileSync(path(), 'utf8')).toBe(text);
  const accepted = testFile({}, { snapshotState: { _updateSnapshot: 'all' } });
  accepted.show();
  accepted.end();
  expect(readFileSync(path(), 'utf8')).toContain('owner: controller of Show; observer');
});

it('takes a path and whether to update', () => {
  const file = join(home(), 'own.snap');
  const first = testFile({ file });
  first.issue();
  first.end();
  const leaking = testFile({ file });
  leaking.show();
  expect(leaking.end).toThrow('A party learns more');
  const updating = testFile({ file, update: true });
  updating.show();
  updating.end();
  expect(readFileSync(file, 'utf8')).toContain('  Show\n');
});

it('needs a path where the runner does not name the test file', () => {
  expect(testFile({}, { testPath: undefined }).end).toThrow(
    "Pass its path: privacySnapshot({ file: 'privacy.snap' }).",
  );
});
