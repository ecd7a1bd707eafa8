import { expect, test } from 'vitest'
import { textsIn } from '../../../platform/texts/texts.ts'
import { chatText } from './integrations.chat.rules.ts'
import type { ChatNews } from './integrations.chat.rules.ts'

const news = (more: Partial<ChatNews>): ChatNews => ({
  kind: 'chat.member',
  count: 1,
  chapter: null,
  names: [],
  gift: null,
  event: null,
  ...more,
})
const say = (more: Partial<ChatNews>) => chatText(textsIn('en', 'en-US'), news(more), 'https://us.example.org')

test.for([
  [{}, '1 new member'],
  [{ count: 3, chapter: 'Berlin' }, '3 new members in Berlin'],
  [{ chapter: 'Berlin', names: ['Ana Fall'] }, '1 new member in Berlin: Ana Fall'],
  [{ count: 7, names: ['Ana', 'Bo'] }, '7 new members: Ana, Bo and 5 others'],
  [{ kind: 'chat.gift', gift: { campaign: 'Roof', amount: null, currency: 'EUR', donor: null } }, 'New gift for Roof'],
  [{ kind: 'chat.gift', gift: { campaign: null, amount: 2500, currency: 'EUR', donor: 'Ana' } }, 'New gift: €25.00 from Ana'],
  [{ kind: 'chat.gift', count: 4, gift: { campaign: 'Roof', amount: 1, currency: 'EUR', donor: 'Ana' } }, '4 new gifts'],
  [{ kind: 'chat.full', event: { id: '7', title: 'Gala', capacity: 30 } }, 'Gala is full: 30 places taken. https://us.example.org/event/7'],
] as const)('%j', ([more, text]) => expect(say({ ...more, names: 'names' in more ? [...more.names] : [] })).toBe(text))

test('calls nobody together and leads nowhere, whatever somebody is called', () => {
  const text = say({ names: ['<!channel> [x](https://evil.example) @here & `code`\n# Big'] })
  expect(text).toBe('1 new member: &lt;!channel&gt; ［x］(https:\u2060//evil.example) @\u2060here &amp; ˋcodeˋ # Big')
  expect(say({ names: ['WWW.evil.example'] })).toBe('1 new member: www\u2060.evil.example')
  // A name that is cut within a character is still a text that every chat reads.
  expect(say({ names: [`${'a'.repeat(149)}😀`] }).isWellFormed()).toBe(true)
})
