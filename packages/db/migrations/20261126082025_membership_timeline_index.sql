-- The timeline of a person tells when a membership was cancelled or paused; only the audit log knows the moment.

create index audit_entries_of_membership on app.audit_entries (org_id, person_id, at desc, seq desc) where entity = 'memberships' and diff ? 'status';
