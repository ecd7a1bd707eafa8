import { describe, expect, vi } from 'vitest'
import { test } from '../../testing.ts'
import { answerQuestion } from './reports.answers.queries.ts'

describe('a question of many statements', () => {
  const question = { kind: 'standard', report: 'data-quality', chapterId: null, range: null, compare: false, asOf: null } as const

  test('is ended while somebody waits once all of them together took long, and goes on in a run', async ({ api, organisation, person }) => {
    const org = await organisation()
    const owner = await person({ org, idpRoles: ['org-owner'] })
    const actor = { orgId: org.id, accountId: owner.accountId, idpRoles: ['org-owner'] }
    const { database } = api.services
    const asked = (step?: () => Promise<void>) => database.asActor(actor, (db) => answerQuestion(db, question, step))
    expect((await asked()).rows.length).toBeGreaterThan(0)
    // Each looks at the clock two seconds after the one before.
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 2_000))
    try {
      await expect(asked()).rejects.toMatchObject({ data: { reason: 'report_takes_long' } })
      expect((await asked(async () => undefined)).rows.length).toBeGreaterThan(0)
    } finally {
      clock.mockRestore()
    }
  })
})
