/**
 * Tokens that continue a page or a stream: base64 of a protobuf message of numbers and checksums. The checksums
 * bind a token to its request, to the participant and to this format (B-PGE-013, B-ACS-014, B-ACS-021).
 */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { sha256Hex } from '../../../daml/model/hash.js';
import type { LedgerError } from '../../../daml/errors/ledger-error.js';
import { invalidArgument, invalidField } from '../../../network/model/request-errors.js';

/** Changes with the form of the tokens. */
const VERSION = 1;

export interface TokenBinding {
  /** The kind of list. Tokens of other kinds have other members, so a participant seems to be another one to them. */
  readonly kind: 'updates' | 'page of active contracts' | 'active contracts';
  readonly participantId: string;
  /** The parts of the request that must stay the same from page to page. */
  readonly request: unknown;
}

/** @param numbers the position at the end of the page; not negative */
export function writePageToken(numbers: readonly number[], bound: TokenBinding): string {
  const { written } = checksumsOf(bound);
  let at = member(1, VERSION, 0);
  for (let index = 0; index < numbers.length; index++) at = member(index + 2, numbers[index]!, at);
  written.copy(SCRATCH, at);
  return SCRATCH.toString('base64', 0, at + written.length);
}

/** Each element of a stream has a token, so the common parts are written once. */
const SCRATCH = Buffer.alloc(256);

/** Writes a number after its tag. @returns the position of the next one */
function member(field: number, number: number, at: number): number {
  SCRATCH[at++] = field * 8 + WireType.Varint;
  let left = number;
  while (left >= 0x80) {
    SCRATCH[at++] = (left % 0x80) | 0x80;
    left = Math.floor(left / 0x80);
  }
  SCRATCH[at++] = left;
  return at;
}

/** Field numbers of the two checksums; below come the version and the numbers. */
const CHECKSUMS = 14;

interface TokenRules {
  /** The token's path in the request. */
  readonly field: string;
  /** The error text for a token that cannot be decoded. */
  readonly broken: string;
  /** Makes the error for a well-formed token that fails a check. */
  readonly refuse: (reason: string) => LedgerError;
  /** The checks in order, and their error texts. */
  readonly checks: readonly { readonly of: keyof TokenParts; readonly reason?: string }[];
}

interface TokenParts {
  readonly version: number;
  readonly participant: string;
  readonly request: string;
}

/** The numbers of a token; undefined without a token. An empty text is a token, but an invalid one. */
export function readPageToken(
  token: string | undefined,
  count: number,
  bound: TokenBinding,
  { field, broken, refuse, checks }: TokenRules,
): readonly number[] | undefined {
  if (token === undefined) return undefined;
  const numbers = new Map<number, number>();
  const texts = new Map<number, string>();
  try {
    const reader = new BinaryReader(Buffer.from(token, 'base64'));
    while (reader.pos < reader.len) {
      const [number, wireType] = reader.tag();
      if (wireType === WireType.Varint) numbers.set(number, Number(reader.int64()));
      else if (wireType === WireType.LengthDelimited) texts.set(number, reader.string());
      else reader.skip(wireType, number);
    }
  } catch {
    throw invalidField(field, broken);
  }
  const given: TokenParts = {
    version: numbers.get(1) ?? 0,
    participant: texts.get(CHECKSUMS) ?? '',
    request: texts.get(CHECKSUMS + 1) ?? '',
  };
  const expected: TokenParts = {
    version: VERSION,
    ...checksumsOf(bound),
  };
  for (const { of, reason = '' } of checks) if (given[of] !== expected[of]) throw refuse(reason);
  return Array.from({ length: count }, (_, index) => numbers.get(index + 2) ?? 0);
}

interface Checksums {
  readonly participant: string;
  readonly request: string;
  /** Both checksums, in the encoding of a token. */
  readonly written: Buffer;
}

/** A stream writes a token for each of its elements, all with one binding. */
const CHECKSUMS_OF = new WeakMap<TokenBinding, Checksums>();

function checksumsOf(bound: TokenBinding): Checksums {
  let sums = CHECKSUMS_OF.get(bound);
  if (sums === undefined) {
    const [participant, request] = [participantChecksum(bound), requestChecksum(bound)];
    const writer = new BinaryWriter();
    for (const [index, text] of [participant, request].entries())
      writer.tag(CHECKSUMS + index, WireType.LengthDelimited).string(text);
    sums = { participant, request, written: Buffer.from(writer.finish()) };
    CHECKSUMS_OF.set(bound, sums);
  }
  return sums;
}

function participantChecksum({ kind, participantId }: TokenBinding): string {
  return sha256Hex(`${kind} ${participantId}`).slice(0, 8);
}

/** A checksum of the request as a message: the order of its members and explicit defaults do not matter. */
function requestChecksum({ request }: TokenBinding): string {
  const sorted = (_key: string, value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, member]) => !isDefault(member))
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : value;
  return sha256Hex(JSON.stringify(request, sorted)).slice(0, 8);
}

const isDefault = (member: unknown): boolean =>
  member === false || (Array.isArray(member) && member.length === 0);

/** @throws LedgerError INVALID_ARGUMENT for an invalid size (B-PGE-002, B-ACS-020) */
export function checkPageSize(size: number | undefined, usual: number, largest: number): number {
  if (size === undefined) return usual;
  if (size <= 0) throw invalidArgument(`Requested page size must be positive, but got ${size}`);
  if (size > largest)
    throw invalidArgument(`Requested page size must not exceed ${largest}, but got ${size}`);
  return size;
}
