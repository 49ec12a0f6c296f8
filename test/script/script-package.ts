/**
 * A package of scripts for tests, with the library that they are written with, and what its templates are.
 */
import { readDar } from '../../src/daml/index.js';
import { scriptNamed } from '../../src/script/find-scripts.js';
import { ScriptPackages } from '../../src/script/packages.js';
import { testScript, type TestOptions } from '../../src/script/test-script.js';
import { buildDar } from '../support/daml/dar-builder.js';
import { e, u, type Code } from '../support/daml/lf-code.js';
import {
  encodePackage,
  type EncodedPackage,
  type ModuleSpec,
  type PackageSpec,
} from '../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../support/daml/lf-types.js';
import {
  scriptsWith,
  standardLibrary,
  type ScriptLibrary,
} from '../support/daml/script-library.js';
import { shown } from '../support/daml/shown-value.js';

export const ASSET = t.con('Main:Asset');
export const ASSET_ID = t.contractId(ASSET);
const field = (name: string) => e.field(ASSET, name, e.var('this'));
const owners = e.list(t.party, [field('owner')]);
const done = (type: LfTypeSpec, value: Code) => u.pure(type, value);
const choiceOf = (argument: string, returns: LfTypeSpec, update: Code, consuming = false) => ({
  consuming,
  argument: t.con(`Main:${argument}`),
  returns,
  controllers: owners,
  update,
});

export const failing = (message: string): Code =>
  e.call(
    e.builtin('FAIL_WITH_STATUS', t.unit),
    e.text('some/error'),
    e.failureCategory(0),
    e.text(message),
    e.builtin('TEXTMAP_EMPTY', t.text),
  );

const main: ModuleSpec = {
  types: {
    Rename: { record: { name: t.text } },
    Tell: { record: {} },
    Refuse: { record: {} },
    Abort: { record: {} },
    Say: { record: {} },
    Oops: { record: { reason: t.text } },
    View: { record: { shown: t.text } },
  },
  exceptions: {
    Oops: e.lambda({ x: t.con('Main:Oops') }, e.field(t.con('Main:Oops'), 'reason', e.var('x'))),
  },
  interfaces: { Named: { view: t.con('Main:View') } },
  templates: {
    Asset: {
      fields: { owner: t.party, viewers: t.list(t.party), name: t.text },
      precondition: e.call(e.builtin('LESS', t.text), e.text(''), field('name')),
      signatories: owners,
      observers: field('viewers'),
      implements: {
        'Main:Named': {
          view: e.record(t.con('Main:View'), { shown: field('name') }),
          methods: {},
        },
      },
      choices: {
        Rename: choiceOf(
          'Rename',
          ASSET_ID,
          u.create(
            'Main:Asset',
            e.with(
              ASSET,
              'name',
              e.var('this'),
              e.field(t.con('Main:Rename'), 'name', e.var('arg')),
            ),
          ),
          true,
        ),
        Tell: choiceOf('Tell', t.text, done(t.text, field('name'))),
        Refuse: choiceOf('Refuse', t.unit, done(t.unit, failing('No, never'))),
        Abort: choiceOf(
          'Abort',
          t.unit,
          done(t.unit, e.call(e.builtin('ERROR', t.unit), e.text('aborted'))),
        ),
        Say: choiceOf(
          'Say',
          t.unit,
          done(t.unit, e.call(e.builtin('TRACE', t.unit), e.text('said inside'), e.unit)),
        ),
      },
    },
  },
};

/** A party's own. */
export const asset = (owner: Code, name = 'gold', viewers: Code = e.nil(t.party)): Code =>
  e.record(ASSET, { owner, viewers, name: e.text(name) });

interface SubmitOptions {
  readonly behaviour?: 'MustSucceed' | 'MustFail' | 'Try';
  readonly readAs?: Code;
  readonly disclosures?: readonly Code[];
  readonly prefetched?: readonly Code[];
  /** Of the question. */
  readonly version?: number;
}

export interface ScriptSpec {
  readonly result: LfTypeSpec;
  readonly code: Code;
}

