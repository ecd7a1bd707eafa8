import { zip } from '../../../platform/files/zip-testing.ts'
import type { Part } from '../../../platform/files/zip-testing.ts'

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
export const rows = (...inner: string[]) => `${head}<worksheet ${main}><sheetData>${inner.join('')}</sheetData></worksheet>`

export type Book = {
  /** Sheet XML by name; `rows` makes it. A name that begins with a dot is a hidden sheet. */
  sheets: Record<string, string | Buffer>
  /** Format codes; cell style n has the n-th of them. */
  formats?: string[]
  strings?: string
  date1904?: boolean
  more?: Part[]
  change?: (part: Part) => Part
}

/** A workbook from raw XML, so that it can hold what no library would write. */
export function workbook({ sheets, formats = [], strings, date1904, more = [], change = (part) => part }: Book): Buffer {
  const names = Object.keys(sheets)
  const sheetTags = names.map(
    (name, i) =>
      `<sheet name="${name.replace(/^\./, '')}" sheetId="${i + 1}"${name.startsWith('.') ? ' state="hidden"' : ''} r:id="r${i + 1}"/>`,
  )
  const codes = formats.map(
    (code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${code.replace(/"/g, '&quot;').replace(/</g, '&lt;')}"/>`,
  )
  return zip(
    [
      { name: '[Content_Types].xml', content: `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>` },
      {
        name: 'xl/workbook.xml',
        content: `${head}<workbook ${main} xmlns:r="${relation}"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets>${sheetTags.join('')}</sheets></workbook>`,
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        content: `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names
          .map((_, i) => `<Relationship Id="r${i + 1}" Type="${relation}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`)
          .join('')}<Relationship Id="s" Type="${relation}/styles" Target="styles.xml"/>${
          strings === undefined ? '' : `<Relationship Id="t" Type="${relation}/sharedStrings" Target="sharedStrings.xml"/>`
        }</Relationships>`,
      },
      {
        name: 'xl/styles.xml',
        content: `${head}<styleSheet ${main}><numFmts>${codes.join('')}</numFmts><cellXfs>${formats
          .map((_, i) => `<xf numFmtId="${200 + i}"/>`)
          .join('')}</cellXfs></styleSheet>`,
      },
      ...(strings === undefined ? [] : [{ name: 'xl/sharedStrings.xml', content: strings }]),
      ...names.map((name, i) => ({ name: `xl/worksheets/sheet${i + 1}.xml`, content: sheets[name] ?? '' })),
      ...more,
    ].map(change),
  )
}

export const inline = (reference: string, text: string) => `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
