/** Functions that read: offsets, contracts, exercises, summaries (Q-FUN-001 to Q-FUN-003). Users call them by position or by name. */
import { CONTRACT, EXERCISE, expressions } from './columns.js';

const LATEST = 'bigint default latest_offset()';
const OLDEST = 'bigint default oldest_offset()';
const UNPRUNED = 'bigint default coalesce(pruned_offset(), oldest_offset())';

/** The setting of a session, otherwise the offset of a checkpoint. */
const sessionOffset = (which: 'latest' | 'oldest') => `
create function ${which}_offset() returns bigint language sql stable parallel safe as $$
  select coalesce(
    nullif(current_setting('pqs.session_offset_${which}', true), '')::bigint,
    (select c."offset" from ${which}_checkpoint() c)
  )
$$;
create function set_${which}("offset" bigint) returns bigint language sql stable as $$
  select nullif(set_config('pqs.session_offset_${which}', coalesce(validate_offset_exists("offset")::text, ''), false), '')::bigint
$$;`;

/** The index of the transaction next to an offset. */
const nearestIx = (name: string, comparison: string, order: string) => `
create function ${name}("offset" bigint) returns bigint language plpgsql stable parallel safe as $$
begin
  if "offset" > latest_offset() then
    raise exception 'Offset % is after the latest known offset %', "offset", latest_offset();
  end if;
  if "offset" < oldest_offset() then
    raise exception 'Offset % is before the oldest known offset %', "offset", oldest_offset();
  end if;
  return (select x.ix from __transactions x where x."offset" ${comparison} ${name}."offset" order by x."offset" ${order} limit 1);
end $$;`;

/** The key of a type, by any of its names. */
const typeByName = (name: string, table: string) => `
create function ${name}(qname text) returns bigint language plpgsql immutable strict parallel safe as $$
declare
  found bigint[] := array(select t.pk from ${table} t where t.aliases @> array[qname] limit 2);
begin
  case cardinality(found)
    when 0 then raise exception 'Identifier not found: %', qname;
    when 1 then return found[1];
    else raise exception 'Ambiguous identifier: %', qname;
  end case;
end $$;`;

const OFFSETS = `
create function oldest_checkpoint() returns setof checkpoint language sql stable rows 1 parallel safe as $$
  select x."offset", x.ix from __transactions x order by x."offset" limit 1
$$;
create function latest_checkpoint() returns setof checkpoint language sql stable rows 1 parallel safe as $$
  select w."offset", w.ix from __watermark w where w.ix is not null and w."offset" is not null
$$;
create function pruned_offset() returns bigint language sql stable parallel safe as $$
  select m.pruned_offset from __pruning_metadata m
$$;
create function validate_offset_exists("offset" bigint) returns bigint language plpgsql stable strict as $$
begin
  if "offset" < (select c."offset" from oldest_checkpoint() c) then
    raise exception 'Illegal offset % is outside lower bounds of contiguous history', "offset";
  end if;
  if "offset" > (select c."offset" from latest_checkpoint() c) then
    raise exception 'Illegal offset % is beyond upper bounds of contiguous history', "offset";
  end if;
  return "offset";
end $$;
${sessionOffset('latest')}
${sessionOffset('oldest')}
${nearestIx('__nearest_ix_ceil', '>=', 'asc')}
${nearestIx('__nearest_ix_floor', '<=', 'desc')}
create function nearest_offset(cutoff_ts timestamptz) returns bigint language plpgsql stable strict as $$
declare
  nearest bigint;
begin
  raise info 'Finding closest offset prior to cut-off timestamp: % (UTC)', cutoff_ts;
  nearest := (
    select max(x."offset") from __transactions x
    where x.effective_at <= cutoff_ts and x."offset" <= (select w."offset" from __watermark w)
  );
  raise info 'Determined closest offset: %', nearest;
  return nearest;
end $$;
create function nearest_offset(cutoff interval) returns bigint language plpgsql stable strict as $$
begin
  raise info 'Current time: % (UTC)', now();
  raise info 'Finding closest offset prior to cut-off interval ago: %', cutoff;
  return nearest_offset(now() - cutoff);
end $$;
`;

const contractRows = (instead: Readonly<Record<string, string>> = {}) => `
  select ${expressions(CONTRACT, instead)}
  from __contracts c
  left join __contract_tpe t on t.pk = c.tpe_pk
  left join __packages p on p.pk = c.package_pk
  left join __transactions ct on ct.ix = c.created_at_ix
  left join __transactions at on at.ix = c.archived_at_ix
  left join __events ce on ce.pk = c.create_event_pk
  left join __events ae on ae.pk = c.archive_event_pk
  where (qname is null or c.tpe_pk = __contract_tpe4name(qname))`;

const EXERCISE_ROWS = `
  select ${expressions(EXERCISE)}
  from __exercises e
  left join __exercise_tpe t on t.pk = e.tpe_pk
  left join __packages p on p.pk = e.package_pk
  left join __transactions x on x.ix = e.exercised_at_ix
  left join __events ev on ev.pk = e.exercise_event_pk
  left join __contracts c on c.contract_id = e.contract_id and c.tpe_pk = e.contract_tpe_pk
  where (qname is null or (e.tpe_pk = __exercise_tpe4name(qname) and e.contract_tpe_pk = __contract_tpe_from_exercise_name(qname)))`;

