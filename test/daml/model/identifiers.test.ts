import {
  checkLedgerString,
  dottedNameError,
  fingerprintError,
  identifierError,
  ledgerStringError,
  nameError,
  packageIdError,
  packageNameError,
  packageReferenceError,
  parseTypeReference,
  partyError,
  requireArgument,
  typeReferenceFormError,
  uniqueIdentifierError,
  userIdError,
  type TextRule,
} from '../../../src/daml/model/identifiers.js';
import { LedgerError } from '../../../src/daml/errors/ledger-error.js';

const NAMESPACE = `1220${'ab'.repeat(32)}`;
const PACKAGE = 'cd'.repeat(32);

const refusal = (attempt: () => unknown): [string, string] => {
  try {
    attempt();
  } catch (error) {
    if (error instanceof LedgerError) return [error.code, error.details.cause];
    throw error;
  }
  throw new Error('accepted');
};

describe('identifiers', () => {
  it.each<[fact: string, rule: TextRule, good: readonly string[], bad: readonly string[]]>([
    [
      'B-ID-001 ledger strings',
      ledgerStringError,
      ['a b._:-#/9', 'x'.repeat(255)],
      ['', 'x'.repeat(256), 'a,b', 'é', 'a\n'],
    ],
    [
      'B-ID-003 parties',
      partyError,
      ['al ice:_-', 'x'.repeat(255)],
      ['', 'a.b', 'a#b', 'x'.repeat(256), '🎉'],
    ],
    ['B-ID-004 party hints', identifierError, ['a:b-c_d e'], ['', '🎉', 'a::b', 'x'.repeat(186)]],
    [
      'B-ID-005 users',
      userIdError,
      ["a@^$.!`-#+'~_|:()", 'x'.repeat(128)],
      ['', 'x'.repeat(129), 'a b', 'a/b', 'a\n'],
    ],
    ['B-ID-006 package ids', packageIdError, [PACKAGE, 'a-_ b'], ['', 'x'.repeat(65), 'a:b']],
    [
      'B-ID-007 package names',
      packageNameError,
      ['splice-amulet_2'],
      ['', 'a b', 'a.b', 'x'.repeat(256)],
    ],
    [
      'B-ID-008 names',
      nameError,
      ['$', '$a_9', 'foo$bar', 'baz$', '_', '_a9', 'foo_bar', 'baz_', 'A', 'x'.repeat(1000)],
      ['', '9a', 'a%', 'a-b', 'a@', 'a:', 'a.b', 'a#', 'à', 'ਊ', 'x'.repeat(1001)],
    ],
    [
      'B-ID-008 dotted names',
      dottedNameError,
      ['DA.Types', 'A', '$.$a9.foo$bar', '_._a9.foo_bar.baz_', 'a'.repeat(1000)].concat(
        `${'a'.repeat(500)}.${'a'.repeat(499)}`,
        `${'a.'.repeat(499)}aa`,
      ),
      ['', '.', '.A', 'A.', 'A..B', '.A.', 'A:B', 'A.9', 'a'.repeat(1001)].concat(
        `${'a'.repeat(500)}.${'a'.repeat(500)}`,
        `${'a.'.repeat(500)}a`,
      ),
    ],
    [
      'B-ID-009 unique ids',
      uniqueIdentifierError,
      [`alice::${NAMESPACE}`],
      ['alice', '::x', 'alice::', `a::${'x'.repeat(69)}`, 'a::b::c'],
    ],
    [
      'B-ID-010 fingerprints',
      fingerprintError,
      [NAMESPACE],
      [NAMESPACE.toUpperCase(), NAMESPACE.slice(1), `1221${NAMESPACE.slice(4)}`],
    ],
    [
      'package references',
      packageReferenceError,
      ['#canticle-quickstart', PACKAGE],
      ['#', '#a b', ''],
    ],
  ])('%s', (_fact, rule, good, bad) => {
    for (const text of good) expect([text, rule(text)]).toEqual([text, undefined]);
    for (const text of bad) expect([text, typeof rule(text)]).toEqual([text, 'string']);
  });

  const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
  it.each<[what: string, rule: TextRule, characters: string]>([
    ['package ids', packageIdError, '-_ '],
    ['parties', partyError, ':-_ '],
    ['ledger strings', ledgerStringError, '._:-#/ '],
    ['users', userIdError, "._-#!|@^$`+'~:()"],
    ['names', nameError, '$_'],
  ])('accepts only the allowed characters in %s', (_what, rule, characters) => {
    for (let code = 1; code <= 0xff; code += 1) {
      const character = String.fromCharCode(code);
      const isAllowed = LETTERS.includes(character) || characters.includes(character);
      expect([code, rule(`a${character}a`) === undefined]).toEqual([code, isAllowed]);
    }
    for (const text of ['español', '東京', 'λ→⋆']) expect(rule(text)).toBeDefined();
  });

  it("are rejected with the participant's messages", () => {
    expect(refusal(() => checkLedgerString('', 'command_id'))).toEqual([
      'MISSING_FIELD',
      'The submitted command is missing a mandatory field: command_id',
    ]);
    expect(refusal(() => checkLedgerString('a!', 'command_id'))).toEqual([
      'INVALID_FIELD',
      'The submitted command has a field with invalid value: Invalid field command_id: non expected character 0x21 in Daml-LF Ledger String "a!"',
    ]);
    expect(refusal(() => requireArgument(partyError, 'x'.repeat(256)))).toEqual([
      'INVALID_ARGUMENT',
      'The submitted request has invalid arguments: Daml-LF Party is too long (max: 255)',
    ]);
  });

  it('template references have a package, a module and an entity', () => {
    expect(parseTypeReference('#canticle-quickstart:Quickstart.Iou:Iou')).toEqual({
      packageReference: '#canticle-quickstart',
      module: 'Quickstart.Iou',
      entity: 'Iou',
    });
    expect(parseTypeReference(`${PACKAGE}:foo.bar:baz.quux`)).toEqual({
      packageReference: PACKAGE,
      module: 'foo.bar',
      entity: 'baz.quux',
    });
    for (const text of ['foo:bar:', ':foo:bar', 'foo::bar', '::'])
      expect(() => parseTypeReference(text)).toThrow(LedgerError);
    for (const text of ['a:b', 'a:b:', 'a', '', 'a:b:c:d']) {
      // B-GEN-022
      expect(typeReferenceFormError(text)).toBe(
        `Invalid identifier format (${text}) not matching the expected format (<package>:<moduleName>:<entityName>)`,
      );
      // An empty part is an invalid name; JSON removed it before.
      const code = text === 'a:b:' ? 'INVALID_FIELD' : 'INVALID_ARGUMENT';
      expect(refusal(() => parseTypeReference(text))[0]).toBe(code);
    }
    // B-ERR-022: three parts, but no package reference.
    expect(refusal(() => parseTypeReference('###:M:E'))[0]).toBe('INVALID_FIELD');
    expect(refusal(() => parseTypeReference(`${PACKAGE}:9:Iou`))).toEqual([
      'INVALID_FIELD',
      'The submitted command has a field with invalid value: Invalid field module_name: non expected first character 0x39 in Daml-LF Name "9"',
    ]);
    expect(refusal(() => parseTypeReference('#a b:M:E'))[1]).toContain(
      'Invalid field package reference: non expected character 0x20',
    );
  });
});
