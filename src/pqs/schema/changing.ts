/** Functions that change a database: pruning, resets, redaction, indexes (Q-FUN-004 to Q-FUN-006). */

/** Deletes transactions after an index. Contracts that they archived are active again. */
const DELETE_AFTER = `
create procedure __delete_transactions_after(cutoff_ix bigint) language plpgsql as $$
begin
  delete from __contracts where created_at_ix > cutoff_ix;
  update __contracts set archived_at_ix = null, archive_event_pk = null where archived_at_ix > cutoff_ix;
  delete from __exercises where exercised_at_ix > cutoff_ix;
  delete from __events where tx_ix > cutoff_ix;
  delete from __tmp_archived_contracts where archived_at_ix > cutoff_ix;
  delete from __transactions where ix > cutoff_ix;
end $$;`;

const RESET = `
create function validate_reset_offset(max_offset bigint) returns table (new_latest bigint, affected_transactions integer)
language plpgsql strict as $$
begin
  if max_offset < (select c."offset" from oldest_checkpoint() c) then
    raise exception 'Illegal reset offset % is outside lower bounds of contiguous history', max_offset;
  end if;
  if max_offset > (select c."offset" from latest_checkpoint() c) then
    raise exception 'Illegal reset offset % is beyond upper bounds of contiguous history', max_offset;
  end if;
  new_latest := (select max(x."offset") from __transactions x where x."offset" <= max_offset);
  affected_transactions := (select count(*) from __transactions x where x."offset" > new_latest);
  return next;
end $$;
create function reset_to_offset(max_offset bigint) returns table (new_latest bigint, affected_transactions integer)
language plpgsql strict as $$
declare
  last_ix bigint;
begin
  lock table __watermark in exclusive mode nowait;
  lock table __pruning_metadata in share update exclusive mode nowait;
  raise notice 'Reset to offset: %', max_offset;
  select v.new_latest, v.affected_transactions into new_latest, affected_transactions from validate_reset_offset(max_offset) v;
  last_ix := (select max(x.ix) from __transactions x where x."offset" = new_latest);
  call __delete_transactions_after(last_ix);
  update __watermark w set "offset" = new_latest, ix = last_ix;
  update __pruning_metadata m set pruned_offset = least(m.pruned_offset, new_latest) where m.pruned_offset is not null;
  return next;
end $$;`;

const COUNTS = `pruning_boundary_offset bigint, deleted_contracts integer, deleted_exercises integer,
  deleted_events integer, deleted_transactions integer`;

/** Raises the errors of pruning. Its result is null if that offset is already pruned. */
const PRUNING_BOUNDARY = `
create function __pruning_boundary(max_pruned_offset bigint) returns bigint language plpgsql strict as $$
declare
  latest bigint := (select c."offset" from latest_checkpoint() c);
  pruned bigint := pruned_offset();
begin
  if max_pruned_offset <= pruned then
    raise warning 'Already pruned past offset %, nothing to do.', pruned;
    return null;
  end if;
  if max_pruned_offset < (select c."offset" from oldest_checkpoint() c) then
    raise exception 'Illegal pruning offset % is outside lower bounds of contiguous history', max_pruned_offset;
  end if;
  if max_pruned_offset = latest then
    raise exception 'Illegal pruning offset % coincides with latest consistent checkpoint of contiguous history', max_pruned_offset;
  end if;
  if max_pruned_offset > latest then
    raise exception 'Illegal pruning offset % is beyond upper bounds of contiguous history', max_pruned_offset;
  end if;
  return (select min(x."offset") from __transactions x where x."offset" > max_pruned_offset);
end $$;`;

/** Contracts that pruning deletes: archived before the boundary, or divulged before it. */
const PRUNED_CONTRACT =
  'c.archived_at_ix < cutoff_ix or (c.divulged_only and c.created_at_ix < cutoff_ix)';

