/**
 * The bytes of a file of a world: gzip of a line of JSON, its head, of the packages' archives one after another, and of the state
 * (network/worlds). The head says how long each is, and the hash of all behind it, so that nothing of a torn file is ever served.
 * NOTE: the format is ours; docs/guides/worlds.md describes it.
 */
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { LanguageSupport } from '../../daml/archive/lf-version.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import type { PackageId } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import type { ProtocolVersion } from '../../network/protocol.js';
import type { ApiVersion } from '../../spec/versions.js';
import type { InstanceNames } from '../../splice/instance-names.js';
import type { ScanView } from '../../splice/scan/scan-view.js';

const FORMAT = 'canticle-world';
/** Grows when a file's meaning changes. */
const VERSION = 1;
/** Bytes, unpacked. */
const MAX_WORLD_BYTES = 2 ** 31 - 1;
/** Bytes. */
export const MAX_WORLD_FILE = 1024 * 1024 * 1024;

/** Numbers beyond 2^53 and times (microseconds) are texts. */
export interface WorldHead {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** Of the network. */
  readonly time: string;
  readonly apiVersion: ApiVersion;
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
    }[];
    readonly participants: readonly {
      readonly name: string;
      readonly identifier?: string;
      readonly id?: string;
      readonly synchronizers?: readonly string[];
    }[];
    readonly additionalAdminUser?: string;
    /** Off, where it is absent. */
    readonly trafficControl?: true;
    /** Left out where it is false. */
    readonly offsetGaps?: true;
    readonly maxDeduplicationDuration?: string;
    readonly languages?: LanguageSupport;
  };
  readonly splice: {
    readonly dsoParty: Party;
    readonly registryAdmin: Party;
    readonly startedAt: string;
    readonly isLate?: true;
    readonly validators: readonly {
      readonly party: Party;
      readonly user: string;
      readonly walletUser: string;
      readonly reservedTraffic?: number;
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
  /** How long the state is. */
  readonly bytes: number;
  /** SHA-256 of all behind the head, hexadecimal. */
  readonly sha256: string;
}

export interface WorldPackage {
  readonly id: PackageId;
  readonly name: string;
  readonly version: string;
  /** Daml-LF version, or `typescript`. */
  readonly language: string;
  /** How long its archive is; absent where it is in a DAR, or not in the file. */
  readonly bytes?: number;
}

export interface WorldDar {
  readonly sha256: string;
  /** Its main package. */
  readonly main: PackageId;
  /** How long it is; absent where it is not in the file. */
  readonly bytes?: number;
}

/** A file, read. */
export interface WorldParts {
  readonly head: WorldHead;
  /** By SHA-256; those that are in the file. */
  readonly dars: ReadonlyMap<string, Uint8Array>;
  /** Of packages that are in the file by themselves. */
  readonly archives: readonly Uint8Array[];
  readonly state: Buffer;
}

/** Of the operating system, in a gzip header: which one must not matter. */
const OS_BYTE = 9;
const UNKNOWN_OS = 255;

/** The same bytes on every system. */
export function packed(bytes: Uint8Array): Buffer {
  const file = gzipSync(bytes);
  file[OS_BYTE] = UNKNOWN_OS;
  return file;
}

const NEWLINE = 10;

/** @param archives the DARs of the head that have `bytes`, then of such packages, in their order */
export function packWorld(
  head: Omit<WorldHead, 'sha256' | 'bytes' | 'format' | 'version'>,
  archives: readonly Uint8Array[],
  state: Uint8Array,
): Buffer {
  const hash = createHash('sha256');
  for (const part of [...archives, state]) hash.update(part);
  const named = { format: FORMAT, version: VERSION };
  const whole = { ...named, ...head, bytes: state.length, sha256: hash.digest('hex') };
  const line = Buffer.from(`${JSON.stringify(whole)}\n`);
  return packed(Buffer.concat([line, ...archives, state]));
}

/** @param bytes unpacked @throws Error that says what is wrong with the file, as the end of a sentence */
export function partsIn(bytes: Buffer): WorldParts {
  const end = bytes.indexOf(NEWLINE);
  const head = headOf(bytes.subarray(0, Math.max(end, 0)));
  const rest = bytes.subarray(end + 1);
  const kept = [...head.dars, ...head.packages].filter((each) => each.bytes !== undefined);
  const expected = kept.reduce((sum, each) => sum + each.bytes!, head.bytes);
  if (rest.length !== expected)
    throw new Error(`it is torn: ${rest.length} of ${expected} bytes are there`);
  if (createHash('sha256').update(rest).digest('hex') !== head.sha256)
    throw new Error('it is damaged: what it holds is not what was saved');
  let at = 0;
  const archives = kept.map((each) => {
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

/** @throws Error as {@link partsIn} */
export function unpackedFile(file: Uint8Array): Buffer {
  if (file[0] !== 0x1f || file[1] !== 0x8b) return unpackedBrotli(file);
  try {
    return gunzipSync(file, { maxOutputLength: MAX_WORLD_BYTES });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new Error(`it has more than ${MAX_WORLD_BYTES} bytes, unpacked`);
    if (code === 'Z_BUF_ERROR') throw new Error('it is torn: its end is missing');
    throw new Error('it is damaged: it cannot be unpacked');
  }
}

/** As worlds are packed that come with Canticle: it takes long, and is smaller. @throws Error for what is none */
function unpackedBrotli(file: Uint8Array): Buffer {
  try {
    return brotliDecompressSync(file, { maxOutputLength: MAX_WORLD_BYTES });
  } catch {
    throw foreign();
  }
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
  if (version !== VERSION)
    throw new Error(
      `it is of version ${String(version)} of the format, and this Canticle reads version ${VERSION}. Use the Canticle that saved it, or save it anew`,
    );
  return head as unknown as WorldHead;
}

const foreign = (): Error =>
  new Error(
    'it is no world that Canticle saved (by save of a Canticle), nor active contracts that a participant exported',
  );
