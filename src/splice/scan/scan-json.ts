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

export const SCAN_JSON: ScanJson = scanJson(knownRecords);

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
