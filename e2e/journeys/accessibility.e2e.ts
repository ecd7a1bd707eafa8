import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { accessibilityProblems } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import type { DemoPerson } from '../src/demo-people.ts'
import { contextOptions, journey, launchOptions } from '../src/journey.ts'
import { withSettings } from '../src/session.ts'
import { watch } from '../src/watch.ts'
import type { Watch } from '../src/watch.ts'

const source = path.resolve(import.meta.dirname, '../../apps/web/src')

/** Records of the demo organisation whose pages have something to show. */
type Known = {
  person: string
  region: string
  chapter: string
  left: string
  group: string
  discussed: string
  event: string
  /** An event of a series. */
  repeating: string
  /** Published: one to register for, and one that the reader comes to. */
  toCome: string
  seat: string
  /** Over, and the reader is asked how it was. */
  surveyed: string
  /** A draft that could be activated. */
  automation: string
  /** An e-mail that is being written. */
  message: string
  /** A campaign that runs, a draft, and what came for campaigns. */
  campaign: string
  draft: string
  gift: string
  plan: string
  pledge: string
}

/**
 * Routes that have addresses of their own to look at; tabs are found on the page itself. Every other route is a list at its own address, or a
 * record that its list links to. One planned page stands for all, since they are the same.
 */
const routes: Record<string, (known: Known) => string[]> = {
  '/': () => ['/', '/?scope=me'],
  '/members': ({ person }) => ['/members', '/members?layout=cards', '/members?q=nobody-is-called-so', `/members?panel=person:${person}`],
  '/groups': () => ['/groups', '/groups?titles=1', '/groups?q=nothing-is-called-so'],
  '/groups/$groupId': ({ group }) => [`/groups/${group}`],
  '/person/$personId/{-$tab}': ({ person }) => [`/person/${person}`, '/person/00000000-0000-7000-8000-000000000000'],
  '/chapter/$chapterId/{-$tab}/{-$subtab}': ({ region, chapter }) => [`/chapter/${region}`, `/chapter/${chapter}`],
  '/chapters': () => ['/chapters'],
  '/events': () => [
    '/events',
    '/events?view=drafts',
    '/events?q=nothing-is-called-so',
    '/events?calendar=1',
    '/events?calendar=1&span=week',
  ],
  '/event/$eventId': ({ event, toCome, seat }) => [`/event/${event}`, `/event/${toCome}`, `/event/${seat}`],
  '/event/$eventId/edit': ({ event }) => [`/event/${event}/edit`],
  '/communication/{-$tab}': ({ automation, message }) => [
    '/communication',
    '/communication/announcements?q=nothing-is-called-so',
    '/communication/automations?q=nothing-is-called-so',
    `/communication/automations?automation=${automation}`,
    '/communication/emails?q=nothing-is-called-so',
    `/communication/emails?message=${message}`,
    `/communication/emails?message=${message}&outcome=all`,
    '/communication/audiences?q=nothing-is-called-so',
    '/communication/templates?q=nothing-is-called-so',
  ],
  '/fundraising': () => ['/fundraising', '/fundraising?layout=table', '/fundraising?q=nothing-is-called-so', '/fundraising?new=1'],
  '/reports': () => [
    '/reports',
    '/reports?category=giving',
    '/reports?q=nothing-is-called-so',
    '/reports?open=schedules',
    '/reports?open=runs',
  ],
  '/reports/$reportKey': () => [
    '/reports/membership',
    '/reports/retention',
    '/reports/chapters',
    '/reports/data-quality',
    '/reports/no-such-report',
  ],
  '/reports/parent-child': () => [
    '/reports/parent-child',
    '/reports/parent-child?kind=chapters',
    '/reports/parent-child?kind=lineage&view=pairs',
    '/reports/parent-child?kind=lineage&view=roots',
    '/reports/parent-child?kind=guardian&view=problems',
    '/reports/parent-child?kind=lineage&view=statistics',
  ],
  '/fundraising/$campaignId/{-$tab}': ({ campaign, draft, gift, plan, pledge }) => [
    `/fundraising/${campaign}`,
    `/fundraising/${campaign}/form?preview=1`,
    `/fundraising/${draft}/form`,
    '/fundraising/all/donations?q=nothing-is-called-so',
    `/fundraising/all/donations?open=${gift}`,
    '/fundraising/all/donations?new=1',
    '/fundraising/all/donations?batch=1',
    `/fundraising/all/recurring?open=${plan}`,
    `/fundraising/all/pledges?open=${pledge}`,
    '/fundraising/all/pledges?new=1',
    '/fundraising/all/funds?archived=1',
    '/fundraising/all/donors?q=nothing-is-called-so',
  ],
  '/integrations': () => ['/integrations', '/integrations?q=nothing-is-called-so', '/integrations?connect=listmonk'],
  '/integrations/$integrationId': () => [
    '/integrations/newsletter',
    '/integrations/newsletter?tab=mapping',
    '/integrations/newsletter?tab=runs',
    '/integrations/newsletter?tab=runs&open=errors',
    '/integrations/newsletter?tab=metrics',
    '/integrations/newsletter?tab=settings',
    '/integrations/office-chat?tab=settings',
    '/integrations/no-such-connection',
  ],
  '/integrations/$integrationName/metrics/$metricType': () => [
    '/integrations/newsletter/metrics/records?compare=1&split=1',
    '/integrations/newsletter/metrics/freshness?days=90',
    '/integrations/newsletter/metrics/no-such-metric',
  ],
  '/profile': () => ['/profile'],
  '/menu': () => ['/menu'],
  '/account-management/{-$tab}': () => ['/account-management'],
  '/privacy': () => ['/privacy'],
  '/tos': () => ['/tos'],
  '/contact': () => ['/contact'],
}
/** Empty pages that hand over to the sign-in service; the sign-in journeys see them. */
const handOver = /^\/auth\//

/** `isFresh`: asks for a sign-in of the last minutes, and the walk takes longer. */
type Opening = { in: string; at: (known: Known) => string; open: (page: Page, known: Known) => Promise<unknown>; isFresh?: true }

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const item =
  (menu: string | RegExp, name: string, role: 'menuitem' | 'menuitemcheckbox' = 'menuitem') =>
  async (page: Page) => {
    await press(menu)(page)
    await page.getByRole(role, { name }).click()
  }
