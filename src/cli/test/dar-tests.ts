/** The test cases of a DAR. Each thread with the same flags finds them in the same order and runs them with the same outcome. */
import { readRows } from '../../assembly/script-rows.js';
import { ScriptTests } from '../../assembly/script-tests.js';
import type { PackageFacts } from '../../daml/dar/checked-packages.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import type { ProtocolVersion } from '../../network/model/protocol.js';
import { withLines } from '../../assembly/cache/looked-at.js';
import type { CoverageReport } from '../../network/coverage/coverage-report.js';
import { scriptNamed, type Script } from '../../script/find-scripts.js';
import { causeOf, CommandFailed } from '../terminal.js';
import { toldScript } from './test-report.js';
import type { ScriptReport } from './tested-dar.js';

/** Selects the cases and configures their run. */
export interface CaseFlags {
  readonly cache?: string | false;
  /** Text that names contain. */
  readonly testPattern?: string;
  /** Source files, such as `Main/Tests.daml`: the scripts of their modules. */
  readonly files?: readonly string[];
  /** Scripts of dependencies too. */
  readonly all?: boolean;
  readonly seed?: number;
  readonly protocolVersion?: ProtocolVersion;
  readonly coveragePackage: readonly string[];
  /** `Main:script=rows.csv`: the script with each row as its argument, instead of the others. */
  readonly rows: readonly string[];
}

/** Facts about the packages of a DAR, for another thread. */
export type DarFacts = readonly (readonly [id: PackageId, facts: PackageFacts])[];

interface Case {
  readonly name: string;
  readonly script: Script;
  readonly argument?: unknown;
}

export class DarTests {
  private readonly tests: ScriptTests;
  private readonly cases: readonly Case[];

  /**
   * @param before DARs whose packages this one reuses, instead of reading and compiling them again
   * @param facts facts of packages that were already checked
   * @throws LedgerError for a broken archive, the system's error for an unreadable file, CommandFailed for invalid rows
   */
  constructor(
    readonly file: string,
    private readonly flags: CaseFlags,
    before: readonly DarTests[],
    facts?: DarFacts,
  ) {
    const known = {
      package(id: string): DamlPackage | undefined {
        for (const { tests } of before) {
          const found = tests.packages.package(id);
          if (found !== undefined) return found;
        }
        return undefined;
      },
    };
    const { seed, protocolVersion, cache } = flags;
    this.tests = new ScriptTests(file, { seed, protocolVersion, known }, cache, facts);
    this.cases = this.find();
  }

  get main(): DamlPackage {
    return this.tests.main;
  }

  get count(): number {
    return this.cases.length;
  }

  get facts(): DarFacts {
    const { packages } = this.tests;
    return packages.all().map(({ id, dependencies }) => [id, { dependencies }]);
  }

  run(index: number): ScriptReport {
    const { name, script, argument } = this.cases[index]!;
    const began = performance.now();
    const tested = this.tests.run(script, argument);
    const milliseconds = Math.round(performance.now() - began);
    return toldScript(this.tests.packages, { ...tested, name, milliseconds });
  }

  /** Coverage of the cases that ran here. */
  coverage(): CoverageReport {
    const { coveragePackage: packages } = this.flags;
    return withLines(this.tests.coverage.report(packages.length > 0 ? { packages } : {}));
  }

  /** Scripts without arguments, and scripts with rows. */
  private find(): readonly Case[] {
    const { flags, tests } = this;
    const rows = flags.rows.flatMap((given) => this.rowsOf(given));
    if (flags.rows.length > 0 && !isNarrowed(flags)) return rows;
    const plain = tests.scripts(flags).map((script) => ({ name: tests.nameOf(script), script }));
    return [...plain, ...rows];
  }

  private rowsOf(given: string): readonly Case[] {
    const [name = '', file = ''] = given.split('=');
    const { main, packages } = this.tests;
    try {
      const script = scriptNamed(main, name);
      return readRows(packages, script, file).map(({ label, argument }) => ({
        name: `${name}, ${label}`,
        script,
        argument,
      }));
    } catch (error) {
      throw new CommandFailed(`failed to read the rows of '${given}': ${causeOf(error)}`);
    }
  }
}

export const isNarrowed = ({ testPattern, files }: CaseFlags): boolean =>
  testPattern !== undefined || files !== undefined;
