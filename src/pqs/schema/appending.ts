/** The function that writes a batch of rows: one statement, so that the rows of a command are there at once. */

/** A set of rows from a member of the batch. Members of columns that are absent are null. */
const rows = (member: string, columns: string) =>
  `jsonb_to_recordset(batch->'${member}') as r(${columns})`;

/**
 * Its batch has rows by table, if there are any, and the watermark before and after it. It returns false, and writes nothing, if the
 * watermark of the database is another one: a user has reset the database.
 */
export const APPENDING = `
create function __canticle_append(batch jsonb) returns boolean language plpgsql set search_path = public, pg_catalog as $$
declare
  each jsonb;
begin
  if (select w.ix from __watermark w) is distinct from (batch->>'after')::bigint then
    return false;
  end if;
  if batch ? 'packages' then
    insert into __packages (pk, name, version, id)
      select r.* from ${rows('packages', 'pk bigint, name text, version text, id text')};
  end if;
  if batch ? 'types' then
    insert into __contract_tpe (pk, payload_type, aliases, package_name, module_name, entity_name)
      select r.* from ${rows('types', 'pk bigint, payload_type __payload_type, aliases text[], package_name text, module_name text, entity_name text')};
  end if;
  if batch ? 'choices' then
    insert into __exercise_tpe (pk, choice, consuming, aliases, package_name, module_name, entity_name)
      select r.* from ${rows('choices', 'pk bigint, choice text, consuming boolean, aliases text[], package_name text, module_name text, entity_name text')};
  end if;
  if batch ? 'implements' then
    insert into __contract_implements (template_pk, interface_pk)
      select r.* from ${rows('implements', 'template_pk bigint, interface_pk bigint')};
  end if;
  for each in select jsonb_array_elements(batch->'partitions') loop
    call __ensure_partition(each->>0, (each->>1)::bigint);
  end loop;
  if batch ? 'transactions' then
    insert into __transactions (ix, "offset", transaction_id, effective_at, workflow_id, domain_id, trace_context, external_transaction_hash, paid_traffic_cost)
      select r.* from ${rows('transactions', 'ix bigint, "offset" bigint, transaction_id text, effective_at timestamptz, workflow_id text, domain_id text, trace_context trace_context, external_transaction_hash bytea, paid_traffic_cost bigint')};
  end if;
  if batch ? 'events' then
    insert into __events (pk, tx_ix, event_id, type)
      select r.pk, r.tx_ix, row(r."offset", r.node_id)::event_id, r.type
      from ${rows('events', 'pk bigint, tx_ix bigint, "offset" bigint, node_id integer, type __event_type')};
  end if;
  if batch ? 'contracts' then
    insert into __contracts (tpe_pk, create_event_pk, created_at_ix, contract_id, payload, contract_key, contract_key_hash, metadata, package_pk, creation_package_id, signatories, observers, witnesses, divulged_only)
      select r.tpe_pk, r.create_event_pk, r.created_at_ix, r.contract_id, r.payload, r.contract_key::jsonb, r.contract_key_hash, r.metadata, r.package_pk, r.creation_package_id, r.signatories, r.observers, r.witnesses, r.divulged_only
      from ${rows('contracts', 'tpe_pk bigint, create_event_pk bigint, created_at_ix bigint, contract_id text, payload jsonb, contract_key text, contract_key_hash bytea, metadata bytea, package_pk bigint, creation_package_id text, signatories text[], observers text[], witnesses text[], divulged_only boolean')};
  end if;
  if batch ? 'exercises' then
    insert into __exercises (tpe_pk, contract_tpe_pk, exercise_event_pk, exercised_at_ix, contract_id, argument, result, package_pk, controllers, last_descendant_node_id, witnesses)
      select r.tpe_pk, r.contract_tpe_pk, r.exercise_event_pk, r.exercised_at_ix, r.contract_id, r.argument::jsonb, r.result::jsonb, r.package_pk, r.controllers, r.last_descendant_node_id, r.witnesses
      from ${rows('exercises', 'tpe_pk bigint, contract_tpe_pk bigint, exercise_event_pk bigint, exercised_at_ix bigint, contract_id text, argument text, result text, package_pk bigint, controllers text[], last_descendant_node_id integer, witnesses text[]')};
  end if;
  for each in select jsonb_array_elements(batch->'archives') loop
    update __contracts c set archive_event_pk = (each->>1)::bigint, archived_at_ix = (each->>2)::bigint
    where c.tpe_pk = (each->>3)::bigint and c.contract_id = each->>0;
  end loop;
  update __watermark set ix = (batch->>'ix')::bigint, "offset" = (batch->>'offset')::bigint;
  return true;
end $$;
create procedure __canticle_revert(last_ix bigint, last_offset bigint) language plpgsql set search_path = public, pg_catalog as $$
begin
  call __delete_transactions_after(coalesce(last_ix, 0));
  update __watermark set ix = last_ix, "offset" = last_offset;
end $$;
create procedure __canticle_clear() language plpgsql set search_path = public, pg_catalog as $$
begin
  truncate __contracts, __exercises, __events, __transactions, __tmp_archived_contracts;
  update __watermark set ix = null, "offset" = null;
  update __pruning_metadata set pruned_offset = null;
end $$;
create function __canticle_is_changed() returns boolean language sql stable as $$
  select exists (select from public.__pruning_metadata m where m.pruned_offset is not null)
    or exists (select from public.__contracts c where c.redaction_id is not null)
    or exists (select from public.__exercises e where e.redaction_id is not null)
$$;
`;
