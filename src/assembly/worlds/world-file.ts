/**
 * The file format of a world: gzip of a line of JSON, which is the head, of the archives of the packages, and of the state
 * (network/worlds). The head contains the length of each part. It ends with a hash of all else, including the head, to detect truncated
 * or changed files.
 * NOTE: only Canticle uses this format; docs/guides/worlds.md describes it.
 */
import { createHash } from 'node:crypto';
import { brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import type { LanguageSupport } from '../../daml/dar/check-languages.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import type { PackageId } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import type { TrafficAccountsMode } from '../../network/traffic/accounts.js';
import type { ProtocolVersion } from '../../network/model/protocol.js';
import type { StatedReleases } from '../../spec/releases/releases.js';
import type { ApiVersion, SpliceVersion } from '../../spec/versions.js';
import { HEAD } from './world-head-shape.js';
import type { InstanceNames } from '../../splice/instance-names.js';
import type { ScanView } from '../../splice/scan/scan-view.js';

const FORMAT = 'canticle-world';
/** Increases when the meaning of a file changes. */
const VERSION = 2;
/** In this version, the hash does not cover the head. */
const WITHOUT_HEAD = 1;
/** Maximum bytes, uncompressed. */
const MAX_WORLD_BYTES = 2 ** 31 - 1;
/** Maximum bytes of the compressed file. */
export const MAX_WORLD_FILE = 1024 * 1024 * 1024;

/** Numbers above 2^53 and times (microseconds) are strings. */
export interface WorldHead {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** Time of the network. */
  readonly time: string;
  /** The usual release of participants. */
  readonly apiVersion: ApiVersion;
  readonly spliceVersion?: SpliceVersion | undefined;
  /** The releases of nodes that differ, by the participant's name. */
  readonly nodes?: StatedReleases['nodes'];
  readonly network: {
    readonly seed: number;
    readonly start: string;
    readonly protocolVersion: ProtocolVersion;
    readonly synchronizers: readonly {
      readonly alias: string;
      readonly identifier?: string;
      readonly id?: string;
      readonly foundedBy?: string;
      readonly assignmentExclusivityTimeout: string;
      /** Absent for that of the network. */
      readonly protocolVersion?: ProtocolVersion;
    }[];
    readonly participants: readonly {
      readonly name: string;
      readonly identifier?: string;
      readonly id?: string;
      readonly synchronizers?: readonly string[];
      readonly trafficAccounts?: TrafficAccountsMode;
    }[];
    readonly additionalAdminUser?: string;
    /** Absent if false. */
    readonly trafficControl?: true;
    /** Absent if false. */
    readonly offsetGaps?: true;
    readonly maxDeduplicationDuration?: string;
    readonly languages?: LanguageSupport;
  };
  readonly splice: {
    readonly dsoParty: Party;
    readonly registryAdmin: Party;
    readonly startedAt: string;
    readonly isLate?: true;
    readonly initialRound?: string;
    readonly validators: readonly {
      readonly party: Party;
      readonly user: string;
      readonly walletUser: string;
      readonly reservedTraffic?: number;
      readonly adminPort?: number;
    }[];
    readonly scanSees: ScanView;
    readonly externalHashesSince: string;
    readonly instanceNames: InstanceNames;
    readonly forcedAcsSnapshots: boolean;
    readonly traffic?: {
      readonly targetThroughput?: number;
      readonly minTopupInterval?: string;
      readonly reservedTraffic?: number;
    };
  };
  /** Last offset of each participant, by its name. */
  readonly ledgerEnds: Readonly<Record<string, number>>;
  /** Sorted by id. */
  readonly packages: readonly WorldPackage[];
  /** Sorted by their hashes. */
  readonly dars: readonly WorldDar[];
  /** Length of the state. */
  readonly bytes: number;
  /** SHA-256 in hexadecimal of all else: of the head before this member, which is its last, and of everything after the head. */
  readonly sha256: string;
}

export interface WorldPackage {
  readonly id: PackageId;
  readonly name: string;
  readonly version: string;
  /** Daml-LF version, or `typescript`. */
  readonly language: string;
  /** Length of its archive; absent if it is in a DAR, or not in the file. */
  readonly bytes?: number;
}

export interface WorldDar {
  readonly sha256: string;
  /** Its main package. */
  readonly main: PackageId;
  /** Length; absent if it is not in the file. */
  readonly bytes?: number;
}

/** The contents of a file. */
export interface WorldParts {
  readonly head: WorldHead;
  /** The DARs in the file, by SHA-256. */
  readonly dars: ReadonlyMap<string, Uint8Array>;
  /** The packages in the file that are not in a DAR. */
  readonly archives: readonly Uint8Array[];
  readonly state: Buffer;
}

/** The byte of the operating system in a gzip header, which must not vary. */
const OS_BYTE = 9;
const UNKNOWN_OS = 255;

/** Compresses to the same bytes on every system. */
export function packed(bytes: Uint8Array): Buffer {
  const file = gzipSync(bytes);
  file[OS_BYTE] = UNKNOWN_OS;
  return file;
}

const NEWLINE = 10;

/** @param archives the DARs of the head with `bytes`, then its packages with `bytes`, in their order */
export function packWorld(
  head: Omit<WorldHead, 'sha256' | 'bytes' | 'format' | 'version'>,
  archives: readonly Uint8Array[],
  state: Uint8Array,
): Buffer {
  const named = { format: FORMAT, version: VERSION };
  const open = JSON.stringify({ ...named, ...head, bytes: state.length }).slice(0, -1);
  const hash = createHash('sha256').update(open);
  for (const part of [...archives, state]) hash.update(part);
  const line = Buffer.from(`${open},"sha256":"${hash.digest('hex')}"}\n`);
  return packed(Buffer.concat([line, ...archives, state]));
}

/** The end of a head's line, which the hash does not cover. */
const HASH_MEMBER = /,"sha256":"[0-9a-f]{64}"\}$/;
const HASH_MEMBER_LENGTH = ',"sha256":""}'.length + 64;

