import type { Plan, PlanListInput } from '@guildhall/contract/features/fundraising.plans'
import { useInfiniteQuery } from '@tanstack/react-query'
import type * as z from 'zod'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import type { Filter } from '../../../ui/filter/filter.ts'
import { listInput } from '../../lists/lists-public.tsx'
import { useMoneyMoved } from '../../payments/payments-public.tsx'

export type PlanAct = 'amount' | 'pause' | 'resume' | 'retry' | 'stop'
export type AskedPlan = { act: PlanAct; plan: Plan }

type PlanQuestion = Omit<z.input<typeof PlanListInput>, 'cursor' | 'limit'>
export const usePlans = (question: PlanQuestion) =>
  useInfiniteQuery(pagedOptions(useApi().data.fundraising.plans.list, { ...question, limit: 50 }))

type Look = { q: string; filter: Filter; sort: string }
export const usePlanList = ({ q, filter, sort }: Look, within: Filter['and'], enabled: boolean) =>
  useInfiniteQuery({
    ...pagedOptions(useApi().data.fundraising.plans.list, listInput({ q, sort, filter: { and: [...filter.and, ...within] } })),
    enabled,
  })

/** Each change of a recurring gift, with the version that it is a change of. */
export function usePlanChanges({ id: planId, version }: Plan) {
  const { plans } = useApi().data.fundraising
  const moved = useMoneyMoved()
  const sent = { context: { ifMatch: version } }
  const done = async (change: Promise<Plan>) => {
    const plan = await change
    await moved()
    return plan
  }
  return {
    amount: (amount: number, currency: string, how: { context: { ifMatch: number | undefined } } = sent) =>
      done(plans.change.call({ planId, money: { amount, currency } }, how)),
    pause: (until: string | null, how: { context: { ifMatch: number | undefined } } = sent) =>
      done(plans.pause.call({ planId, until }, how)),
    /** Of the version that a pause just made, where that is undone. */
    resume: (now = version) => done(plans.resume.call({ planId }, { context: { ifMatch: now } })),
    stop: (reason: string, how: { context: { ifMatch: number | undefined } } = sent) => done(plans.stop.call({ planId, reason }, how)),
    retry: () => done(plans.retry.call({ planId }, sent)),
  }
}
