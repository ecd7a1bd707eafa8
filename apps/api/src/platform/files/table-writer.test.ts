import { buffer } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import readXlsxFile from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { unguardText } from '@guildhall/contract/formula-guard'
import { csvTable, xlsxTable } from './table-writer.ts'
import type { Cell, TableColumn } from './table-writer.ts'

const columns: TableColumn[] = [
  { header: '=HEADER()', kind: 'text' },
  { header: 'Phone', kind: 'phone' },
  { header: 'Number', kind: 'number' },
  { header: 'Day', kind: 'date' },
  { header: 'At', kind: 'instant' },
  { header: 'Flag', kind: 'flag' },
  { header: 'Tags', kind: 'text' },
]
const rows: Cell[][] = [
  ["=cmd|' /C calc'!A0", '+4930901820', -5, '2020-02-29', '2026-11-21T08:00:00Z', true, ['a', '=b']],
  ['quote " comma , semi ; =1', '=1+1', 0, '1890-01-01', null, false, []],
  ['line\n=1', null, 1.5, '=1', '=1', null, ['@x']],
  ['Müller 山田 👩‍👩‍👧', '+49 30', 7, null, null, null, ['-1', 'ok']],
]
async function* pages() {
  yield rows.slice(0, 2)
  yield rows.slice(2)
}
const dangerous = /^[ \u00a0]*[=+\-@\t\r\n＝＋－＠]/

test('CSV has every text neutralised, numbers and telephone numbers usable, and gives back what went in', async () => {
  const csv = (await buffer(csvTable(columns, pages()))).toString()
  expect(csv.startsWith('\ufeff')).toBe(true)
  const [header = [], ...body] = parse(csv, { bom: true })
  expect(header[0]).toBe("'=HEADER()")
  expect(body.map((row) => row[1])).toEqual(['+4930901820', "'=1+1", '', "'+49 30"])
  expect(body.map((row) => row[2])).toEqual(['-5', '0', '1.5', '7'])
  for (const row of body) for (const [i, cell] of row.entries()) if (i !== 1 && i !== 2) expect(cell).not.toMatch(dangerous)
  expect(body.map((row) => unguardText(row[0] ?? ''))).toEqual(rows.map((row) => row[0]))
  expect(body.map((row) => unguardText(row[6] ?? ''))).toEqual(['a; =b', '', '@x', '-1; ok'])
  expect(body.map((row) => row[5])).toEqual(['yes', 'no', '', ''])
  // Split at semicolons by a spreadsheet that expects them, it still begins no cell with a formula.
  for (const cell of csv.slice(1).split(/[;\r\n]/)) expect(cell.replace(/^"+/, '')).not.toMatch(/^[ ]*[=@]/)
})

test('XLSX has the same cells, with typed numbers and days', async () => {
  const file = await buffer(await xlsxTable(columns, pages()))
  const [sheet] = (await readXlsxFile(file)) as unknown as { data: unknown[][] }[]
  const [header = [], ...body] = sheet?.data ?? []
  expect(header[0]).toBe("'=HEADER()")
  expect(body.map((row) => row[1])).toEqual(['+4930901820', "'=1+1", null, "'+49 30"])
  expect(body.map((row) => row[2])).toEqual([-5, 0, 1.5, 7])
  expect(body[0]?.[3]).toEqual(new Date('2020-02-29T00:00:00Z'))
  expect(body.map((row) => row[0])).toEqual(["'=cmd|' /C calc'!A0", 'quote " comma , semi ;\' =1', "line\n'=1", 'Müller 山田 👩‍👩‍👧'])
})
