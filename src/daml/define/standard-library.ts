/**
 * The other stable packages of Daml's standard library, which every participant has from the start. Their archives
 * are identical to the archives that the Daml compiler writes. If a DAR contains one of these packages, the package
 * of the DAR replaces it.
 */
import {
  TEXT,
  INT64,
  BOOL,
  ANY,
  TYPE_REP,
  variable,
  A,
  list,
  arrow,
  applied,
  record,
  generic,
  variant,
  CODE_ALONE,
  make,
  construct,
  select,
  type Library,
} from './library-notation.js';
import type { DamlPackage } from '../model/package.js';
import type { DamlType, DataType, PackageId, QualifiedName } from '../model/types.js';
import { packageArchive, type Written } from '../writing/package-archive.js';
import type { CodeType } from '../writing/tables.js';

const exception = (name: string, id: PackageId): Library => ({
  name: `daml-prim-DA-Exception-${name}`,
  id,
  types: [record(name, { message: TEXT })],
  values: [make(name)],
  exceptions: [name],
});

const TYPES_ID = '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4';
const NON_EMPTY_ID = 'bde4bd30749e99603e5afa354706608601029e225d4983324d617825b634253a';
const SOURCE_LOCATION = {
  srcLocPackage: TEXT,
  srcLocModule: TEXT,
  srcLocFile: TEXT,
  srcLocStartLine: INT64,
  srcLocStartCol: INT64,
  srcLocEndLine: INT64,
  srcLocEndCol: INT64,
};

