/** What the real decoder calls builtin functions: `ADD_INT64` of an archive is `BAddInt64`. */

/** Words that are written otherwise than with one capital letter. */
const WORDS: Readonly<Record<string, string>> = {
  BIGNUMERIC: 'BigNumeric',
  GENMAP: 'GenMap',
  KECCAK256: 'KECCAK256',
  SECP256K1: 'SECP256K1',
  SHA256: 'SHA256',
  TEXTMAP: 'TextMap',
  TYCON: 'TyCon',
};

const NAMES: Readonly<Record<string, string>> = {
  HEX_TO_TEXT: 'BDecodeHex',
  TEXT_TO_HEX: 'BEncodeHex',
};

export function builtinFunctionName(name: string): string {
  const words = name.split('_').map((word) => WORDS[word] ?? word[0] + word.slice(1).toLowerCase());
  return NAMES[name] ?? `B${words.join('')}`;
}
