-- The timeline reads as many of one person as its page shows, newest first.
create index registrations_attended on app.registrations (org_id, person_id, checked_in_at) where status = 'checked_in';
