/** `canticle coverage`: adds up what several runs exercised, and shows it. */
import { readCoverageFile } from '../assembly/coverage-file.js';
import {
  coverageText,
  mergedCoverage,
  type CoverageReport,
} from '../network/coverage/coverage-report.js';
import { causeOf, CommandFailed, type Terminal } from './terminal.js';

/** @throws CommandFailed for a file that is not there or is of another kind */
export function showCoverage(
  files: readonly string[],
  asJson: boolean,
  { stdout }: Terminal,
): void {
  const sum = files.map(read).reduce(mergedCoverage);
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
