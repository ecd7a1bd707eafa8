import type { Field } from '@guildhall/contract/features/fields'
import type {
  ImportFinding,
  ImportFindingCode,
  ImportFindingParams,
  ImportFormat,
  ImportKind,
  ValueChoices,
  importFindings,
} from '@guildhall/contract/features/imports'
import { hiddenIn, withoutHidden } from '@guildhall/contract/text-rules'
import { chosenValue } from '../mapping/imports.choices.rules.ts'
import { splitTexts } from '../../../platform/files/joined-texts.ts'
import { fieldRules } from '../mapping/imports.fields.rules.ts'
import { ungarbled } from '../reading/imports.garbled.rules.ts'
import { cellFault, cleanCell, readValue, saysNothing, showable } from '../mapping/imports.values.rules.ts'
import type { Fault, FieldRule, Reading, Value } from '../mapping/imports.values.rules.ts'

/** A row of the file: `line` as a spreadsheet counts, `step` its place in the order of work. */
export type SourceRow = { line: number; step: number; cells: readonly string[] }

/** A row read by its mapping. Only cells that are not empty and not faulty have a value. */
export type Draft = {
  line: number
  step: number
  fields: Partial<Record<string, Value>>
  emails: string[]
  phones: string[]
  tags: string[]
  formerNames: string[]
  links: Record<string, string>
  /** Ids in other systems, by system. */
  externalIds: Record<string, string>
  /** Values of fields of the organisation, by key; several of one are several choices. */
  own: Record<string, string[]>
  findings: ImportFinding[]
}

export type Mapped = {
  kind: ImportKind
  headers: readonly string[]
  targets: readonly string[]
  reading: Reading
  /** What to do with garbled letters; without a decision rows that have some are rejected. */
  garbled?: ImportFormat['garbled']
  /** Columns that hold garbled and sound letters, so that nothing in them is repaired. */
  mixed?: readonly number[] | undefined
  /** What values that no closed list knows stand for. */
  values?: ValueChoices
  /** The file is an export of ours. */
  exported?: boolean
  /** Fields of the organisation that records of the kind have. */
  own?: readonly Field[]
}

/** Where a finding is, and what the web app fills its own text of the code with. */
type About<C extends ImportFindingCode> = {
  column?: string | undefined
  value?: string | undefined
} & ((typeof importFindings)[C] extends readonly [] ? { params?: undefined } : { params: ImportFindingParams<C> })
export type Abouts<C extends ImportFindingCode> = (typeof importFindings)[C] extends readonly [] ? [about?: About<C>] : [about: About<C>]

/** One finding, in English for users of the API and the file of errors. */
export const finding = <C extends ImportFindingCode>(
  level: ImportFinding['level'],
  code: C,
  message: string,
  fix: string,
  ...[about]: Abouts<C>
): ImportFinding => findingOf(level, { code, message, fix, params: about?.params }, about)

export const findingOf = (
  level: ImportFinding['level'],
  { code, message, fix, params }: Fault,
  about: { column?: string | undefined; value?: string | undefined } = {},
): ImportFinding => ({
  level,
  code,
  ...(params && { params }),
  column: about.column ?? null,
  value: about.value === undefined ? null : showable(about.value, 200),
  message,
  fix,
})

/** The header of the column that a field comes from, for findings. */
export const headerOf = ({ headers, targets }: Mapped, field: string) => {
  const index = targets.indexOf(field)
  return index < 0 ? undefined : headers[index] || `column ${index + 1}`
}

/** The same for the id of a system. */
export const externalIdHeader = (mapped: Mapped, system: string) =>
  headerOf(mapped, `externalId:${system}`) ??
  (system === 'default' ? headerOf(mapped, 'externalId') : undefined) ??
  headerOf(mapped, 'externalIds')

export const isRejected = (draft: Draft) => draft.findings.some(({ level }) => level === 'error')
export const textOf = (draft: Draft, field: string): string | undefined => {
  const value = draft.fields[field]
  return typeof value === 'string' ? value : undefined
}

/** Whom a row means by its own words. */
export const referredWords = (draft: Draft): string | undefined =>
  textOf(draft, 'memberNo') ??
  draft.emails[0] ??
  Object.values(draft.externalIds)[0] ??
  Object.values(draft.links)[0] ??
  ([textOf(draft, 'givenName'), textOf(draft, 'familyName')].filter(Boolean).join(' ') || undefined)

