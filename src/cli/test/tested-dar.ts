/** A DAR whose scripts were run, and what is told of it: of each script as data, as it may come from another thread. */
import type { DamlPackage } from '../../daml/model/package.js';
import type { CoverageReport } from '../../network/coverage/coverage-report.js';
import type { TestedScript } from '../../script/test-script.js';
import type { JUnitCase } from '../junit.js';

export interface TimedScript extends TestedScript {
  /** With its package, where that is not the main one, and its row. */
  readonly name: string;
  readonly milliseconds: number;
}

export interface ToldScript {
  readonly isFailed: boolean;
  /** Its lines. */
  readonly text: string;
  readonly json: object;
  readonly junit: JUnitCase;
}

export interface TestedDar {
  /** As it was named. */
  readonly file: string;
  readonly main: Pick<DamlPackage, 'id' | 'name' | 'version'>;
  /** In the order of the cases. */
  readonly scripts: readonly ToldScript[];
}

/** What its scripts created and exercised. */
export interface DarCoverage {
  readonly main: Pick<DamlPackage, 'id'>;
  readonly coverage: CoverageReport;
}
