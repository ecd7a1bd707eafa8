import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { contextOptions, journey } from '../src/journey.ts'

journey(
  'people are let in without a network, and another device counts along once it is back',
  async ({ browser, context, page, trouble }) => {
    trouble.expect(/ERR_INTERNET_DISCONNECTED|Failed to fetch|net::/)
    const asking = page.waitForRequest((request) => request.headers()['authorization'] !== undefined)
    await signIn(page, 'owner', '/')
    const authorization = (await asking).headers()['authorization'] ?? ''
    const send = async (path: string, data: object, more: Record<string, string> = {}) => {
      const answer = await page.request.post(path, { data, headers: { authorization, 'idempotency-key': crypto.randomUUID(), ...more } })
      return (await answer.json()) as { id: string; ticketCode: string }
    }
    const { id } = await send('/data/events', { title: 'Harbour walk', startsAt: '2096-05-01T18:00:00Z', venueName: 'Pier 3' })
    await send(`/data/events/${id}/publish`, {}, { 'if-match': '"1"' })
    const ticket = await send(`/data/events/${id}/registrations`, { name: 'Zoë Núñez' })
    await send(`/data/events/${id}/registrations`, { name: 'Ana Lima' })

    await page.goto(`/event/${id}?section=check-in`)
    const field = page.getByRole('textbox', { name: 'Name or ticket code' })
    await field.waitFor()
    await expectAccessible(page)
    const other = await (await browser.newContext(contextOptions())).newPage()
    await signIn(other, 'secretary', `/event/${id}?section=check-in`)
    await other.getByText('0 of 2 checked in').waitFor()

    // Online, by name: the other device counts along.
    await field.fill('nunez')
    await page.getByRole('button', { name: 'Check in Zoë Núñez' }).click()
    await page.getByText('1 of 2 checked in').waitFor()
    await other.getByText('1 of 2 checked in').waitFor()

    // Without a network the same ticket is known, and somebody new is let in.
    await context.setOffline(true)
    await field.fill(ticket.ticketCode)
    await field.press('Enter')
    await page
      .getByText(/^Already checked in at/)
      .first()
      .waitFor()
    await field.fill('lima')
    await page.getByRole('button', { name: 'Check in Ana Lima' }).click()
    await page.getByText('2 scans are waiting to be sent.').waitFor()
    await page.getByText('2 of 2 checked in').waitFor()
    await expectAccessible(page)
    expect(await other.getByText('1 of 2 checked in').isVisible()).toBe(true)

    await context.setOffline(false)
    await page.getByText('No connection', { exact: false }).waitFor({ state: 'hidden' })
    await other.getByText('2 of 2 checked in').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
    await other.getByText('1 of 2 checked in').waitFor()
    await other.context().close()
  },
)
