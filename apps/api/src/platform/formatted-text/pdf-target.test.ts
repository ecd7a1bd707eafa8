import { renderFormattedText } from '@guildhall/contract/formatted-document'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import { hostile } from '@guildhall/contract/hostile-texts-testing'
import { Document, Page, renderToBuffer } from '@react-pdf/renderer'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { pdfTarget } from './pdf-target.ts'

const paragraph = (text: string, href?: string): FormattedDocument['content'][number] => ({
  type: 'paragraph',
  content: [{ type: 'text', text, ...(href !== undefined && { marks: [{ type: 'link', attrs: { href } }] }) }],
})
const pdfOf = async (content: FormattedDocument['content']) => {
  const text = renderFormattedText({ type: 'doc', content }, pdfTarget)
  const pdf = await renderToBuffer(createElement(Document, null, createElement(Page, {}, text)))
  return pdf.toString('latin1')
}

test('a PDF of hostile texts has no action but links to pages and mails', async () => {
  const pdf = await pdfOf([
    ...hostile.tags.map((text) => paragraph(text)),
    ...hostile.links.map((href) => paragraph('x', href)),
    paragraph('ours', 'https://example.org/a'),
    { type: 'orderedList', attrs: { start: 2 }, content: [{ type: 'listItem', content: [paragraph('second')] }] },
    { type: 'blockquote', content: [paragraph('said')] },
    { type: 'horizontalRule' },
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Plan', marks: [{ type: 'bold' }, { type: 'italic' }] }] },
  ])
  expect(pdf).toMatch(/^%PDF-/)
  // Names of actions stand outside of texts, which are written as glyphs.
  expect(pdf.match(/\/S \/\w+/g)?.filter((action) => !['/S /URI', '/S /Transparency'].includes(action)) ?? []).toEqual([])
  expect(pdf.match(/\/URI \([^)]*\)/g)).toEqual(['/URI (https://example.org/a)'])
  expect(pdf).not.toMatch(/\/(?:JavaScript|JS|Launch|OpenAction|AA|EmbeddedFile)\b/)
})
