/** A fuzzed ledger with checks, for tests that choose each submission. */
import {
  readDar,
  type Command,
  type DamlPackage,
  type DamlRecord,
  type DamlValue,
} from '../../src/daml/index.js';
import { FuzzLedger } from '../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart } from '../../src/fuzzing/ledger/start-state.js';
import type { Check, Finding } from '../../src/fuzzing/model/finding.js';
import type { Submitted } from '../../src/fuzzing/model/outcome.js';
import type { StartState } from '../../src/fuzzing/model/state.js';
import type { Step, Submission } from '../../src/fuzzing/model/step.js';
import { ScriptPackages } from '../../src/script/packages.js';
import { buildDar } from '../support/daml/dar-builder.js';
import type { EncodedPackage } from '../support/daml/lf-encoder.js';

/** Commands for the templates of the module `Main` of a package. */
export class CheckedLedger {
  readonly packages: ScriptPackages;
  readonly ledger: FuzzLedger;
  /** All findings until now. */
  readonly findings: Finding[] = [];
  readonly checks: readonly Check[];
  private readonly running;
  private steps = 0;

  constructor(
    private readonly main: EncodedPackage,
    given: readonly Check[] | ((packages: ScriptPackages, main: DamlPackage) => readonly Check[]),
    {
      dependencies = [],
      start = plainStart(['Alice', 'Bob', 'Carol']),
    }: { dependencies?: readonly EncodedPackage[]; start?: StartState } = {},
  ) {
    const dar = readDar(buildDar(main, ...dependencies));
    this.packages = new ScriptPackages(dar.packages);
    this.checks = typeof given === 'function' ? given(this.packages, dar.main) : given;
    this.ledger = new FuzzLedger(this.packages, start);
    this.running = this.checks.map((check) => check.start(this.ledger, this.ledger.probe));
  }

  id(template: string): string {
    return template.includes(':') ? template : `${this.main.id}:Main:${template}`;
  }

  creation(template: string, payload: DamlRecord): Command {
    return { kind: 'create', templateId: this.id(template), payload };
  }

  use(template: string, contractId: string, choice: string, argument: DamlValue = {}): Command {
    return { kind: 'exercise', templateId: this.id(template), contractId, choice, argument };
  }

  step(step: DistributiveOmit<Step, 'number'>): readonly Submitted[] {
    const numbered = { ...step, number: this.steps++ } as Step;
    for (const each of this.running) each.beforeStep?.(numbered, this.ledger);
    const outcome = this.ledger.run(numbered);
    for (const each of this.running)
      this.findings.push(...(each.afterStep?.(outcome, this.ledger) ?? []));
    return outcome.submitted;
  }

  submit(actAs: readonly string[], ...commands: readonly Command[]): Submitted {
    return this.step({ kind: 'submit', submission: submissionOf(actAs, commands) })[0]!;
  }

  race(actAs: readonly string[], first: Command, second: Command): readonly Submitted[] {
    const submissions = [first, second].map((each) => submissionOf(actAs, [each]));
    return this.step({ kind: 'race', submissions: submissions as [Submission, Submission] });
  }

  /** Creates a contract and returns its id. */
  create(actAs: readonly string[], template: string, payload: DamlRecord): string {
    const { error } = this.submit(actAs, this.creation(template, payload));
    if (error !== undefined) throw error;
    return this.newest();
  }

  /** The id of the newest contract. */
  newest(): string {
    return [...this.ledger.active()].at(-1)!.contractId;
  }

  /** Ends the sequence and the run. */
  end(): readonly Finding[] {
    for (const each of this.running) this.findings.push(...(each.atEnd?.(this.ledger) ?? []));
    for (const each of this.checks)
      for (const { finding } of each.atEndOfRun?.() ?? []) this.findings.push(finding);
    return this.findings;
  }

  /** `check: place`, with `note` before it for a note. */
  get summaries(): readonly string[] {
    return this.findings.map(
      ({ check, place, isNote }) => `${isNote === true ? 'note ' : ''}${check}: ${place}`,
    );
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

const submissionOf = (actAs: readonly string[], commands: readonly Command[]): Submission => ({
  actAs,
  readAs: [],
  commands,
});
