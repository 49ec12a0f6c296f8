/**
 * Mutants in this process: `canticle mutate` starts the tests of a user with CANTICLE_MUTANT, which names a file. The packages that it
 * names are compiled with one mutant, or with all of them to record which ones the tests reach.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { CodeStore } from '../../daml/lf/cached-code.js';
import type { PackageId } from '../../daml/model/types.js';
import { Mutation } from '../../mutating/mutation.js';
import type { OperatorName } from '../../mutating/operators/mutant.js';
import { TestCode } from '../../mutating/running/mutated-packages.js';

/** The content of the file, as JSON. */
export interface MutantFile {
  /** The packages with mutants. */
  readonly packages: readonly PackageId[];
  /** These packages, and those that refer to them. */
  readonly affected: readonly PackageId[];
  readonly operators?: readonly OperatorName[];
  /** The key of the mutant that runs. */
  readonly only?: string;
  /** A folder that gets the mutants that the tests reach, if none runs. */
  readonly record?: string;
}

/** A line in a file of that folder: the mutants at this place, or this mutant alone, can change the outcome of a test file. */
export interface ReachedLine {
  readonly kind: 'reached' | 'differs';
  /** The key of the first mutant of a place, or of a mutant. */
  readonly key: string;
  /** The path of the test file; empty if it is unknown. */
  readonly test: string;
}

/** The code of packages with the mutants of the file. @param cached the compiled code of other packages */
export function codeWithMutants(path: string, cached: CodeStore | undefined): CodeStore {
  const file = JSON.parse(readFileSync(path, 'utf8')) as MutantFile;
  const [packages, affected] = [new Set(file.packages), new Set(file.affected)];
  const tests = new TestCode();
  const mutation = new Mutation({
    isMutated: (lf, module, name) => packages.has(lf.id) && !tests.has(lf, module, name),
    ...(file.operators && { operators: new Set(file.operators) }),
    ...(file.only !== undefined && { only: file.only }),
    ...(file.record !== undefined && { recorder: recorderIn(file.record) }),
  });
  if (file.record !== undefined) process.once('exit', () => mutation.recordUnfinished());
  return {
    of: (id) => (affected.has(id) ? undefined : cached?.of(id)),
    instrumentation: mutation,
  };
}

/** Writes each line at once, because the process of a test runner may end without notice. */
function recorderIn(folder: string): (kind: ReachedLine['kind'], key: string) => void {
  const path = join(folder, `${process.pid}-${threadId}.jsonl`);
  return (kind, key) => {
    const line: ReachedLine = { kind, key, test: testFile() };
    appendFileSync(path, `${JSON.stringify(line)}\n`);
  };
}

/** The running test file of jest and vitest, otherwise the program. */
function testFile(): string {
  const { expect, __vitest_worker__: worker } = globalThis as {
    readonly expect?: { readonly getState?: () => { readonly testPath?: string } };
    readonly __vitest_worker__?: { readonly filepath?: string };
  };
  return expect?.getState?.().testPath ?? worker?.filepath ?? process.argv[1] ?? '';
}
