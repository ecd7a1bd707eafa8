import type { Page } from 'playwright-core'
import { signIn } from './demo-people.ts'

type Answered = { id: string; version: number }
const isAnswered = (answer: unknown): answer is Answered =>
  typeof answer === 'object' && answer !== null && 'id' in answer && 'version' in answer

/** Through the API, as another program of the office would; the form has journeys of its own. The id of the event. */
export async function publishEvent(desk: Page, facts: Record<string, unknown> & { title: string }): Promise<string> {
  const asking = desk.waitForRequest((request) => request.headers()['authorization'] !== undefined)
  await signIn(desk, 'owner', '/')
  const authorization = (await asking).headers()['authorization'] ?? ''
  const key = facts.title.toLowerCase().replaceAll(' ', '-')
  const ask = async (path: string, step: string, data: object, more: Record<string, string> = {}): Promise<Answered> => {
    const headers = { authorization, 'idempotency-key': `${key}-${step}`, ...more }
    const answer: unknown = await (await desk.request.post(path, { headers, data })).json()
    if (!isAnswered(answer)) throw new Error(`the API answered ${JSON.stringify(answer)}`)
    return answer
  }
  const draft = await ask('/data/events', 'draft', { startsAt: '2096-12-05T19:00:00Z', venueName: 'Town hall', ...facts })
  await ask(`/data/events/${draft.id}/publish`, 'publish', {}, { 'if-match': `"${draft.version}"` })
  return draft.id
}
