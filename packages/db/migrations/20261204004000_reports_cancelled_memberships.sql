-- From which day a membership is cancelled: reports about a day of the past tell it from one that ran on that day.

alter table app.memberships add column cancelled_on date;
comment on column app.memberships.cancelled_on is 'First day on which it is cancelled; null while it is not, and of an import that did not say';

create function app_private.memberships_cancelled_on() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.status <> 'cancelled' then
    new.cancelled_on := null;
  elsif tg_op = 'INSERT' then
    new.cancelled_on := coalesce(new.cancelled_on, new.ends_on + 1);
  elsif old.status <> 'cancelled' then
    -- Cancelled ahead, it ends with its last day; the run that says so may come a day late.
    new.cancelled_on := coalesce(old.leaves_on + 1, app_private.today_of(new.org_id));
  end if;
  return new;
end $$;
comment on function app_private.memberships_cancelled_on() is 'Notes the day on which a membership becomes cancelled';
create trigger memberships_cancelled_on before insert or update on app.memberships for each row execute function app_private.memberships_cancelled_on();
select app_private.hide_in_audit('app.memberships', 'cancelled_on');

-- What the audit log knows of those that are cancelled already.
alter table app.memberships no force row level security;
alter table app.audit_entries no force row level security;
alter table app.organisations no force row level security;
alter table app.memberships disable trigger user;
update app.memberships m set cancelled_on = coalesce(
    (select max((a.at at time zone o.timezone)::date) from app.audit_entries a
      where a.org_id = m.org_id and a.person_id = m.person_id and a.entity = 'memberships' and a.entity_id = m.id and a.action = 'update' and a.diff -> 'status' ->> 1 = 'cancelled'),
    (m.updated_at at time zone o.timezone)::date)
  from app.organisations o where o.org_id = m.org_id and m.status = 'cancelled';
alter table app.memberships enable trigger user;
alter table app.memberships force row level security;
alter table app.audit_entries force row level security;
alter table app.organisations force row level security;

select app_private.own_definers();
