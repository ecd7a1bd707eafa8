import { fault, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { analyticsQuery, comparisonQuery, overviewQuery, revenueQuery } from './events.analytics.queries.ts'
import { standingQuery } from '../events.registrations.queries.ts'

const { analytics } = data.events

const longest = 731

export const eventsAnalytics = analytics.router({
  one: analytics.one.handler(async ({ input, context }) => {
    const { mayManage } = await readOne(context, standingQuery(input.eventId))
    if (!mayManage) throw problem('FORBIDDEN')
    return (await readOne(context, analyticsQuery(input.eventId, input.compareTo))).item
  }),

  revenue: analytics.revenue.handler(async ({ input, context }) => (await readOne(context, revenueQuery(input.eventId))).item),

  compare: analytics.compare.handler(({ input, context }) => {
    const days = (Date.parse(input.to) - Date.parse(input.from)) / 86_400_000
    if (days < 0 || days > longest) throw problem('UNPROCESSABLE_CONTENT', fault('to', 'dates', `Ask for ${longest} days at most.`))
    return readOne(context, comparisonQuery(input))
  }),

  overview: analytics.overview.handler(({ input, context }) => readOne(context, overviewQuery(input))),
})
