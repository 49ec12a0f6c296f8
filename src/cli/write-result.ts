/** Writes the files that a command's flags name. */
import { writeFileSync } from 'node:fs';
import { addToCoverageFile } from '../assembly/coverage-file.js';
import type { CoverageReport } from '../network/coverage/coverage-report.js';
import { causeOf, CommandFailed } from './terminal.js';

export function writeResult(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new CommandFailed(`failed to write '${path}': ${causeOf(error)}`);
  }
}

/** Adds the coverage to the existing coverage in the file. */
export function addCoverage(path: string, covered: CoverageReport): void {
  try {
    addToCoverageFile(path, covered);
  } catch (error) {
    throw new CommandFailed(`failed to write the coverage to '${path}': ${causeOf(error)}`);
  }
}
