/** Everything that a fuzzed run needs, made from files: packages, start state, actions and checks. */
import { CheckedPackages } from '../../daml/dar/checked-packages.js';
import { releasedFacts } from '../../daml/dar/released-packages.js';
import { readDar } from '../../daml/dar/dar-file.js';
import { DarPackage } from '../../daml/dar/dar-package.js';
import { darSources } from '../../daml/archive/zip/dar-sources.js';
import { together, type Instrumentation } from '../../daml/lf/lowering/instrument.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import { ActionSet } from '../../fuzzing/actions/action-set.js';
import { builtInChecks, selectChecks } from '../../fuzzing/checks/checks.js';
import { CodeCoverage } from '../../fuzzing/guidance/code-coverage.js';
import { customAction, type FuzzAction } from '../../fuzzing/invariants/acting-view.js';
import { damlInvariants } from '../../fuzzing/invariants/daml-invariants.js';
import { tokenInvariants } from '../../fuzzing/invariants/token-standard.js';
import { scriptAction, type CustomAction } from '../../fuzzing/ledger/custom-action.js';
import type { FuzzLedgerOptions } from '../../fuzzing/ledger/fuzz-ledger.js';
import { plainStart, startFromScript } from '../../fuzzing/ledger/start-state.js';
import type { Check } from '../../fuzzing/model/finding.js';
import type { StartState } from '../../fuzzing/model/state.js';
import { replay } from '../../fuzzing/running/fuzz-run.js';
import { constantsOf, type Constants } from '../../fuzzing/values/constants.js';
import { scriptNamed, type Script } from '../../script/find-scripts.js';
import { ScriptPackages } from '../../script/packages.js';
import { checkedPackages } from '../cache/fact-files.js';
import { readNamedFile } from '../dar-files.js';
import { invariantsIn, type ExportedInvariant } from './invariant-files.js';
import { networkStart } from './network-start.js';
import { FuzzSettingsError, type FuzzSettings } from './settings.js';

/** A path in a DAR: the folder of the package, and the path of the module. */
const MODULE_PATH = /^[^/]+\/(.+)\.daml$/;

/** The parts that are functions of a test. */
export interface OwnParts {
  readonly invariants?: readonly Check[] | undefined;
  readonly actions?: readonly FuzzAction[] | undefined;
  /** Changes the compiled code. */
  readonly instrumentation?: Instrumentation;
}

export class FuzzProject {
  readonly main: DamlPackage;
  readonly packages: ScriptPackages;
  /** The packages whose templates are fuzzed. */
  readonly chosen: readonly DamlPackage[];
  readonly start: StartState;
  readonly actions: ActionSet;
  readonly constants: Constants;
  readonly ledger: FuzzLedgerOptions;
  readonly coverage: CodeCoverage;
  private readonly exported: readonly ExportedInvariant[];
  private readonly covered = new Set<PackageId>();
  private readonly sources = new Map<string, { readonly path: string; readonly text: string }>();

  /**
   * @throws LedgerError, FuzzSettingsError, UnknownAction, SetupFailed, ScriptError, ScenarioError for settings that do not fit, or the
   *   system's error for an unreadable file
   */
  constructor(
    readonly settings: FuzzSettings,
    private readonly own: OwnParts = {},
  ) {
    this.coverage = new CodeCoverage(
      (id) => this.covered.has(id),
      (id, module) => this.sources.get(`${id}:${module}`),
    );
    this.exported = invariantsIn(settings.invariants);
    const world = networkStart(settings);
    const known = new Map<PackageId, DamlPackage>();
    this.main = this.read(settings.file, known, settings.bytes);
    for (const file of settings.dars ?? []) this.read(file, known);
    for (const each of world?.packages ?? []) if (!known.has(each.id)) known.set(each.id, each);
    this.packages = new ScriptPackages(known.values());
    this.chosen = this.choose();
    for (const { id } of this.chosen) this.covered.add(id);
    for (const each of this.chosen)
      if (each instanceof DarPackage) {
        this.coverage.include(each.lf);
        each.visitCode();
      }
    const custom = [
      ...(settings.actions ?? []).map((name) => scriptAction(this.script(name))),
      ...(own.actions ?? []).map(customAction),
    ];
    this.ledger = {
      actions: new Map(custom.map((each) => [each.name, each])),
      ...(settings.protocolVersion && { protocolVersion: settings.protocolVersion }),
    };
    this.start = world?.start ?? this.ownStart();
    this.actions = this.actionSet(custom);
    this.constants = constantsOf(this.chosen);
  }

