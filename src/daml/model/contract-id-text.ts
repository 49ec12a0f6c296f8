/** The format of contract ids (B-ID-016 to B-ID-019). contract-id.ts creates them. */
export interface ContractIdForm {
  readonly version: 1 | 2;
  /** False for an id without the suffix of a contract on a synchronizer. Commands refuse such ids. */
  readonly suffixed: boolean;
}

const DIGITS = /^[0-9a-f]+$/;

/** By version: the prefix, the number of digits without suffix, and the maximum length of a suffix. */
const FORMS = [
  { version: 1, prefix: '00', unsuffixed: 2 + 2 * 32, longestSuffix: 2 * 94 },
  { version: 2, prefix: '01', unsuffixed: 2 + 2 * 12, longestSuffix: 2 * 33 },
] as const;

/** The form of a contract id; undefined if the text is not one. Only lower-case hexadecimal is valid (B-ID-018). */
export function contractIdForm(text: string): ContractIdForm | undefined {
  const form = FORMS.find(({ prefix }) => text.startsWith(prefix));
  if (form === undefined || text.length % 2 !== 0) return undefined;
  const suffix = text.length - form.unsuffixed;
  // Checks the length first, because the text can have any length.
  if (suffix < 0 || suffix > form.longestSuffix || !DIGITS.test(text)) return undefined;
  return { version: form.version, suffixed: suffix > 0 };
}

/** The ledger's error for a text that is not a contract id. */
export function contractIdError(text: string): string | undefined {
  return contractIdForm(text) === undefined ? `cannot parse ContractId "${text}"` : undefined;
}

/** The ledger's error for an id in bytes, given as hexadecimal digits. */
export function contractIdBytesError(hex: string): string | undefined {
  return contractIdForm(hex) === undefined ? `cannot parse contractId "${hex}"` : undefined;
}

/** The ledger's error for a contract id without a suffix, which commands do not accept. */
export function unsuffixedError(text: string): string | undefined {
  const form = contractIdForm(text);
  return form === undefined || form.suffixed
    ? undefined
    : `Illegal Contract ID "${text}", non-suffixed V${form.version} Contract IDs are forbidden`;
}
