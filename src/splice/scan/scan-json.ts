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
