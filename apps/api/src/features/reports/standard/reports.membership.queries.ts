import { standardBy, standardChoices } from '@guildhall/contract/features/reports.standard'
import { sql } from 'kysely'
import type { Condition, FactReport, Source, Sql } from './reports.facts.queries.ts'
import { measuresOf } from './reports.facts.rules.ts'
import type { Asked } from './reports.facts.rules.ts'
import { groupOf, grouped, membershipTypes, within } from './reports.grouping.queries.ts'

/**
 * Memberships with their status on the day, as `s`. Today it is the status itself. Of an earlier day it follows from settled terms and from the
 * day of cancellation; what was suspended or applied for then is not kept.
 */
const standing = ({ isNow, day }: Asked): Sql =>
  isNow
    ? sql`(select m.id, m.person_id, m.chapter_id, m.type_id, m.auto_renew, coalesce(m.override_status, m.status) as status, m.ends_on, m.grace_until
        from app.memberships m) s`
    : sql`(select m.id, m.person_id, m.chapter_id, m.type_id, m.auto_renew, t.ends_on, t.grace_until,
          case when m.status = 'cancelled' and coalesce(m.cancelled_on, m.ends_on + 1) <= ${day}::date then 'cancelled'
            when t.ends_on >= ${day}::date then 'active' when t.grace_until >= ${day}::date then 'grace' else 'lapsed' end as status
        from app.terms_on(${day}::date) t join app.memberships m on m.id = t.membership_id) s`

const lastDay = (column: Sql): Sql => sql`nullif(${column}, 'infinity'::date)`
const status = (...wanted: string[]): Condition => sql`s.status in (${sql.join(wanted.map((each) => sql.lit(each)))})`

const standings = (asked: Asked): Source => {
  const key = grouped(asked, { chapter: sql`s.chapter_id`, type: sql`s.type_id` })
  return {
    tables: sql`${standing(asked)}`,
    where: [within(asked, 'memberships.read', sql`s.chapter_id`)],
    keys: [key],
    record: {
      kind: sql`'membership'`,
      id: sql`s.id`,
      person: sql`s.person_id`,
      chapter: sql`s.chapter_id`,
      detail: sql`s.status`,
      on: lastDay(sql`s.ends_on`),
    },
    weights: {
      active: { when: status('active') },
      grace: { when: status('grace') },
      ...(asked.isNow && {
        suspended: { when: status('suspended') },
        applications: { when: status('applied', 'awaiting_approval', 'awaiting_payment') },
      }),
      lapsed: { when: status('lapsed') },
      cancelled: { when: status('cancelled') },
      people: {
        when: status('active', 'grace'),
        once: sql`s.person_id`,
        record: { kind: sql`'person'`, id: sql`s.person_id` },
      },
      expired: {
        when: sql`s.status = 'lapsed' and s.grace_until >= ${asked.yearBefore}::date and s.grace_until < ${asked.day}::date`,
        record: { on: sql`s.grace_until` },
      },
    },
  }
}

const begun = (asked: Asked): Source => {
  const key = grouped(asked, { chapter: sql`m.chapter_id`, type: sql`m.type_id` })
  return {
    tables: sql`app.terms_begun(${asked.yearBefore}::date + 1, ${asked.day}::date) t join app.memberships m on m.id = t.membership_id`,
    where: [within(asked, 'memberships.read', sql`m.chapter_id`)],
    keys: [key],
    record: {
      kind: sql`'membership'`,
      id: sql`m.id`,
      key: sql`t.term_id::text`,
      person: sql`m.person_id`,
      chapter: sql`m.chapter_id`,
      on: sql`t.starts_on`,
    },
    weights: { joined: { when: sql`t.starts_on = m.starts_on` }, renewed: { when: sql`t.starts_on > m.starts_on` } },
  }
}

export const membership: FactReport = {
  by: standardBy.membership,
  dimensions: (asked) => [groupOf(asked, membershipTypes)],
  measures: measuresOf('membership'),
  sources: (asked) => [standings(asked), begun(asked)],
  picture: () => 'table',
}

const { stage: stages } = standardChoices['grace-and-renewal']

export const graceAndRenewal: FactReport = {
  by: standardBy['grace-and-renewal'],
  dimensions: (asked) => [{ key: 'stage', kind: 'choice', order: stages }, ...(asked.by === null ? [] : [groupOf(asked, membershipTypes)])],
  measures: measuresOf('grace-and-renewal'),
  sources: (asked) => {
    const key = grouped(asked, { chapter: sql`s.chapter_id`, type: sql`s.type_id` })
    const day = sql`${asked.day}::date`
    const stage = sql`x.stage`
    return [
      {
        tables: sql`${standing(asked)} cross join lateral (select case s.status when 'grace' then 'grace'
            when 'active' then case when s.ends_on < ${day} then null when s.ends_on <= ${day} + 30 then 'renews30' when s.ends_on <= ${day} + 60 then 'renews60'
              when s.ends_on <= ${day} + 90 then 'renews90' end
            when 'lapsed' then case when s.grace_until between ${day} - 30 and ${day} - 1 then 'lapsed30' end end as stage) x`,
        where: [sql`x.stage is not null`, within(asked, 'memberships.read', sql`s.chapter_id`)],
        keys: asked.by === null ? [stage] : [stage, key],
        record: {
          kind: sql`'membership'`,
          id: sql`s.id`,
          person: sql`s.person_id`,
          chapter: sql`s.chapter_id`,
          detail: sql`case when s.auto_renew then 'autoRenew' else 'byHand' end`,
          on: sql`case when s.status = 'active' then s.ends_on else s.grace_until end`,
        },
        weights: { memberships: {}, autoRenew: { when: sql`s.auto_renew` } },
      },
    ]
  },
  picture: () => 'bars',
}
