import { addressOf, emailsOf, mailNames, phonesOf } from './contacts.ts'
import { isoOf } from './days.ts'
import { lifeOf } from './life.ts'
import { nameOf } from './person-names.ts'
import { planOf } from './plan.ts'
import type { DemoSize } from './sizes.ts'
import { workOf } from './work.ts'

export type DemoCsvOptions = {
  people: number
  seed?: number
  today?: string
  /** Which tree the chapter codes come from. */
  size?: DemoSize
  /** Number of the first member; those of a loaded organisation begin at 100,000. */
  firstNo?: number
  /** Only these columns, in the order of the whole spreadsheet. */
  columns?: readonly DemoCsvColumn[]
}

const header = ['Member no.', 'First name', 'Middle name', 'Last name', 'Suffix', 'Preferred name', 'Date of birth', 'E-mail', 'Phone', 'Street', 'City', 'Postal code', 'Country', 'Chapter code', 'Chapter', 'Status', 'Member since', 'Member until', 'Employer', 'Job title', 'Graduation year', 'Tags'] as const // prettier-ignore
export type DemoCsvColumn = (typeof header)[number]
const linesPerChunk = 200

/** The people as the spreadsheet that a membership office would send: one line each, related facts in the same line. Comma-separated, UTF-8, RFC 4180. */
export async function* demoPeopleCsv({
  people,
  seed,
  today = '2026-11-21',
  size = 'large',
  firstNo = 100_000,
  columns = header,
}: DemoCsvOptions): AsyncGenerator<string> {
  const plan = planOf({ size, today, people, ...(seed === undefined ? {} : { seed }) })
  const mail = mailNames(plan)
  const kept = header.map((column) => columns.includes(column))
  const line = (cells: readonly string[]) =>
    `${cells
      .filter((_, nth) => kept[nth])
      .map(cell)
      .join(',')}\r\n`
  let chunk = line(header)
  for (let index = 0; index < people; index++) {
    const chapter = plan.chapters[plan.homes[index] ?? 0]
    if (!chapter) continue
    const name = nameOf(plan, index)
    const life = lifeOf(plan, index)
    const work = workOf(plan, index, life)
    const address = addressOf(plan, index, life)
    const cells = [
      `M-${firstNo + index}`, name.given, name.middle, name.family, name.suffix, name.preferred, isoOf(life.birthDay),
      emailsOf(plan, mail, index)[0]?.value ?? '', phonesOf(plan, index, chapter.country)[0]?.value ?? '',
      address?.street ?? '', address?.city ?? '', address?.postalCode ?? '', address?.country ?? '', chapter.code, chapter.name, life.lifecycle,
      isoOf(life.createdDay), life.endDay === null ? '' : isoOf(life.endDay), work.employer, work.jobTitle, String(work.gradYear ?? ''), work.tags.join('; '),
    ] // prettier-ignore
    chunk += line(cells)
    if ((index + 1) % linesPerChunk === 0) {
      yield chunk
      chunk = ''
    }
  }
  if (chunk) yield chunk
}

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
