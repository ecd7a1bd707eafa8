-- What a hidden or deleted comment says stands apart, in a table that only those read who may.

create table app.comment_withheld (
  org_id uuid not null,
  comment_id uuid not null,
  record_type text not null,
  record_id uuid not null,
  created_by uuid not null,
  body jsonb not null,
  primary key (org_id, comment_id),
  -- A comment that is hidden or deleted from the start stands there only after its text.
  foreign key (org_id, comment_id) references app.comments on delete cascade deferrable initially deferred
);
comment on table app.comment_withheld is 'What hidden and deleted comments say, for their author and those who look after the record. Not in the audit log: it moves with the comment, of which the log tells';
comment on column app.comment_withheld.created_by is 'The account that wrote the comment';
select app_private.protect('app.comment_withheld');
select app_private.follow_record('app.comment_withheld', adds => null, reads => 'author or manage');
-- Nobody reads what was deleted; what is hidden is read where the comment is.
create policy comment_withheld_read_hidden on app.comment_withheld as restrictive for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.comments c where c.org_id = comment_withheld.org_id and c.id = comment_withheld.comment_id and c.deleted_at is null));
grant select on app.comment_withheld to app_access;
grant select, insert, update (body), delete on app.comment_withheld to app_definer;

alter table app.comments alter column body drop not null;
alter table app.comments no force row level security;
alter table app.comment_withheld no force row level security;
insert into app.comment_withheld (org_id, comment_id, record_type, record_id, created_by, body)
  select c.org_id, c.id, c.record_type, c.record_id, c.created_by, c.body from app.comments c where c.hidden_at is not null or c.deleted_at is not null;
set constraints all immediate;
alter table app.comments disable trigger user;
update app.comments set body = null where hidden_at is not null or deleted_at is not null;
alter table app.comments enable trigger user;
alter table app.comments force row level security;
alter table app.comment_withheld force row level security;
alter table app.comments add constraint comments_withheld check ((body is null) = (hidden_at is not null or deleted_at is not null));
comment on column app.comments.body is 'What it says; that of a hidden or deleted comment stands in comment_withheld';

create or replace function app_private.comments_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.parent_id is not null and not exists (select from app.comments p where p.org_id = new.org_id and p.id = new.parent_id
        and p.record_type = new.record_type and p.record_id = new.record_id and p.parent_id is null and p.deleted_at is null) then
      raise exception 'only a comment on the same record is answered' using errcode = '23503', constraint = 'comments_parent';
    end if;
  -- What the database does by itself, as when a person is erased, is nobody's change.
  elsif (app.actor()).org_id is not null and pg_trigger_depth() = 1 then
    if old.created_by = app.account_id() then
      if (new.hidden_at, new.hidden_reason) is distinct from (old.hidden_at, old.hidden_reason) then
        raise exception 'nobody hides or shows their own comment' using errcode = '42501', constraint = 'comments_own_moderation';
      end if;
    elsif (new.body, new.edited_at, new.deleted_at) is distinct from (old.body, old.edited_at, old.deleted_at) then
      raise exception 'a comment is changed by its author only' using errcode = '42501', constraint = 'comments_author';
    end if;
  end if;
  if new.hidden_at is not null or new.deleted_at is not null then
    if new.body is not null then
      insert into app.comment_withheld (org_id, comment_id, record_type, record_id, created_by, body)
        values (new.org_id, new.id, new.record_type, new.record_id, new.created_by, new.body)
        on conflict (org_id, comment_id) do update set body = excluded.body;
      new.body := null;
    end if;
  elsif tg_op = 'UPDATE' and new.body is null then
    delete from app.comment_withheld w where w.org_id = new.org_id and w.comment_id = new.id returning w.body into new.body;
    if new.body is null then
      raise exception 'this comment was deleted more than 30 days ago' using errcode = '23514', constraint = 'comment_purged';
    end if;
  end if;
  return new;
end $$;
comment on function app_private.comments_guard() is 'The author changes what a comment says, whoever looks after the record hides it; answers stand one level deep; what is hidden or deleted is kept apart';

select app_private.while_open('app.comments', 'body');

create or replace function app_private.comments_erased() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.comments c set deleted_at = now() where c.org_id = new.org_id and c.author_id = new.id and c.deleted_at is null;
  delete from app.comment_withheld w using app.comments c where c.org_id = new.org_id and c.author_id = new.id and w.org_id = c.org_id and w.comment_id = c.id;
  return null;
end $$;

create index comments_deleted on app.comments (deleted_at) where deleted_at is not null;
create function app.purge_comments() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.comment_withheld w using app.comments c where c.deleted_at < now() - interval '30 days' and w.org_id = c.org_id and w.comment_id = c.id;
  -- One that has answers stays as the gap they stand below.
  delete from app.comments c where c.deleted_at < now() - interval '30 days'
    and not exists (select from app.comments a where a.org_id = c.org_id and a.parent_id = c.id)
$$;
comment on function app.purge_comments() is 'Forgets comments that were deleted 30 days ago, and what those said that still have answers; for the worker';
grant execute on function app.purge_comments() to app_worker;
select app_private.own_definers();
