-- Drafts are changed line by line, and credit notes say which line they take what off.

alter table app.invoice_lines
  add column credits_line_id uuid,
  add foreign key (org_id, credits_line_id) references app.invoice_lines (org_id, id);
comment on column app.invoice_lines.credits_line_id is 'Of a credit note: the line of the invoice that it takes something off; null where it corrects the invoice as a whole';
create index invoice_lines_by_credit on app.invoice_lines (org_id, credits_line_id);
create index invoices_by_number on app.invoices (org_id, number collate "C");

-- Credit notes so far were over all of an invoice, line by line.
alter table app.invoice_lines disable trigger invoice_lines_stay;
update app.invoice_lines l set credits_line_id = o.id
  from app.invoices n join app.invoices i on i.org_id = n.org_id and i.id = n.credits_id and i.total_amount = -n.total_amount
    join app.invoice_lines o on o.org_id = i.org_id and o.invoice_id = i.id
  where n.kind = 'credit_note' and l.org_id = n.org_id and l.invoice_id = n.id and o.place = l.place and o.net_amount = -l.net_amount;
alter table app.invoice_lines enable trigger invoice_lines_stay;

create or replace function app_private.write_lines(org uuid, invoice uuid, lines jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from app.invoice_lines l where l.org_id = org and l.invoice_id = invoice;
  insert into app.invoice_lines (org_id, invoice_id, place, text, net_amount, tax_bps, tax_note, share_chapter_id, share_amount, subject_type, subject_id, credits_line_id)
    select org, invoice, u.place, u.line ->> 'text', (u.line ->> 'amount')::bigint, coalesce((u.line ->> 'taxBps')::int, 0), coalesce(u.line ->> 'taxNote', ''),
      (u.line ->> 'shareChapterId')::uuid, coalesce((u.line ->> 'shareAmount')::bigint, 0), u.line ->> 'subjectType', (u.line ->> 'subjectId')::uuid, (u.line ->> 'creditsLineId')::uuid
    from jsonb_array_elements(lines) with ordinality u (line, place);
  update app.invoices i set total_amount = coalesce((select sum(l.net_amount + l.tax_amount) from app.invoice_lines l where l.org_id = org and l.invoice_id = invoice), 0)
    where i.org_id = org and i.id = invoice;
end $$;

create function app.change_draft(org uuid, invoice uuid, wanted jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  i app.invoices := app_private.lock_invoice(org, invoice);
begin
  if not app_private.keeps_books(org, i.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  if i.state <> 'draft' or i.kind <> 'invoice' then
    raise exception 'an issued invoice stays as it is; credit it and issue another one' using errcode = '23514', constraint = 'invoice_issued';
  end if;
  update app.invoices x set reason = coalesce(wanted ->> 'reason', x.reason), note = coalesce(wanted ->> 'note', x.note),
      due_on = case when wanted ? 'dueOn' then (wanted ->> 'dueOn')::date else x.due_on end
    where x.org_id = org and x.id = invoice;
  if jsonb_typeof(wanted -> 'lines') = 'array' then
    perform app_private.write_lines(org, invoice, (
      select jsonb_agg(u.line || coalesce((
          select jsonb_build_object('subjectType', l.subject_type, 'subjectId', l.subject_id, 'shareChapterId', l.share_chapter_id,
            'shareAmount', case when l.net_amount = 0 then 0 else round(l.share_amount::numeric * (u.line ->> 'amount')::numeric / l.net_amount) end)
          from app.invoice_lines l where l.org_id = org and l.invoice_id = invoice and l.id = (u.line ->> 'lineId')::uuid), '{}') order by u.place)
      from jsonb_array_elements(wanted -> 'lines') with ordinality u (line, place)));
  end if;
end $$;
comment on function app.change_draft(uuid, uuid, jsonb) is 'Changes the texts, the due date and, all at once, the lines of a draft; a line that names a former one keeps what that one pays for and the share of a chapter';

select app_private.own_definers();
grant execute on function app.change_draft(uuid, uuid, jsonb) to app_access;
