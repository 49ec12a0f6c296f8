/** A DAR whose code has mutants, with its scripts. Each thread reads its own, with the same numbers of mutants. */
import { CheckedPackages } from '../../daml/dar/checked-packages.js';
import { readDar } from '../../daml/dar/dar-file.js';
import { DarPackage } from '../../daml/dar/dar-package.js';
import type { CodeStore } from '../../daml/lf/cached-code.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import { Mutation } from '../../mutating/mutation.js';
import type { OperatorName } from '../../mutating/operators/mutant.js';
import {
  affectedPackages,
  chosenPackages,
  TestCode,
} from '../../mutating/running/mutated-packages.js';
import { ScriptSuite } from '../../mutating/running/script-suite.js';
import { scriptsOf, scriptName, type Script } from '../../script/find-scripts.js';
import { ScriptPackages } from '../../script/packages.js';
import { checkedPackages } from '../cache/fact-files.js';
import { readNamedFile } from '../dar-files.js';

/** Data that a thread needs to read the same DAR. */
export interface MutatedDarOptions {
  readonly file: string;
  /** Names of packages; chosen by their templates if empty. */
  readonly packages: readonly string[];
  /** All if absent. */
  readonly operators?: readonly OperatorName[];
  /** Text that names of scripts contain. */
  readonly testPattern?: string;
  readonly seed: number;
  readonly cache?: string | false;
}

export class MutatedDar {
  readonly mutation: Mutation;
  readonly main: DamlPackage;
  readonly suite: ScriptSuite;
  /** The packages with mutants. */
  readonly mutated: readonly DarPackage[];
  /** These, and the packages that refer to them. */
  readonly affected: readonly PackageId[];

  /** @throws LedgerError for a broken archive, the system's error for an unreadable file */
  constructor(readonly options: MutatedDarOptions) {
    const bytes = readNamedFile(options.file);
    const checked = checkedPackages(options.cache) ?? new CheckedPackages();
    const original = readDar(bytes, undefined, { checked });
    const chosen = chosenPackages(original.main, original.packages, options.packages);
    const ids = new Set(chosen.map(({ id }) => id));
    const affected = affectedPackages(original.packages, chosen);
    this.affected = [...affected];
    this.mutation = mutationOf(ids, options.operators);
    const again = readDar(bytes, undefined, {
      checked: withMutants(checked, original.packages, affected, this.mutation),
    });
    const ofDar = again.packages.filter((each) => each instanceof DarPackage);
    this.main = again.main;
    this.mutated = ofDar.filter(({ id }) => ids.has(id));
    for (const each of this.mutated) each.visitCode();
    const changed = ofDar.filter(({ id }) => affected.has(id));
    const packages = new ScriptPackages(again.packages);
    const scripts = scriptsIn(again.main, options);
    this.suite = new ScriptSuite(packages, changed, this.mutation, scripts, options.seed);
  }
}

/** Mutants in the code of packages, without that of tests. */
export function mutationOf(
  ids: ReadonlySet<PackageId>,
  operators: readonly OperatorName[] | undefined,
): Mutation {
  const tests = new TestCode();
  return new Mutation({
    isMutated: (lf, module, name) => ids.has(lf.id) && !tests.has(lf, module, name),
    ...(operators && { operators: new Set(operators) }),
  });
}

function scriptsIn(main: DamlPackage, { testPattern = '' }: MutatedDarOptions): readonly Script[] {
  return scriptsOf(main).filter(
    (each) => each.argument === undefined && scriptName(each).includes(testPattern),
  );
}

/** The facts about packages that are known, and the compiled code of packages that no mutant affects. */
function withMutants(
  checked: CheckedPackages,
  packages: readonly DamlPackage[],
  affected: ReadonlySet<PackageId>,
  mutation: Mutation,
): CheckedPackages {
  const code: CodeStore = {
    of: (id) => (affected.has(id) ? undefined : checked.code?.of(id)),
    instrumentation: mutation,
  };
  const same = new CheckedPackages(undefined, '', code);
  for (const { id, dependencies } of packages) same.learn(id, { dependencies });
  return same;
}
