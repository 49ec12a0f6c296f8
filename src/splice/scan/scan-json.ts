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

const ROWS = facts.records as unknown as Readonly<Record<string, Readonly<Record<string, Row>>>>;

const knownRecords: KnownRecords = (packageName, name): KnownRecord | undefined => {
  if (!Object.hasOwn(ROWS, packageName)) return undefined;
  const rows = ROWS[packageName]!;
  if (!Object.hasOwn(rows, name)) return undefined;
  const row = rows[name]!;
  if (typeof row === 'number') return { first: row, later: [] };
  const [first, ...later] = row;
  return { first, later };
};

export const SCAN_JSON: ScanJson = scanJson(knownRecords);

/** Templates, and the other records beside them, of whichever package. */
const KNOWN_NAMES: ReadonlySet<string> = new Set(Object.values(ROWS).flatMap(Object.keys));

/**
 * Why a Scan cannot write what is of a template: it has no code of it (S-ENC-010). Undefined where it has, and for the test token,
 * which stands in for Amulet. NOTE: choices that a later version added are told as if the Scan knew them.
 */
export function companionFault(templateId: TypeId): string | undefined {
  const name = qualifiedNameOf(templateId);
  if (KNOWN_NAMES.has(name) || packageIdOf(templateId) === testTokenPackage.id) return undefined;
  return `Could not find template companion for ${name}`;
}
