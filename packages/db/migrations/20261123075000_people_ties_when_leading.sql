-- Only rows of leaders are looked at: an import of thousands of members asks nothing for each.
drop trigger group_members_own_lead on app.group_members;
create trigger group_members_own_lead before insert or update of role, status, starts_on, ends_on, person_id, group_id on app.group_members
  for each row when (new.role = 'leader') execute function app.group_members_own_lead();