/** The functions for packages of scripts that are compiled with a library. */
export function kitOf(library: ScriptLibrary) {
  const s = scriptsWith(library);
  const isStable = library.parts.length > 0;

  /** A map of texts to values of any type. */
  const dataOf = (members: Readonly<Record<string, Code>>): Code =>
    Object.entries(members).reduce(
      (map, [name, value]) =>
        e.call(
          e.builtin('GENMAP_INSERT', t.text, VALUE()),
          e.text(name),
          s.cast(t.bool, VALUE(), value),
          map,
        ),
      e.builtin('GENMAP_EMPTY', t.text, VALUE()),
    );

  const createCmd = (payload: Code): Code =>
    commandOf('Create', { argC: s.anyTemplate(ASSET, payload) });

  const anyId = (id: Code): Code => e.call(e.builtin('COERCE_CONTRACT_ID', ASSET, t.unit), id);

  const exerciseCmd = (
    id: Code,
    choice: string,
    fields: Readonly<Record<string, Code>> = {},
  ): Code => {
    const type = t.con(`Main:${choice}`);
    return commandOf('Exercise', {
      tplId: s.rep(ASSET),
      cId: anyId(id),
      argE: s.anyChoice(ASSET, type, e.record(type, fields)),
    });
  };

  const createAndExerciseCmd = (payload: Code, choice: string): Code => {
    const type = t.con(`Main:${choice}`);
    return commandOf('CreateAndExercise', {
      tplArgCE: s.anyTemplate(ASSET, payload),
      choiceArgCE: s.anyChoice(ASSET, type, e.record(type, {})),
    });
  };

  /** @param isExact just in the version of the package that it names */
  function commandOf(name: string, fields: Readonly<Record<string, Code>>, isExact = false): Code {
    const held = e.record(s.question(`Commands:Command.${name}`), fields);
    return e.record(s.question('Commands:CommandWithMeta'), {
      command: e.variant(s.question('Commands:Command'), name, held),
      ...(isStable
        ? { additionalData: dataOf({ explicitPackageId: e.bool(isExact) }) }
        : { explicitPackageId: e.bool(isExact) }),
    });
  }

  const VALUE = () => s.low('LedgerValue');

  /** A submission as one party; its answer is a list of results. */
  function submit(party: Code, commands: readonly Code[], options: SubmitOptions = {}): Code {
    const {
      behaviour = 'MustSucceed',
      readAs = e.nil(t.party),
      disclosures = [],
      prefetched = [],
      version = isStable ? 3 : 2,
    } = options;
    const disclosed = s.question('Commands:Disclosure');
    const submission = e.record(s.question('Submit:Submission'), {
      sActAs: e.record(s.low('NonEmpty', t.party), { hd: party, tl: e.nil(t.party) }),
      sReadAs: readAs,
      sDisclosures: e.list(disclosed, disclosures),
      sPackagePreference: e.none(t.list(s.question('Submit:PackageId'))),
      sPrefetchKeys: e.list(s.question('Commands:AnyContractKey'), prefetched),
      sErrorBehaviour: e.enum(
        library.nameOf('Daml.Script.Internal.Questions.Submit:ErrorBehaviour'),
        behaviour,
      ),
      sCommands: e.list(s.question('Commands:CommandWithMeta'), commands),
      sLocation: e.none(s.low('Located')),
    });
    const list = t.list(s.question('Submit:Submission'));
    const given = e.list(s.question('Submit:Submission'), [submission]);
    return s.ask('Submit', version, [[list, given]], VALUE());
  }

  const allocate = (name: string): Code =>
    s.ask(
      'AllocateParty',
      2,
      [
        [t.text, e.text('')],
        [t.text, e.text(name)],
        [t.list(t.text), e.nil(t.text)],
      ],
      t.party,
    );

  const ANSWER: LfTypeSpec = VALUE();

  /** One step after the other; each knows the results of those before by their names. */
  function steps(
    first: readonly (readonly [name: string, type: LfTypeSpec, step: Code])[],
    [type, last]: readonly [LfTypeSpec, Code],
  ): Code {
    return first.reduceRight(
      (rest, [name, of, step]) => s.then(step, [name, of], rest, type),
      last,
    );
  }

  /** Main's scripts. */
  function packageOf(
    scripts: Readonly<Record<string, ScriptSpec>>,
    more: ModuleSpec = {},
    lf: PackageSpec['lf'] = '1',
  ) {
    const values = Object.fromEntries(
      Object.entries(scripts).map(([name, { result, code }]) => [
        name,
        { type: s.of(result), expression: code },
      ]),
    );
    const types = { ...main.types, ...more.types };
    const templates = { ...main.templates, ...more.templates };
    const module = { ...main, ...more, templates, types, values: { ...values, ...more.values } };
    return encodePackage({
      name: 'script-tests',
      lf,
      imports: [library.main.id],
      modules: { Main: module },
    });
  }

  const darOf = (own: EncodedPackage): Uint8Array => buildDar(own, library.main, ...library.parts);

  function runnerOf(own: EncodedPackage, ...others: readonly EncodedPackage[]) {
    const { main: of, packages: all } = readDar(
      buildDar(own, library.main, ...library.parts, ...others),
    );
    const packages = new ScriptPackages(all);
    return (name: string, options?: TestOptions) => {
      const { result, ...rest } = testScript(packages, scriptNamed(of, `Main:${name}`), options);
      return { result: shown(result), ...rest };
    };
  }

  return {
    s,
    createCmd,
    exerciseCmd,
    createAndExerciseCmd,
    commandOf,
    submit,
    allocate,
    ANSWER,
    steps,
    packageOf,
    darOf,
    runnerOf,
  };
}

export const library = standardLibrary();
export const {
  s,
  createCmd,
  exerciseCmd,
  createAndExerciseCmd,
  commandOf,
  submit,
  allocate,
  ANSWER,
  steps,
  packageOf,
  darOf,
  runnerOf,
} = kitOf(library);
