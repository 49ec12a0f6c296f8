/**
 * The builtin functions of Daml-LF 2, one row each: the number in archives, the name, the type, and the feature of a language version that
 * it needs. The types have a notation of this project: `a b c` are variables of kind `*`, `m n o` are scales.
 * The variables are bound in the order of `for`. `lf/builtins` implements the functions.
 */
import type { LanguageVersion } from './lf-version.js';

export interface BuiltinRow {
  readonly number: number;
  readonly name: BuiltinName;
  readonly signature: string;
  readonly needs?: 'extendedCrypto' | 'externalCalls' | 'dev';
}

const ROWS = {
  TRACE: [0, 'for a. Text → a → a'],
  ERROR: [1, 'for a. Text → a'],
  EQUAL: [2, 'for a. a → a → Bool'],
  LESS_EQ: [3, 'for a. a → a → Bool'],
  LESS: [4, 'for a. a → a → Bool'],
  GREATER_EQ: [5, 'for a. a → a → Bool'],
  GREATER: [6, 'for a. a → a → Bool'],
  ADD_INT64: [7, 'Int64 → Int64 → Int64'],
  SUB_INT64: [8, 'Int64 → Int64 → Int64'],
  MUL_INT64: [9, 'Int64 → Int64 → Int64'],
  DIV_INT64: [10, 'Int64 → Int64 → Int64'],
  MOD_INT64: [11, 'Int64 → Int64 → Int64'],
  EXP_INT64: [12, 'Int64 → Int64 → Int64'],
  ADD_NUMERIC: [13, 'for m. Numeric m → Numeric m → Numeric m'],
  SUB_NUMERIC: [14, 'for m. Numeric m → Numeric m → Numeric m'],
  MUL_NUMERIC: [15, 'for m n o. Numeric o → Numeric m → Numeric n → Numeric o'],
  DIV_NUMERIC: [16, 'for m n o. Numeric o → Numeric m → Numeric n → Numeric o'],
  ROUND_NUMERIC: [17, 'for m. Int64 → Numeric m → Numeric m'],
  CAST_NUMERIC: [18, 'for m n. Numeric n → Numeric m → Numeric n'],
  SHIFT_NUMERIC: [19, 'for m n. Numeric n → Numeric m → Numeric n'],
  INT64_TO_NUMERIC: [20, 'for m. Numeric m → Int64 → Numeric m'],
  NUMERIC_TO_INT64: [21, 'for m. Numeric m → Int64'],
  INT64_TO_TEXT: [22, 'Int64 → Text'],
  NUMERIC_TO_TEXT: [23, 'for m. Numeric m → Text'],
  TIMESTAMP_TO_TEXT: [25, 'Timestamp → Text'],
  DATE_TO_TEXT: [26, 'Date → Text'],
  PARTY_TO_TEXT: [27, 'Party → Text'],
  TEXT_TO_PARTY: [28, 'Text → Optional Party'],
  TEXT_TO_INT64: [29, 'Text → Optional Int64'],
  TEXT_TO_NUMERIC: [30, 'for m. Numeric m → Text → Optional (Numeric m)'],
  CONTRACT_ID_TO_TEXT: [31, 'for a. ContractId a → Optional Text'],
  SHA256_TEXT: [32, 'Text → Text'],
  EXPLODE_TEXT: [33, 'Text → List Text'],
  APPEND_TEXT: [34, 'Text → Text → Text'],
  IMPLODE_TEXT: [35, 'List Text → Text'],
  CODE_POINTS_TO_TEXT: [36, 'List Int64 → Text'],
  TEXT_TO_CODE_POINTS: [37, 'Text → List Int64'],
  DATE_TO_UNIX_DAYS: [38, 'Date → Int64'],
  UNIX_DAYS_TO_DATE: [39, 'Int64 → Date'],
  TIMESTAMP_TO_UNIX_MICROSECONDS: [40, 'Timestamp → Int64'],
  UNIX_MICROSECONDS_TO_TIMESTAMP: [41, 'Int64 → Timestamp'],
  COERCE_CONTRACT_ID: [42, 'for a b. ContractId a → ContractId b'],
  FOLDL: [43, 'for a b. (b → a → b) → b → List a → b'],
  FOLDR: [44, 'for a b. (a → b → b) → b → List a → b'],
  EQUAL_LIST: [45, 'for a. (a → a → Bool) → List a → List a → Bool'],
  GENMAP_EMPTY: [52, 'for a b. GenMap a b'],
  GENMAP_INSERT: [53, 'for a b. a → b → GenMap a b → GenMap a b'],
  GENMAP_LOOKUP: [54, 'for a b. a → GenMap a b → Optional b'],
  GENMAP_DELETE: [55, 'for a b. a → GenMap a b → GenMap a b'],
  GENMAP_KEYS: [56, 'for a b. GenMap a b → List a'],
  GENMAP_VALUES: [57, 'for a b. GenMap a b → List b'],
  GENMAP_SIZE: [58, 'for a b. GenMap a b → Int64'],
  ANY_EXCEPTION_MESSAGE: [59, 'AnyException → Text'],
  TEXTMAP_EMPTY: [60, 'for a. TextMap a'],
  TEXTMAP_INSERT: [61, 'for a. Text → a → TextMap a → TextMap a'],
  TEXTMAP_LOOKUP: [62, 'for a. Text → TextMap a → Optional a'],
  TEXTMAP_DELETE: [63, 'for a. Text → TextMap a → TextMap a'],
  TEXTMAP_TO_LIST: [64, 'for a. TextMap a → List ⟨key:Text,value:a⟩'],
  TEXTMAP_SIZE: [65, 'for a. TextMap a → Int64'],
  FAIL_WITH_STATUS: [66, 'for a. Text → FailureCategory → Text → TextMap Text → a'],
  KECCAK256_TEXT: [67, 'Text → Text'],
  SECP256K1_BOOL: [68, 'Text → Text → Text → Bool'],
  HEX_TO_TEXT: [69, 'Text → Text'],
  TEXT_TO_HEX: [70, 'Text → Text'],
  SHA256_HEX: [71, 'Text → Text'],
  SECP256K1_WITH_ECDSA_BOOL: [72, 'Text → Text → Text → Bool'],
  SECP256K1_VALIDATE_KEY: [73, 'Text → Bool', 'extendedCrypto'],
  SCALE_BIGNUMERIC: [2001, 'BigNumeric → Int64', 'dev'],
  PRECISION_BIGNUMERIC: [2002, 'BigNumeric → Int64', 'dev'],
  ADD_BIGNUMERIC: [2003, 'BigNumeric → BigNumeric → BigNumeric', 'dev'],
  SUB_BIGNUMERIC: [2004, 'BigNumeric → BigNumeric → BigNumeric', 'dev'],
  MUL_BIGNUMERIC: [2005, 'BigNumeric → BigNumeric → BigNumeric', 'dev'],
  DIV_BIGNUMERIC: [2006, 'Int64 → RoundingMode → BigNumeric → BigNumeric → BigNumeric', 'dev'],
  SHIFT_RIGHT_BIGNUMERIC: [2007, 'Int64 → BigNumeric → BigNumeric', 'dev'],
  BIGNUMERIC_TO_NUMERIC: [2008, 'for m. Numeric m → BigNumeric → Numeric m', 'dev'],
  NUMERIC_TO_BIGNUMERIC: [2009, 'for m. Numeric m → BigNumeric', 'dev'],
  BIGNUMERIC_TO_TEXT: [2010, 'BigNumeric → Text', 'dev'],
  TYPE_REP_TYCON_NAME: [3011, 'TypeRep → Optional Text', 'dev'],
  EXTERNAL_CALL: [5001, 'Text → Text → Text → Text → Update Text', 'externalCalls'],
} satisfies Record<string, readonly [number, string, BuiltinRow['needs']?]>;

/** Whether a language version has the builtin function. */
export function hasBuiltin(version: LanguageVersion, { needs }: BuiltinRow): boolean {
  return needs === undefined || version[needs];
}

export type BuiltinName = keyof typeof ROWS;

/** By number. */
export const BUILTIN_TABLE: ReadonlyMap<number, BuiltinRow> = new Map(
  Object.entries(ROWS).map(([name, [number, signature, needs]]) => [
    number,
    { number, name: name as BuiltinName, signature, needs: needs as BuiltinRow['needs'] },
  ]),
);
