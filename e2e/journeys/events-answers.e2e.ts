import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { contextOptions, journey } from '../src/journey.ts'
import { linkInMail } from '../src/mail-links.ts'
import { expectGood } from '../src/public-page.ts'
import { answered, officeApi, publishWith } from '../src/publish-event.ts'

journey('an organiser invites an outsider by address, who accepts by the link in the mail', async ({ browser, page }) => {
  const desk = await browser.newContext(contextOptions())
  try {
    const office = await desk.newPage()
    const ask = await officeApi(office, 'observatory')
    const { id } = await publishWith(ask, { title: 'Observatory night', visibility: 'invite' })
    await office.goto(`/event/${id}?section=invitations`)
    await office.getByText('Nobody is invited yet').waitFor()
    await office.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = office.getByRole('dialog', { name: 'Invite to Observatory night' })
    await dialog.getByText('E-mail addresses', { exact: true }).click()
    await dialog.getByRole('textbox', { name: /^E-mail addresses/ }).fill('olga@example.org')
    await expectAccessible(office)
    await dialog.getByRole('button', { name: 'Send invitations' }).click()
    await office.getByText('olga@example.org').waitFor()
    await expectAccessible(office)

    await page.goto(await linkInMail(browser, 'olga@example.org', 'Invitation: Observatory night', '/public/event-invitations/'))
    await page.getByRole('heading', { name: 'Observatory night' }).waitFor()
    await expectGood(page)
    await page.getByLabel('Name', { exact: true }).fill('Olga Outside')
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('You are registered. We have sent you a mail about your registration.').waitFor()
    await expectGood(page)

    await office.reload()
    await office.getByText(/1 accepted/).waitFor()
    await office.goto(`/event/${id}?section=attendees`)
    await office.getByText('Olga Outside').first().waitFor()
  } finally {
    await desk.close()
  }
})

journey(
  'people who came answer the survey on the page or by the link in the mail, and organisers see the result',
  async ({ browser, page }) => {
    const desk = await browser.newContext(contextOptions())
    try {
      const office = await desk.newPage()
      const ask = await officeApi(office, 'pier-walk')
      const { id } = await publishWith(ask, { title: 'Pier walk', visibility: 'members' })
      await ask('PUT', `/data/events/${id}/survey`, { enabled: true, questions: [{ text: 'Where to next?' }] })
      const outside = ['ada@example.org', 'bo@example.org']
      for (const email of outside) await ask('POST', `/data/events/${id}/registrations`, { name: email.slice(0, 3), email })
      await signIn(page, 'member', `/event/${id}`)
      await page.getByRole('button', { name: 'Register', exact: true }).click()
      await page.getByText('You are going').waitFor()
      // Two days later.
      const { version } = answered(await ask('GET', `/data/events/${id}`))
      const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
      await ask('PATCH', `/data/events/${id}`, { startsAt: hoursAgo(48), endsAt: hoursAgo(46) }, { 'if-match': `"${version}"` })

      await page.reload()
      await page.getByText('How was it?').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Answer the survey' }).click()
      const dialog = page.getByRole('dialog', { name: 'How was Pier walk?' })
      await dialog.getByRole('radio', { name: '5, best' }).check()
      await dialog.getByRole('radio', { name: 'Yes' }).check()
      await dialog.getByRole('textbox', { name: /^Where to next/ }).fill('The lighthouse')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Send answer' }).click()
      await page.getByText('Thank you for your answer').waitFor()

      await office.goto(`/event/${id}/analytics`)
      await office.getByText('1 answer so far').waitFor()
      for (const email of outside) {
        await page.goto(await linkInMail(browser, email, 'How was it? Pier walk', '/public/surveys/'))
        await page.getByRole('radio', { name: '2' }).check()
        await page.getByLabel('Comments').fill('Windy')
        if (email === outside[0]) await expectGood(page)
        await page.getByRole('button', { name: 'Send answer' }).click()
        await page.getByText('Thank you. Your answer is saved.').waitFor()
      }
      await office.reload()
      await office.getByText('Overall rating: 3 on average').waitFor()
      await office.getByText('The lighthouse').waitFor()
      await expectAccessible(office)
    } finally {
      await desk.close()
    }
  },
)
