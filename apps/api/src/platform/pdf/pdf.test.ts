import { Font } from '@react-pdf/renderer'
import { expect, test } from 'vitest'
import { fontsFor } from './fonts.ts'
import { renderPdf } from './render-pdf.ts'

const names = {
  Polish: 'Łukasz Żółć',
  Vietnamese: 'Nguyễn Thị Ánh',
  Russian: 'Ольга',
  Ukrainian: 'Їжакевич Ґалаґан',
  Greek: 'Ελένη Ἀθηνᾶ',
  Arabic: 'محمد',
  Hebrew: 'שלום',
  Chinese: '李小龙',
  Japanese: 'さくら',
  Turkish: 'İğdır Şahin',
}

const fontOf = async (fontFamily: string) => {
  await Font.load({ fontFamily, fontWeight: 400 })
  return Font.getFont({ fontFamily, fontWeight: 400 }).data
}

for (const [language, name] of Object.entries(names)) {
  test(`a ${language} name has a sign for each of its letters, in the fonts chosen for it`, async () => {
    const loaded = await Promise.all(fontsFor([name]).map(fontOf))
    const missing = Array.from(name.normalize('NFC')).filter(
      (sign) => !loaded.some((font) => font && 'hasGlyphForCodePoint' in font && font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0)),
    )
    expect(missing).toEqual([])
  })
}

test('a document of Latin names takes no other fonts along', () => {
  expect(fontsFor(['Ada Lovelace'])).toEqual(['noto-sans-latin'])
  expect(fontsFor(['Ada', names.Arabic])).toEqual(['noto-sans-latin', 'noto-sans-arabic-arabic'])
})

test('a list in all these scripts embeds their fonts, and nothing falls back to one that is not embedded', async () => {
  const rows = Object.entries(names).map(([language, name]) => [name, language])
  const document = { kind: 'table' as const, language: 'en', title: 'Members', facts: ['Society'], footer: 'Page {page} of {pages}' }
  const pdf = (await renderPdf({ ...document, columns: ['Name', 'Language'], rows })).toString('latin1')
  expect(pdf.slice(0, 5)).toBe('%PDF-')
  const embedded = new Set([...pdf.matchAll(/\/FontName \/[A-Z]{6}\+(\w+)/g)].map(([, name]) => name))
  for (const font of ['NotoSans', 'NotoSansArabic', 'NotoSansHebrew', 'NotoSansSC'])
    expect([...embedded].some((name) => name?.startsWith(font))).toBe(true)
  expect(pdf).not.toContain('Helvetica')
})

test('a card is of the size of a bank card and carries the code of its address', async () => {
  const pdf = await renderPdf({
    kind: 'card',
    language: 'en',
    organisation: 'The Society',
    color: '#1c4f9c',
    onColor: '#ffffff',
    title: 'Member card',
    name: names.Vietnamese,
    facts: [{ term: 'Member no.', value: '17' }],
    address: 'https://members.example.org/public/cards/abc',
    note: 'Scan to check this card',
  })
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString('latin1')) ?? []
  expect([Number(width), Number(height)].map(Math.round)).toEqual([243, 153])
})
