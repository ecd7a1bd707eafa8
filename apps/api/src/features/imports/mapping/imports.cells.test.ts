import { describe, expect, test } from 'vitest'
import { guessColumns, guessTarget } from './imports.columns.rules.ts'
import { readDraft } from '../planning/imports.drafts.rules.ts'
import { fieldRules } from './imports.fields.rules.ts'
import { ungarbled } from '../reading/imports.garbled.rules.ts'
import { readValue, saysNothing } from './imports.values.rules.ts'

const garble = (text: string) => new TextDecoder('windows-1252').decode(new TextEncoder().encode(text))
const people = {
  kind: 'people',
  headers: ['Name', 'City'],
  targets: ['fullName', 'city'],
  reading: { dateOrder: 'ymd', phoneCountry: null },
} as const
const read = (cells: string[], more: { garbled?: 'repair' | 'keep'; mixed?: number[] } = {}) =>
  readDraft({ line: 2, step: 1, cells }, { ...people, ...more })

describe('columns without a name', () => {
  test.each(['', ' ', '—', '***'])('"%s" is left to a person', (header) => {
    for (const kind of ['people', 'chapters', 'groups', 'positions', 'group_members'] as const)
      expect(guessTarget(kind, header)).toBe('ignore')
  })
  test('values do not make up for it', () => {
    const [column] = guessColumns('people', [''], [['https://example.org'], ['https://example.com']])
    expect(column).toMatchObject({ target: 'ignore', guess: 'ignore', suggestions: [] })
  })
})

describe('cells that say they are empty', () => {
  const rule = (field: string) => fieldRules.people[field] ?? { is: 'flag' as const }
  test.each(['-', '–', '—', '--', '.', '...', 'n/a', 'N/A', '#N/A', 'n.a.', '#NV', '\\N'])('"%s" in every field', (value) => {
    for (const field of ['familyName', 'note', 'memberNo', 'birthDate', 'tag']) expect(saysNothing(value, rule(field))).toBe(true)
  })
  test.each(['none', 'None', 'NULL', 'undefined', '(none)'])('"%s" where no name and no free text stands', (value) => {
    for (const field of ['memberNo', 'birthDate', 'email', 'phone', 'lifecycle', 'tag', 'country', 'gradYear'])
      expect(saysNothing(value, rule(field))).toBe(true)
    for (const field of ['familyName', 'givenName', 'fullName', 'note', 'street', 'city', 'employer'])
      expect(saysNothing(value, rule(field))).toBe(false)
  })
  test('NA is a surname and a country, but no date', () => {
    expect(['familyName', 'country', 'memberNo', 'birthDate', 'lifecycle'].map((field) => saysNothing('NA', rule(field)))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ])
  })
  test('people called Null and None come in; a dash is no city', () => {
    expect(read(['Christopher Null', '–'])).toMatchObject({ fields: { fullName: 'Christopher Null' }, findings: [] })
    expect(read(['Anna None', '-']).fields).toEqual({ fullName: 'Anna None' })
  })
})

describe('characters that nobody sees', () => {
  test.each([
    ['An\u200bna', 'Anna', 'U+200B'],
    ['\u202eAnna', 'Anna', 'U+202E'],
    ['Anna\u00ad-Lee', 'Anna-Lee', 'U+00AD'],
  ])('%j arrives as %s, with a word about it', (cell, name, code) => {
    const draft = read([cell])
    expect(draft.fields['fullName']).toBe(name)
    expect(draft.findings).toMatchObject([{ level: 'warning', code: 'hidden_character', message: expect.stringContaining(code) }])
  })
  test.each(['علی\u200cرضا', 'क्\u200dष', '👩\u200d👩\u200d👧'])('joiners that shape letters stay: %s', (cell) =>
    expect(read([cell])).toMatchObject({ fields: { fullName: cell }, findings: [] }),
  )
})

describe('garbled letters', () => {
  test.each(['Müller', 'Иван', 'Größe', '山田', 'àéî', 'Łódź', '“quoted”', 'Ñandú'])('%s is found again', (text) => {
    expect(ungarbled(garble(text))).toBe(text)
    expect(ungarbled(garble(garble(text)))).toBe(text)
  })
  test.each(['Müller', 'Иван', 'SÃO', 'Anna', 'Ünal Ölçer', 'Âge', 'Ång', 'MANHÃ', 'naïve', 'Łódź', '€ 5', ''])('%s is sound', (text) =>
    expect(ungarbled(text)).toBeNull(),
  )
  test('are refused until someone decides, repaired with a word about it, or kept', () => {
    const cells = [garble('Jörg Müller'), 'Ulm']
    expect(read(cells).findings).toMatchObject([{ level: 'error', code: 'garbled_text', message: expect.stringContaining('Jörg Müller') }])
    expect(read(cells, { garbled: 'repair' })).toMatchObject({
      fields: { fullName: 'Jörg Müller' },
      findings: [{ level: 'warning', code: 'garbled_repaired' }],
    })
    expect(read(cells, { garbled: 'keep' }).fields['fullName']).toBe(cells[0])
    // Beside sound cells it is not sure what happened to the column.
    expect(read(cells, { garbled: 'repair', mixed: [0] }).findings).toMatchObject([{ level: 'error', code: 'garbled_text' }])
  })
})

describe('cells of spreadsheets that went wrong', () => {
  test.each([
    ['#REF!', 'spreadsheet_error'],
    ['#VALUE!', 'spreadsheet_error'],
    ['#NAME?', 'spreadsheet_error'],
    ['#DIV/0!', 'spreadsheet_error'],
    ['#####', 'spreadsheet_error'],
    ['#FORMULA!', 'formula_not_calculated'],
  ])('%s is refused', (cell, code) => expect(read(['Ann Lee', cell]).findings).toMatchObject([{ level: 'error', code }]))
  test('a number in scientific notation is no member number and no telephone number', () => {
    for (const field of ['memberNo', 'postalCode', 'phone'])
      expect(readValue('4.9E+11', fieldRules.people[field] ?? { is: 'flag' }, people.reading)).toMatchObject({
        fault: { code: 'shortened_number' },
      })
  })
})

describe('telephone numbers', () => {
  const phone = (value: string, phoneCountry: string | null = null) => readValue(value, { is: 'phone' }, { dateOrder: null, phoneCountry })
  test.each(['hello 123', '12', '000 000', 'call me', 'ann@example.org', '123 or 456', '+49 30 1 +49 30 2', '555-CALL'])(
    '"%s" is none',
    (value) => {
      expect(phone(value)).toMatchObject({ fault: { code: 'not_a_phone_number' } })
      expect(phone(value, 'DE')).toMatchObject({ fault: { code: 'not_a_phone_number' } })
    },
  )
  test.each([
    ['030 901820', 'DE', '+4930901820'],
    ['Tel.: +49 (30) 90-18/20', null, '+4930901820'],
    ['(415) 555-2671 x12', 'US', '+14155552671 ext. 12'],
    ['0301 / 12 34', null, '0301 / 12 34'],
  ])('%s in %s is %s', (value, country, expected) => expect(phone(value, country)).toEqual({ value: expected }))
})

test('words that every object knows are no choices', () => {
  for (const word of ['constructor', 'toString', '__proto__'])
    expect(readValue(word, fieldRules.groups['kind'] ?? { is: 'flag' }, people.reading)).toMatchObject({ fault: { code: 'not_a_choice' } })
})
