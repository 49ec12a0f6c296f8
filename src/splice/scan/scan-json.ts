/**
 * Encodes values like a Scan of this release, which has fixed package versions. Fields that later versions of a record add are null if the
 * writer used an earlier one. Scan drops unknown fields (S-ENC-009).
 */
import {
  scanJson,
  type KnownRecord,
  type KnownRecords,
  type ScanJson,
} from '../../daml/codec/json/scan.js';
import { packageIdOf, qualifiedNameOf, type TypeId } from '../../daml/model/types.js';
import { testTokenPackage } from '../../token/package.js';
import facts from './known-records.json' with { type: 'json' };

/** The number of fields if all versions have the same; otherwise the number in the first version, and the names of later fields. */
type Row = number | readonly [number, ...string[]];

type Rows = Readonly<Record<string, Readonly<Record<string, Row>>>>;
const rows = (): Rows => facts.records as unknown as Rows;

/** The fields that records have in a later release of Scan, in addition to those of the first one. */
export interface LaterFields {
  /** By the name of the record. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Whether further fields of the installed packages are shown, because those of the release are not known. */
  readonly showsOthers: boolean;
}

const knownRecords: KnownRecords = (packageName, name): KnownRecord | undefined => {
  const packages = rows();
  if (!Object.hasOwn(packages, packageName)) return undefined;
  const known = packages[packageName]!;
  if (!Object.hasOwn(known, name)) return undefined;
  const row = known[name]!;
  if (typeof row === 'number') return { first: row, later: [] };
  const [first, ...later] = row;
  return { first, later };
};

/** Codecs are made once: they keep what they compiled. */
const codecs = new Map<LaterFields | undefined, ScanJson>();

/** The codecs of a release of Scan; without `later`, of the first one. */
export function scanJsonWith(later: LaterFields | undefined): ScanJson {
  let json = codecs.get(later);
  if (json === undefined) codecs.set(later, (json = scanJson(knownTo(later))));
  return json;
}

function knownTo(release: LaterFields | undefined): KnownRecords {
  if (release === undefined) return knownRecords;
  return (packageName, name) => {
    const known = knownRecords(packageName, name);
    if (known === undefined) return undefined;
    const later = [...known.later, ...(release.fields[name] ?? [])];
    return { first: known.first, later, ...(release.showsOthers && { showsOthers: true }) };
  };
}

/** Names of templates and of other records, in all packages. */
let knownNames: ReadonlySet<string> | undefined;
const isKnown = (name: string): boolean => {
  knownNames ??= new Set(Object.values(rows()).flatMap(Object.keys));
  return knownNames.has(name);
};

/**
 * The error of a Scan that has no code for a template (S-ENC-010). Undefined if it has the code, and for the test token, which replaces
 * Amulet. NOTE: Scan encodes choices of later versions as if it had their code.
 */
export function companionError(templateId: TypeId): string | undefined {
  const name = qualifiedNameOf(templateId);
  if (isKnown(name) || packageIdOf(templateId) === testTokenPackage.id) return undefined;
  return `Could not find template companion for ${name}`;
}
