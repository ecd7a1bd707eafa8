import { sql } from 'kysely'
import { statement } from '../../../platform/records/statement.ts'
import { namedRef } from '../fundraising.references.queries.ts'
import { campaignRow, campaignsFrom } from './fundraising.campaigns.queries.ts'
import type { Overview } from './fundraising.overview.rules.ts'

/** Read from what triggers have added up, however many gifts there are; none of it names a donor to who may not see gifts. */
export const overviewQuery = (campaignId: string) =>
  statement(sql<Overview>`
    select ${campaignRow} as campaign, to_json((select app.today())) #>> '{}' as today,
      (select coalesce(json_agg(json_build_object('day', d.day, 'raised', d.raised, 'gifts', d.gifts, 'donors', d.donors) order by d.day), '[]')
        from (select x.day, sum(x.amount - x.refunded) over w as raised, sum(x.gifts) over w as gifts, sum(x.donors_new) over w as donors
          from app.campaign_days x where x.org_id = r.org_id and x.campaign_id = r.id and x.currency = r.currency window w as (order by x.day)) d) as days,
      (select coalesce(json_agg(json_build_object('from', s.from_amount, 'gifts', s.gifts) order by s.from_amount), '[]')
        from app.campaign_sizes s where s.org_id = r.org_id and s.campaign_id = r.id) as sizes,
      (select coalesce(json_agg(json_build_object('fund', ${namedRef('f')}, 'raised', x.amount) order by x.amount desc, f.sort_name, f.id), '[]')
        from app.campaign_fund_totals x join app.funds f on f.org_id = x.org_id and f.id = x.fund_id where x.org_id = r.org_id and x.campaign_id = r.id) as funds,
      (select coalesce(json_agg(json_build_object('id', l.gift_id, 'name', l.name, 'money', json_build_object('amount', l.amount, 'currency', l.currency),
          'at', l.at, 'isRecurring', l.is_recurring) order by l.place), '[]')
        from app.campaign_latest(r.id) l) as latest
    ${campaignsFrom} where r.id = ${campaignId}`)
