import type { ActorDb } from '@guildhall/db'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { mustSeeChapter } from '../../chapters/chapters.references.public.ts'
import { archiveFund, findFund, fundsLimit, fundsNamed, fundsQuery, insertFund, updateFund } from './fundraising.funds.queries.ts'

const { funds } = data.fundraising

export const fundsData = funds.router({
  list: funds.list.handler(async ({ input, context }) => ({ items: (await context.read(fundsQuery(input))).map(({ item }) => item) })),
  create: funds.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustSeeChapter(db, input.chapterId)
      await mustBeFree(db, input.name, null)
      return mustFind(await findFund(db, await insertFund(db, context.actor, input)))
    }),
  ),
  update: funds.update.handler(({ input: { fundId, ...change }, context }) =>
    context.inTx(async (db) => {
      const fund = mustFind(await findFund(db, fundId))
      await mustSeeChapter(db, change.chapterId)
      if (change.name !== undefined && fund.archivedAt === null) await mustBeFree(db, change.name, fundId)
      return updateFund(db, { fundId, version: context.ifMatch }, change)
    }),
  ),
  archive: funds.archive.handler(({ input, context }) =>
    context.inTx((db) => archiveFund(db, { ...input, version: context.ifMatch }, true)),
  ),
  restore: funds.restore.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const fund = mustFind(await findFund(db, input.fundId))
      if (fund.archivedAt !== null) await mustBeFree(db, fund.name, fund.id)
      return archiveFund(db, { ...input, version: context.ifMatch }, false)
    }),
  ),
})

async function mustBeFree(db: ActorDb, name: string, fundId: string | null): Promise<void> {
  const { taken, open } = await fundsNamed(db, name, fundId)
  if (taken) throw problem('CONFLICT', fault('name', 'fund_name_taken', 'Another fund has this name. Choose another one.'))
  if (fundId === null && open >= fundsLimit)
    throw problem('CONFLICT', {
      reason: 'funds_limit',
      params: { max: fundsLimit },
      detail: `An organisation has at most ${fundsLimit} funds. Archive one that is not used any more.`,
    })
}
