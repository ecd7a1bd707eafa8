-- A pace of nothing is no pace.
create or replace function app_private.mail_turn(place text, gap interval, ahead interval, waits boolean) returns timestamptz
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare turn timestamptz;
begin
  if gap is null then return now(); end if;
  insert into app_private.mail_pace as p (place, free_at) values (mail_turn.place, now() + gap)
    on conflict on constraint mail_pace_pkey do update set free_at = greatest(p.free_at, now()) + gap
    returning free_at - gap - ahead into turn;
  return case when waits then greatest(turn, now()) else now() end;
end $$;
