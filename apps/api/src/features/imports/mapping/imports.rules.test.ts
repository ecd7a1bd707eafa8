import { describe, expect, test } from 'vitest'
import iconv from 'iconv-lite'
import { detectDateOrder, parseDate } from './imports.dates.rules.ts'
import { doubledFields, guessColumns, guessTarget, headerKey, missingFields } from './imports.columns.rules.ts'
import { readDraft } from '../planning/imports.drafts.rules.ts'
import { createSniffer } from '../reading/imports.encoding.rules.ts'
import type { PersonMatch } from '../../people/people.import.queries.ts'
import { chooseMatch, splitName } from '../../people/people.import.rules.ts'
import { seatsNeeded } from '../../chapters/chapters.import.seats.rules.ts'
import { detectHeaderRow, detectSeparator, rowsOf } from '../reading/imports.table.rules.ts'
import { orderTree } from '../planning/imports.tree.rules.ts'
import { restorable } from '../running/imports.undo.rules.ts'
import { cleanCell } from './imports.values.rules.ts'

const sniff = (...chunks: Buffer[]) => {
  const sniffer = createSniffer()
  for (const chunk of chunks) sniffer.push(chunk)
  return sniffer.result()
}
const german = 'Vorname;Nachname;Ort\nJürgen;Größler;Köln\nBjörn;Weiß;Düsseldorf\nÄnne;Müller;Fürth\n'.repeat(20)
const japanese = '会員番号,姓,名,住所\n1001,山田,太郎,東京都千代田区\n1002,佐藤,花子,大阪府大阪市\n'.repeat(20)

describe('what a file is', () => {
  test.each([
    ['utf-8', Buffer.from(german)],
    ['utf-8', Buffer.concat([Buffer.from('efbbbf', 'hex'), Buffer.from(german)])],
    ['utf-16le', iconv.encode(german, 'utf-16le', { addBOM: true })],
    ['utf-16be', iconv.encode(german, 'utf-16be', { addBOM: true })],
    ['utf-16le', iconv.encode(german, 'utf-16le')],
    ['utf-16be', iconv.encode(german, 'utf-16be')],
    ['windows-1252', iconv.encode(german, 'windows-1252')],
    ['shift_jis', iconv.encode(japanese, 'shift_jis')],
    ['euc-jp', iconv.encode(japanese, 'euc-jp')],
  ] as const)('%s is told by its content and gives back every letter', (encoding, content) => {
    const found = sniff(content)
    expect(found).toMatchObject({ type: 'csv', encoding })
    expect(iconv.decode(content, encoding)).toBe(encoding === 'shift_jis' || encoding === 'euc-jp' ? japanese : german)
  })
  test('a letter cut in two between chunks is still UTF-8', () => {
    const content = Buffer.from('name\nJörg\n')
    expect(sniff(content.subarray(0, 7), content.subarray(7))).toMatchObject({ type: 'csv', encoding: 'utf-8', sure: true })
  })
  test('mostly UTF-8 with a stray byte stays UTF-8, and is not sure', () => {
    expect(sniff(Buffer.from(german), Buffer.from([0x4a, 0xf6, 0x72, 0x67, 0x0a]))).toMatchObject({ encoding: 'utf-8', sure: false })
  })
  test.each([
    ['empty_file', Buffer.alloc(0)],
    ['not_a_table', Buffer.from('%PDF-1.7 …')],
    ['not_a_table', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['not_a_table', Buffer.from('<!DOCTYPE html><html></html>')],
    ['not_a_table', Buffer.from('[{"name":"x"}]')],
    ['old_or_locked', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['binary_file', Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7) % 32))],
  ])('refuses a file as %s', (reason, content) => {
    expect(sniff(content)).toMatchObject({ type: 'refused', why: { reason } })
  })
})

