/**
 * What must be true of the database whatever migrations did: each rule is a query over the catalogue that lists its breaches. Any role may run
 * them; the server does before it starts, and the tests do with a breach planted against each.
 */
export type CatalogueRule = { name: string; breaches: string }

/** Roles that requests and jobs run as, by login or by membership. */
const serving = `('app_access', 'app_api', 'app_worker')`

const tables = `
  select c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity, c.relacl
    from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`

const policies = `select tablename, policyname, roles, cmd, qual, with_check from pg_policies where schemaname = 'app'`

/** Commands a serving role may use on a table, by a grant on all of it or on some columns. */
const granted = `
  select c.relname, lower(acl.privilege_type) as command, acl.grantee::regrole::name as role, false as by_column
    from (${tables}) c, aclexplode(c.relacl) acl where acl.grantee <> 0 and acl.grantee::regrole::text in ${serving}
  union
  select c.relname, lower(acl.privilege_type), acl.grantee::regrole::name, true
    from (${tables}) c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped, aclexplode(a.attacl) acl
   where acl.grantee <> 0 and acl.grantee::regrole::text in ${serving}`

/** Columns of a key or index in order, as names. */
const columnNames = (relation: string, numbers: string) => `
  (select array_agg(a.attname::text order by n.place) from unnest(${numbers}::int2[]) with ordinality n(number, place)
     join pg_attribute a on a.attrelid = ${relation} and a.attnum = n.number)`