const ticked = (action: string) => async (page: Page) => {
  await page.getByRole('table').getByRole('checkbox').nth(1).check()
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: action, exact: true }).click()
}
const account = press(/^Account of/)
/** Adds a webhook, up to its secret. */
async function addWebhook(page: Page) {
  await press('New webhook')(page)
  await page.getByRole('textbox', { name: 'Name' }).fill('Website')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://hooks.example.org/guildhall')
  await page.getByRole('checkbox', { name: /A gift was received/ }).check()
  await press('Create webhook')(page)
  await page.getByRole('dialog', { name: 'Copy the signing secret now' }).waitFor()
}
async function toWebhook(page: Page) {
  await addWebhook(page)
  await press('I have copied the secret')(page)
  await page.getByRole('link', { name: 'Website' }).first().click()
}
const dialogOpens = (page: Page) => page.getByRole('dialog').waitFor()
/** A file of one person nobody has heard of. */
const upload = async (page: Page) => {
  const buffer = Buffer.from(`Given name,Family name\nAxel,Access${Date.now().toString(36)}\n`)
  await page.locator('input[type=file]').setInputFiles({ name: 'one-person.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Check file' }).waitFor()
}

/** Drafts an invoice and goes on from its panel. */
const ofDraft =
  (...buttons: string[]) =>
  async (page: Page) => {
    await press('New invoice')(page)
    await page.getByRole('combobox', { name: 'Billed to' }).fill('a')
    await page.getByRole('option').first().click()
    await page.getByRole('textbox', { name: 'Description' }).fill('Dues')
    await page.getByRole('textbox', { name: /^Amount/ }).fill('10')
    await press('Create draft')(page)
    for (const button of buttons) await press(button)(page)
  }

/** Records who is mentored by the person, unless somebody is, and chooses from the menu of the first. */
const ofMentor = (act: string) => async (page: Page) => {
  const mentees = page.getByRole('list', { name: 'Mentor and mentee' })
  await press('Add relationship')(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption({ label: 'Mentor and mentee' })
  await dialog.getByRole('combobox', { name: 'Mentee' }).fill('a')
  // Somebody else for each time, since two stand in one relationship once.
  await page
    .getByRole('listbox')
    .getByRole('option')
    .nth(act === 'Edit' ? 1 : 2)
    .click()
  await dialog.getByRole('button', { name: 'Add relationship' }).click()
  await mentees
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: act }).click()
}

/** The panel of the first who stands below the top of the longest lineage. */
async function firstLittle(page: Page) {
  const name = (await page.getByRole('row').nth(1).getByRole('link').first().textContent()) ?? ''
  await page.getByRole('link', { name: 'Tree', exact: true }).click()
  await page.getByRole('combobox', { name: 'Root' }).fill(name)
  await page.getByRole('option', { name }).first().click()
  const tree = page.getByRole('treegrid', { name: `Line of ${name}` })
  await tree.getByRole('row').nth(2).click()
}
const firstRow = (page: Page) => page.getByRole('table').getByRole('row').nth(1)
const settledTransfers = encodeURIComponent(
  JSON.stringify({
    and: [{ or: [{ field: 'method', op: 'in', value: ['bank_transfer'] }] }, { or: [{ field: 'state', op: 'in', value: ['settled'] }] }],
  }),
)

const having = (field: string, value: string) =>
  encodeURIComponent(JSON.stringify({ and: [{ or: [{ field, op: 'in', value: [value] }] }] }))

