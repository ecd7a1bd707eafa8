-- Every rule that a trigger keeps has a name, so that the web app can say it in the reader's language.

create function app_private.replace_in(fn regprocedure, was text, becomes text) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare source constant text := pg_get_functiondef(fn);
begin
  if position(was in source) = 0 then raise exception '% does not say %', fn, was; end if;
  execute replace(source, was, becomes);
end $$;

do $$
declare r record;
begin
  for r in select * from (values
    ('app.accounts_guard()', 'nobody suspends themselves', 'suspend_self'),
    ('app.chapters_guard()', 'place, code and status of a chapter are decided by the organisation', 'chapters_organisation'),
    ('app.grants_guard()', 'nobody changes their own rights', 'grants_own'),
    ('app.grants_guard()', 'this role carries rights that you do not hold', 'grants_beyond_reach'),
    ('app.group_members_guard()', 'this is decided by the leaders of the group', 'group_members_leaders'),
    ('app.people_guard()', 'this field is kept by the office', 'people_office_fields'),
    ('app.position_holders_guard()', 'this office carries rights that you do not hold here', 'position_holders_beyond_reach'),
    ('app.position_holders_guard()', 'nobody appoints themselves', 'position_holders_own'),
    ('app.positions_guard()', 'this role carries rights that you do not hold here', 'positions_beyond_reach'),
    ('app.positions_guard()', 'nobody changes the rights of their own office', 'positions_own'),
    ('app_private.hold_account_rights(uuid)', 'accounts are kept by the organisation''''s administrators', 'accounts_administrators')
  ) v(fn, message, rule)
  loop
    perform app_private.replace_in(r.fn::regprocedure, format('''%s'' using errcode = ''42501''', r.message),
      format('''%s'' using errcode = ''42501'', constraint = %L', r.message, r.rule));
  end loop;
  -- The names of a circle travel as values beside the sentence.
  perform app_private.replace_in('app.chapters_place()'::regprocedure, 'constraint = ''chapters_no_circle''', $f$constraint = 'chapters_no_circle',
          detail = (select json_build_object('chapters', array_append(array_agg(c.name order by up.distance desc), new.name))
            from app.chapter_ancestors up
            join app.chapter_ancestors down on down.org_id = up.org_id and down.ancestor_id = new.id and down.chapter_id = up.ancestor_id
            join app.chapters c on c.org_id = up.org_id and c.id = up.ancestor_id
            where up.org_id = new.org_id and up.chapter_id = new.parent_id)$f$);
end $$;
drop function app_private.replace_in(regprocedure, text, text);
select app_private.own_definers();
