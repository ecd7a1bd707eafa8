import { data } from '../../platform/procedures/procedures.ts'
import { officesOf, readHome } from './home.queries.ts'
import { scopeOf } from './home.rules.ts'

const { home } = data

export const homeData = home.router({
  home: home.home.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const offices = await officesOf(db, input.chapterId)
      return readHome(db, scopeOf(input, offices), offices)
    }),
  ),
})
