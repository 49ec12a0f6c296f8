/** Declares the Daml scripts of a DAR as tests of a test runner, one test per script. They share the report and the coverage. */
import { lazy } from '../../daml/errors/lazy.js';
import { basename } from 'node:path';
import { withLines } from '../../assembly/cache/looked-at.js';
import { addToCoverageFile } from '../../assembly/coverage-file.js';
import type { ScriptChoice, ScriptTestOptions, ScriptTests } from '../../assembly/script-tests.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import { ScriptFailed } from '../../script/failures.js';
import type { Script } from '../../script/find-scripts.js';
import { coverageScope } from './use-canticle.js';
import { fromEnvironment } from '../../options/environment.js';
import type * as ScriptRows from '../../assembly/script-rows.js';
import type * as ScriptTestsModule from '../../assembly/script-tests.js';
import type * as FindScripts from '../../script/find-scripts.js';
import type * as LedgerTable from '../../script/ide/ledger-table.js';

const scriptRows = lazy(() => require('../../assembly/script-rows.js') as typeof ScriptRows);
const scriptTests = lazy(
  () => require('../../assembly/script-tests.js') as typeof ScriptTestsModule,
);
const findScripts = lazy(() => require('../../script/find-scripts.js') as typeof FindScripts);
const ledgerTable = lazy(() => require('../../script/ide/ledger-table.js') as typeof LedgerTable);

/** The functions of a test runner that Canticle uses. Pass `@jest/globals` or `vitest`. */
export interface DescribingRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => void): unknown;
  afterAll(body: () => void): unknown;
}

/** Selects the scripts of a DAR, and names their tests. */
export interface DamlTestsOptions extends ScriptChoice, ScriptTestOptions {
  /** Title of the `describe` block; by default the name of the file or the package. */
  readonly name?: string;
  /**
   * Files of JSON, YAML or CSV, by the names of scripts with an argument, such as `{ 'Main:transfer': 'transfers.csv' }`. Each row is a
   * test.
   */
  readonly rows?: Readonly<Record<string, string>>;
  /** Required if the functions are not global: `import * as runner from '@jest/globals'`. */
  readonly runner?: DescribingRunner;
}

/**
 * Declares a test for each script of the archive's main package that takes no argument. Each runs on a new ledger. If the environment
 * sets CANTICLE_COVERAGE, adds the created templates and exercised choices to that file.
 * @param dar the archive, its path, or its name in the folder CANTICLE_DARS
 */
export function damlTests(dar: Uint8Array | string, options: DamlTestsOptions = {}): void {
  const { seed, protocolVersion, rows = {}, runner = globalRunner('damlTests') } = options;
  const tests = new (scriptTests().ScriptTests)(dar, { seed, protocolVersion });
  const title = options.name ?? (typeof dar === 'string' ? basename(dar) : tests.main.name);
  runner.describe(title, () => {
    for (const script of tests.scripts(options))
      runner.it(tests.nameOf(script), () => run(tests, script));
    for (const [name, file] of Object.entries(rows)) {
      const script = findScripts().scriptNamed(tests.main, name);
      for (const { label, argument } of scriptRows().readRows(tests.packages, script, file))
        runner.it(`${name}, ${label}`, () => run(tests, script, argument));
    }
    runner.afterAll(() => {
      const file = fromEnvironment('CANTICLE_COVERAGE');
      if (file) addToCoverageFile(file, withLines(tests.coverage.report(coverageScope())));
    });
  });
}

function run(tests: ScriptTests, script: Script, argument?: unknown): void {
  const { failure, ledger, traces } = tests.run(script, argument);
  if (failure === undefined) return;
  const table = ledgerTable().tableText(
    ledgerTable().contractTables(tests.packages, ledger.contracts),
  );
  const failed = new ScriptFailed(tests.nameOf(script), failure, undefined);
  const said = traces.length === 0 ? [] : ['', 'Output of the script:', ...traces];
  const state = table.length === 0 ? [] : ['', 'The ledger:', ...table];
  failed.message = [failed.message, ...said, ...state].join('\n');
  throw failed;
}

const globals = globalThis as Partial<DescribingRunner>;

/** @param name the function that the user called */
export function globalRunner(name: string): DescribingRunner {
  const { describe, it, afterAll } = globals;
  if (!describe || !it || !afterAll)
    throw withCallerStack(
      new Error(
        `Failed to declare tests: describe, it and afterAll are not global here. Import ${name} from canticle/vitest, canticle/node-test or canticle/bun-test. In jest, pass a runner: ${name}(dar, { runner }), with \`import * as runner from '@jest/globals'\`.`,
      ),
    );
  return { describe, it, afterAll };
}
