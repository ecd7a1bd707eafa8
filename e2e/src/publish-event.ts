import type { Page } from 'playwright-core'
import { signIn } from './demo-people.ts'

type Answered = { id: string; version: number }
const isAnswered = (answer: unknown): answer is Answered =>
  typeof answer === 'object' && answer !== null && 'id' in answer && 'version' in answer

type Ask = (method: 'POST' | 'PUT' | 'PATCH' | 'GET', path: string, data?: object, more?: Record<string, string>) => Promise<unknown>

/** The API, as another program of the office would ask it. `key` tells its requests from those of other journeys. */
export async function officeApi(desk: Page, key: string): Promise<Ask> {
  const asking = desk.waitForRequest((request) => request.headers()['authorization'] !== undefined)
  await signIn(desk, 'owner', '/')
  const authorization = (await asking).headers()['authorization'] ?? ''
  let nth = 0
  return async (method, path, data, more = {}) => {
    const headers = { authorization, 'idempotency-key': `${key}-${nth++}`, ...more }
    const answer = await desk.request.fetch(path, { method, headers, ...(data && { data }) })
    if (!answer.ok()) throw new Error(`${method} ${path} was answered ${answer.status()}: ${await answer.text()}`)
    const said: unknown = await answer.json()
    return said
  }
}

/** Through the API; the form has journeys of its own. The id of the event. */
export async function publishEvent(desk: Page, facts: Record<string, unknown> & { title: string }): Promise<string> {
  const ask = await officeApi(desk, facts.title.toLowerCase().replaceAll(' ', '-'))
  return (await publishWith(ask, facts)).id
}

export async function publishWith(ask: Ask, facts: Record<string, unknown> & { title: string }): Promise<Answered> {
  const draft = answered(await ask('POST', '/data/events', { startsAt: '2096-12-05T19:00:00Z', venueName: 'Town hall', ...facts }))
  return answered(await ask('POST', `/data/events/${draft.id}/publish`, {}, { 'if-match': `"${draft.version}"` }))
}

export function answered(answer: unknown): Answered {
  if (!isAnswered(answer)) throw new Error(`the API answered ${JSON.stringify(answer)}`)
  return answer
}
