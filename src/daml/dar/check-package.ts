/**
 * Checks a package as a participant does on upload, in the same order. First come colliding names, cycles of
 * modules and synonyms, and language versions of dependencies. Then come the types of each module, and the
 * serializable types.
 */
import { dottedNameHash } from '../errors/scala-order.js';
import { entriesInOrder } from '../model/definition-order.js';
import type { PackageId } from '../model/types.js';
import { checkCollisions } from '../archive/check-collisions.js';
import { checkModuleSerializability } from './check-serializable.js';
import type { CheckedPackages } from './checked-packages.js';
import { validationError } from '../archive/dar-refusals.js';
import type { LfPackage } from '../archive/lf-package.js';
import { LANGUAGE_VERSIONS } from '../archive/lf-version.js';
import { TypeMismatch } from '../typing/checking.js';
import { ModuleChecker } from '../typing/definitions.js';
import { ExpressionChecker } from '../typing/expression-checker.js';
import { checkModuleCycles, checkSynonymCycles } from '../typing/module-graph.js';

/**
 * Checks `added`, which may refer to all of `packages`.
 *
 * @throws LedgerError for the first error
 */
export function checkPackages(
  packages: ReadonlyMap<PackageId, LfPackage>,
  added: readonly LfPackage[],
  checked: CheckedPackages,
): void {
  if (added.length === 0) return;
  const checker = new ExpressionChecker(packages);
  for (const one of added) {
    checkCollisions(one);
    checkSynonymCycles(one, checker.types);
    checkDependencyVersions(packages, one);
    checkModules(checker, one);
    checked.add(one.id, { dependencies: one.directDependencies });
  }
}

function checkDependencyVersions(
  packages: ReadonlyMap<PackageId, LfPackage>,
  lfPackage: LfPackage,
): void {
  for (const id of lfPackage.directDependencies) {
    const dependency = packages.get(id);
    if (dependency === undefined)
      throw validationError('EUnknownDefinition', '', `unknown package ${id}`);
    const [own, theirs] = [lfPackage.version, dependency.version];
    if (LANGUAGE_VERSIONS.indexOf(own) < LANGUAGE_VERSIONS.indexOf(theirs)) {
      const text =
        `package ${lfPackage.id} using version ${own.name} depends on package ${id} ` +
        `using newer version ${theirs.name}`;
      throw validationError('EModuleVersionDependencies', '', text);
    }
  }
}

/** Cycles of modules come first. */
function checkModules(checker: ExpressionChecker, lfPackage: LfPackage): void {
  checker.enterPackage(lfPackage);
  try {
    for (const [, module] of entriesInOrder(lfPackage.modules, dottedNameHash)) {
      new ModuleChecker(checker, lfPackage.id, module).run();
      checkModuleSerializability(checker, lfPackage.id, module);
    }
  } catch (error) {
    seeReferences(checker, lfPackage);
    checkModuleCycles(checker.entities.references);
    throw error instanceof TypeMismatch ? error.refusal : error;
  }
  checkModuleCycles(checker.entities.references);
}

/** Collects the references between modules. In a package with errors, it reads each definition up to its error. */
function seeReferences(checker: ExpressionChecker, { id, modules }: LfPackage): void {
  for (const module of modules.values())
    for (const check of new ModuleChecker(checker, id, module).checks())
      try {
        check();
      } catch {
        // Ignores an error here: the check reports the first error of the package.
      }
}
