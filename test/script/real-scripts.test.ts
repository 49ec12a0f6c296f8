/** Scripts that others published with their sources: each ends as its source says, which is well. */
import { readDar } from '../../src/daml/index.js';
import { scriptName, scriptsOf } from '../../src/script/find-scripts.js';
import { ScriptPackages } from '../../src/script/packages.js';
import { testScript } from '../../src/script/test-script.js';
import { describeWithDars } from '../support/foreign-files.js';

/**
 * Scripts without arguments, two of which tests begin with. Amulet's package also has 23 functions that return a
 * script. Of its two revisions with this version, the earlier has 47, which is the maximum.
 */
const COUNTS = { 'splice-wallet-test-0.1.8.dar': 20, 'splice-amulet-test-0.1.8.dar': 50 };

for (const [file, count] of Object.entries(COUNTS))
  describeWithDars(`The scripts of ${file}`, [file] as const, (bytes) => {
    const { main, packages: all } = readDar(bytes);
    const packages = new ScriptPackages(all);
    const scripts = scriptsOf(main).filter(({ argument }) => argument === undefined);

    it(`are ${count}`, () => {
      expect(scripts).toHaveLength(count);
    });

    it.each(scripts.map((script) => [scriptName(script), script] as const))(
      '%s succeeds',
      (_name, script) => {
        expect(testScript(packages, script).failure).toBeUndefined();
      },
    );
  });

describeWithDars(
  'a script with protocol version 35',
  ['splice-wallet-test-0.1.8.dar'] as const,
  (bytes) => {
    it('fails if an exception would roll back effects, and reports the reason and the location', () => {
      const { main, packages } = readDar(bytes);
      const name = 'testInsufficientFundsBatchSubscriptions';
      const script = scriptsOf(main).find((each) => each.name === name)!;
      const { failure } = testScript(new ScriptPackages(packages), script, { protocolVersion: 35 });
      expect(failure?.message).toContain('Submit failed: DAML_EFFECTFUL_ROLLBACK_ERROR');
      expect(failure?.places[0]).toMatchObject({
        module: 'Splice.Scripts.TestWallet',
        definition: 'submitMulti',
        line: 926,
      });
      expect(failure?.explanation?.body()).toContain('SubscriptionRequest_AcceptAndMakePayment');
    });
  },
);
