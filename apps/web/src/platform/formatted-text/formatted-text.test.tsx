import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { htmlOf, noText, plainTextOf } from '@guildhall/contract/formatted-document'
import type { FormattedBlock, FormattedDocument } from '@guildhall/contract/formatted-document'
import { FormattedText as Rules } from '@guildhall/contract/formatted-text'
import { hostile } from '@guildhall/contract/hostile-texts-testing'
import { Editor } from '@tiptap/core'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { fromEditor, toEditor } from './editor-document.ts'
import { extensions } from './editor-extensions.ts'
import { FormattedTextField } from './formatted-text-field.tsx'
import { FormattedText } from './formatted-text.tsx'

const paragraph = (text: string, href?: string): FormattedBlock => ({
  type: 'paragraph',
  content: [{ type: 'text', text, ...(href !== undefined && { marks: [{ type: 'link', attrs: { href } }] }) }],
})
const harmless = new Set([
  'P',
  'DIV',
  'A',
  'BR',
  'STRONG',
  'EM',
  'S',
  'CODE',
  'UL',
  'OL',
  'LI',
  'BLOCKQUOTE',
  'HR',
  'H2',
  'H3',
  'H4',
  'H5',
  'SPAN',
])
/** What could run or lead elsewhere. */
const dangers = (root: Element): string[] =>
  [...root.querySelectorAll('*')].flatMap((element) => [
    ...(harmless.has(element.tagName) ? [] : [element.tagName]),
    ...[...element.attributes].filter(({ name }) => /^(on|src|style|formaction|xlink)/.test(name)).map(({ name }) => name),
    ...[...element.attributes]
      .filter(({ name, value }) => name === 'href' && !/^(https?:|mailto:|\/)/.test(value))
      .map(({ value }) => value),
  ])

const all: FormattedDocument = {
  type: 'doc',
  content: [...hostile.tags.map((text) => paragraph(text)), ...hostile.links.map((href) => paragraph('x', href))],
}

test('nothing hostile becomes more than words, on a page and in a mail', async () => {
  renderWithApi(<FormattedText document={all} />)
  expect(await screen.findByText('<svg onload=alert(1)>')).toBeVisible()
  expect(dangers(document.body.querySelector('[dir="auto"]') ?? document.body)).toEqual([])
  expect(screen.queryAllByRole('link')).toEqual([])
  const mail = new DOMParser().parseFromString(htmlOf(all), 'text/html')
  expect(dangers(mail.body)).toEqual([])
  expect(mail.querySelectorAll('p')).toHaveLength(all.content.length)
})

test('a field has a name, a toolbar and a text to begin with', async () => {
  renderWithApi(<FormattedTextField label="About" placeholder="What is it for?" value={noText} error="Enter something here." />)
  const field = await screen.findByRole('textbox', { name: 'About' })
  expect(field).toHaveAccessibleDescription('Enter something here.')
  expect(screen.getByText('What is it for?')).toBeVisible()
  const toolbar = screen.getByRole('toolbar', { name: 'Formatting' })
  for (const name of ['Bold', 'Link', 'Numbered list', 'Small heading']) expect(within(toolbar).getByRole('button', { name })).toBeEnabled()
})

test('the editor gives back the document it was given', () => {
  const given: FormattedDocument = {
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 3 }, content: [{ type: 'text', text: 'Plan' }] },
      {
        type: 'orderedList',
        attrs: { start: 2 },
        content: [
          {
            type: 'listItem',
            content: [
              {
                type: 'paragraph',
                content: [
                  { type: 'text', text: 'Ask ', marks: [{ type: 'bold' }] },
                  { type: 'mention', attrs: { personId: '01920000-0000-7000-8000-000000000001', label: null } },
                  { type: 'hardBreak' },
                  { type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href: 'https://a.example' } }] },
                ],
              },
            ],
          },
        ],
      },
      { type: 'blockquote', content: [{ type: 'paragraph' }] },
      { type: 'horizontalRule' },
    ],
  }
  const editor = new Editor({ extensions: extensions({ render: () => ({}) }, '@someone', ''), content: toEditor(given) })
  expect(fromEditor(editor.getJSON())).toEqual(given)
  editor.destroy()
})

test('what is pasted from elsewhere keeps what we know and leaves the rest', () => {
  vi.stubGlobal('ClipboardEvent', Event)
  const editor = new Editor({ extensions: extensions({ render: () => ({}) }, '@someone', ''), content: toEditor(noText) })
  const paste = (html: string) => {
    editor.commands.clearContent()
    editor.view.pasteHTML(html)
    return fromEditor(editor.getJSON())
  }
  const word = `<html xmlns:o="urn:x"><head><style>p.MsoNormal {margin:0}</style><!--[if gte mso 9]><xml><o:x>1</o:x></xml><![endif]--></head><body>
    <h1 style="color:red" onclick="alert(1)">Plan</h1><p class=MsoNormal><b>First</b><o:p></o:p> <u>line</u></p><table><tr><td>Cell</td></tr></table></body></html>`
  const pasted = paste(word)
  expect(Rules.safeParse(pasted).success).toBe(true)
  expect(plainTextOf(pasted).replace(/\s+/g, ' ')).toBe('Plan First line Cell')
  expect(pasted.content[0]).toMatchObject({ type: 'heading', attrs: { level: 2 } })
  const docs =
    '<meta charset="utf-8"><b style="font-weight:normal"><p><span style="font-weight:700">Bold</span> and <a href="https://a.example">link</a></p></b>'
  expect(htmlOf(paste(docs))).toContain('<strong>Bold</strong> and <a href="https://a.example"')
  for (const tag of hostile.tags) {
    const document = paste(`<p>${tag}</p>`)
    expect(dangers(new DOMParser().parseFromString(htmlOf(document), 'text/html').body), tag).toEqual([])
    const { success, error } = Rules.safeParse(document)
    expect(success, `${tag}: ${error?.message}`).toBe(true)
  }
  for (const href of hostile.links) expect(Rules.safeParse(paste(`<p><a href="${href}">x</a></p>`)).success, href).toBe(true)
  editor.destroy()
})

test('a value that comes back late does not replace what was typed since', async () => {
  const sent: FormattedDocument[] = []
  function Late() {
    const [value, setValue] = useState<FormattedDocument>(noText)
    return (
      <>
        <FormattedTextField label="About" value={value} onChange={(document) => sent.push(document)} />
        <button type="button" onClick={() => setValue(sent[0] ?? noText)}>
          Echo
        </button>
      </>
    )
  }
  renderWithApi(<Late />)
  const field = await screen.findByRole('textbox', { name: 'About' })
  const divider = screen.getByRole('button', { name: 'Divider' })
  await userEvent.click(divider)
  await userEvent.click(divider)
  await waitFor(() => expect(field.querySelectorAll('hr')).toHaveLength(2))
  await userEvent.click(screen.getByRole('button', { name: 'Echo' }))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(field.querySelectorAll('hr')).toHaveLength(2)
})
