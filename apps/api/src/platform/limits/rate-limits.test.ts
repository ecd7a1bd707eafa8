import { actionsContract, dataContract } from '@guildhall/contract'
import { describe, expect } from 'vitest'
import { createApp } from '../../app.ts'
import { test } from '../../testing.ts'
import { createLog } from '../observability/log.ts'
import { createServices } from '../services.ts'
import { countUse } from './rate-limits.ts'

type Limited = { operation: string; method: 'GET' | 'POST' | 'PUT'; url: string; perHour: number }

type Contract = { '~orpc'?: { meta: { perHour?: number }; route: { method: Limited['method']; path: string; operationId: string } } }

/** Every procedure of a contract that declares a limit. */
function limited(contract: object, prefix: string): Limited[] {
  return Object.values(contract).flatMap((value: Contract) => {
    const own = value['~orpc']
    if (!own) return limited(value, prefix)
    if (!own.meta.perHour) return []
    const { method, path, operationId } = own.route
    return [{ operation: operationId, method, url: `${prefix}${path.replace('{kind}', 'people')}`, perHour: own.meta.perHour }]
  })
}

const table = [...limited(dataContract, '/data'), ...limited(actionsContract, '/actions')]

test('what sends mail, makes files or asks the provider has a limit', () => {
  expect(table.map(({ operation, perHour }) => `${operation} ${perHour}`).sort()).toEqual([
    'acceptInvitation 60',
    'applyForMembership 20',
    'askReport 3000',
    'checkMessage 300',
    'checkPayment 120',
    'checkReport 600',
    'chooseTopic 200',
    'comparePayments 20',
    'createApiKey 30',
    'createCalendarFeed 60',
    'createConnection 60',
    'createExport 60',
    'createWebhookEndpoint 30',
    'getLineFile 120',
    'getReportFile 240',
    'giveByCard 60',
    'inviteAccount 20',
    'inviteToEvent 60',
    'issueMemberCard 60',
    'mailGiftReceipt 300',
    'mailGivingStatements 20',
    'mailInvoice 300',
    'mailStatement 300',
    'mailThanks 500',
    'makeScimToken 30',
    'payInstalment 60',
    'payInvoice 60',
    'pingWebhookEndpoint 120',
    'previewChapterPage 60',
    'previewHeldMembership 600',
    'previewMapping 240',
    'previewMembershipType 600',
    'previewMessage 1500',
    'priceRegistration 300',
    'printCampaignCode 120',
    'printGivingStatement 120',
    'printInvoice 120',
    'printMemberCard 60',
    'printReceipt 120',
    'printStatement 120',
    'printTicket 120',
    'recordConsent 200',
    'remindPledge 300',
    'replayWebhookDeliveries 60',
    'requestTransfer 20',
    'resendInvitation 60',
    'resetCalendarFeed 20',
    'retryDeliveries 60',
    'retryMail 600',
    'retryRecurringGift 60',
    'rotateWebhookSecret 30',
    'runMemberships 20',
    'scheduleReport 60',
    'sendEventMessage 30',
    'sendReportNow 20',
    'setPicture 120',
    'startReportRun 120',
    'startSyncRun 120',
    'testConnection 120',
    'testMessage 60',
    'updateAccountLogin 600',
    'uploadFile 600',
    'uploadImport 120',
  ])
})

describe.each(table)('$operation', ({ operation, method, url, perHour }) => {
  test(`is refused the ${perHour + 1}th time within an hour, whichever server is asked, and for nobody else`, async ({
    api,
    admin,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const [one, other] = [await person({ org, idpRoles: ['org-admin'] }), await person({ org, idpRoles: ['org-admin'] })]
    const services = createServices(api.services.config, createLog('silent'))
    const second = await createApp(services)
    const ask = async (server: typeof second, { token, proof }: typeof one, more: Record<string, string> = {}) =>
      server.inject({ method, url, payload: {}, headers: { authorization: `Bearer ${token}`, 'if-match': '"1"', ...proof, ...more } })
    const statuses = new Set<number>()
    // What is asked for wrongly counts, too: it is no way around.
    for (let nth = 0; nth < perHour; nth++) statuses.add((await ask(nth % 2 ? second : api.app, one)).statusCode)
    expect([...statuses]).not.toContain(429)
    for (const server of [api.app, second]) {
      const answer = await ask(server, one, { 'x-forwarded-for': '203.0.113.7', 'idempotency-key': 'another-key' })
      expect([answer.statusCode, answer.json().reason]).toEqual([429, 'rate_limit'])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_000)
    }
    expect((await ask(second, other)).statusCode).not.toBe(429)
    await admin.query(`update app.use_counts set since = now() - interval '61 minutes' where org_id = $1 and operation = $2`, [
      org.id,
      operation,
    ])
    expect((await ask(second, one)).statusCode).not.toBe(429)
    await second.close()
    await services.close()
  })
})

test('a sign-in is counted for somebody without an account as well, whatever other token of theirs is used', async ({
  api,
  admin,
  person,
  token,
}) => {
  const stranger = await person({ chapterId: null })
  await admin.query('delete from app.accounts where id = $1', [stranger.accountId])
  const login = async () => api.as({ ...stranger, token: await token(stranger) }).post('/data/rpc/update_account_login')
  expect((await login()).status).toBe(403)
  await admin.query(`update app.use_counts set uses = 600 where org_id = $1 and operation = 'updateAccountLogin'`, [stranger.orgId])
  expect((await login()).status).toBe(429)
})

test('uses at the same moment are all counted', async ({ api, organisation }) => {
  const { id: orgId } = await organisation()
  const waits = await Promise.all(
    Array.from({ length: 30 }, () => countUse(api.services.database, { orgId, operation: 'test', who: 'somebody', perHour: 10 })),
  )
  expect(waits.filter((wait) => wait === 0)).toHaveLength(10)
})

describe('the address of a visitor', () => {
  const addressSeen = async (services: Parameters<typeof createApp>[0], proxies: string[], forwarded: string) => {
    const app = await createApp({ ...services, config: { ...services.config, TRUSTED_PROXIES: proxies } })
    app.get('/address', async ({ ip }) => ip)
    const { body } = await app.inject({ url: '/address', headers: { 'x-forwarded-for': forwarded } })
    await app.close()
    return body
  }

  test('is that of the connection, whatever a header claims', async ({ api }) => {
    expect(await addressSeen(api.services, [], '203.0.113.7')).toBe('127.0.0.1')
  })

  test('is what a proxy of ours says, and what was claimed before it counts for nothing', async ({ api }) => {
    expect(await addressSeen(api.services, ['127.0.0.1'], '198.51.100.9, 203.0.113.7')).toBe('203.0.113.7')
  })
})
