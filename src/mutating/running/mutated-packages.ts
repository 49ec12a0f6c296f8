/** Chooses the code that gets mutants: that of templates and functions, not that of the tests. */
import { unapply, type LfType } from '../../daml/archive/lf-type.js';
import type { LfPackage } from '../../daml/archive/lf-package.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import { DarPackage } from '../../daml/dar/dar-package.js';
import { unescaped } from '../../daml/lf/lowering/script-name.js';

/**
 * The packages of a project: the main package if it has templates outside of its tests, otherwise its direct dependencies that have some.
 * @param names of packages to choose instead
 */
export function chosenPackages(
  main: DamlPackage,
  packages: readonly DamlPackage[],
  names: readonly string[],
): readonly DarPackage[] {
  const all = packages.filter((each) => each instanceof DarPackage);
  if (names.length > 0) return all.filter(({ name }) => names.includes(name));
  const own = all.filter((each) => each === main);
  if (own.some(({ lf }) => modulesWithTemplates(lf).some((module) => !hasScripts(lf, module))))
    return own;
  const direct = new Set(main.dependencies);
  const used = all.filter(({ id, lf }) => direct.has(id) && modulesWithTemplates(lf).length > 0);
  return used.length > 0 ? used : own;
}

const modulesWithTemplates = ({ modules }: LfPackage): readonly string[] =>
  [...modules.values()].filter(({ templates }) => templates.size > 0).map(({ name }) => name);

const hasScripts = (lf: LfPackage, module: string): boolean => scriptsIn(lf, module).size > 0;

/** The packages whose compiled code differs: those with mutants, and all that refer to them. */
export function affectedPackages(
  packages: readonly DamlPackage[],
  mutated: readonly DamlPackage[],
): ReadonlySet<PackageId> {
  const affected = new Set(mutated.map(({ id }) => id));
  for (let before = -1; before < affected.size;) {
    before = affected.size;
    for (const { id, dependencies } of packages)
      if (dependencies.some((each) => affected.has(each))) affected.add(id);
  }
  return affected;
}

/** Tells the code of tests from other code. */
export class TestCode {
  private readonly modules = new Map<string, ReadonlySet<string>>();

  /** Whether a definition belongs to a script, or to a module that only has functions for scripts. */
  has(lf: LfPackage, moduleName: string, name: string): boolean {
    const key = `${lf.id}:${moduleName}`;
    let scripts = this.modules.get(key);
    if (scripts === undefined) {
      scripts = scriptsIn(lf, moduleName);
      this.modules.set(key, scripts);
    }
    if (scripts.size === 0) return false;
    const module = lf.modules.get(moduleName);
    const isOnlyTests = module!.templates.size + module!.interfaces.size === 0;
    return isOnlyTests || scripts.has(ownerOf(name));
  }
}

/** A lifted definition, `$$sc_setup_3`, belongs to the one in its name. */
const ownerOf = (name: string): string => {
  const plain = unescaped(name);
  return /^\$\$sc_(.*)_\d+$/.exec(plain)?.[1] ?? plain;
};

function scriptsIn(lf: LfPackage, name: string): ReadonlySet<string> {
  const values = lf.modules.get(name)?.values.ofType(returnsScript) ?? [];
  return new Set([...values].map(([value]) => unescaped(value)));
}

/** The type of scripts, in each release of the library. */
const SCRIPT = /:Daml\.Script[\w.]*:Script$/;

function returnsScript(type: LfType): boolean {
  let rest = type;
  for (;;) {
    if (rest.tag === 'forall') rest = rest.body;
    else {
      const { head, args } = unapply(rest);
      if (head.tag === 'con') return SCRIPT.test(head.id);
      if (head.tag !== 'builtin' || head.name !== 'Arrow' || args.length !== 2) return false;
      rest = args[1]!;
    }
  }
}
