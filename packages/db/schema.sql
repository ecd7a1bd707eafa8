-- Generated from the migrations by `npm run generate`; edit those instead.

create role app_access nologin nosuperuser nobypassrls;
create role app_api login nosuperuser nobypassrls;
create role app_definer nologin nosuperuser nobypassrls;
create role app_owner nologin nosuperuser nobypassrls;
create role app_worker login nosuperuser nobypassrls;

grant usage on schema app to app_access;
grant usage on schema app to app_definer;
grant usage on schema app_private to app_definer;

create table app.accounts (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  issuer text,
  subject text,
  email text,
  email_verified boolean default false not null,
  name text default ''::text not null,
  sort_name text generated always as (lower(COALESCE(NULLIF(name, ''::text), email, ''::text))) stored not null,
  person_id uuid,
  status text default 'invited'::text not null,
  idp_roles text[] default '{}'::text[] not null,
  locale text,
  preferences jsonb default '{}'::jsonb not null,
  last_login_at timestamp with time zone,
  tokens_valid_after timestamp with time zone,
  access_message text,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  invited_until timestamp with time zone,
  constraint accounts_pkey PRIMARY KEY (org_id, id),
  constraint accounts_access_message_check CHECK ((char_length(access_message) <= 500)),
  constraint accounts_check CHECK (((issuer IS NULL) = (subject IS NULL))),
  constraint accounts_check1 CHECK (((subject IS NOT NULL) OR (status = ANY (ARRAY['invited'::text, 'suspended'::text])))),
  constraint accounts_email_check CHECK ((char_length(email) <= 320)),
  constraint accounts_org_id_issuer_subject_key UNIQUE (org_id, issuer, subject),
  constraint accounts_org_id_person_id_key UNIQUE (org_id, person_id),
  constraint accounts_status_check CHECK ((status = ANY (ARRAY['invited'::text, 'active'::text, 'pending_link'::text, 'suspended'::text]))),
  constraint accounts_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint accounts_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE SET NULL (person_id)
);
CREATE INDEX accounts_by_created ON app.accounts USING btree (org_id, created_at, id);
CREATE INDEX accounts_by_last_login ON app.accounts USING btree (org_id, COALESCE(last_login_at, '-infinity'::timestamp with time zone), id);
CREATE INDEX accounts_by_name ON app.accounts USING btree (org_id, sort_name, id);
alter table app.accounts enable row level security;
alter table app.accounts force row level security;
create policy accounts_add on app.accounts for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('account.manage'::text) AS everywhere)));
create policy accounts_change on app.accounts for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((id = ( SELECT app.account_id() AS account_id)) OR ( SELECT app.everywhere('account.manage'::text) AS everywhere))))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy accounts_definer on app.accounts for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy accounts_read on app.accounts for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((id = ( SELECT app.account_id() AS account_id)) OR ( SELECT app.everywhere('account.manage'::text) AS everywhere) OR ( SELECT app.everywhere('audit.read'::text) AS everywhere))));
create policy accounts_remove on app.accounts for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((status = 'pending_link'::text) OR ((status = 'invited'::text) AND (subject IS NULL))) AND ( SELECT app.everywhere('account.manage'::text) AS everywhere)));
CREATE TRIGGER accounts_audit_delete AFTER DELETE ON app.accounts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('audit.read');
CREATE TRIGGER accounts_audit_insert AFTER INSERT ON app.accounts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('audit.read');
CREATE TRIGGER accounts_audit_update AFTER UPDATE ON app.accounts REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('audit.read');
CREATE TRIGGER accounts_guard BEFORE UPDATE ON app.accounts FOR EACH ROW EXECUTE FUNCTION app.accounts_guard();
CREATE TRIGGER accounts_person_open AFTER INSERT OR UPDATE OF person_id ON app.accounts FOR EACH ROW WHEN ((new.person_id IS NOT NULL)) EXECUTE FUNCTION app.accounts_person_open();
CREATE TRIGGER accounts_tell_delete AFTER DELETE ON app.accounts FOR EACH ROW EXECUTE FUNCTION app.tell_account();
CREATE TRIGGER accounts_tell_update AFTER UPDATE ON app.accounts FOR EACH ROW WHEN ((((old.status IS DISTINCT FROM new.status) OR (old.person_id IS DISTINCT FROM new.person_id)) OR (old.tokens_valid_after IS DISTINCT FROM new.tokens_valid_after))) EXECUTE FUNCTION app.tell_account();
CREATE TRIGGER accounts_touch BEFORE UPDATE ON app.accounts FOR EACH ROW WHEN ((((((((old.status IS DISTINCT FROM new.status) OR (old.person_id IS DISTINCT FROM new.person_id)) OR (old.email IS DISTINCT FROM new.email)) OR (old.name IS DISTINCT FROM new.name)) OR (old.locale IS DISTINCT FROM new.locale)) OR (old.preferences IS DISTINCT FROM new.preferences)) OR (old.invited_until IS DISTINCT FROM new.invited_until))) EXECUTE FUNCTION app.touch();
grant delete, select on app.accounts to app_access;
grant update (name, person_id, status, locale, preferences, invited_until) on app.accounts to app_access;
grant insert (org_id, email, name, person_id, status, invited_until) on app.accounts to app_access;
grant delete, insert, select on app.accounts to app_definer;
grant update (issuer, subject, email, email_verified, name, person_id, status, idp_roles, last_login_at, tokens_valid_after) on app.accounts to app_definer;
comment on table app.accounts is 'A sign-in identity (issuer and subject), linked to at most one person';
comment on column app.accounts.idp_roles is 'Organisation-wide roles of the last verified access token that signed in, as of last_login_at; work that runs later acts with them';
comment on column app.accounts.tokens_valid_after is 'Access tokens issued earlier are refused (back-channel logout)';
comment on column app.accounts.access_message is 'What a person without an invitation wrote when they asked to be let in';
comment on column app.accounts.invited_until is 'Until when an invitation can be accepted; null for those of an operator, which do not expire';

create table app.affiliations (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  person_id uuid not null,
  chapter_id uuid not null,
  kind text default 'member'::text not null,
  starts_on date default CURRENT_DATE not null,
  ends_on date,
  is_primary boolean default false not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint affiliations_pkey PRIMARY KEY (org_id, id),
  constraint affiliations_check CHECK ((ends_on >= starts_on)),
  constraint affiliations_kind_check CHECK ((kind = ANY (ARRAY['member'::text, 'alumni'::text, 'advisor'::text, 'friend'::text, 'applicant'::text]))),
  constraint affiliations_org_id_person_id_starts_on_chapter_id_kind_key UNIQUE (org_id, person_id, starts_on, chapter_id, kind),
  constraint affiliations_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id),
  constraint affiliations_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX affiliations_by_chapter ON app.affiliations USING btree (org_id, chapter_id, person_id);
CREATE UNIQUE INDEX affiliations_primary ON app.affiliations USING btree (org_id, person_id) WHERE (is_primary AND (ends_on IS NULL));
alter table app.affiliations enable row level security;
alter table app.affiliations force row level security;
create policy affiliations_add on app.affiliations for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('people.write'::text) AS scope)::uuid[])))));
create policy affiliations_change on app.affiliations for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('people.write'::text) AS scope)::uuid[])))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('people.write'::text) AS scope)::uuid[])))));
create policy affiliations_definer on app.affiliations for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy affiliations_read on app.affiliations for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.directory'::text) AS everywhere) OR (person_id = ( SELECT app.person_id() AS person_id)) OR (chapter_id = ANY (( SELECT app.scope('people.directory'::text) AS scope)::uuid[])))));
create policy affiliations_remove on app.affiliations for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('people.write'::text) AS scope)::uuid[])))));
CREATE TRIGGER affiliations_audit_delete AFTER DELETE ON app.affiliations REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.directory');
CREATE TRIGGER affiliations_audit_insert AFTER INSERT ON app.affiliations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.directory');
CREATE TRIGGER affiliations_audit_update AFTER UPDATE ON app.affiliations REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.directory');
CREATE TRIGGER affiliations_derive_delete AFTER DELETE ON app.affiliations REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.affiliations_derive();
CREATE TRIGGER affiliations_derive_insert AFTER INSERT ON app.affiliations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.affiliations_derive();
CREATE TRIGGER affiliations_derive_update AFTER UPDATE ON app.affiliations REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.affiliations_derive();
CREATE TRIGGER affiliations_guard AFTER INSERT ON app.affiliations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.affiliations_guard();
CREATE TRIGGER affiliations_lifecycle_insert AFTER INSERT ON app.affiliations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.affiliations_lifecycle();
CREATE TRIGGER affiliations_lifecycle_update AFTER UPDATE ON app.affiliations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.affiliations_lifecycle();
CREATE TRIGGER affiliations_months_delete AFTER DELETE ON app.affiliations REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.affiliations_months();
CREATE TRIGGER affiliations_months_insert AFTER INSERT ON app.affiliations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.affiliations_months();
CREATE TRIGGER affiliations_months_update AFTER UPDATE ON app.affiliations REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.affiliations_months();
CREATE TRIGGER affiliations_open_delete AFTER DELETE ON app.affiliations REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER affiliations_open_insert AFTER INSERT ON app.affiliations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER affiliations_open_update AFTER UPDATE ON app.affiliations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER affiliations_reach AFTER INSERT ON app.affiliations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.affiliations_reach();
CREATE TRIGGER affiliations_reach_update AFTER UPDATE ON app.affiliations REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.affiliations_reach();
CREATE TRIGGER affiliations_tell_delete AFTER DELETE ON app.affiliations REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('person');
CREATE TRIGGER affiliations_tell_insert AFTER INSERT ON app.affiliations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('person');
CREATE TRIGGER affiliations_tell_update AFTER UPDATE ON app.affiliations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('person');
CREATE TRIGGER affiliations_touch BEFORE UPDATE ON app.affiliations FOR EACH ROW EXECUTE FUNCTION app.touch();
grant delete, select on app.affiliations to app_access;
grant update (kind, starts_on, ends_on, is_primary) on app.affiliations to app_access;
grant insert (org_id, id, person_id, chapter_id, kind, starts_on, ends_on, is_primary) on app.affiliations to app_access;
grant select on app.affiliations to app_definer;
grant update (ends_on) on app.affiliations to app_definer;
grant insert (org_id, person_id, chapter_id, kind, starts_on, is_primary) on app.affiliations to app_definer;
comment on table app.affiliations is 'A person belongs to a chapter from one day to another, as member, alumna, advisor, friend or applicant';

create table app.audit_entries (
  org_id uuid not null,
  seq bigint not null,
  at timestamp with time zone default now() not null,
  account_id uuid,
  action text not null,
  entity text not null,
  entity_id uuid,
  person_id uuid,
  chapter_id uuid,
  group_id uuid,
  needs text not null,
  diff jsonb not null,
  request_id text,
  via text,
  prev_hash bytea not null,
  hash bytea not null,
  record_id uuid,
  constraint audit_entries_pkey PRIMARY KEY (org_id, seq),
  constraint audit_entries_action_check CHECK ((action = ANY (ARRAY['create'::text, 'update'::text, 'delete'::text, 'export'::text, 'import'::text, 'undo'::text, 'sign_in'::text]))),
  constraint audit_entries_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id)
);
CREATE INDEX audit_entries_by_account ON app.audit_entries USING btree (org_id, account_id, seq DESC);
CREATE INDEX audit_entries_by_chapter ON app.audit_entries USING btree (org_id, chapter_id, seq DESC) WHERE (chapter_id IS NOT NULL);
CREATE INDEX audit_entries_by_group ON app.audit_entries USING btree (org_id, group_id, seq DESC) WHERE (group_id IS NOT NULL);
CREATE INDEX audit_entries_by_person ON app.audit_entries USING btree (org_id, person_id, seq DESC) WHERE (person_id IS NOT NULL);
CREATE INDEX audit_entries_by_record ON app.audit_entries USING btree (org_id, record_id, seq DESC) WHERE (record_id IS NOT NULL);
CREATE INDEX audit_entries_by_time ON app.audit_entries USING brin (at);
CREATE INDEX audit_entries_of_status ON app.audit_entries USING btree (org_id, person_id, at DESC, seq DESC) WHERE ((entity = 'people'::text) AND (diff ? 'lifecycle'::text));
alter table app.audit_entries enable row level security;
alter table app.audit_entries force row level security;
create policy audit_entries_chapters_field_values on app.audit_entries as restrictive for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((entity <> 'chapters_field_values'::text) OR ((record_id = ANY (( SELECT app.field_set('chapters'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((record_id = ANY (( SELECT app.field_set('chapters'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('chapters.edit'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('chapters.edit'::text) AS scope)::uuid[])))) OR ((record_id = ANY (( SELECT app.field_set('chapters'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[]))))))));
create policy audit_entries_definer on app.audit_entries for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy audit_entries_external_ids on app.audit_entries as restrictive for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((entity <> 'person_external_ids'::text) OR ( SELECT app.everywhere('audit.read'::text) AS everywhere) OR ( SELECT app.everywhere('people.contact'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = audit_entries.org_id) AND (w.person_id = audit_entries.person_id)))))));
create policy audit_entries_finance_read on app.audit_entries for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (needs = 'finance.read'::text) AND (( SELECT app.everywhere('finance.read'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('finance.read'::text) AS scope)::uuid[])) OR (group_id = ANY (( SELECT app.group_scope('finance.read'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.people_within('finance.read'::text) w(org_id, person_id)
  WHERE ((w.org_id = audit_entries.org_id) AND (w.person_id = audit_entries.person_id))))) AND ((person_id IS NULL) OR (EXISTS ( SELECT
   FROM app.people p
  WHERE ((p.org_id = audit_entries.org_id) AND (p.id = audit_entries.person_id))))) AND ((group_id IS NULL) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = audit_entries.org_id) AND (g.id = audit_entries.group_id)))))));
create policy audit_entries_groups_field_values on app.audit_entries as restrictive for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((entity <> 'groups_field_values'::text) OR ((record_id = ANY (( SELECT app.field_set('groups'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((record_id = ANY (( SELECT app.field_set('groups'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = audit_entries.org_id) AND (g.id = audit_entries.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[]))))))) OR ((record_id = ANY (( SELECT app.field_set('groups'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('people.sensitive'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = audit_entries.org_id) AND (g.id = audit_entries.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[])))))))))));
create policy audit_entries_memberships_read on app.audit_entries for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (needs = 'memberships.read'::text) AND (( SELECT app.everywhere('memberships.read'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('memberships.read'::text) AS scope)::uuid[])) OR (group_id = ANY (( SELECT app.group_scope('memberships.read'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.people_within('memberships.read'::text) w(org_id, person_id)
  WHERE ((w.org_id = audit_entries.org_id) AND (w.person_id = audit_entries.person_id))))) AND ((person_id IS NULL) OR (EXISTS ( SELECT
   FROM app.people p
  WHERE ((p.org_id = audit_entries.org_id) AND (p.id = audit_entries.person_id))))) AND ((group_id IS NULL) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = audit_entries.org_id) AND (g.id = audit_entries.group_id)))))));
create policy audit_entries_noted on app.audit_entries as restrictive for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((entity <> 'notes'::text) OR ((person_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])) AND ((account_id = ( SELECT app.account_id() AS account_id)) OR (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = audit_entries.org_id) AND (w.person_id = audit_entries.person_id))))))))));
create policy audit_entries_notes on app.audit_entries as restrictive for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((entity <> ALL (ARRAY['person_office_notes'::text, 'person_private'::text])) OR (person_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])) OR ((entity = 'person_private'::text) AND (COALESCE((diff ->> 'note'::text), ''::text) = ''::text)))));
create policy audit_entries_people_field_values on app.audit_entries as restrictive for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((entity <> 'people_field_values'::text) OR (((record_id = ANY (( SELECT app.field_set('people'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((person_id = ( SELECT app.person_id() AS person_id)) AND (record_id = ANY (( SELECT app.field_set('people'::text, 'self'::text) AS field_set)::uuid[]))) OR ((record_id = ANY (( SELECT app.field_set('people'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.contact'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = audit_entries.org_id) AND (w.person_id = audit_entries.person_id)))))) OR ((record_id = ANY (( SELECT app.field_set('people'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = audit_entries.org_id) AND (w.person_id = audit_entries.person_id))))))) AND ((record_id <> ALL (( SELECT app.field_set('people'::text, 'officers'::text) AS field_set)::uuid[])) OR (person_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])))))));
create policy audit_entries_people_sensitive on app.audit_entries for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (needs = 'people.sensitive'::text) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[])) OR (group_id = ANY (( SELECT app.group_scope('people.sensitive'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = audit_entries.org_id) AND (w.person_id = audit_entries.person_id))))) AND ((person_id IS NULL) OR (EXISTS ( SELECT
   FROM app.people p
  WHERE ((p.org_id = audit_entries.org_id) AND (p.id = audit_entries.person_id))))) AND ((group_id IS NULL) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = audit_entries.org_id) AND (g.id = audit_entries.group_id)))))));
create policy audit_entries_read on app.audit_entries for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((( SELECT app.everywhere('audit.read'::text) AS everywhere) AND ((needs <> 'people.sensitive'::text) OR ( SELECT app.everywhere('people.sensitive'::text) AS everywhere))) OR (person_id = ( SELECT app.person_id() AS person_id)) OR ((needs = ANY (ARRAY['people.directory'::text, 'people.contact'::text])) AND (( SELECT app.everywhere('people.contact'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = audit_entries.org_id) AND (w.person_id = audit_entries.person_id)))) OR (chapter_id = ANY (( SELECT app.scope('people.contact'::text) AS scope)::uuid[])) OR (group_id = ANY (( SELECT app.group_scope('people.contact'::text) AS group_scope)::uuid[]))) AND ((person_id IS NULL) OR (EXISTS ( SELECT
   FROM app.people p
  WHERE ((p.org_id = audit_entries.org_id) AND (p.id = audit_entries.person_id))))) AND ((group_id IS NULL) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = audit_entries.org_id) AND (g.id = audit_entries.group_id) AND ((g.visibility = ANY (ARRAY['public'::text, 'members'::text])) OR ( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])) OR (g.id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (g.id = ANY (( SELECT app.my_rosters() AS my_rosters)::uuid[])))))))))));
create policy audit_entries_tags on app.audit_entries as restrictive for select to app_access
  using (((entity <> ALL (ARRAY['tags'::text, 'person_tags'::text, 'record_tags'::text])) OR ((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR ( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR ((entity = 'tags'::text) AND ((( SELECT app.scope('people.write'::text) AS scope) <> '{}'::uuid[]) OR (( SELECT app.scope('people.sensitive'::text) AS scope) <> '{}'::uuid[]))) OR ((entity = ANY (ARRAY['person_tags'::text, 'record_tags'::text])) AND (((diff ->> 'tag_id'::text))::uuid = ANY (( SELECT app.member_tags() AS member_tags)::uuid[]))) OR ((entity = 'person_tags'::text) AND ((EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = audit_entries.org_id) AND (w.person_id = audit_entries.person_id)))) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = audit_entries.org_id) AND (w.person_id = audit_entries.person_id)))))) OR ((entity = 'record_tags'::text) AND ((chapter_id = ANY (( SELECT app.scope('people.write'::text) AS scope)::uuid[])) OR (chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[])) OR (group_id = ANY (( SELECT app.group_scope('people.write'::text) AS group_scope)::uuid[])) OR (group_id = ANY (( SELECT app.group_scope('people.sensitive'::text) AS group_scope)::uuid[]))))))));
grant select on app.audit_entries to app_access;
grant insert, select on app.audit_entries to app_definer;
comment on table app.audit_entries is 'Who changed what and when; each entry carries the hash of the one before, so that a change to any is found';
comment on column app.audit_entries.needs is 'Permission over the subject that lets someone read this entry';
comment on column app.audit_entries.diff is 'Of an update column to [before, after]; of anything else the row, which app.audit_changes shows as such pairs';
comment on column app.audit_entries.record_id is 'Record whose history an entry belongs to where that is no person, chapter or group: the event of a ticket, the campaign of a gift';

create table app.audit_heads (
  org_id uuid not null,
  seq bigint default 0 not null,
  hash bytea default '\x00'::bytea not null,
  constraint audit_heads_pkey PRIMARY KEY (org_id),
  constraint audit_heads_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id)
);
alter table app.audit_heads enable row level security;
alter table app.audit_heads force row level security;
create policy audit_heads_definer on app.audit_heads for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy audit_heads_read on app.audit_heads for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('audit.read'::text) AS everywhere)));
grant select on app.audit_heads to app_access;
grant insert, select, update on app.audit_heads to app_definer;
comment on table app.audit_heads is 'Last link of each organisation''s chain; its row lock puts entries in order';

create table app.bulk_effects (
  org_id uuid not null,
  job_id uuid not null,
  record_id uuid not null,
  before jsonb default '{}'::jsonb not null,
  constraint bulk_effects_pkey PRIMARY KEY (org_id, job_id, record_id),
  constraint bulk_effects_org_id_job_id_fkey FOREIGN KEY (org_id, job_id) REFERENCES app.job_progress(org_id, id) ON DELETE CASCADE
);
alter table app.bulk_effects enable row level security;
alter table app.bulk_effects force row level security;
create policy bulk_effects_add on app.bulk_effects for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (EXISTS ( SELECT 1
   FROM app.job_progress j
  WHERE ((j.org_id = bulk_effects.org_id) AND (j.id = bulk_effects.job_id))))));
create policy bulk_effects_definer on app.bulk_effects for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy bulk_effects_read on app.bulk_effects for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (EXISTS ( SELECT 1
   FROM app.job_progress j
  WHERE ((j.org_id = bulk_effects.org_id) AND (j.id = bulk_effects.job_id))))));
create policy bulk_effects_remove on app.bulk_effects for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (EXISTS ( SELECT 1
   FROM app.job_progress j
  WHERE ((j.org_id = bulk_effects.org_id) AND (j.id = bulk_effects.job_id))))));
grant delete, select on app.bulk_effects to app_access;
grant insert (org_id, job_id, record_id, before) on app.bulk_effects to app_access;
comment on table app.bulk_effects is 'Records that a bulk change changed, until it is undone. Not in the audit log: the rows that a bulk change wrote have entries of their own';
comment on column app.bulk_effects.before is 'What undo needs: the former value, or the id of the row that was made';

create table app.chapter_ancestors (
  org_id uuid not null,
  ancestor_id uuid not null,
  chapter_id uuid not null,
  distance integer not null,
  constraint chapter_ancestors_pkey PRIMARY KEY (org_id, ancestor_id, chapter_id),
  constraint chapter_ancestors_distance_check CHECK ((distance >= 0)),
  constraint chapter_ancestors_org_id_ancestor_id_fkey FOREIGN KEY (org_id, ancestor_id) REFERENCES app.chapters(org_id, id) ON DELETE CASCADE,
  constraint chapter_ancestors_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id) ON DELETE CASCADE
);
CREATE INDEX chapter_ancestors_by_chapter ON app.chapter_ancestors USING btree (org_id, chapter_id, distance);
alter table app.chapter_ancestors enable row level security;
alter table app.chapter_ancestors force row level security;
create policy chapter_ancestors_definer on app.chapter_ancestors for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy chapter_ancestors_read on app.chapter_ancestors for select to app_access
  using ((org_id = ( SELECT app.org_id() AS org_id)));
grant select on app.chapter_ancestors to app_access;
grant delete, insert, select, update on app.chapter_ancestors to app_definer;
comment on table app.chapter_ancestors is 'Every chapter with each of its ancestors and itself (distance 0); kept by triggers, so that a subtree is one index range';

create table app.chapter_counts (
  org_id uuid not null,
  chapter_id uuid not null,
  kind text not null,
  people integer default 0 not null,
  constraint chapter_counts_pkey PRIMARY KEY (org_id, chapter_id, kind),
  constraint chapter_counts_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id) ON DELETE CASCADE
);
alter table app.chapter_counts enable row level security;
alter table app.chapter_counts force row level security;
create policy chapter_counts_definer on app.chapter_counts for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy chapter_counts_read on app.chapter_counts for select to app_access
  using ((org_id = ( SELECT app.org_id() AS org_id)));
grant select on app.chapter_counts to app_access;
grant delete, insert, select, update on app.chapter_counts to app_definer;
comment on table app.chapter_counts is 'How many live affiliations of each kind a chapter itself has; kept by triggers and corrected daily as dates pass';

create table app.chapter_months (
  org_id uuid not null,
  chapter_id uuid not null,
  month date not null,
  joins integer default 0 not null,
  leaves integer default 0 not null,
  constraint chapter_months_pkey PRIMARY KEY (org_id, chapter_id, month),
  constraint chapter_months_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint chapter_months_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id) ON DELETE CASCADE
);
CREATE INDEX chapter_months_by_month ON app.chapter_months USING btree (org_id, month);
alter table app.chapter_months enable row level security;
alter table app.chapter_months force row level security;
create policy chapter_months_definer on app.chapter_months for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy chapter_months_read on app.chapter_months for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.contact'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('people.contact'::text) AS scope)::uuid[])))));
grant select on app.chapter_months to app_access;
grant delete, insert, select, update on app.chapter_months to app_definer;
comment on table app.chapter_months is 'How many memberships began and ended in each month, by the dates that stand in them; kept by triggers';

create table app.chapters (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  parent_id uuid,
  name text not null,
  code text not null,
  level text default 'chapter'::text not null,
  status text default 'active'::text not null,
  depth integer default 1 not null,
  search text generated always as (app.fold(((name || ' '::text) || code))) stored not null,
  about text default ''::text not null,
  city text default ''::text not null,
  contact_email text default ''::text not null,
  website text default ''::text not null,
  timezone text default ''::text not null,
  chartered_on date,
  closed_on date,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  public_page boolean default false not null,
  constraint chapters_pkey PRIMARY KEY (org_id, id),
  constraint chapters_about_check CHECK ((char_length(about) <= 5000)),
  constraint chapters_check CHECK ((parent_id <> id)),
  constraint chapters_check1 CHECK ((closed_on >= chartered_on)),
  constraint chapters_city_check CHECK ((char_length(city) <= 100)),
  constraint chapters_code_check CHECK (((char_length(code) >= 1) AND (char_length(code) <= 40))),
  constraint chapters_contact_email_check CHECK ((char_length(contact_email) <= 320)),
  constraint chapters_depth_check CHECK (((depth >= 1) AND (depth <= 8))),
  constraint chapters_level_check CHECK ((level = ANY (ARRAY['national'::text, 'region'::text, 'district'::text, 'chapter'::text, 'club'::text]))),
  constraint chapters_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 150))),
  constraint chapters_org_id_code_key UNIQUE (org_id, code),
  constraint chapters_status_check CHECK ((status = ANY (ARRAY['prospective'::text, 'active'::text, 'probation'::text, 'suspended'::text, 'dormant'::text, 'closed'::text]))),
  constraint chapters_website_check CHECK ((char_length(website) <= 500)),
  constraint chapters_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint chapters_org_id_parent_id_fkey FOREIGN KEY (org_id, parent_id) REFERENCES app.chapters(org_id, id) DEFERRABLE
);
CREATE INDEX chapters_by_parent ON app.chapters USING btree (org_id, parent_id, name);
alter table app.chapters enable row level security;
alter table app.chapters force row level security;
create policy chapters_add on app.chapters for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('chapters.manage'::text) AS everywhere)));
create policy chapters_change on app.chapters for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('chapters.edit'::text) AS everywhere) OR (id = ANY (( SELECT app.scope('chapters.edit'::text) AS scope)::uuid[])))))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy chapters_definer on app.chapters for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy chapters_read on app.chapters for select to app_access
  using ((org_id = ( SELECT app.org_id() AS org_id)));
create policy chapters_remove on app.chapters for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('chapters.manage'::text) AS everywhere)));
CREATE TRIGGER chapters_audit_delete AFTER DELETE ON app.chapters REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.directory');
CREATE TRIGGER chapters_audit_insert AFTER INSERT ON app.chapters REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.directory');
CREATE TRIGGER chapters_audit_update AFTER UPDATE ON app.chapters REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.directory');
CREATE TRIGGER chapters_gone AFTER DELETE ON app.chapters REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION app_private.record_gone('chapter');
CREATE TRIGGER chapters_guard BEFORE UPDATE ON app.chapters FOR EACH ROW EXECUTE FUNCTION app.chapters_guard();
CREATE TRIGGER chapters_place AFTER INSERT OR UPDATE OF parent_id ON app.chapters FOR EACH ROW EXECUTE FUNCTION app.chapters_place();
CREATE TRIGGER chapters_touch BEFORE UPDATE OF parent_id, name, code, level, status, about, city, contact_email, website, timezone, chartered_on, closed_on, public_page ON app.chapters FOR EACH ROW EXECUTE FUNCTION app.touch();
grant delete, select on app.chapters to app_access;
grant insert (org_id, id, parent_id, name, code, level, status, about, city, contact_email, website, timezone, chartered_on, closed_on) on app.chapters to app_access;
grant update (parent_id, name, code, level, status, about, city, contact_email, website, timezone, chartered_on, closed_on, public_page) on app.chapters to app_access;
grant select on app.chapters to app_definer;
grant update (id, depth) on app.chapters to app_definer;
comment on table app.chapters is 'A node of the organisation''s tree, at most eight levels deep';
comment on column app.chapters.public_page is 'Whether everybody may open the page of this chapter, while it is active and the organisation shows its chapters';

create table app.chapters_field_values (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  chapter_id uuid not null,
  field_id uuid not null,
  slot text default ''::text not null,
  value text not null,
  key text default ''::text not null,
  constraint chapters_field_values_pkey PRIMARY KEY (org_id, chapter_id, field_id, slot),
  constraint chapters_field_values_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id) ON DELETE CASCADE,
  constraint chapters_field_values_org_id_field_id_fkey FOREIGN KEY (org_id, field_id) REFERENCES app.fields(org_id, id) ON DELETE CASCADE
);
CREATE INDEX chapters_field_values_by_key ON app.chapters_field_values USING btree (org_id, field_id, key, chapter_id);
alter table app.chapters_field_values enable row level security;
alter table app.chapters_field_values force row level security;
create policy chapters_field_values_add on app.chapters_field_values for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = chapters_field_values.org_id) AND (r.id = chapters_field_values.chapter_id))))) AND ((( SELECT app.everywhere('chapters.edit'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('chapters.edit'::text) AS scope)::uuid[]))) AND ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('chapters.edit'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('chapters.edit'::text) AS scope)::uuid[])))) OR ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[]))))))));
create policy chapters_field_values_change on app.chapters_field_values for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = chapters_field_values.org_id) AND (r.id = chapters_field_values.chapter_id))))) AND ((( SELECT app.everywhere('chapters.edit'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('chapters.edit'::text) AS scope)::uuid[]))) AND ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('chapters.edit'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('chapters.edit'::text) AS scope)::uuid[])))) OR ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[]))))))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = chapters_field_values.org_id) AND (r.id = chapters_field_values.chapter_id))))) AND ((( SELECT app.everywhere('chapters.edit'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('chapters.edit'::text) AS scope)::uuid[]))) AND ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('chapters.edit'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('chapters.edit'::text) AS scope)::uuid[])))) OR ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[]))))))));
create policy chapters_field_values_definer on app.chapters_field_values for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy chapters_field_values_read on app.chapters_field_values for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = chapters_field_values.org_id) AND (r.id = chapters_field_values.chapter_id))))) AND ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('chapters.edit'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('chapters.edit'::text) AS scope)::uuid[])))) OR ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[])))))));
create policy chapters_field_values_remove on app.chapters_field_values for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = chapters_field_values.org_id) AND (r.id = chapters_field_values.chapter_id))))) AND ((( SELECT app.everywhere('chapters.edit'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('chapters.edit'::text) AS scope)::uuid[]))) AND ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('chapters.edit'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('chapters.edit'::text) AS scope)::uuid[])))) OR ((field_id = ANY (( SELECT app.field_set('chapters'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[]))))))));
CREATE TRIGGER chapters_field_values_audit_delete AFTER DELETE ON app.chapters_field_values REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.directory', 'field_id');
CREATE TRIGGER chapters_field_values_audit_insert AFTER INSERT ON app.chapters_field_values REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.directory', 'field_id');
CREATE TRIGGER chapters_field_values_audit_update AFTER UPDATE ON app.chapters_field_values REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.directory', 'field_id');
CREATE TRIGGER chapters_field_values_form BEFORE INSERT OR UPDATE ON app.chapters_field_values FOR EACH ROW EXECUTE FUNCTION app.field_value_form('chapters');
grant delete, select on app.chapters_field_values to app_access;
grant insert (org_id, id, chapter_id, field_id, value) on app.chapters_field_values to app_access;
grant update (value) on app.chapters_field_values to app_access;
grant delete, select on app.chapters_field_values to app_definer;
grant insert (org_id, chapter_id, field_id, value) on app.chapters_field_values to app_definer;
grant update (value) on app.chapters_field_values to app_definer;
comment on table app.chapters_field_values is 'What the organisation''s own fields hold for each of chapters';
comment on column app.chapters_field_values.slot is 'The choice, where a field takes several; else empty';

create table app.comment_withheld (
  org_id uuid not null,
  comment_id uuid not null,
  record_type text not null,
  record_id uuid not null,
  created_by uuid not null,
  body jsonb not null,
  constraint comment_withheld_pkey PRIMARY KEY (org_id, comment_id),
  constraint comment_withheld_org_id_comment_id_fkey FOREIGN KEY (org_id, comment_id) REFERENCES app.comments(org_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX comment_withheld_by_record ON app.comment_withheld USING btree (org_id, record_type, record_id);
alter table app.comment_withheld enable row level security;
alter table app.comment_withheld force row level security;
create policy comment_withheld_definer on app.comment_withheld for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy comment_withheld_read on app.comment_withheld for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = comment_withheld.org_id) AND (r.id = comment_withheld.record_id) AND ((comment_withheld.created_by = ( SELECT app.account_id() AS account_id)) OR ( SELECT app.everywhere('chapters.edit'::text) AS everywhere) OR (r.id = ANY (( SELECT app.scope('chapters.edit'::text) AS scope)::uuid[]))))))) OR ((record_type = 'group'::text) AND (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = comment_withheld.org_id) AND (r.id = comment_withheld.record_id) AND ((comment_withheld.created_by = ( SELECT app.account_id() AS account_id)) OR ( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (r.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])) OR (r.id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[]))))))) OR ((record_type = 'organisation'::text) AND (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = comment_withheld.org_id) AND (r.id = comment_withheld.record_id) AND ((comment_withheld.created_by = ( SELECT app.account_id() AS account_id)) OR false))))) OR ((record_type = 'person'::text) AND (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = comment_withheld.org_id) AND (r.id = comment_withheld.record_id) AND ((comment_withheld.created_by = ( SELECT app.account_id() AS account_id)) OR ( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
           FROM app.people_within('people.write'::text) w(org_id, person_id)
          WHERE ((w.org_id = r.org_id) AND (w.person_id = r.id))))))))))));
create policy comment_withheld_read_hidden on app.comment_withheld as restrictive for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (EXISTS ( SELECT
   FROM app.comments c
  WHERE ((c.org_id = comment_withheld.org_id) AND (c.id = comment_withheld.comment_id) AND (c.deleted_at IS NULL))))));
CREATE TRIGGER comment_withheld_follow_delete AFTER DELETE ON app.comment_withheld REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
CREATE TRIGGER comment_withheld_follow_insert AFTER INSERT ON app.comment_withheld REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
CREATE TRIGGER comment_withheld_follow_update AFTER UPDATE ON app.comment_withheld REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
grant select on app.comment_withheld to app_access;
grant delete, insert, select on app.comment_withheld to app_definer;
grant update (body) on app.comment_withheld to app_definer;
comment on table app.comment_withheld is 'What hidden and deleted comments say, for their author and those who look after the record. Not in the audit log: it moves with the comment, of which the log tells';
comment on column app.comment_withheld.created_by is 'The account that wrote the comment';

create table app.comments (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  record_type text not null,
  record_id uuid not null,
  parent_id uuid,
  body jsonb,
  author_id uuid,
  created_by uuid not null,
  edited_at timestamp with time zone,
  deleted_at timestamp with time zone,
  hidden_at timestamp with time zone,
  hidden_reason text,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint comments_pkey PRIMARY KEY (org_id, id),
  constraint comments_body_check CHECK (app.formatted_text(body, 10000)),
  constraint comments_check CHECK ((parent_id <> id)),
  constraint comments_check1 CHECK (((hidden_at IS NULL) = (hidden_reason IS NULL))),
  constraint comments_hidden_reason_check CHECK (((char_length(hidden_reason) >= 1) AND (char_length(hidden_reason) <= 300))),
  constraint comments_withheld CHECK (((body IS NULL) = ((hidden_at IS NOT NULL) OR (deleted_at IS NOT NULL)))),
  constraint comments_org_id_author_id_fkey FOREIGN KEY (org_id, author_id) REFERENCES app.people(org_id, id) ON DELETE SET NULL (author_id),
  constraint comments_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES app.accounts(org_id, id) ON DELETE CASCADE,
  constraint comments_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint comments_org_id_parent_id_fkey FOREIGN KEY (org_id, parent_id) REFERENCES app.comments(org_id, id) ON DELETE CASCADE
);
CREATE INDEX comments_by_account ON app.comments USING btree (org_id, created_by);
CREATE INDEX comments_by_author_and_time ON app.comments USING btree (org_id, author_id, created_at DESC, id DESC);
CREATE INDEX comments_by_parent ON app.comments USING btree (org_id, parent_id);
CREATE INDEX comments_by_record ON app.comments USING btree (org_id, record_type, record_id, parent_id, id);
CREATE INDEX comments_deleted ON app.comments USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
alter table app.comments enable row level security;
alter table app.comments force row level security;
create policy comments_add on app.comments for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id))))) OR ((record_type = 'group'::text) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id)))))) OR ((record_type = 'organisation'::text) AND (true OR (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id)))))) OR ((record_type = 'person'::text) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id)))))))));
create policy comments_add_discussed on app.comments as restrictive for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ((record_type <> 'group'::text) OR (record_id = ANY (( SELECT app.my_rosters() AS my_rosters)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = comments.org_id) AND (g.id = comments.record_id) AND (((g.visibility = ANY (ARRAY['public'::text, 'members'::text])) AND ( SELECT app.everywhere('groups.read'::text) AS everywhere)) OR ( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])) OR (g.id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[]))))))) AND (created_by = ( SELECT app.account_id() AS account_id)) AND (NOT (author_id IS DISTINCT FROM ( SELECT app.person_id() AS person_id)))));
create policy comments_change on app.comments for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id) AND ((comments.created_by = ( SELECT app.account_id() AS account_id)) OR (EXISTS ( SELECT
           FROM app.chapters c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c))))))) OR ((record_type = 'group'::text) AND (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id) AND ((comments.created_by = ( SELECT app.account_id() AS account_id)) OR (EXISTS ( SELECT
           FROM app.groups c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c))))))) OR ((record_type = 'organisation'::text) AND (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id) AND ((comments.created_by = ( SELECT app.account_id() AS account_id)) OR (EXISTS ( SELECT
           FROM app.organisations c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c))))))) OR ((record_type = 'person'::text) AND (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id) AND ((comments.created_by = ( SELECT app.account_id() AS account_id)) OR (EXISTS ( SELECT
           FROM app.people c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c))))))))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id) AND ((comments.created_by = ( SELECT app.account_id() AS account_id)) OR (EXISTS ( SELECT
           FROM app.chapters c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c))))))) OR ((record_type = 'group'::text) AND (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id) AND ((comments.created_by = ( SELECT app.account_id() AS account_id)) OR (EXISTS ( SELECT
           FROM app.groups c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c))))))) OR ((record_type = 'organisation'::text) AND (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id) AND ((comments.created_by = ( SELECT app.account_id() AS account_id)) OR (EXISTS ( SELECT
           FROM app.organisations c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c))))))) OR ((record_type = 'person'::text) AND (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id) AND ((comments.created_by = ( SELECT app.account_id() AS account_id)) OR (EXISTS ( SELECT
           FROM app.people c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c))))))))));
create policy comments_change_discussed on app.comments as restrictive for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((record_type <> 'group'::text) OR (record_id = ANY (( SELECT app.my_rosters() AS my_rosters)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = comments.org_id) AND (g.id = comments.record_id) AND (((g.visibility = ANY (ARRAY['public'::text, 'members'::text])) AND ( SELECT app.everywhere('groups.read'::text) AS everywhere)) OR ( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])) OR (g.id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])))))))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ((record_type <> 'group'::text) OR (record_id = ANY (( SELECT app.my_rosters() AS my_rosters)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = comments.org_id) AND (g.id = comments.record_id) AND (((g.visibility = ANY (ARRAY['public'::text, 'members'::text])) AND ( SELECT app.everywhere('groups.read'::text) AS everywhere)) OR ( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])) OR (g.id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])))))))));
create policy comments_definer on app.comments for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy comments_read on app.comments for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id))))) OR ((record_type = 'group'::text) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id)))))) OR ((record_type = 'organisation'::text) AND (true OR (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id)))))) OR ((record_type = 'person'::text) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = comments.org_id) AND (r.id = comments.record_id)))))))));
create policy comments_read_discussed on app.comments as restrictive for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((record_type <> 'group'::text) OR (record_id = ANY (( SELECT app.my_rosters() AS my_rosters)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = comments.org_id) AND (g.id = comments.record_id) AND (((g.visibility = ANY (ARRAY['public'::text, 'members'::text])) AND ( SELECT app.everywhere('groups.read'::text) AS everywhere)) OR ( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])) OR (g.id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])))))))));
CREATE TRIGGER comments_audit_delete AFTER DELETE ON app.comments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('record', 'record_id');
CREATE TRIGGER comments_audit_insert AFTER INSERT ON app.comments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('record', 'record_id');
CREATE TRIGGER comments_audit_update AFTER UPDATE ON app.comments REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('record', 'record_id');
CREATE TRIGGER comments_follow_delete AFTER DELETE ON app.comments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
CREATE TRIGGER comments_follow_insert AFTER INSERT ON app.comments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
CREATE TRIGGER comments_follow_update AFTER UPDATE ON app.comments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
CREATE TRIGGER comments_guard BEFORE INSERT OR UPDATE ON app.comments FOR EACH ROW EXECUTE FUNCTION app_private.comments_guard();
CREATE TRIGGER comments_open_insert AFTER INSERT ON app.comments FOR EACH ROW EXECUTE FUNCTION app_private.record_open();
CREATE TRIGGER comments_open_update AFTER UPDATE OF body ON app.comments FOR EACH ROW EXECUTE FUNCTION app_private.record_open();
CREATE TRIGGER comments_touch BEFORE UPDATE ON app.comments FOR EACH ROW EXECUTE FUNCTION app.touch();
grant select on app.comments to app_access;
grant update (body, edited_at, deleted_at, hidden_at, hidden_reason) on app.comments to app_access;
grant insert (org_id, record_type, record_id, parent_id, body, author_id, created_by) on app.comments to app_access;
grant delete, select, update on app.comments to app_definer;
comment on table app.comments is 'What people say to each other about a record';
comment on column app.comments.parent_id is 'The comment that it answers; answers have none themselves';
comment on column app.comments.body is 'What it says; that of a hidden or deleted comment stands in comment_withheld';
comment on column app.comments.author_id is 'The person who wrote it; how they are called is for each reader to be told by their rights';
comment on column app.comments.hidden_reason is 'Why whoever looks after the record has hidden it';

create table app.contact_attempts (
  org_id uuid not null,
  source text not null,
  since timestamp with time zone default now() not null,
  attempts integer default 1 not null,
  constraint contact_attempts_pkey PRIMARY KEY (org_id, source),
  constraint contact_attempts_source_check CHECK ((char_length(source) <= 64)),
  constraint contact_attempts_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
alter table app.contact_attempts enable row level security;
alter table app.contact_attempts force row level security;
create policy contact_attempts_definer on app.contact_attempts for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
grant delete, insert, select, update on app.contact_attempts to app_definer;
comment on table app.contact_attempts is 'How often something that anybody may do was done within the hour that began at since, by keyed hashes of the network address and the networks around it and, as *, in all';

create table app.contact_messages (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  reference text not null,
  name text not null,
  email text not null,
  topic text not null,
  message text not null,
  handled_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint contact_messages_pkey PRIMARY KEY (org_id, id),
  constraint contact_messages_email_check CHECK (((char_length(email) >= 3) AND (char_length(email) <= 320))),
  constraint contact_messages_message_check CHECK (((char_length(message) >= 1) AND (char_length(message) <= 5000))),
  constraint contact_messages_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 150))),
  constraint contact_messages_org_id_reference_key UNIQUE (org_id, reference),
  constraint contact_messages_topic_check CHECK (((char_length(topic) >= 1) AND (char_length(topic) <= 100))),
  constraint contact_messages_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
CREATE INDEX contact_messages_by_created ON app.contact_messages USING btree (org_id, created_at DESC, id);
alter table app.contact_messages enable row level security;
alter table app.contact_messages force row level security;
create policy contact_messages_change on app.contact_messages for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('organisation.manage'::text) AS everywhere)))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy contact_messages_definer on app.contact_messages for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy contact_messages_read on app.contact_messages for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('organisation.manage'::text) AS everywhere)));
grant select on app.contact_messages to app_access;
grant update (handled_at) on app.contact_messages to app_access;
grant insert, select on app.contact_messages to app_definer;
comment on table app.contact_messages is 'What the public contact page sent; organisation admins read it and are mailed a notice. Not in the audit log: a message of a visitor is not the organisation''s data';

create table app.data_health (
  org_id uuid not null,
  chapter_id uuid,
  people integer not null,
  without_email integer not null,
  counted_at timestamp with time zone default now() not null,
  constraint data_health_org_id_chapter_id_key UNIQUE NULLS NOT DISTINCT (org_id, chapter_id),
  constraint data_health_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id) ON DELETE CASCADE,
  constraint data_health_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
alter table app.data_health enable row level security;
alter table app.data_health force row level security;
create policy data_health_definer on app.data_health for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy data_health_read on app.data_health for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.contact'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('people.contact'::text) AS scope)::uuid[])))));
grant select on app.data_health to app_access;
grant delete, insert, select, update on app.data_health to app_definer;
comment on table app.data_health is 'Gaps in the data by home chapter (null for people without one), counted anew every few minutes';

create table app.dues_rates (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  chapter_id uuid,
  overrides_id uuid,
  name text not null,
  charged_to text not null,
  member_kind text default 'member'::text not null,
  period text not null,
  due_days integer default 30 not null,
  tax_bps integer default 0 not null,
  tax_note text default ''::text not null,
  chapter_share_bps integer default 0 not null,
  archived_at timestamp with time zone,
  created_by uuid,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  price_amount bigint not null,
  price_currency text not null,
  constraint dues_rates_pkey PRIMARY KEY (org_id, id),
  constraint dues_rates_chapter_share_bps_check CHECK (((chapter_share_bps >= 0) AND (chapter_share_bps <= 10000))),
  constraint dues_rates_charged_to_check CHECK ((charged_to = ANY (ARRAY['person'::text, 'chapter'::text, 'chapter_per_member'::text]))),
  constraint dues_rates_check CHECK (((overrides_id IS NULL) OR (chapter_id IS NOT NULL))),
  constraint dues_rates_check1 CHECK ((overrides_id <> id)),
  constraint dues_rates_due_days_check CHECK (((due_days >= 0) AND (due_days <= 365))),
  constraint dues_rates_member_kind_check CHECK ((member_kind = ANY (ARRAY['member'::text, 'alumni'::text, 'advisor'::text, 'friend'::text]))),
  constraint dues_rates_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint dues_rates_period_check CHECK ((period = ANY (ARRAY['month'::text, 'quarter'::text, 'half_year'::text, 'year'::text, 'once'::text]))),
  constraint dues_rates_price_money CHECK ((((price_amount >= 0) AND (price_amount <= '9007199254740991'::bigint)) AND (price_currency ~ '^[A-Z]{3}$'::text))),
  constraint dues_rates_price_whole CHECK (((price_amount IS NULL) = (price_currency IS NULL))),
  constraint dues_rates_tax_bps_check CHECK (((tax_bps >= 0) AND (tax_bps <= 10000))),
  constraint dues_rates_tax_note_check CHECK ((char_length(tax_note) <= 200)),
  constraint dues_rates_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id),
  constraint dues_rates_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint dues_rates_org_id_overrides_id_fkey FOREIGN KEY (org_id, overrides_id) REFERENCES app.dues_rates(org_id, id)
);
CREATE INDEX dues_rates_by_chapter ON app.dues_rates USING btree (org_id, chapter_id);
CREATE INDEX dues_rates_by_override ON app.dues_rates USING btree (org_id, overrides_id);
CREATE UNIQUE INDEX dues_rates_override ON app.dues_rates USING btree (org_id, overrides_id, chapter_id) WHERE ((overrides_id IS NOT NULL) AND (archived_at IS NULL));
alter table app.dues_rates enable row level security;
alter table app.dues_rates force row level security;
create policy dues_rates_add on app.dues_rates for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (created_by = ( SELECT app.account_id() AS account_id)) AND (( SELECT app.everywhere('finance.manage'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('finance.manage'::text) AS scope)::uuid[])))));
create policy dues_rates_change on app.dues_rates for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('finance.manage'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('finance.manage'::text) AS scope)::uuid[])))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('finance.manage'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('finance.manage'::text) AS scope)::uuid[])))));
create policy dues_rates_definer on app.dues_rates for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy dues_rates_read on app.dues_rates for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('finance.read'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('finance.read'::text) AS scope)::uuid[])) OR ((chapter_id IS NULL) AND (( SELECT app.scope('finance.read'::text) AS scope) <> '{}'::uuid[])))));
CREATE TRIGGER dues_rates_audit_delete AFTER DELETE ON app.dues_rates REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('finance.read', 'id');
CREATE TRIGGER dues_rates_audit_insert AFTER INSERT ON app.dues_rates REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('finance.read', 'id');
CREATE TRIGGER dues_rates_audit_update AFTER UPDATE ON app.dues_rates REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('finance.read', 'id');
CREATE TRIGGER dues_rates_touch BEFORE UPDATE ON app.dues_rates FOR EACH ROW EXECUTE FUNCTION app.touch();
grant select on app.dues_rates to app_access;
grant update (name, charged_to, member_kind, period, due_days, tax_bps, tax_note, chapter_share_bps, archived_at, price_amount, price_currency) on app.dues_rates to app_access;
grant insert (org_id, chapter_id, overrides_id, name, charged_to, member_kind, period, due_days, tax_bps, tax_note, chapter_share_bps, created_by, price_amount, price_currency) on app.dues_rates to app_access;
grant select on app.dues_rates to app_definer;
comment on table app.dues_rates is 'What is charged, from whom and how often. Without chapter_id it is charged in the whole organisation; with it, in the chapter and everything below it';
comment on column app.dues_rates.overrides_id is 'The rate that this one stands in for in its chapter and below; the nearest chapter above somebody counts';
comment on column app.dues_rates.charged_to is 'Each member pays, each chapter pays the amount once, or each chapter pays it for every member';
comment on column app.dues_rates.chapter_share_bps is 'What the chapter has of the amount, in hundredths of a percent';

create table app.exports (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  account_id uuid not null,
  list text not null,
  format text not null,
  spec jsonb not null,
  reason text default ''::text not null,
  job_id uuid not null,
  file_key text,
  rows integer,
  expires_at timestamp with time zone default (now() + '7 days'::interval) not null,
  created_at timestamp with time zone default now() not null,
  constraint exports_pkey PRIMARY KEY (org_id, id),
  constraint exports_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'xlsx'::text, 'pdf'::text]))),
  constraint exports_list_check CHECK ((list ~ '^[a-z_]{2,40}$'::text)),
  constraint exports_reason_check CHECK ((char_length(reason) <= 500)),
  constraint exports_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES app.accounts(org_id, id) ON DELETE CASCADE,
  constraint exports_org_id_job_id_fkey FOREIGN KEY (org_id, job_id) REFERENCES app.job_progress(org_id, id) ON DELETE CASCADE
);
CREATE INDEX exports_by_account ON app.exports USING btree (org_id, account_id, created_at DESC);
CREATE INDEX exports_by_job ON app.exports USING btree (org_id, job_id);
alter table app.exports enable row level security;
alter table app.exports force row level security;
create policy exports_add on app.exports for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
create policy exports_change on app.exports for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
create policy exports_definer on app.exports for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy exports_read on app.exports for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
grant select on app.exports to app_access;
grant update (file_key, rows) on app.exports to app_access;
grant insert (org_id, id, account_id, list, format, spec, reason, job_id) on app.exports to app_access;
grant select on app.exports to app_definer;
grant update (file_key) on app.exports to app_definer;
comment on table app.exports is 'A file made from a list with its filter and columns; the file dies at expires_at, this line stays. Not in the audit log: each export is recorded once, with its reason';

create table app.field_choices (
  org_id uuid not null,
  field_id uuid not null,
  id uuid default app.uuid7() not null,
  label text not null,
  label_key text generated always as (lower(label)) stored not null,
  color text default 'gray'::text not null,
  place integer default 0 not null,
  retired boolean default false not null,
  constraint field_choices_pkey PRIMARY KEY (org_id, id),
  constraint field_choices_color_check CHECK ((color = ANY (ARRAY['gray'::text, 'brand'::text, 'green'::text, 'red'::text, 'amber'::text, 'blue'::text]))),
  constraint field_choices_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 80))),
  constraint field_choices_org_id_field_id_label_key_key UNIQUE (org_id, field_id, label_key) DEFERRABLE INITIALLY DEFERRED,
  constraint field_choices_org_id_field_id_fkey FOREIGN KEY (org_id, field_id) REFERENCES app.fields(org_id, id) ON DELETE CASCADE
);
alter table app.field_choices enable row level security;
alter table app.field_choices force row level security;
create policy field_choices_add on app.field_choices for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('organisation.manage'::text) AS everywhere)));
create policy field_choices_change on app.field_choices for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('organisation.manage'::text) AS everywhere)))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy field_choices_definer on app.field_choices for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy field_choices_read on app.field_choices for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (EXISTS ( SELECT
   FROM app.fields f
  WHERE ((f.org_id = field_choices.org_id) AND (f.id = field_choices.field_id))))));
create policy field_choices_remove on app.field_choices for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('organisation.manage'::text) AS everywhere)));
CREATE TRIGGER field_choices_audit_delete AFTER DELETE ON app.field_choices REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('organisation.manage', 'field_id');
CREATE TRIGGER field_choices_audit_insert AFTER INSERT ON app.field_choices REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('organisation.manage', 'field_id');
CREATE TRIGGER field_choices_audit_update AFTER UPDATE ON app.field_choices REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('organisation.manage', 'field_id');
CREATE TRIGGER field_choices_bound AFTER INSERT ON app.field_choices REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.fields_bound();
CREATE TRIGGER field_choices_used BEFORE DELETE ON app.field_choices FOR EACH ROW EXECUTE FUNCTION app.field_choices_used();
grant delete, select on app.field_choices to app_access;
grant update (label, color, place, retired) on app.field_choices to app_access;
grant insert (org_id, field_id, id, label, color, place, retired) on app.field_choices to app_access;
grant select on app.field_choices to app_definer;
comment on table app.field_choices is 'What a field of choices offers; retired ones stay where they were chosen and cannot be chosen anew';

create table app.fields (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  record_type text not null,
  key text not null,
  label text not null,
  help text default ''::text not null,
  type text not null,
  required boolean default false not null,
  pattern text default ''::text not null,
  section text default ''::text not null,
  place integer default 0 not null,
  audience text default 'officers'::text not null,
  own_editable boolean default false not null,
  sensitive boolean default false not null,
  archived_at timestamp with time zone,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint fields_pkey PRIMARY KEY (org_id, id),
  constraint fields_audience_check CHECK ((audience = ANY (ARRAY['everyone'::text, 'self'::text, 'officers'::text]))),
  constraint fields_help_check CHECK ((char_length(help) <= 300)),
  constraint fields_key_check CHECK ((key ~ '^[a-z][a-z0-9_]{0,29}$'::text)),
  constraint fields_label_check CHECK (((char_length(label) >= 1) AND (char_length(label) <= 80))),
  constraint fields_org_id_record_type_key_key UNIQUE (org_id, record_type, key),
  constraint fields_own_seen CHECK (((NOT own_editable) OR (audience <> 'officers'::text))),
  constraint fields_pattern_check CHECK ((char_length(pattern) <= 200)),
  constraint fields_pattern_text CHECK (((pattern = ''::text) OR (type = 'text'::text))),
  constraint fields_section_check CHECK ((char_length(section) <= 60)),
  constraint fields_sensitive_kept CHECK (((NOT sensitive) OR (audience <> 'everyone'::text))),
  constraint fields_type_check CHECK ((type = ANY (ARRAY['text'::text, 'number'::text, 'date'::text, 'flag'::text, 'choice'::text, 'choices'::text, 'url'::text, 'person'::text]))),
  constraint fields_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
alter table app.fields enable row level security;
alter table app.fields force row level security;
create policy fields_add on app.fields for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('organisation.manage'::text) AS everywhere)));
create policy fields_change on app.fields for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('organisation.manage'::text) AS everywhere)))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy fields_definer on app.fields for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy fields_read on app.fields for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('organisation.manage'::text) AS everywhere) OR (audience <> 'officers'::text) OR ((NOT sensitive) AND (record_type = ANY (( SELECT app.field_records_kept(false) AS field_records_kept)::text[]))) OR (sensitive AND (record_type = ANY (( SELECT app.field_records_kept(true) AS field_records_kept)::text[]))))));
create policy fields_remove on app.fields for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('organisation.manage'::text) AS everywhere)));
CREATE TRIGGER fields_audit_delete AFTER DELETE ON app.fields REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('organisation.manage', 'id');
CREATE TRIGGER fields_audit_insert AFTER INSERT ON app.fields REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('organisation.manage', 'id');
CREATE TRIGGER fields_audit_update AFTER UPDATE ON app.fields REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('organisation.manage', 'id');
CREATE TRIGGER fields_bound AFTER INSERT ON app.fields REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.fields_bound();
CREATE TRIGGER fields_touch BEFORE UPDATE OF label, help, required, pattern, section, audience, own_editable, sensitive, archived_at ON app.fields FOR EACH ROW EXECUTE FUNCTION app.touch();
grant delete, select on app.fields to app_access;
grant update (label, help, required, pattern, section, place, audience, own_editable, sensitive, archived_at) on app.fields to app_access;
grant insert (org_id, id, record_type, key, label, help, type, required, pattern, section, place, audience, own_editable, sensitive) on app.fields to app_access;
grant select on app.fields to app_definer;
comment on table app.fields is 'Fields that an organisation adds to its people, chapters, groups and other records';
comment on column app.fields.key is 'What programs, filters and imports call it; never changes';
comment on column app.fields.audience is 'Who reads values: everyone who sees the record, the person themselves and officers, or officers only, never about themselves';
comment on column app.fields.sensitive is 'Officers need the right to sensitive data to read values';

create table app.files (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  record_type text not null,
  record_id uuid not null,
  use text not null,
  name text not null,
  type text not null,
  bytes bigint not null,
  added_by uuid,
  removed_at timestamp with time zone,
  created_by uuid not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint files_pkey PRIMARY KEY (org_id, id),
  constraint files_bytes_check CHECK ((bytes > 0)),
  constraint files_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  constraint files_type_check CHECK ((type ~ '^[a-z]+/[a-z0-9.+-]{1,100}$'::text)),
  constraint files_use_check CHECK ((use = ANY (ARRAY['attachment'::text, 'picture'::text]))),
  constraint files_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
CREATE INDEX files_by_account ON app.files USING btree (org_id, created_by, created_at);
CREATE INDEX files_of_record ON app.files USING btree (org_id, record_type, record_id, created_at, id);
CREATE UNIQUE INDEX files_one_picture ON app.files USING btree (org_id, record_type, record_id) WHERE ((use = 'picture'::text) AND (removed_at IS NULL));
alter table app.files enable row level security;
alter table app.files force row level security;
create policy files_add on app.files for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id) AND (EXISTS ( SELECT
           FROM app.chapters c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'group'::text) AND (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id) AND (EXISTS ( SELECT
           FROM app.groups c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'organisation'::text) AND (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id) AND (EXISTS ( SELECT
           FROM app.organisations c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'person'::text) AND (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id) AND (EXISTS ( SELECT
           FROM app.people c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))))));
create policy files_change on app.files for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id) AND (EXISTS ( SELECT
           FROM app.chapters c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'group'::text) AND (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id) AND (EXISTS ( SELECT
           FROM app.groups c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'organisation'::text) AND (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id) AND (EXISTS ( SELECT
           FROM app.organisations c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'person'::text) AND (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id) AND (EXISTS ( SELECT
           FROM app.people c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id) AND (EXISTS ( SELECT
           FROM app.chapters c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'group'::text) AND (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id) AND (EXISTS ( SELECT
           FROM app.groups c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'organisation'::text) AND (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id) AND (EXISTS ( SELECT
           FROM app.organisations c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'person'::text) AND (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id) AND (EXISTS ( SELECT
           FROM app.people c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))))));
create policy files_definer on app.files for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy files_own on app.files as restrictive for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (created_by = ( SELECT app.account_id() AS account_id)) AND (NOT (added_by IS DISTINCT FROM ( SELECT app.person_id() AS person_id)))));
create policy files_read on app.files for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id))))) OR ((record_type = 'group'::text) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id)))))) OR ((record_type = 'organisation'::text) AND (true OR (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id)))))) OR ((record_type = 'person'::text) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = files.org_id) AND (r.id = files.record_id)))))))));
CREATE TRIGGER files_audit_delete AFTER DELETE ON app.files REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('record', 'record_id');
CREATE TRIGGER files_audit_insert AFTER INSERT ON app.files REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('record', 'record_id');
CREATE TRIGGER files_audit_update AFTER UPDATE ON app.files REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('record', 'record_id');
CREATE TRIGGER files_follow_delete AFTER DELETE ON app.files REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
CREATE TRIGGER files_follow_insert AFTER INSERT ON app.files REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
CREATE TRIGGER files_follow_update AFTER UPDATE ON app.files REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
CREATE TRIGGER files_picture_gone AFTER DELETE ON app.files FOR EACH ROW WHEN (((old.use = 'picture'::text) AND (old.record_type = 'person'::text))) EXECUTE FUNCTION app_private.files_show_picture();
CREATE TRIGGER files_picture_new AFTER INSERT OR UPDATE OF removed_at ON app.files FOR EACH ROW WHEN (((new.use = 'picture'::text) AND (new.record_type = 'person'::text))) EXECUTE FUNCTION app_private.files_show_picture();
CREATE TRIGGER files_sweep AFTER DELETE ON app.files REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION app_private.files_gone();
CREATE TRIGGER files_touch BEFORE UPDATE ON app.files FOR EACH ROW EXECUTE FUNCTION app.touch();
grant select on app.files to app_access;
grant update (name, removed_at) on app.files to app_access;
grant insert (org_id, id, record_type, record_id, use, name, type, bytes, added_by, created_by) on app.files to app_access;
grant delete, select on app.files to app_definer;
comment on table app.files is 'Files of records, and pictures of people and of the organisation; the content lies in the file store under files/{org_id}/{id}';
comment on column app.files.use is 'attachment: listed with its record; picture: the one face of it';
comment on column app.files.type is 'Media type, found from the content';
comment on column app.files.added_by is 'The person who added it';
comment on column app.files.removed_at is 'Since when it is gone from its record; it can be restored for 7 days';

create table app.grants (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  account_id uuid not null,
  role_id uuid not null,
  scope_kind text not null,
  chapter_id uuid,
  group_id uuid,
  starts_on date default CURRENT_DATE not null,
  ends_on date,
  reason text default ''::text not null,
  granted_by uuid,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  record_id uuid,
  constraint grants_pkey PRIMARY KEY (org_id, id),
  constraint grants_check CHECK ((ends_on >= starts_on)),
  constraint grants_check1 CHECK (((scope_kind = 'chapter'::text) = (chapter_id IS NOT NULL))),
  constraint grants_check2 CHECK (((scope_kind = 'group'::text) = (group_id IS NOT NULL))),
  constraint grants_reason_check CHECK ((char_length(reason) <= 500)),
  constraint grants_record CHECK (((scope_kind = ANY (ARRAY['event'::text, 'campaign'::text, 'project'::text])) = (record_id IS NOT NULL))),
  constraint grants_scope_kind_check CHECK ((scope_kind = ANY (ARRAY['org'::text, 'chapter'::text, 'group'::text, 'event'::text, 'campaign'::text, 'project'::text]))),
  constraint grants_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES app.accounts(org_id, id) ON DELETE CASCADE,
  constraint grants_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id) ON DELETE CASCADE,
  constraint grants_org_id_group_id_fkey FOREIGN KEY (org_id, group_id) REFERENCES app.groups(org_id, id) ON DELETE CASCADE,
  constraint grants_org_id_role_id_fkey FOREIGN KEY (org_id, role_id) REFERENCES app.roles(org_id, id) ON DELETE CASCADE
);
CREATE INDEX grants_account ON app.grants USING btree (org_id, account_id);
CREATE INDEX grants_chapter ON app.grants USING btree (org_id, chapter_id);
CREATE INDEX grants_group ON app.grants USING btree (org_id, group_id);
CREATE INDEX grants_role ON app.grants USING btree (org_id, role_id);
alter table app.grants enable row level security;
alter table app.grants force row level security;
create policy grants_add on app.grants for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('account.manage'::text) AS everywhere)));
create policy grants_change on app.grants for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('account.manage'::text) AS everywhere)))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy grants_definer on app.grants for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy grants_read on app.grants for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((account_id = ( SELECT app.account_id() AS account_id)) OR ( SELECT app.everywhere('account.manage'::text) AS everywhere))));
create policy grants_remove on app.grants for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('account.manage'::text) AS everywhere)));
CREATE TRIGGER grants_audit_delete AFTER DELETE ON app.grants REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('audit.read');
CREATE TRIGGER grants_audit_insert AFTER INSERT ON app.grants REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('audit.read');
CREATE TRIGGER grants_audit_update AFTER UPDATE ON app.grants REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('audit.read');
CREATE TRIGGER grants_guard BEFORE INSERT OR DELETE OR UPDATE ON app.grants FOR EACH ROW EXECUTE FUNCTION app.grants_guard();
CREATE TRIGGER grants_tell_delete AFTER DELETE ON app.grants REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('account');
CREATE TRIGGER grants_tell_insert AFTER INSERT ON app.grants REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('account');
CREATE TRIGGER grants_tell_update AFTER UPDATE ON app.grants REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('account');
CREATE TRIGGER grants_touch BEFORE UPDATE ON app.grants FOR EACH ROW EXECUTE FUNCTION app.touch();
grant delete, select on app.grants to app_access;
grant insert (org_id, account_id, role_id, scope_kind, chapter_id, group_id, starts_on, ends_on, reason, granted_by) on app.grants to app_access;
grant update (starts_on, ends_on, reason) on app.grants to app_access;
grant delete, insert, select on app.grants to app_definer;
comment on table app.grants is 'A role given to an account for the organisation, a chapter with everything below it, a group, an event, a campaign or a project, within a window of dates';
comment on column app.grants.record_id is 'The event, campaign or project that the role is given for';

create table app.group_counts (
  org_id uuid not null,
  group_id uuid not null,
  members integer default 0 not null,
  constraint group_counts_pkey PRIMARY KEY (org_id, group_id),
  constraint group_counts_org_id_group_id_fkey FOREIGN KEY (org_id, group_id) REFERENCES app.groups(org_id, id) ON DELETE CASCADE
);
alter table app.group_counts enable row level security;
alter table app.group_counts force row level security;
create policy group_counts_definer on app.group_counts for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy group_counts_read on app.group_counts for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (EXISTS ( SELECT 1
   FROM app.groups g
  WHERE ((g.org_id = group_counts.org_id) AND (g.id = group_counts.group_id))))));
grant select on app.group_counts to app_access;
grant delete, insert, select, update on app.group_counts to app_definer;
comment on table app.group_counts is 'How many live members a group has; kept by triggers and corrected daily as dates pass';

create table app.group_members (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  group_id uuid not null,
  person_id uuid not null,
  role text default 'member'::text not null,
  title text default ''::text not null,
  side text default ''::text not null,
  rank integer,
  status text default 'active'::text not null,
  starts_on date,
  ends_on date,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint group_members_pkey PRIMARY KEY (org_id, id),
  constraint group_members_check CHECK ((ends_on >= starts_on)),
  constraint group_members_rank_check CHECK (((rank >= 0) AND (rank <= 100000))),
  constraint group_members_role_check CHECK ((role = ANY (ARRAY['leader'::text, 'moderator'::text, 'member'::text]))),
  constraint group_members_side_check CHECK ((char_length(side) <= 60)),
  constraint group_members_status_check CHECK ((status = ANY (ARRAY['invited'::text, 'requested'::text, 'active'::text, 'declined'::text, 'removed'::text]))),
  constraint group_members_title_check CHECK ((char_length(title) <= 150)),
  constraint group_members_org_id_group_id_fkey FOREIGN KEY (org_id, group_id) REFERENCES app.groups(org_id, id) ON DELETE CASCADE,
  constraint group_members_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX group_members_by_group ON app.group_members USING btree (org_id, group_id, rank, person_id);
CREATE INDEX group_members_by_person ON app.group_members USING btree (org_id, person_id);
CREATE INDEX group_members_leading ON app.group_members USING btree (org_id, group_id) WHERE ((role = 'leader'::text) OR (title <> ''::text));
CREATE UNIQUE INDEX group_members_live ON app.group_members USING btree (org_id, group_id, person_id) WHERE (ends_on IS NULL);
CREATE INDEX group_members_titled ON app.group_members USING btree (org_id, group_id, person_id) WHERE (title <> ''::text);
CREATE INDEX group_members_waiting ON app.group_members USING btree (org_id, created_at) WHERE ((status = 'requested'::text) AND (ends_on IS NULL));
CREATE INDEX group_members_waiting_by_group ON app.group_members USING btree (org_id, group_id, created_at) WHERE ((status = 'requested'::text) AND (ends_on IS NULL));
alter table app.group_members enable row level security;
alter table app.group_members force row level security;
create policy group_members_add on app.group_members for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT 1
   FROM app.groups g
  WHERE ((g.org_id = group_members.org_id) AND (g.id = group_members.group_id) AND ((g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])) OR ((group_members.person_id = ( SELECT app.person_id() AS person_id)) AND (group_members.role = 'member'::text) AND (g.archived_at IS NULL) AND (((g.join_policy = 'open'::text) AND (group_members.status = ANY (ARRAY['active'::text, 'requested'::text]))) OR ((g.join_policy = 'request'::text) AND (group_members.status = 'requested'::text)))))))))));
create policy group_members_change on app.group_members for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (person_id = ( SELECT app.person_id() AS person_id)) OR (group_id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT 1
   FROM app.groups g
  WHERE ((g.org_id = group_members.org_id) AND (g.id = group_members.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[]))))))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT 1
   FROM app.groups g
  WHERE ((g.org_id = group_members.org_id) AND (g.id = group_members.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[]))))) OR ((person_id = ( SELECT app.person_id() AS person_id)) AND ((ends_on IS NOT NULL) OR (status = ANY (ARRAY['declined'::text, 'active'::text])))))));
create policy group_members_definer on app.group_members for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy group_members_read on app.group_members for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR (group_id = ANY (( SELECT app.my_rosters() AS my_rosters)::uuid[])) OR (EXISTS ( SELECT 1
   FROM app.groups g
  WHERE ((g.org_id = group_members.org_id) AND (g.id = group_members.group_id) AND (((g.visibility = ANY (ARRAY['public'::text, 'members'::text])) AND ( SELECT app.everywhere('groups.read'::text) AS everywhere)) OR ( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])) OR (g.id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])))))))));
create policy group_members_remove on app.group_members for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (EXISTS ( SELECT 1
   FROM app.groups g
  WHERE ((g.org_id = group_members.org_id) AND (g.id = group_members.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[]))))))));
CREATE TRIGGER group_members_audit_delete AFTER DELETE ON app.group_members REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.directory');
CREATE TRIGGER group_members_audit_insert AFTER INSERT ON app.group_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.directory');
CREATE TRIGGER group_members_audit_update AFTER UPDATE ON app.group_members REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.directory');
CREATE TRIGGER group_members_consent BEFORE INSERT OR UPDATE OF status, starts_on, ends_on, person_id, group_id ON app.group_members FOR EACH ROW EXECUTE FUNCTION app.group_members_consent();
CREATE TRIGGER group_members_derive_delete AFTER DELETE ON app.group_members REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.group_members_derive();
CREATE TRIGGER group_members_derive_insert AFTER INSERT ON app.group_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.group_members_derive();
CREATE TRIGGER group_members_derive_update AFTER UPDATE ON app.group_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.group_members_derive();
CREATE TRIGGER group_members_guard BEFORE UPDATE ON app.group_members FOR EACH ROW EXECUTE FUNCTION app.group_members_guard();
CREATE TRIGGER group_members_open_delete AFTER DELETE ON app.group_members REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER group_members_open_insert AFTER INSERT ON app.group_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER group_members_open_update AFTER UPDATE ON app.group_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER group_members_own_lead BEFORE INSERT OR UPDATE OF role, status, starts_on, ends_on, person_id, group_id ON app.group_members FOR EACH ROW WHEN ((new.role = 'leader'::text)) EXECUTE FUNCTION app.group_members_own_lead();
CREATE TRIGGER group_members_room BEFORE INSERT OR UPDATE OF status, ends_on ON app.group_members FOR EACH ROW EXECUTE FUNCTION app.group_members_room();
CREATE TRIGGER group_members_tell_delete AFTER DELETE ON app.group_members REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('person');
CREATE TRIGGER group_members_tell_insert AFTER INSERT ON app.group_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('person');
CREATE TRIGGER group_members_tell_update AFTER UPDATE ON app.group_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('person');
CREATE TRIGGER group_members_touch BEFORE UPDATE ON app.group_members FOR EACH ROW EXECUTE FUNCTION app.touch();
grant delete, select on app.group_members to app_access;
grant insert (org_id, id, group_id, person_id, role, title, side, rank, status, starts_on, ends_on) on app.group_members to app_access;
grant update (role, title, side, rank, status, starts_on, ends_on) on app.group_members to app_access;
grant select on app.group_members to app_definer;
comment on table app.group_members is 'A person in a group; former members stay as ended rows';

create table app.groups (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  chapter_id uuid,
  parent_id uuid,
  code text,
  name text not null,
  sort_name text generated always as (app.fold(name)) stored not null,
  search text generated always as (app.fold(((name || ' '::text) || COALESCE(code, ''::text)))) stored not null,
  kind text default 'interest'::text not null,
  description text default ''::text not null,
  visibility text default 'members'::text not null,
  join_policy text default 'request'::text not null,
  capacity integer,
  website text default ''::text not null,
  phone text default ''::text not null,
  archived_at timestamp with time zone,
  created_by uuid,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  about jsonb default '{"type": "doc", "content": []}'::jsonb not null,
  constraint groups_pkey PRIMARY KEY (org_id, id),
  constraint groups_about_formatted CHECK (app.formatted_text(about, 50000)),
  constraint groups_capacity_check CHECK (((capacity >= 1) AND (capacity <= 1000000))),
  constraint groups_check CHECK ((parent_id <> id)),
  constraint groups_code_check CHECK (((char_length(code) >= 1) AND (char_length(code) <= 40))),
  constraint groups_description_check CHECK ((char_length(description) <= 700000)),
  constraint groups_join_policy_check CHECK ((join_policy = ANY (ARRAY['open'::text, 'request'::text, 'invite'::text]))),
  constraint groups_kind_check CHECK ((kind = ANY (ARRAY['committee'::text, 'subcommittee'::text, 'interest'::text, 'cohort'::text, 'team'::text, 'list'::text]))),
  constraint groups_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 150))),
  constraint groups_phone_check CHECK ((char_length(phone) <= 40)),
  constraint groups_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'members'::text, 'private'::text, 'secret'::text]))),
  constraint groups_website_check CHECK ((char_length(website) <= 500)),
  constraint groups_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id),
  constraint groups_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint groups_org_id_parent_id_fkey FOREIGN KEY (org_id, parent_id) REFERENCES app.groups(org_id, id) ON DELETE SET NULL (parent_id)
);
CREATE INDEX groups_by_chapter ON app.groups USING btree (org_id, chapter_id);
CREATE INDEX groups_by_code ON app.groups USING btree (org_id, code) WHERE (code IS NOT NULL);
CREATE INDEX groups_by_name ON app.groups USING btree (org_id, sort_name, id);
CREATE INDEX groups_by_parent ON app.groups USING btree (org_id, parent_id);
alter table app.groups enable row level security;
alter table app.groups force row level security;
create policy groups_add on app.groups for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])))));
create policy groups_change on app.groups for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])) OR (id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])) OR (id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])))));
create policy groups_definer on app.groups for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy groups_read on app.groups for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((visibility = 'public'::text) OR ((visibility = ANY (ARRAY['members'::text, 'private'::text])) AND (( SELECT app.everywhere('groups.read'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('groups.read'::text) AS scope)::uuid[])))) OR ( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])) OR (id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (id = ANY (( SELECT app.my_groups() AS my_groups)::uuid[])))));
create policy groups_remove on app.groups for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])))));
CREATE TRIGGER groups_about BEFORE INSERT OR UPDATE OF description, about ON app.groups FOR EACH ROW EXECUTE FUNCTION app_private.groups_about();
CREATE TRIGGER groups_audit_delete AFTER DELETE ON app.groups REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.directory');
CREATE TRIGGER groups_audit_insert AFTER INSERT ON app.groups REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.directory');
CREATE TRIGGER groups_audit_update AFTER UPDATE ON app.groups REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.directory');
CREATE TRIGGER groups_code_insert AFTER INSERT ON app.groups FOR EACH ROW WHEN ((new.code IS NOT NULL)) EXECUTE FUNCTION app.groups_code();
CREATE TRIGGER groups_code_update AFTER UPDATE OF code, visibility ON app.groups FOR EACH ROW WHEN (((new.code IS NOT NULL) AND ((new.code IS DISTINCT FROM old.code) OR (new.visibility IS DISTINCT FROM old.visibility)))) EXECUTE FUNCTION app.groups_code();
CREATE TRIGGER groups_gone AFTER DELETE ON app.groups REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION app_private.record_gone('group');
CREATE TRIGGER groups_place BEFORE INSERT OR UPDATE OF parent_id ON app.groups FOR EACH ROW EXECUTE FUNCTION app.groups_place();
CREATE TRIGGER groups_reach BEFORE INSERT OR UPDATE OF chapter_id, parent_id, code, visibility ON app.groups FOR EACH ROW EXECUTE FUNCTION app.groups_reach();
CREATE TRIGGER groups_touch BEFORE UPDATE ON app.groups FOR EACH ROW EXECUTE FUNCTION app.touch();
grant delete, select on app.groups to app_access;
grant update (chapter_id, parent_id, code, name, kind, description, visibility, join_policy, capacity, website, phone, archived_at, about) on app.groups to app_access;
grant insert (org_id, id, chapter_id, parent_id, code, name, kind, description, visibility, join_policy, capacity, website, phone, created_by, about) on app.groups to app_access;
grant select, update on app.groups to app_definer;
grant update (id) on app.groups to app_definer;
comment on table app.groups is 'People who do something together, across the tree of chapters';
comment on column app.groups.code is 'Unique among the groups that whoever sets it sees; a secret group of others may have the same';
comment on column app.groups.description is 'The words of about without their formatting, for imports, exports and the audit log';
comment on column app.groups.about is 'What the group says of itself, as formatted text';

create table app.groups_field_values (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  group_id uuid not null,
  field_id uuid not null,
  slot text default ''::text not null,
  value text not null,
  key text default ''::text not null,
  constraint groups_field_values_pkey PRIMARY KEY (org_id, group_id, field_id, slot),
  constraint groups_field_values_org_id_field_id_fkey FOREIGN KEY (org_id, field_id) REFERENCES app.fields(org_id, id) ON DELETE CASCADE,
  constraint groups_field_values_org_id_group_id_fkey FOREIGN KEY (org_id, group_id) REFERENCES app.groups(org_id, id) ON DELETE CASCADE
);
CREATE INDEX groups_field_values_by_key ON app.groups_field_values USING btree (org_id, field_id, key, group_id);
alter table app.groups_field_values enable row level security;
alter table app.groups_field_values force row level security;
create policy groups_field_values_add on app.groups_field_values for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = groups_field_values.org_id) AND (r.id = groups_field_values.group_id))))) AND ((( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = groups_field_values.org_id) AND (g.id = groups_field_values.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])))))) AND ((field_id = ANY (( SELECT app.field_set('groups'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((field_id = ANY (( SELECT app.field_set('groups'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = groups_field_values.org_id) AND (g.id = groups_field_values.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[]))))))) OR ((field_id = ANY (( SELECT app.field_set('groups'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('people.sensitive'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = groups_field_values.org_id) AND (g.id = groups_field_values.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[])))))))))));
create policy groups_field_values_change on app.groups_field_values for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = groups_field_values.org_id) AND (r.id = groups_field_values.group_id))))) AND ((( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = groups_field_values.org_id) AND (g.id = groups_field_values.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])))))) AND ((field_id = ANY (( SELECT app.field_set('groups'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((field_id = ANY (( SELECT app.field_set('groups'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = groups_field_values.org_id) AND (g.id = groups_field_values.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[]))))))) OR ((field_id = ANY (( SELECT app.field_set('groups'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('people.sensitive'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = groups_field_values.org_id) AND (g.id = groups_field_values.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[])))))))))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = groups_field_values.org_id) AND (r.id = groups_field_values.group_id))))) AND ((( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = groups_field_values.org_id) AND (g.id = groups_field_values.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])))))) AND ((field_id = ANY (( SELECT app.field_set('groups'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((field_id = ANY (( SELECT app.field_set('groups'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = groups_field_values.org_id) AND (g.id = groups_field_values.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[]))))))) OR ((field_id = ANY (( SELECT app.field_set('groups'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('people.sensitive'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = groups_field_values.org_id) AND (g.id = groups_field_values.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[])))))))))));
create policy groups_field_values_definer on app.groups_field_values for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy groups_field_values_read on app.groups_field_values for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = groups_field_values.org_id) AND (r.id = groups_field_values.group_id))))) AND ((field_id = ANY (( SELECT app.field_set('groups'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((field_id = ANY (( SELECT app.field_set('groups'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = groups_field_values.org_id) AND (g.id = groups_field_values.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[]))))))) OR ((field_id = ANY (( SELECT app.field_set('groups'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('people.sensitive'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = groups_field_values.org_id) AND (g.id = groups_field_values.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[]))))))))));
create policy groups_field_values_remove on app.groups_field_values for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = groups_field_values.org_id) AND (r.id = groups_field_values.group_id))))) AND ((( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = groups_field_values.org_id) AND (g.id = groups_field_values.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[])))))) AND ((field_id = ANY (( SELECT app.field_set('groups'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((field_id = ANY (( SELECT app.field_set('groups'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('groups.manage'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = groups_field_values.org_id) AND (g.id = groups_field_values.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('groups.manage'::text) AS scope)::uuid[]))))))) OR ((field_id = ANY (( SELECT app.field_set('groups'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (group_id = ANY (( SELECT app.group_scope('people.sensitive'::text) AS group_scope)::uuid[])) OR (EXISTS ( SELECT
   FROM app.groups g
  WHERE ((g.org_id = groups_field_values.org_id) AND (g.id = groups_field_values.group_id) AND (g.chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[])))))))))));
CREATE TRIGGER groups_field_values_audit_delete AFTER DELETE ON app.groups_field_values REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.directory', 'field_id');
CREATE TRIGGER groups_field_values_audit_insert AFTER INSERT ON app.groups_field_values REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.directory', 'field_id');
CREATE TRIGGER groups_field_values_audit_update AFTER UPDATE ON app.groups_field_values REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.directory', 'field_id');
CREATE TRIGGER groups_field_values_form BEFORE INSERT OR UPDATE ON app.groups_field_values FOR EACH ROW EXECUTE FUNCTION app.field_value_form('groups');
grant delete, select on app.groups_field_values to app_access;
grant insert (org_id, id, group_id, field_id, value) on app.groups_field_values to app_access;
grant update (value) on app.groups_field_values to app_access;
grant delete, select on app.groups_field_values to app_definer;
grant insert (org_id, group_id, field_id, value) on app.groups_field_values to app_definer;
grant update (value) on app.groups_field_values to app_definer;
comment on table app.groups_field_values is 'What the organisation''s own fields hold for each of groups';
comment on column app.groups_field_values.slot is 'The choice, where a field takes several; else empty';

create table app.idempotency_keys (
  org_id uuid not null,
  account_id uuid not null,
  key text not null,
  operation text not null,
  body_hash text not null,
  status integer,
  response jsonb,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_keys_pkey PRIMARY KEY (org_id, account_id, key),
  constraint idempotency_keys_key_check CHECK (((char_length(key) >= 8) AND (char_length(key) <= 200))),
  constraint idempotency_keys_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES app.accounts(org_id, id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_by_age ON app.idempotency_keys USING btree (created_at);
alter table app.idempotency_keys enable row level security;
alter table app.idempotency_keys force row level security;
create policy idempotency_keys_add on app.idempotency_keys for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
create policy idempotency_keys_change on app.idempotency_keys for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
create policy idempotency_keys_definer on app.idempotency_keys for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy idempotency_keys_read on app.idempotency_keys for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
grant select on app.idempotency_keys to app_access;
grant insert (org_id, account_id, key, operation, body_hash) on app.idempotency_keys to app_access;
grant update (status, response) on app.idempotency_keys to app_access;
grant delete, select on app.idempotency_keys to app_definer;
comment on table app.idempotency_keys is 'First answer to a request that must not act twice; kept 7 days. Not in the audit log: they remember answers for a day';

create table app.import_mappings (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  kind text not null,
  name text not null,
  mapping jsonb not null,
  options jsonb default '{}'::jsonb not null,
  created_by uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint import_mappings_pkey PRIMARY KEY (org_id, id),
  constraint import_mappings_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint import_mappings_org_id_kind_name_key UNIQUE (org_id, kind, name),
  constraint import_mappings_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES app.accounts(org_id, id) ON DELETE CASCADE,
  constraint import_mappings_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
CREATE INDEX import_mappings_by_creator ON app.import_mappings USING btree (org_id, created_by);
alter table app.import_mappings enable row level security;
alter table app.import_mappings force row level security;
create policy import_mappings_add on app.import_mappings for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (created_by = ( SELECT app.account_id() AS account_id)) AND (( SELECT app.everywhere('people.import'::text) AS everywhere) OR (( SELECT app.scope('people.import'::text) AS scope) <> '{}'::uuid[]))));
create policy import_mappings_change on app.import_mappings for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (((created_by = ( SELECT app.account_id() AS account_id)) AND (( SELECT app.scope('people.import'::text) AS scope) <> '{}'::uuid[])) OR ( SELECT app.everywhere('people.import'::text) AS everywhere))))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy import_mappings_definer on app.import_mappings for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy import_mappings_read on app.import_mappings for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.import'::text) AS everywhere) OR (( SELECT app.scope('people.import'::text) AS scope) <> '{}'::uuid[]))));
create policy import_mappings_remove on app.import_mappings for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (((created_by = ( SELECT app.account_id() AS account_id)) AND (( SELECT app.scope('people.import'::text) AS scope) <> '{}'::uuid[])) OR ( SELECT app.everywhere('people.import'::text) AS everywhere))));
grant delete, select on app.import_mappings to app_access;
grant update (mapping, options) on app.import_mappings to app_access;
grant insert (org_id, kind, name, mapping, options, created_by) on app.import_mappings to app_access;
comment on table app.import_mappings is 'Saved answers to "which column is what", offered again for files with the same header. Not in the audit log: they are how somebody likes to read their files';

create table app.import_rows (
  org_id uuid not null,
  import_id uuid not null,
  phase text not null,
  line integer not null,
  step integer not null,
  outcome text not null,
  key text,
  entity_id uuid,
  findings jsonb default '[]'::jsonb not null,
  effects jsonb default '[]'::jsonb not null,
  label text,
  kinds text[],
  accepted boolean,
  marks bigint[],
  same_as integer,
  constraint import_rows_pkey PRIMARY KEY (org_id, import_id, phase, line),
  constraint import_rows_kinds_check CHECK (((cardinality(kinds) >= 1) AND (cardinality(kinds) <= 100))),
  constraint import_rows_label_check CHECK ((char_length(label) <= 400)),
  constraint import_rows_line_check CHECK ((line >= 1)),
  constraint import_rows_marks_check CHECK ((cardinality(marks) <= 10)),
  constraint import_rows_outcome_check CHECK ((outcome = ANY (ARRAY['create'::text, 'update'::text, 'unchanged'::text, 'skip'::text, 'reject'::text, 'removed'::text, 'restored'::text, 'kept'::text]))),
  constraint import_rows_phase_check CHECK ((phase = ANY (ARRAY['check'::text, 'run'::text, 'undo'::text]))),
  constraint import_rows_same_as_check CHECK ((same_as < line)),
  constraint import_rows_org_id_import_id_fkey FOREIGN KEY (org_id, import_id) REFERENCES app.imports(org_id, id) ON DELETE CASCADE
);
CREATE INDEX import_rows_by_known_key ON app.import_rows USING btree (org_id, key) WHERE (key IS NOT NULL);
CREATE INDEX import_rows_by_outcome ON app.import_rows USING btree (org_id, import_id, phase, outcome, line);
CREATE INDEX import_rows_by_step ON app.import_rows USING btree (org_id, import_id, phase, step);
CREATE INDEX import_rows_doubles ON app.import_rows USING btree (org_id, import_id, same_as) WHERE (same_as IS NOT NULL);
CREATE INDEX import_rows_waiting ON app.import_rows USING btree (org_id, import_id, line) WHERE (accepted = false);
alter table app.import_rows enable row level security;
alter table app.import_rows force row level security;
create policy import_rows_add on app.import_rows for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (EXISTS ( SELECT 1
   FROM app.imports i
  WHERE ((i.org_id = import_rows.org_id) AND (i.id = import_rows.import_id))))));
create policy import_rows_change on app.import_rows for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (phase = 'check'::text) AND (EXISTS ( SELECT
   FROM app.imports i
  WHERE ((i.org_id = import_rows.org_id) AND (i.id = import_rows.import_id))))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (phase = 'check'::text)));
create policy import_rows_definer on app.import_rows for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy import_rows_read on app.import_rows for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (EXISTS ( SELECT 1
   FROM app.imports i
  WHERE ((i.org_id = import_rows.org_id) AND (i.id = import_rows.import_id))))));
create policy import_rows_remove on app.import_rows for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((phase = 'check'::text) OR ((phase = 'undo'::text) AND (findings <> '[]'::jsonb))) AND (EXISTS ( SELECT
   FROM app.imports i
  WHERE ((i.org_id = import_rows.org_id) AND (i.id = import_rows.import_id))))));
grant delete, select on app.import_rows to app_access;
grant insert (org_id, import_id, phase, line, step, outcome, key, entity_id, findings, effects, label, kinds, accepted, marks, same_as) on app.import_rows to app_access;
grant update (outcome, key, findings, accepted, same_as) on app.import_rows to app_access;
comment on table app.import_rows is 'The ledger: one row per line of the file, written in the same transaction as what the line did. Not in the audit log: the rows that an import wrote have entries of their own';
comment on column app.import_rows.step is 'Place in the order of work, in which parents come before their children; undo goes backwards';
comment on column app.import_rows.key is 'What the line is known by, to find a second line of the same file that means the same; null for most rejected lines; "held:" and a code where lines below it have to wait';
comment on column app.import_rows.findings is 'Problems and remarks: [{level, code, column, value, message}]';
comment on column app.import_rows.effects is 'Phase run: what was written, for undo; check: what would be changed; undo: what was put back. [{table, key, before, after, shown}]; before and after are null for a new row, shown has names for ids that are not there yet';
comment on column app.import_rows.label is 'Name of the person, chapter, group or office that the line means';
comment on column app.import_rows.kinds is 'Kinds of change to something that was there, such as email:add; null when there are none';
comment on column app.import_rows.accepted is 'Null: nobody is asked. False: the line stays out until someone accepts what it changes';
comment on column app.import_rows.marks is 'Check of people: hashes of e-mail and name (kind 0), birth date and name (1), chapter and name (2), the kind in the last two bits';
comment on column app.import_rows.same_as is 'The earlier line of the file that means the same person';

create table app.imports (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  kind text not null,
  file_name text not null,
  file_size bigint not null,
  file_hash text not null,
  file_key text not null,
  format jsonb default '{}'::jsonb not null,
  mapping jsonb default '{}'::jsonb not null,
  options jsonb default '{}'::jsonb not null,
  preview jsonb default '{}'::jsonb not null,
  status text default 'uploaded'::text not null,
  rows_total integer,
  counts jsonb default '{}'::jsonb not null,
  error jsonb,
  check_job_id uuid,
  run_job_id uuid,
  undo_job_id uuid,
  tag_id uuid,
  created_by uuid not null,
  finished_at timestamp with time zone,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint imports_pkey PRIMARY KEY (org_id, id),
  constraint imports_file_name_check CHECK ((char_length(file_name) <= 255)),
  constraint imports_kind_check CHECK ((kind = ANY (ARRAY['chapters'::text, 'people'::text, 'positions'::text, 'groups'::text, 'group_members'::text]))),
  constraint imports_status_check CHECK ((status = ANY (ARRAY['uploaded'::text, 'checking'::text, 'checked'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text, 'undoing'::text, 'undone'::text, 'partly_undone'::text]))),
  constraint imports_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES app.accounts(org_id, id) ON DELETE CASCADE,
  constraint imports_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint imports_org_id_tag_id_fkey FOREIGN KEY (org_id, tag_id) REFERENCES app.tags(org_id, id) ON DELETE SET NULL (tag_id)
);
CREATE INDEX imports_by_content ON app.imports USING btree (org_id, kind, file_hash);
CREATE INDEX imports_by_created ON app.imports USING btree (org_id, created_at DESC, id);
CREATE INDEX imports_by_creator ON app.imports USING btree (org_id, created_by);
CREATE INDEX imports_by_tag ON app.imports USING btree (org_id, tag_id);
alter table app.imports enable row level security;
alter table app.imports force row level security;
create policy imports_add on app.imports for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (created_by = ( SELECT app.account_id() AS account_id)) AND (( SELECT app.everywhere('people.import'::text) AS everywhere) OR (( SELECT app.scope('people.import'::text) AS scope) <> '{}'::uuid[]))));
create policy imports_all_read on app.imports for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (((created_by = ( SELECT app.account_id() AS account_id)) AND (( SELECT app.scope('people.import'::text) AS scope) <> '{}'::uuid[])) OR ( SELECT app.everywhere('people.import'::text) AS everywhere))));
create policy imports_change on app.imports for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (((created_by = ( SELECT app.account_id() AS account_id)) AND (( SELECT app.scope('people.import'::text) AS scope) <> '{}'::uuid[])) OR ( SELECT app.everywhere('people.import'::text) AS everywhere))))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy imports_definer on app.imports for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
CREATE TRIGGER imports_touch BEFORE UPDATE ON app.imports FOR EACH ROW EXECUTE FUNCTION app.touch();
grant select on app.imports to app_access;
grant update (format, mapping, options, preview, status, rows_total, counts, error, check_job_id, run_job_id, undo_job_id, tag_id, finished_at) on app.imports to app_access;
grant insert (org_id, id, kind, file_name, file_size, file_hash, file_key, format, mapping, options, preview, rows_total, created_by) on app.imports to app_access;
grant select on app.imports to app_definer;
grant update (file_key) on app.imports to app_definer;
comment on table app.imports is 'One file on its way in: uploaded, checked without writing, run, and undone within 7 days if wished. Not in the audit log: each run and undo is recorded once, with its counts';
comment on column app.imports.file_key is 'Where the file lies; empty once it was removed, 30 days after the upload';
comment on column app.imports.preview is 'What was seen in the file when it was read last: headers, samples, findings about the whole file';
comment on column app.imports.counts is 'Rows by phase and outcome: {check: {create, update, unchanged, skip, reject}, run: {…}, undo: {removed, restored, kept}}';
comment on column app.imports.error is 'Why the whole file could not be read or the run stopped: reason, params and detail as in a problem answer';

create table app.invoice_lines (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  invoice_id uuid not null,
  place integer not null,
  text text not null,
  net_amount bigint not null,
  tax_bps integer default 0 not null,
  tax_note text default ''::text not null,
  tax_amount bigint generated always as ((round((((net_amount)::numeric * (tax_bps)::numeric) / (10000)::numeric)))::bigint) stored not null,
  share_chapter_id uuid,
  share_amount bigint default 0 not null,
  subject_type text,
  subject_id uuid,
  constraint invoice_lines_pkey PRIMARY KEY (org_id, id),
  constraint invoice_lines_check CHECK (((subject_type IS NULL) = (subject_id IS NULL))),
  constraint invoice_lines_check1 CHECK (((share_chapter_id IS NOT NULL) OR (share_amount = 0))),
  constraint invoice_lines_check2 CHECK (((abs(share_amount) <= abs(net_amount)) AND (((share_amount)::numeric * (net_amount)::numeric) >= (0)::numeric))),
  constraint invoice_lines_net_amount_check CHECK (((net_amount >= '-90071992547409'::bigint) AND (net_amount <= '90071992547409'::bigint))),
  constraint invoice_lines_org_id_invoice_id_place_key UNIQUE (org_id, invoice_id, place),
  constraint invoice_lines_place_check CHECK (((place >= 1) AND (place <= 100))),
  constraint invoice_lines_subject_type_check CHECK ((subject_type ~ '^[a-z][a-z_]{1,39}$'::text)),
  constraint invoice_lines_tax_bps_check CHECK (((tax_bps >= 0) AND (tax_bps <= 10000))),
  constraint invoice_lines_tax_note_check CHECK ((char_length(tax_note) <= 200)),
  constraint invoice_lines_text_check CHECK (((char_length(text) >= 1) AND (char_length(text) <= 300))),
  constraint invoice_lines_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint invoice_lines_org_id_invoice_id_fkey FOREIGN KEY (org_id, invoice_id) REFERENCES app.invoices(org_id, id) ON DELETE CASCADE,
  constraint invoice_lines_org_id_share_chapter_id_fkey FOREIGN KEY (org_id, share_chapter_id) REFERENCES app.chapters(org_id, id)
);
CREATE INDEX invoice_lines_by_share ON app.invoice_lines USING btree (org_id, share_chapter_id);
CREATE INDEX invoice_lines_by_subject ON app.invoice_lines USING btree (org_id, subject_type, subject_id) WHERE (subject_id IS NOT NULL);
alter table app.invoice_lines enable row level security;
alter table app.invoice_lines force row level security;
create policy invoice_lines_definer on app.invoice_lines for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy invoice_lines_read on app.invoice_lines for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (EXISTS ( SELECT
   FROM app.invoices i
  WHERE ((i.org_id = invoice_lines.org_id) AND (i.id = invoice_lines.invoice_id))))));
CREATE TRIGGER invoice_lines_stay BEFORE INSERT OR DELETE OR UPDATE ON app.invoice_lines FOR EACH ROW EXECUTE FUNCTION app_private.invoice_lines_stay();
grant select on app.invoice_lines to app_access;
grant delete, insert, select, update on app.invoice_lines to app_definer;
comment on table app.invoice_lines is 'What is charged. Tax comes on top and is rounded line by line, so that lines always add up to the total. Not in the audit log: lines change while their invoice is a draft, and the invoice has entries with its total';
comment on column app.invoice_lines.share_amount is 'What the chapter has of the net amount';
comment on column app.invoice_lines.subject_id is 'What the line pays for, such as a term of a membership';

create table app.invoices (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  kind text not null,
  state text default 'draft'::text not null,
  person_id uuid,
  chapter_id uuid,
  books_chapter_id uuid,
  number text,
  number_year integer,
  number_place integer,
  foreign_number text,
  credits_id uuid,
  currency text not null,
  total_amount bigint default 0 not null,
  paid_amount bigint default 0 not null,
  credited_amount bigint default 0 not null,
  balance_amount bigint generated always as (
CASE
    WHEN ((state = ANY (ARRAY['issued'::text, 'partly_paid'::text, 'paid'::text, 'credited'::text])) AND (kind = 'invoice'::text)) THEN ((total_amount - credited_amount) - paid_amount)
    ELSE (0)::bigint
END) stored,
  issued_on date,
  issued_at timestamp with time zone,
  due_on date,
  paid_on date,
  billing jsonb,
  seller jsonb,
  reason text default ''::text not null,
  note text default ''::text not null,
  dedupe_key text,
  sent_at timestamp with time zone,
  void_reason text,
  voided_at timestamp with time zone,
  created_by uuid,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint invoices_pkey PRIMARY KEY (org_id, id),
  constraint invoices_billing_check CHECK (((jsonb_typeof(billing) = 'object'::text) AND (octet_length((billing)::text) <= 4000))),
  constraint invoices_credit CHECK (((kind = 'credit_note'::text) = (credits_id IS NOT NULL))),
  constraint invoices_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint invoices_dedupe_key_check CHECK (((char_length(dedupe_key) >= 1) AND (char_length(dedupe_key) <= 200))),
  constraint invoices_foreign_number_check CHECK (((char_length(foreign_number) >= 1) AND (char_length(foreign_number) <= 60))),
  constraint invoices_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))),
  constraint invoices_note_check CHECK ((char_length(note) <= 1000)),
  constraint invoices_number_check CHECK (((char_length(number) >= 1) AND (char_length(number) <= 40))),
  constraint invoices_number_whole CHECK ((num_nonnulls(number, number_year, number_place) = ANY (ARRAY[0, 3]))),
  constraint invoices_numbered CHECK (((state = ANY (ARRAY['draft'::text, 'void'::text])) OR ((num_nonnulls(number, foreign_number) = 1) AND (issued_on IS NOT NULL) AND (due_on IS NOT NULL) AND (billing IS NOT NULL)))),
  constraint invoices_one_owes CHECK ((num_nonnulls(person_id, chapter_id) = 1)),
  constraint invoices_org_id_dedupe_key_key UNIQUE (org_id, dedupe_key),
  constraint invoices_org_id_kind_number_year_number_place_key UNIQUE (org_id, kind, number_year, number_place),
  constraint invoices_reason_check CHECK ((char_length(reason) <= 200)),
  constraint invoices_seller_check CHECK (((jsonb_typeof(seller) = 'object'::text) AND (octet_length((seller)::text) <= 4000))),
  constraint invoices_sign CHECK (((state = ANY (ARRAY['draft'::text, 'void'::text])) OR ((kind = 'invoice'::text) AND (total_amount >= 0)) OR ((kind = 'credit_note'::text) AND (total_amount < 0)))),
  constraint invoices_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'issued'::text, 'partly_paid'::text, 'paid'::text, 'credited'::text, 'void'::text]))),
  constraint invoices_total_amount_check CHECK (((total_amount >= '-9007199254740991'::bigint) AND (total_amount <= '9007199254740991'::bigint))),
  constraint invoices_void_reason_check CHECK (((char_length(void_reason) >= 1) AND (char_length(void_reason) <= 500))),
  constraint invoices_voided CHECK (((state = 'void'::text) = (voided_at IS NOT NULL))),
  constraint invoices_org_id_books_chapter_id_fkey FOREIGN KEY (org_id, books_chapter_id) REFERENCES app.chapters(org_id, id),
  constraint invoices_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id),
  constraint invoices_org_id_credits_id_fkey FOREIGN KEY (org_id, credits_id) REFERENCES app.invoices(org_id, id),
  constraint invoices_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint invoices_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id)
);
CREATE INDEX invoices_by_age ON app.invoices USING btree (org_id, id DESC);
CREATE INDEX invoices_by_books ON app.invoices USING btree (org_id, books_chapter_id, id DESC);
CREATE INDEX invoices_by_chapter ON app.invoices USING btree (org_id, chapter_id, id DESC);
CREATE INDEX invoices_by_credit ON app.invoices USING btree (org_id, credits_id);
CREATE INDEX invoices_by_person ON app.invoices USING btree (org_id, person_id, id DESC);
CREATE INDEX invoices_due ON app.invoices USING btree (org_id, due_on, id) WHERE (state = ANY (ARRAY['issued'::text, 'partly_paid'::text]));
CREATE UNIQUE INDEX invoices_foreign ON app.invoices USING btree (org_id, foreign_number) WHERE (foreign_number IS NOT NULL);
alter table app.invoices enable row level security;
alter table app.invoices force row level security;
create policy invoices_definer on app.invoices for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy invoices_read on app.invoices for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('finance.read'::text) AS everywhere) OR (books_chapter_id = ANY (( SELECT app.scope('finance.read'::text) AS scope)::uuid[])) OR ((person_id = ( SELECT app.person_id() AS person_id)) AND (state <> 'draft'::text) AND (issued_on IS NOT NULL)))));
CREATE TRIGGER invoices_audit_delete AFTER DELETE ON app.invoices REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('finance.read', 'id');
CREATE TRIGGER invoices_audit_insert AFTER INSERT ON app.invoices REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('finance.read', 'id');
CREATE TRIGGER invoices_audit_update AFTER UPDATE ON app.invoices REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('finance.read', 'id');
CREATE TRIGGER invoices_stay BEFORE DELETE OR UPDATE ON app.invoices FOR EACH ROW EXECUTE FUNCTION app_private.invoices_stay();
CREATE TRIGGER invoices_touch BEFORE UPDATE ON app.invoices FOR EACH ROW EXECUTE FUNCTION app.touch();
grant select on app.invoices to app_access;
grant delete, insert, select, update on app.invoices to app_definer;
comment on table app.invoices is 'What somebody owes, or, as a credit note, owes no more. From issuing on only what was paid, credited or sent changes, and nothing is ever deleted';
comment on column app.invoices.books_chapter_id is 'Chapter in whose books it stands: the one that owes it, or the home chapter of the person when it was drafted';
comment on column app.invoices.foreign_number is 'Number that another system gave an imported invoice; the own series does not know it';
comment on column app.invoices.credits_id is 'The invoice that a credit note corrects';
comment on column app.invoices.balance_amount is 'What is still to be paid; below zero where more was paid than is owed by now';
comment on column app.invoices.billing is 'Name and address of who owes it, as they were on the day of issue';
comment on column app.invoices.seller is 'Name and contact of the organisation, as they were on the day of issue';
comment on column app.invoices.reason is 'What it was drafted for, in a few words';
comment on column app.invoices.dedupe_key is 'Drafted once under the same key';

create table app.job_progress (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  account_id uuid not null,
  kind text not null,
  title text not null,
  status text default 'queued'::text not null,
  done bigint default 0 not null,
  total bigint,
  cancel_requested boolean default false not null,
  result jsonb default '{}'::jsonb not null,
  error jsonb,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint job_progress_pkey PRIMARY KEY (org_id, id),
  constraint job_progress_kind_check CHECK ((kind = ANY (ARRAY['import_check'::text, 'import_run'::text, 'import_undo'::text, 'export'::text, 'bulk'::text]))),
  constraint job_progress_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
  constraint job_progress_title_check CHECK ((char_length(title) <= 200)),
  constraint job_progress_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES app.accounts(org_id, id) ON DELETE CASCADE,
  constraint job_progress_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
CREATE INDEX job_progress_by_account ON app.job_progress USING btree (org_id, account_id, created_at DESC);
alter table app.job_progress enable row level security;
alter table app.job_progress force row level security;
create policy job_progress_add on app.job_progress for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
create policy job_progress_change on app.job_progress for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
create policy job_progress_definer on app.job_progress for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy job_progress_read on app.job_progress for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
CREATE TRIGGER job_progress_tell AFTER INSERT OR UPDATE OF status, done, total, result, error ON app.job_progress FOR EACH ROW EXECUTE FUNCTION app.tell_job();
grant select on app.job_progress to app_access;
grant insert (org_id, id, account_id, kind, title, total) on app.job_progress to app_access;
grant update (status, done, total, cancel_requested, result, error, started_at, finished_at, updated_at) on app.job_progress to app_access;
comment on table app.job_progress is 'Long work as its owner sees it: how far it is and what came out; survives reload and sign-out. Not in the audit log: it says how far a job is';
comment on column app.job_progress.error is 'Why it failed: reason, params and detail as in a problem answer';

create table app.lifecycle_overrides (
  org_id uuid not null,
  person_id uuid not null,
  lifecycle text not null,
  until date not null,
  reason text not null,
  set_by uuid,
  created_at timestamp with time zone default now() not null,
  constraint lifecycle_overrides_pkey PRIMARY KEY (org_id, person_id),
  constraint lifecycle_overrides_lifecycle_check CHECK ((lifecycle = ANY (ARRAY['prospect'::text, 'active'::text, 'alumni'::text, 'former'::text]))),
  constraint lifecycle_overrides_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
  constraint lifecycle_overrides_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint lifecycle_overrides_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX lifecycle_overrides_by_end ON app.lifecycle_overrides USING btree (org_id, until);
alter table app.lifecycle_overrides enable row level security;
alter table app.lifecycle_overrides force row level security;
create policy lifecycle_overrides_definer on app.lifecycle_overrides for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy lifecycle_overrides_read on app.lifecycle_overrides for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('memberships.read'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('memberships.read'::text) w(org_id, person_id)
  WHERE ((w.org_id = lifecycle_overrides.org_id) AND (w.person_id = lifecycle_overrides.person_id)))))));
CREATE TRIGGER lifecycle_overrides_audit_delete AFTER DELETE ON app.lifecycle_overrides REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('memberships.read');
CREATE TRIGGER lifecycle_overrides_audit_insert AFTER INSERT ON app.lifecycle_overrides REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('memberships.read');
CREATE TRIGGER lifecycle_overrides_audit_update AFTER UPDATE ON app.lifecycle_overrides REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('memberships.read');
grant select on app.lifecycle_overrides to app_access;
grant delete, insert, select, update on app.lifecycle_overrides to app_definer;
comment on table app.lifecycle_overrides is 'A lifecycle that was set by hand for somebody whose memberships say otherwise, until a day';

create table app.loose_files (
  org_id uuid not null,
  file_id uuid not null,
  created_by uuid,
  due_at timestamp with time zone default (now() + '02:00:00'::interval) not null,
  constraint loose_files_pkey PRIMARY KEY (org_id, file_id),
  constraint loose_files_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
CREATE INDEX loose_files_due ON app.loose_files USING btree (due_at);
alter table app.loose_files enable row level security;
alter table app.loose_files force row level security;
create policy loose_files_add on app.loose_files for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (created_by = ( SELECT app.account_id() AS account_id))));
create policy loose_files_definer on app.loose_files for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy loose_files_read on app.loose_files for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (created_by = ( SELECT app.account_id() AS account_id))));
create policy loose_files_remove on app.loose_files for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (created_by = ( SELECT app.account_id() AS account_id))));
grant delete, select on app.loose_files to app_access;
grant insert (org_id, file_id, created_by) on app.loose_files to app_access;
grant delete, insert, select, update on app.loose_files to app_definer;
comment on table app.loose_files is 'Files in the store that no row names: uploads under way and removed ones, until they are swept. Not in the audit log: it says what is left to do';

create table app.mail_messages (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  template text not null,
  account_id uuid,
  person_id uuid,
  address text,
  to_administrators boolean default false not null,
  reply_to text,
  params jsonb default '{}'::jsonb not null,
  essential boolean not null,
  dedupe_key text,
  state text default 'queued'::text not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  paced boolean default false not null,
  lease_until timestamp with time zone,
  handed_at timestamp with time zone,
  sent_to text,
  outcome text default ''::text not null,
  answer text default ''::text not null,
  trace text,
  created_by uuid,
  created_at timestamp with time zone default now() not null,
  settled_at timestamp with time zone,
  subject text default ''::text not null,
  to_key text generated always as (lower(COALESCE(sent_to, address))) stored,
  constraint mail_messages_pkey PRIMARY KEY (org_id, id),
  constraint mail_messages_address_check CHECK (((char_length(address) >= 3) AND (char_length(address) <= 320))),
  constraint mail_messages_answer_check CHECK ((char_length(answer) <= 300)),
  constraint mail_messages_dedupe_key_check CHECK (((char_length(dedupe_key) >= 1) AND (char_length(dedupe_key) <= 200))),
  constraint mail_messages_org_id_dedupe_key_key UNIQUE (org_id, dedupe_key),
  constraint mail_messages_outcome_check CHECK ((char_length(outcome) <= 60)),
  constraint mail_messages_params_check CHECK (((jsonb_typeof(params) = 'object'::text) AND (octet_length((params)::text) <= 20000))),
  constraint mail_messages_recipient CHECK ((num_nonnulls(account_id, person_id, address) = 1)),
  constraint mail_messages_reply_to_check CHECK ((char_length(reply_to) <= 320)),
  constraint mail_messages_settled CHECK (((settled_at IS NOT NULL) = (state = ANY (ARRAY['sent'::text, 'failed'::text, 'suppressed'::text, 'unknown'::text])))),
  constraint mail_messages_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'suppressed'::text, 'unknown'::text]))),
  constraint mail_messages_subject_check CHECK ((char_length(subject) <= 500)),
  constraint mail_messages_template_check CHECK ((template ~ '^[a-z][a-z-]{1,39}$'::text)),
  constraint mail_messages_trace_check CHECK ((char_length(trace) <= 100)),
  constraint mail_messages_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES app.accounts(org_id, id) ON DELETE CASCADE,
  constraint mail_messages_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES app.accounts(org_id, id) ON DELETE SET NULL (created_by),
  constraint mail_messages_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint mail_messages_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX mail_messages_by_account ON app.mail_messages USING btree (org_id, account_id);
CREATE INDEX mail_messages_by_address ON app.mail_messages USING btree (org_id, to_key, created_at, id);
CREATE INDEX mail_messages_by_created ON app.mail_messages USING btree (org_id, created_at, id);
CREATE INDEX mail_messages_by_creator ON app.mail_messages USING btree (org_id, created_by);
CREATE INDEX mail_messages_by_person ON app.mail_messages USING btree (org_id, person_id);
CREATE INDEX mail_messages_by_state ON app.mail_messages USING btree (org_id, state, created_at, id);
CREATE INDEX mail_messages_by_template ON app.mail_messages USING btree (org_id, template, created_at, id);
CREATE INDEX mail_messages_due ON app.mail_messages USING btree (next_at, id) WHERE (state = 'queued'::text);
CREATE INDEX mail_messages_leased ON app.mail_messages USING btree (lease_until) WHERE (state = 'sending'::text);
alter table app.mail_messages enable row level security;
alter table app.mail_messages force row level security;
create policy mail_messages_definer on app.mail_messages for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy mail_messages_read on app.mail_messages for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('account.manage'::text) AS everywhere)));
grant select (org_id, id, template, account_id, person_id, address, essential, state, attempts, next_at, sent_to, outcome, answer, created_at, settled_at, subject, to_key) on app.mail_messages to app_access;
grant delete, insert, select, update on app.mail_messages to app_definer;
comment on table app.mail_messages is 'One mail to one recipient each, from the change that causes it to what became of it. Not in the audit log: each row is the record of one mail';
comment on column app.mail_messages.template is 'Which texts; the worker knows them by this name';
comment on column app.mail_messages.account_id is 'Recipient whose address is looked up when the mail is sent; so is that of person_id. Otherwise the address stands here';
comment on column app.mail_messages.to_administrators is 'Only while the address is one of the organisation''s administrators';
comment on column app.mail_messages.essential is 'Sent also to whoever unsubscribed from other mail';
comment on column app.mail_messages.dedupe_key is 'Two mails under the same key are one';
comment on column app.mail_messages.state is 'unknown: it was being handed to the mail server when the worker died, so it may have arrived; never sent again by itself';
comment on column app.mail_messages.paced is 'It has been given its turn, at next_at';
comment on column app.mail_messages.lease_until is 'Until when the worker that claimed it has it';
comment on column app.mail_messages.handed_at is 'When a worker began to hand it to the mail server';
comment on column app.mail_messages.outcome is 'Why it is as it is, as a code';
comment on column app.mail_messages.answer is 'What the mail server said last';
comment on column app.mail_messages.trace is 'Trace of the request that caused it';
comment on column app.mail_messages.subject is 'Its subject, once it was written; the rest of a mail is kept nowhere';
comment on column app.mail_messages.to_key is 'The address it goes to, in lower case, by which it is looked up';

create table app.mail_suppressions (
  org_id uuid not null,
  address_hash text not null,
  reason text not null,
  source text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  constraint mail_suppressions_pkey PRIMARY KEY (org_id, address_hash),
  constraint mail_suppressions_address_hash_check CHECK ((address_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint mail_suppressions_reason_check CHECK ((reason = ANY (ARRAY['unsubscribed'::text, 'manual'::text, 'hard_bounce'::text, 'complaint'::text]))),
  constraint mail_suppressions_source_check CHECK ((char_length(source) <= 100)),
  constraint mail_suppressions_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
alter table app.mail_suppressions enable row level security;
alter table app.mail_suppressions force row level security;
create policy mail_suppressions_definer on app.mail_suppressions for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
grant delete, insert, select, update on app.mail_suppressions to app_definer;
comment on table app.mail_suppressions is 'Addresses that get no mail, as hashes. unsubscribed and manual: essential mail only; hard_bounce and complaint: none at all. Not in the audit log: its source says where each comes from';

create table app.member_cards (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  person_id uuid not null,
  state text default 'eligible'::text not null,
  valid_until date not null,
  reason text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint member_cards_pkey PRIMARY KEY (org_id, id),
  constraint member_cards_ended CHECK (((ended_at IS NULL) = (state = 'eligible'::text))),
  constraint member_cards_reason CHECK (((reason <> ''::text) = (state = 'revoked'::text))),
  constraint member_cards_reason_check CHECK ((char_length(reason) <= 500)),
  constraint member_cards_state_check CHECK ((state = ANY (ARRAY['eligible'::text, 'ended'::text, 'revoked'::text]))),
  constraint member_cards_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX member_cards_by_person ON app.member_cards USING btree (org_id, person_id, created_at, id);
CREATE UNIQUE INDEX member_cards_one ON app.member_cards USING btree (org_id, person_id) WHERE (state = 'eligible'::text);
alter table app.member_cards enable row level security;
alter table app.member_cards force row level security;
create policy member_cards_add on app.member_cards for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR ( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = member_cards.org_id) AND (w.person_id = member_cards.person_id)))))));
create policy member_cards_change on app.member_cards for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = member_cards.org_id) AND (w.person_id = member_cards.person_id)))))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = member_cards.org_id) AND (w.person_id = member_cards.person_id)))))));
create policy member_cards_definer on app.member_cards for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy member_cards_read on app.member_cards for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR ( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = member_cards.org_id) AND (w.person_id = member_cards.person_id)))))));
CREATE TRIGGER member_cards_audit_delete AFTER DELETE ON app.member_cards REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.contact');
CREATE TRIGGER member_cards_audit_insert AFTER INSERT ON app.member_cards REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.contact');
CREATE TRIGGER member_cards_audit_update AFTER UPDATE ON app.member_cards REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.contact');
CREATE TRIGGER member_cards_issue BEFORE INSERT ON app.member_cards FOR EACH ROW EXECUTE FUNCTION app.member_cards_issue();
CREATE TRIGGER member_cards_open_insert AFTER INSERT ON app.member_cards REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER member_cards_revoke BEFORE UPDATE ON app.member_cards FOR EACH ROW EXECUTE FUNCTION app.member_cards_revoke();
grant select on app.member_cards to app_access;
grant insert (org_id, id, person_id) on app.member_cards to app_access;
grant update (state, reason) on app.member_cards to app_access;
grant select, update on app.member_cards to app_definer;
comment on table app.member_cards is 'Member cards. The code of a card is a signed link about it; its token follows from the id of the card and a key of the server, so that the card can be shown again';
comment on column app.member_cards.state is 'eligible: its code is valid while its holder is a member; ended: another card replaced it; revoked: taken away by an officer, for the reason given';
comment on column app.member_cards.valid_until is 'Last day of its code; the card is valid no longer than its holder is a member';
comment on column app.member_cards.reason is 'Why it was revoked; the holder reads it';

create table app.membership_terms (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  membership_id uuid not null,
  person_id uuid not null,
  status text default 'open'::text not null,
  period text not null,
  months integer,
  starts_month integer,
  starts_day integer,
  rollover_days integer default 0 not null,
  grace_days integer default 0 not null,
  chapter_share_bps integer default 0 not null,
  starts_on date,
  ends_on date,
  settled_on date,
  created_by uuid,
  created_at timestamp with time zone default now() not null,
  price_amount bigint not null,
  price_currency text not null,
  constraint membership_terms_pkey PRIMARY KEY (org_id, id),
  constraint membership_terms_check CHECK (((status = 'settled'::text) = (settled_on IS NOT NULL))),
  constraint membership_terms_check1 CHECK (((starts_on IS NOT NULL) = (status = 'settled'::text))),
  constraint membership_terms_check2 CHECK ((ends_on >= starts_on)),
  constraint membership_terms_period_check CHECK ((period = ANY (ARRAY['rolling'::text, 'fixed'::text, 'lifetime'::text]))),
  constraint membership_terms_price_money CHECK ((((price_amount >= 0) AND (price_amount <= '9007199254740991'::bigint)) AND (price_currency ~ '^[A-Z]{3}$'::text))),
  constraint membership_terms_price_whole CHECK (((price_amount IS NULL) = (price_currency IS NULL))),
  constraint membership_terms_status_check CHECK ((status = ANY (ARRAY['open'::text, 'settled'::text, 'void'::text]))),
  constraint membership_terms_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint membership_terms_org_id_membership_id_fkey FOREIGN KEY (org_id, membership_id) REFERENCES app.memberships(org_id, id) ON DELETE CASCADE,
  constraint membership_terms_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX membership_terms_by_membership ON app.membership_terms USING btree (org_id, membership_id, starts_on);
CREATE INDEX membership_terms_by_person ON app.membership_terms USING btree (org_id, person_id);
CREATE UNIQUE INDEX membership_terms_open ON app.membership_terms USING btree (org_id, membership_id) WHERE (status = 'open'::text);
alter table app.membership_terms enable row level security;
alter table app.membership_terms force row level security;
create policy membership_terms_definer on app.membership_terms for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy membership_terms_read on app.membership_terms for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (EXISTS ( SELECT
   FROM app.memberships m
  WHERE ((m.org_id = membership_terms.org_id) AND (m.id = membership_terms.membership_id))))));
CREATE TRIGGER membership_terms_audit_delete AFTER DELETE ON app.membership_terms REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('memberships.read');
CREATE TRIGGER membership_terms_audit_insert AFTER INSERT ON app.membership_terms REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('memberships.read');
CREATE TRIGGER membership_terms_audit_update AFTER UPDATE ON app.membership_terms REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('memberships.read');
grant select on app.membership_terms to app_access;
grant insert, select, update on app.membership_terms to app_definer;
comment on table app.membership_terms is 'A period of a membership, with the price and rules of the day it was offered; it has dates once it is settled, and not before';

create table app.membership_types (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  name text not null,
  description text default ''::text not null,
  period text not null,
  months integer,
  starts_month integer,
  starts_day integer,
  rollover_days integer default 0 not null,
  grace_days integer default 30 not null,
  renewal_days integer default 30 not null,
  needs_approval boolean default true not null,
  chapter_share_bps integer default 0 not null,
  open_to text default 'everyone'::text not null,
  questions text[] default '{}'::text[] not null,
  archived_at timestamp with time zone,
  created_by uuid,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  price_amount bigint not null,
  price_currency text not null,
  constraint membership_types_pkey PRIMARY KEY (org_id, id),
  constraint membership_type_period CHECK (
CASE period
    WHEN 'rolling'::text THEN ((months IS NOT NULL) AND (starts_month IS NULL) AND (starts_day IS NULL))
    WHEN 'fixed'::text THEN ((months = 12) AND (starts_month IS NOT NULL) AND (starts_day IS NOT NULL))
    ELSE ((months IS NULL) AND (starts_month IS NULL) AND (starts_day IS NULL))
END),
  constraint membership_types_chapter_share_bps_check CHECK (((chapter_share_bps >= 0) AND (chapter_share_bps <= 10000))),
  constraint membership_types_description_check CHECK ((char_length(description) <= 500)),
  constraint membership_types_grace_days_check CHECK (((grace_days >= 0) AND (grace_days <= 180))),
  constraint membership_types_months_check CHECK (((months >= 1) AND (months <= 120))),
  constraint membership_types_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint membership_types_open_to_check CHECK ((open_to = ANY (ARRAY['everyone'::text, 'members'::text, 'officers'::text]))),
  constraint membership_types_period_check CHECK ((period = ANY (ARRAY['rolling'::text, 'fixed'::text, 'lifetime'::text]))),
  constraint membership_types_price_money CHECK ((((price_amount >= 0) AND (price_amount <= '9007199254740991'::bigint)) AND (price_currency ~ '^[A-Z]{3}$'::text))),
  constraint membership_types_price_whole CHECK (((price_amount IS NULL) = (price_currency IS NULL))),
  constraint membership_types_questions_check CHECK ((cardinality(questions) <= 5)),
  constraint membership_types_renewal_days_check CHECK (((renewal_days >= 0) AND (renewal_days <= 180))),
  constraint membership_types_rollover_days_check CHECK (((rollover_days >= 0) AND (rollover_days <= 366))),
  constraint membership_types_starts_day_check CHECK (((starts_day >= 1) AND (starts_day <= 28))),
  constraint membership_types_starts_month_check CHECK (((starts_month >= 1) AND (starts_month <= 12))),
  constraint membership_types_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX membership_types_name ON app.membership_types USING btree (org_id, lower(name)) WHERE (archived_at IS NULL);
alter table app.membership_types enable row level security;
alter table app.membership_types force row level security;
create policy membership_types_add on app.membership_types for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('memberships.manage'::text) AS everywhere)));
create policy membership_types_change on app.membership_types for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('memberships.manage'::text) AS everywhere)))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('memberships.manage'::text) AS everywhere)));
create policy membership_types_definer on app.membership_types for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy membership_types_read on app.membership_types for select to app_access
  using ((org_id = ( SELECT app.org_id() AS org_id)));
CREATE TRIGGER membership_types_audit_delete AFTER DELETE ON app.membership_types REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('memberships.manage', 'id');
CREATE TRIGGER membership_types_audit_insert AFTER INSERT ON app.membership_types REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('memberships.manage', 'id');
CREATE TRIGGER membership_types_audit_update AFTER UPDATE ON app.membership_types REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('memberships.manage', 'id');
CREATE TRIGGER membership_types_touch BEFORE UPDATE ON app.membership_types FOR EACH ROW EXECUTE FUNCTION app.touch();
grant select on app.membership_types to app_access;
grant update (name, description, period, months, starts_month, starts_day, rollover_days, grace_days, renewal_days, needs_approval, chapter_share_bps, open_to, questions, archived_at, price_amount, price_currency) on app.membership_types to app_access;
grant insert (org_id, name, description, period, months, starts_month, starts_day, rollover_days, grace_days, renewal_days, needs_approval, chapter_share_bps, open_to, questions, created_by, price_amount, price_currency) on app.membership_types to app_access;
grant select on app.membership_types to app_definer;
comment on table app.membership_types is 'Kinds of membership with their period, price and rules; a change never touches terms that exist';
comment on column app.membership_types.period is 'rolling: so many months from the first day; fixed: a year from one day of the calendar to the next; lifetime: without end';
comment on column app.membership_types.rollover_days is 'Of a fixed period: who joins so few days before the next one pays for that one too';
comment on column app.membership_types.renewal_days is 'So many days before its end a membership can be renewed';
comment on column app.membership_types.chapter_share_bps is 'Share of the price for the member''s chapter, in hundredths of a percent';
comment on column app.membership_types.open_to is 'Who may choose it: everyone signed in, people who have a membership, or officers for them';

create table app.memberships (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  person_id uuid not null,
  type_id uuid not null,
  chapter_id uuid,
  status text not null,
  auto_renew boolean default true not null,
  answers jsonb default '[]'::jsonb not null,
  applied_by uuid,
  decided_by uuid,
  decided_at timestamp with time zone,
  reason text default ''::text not null,
  starts_on date,
  ends_on date,
  grace_until date,
  paid_on date,
  override_status text,
  override_until date,
  override_reason text,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint memberships_pkey PRIMARY KEY (org_id, id),
  constraint memberships_answers_check CHECK (((jsonb_typeof(answers) = 'array'::text) AND (octet_length((answers)::text) <= 20000))),
  constraint memberships_check CHECK ((ends_on >= starts_on)),
  constraint memberships_check1 CHECK ((grace_until >= ends_on)),
  constraint memberships_override CHECK ((((override_status IS NULL) = (override_until IS NULL)) AND ((override_status IS NULL) = (override_reason IS NULL)))),
  constraint memberships_override_reason_check CHECK (((char_length(override_reason) >= 1) AND (char_length(override_reason) <= 500))),
  constraint memberships_override_status_check CHECK ((override_status = ANY (ARRAY['active'::text, 'grace'::text, 'lapsed'::text, 'suspended'::text]))),
  constraint memberships_reason_check CHECK ((char_length(reason) <= 500)),
  constraint memberships_status_check CHECK ((status = ANY (ARRAY['applied'::text, 'awaiting_approval'::text, 'awaiting_payment'::text, 'active'::text, 'grace'::text, 'lapsed'::text, 'cancelled'::text, 'suspended'::text, 'declined'::text, 'withdrawn'::text]))),
  constraint memberships_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id),
  constraint memberships_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint memberships_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE,
  constraint memberships_org_id_type_id_fkey FOREIGN KEY (org_id, type_id) REFERENCES app.membership_types(org_id, id)
);
CREATE INDEX memberships_by_chapter ON app.memberships USING btree (org_id, chapter_id, status);
CREATE INDEX memberships_by_person ON app.memberships USING btree (org_id, person_id, id);
CREATE INDEX memberships_by_type ON app.memberships USING btree (org_id, type_id, status);
CREATE INDEX memberships_ending ON app.memberships USING btree (org_id, status, ends_on, id);
CREATE UNIQUE INDEX memberships_open ON app.memberships USING btree (org_id, person_id, type_id) WHERE (status <> ALL (ARRAY['declined'::text, 'withdrawn'::text, 'cancelled'::text, 'lapsed'::text]));
CREATE INDEX memberships_overridden ON app.memberships USING btree (org_id, override_until) WHERE (override_until IS NOT NULL);
alter table app.memberships enable row level security;
alter table app.memberships force row level security;
create policy memberships_add on app.memberships for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('memberships.manage'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('memberships.manage'::text) AS scope)::uuid[])) OR ((person_id = ( SELECT app.person_id() AS person_id)) AND (status = ANY (ARRAY['awaiting_approval'::text, 'awaiting_payment'::text]))))));
create policy memberships_change on app.memberships for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('memberships.manage'::text) AS everywhere) OR (person_id = ( SELECT app.person_id() AS person_id)) OR (chapter_id = ANY (( SELECT app.scope('memberships.manage'::text) AS scope)::uuid[])))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('memberships.manage'::text) AS everywhere) OR (person_id = ( SELECT app.person_id() AS person_id)) OR (chapter_id = ANY (( SELECT app.scope('memberships.manage'::text) AS scope)::uuid[])))));
create policy memberships_definer on app.memberships for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy memberships_read on app.memberships for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('memberships.read'::text) AS everywhere) OR (person_id = ( SELECT app.person_id() AS person_id)) OR (chapter_id = ANY (( SELECT app.scope('memberships.read'::text) AS scope)::uuid[])))));
CREATE TRIGGER memberships_affiliate_insert AFTER INSERT ON app.memberships REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.memberships_affiliate();
CREATE TRIGGER memberships_affiliate_update AFTER UPDATE ON app.memberships REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.memberships_affiliate();
CREATE TRIGGER memberships_audit_delete AFTER DELETE ON app.memberships REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('memberships.read');
CREATE TRIGGER memberships_audit_insert AFTER INSERT ON app.memberships REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('memberships.read');
CREATE TRIGGER memberships_audit_update AFTER UPDATE ON app.memberships REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('memberships.read');
CREATE TRIGGER memberships_guard_insert AFTER INSERT ON app.memberships REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.memberships_guard();
CREATE TRIGGER memberships_guard_update AFTER UPDATE ON app.memberships REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.memberships_guard();
CREATE TRIGGER memberships_lifecycle_insert AFTER INSERT ON app.memberships REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.memberships_lifecycle();
CREATE TRIGGER memberships_lifecycle_update AFTER UPDATE ON app.memberships REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.memberships_lifecycle();
CREATE TRIGGER memberships_open_insert AFTER INSERT ON app.memberships REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER memberships_open_update AFTER UPDATE ON app.memberships REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER memberships_touch BEFORE UPDATE ON app.memberships FOR EACH ROW EXECUTE FUNCTION app.touch();
grant select on app.memberships to app_access;
grant insert (org_id, person_id, type_id, chapter_id, status, auto_renew, answers, applied_by) on app.memberships to app_access;
grant update (type_id, chapter_id, status, auto_renew, decided_by, decided_at, reason, override_status, override_until, override_reason) on app.memberships to app_access;
grant select, update on app.memberships to app_definer;
comment on table app.memberships is 'Membership of a person in the organisation, of one type; its terms say from when to when it was paid or approved';
comment on column app.memberships.chapter_id is 'Chapter that the membership runs through and that has its share; null for the organisation itself';
comment on column app.memberships.reason is 'Why it was declined, cancelled or suspended';
comment on column app.memberships.starts_on is 'First day of the first settled term';
comment on column app.memberships.ends_on is 'Last day of the last settled term; null without one and for a lifetime';
comment on column app.memberships.override_status is 'What counts instead of the status until a day, for a reason';

create table app.note_versions (
  org_id uuid not null,
  note_id uuid not null,
  number integer not null,
  person_id uuid not null,
  created_by uuid not null,
  visibility text not null,
  body jsonb not null,
  replaced_at timestamp with time zone default now() not null,
  constraint note_versions_pkey PRIMARY KEY (org_id, note_id, number),
  constraint note_versions_org_id_note_id_fkey FOREIGN KEY (org_id, note_id) REFERENCES app.notes(org_id, id) ON DELETE CASCADE,
  constraint note_versions_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX note_versions_by_person ON app.note_versions USING btree (org_id, person_id);
alter table app.note_versions enable row level security;
alter table app.note_versions force row level security;
create policy note_versions_definer on app.note_versions for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy note_versions_read on app.note_versions for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (person_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (( SELECT app.scope('people.write'::text) AS scope) <> '{}'::uuid[]) OR ( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (( SELECT app.scope('people.sensitive'::text) AS scope) <> '{}'::uuid[])) AND ((visibility = 'organisation'::text) OR ((visibility = 'self'::text) AND (created_by = ( SELECT app.account_id() AS account_id))) OR ((visibility = 'officers'::text) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = note_versions.org_id) AND (w.person_id = note_versions.person_id))))))) AND (EXISTS ( SELECT
   FROM app.notes n
  WHERE ((n.org_id = note_versions.org_id) AND (n.id = note_versions.note_id))))));
grant select on app.note_versions to app_access;
grant delete, insert, select on app.note_versions to app_definer;
comment on table app.note_versions is 'What a note said before it was changed, for those for whom it was written then. Not in the audit log: nobody writes here, and the log tells of the change';

create table app.notes (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  record_type text not null,
  record_id uuid not null,
  visibility text not null,
  body jsonb not null,
  pinned boolean default false not null,
  author_id uuid,
  created_by uuid not null,
  edited_at timestamp with time zone,
  deleted_at timestamp with time zone,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint notes_pkey PRIMARY KEY (org_id, id),
  constraint notes_body_check CHECK (app.formatted_text(body, 10000)),
  constraint notes_record_type_check CHECK ((record_type = 'person'::text)),
  constraint notes_visibility_check CHECK ((visibility = ANY (ARRAY['self'::text, 'officers'::text, 'organisation'::text]))),
  constraint notes_org_id_author_id_fkey FOREIGN KEY (org_id, author_id) REFERENCES app.people(org_id, id) ON DELETE SET NULL (author_id),
  constraint notes_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES app.accounts(org_id, id) ON DELETE CASCADE,
  constraint notes_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
CREATE INDEX notes_by_account ON app.notes USING btree (org_id, created_by);
CREATE INDEX notes_by_author ON app.notes USING btree (org_id, author_id);
CREATE INDEX notes_by_record ON app.notes USING btree (org_id, record_type, record_id, created_at DESC, id DESC);
CREATE INDEX notes_deleted ON app.notes USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
alter table app.notes enable row level security;
alter table app.notes force row level security;
create policy notes_add on app.notes for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id))))) OR ((record_type = 'group'::text) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id)))))) OR ((record_type = 'organisation'::text) AND (true OR (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id)))))) OR ((record_type = 'person'::text) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id)))))))));
create policy notes_add_own on app.notes as restrictive for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (record_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (( SELECT app.scope('people.write'::text) AS scope) <> '{}'::uuid[]) OR ( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (( SELECT app.scope('people.sensitive'::text) AS scope) <> '{}'::uuid[])) AND ((visibility = 'organisation'::text) OR ((visibility = 'self'::text) AND (created_by = ( SELECT app.account_id() AS account_id))) OR ((visibility = 'officers'::text) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = notes.org_id) AND (w.person_id = notes.record_id))))))) AND (created_by = ( SELECT app.account_id() AS account_id)) AND (NOT (author_id IS DISTINCT FROM ( SELECT app.person_id() AS person_id)))));
create policy notes_change on app.notes for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id))))) OR ((record_type = 'group'::text) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id)))))) OR ((record_type = 'organisation'::text) AND (true OR (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id)))))) OR ((record_type = 'person'::text) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id)))))))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id))))) OR ((record_type = 'group'::text) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id)))))) OR ((record_type = 'organisation'::text) AND (true OR (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id)))))) OR ((record_type = 'person'::text) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id)))))))));
create policy notes_change_whose on app.notes as restrictive for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (record_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (( SELECT app.scope('people.write'::text) AS scope) <> '{}'::uuid[]) OR ( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (( SELECT app.scope('people.sensitive'::text) AS scope) <> '{}'::uuid[])) AND ((visibility = 'organisation'::text) OR ((visibility = 'self'::text) AND (created_by = ( SELECT app.account_id() AS account_id))) OR ((visibility = 'officers'::text) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = notes.org_id) AND (w.person_id = notes.record_id))))))) AND ((created_by = ( SELECT app.account_id() AS account_id)) OR (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = notes.org_id) AND (w.person_id = notes.record_id))))))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (record_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (( SELECT app.scope('people.write'::text) AS scope) <> '{}'::uuid[]) OR ( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (( SELECT app.scope('people.sensitive'::text) AS scope) <> '{}'::uuid[])) AND ((visibility = 'organisation'::text) OR ((visibility = 'self'::text) AND (created_by = ( SELECT app.account_id() AS account_id))) OR ((visibility = 'officers'::text) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = notes.org_id) AND (w.person_id = notes.record_id))))))) AND ((created_by = ( SELECT app.account_id() AS account_id)) OR (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = notes.org_id) AND (w.person_id = notes.record_id))))))));
create policy notes_definer on app.notes for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy notes_read on app.notes for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id))))) OR ((record_type = 'group'::text) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id)))))) OR ((record_type = 'organisation'::text) AND (true OR (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id)))))) OR ((record_type = 'person'::text) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = notes.org_id) AND (r.id = notes.record_id)))))))));
create policy notes_read_whom on app.notes as restrictive for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (record_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (( SELECT app.scope('people.write'::text) AS scope) <> '{}'::uuid[]) OR ( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (( SELECT app.scope('people.sensitive'::text) AS scope) <> '{}'::uuid[])) AND ((visibility = 'organisation'::text) OR ((visibility = 'self'::text) AND (created_by = ( SELECT app.account_id() AS account_id))) OR ((visibility = 'officers'::text) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = notes.org_id) AND (w.person_id = notes.record_id))))))) AND ((deleted_at IS NULL) OR (created_by = ( SELECT app.account_id() AS account_id)) OR (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = notes.org_id) AND (w.person_id = notes.record_id))))))));
CREATE TRIGGER notes_audit_delete AFTER DELETE ON app.notes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('record', 'record_id');
CREATE TRIGGER notes_audit_insert AFTER INSERT ON app.notes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('record', 'record_id');
CREATE TRIGGER notes_audit_update AFTER UPDATE ON app.notes REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('record', 'record_id');
CREATE TRIGGER notes_follow_delete AFTER DELETE ON app.notes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
CREATE TRIGGER notes_follow_insert AFTER INSERT ON app.notes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
CREATE TRIGGER notes_follow_update AFTER UPDATE ON app.notes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
CREATE TRIGGER notes_guard BEFORE UPDATE ON app.notes FOR EACH ROW EXECUTE FUNCTION app_private.notes_guard();
CREATE TRIGGER notes_touch BEFORE UPDATE ON app.notes FOR EACH ROW EXECUTE FUNCTION app.touch();
grant select on app.notes to app_access;
grant insert (org_id, record_type, record_id, visibility, body, pinned, author_id, created_by) on app.notes to app_access;
grant update (visibility, body, pinned, edited_at, deleted_at) on app.notes to app_access;
grant delete, select on app.notes to app_definer;
comment on table app.notes is 'What officers note about a person; never seen by that person, whatever rights they have';
comment on column app.notes.visibility is 'self: the author. officers: whoever sees sensitive data of the person. organisation: whoever may change people or sees sensitive data anywhere, and sees the person';
comment on column app.notes.author_id is 'The person who wrote it; how they are called is for each reader to be told by their rights';
comment on column app.notes.deleted_at is 'The author and officers can restore it for 30 days';

create table app.notification_preferences (
  org_id uuid not null,
  account_id uuid not null,
  kind text not null,
  in_inbox boolean not null,
  mail text not null,
  constraint notification_preferences_pkey PRIMARY KEY (org_id, account_id, kind),
  constraint notification_preferences_kind_check CHECK ((kind ~ '^[a-z][a-z-]{1,39}$'::text)),
  constraint notification_preferences_mail_check CHECK ((mail = ANY (ARRAY['off'::text, 'instant'::text, 'daily'::text, 'weekly'::text]))),
  constraint notification_preferences_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES app.accounts(org_id, id) ON DELETE CASCADE,
  constraint notification_preferences_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
alter table app.notification_preferences enable row level security;
alter table app.notification_preferences force row level security;
create policy notification_preferences_add on app.notification_preferences for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
create policy notification_preferences_change on app.notification_preferences for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
create policy notification_preferences_definer on app.notification_preferences for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy notification_preferences_read on app.notification_preferences for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
grant select on app.notification_preferences to app_access;
grant update (in_inbox, mail) on app.notification_preferences to app_access;
grant insert (org_id, account_id, kind, in_inbox, mail) on app.notification_preferences to app_access;
grant select on app.notification_preferences to app_definer;
comment on table app.notification_preferences is 'How an account wants to be told of a kind; without a row as the kind is told by default. Not in the audit log: it is how somebody likes to be told';

create table app.notifications (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  account_id uuid not null,
  kind text not null,
  person_id uuid,
  chapter_id uuid,
  group_id uuid,
  record_id uuid,
  params jsonb default '{}'::jsonb not null,
  dedupe_key text,
  in_inbox boolean not null,
  mail text not null,
  mailed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  read_at timestamp with time zone,
  constraint notifications_pkey PRIMARY KEY (org_id, id),
  constraint notifications_dedupe_key_check CHECK (((char_length(dedupe_key) >= 1) AND (char_length(dedupe_key) <= 200))),
  constraint notifications_kind_check CHECK ((kind ~ '^[a-z][a-z-]{1,39}$'::text)),
  constraint notifications_mail_check CHECK ((mail = ANY (ARRAY['off'::text, 'instant'::text, 'daily'::text, 'weekly'::text]))),
  constraint notifications_org_id_account_id_dedupe_key_key UNIQUE (org_id, account_id, dedupe_key),
  constraint notifications_params_check CHECK (((jsonb_typeof(params) = 'object'::text) AND (octet_length((params)::text) <= 2000))),
  constraint notifications_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES app.accounts(org_id, id) ON DELETE CASCADE,
  constraint notifications_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id) ON DELETE CASCADE,
  constraint notifications_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint notifications_org_id_group_id_fkey FOREIGN KEY (org_id, group_id) REFERENCES app.groups(org_id, id) ON DELETE CASCADE,
  constraint notifications_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX notifications_by_account ON app.notifications USING btree (org_id, account_id, id) WHERE in_inbox;
CREATE INDEX notifications_by_age ON app.notifications USING btree (created_at);
CREATE INDEX notifications_by_chapter ON app.notifications USING btree (org_id, chapter_id);
CREATE INDEX notifications_by_group ON app.notifications USING btree (org_id, group_id);
CREATE INDEX notifications_by_person ON app.notifications USING btree (org_id, person_id);
CREATE INDEX notifications_of_account ON app.notifications USING btree (org_id, account_id);
CREATE INDEX notifications_to_digest ON app.notifications USING btree (org_id, mail, account_id) WHERE ((mailed_at IS NULL) AND (mail = ANY (ARRAY['daily'::text, 'weekly'::text])));
CREATE INDEX notifications_unread ON app.notifications USING btree (org_id, account_id, id) WHERE (in_inbox AND (read_at IS NULL));
alter table app.notifications enable row level security;
alter table app.notifications force row level security;
create policy notifications_change on app.notifications for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
create policy notifications_definer on app.notifications for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy notifications_read on app.notifications for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
grant select on app.notifications to app_access;
grant update (read_at) on app.notifications to app_access;
grant delete, insert, select, update on app.notifications to app_definer;
comment on table app.notifications is 'What an account was told of. Names stand in the records themselves, as the reader sees them. Not in the audit log: they tell of changes that have entries of their own';
comment on column app.notifications.params is 'What is told beside names of records, such as the title of an office or a number of rows';
comment on column app.notifications.dedupe_key is 'Told once under the same key';
comment on column app.notifications.in_inbox is 'False where the reader wants a mail only';
comment on column app.notifications.mail is 'How it is mailed, as the reader wanted when it happened';
comment on column app.notifications.mailed_at is 'When it was written into a mail';

create table app.number_series (
  org_id uuid not null,
  kind text not null,
  year integer not null,
  last_number integer not null,
  constraint number_series_pkey PRIMARY KEY (org_id, kind, year),
  constraint number_series_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text, 'receipt'::text]))),
  constraint number_series_last_number_check CHECK ((last_number > 0)),
  constraint number_series_year_check CHECK (((year >= 1900) AND (year <= 9999))),
  constraint number_series_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
alter table app.number_series enable row level security;
alter table app.number_series force row level security;
create policy number_series_definer on app.number_series for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
grant insert, select, update on app.number_series to app_definer;
comment on table app.number_series is 'The last number given of each kind and year. A number is taken in the transaction that uses it, so one that is rolled back leaves no gap';

create table app.organisations (
  org_id uuid default app.uuid7() not null,
  slug text not null,
  name text not null,
  idp_org_id text,
  locale text default 'en'::text not null,
  timezone text default 'UTC'::text not null,
  currency text default 'EUR'::text not null,
  directory_reach text default 'organisation'::text not null,
  majority_age integer default 18 not null,
  contact_email text,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  public_chapters boolean default false not null,
  brand_color text,
  id uuid generated always as (org_id) stored not null,
  constraint organisations_pkey PRIMARY KEY (org_id),
  constraint organisations_brand_color_check CHECK ((brand_color ~ '^#[0-9a-f]{6}$'::text)),
  constraint organisations_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint organisations_directory_reach_check CHECK ((directory_reach = ANY (ARRAY['organisation'::text, 'chapter'::text]))),
  constraint organisations_majority_age_check CHECK (((majority_age >= 0) AND (majority_age <= 25))),
  constraint organisations_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 150))),
  constraint organisations_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text)),
  constraint organisations_slug_key UNIQUE (slug)
);
CREATE UNIQUE INDEX organisations_idp ON app.organisations USING btree (idp_org_id) WHERE (idp_org_id IS NOT NULL);
alter table app.organisations enable row level security;
alter table app.organisations force row level security;
create policy organisations_change on app.organisations for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('organisation.manage'::text) AS everywhere)))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy organisations_definer on app.organisations for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy organisations_read on app.organisations for select to app_access
  using ((org_id = ( SELECT app.org_id() AS org_id)));
CREATE TRIGGER organisations_audit_delete AFTER DELETE ON app.organisations REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('audit.read');
CREATE TRIGGER organisations_audit_insert AFTER INSERT ON app.organisations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('audit.read');
CREATE TRIGGER organisations_audit_update AFTER UPDATE ON app.organisations REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('audit.read');
CREATE TRIGGER organisations_gone AFTER DELETE ON app.organisations REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION app_private.record_gone('organisation');
CREATE TRIGGER organisations_tell_update AFTER UPDATE ON app.organisations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('organisation');
CREATE TRIGGER organisations_touch BEFORE UPDATE ON app.organisations FOR EACH ROW EXECUTE FUNCTION app.touch();
grant select on app.organisations to app_access;
grant update (name, locale, timezone, currency, directory_reach, majority_age, contact_email, public_chapters, brand_color) on app.organisations to app_access;
grant insert, select on app.organisations to app_definer;
grant update (id) on app.organisations to app_definer;
comment on table app.organisations is 'One association with its own people and rights; the tenant';
comment on column app.organisations.idp_org_id is 'Id of this organisation at the identity provider, whose people it takes and whose roles count here; null takes tokens that name no organisation, where it is the only one';
comment on column app.organisations.directory_reach is 'Whether a plain member sees the whole directory or only people of the own chapters';
comment on column app.organisations.public_chapters is 'Whether everybody may find active chapters on the contact page; off until somebody switches it on';
comment on column app.organisations.brand_color is 'Colour of public pages and member cards, such as #1d4ed8; null for the standard one';
comment on column app.organisations.id is 'The organisation as a record on which others hang';

create table app.payment_allocations (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  payment_id uuid not null,
  invoice_id uuid not null,
  amount bigint not null,
  refunded_amount bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  constraint payment_allocations_pkey PRIMARY KEY (org_id, id),
  constraint payment_allocations_amount_check CHECK (((amount >= 1) AND (amount <= '9007199254740991'::bigint))),
  constraint payment_allocations_check CHECK (((refunded_amount >= 0) AND (refunded_amount <= amount))),
  constraint payment_allocations_org_id_payment_id_invoice_id_key UNIQUE (org_id, payment_id, invoice_id),
  constraint payment_allocations_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint payment_allocations_org_id_invoice_id_fkey FOREIGN KEY (org_id, invoice_id) REFERENCES app.invoices(org_id, id) ON DELETE CASCADE,
  constraint payment_allocations_org_id_payment_id_fkey FOREIGN KEY (org_id, payment_id) REFERENCES app.payments(org_id, id) ON DELETE CASCADE
);
CREATE INDEX payment_allocations_by_invoice ON app.payment_allocations USING btree (org_id, invoice_id);
alter table app.payment_allocations enable row level security;
alter table app.payment_allocations force row level security;
create policy payment_allocations_definer on app.payment_allocations for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy payment_allocations_read on app.payment_allocations for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (EXISTS ( SELECT
   FROM app.invoices i
  WHERE ((i.org_id = payment_allocations.org_id) AND (i.id = payment_allocations.invoice_id))))));
grant select on app.payment_allocations to app_access;
grant delete, insert, select, update on app.payment_allocations to app_definer;
comment on table app.payment_allocations is 'Which part of a payment is for which invoice. Not in the audit log: payment and invoice have entries of their own';
comment on column app.payment_allocations.amount is 'What it was meant to pay';
comment on column app.payment_allocations.refunded_amount is 'What of it pays nothing: it was given back, is disputed, or is more than the invoice was open';

create table app.payment_differences (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  kind text not null,
  provider_ref text not null,
  payment_id uuid,
  ours bigint,
  theirs bigint,
  currency text,
  found_at timestamp with time zone default now() not null,
  last_seen_at timestamp with time zone default now() not null,
  resolved_at timestamp with time zone,
  constraint payment_differences_pkey PRIMARY KEY (org_id, id),
  constraint payment_differences_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint payment_differences_kind_check CHECK ((kind = ANY (ARRAY['unknown_here'::text, 'unknown_there'::text, 'amount'::text, 'refunds'::text]))),
  constraint payment_differences_provider_ref_check CHECK (((char_length(provider_ref) >= 1) AND (char_length(provider_ref) <= 255))),
  constraint payment_differences_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint payment_differences_org_id_payment_id_fkey FOREIGN KEY (org_id, payment_id) REFERENCES app.payments(org_id, id)
);
CREATE INDEX payment_differences_by_payment ON app.payment_differences USING btree (org_id, payment_id);
CREATE UNIQUE INDEX payment_differences_open ON app.payment_differences USING btree (org_id, kind, provider_ref) WHERE (resolved_at IS NULL);
alter table app.payment_differences enable row level security;
alter table app.payment_differences force row level security;
create policy payment_differences_definer on app.payment_differences for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy payment_differences_read on app.payment_differences for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('finance.read'::text) AS everywhere)));
grant select on app.payment_differences to app_access;
grant insert, select, update on app.payment_differences to app_definer;
comment on table app.payment_differences is 'What the nightly comparison with the payment provider found and could not mend. Not in the audit log: it is found anew every night';

create table app.payment_events (
  org_id uuid not null,
  event_id text not null,
  type text not null,
  payment_id uuid not null,
  received_at timestamp with time zone default now() not null,
  processed_at timestamp with time zone,
  constraint payment_events_pkey PRIMARY KEY (org_id, event_id),
  constraint payment_events_event_id_check CHECK (((char_length(event_id) >= 1) AND (char_length(event_id) <= 255))),
  constraint payment_events_type_check CHECK (((char_length(type) >= 1) AND (char_length(type) <= 100))),
  constraint payment_events_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint payment_events_org_id_payment_id_fkey FOREIGN KEY (org_id, payment_id) REFERENCES app.payments(org_id, id)
);
CREATE INDEX payment_events_by_payment ON app.payment_events USING btree (org_id, payment_id);
alter table app.payment_events enable row level security;
alter table app.payment_events force row level security;
create policy payment_events_definer on app.payment_events for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
grant insert, select, update on app.payment_events to app_definer;
comment on table app.payment_events is 'Events of the payment provider, each once; they say that something happened, and the payment is read anew. Not in the audit log: the payment it changes is';

create table app.payment_methods (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  person_id uuid not null,
  provider text default 'stripe'::text not null,
  provider_customer text not null,
  provider_method text not null,
  brand text not null,
  last4 text not null,
  exp_month integer not null,
  exp_year integer not null,
  removed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint payment_methods_pkey PRIMARY KEY (org_id, id),
  constraint payment_methods_brand_check CHECK ((char_length(brand) <= 40)),
  constraint payment_methods_exp_month_check CHECK (((exp_month >= 1) AND (exp_month <= 12))),
  constraint payment_methods_exp_year_check CHECK (((exp_year >= 2000) AND (exp_year <= 2200))),
  constraint payment_methods_last4_check CHECK ((last4 ~ '^[0-9]{4}$'::text)),
  constraint payment_methods_org_id_provider_method_key UNIQUE (org_id, provider_method),
  constraint payment_methods_provider_check CHECK ((provider = 'stripe'::text)),
  constraint payment_methods_provider_customer_check CHECK ((char_length(provider_customer) <= 255)),
  constraint payment_methods_provider_method_check CHECK ((char_length(provider_method) <= 255)),
  constraint payment_methods_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint payment_methods_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX payment_methods_of_person ON app.payment_methods USING btree (org_id, person_id, id);
alter table app.payment_methods enable row level security;
alter table app.payment_methods force row level security;
create policy payment_methods_definer on app.payment_methods for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy payment_methods_read on app.payment_methods for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (person_id = ( SELECT app.person_id() AS person_id))));
CREATE TRIGGER payment_methods_audit_delete AFTER DELETE ON app.payment_methods REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('finance.read', 'person_id');
CREATE TRIGGER payment_methods_audit_insert AFTER INSERT ON app.payment_methods REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('finance.read', 'person_id');
CREATE TRIGGER payment_methods_audit_update AFTER UPDATE ON app.payment_methods REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('finance.read', 'person_id');
grant select (org_id, id, person_id, brand, last4, exp_month, exp_year, removed_at, created_at) on app.payment_methods to app_access;
grant insert, select, update on app.payment_methods to app_definer;
comment on table app.payment_methods is 'Saved cards; the number is at the provider only';

create table app.payment_readings (
  org_id uuid not null,
  payment_id uuid not null,
  reads integer default 1 not null,
  read_at timestamp with time zone default now() not null,
  constraint payment_readings_pkey PRIMARY KEY (org_id, payment_id),
  constraint payment_readings_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint payment_readings_org_id_payment_id_fkey FOREIGN KEY (org_id, payment_id) REFERENCES app.payments(org_id, id)
);
alter table app.payment_readings enable row level security;
alter table app.payment_readings force row level security;
create policy payment_readings_definer on app.payment_readings for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
grant insert, select, update on app.payment_readings to app_definer;
comment on table app.payment_readings is 'How often a payment was read at the provider, and when: an older answer never replaces a newer one. Not in the audit log: what a reading changes is';

create table app.payments (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  person_id uuid,
  chapter_id uuid,
  books_chapter_id uuid,
  method text not null,
  provider text default 'manual'::text not null,
  provider_ref text,
  amount bigint not null,
  currency text not null,
  refunded_amount bigint default 0 not null,
  state text default 'pending'::text not null,
  received_on date,
  settled_at timestamp with time zone,
  note text default ''::text not null,
  created_by uuid,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  kind text default 'manual'::text not null,
  failure text,
  invoice_id uuid,
  reference text default ''::text not null,
  provider_session text,
  provider_customer text,
  saves_method boolean default false not null,
  expires_at timestamp with time zone,
  dispute_id text,
  dispute_state text,
  is_test boolean default false not null,
  counts boolean default true not null,
  reversed_at timestamp with time zone,
  reversed_by uuid,
  reversal_reason text,
  constraint payments_pkey PRIMARY KEY (org_id, id),
  constraint payments_amount_check CHECK (((amount >= 1) AND (amount <= '9007199254740991'::bigint))),
  constraint payments_check CHECK (((refunded_amount >= 0) AND (refunded_amount <= amount))),
  constraint payments_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint payments_dispute CHECK (((dispute_id IS NULL) = (dispute_state IS NULL))),
  constraint payments_dispute_id_check CHECK (((char_length(dispute_id) >= 1) AND (char_length(dispute_id) <= 255))),
  constraint payments_dispute_state_check CHECK ((dispute_state = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text]))),
  constraint payments_failure_check CHECK ((failure = ANY (ARRAY['declined'::text, 'confirmation_needed'::text, 'expired'::text]))),
  constraint payments_kind CHECK (((kind = 'manual'::text) = (provider = 'manual'::text))),
  constraint payments_kind_check CHECK ((kind = ANY (ARRAY['manual'::text, 'checkout'::text, 'charge'::text]))),
  constraint payments_method_check CHECK ((method ~ '^[a-z][a-z_]{1,39}$'::text)),
  constraint payments_note_check CHECK ((char_length(note) <= 500)),
  constraint payments_org_id_provider_provider_ref_key UNIQUE (org_id, provider, provider_ref),
  constraint payments_provider_check CHECK ((provider ~ '^[a-z][a-z_]{1,39}$'::text)),
  constraint payments_provider_customer_check CHECK (((char_length(provider_customer) >= 1) AND (char_length(provider_customer) <= 255))),
  constraint payments_provider_ref_check CHECK (((char_length(provider_ref) >= 1) AND (char_length(provider_ref) <= 255))),
  constraint payments_provider_session_check CHECK (((char_length(provider_session) >= 1) AND (char_length(provider_session) <= 255))),
  constraint payments_reference_check CHECK ((char_length(reference) <= 140)),
  constraint payments_reversal CHECK ((((state = 'reversed'::text) = (reversed_at IS NOT NULL)) AND ((reversed_at IS NULL) = (reversal_reason IS NULL)))),
  constraint payments_reversal_reason_check CHECK (((char_length(reversal_reason) >= 1) AND (char_length(reversal_reason) <= 500))),
  constraint payments_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'settled'::text, 'failed'::text, 'cancelled'::text, 'partly_refunded'::text, 'refunded'::text, 'disputed'::text, 'reversed'::text]))),
  constraint payments_org_id_books_chapter_id_fkey FOREIGN KEY (org_id, books_chapter_id) REFERENCES app.chapters(org_id, id),
  constraint payments_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id),
  constraint payments_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint payments_org_id_invoice_id_fkey FOREIGN KEY (org_id, invoice_id) REFERENCES app.invoices(org_id, id),
  constraint payments_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id)
);
CREATE INDEX payments_by_age ON app.payments USING btree (org_id, id DESC);
CREATE INDEX payments_by_books ON app.payments USING btree (org_id, books_chapter_id, id DESC);
CREATE INDEX payments_by_chapter ON app.payments USING btree (org_id, chapter_id, id DESC);
CREATE INDEX payments_by_invoice ON app.payments USING btree (org_id, invoice_id, id);
CREATE INDEX payments_by_person ON app.payments USING btree (org_id, person_id, id DESC);
CREATE UNIQUE INDEX payments_by_session ON app.payments USING btree (org_id, provider_session) WHERE (provider_session IS NOT NULL);
CREATE UNIQUE INDEX payments_one_charge ON app.payments USING btree (org_id, invoice_id) WHERE ((state = 'pending'::text) AND (kind = 'charge'::text));
CREATE UNIQUE INDEX payments_one_checkout ON app.payments USING btree (org_id, invoice_id, COALESCE(created_by, '00000000-0000-0000-0000-000000000000'::uuid)) WHERE ((state = 'pending'::text) AND (kind = 'checkout'::text));
CREATE INDEX payments_waiting ON app.payments USING btree (org_id, created_at) WHERE ((state = 'pending'::text) AND (kind <> 'manual'::text));
alter table app.payments enable row level security;
alter table app.payments force row level security;
create policy payments_definer on app.payments for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy payments_read on app.payments for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('finance.read'::text) AS everywhere) OR (books_chapter_id = ANY (( SELECT app.scope('finance.read'::text) AS scope)::uuid[])) OR (person_id = ( SELECT app.person_id() AS person_id)))));
CREATE TRIGGER payments_audit_delete AFTER DELETE ON app.payments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('finance.read', 'id');
CREATE TRIGGER payments_audit_insert AFTER INSERT ON app.payments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('finance.read', 'id');
CREATE TRIGGER payments_audit_update AFTER UPDATE ON app.payments REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('finance.read', 'id');
CREATE TRIGGER payments_stay BEFORE DELETE ON app.payments FOR EACH ROW EXECUTE FUNCTION app_private.payments_stay();
CREATE TRIGGER payments_touch BEFORE UPDATE ON app.payments FOR EACH ROW EXECUTE FUNCTION app.touch();
grant select on app.payments to app_access;
grant delete, insert, select, update on app.payments to app_definer;
comment on table app.payments is 'Money that came in, or an attempt at it; never deleted';
comment on column app.payments.provider_ref is 'The provider''s id of it';
comment on column app.payments.received_on is 'Day on which the money came, of a payment recorded by hand';
comment on column app.payments.kind is 'manual: recorded by hand; checkout: on a page of the provider; charge: of a saved card while its owner is away';
comment on column app.payments.invoice_id is 'What it is meant for; null for money recorded by hand that pays several invoices, or none yet';
comment on column app.payments.is_test is 'No money moved';
comment on column app.payments.counts is 'Whether it pays invoices; a test payment in production does not';

create table app.people (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  member_no text,
  given_name text default ''::text not null,
  middle_name text default ''::text not null,
  family_name text default ''::text not null,
  suffix text default ''::text not null,
  preferred_name text default ''::text not null,
  former_names text[] default '{}'::text[] not null,
  pronouns text default ''::text not null,
  display_name text default ''::text not null,
  sort_name text default ''::text not null,
  search text default ''::text not null,
  lifecycle text default 'active'::text not null,
  home_chapter_id uuid,
  joined_on date,
  grad_year integer,
  employer text default ''::text not null,
  job_title text default ''::text not null,
  bio text default ''::text not null,
  language text,
  do_not_contact boolean default false not null,
  minor_until date,
  created_by uuid,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  merged_into uuid,
  member_no_key text generated always as (lower(member_no)) stored,
  picture_id uuid,
  constraint people_pkey PRIMARY KEY (org_id, id),
  constraint people_bio_check CHECK ((char_length(bio) <= 2000)),
  constraint people_check CHECK (((given_name <> ''::text) OR (family_name <> ''::text))),
  constraint people_employer_check CHECK ((char_length(employer) <= 150)),
  constraint people_family_name_check CHECK ((char_length(family_name) <= 100)),
  constraint people_former_names_check CHECK ((cardinality(former_names) <= 10)),
  constraint people_given_name_check CHECK ((char_length(given_name) <= 100)),
  constraint people_grad_year_check CHECK (((grad_year >= 1900) AND (grad_year <= 2100))),
  constraint people_job_title_check CHECK ((char_length(job_title) <= 150)),
  constraint people_language_check CHECK ((char_length(language) <= 35)),
  constraint people_lifecycle_check CHECK ((lifecycle = ANY (ARRAY['prospect'::text, 'active'::text, 'alumni'::text, 'former'::text, 'deceased'::text, 'merged'::text, 'erased'::text]))),
  constraint people_member_no_check CHECK (((char_length(member_no) >= 1) AND (char_length(member_no) <= 50))),
  constraint people_merged_once CHECK (((merged_into IS NULL) OR ((lifecycle = 'merged'::text) AND (merged_into <> id)))),
  constraint people_middle_name_check CHECK ((char_length(middle_name) <= 100)),
  constraint people_org_id_member_no_key UNIQUE (org_id, member_no),
  constraint people_preferred_name_check CHECK ((char_length(preferred_name) <= 100)),
  constraint people_pronouns_check CHECK ((char_length(pronouns) <= 40)),
  constraint people_suffix_check CHECK ((char_length(suffix) <= 30)),
  constraint people_merged_into FOREIGN KEY (org_id, merged_into) REFERENCES app.people(org_id, id),
  constraint people_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint people_org_id_home_chapter_id_fkey FOREIGN KEY (org_id, home_chapter_id) REFERENCES app.chapters(org_id, id) ON DELETE SET NULL (home_chapter_id)
);
CREATE INDEX people_archived ON app.people USING btree (org_id, sort_name, id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX people_by_created ON app.people USING btree (org_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX people_by_given_name ON app.people USING btree (org_id, given_name COLLATE "C", id) WHERE (deleted_at IS NULL);
CREATE INDEX people_by_home_chapter ON app.people USING btree (org_id, home_chapter_id, sort_name, id);
CREATE INDEX people_by_joined ON app.people USING btree (org_id, joined_on, id) WHERE (deleted_at IS NULL);
CREATE INDEX people_by_member_no ON app.people USING btree (org_id, member_no_key) WHERE (member_no_key IS NOT NULL);
CREATE INDEX people_by_name ON app.people USING btree (org_id, sort_name, id) INCLUDE (search, minor_until) WHERE (deleted_at IS NULL);
CREATE INDEX people_by_survivor ON app.people USING btree (org_id, merged_into);
CREATE INDEX people_by_updated ON app.people USING btree (org_id, updated_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX people_search ON app.people USING gin (search extensions.gin_trgm_ops) WHERE (deleted_at IS NULL);
alter table app.people enable row level security;
alter table app.people force row level security;
create policy people_add on app.people for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (created_by = ( SELECT app.account_id() AS account_id)) AND ((member_no IS NULL) OR (( SELECT app.everywhere('people.write'::text) AS everywhere) AND ( SELECT app.everywhere('people.sensitive'::text) AS everywhere))) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR ((( SELECT app.scope('people.write'::text) AS scope) <> '{}'::uuid[]) AND ((home_chapter_id IS NULL) OR (home_chapter_id = ANY (( SELECT app.scope('people.write'::text) AS scope)::uuid[])))))));
create policy people_change on app.people for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (id = ( SELECT app.person_id() AS person_id)) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = people.org_id) AND (w.person_id = people.id)))) OR ((created_by = ( SELECT app.account_id() AS account_id)) AND (created_at = now())))))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy people_definer on app.people for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy people_read on app.people for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (app.sees_person((id = ( SELECT app.person_id() AS person_id)), COALESCE((minor_until > ( SELECT app.today() AS today)), false), ( SELECT app.everywhere('people.sensitive'::text) AS everywhere), (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = people.org_id) AND (w.person_id = people.id)))), ( SELECT app.everywhere('people.directory'::text) AS everywhere), (EXISTS ( SELECT
   FROM app.people_within('people.directory'::text) w(org_id, person_id)
  WHERE ((w.org_id = people.org_id) AND (w.person_id = people.id))))) OR ((created_by = ( SELECT app.account_id() AS account_id)) AND (created_at = now())))));
create policy people_remove on app.people for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.import'::text) AS everywhere) OR (EXISTS ( SELECT 1
   FROM app.affiliations a
  WHERE ((a.org_id = people.org_id) AND (a.person_id = people.id) AND (a.chapter_id = ANY (( SELECT app.scope('people.import'::text) AS scope)::uuid[]))))))));
CREATE TRIGGER people_audit_delete AFTER DELETE ON app.people REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.directory');
CREATE TRIGGER people_audit_insert AFTER INSERT ON app.people REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.directory');
CREATE TRIGGER people_audit_update AFTER UPDATE ON app.people REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.directory');
CREATE TRIGGER people_comments_erased AFTER UPDATE OF lifecycle ON app.people FOR EACH ROW WHEN (((new.lifecycle = 'erased'::text) AND (old.lifecycle <> 'erased'::text))) EXECUTE FUNCTION app_private.comments_erased();
CREATE TRIGGER people_derive BEFORE INSERT OR UPDATE OF given_name, middle_name, family_name, suffix, preferred_name, former_names, member_no ON app.people FOR EACH ROW EXECUTE FUNCTION app.people_derive();
CREATE TRIGGER people_erased AFTER UPDATE OF lifecycle ON app.people FOR EACH ROW WHEN (((new.lifecycle = 'erased'::text) AND (old.lifecycle <> 'erased'::text))) EXECUTE FUNCTION app_private.record_erased('person');
CREATE TRIGGER people_fields_follow AFTER UPDATE ON app.people REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.people_fields_follow();
CREATE TRIGGER people_gone AFTER DELETE ON app.people REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION app_private.record_gone('person');
CREATE TRIGGER people_guard AFTER UPDATE ON app.people REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.people_guard();
CREATE TRIGGER people_lifecycle_by_hand AFTER UPDATE ON app.people REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.people_lifecycle_by_hand();
CREATE TRIGGER people_member_no BEFORE UPDATE OF member_no ON app.people FOR EACH ROW WHEN ((new.member_no IS DISTINCT FROM old.member_no)) EXECUTE FUNCTION app.people_member_no();
CREATE TRIGGER people_notes_erased AFTER UPDATE OF lifecycle ON app.people FOR EACH ROW WHEN (((new.lifecycle = 'erased'::text) AND (old.lifecycle <> 'erased'::text))) EXECUTE FUNCTION app_private.notes_erased();
CREATE TRIGGER people_touch BEFORE UPDATE OF member_no, given_name, middle_name, family_name, suffix, preferred_name, former_names, pronouns, lifecycle, joined_on, grad_year, employer, job_title, bio, language, do_not_contact, deleted_at ON app.people FOR EACH ROW EXECUTE FUNCTION app.touch();
grant delete, select on app.people to app_access;
grant update (member_no, given_name, middle_name, family_name, suffix, preferred_name, former_names, pronouns, lifecycle, joined_on, grad_year, employer, job_title, bio, language, do_not_contact, deleted_at) on app.people to app_access;
grant insert (org_id, id, member_no, given_name, middle_name, family_name, suffix, preferred_name, former_names, pronouns, lifecycle, home_chapter_id, joined_on, grad_year, employer, job_title, bio, language, do_not_contact, created_by) on app.people to app_access;
grant select on app.people to app_definer;
grant update (id, lifecycle, home_chapter_id, minor_until, picture_id) on app.people to app_definer;
grant insert (org_id, given_name, family_name, lifecycle, created_by) on app.people to app_definer;
comment on table app.people is 'A person as the directory shows them';
comment on column app.people.sort_name is 'Folded family name, then given name; byte order';
comment on column app.people.search is 'Folded member number, given, middle, family, preferred and former names, what the trigram index looks through; not longer than fits into people_by_name beside sort_name, at four bytes a letter';
comment on column app.people.home_chapter_id is 'Chapter of the current primary affiliation; kept by a trigger of affiliations, which need not write new people a second time when it stands there already';
comment on column app.people.minor_until is 'Day of majority, kept from the birth date so that minors can be hidden without showing it';
comment on column app.people.deleted_at is 'Archived; can be restored for 30 days';
comment on column app.people.merged_into is 'The record that this one was merged into and that stands for the person since';
comment on column app.people.member_no_key is 'The member number in lower case, by which it is looked up';
comment on column app.people.picture_id is 'File with the picture; kept by a trigger of files';

create table app.people_field_values (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  person_id uuid not null,
  field_id uuid not null,
  slot text default ''::text not null,
  value text not null,
  key text default ''::text not null,
  constraint people_field_values_pkey PRIMARY KEY (org_id, person_id, field_id, slot),
  constraint people_field_values_org_id_field_id_fkey FOREIGN KEY (org_id, field_id) REFERENCES app.fields(org_id, id) ON DELETE CASCADE,
  constraint people_field_values_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX people_field_values_by_key ON app.people_field_values USING btree (org_id, field_id, key, person_id);
alter table app.people_field_values enable row level security;
alter table app.people_field_values force row level security;
create policy people_field_values_add on app.people_field_values for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = people_field_values.org_id) AND (r.id = people_field_values.person_id))))) AND (((( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = people_field_values.org_id) AND (w.person_id = people_field_values.person_id))))) AND ((field_id = ANY (( SELECT app.field_set('people'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((field_id = ANY (( SELECT app.field_set('people'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.contact'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = people_field_values.org_id) AND (w.person_id = people_field_values.person_id)))))) OR ((field_id = ANY (( SELECT app.field_set('people'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = people_field_values.org_id) AND (w.person_id = people_field_values.person_id)))))))) OR ((person_id = ( SELECT app.person_id() AS person_id)) AND (field_id = ANY (( SELECT app.field_set('people'::text, 'editable'::text) AS field_set)::uuid[])))) AND ((field_id <> ALL (( SELECT app.field_set('people'::text, 'officers'::text) AS field_set)::uuid[])) OR (person_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])))));
create policy people_field_values_change on app.people_field_values for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = people_field_values.org_id) AND (r.id = people_field_values.person_id))))) AND (((( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = people_field_values.org_id) AND (w.person_id = people_field_values.person_id))))) AND ((field_id = ANY (( SELECT app.field_set('people'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((field_id = ANY (( SELECT app.field_set('people'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.contact'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = people_field_values.org_id) AND (w.person_id = people_field_values.person_id)))))) OR ((field_id = ANY (( SELECT app.field_set('people'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = people_field_values.org_id) AND (w.person_id = people_field_values.person_id)))))))) OR ((person_id = ( SELECT app.person_id() AS person_id)) AND (field_id = ANY (( SELECT app.field_set('people'::text, 'editable'::text) AS field_set)::uuid[])))) AND ((field_id <> ALL (( SELECT app.field_set('people'::text, 'officers'::text) AS field_set)::uuid[])) OR (person_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = people_field_values.org_id) AND (r.id = people_field_values.person_id))))) AND (((( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = people_field_values.org_id) AND (w.person_id = people_field_values.person_id))))) AND ((field_id = ANY (( SELECT app.field_set('people'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((field_id = ANY (( SELECT app.field_set('people'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.contact'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = people_field_values.org_id) AND (w.person_id = people_field_values.person_id)))))) OR ((field_id = ANY (( SELECT app.field_set('people'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = people_field_values.org_id) AND (w.person_id = people_field_values.person_id)))))))) OR ((person_id = ( SELECT app.person_id() AS person_id)) AND (field_id = ANY (( SELECT app.field_set('people'::text, 'editable'::text) AS field_set)::uuid[])))) AND ((field_id <> ALL (( SELECT app.field_set('people'::text, 'officers'::text) AS field_set)::uuid[])) OR (person_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])))));
create policy people_field_values_definer on app.people_field_values for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy people_field_values_read on app.people_field_values for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = people_field_values.org_id) AND (r.id = people_field_values.person_id))))) AND ((field_id = ANY (( SELECT app.field_set('people'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((person_id = ( SELECT app.person_id() AS person_id)) AND (field_id = ANY (( SELECT app.field_set('people'::text, 'self'::text) AS field_set)::uuid[]))) OR ((field_id = ANY (( SELECT app.field_set('people'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.contact'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = people_field_values.org_id) AND (w.person_id = people_field_values.person_id)))))) OR ((field_id = ANY (( SELECT app.field_set('people'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = people_field_values.org_id) AND (w.person_id = people_field_values.person_id))))))) AND ((field_id <> ALL (( SELECT app.field_set('people'::text, 'officers'::text) AS field_set)::uuid[])) OR (person_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])))));
create policy people_field_values_remove on app.people_field_values for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = people_field_values.org_id) AND (r.id = people_field_values.person_id))))) AND (((( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = people_field_values.org_id) AND (w.person_id = people_field_values.person_id))))) AND ((field_id = ANY (( SELECT app.field_set('people'::text, 'everyone'::text) AS field_set)::uuid[])) OR ((field_id = ANY (( SELECT app.field_set('people'::text, 'kept'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.contact'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = people_field_values.org_id) AND (w.person_id = people_field_values.person_id)))))) OR ((field_id = ANY (( SELECT app.field_set('people'::text, 'sensitive'::text) AS field_set)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = people_field_values.org_id) AND (w.person_id = people_field_values.person_id)))))))) OR ((person_id = ( SELECT app.person_id() AS person_id)) AND (field_id = ANY (( SELECT app.field_set('people'::text, 'editable'::text) AS field_set)::uuid[])))) AND ((field_id <> ALL (( SELECT app.field_set('people'::text, 'officers'::text) AS field_set)::uuid[])) OR (person_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])))));
CREATE TRIGGER people_field_values_audit_delete AFTER DELETE ON app.people_field_values REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.directory', 'field_id');
CREATE TRIGGER people_field_values_audit_insert AFTER INSERT ON app.people_field_values REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.directory', 'field_id');
CREATE TRIGGER people_field_values_audit_update AFTER UPDATE ON app.people_field_values REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.directory', 'field_id');
CREATE TRIGGER people_field_values_form BEFORE INSERT OR UPDATE ON app.people_field_values FOR EACH ROW EXECUTE FUNCTION app.field_value_form('people');
CREATE TRIGGER people_field_values_open_delete AFTER DELETE ON app.people_field_values REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER people_field_values_open_insert AFTER INSERT ON app.people_field_values REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER people_field_values_open_update AFTER UPDATE ON app.people_field_values REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
grant delete, select on app.people_field_values to app_access;
grant insert (org_id, id, person_id, field_id, value) on app.people_field_values to app_access;
grant update (value) on app.people_field_values to app_access;
grant delete, select on app.people_field_values to app_definer;
grant insert (org_id, person_id, field_id, value) on app.people_field_values to app_definer;
grant update (value) on app.people_field_values to app_definer;
comment on table app.people_field_values is 'What the organisation''s own fields hold for each of people';
comment on column app.people_field_values.slot is 'The choice, where a field takes several; else empty';

create table app.person_contacts (
  org_id uuid not null,
  person_id uuid not null,
  street text default ''::text not null,
  city text default ''::text not null,
  region text default ''::text not null,
  postal_code text default ''::text not null,
  country text default ''::text not null,
  website text default ''::text not null,
  links jsonb default '{}'::jsonb not null,
  visible_to text default 'officers'::text not null,
  constraint person_contacts_pkey PRIMARY KEY (org_id, person_id),
  constraint person_contacts_city_check CHECK ((char_length(city) <= 100)),
  constraint person_contacts_country_check CHECK ((char_length(country) <= 100)),
  constraint person_contacts_links_check CHECK (((jsonb_typeof(links) = 'object'::text) AND (pg_column_size(links) <= 4000))),
  constraint person_contacts_postal_code_check CHECK ((char_length(postal_code) <= 20)),
  constraint person_contacts_region_check CHECK ((char_length(region) <= 100)),
  constraint person_contacts_street_check CHECK ((char_length(street) <= 300)),
  constraint person_contacts_visible_to_check CHECK ((visible_to = ANY (ARRAY['officers'::text, 'members'::text]))),
  constraint person_contacts_website_check CHECK ((char_length(website) <= 500)),
  constraint person_contacts_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
alter table app.person_contacts enable row level security;
alter table app.person_contacts force row level security;
create policy person_contacts_add on app.person_contacts for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_contacts.org_id) AND (w.person_id = person_contacts.person_id))))))));
create policy person_contacts_change on app.person_contacts for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_contacts.org_id) AND (w.person_id = person_contacts.person_id))))))))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy person_contacts_definer on app.person_contacts for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy person_contacts_read on app.person_contacts for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people p
  WHERE ((p.org_id = person_contacts.org_id) AND (p.id = person_contacts.person_id))))) AND app.sees_contact((person_id = ( SELECT app.person_id() AS person_id)), (visible_to = 'members'::text), ( SELECT app.everywhere('people.contact'::text) AS everywhere), (EXISTS ( SELECT
   FROM app.people_within('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_contacts.org_id) AND (w.person_id = person_contacts.person_id)))), (EXISTS ( SELECT
   FROM app.people_led('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_contacts.org_id) AND (w.person_id = person_contacts.person_id)))), ( SELECT app.everywhere('people.directory'::text) AS everywhere))));
create policy person_contacts_remove on app.person_contacts for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_contacts.org_id) AND (w.person_id = person_contacts.person_id))))))));
CREATE TRIGGER person_contacts_audit_delete AFTER DELETE ON app.person_contacts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.contact');
CREATE TRIGGER person_contacts_audit_insert AFTER INSERT ON app.person_contacts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.contact');
CREATE TRIGGER person_contacts_audit_update AFTER UPDATE ON app.person_contacts REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.contact');
CREATE TRIGGER person_contacts_open_delete AFTER DELETE ON app.person_contacts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER person_contacts_open_insert AFTER INSERT ON app.person_contacts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER person_contacts_open_update AFTER UPDATE ON app.person_contacts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
grant delete, select on app.person_contacts to app_access;
grant insert (org_id, person_id, street, city, region, postal_code, country, website, links, visible_to) on app.person_contacts to app_access;
grant update (street, city, region, postal_code, country, website, links, visible_to) on app.person_contacts to app_access;
grant select (org_id, person_id, street, city, region, postal_code, country) on app.person_contacts to app_definer;
comment on table app.person_contacts is 'Postal address, website and named links (service name to handle or address)';

create table app.person_emails (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  person_id uuid not null,
  address text not null,
  address_key text generated always as (lower(address)) stored not null,
  local_key text generated always as (lower(split_part(address, '@'::text, 1))) stored not null,
  label text default ''::text not null,
  is_primary boolean default false not null,
  visible_to text default 'officers'::text not null,
  created_at timestamp with time zone default now() not null,
  constraint person_emails_pkey PRIMARY KEY (org_id, id),
  constraint person_emails_address_check CHECK ((((char_length(address) >= 3) AND (char_length(address) <= 320)) AND (address ~ '^[^\s@]+@[^\s@]+$'::text))),
  constraint person_emails_label_check CHECK ((char_length(label) <= 40)),
  constraint person_emails_org_id_person_id_address_key_key UNIQUE (org_id, person_id, address_key),
  constraint person_emails_visible_to_check CHECK ((visible_to = ANY (ARRAY['officers'::text, 'members'::text]))),
  constraint person_emails_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX person_emails_by_address ON app.person_emails USING btree (org_id, address_key);
CREATE UNIQUE INDEX person_emails_primary ON app.person_emails USING btree (org_id, person_id) WHERE is_primary;
CREATE INDEX person_emails_search ON app.person_emails USING gin (local_key extensions.gin_trgm_ops);
CREATE INDEX person_emails_search_whole ON app.person_emails USING gin (address_key extensions.gin_trgm_ops);
alter table app.person_emails enable row level security;
alter table app.person_emails force row level security;
create policy person_emails_add on app.person_emails for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_emails.org_id) AND (w.person_id = person_emails.person_id))))))));
create policy person_emails_change on app.person_emails for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_emails.org_id) AND (w.person_id = person_emails.person_id))))))))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy person_emails_definer on app.person_emails for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy person_emails_read on app.person_emails for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people p
  WHERE ((p.org_id = person_emails.org_id) AND (p.id = person_emails.person_id))))) AND app.sees_contact((person_id = ( SELECT app.person_id() AS person_id)), (visible_to = 'members'::text), ( SELECT app.everywhere('people.contact'::text) AS everywhere), (EXISTS ( SELECT
   FROM app.people_within('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_emails.org_id) AND (w.person_id = person_emails.person_id)))), (EXISTS ( SELECT
   FROM app.people_led('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_emails.org_id) AND (w.person_id = person_emails.person_id)))), ( SELECT app.everywhere('people.directory'::text) AS everywhere))));
create policy person_emails_remove on app.person_emails for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_emails.org_id) AND (w.person_id = person_emails.person_id))))))));
CREATE TRIGGER person_emails_audit_delete AFTER DELETE ON app.person_emails REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.contact');
CREATE TRIGGER person_emails_audit_insert AFTER INSERT ON app.person_emails REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.contact');
CREATE TRIGGER person_emails_audit_update AFTER UPDATE ON app.person_emails REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.contact');
CREATE TRIGGER person_emails_open_delete AFTER DELETE ON app.person_emails REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER person_emails_open_insert AFTER INSERT ON app.person_emails REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER person_emails_open_update AFTER UPDATE ON app.person_emails REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
grant delete, select on app.person_emails to app_access;
grant update (address, label, is_primary, visible_to) on app.person_emails to app_access;
grant insert (org_id, id, person_id, address, label, is_primary, visible_to) on app.person_emails to app_access;
grant select on app.person_emails to app_definer;
grant insert (org_id, person_id, address, is_primary) on app.person_emails to app_definer;
comment on table app.person_emails is 'E-mail addresses; several people may share one, as families do';

create table app.person_external_ids (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  person_id uuid not null,
  system text not null,
  external_id text not null,
  created_at timestamp with time zone default now() not null,
  constraint person_external_ids_pkey PRIMARY KEY (org_id, id),
  constraint person_external_ids_external_id_check CHECK ((((char_length(external_id) >= 1) AND (char_length(external_id) <= 120)) AND (external_id = btrim(external_id)))),
  constraint person_external_ids_one_each UNIQUE (org_id, person_id, system),
  constraint person_external_ids_system_check CHECK ((system ~ '^[a-z0-9_-]{1,40}$'::text)),
  constraint person_external_ids_taken UNIQUE (org_id, system, external_id),
  constraint person_external_ids_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
alter table app.person_external_ids enable row level security;
alter table app.person_external_ids force row level security;
create policy person_external_ids_add on app.person_external_ids for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('people.write'::text) AS everywhere) AND ( SELECT app.everywhere('people.sensitive'::text) AS everywhere)));
create policy person_external_ids_change on app.person_external_ids for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('people.write'::text) AS everywhere) AND ( SELECT app.everywhere('people.sensitive'::text) AS everywhere)))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy person_external_ids_definer on app.person_external_ids for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy person_external_ids_read on app.person_external_ids for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people p
  WHERE ((p.org_id = person_external_ids.org_id) AND (p.id = person_external_ids.person_id))))) AND (( SELECT app.everywhere('people.contact'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_external_ids.org_id) AND (w.person_id = person_external_ids.person_id)))))));
create policy person_external_ids_remove on app.person_external_ids for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('people.write'::text) AS everywhere) AND ( SELECT app.everywhere('people.sensitive'::text) AS everywhere)));
CREATE TRIGGER person_external_ids_audit_delete AFTER DELETE ON app.person_external_ids REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.contact');
CREATE TRIGGER person_external_ids_audit_insert AFTER INSERT ON app.person_external_ids REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.contact');
CREATE TRIGGER person_external_ids_audit_update AFTER UPDATE ON app.person_external_ids REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.contact');
CREATE TRIGGER person_external_ids_open_delete AFTER DELETE ON app.person_external_ids REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER person_external_ids_open_insert AFTER INSERT ON app.person_external_ids REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER person_external_ids_open_update AFTER UPDATE ON app.person_external_ids REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
grant delete, select on app.person_external_ids to app_access;
grant update (external_id) on app.person_external_ids to app_access;
grant insert (org_id, id, person_id, system, external_id) on app.person_external_ids to app_access;
comment on table app.person_external_ids is 'Ids of people in other systems; for officers only, and assigned by those who see everybody';
comment on column app.person_external_ids.system is 'Which system the id is from, such as "civicrm"; "default" where nobody said';

create table app.person_office_notes (
  org_id uuid not null,
  person_id uuid not null,
  note text default ''::text not null,
  constraint person_office_notes_pkey PRIMARY KEY (org_id, person_id),
  constraint person_office_notes_note_check CHECK ((char_length(note) <= 5000)),
  constraint person_office_notes_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
alter table app.person_office_notes enable row level security;
alter table app.person_office_notes force row level security;
create policy person_office_notes_add on app.person_office_notes for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (person_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_office_notes.org_id) AND (w.person_id = person_office_notes.person_id)))))));
create policy person_office_notes_change on app.person_office_notes for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (person_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_office_notes.org_id) AND (w.person_id = person_office_notes.person_id)))))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (person_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_office_notes.org_id) AND (w.person_id = person_office_notes.person_id)))))));
create policy person_office_notes_definer on app.person_office_notes for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy person_office_notes_read on app.person_office_notes for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (person_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_office_notes.org_id) AND (w.person_id = person_office_notes.person_id)))))));
create policy person_office_notes_remove on app.person_office_notes for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (person_id <> ALL (( SELECT app.my_records() AS my_records)::uuid[])) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_office_notes.org_id) AND (w.person_id = person_office_notes.person_id)))))));
CREATE TRIGGER person_office_notes_audit_delete AFTER DELETE ON app.person_office_notes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.sensitive');
CREATE TRIGGER person_office_notes_audit_insert AFTER INSERT ON app.person_office_notes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.sensitive');
CREATE TRIGGER person_office_notes_audit_update AFTER UPDATE ON app.person_office_notes REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.sensitive');
CREATE TRIGGER person_office_notes_open_delete AFTER DELETE ON app.person_office_notes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged');
CREATE TRIGGER person_office_notes_open_insert AFTER INSERT ON app.person_office_notes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged');
CREATE TRIGGER person_office_notes_open_update AFTER UPDATE ON app.person_office_notes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged');
grant delete, select on app.person_office_notes to app_access;
grant update (note) on app.person_office_notes to app_access;
grant insert (org_id, person_id, note) on app.person_office_notes to app_access;
comment on table app.person_office_notes is 'What officers note about a person; never seen by that person, whatever rights they have';

create table app.person_phones (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  person_id uuid not null,
  number text not null,
  digits text generated always as (regexp_replace(number, '[^0-9]'::text, ''::text, 'g'::text)) stored not null,
  label text default ''::text not null,
  is_primary boolean default false not null,
  visible_to text default 'officers'::text not null,
  created_at timestamp with time zone default now() not null,
  constraint person_phones_pkey PRIMARY KEY (org_id, id),
  constraint person_phones_label_check CHECK ((char_length(label) <= 40)),
  constraint person_phones_number_check CHECK (((char_length(number) >= 3) AND (char_length(number) <= 40))),
  constraint person_phones_org_id_person_id_digits_key UNIQUE (org_id, person_id, digits),
  constraint person_phones_visible_to_check CHECK ((visible_to = ANY (ARRAY['officers'::text, 'members'::text]))),
  constraint person_phones_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX person_phones_primary ON app.person_phones USING btree (org_id, person_id) WHERE is_primary;
CREATE INDEX person_phones_search ON app.person_phones USING gin (digits extensions.gin_trgm_ops);
alter table app.person_phones enable row level security;
alter table app.person_phones force row level security;
create policy person_phones_add on app.person_phones for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_phones.org_id) AND (w.person_id = person_phones.person_id))))))));
create policy person_phones_change on app.person_phones for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_phones.org_id) AND (w.person_id = person_phones.person_id))))))))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy person_phones_definer on app.person_phones for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy person_phones_read on app.person_phones for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people p
  WHERE ((p.org_id = person_phones.org_id) AND (p.id = person_phones.person_id))))) AND app.sees_contact((person_id = ( SELECT app.person_id() AS person_id)), (visible_to = 'members'::text), ( SELECT app.everywhere('people.contact'::text) AS everywhere), (EXISTS ( SELECT
   FROM app.people_within('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_phones.org_id) AND (w.person_id = person_phones.person_id)))), (EXISTS ( SELECT
   FROM app.people_led('people.contact'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_phones.org_id) AND (w.person_id = person_phones.person_id)))), ( SELECT app.everywhere('people.directory'::text) AS everywhere))));
create policy person_phones_remove on app.person_phones for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_phones.org_id) AND (w.person_id = person_phones.person_id))))))));
CREATE TRIGGER person_phones_audit_delete AFTER DELETE ON app.person_phones REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.contact');
CREATE TRIGGER person_phones_audit_insert AFTER INSERT ON app.person_phones REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.contact');
CREATE TRIGGER person_phones_audit_update AFTER UPDATE ON app.person_phones REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.contact');
CREATE TRIGGER person_phones_open_delete AFTER DELETE ON app.person_phones REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER person_phones_open_insert AFTER INSERT ON app.person_phones REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER person_phones_open_update AFTER UPDATE ON app.person_phones REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
grant delete, select on app.person_phones to app_access;
grant update (number, label, is_primary, visible_to) on app.person_phones to app_access;
grant insert (org_id, id, person_id, number, label, is_primary, visible_to) on app.person_phones to app_access;
grant select on app.person_phones to app_definer;
comment on table app.person_phones is 'Telephone numbers as E.164 where the country is known';

create table app.person_private (
  org_id uuid not null,
  person_id uuid not null,
  birth_date date,
  birthday integer generated always as ((((EXTRACT(month FROM birth_date) * (100)::numeric) + EXTRACT(day FROM birth_date)))::integer) stored,
  gender text default ''::text not null,
  deceased_on date,
  constraint person_private_pkey PRIMARY KEY (org_id, person_id),
  constraint person_private_birth_date_check CHECK ((birth_date > '1850-01-01'::date)),
  constraint person_private_check CHECK ((deceased_on >= birth_date)),
  constraint person_private_gender_check CHECK ((char_length(gender) <= 40)),
  constraint person_private_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
CREATE INDEX person_private_by_birthday ON app.person_private USING btree (org_id, birthday, person_id) WHERE (birthday IS NOT NULL);
alter table app.person_private enable row level security;
alter table app.person_private force row level security;
create policy person_private_add on app.person_private for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_private.org_id) AND (w.person_id = person_private.person_id))))))));
create policy person_private_change on app.person_private for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_private.org_id) AND (w.person_id = person_private.person_id))))))))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy person_private_definer on app.person_private for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy person_private_read on app.person_private for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((person_id = ( SELECT app.person_id() AS person_id)) OR (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_private.org_id) AND (w.person_id = person_private.person_id))))))));
create policy person_private_remove on app.person_private for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('people.sensitive'::text) AS everywhere)));
CREATE TRIGGER person_private_audit_delete AFTER DELETE ON app.person_private REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.sensitive');
CREATE TRIGGER person_private_audit_insert AFTER INSERT ON app.person_private REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.sensitive');
CREATE TRIGGER person_private_audit_update AFTER UPDATE ON app.person_private REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.sensitive');
CREATE TRIGGER person_private_by_oneself_delete AFTER DELETE ON app.person_private REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION app.person_private_guard();
CREATE TRIGGER person_private_by_oneself_insert AFTER INSERT ON app.person_private REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_private_guard();
CREATE TRIGGER person_private_by_oneself_update AFTER UPDATE ON app.person_private REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_private_guard();
CREATE TRIGGER person_private_derive_insert AFTER INSERT ON app.person_private REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_private_derive();
CREATE TRIGGER person_private_derive_update AFTER UPDATE ON app.person_private REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_private_derive();
CREATE TRIGGER person_private_open_delete AFTER DELETE ON app.person_private REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged');
CREATE TRIGGER person_private_open_insert AFTER INSERT ON app.person_private REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged');
CREATE TRIGGER person_private_open_update AFTER UPDATE ON app.person_private REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged');
grant delete, select on app.person_private to app_access;
grant update (birth_date, gender, deceased_on) on app.person_private to app_access;
grant insert (org_id, person_id, birth_date, gender, deceased_on) on app.person_private to app_access;
comment on table app.person_private is 'What only the person and people with the right to sensitive data see';
comment on column app.person_private.birthday is 'Month and day as one number, 2 March is 302: whose birthday comes up is found without reading every birth date';

create table app.person_tags (
  org_id uuid not null,
  person_id uuid not null,
  tag_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint person_tags_pkey PRIMARY KEY (org_id, person_id, tag_id),
  constraint person_tags_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE,
  constraint person_tags_org_id_tag_id_fkey FOREIGN KEY (org_id, tag_id) REFERENCES app.tags(org_id, id) ON DELETE CASCADE
);
CREATE INDEX person_tags_by_tag ON app.person_tags USING btree (org_id, tag_id, person_id);
alter table app.person_tags enable row level security;
alter table app.person_tags force row level security;
create policy person_tags_add on app.person_tags for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_tags.org_id) AND (w.person_id = person_tags.person_id)))))));
create policy person_tags_definer on app.person_tags for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy person_tags_read on app.person_tags for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people p
  WHERE ((p.org_id = person_tags.org_id) AND (p.id = person_tags.person_id))))) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR ( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (tag_id = ANY (( SELECT app.member_tags() AS member_tags)::uuid[])) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_tags.org_id) AND (w.person_id = person_tags.person_id)))) OR (EXISTS ( SELECT
   FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_tags.org_id) AND (w.person_id = person_tags.person_id)))))));
create policy person_tags_remove on app.person_tags for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people_within('people.write'::text) w(org_id, person_id)
  WHERE ((w.org_id = person_tags.org_id) AND (w.person_id = person_tags.person_id)))))));
CREATE TRIGGER person_tags_audit_delete AFTER DELETE ON app.person_tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.directory');
CREATE TRIGGER person_tags_audit_insert AFTER INSERT ON app.person_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.directory');
CREATE TRIGGER person_tags_open_delete AFTER DELETE ON app.person_tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER person_tags_open_insert AFTER INSERT ON app.person_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
grant delete, select on app.person_tags to app_access;
grant insert (org_id, person_id, tag_id) on app.person_tags to app_access;
comment on table app.person_tags is 'Which person carries which tag';

create table app.position_holders (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  position_id uuid not null,
  person_id uuid not null,
  starts_on date not null,
  ends_on date,
  note text default ''::text not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint position_holders_pkey PRIMARY KEY (org_id, id),
  constraint position_holders_check CHECK ((ends_on >= starts_on)),
  constraint position_holders_note_check CHECK ((char_length(note) <= 500)),
  constraint position_holders_org_id_position_id_person_id_starts_on_key UNIQUE (org_id, position_id, person_id, starts_on),
  constraint position_holders_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE,
  constraint position_holders_org_id_position_id_fkey FOREIGN KEY (org_id, position_id) REFERENCES app.positions(org_id, id) ON DELETE CASCADE
);
CREATE INDEX position_holders_by_end ON app.position_holders USING btree (org_id, ends_on);
CREATE INDEX position_holders_by_person ON app.position_holders USING btree (org_id, person_id, starts_on);
alter table app.position_holders enable row level security;
alter table app.position_holders force row level security;
create policy position_holders_add on app.position_holders for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('positions.appoint'::text) AS everywhere) OR (EXISTS ( SELECT 1
   FROM app.positions s
  WHERE ((s.org_id = position_holders.org_id) AND (s.id = position_holders.position_id) AND (s.chapter_id = ANY (( SELECT app.scope('positions.appoint'::text) AS scope)::uuid[]))))))));
create policy position_holders_change on app.position_holders for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('positions.appoint'::text) AS everywhere) OR (EXISTS ( SELECT 1
   FROM app.positions s
  WHERE ((s.org_id = position_holders.org_id) AND (s.id = position_holders.position_id) AND (s.chapter_id = ANY (( SELECT app.scope('positions.appoint'::text) AS scope)::uuid[]))))))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('positions.appoint'::text) AS everywhere) OR (EXISTS ( SELECT 1
   FROM app.positions s
  WHERE ((s.org_id = position_holders.org_id) AND (s.id = position_holders.position_id) AND (s.chapter_id = ANY (( SELECT app.scope('positions.appoint'::text) AS scope)::uuid[]))))))));
create policy position_holders_definer on app.position_holders for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy position_holders_read on app.position_holders for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT 1
   FROM app.people p
  WHERE ((p.org_id = position_holders.org_id) AND (p.id = position_holders.person_id)))))));
create policy position_holders_remove on app.position_holders for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('positions.appoint'::text) AS everywhere) OR (EXISTS ( SELECT 1
   FROM app.positions s
  WHERE ((s.org_id = position_holders.org_id) AND (s.id = position_holders.position_id) AND (s.chapter_id = ANY (( SELECT app.scope('positions.appoint'::text) AS scope)::uuid[]))))))));
CREATE TRIGGER position_holders_audit_delete AFTER DELETE ON app.position_holders REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.directory');
CREATE TRIGGER position_holders_audit_insert AFTER INSERT ON app.position_holders REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.directory');
CREATE TRIGGER position_holders_audit_update AFTER UPDATE ON app.position_holders REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.directory');
CREATE TRIGGER position_holders_guard BEFORE INSERT OR UPDATE ON app.position_holders FOR EACH ROW EXECUTE FUNCTION app.position_holders_guard();
CREATE TRIGGER position_holders_open_delete AFTER DELETE ON app.position_holders REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER position_holders_open_insert AFTER INSERT ON app.position_holders REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER position_holders_open_update AFTER UPDATE ON app.position_holders REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
CREATE TRIGGER position_holders_tell_delete AFTER DELETE ON app.position_holders REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('person');
CREATE TRIGGER position_holders_tell_insert AFTER INSERT ON app.position_holders REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('person');
CREATE TRIGGER position_holders_tell_update AFTER UPDATE ON app.position_holders REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('person');
CREATE TRIGGER position_holders_touch BEFORE UPDATE ON app.position_holders FOR EACH ROW EXECUTE FUNCTION app.touch();
grant delete, select on app.position_holders to app_access;
grant insert (org_id, id, position_id, person_id, starts_on, ends_on, note) on app.position_holders to app_access;
grant update (starts_on, ends_on, note) on app.position_holders to app_access;
grant select on app.position_holders to app_definer;
comment on table app.position_holders is 'Who held or holds an office from when to when; rights start and stop with these dates';

create table app.positions (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  chapter_id uuid not null,
  title text not null,
  title_key text generated always as (lower(title)) stored not null,
  role_id uuid,
  term_months integer,
  max_holders integer default 1 not null,
  mandatory boolean default false not null,
  member_only boolean default false not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint positions_pkey PRIMARY KEY (org_id, id),
  constraint positions_max_holders_check CHECK (((max_holders >= 1) AND (max_holders <= 1000))),
  constraint positions_org_id_chapter_id_title_key_key UNIQUE (org_id, chapter_id, title_key),
  constraint positions_term_months_check CHECK (((term_months >= 1) AND (term_months <= 120))),
  constraint positions_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 150))),
  constraint positions_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id),
  constraint positions_org_id_role_id_fkey FOREIGN KEY (org_id, role_id) REFERENCES app.roles(org_id, id)
);
CREATE INDEX positions_by_role ON app.positions USING btree (org_id, role_id);
alter table app.positions enable row level security;
alter table app.positions force row level security;
create policy positions_add on app.positions for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('positions.appoint'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('positions.appoint'::text) AS scope)::uuid[])))));
create policy positions_change on app.positions for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('positions.appoint'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('positions.appoint'::text) AS scope)::uuid[])))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('positions.appoint'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('positions.appoint'::text) AS scope)::uuid[])))));
create policy positions_definer on app.positions for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy positions_read on app.positions for select to app_access
  using ((org_id = ( SELECT app.org_id() AS org_id)));
create policy positions_remove on app.positions for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('positions.appoint'::text) AS everywhere) OR (chapter_id = ANY (( SELECT app.scope('positions.appoint'::text) AS scope)::uuid[])))));
CREATE TRIGGER positions_audit_delete AFTER DELETE ON app.positions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.directory');
CREATE TRIGGER positions_audit_insert AFTER INSERT ON app.positions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.directory');
CREATE TRIGGER positions_audit_update AFTER UPDATE ON app.positions REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.directory');
CREATE TRIGGER positions_guard BEFORE INSERT OR UPDATE ON app.positions FOR EACH ROW EXECUTE FUNCTION app.positions_guard();
CREATE TRIGGER positions_tell_delete AFTER DELETE ON app.positions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('organisation');
CREATE TRIGGER positions_tell_insert AFTER INSERT ON app.positions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('organisation');
CREATE TRIGGER positions_tell_update AFTER UPDATE ON app.positions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('organisation');
CREATE TRIGGER positions_touch BEFORE UPDATE ON app.positions FOR EACH ROW EXECUTE FUNCTION app.touch();
grant delete, select on app.positions to app_access;
grant insert (org_id, id, chapter_id, title, role_id, term_months, max_holders, mandatory, member_only) on app.positions to app_access;
grant update (title, role_id, term_months, max_holders, mandatory, member_only) on app.positions to app_access;
grant select, update on app.positions to app_definer;
comment on table app.positions is 'An office in a chapter; its role, if any, is what holding it allows in that chapter and below';

create table app.public_names (
  org_id uuid not null,
  person_id uuid not null,
  agreed_at timestamp with time zone default now() not null,
  with_picture boolean default false not null,
  constraint public_names_pkey PRIMARY KEY (org_id, person_id),
  constraint public_names_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id) ON DELETE CASCADE
);
alter table app.public_names enable row level security;
alter table app.public_names force row level security;
create policy public_names_add on app.public_names for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (person_id = ( SELECT app.person_id() AS person_id))));
create policy public_names_change on app.public_names for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (person_id = ( SELECT app.person_id() AS person_id))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (person_id = ( SELECT app.person_id() AS person_id))));
create policy public_names_definer on app.public_names for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy public_names_read on app.public_names for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (person_id = ( SELECT app.person_id() AS person_id))));
create policy public_names_remove on app.public_names for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (person_id = ( SELECT app.person_id() AS person_id))));
CREATE TRIGGER public_names_audit_delete AFTER DELETE ON app.public_names REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('people.contact');
CREATE TRIGGER public_names_audit_insert AFTER INSERT ON app.public_names REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('people.contact');
CREATE TRIGGER public_names_audit_update AFTER UPDATE ON app.public_names REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('people.contact');
CREATE TRIGGER public_names_open_insert AFTER INSERT ON app.public_names REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.person_record_guard('erased,merged,deceased');
grant delete, select on app.public_names to app_access;
grant insert (org_id, person_id, with_picture) on app.public_names to app_access;
grant update (with_picture) on app.public_names to app_access;
grant select on app.public_names to app_definer;
comment on table app.public_names is 'People who agreed to be named on public pages: in their offices and on their member card';
comment on column app.public_names.with_picture is 'Whether their picture is shown as well when somebody checks their member card';

create table app.receipts (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  payment_id uuid not null,
  person_id uuid,
  chapter_id uuid,
  books_chapter_id uuid,
  number text not null,
  number_year integer not null,
  number_place integer not null,
  state text default 'issued'::text not null,
  replaces_id uuid,
  reason text default ''::text not null,
  amount bigint not null,
  currency text not null,
  issued_on date not null,
  received_on date not null,
  billing jsonb not null,
  seller jsonb not null,
  lines jsonb not null,
  sent_at timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone default now() not null,
  constraint receipts_pkey PRIMARY KEY (org_id, id),
  constraint receipts_amount_check CHECK (((amount >= 1) AND (amount <= '9007199254740991'::bigint))),
  constraint receipts_billing_check CHECK (((jsonb_typeof(billing) = 'object'::text) AND (octet_length((billing)::text) <= 4000))),
  constraint receipts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint receipts_lines_check CHECK (((jsonb_typeof(lines) = 'array'::text) AND (octet_length((lines)::text) <= 40000))),
  constraint receipts_number_check CHECK (((char_length(number) >= 1) AND (char_length(number) <= 40))),
  constraint receipts_org_id_number_year_number_place_key UNIQUE (org_id, number_year, number_place),
  constraint receipts_reason_check CHECK ((char_length(reason) <= 500)),
  constraint receipts_seller_check CHECK (((jsonb_typeof(seller) = 'object'::text) AND (octet_length((seller)::text) <= 4000))),
  constraint receipts_state_check CHECK ((state = ANY (ARRAY['issued'::text, 'replaced'::text, 'void'::text]))),
  constraint receipts_org_id_books_chapter_id_fkey FOREIGN KEY (org_id, books_chapter_id) REFERENCES app.chapters(org_id, id),
  constraint receipts_org_id_chapter_id_fkey FOREIGN KEY (org_id, chapter_id) REFERENCES app.chapters(org_id, id),
  constraint receipts_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint receipts_org_id_payment_id_fkey FOREIGN KEY (org_id, payment_id) REFERENCES app.payments(org_id, id) ON DELETE CASCADE,
  constraint receipts_org_id_person_id_fkey FOREIGN KEY (org_id, person_id) REFERENCES app.people(org_id, id),
  constraint receipts_org_id_replaces_id_fkey FOREIGN KEY (org_id, replaces_id) REFERENCES app.receipts(org_id, id)
);
CREATE INDEX receipts_by_books ON app.receipts USING btree (org_id, books_chapter_id);
CREATE INDEX receipts_by_chapter ON app.receipts USING btree (org_id, chapter_id);
CREATE UNIQUE INDEX receipts_by_payment ON app.receipts USING btree (org_id, payment_id) WHERE (state = 'issued'::text);
CREATE INDEX receipts_by_person ON app.receipts USING btree (org_id, person_id, id DESC);
CREATE INDEX receipts_by_replaced ON app.receipts USING btree (org_id, replaces_id);
CREATE INDEX receipts_of_payment ON app.receipts USING btree (org_id, payment_id);
alter table app.receipts enable row level security;
alter table app.receipts force row level security;
create policy receipts_definer on app.receipts for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy receipts_read on app.receipts for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('finance.read'::text) AS everywhere) OR (books_chapter_id = ANY (( SELECT app.scope('finance.read'::text) AS scope)::uuid[])) OR (person_id = ( SELECT app.person_id() AS person_id)))));
CREATE TRIGGER receipts_audit_delete AFTER DELETE ON app.receipts REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('finance.read', 'id');
CREATE TRIGGER receipts_audit_insert AFTER INSERT ON app.receipts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('finance.read', 'id');
CREATE TRIGGER receipts_audit_update AFTER UPDATE ON app.receipts REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('finance.read', 'id');
CREATE TRIGGER receipts_stay BEFORE DELETE OR UPDATE ON app.receipts FOR EACH ROW EXECUTE FUNCTION app_private.receipts_stay();
grant select on app.receipts to app_access;
grant delete, insert, select, update on app.receipts to app_definer;
comment on table app.receipts is 'Confirms a settled payment, in the words of the day it was issued; corrected by another one that replaces it';

create table app.record_tags (
  org_id uuid not null,
  record_type text not null,
  record_id uuid not null,
  tag_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint record_tags_pkey PRIMARY KEY (org_id, record_type, record_id, tag_id),
  constraint record_tags_record_type_check CHECK ((record_type <> 'person'::text)),
  constraint record_tags_org_id_tag_id_fkey FOREIGN KEY (org_id, tag_id) REFERENCES app.tags(org_id, id) ON DELETE CASCADE
);
CREATE INDEX record_tags_by_tag ON app.record_tags USING btree (org_id, tag_id, record_type, record_id);
alter table app.record_tags enable row level security;
alter table app.record_tags force row level security;
create policy record_tags_add on app.record_tags for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id) AND (EXISTS ( SELECT
           FROM app.chapters c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'group'::text) AND (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id) AND (EXISTS ( SELECT
           FROM app.groups c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'organisation'::text) AND (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id) AND (EXISTS ( SELECT
           FROM app.organisations c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'person'::text) AND (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id) AND (EXISTS ( SELECT
           FROM app.people c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))))));
create policy record_tags_definer on app.record_tags for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy record_tags_kept on app.record_tags as restrictive for select to app_access
  using (((tag_id = ANY (( SELECT app.member_tags() AS member_tags)::uuid[])) OR ((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (r.id = ANY (( SELECT app.scope('people.write'::text) AS scope)::uuid[])) OR ( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (r.id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[]))))))) OR ((record_type = 'group'::text) AND (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (r.chapter_id = ANY (( SELECT app.scope('people.write'::text) AS scope)::uuid[])) OR (r.id = ANY (( SELECT app.group_scope('people.write'::text) AS group_scope)::uuid[])) OR ( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (r.chapter_id = ANY (( SELECT app.scope('people.sensitive'::text) AS scope)::uuid[])) OR (r.id = ANY (( SELECT app.group_scope('people.sensitive'::text) AS group_scope)::uuid[]))))))) OR ((record_type = 'organisation'::text) AND (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR false OR ( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR false))))) OR ((record_type = 'person'::text) AND (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (EXISTS ( SELECT
           FROM app.people_within('people.write'::text) w(org_id, person_id)
          WHERE ((w.org_id = r.org_id) AND (w.person_id = r.id)))) OR ( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
           FROM app.people_within('people.sensitive'::text) w(org_id, person_id)
          WHERE ((w.org_id = r.org_id) AND (w.person_id = r.id)))))))))))));
create policy record_tags_known on app.record_tags as restrictive for insert to app_access
  with check ((EXISTS ( SELECT
   FROM app.tags t
  WHERE ((t.org_id = record_tags.org_id) AND (t.id = record_tags.tag_id)))));
create policy record_tags_read on app.record_tags for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id))))) OR ((record_type = 'group'::text) AND (( SELECT app.everywhere('groups.manage'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id)))))) OR ((record_type = 'organisation'::text) AND (true OR (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id)))))) OR ((record_type = 'person'::text) AND (( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id)))))))));
create policy record_tags_remove on app.record_tags for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (((record_type = 'chapter'::text) AND (EXISTS ( SELECT
   FROM app.chapters r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id) AND (EXISTS ( SELECT
           FROM app.chapters c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'group'::text) AND (EXISTS ( SELECT
   FROM app.groups r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id) AND (EXISTS ( SELECT
           FROM app.groups c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'organisation'::text) AND (EXISTS ( SELECT
   FROM app.organisations r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id) AND (EXISTS ( SELECT
           FROM app.organisations c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))) OR ((record_type = 'person'::text) AND (EXISTS ( SELECT
   FROM app.people r
  WHERE ((r.org_id = record_tags.org_id) AND (r.id = record_tags.record_id) AND (EXISTS ( SELECT
           FROM app.people c
          WHERE ((c.org_id = r.org_id) AND (c.id = r.id))
         FOR KEY SHARE OF c)))))))));
CREATE TRIGGER record_tags_audit_delete AFTER DELETE ON app.record_tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('record', 'record_id');
CREATE TRIGGER record_tags_audit_insert AFTER INSERT ON app.record_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('record', 'record_id');
CREATE TRIGGER record_tags_audit_update AFTER UPDATE ON app.record_tags REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('record', 'record_id');
CREATE TRIGGER record_tags_follow_delete AFTER DELETE ON app.record_tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
CREATE TRIGGER record_tags_follow_insert AFTER INSERT ON app.record_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
CREATE TRIGGER record_tags_follow_update AFTER UPDATE ON app.record_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app_private.follow_guard();
grant delete, select on app.record_tags to app_access;
grant insert (org_id, record_type, record_id, tag_id) on app.record_tags to app_access;
grant delete, select on app.record_tags to app_definer;
comment on table app.record_tags is 'Which record other than a person carries which tag';

create table app.recording_parts (
  org_id uuid not null,
  recording_id uuid not null,
  part integer not null,
  account_id uuid not null,
  events text not null,
  created_at timestamp with time zone default now() not null,
  constraint recording_parts_pkey PRIMARY KEY (org_id, recording_id, part),
  constraint recording_parts_events_check CHECK ((octet_length(events) <= 262144)),
  constraint recording_parts_part_check CHECK (((part >= 0) AND (part <= 199))),
  constraint recording_parts_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES app.accounts(org_id, id) ON DELETE CASCADE,
  constraint recording_parts_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
CREATE INDEX recording_parts_by_account ON app.recording_parts USING btree (org_id, account_id, created_at);
CREATE INDEX recording_parts_by_age ON app.recording_parts USING btree (created_at);
alter table app.recording_parts enable row level security;
alter table app.recording_parts force row level security;
create policy recording_parts_definer on app.recording_parts for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy recording_parts_read on app.recording_parts for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('organisation.manage'::text) AS everywhere)));
create policy recording_parts_remove on app.recording_parts for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('organisation.manage'::text) AS everywhere)));
grant delete, select on app.recording_parts to app_access;
grant delete, insert, select on app.recording_parts to app_definer;
comment on table app.recording_parts is 'What somebody did on the pages, without texts and inputs, in parts as the recorder sent them; kept 14 days. Not in the audit log: recordings are deleted after two weeks';
comment on column app.recording_parts.events is 'JSON list of rrweb events';

create table app.refunds (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  payment_id uuid not null,
  state text default 'pending'::text not null,
  amount bigint not null,
  currency text not null,
  reason text not null,
  provider_refund text,
  settled_at timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint refunds_pkey PRIMARY KEY (org_id, id),
  constraint refunds_amount_check CHECK (((amount >= 1) AND (amount <= '9007199254740991'::bigint))),
  constraint refunds_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint refunds_provider_refund_check CHECK ((char_length(provider_refund) <= 255)),
  constraint refunds_reason_check CHECK ((char_length(reason) <= 500)),
  constraint refunds_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'settled'::text, 'failed'::text]))),
  constraint refunds_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE,
  constraint refunds_org_id_payment_id_fkey FOREIGN KEY (org_id, payment_id) REFERENCES app.payments(org_id, id)
);
CREATE INDEX refunds_by_payment ON app.refunds USING btree (org_id, payment_id, id);
CREATE UNIQUE INDEX refunds_by_provider ON app.refunds USING btree (org_id, provider_refund) WHERE (provider_refund IS NOT NULL);
alter table app.refunds enable row level security;
alter table app.refunds force row level security;
create policy refunds_definer on app.refunds for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy refunds_read on app.refunds for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (EXISTS ( SELECT
   FROM app.payments p
  WHERE ((p.org_id = refunds.org_id) AND (p.id = refunds.payment_id))))));
CREATE TRIGGER refunds_audit_delete AFTER DELETE ON app.refunds REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('finance.read', 'payment_id');
CREATE TRIGGER refunds_audit_insert AFTER INSERT ON app.refunds REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('finance.read', 'payment_id');
CREATE TRIGGER refunds_audit_update AFTER UPDATE ON app.refunds REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('finance.read', 'payment_id');
grant select on app.refunds to app_access;
grant insert, select, update on app.refunds to app_definer;
comment on table app.refunds is 'Money given back of a payment; asked for first, settled once the provider says so';

create table app.role_permissions (
  org_id uuid not null,
  role_id uuid not null,
  permission text not null,
  constraint role_permissions_pkey PRIMARY KEY (org_id, role_id, permission),
  constraint role_permissions_permission_check CHECK ((permission ~ '^[a-z]+\.[a-z]+$'::text)),
  constraint role_permissions_org_id_role_id_fkey FOREIGN KEY (org_id, role_id) REFERENCES app.roles(org_id, id) ON DELETE CASCADE
);
alter table app.role_permissions enable row level security;
alter table app.role_permissions force row level security;
create policy role_permissions_add on app.role_permissions for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (role_id = ANY (( SELECT app.changeable_roles() AS changeable_roles)::uuid[])) AND (permission = ANY (( SELECT app.held_everywhere() AS held_everywhere)::text[]))));
create policy role_permissions_definer on app.role_permissions for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy role_permissions_read on app.role_permissions for select to app_access
  using ((org_id = ( SELECT app.org_id() AS org_id)));
create policy role_permissions_remove on app.role_permissions for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (role_id = ANY (( SELECT app.changeable_roles() AS changeable_roles)::uuid[]))));
CREATE TRIGGER role_permissions_audit_delete AFTER DELETE ON app.role_permissions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('audit.read');
CREATE TRIGGER role_permissions_audit_insert AFTER INSERT ON app.role_permissions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('audit.read');
CREATE TRIGGER role_permissions_guard BEFORE INSERT OR DELETE ON app.role_permissions FOR EACH ROW EXECUTE FUNCTION app.role_permissions_guard();
CREATE TRIGGER role_permissions_tell_delete AFTER DELETE ON app.role_permissions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('organisation');
CREATE TRIGGER role_permissions_tell_insert AFTER INSERT ON app.role_permissions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('organisation');
CREATE TRIGGER role_permissions_tell_update AFTER UPDATE ON app.role_permissions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.tell_rights('organisation');
grant delete, select on app.role_permissions to app_access;
grant insert (org_id, role_id, permission) on app.role_permissions to app_access;
grant insert, select on app.role_permissions to app_definer;
comment on table app.role_permissions is 'Which permission a role carries; the scope comes from how the role was given';

create table app.roles (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  key text not null,
  name text not null,
  description text default ''::text not null,
  custom boolean default false not null,
  constraint roles_pkey PRIMARY KEY (org_id, id),
  constraint roles_key_check CHECK ((key ~ '^[a-z][a-z0-9-]{1,40}$'::text)),
  constraint roles_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint roles_org_id_key_key UNIQUE (org_id, key),
  constraint roles_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
alter table app.roles enable row level security;
alter table app.roles force row level security;
create policy roles_add on app.roles for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND custom AND ( SELECT app.everywhere('account.manage'::text) AS everywhere)));
create policy roles_change on app.roles for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (id = ANY (( SELECT app.changeable_roles() AS changeable_roles)::uuid[]))))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy roles_definer on app.roles for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy roles_read on app.roles for select to app_access
  using ((org_id = ( SELECT app.org_id() AS org_id)));
create policy roles_remove on app.roles for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (id = ANY (( SELECT app.changeable_roles() AS changeable_roles)::uuid[]))));
CREATE TRIGGER roles_audit_delete AFTER DELETE ON app.roles REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('audit.read');
CREATE TRIGGER roles_audit_insert AFTER INSERT ON app.roles REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('audit.read');
CREATE TRIGGER roles_audit_update AFTER UPDATE ON app.roles REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('audit.read');
grant delete, select on app.roles to app_access;
grant update (name, description) on app.roles to app_access;
grant insert (org_id, key, name, description, custom) on app.roles to app_access;
grant insert, select on app.roles to app_definer;
comment on table app.roles is 'A named bundle of permissions; given organisation-wide by the identity provider, or scoped by grants and positions';
comment on column app.roles.custom is 'Made by the organisation and changeable; the standard roles are the same everywhere';

create table app.saved_views (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  account_id uuid not null,
  list text not null,
  name text not null,
  spec jsonb not null,
  shared_with text default 'me'::text not null,
  version integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint saved_views_pkey PRIMARY KEY (org_id, id),
  constraint saved_views_list_check CHECK ((list ~ '^[a-z_]{2,40}$'::text)),
  constraint saved_views_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint saved_views_org_id_account_id_list_name_key UNIQUE (org_id, account_id, list, name),
  constraint saved_views_shared_with_check CHECK ((shared_with = ANY (ARRAY['me'::text, 'organisation'::text]))),
  constraint saved_views_spec_check CHECK ((pg_column_size(spec) <= 20000)),
  constraint saved_views_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES app.accounts(org_id, id) ON DELETE CASCADE,
  constraint saved_views_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
alter table app.saved_views enable row level security;
alter table app.saved_views force row level security;
create policy saved_views_add on app.saved_views for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id)) AND ((shared_with = 'me'::text) OR ( SELECT app.everywhere('views.share'::text) AS everywhere))));
create policy saved_views_change on app.saved_views for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))))
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id)) AND ((shared_with = 'me'::text) OR ( SELECT app.everywhere('views.share'::text) AS everywhere))));
create policy saved_views_definer on app.saved_views for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy saved_views_read on app.saved_views for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ((account_id = ( SELECT app.account_id() AS account_id)) OR ((shared_with = 'organisation'::text) AND ( SELECT app.everywhere('groups.read'::text) AS everywhere)))));
create policy saved_views_remove on app.saved_views for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (account_id = ( SELECT app.account_id() AS account_id))));
CREATE TRIGGER saved_views_touch BEFORE UPDATE ON app.saved_views FOR EACH ROW EXECUTE FUNCTION app.touch();
grant delete, select on app.saved_views to app_access;
grant update (name, spec, shared_with) on app.saved_views to app_access;
grant insert (org_id, account_id, list, name, spec, shared_with) on app.saved_views to app_access;
comment on table app.saved_views is 'Filter, sort, columns and layout of a list under a name. Not in the audit log: they are how somebody likes to see a list';

create table app.schedule_runs (
  org_id uuid not null,
  schedule text not null,
  due_on date not null,
  due_at timestamp with time zone not null,
  state text not null,
  finished_at timestamp with time zone,
  constraint schedule_runs_pkey PRIMARY KEY (org_id, schedule, due_on),
  constraint schedule_runs_check CHECK (((state = 'done'::text) = (finished_at IS NOT NULL))),
  constraint schedule_runs_schedule_check CHECK ((schedule ~ '^[a-z][a-z-]{1,59}$'::text)),
  constraint schedule_runs_state_check CHECK ((state = ANY (ARRAY['due'::text, 'done'::text, 'seen'::text, 'skipped'::text]))),
  constraint schedule_runs_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
alter table app.schedule_runs enable row level security;
alter table app.schedule_runs force row level security;
create policy schedule_runs_definer on app.schedule_runs for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
grant delete, insert, select, update on app.schedule_runs to app_definer;
comment on table app.schedule_runs is 'Moments of schedules that have come. Written by the worker alone';
comment on column app.schedule_runs.due_on is 'Day by the calendar of the organisation. Part of the key instead of the instant: an organisation that changes its time zone has no day twice';
comment on column app.schedule_runs.state is 'due: its job is there; done; seen: the moment before the schedule was first known; skipped: missed for too long';

create table app.signed_links (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  purpose text not null,
  subject_type text not null,
  subject_id uuid not null,
  secret_hash text not null,
  single_use boolean not null,
  uses integer default 0 not null,
  used_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone default now() not null,
  constraint signed_links_pkey PRIMARY KEY (org_id, id),
  constraint signed_links_lifetime CHECK (((expires_at > created_at) AND (expires_at <= (created_at + '400 days'::interval)))),
  constraint signed_links_org_id_secret_hash_key UNIQUE (org_id, secret_hash),
  constraint signed_links_purpose_check CHECK ((purpose ~ '^[a-z][a-z-]{1,39}$'::text)),
  constraint signed_links_secret_hash_check CHECK ((secret_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint signed_links_subject_type_check CHECK ((subject_type ~ '^[a-z][a-z_]{1,39}$'::text)),
  constraint signed_links_org_id_created_by_fkey FOREIGN KEY (org_id, created_by) REFERENCES app.accounts(org_id, id) ON DELETE SET NULL (created_by),
  constraint signed_links_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
CREATE INDEX signed_links_by_creator ON app.signed_links USING btree (org_id, created_by);
CREATE INDEX signed_links_by_secret ON app.signed_links USING btree (secret_hash);
CREATE INDEX signed_links_by_subject ON app.signed_links USING btree (org_id, purpose, subject_id);
alter table app.signed_links enable row level security;
alter table app.signed_links force row level security;
create policy signed_links_definer on app.signed_links for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
grant delete, insert, select, update on app.signed_links to app_definer;
comment on table app.signed_links is 'Links that open something to whoever has them, by the hash of their secret; the purpose is the public page they lead to. Not in the audit log: what is done through a link is recorded where it is done';
comment on column app.signed_links.subject_type is 'Kind of record that the link is about, such as person or account';
comment on column app.signed_links.uses is 'How often the link was used; one for a single use opens no more after the first';

create table app.tags (
  org_id uuid not null,
  id uuid default app.uuid7() not null,
  name text not null,
  name_key text generated always as (lower(name)) stored not null,
  color text default 'gray'::text not null,
  created_at timestamp with time zone default now() not null,
  audience text default 'officers'::text not null,
  constraint tags_pkey PRIMARY KEY (org_id, id),
  constraint tags_audience_check CHECK ((audience = ANY (ARRAY['officers'::text, 'members'::text]))),
  constraint tags_color_check CHECK ((color = ANY (ARRAY['gray'::text, 'brand'::text, 'green'::text, 'red'::text, 'amber'::text, 'blue'::text]))),
  constraint tags_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60))),
  constraint tags_org_id_name_key_key UNIQUE (org_id, name_key),
  constraint tags_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
alter table app.tags enable row level security;
alter table app.tags force row level security;
create policy tags_add on app.tags for insert to app_access
  with check (((org_id = ( SELECT app.org_id() AS org_id)) AND (( SELECT app.everywhere('people.write'::text) AS everywhere) OR (( SELECT app.scope('people.write'::text) AS scope) <> '{}'::uuid[]))));
create policy tags_change on app.tags for update to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('people.write'::text) AS everywhere)))
  with check ((org_id = ( SELECT app.org_id() AS org_id)));
create policy tags_definer on app.tags for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
create policy tags_read on app.tags for select to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND (((audience = 'members'::text) AND (( SELECT app.everywhere('people.directory'::text) AS everywhere) OR (( SELECT app.scope('people.directory'::text) AS scope) <> '{}'::uuid[]))) OR ( SELECT app.everywhere('people.write'::text) AS everywhere) OR ( SELECT app.everywhere('people.sensitive'::text) AS everywhere) OR (( SELECT app.scope('people.write'::text) AS scope) <> '{}'::uuid[]) OR (( SELECT app.scope('people.sensitive'::text) AS scope) <> '{}'::uuid[]))));
create policy tags_remove on app.tags for delete to app_access
  using (((org_id = ( SELECT app.org_id() AS org_id)) AND ( SELECT app.everywhere('people.write'::text) AS everywhere)));
CREATE TRIGGER tags_audit_delete AFTER DELETE ON app.tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_delete('audit.read');
CREATE TRIGGER tags_audit_insert AFTER INSERT ON app.tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_insert('audit.read');
CREATE TRIGGER tags_audit_update AFTER UPDATE ON app.tags REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION app.audit_update('audit.read');
grant delete, select on app.tags to app_access;
grant update (name, color, audience) on app.tags to app_access;
grant insert (org_id, id, name, color, audience) on app.tags to app_access;
grant select on app.tags to app_definer;
comment on table app.tags is 'Words that records are marked with, for officers or for every member';
comment on column app.tags.audience is 'Who sees the tag and who carries it: officers, or every member';

create table app.use_counts (
  org_id uuid not null,
  operation text not null,
  who text not null,
  since timestamp with time zone default now() not null,
  uses integer default 1 not null,
  constraint use_counts_pkey PRIMARY KEY (org_id, operation, who),
  constraint use_counts_operation_check CHECK ((char_length(operation) <= 60)),
  constraint use_counts_who_check CHECK ((char_length(who) <= 64)),
  constraint use_counts_org_id_fkey FOREIGN KEY (org_id) REFERENCES app.organisations(org_id) ON DELETE CASCADE
);
alter table app.use_counts enable row level security;
alter table app.use_counts force row level security;
create policy use_counts_definer on app.use_counts for all to app_definer
  using ((org_id IS NOT NULL))
  with check ((org_id IS NOT NULL));
grant delete, insert, select, update on app.use_counts to app_definer;
comment on table app.use_counts is 'Uses of an operation within the hour that began at since, by account, or by a hash of who signs in';

create table app_private.actor_keys (
  id integer generated always as identity not null,
  inner_pad bytea not null,
  outer_pad bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint actor_keys_pkey PRIMARY KEY (id)
);
grant select on app_private.actor_keys to app_definer;
comment on table app_private.actor_keys is 'HMAC-SHA256 keys that sign an actor, kept as the two padded blocks so that a check costs two digests. The newest two are accepted, so that keys can be rotated under load';

create table app_private.audit_hidden (
  entity text not null,
  name text not null,
  constraint audit_hidden_pkey PRIMARY KEY (entity, name)
);
grant select on app_private.audit_hidden to app_definer;
comment on table app_private.audit_hidden is 'Columns that the audit log leaves out: they follow from others, count versions or are nobody else''s business. The entity * stands for every table';

create table app_private.field_records (
  record_type text not null,
  kept text not null,
  sensitive text not null,
  constraint field_records_pkey PRIMARY KEY (record_type)
);
grant select on app_private.field_records to app_definer;
comment on table app_private.field_records is 'Kinds of records that have fields, and the permissions that read values kept from others, and sensitive ones';

create table app_private.invoice_subjects (
  name text not null,
  owed text not null,
  manages text not null,
  constraint invoice_subjects_pkey PRIMARY KEY (name),
  constraint invoice_subjects_manages_check CHECK ((manages ~ '^[a-z]+\.[a-z]+$'::text)),
  constraint invoice_subjects_name_check CHECK ((name ~ '^[a-z][a-z_]{1,39}$'::text))
);
grant select on app_private.invoice_subjects to app_definer;
comment on table app_private.invoice_subjects is 'What invoices are drafted for without the right to manage finance: whoever may order it owes just its price';
comment on column app_private.invoice_subjects.owed is 'Query with $1 organisation and $2 subject: person_id, chapter_id, amount and currency of what is owed for it';
comment on column app_private.invoice_subjects.manages is 'Permission of those who order it for others';

create table app_private.last_backup (
  singleton boolean default true not null,
  finished_at timestamp with time zone not null,
  constraint last_backup_pkey PRIMARY KEY (singleton),
  constraint last_backup_singleton_check CHECK (singleton)
);
grant select on app_private.last_backup to app_definer;
comment on table app_private.last_backup is 'One row, written by the backup command as the administrator';

create table app_private.logout_tokens (
  issuer text not null,
  token_id text not null,
  seen_at timestamp with time zone default now() not null,
  constraint logout_tokens_pkey PRIMARY KEY (issuer, token_id)
);
grant delete, insert, select on app_private.logout_tokens to app_definer;
comment on table app_private.logout_tokens is 'Logout tokens that were obeyed, so that none is obeyed twice; kept for an hour, after which their age refuses them';

create table app_private.mail_pace (
  place text not null,
  free_at timestamp with time zone not null,
  constraint mail_pace_pkey PRIMARY KEY (place)
);
grant delete, insert, select, update on app_private.mail_pace to app_definer;
comment on table app_private.mail_pace is 'When the next mail to a domain, or to the hash of an address, may leave at its regular pace; of the whole installation, since receiving servers count so';

create table app_private.migrations (
  id integer default nextval('app_private.migrations_id_seq'::regclass) not null,
  name character varying(255) not null,
  run_on timestamp without time zone not null,
  constraint migrations_pkey PRIMARY KEY (id)
);

create table app_private.record_followers (
  tab text not null,
  adds text,
  changes text,
  removes text,
  reads text default 'see'::text not null,
  open_when text,
  kept_for text,
  constraint record_followers_pkey PRIMARY KEY (tab)
);
grant select on app_private.record_followers to app_definer;
comment on table app_private.record_followers is 'Tables whose rows hang on records, and who writes them';
comment on column app_private.record_followers.open_when is 'Condition on a row that everyone reads who sees its record';
comment on column app_private.record_followers.kept_for is 'Permissions, joined by or, of which one has to hold for the record to read any other row';

create table app_private.record_types (
  name text not null,
  tab text not null,
  history text not null,
  reach text not null,
  sees_all text not null,
  manage text,
  closed text,
  constraint record_types_pkey PRIMARY KEY (name),
  constraint record_types_name_check CHECK ((name ~ '^[a-z]+(_[a-z]+)*$'::text)),
  constraint record_types_tab_key UNIQUE (tab)
);
grant select on app_private.record_types to app_definer;
comment on table app_private.record_types is 'Records that other rows can hang on';
comment on column app_private.record_types.history is 'The permission that reads in the history of such a record';
comment on column app_private.record_types.reach is 'Condition on a row r of the table: it lies where the actor holds the permission %1$L';
comment on column app_private.record_types.sees_all is 'Condition that spares the look at the record: whoever meets it sees every one of the organisation';
comment on column app_private.record_types.manage is 'The permission of those who look after such a record';
comment on column app_private.record_types.closed is 'Condition on a row r of the table: nothing more is added to the record';

create table app_private.standard_permissions (
  role_key text not null,
  permission text not null,
  constraint standard_permissions_pkey PRIMARY KEY (role_key, permission),
  constraint standard_permissions_permission_check CHECK ((permission ~ '^[a-z]+\.[a-z]+$'::text))
);
grant select on app_private.standard_permissions to app_definer;
comment on table app_private.standard_permissions is 'What the standard roles allow beyond app_private.standard_roles(): permissions of areas that came later';

CREATE OR REPLACE FUNCTION app.accept_invitation(statement text, secret_hash text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  said jsonb := app_private.token_statement(statement, 'request');
  org uuid := app.token_organisation(said ->> 'idpOrg');
  mine app.accounts;
  invited uuid;
begin
  if org is null then return 'elsewhere'; end if;
  select * into mine from app.accounts a where a.org_id = org and a.issuer = said ->> 'issuer' and a.subject = said ->> 'subject' for update;
  if mine.status in ('active', 'suspended') then return mine.status; end if;
  update app.signed_links l set uses = l.uses + 1, used_at = now()
    where l.org_id = org and l.secret_hash = accept_invitation.secret_hash and l.purpose = 'invitations' and l.subject_type = 'account'
      and l.expires_at > statement_timestamp() and l.revoked_at is null and l.uses = 0
    returning l.subject_id into invited;
  if invited is null then
    -- Told only to whoever had a true link: a forged one is not there, a used or revoked one is not told from it.
    return case when exists (select from app.signed_links l where l.org_id = org and l.secret_hash = accept_invitation.secret_hash and l.purpose = 'invitations'
      and l.expires_at <= statement_timestamp() and l.revoked_at is null and l.uses = 0) then 'expired' else 'invalid' end;
  end if;
  -- Whoever had asked for access meanwhile is in by the invitation.
  if mine.id is not null then delete from app.accounts a where a.org_id = org and a.id = mine.id and a.status = 'pending_link'; end if;
  update app.accounts a set issuer = said ->> 'issuer', subject = said ->> 'subject', status = 'active', last_login_at = now(),
      name = coalesce(nullif(said ->> 'name', ''), a.name), email = coalesce(said ->> 'email', a.email),
      email_verified = coalesce((said ->> 'emailVerified')::boolean, false)
    where a.org_id = org and a.id = invited and a.status = 'invited' and a.subject is null;
  return case when found then 'accepted' else 'invalid' end;
end $function$;
revoke all on function app.accept_invitation(text,text) from public;
grant execute on function app.accept_invitation(text,text) to app_access;
comment on function app.accept_invitation(text,text) is 'Gives the invited account to the verified token that brings the link of its mail: accepted, expired, invalid, elsewhere, or the status of the account that the token has already';

CREATE OR REPLACE FUNCTION app.access_request(org uuid, account uuid)
 RETURNS TABLE(name text, email text, email_verified boolean, message text, organisation text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select a.name, a.email, a.email_verified, coalesce(a.access_message, ''), o.name from app.accounts a join app.organisations o on o.org_id = a.org_id
  where a.org_id = org and a.id = account and a.status = 'pending_link'
$function$;
revoke all on function app.access_request(uuid,uuid) from public;
grant execute on function app.access_request(uuid,uuid) to app_worker;
comment on function app.access_request(uuid,uuid) is 'A request for access that nobody decided yet, for the worker that mails the notice';

CREATE OR REPLACE FUNCTION app.account_id()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ begin return (app.actor()).account_id; end $function$;
revoke all on function app.account_id() from public;
grant execute on function app.account_id() to app_access;
comment on function app.account_id() is 'Account of the actor, null without one';

CREATE OR REPLACE FUNCTION app.account_name(account uuid)
 RETURNS TABLE(name text, person_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select coalesce(p.display_name, a.name), a.person_id from app.accounts a left join app.people p on p.org_id = a.org_id and p.id = a.person_id
  where a.org_id = (select app.org_id()) and a.id = account
$function$;
revoke all on function app.account_name(uuid) from public;
grant execute on function app.account_name(uuid) to app_access;
comment on function app.account_name(uuid) is 'Name of an account of the actor''s organisation, to say who changed something; accounts themselves are for administrators';

CREATE OR REPLACE FUNCTION app.accounts_by_email(mail text)
 RETURNS TABLE(org_id uuid, account_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select a.org_id, a.id from app.accounts a where lower(a.email) = lower(mail) and a.status = 'active' order by a.last_login_at desc nulls last limit 3
$function$;
revoke all on function app.accounts_by_email(text) from public;
grant execute on function app.accounts_by_email(text) to app_worker;
comment on function app.accounts_by_email(text) is 'Active accounts with this address, for operators'' commands that act as one of them; never for requests';

CREATE OR REPLACE FUNCTION app.accounts_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if coalesce(current_setting('app.actor', true), '') = '' or pg_trigger_depth() > 1 then return new; end if;
  if (new.status, new.person_id, new.email, new.idp_roles, new.issuer, new.subject) is distinct from
      (old.status, old.person_id, old.email, old.idp_roles, old.issuer, old.subject) then
    if not (new.id = app.account_id() and old.person_id is null and (new.status, new.email, new.idp_roles, new.issuer, new.subject)
        is not distinct from (old.status, old.email, old.idp_roles, old.issuer, old.subject)
      and exists (select from app.people p where p.org_id = new.org_id and p.id = new.person_id and p.created_by = new.id and p.created_at = now() and p.lifecycle = 'prospect')) then
      perform app_private.hold_account_rights(new.org_id);
    end if;
  end if;
  if new.id = app.account_id() and new.status <> old.status then
    raise exception 'nobody suspends themselves' using errcode = '42501', constraint = 'suspend_self';
  end if;
  return new;
end $function$;
revoke all on function app.accounts_guard() from public;

CREATE OR REPLACE FUNCTION app.accounts_of_people(org uuid, people uuid[])
 RETURNS TABLE(account_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select a.id from app.accounts a where a.org_id = org and a.person_id = any (people) and a.status = 'active'
$function$;
revoke all on function app.accounts_of_people(uuid,uuid[]) from public;
grant execute on function app.accounts_of_people(uuid,uuid[]) to app_worker;
comment on function app.accounts_of_people(uuid,uuid[]) is 'Active accounts of these people; for the worker, which tells them of something';

CREATE OR REPLACE FUNCTION app.accounts_person_open()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare state text;
begin
  if tg_op = 'UPDATE' and new.person_id is not distinct from old.person_id then return null; end if;
  select p.lifecycle into state from app.people p where p.org_id = new.org_id and p.id = new.person_id and p.lifecycle in ('erased', 'merged', 'deceased');
  if state is not null and (app.actor()).org_id is not null then perform app_private.refuse_closed(state); end if;
  return null;
end $function$;
revoke all on function app.accounts_person_open() from public;
comment on function app.accounts_person_open() is 'Refuses to link an account to somebody whose record is read-only';

CREATE OR REPLACE FUNCTION app.actor()
 RETURNS app.actor_context
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  raw text := nullif(current_setting('app.actor', true), '');
  part text[];
  payload text;
  result app.actor_context;
begin
  if raw is null then return null; end if;
  part := string_to_array(raw, '|');
  payload := array_to_string(part[1:4], '|');
  if cardinality(part) <> 5 or not exists (
    select from (select k from app_private.actor_keys k order by k.id desc limit 2) recent
    where app_private.sign_actor(payload, recent.k) = part[5]
  ) then
    raise exception 'the actor is not signed by this service' using errcode = '28000';
  end if;
  if part[4]::bigint < extract(epoch from statement_timestamp()) then
    raise exception 'the actor has expired' using errcode = '28000';
  end if;
  result.org_id := part[1]::uuid;
  result.account_id := part[2]::uuid;
  if not exists (select from app.accounts a where a.org_id = result.org_id and a.id = result.account_id and a.status = 'active') then
    return null;
  end if;
  result.idp_roles := coalesce(string_to_array(nullif(part[3], ''), ','), '{}');
  return result;
end $function$;
revoke all on function app.actor() from public;
grant execute on function app.actor() to app_access;
comment on function app.actor() is 'The verified actor of this transaction: app.actor holds org|account|roles|expiry|signature. Null when unset or the account is not active; error 28000 when forged or expired';

CREATE OR REPLACE FUNCTION app.add_run(org uuid, schedule text, due_on date, due_at timestamp with time zone, state text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare added int;
begin
  insert into app.schedule_runs (org_id, schedule, due_on, due_at, state) values (org, add_run.schedule, add_run.due_on, add_run.due_at, add_run.state)
    on conflict do nothing;
  get diagnostics added = row_count;
  return added > 0;
end $function$;
revoke all on function app.add_run(uuid,text,date,timestamp with time zone,text) from public;
grant execute on function app.add_run(uuid,text,date,timestamp with time zone,text) to app_worker;
comment on function app.add_run(uuid,text,date,timestamp with time zone,text) is 'Notes a moment; false when it is noted already. Of two at once the second waits for the first';

CREATE OR REPLACE FUNCTION app.affiliations_derive()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update app.people p set home_chapter_id = h.chapter_id
    from (select distinct c.org_id, c.person_id,
        (select a.chapter_id from app.affiliations a where a.org_id = c.org_id and a.person_id = c.person_id
          order by (a.ends_on is null or a.ends_on >= current_date) desc, a.is_primary desc, a.starts_on desc, a.id limit 1) as chapter_id
      from changed c) h
    where p.org_id = h.org_id and p.id = h.person_id and p.home_chapter_id is distinct from h.chapter_id;
  if tg_op = 'UPDATE' then
    perform app_private.add_counts(array(
      select row(c.org_id, c.chapter_id, c.kind, c.person_id, c.id, c.starts_on, c.ends_on, 1)::app_private.affiliation_change from changed c
      union all select row(b.org_id, b.chapter_id, b.kind, b.person_id, b.id, b.starts_on, b.ends_on, -1)::app_private.affiliation_change from before b));
  else
    perform app_private.add_counts(array(
      select row(c.org_id, c.chapter_id, c.kind, c.person_id, c.id, c.starts_on, c.ends_on, case tg_op when 'INSERT' then 1 else -1 end)::app_private.affiliation_change
      from changed c));
  end if;
  return null;
end $function$;
revoke all on function app.affiliations_derive() from public;

CREATE OR REPLACE FUNCTION app.affiliations_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  -- The lock makes this wait for someone who is closing the chapter just now; the next statement then sees it closed.
  perform from app.chapters c
    where (c.org_id, c.id) in (select a.org_id, a.chapter_id from changed a where a.ends_on is null or a.ends_on >= current_date) order by c.id for key share;
  if exists (select from changed a join app.chapters c on c.org_id = a.org_id and c.id = a.chapter_id
      where c.status = 'closed' and (a.ends_on is null or a.ends_on >= current_date)) then
    raise exception 'this chapter is closed' using errcode = '23514', constraint = 'affiliations_chapter_closed';
  end if;
  return null;
end $function$;
revoke all on function app.affiliations_guard() from public;

CREATE OR REPLACE FUNCTION app.affiliations_months()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if tg_op = 'UPDATE' then
    perform app_private.add_months(array(
      select row(c.org_id, c.chapter_id, c.starts_on, c.ends_on, 1)::app_private.membership_change from changed c where c.kind = 'member'
      union all select row(b.org_id, b.chapter_id, b.starts_on, b.ends_on, -1)::app_private.membership_change from before b where b.kind = 'member'));
  else
    perform app_private.add_months(array(
      select row(c.org_id, c.chapter_id, c.starts_on, c.ends_on, case tg_op when 'INSERT' then 1 else -1 end)::app_private.membership_change
      from changed c where c.kind = 'member'));
  end if;
  return null;
end $function$;
revoke all on function app.affiliations_months() from public;

CREATE OR REPLACE FUNCTION app.affiliations_reach()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  me uuid := app.account_id();
  myself uuid := app.person_id();
  today date;
  mine uuid[];
begin
  if me is null or pg_trigger_depth() > 1 or app.everywhere('people.write') then return null; end if;
  today := app.today();
  mine := app.scope('people.write');
  -- What opens nothing new stays possible: ends that come sooner, corrections of what is over. The kind opens nothing to officers.
  if tg_op = 'INSERT' then
    if exists (select from changed c
        where not exists (select from app.people p where p.org_id = c.org_id and p.id = c.person_id and p.created_by = me and p.created_at = now())
          and not exists (select from app.affiliations a where a.org_id = c.org_id and a.person_id = c.person_id and a.chapter_id = any (mine)
            and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today) and not exists (select from changed n where n.id = a.id))) then
      raise exception 'this person does not belong to a chapter of yours today. Ask an administrator to add them' using errcode = '42501', constraint = 'affiliations_reach';
    end if;
  elsif exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where ((c.person_id, c.chapter_id) is distinct from (b.person_id, b.chapter_id)
          or greatest(c.starts_on, today) < greatest(b.starts_on, today) or coalesce(c.ends_on, 'infinity') > coalesce(b.ends_on, 'infinity'))
        and (c.ends_on is null or c.ends_on >= today)
        and not exists (select from app.people p where p.org_id = c.org_id and p.id = c.person_id and p.created_by = me and p.created_at = now())
        and not exists (select from before a where a.org_id = c.org_id and a.person_id = c.person_id and a.chapter_id = any (mine)
          and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today))
        and not exists (select from app.affiliations a where a.org_id = c.org_id and a.person_id = c.person_id and a.chapter_id = any (mine)
          and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today) and not exists (select from changed n where n.id = a.id))) then
    raise exception 'this person does not belong to a chapter of yours today. Ask an administrator to renew the membership' using errcode = '42501', constraint = 'affiliations_reach';
  end if;
  if myself is null or not exists (select from changed c where c.person_id = myself) then return null; end if;
  -- A membership gives the one who has it what every member may do: that is for others to decide, as long as they have none.
  if not exists (select from app.affiliations a where a.org_id = app.org_id() and a.person_id = myself and a.kind in ('member', 'alumni', 'advisor')
        and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today) and not exists (select from changed n where n.id = a.id))
    and exists (select from changed c where c.person_id = myself and c.kind in ('member', 'alumni', 'advisor') and (c.ends_on is null or c.ends_on >= today)) then
    if tg_op = 'UPDATE' then
      if exists (select from before a where a.person_id = myself and a.kind in ('member', 'alumni', 'advisor')
          and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today)) then return null; end if;
    end if;
    raise exception 'nobody makes themselves a member. Ask another officer or an administrator' using errcode = '42501', constraint = 'affiliations_own';
  end if;
  return null;
end $function$;
revoke all on function app.affiliations_reach() from public;
comment on function app.affiliations_reach() is 'A tie to a chapter is made or renewed with a right over the person today that does not come from this very tie; a person entered in this transaction is free';

CREATE OR REPLACE FUNCTION app.allocate_payment(payment uuid, allocations jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  p app.payments;
  i app.invoices;
  a record;
begin
  perform app_private.books_open(org);
  select x.* into p from app.payments x where x.org_id = org and x.id = payment for update;
  if p.id is null then raise exception 'there is no such payment' using errcode = '23503', constraint = 'payment_unknown'; end if;
  if not app_private.keeps_books(org, p.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  if p.state not in ('pending', 'settled', 'partly_refunded') then
    raise exception 'this payment pays nothing any more' using errcode = '23514', constraint = 'payment_over';
  end if;
  for a in select (x ->> 'invoice_id')::uuid as invoice_id, (x ->> 'amount')::bigint as amount from jsonb_array_elements(allocations) x order by 1 loop
    select x.* into i from app.invoices x where x.org_id = org and x.id = a.invoice_id for update;
    if i.id is null or i.kind <> 'invoice' then raise exception 'there is no such invoice' using errcode = '23503', constraint = 'payment_invoice_unknown'; end if;
    if i.state not in ('issued', 'partly_paid') then
      raise exception 'this invoice cannot be paid' using errcode = '23514', constraint = 'payment_invoice_closed';
    end if;
    if i.currency <> p.currency then
      raise exception 'this invoice is in another currency' using errcode = '23514', constraint = 'payment_currency';
    end if;
    insert into app.payment_allocations (org_id, payment_id, invoice_id, amount) values (org, payment, a.invoice_id, a.amount)
      on conflict (org_id, payment_id, invoice_id) do update set amount = app.payment_allocations.amount - app.payment_allocations.refunded_amount + excluded.amount, refunded_amount = 0;
    if not app_private.keeps_books(org, i.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  end loop;
  if (select sum(l.amount - l.refunded_amount) from app.payment_allocations l where l.org_id = org and l.payment_id = payment) > p.amount - p.refunded_amount then
    raise exception 'more was allocated than the payment has' using errcode = '23514', constraint = 'payment_too_small';
  end if;
  -- It pays once it has settled.
  if p.state = 'pending' then update app.payment_allocations l set refunded_amount = l.amount where l.org_id = org and l.payment_id = payment; end if;
  update app.payments x set updated_at = now() where x.org_id = org and x.id = payment;
end $function$;
revoke all on function app.allocate_payment(uuid,jsonb) from public;
grant execute on function app.allocate_payment(uuid,jsonb) to app_access;
comment on function app.allocate_payment(uuid,jsonb) is 'Says which invoices a payment is for; app.settle_payment lets it pay them';

CREATE OR REPLACE FUNCTION app.apply_reading(org uuid, payment uuid, known_reads integer, said jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  p app.payments;
  q app.payments;
  before text;
  r jsonb;
  after text;
  changed uuid[];
begin
  perform app_private.books_open(org);
  select x.* into p from app.payments x where x.org_id = org and x.id = payment and x.kind <> 'manual' for update;
  -- Somebody has read it meanwhile, and may know more than this answer does.
  if p.id is null or coalesce((select r.reads from app.payment_readings r where r.org_id = org and r.payment_id = payment), 0) <> known_reads then return null; end if;
  insert into app.payment_readings (org_id, payment_id) values (org, payment)
    on conflict (org_id, payment_id) do update set reads = app.payment_readings.reads + 1, read_at = now();
  before := p.state;
  -- What was given up here may still be open there; it comes back only when somebody has paid.
  after := case when said ->> 'state' = 'pending' and p.state in ('cancelled', 'failed') then p.state else said ->> 'state' end;
  if after = 'settled' and ((said ->> 'amount')::bigint <> p.amount or said ->> 'currency' <> p.currency) then
    insert into app.payment_differences (org_id, kind, provider_ref, payment_id, ours, theirs, currency)
      values (org, 'amount', said ->> 'intent', payment, p.amount, (said ->> 'amount')::bigint, said ->> 'currency')
      on conflict (org_id, kind, provider_ref) where resolved_at is null do update set last_seen_at = now(), theirs = excluded.theirs;
    update app.payments x set provider_ref = said ->> 'intent' where x.org_id = org and x.id = payment and x.provider_ref is null;
    return jsonb_build_object('before', before, 'after', before, 'kind', p.kind, 'person', p.person_id, 'invoices', '[]'::jsonb);
  end if;
  for r in select x from jsonb_array_elements(coalesce(said -> 'refunds', '[]')) x loop
    update app.refunds f set provider_refund = r ->> 'id', state = r ->> 'state', updated_at = now(),
        settled_at = case when r ->> 'state' = 'settled' then coalesce(f.settled_at, now()) end
      where f.org_id = org and f.payment_id = payment and (f.provider_refund = r ->> 'id' or f.id::text = r ->> 'refund')
        and (f.provider_refund, f.state) is distinct from (r ->> 'id', r ->> 'state');
    -- Given at the provider itself.
    insert into app.refunds (org_id, payment_id, amount, currency, reason, state, provider_refund, settled_at)
      select org, payment, (r ->> 'amount')::bigint, p.currency, '', r ->> 'state', r ->> 'id', case when r ->> 'state' = 'settled' then now() end
      where not exists (select from app.refunds f where f.org_id = org and f.provider_refund = r ->> 'id');
  end loop;
  perform app_private.count_refunds(org, payment);
  -- As it is to be; written only where something changes, so that a reading alone makes no new version.
  select x.* into q from app.payments x where x.org_id = org and x.id = payment;
  q.provider_ref := coalesce(q.provider_ref, said ->> 'intent');
  q.provider_customer := coalesce(q.provider_customer, said ->> 'customer');
  q.dispute_id := said ->> 'dispute';
  q.dispute_state := said ->> 'dispute_state';
  q.is_test := not (said ->> 'is_live')::boolean;
  q.counts := (said ->> 'counts')::boolean;
  if after = 'settled' then
    q.settled_at := coalesce(q.settled_at, (said ->> 'settled_at')::timestamptz);
    q.failure := null;
    after := app_private.payment_state(q);
  elsif after = 'pending' then q.failure := said ->> 'failure';
  else q.failure := coalesce(said ->> 'failure', q.failure);
  end if;
  q.state := after;
  update app.payments x set provider_ref = q.provider_ref, provider_customer = q.provider_customer, dispute_id = q.dispute_id, dispute_state = q.dispute_state,
      is_test = q.is_test, counts = q.counts, settled_at = q.settled_at, failure = q.failure, state = q.state
    where x.org_id = org and x.id = payment
      and (x.provider_ref, x.provider_customer, x.dispute_id, x.dispute_state, x.is_test, x.counts, x.settled_at, x.failure, x.state)
        is distinct from (q.provider_ref, q.provider_customer, q.dispute_id, q.dispute_state, q.is_test, q.counts, q.settled_at, q.failure, q.state);
  if said ->> 'state' = 'settled' then
    if said -> 'saved' ->> 'method' is not null and p.saves_method and p.person_id is not null then
      insert into app.payment_methods (org_id, person_id, provider_customer, provider_method, brand, last4, exp_month, exp_year)
        values (org, p.person_id, said ->> 'customer', said -> 'saved' ->> 'method', said -> 'saved' ->> 'brand', said -> 'saved' ->> 'last4',
          (said -> 'saved' ->> 'exp_month')::int, (said -> 'saved' ->> 'exp_year')::int)
        on conflict (org_id, provider_method) do nothing;
    end if;
    insert into app.payment_allocations (org_id, payment_id, invoice_id, amount, refunded_amount) select org, payment, p.invoice_id, p.amount, p.amount where p.invoice_id is not null
      on conflict (org_id, payment_id, invoice_id) do nothing;
  end if;
  select coalesce(array_agg(c), '{}') into changed from app_private.apply_payment(org, payment) c;
  update app.payment_events e set processed_at = now() where e.org_id = org and e.payment_id = payment and e.processed_at is null;
  return jsonb_build_object('before', before, 'after', after, 'kind', p.kind, 'person', p.person_id, 'invoices', to_jsonb(changed));
end $function$;
revoke all on function app.apply_reading(uuid,uuid,integer,jsonb) from public;
grant execute on function app.apply_reading(uuid,uuid,integer,jsonb) to app_worker;
comment on function app.apply_reading(uuid,uuid,integer,jsonb) is 'Brings a payment in line with what the provider says of it now; null when it was read again meanwhile. Answers the invoices whose state may have changed';

CREATE OR REPLACE FUNCTION app.apply_refund(payment uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  books uuid;
begin
  perform app_private.books_open(org);
  select p.books_chapter_id into books from app.payments p where p.org_id = org and p.id = payment and p.kind = 'manual' for update;
  if not found then return; end if;
  if not app_private.keeps_books(org, books) then raise exception 'not allowed' using errcode = '42501'; end if;
  perform app_private.count_refunds(org, payment);
  update app.payments p set state = app_private.payment_state(p) where p.org_id = org and p.id = payment and p.state in ('settled', 'partly_refunded');
  return query select app_private.apply_payment(org, payment);
end $function$;
revoke all on function app.apply_refund(uuid) from public;
grant execute on function app.apply_refund(uuid) to app_access;
comment on function app.apply_refund(uuid) is 'What was given back by hand pays nothing any more; answers the invoices whose state may have changed';

CREATE OR REPLACE FUNCTION app.audit_changes(action text, diff jsonb)
 RETURNS TABLE(field text, before jsonb, after jsonb)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select d.key, case action when 'update' then d.value -> 0 when 'delete' then d.value end, case action when 'update' then d.value -> 1 when 'delete' then null else d.value end
  from jsonb_each(diff) d where action in ('update', 'delete') or d.value not in ('""'::jsonb, '[]'::jsonb, '{}'::jsonb)
$function$;
revoke all on function app.audit_changes(text,jsonb) from public;
grant execute on function app.audit_changes(text,jsonb) to app_access;
comment on function app.audit_changes(text,jsonb) is 'What an entry says column by column; null is before there was a value, or after';

CREATE OR REPLACE FUNCTION app.audit_delete()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare org uuid;
begin
  for org in select distinct r.org_id from changed r loop
    perform app_private.audit_append(org, 'delete', tg_table_name, tg_argv[0], (select array_agg(to_jsonb(r)) from changed r where r.org_id = org), null, tg_argv[1]);
  end loop;
  return null;
end $function$;
revoke all on function app.audit_delete() from public;

CREATE OR REPLACE FUNCTION app.audit_insert()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare org uuid;
begin
  for org in select distinct r.org_id from changed r loop
    perform app_private.audit_append(org, 'create', tg_table_name, tg_argv[0], null, (select array_agg(to_jsonb(r)) from changed r where r.org_id = org), tg_argv[1]);
  end loop;
  return null;
end $function$;
revoke all on function app.audit_insert() from public;

CREATE OR REPLACE FUNCTION app.audit_update()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare org uuid;
begin
  -- What triggers themselves update of people (home chapter, majority) follows from other rows, whose entries say it all.
  if tg_table_name = 'people' and pg_trigger_depth() > 1 then return null; end if;
  for org in select distinct r.org_id from changed r loop
    -- Keys never change, so both transition tables pair up by the key column; an equality, so that many rows are hashed instead of compared each with each.
    perform app_private.audit_append(org, 'update', tg_table_name, tg_argv[0], array_agg(b.content), array_agg(a.content), tg_argv[1])
      from (select to_jsonb(r) as content from before r where r.org_id = org) b
      join (select to_jsonb(r) as content from changed r where r.org_id = org) a
        on coalesce(b.content ->> 'id', b.content ->> 'person_id', b.content ->> 'org_id') = coalesce(a.content ->> 'id', a.content ->> 'person_id', a.content ->> 'org_id');
  end loop;
  return null;
end $function$;
revoke all on function app.audit_update() from public;

CREATE OR REPLACE FUNCTION app.audit_value(action text, diff jsonb, field text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select case action when 'update' then coalesce(diff -> field ->> 1, diff -> field ->> 0) else diff ->> field end
$function$;
revoke all on function app.audit_value(text,jsonb,text) from public;
grant execute on function app.audit_value(text,jsonb,text) to app_access;
comment on function app.audit_value(text,jsonb,text) is 'A column of the record that an entry is about, as it was last';

CREATE OR REPLACE FUNCTION app.become_person()
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  me app.accounts;
  made uuid;
  called text;
begin
  select a.* into me from app.accounts a where a.org_id = app.org_id() and a.id = app.account_id() for update;
  if me.id is null or me.person_id is not null then return me.person_id; end if;
  called := regexp_replace(btrim(coalesce(nullif(btrim(me.name), ''), split_part(me.email, '@', 1))), '\s+', ' ', 'g');
  insert into app.people (org_id, given_name, family_name, lifecycle, created_by)
    select me.org_id, left(case when called like '% %' then regexp_replace(called, ' [^ ]+$', '') else called end, 100),
      left(case when called like '% %' then regexp_replace(called, '^.* ', '') else '' end, 100), 'prospect', me.id
    returning id into made;
  if me.email is not null and me.email_verified then
    insert into app.person_emails (org_id, person_id, address, is_primary) values (me.org_id, made, me.email, true);
  end if;
  update app.accounts a set person_id = made where a.org_id = me.org_id and a.id = me.id;
  return made;
end $function$;
revoke all on function app.become_person() from public;
grant execute on function app.become_person() to app_access;
comment on function app.become_person() is 'The person of the account that acts; made from its name and address when it has none';

CREATE OR REPLACE FUNCTION app.begin_charge(org uuid, invoice uuid, real_money boolean, counted boolean)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if not exists (select from app.payment_methods m join app.invoices i on i.org_id = m.org_id and i.person_id = m.person_id
      where m.org_id = org and i.id = invoice and m.removed_at is null) then return null; end if;
  return (app_private.begin_payment(org, invoice, null, 'charge', false, real_money, counted)).payment_id;
end $function$;
revoke all on function app.begin_charge(uuid,uuid,boolean,boolean) from public;
grant execute on function app.begin_charge(uuid,uuid,boolean,boolean) to app_worker;
comment on function app.begin_charge(uuid,uuid,boolean,boolean) is 'An attempt to charge the saved card of whoever owes an invoice; null without one';

CREATE OR REPLACE FUNCTION app.begin_checkout(invoice uuid, saves boolean, real_money boolean, counted boolean)
 RETURNS app.payment_begun
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare org uuid := app.org_id();
begin
  perform app_private.books_open(org);
  if not exists (select from app.invoices i where i.org_id = org and i.id = invoice
      and (i.person_id = app.person_id() or i.chapter_id = any (app.scope('finance.read')) or app_private.keeps_books(org, i.books_chapter_id))) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  -- A card is saved by its owner only.
  return app_private.begin_payment(org, invoice, app.account_id(), 'checkout',
    saves and exists (select from app.invoices i where i.org_id = org and i.id = invoice and i.person_id = app.person_id()), real_money, counted);
end $function$;
revoke all on function app.begin_checkout(uuid,boolean,boolean,boolean) from public;
grant execute on function app.begin_checkout(uuid,boolean,boolean,boolean) to app_access;
comment on function app.begin_checkout(uuid,boolean,boolean,boolean) is 'Begins to pay an invoice of the actor''s own, or one of a chapter whose dues they read';

CREATE OR REPLACE FUNCTION app.begin_checkout_by_link(idp_org text, secret_hash text, real_money boolean, counted boolean)
 RETURNS app.payment_begun
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare l record;
begin
  select * into l from app_private.invoice_by_link(idp_org, secret_hash);
  if l.invoice is null then return null; end if;
  return app_private.begin_payment(l.org, l.invoice, null, 'checkout', false, real_money, counted);
end $function$;
revoke all on function app.begin_checkout_by_link(text,text,boolean,boolean) from public;
grant execute on function app.begin_checkout_by_link(text,text,boolean,boolean) to app_access;
comment on function app.begin_checkout_by_link(text,text,boolean,boolean) is 'Begins to pay the invoice that a link is about, for whoever has the link';

CREATE OR REPLACE FUNCTION app.cancel_mail(mail uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if not app.everywhere('account.manage') then raise exception 'only those who keep the accounts call mail off' using errcode = '42501'; end if;
  update app.mail_messages x set state = 'suppressed', outcome = 'cancelled', settled_at = now()
    where x.org_id = app.org_id() and x.id = mail and x.state = 'queued';
  return found;
end $function$;
revoke all on function app.cancel_mail(uuid) from public;
grant execute on function app.cancel_mail(uuid) to app_access;
comment on function app.cancel_mail(uuid) is 'A mail that waits goes to nobody; false for one that is being sent or was';

CREATE OR REPLACE FUNCTION app.card_by_link(idp_org text, secret_hash text)
 RETURNS TABLE(name text, picture_id uuid, chapter text, valid_until date)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select n.name, case when n.name is not null and g.with_picture then p.picture_id end, h.name, least(c.valid_until, v.until)
  from app.open_link(idp_org, 'cards', secret_hash) l
  join app.member_cards c on c.org_id = l.org_id and c.id = l.subject_id and c.state = 'eligible'
  join app.people p on p.org_id = c.org_id and p.id = c.person_id
  cross join lateral app_private.card_valid(c.org_id, c.person_id) v
  join app.chapters h on h.org_id = c.org_id and h.id = v.chapter_id
  cross join lateral (select (now() at time zone r.timezone)::date as today from app.organisations r where r.org_id = c.org_id) o
  cross join lateral (select app_private.public_name(p.org_id, p.id) as name) n
  left join app.public_names g on g.org_id = p.org_id and g.person_id = p.id
  where l.subject_type = 'member_card' and c.valid_until >= o.today
$function$;
revoke all on function app.card_by_link(text,text) from public;
grant execute on function app.card_by_link(text,text) to app_access;
comment on function app.card_by_link(text,text) is 'What the code of a member card shows while the card is valid: chapter and last day, and the name and picture of a holder who agreed to that';

CREATE OR REPLACE FUNCTION app.card_standing(person uuid)
 RETURNS TABLE(chapter_id uuid, until date)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select v.chapter_id, v.until from app_private.card_valid((select app.org_id()), person) v
  where person = (select app.person_id()) or (select app.everywhere('people.write'))
    or exists (select from app.people_within('people.write') w where w.org_id = (select app.org_id()) and w.person_id = person)
$function$;
revoke all on function app.card_standing(uuid) from public;
grant execute on function app.card_standing(uuid) to app_access;
comment on function app.card_standing(uuid) is 'The same for the person themselves and for whoever keeps their record';

CREATE OR REPLACE FUNCTION app.changeable_roles()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  actor app.actor_context := app.actor();
  me uuid := app.person_id();
  held text[] := app.held_everywhere();
begin
  if not 'account.manage' = any (held) then return '{}'; end if;
  return (select coalesce(array_agg(r.id), '{}') from app.roles r
    where r.org_id = actor.org_id and r.custom and not r.key = any (actor.idp_roles)
      and not exists (select from app.role_permissions p where p.org_id = r.org_id and p.role_id = r.id and not p.permission = any (held))
      and not exists (select from app.grants g where g.org_id = r.org_id and g.role_id = r.id and g.account_id = actor.account_id)
      and not exists (select from app.position_holders h join app.positions s on s.org_id = h.org_id and s.id = h.position_id
        where h.org_id = r.org_id and s.role_id = r.id and h.person_id = me));
end $function$;
revoke all on function app.changeable_roles() from public;
grant execute on function app.changeable_roles() to app_access;
comment on function app.changeable_roles() is 'Nobody changes a standard role, a role they have, had or will have, or one that allows more than they hold';

CREATE OR REPLACE FUNCTION app.chapters_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if (app.actor()).org_id is null or pg_trigger_depth() > 1 then return new; end if;
  if (new.parent_id, new.code, new.level, new.status, new.chartered_on, new.closed_on) is distinct from (old.parent_id, old.code, old.level, old.status, old.chartered_on, old.closed_on)
    and not app.everywhere('chapters.manage') then
    raise exception 'place, code and status of a chapter are decided by the organisation' using errcode = '42501', constraint = 'chapters_organisation';
  end if;
  return new;
end $function$;
revoke all on function app.chapters_guard() from public;

CREATE OR REPLACE FUNCTION app.chapters_place()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if tg_op = 'UPDATE' and new.parent_id is not distinct from old.parent_id then return null; end if;
  if tg_op = 'UPDATE' then
    -- One move at a time per organisation: two crossing moves could otherwise each look harmless and close a circle together.
    perform pg_advisory_xact_lock(hashtextextended('chapters:' || new.org_id, 0));
    if exists (select from app.chapter_ancestors a where a.org_id = new.org_id and a.ancestor_id = new.id and a.chapter_id = new.parent_id) then
      raise exception '% would be a circle', (select string_agg(c.name, ' → ' order by up.distance desc) || ' → ' || new.name
          from app.chapter_ancestors up
          join app.chapter_ancestors down on down.org_id = up.org_id and down.ancestor_id = new.id and down.chapter_id = up.ancestor_id
          join app.chapters c on c.org_id = up.org_id and c.id = up.ancestor_id
          where up.org_id = new.org_id and up.chapter_id = new.parent_id)
        using errcode = '23514', constraint = 'chapters_no_circle',
          detail = (select json_build_object('chapters', array_append(array_agg(c.name order by up.distance desc), new.name))
            from app.chapter_ancestors up
            join app.chapter_ancestors down on down.org_id = up.org_id and down.ancestor_id = new.id and down.chapter_id = up.ancestor_id
            join app.chapters c on c.org_id = up.org_id and c.id = up.ancestor_id
            where up.org_id = new.org_id and up.chapter_id = new.parent_id);
    end if;
    delete from app.chapter_ancestors a using app.chapter_ancestors sub
      where sub.org_id = new.org_id and sub.ancestor_id = new.id and a.org_id = new.org_id and a.chapter_id = sub.chapter_id and a.distance > sub.distance;
    insert into app.chapter_ancestors (org_id, ancestor_id, chapter_id, distance)
      select new.org_id, up.ancestor_id, sub.chapter_id, up.distance + sub.distance + 1
      from app.chapter_ancestors up join app.chapter_ancestors sub on sub.org_id = up.org_id and sub.ancestor_id = new.id
      where up.org_id = new.org_id and up.chapter_id = new.parent_id;
    perform app_private.refuse_deep_chapters(new.org_id, new.id);
    update app.chapters c set depth = (select count(*) from app.chapter_ancestors a where a.org_id = c.org_id and a.chapter_id = c.id)
      from app.chapter_ancestors sub where sub.org_id = new.org_id and sub.ancestor_id = new.id and c.org_id = sub.org_id and c.id = sub.chapter_id;
  else
    insert into app.chapter_ancestors (org_id, ancestor_id, chapter_id, distance)
      select new.org_id, a.ancestor_id, new.id, a.distance + 1 from app.chapter_ancestors a
        where a.org_id = new.org_id and a.chapter_id = new.parent_id
      union all select new.org_id, new.id, new.id, 0;
    if new.parent_id is not null then
      perform app_private.refuse_deep_chapters(new.org_id, new.id);
      update app.chapters c set depth = (select count(*) from app.chapter_ancestors a where a.org_id = c.org_id and a.chapter_id = c.id)
        where c.org_id = new.org_id and c.id = new.id;
    end if;
  end if;
  return null;
end $function$;
revoke all on function app.chapters_place() from public;
comment on function app.chapters_place() is 'Keeps chapter_ancestors and depth; refuses a circle and, by the check on depth, a ninth level';

CREATE OR REPLACE FUNCTION app.charge_membership_terms(org uuid, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  actor app.actor_context := app.actor();
  r record;
  made int := 0;
begin
  if actor.org_id is not null and (actor.org_id <> org or not app.everywhere('memberships.manage')) then
    raise exception 'memberships are run by administrators' using errcode = '42501', constraint = 'memberships_administrators';
  end if;
  for r in select t.id, t.person_id, t.price_amount, t.price_currency, t.chapter_share_bps, m.chapter_id, y.name, m.ends_on
      from app.membership_terms t
      join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id and m.status in ('awaiting_payment', 'active', 'grace')
      join app.membership_types y on y.org_id = m.org_id and y.id = m.type_id
      where t.org_id = org and t.status = 'open' and t.price_amount > 0
        and not exists (select from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id
          where l.org_id = t.org_id and l.subject_type = 'membership_term' and l.subject_id = t.id and i.state <> 'void')
      order by t.id limit most loop
    perform app.issue_invoice(org, app.draft_invoice(org, jsonb_build_object('personId', r.person_id, 'currency', r.price_currency, 'reason', r.name,
      'dedupeKey', 'membership_term:' || r.id,
      'dueOn', case when r.ends_on >= app_private.today_of(org) then r.ends_on end,
      'lines', jsonb_build_array(jsonb_build_object('text', r.name, 'amount', r.price_amount, 'subjectType', 'membership_term', 'subjectId', r.id)
        || case when r.chapter_id is null or r.chapter_share_bps = 0 then '{}'
          else jsonb_build_object('shareChapterId', r.chapter_id, 'shareAmount', round(r.price_amount::numeric * r.chapter_share_bps / 10000)) end))));
    made := made + 1;
  end loop;
  return made;
end $function$;
revoke all on function app.charge_membership_terms(uuid,integer) from public;
grant execute on function app.charge_membership_terms(uuid,integer) to app_access;
grant execute on function app.charge_membership_terms(uuid,integer) to app_worker;
comment on function app.charge_membership_terms(uuid,integer) is 'Issues the invoices of open terms that have none; how many. Stopped halfway, the next call goes on';

CREATE OR REPLACE FUNCTION app.claim_mail(most integer, lease interval, per_domain_minute integer, per_address_hour integer)
 RETURNS TABLE(org_id uuid, id uuid, attempt integer, template text, params jsonb, essential boolean, to_address text, reply_to text, account_id uuid, idp_roles text[], language text, organisation text, locale text, timezone text, trace text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  m app.mail_messages;
  r record;
  turn timestamptz;
begin
  -- What a worker had claimed and not begun to hand over is anybody's; what it was handing over may have arrived.
  update app.mail_messages x set
      state = case when x.handed_at is null then 'queued' else 'unknown' end,
      outcome = case when x.handed_at is null then '' else 'worker_died' end,
      settled_at = case when x.handed_at is null then null else now() end,
      next_at = now(), lease_until = null
    where x.state = 'sending' and x.lease_until < now();
  for m in
    select x.* from app.mail_messages x where x.state = 'queued' and x.next_at <= now() order by x.next_at, x.id limit most for update skip locked
  loop
    select * into r from app_private.mail_recipient(m);
    if r.refusal is not null then
      update app.mail_messages x set state = 'suppressed', outcome = r.refusal, sent_to = null, settled_at = now() where x.org_id = m.org_id and x.id = m.id;
      continue;
    end if;
    if not m.paced then
      turn := greatest(
        app_private.mail_turn('@' || lower(split_part(r.address, '@', 2)), interval '1 minute' / nullif(per_domain_minute, 0), interval '10 seconds', not m.essential),
        app_private.mail_turn(app_private.address_hash(r.address), interval '1 hour' / nullif(per_address_hour, 0), interval '30 minutes', true));
      if turn > now() then
        update app.mail_messages x set paced = true, next_at = turn where x.org_id = m.org_id and x.id = m.id;
        continue;
      end if;
    end if;
    update app.mail_messages x set state = 'sending', attempts = x.attempts + 1, lease_until = now() + lease, handed_at = null, sent_to = r.address
      where x.org_id = m.org_id and x.id = m.id;
    return query select m.org_id, m.id, m.attempts + 1, m.template, m.params, m.essential, r.address, m.reply_to, r.account, r.idp_roles,
      r.language, o.name, o.locale, o.timezone, m.trace from app.organisations o where o.org_id = m.org_id;
  end loop;
end $function$;
revoke all on function app.claim_mail(integer,interval,integer,integer) from public;
grant execute on function app.claim_mail(integer,interval,integer,integer) to app_worker;
comment on function app.claim_mail(integer,interval,integer,integer) is 'Mail that is due, for one worker until its lease ends, at most so much to one domain a minute and to one address an hour; essential mail does not wait for its domain';

CREATE OR REPLACE FUNCTION app.compare_payments(org uuid, theirs jsonb)
 RETURNS TABLE(payment_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  -- Known here, and otherwise there: a fresh reading mends it.
  select p.id from jsonb_to_recordset(theirs) t (payment uuid, intent text, state text, amount bigint, refunded bigint, disputed boolean)
    join app.payments p on p.org_id = org and p.kind <> 'manual' and (p.id = t.payment or p.provider_ref = t.intent)
    where (t.state = 'settled') is distinct from (p.state in ('settled', 'partly_refunded', 'refunded', 'disputed')) or t.refunded <> p.refunded_amount
      or (t.disputed and coalesce(p.dispute_state, 'open') = 'open')
$function$;
revoke all on function app.compare_payments(uuid,jsonb) from public;
grant execute on function app.compare_payments(uuid,jsonb) to app_worker;
comment on function app.compare_payments(uuid,jsonb) is 'Payments of ours of which the provider says something else';

CREATE OR REPLACE FUNCTION app.contact_message(org uuid, message_id uuid)
 RETURNS TABLE(reference text, name text, email text, topic text, message text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select m.reference, m.name, m.email, m.topic, m.message from app.contact_messages m where m.org_id = org and m.id = message_id
$function$;
revoke all on function app.contact_message(uuid,uuid) from public;
grant execute on function app.contact_message(uuid,uuid) to app_worker;
comment on function app.contact_message(uuid,uuid) is 'A message of the contact page, for the worker that mails the notice';

CREATE OR REPLACE FUNCTION app.contact_recipients(org uuid)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select distinct mail from (
    select a.email as mail from app.accounts a
      join app.roles r on r.org_id = a.org_id and r.key = any (a.idp_roles)
      join app.role_permissions p on p.org_id = r.org_id and p.role_id = r.id and p.permission = 'organisation.manage'
      where a.org_id = org and a.status = 'active' and a.last_login_at > now() - interval '30 days'
    union
    select a.email from app.accounts a join app.grants g on g.org_id = a.org_id and g.account_id = a.id and g.scope_kind = 'org'
      join app.role_permissions p on p.org_id = g.org_id and p.role_id = g.role_id and p.permission = 'organisation.manage'
      where a.org_id = org and a.status = 'active' and g.starts_on <= current_date and (g.ends_on is null or g.ends_on >= current_date)
    union select o.contact_email from app.organisations o where o.org_id = org
  ) x where mail is not null
$function$;
revoke all on function app.contact_recipients(uuid) from public;
grant execute on function app.contact_recipients(uuid) to app_worker;
comment on function app.contact_recipients(uuid) is 'Addresses of the organisation''s administrators, for notices: by grants, and by roles that the provider vouched for within 30 days; for the worker only, which writes them';

CREATE OR REPLACE FUNCTION app.count_attempt(org uuid, what text, from_where text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  counted int;
  key text;
begin
  -- What one place sends too much does not count for all, or one could silence everybody.
  foreach key in array array[from_where, '*'] loop
    insert into app.contact_attempts as a (org_id, source) values (org, what || ' ' || key)
      on conflict (org_id, source) do update set
        attempts = case when a.since < now() - interval '1 hour' then 1 else a.attempts + 1 end,
        since = case when a.since < now() - interval '1 hour' then now() else a.since end
      returning attempts into counted;
    if counted > (case key when '*' then 200 else 10 end) then return false; end if;
  end loop;
  return true;
end $function$;
revoke all on function app.count_attempt(uuid,text,text) from public;
grant execute on function app.count_attempt(uuid,text,text) to app_access;
comment on function app.count_attempt(uuid,text,text) is 'What servers of the version before ask; see the one that takes several places';

CREATE OR REPLACE FUNCTION app.count_attempt(org uuid, what text, places text[])
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  -- Address or /64, /56, /24 or /48, /16 or /32, everybody.
  allowed constant int[] := array[10, 15, 20, 60, 200];
  counted int;
begin
  if cardinality(places) <> 4 then raise exception 'four places are counted' using errcode = '22023'; end if;
  -- What one place sends too much does not count for those around it, or one could silence everybody.
  for place in 1..5 loop
    continue when place < 5 and places[place] is null;
    insert into app.contact_attempts as a (org_id, source)
      values (org, what || ' ' || case place when 5 then '*' else places[place] end)
      on conflict (org_id, source) do update set
        attempts = case when a.since < now() - interval '1 hour' then 1 else a.attempts + 1 end,
        since = case when a.since < now() - interval '1 hour' then now() else a.since end
      returning attempts into counted;
    if counted > allowed[place] then return false; end if;
  end loop;
  return true;
end $function$;
revoke all on function app.count_attempt(uuid,text,text[]) from public;
grant execute on function app.count_attempt(uuid,text,text[]) to app_access;
comment on function app.count_attempt(uuid,text,text[]) is 'Whether something that anybody may do, such as writing to the administrators, may be done once more within the hour: 10 times from one address (IPv4) or /64 (IPv6), 15 from a /56, 20 from a /24 or /48, 60 from a /16 or /32, 200 in all. Places go from narrow to wide, null where there is no such network';

CREATE OR REPLACE FUNCTION app.count_people_read(rows_read integer, OUT used integer, OUT again_in integer, OUT reach text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  actor app.actor_context := app.actor();
  more int := greatest(rows_read, 0);
  began timestamptz;
begin
  if actor.org_id is null then return; end if;
  -- Nobody waits for these counts to reach the disk; a database that crashes forgets seconds of them.
  perform set_config('synchronous_commit', 'off', true);
  insert into app.use_counts as c (org_id, operation, who, uses) values (actor.org_id, 'readPeople', actor.account_id::text, more)
    on conflict (org_id, operation, who) do update set
      uses = case when c.since < now() - interval '1 hour' then more else least(c.uses::bigint + more, 2000000000) end,
      since = case when c.since < now() - interval '1 hour' then now() else c.since end
    returning c.uses, c.since into used, began;
  again_in := greatest(1, ceil(extract(epoch from began + interval '1 hour' - now())));
  reach := case
    when app.everywhere('people.directory') and app.everywhere('people.contact') then 'organisation'
    when app.everywhere('people.contact') or app.everywhere('people.write') or app.everywhere('people.sensitive')
      or app.scope('people.contact') <> '{}' or app.scope('people.write') <> '{}' or app.scope('people.sensitive') <> '{}' then 'officer'
    else 'member' end;
end $function$;
revoke all on function app.count_people_read(integer) from public;
grant execute on function app.count_people_read(integer) to app_access;
comment on function app.count_people_read(integer) is 'Adds to the people that the actor has read in the hour that began with the first; how many there are now, the seconds until the next hour, and how far the actor''s rights reach';

CREATE OR REPLACE FUNCTION app.count_token_use(statement text, asked text, allowed integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  said jsonb := app_private.token_statement(statement, 'find');
  org uuid := app.token_organisation(said ->> 'idpOrg');
begin
  if org is null then return 0; end if;
  return app.count_use(org, asked, encode(sha256(convert_to(jsonb_build_array(said ->> 'issuer', said ->> 'subject')::text, 'UTF8')), 'hex'), allowed);
end $function$;
revoke all on function app.count_token_use(text,text,integer) from public;
grant execute on function app.count_token_use(text,text,integer) to app_access;
comment on function app.count_token_use(text,text,integer) is 'Counts one use by the subject of a verified token, who may have no account; the seconds to wait as with count_use';

CREATE OR REPLACE FUNCTION app.count_use(org uuid, asked text, asker text, allowed integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  insert into app.use_counts as c (org_id, operation, who) values (org, asked, asker)
    on conflict (org_id, operation, who) do update set
      uses = case when c.since < now() - interval '1 hour' then 1 else c.uses + 1 end,
      since = case when c.since < now() - interval '1 hour' then now() else c.since end
    returning case when uses <= allowed then 0 else ceil(extract(epoch from since + interval '1 hour' - now()))::int end
$function$;
revoke all on function app.count_use(uuid,text,text,integer) from public;
grant execute on function app.count_use(uuid,text,text,integer) to app_access;
comment on function app.count_use(uuid,text,text,integer) is 'Counts one use; the seconds to wait when that is one too many within the hour, or 0';

CREATE OR REPLACE FUNCTION app.credit_invoice(org uuid, invoice uuid, lines jsonb, why text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  i app.invoices := app_private.lock_invoice(org, invoice);
  note app.invoices;
  today constant date := app_private.today_in(org);
  taken int;
begin
  if not app_private.keeps_books(org, i.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  if i.kind <> 'invoice' or i.state in ('draft', 'void') then
    raise exception 'only an issued invoice is credited' using errcode = '23514', constraint = 'invoice_not_issued';
  end if;
  insert into app.invoices (org_id, kind, person_id, chapter_id, books_chapter_id, currency, credits_id, reason, due_on, created_by)
    values (org, 'credit_note', i.person_id, i.chapter_id, i.books_chapter_id, i.currency, i.id, coalesce(why, ''), today, app.account_id()) returning * into note;
  perform app_private.write_lines(org, note.id, coalesce(lines, (select jsonb_agg(jsonb_build_object('text', l.text, 'amount', -l.net_amount, 'taxBps', l.tax_bps, 'taxNote', l.tax_note,
      'shareChapterId', l.share_chapter_id, 'shareAmount', -l.share_amount) order by l.place) from app.invoice_lines l where l.org_id = org and l.invoice_id = invoice)));
  select * into note from app.invoices x where x.org_id = org and x.id = note.id;
  if note.total_amount >= 0 then raise exception 'a credit note has an amount' using errcode = '23514', constraint = 'credit_without_amount'; end if;
  if i.credited_amount - note.total_amount > i.total_amount then
    raise exception 'more cannot be credited than was charged' using errcode = '23514', constraint = 'credit_too_high';
  end if;
  taken := app_private.take_number(org, 'credit_note', extract(year from today)::int);
  update app.invoices x set state = 'issued', number = concat('CN-', extract(year from today), '-', lpad(taken::text, greatest(5, length(taken::text)), '0')),
      number_year = extract(year from today)::int, number_place = taken, issued_on = today, issued_at = now(), billing = i.billing, seller = app_private.seller_of(org)
    where x.org_id = org and x.id = note.id;
  return note.id;
end $function$;
revoke all on function app.credit_invoice(uuid,uuid,jsonb,text) from public;
grant execute on function app.credit_invoice(uuid,uuid,jsonb,text) to app_access;
grant execute on function app.credit_invoice(uuid,uuid,jsonb,text) to app_worker;
comment on function app.credit_invoice(uuid,uuid,jsonb,text) is 'Issues a credit note over an invoice, all of it unless lines (below zero) say what; its id. invoice_settled brings the invoice in line';

CREATE OR REPLACE FUNCTION app.decides_membership(person uuid, chapter uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select app_private.decides_for(app.org_id(), person, chapter)
$function$;
revoke all on function app.decides_membership(uuid,uuid) from public;
grant execute on function app.decides_membership(uuid,uuid) to app_access;
comment on function app.decides_membership(uuid,uuid) is 'Whether the actor decides on the membership of a person in a chapter';

CREATE OR REPLACE FUNCTION app.draft_invoice(org uuid, wanted jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  i app.invoices;
  books uuid;
begin
  perform app_private.books_open(org);
  if wanted ->> 'dedupeKey' is not null then
    select * into i from app.invoices x where x.org_id = org and x.dedupe_key = wanted ->> 'dedupeKey';
    if found then return i.id; end if;
  end if;
  books := coalesce((wanted ->> 'chapterId')::uuid,
    (select p.home_chapter_id from app.people p where p.org_id = org and p.id = (wanted ->> 'personId')::uuid));
  insert into app.invoices (org_id, kind, person_id, chapter_id, books_chapter_id, currency, due_on, reason, note, dedupe_key, created_by)
    values (org, 'invoice', (wanted ->> 'personId')::uuid, (wanted ->> 'chapterId')::uuid, books,
      coalesce(wanted ->> 'currency', (select o.currency from app.organisations o where o.org_id = org)), (wanted ->> 'dueOn')::date,
      coalesce(wanted ->> 'reason', ''), coalesce(wanted ->> 'note', ''), wanted ->> 'dedupeKey', app.account_id())
    returning * into i;
  perform app_private.write_lines(org, i.id, wanted -> 'lines');
  if not app_private.keeps_books(org, books) and not app_private.orders(org, i) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  return i.id;
end $function$;
revoke all on function app.draft_invoice(uuid,jsonb) from public;
grant execute on function app.draft_invoice(uuid,jsonb) to app_access;
grant execute on function app.draft_invoice(uuid,jsonb) to app_worker;
comment on function app.draft_invoice(uuid,jsonb) is 'Drafts an invoice for a person or a chapter, once under the same dedupeKey; its id. For those who manage finance there, and for what somebody orders at its price';

CREATE OR REPLACE FUNCTION app.due_files()
 RETURNS TABLE(org_id uuid, file_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select l.org_id, l.file_id from app.loose_files l
    where l.due_at <= now() and not exists (select from app.files f where f.org_id = l.org_id and f.id = l.file_id)
    order by l.due_at limit 500
$function$;
revoke all on function app.due_files() from public;
grant execute on function app.due_files() to app_worker;
comment on function app.due_files() is 'Contents in the store that are to be removed, for the worker';

CREATE OR REPLACE FUNCTION app.end_lifecycle_overrides(org uuid, today date)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  actor app.actor_context := app.actor();
  ended uuid[];
begin
  if actor.org_id is not null and (actor.org_id <> org or not app.everywhere('memberships.manage')) then
    raise exception 'memberships are run by administrators' using errcode = '42501', constraint = 'memberships_administrators';
  end if;
  with gone as (delete from app.lifecycle_overrides o where o.org_id = org and o.until < today returning o.person_id)
    select coalesce(array_agg(g.person_id), '{}') into ended from gone g;
  perform set_config('app.lifecycle_derived', '1', true);
  perform app_private.derive_lifecycle(org, ended);
  perform set_config('app.lifecycle_derived', '', true);
  return cardinality(ended);
end $function$;
revoke all on function app.end_lifecycle_overrides(uuid,date) from public;
grant execute on function app.end_lifecycle_overrides(uuid,date) to app_access;
grant execute on function app.end_lifecycle_overrides(uuid,date) to app_worker;
comment on function app.end_lifecycle_overrides(uuid,date) is 'Ends lifecycles that were set by hand until a day; memberships decide again';

CREATE OR REPLACE FUNCTION app.end_sessions(statement text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  said jsonb := app_private.token_statement(statement, 'logout');
begin
  insert into app_private.logout_tokens (issuer, token_id) values (said ->> 'issuer', said ->> 'tokenId') on conflict do nothing;
  if not found then return false; end if;
  update app.accounts a set tokens_valid_after = greatest(a.tokens_valid_after, to_timestamp((said ->> 'issuedAt')::bigint))
    where a.issuer = said ->> 'issuer' and a.subject = said ->> 'subject';
  return true;
end $function$;
revoke all on function app.end_sessions(text) from public;
grant execute on function app.end_sessions(text) to app_access;
comment on function app.end_sessions(text) is 'Refuses every earlier access token of a subject that the provider signed out; false when this logout token was obeyed before';

CREATE OR REPLACE FUNCTION app.ending_term(org uuid, holder uuid)
 RETURNS TABLE(title text, chapter text, ends_on date)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select s.title, c.name, h.ends_on from app.position_holders h
  join app.positions s on s.org_id = h.org_id and s.id = h.position_id
  join app.chapters c on c.org_id = s.org_id and c.id = s.chapter_id
  where h.org_id = org and h.id = holder
$function$;
revoke all on function app.ending_term(uuid,uuid) from public;
grant execute on function app.ending_term(uuid,uuid) to app_worker;
comment on function app.ending_term(uuid,uuid) is 'A term of office as its holder is told of its end; for the worker that mails the notice';

CREATE OR REPLACE FUNCTION app.everywhere(wanted text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  actor app.actor_context := app.actor();
  me uuid;
  today date;
begin
  if actor.org_id is null then return false; end if;
  -- One source after the other, the likeliest first: every statement asks this, and mostly the first one answers.
  if actor.idp_roles <> '{}' and exists (select from app_private.by_provider(actor, wanted)) then return true; end if;
  select m.me, m.today into me, today from app_private.me_today(actor) m;
  if exists (select from app_private.by_grant(actor, today, wanted) g where g.scope_kind = 'org') then return true; end if;
  return me is not null and exists (select from app_private.by_membership(actor, me, today, wanted) m where m.scope_kind = 'org');
end $function$;
revoke all on function app.everywhere(text) from public;
grant execute on function app.everywhere(text) to app_access;
comment on function app.everywhere(text) is 'Whether the actor holds a permission in the whole organisation';

CREATE OR REPLACE FUNCTION app.expired_files()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select x.file_key from app.exports x where x.expires_at < now() and x.file_key is not null
  union all
  select 'imports/' || i.id || '/' || f from app.imports i cross join unnest(array['source', 'rows.csv', 'errors.csv']) f
    where i.created_at < now() - interval '30 days' and i.file_key <> '' and i.status not in ('checking', 'running', 'undoing')
$function$;
revoke all on function app.expired_files() from public;
grant execute on function app.expired_files() to app_worker;
comment on function app.expired_files() is 'Files of exports whose time is over and of imports older than 30 days, for the worker to remove';

CREATE OR REPLACE FUNCTION app.fail_refund(org uuid, refund uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update app.refunds r set state = 'failed', updated_at = now() where r.org_id = org and r.id = refund and r.state = 'pending' and r.provider_refund is null
$function$;
revoke all on function app.fail_refund(uuid,uuid) from public;
grant execute on function app.fail_refund(uuid,uuid) to app_worker;
comment on function app.fail_refund(uuid,uuid) is 'The provider does not give this refund';

CREATE OR REPLACE FUNCTION app.failed_charge(org uuid, payment uuid)
 RETURNS TABLE(invoice uuid, number text, amount bigint, currency text, failure text, person uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select i.id, coalesce(i.number, i.foreign_number), i.balance_amount, i.currency, coalesce(p.failure, 'declined'), p.person_id
    from app.payments p join app.invoices i on i.org_id = p.org_id and i.id = p.invoice_id
    where p.org_id = org and p.id = payment and p.kind = 'charge' and p.state = 'failed' and i.state in ('issued', 'partly_paid')
$function$;
revoke all on function app.failed_charge(uuid,uuid) from public;
grant execute on function app.failed_charge(uuid,uuid) to app_worker;
comment on function app.failed_charge(uuid,uuid) is 'A charge of a saved card that failed, while its invoice is still to be paid; for the worker that mails it';

CREATE OR REPLACE FUNCTION app.field_choice_replace(field uuid, choice uuid, replacement uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  f app.fields;
  record text;
begin
  if org is null or not app.everywhere('organisation.manage') then
    raise exception 'only those who manage fields replace a choice' using errcode = '42501';
  end if;
  select * into f from app.fields x where x.org_id = org and x.id = field;
  if not exists (select from app.field_choices c where c.org_id = org and c.field_id = field and c.id = replacement) then
    raise exception 'there is no such choice' using errcode = '23514', constraint = 'field_choice';
  end if;
  record := (select a.attname from pg_attribute a where a.attrelid = format('app.%I', f.record_type || '_field_values')::regclass and a.attnum = 3);
  -- Who has both already keeps one.
  execute format('delete from app.%1$I v where v.org_id = $1 and v.field_id = $2 and v.key = $3::text
    and exists (select from app.%1$I o where o.org_id = v.org_id and o.%2$I = v.%2$I and o.field_id = v.field_id and o.key = $4::text)', f.record_type || '_field_values', record)
    using org, field, choice, replacement;
  execute format('update app.%1$I v set value = $4::text where v.org_id = $1 and v.field_id = $2 and v.key = $3::text', f.record_type || '_field_values')
    using org, field, choice, replacement;
end $function$;
revoke all on function app.field_choice_replace(uuid,uuid,uuid) from public;
grant execute on function app.field_choice_replace(uuid,uuid,uuid) to app_access;
comment on function app.field_choice_replace(uuid,uuid,uuid) is 'Gives everybody who has one choice another instead, before it is deleted';

CREATE OR REPLACE FUNCTION app.field_choices_used()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  f app.fields;
  used boolean;
begin
  select * into f from app.fields x where x.org_id = old.org_id and x.id = old.field_id;
  if f.id is null then return old; end if;
  execute format('select exists (select from app.%I v where v.org_id = $1 and v.field_id = $2 and v.key = $3::text)', f.record_type || '_field_values')
    into used using old.org_id, old.field_id, old.id;
  if used then raise exception 'this choice is in use' using errcode = '23P01', constraint = 'field_choice_in_use'; end if;
  return old;
end $function$;
revoke all on function app.field_choices_used() from public;
comment on function app.field_choices_used() is 'A choice that somebody has is replaced first, or retired';

CREATE OR REPLACE FUNCTION app.field_common(type text, field uuid, keys text[], lowest text, highest text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  many boolean;
begin
  if org is null or not exists (select from app_private.field_records r where r.record_type = type) then return false; end if;
  execute format('select count(*) > 10000 from (select from app.%I v where v.org_id = $1 and v.field_id = $2
    and ($3 is null or v.key = any ($3)) and ($4 is null or v.key >= $4) and ($5 is null or v.key <= $5) limit 10001) n', type || '_field_values')
    into many using org, field, keys, lowest, highest;
  return many;
end $function$;
revoke all on function app.field_common(text,uuid,text[],text,text) from public;
grant execute on function app.field_common(text,uuid,text[],text,text) to app_access;
comment on function app.field_common(text,uuid,text[],text,text) is 'Whether so many records have one of these values, or one between these two, that a list meets them on its way; for the choice of a plan, never for an answer';

CREATE OR REPLACE FUNCTION app.field_key(type text, value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE type WHEN 'number'::text THEN to_char(((value)::numeric + ('1000000000000'::bigint)::numeric), 'FM0000000000000.0000'::text) WHEN 'text'::text THEN "left"(app.fold(value), 500) WHEN 'url'::text THEN "left"(app.fold(value), 500) ELSE value END;
revoke all on function app.field_key(text,text) from public;
grant execute on function app.field_key(text,text) to app_access;
grant execute on function app.field_key(text,text) to app_definer;
comment on function app.field_key(text,text) is 'A value as text that sorts and compares as the value does, whatever its type, so that one index serves all of them';

CREATE OR REPLACE FUNCTION app.field_records_kept(sensitive boolean)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return array(select r.record_type from app_private.field_records r
    cross join lateral (select case when field_records_kept.sensitive then r.sensitive else r.kept end as permission) n
    where app.everywhere(n.permission) or app.scope(n.permission) <> '{}' or app.group_scope(n.permission) <> '{}');
end $function$;
revoke all on function app.field_records_kept(boolean) from public;
grant execute on function app.field_records_kept(boolean) to app_access;
comment on function app.field_records_kept(boolean) is 'Kinds of records of which the actor reads fields for officers, or sensitive ones, somewhere';

CREATE OR REPLACE FUNCTION app.field_set(type text, kind text)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare org uuid := app.org_id();
begin
  if org is null then return '{}'; end if;
  return array(select f.id from app.fields f where f.org_id = org and f.record_type = field_set.type and case kind
    when 'everyone' then f.audience = 'everyone'
    when 'self' then f.audience = 'self'
    when 'editable' then f.own_editable
    when 'kept' then f.audience <> 'everyone' and not f.sensitive
    when 'sensitive' then f.sensitive
    when 'officers' then f.audience = 'officers'
    else false end);
end $function$;
revoke all on function app.field_set(text,text) from public;
grant execute on function app.field_set(text,text) to app_access;
comment on function app.field_set(text,text) is 'Fields of a kind of record whose values the same people read, asked for once per statement';

CREATE OR REPLACE FUNCTION app.field_uses(field uuid)
 RETURNS TABLE(choice text, records integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  f app.fields;
begin
  if org is null or not app.everywhere('organisation.manage') then return; end if;
  select * into f from app.fields x where x.org_id = org and x.id = field;
  if f.id is null then return; end if;
  -- More than 10,000 are not counted: nobody decides by the exact number.
  if f.type in ('choice', 'choices') then
    return query execute format('select c.id::text, (select count(*)::int from (select from app.%I v where v.org_id = c.org_id and v.field_id = c.field_id and v.key = c.id::text limit 10001) n)
      from app.field_choices c where c.org_id = $1 and c.field_id = $2', f.record_type || '_field_values') using org, field;
  else
    return query execute format('select null::text, (select count(*)::int from (select from app.%I v where v.org_id = $1 and v.field_id = $2 limit 10001) n)',
      f.record_type || '_field_values') using org, field;
  end if;
end $function$;
revoke all on function app.field_uses(uuid) from public;
grant execute on function app.field_uses(uuid) to app_access;
comment on function app.field_uses(uuid) is 'How many records have a value of a field, by choice where it has choices, up to 10,001; for those who manage fields, whatever records they see';

CREATE OR REPLACE FUNCTION app.field_value_form()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  f app.fields;
  fits boolean;
begin
  select * into f from app.fields x where x.org_id = new.org_id and x.id = new.field_id and x.record_type = tg_argv[0];
  if f.id is null then raise exception 'there is no such field' using errcode = '42501', constraint = 'field_unknown'; end if;
  fits := case f.type
    when 'number' then new.value ~ '^-?[0-9]{1,12}(\.[0-9]{1,4})?$'
    when 'date' then new.value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
    when 'flag' then new.value in ('true', 'false')
    when 'text' then char_length(new.value) between 1 and 500
    when 'url' then char_length(new.value) <= 500 and new.value ~* '^https?://[^[:space:]]+$'
    else new.value ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' end;
  if fits and f.type in ('choice', 'choices') then
    fits := exists (select from app.field_choices c where c.org_id = new.org_id and c.field_id = f.id and c.id = new.value::uuid);
  elsif fits and f.type = 'person' then
    fits := exists (select from app.people p where p.org_id = new.org_id and p.id = new.value::uuid);
  elsif fits and f.type = 'date' then
    new.value := new.value::date::text;
  elsif fits and f.type = 'number' then
    new.value := trim_scale(new.value::numeric)::text;
  end if;
  if not fits then raise exception 'this value does not fit its field' using errcode = '23514', constraint = 'field_value'; end if;
  new.slot := case f.type when 'choices' then new.value else '' end;
  new.key := app.field_key(f.type, new.value);
  return new;
end $function$;
revoke all on function app.field_value_form() from public;
comment on function app.field_value_form() is 'A value has the form that its field asks for; what the key is follows from it';

CREATE OR REPLACE FUNCTION app.fields_bound()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  -- One after the other, so that two at once do not pass the limit together.
  perform pg_advisory_xact_lock(hashtextextended('fields ' || n.org_id, 0)) from (select distinct org_id from changed) n;
  if tg_table_name = 'fields' then
    if exists (select from app.fields f join (select distinct org_id, record_type from changed) n using (org_id, record_type)
        group by f.org_id, f.record_type having count(*) > 60) then
      raise exception 'a kind of record has at most 60 fields' using errcode = '23514', constraint = 'fields_limit';
    end if;
  elsif exists (select from app.field_choices c join (select distinct org_id, field_id from changed) n using (org_id, field_id)
      group by c.org_id, c.field_id having count(*) > 100) then
    raise exception 'a field has at most 100 choices' using errcode = '23514', constraint = 'field_choices_limit';
  end if;
  return null;
end $function$;
revoke all on function app.fields_bound() from public;
comment on function app.fields_bound() is 'Keeps forms and lists of a bearable length';

CREATE OR REPLACE FUNCTION app.find_account(statement text)
 RETURNS TABLE(org_id uuid, account_id uuid, status text, tokens_valid_after timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  said jsonb := app_private.token_statement(statement, 'find');
begin
  return query select a.org_id, a.id, a.status, a.tokens_valid_after from app.accounts a
    where a.org_id = app.token_organisation(said ->> 'idpOrg') and a.issuer = said ->> 'issuer' and a.subject = said ->> 'subject';
end $function$;
revoke all on function app.find_account(text) from public;
grant execute on function app.find_account(text) to app_access;
comment on function app.find_account(text) is 'The account of a verified token, which a signed statement names by issuer and subject, never by the e-mail address';

CREATE OR REPLACE FUNCTION app.finish_run(org uuid, schedule text, due_on date)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare finished int;
begin
  update app.schedule_runs r set state = 'done', finished_at = now()
  where r.org_id = org and r.schedule = finish_run.schedule and r.due_on = finish_run.due_on and r.state = 'due';
  get diagnostics finished = row_count;
  return finished > 0;
end $function$;
revoke all on function app.finish_run(uuid,text,date) from public;
grant execute on function app.finish_run(uuid,text,date) to app_worker;
comment on function app.finish_run(uuid,text,date) is 'Whether this transaction is the first to do the run; its end is noted with the work';

CREATE OR REPLACE FUNCTION app.fold(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO 'pg_catalog', 'extensions', 'pg_temp'
AS $function$
  -- Most names are plain letters, which have nothing to be taken apart.
  select lower(case when octet_length(value) = char_length(value) then value
    else extensions.unaccent('extensions.unaccent'::regdictionary, regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')) end)
$function$;
revoke all on function app.fold(text) from public;
grant execute on function app.fold(text) to app_access;
grant execute on function app.fold(text) to app_definer;
comment on function app.fold(text) is 'Lower case without accents, equal for composed and decomposed input: what search and duplicate checks compare';

CREATE OR REPLACE FUNCTION app.forget_uses()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  delete from app.use_counts c where c.since < now() - interval '1 day'
$function$;
revoke all on function app.forget_uses() from public;
grant execute on function app.forget_uses() to app_worker;
comment on function app.forget_uses() is 'Forgets counts whose hour is long over; for the worker';

CREATE OR REPLACE FUNCTION app.formatted_of(plain text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select jsonb_build_object('type', 'doc', 'content', coalesce(jsonb_agg(jsonb_build_object('type', 'paragraph', 'content', p.content) order by p.place), '[]'))
  from (
    select b.place, jsonb_agg(n.node order by l.place, n.place) as content
    from regexp_split_to_table(btrim(plain, E' \n\r\t'), '\n[ \t]*\n\s*') with ordinality b (words, place)
    cross join regexp_split_to_table(b.words, '\n') with ordinality l (words, place)
    cross join lateral (
      select 1 as place, jsonb_build_object('type', 'hardBreak') as node where l.place > 1
      union all select 2, jsonb_build_object('type', 'text', 'text', x.words)
        from (select regexp_replace(l.words, '[\r\t]+', ' ', 'g') as words) x where x.words <> ''
    ) n
    group by b.place
  ) p
$function$;
revoke all on function app.formatted_of(text) from public;
grant execute on function app.formatted_of(text) to app_access;
grant execute on function app.formatted_of(text) to app_definer;
comment on function app.formatted_of(text) is 'Plain text as a formatted one: an empty line begins a paragraph';

CREATE OR REPLACE FUNCTION app.formatted_text(doc jsonb, longest integer)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select jsonb_typeof(doc) = 'object' and doc ->> 'type' = 'doc' and jsonb_typeof(doc -> 'content') = 'array'
    and octet_length(doc::text) <= 2000000
    -- Lists and quotes in each other, five deep, and what stands in the innermost.
    and not jsonb_path_exists(doc, 'strict $.**{32}', silent => true)
    and not jsonb_path_exists(doc, 'strict $.** ? (@.type() == "object").keyvalue() ? (!(@.key == "type" || @.key == "content" || @.key == "text" || @.key == "marks" || @.key == "attrs"
      || @.key == "level" || @.key == "start" || @.key == "href" || @.key == "personId"))', silent => true)
    and not jsonb_path_exists(doc, 'strict $.** ? (exists (@.type)).type ? (!(@ == "doc" || @ == "paragraph" || @ == "heading" || @ == "bulletList" || @ == "orderedList" || @ == "listItem"
      || @ == "blockquote" || @ == "horizontalRule" || @ == "hardBreak" || @ == "text" || @ == "mention" || @ == "bold" || @ == "italic" || @ == "strike" || @ == "code" || @ == "link"))', silent => true)
    and not jsonb_path_exists(doc, 'strict $.** ? (exists (@.href)).href ? (!(@ like_regex "^(https?://|mailto:)" flag "i"))', silent => true)
    and (select coalesce(sum(char_length(t #>> '{}')), 0) from jsonb_path_query(doc, 'strict $.** ? (exists (@.text)).text', silent => true) t) <= longest
$function$;
revoke all on function app.formatted_text(jsonb,integer) from public;
grant execute on function app.formatted_text(jsonb,integer) to app_access;
grant execute on function app.formatted_text(jsonb,integer) to app_definer;
comment on function app.formatted_text(jsonb,integer) is 'Whether this is a formatted text of so many characters at most: nothing but the parts that the editor makes, and links to pages and mails. The contract is stricter';

CREATE OR REPLACE FUNCTION app.found_organisation(slug text, name text, idp_org text, owner_email text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid;
  r record;
  role uuid;
begin
  insert into app.organisations (slug, name, idp_org_id) values (slug, name, idp_org) returning organisations.org_id into org;
  for r in select * from app_private.standard_roles() loop
    insert into app.roles (org_id, key, name, description) values (org, r.key, r.name, r.description) returning id into role;
    insert into app.role_permissions (org_id, role_id, permission)
      select org, role, p from unnest(r.permissions) p
      union select org, role, s.permission from app_private.standard_permissions s where s.role_key = r.key;
  end loop;
  if owner_email is not null then
    insert into app.accounts (org_id, email, status) values (org, owner_email, 'invited') returning id into role;
    insert into app.grants (org_id, account_id, role_id, scope_kind, reason)
      select org, role, ro.id, 'org', 'founder' from app.roles ro where ro.org_id = org and ro.key = 'org-owner';
  end if;
  return org;
end $function$;
revoke all on function app.found_organisation(text,text,text,text) from public;
comment on function app.found_organisation(text,text,text,text) is 'A new organisation with the standard roles and, if given, an invitation for its owner; for operators only';

CREATE OR REPLACE FUNCTION app.give_up_payment(org uuid, payment uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update app.payments p set state = 'cancelled', failure = 'expired'
    where p.org_id = org and p.id = payment and p.kind <> 'manual' and p.state = 'pending' and p.provider_session is null and p.provider_ref is null
      and coalesce(p.expires_at, p.created_at + interval '1 day') < now() - interval '1 hour'
$function$;
revoke all on function app.give_up_payment(uuid,uuid) from public;
grant execute on function app.give_up_payment(uuid,uuid) to app_worker;
comment on function app.give_up_payment(uuid,uuid) is 'Ends an attempt that the provider never heard of; should it be paid there all the same, the comparison finds it';

CREATE OR REPLACE FUNCTION app.grants_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if coalesce(current_setting('app.actor', true), '') = '' then return coalesce(new, old); end if;
  perform app_private.hold_account_rights(coalesce(new.org_id, old.org_id));
  if coalesce(new.account_id, old.account_id) = app.account_id() then
    raise exception 'nobody changes their own rights' using errcode = '42501', constraint = 'grants_own';
  end if;
  if tg_op <> 'DELETE' and not app.role_within_reach(new.role_id, new.scope_kind, coalesce(new.chapter_id, new.group_id)) then
    raise exception 'this role carries rights that you do not hold' using errcode = '42501', constraint = 'grants_beyond_reach';
  end if;
  return coalesce(new, old);
end $function$;
revoke all on function app.grants_guard() from public;

CREATE OR REPLACE FUNCTION app.group_members_consent()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare today date;
begin
  -- Asking counts like joining: who could ask in another's name could also accept.
  if (app.actor()).org_id is null or new.status not in ('active', 'requested') or new.person_id = app.person_id() then return new; end if;
  today := app.today();
  if tg_op = 'UPDATE' and (new.person_id, new.group_id) is not distinct from (old.person_id, old.group_id) then
    -- What the person agreed to: a request that still waits, a membership that still runs. One that ends today may be ended by the person.
    if old.status = 'requested' and old.ends_on is null then return new; end if;
    if old.status = 'active' and new.status = 'active' and (old.ends_on is null or (old.ends_on > today and coalesce(old.starts_on, today) <= today)
      or (coalesce(new.ends_on, 'infinity') <= old.ends_on and (new.ends_on < today or new.starts_on is not distinct from old.starts_on or new.starts_on > old.starts_on)))
      then return new; end if;
  end if;
  if not app.everywhere('groups.manage') and not app.everywhere('people.contact')
    and not exists (select from app.affiliations a where a.org_id = new.org_id and a.person_id = new.person_id and a.chapter_id = any (app.scope('people.contact'))
      and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today)) then
    raise exception 'invite this person; joining is for them to decide' using errcode = '42501', constraint = 'group_members_consent';
  end if;
  return new;
end $function$;
revoke all on function app.group_members_consent() from public;

CREATE OR REPLACE FUNCTION app.group_members_derive()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into app.group_counts as n (org_id, group_id, members)
    select k.org_id, k.group_id, (select count(*) from app.group_members m where m.org_id = k.org_id and m.group_id = k.group_id and m.status = 'active'
      and (m.starts_on is null or m.starts_on <= current_date) and (m.ends_on is null or m.ends_on >= current_date))
    from (select distinct c.org_id, c.group_id from changed c) k
    where exists (select from app.groups g where g.org_id = k.org_id and g.id = k.group_id)
    order by 1, 2
  on conflict (org_id, group_id) do update set members = excluded.members where n.members <> excluded.members;
  return null;
end $function$;
revoke all on function app.group_members_derive() from public;

CREATE OR REPLACE FUNCTION app.group_members_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if (app.actor()).org_id is not null and old.person_id = app.person_id() and not app_private.manages_group(old.org_id, old.group_id)
    and ((new.role, new.title, new.side, new.rank) is distinct from (old.role, old.title, old.side, old.rank)
      or (new.starts_on is distinct from old.starts_on and not (old.status = 'invited' and new.status = 'active' and new.starts_on = app.today()))
      or new.ends_on > greatest(app.today(), coalesce(old.starts_on, app.today()))
      or (new.ends_on is null and old.ends_on is not null)
      or (new.status = 'active' and old.status not in ('invited', 'active'))
      or (new.status = 'active' and old.status = 'invited' and new.ends_on is not null)) then
    raise exception 'this is decided by the leaders of the group' using errcode = '42501', constraint = 'group_members_leaders';
  end if;
  if old.role = 'leader' and old.status = 'active' and old.ends_on is null and (new.role <> 'leader' or new.status <> 'active' or new.ends_on is not null)
    and (app.actor()).org_id is not null and not app.everywhere('groups.manage') then
    perform from app.groups g where g.org_id = old.org_id and g.id = old.group_id for update;
    if not exists (select from app.group_members m where m.org_id = old.org_id and m.group_id = old.group_id and m.id <> old.id
        and m.role = 'leader' and m.status = 'active' and m.ends_on is null) then
      raise exception 'name another leader first' using errcode = '23514', constraint = 'group_members_last_leader';
    end if;
  end if;
  return new;
end $function$;
revoke all on function app.group_members_guard() from public;

CREATE OR REPLACE FUNCTION app.group_members_own_lead()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if (app.actor()).org_id is null or new.role <> 'leader' or new.status not in ('active', 'requested', 'invited') or new.person_id is distinct from app.person_id()
    or (tg_op = 'UPDATE' and old.role = 'leader' and old.ends_on is null and new.group_id = old.group_id)
    or app.everywhere('groups.manage') or app.everywhere('people.contact') or new.group_id = any (app.group_scope('people.contact'))
    -- Somebody else's group is no question of this one: the policies refuse.
    or not app_private.manages_group(new.org_id, new.group_id) then return new; end if;
  if exists (select from app.group_members m where m.org_id = new.org_id and m.group_id = new.group_id and m.person_id <> new.person_id
      and m.status = 'active' and m.ends_on is null
      and not exists (select from app.affiliations a where a.org_id = m.org_id and a.person_id = m.person_id and a.chapter_id = any (app.scope('people.contact'))
        and a.starts_on <= app.today() and (a.ends_on is null or a.ends_on >= app.today()))) then
    raise exception 'nobody makes themselves leader of people whose contact data they may not see. Ask another leader or an administrator' using errcode = '42501', constraint = 'group_members_own_lead';
  end if;
  return new;
end $function$;
revoke all on function app.group_members_own_lead() from public;
comment on function app.group_members_own_lead() is 'Leading opens the contact data of the members: nobody takes that for themselves beyond what they see already';

CREATE OR REPLACE FUNCTION app.group_members_room()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare g app.groups;
begin
  if new.status <> 'active' or new.ends_on < current_date
    or (tg_op = 'UPDATE' and old.status = 'active' and (old.ends_on is null or old.ends_on >= current_date)) then return new; end if;
  select * into g from app.groups x where x.org_id = new.org_id and x.id = new.group_id;
  if (app.actor()).org_id is not null and g.archived_at is not null then
    raise exception 'this group is archived' using errcode = '23514', constraint = 'group_members_archived';
  end if;
  if g.capacity is not null then
    -- Two who come for the last place come one after the other.
    perform from app.groups x where x.org_id = new.org_id and x.id = new.group_id for update;
    if (select count(*) from app.group_members m where m.org_id = new.org_id and m.group_id = new.group_id and m.id <> new.id and m.status = 'active'
        and (m.ends_on is null or m.ends_on >= current_date)) >= g.capacity then
      raise exception 'the group is full' using errcode = '23P01', constraint = 'group_members_full';
    end if;
  end if;
  return new;
end $function$;
revoke all on function app.group_members_room() from public;

CREATE OR REPLACE FUNCTION app.group_scope(wanted text)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  actor app.actor_context := app.actor();
  me uuid;
  today date;
begin
  if actor.org_id is null then return '{}'; end if;
  select m.me, m.today into me, today from app_private.me_today(actor) m;
  return (select coalesce(array_agg(distinct r.scope_id), '{}')
    from (
      select x.scope_id from app_private.by_grant(actor, today, wanted) x where x.scope_kind = 'group'
      union all select x.scope_id from app_private.by_leading(actor, me, today, wanted) x
    ) r);
end $function$;
revoke all on function app.group_scope(text) from public;
grant execute on function app.group_scope(text) to app_access;
comment on function app.group_scope(text) is 'Groups in which the actor holds a permission';

CREATE OR REPLACE FUNCTION app.groups_code()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  -- Of two who take a code at once, the second sees the first.
  perform pg_advisory_xact_lock(hashtextextended('group code:' || new.org_id || ':' || new.code, 0));
  if exists (select from app.groups g where g.org_id = new.org_id and g.code = new.code and g.id <> new.id) then
    raise exception 'another group has this code' using errcode = '23505', constraint = 'groups_code_taken';
  end if;
  return null;
end $function$;
revoke all on function app.groups_code() from public;
comment on function app.groups_code() is 'Keeps the code of a group unique among the groups that the actor sees';

CREATE OR REPLACE FUNCTION app.groups_place()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if new.parent_id is null or (tg_op = 'UPDATE' and new.parent_id is not distinct from old.parent_id) then return new; end if;
  perform pg_advisory_xact_lock(hashtextextended('groups:' || new.org_id, 0));
  if exists (
    with recursive up as (
      select g.id, g.parent_id, 1 as steps from app.groups g where g.org_id = new.org_id and g.id = new.parent_id
      union all
      select g.id, g.parent_id, up.steps + 1 from up join app.groups g on g.org_id = new.org_id and g.id = up.parent_id where up.steps < 50
    ) select from up where up.id = new.id or up.steps >= 50) then
    raise exception 'a group cannot be a part of its own parts' using errcode = '23514', constraint = 'groups_no_circle';
  end if;
  return new;
end $function$;
revoke all on function app.groups_place() from public;

CREATE OR REPLACE FUNCTION app.groups_reach()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  mine uuid[];
  widths constant text[] := array['secret', 'private', 'members', 'public'];
begin
  if (app.actor()).org_id is null or pg_trigger_depth() > 1 or app.everywhere('groups.manage') then return new; end if;
  mine := app.scope('groups.manage');
  if tg_op = 'UPDATE' then
    if ((new.chapter_id, new.parent_id, new.code) is distinct from (old.chapter_id, old.parent_id, old.code)
        or array_position(widths, new.visibility) > array_position(widths, old.visibility))
      and (old.chapter_id = any (mine) and new.chapter_id = any (mine)) is not true then
      raise exception 'chapter, parent group and code of a group, and letting more people see it, are for those who manage groups in its chapter. Ask an officer there or an administrator'
        using errcode = '42501', constraint = 'groups_reach';
    end if;
    if new.parent_id is not distinct from old.parent_id then return new; end if;
  end if;
  if exists (select from app.groups g where g.org_id = new.org_id and g.id in (new.parent_id, old.parent_id)
      and not coalesce(g.chapter_id = any (mine), false) and not g.id = any (app.group_scope('groups.manage'))) then
    raise exception 'you do not manage the parent group. Ask its leaders or an administrator' using errcode = '42501', constraint = 'groups_reach_parent';
  end if;
  return new;
end $function$;
revoke all on function app.groups_reach() from public;
comment on function app.groups_reach() is 'A group moves only between places that the actor manages by more than leading the group';

CREATE OR REPLACE FUNCTION app.hand_mail(org uuid, mail uuid, attempt integer, lease interval, new_subject text DEFAULT ''::text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update app.mail_messages x set handed_at = now(), lease_until = now() + lease, subject = left(new_subject, 500)
    where x.org_id = org and x.id = mail and x.attempts = attempt and x.state = 'sending' and x.handed_at is null and x.lease_until > now();
  return found;
end $function$;
revoke all on function app.hand_mail(uuid,uuid,integer,interval,text) from public;
grant execute on function app.hand_mail(uuid,uuid,integer,interval,text) to app_worker;
comment on function app.hand_mail(uuid,uuid,integer,interval,text) is 'From now on the mail may arrive; false when it is not this worker''s any more';

CREATE OR REPLACE FUNCTION app.held_everywhere()
 RETURNS text[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ select coalesce(array_agg(p.permission), '{}') from app.permissions() p where p.everywhere $function$;
revoke all on function app.held_everywhere() from public;
grant execute on function app.held_everywhere() to app_access;
comment on function app.held_everywhere() is 'Permissions that the actor holds in the whole organisation';

CREATE OR REPLACE FUNCTION app.hold_invoice(org uuid, invoice uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select app_private.lock_invoice(org, invoice)
$function$;
revoke all on function app.hold_invoice(uuid,uuid) from public;
grant execute on function app.hold_invoice(uuid,uuid) to app_access;
grant execute on function app.hold_invoice(uuid,uuid) to app_worker;
comment on function app.hold_invoice(uuid,uuid) is 'Keeps others from changing an invoice until this transaction ends';

CREATE OR REPLACE FUNCTION app.hold_mail(before timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare touched int;
begin
  update app.mail_messages x set state = 'failed', outcome = 'held', lease_until = null, settled_at = now()
    where x.state in ('queued', 'sending') and x.created_at <= before;
  get diagnostics touched = row_count;
  return touched;
end $function$;
revoke all on function app.hold_mail(timestamp with time zone) from public;
grant execute on function app.hold_mail(timestamp with time zone) to app_worker;
comment on function app.hold_mail(timestamp with time zone) is 'Sends nothing of what waits and is older: it may have been sent by the installation that this one was copied from';

CREATE OR REPLACE FUNCTION app.hold_payment(payment uuid, known integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  books uuid;
begin
  perform app_private.books_open(org);
  select p.books_chapter_id into books from app.payments p where p.org_id = org and p.id = payment and p.version = known for update;
  return found and app_private.keeps_books(org, books);
end $function$;
revoke all on function app.hold_payment(uuid,integer) from public;
grant execute on function app.hold_payment(uuid,integer) to app_access;
comment on function app.hold_payment(uuid,integer) is 'Locks a payment that somebody is about to change, if it is still as they know it';

CREATE OR REPLACE FUNCTION app.invitation(org uuid, account uuid)
 RETURNS TABLE(email text, name text, organisation text, locale text, until timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select a.email, a.name, o.name, o.locale, a.invited_until from app.accounts a join app.organisations o on o.org_id = a.org_id
  where a.org_id = org and a.id = account and a.status = 'invited' and a.subject is null and (a.invited_until is null or a.invited_until > now())
$function$;
revoke all on function app.invitation(uuid,uuid) from public;
grant execute on function app.invitation(uuid,uuid) to app_worker;
comment on function app.invitation(uuid,uuid) is 'An invitation that can be accepted, for the worker that mails it';

CREATE OR REPLACE FUNCTION app.invited_by_link(idp_org text, secret_hash text)
 RETURNS TABLE(invited text, inviter text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select coalesce(a.name, ''), coalesce(b.name, '') from app.open_link(idp_org, 'invitations', secret_hash) l
  join app.accounts a on a.org_id = l.org_id and a.id = l.subject_id and a.status = 'invited'
  join app.signed_links s on s.org_id = l.org_id and s.id = l.id
  left join app.accounts b on b.org_id = s.org_id and b.id = s.created_by
  where l.subject_type = 'account'
$function$;
revoke all on function app.invited_by_link(text,text) from public;
grant execute on function app.invited_by_link(text,text) to app_access;
comment on function app.invited_by_link(text,text) is 'Whom an invitation is for and who made it, while it can be accepted';

CREATE OR REPLACE FUNCTION app.invoice_of(org uuid, subject_kind text, subject uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is distinct from org and not (actor.org_id is null and pg_has_role(session_user, 'app_worker', 'member')) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  return (select jsonb_build_object('id', i.id, 'state', i.state, 'number', i.number, 'dueOn', i.due_on, 'paidOn', i.paid_on,
      'total', jsonb_build_object('amount', i.total_amount, 'currency', i.currency), 'balance', jsonb_build_object('amount', i.balance_amount, 'currency', i.currency))
    from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id
    where l.org_id = org and l.subject_type = subject_kind and l.subject_id = subject and i.kind = 'invoice' and i.state <> 'void'
    order by i.id desc limit 1);
end $function$;
revoke all on function app.invoice_of(uuid,text,uuid) from public;
grant execute on function app.invoice_of(uuid,text,uuid) to app_access;
grant execute on function app.invoice_of(uuid,text,uuid) to app_worker;
comment on function app.invoice_of(uuid,text,uuid) is 'The newest invoice that charges something and is not void';

CREATE OR REPLACE FUNCTION app.invoice_settled(org uuid, invoice uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  before constant app.invoices := app_private.lock_invoice(org, invoice);
  i app.invoices := app_private.recompute_invoice(org, invoice);
begin
  return jsonb_build_object('before', before.state, 'state', i.state, 'paidOn', i.paid_on, 'subjects', (
    select coalesce(jsonb_agg(jsonb_build_object('type', l.subject_type, 'id', l.subject_id) order by l.place), '[]')
    from app.invoice_lines l where l.org_id = org and l.invoice_id = invoice and l.subject_id is not null));
end $function$;
revoke all on function app.invoice_settled(uuid,uuid) from public;
grant execute on function app.invoice_settled(uuid,uuid) to app_access;
grant execute on function app.invoice_settled(uuid,uuid) to app_worker;
comment on function app.invoice_settled(uuid,uuid) is 'Brings an invoice in line with its settled payments: its state before and after, and what its lines pay for';

CREATE OR REPLACE FUNCTION app.invoice_to_pay(idp_org text, secret_hash text)
 RETURNS TABLE(number text, reason text, due_on date, state text, open_amount bigint, currency text, is_waiting boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select coalesce(i.number, i.foreign_number), i.reason, i.due_on, i.state, i.balance_amount, i.currency,
      exists (select from app.payments p where p.org_id = i.org_id and p.invoice_id = i.id and p.state = 'pending' and p.created_at > now() - interval '1 hour')
    from app_private.invoice_by_link(idp_org, secret_hash) l join app.invoices i on i.org_id = l.org and i.id = l.invoice
    where i.state not in ('draft') and i.kind = 'invoice'
$function$;
revoke all on function app.invoice_to_pay(text,text) from public;
grant execute on function app.invoice_to_pay(text,text) to app_access;
comment on function app.invoice_to_pay(text,text) is 'What whoever has a link for paying is shown of the invoice';

CREATE OR REPLACE FUNCTION app.issue_invoice(org uuid, invoice uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  i app.invoices := app_private.lock_invoice(org, invoice);
  today constant date := app_private.today_in(org);
  taken int;
begin
  if not app_private.keeps_books(org, i.books_chapter_id) and not (i.created_by = app.account_id() and app_private.orders(org, i)) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  if i.number is not null then return i.number; end if;
  if i.state <> 'draft' or i.kind <> 'invoice' then raise exception 'only a draft is issued' using errcode = '23514', constraint = 'invoice_not_draft'; end if;
  if not exists (select from app.invoice_lines l where l.org_id = org and l.invoice_id = invoice) then
    raise exception 'an invoice without lines is not issued' using errcode = '23514', constraint = 'invoice_empty';
  end if;
  if i.total_amount < 0 then raise exception 'an invoice below zero is not issued' using errcode = '23514', constraint = 'invoice_below_zero'; end if;
  taken := app_private.take_number(org, 'invoice', extract(year from today)::int);
  update app.invoices x set state = case when i.total_amount = 0 then 'paid' else 'issued' end, number = concat(extract(year from today), '-', lpad(taken::text, greatest(5, length(taken::text)), '0')),
      number_year = extract(year from today)::int, number_place = taken, issued_on = today, issued_at = now(), paid_on = case when i.total_amount = 0 then today end,
      due_on = greatest(coalesce(i.due_on, today + 30), today), billing = app_private.billing_of(org, i.person_id, i.chapter_id), seller = app_private.seller_of(org)
    where x.org_id = org and x.id = invoice returning x.number into i.number;
  return i.number;
end $function$;
revoke all on function app.issue_invoice(uuid,uuid) from public;
grant execute on function app.issue_invoice(uuid,uuid) to app_access;
grant execute on function app.issue_invoice(uuid,uuid) to app_worker;
comment on function app.issue_invoice(uuid,uuid) is 'Gives a draft its number, its day and the address it goes to; the number. Once issued, the same number again';

CREATE OR REPLACE FUNCTION app.issue_link(purpose text, subject_type text, subject_id uuid, secret_hash text, expires_at timestamp with time zone, single_use boolean)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is null then raise exception 'only somebody who is signed in issues a link' using errcode = '42501'; end if;
  return app_private.add_link(actor.org_id, actor.account_id, purpose, subject_type, subject_id, secret_hash, expires_at, single_use);
end $function$;
revoke all on function app.issue_link(text,text,uuid,text,timestamp with time zone,boolean) from public;
grant execute on function app.issue_link(text,text,uuid,text,timestamp with time zone,boolean) to app_access;
comment on function app.issue_link(text,text,uuid,text,timestamp with time zone,boolean) is 'Keeps a new link of the actor''s organisation. Whether the actor may hand out the subject is for the caller to ask before';

CREATE OR REPLACE FUNCTION app.issue_link_for(org uuid, purpose text, subject_type text, subject_id uuid, secret_hash text, expires_at timestamp with time zone, single_use boolean)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select app_private.add_link(org, null, purpose, subject_type, subject_id, secret_hash, expires_at, single_use)
$function$;
revoke all on function app.issue_link_for(uuid,text,text,uuid,text,timestamp with time zone,boolean) from public;
grant execute on function app.issue_link_for(uuid,text,text,uuid,text,timestamp with time zone,boolean) to app_worker;
comment on function app.issue_link_for(uuid,text,text,uuid,text,timestamp with time zone,boolean) is 'The same for jobs that nobody in particular asked for, such as a mail with a link to its preferences';

CREATE OR REPLACE FUNCTION app.issue_receipt(org uuid, payment uuid, why text DEFAULT NULL::text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  p app.payments;
  before app.receipts;
  today constant date := app_private.today_in(org);
  taken int;
  made uuid;
begin
  perform app_private.books_open(org);
  select * into p from app.payments x where x.org_id = org and x.id = payment for update;
  if p.id is null or p.state not in ('settled', 'partly_refunded') then
    raise exception 'receipts are for settled payments' using errcode = '23514', constraint = 'payment_not_settled';
  end if;
  select * into before from app.receipts r where r.org_id = org and r.payment_id = payment and r.state = 'issued' for update;
  -- Once, whoever settles; a correction is asked for with its reason, by those who keep the books.
  if before.id is not null and why is null then return before.id; end if;
  if why is not null and not app_private.keeps_books(org, p.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  if before.id is not null then update app.receipts r set state = 'replaced' where r.org_id = org and r.id = before.id; end if;
  taken := app_private.take_number(org, 'receipt', extract(year from today)::int);
  insert into app.receipts (org_id, payment_id, person_id, chapter_id, books_chapter_id, number, number_year, number_place, replaces_id, reason, amount, currency, issued_on, received_on, billing, seller, lines, created_by)
    values (org, payment, p.person_id, p.chapter_id, p.books_chapter_id, concat('R-', extract(year from today), '-', lpad(taken::text, greatest(5, length(taken::text)), '0')), extract(year from today)::int, taken,
      before.id, coalesce(why, ''), p.amount - p.refunded_amount, p.currency, today, coalesce(p.received_on, (p.settled_at at time zone 'UTC')::date, today),
      app_private.billing_of(org, p.person_id, p.chapter_id), app_private.seller_of(org),
      (select coalesce(jsonb_agg(jsonb_build_object('invoice', coalesce(i.number, i.foreign_number), 'text', i.reason, 'amount', a.amount - a.refunded_amount) order by i.id), '[]')
        from app.payment_allocations a join app.invoices i on i.org_id = a.org_id and i.id = a.invoice_id where a.org_id = org and a.payment_id = payment), app.account_id())
    returning id into made;
  return made;
end $function$;
revoke all on function app.issue_receipt(uuid,uuid,text) from public;
grant execute on function app.issue_receipt(uuid,uuid,text) to app_access;
grant execute on function app.issue_receipt(uuid,uuid,text) to app_worker;
comment on function app.issue_receipt(uuid,uuid,text) is 'The receipt of a settled payment, issued once; with a reason, another one that replaces it';

CREATE OR REPLACE FUNCTION app.keep_recording_part(recording uuid, number integer, body text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  account uuid := app.account_id();
begin
  if org is null or account is null then return false; end if;
  -- A day of one account and two weeks of an organisation have an end, or recordings could fill the disk.
  if (select count(*) from (select from app.recording_parts p where p.org_id = org and p.account_id = account and p.created_at > now() - interval '1 day' limit 400) x) = 400
    or (select count(*) from (select from app.recording_parts p where p.org_id = org limit 20000) x) = 20000
    or exists (select from app.recording_parts p where p.org_id = org and p.recording_id = recording and p.account_id <> account)
  then return false; end if;
  insert into app.recording_parts (org_id, recording_id, part, account_id, events) values (org, recording, number, account, body) on conflict do nothing;
  return true;
end $function$;
revoke all on function app.keep_recording_part(uuid,integer,text) from public;
grant execute on function app.keep_recording_part(uuid,integer,text) to app_access;
comment on function app.keep_recording_part(uuid,integer,text) is 'Keeps a part of the actor''s recording; false when it is somebody else''s or there are too many: 400 a day of one account, 20,000 in all';

CREATE OR REPLACE FUNCTION app.last_backup_at()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$select finished_at from app_private.last_backup$function$;
revoke all on function app.last_backup_at() from public;
grant execute on function app.last_backup_at() to app_worker;
comment on function app.last_backup_at() is 'When the backup command last finished; null before the first time. For the worker';

CREATE OR REPLACE FUNCTION app.like_pattern(term text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ select '%' || replace(replace(replace(term, '\', '\\'), '%', '\%'), '_', '\_') || '%' $function$;
revoke all on function app.like_pattern(text) from public;
grant execute on function app.like_pattern(text) to app_access;
grant execute on function app.like_pattern(text) to app_definer;
comment on function app.like_pattern(text) is 'A LIKE pattern that finds the term anywhere, with wildcards in it taken literally';

CREATE OR REPLACE FUNCTION app.matching_memberships(query text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  pattern text := app.like_pattern(app.fold(left(query, 200)));
begin
  return query
    select m.id from app.group_members m where m.org_id = org and m.title <> '' and lower(m.title) like pattern
    union select m.id from app.matching_people(query) f join app.group_members m on m.org_id = org and m.person_id = f.id
    union select m.id from app.groups g join app.group_members m on m.org_id = org and m.group_id = g.id where g.org_id = org and g.search like pattern;
end $function$;
revoke all on function app.matching_memberships(text) from public;
grant execute on function app.matching_memberships(text) to app_access;
comment on function app.matching_memberships(text) is 'Ids of memberships of groups that a text is about, by their title, by the person or by the name of the group; the policies say which of them the actor sees';

CREATE OR REPLACE FUNCTION app.matching_people(query text)
 RETURNS TABLE(id uuid, sort_name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare c record;
begin
  select * into c from app_private.people_search(query);
  if c.names is null then return; end if;
  return query execute format('with %s select m.id, m.sort_name from m', app_private.people_search_found(c, null));
end $function$;
revoke all on function app.matching_people(text) from public;
grant execute on function app.matching_people(text) to app_access;
comment on function app.matching_people(text) is 'Ids of all the people that the actor may find by this text: all words in the names or member number, or an e-mail address or telephone number that the actor may see, which is not searched for what more than a thousand names contain';

CREATE OR REPLACE FUNCTION app.member_cards_issue()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  basis record;
  today date;
begin
  -- What is loaded or restored says everything itself.
  if (app.actor()).org_id is null then return new; end if;
  today := app.today();
  select * into basis from app_private.card_valid(new.org_id, new.person_id);
  if not found then
    raise exception 'only somebody who is a member today has a member card' using errcode = '23514', constraint = 'card_not_eligible';
  end if;
  if new.person_id = any (app.my_records()) and 'revoked' = (select c.state from app.member_cards c
      where c.org_id = new.org_id and c.person_id = new.person_id order by c.created_at desc, c.id desc limit 1) then
    raise exception 'nobody replaces a card of their own that was revoked' using errcode = '42501', constraint = 'card_revoked';
  end if;
  new.valid_until := least(basis.until, today + 365);
  -- A new code is the end of the old one.
  update app.member_cards c set state = 'ended', ended_at = now() where c.org_id = new.org_id and c.person_id = new.person_id and c.state = 'eligible';
  return new;
end $function$;
revoke all on function app.member_cards_issue() from public;
comment on function app.member_cards_issue() is 'A card is for who is a member, ends the one before it, and replaces none of one''s own that was revoked';

CREATE OR REPLACE FUNCTION app.member_cards_revoke()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if (app.actor()).org_id is null or pg_trigger_depth() > 1 then return new; end if;
  if old.state <> 'eligible' or new.state <> 'revoked' then
    raise exception 'a card that has ended stays as it is' using errcode = '23514', constraint = 'card_ended';
  end if;
  new.ended_at := now();
  return new;
end $function$;
revoke all on function app.member_cards_revoke() from public;
comment on function app.member_cards_revoke() is 'All that is done to a card by hand is to revoke it';

CREATE OR REPLACE FUNCTION app.member_tags()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return (select coalesce(array_agg(t.id), '{}') from app.tags t where t.org_id = (select app.org_id()) and t.audience = 'members');
end $function$;
revoke all on function app.member_tags() from public;
grant execute on function app.member_tags() to app_access;
comment on function app.member_tags() is 'Tags that every member sees';

CREATE OR REPLACE FUNCTION app.membership_may_become(before text, after text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  -- Active, in grace and lapsed follow from terms; of these people only end a suspension.
  select app_private.membership_moves(before, after) and (before = after or after in ('awaiting_payment', 'declined', 'withdrawn', 'cancelled', 'suspended') and before not in ('active', 'grace', 'lapsed', 'suspended')
    or before in ('active', 'grace', 'suspended') and after in ('cancelled', 'suspended') or before = 'suspended' and after in ('active', 'grace', 'lapsed'))
$function$;
revoke all on function app.membership_may_become(text,text) from public;
grant execute on function app.membership_may_become(text,text) to app_access;
comment on function app.membership_may_become(text,text) is 'Whether somebody may move a membership from one status to another; the rest follows from settled terms and the calendar';

CREATE OR REPLACE FUNCTION app.memberships_reach(query text)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  pattern text := app.like_pattern(app.fold(left(query, 200)));
begin
  return (select r.people from app_private.people_reach(query, 20001) r) + (select coalesce(sum(n.members), 0) from app.groups g
    join app.group_counts n on n.org_id = g.org_id and n.group_id = g.id where g.org_id = org and g.search like pattern);
end $function$;
revoke all on function app.memberships_reach(text) from public;
grant execute on function app.memberships_reach(text) to app_access;
comment on function app.memberships_reach(text) is 'About how many memberships matching_memberships would collect; people are counted to 20,001';

CREATE OR REPLACE FUNCTION app.mentioned(doc jsonb)
 RETURNS uuid[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select coalesce(array_agg(distinct (m #>> '{}')::uuid), '{}') from jsonb_path_query(doc, 'strict $.** ? (exists (@.personId)).personId', silent => true) m
$function$;
revoke all on function app.mentioned(jsonb) from public;
grant execute on function app.mentioned(jsonb) to app_access;
grant execute on function app.mentioned(jsonb) to app_definer;
comment on function app.mentioned(jsonb) is 'The people whom a formatted text mentions';

CREATE OR REPLACE FUNCTION app.my_groups()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return (select coalesce(array_agg(m.group_id), '{}') from app.group_members m
    where m.org_id = (select app.org_id()) and m.person_id = (select app.person_id()) and m.status in ('active', 'invited', 'requested') and m.ends_on is null);
end $function$;
revoke all on function app.my_groups() from public;
grant execute on function app.my_groups() to app_access;
comment on function app.my_groups() is 'Groups the actor is in, is invited to or has asked to join';

CREATE OR REPLACE FUNCTION app.my_records()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
begin
  if me is null then return '{}'; end if;
  return array(
    with recursive upwards (id) as (
      select me union select p.merged_into from upwards u join app.people p on p.org_id = org and p.id = u.id where p.merged_into is not null),
    mine (id) as (
      select u.id from upwards u union select p.id from mine m join app.people p on p.org_id = org and p.merged_into = m.id)
    select m.id from mine m);
end $function$;
revoke all on function app.my_records() from public;
grant execute on function app.my_records() to app_access;
comment on function app.my_records() is 'Records that are the actor: their person, and what was merged into it or it was merged into';

CREATE OR REPLACE FUNCTION app.my_rosters()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return (select coalesce(array_agg(m.group_id), '{}') from app.group_members m
    where m.org_id = (select app.org_id()) and m.person_id = (select app.person_id()) and m.status = 'active' and m.ends_on is null);
end $function$;
revoke all on function app.my_rosters() from public;
grant execute on function app.my_rosters() to app_access;
comment on function app.my_rosters() is 'Groups whose members the actor sees as one of them; asking to join, or being invited, shows nobody yet';

CREATE OR REPLACE FUNCTION app.names_seen(ids uuid[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select coalesce(jsonb_object_agg(p.id, p.display_name), '{}') from app.people p
  where p.org_id = (select app.org_id()) and p.id = any (ids) and p.deleted_at is null and p.lifecycle <> 'erased'
$function$;
revoke all on function app.names_seen(uuid[]) from public;
grant execute on function app.names_seen(uuid[]) to app_access;
comment on function app.names_seen(uuid[]) is 'Names by person, of those the caller sees: who is hidden, archived or erased has none';

CREATE OR REPLACE FUNCTION app.note_charge(org uuid, payment uuid, intent text, why text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update app.payments p set provider_ref = coalesce(p.provider_ref, intent), failure = coalesce(why, p.failure),
      state = case when intent is null then 'failed' else p.state end
    where p.org_id = org and p.id = payment and p.kind = 'charge' and p.state = 'pending'
$function$;
revoke all on function app.note_charge(uuid,uuid,text,text) from public;
grant execute on function app.note_charge(uuid,uuid,text,text) to app_worker;
comment on function app.note_charge(uuid,uuid,text,text) is 'The provider''s id of a charge, or why there is none';

CREATE OR REPLACE FUNCTION app.note_checkout(org uuid, payment uuid, session text, customer text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update app.payments p set provider_session = session, provider_customer = coalesce(customer, p.provider_customer)
    where p.org_id = org and p.id = payment and p.kind = 'checkout' and p.provider_session is null
$function$;
revoke all on function app.note_checkout(uuid,uuid,text,text) from public;
grant execute on function app.note_checkout(uuid,uuid,text,text) to app_access;
comment on function app.note_checkout(uuid,uuid,text,text) is 'The page of the provider on which a payment is to be made';

CREATE OR REPLACE FUNCTION app.note_payment_differences(org uuid, theirs jsonb, since timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  listed int;
begin
  insert into app.payment_differences (org_id, kind, provider_ref, payment_id, ours, theirs, currency)
    select org, d.kind, d.ref, d.payment, d.ours, d.theirs, d.currency from (
      select 'unknown_here' as kind, t.intent as ref, null::uuid as payment, null::bigint as ours, t.amount as theirs, t.currency
        from jsonb_to_recordset(theirs) t (payment uuid, intent text, state text, amount bigint, refunded bigint, currency text)
        where t.state = 'settled' and not exists (select from app.payments p where p.org_id = org and (p.id = t.payment or p.provider_ref = t.intent))
      union all
      select case when t.amount <> p.amount then 'amount' else 'refunds' end, t.intent, p.id,
          case when t.amount <> p.amount then p.amount else p.refunded_amount end, case when t.amount <> p.amount then t.amount else t.refunded end, t.currency
        from jsonb_to_recordset(theirs) t (payment uuid, intent text, state text, amount bigint, refunded bigint, currency text)
        join app.payments p on p.org_id = org and (p.id = t.payment or p.provider_ref = t.intent)
        where t.state = 'settled' and (t.amount <> p.amount or t.refunded <> p.refunded_amount or t.currency <> p.currency)
      union all
      select 'unknown_there', p.provider_ref, p.id, p.amount, null, p.currency from app.payments p
        where p.org_id = org and p.provider_ref is not null and p.settled_at is not null and p.created_at >= since
          and not exists (select from jsonb_to_recordset(theirs) t (intent text) where t.intent = p.provider_ref)
    ) d
    on conflict (org_id, kind, provider_ref) where resolved_at is null do update set last_seen_at = now(), ours = excluded.ours, theirs = excluded.theirs;
  update app.payment_differences d set resolved_at = now() where d.org_id = org and d.resolved_at is null and d.last_seen_at < now();
  select count(*) into listed from app.payment_differences d where d.org_id = org and d.resolved_at is null;
  return listed;
end $function$;
revoke all on function app.note_payment_differences(uuid,jsonb,timestamp with time zone) from public;
grant execute on function app.note_payment_differences(uuid,jsonb,timestamp with time zone) to app_worker;
comment on function app.note_payment_differences(uuid,jsonb,timestamp with time zone) is 'Lists what differs between us and the provider, and closes what does so no longer; how many are open';

CREATE OR REPLACE FUNCTION app.note_payment_event(event text, event_type text, org uuid, payment uuid, session text, intent text, OUT noted_org uuid, OUT noted_payment uuid, OUT fresh boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  fresh := false;
  select p.org_id, p.id into noted_org, noted_payment from app.payments p
    where p.kind <> 'manual' and ((p.org_id = org and p.id = payment) or p.provider_session = session or p.provider_ref = intent) limit 1;
  if noted_payment is null then return; end if;
  insert into app.payment_events (org_id, event_id, type, payment_id) values (noted_org, event, event_type, noted_payment) on conflict (org_id, event_id) do nothing;
  fresh := found;
end $function$;
revoke all on function app.note_payment_event(text,text,uuid,uuid,text,text) from public;
grant execute on function app.note_payment_event(text,text,uuid,uuid,text,text) to app_access;
comment on function app.note_payment_event(text,text,uuid,uuid,text,text) is 'Notes an event of the provider, once; null where it is about no payment of ours';

CREATE OR REPLACE FUNCTION app.notify(note jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  actor app.actor_context := app.actor();
  recipients uuid[];
begin
  if actor.org_id is null then raise exception 'only somebody who is signed in tells others' using errcode = '42501'; end if;
  recipients := case
    when note ->> 'to_account' is not null then array[(note ->> 'to_account')::uuid]
    when note ->> 'to_person' is not null then (select array_agg(a.id) from app.accounts a where a.org_id = actor.org_id and a.person_id = (note ->> 'to_person')::uuid)
    when note ->> 'to_leaders' is not null then app_private.leaders_of(actor.org_id, (note ->> 'to_leaders')::uuid)
  end;
  -- Nobody is told of what they did; long work that they asked for is another matter.
  if not coalesce((note ->> 'to_self')::boolean, false) then recipients := array_remove(recipients, actor.account_id); end if;
  return app_private.tell(actor.org_id, actor.account_id, coalesce(recipients, '{}'), note);
end $function$;
revoke all on function app.notify(jsonb) from public;
grant execute on function app.notify(jsonb) to app_access;
comment on function app.notify(jsonb) is 'Tells an account, a person''s account or the leaders of a group of something that the actor did';

CREATE OR REPLACE FUNCTION app.notify_ending_terms(org uuid, today date, note jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  r record;
  told int := 0;
begin
  for r in
    select h.id, h.person_id, h.ends_on, s.title, s.chapter_id, own.account_id is null as bare, mail.address is not null as reachable,
      (select array_agg(distinct a.id) from app.accounts a where a.org_id = org and (a.person_id = h.person_id or a.person_id in (
        select o.person_id from app.position_holders o join app.positions p on p.org_id = o.org_id and p.id = o.position_id
        where o.org_id = org and p.chapter_id = s.chapter_id and p.role_id is not null and o.starts_on <= today and (o.ends_on is null or o.ends_on >= today))
        -- Somebody has to tell the holder.
        or (own.account_id is null and mail.address is null and exists (select from app.roles x
          join app.role_permissions y on y.org_id = x.org_id and y.role_id = x.id and y.permission = 'organisation.manage'
          where x.org_id = org and x.key = any (a.idp_roles))))) as recipients
    from app.position_holders h
    join app.positions s on s.org_id = h.org_id and s.id = h.position_id
    join app.people q on q.org_id = h.org_id and q.id = h.person_id and q.deleted_at is null and q.lifecycle not in ('deceased', 'erased', 'merged')
    left join lateral (select a.id as account_id from app.accounts a where a.org_id = h.org_id and a.person_id = h.person_id and a.status = 'active' limit 1) own on true
    left join lateral (select e.address from app.person_emails e where e.org_id = h.org_id and e.person_id = h.person_id limit 1) mail on true
    where h.org_id = org and h.starts_on <= today and h.ends_on between today and today + 30
      -- Whoever goes on in the same office is not at its end.
      and not exists (select from app.position_holders n where n.org_id = h.org_id and n.position_id = h.position_id and n.person_id = h.person_id
        and n.starts_on between h.ends_on and h.ends_on + 1)
  loop
    told := told + app_private.tell(org, null, coalesce(r.recipients, '{}'), note || jsonb_build_object('person', r.person_id, 'chapter', r.chapter_id,
      'params', jsonb_build_object('title', r.title, 'on', r.ends_on), 'dedupe_key', 'term:' || r.id || ':' || r.ends_on));
    if r.bare and r.reachable then
      insert into app.mail_messages (org_id, template, person_id, params, essential, dedupe_key)
        values (org, 'term-ending', r.person_id, jsonb_build_object('holder', r.id, 'on', r.ends_on), true, 'term:' || r.id || ':' || r.ends_on)
        on conflict (org_id, dedupe_key) do nothing;
    end if;
  end loop;
  return told;
end $function$;
revoke all on function app.notify_ending_terms(uuid,date,jsonb) from public;
grant execute on function app.notify_ending_terms(uuid,date,jsonb) to app_worker;
comment on function app.notify_ending_terms(uuid,date,jsonb) is 'Tells holders of offices that end within 30 days, by mail where they have no account, and the officers of their chapters, once for each term; administrators too where a holder has neither account nor address. How many accounts are told';

CREATE OR REPLACE FUNCTION app.officers_now()
 RETURNS TABLE(position_id uuid, people integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select h.position_id, count(distinct h.person_id)::int from app.position_holders h
  where h.org_id = (select app.org_id()) and h.starts_on <= (select app.today()) and (h.ends_on is null or h.ends_on >= (select app.today()))
  group by h.position_id
$function$;
revoke all on function app.officers_now() from public;
grant execute on function app.officers_now() to app_access;
comment on function app.officers_now() is 'How many people hold each office today, whether or not the actor may see who: seats are no secret, and counting below a policy for each person is slow';

CREATE OR REPLACE FUNCTION app.open_link(idp_org text, purpose text, secret_hash text)
 RETURNS TABLE(org_id uuid, id uuid, subject_type text, subject_id uuid, expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select l.org_id, l.id, l.subject_type, l.subject_id, l.expires_at from app.signed_links l
  where l.secret_hash = open_link.secret_hash and l.purpose = open_link.purpose
    and l.expires_at > statement_timestamp()
    and l.revoked_at is null
    and (l.uses = 0 or not l.single_use)
    and (idp_org is null or l.org_id = (select app.token_organisation(idp_org)))
    and l.org_id = coalesce((select app.org_id()), l.org_id)
$function$;
revoke all on function app.open_link(text,text,text) from public;
grant execute on function app.open_link(text,text,text) to app_access;
comment on function app.open_link(text,text,text) is 'What a link is about, while it is valid: nothing for one that is forged, expired, revoked, used up, for another purpose, or of an organisation that is not served here or not the actor''s';

CREATE OR REPLACE FUNCTION app.open_membership_term(membership uuid)
 RETURNS TABLE(term uuid, amount bigint, currency text, settled boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  today date := app.today();
  m app.memberships;
  t app.membership_types;
  made app.membership_terms;
  runs boolean;
begin
  select x.* into m from app.memberships x where x.org_id = org and x.id = membership
    and (x.person_id = app.person_id() or app.everywhere('memberships.manage') or x.chapter_id = any (app.scope('memberships.manage'))) for update;
  if m.id is null then raise exception 'this membership is not yours to renew' using errcode = '42501', constraint = 'membership_decided_above'; end if;
  select x.* into t from app.membership_types x where x.org_id = org and x.id = m.type_id;
  runs := app.everywhere('memberships.manage') or coalesce(m.chapter_id = any (app.scope('memberships.manage')), false);
  if m.status not in ('awaiting_payment', 'active', 'grace', 'lapsed') and not (m.status = 'cancelled' and runs) then
    raise exception 'a membership that is % has no next term', m.status using errcode = '23514', constraint = 'membership_no_renewal';
  end if;
  if m.starts_on is not null and m.ends_on is null then
    raise exception 'this membership has no end' using errcode = '23514', constraint = 'membership_lifetime';
  end if;
  if t.archived_at is not null then
    raise exception 'this type is archived. Change the type first' using errcode = '23514', constraint = 'membership_type_archived';
  end if;
  if not runs and m.ends_on - t.renewal_days > today then
    raise exception 'this membership cannot be renewed yet' using errcode = '23514', constraint = 'membership_too_early', detail = json_build_object('on', m.ends_on - t.renewal_days)::text;
  end if;
  select x.* into made from app.membership_terms x where x.org_id = org and x.membership_id = m.id and x.status = 'open';
  if made.id is null then
    insert into app.membership_terms (org_id, membership_id, person_id, period, months, starts_month, starts_day, rollover_days, grace_days, chapter_share_bps,
        price_amount, price_currency, created_by)
      values (org, m.id, m.person_id, t.period, t.months, t.starts_month, t.starts_day, case when m.status in ('active', 'grace') then 0 else t.rollover_days end,
        t.grace_days, t.chapter_share_bps, t.price_amount, t.price_currency, app.account_id())
      returning * into made;
  end if;
  return query select made.id, made.price_amount, made.price_currency, made.price_amount = 0 and app.settle_membership_term(org, made.id, today);
end $function$;
revoke all on function app.open_membership_term(uuid) from public;
grant execute on function app.open_membership_term(uuid) to app_access;
comment on function app.open_membership_term(uuid) is 'The next term of a membership at the price of today, or the one that is open already; a free one is settled at once';

CREATE OR REPLACE FUNCTION app.org_id()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ begin return (app.actor()).org_id; end $function$;
revoke all on function app.org_id() from public;
grant execute on function app.org_id() to app_access;
comment on function app.org_id() is 'Organisation of the actor, null without one';

CREATE OR REPLACE FUNCTION app.org_ids()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$select org_id from app.organisations$function$;
revoke all on function app.org_ids() from public;
grant execute on function app.org_ids() to app_worker;
comment on function app.org_ids() is 'Ids of all organisations, for the daily work of the worker; nothing else of them';

CREATE OR REPLACE FUNCTION app.payment_to_charge(org uuid, payment uuid)
 RETURNS TABLE(amount bigint, currency text, number text, customer text, method text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select p.amount, p.currency, i.number, m.provider_customer, m.provider_method
    from app.payments p join app.invoices i on i.org_id = p.org_id and i.id = p.invoice_id
    join lateral (select x.* from app.payment_methods x where x.org_id = p.org_id and x.person_id = p.person_id and x.removed_at is null order by x.id desc limit 1) m on true
    where p.org_id = org and p.id = payment and p.kind = 'charge' and p.state = 'pending' and p.provider_ref is null
$function$;
revoke all on function app.payment_to_charge(uuid,uuid) from public;
grant execute on function app.payment_to_charge(uuid,uuid) to app_worker;
comment on function app.payment_to_charge(uuid,uuid) is 'What is to be charged to the newest saved card';

CREATE OR REPLACE FUNCTION app.payment_to_read(org uuid, payment uuid)
 RETURNS TABLE(session text, intent text, reads integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select p.provider_session, p.provider_ref, coalesce(r.reads, 0) from app.payments p
    left join app.payment_readings r on r.org_id = p.org_id and r.payment_id = p.id
    where p.org_id = org and p.id = payment and p.kind <> 'manual'
$function$;
revoke all on function app.payment_to_read(uuid,uuid) from public;
grant execute on function app.payment_to_read(uuid,uuid) to app_worker;
comment on function app.payment_to_read(uuid,uuid) is 'By which ids a payment is asked for at the provider, and how often that was done';

CREATE OR REPLACE FUNCTION app.payments_to_look_after(most integer)
 RETURNS TABLE(org_id uuid, payment_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select p.org_id, p.id from app.payments p left join app.payment_readings r on r.org_id = p.org_id and r.payment_id = p.id
    where p.state = 'pending' and p.kind <> 'manual' and p.created_at < now() - interval '5 minutes'
      and coalesce(r.read_at, p.created_at) < now() - least(interval '6 hours', greatest(interval '5 minutes', (now() - p.created_at) / 4))
    order by r.read_at nulls first, p.id limit most
$function$;
revoke all on function app.payments_to_look_after(integer) from public;
grant execute on function app.payments_to_look_after(integer) to app_worker;
comment on function app.payments_to_look_after(integer) is 'Payments of which nothing was heard for a while, for the worker';

CREATE OR REPLACE FUNCTION app.people_derive()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  new.display_name := btrim(concat_ws(' ', coalesce(nullif(new.preferred_name, ''), new.given_name), nullif(new.family_name, ''), nullif(new.suffix, '')));
  new.sort_name := left(app.fold(btrim(concat_ws(' ', nullif(new.family_name, ''), new.given_name, new.middle_name))), 200);
  -- Former names come last: where somebody has more names than an index entry holds, those are what it leaves out.
  new.search := left(app.fold(concat_ws(' ', new.member_no, new.given_name, nullif(new.middle_name, ''), nullif(new.family_name, ''),
    nullif(new.preferred_name, ''), nullif(array_to_string(new.former_names, ' '), ''))), 425);
  return new;
end $function$;
revoke all on function app.people_derive() from public;

CREATE OR REPLACE FUNCTION app.people_fields_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into app.people_field_values (org_id, person_id, field_id, value)
    select v.org_id, c.merged_into, v.field_id, v.value from changed c join before b on b.org_id = c.org_id and b.id = c.id
      join app.people_field_values v on v.org_id = c.org_id and v.person_id = c.id
    where c.merged_into is not null and c.merged_into is distinct from b.merged_into
      and not exists (select from app.people_field_values k where k.org_id = v.org_id and k.person_id = c.merged_into and k.field_id = v.field_id)
    on conflict do nothing;
  delete from app.people_field_values v using changed c, before b
    where b.org_id = c.org_id and b.id = c.id and c.lifecycle = 'erased' and b.lifecycle <> 'erased' and v.org_id = c.org_id and v.person_id = c.id;
  return null;
end $function$;
revoke all on function app.people_fields_follow() from public;
comment on function app.people_fields_follow() is 'Values of fields when people are merged or erased';

CREATE OR REPLACE FUNCTION app.people_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  state text;
  mine uuid[];
begin
  if pg_trigger_depth() > 1 or (app.actor()).org_id is null then return null; end if;
  -- A death is taken back by another status, alone or with other facts; nothing brings an erased or merged record back.
  select b.lifecycle into state from changed c join before b on b.org_id = c.org_id and b.id = c.id
    where b.lifecycle in ('erased', 'merged') or (b.lifecycle = 'deceased' and c.lifecycle = 'deceased')
    order by b.lifecycle = 'erased' desc, b.lifecycle = 'merged' desc limit 1;
  if state is null then
    select s.lifecycle into state from changed c join before b on b.org_id = c.org_id and b.id = c.id join app.people s on s.org_id = c.org_id and s.id = c.merged_into
      where c.merged_into is distinct from b.merged_into and s.lifecycle in ('erased', 'merged', 'deceased') limit 1;
  end if;
  if state is not null then perform app_private.refuse_closed(state); end if;

  mine := app.my_records();
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id where c.id = any (mine) and c.lifecycle = 'deceased' and b.lifecycle <> 'deceased') then
    raise exception 'nobody declares themselves deceased' using errcode = '42501', constraint = 'person_own_death';
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id where c.id = any (mine)
      and (c.member_no, c.lifecycle, c.joined_on, c.grad_year, c.do_not_contact, c.deleted_at, c.given_name, c.family_name, c.middle_name, c.suffix)
        is distinct from (b.member_no, b.lifecycle, b.joined_on, b.grad_year, b.do_not_contact, b.deleted_at, b.given_name, b.family_name, b.middle_name, b.suffix))
    and not app.everywhere('people.write')
    and not exists (select from app.affiliations a where a.org_id = app.org_id() and a.person_id = any (mine) and a.chapter_id = any (app.scope('people.write'))
      and a.starts_on <= app.today() and (a.ends_on is null or a.ends_on >= app.today())) then
    raise exception 'this field is kept by the office' using errcode = '42501', constraint = 'people_office_fields';
  end if;

  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where ((c.deleted_at is null) <> (b.deleted_at is null) or app_private.ends_membership(b.lifecycle, c.lifecycle)) and c.created_at <> now())
    and not app.everywhere('people.write')
    and exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where ((c.deleted_at is null) <> (b.deleted_at is null) or app_private.ends_membership(b.lifecycle, c.lifecycle)) and c.created_at <> now()
        and not coalesce(b.home_chapter_id = any (app.scope('people.write')), false)) then
    raise exception 'this is decided in the home chapter of the person' using errcode = '42501', constraint = 'person_home_chapter';
  end if;
  return null;
end $function$;
revoke all on function app.people_guard() from public;
comment on function app.people_guard() is 'Read-only records stay as they are; the office keeps its fields on one''s own page; the home chapter archives, restores and declares former or deceased';

CREATE OR REPLACE FUNCTION app.people_led(wanted text, groups uuid[] DEFAULT NULL::uuid[])
 RETURNS TABLE(org_id uuid, person_id uuid)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT m.org_id,
     m.person_id
    FROM app.group_members m
   WHERE ((m.group_id = ANY (
         CASE
             WHEN (people_led.groups IS NULL) THEN ( SELECT app.group_scope(people_led.wanted) AS group_scope)
             ELSE people_led.groups
         END)) AND (m.status = 'active'::text) AND (m.ends_on IS NULL));
END;
revoke all on function app.people_led(text,uuid[]) from public;
grant execute on function app.people_led(text,uuid[]) to app_access;
grant execute on function app.people_led(text,uuid[]) to app_definer;
comment on function app.people_led(text,uuid[]) is 'Who is a member of a group in which the actor holds a permission; groups, where a search knows them already';

CREATE OR REPLACE FUNCTION app.people_member_no()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if (app.actor()).org_id is not null and not (app.everywhere('people.write') and app.everywhere('people.sensitive')) then
    raise exception 'the office assigns member numbers' using errcode = '42501', constraint = 'people_member_no_office';
  end if;
  return new;
end $function$;
revoke all on function app.people_member_no() from public;
comment on function app.people_member_no() is 'Member numbers are for those who see everybody; asked before the unique key is looked at';

CREATE OR REPLACE FUNCTION app.people_within(wanted text, chapters uuid[] DEFAULT NULL::uuid[], today date DEFAULT NULL::date)
 RETURNS TABLE(org_id uuid, person_id uuid)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT a.org_id,
     a.person_id
    FROM app.affiliations a
   WHERE ((a.chapter_id = ANY (
         CASE
             WHEN (people_within.chapters IS NULL) THEN ( SELECT app.scope(people_within.wanted) AS scope)
             ELSE people_within.chapters
         END)) AND (a.starts_on <=
         CASE
             WHEN (people_within.today IS NULL) THEN ( SELECT app.today() AS today)
             ELSE people_within.today
         END) AND ((a.ends_on IS NULL) OR (a.ends_on >=
         CASE
             WHEN (people_within.today IS NULL) THEN ( SELECT app.today() AS today)
             ELSE people_within.today
         END)));
END;
revoke all on function app.people_within(text,uuid[],date) from public;
grant execute on function app.people_within(text,uuid[],date) to app_access;
grant execute on function app.people_within(text,uuid[],date) to app_definer;
comment on function app.people_within(text,uuid[],date) is 'Who belongs today to a chapter in which the actor holds a permission; chapters and today, where a search knows them already, let the planner see them. Whether it is held everywhere is asked before, which spares the look';

CREATE OR REPLACE FUNCTION app.permissions()
 RETURNS TABLE(permission text, everywhere boolean, chapters uuid[], groups uuid[], records uuid[])
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  actor app.actor_context := app.actor();
  me uuid;
  today date;
begin
  if actor.org_id is null then return; end if;
  select m.me, m.today into me, today from app_private.me_today(actor) m;
  return query
    select r.permission, bool_or(r.scope_kind = 'org'),
      coalesce(array_agg(distinct a.chapter_id) filter (where a.chapter_id is not null), '{}'),
      coalesce(array_agg(distinct r.scope_id) filter (where r.scope_kind = 'group'), '{}'),
      coalesce(array_agg(distinct r.scope_id) filter (where r.scope_kind in ('event', 'campaign', 'project')), '{}')
    from (
      select x.permission, 'org' as scope_kind, null::uuid as scope_id from app_private.by_provider(actor, null) x
      union all select x.permission, x.scope_kind, x.scope_id from app_private.by_grant(actor, today, null) x
      union all select x.permission, 'chapter', x.scope_id from app_private.by_office(actor, me, today, null) x
      union all select x.permission, 'group', x.scope_id from app_private.by_leading(actor, me, today, null) x
      union all select x.permission, x.scope_kind, x.scope_id from app_private.by_membership(actor, me, today, null) x
    ) r
    left join app.chapter_ancestors a on r.scope_kind = 'chapter' and a.org_id = actor.org_id and a.ancestor_id = r.scope_id
    group by r.permission;
end $function$;
revoke all on function app.permissions() from public;
grant execute on function app.permissions() to app_access;
comment on function app.permissions() is 'Every permission of the actor with its reach, for screens to know what to offer';

CREATE OR REPLACE FUNCTION app.person_id()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare actor app.actor_context := app.actor();
begin
  return (select a.person_id from app.accounts a where a.org_id = actor.org_id and a.id = actor.account_id);
end $function$;
revoke all on function app.person_id() from public;
grant execute on function app.person_id() to app_access;
comment on function app.person_id() is 'Person that the actor is, null for an account without one';

CREATE OR REPLACE FUNCTION app.person_private_derive()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if exists (select from changed c where c.birth_date > current_date) then
    raise exception 'a birth date cannot lie in the future' using errcode = '23514', constraint = 'person_private_birth_date';
  end if;
  -- Asked first: even an update of no row sets off everything that follows updates of people.
  if exists (select from changed c join app.organisations o on o.org_id = c.org_id join app.people p on p.org_id = c.org_id and p.id = c.person_id
      where p.minor_until is distinct from app_private.minor_until(c.birth_date, o.majority_age)) then
    update app.people p set minor_until = app_private.minor_until(c.birth_date, o.majority_age)
      from changed c join app.organisations o on o.org_id = c.org_id
      where p.org_id = c.org_id and p.id = c.person_id and p.minor_until is distinct from app_private.minor_until(c.birth_date, o.majority_age);
  end if;
  return null;
end $function$;
revoke all on function app.person_private_derive() from public;

CREATE OR REPLACE FUNCTION app.person_private_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  mine uuid[];
  -- People whose day of death is changed here, and people of whom something else is.
  dying uuid[];
  others uuid[];
begin
  if pg_trigger_depth() > 1 or (app.actor()).org_id is null then return null; end if;
  if tg_op = 'INSERT' then
    select array_agg(c.person_id) filter (where c.deceased_on is not null), array_agg(c.person_id) filter (where c.birth_date is not null or c.gender <> '')
      into dying, others from changed c;
  elsif tg_op = 'DELETE' then
    select array_agg(b.person_id) filter (where b.deceased_on is not null), array_agg(b.person_id) into dying, others from before b;
  else
    select array_agg(c.person_id) filter (where c.deceased_on is distinct from b.deceased_on),
        array_agg(c.person_id) filter (where (c.birth_date, c.gender) is distinct from (b.birth_date, b.gender))
      into dying, others from changed c join before b on b.org_id = c.org_id and b.person_id = c.person_id;
  end if;
  if exists (select from app.people p where p.org_id = app.org_id() and p.id = any (others) and p.lifecycle = 'deceased' and p.created_at <> now()) then
    perform app_private.refuse_closed('deceased');
  end if;
  mine := app.my_records();
  if dying && mine then
    raise exception 'nobody changes their own day of death' using errcode = '42501', constraint = 'person_own_death';
  end if;
  if dying is not null and not app.everywhere('people.write') and exists (select from app.people p where p.org_id = app.org_id() and p.id = any (dying)
      and p.created_at <> now() and not coalesce(p.home_chapter_id = any (app.scope('people.write')), false)) then
    raise exception 'the day of death is set by the home chapter of the person' using errcode = '42501', constraint = 'person_home_chapter';
  end if;
  if tg_op = 'DELETE' then return null; end if;
  if not exists (select from changed c where c.person_id = any (mine)) then return null; end if;
  -- Whoever is a minor stays one at least as long as before: else a birth date that makes them of age tomorrow would do.
  if exists (select from changed c join app.organisations o on o.org_id = c.org_id join app.people p on p.org_id = c.org_id and p.id = c.person_id
      cross join lateral (select case when p.minor_until > current_date then p.minor_until end as was, app_private.minor_until(c.birth_date, o.majority_age) as becomes) m
      where c.person_id = any (mine) and ((m.was is null) <> (m.becomes is null) or m.becomes < m.was)) then
    raise exception 'only an officer changes whether someone is a minor' using errcode = '42501', constraint = 'person_own_majority';
  end if;
  return null;
end $function$;
revoke all on function app.person_private_guard() from public;
comment on function app.person_private_guard() is 'Who may change which private data of whom: not whether one is a minor oneself, nor one''s own day of death; that of others in their home chapter';

CREATE OR REPLACE FUNCTION app.person_record_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare state text;
begin
  -- What goes with a row that goes, such as the members of a group, is nobody's change of a person.
  if pg_trigger_depth() > 1 or (app.actor()).org_id is null then return null; end if;
  select p.lifecycle into state from (select distinct c.org_id, c.person_id from changed c) c
    cross join lateral (select x.lifecycle, x.created_at from app.people x where x.org_id = c.org_id and x.id = c.person_id offset 0) p
    where p.lifecycle = any (string_to_array(tg_argv[0], ',')) and p.created_at <> now()
    order by p.lifecycle = 'erased' desc, p.lifecycle = 'merged' desc limit 1;
  if state is not null then perform app_private.refuse_closed(state); end if;
  return null;
end $function$;
revoke all on function app.person_record_guard() from public;
comment on function app.person_record_guard() is 'Refuses changes to what belongs to a person whose record is read-only; the argument lists the states';

CREATE OR REPLACE FUNCTION app.position_holders_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare p app.positions;
begin
  select * into p from app.positions s where s.org_id = new.org_id and s.id = new.position_id for update;
  if (app.actor()).org_id is not null and p.role_id is not null then
    if not app.role_within_reach(p.role_id, 'chapter', p.chapter_id) then
      raise exception 'this office carries rights that you do not hold here' using errcode = '42501', constraint = 'position_holders_beyond_reach';
    end if;
    if new.person_id = app.person_id() and not app.everywhere('account.manage') then
      raise exception 'nobody appoints themselves' using errcode = '42501', constraint = 'position_holders_own';
    end if;
  end if;
  if p.member_only and not exists (select from app.affiliations a where a.org_id = new.org_id and a.person_id = new.person_id and a.kind = 'member'
      and a.starts_on <= coalesce(new.ends_on, 'infinity') and (a.ends_on is null or a.ends_on >= new.starts_on)) then
    raise exception 'this office is for members only' using errcode = '23514', constraint = 'position_holders_member_only';
  end if;
  -- How many hold it on the day on which the term begins, and on each day within it on which another begins; who begins on the day
  -- another ends follows them. Counting all terms that touch this one would count a seat twice that passed from one to the next.
  if exists (
    select from (
      select new.starts_on as day
      union select h.starts_on from app.position_holders h where h.org_id = new.org_id and h.position_id = new.position_id and h.id <> new.id
        and h.starts_on > new.starts_on and h.starts_on < coalesce(new.ends_on, 'infinity')
    ) d
    where (select count(*) from app.position_holders h where h.org_id = new.org_id and h.position_id = new.position_id and h.id <> new.id
      and h.starts_on <= d.day and (coalesce(h.ends_on, 'infinity') > d.day or h.starts_on = d.day)
      and not exists (select from app.people x where x.org_id = h.org_id and x.id = h.person_id and x.lifecycle in ('erased', 'merged', 'deceased'))) >= p.max_holders
  ) then
    raise exception 'the office is taken in that time' using errcode = '23P01', constraint = 'position_holders_seats';
  end if;
  return new;
end $function$;
revoke all on function app.position_holders_guard() from public;
comment on function app.position_holders_guard() is 'Locks the office, then refuses a holder beyond max_holders, a non-member in a members'' office, and rights above one''s own';

CREATE OR REPLACE FUNCTION app.positions_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if (app.actor()).org_id is null then return new; end if;
  if new.role_id is not null and (tg_op = 'INSERT' or new.role_id is distinct from old.role_id or new.chapter_id <> old.chapter_id)
    and not app.role_within_reach(new.role_id, 'chapter', new.chapter_id) then
    raise exception 'this role carries rights that you do not hold here' using errcode = '42501', constraint = 'positions_beyond_reach';
  end if;
  if tg_op = 'UPDATE' and new.role_id is not null and new.role_id is distinct from old.role_id and not app.everywhere('account.manage')
    and exists (select from app.position_holders h where h.org_id = new.org_id and h.position_id = new.id and h.person_id = app.person_id()) then
    raise exception 'nobody changes the rights of their own office' using errcode = '42501', constraint = 'positions_own';
  end if;
  return new;
end $function$;
revoke all on function app.positions_guard() from public;

CREATE OR REPLACE FUNCTION app.preview_chapter(idp_org text, secret_hash text)
 RETURNS json
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select app_private.chapter_page(l.org_id, l.subject_id) from app.open_link(idp_org, 'chapter-previews', secret_hash) l where l.subject_type = 'chapter'
$function$;
revoke all on function app.preview_chapter(text,text) from public;
grant execute on function app.preview_chapter(text,text) to app_access;
comment on function app.preview_chapter(text,text) is 'The same before it is published, for whoever has a link that an officer of the chapter made';

CREATE OR REPLACE FUNCTION app.public_brand(idp_org text, org uuid)
 RETURNS TABLE(org_id uuid, name text, locale text, contact_email text, brand_color text, logo_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select o.org_id, o.name, o.locale, o.contact_email, o.brand_color,
    (select f.id from app.files f where f.org_id = o.org_id and f.record_type = 'organisation' and f.record_id = o.org_id and f.use = 'picture' and f.removed_at is null)
  from app.organisations o where o.org_id = coalesce(org, app.token_organisation(idp_org))
$function$;
revoke all on function app.public_brand(text,uuid) from public;
grant execute on function app.public_brand(text,uuid) to app_access;
grant execute on function app.public_brand(text,uuid) to app_worker;
comment on function app.public_brand(text,uuid) is 'How an organisation shows itself on public pages and in mails: the one of a link, or the one that this installation shows';

CREATE OR REPLACE FUNCTION app.public_chapter(idp_org text, key text)
 RETURNS json
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select app_private.chapter_page(c.org_id, c.id) from app.chapters c
  join app.organisations o on o.org_id = c.org_id and o.public_chapters
  where c.org_id = app.token_organisation(idp_org) and (c.code = key or c.id::text = key) and c.public_page and c.status = 'active'
  order by c.code = key desc limit 1
$function$;
revoke all on function app.public_chapter(text,text) from public;
grant execute on function app.public_chapter(text,text) to app_access;
comment on function app.public_chapter(text,text) is 'The public page of a chapter by its code or id, for everybody, once it is published';

CREATE OR REPLACE FUNCTION app.public_chapters(idp_org text, query text)
 RETURNS TABLE(search text, code text, name text, city text, parent text, contact_email text, website text, has_page boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := (select o.org_id from app.organisations o where o.org_id = app.token_organisation(idp_org) and o.public_chapters);
  words text[] := (select array_agg(app.like_pattern(w)) from (select w from regexp_split_to_table(app.fold(left(query, 200)), '\s+') w where w <> '' limit 6) x);
begin
  if org is null then return; end if;
  return query
    select c.search, c.code, c.name, c.city, up.name, c.contact_email, c.website, c.public_page
    from app.chapters c
    left join app.chapters up on up.org_id = c.org_id and up.id = c.parent_id and up.status = 'active'
    where c.org_id = org and c.status = 'active' and (words is null or concat_ws(' ', c.search, app.fold(c.city), (
      select string_agg(above.search, ' ') from app.chapter_ancestors a
      join app.chapters above on above.org_id = a.org_id and above.id = a.ancestor_id and above.status = 'active'
      where a.org_id = c.org_id and a.chapter_id = c.id and a.distance > 0)) like all (words));
end $function$;
revoke all on function app.public_chapters(text,text) from public;
grant execute on function app.public_chapters(text,text) to app_access;
comment on function app.public_chapters(text,text) is 'Active chapters, for everybody, of the organisation that this installation shows, if it shows them: those with all words in their name, code or city, or in the name or code of an active chapter above. Nothing of people, nor of chapters that are not active';

CREATE OR REPLACE FUNCTION app.public_organisation(idp_org text)
 RETURNS TABLE(org_id uuid, name text, locale text, contact_email text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select o.org_id, o.name, o.locale, o.contact_email from app.organisations o where o.org_id = app.token_organisation(idp_org)
$function$;
revoke all on function app.public_organisation(text) from public;
grant execute on function app.public_organisation(text) to app_access;
comment on function app.public_organisation(text) is 'What everybody may know of the organisation that this installation shows on its public pages';

CREATE OR REPLACE FUNCTION app.purge_comments()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  delete from app.comment_withheld w using app.comments c where c.deleted_at < now() - interval '30 days' and w.org_id = c.org_id and w.comment_id = c.id;
  -- One that has answers stays as the gap they stand below.
  delete from app.comments c where c.deleted_at < now() - interval '30 days'
    and not exists (select from app.comments a where a.org_id = c.org_id and a.parent_id = c.id)
$function$;
revoke all on function app.purge_comments() from public;
grant execute on function app.purge_comments() to app_worker;
comment on function app.purge_comments() is 'Forgets comments that were deleted 30 days ago, and what those said that still have answers; for the worker';

CREATE OR REPLACE FUNCTION app.purge_expired()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  delete from app.idempotency_keys k where k.created_at < now() - interval '7 days';
  delete from app.contact_attempts a where a.since < now() - interval '1 day';
  delete from app_private.logout_tokens t where t.seen_at < now() - interval '1 hour';
  update app.imports i set file_key = ''
    where i.created_at < now() - interval '30 days' and i.file_key <> '' and i.status not in ('checking', 'running', 'undoing');
  update app.exports x set file_key = null where x.expires_at < now() and x.file_key is not null
$function$;
revoke all on function app.purge_expired() from public;
grant execute on function app.purge_expired() to app_worker;
comment on function app.purge_expired() is 'Forgets what is kept for some days only; for the worker, once it has removed the files';

CREATE OR REPLACE FUNCTION app.purge_files()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  delete from app.files f where f.removed_at < now() - interval '7 days';
  delete from app.loose_files l using app.files f where l.due_at <= now() and f.org_id = l.org_id and f.id = l.file_id
$function$;
revoke all on function app.purge_files() from public;
grant execute on function app.purge_files() to app_worker;
comment on function app.purge_files() is 'Forgets files that were removed 7 days ago; for the worker';

CREATE OR REPLACE FUNCTION app.purge_links()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  -- Whoever comes with an invitation a few days late is told that it has expired.
  delete from app.signed_links l where l.expires_at < now() - case l.purpose when 'invitations' then interval '30 days' else interval '0' end or l.revoked_at < now()
$function$;
revoke all on function app.purge_links() from public;
grant execute on function app.purge_links() to app_worker;
comment on function app.purge_links() is 'Forgets links that open nothing any more; for the worker';

CREATE OR REPLACE FUNCTION app.purge_mail()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  delete from app.mail_messages x where x.settled_at < now() - interval '180 days';
  delete from app_private.mail_pace p where p.free_at < now() - interval '1 day'
$function$;
revoke all on function app.purge_mail() from public;
grant execute on function app.purge_mail() to app_worker;
comment on function app.purge_mail() is 'Forgets mail half a year after it was settled';

CREATE OR REPLACE FUNCTION app.purge_notes()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  delete from app.notes n where n.deleted_at < now() - interval '30 days'
$function$;
revoke all on function app.purge_notes() from public;
grant execute on function app.purge_notes() to app_worker;
comment on function app.purge_notes() is 'Forgets notes that were deleted 30 days ago; for the worker';

CREATE OR REPLACE FUNCTION app.purge_notifications()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  delete from app.notifications n where n.created_at < now() - interval '1 year'
$function$;
revoke all on function app.purge_notifications() from public;
grant execute on function app.purge_notifications() to app_worker;
comment on function app.purge_notifications() is 'Forgets what was told a year ago';

CREATE OR REPLACE FUNCTION app.purge_recordings()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  delete from app.recording_parts p where p.created_at < now() - interval '14 days'
$function$;
revoke all on function app.purge_recordings() from public;
grant execute on function app.purge_recordings() to app_worker;
comment on function app.purge_recordings() is 'Forgets recordings older than 14 days; for the worker';

CREATE OR REPLACE FUNCTION app.purge_runs()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  delete from app.schedule_runs r where r.due_at < now() - interval '90 days'
    and exists (select from app.schedule_runs newer where newer.org_id = r.org_id and newer.schedule = r.schedule and newer.due_on > r.due_on)
$function$;
revoke all on function app.purge_runs() from public;
grant execute on function app.purge_runs() to app_worker;
comment on function app.purge_runs() is 'Forgets runs of more than 90 days ago, except for the newest of each schedule; for the worker';

CREATE OR REPLACE FUNCTION app.queue_administrator_mail(org uuid, mail jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare written int;
begin
  insert into app.mail_messages (org_id, template, address, to_administrators, reply_to, params, essential, dedupe_key, trace)
    select org, mail ->> 'template', r, true, mail ->> 'reply_to', coalesce(mail -> 'params', '{}'), true,
      (mail ->> 'dedupe_key') || ':' || left(app_private.address_hash(r), 16), mail ->> 'trace'
    from app.contact_recipients(org) r
    on conflict (org_id, dedupe_key) do nothing;
  get diagnostics written = row_count;
  return written;
end $function$;
revoke all on function app.queue_administrator_mail(uuid,jsonb) from public;
grant execute on function app.queue_administrator_mail(uuid,jsonb) to app_access;
comment on function app.queue_administrator_mail(uuid,jsonb) is 'Writes a mail to each of the administrators down, whose addresses the request never sees; how many';

CREATE OR REPLACE FUNCTION app.queue_digests(org uuid, how text, day date)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare written int;
begin
  with gathered as (
    update app.notifications n set mailed_at = now() where n.org_id = org and n.mail = how and n.mailed_at is null returning n.account_id, n.id, n.read_at
  ),
  -- What was read meanwhile is no news.
  news as (select g.account_id, array_agg(g.id order by g.id desc) as ids from gathered g where g.read_at is null group by g.account_id)
  insert into app.mail_messages (org_id, template, account_id, params, essential, dedupe_key)
    select org, 'digest', w.account_id, jsonb_build_object('ids', to_jsonb(w.ids[1:50]), 'count', cardinality(w.ids)), false, concat_ws(':', 'digest', how, day, w.account_id)
    from news w on conflict (org_id, dedupe_key) do nothing;
  get diagnostics written = row_count;
  return written;
end $function$;
revoke all on function app.queue_digests(uuid,text,date) from public;
grant execute on function app.queue_digests(uuid,text,date) to app_worker;
comment on function app.queue_digests(uuid,text,date) is 'One mail to each account with what it was told of and not mailed yet; how many';

CREATE OR REPLACE FUNCTION app.queue_mail(mail jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is null then raise exception 'only somebody who is signed in causes a mail' using errcode = '42501'; end if;
  if mail ->> 'address' is not null and not app.everywhere('account.manage') then
    raise exception 'only those who keep the accounts write to any address' using errcode = '42501';
  end if;
  return app_private.add_mail(actor.org_id, actor.account_id, mail);
end $function$;
revoke all on function app.queue_mail(jsonb) from public;
grant execute on function app.queue_mail(jsonb) to app_access;
comment on function app.queue_mail(jsonb) is 'Writes a mail down that the actor causes, to an account or a person of the organisation; null when there is one under its key already';

CREATE OR REPLACE FUNCTION app.queue_mail_for(org uuid, mail jsonb)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select app_private.add_mail(org, null, mail)
$function$;
revoke all on function app.queue_mail_for(uuid,jsonb) from public;
grant execute on function app.queue_mail_for(uuid,jsonb) to app_worker;
comment on function app.queue_mail_for(uuid,jsonb) is 'The same for jobs that nobody in particular asked for';

CREATE OR REPLACE FUNCTION app.record_audit(action text, entity text, entity_id uuid, diff jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if action not in ('export', 'import', 'undo', 'sign_in') then
    raise exception 'only events without a row of their own are recorded by hand' using errcode = '22023';
  end if;
  if (app.actor()).org_id is null then raise exception 'no actor' using errcode = '28000'; end if;
  perform app_private.audit_append((app.actor()).org_id, action, entity, 'audit.read', null, array[jsonb_build_object('id', entity_id) || diff]);
end $function$;
revoke all on function app.record_audit(text,text,uuid,jsonb) from public;
grant execute on function app.record_audit(text,text,uuid,jsonb) to app_access;
comment on function app.record_audit(text,text,uuid,jsonb) is 'Appends an event that no table change stands for: an export, an import, a sign-in';

CREATE OR REPLACE FUNCTION app.record_payment(said jsonb)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  first app.invoices;
  person uuid := (said ->> 'person_id')::uuid;
  chapter uuid := (said ->> 'chapter_id')::uuid;
  made app.payments;
begin
  perform app_private.books_open(org);
  if (said ->> 'received_on')::date > app.today() then
    raise exception 'money that has not come cannot be recorded' using errcode = '23514', constraint = 'payment_in_future';
  end if;
  -- Whoever owes the first invoice paid, unless somebody else is named.
  select i.* into first from app.invoices i where i.org_id = org and i.id = (said -> 'allocations' -> 0 ->> 'invoice_id')::uuid;
  if person is null and chapter is null then person := first.person_id; chapter := first.chapter_id; end if;
  insert into app.payments (org_id, kind, method, amount, currency, person_id, chapter_id, books_chapter_id, received_on, reference, note, created_by)
    values (org, 'manual', said ->> 'method', (said ->> 'amount')::bigint, said ->> 'currency', person, chapter,
      coalesce(first.books_chapter_id, chapter, (select p.home_chapter_id from app.people p where p.org_id = org and p.id = person)),
      (said ->> 'received_on')::date, coalesce(said ->> 'reference', ''), coalesce(said ->> 'note', ''), app.account_id())
    returning * into made;
  if not app_private.keeps_books(org, made.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  perform app.allocate_payment(made.id, coalesce(said -> 'allocations', '[]'));
  return made.id;
end $function$;
revoke all on function app.record_payment(jsonb) from public;
grant execute on function app.record_payment(jsonb) to app_access;
comment on function app.record_payment(jsonb) is 'Writes down money that came by bank, in cash or as a cheque, and what it is for; app.settle_payment lets it pay';

CREATE OR REPLACE FUNCTION app.record_scope(kind text, wanted text)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  actor app.actor_context := app.actor();
  today date;
begin
  if actor.org_id is null then return '{}'; end if;
  select m.today into today from app_private.me_today(actor) m;
  return (select coalesce(array_agg(distinct x.scope_id), '{}') from app_private.by_grant(actor, today, wanted) x where x.scope_kind = kind);
end $function$;
revoke all on function app.record_scope(text,text) from public;
grant execute on function app.record_scope(text,text) to app_access;
comment on function app.record_scope(text,text) is 'Events, campaigns or projects in which the actor holds a permission';

CREATE OR REPLACE FUNCTION app.refresh_counts(org uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform app_private.count_chapters(array(select row(c.org_id, c.id)::app_private.chapter_key from app.chapters c where c.org_id = org));
  update app.group_counts n set members = live.members
    from (select g.id, (select count(*) from app.group_members m where m.org_id = g.org_id and m.group_id = g.id and m.status = 'active'
        and (m.starts_on is null or m.starts_on <= current_date) and (m.ends_on is null or m.ends_on >= current_date)) as members
      from app.groups g where g.org_id = org) live
    where n.org_id = org and n.group_id = live.id and n.members <> live.members;
  -- Months do not change with the date; they are missing only where rows were loaded without triggers.
  if not exists (select from app.chapter_months m where m.org_id = org) then
    perform app_private.add_months(array(
      select row(a.org_id, a.chapter_id, a.starts_on, a.ends_on, 1)::app_private.membership_change from app.affiliations a where a.org_id = org and a.kind = 'member'));
  end if;
end $function$;
revoke all on function app.refresh_counts(uuid) from public;
grant execute on function app.refresh_counts(uuid) to app_worker;
comment on function app.refresh_counts(uuid) is 'Brings the counts of chapters and groups up to date where a date has passed; run daily';

CREATE OR REPLACE FUNCTION app.refresh_data_health(org uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  delete from app.data_health d where d.org_id = org;
  insert into app.data_health (org_id, chapter_id, people, without_email)
    select p.org_id, p.home_chapter_id, count(*), count(*) filter (where e.person_id is null)
    from app.people p left join app.person_emails e on e.org_id = p.org_id and e.person_id = p.id and e.is_primary
    where p.org_id = org and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')
    group by p.org_id, p.home_chapter_id
$function$;
revoke all on function app.refresh_data_health(uuid) from public;
grant execute on function app.refresh_data_health(uuid) to app_worker;
comment on function app.refresh_data_health(uuid) is 'Counts the gaps in an organisation''s data anew; run every few minutes';

CREATE OR REPLACE FUNCTION app.refund_to_give(org uuid, refund uuid)
 RETURNS TABLE(payment_id uuid, intent text, amount bigint, currency text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select p.id, p.provider_ref, r.amount, r.currency from app.refunds r join app.payments p on p.org_id = r.org_id and p.id = r.payment_id
    where r.org_id = org and r.id = refund and r.state = 'pending' and p.provider_ref is not null
$function$;
revoke all on function app.refund_to_give(uuid,uuid) from public;
grant execute on function app.refund_to_give(uuid,uuid) to app_worker;
comment on function app.refund_to_give(uuid,uuid) is 'A refund that the provider is still to be asked for, or to be asked about';

CREATE OR REPLACE FUNCTION app.remove_payment_method(method uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update app.payment_methods m set removed_at = now(), updated_at = now()
    where m.org_id = app.org_id() and m.id = method and m.person_id = app.person_id() and m.removed_at is null;
  return found;
end $function$;
revoke all on function app.remove_payment_method(uuid) from public;
grant execute on function app.remove_payment_method(uuid) to app_access;
comment on function app.remove_payment_method(uuid) is 'Forgets a saved card of the actor''s own';

CREATE OR REPLACE FUNCTION app.removed_payment_method(org uuid, method uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select m.provider_method from app.payment_methods m where m.org_id = org and m.id = method and m.removed_at is not null
$function$;
revoke all on function app.removed_payment_method(uuid,uuid) from public;
grant execute on function app.removed_payment_method(uuid,uuid) to app_worker;
comment on function app.removed_payment_method(uuid,uuid) is 'The provider''s id of a card that was removed here';

CREATE OR REPLACE FUNCTION app.request_access(statement text, message text)
 RETURNS TABLE(org_id uuid, account_id uuid, status text, asked boolean)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  said jsonb := app_private.token_statement(statement, 'request');
  org uuid := app.token_organisation(said ->> 'idpOrg');
begin
  if org is null then return; end if;
  return query
    insert into app.accounts as a (org_id, issuer, subject, email, email_verified, name, status, access_message)
      values (org, said ->> 'issuer', said ->> 'subject', said ->> 'email', coalesce((said ->> 'emailVerified')::boolean, false),
        coalesce(said ->> 'name', ''), 'pending_link', nullif(message, ''))
      on conflict on constraint accounts_org_id_issuer_subject_key do nothing
      returning a.org_id, a.id, a.status, true;
  if found then return; end if;
  return query select a.org_id, a.id, a.status, false from app.accounts a
    where a.org_id = org and a.issuer = said ->> 'issuer' and a.subject = said ->> 'subject';
end $function$;
revoke all on function app.request_access(text,text) from public;
grant execute on function app.request_access(text,text) to app_access;
comment on function app.request_access(text,text) is 'An account that waits for an administrator, for a verified token that has none; asking again changes nothing';

CREATE OR REPLACE FUNCTION app.request_refund(payment uuid, amount bigint, reason text, OUT refund uuid, OUT by_hand boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  p app.payments;
begin
  perform app_private.books_open(org);
  select x.* into p from app.payments x where x.org_id = org and x.id = payment for update;
  if p.id is null then raise exception 'there is no such payment' using errcode = '23503', constraint = 'payment_unknown'; end if;
  if not app_private.keeps_books(org, p.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  if p.state not in ('settled', 'partly_refunded') then raise exception 'there is nothing to refund' using errcode = '23514', constraint = 'payment_over'; end if;
  if amount > p.amount - (select coalesce(sum(r.amount), 0) from app.refunds r where r.org_id = org and r.payment_id = payment and r.state <> 'failed') then
    raise exception 'so much is not left' using errcode = '23514', constraint = 'refund_too_large';
  end if;
  by_hand := p.kind = 'manual';
  insert into app.refunds (org_id, payment_id, amount, currency, reason, state, settled_at, created_by)
    values (org, payment, amount, p.currency, reason, case when by_hand then 'settled' else 'pending' end, case when by_hand then now() end, app.account_id())
    returning id into refund;
  update app.payments x set updated_at = now() where x.org_id = org and x.id = payment;
end $function$;
revoke all on function app.request_refund(uuid,bigint,text) from public;
grant execute on function app.request_refund(uuid,bigint,text) to app_access;
comment on function app.request_refund(uuid,bigint,text) is 'Notes money to be given back; what was charged by the provider goes back through it, other money by hand';

CREATE OR REPLACE FUNCTION app.retry_mail(mail uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if not app.everywhere('account.manage') then raise exception 'only those who keep the accounts send mail again' using errcode = '42501'; end if;
  update app.mail_messages x set state = 'queued', outcome = '', answer = '', next_at = now(), paced = false, lease_until = null, handed_at = null, settled_at = null
    where x.org_id = app.org_id() and x.id = mail and x.state in ('failed', 'unknown');
  return found;
end $function$;
revoke all on function app.retry_mail(uuid) from public;
grant execute on function app.retry_mail(uuid) to app_access;
comment on function app.retry_mail(uuid) is 'Another try of a mail that failed, or of which nobody knows whether it arrived; false for any other';

CREATE OR REPLACE FUNCTION app.reverse_payment(payment uuid, reason text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  p app.payments;
begin
  perform app_private.books_open(org);
  select x.* into p from app.payments x where x.org_id = org and x.id = payment for update;
  if p.id is null then raise exception 'there is no such payment' using errcode = '23503', constraint = 'payment_unknown'; end if;
  if not app_private.keeps_books(org, p.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  if p.kind <> 'manual' then raise exception 'give the money back instead' using errcode = '23514', constraint = 'payment_not_manual'; end if;
  if p.state <> 'settled' then raise exception 'this payment was reversed or refunded' using errcode = '23514', constraint = 'payment_over'; end if;
  update app.payments x set state = 'reversed', reversed_at = now(), reversed_by = app.account_id(), reversal_reason = reason where x.org_id = org and x.id = payment;
  return query select app_private.apply_payment(org, payment);
end $function$;
revoke all on function app.reverse_payment(uuid,text) from public;
grant execute on function app.reverse_payment(uuid,text) to app_access;
comment on function app.reverse_payment(uuid,text) is 'Takes back what was recorded by mistake: it stays on record and pays nothing';

CREATE OR REPLACE FUNCTION app.revoke_links(purpose text, subject_type text, subject_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare touched int;
begin
  update app.signed_links l set revoked_at = now()
  where l.org_id = (app.actor()).org_id and l.purpose = revoke_links.purpose and l.subject_type = revoke_links.subject_type and l.subject_id = revoke_links.subject_id
    and l.revoked_at is null and l.expires_at > now();
  get diagnostics touched = row_count;
  return touched;
end $function$;
revoke all on function app.revoke_links(text,text,uuid) from public;
grant execute on function app.revoke_links(text,text,uuid) to app_access;
comment on function app.revoke_links(text,text,uuid) is 'Ends every link of a purpose about a subject, in the actor''s organisation; how many there were. Whether the actor may is for the caller to ask before';

CREATE OR REPLACE FUNCTION app.role_permissions_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if coalesce(current_setting('app.actor', true), '') <> '' then
    perform app_private.hold_account_rights(coalesce(new.org_id, old.org_id));
  end if;
  return coalesce(new, old);
end $function$;
revoke all on function app.role_permissions_guard() from public;
comment on function app.role_permissions_guard() is 'Who waited for another administrator sees what that one decided: two who empty each other''s roles do not both succeed';

CREATE OR REPLACE FUNCTION app.role_within_reach(role uuid, kind text, scope uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return not exists (
    select from app.role_permissions p where p.org_id = (select app.org_id()) and p.role_id = role
      and not app.everywhere(p.permission)
      and not (kind = 'chapter' and scope = any (app.scope(p.permission)))
      and not (kind = 'group' and scope = any (app.group_scope(p.permission)))
      and not (kind in ('event', 'campaign', 'project') and scope = any (app.record_scope(kind, p.permission)))
  );
end $function$;
revoke all on function app.role_within_reach(uuid,text,uuid) from public;
grant execute on function app.role_within_reach(uuid,text,uuid) to app_access;
comment on function app.role_within_reach(uuid,text,uuid) is 'Whether the actor holds every permission of a role in that scope: nobody gives more than they have';

CREATE OR REPLACE FUNCTION app.run_memberships(org uuid, today date)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  actor app.actor_context := app.actor();
  ended int;
  graced int;
  lapsed int;
  opened int;
  free uuid[];
begin
  if actor.org_id is not null and (actor.org_id <> org or not app.everywhere('memberships.manage')) then
    raise exception 'memberships are run by administrators' using errcode = '42501', constraint = 'memberships_administrators';
  end if;
  update app.memberships m set override_status = null, override_until = null, override_reason = null where m.org_id = org and m.override_until < today;
  get diagnostics ended = row_count;
  update app.memberships m set status = 'grace' where m.org_id = org and m.status = 'active' and m.ends_on < today and m.grace_until >= today;
  get diagnostics graced = row_count;
  update app.memberships m set status = 'lapsed' where m.org_id = org and m.status in ('active', 'grace') and m.grace_until < today;
  get diagnostics lapsed = row_count;
  with fresh as (
    insert into app.membership_terms (org_id, membership_id, person_id, period, months, starts_month, starts_day, rollover_days, grace_days, chapter_share_bps, price_amount, price_currency)
      select m.org_id, m.id, m.person_id, t.period, t.months, t.starts_month, t.starts_day, 0, t.grace_days, t.chapter_share_bps, t.price_amount, t.price_currency
      from app.memberships m
      join app.membership_types t on t.org_id = m.org_id and t.id = m.type_id and t.archived_at is null and t.period <> 'lifetime'
      join app.people p on p.org_id = m.org_id and p.id = m.person_id and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')
      where m.org_id = org and m.status in ('active', 'grace') and m.auto_renew and m.ends_on <= today + t.renewal_days
        and not exists (select from app.membership_terms o where o.org_id = m.org_id and o.membership_id = m.id and o.status = 'open')
      returning membership_id, id, price_amount
  )
  select count(*), coalesce(array_agg(f.id) filter (where f.price_amount = 0), '{}') into opened, free from fresh f;
  -- A free term begins the day after the running one.
  update app.membership_terms t set status = 'settled', settled_on = today, starts_on = m.ends_on + 1,
      ends_on = app.term_ends(t.period, t.months, t.starts_month, t.starts_day, t.rollover_days, m.ends_on + 1)
    from app.memberships m where t.org_id = org and t.id = any (free) and m.org_id = t.org_id and m.id = t.membership_id;
  perform app_private.refresh_memberships(org, (select coalesce(array_agg(t.membership_id), '{}') from app.membership_terms t where t.org_id = org and t.id = any (free)), today, false);
  return jsonb_build_object('overridesEnded', ended, 'toGrace', graced, 'lapsed', lapsed, 'renewalsOpened', opened, 'renewedFree', cardinality(free));
end $function$;
revoke all on function app.run_memberships(uuid,date) from public;
grant execute on function app.run_memberships(uuid,date) to app_access;
grant execute on function app.run_memberships(uuid,date) to app_worker;
comment on function app.run_memberships(uuid,date) is 'What the calendar does to memberships: overrides end, terms end, renewals open. The second run of a day changes nothing';

CREATE OR REPLACE FUNCTION app.schedule_states()
 RETURNS TABLE(org_id uuid, timezone text, last_days jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select o.org_id, o.timezone, (
    select jsonb_object_agg(r.schedule, r.last) from (
      select r.schedule, max(r.due_on) as last from app.schedule_runs r where r.org_id = o.org_id group by r.schedule) r)
  from app.organisations o
$function$;
revoke all on function app.schedule_states() from public;
grant execute on function app.schedule_states() to app_worker;
comment on function app.schedule_states() is 'Every organisation with its time zone and the newest day of each of its schedules; for the worker';

CREATE OR REPLACE FUNCTION app.scope(wanted text)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  actor app.actor_context := app.actor();
  me uuid;
  today date;
begin
  if actor.org_id is null then return '{}'; end if;
  select m.me, m.today into me, today from app_private.me_today(actor) m;
  return (select coalesce(array_agg(distinct a.chapter_id), '{}')
    from (
      select x.scope_id from app_private.by_grant(actor, today, wanted) x where x.scope_kind = 'chapter'
      union all select x.scope_id from app_private.by_office(actor, me, today, wanted) x
      union all select x.scope_id from app_private.by_membership(actor, me, today, wanted) x where x.scope_kind = 'chapter'
    ) r
    join app.chapter_ancestors a on a.org_id = actor.org_id and a.ancestor_id = r.scope_id);
end $function$;
revoke all on function app.scope(text) from public;
grant execute on function app.scope(text) to app_access;
comment on function app.scope(text) is 'Chapters, subtrees opened, in which the actor holds a permission';

CREATE OR REPLACE FUNCTION app.search_people(query text, after_name text, after_id uuid, how_many integer, backwards boolean)
 RETURNS TABLE(id uuid, sort_name text, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  cap constant int := 10001;
  glance constant int := 50000;
  c record;
  onward text := 'true';
  ordered constant text := format('order by p.sort_name %1$s, p.id %1$s', case when backwards then 'desc' else 'asc' end);
  owned constant text := 'exists (select from app.%s c where c.org_id = p.org_id and c.person_id = p.id and %s)';
  fits text;
  names int;
  matches int;
  page uuid[];
begin
  select * into c from app_private.people_search(query);
  if c.names is null then return; end if;
  if after_id is not null then
    onward := format('(p.sort_name, p.id) %s (%L, %L::uuid)', case when backwards then '<' else '>' end, after_name, after_id);
  end if;

  execute format('with %1$s select (select total from names), (select total from matches), case when (select total from matches) < %2$s
      then array(select p.id from m p where %3$s %4$s limit %5$s) end',
    app_private.people_search_found(c, cap), cap, onward, ordered, how_many) into names, matches, page;
  if page is null then
    -- So common a text mostly fills the page within a glance along the index of names, which saves collecting and sorting everybody who fits.
    fits := case when names >= cap then c.names else concat_ws(' or ', format('(%s)', c.names),
      case when c.emails is not null then format(owned, 'person_emails', c.emails) end,
      case when c.phones is not null then format(owned, 'person_phones', c.phones) end) end;
    execute format('select array(select p.id from (select p.org_id, p.id, p.sort_name, p.search, p.minor_until from app.people p
        where p.org_id = %1$L and p.deleted_at is null and %2$s %3$s limit %4$s) p where (%5$s) and %6$s %3$s limit %7$s)',
      app.org_id(), onward, ordered, glance, fits, c.seen, how_many) into page;
    if cardinality(page) < how_many then
      execute format('select array(select p.id from app.people p where %1$s and (%2$s) and %3$s %4$s limit %5$s)', c.people, fits, onward, ordered, how_many)
        into page;
    end if;
  end if;
  return query select p.id, p.sort_name, least(matches, cap) from app.people p where p.org_id = app.org_id() and p.id = any (page);
end $function$;
revoke all on function app.search_people(text,text,uuid,integer,boolean) from public;
grant execute on function app.search_people(text,text,uuid,integer,boolean) to app_access;
comment on function app.search_people(text,text,uuid,integer,boolean) is 'A page of matching_people after a given one in the order of names, with how many match in all, which is exact up to 10,000';

CREATE OR REPLACE FUNCTION app.search_reach(query text, OUT people integer, OUT names_alone boolean)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ select r.people, r.names_alone from app_private.people_reach(query, 10001) r $function$;
revoke all on function app.search_reach(text) from public;
grant execute on function app.search_reach(text) to app_access;
comment on function app.search_reach(text) is 'How many people the actor finds by this text, counted to 10,001, and whether addresses and numbers are not looked at because so many names contain it';

CREATE OR REPLACE FUNCTION app.search_terms(query text, OUT names text[], OUT starts text[], OUT email text, OUT whole boolean, OUT phone text)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  folded text := btrim(app.fold(left(query, 200)));
  words text[] := (select array_agg(t) from (select t from regexp_split_to_table(folded, '\s+') t where t <> '' limit 6) x);
  number text := regexp_replace(query, '[^0-9]', '', 'g');
  -- Whether a trigram is in it: three letters in a row, or two of them at an end of a word that is seen to be one.
  anywhere boolean := folded ~ '[[:alnum:]]{3}|[^[:alnum:]\s][[:alnum:]]{2}|[[:alnum:]]{2}[^[:alnum:]\s]';
begin
  names := (select array_agg(app.like_pattern(w)) from unnest(words) w);
  if not anywhere then starts := words; end if;
  if anywhere and folded !~ '\s' then
    email := app.like_pattern(folded);
    -- A whole domain can match everybody, so the part after the @ is searched only when an @ was typed.
    whole := folded like '%@%';
  end if;
  if char_length(number) >= 3 and query !~ '[[:alpha:]]' then phone := app.like_pattern(number); end if;
end $function$;
revoke all on function app.search_terms(text) from public;
grant execute on function app.search_terms(text) to app_access;
grant execute on function app.search_terms(text) to app_definer;
comment on function app.search_terms(text) is 'What a text searches for: patterns that the names must all fit (null for no word), beginnings of which a family name must have one where there is too little for trigrams (else null), a pattern for e-mail addresses, whole ones or the part before the @, and one for the digits of telephone numbers';

CREATE OR REPLACE FUNCTION app.sees_contact(myself boolean, for_members boolean, contact_everywhere boolean, contact_here boolean, contact_led boolean, directory_everywhere boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (contact_everywhere OR myself OR (for_members AND directory_everywhere) OR contact_here OR contact_led);
revoke all on function app.sees_contact(boolean,boolean,boolean,boolean,boolean,boolean) from public;
grant execute on function app.sees_contact(boolean,boolean,boolean,boolean,boolean,boolean) to app_access;
grant execute on function app.sees_contact(boolean,boolean,boolean,boolean,boolean,boolean) to app_definer;
comment on function app.sees_contact(boolean,boolean,boolean,boolean,boolean,boolean) is 'Whether an address of a visible person is seen: by that person, with people.contact everywhere, over the person or in a group of theirs, and when open to members by those who see the whole directory';

CREATE OR REPLACE FUNCTION app.sees_person(myself boolean, is_minor boolean, sensitive_everywhere boolean, sensitive_here boolean, directory_everywhere boolean, directory_here boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
RETURN (sensitive_everywhere OR myself OR CASE WHEN is_minor THEN sensitive_here ELSE (directory_everywhere OR directory_here) END);
revoke all on function app.sees_person(boolean,boolean,boolean,boolean,boolean,boolean) from public;
grant execute on function app.sees_person(boolean,boolean,boolean,boolean,boolean,boolean) to app_access;
grant execute on function app.sees_person(boolean,boolean,boolean,boolean,boolean,boolean) to app_definer;
comment on function app.sees_person(boolean,boolean,boolean,boolean,boolean,boolean) is 'Whether a person is seen by somebody who holds people.sensitive and people.directory everywhere, or over this person: minors only with the right to sensitive data';

CREATE OR REPLACE FUNCTION app.settle_mail(org uuid, mail uuid, attempt integer, new_state text, why text, said text, again interval, bounced boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare settled app.mail_messages;
begin
  -- What was given up as unknown meanwhile is known now, if only late.
  update app.mail_messages x set state = new_state, outcome = why, answer = left(said, 300), lease_until = null, paced = false,
      handed_at = case when new_state = 'queued' then null else x.handed_at end,
      next_at = case when new_state = 'queued' then now() + again else x.next_at end,
      settled_at = case when new_state = 'queued' then null else now() end
    where x.org_id = org and x.id = mail and x.attempts = attempt
      and (x.state = 'sending' or (x.state = 'unknown' and new_state in ('sent', 'failed')))
    returning * into settled;
  if bounced and settled.sent_to is not null then
    insert into app.mail_suppressions as s (org_id, address_hash, reason, source)
      values (org, app_private.address_hash(settled.sent_to), 'hard_bounce', 'mail ' || mail)
      on conflict on constraint mail_suppressions_pkey do update set reason = 'hard_bounce', source = excluded.source where s.reason in ('unsubscribed', 'manual');
  end if;
end $function$;
revoke all on function app.settle_mail(uuid,uuid,integer,text,text,text,interval,boolean) from public;
grant execute on function app.settle_mail(uuid,uuid,integer,text,text,text,interval,boolean) to app_worker;
comment on function app.settle_mail(uuid,uuid,integer,text,text,text,interval,boolean) is 'What became of an attempt; queued again for another one later. bounced: the address is refused for good';

CREATE OR REPLACE FUNCTION app.settle_membership_term(org uuid, term uuid, paid_on date)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  actor app.actor_context := app.actor();
  m app.memberships;
  t app.membership_terms;
  first date;
begin
  if actor.org_id is not null and actor.org_id <> org then raise exception 'this term belongs to another organisation' using errcode = '42501', constraint = 'membership_decided_above'; end if;
  select x.* into m from app.memberships x join app.membership_terms y on y.org_id = x.org_id and y.membership_id = x.id
    where x.org_id = org and y.id = term for update of x;
  select y.* into t from app.membership_terms y where y.org_id = org and y.id = term for update;
  if t.id is null or t.status <> 'open' then return false; end if;
  if m.status in ('applied', 'awaiting_approval', 'declined', 'withdrawn') then
    raise exception 'this application has not been approved' using errcode = '23514', constraint = 'membership_not_approved';
  end if;
  if not app_private.term_paid(org, term) then
    raise exception 'this term has not been paid' using errcode = '23514', constraint = 'membership_not_paid';
  end if;
  first := app.term_starts(paid_on, case when m.status <> 'cancelled' then m.ends_on end, m.grace_until);
  update app.membership_terms y set status = 'settled', settled_on = paid_on, starts_on = first,
      ends_on = app.term_ends(t.period, t.months, t.starts_month, t.starts_day, t.rollover_days, first)
    where y.org_id = org and y.id = term;
  perform app_private.refresh_memberships(org, array[m.id], app_private.today_of(org), true);
  return true;
end $function$;
revoke all on function app.settle_membership_term(uuid,uuid,date) from public;
grant execute on function app.settle_membership_term(uuid,uuid,date) to app_access;
grant execute on function app.settle_membership_term(uuid,uuid,date) to app_worker;
comment on function app.settle_membership_term(uuid,uuid,date) is 'Gives a paid term its dates and the membership its status; false when that was done before';

CREATE OR REPLACE FUNCTION app.settle_payment(org uuid, payment uuid, at timestamp with time zone)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare p app.payments;
begin
  perform app_private.books_open(org);
  select x.* into p from app.payments x where x.org_id = org and x.id = payment for update;
  if p.id is null then raise exception 'there is no such payment' using errcode = '23503', constraint = 'payment_unknown'; end if;
  -- An actor settles what was recorded by hand; what a provider charged settles when the provider says so.
  if (app.actor()).org_id is not null and (p.kind <> 'manual' or not app_private.keeps_books(org, p.books_chapter_id)) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  if p.state in ('pending', 'failed', 'cancelled') then
    update app.payments x set state = 'settled', failure = null, settled_at = at where x.org_id = org and x.id = payment;
    if p.invoice_id is not null then
      insert into app.payment_allocations (org_id, payment_id, invoice_id, amount, refunded_amount) values (org, payment, p.invoice_id, p.amount, p.amount)
        on conflict (org_id, payment_id, invoice_id) do nothing;
    end if;
  end if;
  return query select app_private.apply_payment(org, payment);
end $function$;
revoke all on function app.settle_payment(uuid,uuid,timestamp with time zone) from public;
grant execute on function app.settle_payment(uuid,uuid,timestamp with time zone) to app_access;
grant execute on function app.settle_payment(uuid,uuid,timestamp with time zone) to app_worker;
comment on function app.settle_payment(uuid,uuid,timestamp with time zone) is 'A payment has settled: it pays what it was meant for; a second time changes nothing. Answers the invoices whose state may have changed';

CREATE OR REPLACE FUNCTION app.similar_people(given text, family text)
 RETURNS TABLE(id uuid, score real)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'extensions', 'pg_temp'
AS $function$
declare
  c record;
  whole text := btrim(app.fold(left(concat_ws(' ', nullif(btrim(given), ''), nullif(btrim(family), '')), 200)));
begin
  select * into c from app_private.people_search(whole);
  if c.people is null or char_length(whole) < 3 then return; end if;
  return query execute format('select p.id, greatest(word_similarity(%1$L, p.search), similarity(%1$L, p.search)) from app.people p
    where %2$s and %1$L <%% p.search order by 2 desc, p.sort_name limit 20', whole, c.people);
end $function$;
revoke all on function app.similar_people(text,text) from public;
grant execute on function app.similar_people(text,text) to app_access;
comment on function app.similar_people(text,text) is 'The twenty people whom the actor sees and whose names are most like this one';

CREATE OR REPLACE FUNCTION app.submit_contact(org uuid, reference text, sender text, mail text, about text, body text)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  insert into app.contact_messages (org_id, reference, name, email, topic, message) values (org, reference, sender, mail, about, body)
  returning id
$function$;
revoke all on function app.submit_contact(uuid,text,text,text,text,text) from public;
grant execute on function app.submit_contact(uuid,text,text,text,text,text) to app_access;
comment on function app.submit_contact(uuid,text,text,text,text,text) is 'Stores a message of the public contact page; the caller need not be signed in';

CREATE OR REPLACE FUNCTION app.suppress_mail_by_link(idp_org text, secret_hash text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  insert into app.mail_suppressions (org_id, address_hash, reason, source)
    select x.org_id, app_private.address_hash(x.sent_to), 'unsubscribed', 'mail ' || x.id from app.open_link(idp_org, 'unsubscribe', secret_hash) l
    join app.mail_messages x on x.org_id = l.org_id and x.id = l.subject_id
    where l.subject_type = 'mail' and x.sent_to is not null
    on conflict on constraint mail_suppressions_pkey do nothing
$function$;
revoke all on function app.suppress_mail_by_link(text,text) from public;
grant execute on function app.suppress_mail_by_link(text,text) to app_access;
comment on function app.suppress_mail_by_link(text,text) is 'No mail but essential mail to the address that the mail with this link went to';

CREATE OR REPLACE FUNCTION app.swept_file(org uuid, file uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  delete from app.loose_files l where l.org_id = org and l.file_id = file
$function$;
revoke all on function app.swept_file(uuid,uuid) from public;
grant execute on function app.swept_file(uuid,uuid) to app_worker;
comment on function app.swept_file(uuid,uuid) is 'The content of this file was removed from the store';

CREATE OR REPLACE FUNCTION app.tell_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform pg_notify('guildhall', concat_ws(' ', 'account', old.org_id, old.id));
  return null;
end $function$;
revoke all on function app.tell_account() from public;
comment on function app.tell_account() is 'An account was let in, locked out, signed out, linked or removed';

CREATE OR REPLACE FUNCTION app.tell_job()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform pg_notify('guildhall', concat_ws(' ', 'job', new.org_id, new.account_id, new.id));
  return null;
end $function$;
revoke all on function app.tell_job() from public;
comment on function app.tell_job() is 'How far long work is has changed';

CREATE OR REPLACE FUNCTION app.tell_rights()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  case tg_argv[0]
    when 'account' then
      perform pg_notify('guildhall', concat_ws(' ', 'account', c.org_id, c.account_id)) from (select distinct r.org_id, r.account_id from changed r) c;
    when 'person' then
      perform pg_notify('guildhall', concat_ws(' ', 'account', a.org_id, a.id))
        from (select distinct r.org_id, r.person_id from changed r) c join app.accounts a on a.org_id = c.org_id and a.person_id = c.person_id;
    when 'organisation' then
      perform pg_notify('guildhall', concat_ws(' ', 'organisation', c.org_id)) from (select distinct r.org_id from changed r) c;
  end case;
  return null;
end $function$;
revoke all on function app.tell_rights() from public;
comment on function app.tell_rights() is 'Something changed from which rights follow: of an account, of the account of a person, or of everybody in an organisation';

CREATE OR REPLACE FUNCTION app.term_ends(period text, months integer, starts_month integer, starts_day integer, rollover_days integer, starts_on date)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case period
    when 'rolling' then (starts_on + make_interval(months => months))::date - 1
    when 'fixed' then (select case when n.next - starts_on <= rollover_days then (n.next + interval '1 year')::date else n.next end - 1
      from (select case when make_date(extract(year from starts_on)::int, starts_month, starts_day) > starts_on then make_date(extract(year from starts_on)::int, starts_month, starts_day)
        else make_date(extract(year from starts_on)::int + 1, starts_month, starts_day) end as next) n)
  end
$function$;
revoke all on function app.term_ends(text,integer,integer,integer,integer,date) from public;
grant execute on function app.term_ends(text,integer,integer,integer,integer,date) to app_access;
grant execute on function app.term_ends(text,integer,integer,integer,integer,date) to app_definer;
comment on function app.term_ends(text,integer,integer,integer,integer,date) is 'Last day of a term that starts on a day; null for a lifetime';

CREATE OR REPLACE FUNCTION app.term_starts(paid_on date, current_end date, grace_until date)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when current_end is not null and paid_on <= coalesce(grace_until, current_end) then current_end + 1 else paid_on end
$function$;
revoke all on function app.term_starts(date,date,date) from public;
grant execute on function app.term_starts(date,date,date) to app_access;
grant execute on function app.term_starts(date,date,date) to app_definer;
comment on function app.term_starts(date,date,date) is 'First day of a term: the day after the running one, also within its grace, else the day of payment';

CREATE OR REPLACE FUNCTION app.today()
 RETURNS date
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare actor app.actor_context := app.actor();
begin
  return coalesce((select (now() at time zone o.timezone)::date from app.organisations o where o.org_id = actor.org_id), current_date);
end $function$;
revoke all on function app.today() from public;
grant execute on function app.today() to app_access;
comment on function app.today() is 'The calendar day in the organisation''s own time zone: what date windows are compared with';

CREATE OR REPLACE FUNCTION app.token_binding(idp_org text)
 RETURNS TABLE(org_id uuid, idp_org_id text, alone boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select o.org_id, o.idp_org_id, not exists (select from app.organisations x where x.org_id <> o.org_id)
  from app.organisations o where o.org_id = app.token_organisation(idp_org)
$function$;
revoke all on function app.token_binding(text) from public;
grant execute on function app.token_binding(text) to app_access;
comment on function app.token_binding(text) is 'Organisation that a token of this provider organisation belongs to, its id at the provider, and whether it is the only one here';

CREATE OR REPLACE FUNCTION app.token_organisation(idp_org text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select coalesce(
    (select o.org_id from app.organisations o where o.idp_org_id = idp_org),
    -- A provider that knows no organisations serves the only one there is.
    (select (array_agg(o.org_id))[1] from app.organisations o where idp_org is null having count(*) = 1))
$function$;
revoke all on function app.token_organisation(text) from public;
grant execute on function app.token_organisation(text) to app_access;
comment on function app.token_organisation(text) is 'Organisation that a token of this provider organisation belongs to, null when none';

CREATE OR REPLACE FUNCTION app.touch()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end $function$;
revoke all on function app.touch() from public;

CREATE OR REPLACE FUNCTION app.unsettle_membership_term(org uuid, term uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  actor app.actor_context := app.actor();
  held uuid;
begin
  if actor.org_id is not null and actor.org_id <> org then raise exception 'this term belongs to another organisation' using errcode = '42501', constraint = 'membership_decided_above'; end if;
  select t.membership_id into held from app.membership_terms t where t.org_id = org and t.id = term;
  perform from app.memberships m where m.org_id = org and m.id = held for update;
  if app_private.term_paid(org, term) then
    raise exception 'this term is paid' using errcode = '23514', constraint = 'membership_paid';
  end if;
  -- Where a renewal is open already, the term is void and that one is what can be paid.
  update app.membership_terms t set settled_on = null, starts_on = null, ends_on = null,
      status = case when exists (select from app.membership_terms o where o.org_id = org and o.membership_id = held and o.status = 'open') then 'void' else 'open' end
    where t.org_id = org and t.id = term and t.status = 'settled';
  if not found then return false; end if;
  perform app_private.refresh_memberships(org, array[held], app_private.today_of(org), false);
  return true;
end $function$;
revoke all on function app.unsettle_membership_term(uuid,uuid) from public;
grant execute on function app.unsettle_membership_term(uuid,uuid) to app_access;
grant execute on function app.unsettle_membership_term(uuid,uuid) to app_worker;
comment on function app.unsettle_membership_term(uuid,uuid) is 'Takes its dates from a term whose money went back';

CREATE OR REPLACE FUNCTION app.update_account_login(statement text)
 RETURNS TABLE(org_id uuid, account_id uuid, status text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  said jsonb := app_private.token_statement(statement, 'login');
  org uuid := app.token_organisation(said ->> 'idpOrg');
  mail text := said ->> 'email';
  mail_verified boolean := (said ->> 'emailVerified')::boolean;
  provider_roles text[] := (select coalesce(array_agg(r), '{}') from jsonb_array_elements_text(said -> 'roles') r);
  found_account app.accounts;
begin
  if org is null then return; end if;
  select * into found_account from app.accounts a
    where a.org_id = org and a.issuer = said ->> 'issuer' and a.subject = said ->> 'subject' for update;
  if not found and mail_verified and mail is not null then
    -- A verified address opens the one invitation that was sent to it. Only ASCII letters are taken for each other whatever their case: other
    -- alphabets have letters that only look alike.
    select * into found_account from app.accounts a where a.org_id = org and a.subject is null and a.status = 'invited'
      and (a.invited_until is null or a.invited_until > now())
      and lower(a.email collate "C") = lower(mail collate "C")
      and (select count(*) from app.accounts b where b.org_id = org and b.subject is null and b.status = 'invited' and (b.invited_until is null or b.invited_until > now())
        and lower(b.email collate "C") = lower(mail collate "C")) = 1 for update;
    if found then
      update app.accounts a set issuer = said ->> 'issuer', subject = said ->> 'subject' where a.org_id = org and a.id = found_account.id;
    end if;
  end if;
  if found_account.id is null and said ->> 'signUp' = 'open' then
    insert into app.accounts as a (org_id, issuer, subject, email, email_verified, name, status, idp_roles)
      values (org, said ->> 'issuer', said ->> 'subject', mail, coalesce(mail_verified, false), coalesce(said ->> 'name', ''), 'active', provider_roles)
      on conflict on constraint accounts_org_id_issuer_subject_key do nothing
      returning * into found_account;
    -- Whoever comes may be let in, but not to keep the accounts.
    insert into app.grants (org_id, account_id, role_id, scope_kind, reason)
      select org, found_account.id, r.id, 'org', 'signed up' from app.roles r
      where r.org_id = org and r.key = said ->> 'signUpRole' and found_account.id is not null
        and not exists (select from app.role_permissions p where p.org_id = org and p.role_id = r.id and p.permission = 'account.manage');
  end if;
  if found_account.id is null then
    -- Made or bound meanwhile by another tab of the same person.
    select * into found_account from app.accounts a
      where a.org_id = org and a.issuer = said ->> 'issuer' and a.subject = said ->> 'subject' for update;
  end if;
  if found_account.id is null then
    return query select org, null::uuid, 'unknown';
    return;
  end if;
  if found_account.status <> 'suspended' then
    update app.accounts a set last_login_at = now(), status = case when a.status = 'invited' then 'active' else a.status end,
        idp_roles = provider_roles, name = coalesce(nullif(said ->> 'name', ''), a.name),
        email = coalesce(mail, a.email), email_verified = coalesce(mail_verified, a.email_verified)
      where a.org_id = org and a.id = found_account.id
      returning * into found_account;
  end if;
  return query select found_account.org_id, found_account.id, found_account.status;
end $function$;
revoke all on function app.update_account_login(text) from public;
grant execute on function app.update_account_login(text) to app_access;
comment on function app.update_account_login(text) is 'Keeps the last sign-in and status of the account of a verified token, binding an invitation or, where sign-up is open, making an account; a suspended account stays untouched. Status unknown: there is none';

CREATE OR REPLACE FUNCTION app.upload_use(OUT bytes_today bigint, OUT under_way integer)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select coalesce((select sum(f.bytes) from app.files f where f.org_id = app.org_id() and f.created_by = app.account_id() and f.created_at > now() - interval '1 day'), 0),
    (select count(*)::int from app.loose_files l where l.org_id = app.org_id() and l.created_by = app.account_id() and l.due_at > now())
$function$;
revoke all on function app.upload_use() from public;
grant execute on function app.upload_use() to app_access;
comment on function app.upload_use() is 'What the account has stored within a day, and how many uploads of it are under way';

CREATE OR REPLACE FUNCTION app.use_link(idp_org text, purpose text, secret_hash text)
 RETURNS TABLE(org_id uuid, id uuid, subject_type text, subject_id uuid, expires_at timestamp with time zone)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  -- Of two at once the second waits for the first, and then finds a row that fits no more.
  update app.signed_links l set uses = l.uses + 1, used_at = now()
  where l.secret_hash = use_link.secret_hash and l.purpose = use_link.purpose
    and l.expires_at > statement_timestamp()
    and l.revoked_at is null
    and (l.uses = 0 or not l.single_use)
    and (idp_org is null or l.org_id = (select app.token_organisation(idp_org)))
    and l.org_id = coalesce((select app.org_id()), l.org_id)
  returning l.org_id, l.id, l.subject_type, l.subject_id, l.expires_at
$function$;
revoke all on function app.use_link(text,text,text) from public;
grant execute on function app.use_link(text,text,text) to app_access;
comment on function app.use_link(text,text,text) is 'As open_link, and counts the use in the same statement: a link for a single use is somebody''s once';

CREATE OR REPLACE FUNCTION app.uuid7()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
AS $function$select uuidv7()$function$;
revoke all on function app.uuid7() from public;
grant execute on function app.uuid7() to app_access;
grant execute on function app.uuid7() to app_definer;
comment on function app.uuid7() is 'A new time-ordered id (version 7)';

CREATE OR REPLACE FUNCTION app.verify_audit(OUT checked bigint, OUT first_broken bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if not app.everywhere('audit.read') then raise exception 'not allowed' using errcode = '42501'; end if;
  select v.checked, v.first_broken into checked, first_broken from app.verify_audit_of(app.org_id()) v;
end $function$;
revoke all on function app.verify_audit() from public;
grant execute on function app.verify_audit() to app_access;
comment on function app.verify_audit() is 'The same for whoever may read the whole log of their organisation';

CREATE OR REPLACE FUNCTION app.verify_audit_of(org uuid, OUT checked bigint, OUT first_broken bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  prev bytea := '\x00';
  expected bigint := 0;
  e app.audit_entries;
begin
  checked := 0;
  for e in select * from app.audit_entries a where a.org_id = org order by a.seq loop
    expected := expected + 1;
    if e.seq <> expected or e.prev_hash <> prev
      or e.hash <> app_private.audit_link(prev, e.org_id, e.seq, e.at, e.account_id, e.action, e.entity, e.entity_id, e.diff) then
      first_broken := e.seq;
      return;
    end if;
    prev := e.hash;
    checked := checked + 1;
  end loop;
  if exists (select from app.audit_heads h where h.org_id = org and h.hash <> prev) then first_broken := expected + 1; end if;
end $function$;
revoke all on function app.verify_audit_of(uuid) from public;
grant execute on function app.verify_audit_of(uuid) to app_worker;
comment on function app.verify_audit_of(uuid) is 'Walks the chain; first_broken is the first entry that was changed, removed or added behind the log''s back; run daily';

CREATE OR REPLACE FUNCTION app.void_invoice(org uuid, invoice uuid, why text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare i app.invoices := app_private.lock_invoice(org, invoice);
begin
  if not app_private.keeps_books(org, i.books_chapter_id) and not app_private.orders(org, i) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  if i.state = 'void' then return; end if;
  if i.kind <> 'invoice' then raise exception 'a credit note stays' using errcode = '23514', constraint = 'credit_note_stays'; end if;
  if i.paid_amount <> 0 or i.credited_amount <> 0 or i.state not in ('draft', 'issued') then
    raise exception 'an invoice that was paid or credited is not voided' using errcode = '23514', constraint = 'invoice_has_payments';
  end if;
  update app.invoices x set state = 'void', voided_at = now(), void_reason = nullif(why, '') where x.org_id = org and x.id = invoice;
end $function$;
revoke all on function app.void_invoice(uuid,uuid,text) from public;
grant execute on function app.void_invoice(uuid,uuid,text) to app_access;
grant execute on function app.void_invoice(uuid,uuid,text) to app_worker;
comment on function app.void_invoice(uuid,uuid,text) is 'Nothing is owed any more; an issued invoice keeps its number. Not once something was paid or credited';

CREATE OR REPLACE FUNCTION app.waiting_mail()
 RETURNS TABLE(waiting integer, oldest_seconds double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select count(*)::int, extract(epoch from now() - min(x.next_at))::float8 from app.mail_messages x where x.state = 'queued' and x.next_at <= now()
$function$;
revoke all on function app.waiting_mail() from public;
grant execute on function app.waiting_mail() to app_worker;
comment on function app.waiting_mail() is 'Mail that is due, and for how long the first has been';

CREATE OR REPLACE FUNCTION app.waiting_requests(how_many integer)
 RETURNS TABLE(member_id uuid, total integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  cap constant int := 1000;
  chapters uuid[];
  groups uuid[];
begin
  if app.everywhere('groups.manage') then
    return query
      with w as materialized (
        select m.id from app.group_members m where m.org_id = org and m.status = 'requested' and m.ends_on is null order by m.created_at limit cap)
      select w.id, (select count(*)::int from w) from w limit how_many;
  else
    chapters := app.scope('groups.manage');
    groups := app.group_scope('groups.manage');
    if chapters = '{}' and groups = '{}' then return; end if;
    return query
      with w as materialized (
        select m.id, m.created_at from app.groups g
        join app.group_members m on m.org_id = g.org_id and m.group_id = g.id and m.status = 'requested' and m.ends_on is null
        where g.org_id = org and (g.chapter_id = any (chapters) or g.id = any (groups)) order by m.created_at limit cap)
      select w.id, (select count(*)::int from w) from w order by w.created_at limit how_many;
  end if;
end $function$;
revoke all on function app.waiting_requests(integer) from public;
grant execute on function app.waiting_requests(integer) to app_access;
comment on function app.waiting_requests(integer) is 'Requests to join a group that the actor may answer, longest waiting first, with how many there are; the total stops at 1,000';

CREATE OR REPLACE FUNCTION app_private.add_counts(changes app_private.affiliation_change[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  insert into app.chapter_counts as n (org_id, chapter_id, kind, people)
    select d.org_id, d.chapter_id, d.kind, sum(d.is_now::int - d.was::int)
    from (
      select k.org_id, k.chapter_id, k.kind,
        exists (select from app.affiliations a where a.org_id = k.org_id and a.person_id = k.person_id and a.chapter_id = k.chapter_id and a.kind = k.kind
          and app_private.is_current(a.starts_on, a.ends_on)) as is_now,
        k.was or exists (select from app.affiliations a where a.org_id = k.org_id and a.person_id = k.person_id and a.chapter_id = k.chapter_id and a.kind = k.kind
          and app_private.is_current(a.starts_on, a.ends_on) and a.id <> all (k.ids)) as was
      from (
        select c.org_id, c.chapter_id, c.kind, c.person_id, bool_or(c.sign < 0 and app_private.is_current(c.starts_on, c.ends_on)) as was, array_agg(c.id) as ids
        from unnest(changes) c group by 1, 2, 3, 4
      ) k
    ) d
    where exists (select from app.chapters c where c.org_id = d.org_id and c.id = d.chapter_id)
    group by 1, 2, 3 having sum(d.is_now::int - d.was::int) <> 0
    -- Always in the same order, so that two writers cannot wait for each other in a circle.
    order by 1, 2, 3
  on conflict (org_id, chapter_id, kind) do update set people = n.people + excluded.people
$function$;
revoke all on function app_private.add_counts(app_private.affiliation_change[]) from public;

CREATE OR REPLACE FUNCTION app_private.add_link(org uuid, by uuid, purpose text, subject_type text, subject_id uuid, secret_hash text, expires_at timestamp with time zone, single_use boolean)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  insert into app.signed_links (org_id, created_by, purpose, subject_type, subject_id, secret_hash, expires_at, single_use)
    values (org, by, purpose, subject_type, subject_id, secret_hash, expires_at, single_use) returning id
$function$;
revoke all on function app_private.add_link(uuid,uuid,text,text,uuid,text,timestamp with time zone,boolean) from public;

CREATE OR REPLACE FUNCTION app_private.add_mail(org uuid, by uuid, mail jsonb)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  insert into app.mail_messages (org_id, template, account_id, person_id, address, reply_to, params, essential, dedupe_key, trace, created_by)
    select org, m.template, m.account, m.person, m.address, m.reply_to, coalesce(m.params, '{}'), m.essential, m.dedupe_key, m.trace, by
    from jsonb_to_record(mail) m (template text, account uuid, person uuid, address text, reply_to text, params jsonb, essential boolean, dedupe_key text, trace text)
    on conflict (org_id, dedupe_key) do nothing
    returning id
$function$;
revoke all on function app_private.add_mail(uuid,uuid,jsonb) from public;

CREATE OR REPLACE FUNCTION app_private.add_money(tab regclass, name text, lowest bigint DEFAULT NULL::bigint, required boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  -- What a number of the browsers holds exactly.
  most constant bigint := 9007199254740991;
  tab_name constant text := (select c.relname from pg_class c where c.oid = tab);
begin
  execute format('alter table %1$s add column %2$I bigint, add column %3$I text', tab, name || '_amount', name || '_currency');
  execute format($check$alter table %1$s add constraint %2$I check (%3$I between %4$s and %5$s and %6$I ~ '^[A-Z]{3}$')$check$,
    tab, tab_name || '_' || name || '_money', name || '_amount', coalesce(lowest, -most), most, name || '_currency');
  execute format('alter table %s add constraint %I check ((%I is null) = (%I is null))',
    tab, tab_name || '_' || name || '_whole', name || '_amount', name || '_currency');
  if required then
    execute format('alter table %s alter column %I set not null, alter column %I set not null', tab, name || '_amount', name || '_currency');
  end if;
end $function$;
revoke all on function app_private.add_money(regclass,text,bigint,boolean) from public;
comment on function app_private.add_money(regclass,text,bigint,boolean) is 'Adds the columns <name>_amount, in the smallest unit of the currency, and <name>_currency, its ISO 4217 code, with their checks; for a table that has no rows yet, or with required false. lowest is the lowest amount: 0 for prices, 1 for payments, null for what may be below zero';

CREATE OR REPLACE FUNCTION app_private.add_months(changes app_private.membership_change[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  insert into app.chapter_months as m (org_id, chapter_id, month, joins, leaves)
    select c.org_id, c.chapter_id, c.month, sum(c.joins), sum(c.leaves)
    from (
      select org_id, chapter_id, date_trunc('month', starts_on)::date as month, sign as joins, 0 as leaves from unnest(changes)
      union all
      select org_id, chapter_id, date_trunc('month', ends_on)::date, 0, sign from unnest(changes) where ends_on is not null
    ) c
    group by 1, 2, 3 having sum(c.joins) <> 0 or sum(c.leaves) <> 0
    -- Always in the same order, so that two writers cannot wait for each other in a circle.
    order by 1, 2, 3
  on conflict (org_id, chapter_id, month) do update set joins = m.joins + excluded.joins, leaves = m.leaves + excluded.leaves
$function$;
revoke all on function app_private.add_months(app_private.membership_change[]) from public;

CREATE OR REPLACE FUNCTION app_private.add_permission(wanted text, VARIADIC role_keys text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare unknown text := (select string_agg(k, ', ') from unnest(role_keys) k where k not in (select s.key from app_private.standard_roles() s));
begin
  if unknown is not null then raise exception 'no standard role is called %', unknown; end if;
  insert into app_private.standard_permissions select k, wanted from unnest(role_keys) k;
  insert into app.role_permissions (org_id, role_id, permission)
    select r.org_id, r.id, wanted from app.roles r where r.key = any (role_keys) and not r.custom
    on conflict do nothing;
end $function$;
revoke all on function app_private.add_permission(text,text[]) from public;
comment on function app_private.add_permission(text,text[]) is 'Gives a new permission to standard roles, in every organisation there is and will be';

CREATE OR REPLACE FUNCTION app_private.address_hash(address text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select encode(sha256(convert_to(lower(address), 'UTF8')), 'hex')
$function$;
revoke all on function app_private.address_hash(text) from public;
grant execute on function app_private.address_hash(text) to app_definer;
comment on function app_private.address_hash(text) is 'What an address is suppressed and counted by';

CREATE OR REPLACE FUNCTION app_private.affiliations_lifecycle()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare org uuid;
begin
  for org in select distinct c.org_id from changed c where c.kind = 'alumni' loop
    perform app_private.derive_lifecycle(org, (select array_agg(distinct c.person_id) from changed c where c.org_id = org and c.kind = 'alumni'
      and exists (select from app.memberships m where m.org_id = c.org_id and m.person_id = c.person_id and app_private.membership_counted(m.status))));
  end loop;
  return null;
end $function$;
revoke all on function app_private.affiliations_lifecycle() from public;
comment on function app_private.affiliations_lifecycle() is 'Whoever held a membership is an alumnus while a chapter has them as one';

CREATE OR REPLACE FUNCTION app_private.apply_payment(org uuid, payment uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  p app.payments;
  a record;
  free bigint;
  room bigint;
  gets bigint;
begin
  select x.* into p from app.payments x where x.org_id = org and x.id = payment for update;
  -- In the order of their ids, so that two payments of the same invoices wait for each other and never in a circle.
  perform from app.invoices i where i.org_id = org and i.id in (select l.invoice_id from app.payment_allocations l where l.org_id = org and l.payment_id = payment)
    order by i.id for update;
  free := case when p.counts and p.state in ('settled', 'partly_refunded') then p.amount - p.refunded_amount else 0 end;
  for a in select l.id, l.invoice_id, l.amount, l.amount - l.refunded_amount as pays from app.payment_allocations l where l.org_id = org and l.payment_id = payment order by l.id loop
    select greatest(0, i.total_amount - i.credited_amount
        - coalesce((select sum(o.amount - o.refunded_amount) from app.payment_allocations o where o.org_id = org and o.invoice_id = i.id and o.id <> a.id), 0))
      into room from app.invoices i where i.org_id = org and i.id = a.invoice_id and i.currency = p.currency and i.state not in ('draft', 'void');
    gets := least(a.amount, free, coalesce(room, 0));
    free := free - gets;
    if gets <> a.pays then
      update app.payment_allocations l set refunded_amount = a.amount - gets where l.org_id = org and l.id = a.id;
    end if;
    return next a.invoice_id;
  end loop;
end $function$;
revoke all on function app_private.apply_payment(uuid,uuid) from public;
comment on function app_private.apply_payment(uuid,uuid) is 'Brings what a payment pays in line with its state, under locks of its invoices; answers the invoices that changed';

CREATE OR REPLACE FUNCTION app_private.audit_append(org uuid, action text, entity text, needs text, rows_before jsonb[], rows_after jsonb[], record text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  hidden constant text[] := (select array_agg(h.name) from app_private.audit_hidden h where h.entity in ('*', audit_append.entity));
  me constant uuid := (app.actor()).account_id;
  head app.audit_heads;
begin
  -- Nothing to say is found out before the lock, for which others may be waiting.
  if rows_before is not null and rows_after is not null
    and not exists (select from unnest(rows_before, rows_after) u (old_row, new_row) where u.old_row - hidden <> u.new_row - hidden) then
    return;
  end if;
  insert into app.audit_heads (org_id) values (org) on conflict do nothing;
  select * into head from app.audit_heads h where h.org_id = org for update;
  -- One statement for all entries; their content is what audit_link hashes, written out because calling it for each would take longer than the rest.
  with differences as (
    select u.place, coalesce(u.new_row, u.old_row) as subject,
      case
        -- As it is: taking the many rows of an import apart would take longer than writing them.
        when u.old_row is null then jsonb_strip_nulls(u.new_row - hidden)
        when u.new_row is null then jsonb_strip_nulls(u.old_row - hidden)
        else (select jsonb_object_agg(n.key, jsonb_build_array(u.old_row -> n.key, n.value)) from jsonb_each(u.new_row - hidden) n
          where (u.old_row -> n.key) is distinct from n.value)
      end as diff
    from unnest(rows_before, rows_after) with ordinality u (old_row, new_row, place)
  ),
  entries as (
    select head.seq + row_number() over (order by d.place) as seq, d.subject, (d.subject ->> 'id')::uuid as id, d.diff
    from differences d where d.diff is not null
  ),
  linked as (
    select e.seq, e.subject, e.id, e.diff, case when needs = 'record' then e.subject ->> 'record_type' end as hangs_on,
      case when needs = 'record' then (e.subject ->> 'record_id')::uuid end as on_id, app_private.audit_chain(head.hash, convert_to(concat_ws('|', org, e.seq, extract(epoch from now()),
      coalesce(me::text, '-'), action, entity, coalesce(e.id::text, '-'), e.diff::text), 'UTF8')) over (order by e.seq rows unbounded preceding) as hash
    from entries e
  ),
  written as (
    insert into app.audit_entries (org_id, seq, at, account_id, action, entity, entity_id, person_id, chapter_id, group_id, record_id, needs, diff, request_id, via, prev_hash, hash)
    select org, l.seq, now(), me, action, entity, l.id,
      case when entity = 'people' then l.id when l.hangs_on = 'person' then l.on_id else (l.subject ->> 'person_id')::uuid end,
      case when entity = 'chapters' then l.id when l.hangs_on = 'chapter' then l.on_id when l.hangs_on is not null then app_private.record_chapter(l.hangs_on, org, l.on_id)
        else (l.subject ->> 'chapter_id')::uuid end,
      case when entity = 'groups' then l.id when l.hangs_on = 'group' then l.on_id else (l.subject ->> 'group_id')::uuid end,
      case when record is not null then (l.subject ->> record)::uuid end,
      coalesce((select t.history from app_private.record_types t where t.name = l.hangs_on), needs), l.diff, nullif(current_setting('app.request_id', true), ''), nullif(current_setting('app.via', true), ''),
      lag(l.hash, 1, head.hash) over (order by l.seq), l.hash
    from linked l
    returning audit_entries.seq, audit_entries.hash
  )
  update app.audit_heads h set seq = w.seq, hash = w.hash from (select * from written order by seq desc limit 1) w where h.org_id = org;
end $function$;
revoke all on function app_private.audit_append(uuid,text,text,text,jsonb[],jsonb[],text) from public;

CREATE OR REPLACE FUNCTION app_private.audit_link(prev bytea, org uuid, seq bigint, at timestamp with time zone, account uuid, action text, entity text, entity_id uuid, diff jsonb)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select sha256(prev || convert_to(concat_ws('|', org, seq, extract(epoch from at), coalesce(account::text, '-'), action, entity, coalesce(entity_id::text, '-'), diff::text), 'UTF8'))
$function$;
revoke all on function app_private.audit_link(bytea,uuid,bigint,timestamp with time zone,uuid,text,text,uuid,jsonb) from public;
grant execute on function app_private.audit_link(bytea,uuid,bigint,timestamp with time zone,uuid,text,text,uuid,jsonb) to app_definer;

CREATE OR REPLACE FUNCTION app_private.audit_next(link bytea, head bytea, content bytea)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$select sha256(coalesce(link, head) || content)$function$;
revoke all on function app_private.audit_next(bytea,bytea,bytea) from public;
grant execute on function app_private.audit_next(bytea,bytea,bytea) to app_definer;

CREATE OR REPLACE FUNCTION app_private.begin_payment(org uuid, invoice uuid, account uuid, payment_kind text, saves boolean, real_money boolean, counted boolean)
 RETURNS app.payment_begun
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  i app.invoices;
  p app.payments;
  open bigint;
  stale text[] := '{}';
  begun app.payment_begun;
begin
  perform app_private.books_first(org);
  select x.* into i from app.invoices x where x.org_id = org and x.id = invoice for update;
  if i.id is null or i.kind <> 'invoice' then raise exception 'there is no such invoice' using errcode = '23503', constraint = 'payment_invoice_unknown'; end if;
  if i.state not in ('issued', 'partly_paid') then
    raise exception 'this invoice cannot be paid' using errcode = '23514', constraint = 'payment_invoice_closed';
  end if;
  open := i.total_amount - i.credited_amount - coalesce((select sum(l.amount - l.refunded_amount) from app.payment_allocations l where l.org_id = org and l.invoice_id = invoice), 0);
  if open <= 0 then raise exception 'this invoice is paid' using errcode = '23514', constraint = 'payment_invoice_closed'; end if;
  select x.* into p from app.payments x where x.org_id = org and x.invoice_id = invoice and x.kind = payment_kind and x.state = 'pending'
    and (payment_kind = 'charge' or x.created_by is not distinct from account);
  if p.id is not null and (p.amount <> open or p.expires_at < now() + interval '10 minutes' or p.saves_method <> saves) and payment_kind = 'checkout' then
    -- Another amount is open, or the page is about to end. Should somebody have paid on it, it settles all the same.
    update app.payments x set state = 'cancelled', failure = 'expired' where x.org_id = org and x.id = p.id;
    stale := array_remove(array[p.provider_session], null);
    p := null;
  end if;
  if p.id is null then
    insert into app.payments (org_id, kind, method, amount, currency, invoice_id, person_id, chapter_id, books_chapter_id, provider, provider_customer, saves_method, expires_at,
        is_test, counts, created_by)
      values (org, payment_kind, 'card', open, i.currency, invoice, i.person_id, i.chapter_id, i.books_chapter_id, 'stripe',
        (select x.provider_customer from app.payments x where x.org_id = org and x.person_id = i.person_id and x.provider_customer is not null and x.is_test <> real_money
          order by x.id desc limit 1),
        saves, case when payment_kind = 'checkout' then date_trunc('second', now() + interval '2 hours') end, not real_money, counted, account)
      returning * into p;
  end if;
  begun := (p.id, org, p.amount, p.currency, i.number,
    (select e.address from app.person_emails e where e.org_id = org and e.person_id = i.person_id and e.is_primary limit 1), p.provider_customer, p.saves_method, p.expires_at, stale);
  return begun;
end $function$;
revoke all on function app_private.begin_payment(uuid,uuid,uuid,text,boolean,boolean,boolean) from public;
comment on function app_private.begin_payment(uuid,uuid,uuid,text,boolean,boolean,boolean) is 'The open attempt to pay what an invoice still owes; made under a lock of the invoice when there is none';

CREATE OR REPLACE FUNCTION app_private.billing_of(org uuid, person uuid, chapter uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select case when person is not null then
    (select jsonb_build_object('name', p.display_name, 'lines', to_jsonb(array_remove(array[nullif(c.street, ''), nullif(concat_ws(' ', nullif(c.postal_code, ''), nullif(c.city, '')), ''), nullif(c.region, ''), nullif(c.country, '')], null)))
      from app.people p left join app.person_contacts c on c.org_id = p.org_id and c.person_id = p.id where p.org_id = org and p.id = person)
    else (select jsonb_build_object('name', c.name, 'lines', to_jsonb(array_remove(array[nullif(c.city, '')], null))) from app.chapters c where c.org_id = org and c.id = chapter) end
$function$;
revoke all on function app_private.billing_of(uuid,uuid,uuid) from public;
comment on function app_private.billing_of(uuid,uuid,uuid) is 'Name and address of who owes an invoice';

CREATE OR REPLACE FUNCTION app_private.books_first(org uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is not null and actor.org_id <> org then raise exception 'not allowed' using errcode = '42501'; end if;
  insert into app.audit_heads (org_id) values (org) on conflict do nothing;
  perform from app.audit_heads h where h.org_id = org for update;
end $function$;
revoke all on function app_private.books_first(uuid) from public;
comment on function app_private.books_first(uuid) is 'What writes in the books of an organisation waits for each other here, before anything else is locked; an actor only in their own';

CREATE OR REPLACE FUNCTION app_private.books_open(org uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is null then
    -- Jobs and events of providers come without an actor, but only to a worker.
    if not pg_has_role(session_user, 'app_worker', 'member') then
      raise exception 'not allowed' using errcode = '42501';
    end if;
  elsif actor.org_id <> org then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  -- Changes of one organisation that are audited wait for each other here in any case; first, so that nobody waits in a circle.
  insert into app.audit_heads (org_id) values (org) on conflict do nothing;
  perform from app.audit_heads h where h.org_id = org for update;
end $function$;
revoke all on function app_private.books_open(uuid) from public;
comment on function app_private.books_open(uuid) is 'The caller belongs to the organisation, or is a worker; whoever else writes in its books waits';

CREATE OR REPLACE FUNCTION app_private.by_grant(actor app.actor_context, today date, wanted text)
 RETURNS TABLE(permission text, scope_kind text, scope_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select p.permission, g.scope_kind, coalesce(g.chapter_id, g.group_id, g.record_id) from app.grants g
  join app.role_permissions p on p.org_id = g.org_id and p.role_id = g.role_id
  where g.org_id = actor.org_id and g.account_id = actor.account_id and (wanted is null or p.permission = wanted)
    and g.starts_on <= today and (g.ends_on is null or g.ends_on >= today)
$function$;
revoke all on function app_private.by_grant(app.actor_context,date,text) from public;
grant execute on function app_private.by_grant(app.actor_context,date,text) to app_definer;
comment on function app_private.by_grant(app.actor_context,date,text) is 'Permissions of the roles granted to the account, in the scope of each grant';

CREATE OR REPLACE FUNCTION app_private.by_leading(actor app.actor_context, me uuid, today date, wanted text)
 RETURNS TABLE(permission text, scope_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select p.permission, m.group_id from app.group_members m
  join app.roles r on r.org_id = m.org_id and r.key = 'group-leader'
  join app.role_permissions p on p.org_id = r.org_id and p.role_id = r.id
  where m.org_id = actor.org_id and m.person_id = me and m.role = 'leader' and m.status = 'active' and (wanted is null or p.permission = wanted)
    and (m.starts_on is null or m.starts_on <= today) and (m.ends_on is null or m.ends_on >= today)
$function$;
revoke all on function app_private.by_leading(app.actor_context,uuid,date,text) from public;
grant execute on function app_private.by_leading(app.actor_context,uuid,date,text) to app_definer;
comment on function app_private.by_leading(app.actor_context,uuid,date,text) is 'Leaders hold the role group-leader in their groups';

CREATE OR REPLACE FUNCTION app_private.by_membership(actor app.actor_context, me uuid, today date, wanted text)
 RETURNS TABLE(permission text, scope_kind text, scope_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select p.permission, case when o.directory_reach = 'organisation' then 'org' else 'chapter' end,
    case when o.directory_reach = 'organisation' then null else a.chapter_id end
  from app.affiliations a
  join app.organisations o on o.org_id = a.org_id
  join app.roles r on r.org_id = a.org_id and r.key = 'member'
  join app.role_permissions p on p.org_id = r.org_id and p.role_id = r.id
  where a.org_id = actor.org_id and a.person_id = me and a.kind in ('member', 'alumni', 'advisor') and (wanted is null or p.permission = wanted)
    and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today)
$function$;
revoke all on function app_private.by_membership(app.actor_context,uuid,date,text) from public;
grant execute on function app_private.by_membership(app.actor_context,uuid,date,text) to app_definer;
comment on function app_private.by_membership(app.actor_context,uuid,date,text) is 'Membership itself: the whole organisation, or the own chapters where the directory is kept that narrow';

CREATE OR REPLACE FUNCTION app_private.by_office(actor app.actor_context, me uuid, today date, wanted text)
 RETURNS TABLE(permission text, scope_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select p.permission, s.chapter_id from app.position_holders h
  join app.positions s on s.org_id = h.org_id and s.id = h.position_id
  join app.role_permissions p on p.org_id = s.org_id and p.role_id = s.role_id
  where h.org_id = actor.org_id and h.person_id = me and (wanted is null or p.permission = wanted)
    and h.starts_on <= today and (h.ends_on is null or h.ends_on >= today)
$function$;
revoke all on function app_private.by_office(app.actor_context,uuid,date,text) from public;
grant execute on function app_private.by_office(app.actor_context,uuid,date,text) to app_definer;
comment on function app_private.by_office(app.actor_context,uuid,date,text) is 'An office gives its role in its chapter and below, from the first to the last day of the term';

CREATE OR REPLACE FUNCTION app_private.by_provider(actor app.actor_context, wanted text)
 RETURNS TABLE(permission text)
 LANGUAGE sql
 STABLE
AS $function$
  select p.permission from app.roles r join app.role_permissions p on p.org_id = r.org_id and p.role_id = r.id
  where r.org_id = actor.org_id and r.key = any (actor.idp_roles) and (wanted is null or p.permission = wanted)
$function$;
revoke all on function app_private.by_provider(app.actor_context,text) from public;
grant execute on function app_private.by_provider(app.actor_context,text) to app_definer;
comment on function app_private.by_provider(app.actor_context,text) is 'Organisation-wide permissions of the roles that the identity provider vouched for';

CREATE OR REPLACE FUNCTION app_private.card_valid(org uuid, person uuid)
 RETURNS TABLE(chapter_id uuid, until date)
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select a.chapter_id, a.ends_on from app.affiliations a
  join app.people p on p.org_id = a.org_id and p.id = a.person_id and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')
  cross join lateral (select (now() at time zone o.timezone)::date as today from app.organisations o where o.org_id = a.org_id) d
  where a.org_id = org and a.person_id = person and a.kind = 'member' and a.starts_on <= d.today and (a.ends_on is null or a.ends_on >= d.today)
  order by a.ends_on desc nulls first, a.is_primary desc, a.starts_on, a.id limit 1
$function$;
revoke all on function app_private.card_valid(uuid,uuid) from public;
grant execute on function app_private.card_valid(uuid,uuid) to app_definer;
comment on function app_private.card_valid(uuid,uuid) is 'Why somebody has a member card today: in which chapter they are a member, and until when if that is known; no row for who is none. The one place that decides it';

CREATE OR REPLACE FUNCTION app_private.chapter_page(org uuid, chapter uuid)
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select json_build_object('code', c.code, 'name', c.name, 'about', c.about, 'city', c.city, 'contactEmail', c.contact_email, 'website', c.website,
    'charteredOn', c.chartered_on,
    'parent', (select json_build_object('name', up.name, 'code', case when up.public_page then up.code end)
      from app.chapters up where up.org_id = c.org_id and up.id = c.parent_id and up.status = 'active'),
    'offices', (select coalesce(json_agg(json_build_object('title', x.title, 'names', x.names) order by x.mandatory desc, x.title_key), '[]') from (
      select s.title, s.title_key, s.mandatory,
        coalesce(json_agg(distinct app_private.public_name(h.org_id, h.person_id)) filter (where app_private.public_name(h.org_id, h.person_id) is not null), '[]') as names
      from app.positions s join app.position_holders h on h.org_id = s.org_id and h.position_id = s.id
      where s.org_id = c.org_id and s.chapter_id = c.id and h.starts_on <= o.today and (h.ends_on is null or h.ends_on >= o.today)
      group by s.id, s.title, s.title_key, s.mandatory order by s.mandatory desc, s.title_key limit 50) x),
    'subchapters', (select coalesce(json_agg(json_build_object('name', x.name, 'city', x.city, 'code', case when x.public_page then x.code end) order by x.search, x.code), '[]') from (
      select s.name, s.city, s.code, s.search, s.public_page from app.chapters s
      where s.org_id = c.org_id and s.parent_id = c.id and s.status = 'active' order by s.search, s.code limit 200) x))
  from app.chapters c
  cross join lateral (select (now() at time zone r.timezone)::date as today from app.organisations r where r.org_id = c.org_id) o
  where c.org_id = org and c.id = chapter
$function$;
revoke all on function app_private.chapter_page(uuid,uuid) from public;
grant execute on function app_private.chapter_page(uuid,uuid) to app_definer;
comment on function app_private.chapter_page(uuid,uuid) is 'What the public page of a chapter shows: of people only the names of office-holders who agreed, of other chapters only active ones';

CREATE OR REPLACE FUNCTION app_private.comments_erased()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  update app.comments c set deleted_at = now() where c.org_id = new.org_id and c.author_id = new.id and c.deleted_at is null;
  delete from app.comment_withheld w using app.comments c where c.org_id = new.org_id and c.author_id = new.id and w.org_id = c.org_id and w.comment_id = c.id;
  return null;
end $function$;
revoke all on function app_private.comments_erased() from public;
comment on function app_private.comments_erased() is 'What an erased person said is gone; answers to it stay';

CREATE OR REPLACE FUNCTION app_private.comments_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
end $function$;
revoke all on function app_private.comments_guard() from public;
comment on function app_private.comments_guard() is 'The author changes what a comment says, whoever looks after the record hides it; answers stand one level deep; what is hidden or deleted is kept apart';

CREATE OR REPLACE FUNCTION app_private.count_chapters(keys app_private.chapter_key[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  key app_private.chapter_key;
begin
  -- Always in the same order, so that two writers cannot wait for each other in a circle.
  foreach key in array array(select k from unnest(keys) k order by (k).org_id, (k).chapter_id) loop
    insert into app.chapter_counts as n (org_id, chapter_id, kind, people)
      select key.org_id, key.chapter_id, v.kind, count(distinct a.person_id)
      from (values ('member'), ('alumni'), ('advisor'), ('friend'), ('applicant')) v (kind)
      left join app.affiliations a on a.org_id = key.org_id and a.chapter_id = key.chapter_id and a.kind = v.kind
        and app_private.is_current(a.starts_on, a.ends_on)
      group by v.kind
    on conflict (org_id, chapter_id, kind) do update set people = excluded.people where n.people <> excluded.people;
  end loop;
end $function$;
revoke all on function app_private.count_chapters(app_private.chapter_key[]) from public;
comment on function app_private.count_chapters(app_private.chapter_key[]) is 'Counts chapters anew, for when dates passed without a row changing';

CREATE OR REPLACE FUNCTION app_private.count_refunds(org uuid, payment uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update app.payments p set refunded_amount = (select coalesce(sum(r.amount), 0) from app.refunds r where r.org_id = org and r.payment_id = payment and r.state = 'settled')
    where p.org_id = org and p.id = payment and p.refunded_amount
      is distinct from (select coalesce(sum(r.amount), 0) from app.refunds r where r.org_id = org and r.payment_id = payment and r.state = 'settled')
$function$;
revoke all on function app_private.count_refunds(uuid,uuid) from public;
comment on function app_private.count_refunds(uuid,uuid) is 'Adds up what was given back of a payment';

CREATE OR REPLACE FUNCTION app_private.decides_for(org uuid, requester uuid, chapter uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  reach uuid[];
begin
  if requester = app.person_id() then return false; end if;
  if app.everywhere('memberships.manage') then return true; end if;
  reach := app.scope('memberships.manage');
  -- Of an officer who decides there, the tier above decides.
  return coalesce(chapter = any (reach), false) and not exists (
    select from app.position_holders h
    join app.positions p on p.org_id = h.org_id and p.id = h.position_id
    join app.role_permissions r on r.org_id = p.org_id and r.role_id = p.role_id and r.permission = 'memberships.manage'
    join app.chapter_ancestors a on a.org_id = p.org_id and a.chapter_id = chapter and a.ancestor_id = p.chapter_id
    join app.chapters c on c.org_id = p.org_id and c.id = p.chapter_id
    where h.org_id = org and h.person_id = requester and h.starts_on <= app.today() and (h.ends_on is null or h.ends_on >= app.today())
      and not coalesce(c.parent_id = any (reach), false));
end $function$;
revoke all on function app_private.decides_for(uuid,uuid,uuid) from public;
comment on function app_private.decides_for(uuid,uuid,uuid) is 'Whether the actor decides on the membership of a person in a chapter: not their own, and that of an officer only from the tier above';

CREATE OR REPLACE FUNCTION app_private.derive_lifecycle(org uuid, ids uuid[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update app.people p set lifecycle = l.derived from app_private.derived_lifecycle(org, ids) l
    where p.org_id = org and p.id = l.person and p.lifecycle <> l.derived
$function$;
revoke all on function app_private.derive_lifecycle(uuid,uuid[]) from public;
comment on function app_private.derive_lifecycle(uuid,uuid[]) is 'Brings the lifecycle of people in line with their memberships';

CREATE OR REPLACE FUNCTION app_private.derived_lifecycle(org uuid, ids uuid[])
 RETURNS TABLE(person uuid, derived text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select p.id, coalesce((select o.lifecycle from app.lifecycle_overrides o where o.org_id = p.org_id and o.person_id = p.id and o.until >= d.today), case
      when h.now then 'active'
      when not coalesce(h.ever, false) then 'prospect'
      when p.lifecycle = 'alumni' or exists (select from app.affiliations a where a.org_id = p.org_id and a.person_id = p.id and a.kind = 'alumni'
        and (a.ends_on is null or a.ends_on >= d.today)) then 'alumni'
      else 'former' end)
  from app.people p
  cross join (select app_private.today_of(org) as today) d
  cross join lateral (select bool_or(coalesce(m.override_status, m.status) in ('active', 'grace')) as now, bool_or(app_private.membership_counted(m.status)) as ever
    from app.memberships m where m.org_id = p.org_id and m.person_id = p.id and (app_private.membership_counted(m.status) or m.override_status is not null)) h
  where p.org_id = org and p.id = any (ids) and p.lifecycle in ('prospect', 'active', 'alumni', 'former')
$function$;
revoke all on function app_private.derived_lifecycle(uuid,uuid[]) from public;
comment on function app_private.derived_lifecycle(uuid,uuid[]) is 'The lifecycle that memberships, affiliations and an override give';

CREATE OR REPLACE FUNCTION app_private.ends_membership(before text, after text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$ select before <> after and (after in ('former', 'deceased', 'merged', 'erased') or before = 'deceased') $function$;
revoke all on function app_private.ends_membership(text,text) from public;
comment on function app_private.ends_membership(text,text) is 'Whether a change of status is one that only the home chapter makes';

CREATE OR REPLACE FUNCTION app_private.files_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  insert into app.loose_files (org_id, file_id, due_at) select g.org_id, g.id, now() from gone g
    on conflict (org_id, file_id) do update set due_at = excluded.due_at;
  return null;
end $function$;
revoke all on function app_private.files_gone() from public;
comment on function app_private.files_gone() is 'The content of a file that is gone is due to be swept';

CREATE OR REPLACE FUNCTION app_private.files_show_picture()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare f app.files := case tg_op when 'DELETE' then old else new end;
begin
  update app.people p set picture_id = s.id
    from (select (select n.id from app.files n where n.org_id = f.org_id and n.record_type = 'person' and n.record_id = f.record_id
      and n.use = 'picture' and n.removed_at is null) as id) s
    where p.org_id = f.org_id and p.id = f.record_id and p.picture_id is distinct from s.id;
  return null;
end $function$;
revoke all on function app_private.files_show_picture() from public;
comment on function app_private.files_show_picture() is 'Keeps the picture that stands with a person';

CREATE OR REPLACE FUNCTION app_private.follow_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  kind text;
  target text;
  missing boolean;
  state text;
begin
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return null; end if;
  for kind in select distinct c.record_type from changed c loop
    select t.tab into target from app_private.record_types t where t.name = kind;
    if target is null then raise exception 'nothing can hang on records of the type %', kind using errcode = '23514', constraint = 'record_type'; end if;
    if tg_op <> 'DELETE' then
      execute format('with wanted as (select distinct c.org_id, c.record_id from changed c where c.record_type = $1),
          there as (select r.id from app.%I r join wanted w on w.org_id = r.org_id and w.record_id = r.id for key share of r)
        select (select count(*) from there) < (select count(*) from wanted)', target) into missing using kind;
      if missing then raise exception 'the record is no longer there' using errcode = '23503', constraint = 'record_gone'; end if;
    end if;
    if kind = 'person' and (app.actor()).org_id is not null and pg_trigger_depth() = 1 then
      select p.lifecycle into state from changed c join app.people p on p.org_id = c.org_id and p.id = c.record_id
        where c.record_type = 'person' and p.lifecycle in ('erased', 'merged') order by p.lifecycle limit 1;
      if state is not null then perform app_private.refuse_closed(state); end if;
    end if;
  end loop;
  return null;
end $function$;
revoke all on function app_private.follow_guard() from public;
comment on function app_private.follow_guard() is 'Rows hang on records that are there, and nothing is hung on a person who was erased or merged into another';

CREATE OR REPLACE FUNCTION app_private.follow_record(tab regclass, adds text, changes text DEFAULT NULL::text, removes text DEFAULT NULL::text, reads text DEFAULT 'see'::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  name constant text := (select c.relname from pg_class c where c.oid = tab and c.relnamespace = 'app'::regnamespace);
  f app_private.record_followers;
begin
  insert into app_private.record_followers (tab, adds, changes, removes, reads) values (name, adds, changes, removes, reads) returning * into f;
  perform app_private.rewrite_follower(f);
  if not exists (select from pg_index i where i.indrelid = tab and i.indpred is null
      and (select array_agg(a.attname::text order by n.place) from unnest(i.indkey::int2[]) with ordinality n (number, place)
        join pg_attribute a on a.attrelid = tab and a.attnum = n.number where n.place <= 3) = array['org_id', 'record_type', 'record_id']) then
    execute format('create index %I on %s (org_id, record_type, record_id)', name || '_by_record', tab);
  end if;
  execute format('create trigger %I after insert on %s referencing new table as changed for each statement execute function app_private.follow_guard()', name || '_follow_insert', tab);
  execute format('create trigger %I after update on %s referencing new table as changed for each statement execute function app_private.follow_guard()', name || '_follow_update', tab);
  execute format('create trigger %I after delete on %s referencing old table as changed for each statement execute function app_private.follow_guard()', name || '_follow_delete', tab);
  execute format('grant select, delete on %s to app_definer', tab);
end $function$;
revoke all on function app_private.follow_record(regclass,text,text,text,text) from public;
comment on function app_private.follow_record(regclass,text,text,text,text) is 'Rows with org_id, record_type and record_id hang on any record: who sees the record sees them, and they go with it. adds, changes and removes say who of these writes them: see, change (the record), author (created_by), manage (the permission of its type), a permission that holds for the record, or several joined by or; null is nobody. reads narrows in the same words who of those who see the record reads them';

CREATE OR REPLACE FUNCTION app_private.grants_follow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  delete from app.grants g using gone r where g.org_id = r.org_id and g.record_id = r.id and g.scope_kind = tg_argv[0];
  return null;
end $function$;
revoke all on function app_private.grants_follow() from public;

CREATE OR REPLACE FUNCTION app_private.groups_about()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' then
    if new.about -> 'content' = '[]' and new.description <> '' then new.about := app.formatted_of(new.description); end if;
  elsif new.description <> old.description and new.about = old.about then
    new.about := app.formatted_of(new.description);
  end if;
  return new;
end $function$;
revoke all on function app_private.groups_about() from public;
comment on function app_private.groups_about() is 'Whoever writes plain words only, such as an import, writes paragraphs; words that stay leave their formatting alone';

CREATE OR REPLACE FUNCTION app_private.hide_in_audit(tab regclass, VARIADIC columns text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare missing text;
begin
  select c into missing from unnest(columns) c
    where not exists (select from pg_attribute a where a.attrelid = tab and a.attname = c and a.attnum > 0 and not a.attisdropped) limit 1;
  if missing is not null then raise exception '% has no column %', tab, missing using errcode = '42703'; end if;
  insert into app_private.audit_hidden (entity, name) select t.relname, c from pg_class t, unnest(columns) c where t.oid = tab on conflict do nothing;
end $function$;
revoke all on function app_private.hide_in_audit(regclass,text[]) from public;
comment on function app_private.hide_in_audit(regclass,text[]) is 'The audit log leaves these columns of the table out: a change of nothing else makes no entry';

CREATE OR REPLACE FUNCTION app_private.hold_account_rights(org uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  -- One at a time in an organisation. Who waited sees what was decided meanwhile: two who take each other's rights do not both succeed.
  perform pg_advisory_xact_lock(hashtextextended(org::text, 1));
  if not app.everywhere('account.manage') then
    raise exception 'accounts are kept by the organisation''s administrators' using errcode = '42501', constraint = 'accounts_administrators';
  end if;
end $function$;
revoke all on function app_private.hold_account_rights(uuid) from public;

CREATE OR REPLACE FUNCTION app_private.invoice_by_link(idp_org text, secret_hash text, OUT org uuid, OUT invoice uuid)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select l.org_id, l.subject_id from app.open_link(idp_org, 'pay', secret_hash) l where l.subject_type = 'invoice'
$function$;
revoke all on function app_private.invoice_by_link(text,text) from public;
comment on function app_private.invoice_by_link(text,text) is 'The invoice that a link for paying is about';

CREATE OR REPLACE FUNCTION app_private.invoice_lines_stay()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare row app.invoice_lines := case when tg_op = 'DELETE' then old else new end;
begin
  if not exists (select from app.organisations o where o.org_id = row.org_id) then return old; end if;
  if tg_op = 'UPDATE' and (old.org_id, old.invoice_id) is distinct from (new.org_id, new.invoice_id)
    or not exists (select from app.invoices i where i.org_id = row.org_id and i.id = row.invoice_id and i.state = 'draft') then
    raise exception 'an issued invoice stays as it is; credit it and issue another one' using errcode = '23514', constraint = 'invoice_issued';
  end if;
  return row;
end $function$;
revoke all on function app_private.invoice_lines_stay() from public;
comment on function app_private.invoice_lines_stay() is 'Refuses to change lines of anything but drafts';

CREATE OR REPLACE FUNCTION app_private.invoices_stay()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  moving constant text[] := array['state', 'paid_amount', 'credited_amount', 'balance_amount', 'paid_on', 'sent_at', 'void_reason', 'voided_at', 'version', 'updated_at'];
begin
  if tg_op = 'DELETE' then
    -- Only together with the whole organisation.
    if not exists (select from app.organisations o where o.org_id = old.org_id) then return old; end if;
    raise exception 'invoices are not deleted; void them' using errcode = '23514', constraint = 'invoices_not_deleted';
  end if;
  if old.state = 'draft' then return new; end if;
  if new.state = 'draft' or (old.state = 'void' and to_jsonb(new) - array['version', 'updated_at'] <> to_jsonb(old) - array['version', 'updated_at'])
    or to_jsonb(new) - moving <> to_jsonb(old) - moving then
    raise exception 'an issued invoice stays as it is; credit it and issue another one' using errcode = '23514', constraint = 'invoice_issued';
  end if;
  return new;
end $function$;
revoke all on function app_private.invoices_stay() from public;
comment on function app_private.invoices_stay() is 'Refuses to change what was issued and to delete any invoice';

CREATE OR REPLACE FUNCTION app_private.is_current(starts_on date, ends_on date)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ select starts_on <= current_date and (ends_on is null or ends_on >= current_date) $function$;
revoke all on function app_private.is_current(date,date) from public;
grant execute on function app_private.is_current(date,date) to app_definer;

CREATE OR REPLACE FUNCTION app_private.keep_audit(tab regclass, needs text, record text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  name constant text := (select c.relname from pg_class c where c.oid = tab);
  rest constant text := format('for each statement execute function app.audit_%%s(%s)', concat_ws(', ', quote_literal(needs), quote_literal(record)));
begin
  execute format('create trigger %I after insert on %s referencing new table as changed ', name || '_audit_insert', tab) || format(rest, 'insert');
  execute format('create trigger %I after update on %s referencing old table as before new table as changed ', name || '_audit_update', tab) || format(rest, 'update');
  execute format('create trigger %I after delete on %s referencing old table as changed ', name || '_audit_delete', tab) || format(rest, 'delete');
end $function$;
revoke all on function app_private.keep_audit(regclass,text,text) from public;
comment on function app_private.keep_audit(regclass,text,text) is 'Every change of a row becomes an entry of the audit log, for those who hold the permission needs; record, for a row that hangs on one, stands for whatever the history of that record needs. record names the column with the record whose history it belongs to';

CREATE OR REPLACE FUNCTION app_private.keep_fields(tab regclass, record text, kept text, writes text, sensitive text, held text DEFAULT NULL::text, myself text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  type constant text := (select c.relname from pg_class c where c.oid = tab);
  name constant text := type || '_field_values';
  -- Whether the actor holds a permission over the record: within its chapter unless said otherwise.
  reach constant text := coalesce(held, format('((select app.everywhere(%%1$L)) or exists (select from %1$s r where r.org_id = %2$s.org_id and r.id = %2$s.%3$I
    and r.chapter_id = any ((select app.scope(%%1$L))::uuid[])))', tab, name, record));
  own constant text := case when myself is null then '' else format(' or (%s and field_id = any ((select app.field_set(%L, %%L))::uuid[]))', myself, type) end;
  -- What is kept to officers is never about the reader.
  about_others constant text := case when myself is null then ''
    else format(' and (field_id <> all ((select app.field_set(%L, ''officers''))::uuid[]) or %I <> all ((select app.my_records())::uuid[]))', type, record) end;
  seen constant text := format('((select app.everywhere(%4$L)) or exists (select from %1$s r where r.org_id = %2$s.org_id and r.id = %2$s.%3$I))', tab, name, record, sensitive);
  officers constant text := format('(field_id = any ((select app.field_set(%1$L, ''kept''))::uuid[]) and %2$s) or (field_id = any ((select app.field_set(%1$L, ''sensitive''))::uuid[]) and %3$s)',
    type, format(reach, kept), format(reach, sensitive));
  open constant text := format('field_id = any ((select app.field_set(%L, ''everyone''))::uuid[])', type);
  ours constant text := 'org_id = (select app.org_id()) and ' || seen;
  reads constant text := format('%s and (%s%s or %s)%s', ours, open, format(own, 'self'), officers, about_others);
  changes constant text := format('%s and ((%s and (%s or %s))%s)%s', ours, format(reach, writes), open, officers, format(own, 'editable'), about_others);
begin
  execute format('create table app.%1$I (
    org_id uuid not null, id uuid not null default app.uuid7(), %2$I uuid not null, field_id uuid not null, slot text not null default '''' collate "C",
    value text not null, key text not null default '''' collate "C",
    primary key (org_id, %2$I, field_id, slot),
    foreign key (org_id, %2$I) references %3$s on delete cascade, foreign key (org_id, field_id) references app.fields on delete cascade)', name, record, tab);
  execute format('comment on table app.%I is %L', name, 'What the organisation''s own fields hold for each of ' || type);
  execute format('comment on column app.%I.slot is %L', name, 'The choice, where a field takes several; else empty');
  execute format('create index %1$I on app.%2$I (org_id, field_id, key, %3$I)', name || '_by_key', name, record);
  perform app_private.protect(format('app.%I', name)::regclass);
  perform app_private.keep_audit(format('app.%I', name)::regclass, 'people.directory', 'field_id');
  perform app_private.hide_in_audit(format('app.%I', name)::regclass, 'key', 'slot');
  execute format('create trigger %1$I before insert or update on app.%2$I for each row execute function app.field_value_form(%3$L)', name || '_form', name, type);
  insert into app_private.field_records values (type, kept, sensitive);
  execute format('create policy %1$I on app.%2$I for select to app_access using (%3$s)', name || '_read', name, reads);
  execute format('create policy %1$I on app.%2$I for insert to app_access with check (%3$s)', name || '_add', name, changes);
  execute format('create policy %1$I on app.%2$I for update to app_access using (%3$s) with check (%3$s)', name || '_change', name, changes);
  execute format('create policy %1$I on app.%2$I for delete to app_access using (%3$s)', name || '_remove', name, changes);
  execute format('grant select, delete, insert (org_id, %2$I, field_id, value), update (value) on app.%1$I to app_access', name, record);
  execute format('grant select, delete, insert (org_id, %2$I, field_id, value), update (value) on app.%1$I to app_definer', name, record);
  -- The log tells no more of a value than its field does; record_id names the field.
  execute format('create policy %1$I on app.audit_entries as restrictive for select to app_access using (org_id = (select app.org_id()) and (entity <> %2$L or (%3$s)))',
    'audit_entries_' || name, name,
    replace(replace(format('(%s%s or %s)%s', open, format(own, 'self'), officers, about_others), 'field_id', 'record_id'), name || '.', 'audit_entries.'));
end $function$;
revoke all on function app_private.keep_fields(regclass,text,text,text,text,text,text) from public;
comment on function app_private.keep_fields(regclass,text,text,text,text,text,text) is 'Gives records of a table fields: a table of values beside it with policies, audit and indexes. record: the column of the key there. kept, writes and sensitive: permissions that read what is for officers, change values and read sensitive ones. held: how a permission reaches a record, where not by its chapter. myself: what a record is when it is the actor';

CREATE OR REPLACE FUNCTION app_private.keep_search(tab regclass)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare name constant text := (select c.relname from pg_class c where c.oid = tab);
begin
  execute format('create index %I on %s using gin (search extensions.gin_trgm_ops)', name || '_by_search', tab);
  execute format('grant select (org_id, id, search) on %s to app_definer', tab);
  -- Each word becomes a condition of its own with its value written out, which is what the index answers.
  execute format($f$
    create function app.%1$I(query text) returns setof uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $s$
    declare words text := (select string_agg(format('r.search like %%L', app.like_pattern(t)), ' and ')
      from (select t from regexp_split_to_table(app.fold(left(query, 200)), '\s+') t where t <> '' limit 6) x);
    begin
      if words is not null then return query execute format('select r.id from %2$s r where r.org_id = %%L and %%s', app.org_id(), words); end if;
    end $s$ $f$, 'search_' || name, tab);
  execute format('comment on function app.%I(text) is %L', 'search_' || name,
    'Rows of the organisation that hold every word of the query. Who asks sees only those that row-level security shows them');
  execute format('grant execute on function app.%I(text) to app_access', 'search_' || name);
end $function$;
revoke all on function app_private.keep_search(regclass) from public;
comment on function app_private.keep_search(regclass) is 'An index on the column search and app.search_<table>(query) to use it: below a policy no such index would be. Followed by own_definers()';

CREATE OR REPLACE FUNCTION app_private.keep_version(tab regclass)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  execute format('create trigger %I before update on %s for each row execute function app.touch()', (select c.relname from pg_class c where c.oid = tab) || '_touch', tab);
end $function$;
revoke all on function app_private.keep_version(regclass) from public;
comment on function app_private.keep_version(regclass) is 'Each change raises version, which If-Match is compared with, and sets updated_at';

CREATE OR REPLACE FUNCTION app_private.keeps_books(org uuid, books_chapter uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare actor app.actor_context := app.actor();
begin
  return actor.org_id is null or app.everywhere('finance.manage') or coalesce(books_chapter = any (app.scope('finance.manage')), false);
end $function$;
revoke all on function app_private.keeps_books(uuid,uuid) from public;
comment on function app_private.keeps_books(uuid,uuid) is 'Whether the caller may write in the books of a chapter; null for those of the whole organisation';

CREATE OR REPLACE FUNCTION app_private.kept_by_chapters(tab regclass, reads text, manages text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  name constant text := (select c.relname from pg_class c where c.oid = tab);
  reach constant text := '(select app.everywhere(%1$L)) or chapter_id = any ((select app.scope(%1$L))::uuid[])';
begin
  execute format('create policy %I on %s for select to app_access using (org_id = (select app.org_id()) and (%s or %s))',
    name || '_read', tab, format(reach, reads), format(reach, manages));
  execute format('create policy %I on %s for insert to app_access with check (org_id = (select app.org_id()) and created_by = (select app.account_id()) and (%s))',
    name || '_add', tab, format(reach, manages));
  execute format('create policy %I on %s for update to app_access using (org_id = (select app.org_id()) and (%3$s)) with check (org_id = (select app.org_id()) and (%3$s))',
    name || '_change', tab, format(reach, manages));
end $function$;
revoke all on function app_private.kept_by_chapters(regclass,text,text) from public;
comment on function app_private.kept_by_chapters(regclass,text,text) is 'Policies of records that belong to a chapter or, without chapter_id, to the whole organisation: who reads them, and who adds and changes them. Nobody deletes one';

CREATE OR REPLACE FUNCTION app_private.leaders_of(org uuid, of_group uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select coalesce(array_agg(distinct a.id), '{}') from app.group_members m
  join app.accounts a on a.org_id = m.org_id and a.person_id = m.person_id
  where m.org_id = org and m.group_id = of_group and m.role = 'leader' and m.status = 'active'
    and (m.starts_on is null or m.starts_on <= current_date) and (m.ends_on is null or m.ends_on >= current_date)
$function$;
revoke all on function app_private.leaders_of(uuid,uuid) from public;

CREATE OR REPLACE FUNCTION app_private.lock_invoice(org uuid, invoice uuid)
 RETURNS app.invoices
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare i app.invoices;
begin
  perform app_private.books_open(org);
  select * into i from app.invoices x where x.org_id = org and x.id = invoice for update;
  if not found then raise exception 'there is no such invoice' using errcode = '23503', constraint = 'invoice_gone'; end if;
  return i;
end $function$;
revoke all on function app_private.lock_invoice(uuid,uuid) from public;
comment on function app_private.lock_invoice(uuid,uuid) is 'The invoice, which nobody else changes before this transaction ends';

CREATE OR REPLACE FUNCTION app_private.mail_recipient(m app.mail_messages, OUT address text, OUT account uuid, OUT idp_roles text[], OUT language text, OUT refusal text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  a app.accounts;
  p app.people;
begin
  if m.account_id is not null then
    select * into a from app.accounts x where x.org_id = m.org_id and x.id = m.account_id;
  elsif m.person_id is not null then
    select * into a from app.accounts x where x.org_id = m.org_id and x.person_id = m.person_id;
  else
    -- Whoever is locked out is not written to by their address either.
    select * into a from app.accounts x where x.org_id = m.org_id and x.status = 'suspended' and lower(x.email) = lower(m.address) limit 1;
  end if;
  select * into p from app.people x where x.org_id = m.org_id and x.id = coalesce(m.person_id, a.person_id);
  if a.status = 'suspended' then refusal := 'account_suspended';
  elsif p.lifecycle = 'deceased' then refusal := 'person_deceased';
  elsif p.lifecycle in ('erased', 'merged') or p.deleted_at is not null then refusal := 'person_' || case when p.lifecycle in ('erased', 'merged') then p.lifecycle else 'archived' end;
  elsif p.do_not_contact and not m.essential then refusal := 'do_not_contact';
  elsif m.to_administrators and not exists (select from app.contact_recipients(m.org_id) r where r = m.address) then refusal := 'no_administrator';
  end if;
  if refusal is not null then return; end if;
  address := coalesce(m.address, a.email,
    (select e.address from app.person_emails e where e.org_id = m.org_id and e.person_id = p.id order by e.is_primary desc, e.created_at, e.id limit 1));
  if address is null then
    refusal := 'no_address';
    return;
  end if;
  refusal := (select case when s.reason in ('hard_bounce', 'complaint') or not m.essential then s.reason end
    from app.mail_suppressions s where s.org_id = m.org_id and s.address_hash = app_private.address_hash(mail_recipient.address));
  if a.status = 'active' then
    account := a.id;
    idp_roles := a.idp_roles;
  end if;
  language := coalesce(nullif(a.preferences ->> 'locale', ''), a.locale, p.language);
end $function$;
revoke all on function app_private.mail_recipient(app.mail_messages) from public;
comment on function app_private.mail_recipient(app.mail_messages) is 'Where a mail goes as things stand, in which language, and why it goes nowhere. Nobody who is locked out, deceased, erased, merged or archived is written to';

CREATE OR REPLACE FUNCTION app_private.mail_turn(place text, gap interval, ahead interval, waits boolean)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare turn timestamptz;
begin
  if gap is null then return now(); end if;
  insert into app_private.mail_pace as p (place, free_at) values (mail_turn.place, now() + gap)
    on conflict on constraint mail_pace_pkey do update set free_at = greatest(p.free_at, now()) + gap
    returning free_at - gap - ahead into turn;
  return case when waits then greatest(turn, now()) else now() end;
end $function$;
revoke all on function app_private.mail_turn(text,interval,interval,boolean) from public;
comment on function app_private.mail_turn(text,interval,interval,boolean) is 'Books the next turn at a place and answers when it is; ahead is how much may leave at once before the pace counts';

CREATE OR REPLACE FUNCTION app_private.manages_group(org uuid, wanted uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select app.everywhere('groups.manage') or wanted = any (app.group_scope('groups.manage'))
    or exists (select from app.groups g where g.org_id = org and g.id = wanted and g.chapter_id = any (app.scope('groups.manage')))
$function$;
revoke all on function app_private.manages_group(uuid,uuid) from public;

CREATE OR REPLACE FUNCTION app_private.me_today(actor app.actor_context, OUT me uuid, OUT today date)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  select a.person_id, (now() at time zone o.timezone)::date into me, today
    from app.accounts a join app.organisations o on o.org_id = a.org_id where a.org_id = actor.org_id and a.id = actor.account_id;
end $function$;
revoke all on function app_private.me_today(app.actor_context) from public;
comment on function app_private.me_today(app.actor_context) is 'Person that the actor is, and the calendar day in the organisation''s own time zone';

CREATE OR REPLACE FUNCTION app_private.membership_by_dates(ends_on date, grace_until date, today date)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when ends_on is null or ends_on >= today then 'active' when grace_until >= today then 'grace' else 'lapsed' end
$function$;
revoke all on function app_private.membership_by_dates(date,date,date) from public;
grant execute on function app_private.membership_by_dates(date,date,date) to app_definer;
comment on function app_private.membership_by_dates(date,date,date) is 'Status of a membership that has a settled term, by its last day';

CREATE OR REPLACE FUNCTION app_private.membership_counted(status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select status in ('active', 'grace', 'lapsed', 'cancelled', 'suspended')
$function$;
revoke all on function app_private.membership_counted(text) from public;
grant execute on function app_private.membership_counted(text) to app_definer;
comment on function app_private.membership_counted(text) is 'Whether a membership counts or has counted; applications do not';

CREATE OR REPLACE FUNCTION app_private.membership_moves(before text, after text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select before = after or (before, after) in (values
    ('applied', 'awaiting_approval'), ('applied', 'awaiting_payment'), ('applied', 'withdrawn'),
    ('awaiting_approval', 'awaiting_payment'), ('awaiting_approval', 'declined'), ('awaiting_approval', 'withdrawn'),
    ('awaiting_payment', 'active'), ('awaiting_payment', 'grace'), ('awaiting_payment', 'lapsed'), ('awaiting_payment', 'declined'), ('awaiting_payment', 'withdrawn'),
    ('active', 'grace'), ('active', 'lapsed'), ('active', 'cancelled'), ('active', 'suspended'),
    ('grace', 'active'), ('grace', 'lapsed'), ('grace', 'cancelled'), ('grace', 'suspended'),
    ('suspended', 'active'), ('suspended', 'grace'), ('suspended', 'lapsed'), ('suspended', 'cancelled'),
    ('lapsed', 'active'), ('lapsed', 'grace'), ('cancelled', 'active'), ('cancelled', 'grace'), ('cancelled', 'lapsed'),
    -- Only where the money of the first term went back.
    ('active', 'awaiting_payment'), ('grace', 'awaiting_payment'), ('lapsed', 'awaiting_payment'))
$function$;
revoke all on function app_private.membership_moves(text,text) from public;
grant execute on function app_private.membership_moves(text,text) to app_definer;
comment on function app_private.membership_moves(text,text) is 'Whether one status may follow another';

CREATE OR REPLACE FUNCTION app_private.memberships_affiliate()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  ids uuid[];
begin
  if tg_op = 'UPDATE' then
    ids := (select array_agg(c.id) from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where c.status in ('active', 'grace') and c.chapter_id is not null
        and (b.status not in ('active', 'grace') or b.chapter_id is distinct from c.chapter_id));
  else
    ids := (select array_agg(c.id) from changed c where c.status in ('active', 'grace') and c.chapter_id is not null);
  end if;
  if ids is null then return null; end if;
  update app.affiliations a set ends_on = greatest(a.starts_on, app_private.today_of(a.org_id) - 1)
    from changed c where c.id = any (ids) and a.org_id = c.org_id and a.person_id = c.person_id and a.chapter_id = c.chapter_id and a.kind = 'applicant' and a.ends_on is null;
  insert into app.affiliations (org_id, person_id, chapter_id, kind, starts_on, is_primary)
    select distinct on (c.org_id, c.person_id, c.chapter_id) c.org_id, c.person_id, c.chapter_id, 'member', d.today,
      not exists (select from app.affiliations a where a.org_id = c.org_id and a.person_id = c.person_id and a.is_primary and a.ends_on is null)
        and row_number() over (partition by c.org_id, c.person_id order by c.chapter_id, c.id) = 1
    from changed c
    join (select o.org_id, app_private.today_of(o.org_id) as today from app.organisations o where o.org_id in (select x.org_id from changed x)) d on d.org_id = c.org_id
    join app.people p on p.org_id = c.org_id and p.id = c.person_id and p.lifecycle not in ('deceased', 'merged', 'erased')
    where c.id = any (ids) and not exists (select from app.affiliations a
      where a.org_id = c.org_id and a.person_id = c.person_id and a.chapter_id = c.chapter_id and a.kind = 'member' and (a.ends_on is null or a.ends_on >= d.today))
    order by c.org_id, c.person_id, c.chapter_id, c.id
    on conflict (org_id, person_id, starts_on, chapter_id, kind) do update set ends_on = null;
  return null;
end $function$;
revoke all on function app_private.memberships_affiliate() from public;
comment on function app_private.memberships_affiliate() is 'Whoever holds a membership that counts is a member of its chapter';

CREATE OR REPLACE FUNCTION app_private.memberships_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if current_user = 'app_definer' or app.org_id() is null then return null; end if;
  if tg_op = 'INSERT' then
    if exists (select from changed c where c.status not in ('awaiting_approval', 'awaiting_payment')) then
      raise exception 'a membership starts with an application or its first invoice' using errcode = '23514', constraint = 'membership_move';
    end if;
    if exists (select from changed c join app.membership_types t on t.org_id = c.org_id and t.id = c.type_id
        where t.archived_at is not null or (not app.decides_membership(c.person_id, c.chapter_id) and (t.open_to = 'officers' or (t.needs_approval and c.status <> 'awaiting_approval')
          or (t.open_to = 'members' and not exists (select from app.memberships o where o.org_id = c.org_id and o.person_id = c.person_id and o.starts_on is not null))))) then
      raise exception 'this type cannot be chosen' using errcode = '42501', constraint = 'membership_type_closed';
    end if;
    return null;
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id where not app.membership_may_become(b.status, c.status)) then
    raise exception 'a membership cannot go from one of these statuses to the other' using errcode = '23514', constraint = 'membership_move';
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where ((c.status <> b.status and c.status not in ('cancelled', 'withdrawn')) or (c.override_status, c.override_until, c.override_reason, c.type_id, c.chapter_id)
          is distinct from (b.override_status, b.override_until, b.override_reason, b.type_id, b.chapter_id))
        and not app.decides_membership(b.person_id, b.chapter_id)) then
    raise exception 'this is decided by another officer, or by the chapter above' using errcode = '42501', constraint = 'membership_decided_above';
  end if;
  return null;
end $function$;
revoke all on function app_private.memberships_guard() from public;
comment on function app_private.memberships_guard() is 'Holds every change to the statuses that may follow; nobody decides their own, and what officers of a chapter ask for is decided above';

CREATE OR REPLACE FUNCTION app_private.memberships_lifecycle()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare org uuid;
begin
  if tg_op = 'UPDATE' then
    for org in select distinct c.org_id from changed c loop
      perform app_private.derive_lifecycle(org, (select array_agg(distinct c.person_id) from changed c join before b on b.org_id = c.org_id and b.id = c.id
        where c.org_id = org and (c.status, c.override_status) is distinct from (b.status, b.override_status)
          and (app_private.membership_counted(c.status) or app_private.membership_counted(b.status) or c.override_status is distinct from b.override_status)));
    end loop;
  else
    for org in select distinct c.org_id from changed c loop
      perform app_private.derive_lifecycle(org, (select array_agg(distinct c.person_id) from changed c where c.org_id = org and app_private.membership_counted(c.status)));
    end loop;
  end if;
  return null;
end $function$;
revoke all on function app_private.memberships_lifecycle() from public;
comment on function app_private.memberships_lifecycle() is 'The lifecycle of people follows their memberships';

CREATE OR REPLACE FUNCTION app_private.minor_until(birth_date date, majority_age integer)
 RETURNS date
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ select d from (select (birth_date + make_interval(years => majority_age))::date as d) x where d > current_date $function$;
revoke all on function app_private.minor_until(date,integer) from public;
grant execute on function app_private.minor_until(date,integer) to app_definer;
comment on function app_private.minor_until(date,integer) is 'Day of majority, while it lies ahead';

CREATE OR REPLACE FUNCTION app_private.notes_erased()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  delete from app.notes n where n.org_id = new.org_id and n.author_id = new.id and n.visibility = 'self';
  return null;
end $function$;
revoke all on function app_private.notes_erased() from public;
comment on function app_private.notes_erased() is 'What an erased person noted for themselves is gone; notes about them go as everything does that hangs on them';

CREATE OR REPLACE FUNCTION app_private.notes_guard()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if (app.actor()).org_id is not null and pg_trigger_depth() = 1 then
    if old.created_by <> app.account_id() and (new.body, new.visibility, new.edited_at) is distinct from (old.body, old.visibility, old.edited_at) then
      raise exception 'a note is changed by its author only' using errcode = '42501', constraint = 'notes_author';
    end if;
    if old.deleted_at is not null and new.deleted_at is null and old.deleted_at < now() - interval '30 days' then
      raise exception 'this note was deleted more than 30 days ago' using errcode = '23514', constraint = 'note_purged';
    end if;
  end if;
  if (new.body, new.visibility) is distinct from (old.body, old.visibility) then
    insert into app.note_versions (org_id, note_id, number, person_id, created_by, visibility, body)
      values (old.org_id, old.id, old.version, old.record_id, old.created_by, old.visibility, old.body);
  end if;
  return new;
end $function$;
revoke all on function app_private.notes_guard() from public;
comment on function app_private.notes_guard() is 'The author changes what a note says and who sees it, and what it said before is kept; officers pin and delete it';

CREATE OR REPLACE FUNCTION app_private.orders(org uuid, wanted app.invoices)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  line app.invoice_lines;
  kind app_private.invoice_subjects;
  owed record;
begin
  for line in select * from app.invoice_lines l where l.org_id = org and l.invoice_id = wanted.id loop
    select * into kind from app_private.invoice_subjects s where s.name = line.subject_type;
    if not found then return false; end if;
    execute format('select o.person_id, o.chapter_id, o.amount, o.currency from (%s) o (person_id, chapter_id, amount, currency)', kind.owed) into owed using org, line.subject_id;
    if owed is null or owed.person_id is distinct from wanted.person_id or owed.amount <> line.net_amount or owed.currency <> wanted.currency then return false; end if;
    if not (owed.person_id = app.person_id() or app.everywhere(kind.manages) or coalesce(owed.chapter_id = any (app.scope(kind.manages)), false)) then return false; end if;
  end loop;
  return true;
end $function$;
revoke all on function app_private.orders(uuid,app.invoices) from public;
comment on function app_private.orders(uuid,app.invoices) is 'Whether each line pays the price of something that the caller may order for who owes the invoice';

CREATE OR REPLACE FUNCTION app_private.own_definers()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare f regprocedure;
begin
  grant create on schema app, app_private to app_definer;
  for f in select p.oid from pg_proc p where p.pronamespace in ('app'::regnamespace, 'app_private'::regnamespace) and p.prosecdef and p.proowner <> 'app_definer'::regrole loop
    execute format('revoke execute on function %s from public', f);
    execute format('alter function %s owner to app_definer', f);
  end loop;
  revoke create on schema app, app_private from app_definer;
end $function$;
revoke all on function app_private.own_definers() from public;
comment on function app_private.own_definers() is 'Gives every definer function to the narrow role and takes it from everyone: the last line of a migration that makes one';

CREATE OR REPLACE FUNCTION app_private.payment_state(p app.payments)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select case when p.dispute_state in ('open', 'lost') then 'disputed'
    when p.refunded_amount >= p.amount then 'refunded'
    when p.refunded_amount > 0 then 'partly_refunded'
    else 'settled' end
$function$;
revoke all on function app_private.payment_state(app.payments) from public;
grant execute on function app_private.payment_state(app.payments) to app_definer;
comment on function app_private.payment_state(app.payments) is 'State of a payment that has settled, by its refunds and its dispute';

CREATE OR REPLACE FUNCTION app_private.payments_stay()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if not exists (select from app.organisations o where o.org_id = old.org_id) then return old; end if;
  raise exception 'payments are not deleted' using errcode = '23514', constraint = 'payments_not_deleted';
end $function$;
revoke all on function app_private.payments_stay() from public;
comment on function app_private.payments_stay() is 'Refuses to delete payments';

CREATE OR REPLACE FUNCTION app_private.people_lifecycle_by_hand()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if pg_trigger_depth() > 1 or current_setting('app.lifecycle_derived', true) = '1' then return null; end if;
  with set_by_hand as (
    select c.org_id, c.id, c.lifecycle, app_private.today_of(c.org_id) as today from changed c join before b on b.org_id = c.org_id and b.id = c.id
    where c.lifecycle <> b.lifecycle and c.lifecycle in ('prospect', 'active', 'alumni', 'former')
      and exists (select from app.memberships m where m.org_id = c.org_id and m.person_id = c.id and app_private.membership_counted(m.status))
  ),
  -- What memberships say anyhow needs no override.
  gone as (
    delete from app.lifecycle_overrides o using set_by_hand s where o.org_id = s.org_id and o.person_id = s.id and o.lifecycle <> s.lifecycle
      and s.lifecycle = case when exists (select from app.memberships m where m.org_id = s.org_id and m.person_id = s.id and coalesce(m.override_status, m.status) in ('active', 'grace')) then 'active' else 'former' end
    returning o.org_id, o.person_id
  )
  insert into app.lifecycle_overrides (org_id, person_id, lifecycle, until, reason, set_by)
    select s.org_id, s.id, s.lifecycle, s.today + 365, coalesce(nullif(current_setting('app.lifecycle_reason', true), ''), 'Set by hand'), app.account_id()
    from set_by_hand s where not exists (select from gone g where g.org_id = s.org_id and g.person_id = s.id)
      and s.lifecycle <> case when exists (select from app.memberships m where m.org_id = s.org_id and m.person_id = s.id and coalesce(m.override_status, m.status) in ('active', 'grace')) then 'active' else 'former' end
    on conflict (org_id, person_id) do update set lifecycle = excluded.lifecycle, until = excluded.until, reason = excluded.reason, set_by = excluded.set_by, created_at = now();
  return null;
end $function$;
revoke all on function app_private.people_lifecycle_by_hand() from public;
comment on function app_private.people_lifecycle_by_hand() is 'A lifecycle that is set by hand against the memberships holds for a year, and has a reason';

CREATE OR REPLACE FUNCTION app_private.people_reach(query text, cap integer, OUT people integer, OUT names_alone boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare c record;
begin
  select * into c from app_private.people_search(query);
  people := 0;
  names_alone := true;
  if c.names is not null then
    execute format('with %s select least((select total from matches), %s), (select total from names) > 1000', app_private.people_search_found(c, cap), cap)
      into people, names_alone;
  end if;
end $function$;
revoke all on function app_private.people_reach(text,integer) from public;
comment on function app_private.people_reach(text,integer) is 'How many people the actor finds by this text, at most cap, and whether addresses and numbers are not looked at because so many names contain it';

CREATE OR REPLACE FUNCTION app_private.people_search(query text, OUT people text, OUT seen text, OUT names text, OUT emails text, OUT phones text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
  today date := app.today();
  terms record := app.search_terms(query);
  sees_all boolean := app.everywhere('people.sensitive');
  directory boolean := app.everywhere('people.directory');
  contacts boolean := app.everywhere('people.contact');
  nowhere constant uuid[] := '{}';
  contact text;
begin
  if org is null or terms.names is null then return; end if;

  seen := format($p$app.sees_person(p.id = %1$L, coalesce(p.minor_until > %2$L, false),
      %3$L, exists (select from app.people_within('people.sensitive', %4$L, %2$L) w where w.org_id = p.org_id and w.person_id = p.id),
      %5$L, exists (select from app.people_within('people.directory', %6$L, %2$L) w where w.org_id = p.org_id and w.person_id = p.id))$p$,
    me, today, sees_all, case when sees_all then nowhere else app.scope('people.sensitive') end,
    directory, case when sees_all or directory then nowhere else app.scope('people.directory') end);
  people := format('p.org_id = %L and p.deleted_at is null and %s', org, seen);
  -- Who holds the right in no chapter and no group is asked about none.
  contact := format($p$app.sees_contact(c.person_id = %1$L, c.visible_to = 'members',
      %2$L, %3$L::uuid[] <> '{}' and exists (select from app.people_within('people.contact', %3$L, %4$L) w where w.org_id = c.org_id and w.person_id = c.person_id),
      %5$L::uuid[] <> '{}' and exists (select from app.people_led('people.contact', %5$L) w where w.org_id = c.org_id and w.person_id = c.person_id), %6$L)$p$,
    me, contacts, case when contacts then nowhere else app.scope('people.contact') end, today,
    case when contacts then nowhere else app.group_scope('people.contact') end, directory);

  select string_agg(format('p.search like %L', t), ' and ') into names from unnest(terms.names) t;
  if terms.starts is not null then
    -- The name index answers which family names begin so.
    select format('(%s) and %s', string_agg(format('p.sort_name >= %L and p.sort_name < %L', t, t || chr(1114111)), ' or '), names) into names from unnest(terms.starts) t;
  end if;
  if terms.email is not null then
    emails := format('c.org_id = %L and c.%I like %L and %s', org, case when terms.whole then 'address_key' else 'local_key' end, terms.email, contact);
  end if;
  if terms.phone is not null then
    phones := format('c.org_id = %L and c.digits like %L and %s', org, terms.phone, contact);
  end if;
end $function$;
revoke all on function app_private.people_search(text) from public;
comment on function app_private.people_search(text) is 'Conditions on app.people p (people: whom the actor may see, of which seen is what rights say; whose name fits) and on e-mails and telephones c that fit and may be seen';

CREATE OR REPLACE FUNCTION app_private.people_search_found(c record, cap integer)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  common constant int := 1000;
  -- People may have several addresses, so more of them are read than people are counted.
  addresses constant int := 2 * cap;
  -- People are looked up one by one, which the offset makes sure of: patterns are guessed to fit far more than they do, and everybody would be read
  -- for a handful. They are looked up by the organisation of the address, not by its id: of an organisation that has just imported its people nothing
  -- is known yet, and by an id that seems to have nobody any index that begins with it would do, which is read whole for each. Most addresses are made
  -- of the name, so few are left whom the names have not found already.
  also constant text := '(select p.id, p.sort_name from app.%s c cross join lateral (select p.* from app.people p where p.org_id = c.org_id and p.id = c.person_id and p.deleted_at is null and %s offset 0) p
    where (select total from names) <= %s and not exists (select from n where n.id = c.person_id) and %s limit %L)';
  further text := concat_ws(' union all ', case when c.emails is not null then format(also, 'person_emails', c.seen, common, c.emails, addresses) end,
    case when c.phones is not null then format(also, 'person_phones', c.seen, common, c.phones, addresses) end);
begin
  return format('n as materialized (select p.id, p.sort_name from app.people p where %1$s and %2$s limit %3$L), names as materialized (select count(*)::int as total from n)',
      c.people, c.names, cap)
    || case when further = '' then ', m as (select n.id, n.sort_name from n), matches as materialized (select total from names)'
      else format(', a as materialized (%1$s)
      , m as materialized (select n.id, n.sort_name from n union all select distinct a.id, a.sort_name from a)
      , matches as materialized (select case when (select count(*) from a) >= %3$L then %2$L::int else count(*)::int end as total from m)',
        further, cap, addresses) end;
end $function$;
revoke all on function app_private.people_search_found(record,integer) from public;
grant execute on function app_private.people_search_found(record,integer) to app_definer;
comment on function app_private.people_search_found(record,integer) is 'Common table expressions: n who fits by name, at most cap if that is not null, names with how many those are, m everybody who fits, matches with how many those are, of which m knows all while they are fewer than cap. What more than a thousand names contain is not looked for in addresses and numbers as well, which would find as many again and few others';

CREATE OR REPLACE FUNCTION app_private.protect(tab regclass)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  execute format('alter table %s enable row level security', tab);
  execute format('alter table %s force row level security', tab);
  execute format('create policy %I on %s to app_definer using (org_id is not null) with check (org_id is not null)',
    (select c.relname from pg_class c where c.oid = tab) || '_definer', tab);
end $function$;
revoke all on function app_private.protect(regclass) from public;
comment on function app_private.protect(regclass) is 'Row-level security, enabled and forced, with the policy of functions that run as app_definer. Who else may do what is for the table itself to say';

CREATE OR REPLACE FUNCTION app_private.public_name(org uuid, person uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select p.display_name from app.people p
  join app.public_names n on n.org_id = p.org_id and n.person_id = p.id
  where p.org_id = org and p.id = person and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')
    and (p.minor_until is null or p.minor_until <= current_date)
$function$;
revoke all on function app_private.public_name(uuid,uuid) from public;
grant execute on function app_private.public_name(uuid,uuid) to app_definer;
comment on function app_private.public_name(uuid,uuid) is 'Name of somebody who agreed to be named in public, as long as they are of age and their record is open';

CREATE OR REPLACE FUNCTION app_private.receipts_stay()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if not exists (select from app.organisations o where o.org_id = old.org_id) then return old; end if;
  if tg_op = 'DELETE' or old.state <> 'issued' and new.state is distinct from old.state
    or to_jsonb(new) - array['state', 'sent_at'] <> to_jsonb(old) - array['state', 'sent_at'] then
    raise exception 'a receipt stays as it is; issue one that replaces it' using errcode = '23514', constraint = 'receipt_issued';
  end if;
  return new;
end $function$;
revoke all on function app_private.receipts_stay() from public;
comment on function app_private.receipts_stay() is 'Refuses to change and to delete receipts';

CREATE OR REPLACE FUNCTION app_private.recompute_invoice(org uuid, invoice uuid)
 RETURNS app.invoices
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  i app.invoices;
  paid bigint;
  credited bigint;
  last_day date;
  becomes text;
begin
  select * into i from app.invoices x where x.org_id = org and x.id = invoice for update;
  select coalesce(sum(a.amount - a.refunded_amount), 0), max((p.settled_at at time zone o.timezone)::date) into paid, last_day
    from app.payment_allocations a join app.payments p on p.org_id = a.org_id and p.id = a.payment_id join app.organisations o on o.org_id = p.org_id
    where a.org_id = org and a.invoice_id = invoice and p.state in ('settled', 'partly_refunded', 'refunded');
  select coalesce(-sum(c.total_amount), 0) into credited from app.invoices c where c.org_id = org and c.credits_id = invoice and c.state not in ('draft', 'void');
  becomes := case when i.state in ('draft', 'void') then i.state
    when i.total_amount - credited - paid <= 0 then case when paid > 0 or i.total_amount = 0 then 'paid' else 'credited' end
    when paid > 0 then 'partly_paid' else 'issued' end;
  last_day := case when i.total_amount = 0 then i.paid_on when becomes = 'paid' then last_day end;
  if (i.paid_amount, i.credited_amount, i.state) is distinct from (paid, credited, becomes) or i.paid_on is distinct from last_day then
    update app.invoices x set paid_amount = paid, credited_amount = credited, state = becomes, paid_on = last_day
      where x.org_id = org and x.id = invoice returning * into i;
  end if;
  return i;
end $function$;
revoke all on function app_private.recompute_invoice(uuid,uuid) from public;
comment on function app_private.recompute_invoice(uuid,uuid) is 'Brings an invoice in line with its settled payments and its credit notes';

CREATE OR REPLACE FUNCTION app_private.record_chapter(kind text, org uuid, id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  target constant text := (select t.tab from app_private.record_types t where t.name = kind);
  found_in uuid;
begin
  if target is null then return null; end if;
  if exists (select from pg_attribute a where a.attrelid = format('app.%I', target)::regclass and a.attname = 'chapter_id' and not a.attisdropped) then
    execute format('select r.chapter_id from app.%I r where r.org_id = $1 and r.id = $2', target) into found_in using org, id;
  end if;
  return found_in;
end $function$;
revoke all on function app_private.record_chapter(text,uuid,uuid) from public;
grant execute on function app_private.record_chapter(text,uuid,uuid) to app_definer;
comment on function app_private.record_chapter(text,uuid,uuid) is 'Chapter of a record, if such records belong to one';

CREATE OR REPLACE FUNCTION app_private.record_condition(tab text, ways text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  kind app_private.record_types;
  way text;
  allowed text[];
  branches text[] := '{}';
begin
  for kind in select * from app_private.record_types t order by t.name loop
    allowed := '{}';
    foreach way in array string_to_array(ways, ' or ') loop
      allowed := allowed || case
        when way = 'see' then 'true'
        -- Locked as it would be for a change, the record is found only if its own policies allow one.
        when way = 'change' then format('exists (select from app.%1$I c where c.org_id = r.org_id and c.id = r.id for key share)', kind.tab)
        when way = 'author' then format('%I.created_by = (select app.account_id())', tab)
        when way = 'manage' and kind.manage is null then 'false'
        when way = 'manage' then format('(select app.everywhere(%L)) or %s', kind.manage, format(kind.reach, kind.manage))
        when way ~ '^[a-z]+\.[a-z]+$' then format('(select app.everywhere(%L)) or %s', way, format(kind.reach, way))
      end;
      if allowed[cardinality(allowed)] is null then raise exception 'rows are read and written by see, change, author, manage or a permission, not by %', way; end if;
    end loop;
    branches := branches || format('(%1$I.record_type = %2$L and %3$sexists (select from app.%4$I r where r.org_id = %1$I.org_id and r.id = %1$I.record_id%5$s)%6$s)',
      tab, kind.name, case when ways = 'see' and kind.sees_all <> 'false' then '(' || kind.sees_all || ' or ' else '' end, kind.tab,
      case when 'true' = any (allowed) then '' else ' and (' || array_to_string(allowed, ' or ') || ')' end,
      case when ways = 'see' and kind.sees_all <> 'false' then ')' else '' end);
  end loop;
  return format('%I.org_id = (select app.org_id()) and (%s)', tab, array_to_string(branches, ' or '));
end $function$;
revoke all on function app_private.record_condition(text,text) from public;
comment on function app_private.record_condition(text,text) is 'Condition on a row that hangs on a record: the actor sees the record, and may read or write the row in one of the ways';

CREATE OR REPLACE FUNCTION app_private.record_erased()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare follower text;
begin
  for follower in select f.tab from app_private.record_followers f loop
    execute format('delete from app.%I f where f.org_id = $1 and f.record_type = $2 and f.record_id = $3', follower) using new.org_id, tg_argv[0], new.id;
  end loop;
  return null;
end $function$;
revoke all on function app_private.record_erased() from public;
comment on function app_private.record_erased() is 'What hangs on a record goes when the record is emptied';

CREATE OR REPLACE FUNCTION app_private.record_gone()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare follower text;
begin
  for follower in select f.tab from app_private.record_followers f loop
    execute format('delete from app.%I f using gone g where f.org_id = g.org_id and f.record_type = $1 and f.record_id = g.id', follower) using tg_argv[0];
  end loop;
  return null;
end $function$;
revoke all on function app_private.record_gone() from public;
comment on function app_private.record_gone() is 'What hangs on a record goes with it';

CREATE OR REPLACE FUNCTION app_private.record_open()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  kind app_private.record_types;
  shut boolean;
begin
  select * into kind from app_private.record_types t where t.name = new.record_type;
  if kind.closed is null or (app.actor()).org_id is null then return null; end if;
  execute format('select %s from app.%I r where r.org_id = $1 and r.id = $2', kind.closed, kind.tab) into shut using new.org_id, new.record_id;
  if shut then raise exception 'this record is archived or closed' using errcode = '23514', constraint = 'record_closed'; end if;
  return null;
end $function$;
revoke all on function app_private.record_open() from public;
comment on function app_private.record_open() is 'Refuses what is added to a record that is closed; after the policies, so that it tells nothing of hidden records';

CREATE OR REPLACE FUNCTION app_private.refresh_memberships(org uuid, ids uuid[], today date, revive boolean)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  update app.memberships m set starts_on = t.starts_on, ends_on = t.ends_on, grace_until = t.grace_until, paid_on = t.paid_on,
      status = case when m.status = 'suspended' or (m.status = 'cancelled' and not revive) then m.status
        when t.terms = 0 then 'awaiting_payment'
        else app_private.membership_by_dates(t.ends_on, t.grace_until, today) end
    from (select r.id, count(s.id) as terms, min(s.starts_on) as starts_on, max(s.settled_on) as paid_on,
        case when not bool_or(s.period = 'lifetime') then max(s.ends_on) end as ends_on,
        case when not bool_or(s.period = 'lifetime') then max(s.ends_on + s.grace_days) end as grace_until
      from unnest(ids) r (id) left join app.membership_terms s on s.org_id = org and s.membership_id = r.id and s.status = 'settled' group by r.id) t
    where m.org_id = org and m.id = t.id
$function$;
revoke all on function app_private.refresh_memberships(uuid,uuid[],date,boolean) from public;
comment on function app_private.refresh_memberships(uuid,uuid[],date,boolean) is 'Brings dates and status of memberships in line with their settled terms; a cancelled one comes back only when a new term was settled';

CREATE OR REPLACE FUNCTION app_private.refuse_closed(lifecycle text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  case lifecycle
    when 'erased' then raise exception 'this person was erased' using errcode = '23P01', constraint = 'person_erased';
    when 'merged' then raise exception 'this record was merged into another one, so it is read-only' using errcode = '23P01', constraint = 'person_merged';
    else raise exception 'this person is deceased, so the record is read-only' using errcode = '23P01', constraint = 'person_deceased';
  end case;
end $function$;
revoke all on function app_private.refuse_closed(text) from public;
comment on function app_private.refuse_closed(text) is 'Says why a record is read-only; an exclusion violation becomes 409, and 410 for who was erased';

CREATE OR REPLACE FUNCTION app_private.refuse_deep_chapters(org uuid, top uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if exists (select from app.chapter_ancestors sub
      join app.chapter_ancestors up on up.org_id = sub.org_id and up.chapter_id = sub.chapter_id
      where sub.org_id = org and sub.ancestor_id = top group by sub.chapter_id having count(*) > 8) then
    raise exception 'a tree is at most eight levels deep' using errcode = '23514', constraint = 'chapters_too_deep';
  end if;
end $function$;
revoke all on function app_private.refuse_deep_chapters(uuid,uuid) from public;

CREATE OR REPLACE FUNCTION app_private.register_invoice_subject(name text, manages text, owed text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  insert into app_private.invoice_subjects (name, owed, manages) values (name, owed, manages)
$function$;
revoke all on function app_private.register_invoice_subject(text,text,text) from public;
comment on function app_private.register_invoice_subject(text,text,text) is 'Lets people order such a thing, at its price, for themselves, and those with a permission for others; for migrations';

CREATE OR REPLACE FUNCTION app_private.register_record(kind text, tab regclass, history text, reach text DEFAULT 'r.chapter_id = any ((select app.scope(%1$L))::uuid[])'::text, sees_all text DEFAULT 'false'::text, manage text DEFAULT NULL::text, closed text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  name constant text := (select c.relname from pg_class c where c.oid = tab and c.relnamespace = 'app'::regnamespace);
  f app_private.record_followers;
begin
  insert into app_private.record_types (name, tab, history, reach, sees_all, manage, closed) values (kind, name, history, reach, sees_all, manage, closed);
  execute format('create trigger %I after delete on %s referencing old table as gone for each statement execute function app_private.record_gone(%L)', name || '_gone', tab, kind);
  -- Definer functions look the record up and lock it.
  execute format('grant select, update (id) on %s to app_definer', tab);
  for f in select * from app_private.record_followers loop perform app_private.rewrite_follower(f); end loop;
end $function$;
revoke all on function app_private.register_record(text,regclass,text,text,text,text,text) from public;
comment on function app_private.register_record(text,regclass,text,text,text,text,text) is 'Rows of this table are records on which others can hang: files, comments, tags. history is the permission that reads in their history, reach where a permission holds (by default in their chapter), manage the permission of those who look after them, closed the condition on a row r that nothing more is added to it';

CREATE OR REPLACE FUNCTION app_private.rewrite_follower(f app_private.record_followers)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  reads constant text := app_private.record_condition(f.tab, 'see');
begin
  execute format('drop policy if exists %1$I on app.%5$I; drop policy if exists %2$I on app.%5$I; drop policy if exists %3$I on app.%5$I; drop policy if exists %4$I on app.%5$I',
    f.tab || '_read', f.tab || '_add', f.tab || '_change', f.tab || '_remove', f.tab);
  execute format('create policy %I on app.%I for select to app_access using (%s)', f.tab || '_read', f.tab, reads);
  if f.adds is not null then
    execute format('create policy %I on app.%I for insert to app_access with check (%s)', f.tab || '_add', f.tab, app_private.record_condition(f.tab, f.adds));
  end if;
  if f.changes is not null then
    execute format('create policy %I on app.%I for update to app_access using (%3$s) with check (%3$s)', f.tab || '_change', f.tab, app_private.record_condition(f.tab, f.changes));
  end if;
  if f.removes is not null then
    execute format('create policy %I on app.%I for delete to app_access using (%s)', f.tab || '_remove', f.tab, app_private.record_condition(f.tab, f.removes));
  end if;
  execute format('drop policy if exists %I on app.%I', f.tab || '_kept', f.tab);
  if f.kept_for is not null then
    execute format('create policy %I on app.%I as restrictive for select to app_access using ((%s) or (%s))',
      f.tab || '_kept', f.tab, f.open_when, app_private.record_condition(f.tab, f.kept_for));
  end if;
end $function$;
revoke all on function app_private.rewrite_follower(app_private.record_followers) from public;
comment on function app_private.rewrite_follower(app_private.record_followers) is 'Makes the policies of a table whose rows hang on records, with one branch for each type of record';

CREATE OR REPLACE FUNCTION app_private.scoped_by(tab regclass, kind text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  execute format('create trigger %I after delete on %s referencing old table as gone for each statement execute function app_private.grants_follow(%L)',
    (select c.relname from pg_class c where c.oid = tab) || '_grants', tab, kind);
end $function$;
revoke all on function app_private.scoped_by(regclass,text) from public;
comment on function app_private.scoped_by(regclass,text) is 'Rows of this table are what grants of the kind are given for; a row that goes takes its grants along';

CREATE OR REPLACE FUNCTION app_private.seller_of(org uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select jsonb_strip_nulls(jsonb_build_object('name', o.name, 'email', o.contact_email)) from app.organisations o where o.org_id = org
$function$;
revoke all on function app_private.seller_of(uuid) from public;
comment on function app_private.seller_of(uuid) is 'Name and contact of the organisation';

CREATE OR REPLACE FUNCTION app_private.share_history(wanted text, kind text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  execute format($p$
    create policy %1$I on app.audit_entries for select to app_access using (
      org_id = (select app.org_id()) and needs = %2$L
      and ((select app.everywhere(%2$L))
        or chapter_id = any ((select app.scope(%2$L))::uuid[])
        or group_id = any ((select app.group_scope(%2$L))::uuid[])
        %3$s
        or exists (select from app.people_within(%2$L) w where w.org_id = audit_entries.org_id and w.person_id = audit_entries.person_id))
      -- Who or what stays hidden from the reader has no history for them either.
      and (person_id is null or exists (select from app.people p where p.org_id = audit_entries.org_id and p.id = audit_entries.person_id))
      and (group_id is null or exists (select from app.groups g where g.org_id = audit_entries.org_id and g.id = audit_entries.group_id)))
  $p$, 'audit_entries_' || replace(wanted, '.', '_'), wanted,
    case when kind is not null then format('or record_id = any ((select app.record_scope(%L, %L))::uuid[])', kind, wanted) else '' end);
end $function$;
revoke all on function app_private.share_history(text,text) from public;
comment on function app_private.share_history(text,text) is 'Whoever holds the permission, in whatever scope, reads the entries that need it about what lies in that scope; kind names the records it can be granted for';

CREATE OR REPLACE FUNCTION app_private.sign_actor(payload text, key app_private.actor_keys)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$ select pg_catalog.encode(pg_catalog.sha256(key.outer_pad || pg_catalog.sha256(key.inner_pad || pg_catalog.convert_to(payload, 'UTF8'))), 'hex') $function$;
revoke all on function app_private.sign_actor(text,app_private.actor_keys) from public;
grant execute on function app_private.sign_actor(text,app_private.actor_keys) to app_definer;

CREATE OR REPLACE FUNCTION app_private.standard_roles()
 RETURNS TABLE(key text, name text, description text, permissions text[])
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  values
    ('org-owner', 'Owner', 'Everything in the organisation', array['people.directory', 'people.contact', 'people.sensitive', 'people.write', 'people.import', 'people.export',
      'chapters.edit', 'chapters.manage', 'positions.appoint', 'groups.read', 'groups.manage', 'views.share', 'account.manage', 'organisation.manage', 'audit.read']),
    ('org-admin', 'Administrator', 'Runs the organisation: people, chapters, groups, accounts and settings', array['people.directory', 'people.contact', 'people.sensitive', 'people.write', 'people.import', 'people.export',
      'chapters.edit', 'chapters.manage', 'positions.appoint', 'groups.read', 'groups.manage', 'views.share', 'account.manage', 'organisation.manage', 'audit.read']),
    ('chapter-admin', 'Chapter officer', 'Runs a chapter and everything below it', array['people.directory', 'people.contact', 'people.write', 'people.import', 'people.export',
      'chapters.edit', 'positions.appoint', 'groups.read', 'groups.manage']),
    ('safeguarding', 'Safeguarding', 'Sees minors and sensitive fields where it is given', array['people.directory', 'people.sensitive']),
    ('group-leader', 'Group leader', 'Runs one group', array['people.contact', 'groups.read', 'groups.manage']),
    ('event-manager', 'Event manager', 'Runs events', array['people.directory', 'groups.read']),
    ('finance', 'Finance', 'Sees whom payments belong to', array['people.directory', 'people.contact', 'groups.read']),
    ('communications', 'Communications', 'Writes to members', array['people.directory', 'people.contact', 'groups.read', 'views.share']),
    ('member', 'Member', 'What every member may do', array['people.directory', 'groups.read'])
$function$;
revoke all on function app_private.standard_roles() from public;
grant execute on function app_private.standard_roles() to app_definer;
comment on function app_private.standard_roles() is 'The roles that every organisation starts with';

CREATE OR REPLACE FUNCTION app_private.take_number(org uuid, kind text, year integer)
 RETURNS integer
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  insert into app.number_series as s (org_id, kind, year, last_number) values (org, kind, year, 1)
    on conflict (org_id, kind, year) do update set last_number = s.last_number + 1 returning s.last_number
$function$;
revoke all on function app_private.take_number(uuid,text,integer) from public;
grant execute on function app_private.take_number(uuid,text,integer) to app_definer;
comment on function app_private.take_number(uuid,text,integer) is 'The next number. Whoever else wants one waits until this transaction ends';

CREATE OR REPLACE FUNCTION app_private.tell(org uuid, by uuid, recipients uuid[], note jsonb)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare written int;
begin
  with told as (
    insert into app.notifications (org_id, account_id, kind, person_id, chapter_id, group_id, record_id, params, dedupe_key, in_inbox, mail)
      select org, a.id, n.kind, n.person, n.chapter, n."group", n.record, coalesce(n.params, '{}'), n.dedupe_key,
        n.essential or coalesce(f.in_inbox, true), case when n.essential then n.mail else coalesce(f.mail, n.mail) end
      from jsonb_to_record(note) n (kind text, person uuid, chapter uuid, "group" uuid, record uuid, params jsonb, dedupe_key text, essential boolean, mail text)
      join app.accounts a on a.org_id = org and a.id = any (recipients) and a.status = 'active'
      left join app.notification_preferences f on f.org_id = a.org_id and f.account_id = a.id and f.kind = n.kind
      where n.essential or coalesce(f.in_inbox, true) or coalesce(f.mail, n.mail) <> 'off'
      on conflict (org_id, account_id, dedupe_key) do nothing
      returning id, account_id, mail, kind
  ),
  mailed as (
    insert into app.mail_messages (org_id, template, account_id, params, essential, dedupe_key, created_by)
      select org, 'notification', t.account_id, jsonb_build_object('notification', t.id), (note ->> 'essential')::boolean, 'notification:' || t.id, by
      from told t where t.mail = 'instant'
  )
  select count(*)::int into written from told;
  -- Servers tell their streams, which ask anew.
  perform pg_notify('guildhall', concat_ws(' ', 'note', org, r)) from unnest(recipients) r;
  return written;
end $function$;
revoke all on function app_private.tell(uuid,uuid,uuid[],jsonb) from public;
comment on function app_private.tell(uuid,uuid,uuid[],jsonb) is 'Tells active accounts in the way that each prefers; an essential kind in its own way. How many are told';

CREATE OR REPLACE FUNCTION app_private.term_paid(org uuid, term uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select t.price_amount = 0 or exists (select from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id
      where l.org_id = t.org_id and l.subject_type = 'membership_term' and l.subject_id = t.id and i.kind = 'invoice' and i.state = 'paid')
    from app.membership_terms t where t.org_id = org and t.id = term
$function$;
revoke all on function app_private.term_paid(uuid,uuid) from public;
comment on function app_private.term_paid(uuid,uuid) is 'Whether nothing is owed for a term any more';

CREATE OR REPLACE FUNCTION app_private.today_in(org uuid)
 RETURNS date
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select (now() at time zone o.timezone)::date from app.organisations o where o.org_id = org
$function$;
revoke all on function app_private.today_in(uuid) from public;
comment on function app_private.today_in(uuid) is 'The calendar day of an organisation, also for what no actor does';

CREATE OR REPLACE FUNCTION app_private.today_of(org uuid)
 RETURNS date
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select (now() at time zone o.timezone)::date from app.organisations o where o.org_id = org
$function$;
revoke all on function app_private.today_of(uuid) from public;
comment on function app_private.today_of(uuid) is 'The calendar day of an organisation, also for what no actor does';

CREATE OR REPLACE FUNCTION app_private.token_statement(statement text, wanted text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  payload text := substr(statement, 65);
  said jsonb;
begin
  if not exists (
    select from (select k from app_private.actor_keys k order by k.id desc limit 2) recent
    where app_private.sign_actor(payload, recent.k) = left(statement, 64)
  ) then
    raise exception 'the token is not vouched for by this service' using errcode = '28000';
  end if;
  said := payload::jsonb;
  if said ->> 'use' is distinct from wanted then
    raise exception 'the token is not vouched for by this service' using errcode = '28000';
  end if;
  if (said ->> 'expiry')::bigint < extract(epoch from statement_timestamp()) then
    raise exception 'the statement about the token has expired' using errcode = '28000';
  end if;
  return said;
end $function$;
revoke all on function app_private.token_statement(text,text) from public;
comment on function app_private.token_statement(text,text) is 'What a service says of a token that it verified: the signature of one of the newest two actor keys, then JSON. Error 28000 when forged, expired or said for another use';

CREATE OR REPLACE FUNCTION app_private.while_open(tab regclass, VARIADIC columns text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare name constant text := (select c.relname from pg_class c where c.oid = tab);
begin
  execute format('create trigger %I after insert on %s for each row execute function app_private.record_open()', name || '_open_insert', tab);
  execute format('create trigger %I after update of %s on %s for each row execute function app_private.record_open()',
    name || '_open_update', (select string_agg(quote_ident(c), ', ') from unnest(columns) c), tab);
end $function$;
revoke all on function app_private.while_open(regclass,text[]) from public;
comment on function app_private.while_open(regclass,text[]) is 'Rows that hang on a record are added, and these columns changed, only while the record is open';

CREATE OR REPLACE FUNCTION app_private.write_lines(org uuid, invoice uuid, lines jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  delete from app.invoice_lines l where l.org_id = org and l.invoice_id = invoice;
  insert into app.invoice_lines (org_id, invoice_id, place, text, net_amount, tax_bps, tax_note, share_chapter_id, share_amount, subject_type, subject_id)
    select org, invoice, u.place, u.line ->> 'text', (u.line ->> 'amount')::bigint, coalesce((u.line ->> 'taxBps')::int, 0), coalesce(u.line ->> 'taxNote', ''),
      (u.line ->> 'shareChapterId')::uuid, coalesce((u.line ->> 'shareAmount')::bigint, 0), u.line ->> 'subjectType', (u.line ->> 'subjectId')::uuid
    from jsonb_array_elements(lines) with ordinality u (line, place);
  update app.invoices i set total_amount = coalesce((select sum(l.net_amount + l.tax_amount) from app.invoice_lines l where l.org_id = org and l.invoice_id = invoice), 0)
    where i.org_id = org and i.id = invoice;
end $function$;
revoke all on function app_private.write_lines(uuid,uuid,jsonb) from public;
comment on function app_private.write_lines(uuid,uuid,jsonb) is 'Gives a draft these lines and their total';