/** Whom or what a row means by its own words. */
export function labelOf(kind: ImportKind, draft: Draft): string {
  const words = (...fields: string[]) => fields.flatMap((field) => textOf(draft, field) ?? [])
  if (kind === 'people') return words('givenName', 'familyName').join(' ') || (words('fullName', 'memberNo')[0] ?? draft.emails[0] ?? '')
  if (kind === 'chapters' || kind === 'groups') return words('name', 'code')[0] ?? ''
  if (kind === 'invoices') return words('number', 'memberNo').join(' · ')
  if (kind === 'gifts') return words('memberNo', 'donorName', 'receivedOn', 'amount').join(' · ')
  if (kind === 'registrations') return words('memberNo', 'fullName', 'eventTitle').join(' · ')
  if (kind === 'memberships') return words('memberNo', 'membershipType', 'startsOn').join(' · ')
  return words(...(kind === 'positions' ? ['memberNo', 'title', 'chapterCode'] : ['memberNo', 'groupCode'])).join(' · ')
}

/** Reads one row. Every fault of it is listed, not only the first. */
export function readDraft(row: SourceRow, mapped: Mapped): Draft {
  const draft: Draft = {
    line: row.line,
    step: row.step,
    fields: {},
    emails: [],
    phones: [],
    tags: [],
    formerNames: [],
    links: {},
    externalIds: {},
    own: {},
    findings: [],
  }
  const beyond = row.cells.slice(mapped.targets.length).find((cell) => cell.trim() !== '')
  if (beyond !== undefined) {
    draft.findings.push(
      finding(
        'error',
        'too_many_cells',
        `This row has ${row.cells.length} cells; the header has ${mapped.targets.length}.`,
        'Put cells that contain the separator into quotes.',
        { value: beyond, params: { cells: row.cells.length, columns: mapped.targets.length } },
      ),
    )
    return draft
  }
  mapped.targets.forEach((target, index) => {
    const [field = '', service] = target.split(':')
    const own = field === 'field' ? mapped.own?.find(({ key }) => key === service) : undefined
    const rule = own ? ownRule(own) : fieldRules[mapped.kind][field]
    if (!rule) return
    const about = { column: mapped.headers[index] || `column ${index + 1}`, value: row.cells[index] ?? '' }
    const { value, fault, warning } = soundCell(about.value, mapped, index)
    if (warning) draft.findings.push(findingOf('warning', warning, about))
    about.value = value
    if (!fault && (value === '' || saysNothing(value, rule))) return
    for (const text of fault ? [value] : own?.type === 'choices' ? splitTexts(value, ';') : textsOf(field, value)) {
      const read = fault ? { fault } : readCell(text, field, rule, mapped)
      if ('fault' in read) draft.findings.push(faultFinding(read.fault, mapped, about))
      else if (read.value !== '' && own) draft.own[own.key] = [...(draft.own[own.key] ?? []), String(read.value)]
      else if (read.value !== '') keep(draft, field, service, read.value, about)
    }
  })
  checkDates(draft, mapped)
  return draft
}

/** Choices and people are found when the row is planned. */
export function ownRule({ type }: Field): FieldRule {
  if (type === 'number') return { is: 'decimal' }
  if (type === 'date' || type === 'flag' || type === 'url') return { is: type }
  return { is: 'text', max: type === 'text' ? 500 : 200, lines: type === 'text', free: true }
}

type Sound = { value: string; fault?: Fault | null; warning?: Fault }
const plain = /^[\t\n\r\u0020-\u007e]*$/

/** A cell with sound letters: garbled ones are repaired where that was chosen, and what nobody can see is taken out, both with a word about it. */
function soundCell(cell: string, { garbled, mixed }: Mapped, index: number): Sound {
  if (plain.test(cell)) {
    const value = cleanCell(cell)
    return { value, fault: cellFault(value) }
  }
  const repaired = garbled === 'keep' ? null : ungarbled(cell)
  if (repaired !== null && (garbled === undefined || mixed?.includes(index))) {
    const shown = showable(repaired, 60)
    return {
      value: cleanCell(cell),
      fault: {
        code: 'garbled_text',
        message: `The letters of this cell are garbled; it probably means "${shown}".`,
        fix: mixed?.includes(index)
          ? 'Correct it in the file: other cells of this column are sound, so the column is not repaired.'
          : 'Choose "Repair" for garbled letters where it says how the file is read.',
        params: { meant: shown, mend: mixed?.includes(index) ? 'file' : 'repair' },
      },
    }
  }
  const value = cleanCell(repaired ?? cell)
  const fault = cellFault(value)
  const hidden = fault ? null : hiddenIn(value)
  if (hidden) {
    const fix = 'Check the value if the characters were meant.'
    return {
      value: withoutHidden(value).trim(),
      warning: { code: 'hidden_character', message: `Invisible characters were left out: ${hidden}.`, fix, params: { characters: hidden } },
    }
  }
  if (repaired === null) return { value, fault }
  return {
    value,
    fault,
    warning: {
      code: 'garbled_repaired',
      message: `Garbled letters were repaired: ${showable(value, 60)}.`,
      fix: 'Check the value.',
      params: { repaired: showable(value, 60) },
    },
  }
}

