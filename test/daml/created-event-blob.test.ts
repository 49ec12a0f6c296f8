import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { contractIdWith, parseContractId } from '../../src/daml/contract/contract-id.js';
import { contractIdForm } from '../../src/daml/model/contract-id-text.js';
import { createdEventBlob, decodeBlob } from '../../src/daml/contract/created-event-blob.js';
import { toHex } from '../../src/daml/model/hash.js';
import { LedgerError } from '../../src/daml/errors/ledger-error.js';
import { Numeric } from '../../src/daml/model/numeric.js';
import { template } from '../../src/daml/model/package.js';
import { ProtobufError } from '../../src/daml/codec/protobuf/reading.js';
import type { ContractInstance } from '../../src/daml/model/transaction.js';
import {
  decodeValueProto,
  decodeVersionedValue,
  encodeValueProto,
  encodeVersionedValue,
} from '../../src/daml/codec/protobuf/value.js';
import type { DamlType } from '../../src/daml/model/types.js';
import type { DamlRecord } from '../../src/daml/model/values.js';
import {
  arbitraryParty,
  arbitraryTimestamp,
  damlTypeAndValue,
  damlValue,
  INT64,
  named,
  numericType,
  optionalType,
  packages,
  TEXT,
  textMapType,
  typesPackage,
} from '../support/daml/arbitrary-daml.js';
import { check } from '../support/property.js';

const TEMPLATE_ID = `${typesPackage.id}:Arbitrary.Types:Holding`;
const TEMPLATE = template(packages, TEMPLATE_ID)!;
const idWith = (discriminator: string, contents: Omit<ContractInstance, 'contractId'>): string =>
  contractIdWith(packages, TEMPLATE, discriminator, contents);
const sortedParties = (minLength: number) =>
  fc.uniqueArray(arbitraryParty, { minLength, maxLength: 3 }).map((parties) => parties.sort());

const instance: fc.Arbitrary<ContractInstance> = fc
  .record({
    discriminator: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex),
    payload: damlValue(named('Holding')).map((value) => value as DamlRecord),
    signatories: sortedParties(1),
    observers: sortedParties(0),
    createdAt: arbitraryTimestamp,
  })
  .map(({ discriminator, observers, ...rest }) => {
    const contents = {
      ...rest,
      observers: observers.filter((party) => !rest.signatories.includes(party)),
      templateId: TEMPLATE_ID,
      packageName: typesPackage.name,
    };
    return { contractId: idWith(discriminator, contents), ...contents };
  });

const EXAMPLE: ContractInstance = (() => {
  const contents = {
    templateId: TEMPLATE_ID,
    packageName: typesPackage.name,
    payload: {
      owner: 'alice',
      amount: Numeric.of('1.5'),
      note: null,
      meta: new Map([['k', 'v']]),
      lock: null,
    },
    signatories: ['alice'],
    observers: ['bob'],
    createdAt: 1_700_000_000_000_000n,
  };
  return {
    contractId: idWith('07'.repeat(32), contents),
    ...contents,
  };
})();

const LENGTH = WireType.LengthDelimited;

/** Of the example: `FatContractInstance`, without its version. */
function contractBytes(): Uint8Array {
  const reader = new BinaryReader(Buffer.from(createdEventBlob(packages, EXAMPLE), 'base64'));
  reader.tag();
  reader.string();
  reader.tag();
  return reader.bytes();
}

/** The example with more fields: of those that come twice the last counts, and messages are merged. */
const appended = (write: (writer: BinaryWriter) => BinaryWriter): Uint8Array =>
  Buffer.concat([contractBytes(), write(new BinaryWriter()).finish()]);

const versioned = (contract: Uint8Array): Uint8Array =>
  new BinaryWriter().tag(1, LENGTH).string('2.1').tag(2, LENGTH).bytes(contract).finish();

