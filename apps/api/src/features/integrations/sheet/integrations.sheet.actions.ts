import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import iconv from 'iconv-lite'
import { createSniffer, csvOptions, detectSeparator } from '../../imports/imports.values.public.ts'
import { follow } from '../connectors/integrations.connector.actions.ts'
import { connectorError, textSetting } from '../connectors/integrations.connector.rules.ts'
import type { Reach, SyncConnector } from '../connectors/integrations.connector.rules.ts'
import { columnNames, fieldsOf, recordsOf } from './integrations.sheet.rules.ts'
import type { Sheet } from './integrations.sheet.rules.ts'

const maxBytes = 20_000_000
const maxRows = 50_000
/** Each row has a cell for every column of the header, also where it is short. */
const maxColumns = 500

/** CSV behind an address, as Google Sheets, Airtable, Nextcloud and many others export it. */
export const sheet: SyncConnector = {
  async test(reach) {
    const { sheet: read } = await fetchSheet(reach, null)
    const { rows } = recordsOf(read, textSetting(reach, 'idColumn'))
    return [
      { name: 'rows', value: String(rows.length) },
      { name: 'columns', value: String(read.headers.length) },
    ]
  },
  async theirs(reach) {
    const { sheet: read } = await fetchSheet(reach, null)
    return fieldsOf(read, textSetting(reach, 'idColumn'))
  },
  async pull(reach, _cursor, mark) {
    const answer = await fetchSheet(reach, mark)
    if (answer.isSame) return { rows: [], bad: [], cursor: null, total: null, isFresh: true, mark: answer.mark }
    const { rows, bad } = recordsOf(answer.sheet, textSetting(reach, 'idColumn'))
    return { rows, bad, cursor: null, total: rows.length + bad.length, mark: answer.mark, columns: answer.sheet.headers }
  },
}

const nothing: Sheet = { headers: [], rows: [] }
const hashed = 'sha256:'

type Answer = { sheet: Sheet; isSame: boolean; mark: string | null }

/** The sheet, unless it is as it was when `mark` was given out: a tag of the server's, or a fingerprint of ours where it has none. */
async function fetchSheet(reach: Reach, mark: string | null): Promise<Answer> {
  const { token } = reach.secrets
  const tag = mark !== null && !mark.startsWith(hashed) ? mark : null
  const { status, headers, body } = await follow(
    reach,
    textSetting(reach, 'address'),
    {
      timeoutMs: 60_000,
      maxBytes,
      headers: {
        accept: 'text/csv, text/plain;q=0.9, */*;q=0.1',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(tag !== null && { 'if-none-match': tag }),
      },
    },
    [304],
  )
  if (status === 304) return { sheet: nothing, isSame: true, mark }
  const etag = headers['etag']
  const next = typeof etag === 'string' && etag.length <= 500 ? etag : `${hashed}${createHash('sha256').update(body).digest('hex')}`
  if (next === mark) return { sheet: nothing, isSame: true, mark }
  return { sheet: await readSheet(body, String(headers['content-type'] ?? ''), textSetting(reach, 'separator')), isSame: false, mark: next }
}

const signIn =
  'The address answers with a web page, often one to sign in. Share the sheet with everybody who has the link, and give the address of its CSV export.'

async function readSheet(body: Buffer, contentType: string, chosen: string): Promise<Sheet> {
  if (/^text\/html\b/i.test(contentType.trim())) throw connectorError('bad_answer', { message: signIn })
  const sniffer = createSniffer()
  sniffer.push(body)
  const sniffed = sniffer.result()
  if (sniffed.type === 'refused')
    throw connectorError('bad_answer', {
      message:
        sniffed.why.reason === 'not_a_table' && /^\s*</.test(body.subarray(0, 200).toString('latin1')) ? signIn : sniffed.why.message,
    })
  if (sniffed.type === 'xlsx')
    throw connectorError('bad_answer', { message: 'The address answers with a workbook. Give the address of its CSV export.' })
  const text = iconv.decode(body, sniffed.encoding)
  const separator = chosen === 'tab' ? '\t' : chosen === ',' || chosen === ';' ? chosen : detectSeparator(text.slice(0, 65_536))
  return readRows(text, separator)
}

async function readRows(text: string, separator: ',' | ';' | '\t' | '|'): Promise<Sheet> {
  const read: Sheet = { headers: [], rows: [] }
  let line = 0
  try {
    // In pieces, so that a large sheet lets others work in between.
    const records: AsyncIterable<string[]> = Readable.from(piecesOf(Buffer.from(text))).pipe(parse(csvOptions(separator)))
    for await (const cells of records) {
      line += 1
      if (cells.every((cell) => cell.trim() === '')) continue
      if (cells.length > maxColumns) throw connectorError('too_large', { message: 'The sheet has more than 500 columns.' })
      if (read.headers.length === 0) read.headers = columnNames(cells)
      else read.rows.push({ line, cells })
      if (read.rows.length > maxRows) throw connectorError('too_large', { message: 'The sheet has more than 50,000 rows.' })
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw connectorError('bad_answer', { message: `Line ${line + 1} of the sheet cannot be read. Often a quotation mark is missing.` })
    throw error
  }
  if (read.rows.length === 0) throw connectorError('bad_answer', { message: 'The sheet has no rows below its header.' })
  return read
}

function* piecesOf(text: Buffer) {
  for (let from = 0; from < text.length; from += 65_536) yield text.subarray(from, from + 65_536)
}
