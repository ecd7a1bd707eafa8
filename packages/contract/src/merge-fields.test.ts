import { expect, test } from 'vitest'
import { documentOf } from './formatted-document.ts'
import { mergeFindings, mergeParts, mergeText, mergeUses } from './merge-fields.ts'
import type { MessageContent } from './message-blocks.ts'

const text = (value: string) => ({ type: 'text' as const, text: documentOf(value) })
const content = (part: Partial<MessageContent>): MessageContent => ({ subject: '', preheader: '', body: { blocks: [] }, ...part })

test('a text is cut into words and merge fields', () => {
  expect(mergeParts('Dear {{first_name | friend}}, hello')).toEqual([
    'Dear ',
    { name: 'first_name', fallback: 'friend', start: 5, end: 28 },
    ', hello',
  ])
  expect(mergeParts('{{chapter}}')).toEqual([{ name: 'chapter', fallback: null, start: 0, end: 11 }])
  expect(mergeParts('{{ chapter | }}')).toEqual([{ name: 'chapter', fallback: null, start: 0, end: 15 }])
  expect(mergeParts('')).toEqual([])
})

test('what does not end, or nests, is words', () => {
  for (const words of ['{{first_name', 'first_name}}', '{{a{{b}', '{first_name}']) expect(mergeParts(words)).toEqual([words])
})

test('every field is found with its place', () => {
  const message = content({
    subject: 'For {{first_name | you}}',
    preheader: '{{chapter | us}}',
    body: {
      blocks: [
        text('Hi'),
        {
          type: 'columns',
          left: [{ type: 'button', label: '{{full_name}}', href: 'https://example.org' }],
          right: [text('x {{salutation}}')],
        },
      ],
    },
  })
  expect(mergeUses(message)).toEqual([
    { part: 'subject', name: 'first_name', fallback: 'you', start: 4, end: 24 },
    { part: 'preheader', name: 'chapter', fallback: 'us', start: 0, end: 16 },
    { part: 'body', block: 1, column: 'left', inner: 0, name: 'full_name', fallback: null, start: 0, end: 13 },
    { part: 'body', block: 1, column: 'right', inner: 0, name: 'salutation', fallback: null, start: 2, end: 16 },
  ])
  expect(mergeFindings(message)).toEqual([])
})

test('unknown fields, broken marks and missing fallbacks are told with their position', () => {
  const bold = (value: string) => ({ type: 'text' as const, text: value, marks: [{ type: 'bold' as const }] })
  const message = content({
    subject: 'Dear {{frist_name | x}}',
    body: {
      blocks: [
        text('Your term ends on {{term_ends}}.'),
        {
          type: 'text',
          text: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'A {{first' }, bold('_name}}')] }] },
        },
      ],
    },
  })
  expect(mergeFindings(message)).toEqual([
    expect.objectContaining({ part: 'subject', name: 'frist_name', start: 5, end: 23, problem: 'unknown' }),
    expect.objectContaining({ part: 'body', block: 0, name: 'term_ends', start: 18, end: 31, problem: 'no_fallback' }),
    expect.objectContaining({ part: 'body', block: 1, start: 2, problem: 'broken' }),
    expect.objectContaining({ part: 'body', block: 1, start: 14, problem: 'broken' }),
  ])
})

test('names that objects have are no fields', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'email', ''])
    expect(mergeFindings(content({ subject: `{{${name}}}` })).map(({ problem }) => problem)).toEqual(['unknown'])
})

test('a fallback cannot end its mark', () => {
  expect(mergeText('first_name', 'friend')).toBe('{{first_name | friend}}')
  expect(mergeParts(mergeText('first_name', 'a}} {{b|c'))).toHaveLength(1)
})