function readCell(value: string, field: string, rule: FieldRule, { reading, values }: Mapped) {
  const chosen = values && chosenValue(values, field, value, rule)
  return chosen === undefined ? readValue(value, rule, reading) : { value: chosen }
}

/**
 * A text of an export may be stored just so, and may as well have suffered in a spreadsheet: it changes nothing, which is right in both cases.
 */
const oddLooking = new Set(['shortened_number', 'spreadsheet_error', 'formula_not_calculated', 'garbled_text'])
const faultFinding = (fault: Fault, { exported }: Mapped, about: { column: string; value: string }): ImportFinding =>
  exported && oddLooking.has(fault.code)
    ? findingOf('warning', { ...fault, fix: 'What is there stays. If that is wrong, change it on its page.' }, about)
    : findingOf('error', fault, about)

/** Fields that one cell may give several of, and what separates them. */
const separators: Record<string, string> = { tag: ';,|', formerName: ';', email: ';', phone: ';', externalIds: ';' }
function textsOf(field: string, value: string): string[] {
  const between = separators[field]
  // A telephone number may have its extension behind a semicolon.
  return between === undefined || (field === 'phone' && value.includes(';ext=')) ? [value] : splitTexts(value, between)
}

function keep(draft: Draft, field: string, service: string | undefined, value: Value, about: { column: string; value: string }) {
  const text = String(value)
  if (field === 'email') addOnce(draft.emails, text)
  else if (field === 'phone' && draft.fields['phone'] === undefined) {
    draft.fields['phone'] = value
    draft.phones.push(text)
  } else if (field === 'phone') addOnce(draft.phones, text)
  else if (field === 'formerName') addOnce(draft.formerNames, text)
  else if (field === 'link') draft.links[service ?? 'link'] = text
  else if (field === 'externalId') draft.externalIds[service ?? 'default'] ??= text
  else if (field === 'externalIds') addExternalId(draft, text, about)
  else if (field === 'tag') addTag(draft, text, about)
  else draft.fields[field] ??= value
}

const addOnce = (list: string[], text: string) => {
  if (!list.some((other) => other.toLowerCase() === text.toLowerCase())) list.push(text)
}

function addTag(draft: Draft, name: string, about: { column: string; value: string }) {
  if (name.length <= 60) addOnce(draft.tags, name)
  else
    draft.findings.push(
      finding('error', 'too_long', 'A tag has at most 60 characters.', 'Shorten it, or do not import this column as tags.', {
        ...about,
        params: { max: 60 },
      }),
    )
}

function addExternalId(draft: Draft, text: string, about: { column: string; value: string }) {
  const [, system, id] = /^([a-z0-9_-]{1,40}):(.{1,120})$/.exec(text) ?? []
  if (system && id) draft.externalIds[system] ??= id.trim()
  else
    draft.findings.push(
      finding(
        'error',
        'external_id',
        'This is no list of external ids.',
        'Write each as its system and the id: "civicrm:57; stripe:c_8".',
        about,
      ),
    )
}

const orders: [string, string, string][] = [
  ['birthDate', 'deceasedOn', 'The date of death is before the date of birth.'],
  ['memberSince', 'memberUntil', 'The membership ends before it starts.'],
  ['startsOn', 'endsOn', 'This ends before it starts.'],
  ['issuedOn', 'dueOn', 'This is due before it was issued.'],
  ['charteredOn', 'closedOn', 'The closing date is before the charter date.'],
]

function checkDates(draft: Draft, mapped: Mapped) {
  for (const [first, second, message] of orders) {
    const [from, to] = [textOf(draft, first), textOf(draft, second)]
    if (from && to && to < from)
      draft.findings.push(
        finding('error', 'dates_reversed', message, 'Correct one of the two dates.', {
          column: headerOf(mapped, second),
          value: to,
          params: { first, second },
        }),
      )
  }
  const birth = textOf(draft, 'birthDate')
  if (birth && (birth > new Date().toISOString().slice(0, 10) || birth <= '1850-01-01')) {
    draft.findings.push(
      finding('error', 'birth_date', 'Nobody is born on this day.', 'Correct the date or the date order.', {
        column: headerOf(mapped, 'birthDate'),
        value: birth,
      }),
    )
  }
}

/** Lower case without accents, near enough to the database's own folding to tell rows of one file apart. */
export const foldText = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
