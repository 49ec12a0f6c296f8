/** `canticle coverage`: merges the coverage of several runs, and shows it. */
import { readCoverageFile } from '../assembly/coverage-file.js';
import {
  coverageText,
  mergedCoverage,
  type CoverageReport,
} from '../network/coverage/coverage-report.js';
import { coveragePicture } from '../network/coverage/coverage-picture.js';
import { lcovText } from '../network/coverage/line-report.js';
import { writeResult } from './write-result.js';
import { causeOf, CommandFailed, type Terminal } from './terminal.js';

export interface CoverageFlags {
  readonly json?: boolean;
  /** File for the lines of Daml. */
  readonly lcov?: string;
  /** File for a picture. */
  readonly svg?: string;
}

/** @throws CommandFailed for a missing file and for a file of another kind */
export function showCoverage(
  files: readonly string[],
  { json: asJson = false, lcov, svg }: CoverageFlags,
  { stdout }: Terminal,
): void {
  const sum = files.map(read).reduce(mergedCoverage);
  if (lcov !== undefined) {
    if (sum.files === undefined)
      throw new CommandFailed(
        'failed to write line coverage: the files contain no lines. Set CANTICLE_COVERAGE_LINES when you run the tests.',
      );
    writeResult(lcov, lcovText(sum.files));
  }
  if (svg !== undefined) writeResult(svg, coveragePicture(sum));
  stdout.write(asJson ? `${JSON.stringify(sum, undefined, 2)}\n` : coverageText(sum));
}

function read(path: string): CoverageReport {
  let report: CoverageReport | undefined;
  try {
    report = readCoverageFile(path);
  } catch (error) {
    throw new CommandFailed(`failed to read '${path}': ${causeOf(error)}`);
  }
  if (report === undefined)
    throw new CommandFailed(`failed to read '${path}': no such file or folder.`);
  return report;
}