/** An e-mail for everybody; its topic is still to be chosen. */
const letter = {
  name: 'Letter to look at',
  subject: 'What is new for {{first_name}}',
  body: {
    blocks: [
      { type: 'text', text: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello {{first_name}},' }] }] } },
      { type: 'button', label: 'Read more', href: 'https://example.org/news' },
    ],
  },
  audience: { include: [{ kind: 'people' }], exclude: [] },
}

/** Everything that opens over a page, by the file it is in. */
const dialogs: Opening[] = [
  { in: 'app/palette/palette.tsx', at: () => '/menu', open: (page) => page.keyboard.press('Control+k') },
  {
    in: 'app/palette/palette.tsx',
    at: () => '/menu',
    open: async (page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('ber')
      await page.getByRole('group', { name: 'Chapters' }).waitFor()
    },
  },
  { in: 'app/navigation/avatar-menu.tsx', at: () => '/menu', open: account },
  {
    in: 'app/navigation/recent-changes-list.tsx',
    at: () => '/menu',
    open: async (page) => {
      await account(page)
      await press('Recent changes')(page)
    },
  },
  { in: 'app/palette/shortcut-help.tsx', at: () => '/menu', open: (page) => page.keyboard.press('?') },
  {
    in: 'app/navigation/area-switchers.tsx',
    at: () => '/menu',
    open: (page) => page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Chapters' }).click(),
  },
  { in: 'ui/filter/filter-chips.tsx', at: () => '/members', open: press('Filter') },
  { in: 'ui/filter/filter-chips.tsx', at: () => '/members', open: item('Filter', 'Status') },
  {
    in: 'features/people/list/people-display.tsx',
    at: () => '/members?figures=1',
    open: item('Display', 'This list in words', 'menuitemcheckbox'),
  },
  { in: 'ui/list/column-picker.tsx', at: () => '/members', open: press('Columns') },
  { in: 'ui/list/saved-view-tabs.tsx', at: () => '/members?q=anna', open: press('Save as view') },
  { in: 'features/lists/lists-public.tsx', at: () => '/members', open: press('Export') },
  { in: 'features/people/list/new-person-dialog.tsx', at: () => '/members?new=1', open: press('More fields') },
  { in: 'features/lists/bulk/bulk-actions.tsx', at: () => '/members', open: ticked('Tag') },
  { in: 'features/lists/bulk/bulk-actions.tsx', at: () => '/members', open: ticked('Status') },
  { in: 'features/lists/bulk/bulk-actions.tsx', at: () => '/members', open: ticked('Chapter') },
  { in: 'features/lists/bulk/bulk-actions.tsx', at: () => '/members', open: ticked('Archive') },
  { in: 'features/people/page/contact-lines.tsx', at: ({ person }) => `/person/${person}`, open: press(/^Add: E-mail/) },
  { in: 'features/people/page/person-links.tsx', at: ({ person }) => `/person/${person}`, open: press('Add a link') },
  { in: 'features/people/page/person-external-ids.tsx', at: ({ person }) => `/person/${person}`, open: press('Add an external id') },
  { in: 'features/tags/record-tags.tsx', at: ({ person }) => `/person/${person}`, open: press('Add a tag') },
  {
    in: 'features/people/page/membership-dialog.tsx',
    at: ({ person }) => `/person/${person}/memberships`,
    open: press('Add to a chapter'),
  },
  {
    in: 'features/people/card/person-card.tsx',
    at: ({ person }) => `/person/${person}/memberships`,
    open: async (page) => {
      await press(/^Issue (a new )?card$/)(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Issue card' }).click()
      await press('Revoke card')(page)
    },
  },
  {
    in: 'features/people/card/door-dialog.tsx',
    at: () => '/profile?section=card',
    open: async (page) => {
      await page.getByRole('button', { name: /^(Get my card|New code)$/ }).waitFor()
      if (await page.getByRole('button', { name: 'Get my card' }).isVisible()) await press('Get my card')(page)
      await press('Show full screen')(page)
    },
  },
  {
    in: 'features/integrations/connect/connect-dialog.tsx',
    at: () => '/integrations?connect=sheet',
    open: async (page) => {
      await press('Agree and continue')(page)
      await press('Test and connect')(page)
    },
  },
  {
    in: 'features/integrations/scim/scim-access.tsx',
    at: () => '/integrations?connect=scim',
    open: async (page) => {
      await press('Agree and continue')(page)
      await press('Test and connect')(page)
      await page
        .getByRole('button', { name: 'Open connection' })
        .or(page.getByRole('link', { name: 'Open connection' }))
        .first()
        .click()
      await press('Make token')(page)
    },
  },
  {
    in: 'features/integrations/connections/connection-acts.tsx',
    at: () => '/integrations/try-it-out',
    open: item(/^More actions for/, 'Test connection'),
  },
  {
    in: 'features/integrations/connections/secrets-section.tsx',
    at: () => '/integrations/office-chat?tab=settings&open=secret',
    open: dialogOpens,
  },
  {
    in: 'features/integrations/metrics/alert-dialog.tsx',
    at: () => '/integrations/newsletter/metrics/freshness?open=alert',
    open: dialogOpens,
  },
  {
    in: 'features/integrations/metrics/note-dialog.tsx',
    at: () => '/integrations/newsletter/metrics/freshness?open=note',
    open: dialogOpens,
  },
  { in: 'features/integrations/keys/new-key-dialog.tsx', at: () => '/account-management/api', open: press('New API key') },
  {
    in: 'features/integrations/keys/new-key-dialog.tsx',
    at: () => '/account-management/api',
    isFresh: true,
    open: async (page) => {
      await press('New API key')(page)
      await page.getByRole('textbox', { name: 'Name' }).fill('Website')
      await page.getByRole('checkbox', { name: 'See events for members' }).check()
      await press('Create API key')(page)
      await page.getByRole('dialog', { name: 'Copy the API key now' }).waitFor()
    },
  },
  { in: 'features/integrations/webhooks/webhook-dialog.tsx', at: () => '/account-management/webhooks', open: press('New webhook') },
  {
    in: 'features/integrations/webhooks/webhook-secret-dialog.tsx',
    at: () => '/account-management/webhooks',
    open: addWebhook,
    isFresh: true,
  },
  {
    in: 'features/integrations/webhooks/webhook-acts.tsx',
    at: () => '/account-management/webhooks',
    isFresh: true,
    open: async (page) => {
      await toWebhook(page)
      await item(/^More actions for/, 'Remove')(page)
    },
  },
  {
    in: 'features/integrations/webhooks/webhook-delivery-dialog.tsx',
    at: () => '/account-management/webhooks',
    isFresh: true,
    open: async (page) => {
      await toWebhook(page)
      await press('Send test event')(page)
      await page.getByRole('dialog', { name: 'Delivery' }).getByText('ping').first().waitFor()
    },
  },
  { in: 'features/tags/tag-dialog.tsx', at: () => '/account-management/tags', open: press('New tag') },
  { in: 'features/files/picture-dialog.tsx', at: () => '/profile', open: press(/^(Add a|Change the) picture$/) },
  {
    in: 'features/files/rename-file-dialog.tsx',
    at: ({ group }) => `/groups/${group}?view=files`,
    open: async (page) => {
      await page.getByRole('tabpanel').or(page.getByRole('main')).getByRole('heading', { level: 2, name: 'Files' }).waitFor()
      await page.locator('input[type=file]').setInputFiles({ name: 'Plan.txt', mimeType: 'text/plain', buffer: Buffer.from('Plan') })
      await item('More actions for Plan.txt', 'Rename')(page)
    },
  },
  { in: 'features/membership/join-dialog.tsx', at: () => '/profile?join=1', open: (page) => page.getByRole('dialog').waitFor() },
  {
    in: 'features/membership/reason-dialog.tsx',
    at: ({ person }) => `/person/${person}/memberships`,
    open: press('Pause'),
  },
  {
    in: 'features/membership/leave-dialog.tsx',
    at: ({ person }) => `/person/${person}/memberships`,
    open: press('Cancel membership'),
  },
  {
    in: 'features/membership/override-dialog.tsx',
    at: ({ person }) => `/person/${person}/memberships`,
    open: press('Override status'),
  },
  {
    in: 'features/membership/change-dialog.tsx',
    at: ({ person }) => `/person/${person}/memberships`,
    open: press('Change type or chapter'),
  },
  {
    in: 'features/membership/transfers/transfer-dialog.tsx',
    at: ({ person }) => `/person/${person}/memberships`,
    open: press('Request transfer'),
  },
  {
    in: 'features/membership/transfers/transfer-reject-dialog.tsx',
    at: ({ left }) => `/chapter/${left}/members/transfers`,
    open: press(/^Reject the transfer of/),
  },
  { in: 'features/finance/rate-dialog.tsx', at: ({ chapter }) => `/chapter/${chapter}/finance/dues`, open: press('New dues rate') },
  {
    in: 'features/finance/new-invoice-dialog.tsx',
    at: ({ chapter }) => `/chapter/${chapter}/finance/invoices`,
    open: press('New invoice'),
  },
  { in: 'features/finance/void-dialog.tsx', at: ({ chapter }) => `/chapter/${chapter}/finance/invoices`, open: ofDraft('Discard draft') },
  { in: 'features/finance/draft-dialog.tsx', at: ({ chapter }) => `/chapter/${chapter}/finance/invoices`, open: ofDraft('Edit draft') },
  {
    in: 'features/finance/credit-dialog.tsx',
    at: ({ chapter }) => `/chapter/${chapter}/finance/invoices`,
    open: ofDraft('Issue invoice', 'Issue credit note'),
  },
  { in: 'features/finance/charge-dialog.tsx', at: ({ chapter }) => `/chapter/${chapter}/finance/dues`, open: press('Charge dues') },
  {
    in: 'features/finance/dues-runs.tsx',
    at: ({ chapter }) => `/chapter/${chapter}/finance/dues`,
    open: async (page) => {
      await press('Charge dues')(page)
      await press('Issue invoices')(page)
      await press('Undo')(page)
    },
  },
  {
    in: 'features/payments/record-payment-dialog.tsx',
    at: ({ chapter }) => `/chapter/${chapter}/finance/payments`,
    open: press('Record payment'),
  },
  {
    in: 'features/payments/allocate-dialog.tsx',
    at: ({ chapter }) => `/chapter/${chapter}/finance/payments`,
    open: async (page) => {
      await press('Record payment')(page)
      const payer = await firstRow(page).getByRole('cell').first().innerText()
      await page.getByRole('combobox', { name: 'Paid by' }).fill(payer)
      await page.getByRole('listbox').getByRole('option').first().click()
      await page.getByRole('textbox', { name: /^Amount/ }).fill('10')
      await page.getByRole('dialog').getByRole('button', { name: 'Record payment' }).click()
      await press(/^Allocate/)(page)
    },
  },
  {
    in: 'features/payments/refund-dialog.tsx',
    at: ({ chapter }) => `/chapter/${chapter}/finance/payments?filter=${settledTransfers}`,
    open: async (page) => {
      await firstRow(page).getByRole('cell').nth(2).click()
      await press('Refund')(page)
    },
  },
  {
    in: 'features/payments/reverse-dialog.tsx',
    at: ({ chapter }) => `/chapter/${chapter}/finance/payments?filter=${settledTransfers}`,
    open: async (page) => {
      await firstRow(page).getByRole('cell').nth(2).click()
      await press('Reverse')(page)
    },
  },
  { in: 'features/membership/types/type-dialog.tsx', at: () => '/account-management/membership-types', open: press('New membership type') },
  {
    in: 'features/relationships/types/type-dialog.tsx',
    at: () => '/account-management/relationship-types',
    open: press('New relationship type'),
  },
  {
    in: 'features/relationships/person/add-dialog.tsx',
    at: ({ person }) => `/person/${person}/relationships`,
    open: press('Add relationship'),
  },
  { in: 'features/relationships/person/change-dialogs.tsx', at: ({ person }) => `/person/${person}/relationships`, open: ofMentor('Edit') },
  {
    in: 'features/relationships/person/change-dialogs.tsx',
    at: ({ person }) => `/person/${person}/relationships`,
    open: ofMentor('End relationship'),
  },
  {
    in: 'features/relationships/lines/add-guardian-dialog.tsx',
    at: () => '/reports/parent-child?kind=guardian&view=problems&problem=minor_without_guardian',
    open: press(/^Add guardian of /),
  },
  {
    in: 'features/relationships/lines/move-dialog.tsx',
    at: () => '/reports/parent-child?kind=lineage&view=roots',
    open: async (page) => {
      await firstLittle(page)
      await press('Move below another person')(page)
    },
  },
  {
    in: 'features/relationships/lines/end-dialog.tsx',
    at: () => '/reports/parent-child?kind=lineage&view=roots',
    open: async (page) => {
      await firstLittle(page)
      await press('End relationship')(page)
    },
  },
  { in: 'features/reports/saved/save-dialog.tsx', at: () => '/reports/membership?open=save', open: dialogOpens },
  { in: 'features/reports/saved/schedule-dialog.tsx', at: () => '/reports/membership?open=mail', open: dialogOpens },
  {
    in: 'features/reports/saved/report-acts.tsx',
    at: () => '/reports/membership?open=mail',
    open: async (page) => {
      await page.getByRole('dialog', { name: 'Mail on a schedule' }).getByRole('button', { name: 'Schedule report' }).click()
      await page.getByText(/will be mailed/).waitFor()
      await item('More actions', 'Delete')(page)
    },
  },
  { in: 'features/fields/field-dialog.tsx', at: () => '/account-management/fields', open: press('New field') },
  {
    in: 'features/fields/replace-choice-dialog.tsx',
    at: () => '/account-management/fields',
    open: item(/^Actions for T-shirt/, 'Replace a choice'),
  },
  { in: 'features/fields/fields-tab.tsx', at: () => '/account-management/fields', open: item(/^Actions for T-shirt/, 'Delete') },
  { in: 'features/fields/field-facts.tsx', at: ({ person }) => `/person/${person}`, open: press('Edit Languages') },
  { in: 'features/groups/new-group-dialog.tsx', at: () => '/groups', open: press('New group') },
  { in: 'features/groups/member-dialog.tsx', at: ({ group }) => `/groups/${group}?view=members`, open: press('Add member') },
  {
    in: 'platform/formatted-text/editor-link.tsx',
    at: ({ group }) => `/groups/${group}`,
    open: async (page) => {
      await press('Edit About')(page)
      await page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Link' }).click()
    },
  },
  { in: 'features/notifications/notification-bell.tsx', at: () => '/menu', open: press(/^Notifications/) },
  { in: 'features/comments/hide-dialog.tsx', at: ({ discussed }) => `/groups/${discussed}?view=discussion`, open: press('Hide') },
  { in: 'features/chapters/new-chapter-dialog.tsx', at: ({ region }) => `/chapter/${region}`, open: press('New sub-chapter') },
  { in: 'features/chapters/offices/appoint-dialog.tsx', at: ({ region }) => `/chapter/${region}/officers`, open: press('Appoint officer') },
  {
    in: 'features/chapters/offices/end-term-dialog.tsx',
    at: ({ region }) => `/chapter/${region}/officers`,
    open: item(/^Actions for/, 'Change dates'),
  },
  {
    in: 'features/chapters/offices/office-dialog.tsx',
    at: ({ region }) => `/chapter/${region}/officers/offices`,
    open: press('New office'),
  },
  { in: 'features/chapters/chapter-settings.tsx', at: ({ chapter }) => `/chapter/${chapter}/settings`, open: press('Close chapter') },
  {
    in: 'features/events/page/event-acts.tsx',
    at: ({ event }) => `/event/${event}`,
    open: item('More actions for Reading evening', 'Save as template'),
  },
  {
    in: 'features/events/edit/scope-dialog.tsx',
    at: ({ repeating }) => `/event/${repeating}/edit`,
    open: async (page) => {
      await page.getByRole('region', { name: 'Basics' }).getByRole('textbox', { name: 'Title' }).fill('Reading circle')
      await page.getByRole('button', { name: 'Save changes' }).click()
    },
  },
  { in: 'features/events/page/series-dialog.tsx', at: ({ repeating }) => `/event/${repeating}`, open: press('Change dates') },
  {
    in: 'features/events/register/register-dialog.tsx',
    at: ({ toCome }) => `/event/${toCome}?register=1`,
    open: press('Add guest'),
  },
  { in: 'features/events/register/ticket-dialog.tsx', at: ({ seat }) => `/event/${seat}`, open: press('Show ticket') },
  {
    in: 'features/events/register/change-dialogs.tsx',
    at: ({ seat }) => `/event/${seat}`,
    open: item('Change registration', 'Transfer ticket'),
  },
  {
    in: 'features/events/register/change-dialogs.tsx',
    at: ({ seat }) => `/event/${seat}`,
    open: item('Change registration', 'Change answers'),
  },
  {
    in: 'features/events/manage/attendee-dialogs.tsx',
    at: ({ toCome }) => `/event/${toCome}?section=attendees`,
    open: press('Register someone'),
  },
  {
    in: 'features/events/edit/publish-dialog.tsx',
    at: ({ event }) => `/event/${event}/edit?publish=1`,
    open: (page) => page.getByRole('dialog').waitFor(),
  },
  {
    in: 'features/events/invitations/invite-dialog.tsx',
    at: ({ event }) => `/event/${event}?section=invitations`,
    open: press('Invite'),
  },
  {
    in: 'features/events/survey/survey-dialog.tsx',
    at: ({ surveyed }) => `/event/${surveyed}?survey=1`,
    open: (page) => page.getByRole('dialog').waitFor(),
  },
  {
    in: 'features/events/messages/message-dialog.tsx',
    at: ({ event }) => `/event/${event}?section=messages`,
    open: press('New message'),
  },
  {
    in: 'features/events/messages/automatic-mails.tsx',
    at: ({ event }) => `/event/${event}?section=messages`,
    open: press('Edit Reminder'),
  },
  { in: 'features/events/feeds/subscribe.tsx', at: () => '/events', open: press('Subscribe') },
  {
    in: 'features/events/feeds/subscribe-dialog.tsx',
    at: () => '/events',
    open: async (page) => {
      await press('Subscribe')(page)
      const reset = page.getByRole('button', { name: 'Reset address' })
      const create = page.getByRole('button', { name: 'Create address' })
      await reset.or(create).first().waitFor()
      if (await create.isVisible()) await create.click()
      await reset.first().click()
    },
  },
  { in: 'features/fundraising/give/give-dialog.tsx', at: ({ campaign }) => `/fundraising/${campaign}?give=1`, open: dialogOpens },
  { in: 'features/fundraising/share/share-dialog.tsx', at: ({ campaign }) => `/fundraising/${campaign}?share=1`, open: dialogOpens },
  { in: 'features/fundraising/campaigns/start-dialog.tsx', at: ({ draft }) => `/fundraising/${draft}?start=1`, open: dialogOpens },
  {
    in: 'features/fundraising/campaigns/copy-dialog.tsx',
    at: ({ campaign }) => `/fundraising/${campaign}`,
    open: item(/^More actions for/, 'Copy'),
  },
  {
    in: 'features/fundraising/settings/chapter-share.tsx',
    at: ({ campaign }) => `/fundraising/${campaign}/settings`,
    open: press('Change'),
  },
  {
    in: 'features/fundraising/gifts/record-gift-dialog.tsx',
    at: () => '/fundraising/all/donations?new=1',
    open: (page) => page.getByText('Tribute, anonymity and note').click(),
  },
  {
    in: 'features/fundraising/gifts/correct-dialog.tsx',
    at: ({ gift }) => `/fundraising/all/donations?open=${gift}`,
    open: press('Correct'),
  },
  { in: 'features/fundraising/thanks/thank-dialog.tsx', at: ({ gift }) => `/fundraising/all/donations?open=${gift}`, open: press('Thank') },
  { in: 'features/payments/refund-dialog.tsx', at: ({ gift }) => `/fundraising/all/donations?open=${gift}`, open: press('Refund') },
  {
    in: 'features/fundraising/plans/plan-dialogs.tsx',
    at: ({ plan }) => `/fundraising/all/recurring?open=${plan}`,
    open: press('Change amount'),
  },
  { in: 'features/fundraising/plans/plan-dialogs.tsx', at: ({ plan }) => `/fundraising/all/recurring?open=${plan}`, open: press('Pause') },
  { in: 'features/fundraising/plans/plan-dialogs.tsx', at: ({ plan }) => `/fundraising/all/recurring?open=${plan}`, open: press('Stop') },
  {
    in: 'features/fundraising/pledges/pledge-dialogs.tsx',
    at: ({ pledge }) => `/fundraising/all/pledges?open=${pledge}`,
    open: press('Remind'),
  },
  {
    in: 'features/fundraising/pledges/pledge-dialogs.tsx',
    at: ({ pledge }) => `/fundraising/all/pledges?open=${pledge}`,
    open: press('Cancel pledge'),
  },
  { in: 'features/fundraising/donors/statements-dialog.tsx', at: () => '/fundraising/all/donors', open: press('Mail statements') },
  { in: 'features/fundraising/payouts/payout-dialog.tsx', at: () => '/fundraising/all/payouts', open: press('Record payout') },
  {
    in: 'features/fundraising/payouts/reverse-payout-dialog.tsx',
    at: () => '/fundraising/all/payouts',
    open: item(/^Actions for payout/, 'Reverse'),
  },
  { in: 'features/fundraising/funds/fund-dialog.tsx', at: () => '/fundraising/all/funds', open: press('New fund') },
  { in: 'features/account/invite-dialog.tsx', at: () => '/account-management', open: press('Invite') },
  { in: 'features/account/role-dialog.tsx', at: () => '/account-management/roles', open: press('New role') },
  {
    in: 'features/account/account-dialog.tsx',
    at: () => '/account-management',
    open: async (page) => {
      await page.getByRole('table').getByRole('button').first().click()
      await page.getByRole('button', { name: 'Give a role' }).click()
    },
  },
  {
    in: 'app/shell/progress-button.tsx',
    at: () => '/groups',
    open: async (page) => {
      await press('Export')(page)
      await press(/^Export \d+ rows$/)(page)
      await press(/^(Work in progress|Finished work)/)(page)
    },
  },
  {
    in: 'platform/records/conflict-dialog.tsx',
    at: ({ person }) => `/person/${person}`,
    open: async (page, { person }) => {
      // The token of the beginning may have expired by now.
      const asking = page.waitForRequest((request) => request.headers()['authorization'] !== undefined)
      await page.reload()
      const authorization = (await asking).headers()['authorization'] ?? ''
      await press('Edit Employer')(page)
      await page.getByRole('textbox', { name: 'Employer' }).fill(`Mine ${Date.now()}`)
      // Somebody else is quicker.
      const url = `/data/people/${person}`
      const { version } = (await (await page.request.get(url, { headers: { authorization } })).json()) as { version: number }
      const headers = { authorization, 'if-match': `"${version}"` }
      expect((await page.request.patch(url, { headers, data: { employer: `Theirs ${Date.now()}` } })).status()).toBe(200)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Employer was changed by someone else' }).waitFor()
    },
  },
  {
    in: 'features/communication/announcements/announcement-dialog.tsx',
    at: () => '/communication/announcements',
    open: async (page) => {
      await press('New announcement')(page)
      await page.getByText(/^Reaches [\d,]+ accounts today$/).waitFor()
    },
  },
  {
    in: 'features/communication/announcements/announcement-viewer.tsx',
    at: () => '/communication/announcements',
    open: async (page) => {
      await firstRow(page).getByRole('button').first().click()
      await page.getByRole('dialog').getByText('Archive').waitFor()
    },
  },
  { in: 'features/communication/consent/topic-dialog.tsx', at: () => '/communication/topics', open: press('New topic') },
  {
    in: 'features/communication/consent/record-consent-dialog.tsx',
    at: ({ person }) => `/person/${person}/subscriptions`,
    open: press(/^Record consent/),
  },
  {
    in: 'features/communication/consent/suppression-dialog.tsx',
    at: () => '/communication/deliverability',
    open: press('Suppress address'),
  },
  {
    in: 'features/communication/automations/automation-dialog.tsx',
    at: () => '/communication/automations',
    open: press('New automation'),
  },
  {
    in: 'features/communication/automations/step-dialog.tsx',
    at: ({ automation }) => `/communication/automations?automation=${automation}`,
    open: item('Add step', 'Condition'),
  },
  {
    in: 'features/communication/automations/activate-dialog.tsx',
    at: ({ automation }) => `/communication/automations?automation=${automation}`,
    open: press('Activate'),
  },
  {
    in: 'features/communication/emails/new-message-dialog.tsx',
    at: () => '/communication/emails',
    open: press('New e-mail'),
  },
  {
    in: 'features/communication/emails/message-settings-dialog.tsx',
    at: () => '/communication/emails',
    open: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Settings' }).click()
      await page.getByRole('dialog', { name: 'Settings of e-mails' }).getByRole('button', { name: 'Save' }).waitFor()
    },
  },
  {
    in: 'features/communication/emails/message-view.tsx',
    at: ({ message }) => `/communication/emails?message=${message}`,
    open: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Delete this draft' }).click()
    },
  },
  {
    in: 'features/communication/emails/send-dialog.tsx',
    at: ({ message }) => `/communication/emails?message=${message}`,
    open: async (page) => {
      await press('Check and send')(page)
      await page.getByRole('dialog').getByRole('list', { name: 'What the check found' }).waitFor()
    },
  },
  {
    in: 'features/communication/emails/send-dialog.tsx',
    at: ({ message }) => `/communication/emails?message=${message}`,
    open: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Make a copy' }).click()
      await page.getByText('A copy was made').waitFor()
      await page.getByRole('combobox', { name: 'Topic' }).selectOption({ index: 1 })
      await press('Check and send')(page)
      await page.getByRole('dialog').getByRole('radio', { name: 'Later' }).check()
    },
  },
  {
    in: 'features/communication/emails/message-actions.tsx',
    at: () => '/communication/emails',
    open: async (page) => {
      const message = await askedToApprove(page)
      await go(page, `/communication/emails?message=${message}`)
      await press('Send back')(page)
      await page.getByRole('dialog', { name: 'Send this message back' }).getByRole('button', { name: 'Send back' }).click()
      await page.getByText('Say what has to change.').waitFor()
    },
  },
  {
    in: 'features/communication/body/merge-menu.tsx',
    at: ({ message }) => `/communication/emails?message=${message}`,
    open: press('Merge field for Subject'),
  },
  {
    in: 'features/communication/body/merge-menu.tsx',
    at: ({ message }) => `/communication/emails?message=${message}`,
    open: item('Merge field for Subject', 'First name'),
  },
  { in: 'features/communication/templates/template-dialogs.tsx', at: () => '/communication/templates', open: press('New template') },
  {
    in: 'features/communication/templates/template-dialogs.tsx',
    at: () => '/communication/templates',
    open: async (page) => {
      await press('New template')(page)
      await page.getByRole('textbox', { name: 'Name' }).fill(`Letter ${Date.now().toString(36)}`)
      await press('Create template')(page)
      await page.getByRole('textbox', { name: 'Subject' }).waitFor()
      await go(page, '/communication/templates')
      await item(/^Actions for/, 'Copy')(page)
    },
  },
  {
    in: 'features/communication/audiences/audience-dialog.tsx',
    at: () => '/communication/audiences',
    open: async (page) => {
      await press('New audience')(page)
      await item('Add to “Include”', 'Chapter')(page)
    },
  },
  {
    in: 'features/communication/audiences/audience-dialog.tsx',
    at: () => '/communication/audiences',
    open: async (page) => {
      await press('Change Active members')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Check a person' }).waitFor()
    },
  },
  {
    in: 'features/communication/audiences/audience-people.tsx',
    at: ({ message }) => `/communication/emails?message=${message}`,
    open: async (page) => {
      await press('Check a person')(page)
      await page.getByRole('combobox', { name: 'Check a person' }).fill('a')
      await page.getByRole('listbox').getByRole('option').first().click()
      await page.getByText(/is (not )?in this audience\.$/).waitFor()
    },
  },
  {
    in: 'ui/page/detail-header.tsx',
    at: () => '/account-management',
    open: async (page) => {
      await press(/^More$/)(page)
      await page.getByRole('navigation', { name: /^More: / }).waitFor()
    },
  },
  {
    in: 'features/imports/save-mapping.tsx',
    at: () => '/account-management/imports?kind=people',
    open: async (page) => {
      await upload(page)
      await press('Save mapping')(page)
    },
  },
  {
    in: 'features/imports/import-outcome.tsx',
    at: () => '/account-management/imports?kind=people',
    open: async (page) => {
      await upload(page)
      await press('Check file')(page)
      await press('Import 1 row')(page)
      await press('Undo import')(page)
      await page.getByRole('dialog', { name: 'Undo this import?' }).waitFor()
    },
  },
]
/** Shown only where an operator switches it on: looked at last, since the settings are read when the application starts. */
const optional: Opening[] = [
  {
    in: 'features/site/feedback-dialog.tsx',
    at: () => '/menu',
    open: async (page) => {
      await withSettings(page, { feedback_form: true })
      await page.reload()
      await account(page)
      await page.getByText('Give feedback').click()
      await page.getByRole('dialog', { name: 'Give feedback' }).waitFor()
    },
  },
]
/** The journey of payments opens the first; the other has the form of a refund, and stands only where the provider says otherwise than the books. */
const elsewhere = ['features/payments/pay-dialog.tsx', 'features/payments/differences.tsx']
/** Frames for the dialogs above. */
const frames = ['ui/dialog/confirm-dialog.tsx', 'ui/dialog/dialog.tsx', 'ui/dialog/form-dialog.tsx', 'ui/dialog/secret-dialog.tsx']

