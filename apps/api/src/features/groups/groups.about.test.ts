import { documentOf, htmlOf, plainTextOf } from '@guildhall/contract/formatted-document'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import { hostile } from '@guildhall/contract/hostile-texts-testing'
import { expect } from 'vitest'
import { test } from '../../testing.ts'

// A group's About stands for every formatted text.

const match = (version: number) => ({ 'if-match': `"${version}"` })
type Made = { id: string; version: number; about: FormattedDocument }
const mentioning = (personId: string): FormattedDocument => ({
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Ask ' },
        { type: 'mention', attrs: { personId } },
      ],
    },
  ],
})

test('hostile texts are kept as texts, links that are none and foreign documents are refused', async ({ api, organisation, person }) => {
  const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  const content = hostile.tags.map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] }))
  const made = await me.post('/data/groups', { name: 'Choir', about: { type: 'doc', content } })
  expect(made).toMatchObject({ status: 201 })
  const { id, about } = made.body as Made
  expect(htmlOf(about).replace(/<\/?p>/g, '')).not.toMatch(/[<>]/)
  expect(plainTextOf(about)).toContain('<svg onload=alert(1)>')

  const change = (document: unknown) => me.patch(`/data/groups/${id}`, { about: document }, match(1))
  const linked = (href: string) => ({
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href } }] }] }],
  })
  for (const href of hostile.links) expect(await change(linked(href)), href).toMatchObject({ status: 422 })
  for (const [name, document] of hostile.documents) {
    // What JSON.stringify itself cannot walk cannot be sent.
    if (name === '100,000 levels') continue
    const { status } = await change(document)
    expect([400, 413, 422], name).toContain(status)
  }
  expect(await change(documentOf('x'.repeat(1_100_000)))).toMatchObject({ status: 413 })
  expect(await me.get(`/data/groups/${id}`)).toMatchObject({ body: { version: 1 } })
})

test('someone mentioned is named to those who see them, and to nobody once erased', async ({ api, organisation, chapter, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-owner'] }))
  const ann = await person({ org, chapterId: await chapter(org, 'West') })
  const guest = api.as(await person({ org, chapterId: null }))
  const made = await boss.post('/data/groups', { name: 'Choir', visibility: 'public', about: mentioning(ann.personId ?? '') })
  expect(made).toMatchObject({ status: 201 })
  const { id } = made.body as Made
  const said = async (client: typeof boss) => plainTextOf(((await client.get(`/data/groups/${id}`)).body as Made).about)
  expect(await said(boss)).toMatch(/^Ask @(?!someone)/)
  expect(await said(guest)).toBe('Ask @someone')
  expect(await boss.del(`/data/people/${ann.personId}`)).toMatchObject({ status: 204 })
  expect(await said(boss)).toBe('Ask @someone')
  // It can still be edited by somebody who cannot see who it is, but nobody new can be brought in.
  expect(await boss.patch(`/data/groups/${id}`, { about: mentioning(ann.personId ?? '') }, match(1))).toMatchObject({ status: 200 })
  const stranger = await person({ org: await organisation() })
  expect(await boss.patch(`/data/groups/${id}`, { about: mentioning(stranger.personId ?? '') }, match(2))).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'about', code: 'mention_not_found' }] },
  })
})