describe('the table', () => {
  test.each([',', ';', '\t', '|'] as const)('separator %j is found although others stand in the text', (separator) => {
    const rows = [
      ['name', 'note', 'city'],
      ['Ann', '"a, b; c"', 'Rome'],
      ['Bob', 'x', 'Ulm'],
    ]
    expect(detectSeparator(rows.map((row) => row.join(separator)).join('\n'))).toBe(separator)
  })
  test.each(['\n', '\r\n', '\r'])('line end %j', (end) => {
    expect(rowsOf(['a,b', '1,2', '3,4'].join(end), ',', 10)).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ])
  })
  test('mixed line ends, quoted line breaks and quotes inside a cell', () => {
    expect(rowsOf('a,b\r\n"x\ny",2\rJohn "Jack" Smith,3\n', ',', 10)).toEqual([
      ['a', 'b'],
      ['x\ny', '2'],
      ['John "Jack" Smith', '3'],
    ])
  })
  test('the header is the first row of words as wide as the table; none when it holds values', () => {
    expect(detectHeaderRow([['Members 2026'], [''], ['No', 'Name', 'City'], ['1', 'Ann', 'Rome']])).toBe(3)
    expect(
      detectHeaderRow([
        ['1', 'Ann', 'Rome'],
        ['2', 'Bob', 'Ulm'],
      ]),
    ).toBe(0)
  })
})

describe('dates', () => {
  test.each([
    ['2020-03-04', null, '2020-03-04'],
    ['04/03/2020', 'dmy', '2020-03-04'],
    ['04/03/2020', 'mdy', '2020-04-03'],
    ['4.3.20', 'dmy', '2020-03-04'],
    ['4.3.68', 'dmy', '1968-03-04'],
    ['20200304', null, '2020-03-04'],
    ['4 March 2020', null, '2020-03-04'],
    ['Mar 4, 2020', null, '2020-03-04'],
    ['2020-03-04 00:00:00', null, '2020-03-04'],
    ['31/02/2020', 'dmy', null],
    ['13/13/2020', 'mdy', null],
    ['soon', 'dmy', null],
    ['04/03/2020', null, null],
  ] as const)('%s read %s is %s', (text, order, expected) => expect(parseDate(text, order)).toBe(expected))
  test('the order is told by the one date that allows no other, and asked for when none does', () => {
    expect(detectDateOrder([['01/02/2020', '03/04/2020', '25/12/2020']])).toEqual({ order: 'dmy', asked: false })
    expect(detectDateOrder([['01/02/2020', '12/25/2020']])).toEqual({ order: 'mdy', asked: false })
    expect(detectDateOrder([['01/02/2020', '03/04/2020']])).toEqual({ order: null, asked: true })
    expect(detectDateOrder([['01.02.2020']])).toEqual({ order: 'dmy', asked: false })
    expect(detectDateOrder([['2020-01-02'], ['no date']])).toEqual({ order: 'ymd', asked: false })
    // A second column of the same file settles it for both.
    expect(detectDateOrder([['01/02/2020'], ['30/11/2020']])).toEqual({ order: 'dmy', asked: false })
  })
})

describe('columns', () => {
  test.each([
    ['first_name', 'givenName'],
    ['Firstname', 'givenName'],
    ['Vorname', 'givenName'],
    ['Prénom', 'givenName'],
    ['Given name', 'givenName'],
    ['Apellidos', 'familyName'],
    ['E-Mail-Adresse', 'email'],
    ['Straße', 'street'],
    ['PLZ', 'postalCode'],
    ['Geburtsdatum', 'birthDate'],
    ['氏名', 'fullName'],
    ['wikidata_id', 'link:wikidata'],
    ['LinkedIn URL', 'link:linkedin'],
    ['T-shirt', 'ignore'],
  ])('"%s" is %s', (header, target) => expect(guessTarget('people', header)).toBe(target))
  test('a field goes to the first column that asks for it, e-mail and tags to all of them', () => {
    const columns = guessColumns('people', ['First', 'Given name', 'Last', 'Name', 'E-mail', 'Mail', 'Party'], [])
    expect(columns.map(({ guess }) => guess)).toEqual(['givenName', 'ignore', 'familyName', 'ignore', 'email', 'email', 'tag'])
    expect(doubledFields(['email', 'email', 'city', 'city', 'ignore', 'ignore'])).toEqual(['city'])
  })
  test('unknown columns are suggested as tags or links by their values', () => {
    const rows = Array.from({ length: 12 }, (_, i) => [`x${i}`, i % 2 ? 'Gold' : 'Silver', `https://example.org/${i}`])
    expect(guessColumns('people', ['Foo', 'Rank of honour', 'Blog roll'], rows).map(({ suggestions }) => suggestions)).toEqual([
      [],
      ['tag'],
      ['link:blogroll'],
    ])
  })
  test('needed fields that nobody chose are named; saved mappings fit whatever the spelling', () => {
    expect(missingFields('people', ['memberNo', 'city'])).toEqual([['givenName', 'familyName', 'fullName', 'recordId']])
    expect(missingFields('positions', ['memberNo', 'title', 'chapterCode', 'startsOn'])).toEqual([])
    expect(headerKey(['First Name', 'E-mail'])).toBe(headerKey(['first_name', 'EMAIL']))
  })
})

