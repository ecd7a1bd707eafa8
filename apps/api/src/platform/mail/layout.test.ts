import { expect, test } from 'vitest'
import { colorsOf, contrast, linkOn } from '../public-pages/colors.ts'
import { textsIn } from '../texts/texts.ts'
import { writeMail } from './layout.ts'
import type { MailBrand } from './layout.ts'

const shades = ['00', '2f', '5d', '80', 'b0', 'd4', 'ff']
const colors = shades.flatMap((red) => shades.flatMap((green) => shades.map((blue) => `#${red}${green}${blue}`)))

test('words on a button and links can be read, whatever colour the organisation has', () => {
  for (const color of colors) {
    const { onColor } = colorsOf(color)
    expect(contrast(color, onColor), `${onColor} on ${color}`).toBeGreaterThanOrEqual(4.5)
    for (const [paper, other] of [
      ['#ffffff', '#1c4f9c'],
      ['#1f2328', '#8fb8f5'],
    ] as const)
      expect(contrast(paper, linkOn(paper, color, other)), `a link in ${color} on ${paper}`).toBeGreaterThanOrEqual(4.5)
  }
})

const mail = (brand: Partial<MailBrand>) =>
  writeMail(
    { subject: 'Dues', paragraphs: ['Hello'], items: [{ text: 'One', path: '/a' }], action: { label: 'Pay', path: '/pay' } },
    { i18n: textsIn('en'), brand: { name: 'Society', ...colorsOf(null), ...brand }, publicUrl: 'https://members.example.org' },
  )

test('a mail wears the colour of its organisation, with words that can be read on it', async () => {
  const yellow = (await mail(colorsOf('#ffe14d'))).html
  expect(yellow).toMatch(/background:#ffe14d;[^"]*color:#000000/)
  // Yellow links on white could not be read.
  expect(yellow).toContain('.words a { color: #1c4f9c }')
  const blue = (await mail(colorsOf('#123a8c'))).html
  expect(blue).toMatch(/background:#123a8c;[^"]*color:#ffffff/)
  expect(blue).toContain('.words a { color: #123a8c }')
})

test('a subject adds no attribute to a mail', async () => {
  const write = (subject: string) =>
    writeMail(
      { subject, paragraphs: [] },
      { i18n: textsIn('en'), brand: { name: 'Society', ...colorsOf(null) }, publicUrl: 'https://members.example.org' },
    )
  expect((await write('x" onmouseover="alert(1)')).html).toContain('aria-label="x&quot; onmouseover=&quot;alert(1)"')
})

test('a mail says how it looks in the dark', async () => {
  const { html } = await mail({})
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  expect(html).toMatch(/@media \(prefers-color-scheme: dark\) \{[^@]*\.words a \{ color: #8fb8f5 !important \}/)
})

test('the logo is a picture of the mail itself, and there is none where there is no logo', async () => {
  const logo = { cid: 'logo@guildhall', content: Buffer.from('x'), width: 90 }
  expect((await mail({ logo })).html).toMatch(/<img[^>]*src="cid:logo@guildhall"[^>]*width="90"/)
  expect((await mail({})).html).not.toContain('<img')
})