const LIBRARIES: readonly Library[] = [
  exception('ArithmeticError', 'ee33fb70918e7aaa3d3fc44d64a399fb2bf5bcefc54201b1690ecd448551ba88'),
  exception('AssertionFailed', '6da1f43a10a179524e840e7288b47bda213339b0552d92e87ae811e52f59fc0e'),
  exception('GeneralError', 'f181cd661f7af3a60bdaae4b0285a2a67beb55d6910fc8431dbae21a5825ec0f'),
  exception(
    'PreconditionFailed',
    '91e167fa7a256f21f990c526a0a0df840e99aeef0e67dc1f5415b0309486de74',
  ),
  {
    name: 'daml-prim-DA-Internal-Erased',
    id: '0e4a572ab1fb94744abb02243a6bbed6c78fc6e3c8d3f60c655f057692a62816',
    types: [variant('Erased', [], CODE_ALONE)],
  },
  {
    name: 'daml-prim-DA-Internal-NatSyn',
    id: 'e5411f3d75f072b944bd88e652112a14a3d409c491fd9a51f5f6eede6d3a3348',
    types: [variant('NatSyn', [], { params: ['n'], ...CODE_ALONE })],
    naturals: ['n'],
  },
  {
    name: 'daml-prim-DA-Internal-PromotedText',
    id: 'ab068e2f920d0e06347975c2a342b71f8b8e3b4be0f02ead9442caac51aa8877',
    types: [variant('PromotedText', [], { params: ['t'], ...CODE_ALONE })],
  },
  {
    name: 'daml-prim-GHC-Prim',
    id: 'fcee8dfc1b81c449b421410edd5041c16ab59c45bbea85bcb094d1b17c3e9df7',
    types: [{ name: 'Void$u0023', body: ['Void$u0023'], ...CODE_ALONE }],
    values: [{ of: 'Void$u0023', constant: 'void$u0023' }],
  },
  {
    name: 'daml-prim-GHC-Tuple',
    id: '19f0df5fdaf5a96e137b6ea885fdb378f37bd3166bd9a47ee11518e33fa09a20',
    types: [generic('Unit', { _1: A })],
    values: [make('Unit')],
  },
  {
    name: 'daml-prim-GHC-Types',
    id: 'e7e0adfa881e7dbbb07da065ae54444da7c4bccebcb8872ab0cb5dcf9f3761ce',
    types: [{ name: 'Ordering', body: ['LT', 'EQ', 'GT'] }],
  },
  {
    name: 'daml-stdlib-DA-Action-State-Type',
    id: 'a1fa18133ae48cbb616c4c148e78e661666778c3087d099067c7fe1868cbb3a1',
    types: [
      record(
        'State',
        {
          runState: arrow(variable('s'), applied(`${TYPES_ID}:DA.Types:Tuple2`, A, variable('s'))),
        },
        { params: ['s', 'a'], ...CODE_ALONE },
      ),
    ],
    values: [...select('State', 'runState'), make('State')],
    dependencies: [TYPES_ID],
  },
  {
    name: 'daml-stdlib-DA-Date-Types',
    id: 'fa79192fe1cce03d7d8db36471dde4cf6c96e6d0f07e1c391dd49e355af9b38c',
    types: [
      {
        name: 'DayOfWeek',
        body: 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' '),
      },
      { name: 'Month', body: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ') },
    ],
  },
  {
    name: 'ghc-stdlib-DA-Internal-Any',
    id: '6f8e6085f5769861ae7a40dccd618d6f747297d59b37cab89b93e2fa80b0c024',
    types: [
      record('AnyTemplate', { getAnyTemplate: ANY }, CODE_ALONE),
      record('TemplateTypeRep', { getTemplateTypeRep: TYPE_REP }, CODE_ALONE),
      record(
        'AnyChoice',
        {
          getAnyChoice: ANY,
          getAnyChoiceTemplateTypeRep: applied(':DA.Internal.Any:TemplateTypeRep'),
        },
        CODE_ALONE,
      ),
      record(
        'AnyContractKey',
        {
          getAnyContractKey: ANY,
          getAnyContractKeyTemplateTypeRep: applied(':DA.Internal.Any:TemplateTypeRep'),
        },
        CODE_ALONE,
      ),
    ],
  },
  {
    name: 'daml-stdlib-DA-Internal-Down',
    id: '86d888f34152dae8729900966b44abcb466b9c111699678de58032de601d2b04',
    types: [generic('Down', { unpack: A })],
    values: [make('Down')],
  },
  {
    name: 'daml-stdlib-DA-Internal-Fail-Types',
    id: '7adc4c2d07fa3a51173c843cba36e610c1168b2dbbf53076e20c0092eae8763d',
    types: [
      record(
        'FailureStatus',
        {
          errorId: TEXT,
          category: { kind: 'failureCategory' },
          message: TEXT,
          meta: { kind: 'textMap', of: TEXT },
        },
        CODE_ALONE,
      ),
    ],
    values: [
      make('FailureStatus'),
      ...select('FailureStatus', 'errorId', 'category', 'message', 'meta'),
    ],
  },
  {
    name: 'daml-stdlib-DA-Internal-Interface-AnyView-Types',
    id: 'c280cc3ef501d237efa7b1120ca3ad2d196e089ad596b666bed59a85f3c9a074',
    types: [
      record(
        'AnyView',
        {
          getAnyView: ANY,
          getAnyViewInterfaceTypeRep: applied(
            ':DA.Internal.Interface.AnyView.Types:InterfaceTypeRep',
          ),
        },
        CODE_ALONE,
      ),
      record('InterfaceTypeRep', { getInterfaceTypeRep: TYPE_REP }, CODE_ALONE),
    ],
    values: [
      ...select('AnyView', 'getAnyView', 'getAnyViewInterfaceTypeRep'),
      make('AnyView'),
      ...select('InterfaceTypeRep', 'getInterfaceTypeRep'),
      make('InterfaceTypeRep'),
    ],
  },
  {
    name: 'daml-stdlib-DA-Logic-Types',
    id: 'cae345b5500ef6f84645c816f88b9f7a85a9f3c71697984abdf6849f81e80324',
    types: [
      variant(
        'Formula',
        [
          ['Proposition', A],
          ['Negation', applied(':DA.Logic.Types:Formula', A)],
          ['Conjunction', list(applied(':DA.Logic.Types:Formula', A))],
          ['Disjunction', list(applied(':DA.Logic.Types:Formula', A))],
        ],
        { params: ['a'] },
      ),
    ],
    values: ['Proposition', 'Negation', 'Conjunction', 'Disjunction'].map(construct),
  },
  {
    name: 'daml-stdlib-DA-Monoid-Types',
    id: '52854220dc199884704958df38befd5492d78384a032fd7558c38f00e3d778a2',
    types: [
      record('All', { getAll: BOOL }),
      record('Any', { getAny: BOOL }),
      generic('Endo', { appEndo: arrow(A, A) }, CODE_ALONE),
      generic('Sum', { unpack: A }),
      generic('Product', { unpack: A }),
    ],
    values: [
      ...select('All', 'getAll'),
      ...select('Any', 'getAny'),
      ...select('Endo', 'appEndo'),
      ...['All', 'Any', 'Endo', 'Sum', 'Product'].map(make),
    ],
  },
  {
    name: 'daml-stdlib-DA-NonEmpty-Types',
    id: NON_EMPTY_ID,
    types: [generic('NonEmpty', { hd: A, tl: list(A) })],
    values: [make('NonEmpty'), ...select('NonEmpty', 'hd', 'tl')],
  },
  {
    name: 'daml-stdlib-DA-Random-Types',
    id: 'bfda48f9aa2c89c895cde538ec4b4946c7085959e031ad61bde616b9849155d7',
    types: [variant('Minstd', [['Minstd', INT64]])],
    values: [construct('Minstd')],
  },
  {
    name: 'daml-stdlib-DA-Semigroup-Types',
    id: 'd095a2ccf6dd36b2415adc4fa676f9191ba63cd39828dc5207b36892ec350cbc',
    types: [generic('Min', { unpack: A }), generic('Max', { unpack: A })],
    values: ['Min', 'Max'].map(make),
  },
  {
    name: 'daml-stdlib-DA-Stack-Types',
    id: '60c61c542207080e97e378ab447cc355ecc47534b3a3ebbff307c4fb8339bc4d',
    types: [record('SrcLoc', SOURCE_LOCATION)],
    values: [make('SrcLoc'), ...select('SrcLoc', ...Object.keys(SOURCE_LOCATION))],
  },
  {
    name: 'daml-stdlib-DA-Validation-Types',
    id: '3cde94fe9be5c700fc1d9a8ad2277e2c1214609f8c52a5b4db77e466875b8cb7',
    types: [
      variant(
        'Validation',
        [
          ['Errors', applied(`${NON_EMPTY_ID}:DA.NonEmpty.Types:NonEmpty`, variable('errs'))],
          ['Success', A],
        ],
        { params: ['errs', 'a'] },
      ),
    ],
    values: ['Errors', 'Success'].map(construct),
    dependencies: [NON_EMPTY_ID],
  },
];