describe('rows', () => {
  const mapped = {
    kind: 'people',
    headers: ['Name', 'Mail', 'Born', 'Tags', 'Phone'],
    targets: ['fullName', 'email', 'birthDate', 'tag', 'phone'],
    reading: { dateOrder: 'dmy', phoneCountry: 'DE' },
  } as const
  const read = (...cells: string[]) => readDraft({ line: 2, step: 1, cells }, mapped)
  test('every fault is named with column, value and what to do', () => {
    const { findings } = read('Ann', 'no-mail', '31.02.1990', 'x'.repeat(61), '030 901820')
    expect(findings.map(({ code, column }) => [code, column])).toEqual([
      ['not_an_email', 'Mail'],
      ['not_a_date', 'Born'],
      ['too_long', 'Tags'],
    ])
    expect(findings[1]).toMatchObject({ value: '31.02.1990', message: 'This is not a date in the order day/month/year.' })
  })
  test('values are cleaned, tags split, telephone numbers made international', () => {
    const draft = read(' Ann\u00a0Lee ', 'mailto:ann@example.org', '3.4.1990', 'Gold; Silver,gold', '030 901820')
    expect(draft.findings).toEqual([])
    expect([draft.fields['fullName'], draft.emails, draft.fields['birthDate'], draft.tags, draft.phones]).toEqual([
      'Ann Lee',
      ['ann@example.org'],
      '1990-04-03',
      ['Gold', 'Silver'],
      ['+4930901820'],
    ])
  })
  test.each([
    ['A\u0000nn', 'control_character'],
    ['A\u001ann', 'control_character'],
    ['J\ufffdrg', 'broken_character'],
    ['A\ud800', 'broken_character'],
    ['x'.repeat(70_000), 'too_long'],
  ])('a cell that cannot be used is refused: %#', (cell, code) => expect(read(cell, '', '', '', '').findings[0]?.code).toBe(code))
  test('more cells than columns are refused, fewer are empty', () => {
    expect(read('Ann', '', '', '', '', 'more').findings[0]?.code).toBe('too_many_cells')
    expect(read('Ann').findings).toEqual([])
  })
  test('characters that nobody can see are an empty cell', () =>
    expect(['\u200b\u200d', '\u3164', '\u2060 \u00ad'].map(cleanCell)).toEqual(['', '', '']))
  test('what an export guarded against formulas comes back as it was', () => expect(cleanCell("'=1+1")).toBe('=1+1'))
})

