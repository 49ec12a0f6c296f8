/** The history of migrations that a real database has (Flyway's table). Versions that are absent were never released. */
import { SCHEMA_OF, type PqsVersion } from './columns.js';

const MIGRATIONS: readonly string[] = [
  '001 Create initial schema',
  '002 Make initializecontractimplements function idempotent',
  '003 Fix create index for contract',
  '004 Add tmp to tx references cascade constraint',
  '005 Make watermark progression safer',
  '006 Make checkpoint functions stable',
  '007 Expose effective at',
  '008 Add redaction functions',
  '009 Remove soft redactions',
  '010 Add package name support',
  '011 Remove witnesses add stakeholders',
  '012 Update initialization routines',
  '013 Drop packages name version key constraint',
  '015 Include template entity name in choice type',
  '016 Store trace context of daml transaction',
  '017 Fix exercises join',
  '018 Add reference index',
  '019 Baseline initialization routines',
  '020 Remove cascading operations',
  '021 Optimize watermark cleanup',
  '022 Events identifier updated and offset num added',
  '023 Remove referential constraints',
  '024 No hardcoded public schema',
  '025 Expose controllers in exercises',
  '026 Resolve contract type from exercise name',
  '027 Avoid inspecting redundant contract partitions on exercises query',
  '028 Rectify parent child relationship on daml versions schema split',
  '029 Expose last descendant node id in exercises',
  '030 Store external transaction hash',
  '031 Add transactions view',
  '032 Use of partition index in partition tables',
  '033 Implement contracts divulgence',
  '034 Nearest offset fix',
  '035 Add prune archived to offset',
  '036 Extract functions to repeatable',
  '037 Add creation package id',
  '038 Add pruning metadata',
  '039 Store paid traffic cost',
  '040 Init watermark',
  '041 Store contract key hash',
  '042 Clear contract key hash for interface views',
];

/** @param installedOn the ledger's time at the start, in ISO 8601 */
export function migrationHistory(version: PqsVersion, installedOn: string): string {
  const last = SCHEMA_OF[version].schema;
  const done = MIGRATIONS.filter((each) => each.slice(0, 3) <= last);
  const values = done.map((each, index) => {
    const [number, description] = [each.slice(0, 3), each.slice(4)];
    const script = `V${number}__${description.replaceAll(' ', '_')}.sql`;
    return `(${index + 1}, '${number}', '${description}', 'SQL', '${script}', null, current_user, '${installedOn}', 0, true)`;
  });
  values.push(
    `(${done.length + 1}, null, 'functions', 'SQL', 'R__functions.sql', null, current_user, '${installedOn}', 0, true)`,
  );
  return `insert into flyway_schema_history values ${values.join(', ')};`;
}
