/**
 * The text of a contract id: which texts name a contract at all (B-ID-016 to B-ID-019). Making ids is contract-id.ts's.
 */
export interface ContractIdForm {
  readonly version: 1 | 2;
  /** False for an id without the suffix that a synchronizer's contract carries: such ids are refused in commands. */
  readonly suffixed: boolean;
}

const V1_UNSUFFIXED_DIGITS = 2 + 64;
const V1_MAX_SUFFIX_DIGITS = 2 * 94;
const V2_UNSUFFIXED_DIGITS = 2 + 24;
const V2_MAX_SUFFIX_DIGITS = 2 * 33;

/** What kind of contract id a text is; undefined where it is none. Only lower-case hexadecimal is one (B-ID-018). */
export function contractIdForm(text: string): ContractIdForm | undefined {
  for (let i = 0; i < MOST_RECENT; i++) if (recent[i] === text) return recentForms[i];
  const form = read(text);
  if (form !== undefined) noteContractId(text, form);
  return form;
}

const MOST_RECENT = 4;
/** The ids that were met last: what one command makes the next one uses, and each is asked about several times. */
const recent = new Array<string>(MOST_RECENT).fill('none');
const recentForms = new Array<ContractIdForm | undefined>(MOST_RECENT).fill(undefined);
let oldest = 0;

/** Remembers an id, so that nobody needs to read it. */
export function noteContractId(text: string, form: ContractIdForm): void {
  recent[oldest] = text;
  recentForms[oldest] = form;
  oldest = (oldest + 1) % MOST_RECENT;
}

function read(text: string): ContractIdForm | undefined {
  if (text.length % 2 !== 0 || text.charCodeAt(0) !== ZERO || !isHexadecimal(text))
    return undefined;
  const version = text.charCodeAt(1) - ZERO + 1;
  if (version !== 1 && version !== 2) return undefined;
  const [least, longest] =
    version === 1
      ? [V1_UNSUFFIXED_DIGITS, V1_MAX_SUFFIX_DIGITS]
      : [V2_UNSUFFIXED_DIGITS, V2_MAX_SUFFIX_DIGITS];
  const suffix = text.length - least;
  return suffix < 0 || suffix > longest ? undefined : { version, suffixed: suffix > 0 };
}

const ZERO = 0x30;
/** By code of a character: 1 for a lower-case hexadecimal digit. */
const DIGITS = new Uint8Array(128);
for (const digit of '0123456789abcdef') DIGITS[digit.charCodeAt(0)] = 1;

/** Digit by digit: every id of every command is read, and an expression takes ten times as long for a text that is new. */
function isHexadecimal(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (DIGITS[text.charCodeAt(i)] !== 1) return false;
  return true;
}

/** Why a text is no contract id, in the ledger's words. */
export function contractIdFault(text: string): string | undefined {
  return contractIdForm(text) === undefined ? `cannot parse ContractId "${text}"` : undefined;
}

/** Why a contract id may not stand in a command, in the ledger's words. */
export function unsuffixedFault(text: string): string | undefined {
  const form = contractIdForm(text);
  return form === undefined || form.suffixed
    ? undefined
    : `Illegal Contract ID "${text}", non-suffixed V${form.version} Contract IDs are forbidden`;
}
