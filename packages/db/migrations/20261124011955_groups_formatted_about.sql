-- Formatted text: documents of the editor, checked once more where they are kept. What a group says of itself is the first of them.

create function app.formatted_text(doc jsonb, longest int) returns boolean language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
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
$$;
comment on function app.formatted_text(jsonb, int) is 'Whether this is a formatted text of so many characters at most: nothing but the parts that the editor makes, and links to pages and mails. The contract is stricter';

create function app.formatted_of(plain text) returns jsonb language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
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
$$;
comment on function app.formatted_of(text) is 'Plain text as a formatted one: an empty line begins a paragraph';

create function app.mentioned(doc jsonb) returns uuid[] language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select coalesce(array_agg(distinct (m #>> '{}')::uuid), '{}') from jsonb_path_query(doc, 'strict $.** ? (exists (@.personId)).personId', silent => true) m
$$;
comment on function app.mentioned(jsonb) is 'The people whom a formatted text mentions';

create function app.names_seen(ids uuid[]) returns jsonb language sql stable set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_object_agg(p.id, p.display_name), '{}') from app.people p
  where p.org_id = (select app.org_id()) and p.id = any (ids) and p.deleted_at is null and p.lifecycle <> 'erased'
$$;
comment on function app.names_seen(uuid[]) is 'Names by person, of those the caller sees: who is hidden, archived or erased has none';
revoke execute on function app.formatted_text(jsonb, int), app.formatted_of(text), app.mentioned(jsonb), app.names_seen(uuid[]) from public;
grant execute on function app.formatted_text(jsonb, int), app.formatted_of(text), app.mentioned(jsonb) to app_access, app_definer;
grant execute on function app.names_seen(uuid[]) to app_access;

alter table app.groups drop constraint groups_description_check;
alter table app.groups add check (char_length(description) <= 700000);
alter table app.groups add column about jsonb not null default '{"type": "doc", "content": []}';
comment on column app.groups.about is 'What the group says of itself, as formatted text';
comment on column app.groups.description is 'The words of about without their formatting, for imports, exports and the audit log';
select app_private.hide_in_audit('app.groups', 'about');

create function app_private.groups_about() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.about -> 'content' = '[]' and new.description <> '' then new.about := app.formatted_of(new.description); end if;
  elsif new.description <> old.description and new.about = old.about then
    new.about := app.formatted_of(new.description);
  end if;
  return new;
end $$;
comment on function app_private.groups_about() is 'Whoever writes plain words only, such as an import, writes paragraphs; words that stay leave their formatting alone';
create trigger groups_about before insert or update of description, about on app.groups for each row execute function app_private.groups_about();

-- Their versions stay: it is the same text, and whoever is editing a group meanwhile loses nothing.
alter table app.groups disable trigger user;
update app.groups set about = app.formatted_of(description) where description <> '';
alter table app.groups enable trigger user;
alter table app.groups add constraint groups_about_formatted check (app.formatted_text(about, 50000));

grant insert (about), update (about) on app.groups to app_access;