/** Both ends are inclusive. */
const within = (ix: string) =>
  `${ix} between (select __nearest_ix_ceil(from_offset)) and (select __nearest_ix_floor(to_offset))`;

const reader = (name: string, args: string, type: string, body: string) => `
create function ${name}(${args}) returns setof ${type} language sql stable parallel safe as $$${body} $$;`;

const ROWS = `
${typeByName('__contract_tpe4name', '__contract_tpe')}
${typeByName('__exercise_tpe4name', '__exercise_tpe')}
create function __contract_tpe_from_exercise_name(qname text) returns bigint language sql immutable strict parallel safe as $$
  select __contract_tpe4name(t.template_fqn) from __exercise_tpe t where t.pk = __exercise_tpe4name(qname)
$$;
${reader('__contracts', 'qname text default null', 'contract', contractRows())}
${reader('__exercises', 'qname text default null', 'exercise', EXERCISE_ROWS)}
${reader('active', `qname text default null, "offset" ${LATEST}`, 'contract', `${contractRows()} and not c.divulged_only and c.life_ix @> (select __nearest_ix_floor(active."offset"))`)}
${reader('creates', `qname text default null, from_offset ${OLDEST}, to_offset ${LATEST}`, 'contract', `${contractRows()} and ${within('c.created_at_ix')}`)}
${reader('archives', `qname text default null, from_offset ${UNPRUNED}, to_offset ${LATEST}`, 'contract', `${contractRows({ witnesses: `'{}'::text[]` })} and ${within('c.archived_at_ix')}`)}
${reader('exercises', `qname text default null, from_offset ${UNPRUNED}, to_offset ${LATEST}`, 'exercise', `${EXERCISE_ROWS} and ${within('e.exercised_at_ix')}`)}
${reader('lookup_contract', 'contract_id text, qname text default null', 'contract', `${contractRows()} and c.contract_id = lookup_contract.contract_id`)}
${reader('lookup_exercises', 'contract_id text, qname text default null', 'exercise', `${EXERCISE_ROWS} and e.contract_id = lookup_exercises.contract_id`)}
create view transactions as
  select x.ix, x."offset", x.transaction_id, x.effective_at, x.workflow_id, x.trace_context, x.external_transaction_hash, x.paid_traffic_cost
  from __transactions x where x."offset" >= oldest_offset() and x."offset" <= latest_offset();
${['contract', 'exercise']
  .map(
    (type) => `
create function stakeholders(${type}) returns text[] language sql immutable strict parallel safe as $$
  select array_agg(distinct party) from unnest($1.signatories || $1.observers) each(party)
$$;`,
  )
  .join('')}
`;

/** A count for each type of contracts. */
const summary = (name: string, args: string, condition: string) => `
create function ${name}(${args}) returns setof contract_summary language sql stable parallel safe as $$
  select t.template_fqn, t.payload_type, n.count
  from (select c.tpe_pk, count(*) from __contracts c where ${condition} group by c.tpe_pk) n
  join __contract_tpe t on t.pk = n.tpe_pk
$$;`;

const SUMMARIES = `
${summary('summary_active', `"offset" ${LATEST}`, 'not c.divulged_only and c.life_ix @> (select __nearest_ix_floor("offset"))')}
${summary('summary_creates', `from_offset ${OLDEST}, to_offset ${LATEST}`, within('c.created_at_ix'))}
${summary('summary_archives', `from_offset ${UNPRUNED}, to_offset ${LATEST}`, within('c.archived_at_ix'))}
${summary(
  'summary_transients',
  `from_offset ${UNPRUNED}, to_offset ${LATEST}`,
  `not c.divulged_only and c.life_ix <@ (
    select int8range(w.low, greatest(w.low, w.high))
    from (select __nearest_ix_ceil(from_offset) low, __nearest_ix_floor(to_offset) high) w
  )`,
)}
create function summary_updates(from_offset ${OLDEST}, to_offset ${LATEST})
returns table (template_fqn text, payload_type __payload_type, creates bigint, archives bigint)
language sql stable parallel safe as $$
  select t.template_fqn, t.payload_type, n.creates, n.archives
  from (
    select c.tpe_pk, count(*) filter (where ${within('c.created_at_ix')}) creates, count(*) filter (where ${within('c.archived_at_ix')}) archives
    from __contracts c group by c.tpe_pk
  ) n
  join __contract_tpe t on t.pk = n.tpe_pk
  where n.creates > 0 or n.archives > 0
$$;
create function summary_exercises(from_offset ${UNPRUNED}, to_offset ${LATEST})
returns table (template_fqn text, choice_fqn text, choice text, consuming boolean, count bigint)
language sql stable parallel safe as $$
  select t.template_fqn, t.choice_fqn, t.choice, t.consuming, n.count
  from (select e.tpe_pk, count(*) from __exercises e where ${within('e.exercised_at_ix')} group by e.tpe_pk) n
  join __exercise_tpe t on t.pk = n.tpe_pk
$$;
`;

export const READING = OFFSETS + ROWS + SUMMARIES;
