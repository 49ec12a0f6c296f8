/**
 * Runs expressions on a ledger: each becomes the result of a choice of `Main:Probe`, in a generated package.
 * Returns the result as Ledger API JSON, or the error.
 */
import { createCanticle, LedgerError, type Canticle } from 'canticle';
import { DarPackage } from '../../../src/daml/dar/dar-package.js';
import { readArchive, type LfArchive } from '../../../src/daml/archive/lf-archive.js';
import { LfPackage } from '../../../src/daml/archive/lf-package.js';
import { LfWorld } from '../../../src/daml/archive/lf-world.js';
import type { DamlPackage } from '../../../src/daml/model/package.js';
import { buildDar } from './dar-builder.js';
import { e, u, type Code } from './lf-code.js';
import {
  encodePackage,
  type EncodedPackage,
  type ModuleSpec,
  type PackageSpec,
} from './lf-encoder.js';
import { t, type LfTypeSpec } from './lf-types.js';

export interface Question {
  readonly type: LfTypeSpec;
  /** A value; `arg` is unit. */
  readonly value?: Code;
  /** An update; `this` is the probe, `self` its id. */
  readonly update?: Code;
}

export interface Refusal {
  readonly refused: string;
  readonly cause: string;
  readonly context: Readonly<Record<string, string>>;
  readonly resources: readonly (readonly [type: string, value: string])[];
}

const PROBE = t.con('Main:Probe');
export const OWNER = e.field(PROBE, 'owner', e.var('this'));

/** The `Main` module with a probe for the expressions, and their other definitions. */
export function probeModule(
  questions: Readonly<Record<string, Question>>,
  more: ModuleSpec = {},
): ModuleSpec {
  const owners = e.list(t.party, [OWNER]);
  const choices = Object.entries(questions).map(([name, { type, value, update }]) => [
    name,
    {
      consuming: false,
      argument: t.unit,
      returns: type,
      controllers: owners,
      update: update ?? u.pure(type, value!),
    },
  ]);
  const probe = {
    fields: { owner: t.party },
    signatories: owners,
    precondition: e.true,
    choices: Object.fromEntries(choices),
  };
  return { ...more, templates: { ...more.templates, Probe: probe } };
}

/** Enough calls to switch compiled code to its deep form, with frames on the heap. */
const DEEP = e.int(4_000);
const [DEEPLY, RUN_DEEPLY] = [e.value('Main:deeply'), e.value('Main:runDeeply')];
const A = t.var('a');
const UPDATE_A = t.builtin(17, A);
const rest = e.call(e.builtin('SUB_INT64'), e.var('n'), e.int(1));
const atTheBottom = e.call(e.builtin('EQUAL', t.int64), e.var('n'), e.int(0));

const DEEPENING: NonNullable<ModuleSpec['values']> = {
  deeply: {
    type: t.forall('a', t.arrow(t.int64, t.arrow(t.arrow(t.unit, A), A))),
    expression: e.forType(
      'a',
      e.lambda(
        { n: t.int64, f: t.arrow(t.unit, A) },
        e.if(
          atTheBottom,
          e.call(e.var('f'), e.unit),
          e.let([['result', A, e.call(e.at(DEEPLY, A), rest, e.var('f'))]], e.var('result')),
        ),
      ),
    ),
  },
  runDeeply: {
    type: t.forall('a', t.arrow(t.int64, t.arrow(t.arrow(t.unit, UPDATE_A), UPDATE_A))),
    expression: e.forType(
      'a',
      e.lambda(
        { n: t.int64, f: t.arrow(t.unit, UPDATE_A) },
        e.if(
          atTheBottom,
          e.call(e.var('f'), e.unit),
          u.block(
            [['result', A, e.call(e.at(RUN_DEEPLY, A), rest, e.var('f'))]],
            u.pure(A, e.var('result')),
          ),
        ),
      ),
    ),
  },
};

/** The same expressions, deep in a recursion. */
export function deepened(
  questions: Readonly<Record<string, Question>>,
  more: ModuleSpec = {},
): readonly [Readonly<Record<string, Question>>, ModuleSpec] {
  const entries = Object.entries(questions).map(
    ([name, { type, value, update }]): [string, Question] => [
      name,
      value === undefined
        ? {
            type,
            update: e.call(e.at(RUN_DEEPLY, type), DEEP, e.lambda({ unit: t.unit }, update!)),
          }
        : { type, value: e.call(e.at(DEEPLY, type), DEEP, e.lambda({ unit: t.unit }, value)) },
    ],
  );
  return [Object.fromEntries(entries), { ...more, values: { ...more.values, ...DEEPENING } }];
}

export interface LfLedger {
  readonly canticle: Canticle;
  readonly alice: string;
  readonly bob: string;
  /** The result of an expression that Alice runs. */
  evaluate(name: string): unknown;
  /** The explanation of the refusal that an expression gets. */
  explain(name: string): string | undefined;
}

export function lfLedger(main: EncodedPackage, ...dependencies: EncodedPackage[]): LfLedger {
  const canticle = createCanticle({ seed: 1, alphaVersionSupport: true });
  canticle.participant.uploadDar(buildDar(main, ...dependencies));
  return probing(canticle, main);
}

/** The same on synchronizers of protocol version 34. */
export function earlierLedger(main: EncodedPackage): LfLedger {
  const canticle = createCanticle({ seed: 1, protocolVersion: 34, alphaVersionSupport: true });
  canticle.participant.uploadDar(buildDar(main));
  return probing(canticle, main);
}

/**
 * A package without type-checking: for types of the standard library, whose packages exist only in real DARs.
 * Values of such types are known.
 */
export function uncheckedPackage(encoded: EncodedPackage): DamlPackage {
  return uncheckedPackages([encoded])[0]!;
}

/** The same of packages that refer to each other. */
export function uncheckedPackages(encoded: readonly EncodedPackage[]): readonly DamlPackage[] {
  const packages = encoded.map(({ dalf }) => new LfPackage(readArchive(dalf) as LfArchive));
  const world = new LfWorld(new Map(packages.map((lf) => [lf.id, lf])));
  return packages.map((lf) => new DarPackage(lf, world));
}

export function uncheckedLedger(main: EncodedPackage): LfLedger {
  return probing(createCanticle({ seed: 1, packages: [uncheckedPackage(main)] }), main);
}

function probing(canticle: Canticle, main: EncodedPackage): LfLedger {
  const { participant } = canticle;
  const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
  ];
  const template = `${main.id}:Main:Probe`;
  const probe = participant.create(template, { owner: alice }, { actAs: [alice] });
  const run = (name: string): unknown =>
    participant.exercise(template, probe, name, {}, { actAs: [alice] }).result;
  return {
    canticle,
    alice,
    bob,
    evaluate: (name) => answer(() => run(name)),
    explain: (name) => {
      try {
        run(name);
        return undefined;
      } catch (error) {
        if (!(error instanceof LedgerError)) throw error;
        return error.details.explanation;
      }
    },
  };
}

export function answer(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const { cause, context = {}, resources = [] } = error.details;
    return { refused: error.code, cause, context, resources } satisfies Refusal;
  }
}

/** Runs each expression once; results by name. */
export function evaluateEach(
  questions: Readonly<Record<string, Question>>,
  more: ModuleSpec = {},
  options: Omit<PackageSpec, 'modules'> = {},
): Readonly<Record<string, unknown>> {
  const ledger = lfLedger(
    encodePackage({ ...options, modules: { Main: probeModule(questions, more) } }),
  );
  return Object.fromEntries(Object.keys(questions).map((name) => [name, ledger.evaluate(name)]));
}
