/** Writes the bugs of a run as tests: `--emit DIR`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { emittedOf } from '../../assembly/fuzzing/emitted.js';
import type { FuzzProject } from '../../assembly/fuzzing/fuzz-project.js';
import type { ReproducedBug } from '../../fuzzing/emitting/reproduce.js';
import { causeOf, CommandFailed } from '../terminal.js';
import { writeResult } from '../write-result.js';

/**
 * Writes a scenario, a Daml script and a test for each bug.
 * @returns the paths, in the order of the bugs
 */
export function emit(
  folder: string,
  project: FuzzProject,
  bugs: readonly ReproducedBug[],
): readonly string[] {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new CommandFailed(`failed to create '${folder}': ${causeOf(error)}`);
  }
  const counts = new Map<string, number>();
  return bugs.flatMap((bug) => {
    const { check } = bug.reproduction.finding;
    const stem = check.replaceAll(/[^A-Za-z0-9]+/g, '-');
    const number = (counts.get(stem) ?? 0) + 1;
    counts.set(stem, number);
    const name = number === 1 ? stem : `${stem}-${number}`;
    const testFile = `${name}.test.js`;
    const { scenario, damlScript, test } = emittedOf(project, bug, { folder, test: testFile });
    const files = {
      [`${name}.yaml`]: scenario,
      [`${name}.daml`]: damlScript,
      [testFile]: test,
    };
    return Object.entries(files).map(([file, text]) => {
      const path = join(folder, file);
      writeResult(path, text);
      return path;
    });
  });
}