function hashOf(line: Buffer, rest: Buffer, { version }: WorldHead): string | undefined {
  const hash = createHash('sha256');
  if (version !== WITHOUT_HEAD) {
    const start = Math.max(0, line.length - HASH_MEMBER_LENGTH);
    if (!HASH_MEMBER.test(line.toString('latin1', start))) return undefined;
    hash.update(line.subarray(0, start));
  }
  return hash.update(rest).digest('hex');
}

/** @param bytes uncompressed @throws Error whose message ends a sentence */
export function partsIn(bytes: Buffer): WorldParts {
  const end = bytes.indexOf(NEWLINE);
  const line = bytes.subarray(0, Math.max(end, 0));
  const head = headOf(line);
  const rest = bytes.subarray(end + 1);
  const included = [...head.dars, ...head.packages].filter((each) => each.bytes !== undefined);
  const expected = included.reduce((sum, each) => sum + each.bytes!, head.bytes);
  if (rest.length !== expected)
    throw new Error(`it is truncated: it has ${rest.length} of ${expected} bytes`);
  if (hashOf(line, rest, head) !== head.sha256)
    throw new Error('it is damaged: its contents do not match its hash');
  let at = 0;
  const archives = included.map((each) => {
    at += each.bytes!;
    return Uint8Array.prototype.slice.call(rest, at - each.bytes!, at);
  });
  const dars = head.dars.filter((each) => each.bytes !== undefined);
  return {
    head,
    dars: new Map(dars.map(({ sha256 }, place) => [sha256, archives[place]!])),
    archives: archives.slice(dars.length),
    state: rest.subarray(at),
  };
}

/** Uncompressed bytes that identify a file before it is uncompressed completely. */
const KNOWN_BY = 32;
/** Maximum uncompressed size of the first bytes: no head compresses that much. */
const MAX_FIRST_BYTES = 16 * 1024 * 1024;

/**
 * Uncompresses a file. Because a small file may become very large, it first checks the beginning.
 * @param isKnown whether a file may begin so @throws Error as {@link partsIn}
 */
export function unpackedFile(file: Uint8Array, isKnown: (first: Buffer) => boolean): Buffer {
  const isGzip = file[0] === 0x1f && file[1] === 0x8b;
  const first = firstBytes(file, isGzip);
  if (first === undefined || !(first.length < KNOWN_BY || isWorld(first) || isKnown(first)))
    throw foreign();
  if (!isGzip) return unpackedBrotli(file);
  try {
    return gunzipSync(file, { maxOutputLength: MAX_WORLD_BYTES });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new Error(`it has more than ${MAX_WORLD_BYTES} bytes, uncompressed`);
    if (code === 'Z_BUF_ERROR') throw new Error('it is truncated: its end is missing');
    throw new Error('it is damaged: it cannot be uncompressed');
  }
}

/** Undefined if they cannot be uncompressed, or are longer than any head. */
function firstBytes(file: Uint8Array, isGzip: boolean): Buffer | undefined {
  for (let length = 1024; ; length *= 4) {
    const part = file.subarray(0, length);
    const limit = { maxOutputLength: MAX_FIRST_BYTES };
    let first: Buffer;
    try {
      first = isGzip
        ? gunzipSync(part, { ...limit, finishFlush: constants.Z_SYNC_FLUSH })
        : brotliDecompressSync(part, {
            ...limit,
            finishFlush: constants.BROTLI_OPERATION_FLUSH,
          });
    } catch {
      return undefined;
    }
    if (first.length >= KNOWN_BY || length >= file.length) return first;
  }
}

const BEGINNING = Buffer.from(`{"format":"${FORMAT}"`);
const isWorld = (first: Buffer): boolean => first.subarray(0, BEGINNING.length).equals(BEGINNING);

/** Uncompresses worlds of the package: brotli is slower, but smaller. @throws Error for other files */
function unpackedBrotli(file: Uint8Array): Buffer {
  let bytes: Buffer;
  try {
    bytes = brotliDecompressSync(file, { maxOutputLength: MAX_WORLD_BYTES });
  } catch {
    throw foreign();
  }
  // Only an export of no contracts is empty, and a participant compresses exports with gzip.
  if (bytes.length === 0) throw foreign();
  return bytes;
}

function headOf(line: Uint8Array): WorldHead {
  let head: unknown;
  try {
    head = JSON.parse(Buffer.from(line).toString('utf8'));
  } catch {
    throw foreign();
  }
  if (!isJsonObject(head) || head['format'] !== FORMAT) throw foreign();
  const { version } = head;
  if (version !== VERSION && version !== WITHOUT_HEAD)
    throw new Error(
      `it has version ${String(version)} of the format, but this Canticle reads only version ${VERSION}. Use the Canticle that saved it, or save it again`,
    );
  const error = HEAD(head, '');
  if (error !== undefined) throw new Error(`it is damaged: in its head, ${error}`);
  return head as unknown as WorldHead;
}

const foreign = (): Error =>
  new Error(
    'it is neither a world that Canticle saved nor an export of active contracts from a participant',
  );