describe('decisions', () => {
  test.each([
    ['Anna Maria Schmidt', 'Anna Maria', 'Schmidt'],
    ['Schmidt, Anna', 'Anna', 'Schmidt'],
    ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
    ['Madonna', 'Madonna', ''],
  ])('%s', (name, givenName, familyName) => expect(splitName(name)).toEqual({ givenName, familyName }))
  test('keys narrow each other down or contradict each other; a new number never leads to someone with another one', () => {
    const match = (by: PersonMatch['by'], id: string, memberNo: string | null, archived = false, civicrm?: string) => ({
      at: 1,
      by,
      id,
      name: id.toUpperCase(),
      memberNo,
      externalIds: civicrm === undefined ? {} : { civicrm },
      lifecycle: 'active',
      archived,
    })
    const told = (memberNo: string | null, civicrm?: string) => ({ memberNo, externalIds: civicrm === undefined ? {} : { civicrm } })
    expect(chooseMatch([match('memberNo', 'a', '1'), match('emailAndName', 'b', null)], told('1'))).toMatchObject({
      conflict: [{ by: 'memberNo' }, { by: 'emailAndName' }],
    })
    const both = [match('memberNo', 'a', '1'), match('emailAndName', 'a', '1'), match('emailAndName', 'b', null)]
    expect(chooseMatch(both, told('1'))).toEqual({ id: 'a', name: 'A', by: 'memberNo' })
    expect(chooseMatch([match('link', 'a', '1'), match('nameAndBirthDate', 'b', '2')], told(null))).toHaveProperty('conflict')
    expect(chooseMatch([match('link', 'b', '2'), match('name', 'a', '1'), match('name', 'b', '2')], told(null))).toMatchObject({
      id: 'b',
      by: 'link',
    })
    expect(chooseMatch([match('name', 'b', '2')], told(null))).toMatchObject({ id: 'b', by: 'name' })
    expect(chooseMatch([match('emailAndName', 'b', '2')], told('1'))).toEqual({ none: true })
    expect(chooseMatch([match('emailAndName', 'b', null)], told('1'))).toEqual({ id: 'b', name: 'B', by: 'emailAndName' })
    expect(chooseMatch([match('emailAndName', 'b', '1'), match('emailAndName', 'c', '2')], told(null))).toEqual({
      many: [
        { id: 'b', name: 'B' },
        { id: 'c', name: 'C' },
      ],
    })
    const known = match('emailAndName', 'a', null, false, '57')
    expect(chooseMatch([known], told(null, '58'))).toEqual({ none: true })
    expect(chooseMatch([known, match('externalId', 'a', null, false, '57')], told(null, '57'))).toMatchObject({
      id: 'a',
      by: 'emailAndName',
    })
    expect(chooseMatch([known, match('externalId', 'b', null, false, '58')], told(null, '58'))).toHaveProperty('conflict')
    expect(chooseMatch([match('memberNo', 'a', '1', false, '57')], told('1', '58'))).toMatchObject({ id: 'a', by: 'memberNo' })
    expect(chooseMatch([match('memberNo', 'a', '1', true)], told('1'))).toMatchObject({ archived: true, record: null })
  })
  test('parents come before children wherever they stand; circles are found and named', () => {
    const rows = [
      ['c', 'b'],
      ['b', 'a'],
      ['a', ''],
      ['x', 'y'],
      ['y', 'x'],
    ].map((cells, i) => ({ line: i + 2, step: i + 1, cells }))
    const { rows: ordered, tree } = orderTree(rows, ({ cells: [code = '', parentCode = ''] }) => ({ code, parentCode }))
    expect(ordered.map(({ cells }) => cells[0])).toEqual(['a', 'x', 'y', 'b', 'c'])
    expect(tree.get('x')?.circle).toEqual(['x', 'y', 'x'])
    expect(tree.get('c')?.circle).toBeNull()
  })
  test('seats of an office count who holds it on the same day; a hand-over takes none', () => {
    const term = (startsOn: string, endsOn: string | null) => ({ startsOn, endsOn })
    expect(seatsNeeded([term('2001-01-01', '2007-01-01'), term('2007-01-01', null)])).toBe(1)
    expect(seatsNeeded([term('2001-01-01', '2007-01-01'), term('2003-01-01', '2005-01-01'), term('2005-01-01', null)])).toBe(2)
  })
  test('an undo gives back only what nobody changed since', () => {
    const effect = { table: 'people', key: { id: 'x' }, before: { city: 'Ulm', job: '' }, after: { city: 'Rome', job: 'Cook' } }
    expect(restorable({ city: 'Rome', job: 'Baker' }, effect)).toEqual({ values: { city: 'Ulm' }, changed: ['job'] })
  })
})
