-- How long before an event people are reminded, where the event does not say: a setting of the organisation.

alter table app.organisations add column event_reminder_hours int not null default 24 check (event_reminder_hours between 1 and 336);
comment on column app.organisations.event_reminder_hours is 'How long before its start people are reminded of an event that does not say so itself';
grant update (event_reminder_hours) on app.organisations to app_access;

do $$
declare
  source text := pg_get_functiondef('app.plan_event_messages(uuid)'::regprocedure);
  changed text := replace(source, 'make_interval(hours => coalesce(s.hours, 24)) between e.published_at and now()',
    'make_interval(hours => coalesce(s.hours, (select o.event_reminder_hours from app.organisations o where o.org_id = org))) between e.published_at and now()');
begin
  if changed = source then raise exception 'app.plan_event_messages is written otherwise by now'; end if;
  execute changed;
end $$;

-- What was kept with another change of the mail, and is as usual, follows the organisation from now on.
update app.event_mail_settings set hours = null where kind = 'reminder' and hours = 24;
comment on column app.event_mail_settings.hours is 'Of the reminder: how long before the start people are reminded, as the organisation says unless stated; of the survey: how long after the end, 24 unless stated';
