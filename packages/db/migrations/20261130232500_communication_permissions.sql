-- Communication: who may write, send, and keep topics, templates and suppressions.

select app_private.add_permission('messages.write', 'org-owner', 'org-admin', 'chapter-admin', 'communications', 'group-leader');
select app_private.add_permission('messages.send', 'org-owner', 'org-admin', 'chapter-admin', 'communications', 'group-leader');
select app_private.add_permission('messages.manage', 'org-owner', 'org-admin', 'communications');
