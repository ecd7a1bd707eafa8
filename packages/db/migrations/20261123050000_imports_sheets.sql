-- What is remembered of a workbook's sheets gets their rows and whether they are hidden; imports that were uploaded before know the names only.
-- The migration acts for every organisation at once, which policies allow to nobody.
alter table app.imports no force row level security;
update app.imports i
  set preview = jsonb_set(i.preview, '{sheets}', (
    select coalesce(jsonb_agg(jsonb_build_object('name', s.name, 'rows', null, 'hidden', false)), '[]')
    from jsonb_array_elements_text(i.preview -> 'sheets') as s(name)))
  where jsonb_typeof(i.preview -> 'sheets' -> 0) = 'string';
alter table app.imports force row level security;
