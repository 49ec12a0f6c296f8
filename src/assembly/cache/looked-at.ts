/**
 * Packages that are observed at run time: CANTICLE_DEBUG_DAML for a debugger, CANTICLE_COVERAGE_LINES for a line coverage report. Each
 * names the folder for the sources. Their compiled code is not cached, because it differs from the usual code.
 */
import { lazy } from '../../daml/errors/lazy.js';
import { CheckedPackages } from '../../daml/dar/checked-packages.js';
import type { CoverageReport } from '../../network/coverage/coverage-report.js';
import { addToCoverageFile } from '../coverage-file.js';
import { fromEnvironment } from '../../options/environment.js';
import type { LineCoverage } from './line-coverage.js';
import type * as SourceFiles from './daml-source-files.js';
import type * as LineCoverages from './line-coverage.js';
import type * as LineInstruments from '../../daml/lf/counting/line-instrument.js';

const sourceFiles = lazy(() => require('./daml-source-files.js') as typeof SourceFiles);
const lineCoverages = lazy(() => require('./line-coverage.js') as typeof LineCoverages);
const lineInstruments = lazy(
  () => require('../../daml/lf/counting/line-instrument.js') as typeof LineInstruments,
);

interface LookedAt {
  readonly packages: CheckedPackages;
  readonly lines: LineCoverage | undefined;
}

/** By the values of the environment variables. */
const known = new Map<string, LookedAt>();

function lookedAt(): LookedAt | undefined {
  const debugging = fromEnvironment('CANTICLE_DEBUG_DAML');
  const counted = fromEnvironment('CANTICLE_COVERAGE_LINES');
  const folders = debugging || counted;
  if (!folders) return undefined;
  const key = [debugging, counted].join('\n');
  let found = known.get(key);
  if (found === undefined) {
    const sources = new (sourceFiles().DamlSourceFiles)(folders);
    const names = fromEnvironment('CANTICLE_COVERAGE_PACKAGES')?.split(',');
    const lines = counted
      ? new (lineCoverages().LineCoverage)((id, module) => sources.fileOf(id, module), names)
      : undefined;
    const code = {
      of: () => undefined,
      sources,
      isDebugged: Boolean(debugging),
      ...(lines && { instrumentation: new (lineInstruments().LineInstrumentation)(lines) }),
    };
    found = { packages: new CheckedPackages(undefined, '', code), lines };
    known.set(key, found);
    if (lines !== undefined) process.once('exit', () => leave(lines));
  }
  return found;
}

/** Undefined if no tool observes packages. */
export function lookedAtPackages(): CheckedPackages | undefined {
  return lookedAt()?.packages;
}

/** The line coverage of this process; undefined if lines are not counted. */
function lineCoverage(): LineCoverage | undefined {
  return lookedAt()?.lines;
}

/** At the end of the process, writes the counts that were not taken yet: for c8, and to the coverage file of all processes. */
function leave(lines: LineCoverage): void {
  const folder = process.env['NODE_V8_COVERAGE'];
  const file = fromEnvironment('CANTICLE_COVERAGE');
  if (folder) lines.writeForV8(folder);
  if (file) addToCoverageFile(file, withLines({ packages: [] }));
}

/** Adds the line counts of this process since the last call. */
export function withLines(report: CoverageReport): CoverageReport {
  const lines = lineCoverage();
  return lines === undefined ? report : { ...report, files: lines.take() };
}
