import type pg from 'pg'
import { isoOf } from './days.ts'
import { drawn, drawnId } from './random.ts'
import type { World } from './world.ts'

const topics = [
  ['Membership and meetings', 'Invitations to meetings, dues and changes of the rules.', 'essential', 'in', false],
  ['Newsletter', 'What happened and what is planned, once a month.', 'marketing', 'in', false],
  ['Events near you', 'Evenings, trips and trainings of your chapter, twice a month.', 'marketing', 'in', false],
  ['Appeals', 'How gifts are used and what is needed next, four times a year.', 'marketing', 'out', true],
] as const

/** Of a thousand people, which said what about a topic, and how. */
const said = [
  ['Newsletter', 'unsubscribed', 'link', 0, 60],
  ['Newsletter', 'subscribed', 'profile', 60, 180],
  ['Events near you', 'unsubscribed', 'link', 300, 400],
  ['Appeals', 'subscribed', 'link', 400, 690],
  ['Appeals', 'subscribed', 'officer', 690, 750],
  ['Appeals', 'pending', 'profile', 750, 790],
  ['Appeals', 'unsubscribed', 'profile', 790, 850],
] as const

/** Topics, and what people said about them over the last two years. Answers how many rows. */
export async function addConsents(client: pg.Client, world: World): Promise<number> {
  const today = isoOf(world.today)
  let rows = 0
  const add = async (text: string, values: unknown[]) => {
    rows += (await client.query(text, values)).rowCount ?? 0
  }
  for (const [place, [name, description, kind, opt, confirm]] of topics.entries())
    await add(
      `insert into app.topics (org_id, id, name, description, kind, default_opt, confirm, position, created_at, updated_at)
       values ($1, ${drawnId("'topic ' || $2::text")}, $2, $3, $4, $5, $6, $7, $8::date - 800, $8::date - 800)`,
      [world.orgId, name, description, kind, opt, confirm, place + 1, today],
    )
  for (const [name, state, source, from, to] of said)
    await add(
      `insert into app.consents (org_id, id, person_id, topic_id, state, at, source, proof)
       select $1, ${drawnId("'consent ' || p.id || $2::text")}, p.id, ${drawnId("'topic ' || $2::text")}, $3,
         $4::date - (1 + ${drawn("'day ' || p.id || $2::text")} * 7 / 10) + interval '9 hours' + ${drawn("'time ' || p.id || $2::text")} * interval '40 seconds', $5::text,
         case when $5::text = 'officer' then '{"note": "Form at the summer gathering"}'::jsonb else '{}' end
       from app.people p where p.org_id = $1 and p.lifecycle not in ('erased', 'merged', 'deceased')
         and ${drawn('p.id || $2::text')} >= $6 and ${drawn('p.id || $2::text')} < $7`,
      [world.orgId, name, state, today, source, from, to],
    )
  await add(
    `insert into app.consent_changes (org_id, id, person_id, topic_id, state, at, source, proof)
     select c.org_id, ${drawnId("'change ' || c.id")}, c.person_id, c.topic_id, c.state, c.at, c.source, c.proof from app.consents c where c.org_id = $1`,
    [world.orgId],
  )
  return rows
}
