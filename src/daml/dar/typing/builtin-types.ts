/**
 * Types of the builtin functions, by their names, in a notation of their own: `a b c` are variables of kind `*`, `m n o`
 * scales; each is bound in the order in which `for` lists it.
 */
import { STAR, NAT } from '../lf-type.js';
import type { LanguageVersion } from '../lf-version.js';
import type { Type, Types } from './type.js';

const SIGNATURES: Readonly<Record<string, string>> = {
  TRACE: 'for a. Text → a → a',
  ERROR: 'for a. Text → a',
  EQUAL: 'for a. a → a → Bool',
  LESS_EQ: 'for a. a → a → Bool',
  LESS: 'for a. a → a → Bool',
  GREATER_EQ: 'for a. a → a → Bool',
  GREATER: 'for a. a → a → Bool',
  ADD_INT64: 'Int64 → Int64 → Int64',
  SUB_INT64: 'Int64 → Int64 → Int64',
  MUL_INT64: 'Int64 → Int64 → Int64',
  DIV_INT64: 'Int64 → Int64 → Int64',
  MOD_INT64: 'Int64 → Int64 → Int64',
  EXP_INT64: 'Int64 → Int64 → Int64',
  ADD_NUMERIC: 'for m. Numeric m → Numeric m → Numeric m',
  SUB_NUMERIC: 'for m. Numeric m → Numeric m → Numeric m',
  MUL_NUMERIC: 'for m n o. Numeric o → Numeric m → Numeric n → Numeric o',
  DIV_NUMERIC: 'for m n o. Numeric o → Numeric m → Numeric n → Numeric o',
  ROUND_NUMERIC: 'for m. Int64 → Numeric m → Numeric m',
  CAST_NUMERIC: 'for m n. Numeric n → Numeric m → Numeric n',
  SHIFT_NUMERIC: 'for m n. Numeric n → Numeric m → Numeric n',
  INT64_TO_NUMERIC: 'for m. Numeric m → Int64 → Numeric m',
  NUMERIC_TO_INT64: 'for m. Numeric m → Int64',
  INT64_TO_TEXT: 'Int64 → Text',
  NUMERIC_TO_TEXT: 'for m. Numeric m → Text',
  TIMESTAMP_TO_TEXT: 'Timestamp → Text',
  DATE_TO_TEXT: 'Date → Text',
  PARTY_TO_TEXT: 'Party → Text',
  PARTY_TO_QUOTED_TEXT: 'Party → Text',
  TEXT_TO_PARTY: 'Text → Optional Party',
  TEXT_TO_INT64: 'Text → Optional Int64',
  TEXT_TO_NUMERIC: 'for m. Numeric m → Text → Optional (Numeric m)',
  CONTRACT_ID_TO_TEXT: 'for a. ContractId a → Optional Text',
  SHA256_TEXT: 'Text → Text',
  SHA256_HEX: 'Text → Text',
  KECCAK256_TEXT: 'Text → Text',
  HEX_TO_TEXT: 'Text → Text',
  TEXT_TO_HEX: 'Text → Text',
  SECP256K1_BOOL: 'Text → Text → Text → Bool',
  SECP256K1_WITH_ECDSA_BOOL: 'Text → Text → Text → Bool',
  SECP256K1_VALIDATE_KEY: 'Text → Bool',
  EXPLODE_TEXT: 'Text → List Text',
  APPEND_TEXT: 'Text → Text → Text',
  IMPLODE_TEXT: 'List Text → Text',
  CODE_POINTS_TO_TEXT: 'List Int64 → Text',
  TEXT_TO_CODE_POINTS: 'Text → List Int64',
  DATE_TO_UNIX_DAYS: 'Date → Int64',
  UNIX_DAYS_TO_DATE: 'Int64 → Date',
  TIMESTAMP_TO_UNIX_MICROSECONDS: 'Timestamp → Int64',
  UNIX_MICROSECONDS_TO_TIMESTAMP: 'Int64 → Timestamp',
  COERCE_CONTRACT_ID: 'for a b. ContractId a → ContractId b',
  FOLDL: 'for a b. (b → a → b) → b → List a → b',
  FOLDR: 'for a b. (a → b → b) → b → List a → b',
  EQUAL_LIST: 'for a. (a → a → Bool) → List a → List a → Bool',
  GENMAP_EMPTY: 'for a b. GenMap a b',
  GENMAP_INSERT: 'for a b. a → b → GenMap a b → GenMap a b',
  GENMAP_LOOKUP: 'for a b. a → GenMap a b → Optional b',
  GENMAP_DELETE: 'for a b. a → GenMap a b → GenMap a b',
  GENMAP_KEYS: 'for a b. GenMap a b → List a',
  GENMAP_VALUES: 'for a b. GenMap a b → List b',
  GENMAP_SIZE: 'for a b. GenMap a b → Int64',
  TEXTMAP_EMPTY: 'for a. TextMap a',
  TEXTMAP_INSERT: 'for a. Text → a → TextMap a → TextMap a',
  TEXTMAP_LOOKUP: 'for a. Text → TextMap a → Optional a',
  TEXTMAP_DELETE: 'for a. Text → TextMap a → TextMap a',
  TEXTMAP_TO_LIST: 'for a. TextMap a → List ⟨key:Text,value:a⟩',
  TEXTMAP_SIZE: 'for a. TextMap a → Int64',
  ANY_EXCEPTION_MESSAGE: 'AnyException → Text',
  TYPE_REP_TYCON_NAME: 'TypeRep → Optional Text',
  FAIL_WITH_STATUS: 'for a. Text → FailureCategory → Text → TextMap Text → a',
  SCALE_BIGNUMERIC: 'BigNumeric → Int64',
  PRECISION_BIGNUMERIC: 'BigNumeric → Int64',
  ADD_BIGNUMERIC: 'BigNumeric → BigNumeric → BigNumeric',
  SUB_BIGNUMERIC: 'BigNumeric → BigNumeric → BigNumeric',
  MUL_BIGNUMERIC: 'BigNumeric → BigNumeric → BigNumeric',
  DIV_BIGNUMERIC: 'Int64 → RoundingMode → BigNumeric → BigNumeric → BigNumeric',
  SHIFT_RIGHT_BIGNUMERIC: 'Int64 → BigNumeric → BigNumeric',
  BIGNUMERIC_TO_NUMERIC: 'for m. Numeric m → BigNumeric → Numeric m',
  NUMERIC_TO_BIGNUMERIC: 'for m. Numeric m → BigNumeric',
  BIGNUMERIC_TO_TEXT: 'BigNumeric → Text',
  EXTERNAL_CALL: 'Text → Text → Text → Text → Update Text',
};

