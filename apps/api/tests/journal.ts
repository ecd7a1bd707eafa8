import type pg from 'pg'

/** A row that a request changed, with the actor that was bound when it did. */
export type Change = { table: string; op: 'INSERT' | 'UPDATE' | 'DELETE'; actor: string | null; row: Record<string, unknown> }

/**
 * Notes every changed row of a test's own database, so that a test can prove that nothing changed, and takes changes back, so that each
 * request meets the same rows. Only what is committed counts.
 */
export async function startJournal(admin: pg.Pool) {
  await admin.query(setUp)
  return {
    /** Changes since the last undo; how often somebody asked is counted whatever the answer. */
    async changes(): Promise<Change[]> {
      const { rows } = await admin.query<Change>(
        `select t::text as "table", op, split_part(actor, '|', 2) as actor, coalesce(after, before) as row from journal.changes where t <> 'app.use_counts'::regclass order by id`,
      )
      return rows
    },
    async undo(): Promise<void> {
      await admin.query('select journal.undo()')
    },
    /** One number for all rows of all tables: equal before and after means that nothing is different. */
    async checksum(): Promise<string> {
      const { rows } = await admin.query<{ sum: string }>('select journal.checksum() as sum')
      return rows[0]?.sum ?? ''
    },
  }
}
export type Journal = Awaited<ReturnType<typeof startJournal>>

const setUp = `
create schema journal;
create table journal.tables as
  select c.oid::regclass as t,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '') as columns,
    coalesce((select array_agg(a.attname::text) from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
      where i.indrelid = c.oid and i.indisprimary), '{}') as key
  from pg_class c where not c.relispartition and (c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') or c.oid = 'pgboss.job'::regclass);
create unlogged table journal.changes (id bigserial primary key, t regclass not null, op text not null, actor text, before jsonb, after jsonb);

create function journal.note() returns trigger language plpgsql security definer as $$
begin
  insert into journal.changes (t, op, actor, before, after) values (coalesce((select p.inhparent from pg_inherits p where p.inhrelid = tg_relid), tg_relid), tg_op,
    current_setting('app.actor', true), case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end);
  return null;
end $$;

create function journal.undo() returns void language plpgsql as $$
declare c record; which text;
begin
  perform set_config('session_replication_role', 'replica', true);
  for c in select x.*, t.columns, t.key from journal.changes x join journal.tables t on t.t = x.t order by x.id desc loop
    if c.after is not null then
      select coalesce(string_agg(format('r.%1$I = (jsonb_populate_record(null::%2$s, $1)).%1$I', k, c.t), ' and '), 'to_jsonb(r) = $1') into which from unnest(c.key) k;
      execute format('delete from %s r where %s', c.t, which) using c.after;
    end if;
    if c.before is not null then
      execute format('insert into %1$s (%2$s) overriding system value select %2$s from jsonb_populate_record(null::%1$s, $1)', c.t,
        (select string_agg(quote_ident(k), ', ') from unnest(c.columns) k)) using c.before;
    end if;
  end loop;
  delete from journal.changes;
end $$;

create function journal.checksum() returns text language plpgsql as $$
declare t record; part text; result text := '';
begin
  for t in select x.t from journal.tables x where x.t <> 'app.use_counts'::regclass order by x.t::text loop
    execute format('select coalesce(md5(string_agg(md5(r::text), '''' order by md5(r::text))), '''') from %s r', t.t) into part;
    result := md5(result || t.t::text || part);
  end loop;
  return result;
end $$;

-- The name makes it the first to fire: what other triggers change in turn is noted after what set them off.
do $$
declare t record;
begin
  for t in select x.t from journal.tables x loop
    execute format('create trigger "00_journal" after insert or update or delete on %s for each row execute function journal.note()', t.t);
  end loop;
end $$;`