/** @param isDryRun whether it only counts */
const pruneArchived = (isDryRun: boolean) => {
  const name = `prune_archived_to_offset${isDryRun ? '_dry_run' : ''}`;
  const take = (rows: string, result: string, condition: string) =>
    isDryRun
      ? `select ${result} from ${rows} where ${condition}`
      : `delete from ${rows} where ${condition} returning ${result}`;
  const remaining = isDryRun
    ? 'c.created_at_ix = x.ix and not c.divulged_only and (c.archived_at_ix is null or c.archived_at_ix >= cutoff_ix)'
    : 'c.created_at_ix = x.ix';
  return `
create function ${name}(max_pruned_offset bigint) returns table (${COUNTS}) language plpgsql strict as $$
declare
  cutoff_ix bigint;
begin
  ${isDryRun ? `raise notice 'DRY-RUN: pruning to offset: %', max_pruned_offset;` : 'lock table __pruning_metadata in share update exclusive mode;'}
  pruning_boundary_offset := __pruning_boundary(max_pruned_offset);
  if pruning_boundary_offset is null then
    return query select null::bigint, 0, 0, 0, 0;
    return;
  end if;
  cutoff_ix := (select min(x.ix) from __transactions x where x."offset" = pruning_boundary_offset);
  with contracts as (${take('__contracts c', 'c.create_event_pk, c.archive_event_pk', PRUNED_CONTRACT)}),
  exercises as (${take('__exercises e', 'e.exercise_event_pk', 'e.exercised_at_ix < cutoff_ix')}),
  events as (${take(
    '__events ev',
    'ev.pk',
    `ev.tx_ix < cutoff_ix and ev.pk in (
      select c.create_event_pk from contracts c union all select c.archive_event_pk from contracts c
      union all select e.exercise_event_pk from exercises e
    )`,
  )})
  select (select count(*) from contracts), (select count(*) from exercises), (select count(*) from events)
  into deleted_contracts, deleted_exercises, deleted_events;
  with gone as (${take(
    '__transactions x',
    'x.ix',
    `x.ix < cutoff_ix and not exists (select from __contracts c where ${remaining})`,
  )})
  select count(*) from gone into deleted_transactions;
  ${
    isDryRun
      ? `raise notice 'DRY-RUN: pruning % contracts, % exercises, % events and % transactions', deleted_contracts, deleted_exercises, deleted_events, deleted_transactions;`
      : 'update __pruning_metadata m set pruned_offset = max_pruned_offset;'
  }
  return next;
end $$;`;
};

/** Deprecated since 3.5: active contracts move to the new oldest transaction. */
const PRUNE_ALL = `
create function validate_pruning_offset(min_offset bigint)
returns table (squash_inclusive bigint, new_oldest bigint, affected_transactions integer) language plpgsql strict as $$
declare
  latest bigint := (select c."offset" from latest_checkpoint() c);
  pruned bigint := pruned_offset();
begin
  if min_offset < pruned then
    raise warning 'Already pruned past offset %, nothing to do.', pruned;
    return;
  end if;
  if min_offset < (select c."offset" from oldest_checkpoint() c) then
    raise exception 'Illegal pruning offset % is outside lower bounds of contiguous history', min_offset;
  end if;
  squash_inclusive := (select min(x."offset") from __transactions x where x."offset" >= min_offset);
  if squash_inclusive = latest then
    raise exception 'Illegal pruning offset % coincides with latest consistent checkpoint of contiguous history', min_offset;
  end if;
  if min_offset > latest then
    raise exception 'Illegal pruning offset % is beyond upper bounds of contiguous history', min_offset;
  end if;
  new_oldest := (select min(x."offset") from __transactions x where x."offset" > squash_inclusive);
  affected_transactions := (select count(*) from __transactions x where x."offset" <= squash_inclusive);
  return next;
end $$;
create function prune_to_offset(min_offset bigint)
returns table (squash_inclusive bigint, new_oldest bigint, affected_transactions integer) language plpgsql strict as $$
declare
  cutoff_ix bigint;
begin
  lock table __pruning_metadata in share update exclusive mode;
  raise warning 'Function prune_to_offset(%) is DEPRECATED.', min_offset
    using detail = 'This implementation is not thread-safe and contains performance bottlenecks.',
      hint = 'Use prune_archived_to_offset(offset) instead for better safety and speed.';
  select v.squash_inclusive, v.new_oldest into squash_inclusive, new_oldest from validate_pruning_offset(min_offset) v;
  if squash_inclusive is null then
    return query select null::bigint, null::bigint, 0;
    return;
  end if;
  cutoff_ix := (select min(x.ix) from __transactions x where x."offset" = new_oldest);
  affected_transactions := (select count(*) from __transactions x where x.ix < cutoff_ix);
  delete from __contracts c where ${PRUNED_CONTRACT};
  delete from __exercises e where e.exercised_at_ix < cutoff_ix;
  update __events ev set tx_ix = cutoff_ix from __contracts c where c.created_at_ix < cutoff_ix and ev.pk = c.create_event_pk;
  update __contracts c set created_at_ix = cutoff_ix where c.created_at_ix < cutoff_ix;
  delete from __events ev where ev.tx_ix < cutoff_ix;
  delete from __transactions x where x.ix < cutoff_ix;
  update __pruning_metadata m set pruned_offset = new_oldest;
  return next;
end $$;`;

