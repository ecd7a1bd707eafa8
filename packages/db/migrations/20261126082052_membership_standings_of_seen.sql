-- Who sees a person sees which membership of theirs counts, as with the membership itself.

create policy membership_standings_of_seen on app.membership_standings as restrictive for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('people.sensitive')) or person_id = (select app.person_id())
    or exists (select from app.people p where p.org_id = membership_standings.org_id and p.id = membership_standings.person_id)));