export const catalogueRules: CatalogueRule[] = [
  {
    name: 'row-level security is enabled and forced on every table',
    breaches: `select relname as breach from (${tables}) t where not (relrowsecurity and relforcerowsecurity)`,
  },
  {
    name: 'every table belongs to an organisation',
    breaches: `select relname as breach from (${tables}) t
      where not exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'org_id' and a.attnotnull and not a.attisdropped)`,
  },
  {
    name: 'every granted command has a policy',
    breaches: `select distinct g.relname || ': ' || g.command || ' by ' || g.role as breach from (${granted}) g
      where g.command in ('select', 'insert', 'update', 'delete')
        and not exists (select from (${policies}) p where p.tablename = g.relname and (lower(p.cmd) = g.command or p.cmd = 'ALL')
          and (g.role = any (p.roles) or p.roles = '{public}'))`,
  },
  {
    name: 'policies for serving roles are one per command',
    breaches: `select tablename || '.' || policyname as breach from (${policies}) p where cmd = 'ALL' and (roles && array['app_access', 'app_api', 'app_worker', 'public']::name[])`,
  },
  {
    name: 'no policy lets everything through',
    breaches: `select tablename || '.' || policyname as breach from (${policies}) p where qual = 'true' or with_check = 'true'`,
  },
  {
    name: 'policies for new and changed rows say what a row may become',
    breaches: `select tablename || '.' || policyname as breach from (${policies}) p where cmd in ('INSERT', 'UPDATE', 'ALL') and with_check is null`,
  },
  {
    name: 'policies compare the organisation',
    breaches: `select tablename || '.' || policyname as breach from (${policies}) p
      where (qual is not null and qual !~ '\\morg_id\\M') or (with_check is not null and with_check !~ '\\morg_id\\M')`,
  },
  {
    // What is left once every (select app.f(…)) is taken out would run for each row, unless the planner makes it part of the statement.
    name: 'policies call functions once per statement',
    breaches: `select distinct tablename || '.' || policyname || ': ' || called[1] as breach
      from (select p.*, regexp_replace(coalesce(qual, '') || ' ' || coalesce(with_check, ''), '\\( SELECT (app\\.\\w+|current_setting)\\([^()]*\\) AS \\w+\\)', '', 'g') as rest
              from (${policies}) p) p, regexp_matches(rest, '(app\\.\\w+|current_setting|set_config)\\s*\\(', 'g') called
      where not exists (select from pg_proc f join pg_language l on l.oid = f.prolang
        where f.pronamespace = 'app'::regnamespace and 'app.' || f.proname = called[1] and l.lanname = 'sql' and not f.prosecdef and f.proconfig is null
          and not f.proisstrict and f.provolatile <> 'v')`,
  },
  {
    name: 'changes of rows are kept in the audit log, or the comment of the table says why not',
    breaches: `select distinct g.relname as breach from (${granted}) g
      where g.command in ('insert', 'update', 'delete')
        and coalesce(obj_description(format('app.%I', g.relname)::regclass, 'pg_class'), '') !~ 'Not in the audit log: '
        and not exists (select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
          where t.tgrelid = format('app.%I', g.relname)::regclass and p.proname = 'audit_' || g.command)`,
  },
  {
    name: 'a version counts the changes of its row',
    breaches: `select c.relname as breach from (${tables}) c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'version' and not a.attisdropped
      where not exists (select from pg_trigger t join pg_proc p on p.oid = t.tgfoid where t.tgrelid = c.oid and p.proname = 'touch')`,
  },
  {
    name: 'views see what their reader sees',
    breaches: `select relname as breach from pg_class where relnamespace = 'app'::regnamespace and relkind = 'v'
      and not coalesce(reloptions && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1'], false)`,
  },
  {
    name: 'materialised views are not readable, as they know no policies',
    breaches: `select c.relname || ' by ' || r.rolname as breach from pg_class c, pg_roles r
      where c.relnamespace = 'app'::regnamespace and c.relkind = 'm' and r.rolname in ${serving} and has_table_privilege(r.oid, c.oid, 'select')`,
  },
  {
    name: 'definer functions pin their search path',
    breaches: `select p.oid::regprocedure::text as breach from pg_proc p where p.pronamespace in ('app'::regnamespace, 'app_private'::regnamespace) and p.prosecdef
      and not exists (select from unnest(p.proconfig) setting where setting ~ '^search_path=(pg_catalog|"")' and setting ~ 'pg_temp$')`,
  },
  {
    name: 'functions are not for everyone',
    breaches: `select p.oid::regprocedure::text as breach from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) acl
      where p.pronamespace in ('app'::regnamespace, 'app_private'::regnamespace) and acl.grantee = 0`,
  },
  {
    name: 'foreign keys stay inside the organisation',
    breaches: `select t.relname || '.' || k.conname as breach from pg_constraint k join (${tables}) t on t.oid = k.conrelid
      where k.contype = 'f' and ((${columnNames('k.conrelid', 'k.conkey')})[1] is distinct from 'org_id'
        or (${columnNames('k.confrelid', 'k.confkey')})[1] is distinct from 'org_id')`,
  },
  {
    // By organisations' own keys an organisation is found; only operators add one.
    name: 'unique keys start with the organisation, so that they tell nothing about others',
    breaches: `select t.relname || '.' || i.indexrelid::regclass as breach from pg_index i join (${tables}) t on t.oid = i.indrelid
      where i.indisunique and t.relname <> 'organisations' and (${columnNames('i.indrelid', 'i.indkey')})[1] is distinct from 'org_id'`,
  },
  {
    name: 'foreign keys have an index to follow back',
    breaches: `select t.relname || '.' || k.conname as breach from pg_constraint k join (${tables}) t on t.oid = k.conrelid
      where k.contype = 'f' and not exists (select from pg_index i where i.indrelid = k.conrelid and i.indpred is null
        and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] <@ k.conkey and k.conkey <@ (i.indkey::int2[])[0:cardinality(k.conkey) - 1])`,
  },
  {
    name: 'grants to insert and update name their columns',
    breaches: `select relname || ': ' || command || ' by ' || role as breach from (${granted}) g where not by_column and command in ('insert', 'update')`,
  },
  {
    name: 'nobody may truncate, reference or add triggers',
    breaches: `select relname || ': ' || command || ' by ' || role as breach from (${granted}) g where command not in ('select', 'insert', 'update', 'delete')`,
  },
  {
    name: 'nothing is granted to everyone',
    breaches: `select t.relname || ': ' || acl.privilege_type as breach from (${tables}) t, aclexplode(t.relacl) acl where acl.grantee = 0
      union all select 'default privileges: ' || acl.privilege_type from pg_default_acl d, aclexplode(d.defaclacl) acl where acl.grantee = 0
      union all select 'schema ' || n.nspname || ': ' || acl.privilege_type from pg_namespace n, aclexplode(n.nspacl) acl
        where acl.grantee = 0 and (n.nspname in ('app', 'app_private') or (n.nspname = 'public' and acl.privilege_type = 'CREATE'))`,
  },
  {
    name: 'serving roles cannot step around row-level security',
    breaches: `select r.rolname || ': ' || power as breach
      from pg_roles r, unnest(array[case when rolsuper then 'superuser' end, case when rolbypassrls then 'bypassrls' end,
        case when rolcreaterole then 'createrole' end, case when rolcreatedb then 'createdb' end, case when rolreplication then 'replication' end]) power
      where r.rolname in ${serving} and power is not null
      union all
      select r.rolname || ': may become ' || other.rolname from pg_roles r, pg_roles other
       where r.rolname in ${serving} and not r.rolsuper and (other.rolname in ('app_owner', 'app_definer') or other.rolsuper)
         and pg_has_role(r.oid, other.oid, 'member')
      union all
      select r.rolname || ': owns ' || c.relname from pg_roles r join pg_class c on c.relowner = r.oid
       where r.rolname in ${serving} and c.relnamespace in ('app'::regnamespace, 'app_private'::regnamespace)
      union all
      select r.rolname || ': may create in ' || n.nspname from pg_roles r, pg_namespace n
       where r.rolname in ${serving} and n.nspname in ('app', 'app_private', 'public') and has_schema_privilege(r.oid, n.oid, 'create')`,
  },
  {
    name: 'serving roles make no temporary tables, which could stand in for ours',
    breaches: `select r.rolname as breach from pg_roles r where r.rolname in ${serving} and has_database_privilege(r.oid, current_database(), 'temporary')`,
  },
  {
    // Jobs of all organisations lie together: requests add to them, and only the worker sees them.
    name: 'requests see and change no jobs',
    breaches: `select r.rolname || ': ' || command || ' on ' || c.relname as breach
      from pg_roles r, pg_class c, unnest(array['select', 'update', 'delete', 'truncate']) command
      where r.rolname in ('app_access', 'app_api') and c.relnamespace = to_regnamespace('pgboss') and c.relkind in ('r', 'p')
        and (c.relname not in ('version', 'queue') or command <> 'select')
        and (has_table_privilege(r.oid, c.oid, command) or (command in ('select', 'update') and has_any_column_privilege(r.oid, c.oid, command)))`,
  },
  {
    name: 'serving roles cannot enter the private schema',
    breaches: `select r.rolname as breach from pg_roles r where r.rolname in ${serving} and has_schema_privilege(r.oid, 'app_private', 'usage')`,
  },
]

type Runs = (sql: string) => Promise<{ rows: { breach: string }[] }>

/** Every breach of every rule, as "rule: what". */
export async function catalogueBreaches(query: Runs): Promise<string[]> {
  const found: string[] = []
  for (const { name, breaches } of catalogueRules) {
    const { rows } = await query(breaches)
    found.push(...rows.map(({ breach }) => `${name}: ${breach}`))
  }
  return found.sort()
}
