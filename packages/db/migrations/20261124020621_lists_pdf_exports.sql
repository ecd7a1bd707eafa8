-- A list can leave as a document to read and print.
alter table app.exports drop constraint exports_format_check;
alter table app.exports add constraint exports_format_check check (format in ('csv', 'xlsx', 'pdf'));
