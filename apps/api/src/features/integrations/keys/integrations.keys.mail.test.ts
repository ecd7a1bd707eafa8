import { afterAll, expect } from 'vitest'
import { endWorld } from '../../../testing.ts'
import { due, messageCalls, peopleOf, persons, test, topicOf } from '../../communication/sending/communication.sending.testing.ts'
import { makeKey } from './integrations.keys.testing.ts'

// Other files would send what is left.
afterAll(endWorld)

const mailing = { permissions: ['messages.write', 'messages.send', 'people.directory', 'people.contact'] }

test('what a key was to send fails once the key is over, and holds up nobody', async ({ api, admin, organisation, person, post }) => {
  const org = await organisation()
  const { key, client } = await makeKey(api.app, api.as(await person({ org, idpRoles: ['org-owner'] })), mailing)
  const { make, step } = messageCalls(client)
  const draft = await make({ topicId: await topicOf(admin, org), audience: persons(await peopleOf(admin, org, 2)) })
  await step(draft, 'send')
  await admin.query(`update app.api_keys set expires_at = now() - interval '1 second' where id = $1`, [key.id])
  await due(admin, draft.id)
  await post.work()
  const { rows } = await admin.query(`select status, failure from app.messages where id = $1`, [draft.id])
  expect(rows).toEqual([{ status: 'failed', failure: 'sender' }])
  expect(post.sent).toEqual([])
})

test('a key is no second person: it neither asks for an approval nor gives one', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const maker = api.as(await person({ org, idpRoles: ['org-owner'] }))
  const { client } = await makeKey(api.app, maker, mailing)
  const byMaker = messageCalls(maker)
  const byKey = messageCalls(client)
  const topicId = await topicOf(admin, org)
  const audience = persons(await peopleOf(admin, org, 1))
  const submitted = await byMaker.step(await byMaker.make({ topicId, audience }), 'submit')
  const denied = { status: 403, body: { reason: 'not_with_key' } }
  expect(await byKey.act(submitted, 'approve')).toMatchObject(denied)
  expect(await byKey.act(await byKey.make({ topicId, audience }), 'submit')).toMatchObject(denied)
})
