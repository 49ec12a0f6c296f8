/**
 * Hashes of keys as a participant computes them, by value (upstream SValueHashSpec and its recorded hashes): what is part of a hash, what
 * is not. For different keys on a ledger see key-hash.test.ts.
 */
import { decodeValue } from '../../../../src/daml/codec/json/codec.js';
import { hashContractKey } from '../../../../src/daml/contract/key-hash.js';
import type { LedgerError } from '../../../../src/daml/errors/ledger-error.js';
import type { PackageLookup } from '../../../../src/daml/model/package.js';
import type { DamlType } from '../../../../src/daml/model/types.js';
import {
  contractIdType,
  genMapType,
  INT64,
  listType,
  numericType,
  optionalType,
  PARTY,
  TEXT,
  textMapType,
} from '../../../support/daml/arbitrary-daml.js';
import {
  encodePackage,
  type ModuleSpec,
  type PackageSpec,
} from '../../../support/daml/lf-encoder.js';
import { uncheckedPackage } from '../../../support/daml/lf-probe.js';
import { t } from '../../../support/daml/lf-types.js';

const UNIT: DamlType = { kind: 'unit' };
const BOOL: DamlType = { kind: 'bool' };
const DATE: DamlType = { kind: 'date' };
const TIMESTAMP: DamlType = { kind: 'timestamp' };

const pair = { record: { _1: t.bool, _2: t.bool } };
const either = { variant: { Left: t.bool, Right: t.bool } };
const Mod: ModuleSpec = {
  types: {
    Color: { enum: ['Red', 'Green'] },
    ColorBis: { enum: ['Red', 'Green'] },
    Unit: { record: {} },
    UnitBis: { record: {} },
    Tuple: pair,
    TupleBis: pair,
    Either: either,
    EitherBis: either,
    Wrapper: { record: { f1: t.con('Mod:Id'), f2: t.con('Mod:Id') } },
    Id: { record: { id: t.contractId(t.con('Mod:Unit')) } },
  },
};
const record = (fields: readonly string[]) => ({
  record: Object.fromEntries(fields.map((field) => [field, t.optional(t.int64)])),
});
const Module: ModuleSpec = {
  types: {
    Labels: record(['a', 'b']),
    LabelsBis: record(['a', 'c']),
    Variant: { variant: { VariantCons: t.int64 } },
    Record: { record: { field1: t.text, field2: t.text } },
    ComplexRecord: {
      record: {
        fInt0: t.int64,
        fInt1: t.int64,
        fInt2: t.int64,
        fNumeric0: t.numeric(10),
        fNumeric1: t.numeric(10),
        fBool0: t.bool,
        fBool1: t.bool,
        fDate0: t.date,
        fDate1: t.date,
        fTime0: t.timestamp,
        fTime1: t.timestamp,
        fText0: t.text,
        fText1: t.text,
        fParty: t.party,
        fUnit: t.unit,
        fOpt0: t.optional(t.text),
        fOpt1: t.optional(t.text),
        fList: t.list(t.text),
        fVariant: t.con('Module:Variant'),
        fRecord: t.con('Module:Record'),
        fTextMap: t.textMap(t.int64),
        fGenMap: t.genMap(t.text, t.int64),
      },
    },
  },
};
/** The same types in two packages. In the third, all constructors have the reverse order and fields have other names. */
const reversed: ModuleSpec = {
  types: {
    Color: { enum: ['Green', 'Red'] },
    Either: { variant: { Right: t.bool, Left: t.bool } },
    Tuple: { record: { _1: t.bool, _3: t.bool } },
  },
};
const SPECS: readonly PackageSpec[] = [
  { name: 'types', modules: { Mod, Module } },
  { name: 'other-types', modules: { Mod, Module } },
  { name: 'types', version: '2.0.0', modules: { Mod: reversed } },
];
const [first, second, third] = SPECS.map((spec) => uncheckedPackage(encodePackage(spec)));
const byId = new Map([first!, second!, third!].map((each) => [each.id, each]));
const packages: PackageLookup = {
  package: (id) => byId.get(id),
  packageIdForName: () => undefined,
};
const of = (entity: string, module = 'Mod', { id } = first!): DamlType => ({
  kind: 'con',
  id: `${id}:${module}:${entity}`,
  args: [],
});

