/** Arbitrary values of Daml's built-in types within their bounds. Special values are frequent. */
import fc, { type Arbitrary } from 'fast-check';
import { Numeric } from '../../daml/model/numeric.js';
import { MAX_DATE, MAX_TIMESTAMP, MIN_DATE, MIN_TIMESTAMP } from '../../daml/model/time.js';

export const arbitraryInt64: Arbitrary<bigint> = fc.bigInt({
  min: -(2n ** 63n),
  max: 2n ** 63n - 1n,
});

export const arbitraryDigits: Arbitrary<bigint> = fc.bigInt({
  min: -(10n ** 38n) + 1n,
  max: 10n ** 38n - 1n,
});

export const arbitraryNumeric = (scale: number): Arbitrary<Numeric> =>
  fc
    .oneof(arbitraryDigits, fc.bigInt({ min: -100_000n, max: 100_000n }))
    .map((unscaled) => Numeric.fromUnscaled(unscaled, scale));

const [FIRST_SURROGATE, SURROGATES, LAST_CODE_POINT] = [0xd800, 0x800, 0x10ffff];

/**
 * Any character except NUL. The arbitrary `binary` of fast-check needs half a second to list them before the first
 * value.
 */
const arbitraryCharacter: Arbitrary<string> = fc
  .integer({ min: 1, max: LAST_CODE_POINT - SURROGATES })
  .map((index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES));

/** Any valid Daml text: well-formed, without NUL. Supplementary characters and special keys are frequent. */
export const arbitraryText: Arbitrary<string> = fc.oneof(
  fc.string({ unit: arbitraryCharacter, maxLength: 12 }),
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    '\ufeffmark',
    '\uffff',
    '\u{10000}',
    '0',
    '10',
    '9',
  ),
);

export const arbitraryParty: Arbitrary<string> = fc
  .tuple(fc.stringMatching(/^[a-zA-Z0-9_ -]{1,12}$/), fc.stringMatching(/^[0-9a-f]{64}$/))
  .map(([hint, digits]) => `${hint}::1220${digits}`);

export const arbitraryContractId: Arbitrary<string> = fc
  .tuple(fc.stringMatching(/^[0-9a-f]{64}$/), fc.stringMatching(/^[0-9a-f]{64}$/))
  .map(([discriminator, hash]) => `00${discriminator}ca121220${hash}`);

export const arbitraryTimestamp: Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: MIN_TIMESTAMP, max: MAX_TIMESTAMP }),
  fc
    .bigInt({ min: MIN_TIMESTAMP / 1_000_000n, max: MAX_TIMESTAMP / 1_000_000n })
    .map((seconds) => seconds * 1_000_000n),
);

export const arbitraryDate: Arbitrary<number> = fc.integer({ min: MIN_DATE, max: MAX_DATE });