/** Those that not every language version has: what the version must have. */
const NEEDS: Readonly<Record<string, 'extendedCrypto' | 'dev'>> = {
  SECP256K1_VALIDATE_KEY: 'extendedCrypto',
  TYPE_REP_TYCON_NAME: 'dev',
  EXTERNAL_CALL: 'dev',
};

/** Whether a language version has the builtin function. */
export function hasBuiltinFunction(version: LanguageVersion, name: string): boolean {
  const need = name.endsWith('BIGNUMERIC') || name.startsWith('BIGNUMERIC') ? 'dev' : NEEDS[name];
  return need === undefined || version[need];
}

/** Names as error texts show them, in the order in which a signature binds them. */
const VARIABLES = ['$alpha$', '$beta$', '$gamma$'];

/** The type of a builtin function; undefined where there is none of that name. */
export function builtinFunctionType(types: Types, name: string): Type | undefined {
  const signature = SIGNATURES[name];
  return signature === undefined ? undefined : new Signature(types, signature).read();
}

class Signature {
  private readonly tokens: readonly string[];
  private readonly variables: readonly string[];
  private at = 0;

  constructor(
    private readonly types: Types,
    signature: string,
  ) {
    const [, bound, body] = /^(?:for ([^.]*)\. )?(.*)$/.exec(signature)!;
    this.variables = bound === undefined ? [] : bound.split(' ');
    this.tokens = body!.match(/[A-Za-z0-9]+|[→()⟨⟩:,]/g)!;
  }

  read(): Type {
    return this.variables.reduceRight(
      (body, variable, index) =>
        this.types.forall(VARIABLES[index]!, 'mno'.includes(variable) ? NAT : STAR, body),
      this.arrow(),
    );
  }

  private arrow(): Type {
    const from = this.application();
    if (this.tokens[this.at] !== '→') return from;
    this.at += 1;
    return this.types.fun(from, this.arrow());
  }

  private application(): Type {
    let type = this.atom();
    while (/^[A-Za-z0-9(⟨]/.test(this.tokens[this.at] ?? '')) {
      type = this.types.app(type, this.atom());
    }
    return type;
  }

  private atom(): Type {
    const token = this.tokens[this.at++]!;
    if (token === '(') return this.closing(this.arrow());
    if (token === '⟨') {
      const names: string[] = [];
      const fields: Type[] = [];
      do {
        names.push(this.tokens[this.at]!);
        this.at += 2;
        fields.push(this.arrow());
      } while (this.tokens[this.at++] === ',');
      return this.types.struct(names, fields);
    }
    const index = this.variables.indexOf(token);
    return index < 0 ? this.types.builtin(token) : this.types.variable(VARIABLES[index]!);
  }

  private closing(type: Type): Type {
    this.at += 1;
    return type;
  }
}
