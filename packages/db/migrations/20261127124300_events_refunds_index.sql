-- Following a reference back takes an index over all rows.
drop index app.refunds_by_registration;
create index refunds_by_registration on app.refunds (org_id, registration_id);
