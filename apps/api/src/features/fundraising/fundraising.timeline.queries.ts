import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { amountCell } from '../../platform/lists/money-cell.ts'
import type { TimelineSource } from '../../platform/records/timeline-source.ts'

// `g` is the gift, pledge or recurring gift; `c` its campaign, left joined. Who sees the row is told of it.

const withCampaign = (table: string) =>
  sql`from ${sql.table(`app.${table}`)} g left join app.campaigns c on c.org_id = g.org_id and c.id = g.campaign_id`
const campaign = sql`case when c.id is not null then json_build_object('id', c.id, 'name', c.name) end`
const amount = sql`${amountCell(sql`g.amount`, sql`g.currency`)}::text`
const params = (more: RawBuilder<unknown>) => sql`json_build_object('amount', ${amount}, 'currency', g.currency, ${more})`

export const fundraisingTimelineSources: readonly TimelineSource[] = [
  {
    kinds: ['gift-given'],
    from: withCampaign('gifts'),
    where: sql`g.counts and g.status in ('settled', 'partly_refunded', 'refunded')`,
    person: sql`g.person_id`,
    id: sql`g.id`,
    when: { day: sql`g.received_on` },
    subject: campaign,
    params: params(sql`'method', g.method, 'gift', g.id::text`),
  },
  {
    kinds: ['pledge-made'],
    from: withCampaign('pledges'),
    person: sql`g.person_id`,
    id: sql`g.id`,
    when: { day: sql`g.pledged_on` },
    subject: campaign,
    params: params(sql`'pledge', g.id::text`),
  },
  {
    kinds: ['recurring-gift-began', 'recurring-gift-stopped'],
    kind: sql`d.kind`,
    from: sql`${withCampaign('recurring_plans')} cross join lateral (values
      ('recurring-gift-began', g.started_on),
      ('recurring-gift-stopped', (g.stopped_at at time zone (select o.timezone from app.organisations o where o.org_id = g.org_id))::date)) d (kind, day)`,
    where: sql`g.started_on is not null`,
    person: sql`g.person_id`,
    id: sql`g.id`,
    when: { day: sql`d.day` },
    subject: campaign,
    params: params(sql`'interval', g.interval, 'plan', g.id::text`),
  },
]
