import { expect, test } from 'vitest'
import { framedHtml } from './preview-frame.ts'

const shown = { nonce: 'n0nce', dark: false }
const mail = (body: string) =>
  `<html><head><style type="text/css">@media (prefers-color-scheme: dark) { body { color: red } }</style></head><body>${body}</body></html>`

test('style attributes become rules with the nonce of the page, and nothing leads anywhere', () => {
  const html = framedHtml(
    mail('<a href="https://example.org/?a=1&amp;b=2" target="_blank" style="color:#123;font-family:&quot;Inter&quot;">x</a>'),
    shown,
  )
  expect(html).toContain('<a title="https://example.org/?a=1&amp;b=2" data-s="0">x</a>')
  expect(html).toContain(`[data-s="0"][data-s][data-s]{color:#123;font-family:'Inter'}`)
  expect(html.match(/<style[^>]*>/g)).toEqual(['<style nonce="n0nce">', '<style nonce="n0nce">'])
})

test('words that look like attributes stay words', () => {
  expect(framedHtml(mail('<p>&lt;b style="x"&gt; href="y"</p>'), shown)).toContain('<p>&lt;b style="x"&gt; href="y"</p>')
})

test('it is shown in the light or in the dark, whatever the reader has', () => {
  expect(framedHtml(mail(''), shown)).toContain('@media not all')
  expect(framedHtml(mail(''), { ...shown, dark: true })).toContain('@media all')
})