journey('every dialog has its place in this journey, and every route that it names is there', async ({ page }) => {
  await page.goto('/privacy')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const table = await routesOf(page)
  expect(Object.keys(routes).filter((route) => !table.some(({ path }) => path === route))).toEqual([])

  // The dialog that creates a record is open at ?new=1 of its list, where the walk goes by itself.
  const opening = (await filesThatOpenSomething()).filter((file) => !/\/new-[a-z-]+-dialog\.tsx$/.test(file))
  expect(opening).toContain('app/palette/palette.tsx')
  const named = [...[...dialogs, ...optional].map((dialog) => dialog.in), ...elsewhere, ...frames]
  expect(opening.filter((file) => !named.includes(file))).toEqual([])
})

/** A browser of their own, because one that stops answering is ended with whatever hangs in it, and another one started. */
type Visit = { page: Page; known: Known; trouble: Watch; end: () => Promise<void> }

async function begin(): Promise<Visit> {
  const server = await chromium.launchServer(launchOptions)
  const browser = await chromium.connect(server.wsEndpoint())
  const context = await browser.newContext(contextOptions())
  context.setDefaultTimeout(20_000)
  const trouble = await watch(context)
  const page = await context.newPage()
  const known = await signInAndFind(page)
  return { page, known, trouble, end: () => server.kill() }
}

