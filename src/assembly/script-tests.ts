/** The scripts of a DAR as tests, for the command line and for test runners: what there is to run, and what it came to. */
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

/** Which of them. */
export interface ScriptChoice {
  /** Text that names contain. */
  readonly testPattern?: string;
  /** Source files, such as `Main/Tests.daml`: the scripts of their modules. */
  readonly files?: readonly string[];
  /** Those of dependencies too. */
  readonly all?: boolean;
}

export interface ScriptTestOptions {
  /** The same seed gives the same ids and keys. 0 by default. */
  readonly seed?: number;
  /** What the language of the package needs, by default. */
  readonly protocolVersion?: ProtocolVersion;
  /** What scripts are told of the time, in microseconds since 1970, which they cannot set then; their ledgers' own by default. */
  readonly clock?: () => bigint;
  /** Packages that were read before: what has been compiled of them is not compiled again. */
  readonly known?: Pick<PackageLookup, 'package'>;
}

export class ScriptTests {
  readonly main: DamlPackage;
  readonly packages: ScriptPackages;
  /** Of all that were run. */
  readonly coverage: ChoiceCoverage;
  private readonly checked: CheckedPackages | undefined;

  /**
   * @param dar the archive or its path
   * @param cache a folder that keeps what was found out about packages
   * @param facts of packages that were checked already, by whoever read the same bytes
   * @throws LedgerError for a broken archive, the system's error for a file that cannot be read
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

  /** Those without arguments, in the archive's order. */
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

  /** Of all scripts of a package; its modules are read for them once, where something keeps what was found. */
  private namesOf(of: DamlPackage): readonly string[] {
    const find = () => scriptsOf(of).map(scriptName);
    return this.checked?.names(of.id, 'scripts', find) ?? find();
  }

  /** Of another package than the main one with that one's name. */
  nameOf(script: Script): string {
    const own = scriptName(script);
    return script.of === this.main ? own : `${script.of.name}:${own}`;
  }

  /** On a ledger of its own. @param argument a value of code, of a script that takes one */
  run(script: Script, argument?: unknown): TestedScript {
    const onCommit = (transaction: Parameters<ChoiceCoverage['count']>[0]) =>
      this.coverage.count(transaction);
    return testScript(this.packages, script, { ...this.options, onCommit, argument });
  }
}
