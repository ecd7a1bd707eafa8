import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Import } from '@guildhall/contract/features/imports'
import { describe, expect } from 'vitest'
import { test, uploadFile } from '../imports.testing.ts'
import { zip } from '../../../platform/files/zip-testing.ts'
import { inline, rows, workbook } from './imports.workbook.testing.ts'

const named = rows(`<row r="1">${inline('A1', 'Name')}${inline('B1', 'City')}</row>`, `<row r="2">${inline('A2', 'Ann Lee')}</row>`)
const one = (sheet: string | Buffer, more: Partial<Parameters<typeof workbook>[0]> = {}) => workbook({ sheets: { List: sheet }, ...more })
const farCell = one(rows(`<row r="1">${inline('A1', 'Name')}</row>`, `<row r="2">${inline('ZZZZZ2', 'x')}</row>`))
const ole = (content: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1024), Buffer.from(content, 'utf16le'), Buffer.alloc(512)])
const sheetOf = (inside: string) =>
  `<?xml version="1.0"?>${inside}<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>&lol;</t></is></c></row></sheetData></worksheet>`
const laughs = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 12 }, (_, i) => `<!ENTITY lol${i} "${`&lol${i - 1 < 0 ? '' : i - 1};`.repeat(10)}">`).join('')}]>`
/** Rows with long gaps: 400 MB that pack into less than one. */
const spaces = Buffer.alloc(400_000_000, `<row/>${' '.repeat(500_000)}`)
spaces.write('<worksheet><sheetData>')

const hostile: [what: string, content: () => Buffer, status: number, reason: string][] = [
  ['a cell in column ZZZZZ', () => farCell, 422, 'damaged_cell'],
  ['a value in column 501', () => one(rows(`<row r="1">${inline('SG1', 'x')}</row>`)), 422, 'too_many_columns'],
  ['a row beyond the last one', () => one(rows(`<row r="1048577">${inline('A1048577', 'x')}</row>`)), 422, 'damaged_cell'],
  ['a sheet of 400 MB in a file of 1 MB', () => one(spaces), 413, 'workbook_too_large'],
  [
    'the same sheet that claims to be empty',
    () => one(spaces, { change: (part) => (part.name.endsWith('sheet1.xml') ? { ...part, claims: 0 } : part) }),
    422,
    'damaged',
  ],
  [
    '10,000 parts',
    () => one(named, { more: Array.from({ length: 10_000 }, (_, i) => ({ name: `x/${i}`, content: '' })) }),
    413,
    'workbook_too_large',
  ],
  ['a part that is there twice', () => one(named, { more: [{ name: 'xl/worksheets/sheet1.xml', content: named }] }), 422, 'damaged'],
  ['XML a hundred thousand deep', () => one(`<worksheet>${'<a>'.repeat(100_000)}`), 422, 'unsafe_workbook'],
  ['entities that multiply', () => one(sheetOf(laughs)), 422, 'unsafe_workbook'],
  ['an entity that reads a file', () => one(sheetOf('<!DOCTYPE x [<!ENTITY lol SYSTEM "file:///etc/passwd">]>')), 422, 'unsafe_workbook'],
  ['a text of 50 MB', () => one(rows(`<row r="1">${inline('A1', 'x'.repeat(50_000_000))}</row>`)), 413, 'workbook_too_large'],
  [
    '1,000,001 shared strings',
    () => one(named, { strings: `<sst>${'<si><t>x</t></si>'.repeat(1_000_001)}</sst>` }),
    413,
    'workbook_too_large',
  ],
  ['100,001 rows', () => one(rows(`<row>${inline('', 'x').replace(' r=""', '')}</row>`.repeat(100_001))), 413, 'workbook_too_large'],
  ['a file cut off in the middle', () => one(named).subarray(0, 700), 422, 'damaged'],
  ['XML cut off in the middle', () => one(named.slice(0, -40)), 422, 'damaged'],
  ['a workbook with a password', () => ole('EncryptedPackage'), 422, 'locked'],
  ['an old Excel file', () => ole('Workbook'), 422, 'old_or_locked'],
  ['a ZIP archive with a password', () => one(named, { change: (part) => ({ ...part, encrypted: true }) }), 422, 'locked'],
  [
    'an OpenDocument file',
    () =>
      zip([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' },
        { name: 'content.xml', content: '<a/>' },
      ]),
    415,
    'not_a_table',
  ],
  ['a binary workbook', () => zip([{ name: 'xl/workbook.bin', content: 'x' }]), 415, 'not_a_table'],
  ['a Word document', () => zip([{ name: 'word/document.xml', content: '<a/>' }]), 415, 'not_a_table'],
  ['a workbook without sheets', () => workbook({ sheets: {} }), 422, 'damaged'],
]

const resident = () => process.memoryUsage.rss() / 1_000_000

describe('files made to harm', () => {
  test.for(hostile)(
    '%s: a clear answer, while others are answered and memory stays calm',
    { timeout: 60_000 },
    async ([, content, status, reason], { api, person }) => {
      const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
      const file = content()
      // Making the file keeps this process busy for so long that it turns requests away for a moment.
      while ((await secretary.get('/data/imports')).status === 503) await new Promise((resolve) => setTimeout(resolve, 100))
      const before = resident()
      let most = before
      let slowest = 0
      const reading = new AbortController()
      const others = (async () => {
        while (!reading.signal.aborted) {
          const start = performance.now()
          expect((await secretary.get('/data/imports')).status).toBe(200)
          slowest = Math.max(slowest, performance.now() - start)
          most = Math.max(most, resident())
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      })()
      const answer = await uploadFile(secretary, 'people', 'list.xlsx', file)
      reading.abort()
      await others
      const problem = JSON.parse(answer.text) as { reason?: string; detail?: string }
      expect([answer.status, problem.reason]).toEqual([status, reason])
      expect(problem.detail).toMatch(/\w+.*\. .*\./)
      // The file itself passes through this process on its way to the store, in the test as one buffer.
      expect(most - before).toBeLessThan(50 + (3 * file.length) / 1_000_000)
      expect(slowest).toBeLessThan(2_000)
      expect(((await secretary.get('/data/imports')).body as { items: unknown[] }).items).toEqual([])
    },
  )

  test('a million empty cells and formatted rows below the table are nothing', { timeout: 60_000 }, async ({ api, person }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const empty = Array.from({ length: 10_000 }, (_, i) => `<row r="${i + 3}">${'<c s="0"/>'.repeat(100)}</row>`).join('')
    const far = `<row r="1048576"><c r="XFD1048576" s="0"/></row>`
    const { import: taken, text } = await uploadFile(
      secretary,
      'people',
      'a.xlsx',
      one(named.replace('</sheetData>', `${empty}${far}</sheetData>`)),
    )
    expect(taken.sample, text).toEqual([['Ann Lee']])
  })

  test('names tell nothing: macros, a table in text called XLSX, and a workbook called CSV', async ({ api, person }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const macros = one(named, { more: [{ name: 'xl/vbaProject.bin', content: 'x' }] })
    for (const [name, content, type] of [
      ['a.xlsm', macros, 'xlsx'],
      ['a.csv', one(named), 'xlsx'],
      ['a.xlsx', 'Name,City\nAnn Lee,\n', 'csv'],
    ] as const) {
      const { import: taken, text } = await uploadFile(secretary, 'people', name, content)
      expect([taken.format.type, taken.sample[0]?.[0]], text).toEqual([type, 'Ann Lee'])
    }
  })

  test(
    'many at once wait for each other, or are told to come back; nothing stays behind',
    { timeout: 120_000 },
    async ({ api, person }) => {
      const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
      const answers = await Promise.all(Array.from({ length: 14 }, (_, i) => uploadFile(secretary, 'people', `${i}.xlsx`, one(named))))
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(10)
      expect(new Set(statuses)).toEqual(new Set([201, 503]))
      expect((await uploadFile(secretary, 'people', 'last.xlsx', one(named))).status).toBe(201)
    },
  )

  test(
    'the control: the reader that took whole documents ends the process it runs in, in a thread of its own too',
    { timeout: 60_000 },
    async () => {
      const path = join(tmpdir(), `guildhall-control-${process.pid}.xlsx`)
      await writeFile(path, farCell)
      const thread = `import('read-excel-file/node').then((reader) => reader.default(${JSON.stringify(path)}))`
      const program = `new (require('node:worker_threads').Worker)(${JSON.stringify(thread)}, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 200 } })
      .on('error', () => process.exit(3)); setInterval(() => undefined, 1000)`
      const child = spawn('/bin/sh', ['-c', 'ulimit -c 0; exec "$@"', 'sh', process.execPath, '-e', program], {
        stdio: 'ignore',
        cwd: import.meta.dirname,
      })
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
      await rm(path)
      // Not the thread's own error, which the process would have survived.
      expect([code, signal]).not.toEqual([3, null])
      expect([code, signal]).not.toEqual([0, null])
    },
  )
})

describe('cells as the spreadsheet shows them', () => {
  const columns = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const number = (value: string, style: number, column: number) => `<c r="${columns[column]}2" s="${style}"><v>${value}</v></c>`
  const formats = [
    'General',
    '00000',
    '@',
    '#,##0.00',
    '0%',
    '#,##0.00 "€"',
    '0.00E+00',
    'dd/mm/yyyy',
    'm/d/yy h:mm',
    'h:mm',
    'yyyy',
    '000-00-0000',
    '0',
  ]
  const header = `<row r="1">${formats.map((_, i) => inline(`${columns[i]}1`, `c${i}`)).join('')}</row>`

  test('numbers and dates', async ({ api, person }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const given = [
      '4.9170123456E+11',
      '18',
      '7',
      '1234.5',
      '0.125',
      '1200',
      '491701234567',
      '43894',
      '43894.75',
      '0.5',
      '43894',
      '123456789',
      '12',
    ]
    const { import: taken, text } = await uploadFile(
      secretary,
      'people',
      'a.xlsx',
      one(rows(header, `<row r="2">${given.map((value, i) => number(value, i, i)).join('')}</row>`), { formats }),
    )
    expect(taken.sample[0], text).toEqual([
      '491701234560',
      '00018',
      '7',
      '1234.5',
      '13%',
      '1200',
      '491701234567',
      '2020-03-04',
      '2020-03-04 18:00',
      '12:00',
      '2020',
      '123-45-6789',
      '12',
    ])
  })

  test.for([
    ['1', false, '1900-01-01'],
    ['59', false, '1900-02-28'],
    ['60', false, '1900-02-29'],
    ['61', false, '1900-03-01'],
    ['0', true, '1904-01-01'],
    ['42432', true, '2020-03-04'],
  ] as const)('day %s of a workbook (from 1904: %s) is %s', async ([serial, date1904, expected], { api, person }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const sheet = rows(`<row r="1">${inline('A1', 'Born')}</row>`, `<row r="2"><c r="A2" s="0"><v>${serial}</v></c></row>`)
    const { import: taken, text } = await uploadFile(secretary, 'people', 'a.xlsx', one(sheet, { formats: ['dd.mm.yyyy'], date1904 }))
    expect(taken.sample[0]?.[0], text).toBe(expected)
  })

  test('texts: rich, shared, escaped, merged; flags; errors and formulas without a result are named with their cells', async ({
    api,
    person,
  }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const strings =
      '<sst><si><r><t>Ann </t></r><r><t>Lee</t></r><rPh><t>アン</t></rPh></si><si><t xml:space="preserve">one_x000D__x000A_two</t></si></sst>'
    const sheet = rows(
      `<row r="1">${['Name', 'Note', 'Yes', 'Error', 'Formula', 'Date'].map((name, i) => inline(`${columns[i]}1`, name)).join('')}</row>`,
      '<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="C3" t="b"><v>1</v></c><c r="D3" t="e"><v>#REF!</v></c><c r="E3"><f>A1</f></c><c r="F3" t="d"><v>2020-03-04T00:00:00</v></c></row>',
      '<row r="4"><c r="A4" t="str"><f>B1</f><v>Bob</v></c><c r="D4" t="e"><v>#N/A</v></c></row>',
    ).replace('</worksheet>', '<mergeCells count="2"><mergeCell ref="A1:B1"/><mergeCell ref="C3:C4"/></mergeCells></worksheet>')
    const { import: taken, text } = await uploadFile(secretary, 'people', 'a.xlsx', one(sheet, { strings }))
    expect(taken.sample, text).toEqual([
      ['Ann Lee', 'one\ntwo', 'TRUE', '#REF!', '#FORMULA!', '2020-03-04'],
      ['Bob', '', '', '#N/A'],
    ])
    const found = taken.findings.map(({ code, message }) => [code, message])
    expect(found).toContainEqual(['formula_not_calculated', expect.stringContaining('E3')])
    expect(found).toContainEqual(['spreadsheet_error', expect.stringContaining('D3, D4')])
    expect(found).toContainEqual(['merged_cells', expect.stringContaining('C3:C4')])
  })

  test('one of several sheets is read, hidden ones last; another can be chosen', async ({ api, person }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const other = named.replace('Ann Lee', 'Bob Ray').replace('<sheetData>', '<dimension ref="A1:B2"/><sheetData>')
    const book = workbook({ sheets: { '.Codes': named.replace('Ann Lee', 'Secret'), Cover: rows(), Members: named, Former: other } })
    const { import: taken, text } = await uploadFile(secretary, 'people', 'a.xlsx', book)
    expect([taken.format.sheet, taken.sample[0]?.[0]], text).toEqual(['Members', 'Ann Lee'])
    expect(taken.sheets).toEqual([
      { name: 'Codes', rows: null, hidden: true },
      { name: 'Cover', rows: null, hidden: false },
      { name: 'Members', rows: 2, hidden: false },
      { name: 'Former', rows: 2, hidden: false },
    ])
    const choose = (sheet: string, version: number) =>
      secretary.patch(`/actions/imports/${taken.id}`, { format: { sheet } }, { 'if-match': String(version) })
    const chosen = (await choose('Former', taken.version)).body as Import
    expect([chosen.format.sheet, chosen.sample[0]?.[0]]).toEqual(['Former', 'Bob Ray'])
    expect((await choose('Nothing', chosen.version)).status).toBe(422)
  })
})