const hash = (type: DamlType, json: unknown, template = 'module:name', name = 'package-name-0') =>
  hashContractKey(packages, name, template, type, decodeValue(packages, type, json, 'key'));

/** Upstream's recorded hashes. */
const RECORDED: readonly (readonly [type: DamlType, json: unknown, hash: string])[] = [
  [UNIT, {}, 'f62eca9fc9bab6a5a5b717f6111b9609586a032018d4205c526b800544fd99b5'],
  [BOOL, true, 'd4cc54cc5976091934a3ee12ec2b520132a6dda36cac40d3162c96f97e1f8c97'],
  [BOOL, false, '8b0daaee451ede9af233b288824c5da49e1d6c556dceb7485997274107549df0'],
  [INT64, '-1', '3d66c7ab221c89443530015391ea87af1e10fd8cac01abfa6f01ab3e6ada16d7'],
  [INT64, '0', '4621d547cded869662e5acc56c6f75d6238d10c2b027f3a8a10a97627bfe86e2'],
  [INT64, '1', 'aa01894443a6d1d9ed9a99dbf58924e020f49a85461420cbb1b9862946552e2f'],
  [numericType(10), '-10000', '33c37af38ef97508b50d41e3290b616827bf52696b2539b45a41176e6bd5c906'],
  [numericType(10), '0', '50e9c5165eb244884d9655b978338d2400eaa2b3c92895b6fe4161e6f5ca952d'],
  [numericType(10), '10000', 'c46fc917be2f5c95d176c9cffc2491e2b33fd05b7989cdb61a389f32b7b68007'],
  [numericType(0), '-10000', '81962fa89850af97a2ee06712570deee1928457db56765974dd4e6c1736b270f'],
  [numericType(0), '0', '50e9c5165eb244884d9655b978338d2400eaa2b3c92895b6fe4161e6f5ca952d'],
  [numericType(0), '10000', 'c81106258111cb6f8bbc1d9431d07d44070a288fb173e6ad60f0d3f2ff2329dc'],
  [DATE, '1970-01-01', '6d1ef4e7b95f341f66bc8f94a1c12ab8f358caf0510eb664c205714d902b39db'],
  [DATE, '1969-07-21', 'b9dfa606542a685c7f21813d72905ba5359c7be09c3a317a5ef5d44cad640903'],
  [DATE, '2019-12-16', '979d9dcf88c9df99060f869f4a7b21e23741e408144390e5361bd25e4b180577'],
  [
    TIMESTAMP,
    '1970-01-01T00:00:00Z',
    'f49410fd61f1f7beb91c073d785769486ea232dcc385e911dbf08c1176d4b837',
  ],
  [
    TIMESTAMP,
    '1969-07-21T02:56:15Z',
    'e2f206c033c614c06381887f83fde5e38f38b52ae39c071ba81a6c66f0109599',
  ],
  [
    TIMESTAMP,
    '2019-12-16T11:17:54.940779Z',
    'da42e4bc200aa86d6efe910608a4e1ad07898bd1092c6790b4c825f6706cad16',
  ],
  [TEXT, '', '57c3611e722b737096f0ab664dc2964a92d3839ce8c426d95be0948bac252568'],
  [TEXT, 'someText', '535f15e8a498f26617491971912a1c88f719ea20a5abb4c7953b460fd14b43d1'],
  [TEXT, 'a¶‱😂', '540d35b67836a30df6d2f6ea4b90e0c0a7be715c80654e489277b2ef415751ae'],
  [PARTY, 'alice', '139d8de554edfcf11abcb5ce6895630bb2e1f5f0cbf4e40f997e0355f57df929'],
  [PARTY, 'bob', '4016f97b361f3cd99d3f36085003797b8975acee026ebe321bf5879bef428cf7'],
  [optionalType(BOOL), null, 'db5577a40bf044b539cd77e2637154f51700a7c0c8fb09d2db21ef148b1636bf'],
  [optionalType(BOOL), false, 'b3f6486a81b179467f85054418ac663d4e8efeef6c791106f0d7d34a611a722e'],
  [optionalType(BOOL), true, 'b25a8389bea5acc524d476fa85ffd0cd418bf5f27384e3a48a16f51786c24693'],
  [
    optionalType(optionalType(BOOL)),
    [[]],
    '971639ec394a60cbd7989df22a76e850d8f8a4a6a902b8a5e70e60cbbddea347',
  ],
  [
    optionalType(optionalType(BOOL)),
    [[false]],
    '59ef5b3cc46bc79df7c1f2949e440ddc560d3bbee4aa22c979984e7821eb8b0d',
  ],
  [listType(BOOL), [], '457ab65ab739e4c6032590702617acd6b5701c7f6d17e90203dc1ebc1a2ae8db'],
  [listType(BOOL), [false], 'ccda11599bc2a1c618cd94a6af8b3a1db97d35e9bdf9d6a61471a18c549e98c0'],
  [listType(BOOL), [true], 'c7bf23c955e881b64926d8aedc175e64d4735af4a28dbc8a139049f3382da9e3'],
  [
    listType(BOOL),
    [false, false],
    '339c3d3d77cb8ea8d453e31695ff97e32af013dcd07dbab09ea2a605b6800692',
  ],
  [
    listType(BOOL),
    [false, true],
    'edbe423c9fae816912ebae3537bab586bb10d69f9f6f76e786e1537505cc734a',
  ],
  [
    listType(BOOL),
    [true, false],
    '0008f2db89effbd49d04b0b274cc336d26da2134f5c912a7c17230e892d529e2',
  ],
  [textMapType(BOOL), {}, 'a062e9ea34284d30749fd68089125cce181478886288407415fd049645a07b71'],
  [
    textMapType(BOOL),
    { a: false },
    '2ad2c810cd48324349f6f208fb4abc83850e2378f6e34c4d9aaf45a5c34e4f56',
  ],
  [
    textMapType(BOOL),
    { a: true },
    'c7cd259be19783a4b832249454aa93f2f4ed608ae02a5225426fe659fd20fcd1',
  ],
  [
    textMapType(BOOL),
    { b: false },
    'd0347a688b1cafe5169597f59d970ccb1a4b0090ed3bd265c49c12d824161b31',
  ],
  [
    textMapType(BOOL),
    { a: false, b: false },
    'aed6cb431baee14d9ebe478e94ac9af14bcc58f6f1d64fe001722631ea0f5222',
  ],
  [
    textMapType(BOOL),
    { a: true, b: false },
    'ecbf5b7c02d19c42b530ee7ec4014866305fefd5c312fe08f22496e652d62e20',
  ],
  [
    textMapType(BOOL),
    { a: false, b: true },
    '7824d3539f957af853c564f4a5c0aea80d1b0bc0bf62a672b914f9229e5369de',
  ],
  [
    textMapType(BOOL),
    { a: false, c: false },
    '047ad2049845b96a1be0be2ca2bca3ba496a6a495ed95d62118deb2361ac6586',
  ],
  [genMapType(TEXT, BOOL), [], '1db4e497287130b04021dc8bf4cdbf772c3a5ac7728f73ef3001bcd866e75780'],
  [
    genMapType(TEXT, BOOL),
    [['a', false]],
    '012867e45032fdbbe0fc69bdc15c0bcad485634d2121559677bc211ad14d25ee',
  ],
  [
    genMapType(TEXT, BOOL),
    [['a', true]],
    'fb04e8e028682afdb4034aa61a542bc5b659fa3a0dc4552ca21444e97931dc40',
  ],
  [
    genMapType(TEXT, BOOL),
    [['b', false]],
    '045cd0462bfb8055a2c572ab357436ce3fd3cd8dff2f12df41f2c78f89dcdcb0',
  ],
  [
    genMapType(TEXT, BOOL),
    [
      ['a', false],
      ['b', false],
    ],
    'fe8da0c9304e57ab6d1b4fb054ba9b9376beb3f9bc98e7653b80f865eb00c047',
  ],
  [
    genMapType(TEXT, BOOL),
    [
      ['a', true],
      ['b', false],
    ],
    '3b4ab0c42a311b01fce111dc1c56995aa14d4b88dc7b6dcb6abb257c938807cd',
  ],
  [
    genMapType(TEXT, BOOL),
    [
      ['a', false],
      ['b', true],
    ],
    '3c2c165ff9cc37d3db113c6e4765cb1800781793548308c64ff64b7629e782f5',
  ],
  [
    genMapType(TEXT, BOOL),
    [
      ['a', false],
      ['c', false],
    ],
    '36e147e84b94dcdd6c950dd807cdb6a3a421e111e587e07d77b602066b8b964d',
  ],
  [of('Color'), 'Red', 'e1a230f4cae78564449d7e0d9d270909ac48667aa3834d43c2cc47b6d1a53056'],
  [of('Color'), 'Green', '0d71124de174ced81bfd5d63fa8508aa6cdb34cb453bb24e5d4c5e9274a2f0a9'],
  [of('ColorBis'), 'Green', '6c35df36b062accbc279ff12af609116197842a1b05e3ec2b505a9a75e3fd771'],
  [of('Unit'), {}, '184daf4f7d4a83e5c8d1f63cb0d376a8d712e6c5cb95346a2c22a6aa114599f0'],
  [of('UnitBis'), {}, 'befc094ea55128e9ac70a8eae2bce197f91424fe77b0d1c956cd3d387a9f85b4'],
  [
    of('Tuple'),
    { _1: false, _2: false },
    '528ea2d739eadba72789828abea33f5412d8102f6014d0a38d938a1ead681166',
  ],
  [
    of('Tuple'),
    { _1: true, _2: false },
    '1650925c5f9d47ff1595db1d8c9344d0ee8b81b4b8f697bb3ff767e461bba470',
  ],
  [
    of('Tuple'),
    { _1: false, _2: true },
    'd306ec7c235d7984208d04ec28674c28bc2c06094a951ea047f59cc7010029b5',
  ],
  [
    of('TupleBis'),
    { _1: false, _2: false },
    '8b5a433cbc3304d089e8ea2da26ec127e4ba539ec8dfd7f88502fb3c6bb4d457',
  ],
  [
    of('Either'),
    { tag: 'Left', value: false },
    '5186b12a7a988104b9ebac9e160a1ae92e5ba933836250992d3f2450deae2d76',
  ],
  [
    of('Either'),
    { tag: 'Left', value: true },
    '5e3aa13ec0c02a3d26c0756683e6c86acf874adb12fc4ae44a3c7e0de125bee6',
  ],
  [
    of('Either'),
    { tag: 'Right', value: false },
    'c07ba159d6cf6e8983eea9076e4500753013095f0f0d9c89fc12264c218e38d2',
  ],
  [
    of('EitherBis'),
    { tag: 'Left', value: false },
    '7d540bb736b613e05fae36047f8921d2e20a4fd775024bb1b15dca776cc65c26',
  ],
];