  /** New checks: those of one run are not those of another. */
  checks(): readonly Check[] {
    const { skipChecks: off = [], failOn: failing = [], budget } = this.settings;
    const scripts = new Set([this.main, ...this.chosen]);
    const all = [
      ...builtInChecks(budget),
      ...tokenInvariants(this.packages),
      ...damlInvariants(this.packages, scripts),
      ...(this.own.invariants ?? []),
      ...this.exported.map(({ check }) => check),
    ];
    return selectChecks(all, { off, failing });
  }

  /**
   * Judges the start state, so that a wrong name in an invariant shows before the run.
   * @throws UnknownName if an invariant names something that the packages do not have
   */
  judgeStart(checks: readonly Check[]): void {
    const { packages, start, ledger } = this;
    replay(packages, start, [], checks, { ledger });
  }

  /** Where a check comes from: a test, or the export of a module; undefined for all others. */
  ownOf(name: string): 'test' | ExportedInvariant | undefined {
    const exported = this.exported.find(({ check }) => check.name === name);
    const isOfTest = this.own.invariants?.some((each) => each.name === name) === true;
    return exported ?? (isOfTest ? 'test' : undefined);
  }

  private read(
    file: string,
    known: Map<PackageId, DamlPackage>,
    bytes = readNamedFile(file),
  ): DamlPackage {
    const cached = checkedPackages(this.settings.cache);
    const facts = (id: PackageId) => releasedFacts(id) ?? cached?.get(id);
    const instrumentation = together([
      ...(this.own.instrumentation ? [this.own.instrumentation] : []),
      this.coverage.instrumentation,
    ]);
    const code = { of: () => undefined, instrumentation };
    const checked = new CheckedPackages(undefined, '', code, facts);
    const reader = { package: (id: PackageId) => known.get(id) };
    const { main, packages } = readDar(bytes, reader, { checked, name: file });
    for (const each of packages) if (!known.has(each.id)) known.set(each.id, each);
    for (const { path, text } of darSources(bytes)) {
      const within = MODULE_PATH.exec(path)?.[1];
      if (within === undefined) continue;
      const key = `${main.id}:${within.replaceAll('/', '.')}`;
      this.sources.set(key, { path: `${within}.daml`, text });
    }
    return main;
  }

  private choose(): readonly DamlPackage[] {
    const { packages: names = [] } = this.settings;
    const named = names.map((name) => {
      const [newest] = this.packages.versionsOf(name);
      if (newest === undefined)
        throw new FuzzSettingsError(`There is no package ${name} in ${this.settings.file}.`);
      return newest;
    });
    if (named.length > 0) return named;
    if (hasTemplates(this.main)) return [this.main];
    const ids = this.main.dependencies.map((id) => this.packages.package(id));
    const chosen = ids.filter((each) => each !== undefined && hasTemplates(each));
    if (chosen.length === 0)
      throw new FuzzSettingsError(`${this.main.name} and its dependencies have no templates.`);
    return chosen as readonly DamlPackage[];
  }

  private ownStart(): StartState {
    const { setup, parties } = this.settings;
    if (setup === undefined) return plainStart(parties);
    return startFromScript(this.packages, this.script(setup));
  }

  /** A script of the DAR, or of one of the further DARs. */
  private script(name: string): Script {
    const [module = '', value = ''] = name.split(':');
    const has = (of: DamlPackage): boolean =>
      of instanceof DarPackage && of.valueType(module, value) !== undefined;
    const of = this.packages.all().find((each) => each !== this.main && has(each));
    return scriptNamed(has(this.main) ? this.main : (of ?? this.main), name);
  }

  private actionSet(custom: readonly CustomAction[]): ActionSet {
    const { only, exclude, weights = {} } = this.settings;
    return new ActionSet({
      packages: this.packages,
      chosen: this.chosen,
      ...(only && { only }),
      ...(exclude && { exclude }),
      weights: new Map(Object.entries(weights)),
      custom,
    });
  }
}

const hasTemplates = ({ templates, interfaces }: DamlPackage): boolean =>
  templates.size > 0 || interfaces.size > 0;