const REDACTION = `
create function redact_contract(contract_id text, redaction_id text) returns integer language plpgsql strict as $$
declare
  redacted integer;
begin
  raise notice 'Redacting payload and contract key from contract: %', contract_id;
  if exists (select from lookup_contract(contract_id) c where c.archived_at_ix is null) then
    raise exception 'Cannot redact contract % because it is active', contract_id;
  end if;
  if exists (select from lookup_contract(contract_id) c where c.redaction_id is not null) then
    raise exception 'Cannot redact contract % because it is already redacted', contract_id;
  end if;
  update __contracts c
  set payload = null, contract_key = null, contract_key_hash = null, redaction_id = redact_contract.redaction_id
  where c.contract_id = redact_contract.contract_id;
  get diagnostics redacted = row_count;
  if redacted = 0 then
    raise exception 'Cannot find contract %', contract_id;
  end if;
  return redacted;
end $$;
create function redact_exercise(event_id event_id, redaction_id text) returns void language plpgsql strict as $$
begin
  raise notice 'Redacting argument and result from exercise with event ID: %', event_id;
  if exists (select from exercises() e where e.exercise_event_id = redact_exercise.event_id and e.redaction_id is not null) then
    raise exception 'Cannot redact exercise with event ID % because it is already redacted', event_id;
  end if;
  update __exercises e set argument = null, result = null, redaction_id = redact_exercise.redaction_id
  from __events ev where ev.pk = e.exercise_event_pk and ev.event_id = redact_exercise.event_id;
  if not found then
    raise exception 'Cannot find exercise with event ID %', event_id;
  end if;
end $$;`;

/**
 * Tables of contracts and exercises of one type exist from its first row or its first index on: an instance can have hundreds of types.
 */
const PARTITIONS = `
create procedure __ensure_partition(parent text, tpe_pk bigint) language plpgsql as $$
begin
  if to_regclass(format('%I', parent || '_' || tpe_pk)) is null then
    execute format('create table %I partition of %I for values in (%L)', parent || '_' || tpe_pk, parent, tpe_pk);
  end if;
end $$;`;

const indexFunctions = (print: string) => `
create function ${print}(
  name text, qname text, expression text, index_type text, index_opclass text default '', use_concurrently boolean default true
) returns text language plpgsql as $$
declare
  tpe_pk bigint := __contract_tpe4name(qname);
begin
  call __ensure_partition('__contracts', tpe_pk);
  return format(
    'create index %sif not exists %I on %I using %s(%s %s)',
    case when use_concurrently then 'concurrently ' else '' end,
    '__contracts_' || tpe_pk || '_' || name || '_idx', '__contracts_' || tpe_pk, index_type, expression, index_opclass
  );
end $$;
create procedure create_index_for_contract(name text, qname text, expression text, index_type text, index_opclass text default '')
language plpgsql as $$
begin
  execute ${print}(name, qname, expression, index_type, index_opclass, use_concurrently => false);
end $$;`;

/** @param printsIndexes whether users see the function that prints an index */
export const changing = (printsIndexes: boolean): string =>
  DELETE_AFTER +
  RESET +
  PRUNING_BOUNDARY +
  pruneArchived(false) +
  pruneArchived(true) +
  PRUNE_ALL +
  REDACTION +
  PARTITIONS +
  indexFunctions(printsIndexes ? 'print_create_index_for_contract' : '__index_for_contract');