/** The names of types that are never on a ledger, as packages read from a DAR have them. */
const OPAQUE: Readonly<Record<string, string>> = {
  any: 'Any',
  typeRep: 'TypeRep',
  failureCategory: 'FailureCategory',
  arrow: 'Arrow',
};

const NONE = new Map<QualifiedName, never>();

/** A package of the standard library whose parts are built on first use. */
class LibraryPackage implements DamlPackage {
  readonly version = '1.0.0';
  readonly languageVersion = 'typescript';
  readonly templates = NONE;
  readonly interfaces = NONE;
  private types: ReadonlyMap<QualifiedName, DataType> | undefined;
  private written: Uint8Array | undefined;

  constructor(private readonly library: Library) {}

  get id(): PackageId {
    return this.library.id;
  }

  get name(): string {
    return this.library.name;
  }

  get dependencies(): readonly PackageId[] {
    return this.library.dependencies ?? [];
  }

  get dataTypes(): ReadonlyMap<QualifiedName, DataType> {
    return (this.types ??= this.declared(this.id, (type) => ledgerType(type, this.id)));
  }

  get archive(): Uint8Array {
    return (this.written ??= this.write());
  }

  private write(): Uint8Array {
    const { values = [], exceptions, naturals } = this.library;
    const { name, version, languageVersion, templates, interfaces, dependencies } = this;
    const dataTypes = this.declared('', (type) => type as DamlType);
    const written: Written = {
      ...{ name, version, languageVersion, templates, interfaces, dependencies },
      dataTypes,
    };
    const options = { interfaces: NONE, library: values, exceptions, naturals };
    return packageArchive(written, options);
  }

  private declared(
    id: PackageId,
    of: (type: CodeType) => DamlType,
  ): ReadonlyMap<QualifiedName, DataType> {
    const module = this.name
      .replace(/^(?:daml-prim|daml-stdlib|ghc-stdlib)-/, '')
      .replaceAll('-', '.');
    return new Map(
      this.library.types.map(({ name, params = [], body, members = [], serializable = true }) => {
        const typed = members.map(([member, type]) => ({ name: member, type: of(type) }));
        return [
          `${module}:${name}`,
          {
            id: `${id}:${module}:${name}`,
            params,
            serializable,
            body:
              body === 'record'
                ? { kind: body, fields: typed }
                : body === 'variant'
                  ? { kind: body, constructors: typed }
                  : { kind: 'enum', constructors: body },
          },
        ];
      }),
    );
  }
}

function ledgerType(type: CodeType, own: PackageId): DamlType {
  const name = OPAQUE[type.kind];
  if (name !== undefined) return { kind: 'opaque', name };
  switch (type.kind) {
    case 'list':
      return { kind: 'list', of: ledgerType(type.of, own) };
    case 'con': {
      const id = type.id.startsWith(':') ? `${own}${type.id}` : type.id;
      return { kind: 'con', id, args: type.args.map((arg) => ledgerType(arg, own)) };
    }
    default:
      return type as DamlType;
  }
}

export const STANDARD_LIBRARY: readonly DamlPackage[] = LIBRARIES.map(
  (each) => new LibraryPackage(each),
);
