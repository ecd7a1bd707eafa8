-- What values of closed lists stand for is part of every import's options; imports that were uploaded before have chosen nothing.
alter table app.imports no force row level security;
update app.imports i set options = i.options || '{"values": {}}' where not i.options ? 'values';
alter table app.imports force row level security;