const minute = 60_000
const slow = Symbol('slow')

/** What happens before the tests are written down has no time limit of theirs. */
async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  const result = await Promise.race([work, sleep(minute, slow, { ref: false })])
  if (result === slow) throw new Error(`${what} gave no answer in a minute.`)
  return result
}

/** Every page there is: the addresses above, and the tabs that stand on them. */
async function findAddresses(): Promise<string[]> {
  const waiting = Object.values(routes).flatMap((addresses) => addresses(known))
  const table = (await routesOf(visit.page)).filter(({ path }) => !(path in routes) && !handOver.test(path))
  waiting.push(
    ...table
      .filter(({ planned }) => planned)
      .slice(0, 1)
      .map(({ path }) => path),
  )
  for (const { path, planned } of table)
    if (!planned) waiting.push(...(path.includes('$') ? await recordAt(visit.page, path) : [path, `${path}?new=1`]))
  const found = new Set<string>()
  const look = async (address: string) => {
    await go(visit.page, address)
    return tabsOf(visit.page)
  }
  const tabsAt = (address: string) =>
    inTime(address, look(address)).catch(async () => {
      await startAgain()
      return inTime(address, look(address))
    })
  for (let address = waiting.shift(); address; address = waiting.shift()) {
    if (found.has(address)) continue
    found.add(address)
    waiting.push(...(await tabsAt(address)))
  }
  return [...found]
}

