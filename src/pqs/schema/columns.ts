/** The columns of the public types and of the tables, per version of the schema. Order matters: `select *` and drivers show it. */

/** Versions of PQS whose interface a database can have. */
export const PQS_VERSIONS = ['3.5', '3.6'] as const;
export type PqsVersion = (typeof PQS_VERSIONS)[number];

/** The differences between versions. */
export interface SchemaVersion {
  /** The number of the last migration. */
  readonly schema: string;
  /** Whether rows of interfaces have the hash of the contract's key, too. */
  readonly interfacesHaveKeyHash: boolean;
  /** Whether `print_create_index_for_contract` exists. */
  readonly printsIndexes: boolean;
}

export const SCHEMA_OF: Readonly<Record<PqsVersion, SchemaVersion>> = {
  '3.5': { schema: '041', interfacesHaveKeyHash: true, printsIndexes: false },
  '3.6': { schema: '042', interfacesHaveKeyHash: false, printsIndexes: true },
};

type Columns = readonly (readonly [name: string, type: string])[];

export const CHECKPOINT: Columns = [
  ['"offset"', 'bigint'],
  ['ix', 'bigint'],
];

export const EVENT_ID: Columns = [
  ['"offset"', 'bigint'],
  ['node_id', 'integer'],
];

export const TRACE_CONTEXT: Columns = [
  ['trace_parent', 'text'],
  ['trace_state', 'text'],
];

/** A column of a function's result, with the expression that computes it. */
type Computed = readonly (readonly [name: string, type: string, expression: string])[];

/** Of the tables: c contract, t its type, p package, ct and at transactions of the create and the archive, ce and ae their events. */
export const CONTRACT: Computed = [
  ['template_fqn', 'text', 't.template_fqn'],
  ['payload_type', '__payload_type', 't.payload_type'],
  ['create_event_pk', 'bigint', 'c.create_event_pk'],
  ['create_event_id', 'event_id', 'ce.event_id'],
  ['created_at_ix', 'bigint', 'c.created_at_ix'],
  ['created_at_offset', 'bigint', 'ct."offset"'],
  ['archive_event_pk', 'bigint', 'c.archive_event_pk'],
  ['archive_event_id', 'event_id', 'ae.event_id'],
  ['archived_at_ix', 'bigint', 'c.archived_at_ix'],
  ['archived_at_offset', 'bigint', 'at."offset"'],
  ['life_ix', 'int8range', 'c.life_ix'],
  ['contract_id', 'text', 'c.contract_id'],
  ['payload', 'jsonb', 'c.payload'],
  ['contract_key', 'jsonb', 'c.contract_key'],
  ['metadata', 'bytea', 'c.metadata'],
  ['created_effective_at', 'timestamptz', 'ct.effective_at'],
  ['archived_effective_at', 'timestamptz', 'at.effective_at'],
  ['redaction_id', 'text', 'c.redaction_id'],
  ['package_name', 'text', 'p.name'],
  ['package_version', 'text', 'p.version'],
  ['package_id', 'text', 'p.id'],
  ['signatories', 'text[]', 'c.signatories'],
  ['observers', 'text[]', 'c.observers'],
  ['witnesses', 'text[]', 'c.witnesses'],
  ['divulged_only', 'boolean', 'c.divulged_only'],
  ['creation_package_id', 'text', 'coalesce(c.creation_package_id, p.id)'],
  ['contract_key_hash', 'bytea', 'c.contract_key_hash'],
];

/** Of the tables: e exercise, t its type, p package, x transaction, ev event, c the contract's row of the type. */
export const EXERCISE: Computed = [
  ['template_fqn', 'text', 't.template_fqn'],
  ['choice_fqn', 'text', 't.choice_fqn'],
  ['choice', 'text', 't.choice'],
  ['consuming', 'boolean', 't.consuming'],
  ['exercise_event_pk', 'bigint', 'e.exercise_event_pk'],
  ['exercise_event_id', 'event_id', 'ev.event_id'],
  ['exercised_at_ix', 'bigint', 'e.exercised_at_ix'],
  ['exercised_at_offset', 'bigint', 'x."offset"'],
  ['contract_id', 'text', 'e.contract_id'],
  ['argument', 'jsonb', 'e.argument'],
  ['result', 'jsonb', 'e.result'],
  ['exercised_effective_at', 'timestamptz', 'x.effective_at'],
  ['redaction_id', 'text', 'e.redaction_id'],
  ['package_name', 'text', 'p.name'],
  ['package_version', 'text', 'p.version'],
  ['package_id', 'text', 'p.id'],
  ['signatories', 'text[]', 'c.signatories'],
  ['observers', 'text[]', 'c.observers'],
  ['controllers', 'text[]', 'e.controllers'],
  ['last_descendant_node_id', 'integer', 'e.last_descendant_node_id'],
  ['witnesses', 'text[]', 'e.witnesses'],
];

/** `name type, name type, …` */
export const declared = (columns: Columns | Computed): string =>
  columns.map(([name, type]) => `${name} ${type}`).join(', ');

/** @param instead other expressions for some columns */
export const expressions = (columns: Computed, instead: Readonly<Record<string, string>> = {}) =>
  columns.map(([name, , expression]) => instead[name] ?? expression).join(', ');
