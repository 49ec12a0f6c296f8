/** A DAR whose scripts were run. */
import type { DamlPackage } from '../../daml/model/package.js';
import type { CoverageReport } from '../../network/coverage/coverage-report.js';
import type { ScriptPackages } from '../../script/packages.js';
import type { TestedScript } from '../../script/test-script.js';

export interface TimedScript extends TestedScript {
  /** With its package, where that is not the main one, and its row. */
  readonly name: string;
  readonly milliseconds: number;
}

export interface TestedDar {
  /** As it was named. */
  readonly file: string;
  readonly main: DamlPackage;
  readonly packages: ScriptPackages;
  readonly scripts: readonly TimedScript[];
  readonly coverage: CoverageReport;
}
