import { expect, test } from 'vitest'
import { documentOf } from './formatted-document.ts'
import { hostile } from './hostile-texts-testing.ts'
import { hrefOf } from './message-blocks.ts'
import { MessageBody, StoredMessageBody } from './message-body.ts'

const id = '01920000-0000-7000-8000-000000000001'
const taken = (...blocks: unknown[]) => MessageBody.safeParse({ blocks }).success
const text = { type: 'text', text: documentOf('Hello') }
const button = (href: string) => ({ type: 'button', label: 'Read', href })
const picture = { type: 'picture', fileId: id, alt: 'A garden' }

test('every kind of block is taken, and answered as it was stored', () => {
  const blocks = [text, button('/events'), picture, { type: 'event', eventId: id }, { type: 'divider' }]
  const body = MessageBody.parse({ blocks: [...blocks, { type: 'columns', left: blocks, right: [] }] })
  expect(StoredMessageBody.parse(structuredClone(body))).toEqual(body)
})

test('a picture has words or is decorative', () => {
  expect(taken({ ...picture, alt: '' })).toBe(false)
  expect(taken({ ...picture, alt: '   ' })).toBe(false)
  expect(taken({ ...picture, alt: '', decorative: true })).toBe(true)
})

test('links lead to pages, mails and pages of the application', () => {
  for (const href of ['https://example.org/a?b=c', 'http://example.org', 'mailto:a@example.org', '/events/1'])
    expect(taken(button(href)), href).toBe(true)
  for (const href of hostile.links.filter((one) => one !== '/person/1')) {
    expect(taken(button(href)), href).toBe(false)
    expect(hrefOf(href, 'https://members.example.org'), href).toBeUndefined()
    expect(taken({ ...picture, href }), href).toBe(false)
  }
  expect(hrefOf('/person/1', 'https://members.example.org')).toBe('https://members.example.org/person/1')
})

test('nothing else is taken: other blocks, more columns within columns, mentions, documents of other editors', () => {
  expect(taken({ type: 'html', html: '<b>x</b>' })).toBe(false)
  expect(taken({ ...text, onclick: 'alert(1)' })).toBe(false)
  expect(taken({ type: 'columns', left: [{ type: 'columns', left: [], right: [] }], right: [] })).toBe(false)
  const mention = { type: 'mention', attrs: { personId: id } }
  expect(taken({ type: 'text', text: { type: 'doc', content: [{ type: 'paragraph', content: [mention] }] } })).toBe(false)
  for (const [name, document] of hostile.documents) expect(taken({ type: 'text', text: document }), name).toBe(false)
})

test('a message has at most 100 blocks, those in columns counted', () => {
  const divider = { type: 'divider' }
  const columns = { type: 'columns', left: Array.from({ length: 12 }, () => divider), right: Array.from({ length: 12 }, () => divider) }
  expect(taken(...Array.from({ length: 4 }, () => columns))).toBe(true)
  expect(taken(...Array.from({ length: 4 }, () => columns), divider)).toBe(false)
  expect(taken(...Array.from({ length: 101 }, () => divider))).toBe(false)
})