function refusal(base64: string): LedgerError {
  try {
    decodeBlob(packages, base64);
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error('accepted');
}

describe('the protobuf of values', () => {
  it('decodes to the encoded value, by type', () => {
    check(
      fc.property(damlTypeAndValue, ({ type, value }) => {
        expect(decodeValueProto(packages, type, encodeValueProto(packages, type, value))).toEqual(
          value,
        );
        expect(
          decodeVersionedValue(packages, type, encodeVersionedValue(packages, type, value)),
        ).toEqual(value);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [INT64, -1n, '1801'],
    [TEXT, '', '4200'],
    [numericType(2), Numeric.of('1.5', 2), '3204312e3530'],
    [{ kind: 'unit' } as const, {}, '0a00'],
    [{ kind: 'bool' } as const, false, '1000'],
    [{ kind: 'date' } as const, 1, '2001'],
    [{ kind: 'timestamp' } as const, 1n, '290100000000000000'],
    [optionalType(INT64), null, '5200'],
    [named('Pair', INT64, optionalType(INT64)), { _1: 0n, _2: null }, '6a060a040a021800'],
    [named('Colour'), 'Red', '7a050a03526564'],
    [textMapType(INT64), new Map([['', 0n]]), '8201060a0412021800'],
  ])('%# has the bytes that a participant writes', (type, value, hex) => {
    expect(toHex(encodeValueProto(packages, type, value))).toBe(hex);
  });

  it('rejects malformed blobs with a ProtobufError', () => {
    check(
      fc.property(damlTypeAndValue, fc.uint8Array({ maxLength: 40 }), ({ type }, bytes) => {
        try {
          decodeValueProto(packages, type, bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtobufError);
        }
      }),
    );
  });
});

describe('contract ids', () => {
  it('have the V1 form of 138 lower-case hexadecimal digits (B-ID-016)', () => {
    expect(EXAMPLE.contractId).toMatch(/^00(07){32}ca121220[0-9a-f]{64}$/);
    expect(contractIdForm(EXAMPLE.contractId)).toEqual({ version: 1, suffixed: true });
  });

  it('depend on each field of the contract', () => {
    expect(decodeBlob(packages, createdEventBlob(packages, EXAMPLE))).toEqual(EXAMPLE);
    const changed: Partial<ContractInstance>[] = [
      { payload: { ...EXAMPLE.payload, owner: 'bob' } },
      { payload: { ...EXAMPLE.payload, amount: Numeric.of('1.6') } },
      { signatories: ['alice', 'bob'], observers: [] },
      { observers: [] },
      { createdAt: EXAMPLE.createdAt + 1n },
      { packageName: 'other' },
      {
        contractId: `${EXAMPLE.contractId.slice(0, -1)}${EXAMPLE.contractId.endsWith('0') ? 1 : 0}`,
      },
    ];
    for (const change of changed)
      expect(refusal(createdEventBlob(packages, { ...EXAMPLE, ...change })).code).toBe(
        'INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED',
      );
  });

  it.each([
    ['upper case (B-ID-018)', EXAMPLE.contractId.toUpperCase(), 'INVALID_FIELD'],
    ['an odd number of digits', EXAMPLE.contractId.slice(1), 'INVALID_FIELD'],
    ['too short', `00${'a'.repeat(62)}`, 'INVALID_FIELD'],
    ['an unknown version', `02${EXAMPLE.contractId.slice(2)}`, 'INVALID_FIELD'],
    ['a line break', `${EXAMPLE.contractId}\n`, 'INVALID_FIELD'],
    ['empty', '', 'MISSING_FIELD'],
  ])('are rejected: %s', (_what, text, code) => {
    expect(() => parseContractId(text, 'contract_id')).toThrow(
      expect.objectContaining({ code }) as Error,
    );
  });

  it('may be unsuffixed, or V2 in syntax only (B-ID-017, B-ID-019)', () => {
    expect(contractIdForm(EXAMPLE.contractId.slice(0, 66))).toEqual({
      version: 1,
      suffixed: false,
    });
    // Upstream ValueSpec: a suffix has up to 94 bytes.
    expect(contractIdForm(`00${'ab'.repeat(32 + 94)}`)).toEqual({ version: 1, suffixed: true });
    expect(contractIdForm(`00${'ab'.repeat(32 + 95)}`)).toBeUndefined();
    expect(contractIdForm(`01${'0'.repeat(24)}${'ab'.repeat(33)}`)).toEqual({
      version: 2,
      suffixed: true,
    });
    expect(contractIdForm(`01${'0'.repeat(24)}${'ab'.repeat(34)}`)).toBeUndefined();
    expect(parseContractId(EXAMPLE.contractId)).toBe(EXAMPLE.contractId);
  });
});

/** As in Canton, an id commits with its suffix alone: behind another discriminator it is that of another contract, just as authentic. */
const isOfDiscriminator = (index: number): boolean => index >= 11 && index < 11 + 32;

describe('created-event blobs', () => {
  it('contain the whole contract', () => {
    check(
      fc.property(instance, (contract) => {
        expect(decodeBlob(packages, createdEventBlob(packages, contract))).toEqual(contract);
      }),
    );
    // Every blob of the ledger begins with its version, 2.1.
    expect(createdEventBlob(packages, EXAMPLE)).toMatch(/^CgMyLjES/);
  });

  it('are rejected after any change of a byte (B-DSC-003, B-DSC-007)', () => {
    const bytes = Buffer.from(createdEventBlob(packages, EXAMPLE), 'base64');
    const codes = new Set<string>();
    for (let index = 0; index < bytes.length; index += 1) {
      if (isOfDiscriminator(index)) continue;
      for (const flip of [0x01, 0x20, 0x80]) {
        const tampered = Buffer.from(bytes);
        tampered[index]! ^= flip;
        codes.add(refusal(tampered.toString('base64')).code);
      }
    }
    expect([...codes].sort()).toEqual([
      'INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED',
      'INVALID_ARGUMENT',
      'PACKAGE_NOT_FOUND', // another package id is another package
    ]);
    check(
      fc.property(
        instance,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (contract, position, flip) => {
          const blob = Buffer.from(createdEventBlob(packages, contract), 'base64');
          fc.pre(!isOfDiscriminator(position % blob.length));
          blob[position % blob.length]! ^= flip;
          expect(refusal(blob.toString('base64'))).toBeInstanceOf(LedgerError);
        },
      ),
    );
  });

  it('are rejected with the authentication data of another contract (B-DSC-007)', () => {
    const contents = { ...EXAMPLE };
    const other = {
      ...contents,
      contractId: idWith('08'.repeat(32), contents),
    };
    const tail = (blob: string): Buffer => Buffer.from(blob, 'base64').subarray(-38);
    const [own, foreign] = [createdEventBlob(packages, EXAMPLE), createdEventBlob(packages, other)];
    const swapped = Buffer.concat([
      Buffer.from(own, 'base64').subarray(0, -38),
      tail(foreign),
    ]).toString('base64');
    const error = refusal(swapped);
    expect(error.code).toBe('INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED');
    expect(error.details.cause).toContain('Error when authenticating contract');
    expect(error.details.explanation).toContain(
      'Mismatching contract id suffixes. Expected: ca121220',
    );
  });

  it('are rejected if the payload has another type, or the package is unknown', () => {
    const bytes = Buffer.from(createdEventBlob(packages, EXAMPLE), 'base64');
    const [party, text] = [0x3a, 0x42].map((tag) => Buffer.from([tag, 5, ...Buffer.from('alice')]));
    const at = bytes.indexOf(party!);
    text!.copy(bytes, at);
    const error = refusal(bytes.toString('base64'));
    expect([at > 0, error.code]).toEqual([true, 'INVALID_ARGUMENT']);
    expect(error.details.cause).toContain('Unable to decode disclosed contract event payload');
    const unknown = { ...EXAMPLE, templateId: `${'b2'.repeat(32)}:Arbitrary.Types:Holding` };
    const everywhere: typeof packages = { ...packages, package: () => typesPackage };
    expect(refusal(createdEventBlob(everywhere, unknown)).code).toBe('PACKAGE_NOT_FOUND');
  });

  it.each([
    [
      'empty (B-DSC-002)',
      '',
      'MISSING_FIELD',
      'The submitted command is missing a mandatory field: DisclosedContract.createdEventBlob',
    ],
    [
      'not base64 (B-GEN-023)',
      'a b!',
      'INVALID_ARGUMENT',
      'The string is not a valid Base64: a b!',
    ],
    [
      'with an unknown version',
      Buffer.from('0a03322e391200', 'hex').toString('base64'),
      'INVALID_ARGUMENT',
      "DecodeError(Unsupported serialization version '2.9')",
    ],
    [
      'with an observer who is a signatory (upstream ContractInstanceCoderSpec)',
      createdEventBlob(packages, { ...EXAMPLE, observers: EXAMPLE.signatories }),
      'INVALID_ARGUMENT',
      'party alice is declared as signatory and nonSignatoryStakeholder',
    ],
  ])('are rejected: %s', (_what, blob, code, cause) => {
    const error = refusal(blob);
    expect(error.code).toBe(code);
    expect(error.details.cause).toContain(cause);
  });

  const undecodable = (reason: string): string =>
    `The submitted request has invalid arguments: Unable to decode disclosed contract event payload: DecodeError(${reason})`;
  const JVM = 'com.google.protobuf.InvalidProtocolBufferException';
  const TRUNCATED = `${JVM}: While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either that the input has been truncated or that an embedded message misreported its own length.`;

  it.each<[string, Uint8Array, string]>([
    [
      'truncated in the version',
      Uint8Array.of(0x0a, 3, 0x32),
      `exception ${TRUNCATED} while decoding the versioned object`,
    ],
    [
      'truncated in the contract',
      versioned(contractBytes().subarray(0, 50)),
      `exception ${TRUNCATED} while decoding the object`,
    ],
    [
      'with an unknown wire type',
      Uint8Array.of(0x0f),
      `exception ${JVM}$InvalidWireTypeException: Protocol message tag had invalid wire type. while decoding the versioned object`,
    ],
    [
      'with the end of a group that did not begin',
      Uint8Array.of(0x0c),
      `exception ${JVM}: Protocol message end-group tag did not match expected tag. while decoding the versioned object`,
    ],
    ['with an empty version', Uint8Array.of(0x12, 0), "Unsupported serialization version ''"],
    [
      'with an unknown field',
      versioned(appended((it) => it.tag(77, LENGTH).string('x'))),
      'Message of type com.digitalasset.daml.lf.transaction.FatContractInstance contains unknown field numbered 77',
    ],
    [
      'with an unknown field in its template',
      versioned(appended((it) => it.tag(3, LENGTH).fork().tag(4, LENGTH).string('x').join())),
      'Message of type com.digitalasset.daml.lf.value.Identifier contains unknown field numbered 4',
    ],
    [
      'with another id',
      versioned(appended((it) => it.tag(1, LENGTH).bytes(Uint8Array.of(7)))),
      'cannot parse contractId "07"',
    ],
    [
      'without a package name',
      versioned(appended((it) => it.tag(2, LENGTH).string(''))),
      'packageName must not be empty',
    ],
    [
      'with an invalid package name',
      versioned(appended((it) => it.tag(2, LENGTH).string('a.b'))),
      `Invalid package name 'a.b': non expected character 0x2e in Daml-LF Package Name "a.b"`,
    ],
    [
      'with an invalid package id',
      versioned(appended((it) => it.tag(3, LENGTH).fork().tag(1, LENGTH).string('').join())),
      `Invalid package id '': Daml-LF Package ID is empty`,
    ],
    [
      'with an invalid module name',
      versioned(appended((it) => it.tag(3, LENGTH).fork().tag(2, LENGTH).string('a.b').join())),
      `Invalid module segments Buffer(Arbitrary, Types, a.b): non expected non first character 0x2e in Daml-LF Name "a.b"`,
    ],
    [
      'with unsorted observers',
      versioned(appended((it) => it.tag(6, LENGTH).string('al'))),
      'the entries are not strictly ordered',
    ],
    [
      'with an invalid party',
      versioned(appended((it) => it.tag(6, LENGTH).string('b!'))),
      `Cannot decode party: non expected character 0x21 in Daml-LF Party "b!"`,
    ],
    [
      'with the year 10000',
      versioned(appended((it) => it.tag(7, WireType.Bit64).sfixed64(253_402_300_800_000_000n))),
      'cannot convert long 253402300800000000 into Timestamp:out of bound Timestamp 253402300800000000',
    ],
  ])("are rejected with Canton's message: %s", (_what, bytes, reason) => {
    expect(refusal(Buffer.from(bytes).toString('base64')).details.cause).toBe(undecodable(reason));
  });

  it("are rejected with the creation time 'Now'", () => {
    const now = versioned(appended((it) => it.tag(7, WireType.Bit64).sfixed64(-(2n ** 63n))));
    expect(refusal(Buffer.from(now).toString('base64')).details.cause).toBe(
      "The submitted request has invalid arguments: Contract creation time cannot be 'Now'",
    );
  });
});

describe('errors for invalid values', () => {
  it.each<[DamlType, string, string]>([
    [
      { kind: 'party' },
      '3a0121',
      'error decoding party: non expected character 0x21 in Daml-LF Party "!"',
    ],
    [
      { kind: 'contractId', of: TEXT } as DamlType,
      '4a0107',
      'error decoding contractId: cannot parse contractId "07"',
    ],
    [{ kind: 'date' }, '2080808004', 'error decoding date: out of bound Date 8388608'],
    [TEXT, '420100', 'text contains null character'],
    [
      TEXT,
      '4201',
      'cannot parse proto Value: While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either that the input has been truncated or that an embedded message misreported its own length.',
    ],
  ])('%# have the text of a participant', (type, hex, fault) => {
    expect(() => decodeValueProto(packages, type, Buffer.from(hex, 'hex'))).toThrow(
      new ProtobufError(fault),
    );
  });
});
