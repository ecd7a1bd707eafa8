import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { exportField, exportRows } from '../../platform/lists/export-source.ts'
import type { ExportField, ExportRequest, ExportSource } from '../../platform/lists/export-source.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { amountCell } from '../../platform/lists/money-cell.ts'
import { donorsList } from './donors/fundraising.donors.queries.ts'
import { plansList } from './plans/fundraising.plans.queries.ts'
import { pledgesList } from './pledges/fundraising.pledges.queries.ts'

// In each list `p` is the person; of recurring gifts and pledges `c` is the campaign, `f` the fund and `h` the chapter.

type Question = Parameters<typeof plansList>[0]
type Source = {
  id: RawBuilder<unknown>
  list: (question: Question) => List<unknown>
  fields: readonly ExportField[]
  read: RawBuilder<SqlBool>
}

/** For those who see donors; what they see only because it is their own is not in it. */
const donorsOnly = ({ id, list, fields, read }: Source): ExportSource => ({
  fields,
  may: () => sql`((select app.everywhere('gifts.read')) or (select app.scope('gifts.read')) <> '{}')`,
  rows(request: ExportRequest) {
    const { selection, sort } = request
    const rows = exportRows(request, id, list({ ...('all' in selection ? selection.all : {}), sort }))
    return { ...rows, where: [...rows.where, read] }
  },
})
const readHere = (chapterId: RawBuilder<unknown>) =>
  sql<SqlBool>`((select app.everywhere('gifts.read')) or ${chapterId} = any ((select app.scope('gifts.read'))::uuid[]))`

/** Row-level security leaves it empty where the address is not the caller's to see. */
const email = sql`(select e.address from app.person_emails e where e.org_id = p.org_id and e.person_id = p.id order by e.is_primary desc, e.created_at, e.id limit 1)`
const donated = (amount: RawBuilder<unknown>) => amountCell(amount, sql`d.currency`)

export const donorsExport = donorsOnly({
  id: sql`d.person_id`,
  list: donorsList,
  read: sql`true`,
  fields: [
    exportField('person', 'Donor', sql`p.display_name`),
    exportField('memberNo', 'Member number', sql`p.member_no`),
    exportField('email', 'Email', email),
    exportField('chapter', 'Home chapter', sql`h.name`),
    exportField('chapterCode', 'Chapter code', sql`h.code`),
    exportField('lifetime', 'Lifetime', donated(sql`d.lifetime_amount`), 'number'),
    exportField('thisYear', 'This year', donated(sql`coalesce(ty.amount, 0)`), 'number'),
    exportField('lastYear', 'Last year', donated(sql`coalesce(ly.amount, 0)`), 'number'),
    exportField('largest', 'Largest gift', donated(sql`d.largest_amount`), 'number'),
    exportField('currency', 'Currency', sql`d.currency`),
    exportField('gifts', 'Gifts', sql`d.gifts`, 'number'),
    exportField('firstOn', 'First gift', sql`d.first_on`, 'date'),
    exportField('lastOn', 'Last gift', sql`d.last_on`, 'date'),
    exportField(
      'recurring',
      'Gives regularly',
      sql`case when exists (select from app.recurring_plans r where r.org_id = d.org_id and r.person_id = d.person_id and r.status in ('active', 'past_due')) then 'yes' else 'no' end`,
    ),
    exportField('personId', 'Person record id', sql`d.person_id`),
  ],
})

const planned = (amount: RawBuilder<unknown>) => amountCell(amount, sql`r.currency`)
const brought = (what: RawBuilder<unknown>) =>
  sql`(select ${what} from app.gifts g where g.org_id = r.org_id and g.plan_id = r.id and g.counted_amount > 0)`

