import type pg from 'pg'
import { drawn } from '../random.ts'
import type { World } from '../world.ts'

/** In a bigger organisation the first so many people stand for all. */
const mostPeople = 2_400
/** Of a thousand people, how many have ever given. */
const givers = 165

/** Donors who are no people of the directory. */
export const firms = [
  'Hill Bakery',
  'Okafor Survey Supplies Ltd',
  'Harbour Rotary Club',
  'Estate of Miriam Vane',
  'Lindgren & Daughters',
  'St Alban’s Parish',
  'Northfield Map Shop',
  'Collection, general meeting',
  'Tidewater Foundation',
  'Collection, winter dinner',
]

/** How much there is of everything, in thousandths of what the normal demo has. */
export const shareOf = ({ people }: Pick<World, 'people'>) => Math.min(1000, Math.ceil((people * 1000) / mostPeople))

/**
 * Who may give: people in the order in which they joined, so that those who are there longest give most often, and firms.
 * `made_at` is the first day on which they can have given.
 */
export async function planDonors(client: pg.Client, world: World): Promise<void> {
  await client.query(
    `create temporary table demo_donors on commit drop as
     select p.id, p.display_name as name, coalesce(m.address, '') as email, a.id as account_id, a.subject, p.created_at as made_at, row_number() over (order by p.created_at, p.id)::int as place
     from (select x.* from app.people x where x.org_id = $1 and x.deleted_at is null and x.lifecycle in ('active', 'alumni') order by x.id limit ${mostPeople}) p
     left join app.person_emails m on m.org_id = p.org_id and m.person_id = p.id and m.is_primary
     left join app.accounts a on a.org_id = p.org_id and a.person_id = p.id and a.status = 'active'
     where ${drawn("'gives ' || p.id")} < ${givers} and (a.subject is null or not a.subject = any ($2))`,
    [world.orgId, [...world.personas.values()].map(({ demo }) => demo.sub)],
  )
  await client.query(
    `create temporary table demo_firms on commit drop as
     select name, (row_number() over ())::int as place from jsonb_array_elements_text($1::jsonb) f (name)`,
    [JSON.stringify(firms)],
  )
}

/** The account of a demo person, as SQL. */
export const accountOf = ({ orgId }: World, subject: string) =>
  `(select a.id from app.accounts a where a.org_id = '${orgId}' and a.subject = '${subject}')`