test.each(RECORDED)(
  'the key of type %j with the JSON %j has the hash %s',
  (type, json, expected) => {
    expect(hash(type, json)).toBe(expected);
  },
);

test('a record with fields of all types has the expected hash', () => {
  const json = {
    fInt0: '0',
    fInt1: '123456',
    fInt2: '-1',
    fNumeric0: '0',
    fNumeric1: '0.3333333333',
    fBool0: true,
    fBool1: false,
    fDate0: '1970-01-01',
    fDate1: '2308-01-06',
    fTime0: '1970-01-01T00:00:00Z',
    fTime1: '1970-01-01T00:00:00.123456Z',
    fText0: '',
    fText1: 'abcd-äöü€',
    fParty: 'Alice',
    fUnit: {},
    fOpt0: null,
    fOpt1: 'Some',
    fList: ['A', 'B', 'C'],
    fVariant: { tag: 'VariantCons', value: '0' },
    fRecord: { field1: 'field1', field2: 'field2' },
    fTextMap: { keyA: '0', keyB: '1' },
    fGenMap: [
      ['keyA', '0'],
      ['keyB', '1'],
    ],
  };
  expect(hash(of('ComplexRecord', 'Module'), json, 'Module:Template')).toBe(
    '71c28060678dcc5b193f248769672af758205c0520b12d69c680edbc9d5d0ea6',
  );
});