export const recurringGiftsExport = donorsOnly({
  id: sql`r.id`,
  list: plansList,
  read: readHere(sql`r.chapter_id`),
  fields: [
    exportField('donor', 'Donor', sql`coalesce(nullif(r.donor_name, ''), p.display_name)`),
    exportField('donorEmail', 'Donor email', sql`r.donor_email`),
    exportField('memberNo', 'Member number', sql`p.member_no`),
    exportField('money', 'Amount', planned(sql`r.amount`), 'number'),
    exportField('month', 'Amount per month', planned(sql`r.month_amount`), 'number'),
    exportField('currency', 'Currency', sql`r.currency`),
    exportField('interval', 'Interval', sql`r.interval`),
    exportField('status', 'Status', sql`r.status`),
    exportField('campaign', 'Campaign', sql`c.name`),
    exportField('fund', 'Fund', sql`f.name`),
    exportField('chapter', 'Chapter', sql`h.name`),
    exportField('startedOn', 'Started on', sql`r.started_on`, 'date'),
    exportField('nextOn', 'Next gift', sql`case when r.status not in ('cancelled', 'completed') then r.next_on end`, 'date'),
    exportField('retryOn', 'Next attempt', sql`r.retry_on`, 'date'),
    exportField('failures', 'Failed charges', sql`r.failures`, 'number'),
    exportField('pausedUntil', 'Paused until', sql`r.paused_until`, 'date'),
    exportField('given', 'Given so far', planned(brought(sql`coalesce(sum(g.counted_amount), 0)`)), 'number'),
    exportField('gifts', 'Gifts', brought(sql`count(*)`), 'number'),
    exportField('stoppedAt', 'Stopped at', sql`r.stopped_at`, 'instant'),
    exportField('stoppedBy', 'Stopped by', sql`r.stopped_by`),
    exportField('stopReason', 'Reason', sql`r.stop_reason`),
    exportField('created', 'Created at', sql`r.created_at`, 'instant'),
    exportField('planId', 'Record id', sql`r.id`),
    exportField('personId', 'Person record id', sql`r.person_id`),
  ],
})

const pledged = (amount: RawBuilder<unknown>) => amountCell(amount, sql`l.currency`)
const due = (what: RawBuilder<unknown>, which: RawBuilder<unknown>) =>
  sql`(select ${what} from app.pledge_instalments i where i.org_id = l.org_id and i.pledge_id = l.id and ${which})`
const total = sql`coalesce(sum(i.amount), 0)`

export const pledgesExport = donorsOnly({
  id: sql`l.id`,
  list: pledgesList,
  read: readHere(sql`l.chapter_id`),
  fields: [
    exportField('person', 'Donor', sql`p.display_name`),
    exportField('memberNo', 'Member number', sql`p.member_no`),
    exportField('money', 'Amount', pledged(sql`l.amount`), 'number'),
    exportField('paid', 'Paid', pledged(due(total, sql`i.state = 'paid'`)), 'number'),
    exportField('open', 'Open', pledged(sql`l.open_amount`), 'number'),
    exportField(
      'overdue',
      'Overdue',
      pledged(due(total, sql`l.status = 'open' and i.state = 'due' and i.due_on < (select app.today())`)),
      'number',
    ),
    exportField('currency', 'Currency', sql`l.currency`),
    exportField('status', 'Status', sql`l.status`),
    exportField('pledgedOn', 'Pledged on', sql`l.pledged_on`, 'date'),
    exportField('nextDueOn', 'Next due', due(sql`min(i.due_on)`, sql`l.status = 'open' and i.state = 'due'`), 'date'),
    exportField('instalments', 'Instalments', due(sql`count(*)`, sql`true`), 'number'),
    exportField('campaign', 'Campaign', sql`c.name`),
    exportField('fund', 'Fund', sql`f.name`),
    exportField('chapter', 'Chapter', sql`h.name`),
    exportField('note', 'Note', sql`(select n.note from app.giving_notes n where n.org_id = l.org_id and n.pledge_id = l.id)`),
    exportField('created', 'Created at', sql`l.created_at`, 'instant'),
    exportField('pledgeId', 'Record id', sql`l.id`),
    exportField('personId', 'Person record id', sql`l.person_id`),
  ],
})