async function startAgain() {
  await visit.end()
  visit = await inTime('Signing in', begin())
}

// Before the tests are written down: each page is one of them, with its address for a name.
let visit = await inTime('Signing in', begin())
const { known } = visit
const addresses = await findAddresses()
afterAll(() => visit.end())

const patience = 5_000

/** The page, in a new browser when the former one gives no answer or the test before failed in it. */
async function answering(): Promise<Page> {
  const answer = await Promise.race([visit.page.evaluate('1').catch(() => slow), sleep(patience, slow, { ref: false })])
  if (answer !== slow) return visit.page
  await startAgain()
  return visit.page
}

test('the walk went further than its list of routes', () => {
  expect(addresses).toContain(`/person/${known.person}/history`)
  expect(addresses).toContain(`/chapter/${known.region}/officers/history`)
  expect(addresses).toContain('/account-management/audit')
})

describe('no rule of accessibility is broken', () => {
  afterEach(async ({ task }) => {
    if (task.result?.errors?.length) await visit.end()
  })

  test.for(addresses)('at %s', { timeout: minute }, async (address) => {
    const page = await answering()
    await go(page, address)
    expect(await problemsAt(page, address)).toEqual([])
    expect(visit.trouble.unexpected()).toEqual([])
  })

  test.for([...dialogs, ...optional].map((dialog, index) => ({ name: `${dialog.in} at ${dialog.at(known)} (${index + 1})`, dialog })))(
    'by $name',
    { timeout: minute },
    async ({ name, dialog }) => {
      if (dialog.isFresh) await startAgain()
      const page = await answering()
      await go(page, dialog.at(known))
      await dialog.open(page, visit.known)
      await settledDown(page)
      expect(await problemsAt(page, name)).toEqual([])
      expect(visit.trouble.unexpected()).toEqual([])
    },
  )
})

