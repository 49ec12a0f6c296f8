/** Runs the scripts of a DAR as tests, for the command line and for test runners. */
import { CheckedPackages, type PackageFacts } from '../daml/dar/checked-packages.js';
import { readDar } from '../daml/dar/dar-file.js';
import type { DamlPackage, PackageLookup } from '../daml/model/package.js';
import type { PackageId } from '../daml/model/types.js';
import { ChoiceCoverage } from '../network/coverage/choice-coverage.js';
import type { ProtocolVersion } from '../network/model/protocol.js';
import {
  scriptName,
  scriptNamed,
  scriptsOf,
  splitScriptName,
  type Script,
} from '../script/find-scripts.js';
import { ScriptPackages } from '../script/packages.js';
import { testScript, type TestedScript } from '../script/test-script.js';
import { readNamedFile } from './dar-files.js';
import { checkedPackages } from './cache/fact-files.js';

/** Selects scripts. */
export interface ScriptChoice {
  /** Text that names contain. */
  readonly testPattern?: string;
  /** Source files, such as `Main/Tests.daml`: the scripts of their modules. */
  readonly files?: readonly string[];
  /** Scripts of dependencies too. */
  readonly all?: boolean;
}

export interface ScriptTestOptions {
  /** The same seed gives the same ids and keys. 0 by default. */
  readonly seed?: number;
  /** By default, the version that the language of the package needs. */
  readonly protocolVersion?: ProtocolVersion;
  /** The time of the scripts in microseconds since 1970, which they then cannot set; by default the time of their ledgers. */
  readonly clock?: () => bigint;
  /** Packages that were read before: their compiled code is reused. */
  readonly known?: Pick<PackageLookup, 'package'>;
}

export class ScriptTests {
  readonly main: DamlPackage;
  readonly packages: ScriptPackages;
  /** Coverage of all scripts that ran. */
  readonly coverage: ChoiceCoverage;
  private readonly checked: CheckedPackages | undefined;

  /**
   * @param dar the archive or its path
   * @param cache a folder that caches facts about packages
   * @param facts of packages that another thread has already checked
   * @throws LedgerError for a broken archive, the system's error for an unreadable file
   */
  constructor(
    dar: Uint8Array | string,
    private readonly options: ScriptTestOptions = {},
    cache?: string | false,
    facts?: Iterable<readonly [PackageId, PackageFacts]>,
  ) {
    const bytes = typeof dar === 'string' ? readNamedFile(dar) : dar;
    const checked = checkedPackages(cache) ?? (facts && new CheckedPackages());
    for (const [id, each] of facts ?? []) checked!.learn(id, each);
    const { main, packages } = readDar(bytes, options.known, { ...(checked && { checked }) });
    this.main = main;
    this.checked = checked;
    this.packages = new ScriptPackages(packages);
    const ids = packages.map(({ id }) => id);
    const holder = { package: (id: string) => this.packages.package(id), ids: () => ids };
    this.coverage = new ChoiceCoverage(() => [{ packages: holder }], undefined);
    this.coverage.start();
  }

  /** Scripts without arguments, in the archive's order. */
  scripts({ testPattern = '', files, all = false }: ScriptChoice = {}): readonly Script[] {
    const isWanted = (name: string): boolean => {
      const own = `/${splitScriptName(name)[0].replaceAll('.', '/')}.daml`;
      const isOf = files === undefined || files.some((file) => `/${file}`.endsWith(own));
      return isOf && name.includes(testPattern);
    };
    return (all ? this.packages.all() : [this.main])
      .flatMap((of) =>
        this.namesOf(of)
          .filter(isWanted)
          .map((name) => scriptNamed(of, name)),
      )
      .filter(({ argument }) => argument === undefined);
  }

  /** The names of all scripts of a package. With a cache, its modules are searched only once. */
  private namesOf(of: DamlPackage): readonly string[] {
    const find = () => scriptsOf(of).map(scriptName);
    return this.checked?.names(of.id, 'scripts', find) ?? find();
  }

  /** The name, with the package name for a script of another package than the main one. */
  nameOf(script: Script): string {
    const own = scriptName(script);
    return script.of === this.main ? own : `${script.of.name}:${own}`;
  }

  /** Runs a script on a new ledger. @param argument a Daml value, for a script that takes one */
  run(script: Script, argument?: unknown): TestedScript {
    const onCommit = (transaction: Parameters<ChoiceCoverage['count']>[0]) =>
      this.coverage.count(transaction);
    return testScript(this.packages, script, { ...this.options, onCommit, argument });
  }
}
