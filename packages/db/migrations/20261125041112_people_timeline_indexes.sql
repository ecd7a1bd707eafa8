-- The timeline of a person reads the newest rows of each table that tells of people. Those of a day are few for one person; the others have an index
-- in the order of time.

create index comments_by_author_and_time on app.comments (org_id, author_id, created_at desc, id desc);
drop index app.comments_by_author;
create index audit_entries_of_status on app.audit_entries (org_id, person_id, at desc, seq desc) where entity = 'people' and diff ? 'lifecycle';