const problemsAt = async (page: Page, where: string) =>
  (await accessibilityProblems(page, ['color-contrast', 'link-in-text-block'])).map((problem) => `${where}: ${problem}`)

type Routed = {
  __TSR_ROUTER__: {
    routesByPath: Record<string, { options: { staticData?: { area?: string; planned?: boolean } } }>
    navigate: (to: { href: string }) => Promise<void>
  }
}

/** As a click on a link goes: without loading the application anew. Open dialogs close, choices are gone. */
async function go(page: Page, address: string) {
  await page.keyboard.press('Escape')
  await page.evaluate(async () => (window as unknown as Routed).__TSR_ROUTER__.navigate({ href: '/tos' }))
  await page.evaluate(async (href) => (window as unknown as Routed).__TSR_ROUTER__.navigate({ href }), address)
  await settledDown(page)
}

/** The heading is there and nothing more is on its way. */
async function settledDown(page: Page) {
  await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor()
  const busy = page.locator('[aria-busy="true"], .mantine-Skeleton-root').filter({ visible: true })
  for (const end = Date.now() + 15_000; (await busy.count()) > 0;) {
    if (Date.now() > end) throw new Error(`${page.url()} stays busy.`)
    await page.waitForTimeout(100)
  }
  await page.waitForTimeout(100)
}

type Route = { path: string; planned: boolean; area: string }
async function routesOf(page: Page): Promise<Route[]> {
  return page.evaluate(() =>
    Object.entries((window as unknown as Routed).__TSR_ROUTER__.routesByPath).map(([path, { options }]) => ({
      path,
      planned: options.staticData?.planned ?? false,
      area: options.staticData?.area ?? '',
    })),
  )
}

/** The first record that a list of its area links to. */
async function recordAt(page: Page, path: string): Promise<string[]> {
  const { area } = (await routesOf(page)).find((route) => route.path === path) ?? {}
  const list = (await routesOf(page)).find((route) => route.area === area && !route.path.includes('$'))
  if (!list) throw new Error(`${path}: no list of its area leads there; name an address of it in this journey.`)
  await go(page, list.path)
  const start = path.slice(0, path.indexOf('$'))
  const links = page.getByRole('main').locator(`a[href^="${start}"]`)
  return [(await links.first().getAttribute('href')) ?? '']
}

