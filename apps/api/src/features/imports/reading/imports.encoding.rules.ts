import { isAscii } from 'node:buffer'
import type { ImportEncoding } from '@guildhall/contract/features/imports'
import type { NotATable, Said } from '@guildhall/contract/reasons'
import chardet from 'chardet'
import iconv from 'iconv-lite'

/** Why a file is not taken, and what to do about it. */
export type Refusal = Said & { message: string; fix: string }
export type Sniffed = { type: 'xlsx' } | { type: 'csv'; encoding: ImportEncoding; sure: boolean } | { type: 'refused'; why: Refusal }

const headBytes = 64 * 1024
const sampleBytes = 256 * 1024
const asTable = 'Open it in a spreadsheet and save it as CSV or XLSX.'

/** What a file is that people take for a table; the web app has the words. */
export const notATable = (kind: NotATable) => ({ reason: 'not_a_table' as const, params: { kind } })

/** First bytes of files that people take for a table. */
const signatures: { bytes: string; why: Refusal }[] = [
  {
    bytes: '25504446',
    why: { ...notATable('pdf'), message: 'This is a PDF.', fix: 'Export the list as CSV or XLSX where it comes from.' },
  },
  { bytes: '89504e47', why: { ...notATable('picture'), message: 'This is a picture.', fix: asTable } },
  { bytes: 'ffd8ff', why: { ...notATable('picture'), message: 'This is a picture.', fix: asTable } },
  { bytes: '47494638', why: { ...notATable('picture'), message: 'This is a picture.', fix: asTable } },
  { bytes: '1f8b', why: { ...notATable('compressed'), message: 'This file is compressed.', fix: 'Unpack it and upload what is inside.' } },
  {
    bytes: '377abcaf',
    why: { ...notATable('compressed'), message: 'This file is compressed.', fix: 'Unpack it and upload what is inside.' },
  },
  {
    bytes: '52617221',
    why: { ...notATable('compressed'), message: 'This file is compressed.', fix: 'Unpack it and upload what is inside.' },
  },
  { bytes: '7f454c46', why: { ...notATable('program'), message: 'This is a program.', fix: asTable } },
  { bytes: '4d5a90', why: { ...notATable('program'), message: 'This is a program.', fix: asTable } },
]
const markup = /^\s*(<!doctype|<html|<\?xml|<svg|(?:\[\s*)?\{\s*")/i

/** Looks at a file as it streams by and says at the end what it is, by its content alone: names and declared types prove nothing. */
export function createSniffer() {
  let size = 0
  const head: Buffer[] = []
  const telling: Buffer[] = []
  let headSize = 0
  let tellingSize = 0
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let utf8 = true

  return {
    push(chunk: Buffer) {
      size += chunk.length
      if (headSize < headBytes) {
        head.push(chunk.subarray(0, headBytes - headSize))
        headSize += Math.min(chunk.length, headBytes - headSize)
      }
      if (utf8) {
        try {
          decoder.decode(chunk, { stream: true })
        } catch {
          utf8 = false
        }
      }
      // What is pure ASCII tells nothing about an encoding.
      if (tellingSize < sampleBytes && !isAscii(chunk)) {
        telling.push(chunk.subarray(0, sampleBytes - tellingSize))
        tellingSize += Math.min(chunk.length, sampleBytes - tellingSize)
      }
    },
    result(): Sniffed {
      if (utf8) {
        try {
          decoder.decode()
        } catch {
          utf8 = false
        }
      }
      return conclude(Buffer.concat(head), Buffer.concat(telling), size, utf8)
    },
  }
}

function conclude(head: Buffer, telling: Buffer, size: number, utf8: boolean): Sniffed {
  if (size === 0)
    return refused({ reason: 'empty_file' }, 'This file is empty.', 'Choose a file with a header row and at least one row below it.')
  const hex = head.subarray(0, 8).toString('hex')
  if (hex.startsWith('504b0304')) return { type: 'xlsx' }
  if (hex.startsWith('d0cf11e0')) return { type: 'refused', why: compound(head) }
  const known = signatures.find(({ bytes }) => hex.startsWith(bytes))
  if (known) return { type: 'refused', why: known.why }

  if (hex.startsWith('efbbbf')) return { type: 'csv', encoding: 'utf-8', sure: true }
  if (hex.startsWith('fffe')) return { type: 'csv', encoding: 'utf-16le', sure: true }
  if (hex.startsWith('feff')) return { type: 'csv', encoding: 'utf-16be', sure: true }
  const wide = wideWithoutMark(head)
  if (wide) return { type: 'csv', encoding: wide, sure: true }

  if (controlShare(head) > 0.02) return refused({ reason: 'binary_file' }, 'This is not a text file.', asTable)
  if (markup.test(head.subarray(0, 200).toString('latin1')))
    return refused(notATable('markup'), 'This is a web page or data for programs, not a table.', asTable)
  if (utf8) return { type: 'csv', encoding: 'utf-8', sure: true }
  return { type: 'csv', ...legacy(telling) }
}

/** Old Office files and those with a password are both compound files: what is inside is named in UTF-16. */
function compound(head: Buffer): Refusal {
  return head.includes(Buffer.from('EncryptedPackage', 'utf16le'))
    ? { reason: 'locked', message: 'This file has a password.', fix: 'Open it in a spreadsheet, remove the password and save it again.' }
    : {
        reason: 'old_or_locked',
        message: 'This is an old Excel file (XLS), or one with a password.',
        fix: 'Open it in a spreadsheet, remove the password and save it as XLSX or CSV.',
      }
}

const refused = (said: Said, message: string, fix: string): Sniffed => ({ type: 'refused', why: { ...said, message, fix } })

/** Latin text in UTF-16 has a zero in every other byte. */
function wideWithoutMark(head: Buffer): ImportEncoding | null {
  const pairs = Math.floor(head.length / 2)
  if (pairs < 2) return null
  let even = 0
  let odd = 0
  for (let i = 0; i < pairs * 2; i += 2) {
    if (head[i] === 0) even += 1
    if (head[i + 1] === 0) odd += 1
  }
  if (odd / pairs > 0.4 && even / pairs < 0.05) return 'utf-16le'
  return even / pairs > 0.4 && odd / pairs < 0.05 ? 'utf-16be' : null
}

function controlShare(head: Buffer): number {
  let count = 0
  for (const byte of head) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12 && byte !== 26) count += 1
  return count / Math.max(head.length, 200)
}

const legacyNames: Record<string, ImportEncoding> = {
  'UTF-8': 'utf-8',
  'ISO-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
  'ISO-8859-2': 'windows-1250',
  'windows-1250': 'windows-1250',
  'windows-1251': 'windows-1251',
  'ISO-8859-5': 'windows-1251',
  Shift_JIS: 'shift_jis',
  'EUC-JP': 'euc-jp',
  'EUC-KR': 'euc-kr',
  GB18030: 'gb18030',
  Big5: 'big5',
}

function legacy(telling: Buffer): { encoding: ImportEncoding; sure: boolean } {
  // Mostly proper UTF-8 with a few stray bytes: rows pasted together from several sources. Those rows are reported one by one.
  const text = telling.toString('utf8')
  const broken = count(text, /\uFFFD/g)
  const proper = count(text, /[\u0080-\uFFFC]/g)
  if (proper > 3 * broken) return { encoding: 'utf-8', sure: false }
  const eastAsian = eastAsianEncoding(telling)
  if (eastAsian) return eastAsian
  const [best, second] = chardet.analyse(telling).flatMap(({ name, confidence }) => {
    const encoding = legacyNames[name]
    return encoding ? [{ encoding, confidence }] : []
  })
  if (!best) return { encoding: 'windows-1252', sure: false }
  const rival = second && second.encoding !== best.encoding ? second.confidence : 0
  return { encoding: best.encoding, sure: best.confidence >= 30 && best.confidence - rival >= 5 }
}

// Characters that names and addresses are full of; statistics of running text say little about a list of members.
const frequent: [ImportEncoding, string][] = [
  ['shift_jis', '田山本中村小林藤佐木井川高橋松子太郎花美一東京都大阪府市区町県道北西南'],
  ['euc-jp', '田山本中村小林藤佐木井川高橋松子太郎花美一東京都大阪府市区町県道北西南'],
  ['gb18030', '王李张刘陈杨黄赵周吴徐孙马朱胡郭何林高罗北京上海市区省广州路号女男'],
  ['big5', '陳林黃張李王吳劉蔡楊許鄭謝郭洪曾邱廖賴周台臺北市區縣路號街女男高雄'],
  ['euc-kr', ''],
]

/** Two-byte encodings accept each other's bytes: what decodes without a fault, in words and not single letters, to the likelier characters wins. */
function eastAsianEncoding(telling: Buffer): { encoding: ImportEncoding; sure: boolean } | null {
  const scores = frequent.flatMap(([encoding, characters]) => {
    const text = iconv.decode(telling, encoding)
    // The sample may begin or end within a character.
    if (/[\uFFFD\uE000-\uF8FF]/.test(text.slice(2, -2))) return []
    const letters = count(text, /[\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF]/g)
    const words = (text.match(/[\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF]{2,}/g) ?? []).reduce((sum, word) => sum + word.length, 0)
    // Accents read in pairs give single letters between Latin ones.
    if (letters === 0 || words < letters * 0.7) return []
    const likely = count(text, /[\u3041-\u30F6\uAC00-\uD7AF]/g) + Array.from(text).filter((letter) => characters.includes(letter)).length
    return [{ encoding, score: likely / letters }]
  })
  const [best, second] = scores.sort((a, b) => b.score - a.score)
  return best && best.score > 0.1 ? { encoding: best.encoding, sure: best.score >= 2 * (second?.score ?? 0) } : null
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
