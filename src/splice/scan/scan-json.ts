/**
 * Values as a Scan of this release writes them: through the code that it is built with. Fields that later versions of a record
 * added are null where an earlier one wrote the value; those that it has never heard of are dropped (S-ENC-009).
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

/** A number of fields that no version has changed, or the first one's and the names of those that others added. */
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

/** Templates, and the other records beside them, of whichever package. */
let knownNames: ReadonlySet<string> | undefined;
const isKnown = (name: string): boolean => {
  knownNames ??= new Set(Object.values(rows()).flatMap(Object.keys));
  return knownNames.has(name);
};

/**
 * Why a Scan cannot write what is of a template: it has no code of it (S-ENC-010). Undefined where it has, and for the test token,
 * which stands in for Amulet. NOTE: choices that a later version added are told as if the Scan knew them.
 */
export function companionFault(templateId: TypeId): string | undefined {
  const name = qualifiedNameOf(templateId);
  if (isKnown(name) || packageIdOf(templateId) === testTokenPackage.id) return undefined;
  return `Could not find template companion for ${name}`;
}
