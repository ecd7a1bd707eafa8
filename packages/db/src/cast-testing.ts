import type pg from 'pg'

// Who is on the stage of every test of rights, of the policies and of the api alike. Each stage adds its own properties.

/** Ours is an organisation with two chapters side by side and one below the first; the other one has one. In the order of building. */
export const places = {
  west: { org: 'ours', under: null },
  below: { org: 'ours', under: 'west' },
  east: { org: 'ours', under: null },
  foreign: { org: 'foreign', under: null },
} as const satisfies Record<string, { org: OrgName; under: string | null }>
export type PlaceName = keyof typeof places
export type OrgName = 'ours' | 'foreign'

type Part = {
  /** What an administrator would say of them. */
  about: string
  /** Without one, nobody to the database. */
  account: boolean
  org?: OrgName
  /** The chapter that their person belongs to; who has none is no person. */
  lives?: PlaceName
  idpRoles?: readonly string[]
  status?: string
  granted?: { role: string; in?: PlaceName }
  /** In the chapter they live in, with the role of its officers. */
  office?: 'held' | 'ended'
  /** Groups of that place. */
  leads?: PlaceName
}

export const cast = {
  anonymous: { about: 'nobody: no token at all', account: false },
  newcomer: { about: 'a valid token without an account here', account: false },
  owner: { about: 'an owner, as the identity provider says', account: true, idpRoles: ['org-owner'] },
  admin: { about: 'an administrator, as the identity provider says', account: true, idpRoles: ['org-admin'] },
  officer: { about: 'in office in West, which has a chapter below it', account: true, lives: 'west', office: 'held' },
  former: { about: 'a member of West whose office there ended yesterday', account: true, lives: 'west', office: 'ended' },
  safeguarding: { about: 'granted safeguarding in West', account: true, granted: { role: 'safeguarding', in: 'west' } },
  finance: { about: 'granted the role for finance', account: true, granted: { role: 'finance' } },
  communications: { about: 'granted the role for communications', account: true, granted: { role: 'communications' } },
  events: { about: 'granted the role for events', account: true, granted: { role: 'event-manager' } },
  leader: { about: 'a member of East who leads a group of West', account: true, lives: 'east', leads: 'west' },
  member: { about: 'a member of West', account: true, lives: 'west' },
  guest: { about: 'an account that belongs to nothing', account: true },
  suspended: { about: 'a suspended account that was an owner', account: true, idpRoles: ['org-owner'], status: 'suspended' },
  stranger: { about: 'an owner of another organisation', account: true, org: 'foreign', granted: { role: 'org-owner' } },
} as const satisfies Record<string, Part>
export type Principal = keyof typeof cast

export const partOf = (principal: Principal): Part => cast[principal]

/** Whatever a stage makes of each of them, one after the other. */
export const everybody = async <Made>(play: (principal: Principal) => Promise<Made>): Promise<Record<Principal, Made>> => ({
  anonymous: await play('anonymous'),
  newcomer: await play('newcomer'),
  owner: await play('owner'),
  admin: await play('admin'),
  officer: await play('officer'),
  former: await play('former'),
  safeguarding: await play('safeguarding'),
  finance: await play('finance'),
  communications: await play('communications'),
  events: await play('events'),
  leader: await play('leader'),
  member: await play('member'),
  guest: await play('guest'),
  suspended: await play('suspended'),
  stranger: await play('stranger'),
})

/** Who somebody of the cast is on one stage, and what they get their rights from there. */
type Role = {
  orgId: string
  accountId: string
  personId: string | null
  chapters: Readonly<Record<PlaceName, string>>
  /** Which groups of the place that they lead, if they do. */
  leads: readonly string[]
  reason?: string
}

/** Gives somebody of the cast what their rights come from: a grant, an office, the lead of groups. */
export async function giveRights(admin: pg.Pool, principal: Principal, role: Role): Promise<void> {
  const { granted, office, lives, leads } = partOf(principal)
  if (granted) {
    const chapterId = granted.in ? role.chapters[granted.in] : null
    await admin.query(
      `insert into app.grants (org_id, account_id, role_id, scope_kind, chapter_id, starts_on, reason)
       select $1, $2, r.id, $4, $5, '2020-01-01', $6 from app.roles r where r.org_id = $1 and r.key = $3`,
      [role.orgId, role.accountId, granted.role, chapterId ? 'chapter' : 'org', chapterId, role.reason ?? ''],
    )
  }
  if (office && lives) {
    await admin.query(
      `with s as (insert into app.positions (org_id, chapter_id, title, role_id)
         select $1, $2, $3, r.id from app.roles r where r.org_id = $1 and r.key = 'chapter-admin' returning id)
       insert into app.position_holders (org_id, position_id, person_id, starts_on, ends_on)
         select $1, s.id, $4, '2020-01-01', case when $5 then current_date - 1 end from s`,
      [role.orgId, role.chapters[lives], `President, ${principal}`, role.personId, office === 'ended'],
    )
  }
  if (leads)
    await admin.query(
      `insert into app.group_members (org_id, group_id, person_id, role, starts_on) select $1, g, $2, 'leader', '2020-01-01' from unnest($3::uuid[]) g`,
      [role.orgId, role.personId, role.leads],
    )
}
