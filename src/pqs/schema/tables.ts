/** The types and tables of a database. */
import { CHECKPOINT, CONTRACT, declared, EVENT_ID, EXERCISE, TRACE_CONTEXT } from './columns.js';

/** Tells tables of Canticle from those of a real PQS, which it never deletes. */
export const MARK = 'Written by Canticle';

const TYPES = `
create type __event_type as enum ('create', 'archive', 'exercise');
create type __payload_type as enum ('template', 'interface');
create type checkpoint as (${declared(CHECKPOINT)});
create type event_id as (${declared(EVENT_ID)});
create type trace_context as (${declared(TRACE_CONTEXT)});
create type contract as (${declared(CONTRACT)});
create type contract_summary as (template_fqn text, payload_type __payload_type, count bigint);
create type exercise as (${declared(EXERCISE)});
`;

const SINGLETON = 'singleton boolean primary key default true check (singleton)';

const TABLES = `
create table __packages (pk bigint primary key, name text not null, version text not null, id text not null);
create index __packages_id_idx on __packages using hash (id);

create table __contract_tpe (
  pk bigint primary key, payload_type __payload_type not null, aliases text[] not null,
  package_name text not null, module_name text not null, entity_name text not null,
  template_fqn text not null generated always as (package_name || ':' || module_name || ':' || entity_name) stored
);
create index __contract_tpe_aliases_ix on __contract_tpe using gin (aliases);

create table __exercise_tpe (
  pk bigint primary key, choice text not null, consuming boolean not null, aliases text[] not null,
  package_name text not null, module_name text not null, entity_name text not null,
  template_fqn text not null generated always as (package_name || ':' || module_name || ':' || entity_name) stored,
  choice_fqn text not null generated always as (package_name || ':' || module_name || ':' || entity_name || ':' || choice) stored
);
create index __exercise_tpe_aliases_ix on __exercise_tpe using gin (aliases);

create table __contract_implements (
  template_pk bigint references __contract_tpe, interface_pk bigint references __contract_tpe,
  primary key (template_pk, interface_pk)
);

create table __transactions (
  ix bigint primary key, "offset" bigint not null, transaction_id text, effective_at timestamptz, workflow_id text,
  domain_id text, trace_context trace_context, external_transaction_hash bytea, paid_traffic_cost bigint
);
create unique index __transactions_offset_ix_idx on __transactions ("offset", ix);
create index __transactions_transaction_id_idx on __transactions using hash (transaction_id);
create index __transactions_transaction_effective_at_idx on __transactions using brin (effective_at);
create index __transactions_ext_tx_hash_idx on __transactions using hash (external_transaction_hash)
  where external_transaction_hash is not null;

create table __events (pk bigint primary key, tx_ix bigint not null, event_id event_id not null, type __event_type not null);
create index __events_event_id_idx on __events (event_id);
create index __events_tx_ix_idx on __events (tx_ix);

create table __contracts (
  tpe_pk bigint not null references __contract_tpe,
  create_event_pk bigint, created_at_ix bigint, archive_event_pk bigint, archived_at_ix bigint,
  life_ix int8range not null generated always as (int8range(created_at_ix, archived_at_ix)) stored,
  contract_id text not null, payload jsonb, contract_key jsonb, metadata bytea, redaction_id text,
  package_pk bigint not null default 0 references __packages,
  signatories text[] not null default '{}', observers text[] not null default '{}', witnesses text[] not null default '{}',
  divulged_only boolean not null default false, creation_package_id text, contract_key_hash bytea
) partition by list (tpe_pk);
create index __contracts_archive_event_pk_idx on __contracts (archive_event_pk);
create index __contracts_archived_at_ix_idx on __contracts (archived_at_ix) include (tpe_pk);
create index __contracts_contract_id_idx on __contracts using hash (contract_id);
create index __contracts_create_event_pk_idx on __contracts (create_event_pk);
create index __contracts_created_at_ix_idx on __contracts (created_at_ix) include (tpe_pk);
create index __contracts_life_ix_idx on __contracts using gist (life_ix) include (tpe_pk) where not divulged_only;
create index __contracts_package_pk_idx on __contracts (package_pk);

create table __exercises (
  tpe_pk bigint not null references __exercise_tpe, contract_tpe_pk bigint not null references __contract_tpe,
  exercise_event_pk bigint, exercised_at_ix bigint, contract_id text not null, argument jsonb, result jsonb, redaction_id text,
  package_pk bigint not null default 0 references __packages,
  controllers text[] not null default '{}', last_descendant_node_id integer not null default -1, witnesses text[] not null default '{}'
) partition by list (tpe_pk);
create index __exercises_contract_id_idx on __exercises using hash (contract_id);
create index __exercises_exercise_event_pk_idx on __exercises (exercise_event_pk);
create index __exercises_exercised_at_ix_idx on __exercises (exercised_at_ix) include (tpe_pk);
create index __exercises_package_pk_idx on __exercises (package_pk);

create table __pruning_metadata (${SINGLETON}, pruned_offset bigint);
insert into __pruning_metadata default values;

create table __tmp_archived_contracts (
  contract_id text, archive_event_pk bigint, archived_at_ix bigint, tpe_pk bigint,
  package_pk bigint not null default 0 references __packages
);
create index __tmp_archived_contracts_ix_idx on __tmp_archived_contracts (archived_at_ix);

create table __watermark (${SINGLETON}, ix bigint, "offset" bigint, instance_id text);
insert into __watermark default values;
comment on table __watermark is '${MARK}';

create table flyway_schema_history (
  installed_rank integer primary key, version varchar(50), description varchar(200) not null, type varchar(20) not null,
  script varchar(1000) not null, checksum integer, installed_by varchar(100) not null, installed_on timestamp not null,
  execution_time integer not null, success boolean not null
);
create index flyway_schema_history_s_idx on flyway_schema_history (success);
`;

export const TABLES_AND_TYPES = TYPES + TABLES;

const TABLE_NAMES = [
  ...[
    '__contracts',
    '__exercises',
    '__contract_implements',
    '__contract_tpe',
    '__exercise_tpe',
    '__events',
    '__transactions',
  ],
  ...[
    '__tmp_archived_contracts',
    '__pruning_metadata',
    '__watermark',
    '__packages',
    'flyway_schema_history',
  ],
];
const TYPE_NAMES = [
  'contract',
  'contract_summary',
  'exercise',
  'checkpoint',
  'event_id',
  'trace_context',
  '__event_type',
  '__payload_type',
];

/** Deletes everything that the schema has, with what depends on it. */
export const DROPPED = `
drop table ${TABLE_NAMES.map((name) => `public.${name}`).join(', ')} cascade;
drop type ${TYPE_NAMES.map((name) => `public.${name}`).join(', ')} cascade;
do $$
declare each text;
begin
  foreach each in array coalesce((
    select array_agg(p.oid::regprocedure::text) from pg_catalog.pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and p.proname ~ '^(__|(oldest|latest)_|pruned_offset|set_(latest|oldest)$|nearest_offset|validate_|(prune|reset)_|redact_|summary_|(print_)?create_index_for_contract)'
      and not exists (select from pg_catalog.pg_depend d where d.objid = p.oid and d.deptype = 'e')
  ), '{}') loop
    execute format('drop routine if exists %s cascade', each);
  end loop;
end $$;
`;
