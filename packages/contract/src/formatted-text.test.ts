import { expect, test } from 'vitest'
import { documentOf, htmlOf, mentionedIn, noText, plainTextOf, withNames } from './formatted-document.ts'
import type { FormattedDocument } from './formatted-document.ts'
import { FormattedText, formattedText } from './formatted-text.ts'
import { hostile } from './hostile-texts-testing.ts'

const accepted = formattedText()
const ann = '01920000-0000-7000-8000-000000000001'
const line = (text: string): FormattedDocument => ({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] })
const linked = (href: string): FormattedDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href } }] }] }],
})

const everything: FormattedDocument = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Plan & minutes' }] },
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Ask ' },
        { type: 'mention', attrs: { personId: ann } },
        { type: 'text', text: ' now', marks: [{ type: 'bold' }, { type: 'italic' }] },
        { type: 'hardBreak' },
        { type: 'text', text: 'old', marks: [{ type: 'strike' }] },
        { type: 'text', text: 'the page', marks: [{ type: 'link', attrs: { href: 'https://a.example/?b=1&c=2' } }] },
      ],
    },
    {
      type: 'orderedList',
      attrs: { start: 3 },
      content: [
        {
          type: 'listItem',
          content: [
            { type: 'paragraph', content: [{ type: 'text', text: 'one', marks: [{ type: 'code' }] }] },
            {
              type: 'bulletList',
              content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'inner' }] }] }],
            },
          ],
        },
      ],
    },
    { type: 'horizontalRule' },
    { type: 'blockquote', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'said' }] }] },
  ],
}

test('everything the editor makes is accepted, and drawn for mails and as plain text', () => {
  const document = withNames(accepted.parse(everything), { [ann]: 'Ann <Lee>' })
  expect(FormattedText.parse(document)).toEqual(document)
  expect(htmlOf(document)).toBe(
    '<h2>Plan &amp; minutes</h2><p>Ask @Ann &lt;Lee&gt;<em><strong> now</strong></em><br><s>old</s>' +
      '<a href="https://a.example/?b=1&amp;c=2" rel="noopener noreferrer">the page</a></p>' +
      '<ol start="3"><li><p><code>one</code></p><ul><li><p>inner</p></li></ul></li></ol><hr><blockquote><p>said</p></blockquote>',
  )
  expect(plainTextOf(document)).toBe(
    'Plan & minutes\n\nAsk @Ann <Lee> now\noldthe page (https://a.example/?b=1&c=2)\n\n3. one\n   - inner\n\n---\n\n> said',
  )
})

test('names are stored for nobody and drawn for those who may see them', () => {
  const stored = accepted.parse(withNames(everything, { [ann]: 'Ann Lee' }))
  expect(JSON.stringify(stored)).not.toContain('Ann Lee')
  expect(mentionedIn(stored)).toEqual([ann])
  expect(plainTextOf(withNames(stored, {}))).toContain('Ask @someone now')
  expect(htmlOf(stored)).toContain('@someone')
})

test.each(hostile.tags)('as a text %s stays a text', (payload) => {
  const document = accepted.parse(line(payload))
  expect(htmlOf(document)).not.toMatch(/<(?!\/?p>)/)
  expect(plainTextOf(document)).toBe(payload.replace(/\s+/g, ' ').trim())
})

test.each(hostile.links)('%j is no link, neither when sent nor when drawn', (href) => {
  expect(accepted.safeParse(linked(href)).success).toBe(false)
  expect(htmlOf(linked(href))).toBe('<p>x</p>')
})

test.each(['https://example.org/a?b=c#d', 'http://localhost:3000', 'HTTPS://Example.org', 'mailto:ann@example.org?subject=Hello'])(
  '%s is a link',
  (href) => {
    expect(accepted.safeParse(linked(href)).success).toBe(true)
    expect(htmlOf(linked(href))).toContain('href=')
  },
)

test.each(hostile.documents)('%s is refused', (_name, document) => {
  expect(accepted.safeParse(document).success).toBe(false)
})

test('what is not known is left out when drawn, however deep it is', () => {
  for (const [, document] of hostile.documents) {
    if (typeof document !== 'object' || document === null || !('content' in document) || !Array.isArray(document.content)) continue
    const drawn = htmlOf({ type: 'doc', content: document.content })
    expect(
      drawn.replace(/<\/?(?:p|strong|ul|li|blockquote|h[2-4]|a(?: href="https:\/\/a\.example" rel="noopener noreferrer")?)>/g, ''),
    ).not.toMatch(/[<>]|javascript/)
  }
})

test('nothing has one form, and a limit counts characters', () => {
  expect(
    accepted.parse({ type: 'doc', content: [{ type: 'paragraph' }, { type: 'paragraph', content: [{ type: 'hardBreak' }] }] }),
  ).toEqual(noText)
  expect(formattedText(10, 1).safeParse(noText).error?.issues[0]?.message).toBe('Enter something here.')
  expect(formattedText(4).safeParse(line('eleven')).error?.issues[0]?.message).toBe('Keep this to 4 characters.')
})

test('plain text becomes paragraphs and back', () => {
  const text = 'Ours since 1901.\nSecond line\n\nNext paragraph'
  expect(plainTextOf(accepted.parse(documentOf(text)))).toBe(text)
  expect(documentOf(' \n')).toEqual(noText)
})
