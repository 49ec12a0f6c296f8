/**
 * The text of a contract id: which texts name a contract at all (B-ID-016 to B-ID-019). Making ids is contract-id.ts's.
 */
export interface ContractIdForm {
  readonly version: 1 | 2;
  /** False for an id without the suffix that a synchronizer's contract carries: such ids are refused in commands. */
  readonly suffixed: boolean;
}

const DIGITS = /^[0-9a-f]+$/;

/** By what ids of a version begin with: how many digits they have without a suffix, and how many a suffix may have. */
const FORMS = [
  { version: 1, prefix: '00', unsuffixed: 2 + 2 * 32, longestSuffix: 2 * 94 },
  { version: 2, prefix: '01', unsuffixed: 2 + 2 * 12, longestSuffix: 2 * 33 },
] as const;

/** What kind of contract id a text is; undefined where it is none. Only lower-case hexadecimal is one (B-ID-018). */
export function contractIdForm(text: string): ContractIdForm | undefined {
  const form = FORMS.find(({ prefix }) => text.startsWith(prefix));
  if (form === undefined || text.length % 2 !== 0) return undefined;
  const suffix = text.length - form.unsuffixed;
  // The length first: a text from outside may be of any.
  if (suffix < 0 || suffix > form.longestSuffix || !DIGITS.test(text)) return undefined;
  return { version: form.version, suffixed: suffix > 0 };
}

/** Why a text is no contract id, in the ledger's words. */
export function contractIdFault(text: string): string | undefined {
  return contractIdForm(text) === undefined ? `cannot parse ContractId "${text}"` : undefined;
}

/** Of an id in bytes, given as hexadecimal digits. */
export function contractIdBytesFault(hex: string): string | undefined {
  return contractIdForm(hex) === undefined ? `cannot parse contractId "${hex}"` : undefined;
}

/** Why a contract id may not stand in a command, in the ledger's words. */
export function unsuffixedFault(text: string): string | undefined {
  const form = contractIdForm(text);
  return form === undefined || form.suffixed
    ? undefined
    : `Illegal Contract ID "${text}", non-suffixed V${form.version} Contract IDs are forbidden`;
}
