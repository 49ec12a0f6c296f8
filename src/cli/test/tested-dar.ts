/** A DAR whose scripts ran, and its report. Reports of scripts are data, because they may come from another thread. */
import type { DamlPackage } from '../../daml/model/package.js';
import type { CoverageReport } from '../../network/coverage/coverage-report.js';
import type { TestedScript } from '../../script/test-script.js';
import type { JUnitCase } from '../junit.js';

export interface TimedScript extends TestedScript {
  /** With its package, where that is not the main one, and its row. */
  readonly name: string;
  readonly milliseconds: number;
}

export interface ScriptReport {
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
  readonly scripts: readonly ScriptReport[];
}

/** The templates and choices that its scripts used. */
export interface DarCoverage {
  readonly main: Pick<DamlPackage, 'id'>;
  readonly coverage: CoverageReport;
}