describe('a key hash', () => {
  const [left, red] = [{ tag: 'Left', value: true }, 'Red'];
  const both = { _1: true, _2: false };

  test.each<[what: string, one: string, other: string]>([
    ['the package name', hash(INT64, '1'), hash(INT64, '1', 'module:name', 'package-name-1')],
    ['the name of the template', hash(INT64, '1', 'Mod:A'), hash(INT64, '1', 'Mod:B')],
    ['the module of the template', hash(INT64, '1', 'A:B'), hash(INT64, '1', 'AA:B')],
    [
      'the boundary between module and entity name',
      hash(INT64, '1', 'A.B:C'),
      hash(INT64, '1', 'A:B.C'),
    ],
    ['the name of a record', hash(of('Tuple'), both), hash(of('TupleBis'), both)],
    [
      'the field names of a record',
      hash(of('Tuple'), both),
      hash(of('Tuple', 'Mod', third), { _1: true, _3: false }),
    ],
    [
      'the names of the fields that are not None',
      hash(of('Labels', 'Module'), { b: '1' }),
      hash(of('LabelsBis', 'Module'), { c: '1' }),
    ],
    ['the name of a variant', hash(of('Either'), left), hash(of('EitherBis'), left)],
    [
      'the position of a constructor',
      hash(of('Either'), left),
      hash(of('Either', 'Mod', third), left),
    ],
    ['the name of an enumeration', hash(of('Color'), red), hash(of('ColorBis'), red)],
    ['the type of a list', hash(listType(TEXT), ['a']), hash(listType(PARTY), ['a'])],
    [
      'the kind of a map',
      hash(textMapType(BOOL), { a: true }),
      hash(genMapType(TEXT, BOOL), [['a', true]]),
    ],
    ['the type of a number or time', hash(INT64, '0'), hash(TIMESTAMP, '1970-01-01T00:00:00Z')],
  ])('depends on %s', (_what, one, other) => {
    expect(one).not.toBe(other);
  });

  test.each<[what: string, one: string, other: string]>([
    ['the package of a record', hash(of('Tuple'), both), hash(of('Tuple', 'Mod', second), both)],
    ['the package of a variant', hash(of('Either'), left), hash(of('Either', 'Mod', second), left)],
    [
      'the package of an enumeration',
      hash(of('Color'), red),
      hash(of('Color', 'Mod', second), red),
    ],
    [
      'a None in the last field of a record',
      hash(of('Labels', 'Module'), { a: '1', b: null }),
      hash(of('Labels', 'Module'), { a: '1' }),
    ],
    ['the scale of a numeric', hash(numericType(10), '0'), hash(numericType(0), '0')],
  ])('does not depend on %s', (_what, one, other) => {
    expect(one).toBe(other);
  });
});

test('rejects a key with a contract id at any depth', () => {
  const id = `00${'ab'.repeat(32)}ca121220${'cd'.repeat(32)}`;
  const nested: readonly (readonly [DamlType, unknown])[] = [
    [contractIdType, id],
    [of('Wrapper'), { f1: { id }, f2: { id } }],
    [listType(contractIdType), [id, id]],
    [optionalType(contractIdType), id],
    [textMapType(contractIdType), { key1: id }],
    [genMapType(INT64, contractIdType), [['0', id]]],
  ];
  for (const [type, json] of nested)
    expect(() => hash(type, json)).toThrow(
      expect.objectContaining({ code: 'CONTRACT_ID_IN_CONTRACT_KEY' }) as LedgerError,
    );
});