/** Tabs and their second level stand in navigations inside the page and lead to the same record. */
async function tabsOf(page: Page) {
  const base = new URL(page.url()).pathname.split('/').slice(0, 3).join('/')
  const links = await page
    .getByRole('main')
    .getByRole('navigation')
    .getByRole('link')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
  return links.filter((href) => href.startsWith(base) && !href.includes('#'))
}

/** Signs in, and answers what requests of that person carry. */
async function authorizationOf(page: Page, person: DemoPerson) {
  const asking = page.waitForRequest((request) => request.headers()['authorization'] !== undefined)
  await signIn(page, person, '/')
  const authorization = (await asking).headers()['authorization'] ?? ''
  await page.getByRole('heading', { level: 1 }).waitFor()
  return authorization
}

/** An e-mail that somebody else has written and submitted: nobody approves their own. */
async function askedToApprove(page: Page): Promise<string> {
  const context = await page.context().browser()?.newContext(contextOptions())
  if (!context) throw new Error('There is no browser for somebody else.')
  try {
    const theirs = await context.newPage()
    const authorization = await authorizationOf(theirs, 'comms')
    const topics = await theirs.request.get('/data/communication/topics', { headers: { authorization } })
    const [topic] = ((await topics.json()) as { items: { id: string }[] }).items
    const ask = async (path: string, data: object, more: Record<string, string> = {}) => {
      const answer = await theirs.request.post(path, {
        headers: { authorization, 'idempotency-key': `${Date.now()} ${path}`, ...more },
        data,
      })
      expect(answer.status(), await answer.text()).toBeLessThan(300)
      return (await answer.json()) as { id: string; version: number }
    }
    const { id, version } = await ask('/data/messages', { ...letter, name: 'Letter to approve', topicId: topic?.id })
    await ask(`/data/messages/${id}/submit`, {}, { 'if-match': `"${version}"` })
    return id
  } finally {
    await context.close()
  }
}

async function signInAndFind(page: Page): Promise<Known> {
  const authorization = await authorizationOf(page, 'owner')
  const items = async (list: string) => {
    const answer = await page.request.get(`/data/${list}`, { headers: { authorization } })
    return ((await answer.json()) as { items: { id: string; depth: number; from?: { id: string }; gift?: { id: string } }[] }).items
  }
  const chapters = await items('chapters?limit=100')
  const event = await page.request.post('/data/events', {
    headers: { authorization, 'idempotency-key': 'event-to-look-at' },
    data: {
      title: 'Reading evening',
      startsAt: '2096-12-03T19:00:00Z',
      venueName: 'Library',
      programme: [{ title: 'Welcome', startsAt: '2096-12-03T19:00:00Z' }],
      ticketTypes: [{ name: 'Standard', price: { amount: 1500, currency: 'EUR' }, memberPrice: 500 }],
      questions: [{ text: 'What do you read?' }],
    },
  })
  const idOf = (record: { id: string } | undefined) => record?.id ?? 'none'
  const published = async (title: string, more: object = {}) => {
    const ask = async (path: string, key: string, data: object, more: Record<string, string> = {}) =>
      (await (
        await page.request.post(path, { headers: { authorization, 'idempotency-key': `${title} ${key}`, ...more }, data })
      ).json()) as { id: string; version: number }
    const draft = await ask('/data/events', 'draft', {
      ...{ title, startsAt: '2096-12-04T19:00:00Z', venueName: 'Library', guestsPerPerson: 2 },
      ticketTypes: [{ name: 'Seat' }, { name: 'Box' }],
      questions: [{ text: 'What do you read?' }],
      ...more,
    })
    const event = await ask(`/data/events/${draft.id}/publish`, 'publish', {}, { 'if-match': `"${draft.version}"` })
    return {
      ...event,
      register: (ticketTypeId?: string) => ask(`/data/events/${draft.id}/registrations`, 'register', ticketTypeId ? { ticketTypeId } : {}),
    }
  }
  const [toCome, taken] = [await published('Open evening'), await published('Story evening')]
  const shown = await page.request.get(`/data/events/${taken.id}`, { headers: { authorization } })
  await taken.register(idOf(((await shown.json()) as { ticketTypes: { id: string }[] }).ticketTypes[0]))
  const held = { startsAt: new Date(Date.now() - 7 * 86_400_000).toISOString(), recordsAttendance: true, ticketTypes: [] }
  const over = await published('Past evening', held)
  await over.register()
  await page.request.put(`/data/events/${over.id}/survey`, {
    headers: { authorization, 'idempotency-key': 'survey-to-look-at' },
    data: { enabled: true, questions: [{ text: 'What was missing?' }] },
  })
  const automation = await page.request.post('/data/automations', {
    headers: { authorization, 'idempotency-key': 'automation-to-look-at' },
    data: { name: 'Welcome', trigger: { on: 'joined' }, steps: [{ id: 'a', kind: 'task', title: 'Say hello' }] },
  })
  const message = await page.request.post('/data/messages', {
    headers: { authorization, 'idempotency-key': 'message-to-look-at' },
    data: letter,
  })
  return {
    person: idOf((await items('people?limit=1'))[0]),
    region: idOf(chapters.find(({ depth }) => depth === 2)),
    chapter: idOf(chapters.find(({ depth }) => depth === 3)),
    left: idOf((await items('transfers?open=true&limit=1'))[0]?.from),
    group: idOf((await items('groups?limit=1'))[0]),
    discussed: idOf((await items('groups?q=Early%20Career%20Network'))[0]),
    event: idOf((await event.json()) as { id: string }),
    repeating: idOf((await items('events?q=Career%20coffee&sort=-startsAt&limit=1'))[0]),
    toCome: toCome.id,
    seat: taken.id,
    surveyed: over.id,
    automation: idOf((await automation.json()) as { id: string }),
    message: idOf((await message.json()) as { id: string }),
    campaign: idOf((await items('campaigns?q=field%20kits&limit=1'))[0]),
    draft: idOf((await items('campaigns?q=reading%20room&limit=1'))[0]),
    gift: idOf((await items('gifts/thanks?limit=1')).map((row) => row.gift)[0]),
    plan: idOf((await items(`recurring-gifts?limit=1&filter=${having('status', 'active')}`))[0]),
    pledge: idOf((await items(`pledges?limit=1&filter=${having('status', 'open')}`))[0]),
  }
}

async function filesThatOpenSomething() {
  const files = (await readdir(source, { recursive: true })).filter((file) => /(?<!\.test)\.tsx$/.test(file))
  const opens = await Promise.all(
    files.map(async (file) => /<(Modal|Dialog|FormDialog|Drawer|Popover)\b/.test(await readFile(path.join(source, file), 'utf8'))),
  )
  return files.filter((_, index) => opens[index])
}
