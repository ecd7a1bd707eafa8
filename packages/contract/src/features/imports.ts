import * as z from 'zod'
import { del, get, patch, post } from '../base.ts'
import { Failure } from '../reasons.ts'
import { CalendarDate, Cursor, Id, Instant, Job, Limit, TagRef, Version, page, text } from '../shapes.ts'

const tag = 'Imports'

export const ImportKind = z.enum([
  'chapters',
  'people',
  'positions',
  'groups',
  'group_members',
  'memberships',
  'invoices',
  'registrations',
  'gifts',
  'relationships',
])
export type ImportKind = z.infer<typeof ImportKind>
export const ImportStatus = z.enum([
  'uploaded',
  'checking',
  'checked',
  'running',
  'done',
  'failed',
  'cancelled',
  'undoing',
  'undone',
  'partly_undone',
])
export type ImportStatus = z.infer<typeof ImportStatus>
/** What becomes, or would become, of a row; the last three are what an undo did. */
export const RowOutcome = z.enum(['create', 'update', 'unchanged', 'skip', 'reject', 'removed', 'restored', 'kept'])
export type RowOutcome = z.infer<typeof RowOutcome>
export const ImportPhase = z.enum(['check', 'run', 'undo'])
export type ImportPhase = z.infer<typeof ImportPhase>

export const importLimits = {
  bytes: 100_000_000,
  rows: 1_048_576,
  treeRows: 100_000,
  columns: 500,
  pastedCharacters: 900_000,
  undoDays: 7,
} as const

/** What says which person a row of offices or memberships means; the same keys as of people, but never the name alone. */
const reference = ['memberNo', 'email', 'externalId', 'link', 'fullName', 'givenName', 'familyName', 'birthDate'] as const
const identifying = ['memberNo', 'email', 'externalId', 'link', 'birthDate'] as const

/** What a column of each kind of file can stand for. Beside these: `ignore`, `field:<key>` for a field of the organisation, for people, chapters and groups `tag` (each value becomes a tag), and for people `link:<service>` and `externalId:<system>`. */
export const importFields = {
  chapters: [
    'code',
    'name',
    'parentCode',
    'level',
    'status',
    'about',
    'city',
    'contactEmail',
    'website',
    'timezone',
    'charteredOn',
    'closedOn',
    'tag',
    'field',
  ],
  people: [
    'recordId',
    'memberNo',
    'fullName',
    'givenName',
    'middleName',
    'familyName',
    'suffix',
    'preferredName',
    'formerName',
    'pronouns',
    'email',
    'phone',
    'street',
    'city',
    'region',
    'postalCode',
    'country',
    'website',
    'birthDate',
    'gender',
    'deceasedOn',
    'note',
    'lifecycle',
    'joinedOn',
    'gradYear',
    'employer',
    'jobTitle',
    'bio',
    'language',
    'doNotContact',
    'chapterCode',
    'affiliationKind',
    'memberSince',
    'memberUntil',
    'tag',
    'externalId',
    'externalIds',
    'link',
    'field',
  ],
  positions: [...reference, 'title', 'chapterCode', 'startsOn', 'endsOn', 'note'],
  groups: [
    'recordId',
    'code',
    'name',
    'kind',
    'parentCode',
    'chapterCode',
    'description',
    'visibility',
    'joinPolicy',
    'capacity',
    'phone',
    'website',
    'tag',
    'field',
  ],
  group_members: ['groupRecordId', 'groupCode', 'recordId', ...reference, 'title', 'role', 'side', 'rank', 'startsOn', 'endsOn'],
  memberships: [
    'recordId',
    ...reference,
    'membershipType',
    'chapterCode',
    'startsOn',
    'endsOn',
    'membershipStatus',
    'price',
    'currency',
    'paidOn',
    'joinedOn',
    'autoRenew',
  ],
  invoices: [
    'recordId',
    ...reference,
    'debtorChapter',
    'number',
    'issuedOn',
    'dueOn',
    'text',
    'lines',
    'total',
    'currency',
    'paidAmount',
    'paidOn',
    'method',
    'note',
  ],
  registrations: [
    'eventId',
    'eventTitle',
    'eventStartsOn',
    'recordId',
    ...reference,
    'ticketType',
    'registrationStatus',
    'registeredOn',
    'checkedInAt',
  ],
  gifts: [
    'giftRecordId',
    'foreignId',
    'recordId',
    ...reference,
    'donorName',
    'amount',
    'currency',
    'receivedOn',
    'method',
    'campaign',
    'fund',
    'reference',
    'isAnonymous',
    'tributeKind',
    'tributeName',
    'message',
    'note',
  ],
  relationships: [
    'relationshipRecordId',
    'relationshipType',
    'fromRecordId',
    'fromMemberNo',
    'fromEmail',
    'fromExternalId',
    'fromName',
    'toRecordId',
    'toMemberNo',
    'toEmail',
    'toExternalId',
    'toName',
    'startsOn',
    'endsOn',
    'relationshipState',
    'note',
  ],
} as const satisfies Record<ImportKind, readonly string[]>

/** Headers of a file to start from, each with an example; without examples where a forgotten row would make something. */
export const importTemplates: Record<ImportKind, Record<string, string>> = {
  chapters: { code: '', name: '', parent_code: '', level: '', city: '', contact_email: '' },
  people: { member_no: '', first_name: '', last_name: '', email: '', phone: '', chapter_code: '', member_since: '', birth_date: '' },
  positions: { member_no: '', title: '', chapter_code: '', starts_on: '', ends_on: '' },
  groups: { code: '', name: '', kind: '', chapter_code: '', parent_code: '' },
  group_members: { group_code: '', member_no: '', title: '', role: '', starts_on: '', ends_on: '' },
  memberships: {
    member_no: 'EXAMPLE-1',
    membership_type: 'Full member',
    chapter_code: '',
    term_start: '2025-01-01',
    term_end: '2025-12-31',
    membership_status: 'active',
    price: '60.00',
    currency: 'EUR',
    paid_on: '2024-12-20',
    joined_on: '2019-05-01',
    auto_renew: 'yes',
  },
  invoices: {
    member_no: 'EXAMPLE-1',
    debtor_chapter: '',
    invoice_number: 'R-2024-017',
    issued_on: '2024-11-30',
    due_on: '2024-12-30',
    text: 'Dues 2025',
    total: '60.00',
    currency: 'EUR',
    paid_amount: '60.00',
    paid_on: '2024-12-20',
    payment_method: 'bank transfer',
  },
  registrations: {
    event_title: 'Summer party',
    event_date: '2025-07-05',
    member_no: 'EXAMPLE-1',
    first_name: '',
    last_name: '',
    email: '',
    ticket: '',
    registration_status: 'attended',
    registered_on: '2025-06-01',
    checked_in_at: '18:05',
  },
  gifts: {
    gift_id: 'G-2024-0117',
    member_no: 'EXAMPLE-1',
    email: '',
    donor: '',
    amount: '50.00',
    currency: 'EUR',
    received_on: '2024-12-20',
    payment_method: 'cheque',
    campaign: '',
    fund: 'Scholarships',
    reference: '001017',
    anonymous: 'no',
    tribute: '',
    in_honour_of: '',
    note: '',
  },
  relationships: {
    relationship_type: 'lineage',
    from_member_no: 'EXAMPLE-1',
    to_member_no: 'EXAMPLE-2',
    starts_on: '2019-10-01',
    ends_on: '',
    note: '',
  },
}

/** Columns without which a file of this kind means nothing; one of each inner list must be chosen. */
export const importNeeds = {
  chapters: [['code'], ['name']],
  people: [['givenName', 'familyName', 'fullName', 'recordId']],
  positions: [[...identifying], ['title'], ['chapterCode'], ['startsOn']],
  groups: [['code', 'recordId'], ['name']],
  group_members: [
    ['groupCode', 'groupRecordId'],
    [...identifying, 'recordId'],
  ],
  memberships: [[...identifying, 'recordId'], ['membershipType'], ['startsOn']],
  invoices: [[...identifying, 'recordId', 'debtorChapter'], ['number'], ['issuedOn'], ['total', 'lines']],
  registrations: [
    ['eventTitle', 'eventId'],
    [...identifying, 'recordId', 'fullName', 'familyName'],
  ],
  gifts: [[...identifying, 'recordId', 'donorName', 'fullName', 'familyName'], ['amount'], ['receivedOn']],
  relationships: [
    ['relationshipType'],
    ['fromMemberNo', 'fromEmail', 'fromExternalId', 'fromRecordId'],
    ['toMemberNo', 'toEmail', 'toExternalId', 'toRecordId'],
  ],
} as const satisfies Record<ImportKind, readonly (readonly string[])[]>

export const ColumnTarget = z
  .string()
  .max(60)
  .regex(/^[a-zA-Z]+(:[a-z0-9_-]{1,40})?$/)
  .describe(
    'A field of the kind, "ignore", "tag", "link:<service>", "externalId:<system>", or "field:<key>" for a field of the organisation',
  )
/** One target per column, in the order of the file. */
export const ImportMapping = z.array(ColumnTarget).max(importLimits.columns)

export const Separator = z.enum([',', ';', '\t', '|'])
export const DateOrder = z.enum(['ymd', 'dmy', 'mdy'])
export type DateOrder = z.infer<typeof DateOrder>
export const ImportEncoding = z.enum([
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'iso-8859-15',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'big5',
  'macintosh',
])
export type ImportEncoding = z.infer<typeof ImportEncoding>

/** How the file is read. */
export const ImportFormat = z.object({
  type: z.enum(['csv', 'xlsx']),
  encoding: ImportEncoding,
  separator: Separator,
  headerRow: z.int().min(0).max(20).describe('Which row holds the names of the columns, counted from 1; 0 when none does'),
  dateOrder: DateOrder.nullable().describe('Null when the file does not tell and nobody was asked yet'),
  sheet: z.string().max(100).nullable().describe('Sheet of an XLSX file'),
  garbled: z
    .enum(['repair', 'keep'])
    .optional()
    .describe(
      'What to do with letters that an earlier program garbled, such as "MÃ¼ller" for "Müller"; without it their rows are rejected',
    ),
})
export type ImportFormat = z.infer<typeof ImportFormat>

export const MatchKey = z.enum(['memberNo', 'emailAndName', 'externalId', 'link', 'nameAndBirthDate', 'code', 'natural'])
export type MatchKey = z.infer<typeof MatchKey>
/** By what a row is known again; people try theirs in order. `natural`: an office by person, title, chapter and start; a member of a group by both; a term of a membership by person, type and first day; an invoice by its number; a registration by event and person; a gift by its id in the other system, else by donor, day and amount; a relationship by type and both people, one that is over by its days too. */
export const matchKeys = {
  chapters: ['code'],
  people: ['memberNo', 'emailAndName', 'externalId', 'link', 'nameAndBirthDate'],
  positions: ['natural'],
  groups: ['code'],
  group_members: ['natural'],
  memberships: ['natural'],
  invoices: ['natural'],
  registrations: ['natural'],
  gifts: ['natural'],
  relationships: ['natural'],
} as const satisfies Record<ImportKind, readonly MatchKey[]>

/** What values of closed lists stand for, by field and by the value in lower case with single spaces; `''` leaves the field empty. */
export const ValueChoices = z
  .record(z.string().regex(/^[a-zA-Z]{1,40}$/), z.record(z.string().min(1).max(100), z.string().max(60)))
  .refine((choices) => Object.keys(choices).length <= 20, 'Choose for at most 20 fields.')
  .refine(
    (choices) => Object.values(choices).every((values) => Object.keys(values).length <= 200),
    'Choose for at most 200 values of a field.',
  )
  .describe(
    'What values that are not understood stand for, by field and value in lower case, such as {"level": {"local branch": "chapter"}}; "" leaves the field empty',
  )
export type ValueChoices = z.infer<typeof ValueChoices>

const optionFields = {
  matchBy: z.array(MatchKey).max(4).describe('Empty: all that the kind knows, in their order'),
  onNew: z.enum(['create', 'skip']).describe('What to do with rows that nothing matches'),
  onMatch: z.enum(['update', 'skip']).describe('What to do with rows that match; an update never empties a field'),
  doubles: z
    .enum(['reject', 'merge'])
    .describe(
      'People: what to do with a row that means the same person as an earlier one: leave it out, or fill with it what the earlier one leaves empty',
    ),
  tag: text(60).nullable().describe('People: every person of the file gets this tag'),
  defaultChapterId: Id.nullable().describe('People: chapter of rows without one; groups: their chapter'),
  defaultStartsOn: CalendarDate.nullable().describe('Start of memberships and offices whose row gives none; today when null'),
  phoneCountry: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable()
    .describe('Country of telephone numbers without one, such as US'),
  values: ValueChoices,
  newChoices: z
    .enum(['reject', 'create'])
    .describe('Fields of the organisation: what to do with a choice that is not there; creating needs organisation.manage'),
}
export const ImportOptions = z
  .strictObject({
    matchBy: optionFields.matchBy.default([]),
    onNew: optionFields.onNew.default('create'),
    onMatch: optionFields.onMatch.default('update'),
    doubles: optionFields.doubles.default('reject'),
    tag: optionFields.tag.default(null),
    defaultChapterId: optionFields.defaultChapterId.default(null),
    defaultStartsOn: optionFields.defaultStartsOn.default(null),
    phoneCountry: optionFields.phoneCountry.default(null),
    values: optionFields.values.default({}),
    newChoices: optionFields.newChoices.default('reject'),
  })
  .meta({ examples: [{ matchBy: ['memberNo'], onNew: 'create', onMatch: 'update', tag: 'Import May 2026' }] })
/** What is to be different; what is not named stays, so that nothing here has a default. */
const ImportOptionsChange = z.strictObject(optionFields).partial()
export type ImportOptions = z.infer<typeof ImportOptions>

export const ImportSheet = z.object({
  name: z.string(),
  rows: z.int().nullable().describe('Last row with something in it, as far as the workbook says; null when it does not'),
  hidden: z.boolean(),
})
export type ImportSheet = z.infer<typeof ImportSheet>

export const ImportColumn = z.object({
  header: z.string().describe('As in the file; empty when it has none'),
  samples: z.array(z.string()).describe('First few values that are not empty'),
  target: ColumnTarget.describe('What the column maps to'),
  guess: ColumnTarget.describe('What its header says it is; "ignore" when that says nothing'),
  suggestions: z.array(ColumnTarget).describe('What its values look like, such as "tag" for a few recurring words'),
})
export type ImportColumn = z.infer<typeof ImportColumn>

/** Values of a column with a closed list that nobody understands yet. */
export const UnrecognizedColumn = z.object({
  field: z.string(),
  header: z.string(),
  targets: z.array(z.string()).describe('What a value can stand for'),
  whole: z.boolean().describe('Whether all rows were counted, as a check does, or the first ones only'),
  values: z.array(
    z.object({
      value: z.string().describe('As it first stands in the file'),
      key: z.string().describe('Its name in options.values'),
      rows: z.int(),
      target: z
        .string()
        .nullable()
        .describe('What was chosen for it; empty to leave the field empty, null when nothing was and its rows are rejected'),
      suggestion: z.string().nullable(),
    }),
  ),
})
export type UnrecognizedColumn = z.infer<typeof UnrecognizedColumn>

/** Every finding about a file, a row or an undo, with the names of what its text is filled with. The web app has a text for each. */
export const importFindings = {
  ambiguous: ['count', 'people'],
  ambiguous_campaign: ['campaign'],
  ambiguous_code: ['code'],
  ambiguous_event: [],
  archived: [],
  archived_fund: ['fund'],
  birth_date: [],
  broken_character: [],
  calculated_columns: ['columns'],
  campaign_currency: ['campaign', 'currency'],
  campaign_draft: ['campaign'],
  changed_since: ['field', 'by'],
  chapter_closed: ['chapter'],
  chapter_needed: [],
  check_in_early: [],
  check_in_without_seat: [],
  circle: ['rows'],
  conflict: [],
  contradiction: ['key', 'person', 'otherKey', 'otherPerson'],
  control_character: [],
  date_order: [],
  day_in_future: ['field'],
  dates_reversed: ['first', 'second'],
  doubled_field: ['fields'],
  duplicate_header: ['headers'],
  duplicate_row: ['row'],
  encoding_guessed: [],
  event_full: ['event'],
  event_not_begun: [],
  external_id: [],
  external_id_office: [],
  field_kept: ['field'],
  field_pattern: ['help'],
  field_person: [],
  formula_not_calculated: ['cells'],
  funds_differ: [],
  garbled_letters: ['column', 'before', 'after', 'mend'],
  garbled_repaired: ['repaired'],
  garbled_text: ['meant', 'mend'],
  gift_taken: ['id'],
  hidden_character: ['characters'],
  in_use: ['why', 'names', 'by'],
  joined_on_kept: ['date'],
  kept: [],
  matched_by_name: [],
  member_no_office: [],
  membership_in_progress: [],
  merged_cells: ['cells'],
  merged_row: ['row', 'differing'],
  missing: ['field'],
  missing_header: [],
  more_seats: ['title', 'seats'],
  no_rows: [],
  not_a_choice: ['choices'],
  not_a_currency: [],
  not_a_date: ['order'],
  not_a_number: ['min', 'max'],
  not_a_phone_number: [],
  not_a_time: [],
  not_a_timezone: [],
  not_a_web_address: [],
  not_accepted: ['chapter', 'people', 'phase'],
  not_allowed: [],
  not_an_amount: ['currency'],
  not_an_email: [],
  not_home_chapter: [],
  not_lines: [],
  not_yes_or_no: [],
  not_your_chapter: [],
  not_your_person: [],
  number_taken: ['number'],
  own_note: [],
  paid_more: [],
  parent_rejected: ['parent', 'row'],
  person_deceased: [],
  person_erased: [],
  person_merged: [],
  refused: ['rule'],
  registration_kept: [],
  related_to_oneself: [],
  relationship_cycle: ['path'],
  relationship_kept: [],
  relationship_manager_managed: [],
  relationship_max_parents: ['max'],
  relationship_minors_only: [],
  relationship_state: [],
  relationship_taken: [],
  relationship_under_age: [],
  root_chapter: ['code', 'chapter'],
  sensitive_ignored: [],
  several_sheets: ['count', 'sheet'],
  shortened_number: [],
  similar_row: ['row'],
  spreadsheet_error: ['cells'],
  status_by_dates: ['status', 'becomes'],
  status_contradicts: ['status', 'last'],
  status_kept: [],
  term_gap: ['days', 'last'],
  term_overlap: ['first', 'last'],
  too_long: ['max'],
  too_many_cells: ['cells', 'columns'],
  too_many_columns: ['count', 'max'],
  total_differs: [],
  unknown_campaign: ['campaign'],
  unknown_chapter_code: ['code'],
  unknown_event: [],
  unknown_fund: ['fund'],
  unknown_group_code: ['code'],
  unknown_member_no: ['memberNo'],
  unknown_membership_type: ['type'],
  unknown_parent: ['code'],
  unknown_relationship_type: ['type'],
  unknown_tag: ['tag'],
  unknown_ticket: ['tickets'],
} as const satisfies Record<string, readonly string[]>
export type ImportFindingCode = keyof typeof importFindings
export type ImportFindingParams<C extends ImportFindingCode> = Record<(typeof importFindings)[C][number], string | number>
export const ImportFindingCode = z.enum(Object.keys(importFindings).filter((code): code is ImportFindingCode => code in importFindings))

export const ImportFinding = z.object({
  level: z.enum(['error', 'warning']),
  // Ledgers of earlier versions have names of database rules here.
  code: ImportFindingCode.catch('refused').describe('Stable; a rule of the database is `refused`, with its name in params.rule'),
  params: z
    .record(z.string(), z.union([z.string(), z.int()]))
    .optional()
    .describe('What the text of this code is filled with'),
  column: z.string().nullable().describe('Header of the column meant'),
  value: z.string().nullable(),
  message: z.string().describe('What is wrong, in English'),
  fix: z.string().describe('What to do about it, in English'),
  heldBy: z
    .object({ id: Id, fileName: z.string() })
    .optional()
    .describe('Undo: the later import that uses or changed what this row wrote; undo it first'),
})
export type ImportFinding = z.infer<typeof ImportFinding>

export const ImportCounts = z.object({ create: z.int(), update: z.int(), unchanged: z.int(), skip: z.int(), reject: z.int() })
export type ImportCounts = z.infer<typeof ImportCounts>
/** A kind of change to something that was there: a field, and whether it was empty before, has another value or is taken away. */
export const ImportChangeHow = z.enum(['add', 'change', 'remove'])
export const ImportChangeKind = z
  .string()
  .max(60)
  .regex(/^[a-zA-Z]+:(add|change|remove)$/)
  .describe('A field and what happens to it, such as "email:add" or "parentCode:change"')
export const ImportChangeCount = z.object({ kind: ImportChangeKind, rows: z.int() })
export type ImportChangeCount = z.infer<typeof ImportChangeCount>
const changeCounts = z.array(ImportChangeCount).nullable()
export const UndoCounts = z.object({ removed: z.int(), restored: z.int(), kept: z.int() })
export type UndoCounts = z.infer<typeof UndoCounts>

const summary = {
  id: Id,
  kind: ImportKind,
  fileName: z.string(),
  fileSize: z.int(),
  status: ImportStatus,
  rowsTotal: z.int().nullable().describe('Known after the check'),
  counts: z.object({ check: ImportCounts.nullable(), run: ImportCounts.nullable(), undo: UndoCounts.nullable() }),
  error: Failure.nullable().describe('Why the whole file could not be read or the run stopped'),
  tag: TagRef.nullable(),
  createdBy: z.object({ id: Id, name: z.string(), isMe: z.boolean() }),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
  undoUntil: Instant.nullable().describe('Until then the import can be undone; null when it cannot'),
  version: Version,
}
export const ImportSummary = z.object(summary)
export type ImportSummary = z.infer<typeof ImportSummary>

export const Import = z.object({
  ...summary,
  format: ImportFormat,
  columns: z.array(ImportColumn),
  sample: z.array(z.array(z.string())).describe('The first 20 rows as they are read'),
  sheets: z.array(ImportSheet).optional().describe('Sheets of an XLSX file; one of them is read'),
  options: ImportOptions,
  changes: z
    .object({ check: changeCounts, run: changeCounts, undo: changeCounts })
    .describe('How many rows have each kind of change to something that was there, most frequent first'),
  waiting: z.int().describe('Rows of the check that stay out until someone accepts what they change'),
  findings: z.array(ImportFinding).describe('About the file as a whole; errors must be settled before a check'),
  missing: z.array(z.array(z.string())).describe('Fields still needed; one of each list must be chosen'),
  unrecognized: z.array(UnrecognizedColumn).describe('Values that are in no closed list, with what was chosen for them'),
  savedMapping: z.object({ id: Id, name: z.string() }).nullable().describe('A saved mapping that was used, since the headers are the same'),
  sameFile: z
    .array(z.object({ id: Id, fileName: z.string(), status: ImportStatus, createdAt: Instant }))
    .describe('Earlier imports of exactly this content'),
  job: Job.nullable().describe('Progress of the check, run or undo under way or last finished; only for the person who started it'),
})
export type Import = z.infer<typeof Import>

export const ImportChange = z.object({
  field: z.string().describe('A field of the kind of file; "link:<service>" for a link, "seats" for the seats of an office'),
  how: ImportChangeHow,
  before: z.string().nullable(),
  after: z.string().nullable(),
  hidden: z.boolean().describe('The values are not yours to see'),
})
export type ImportChange = z.infer<typeof ImportChange>

export const ImportRow = z.object({
  line: z.int().describe('Row in the file, counted as a spreadsheet does'),
  outcome: RowOutcome,
  entityId: Id.nullable(),
  name: z.string().nullable().describe('The person, chapter, group or office that the row means; null in imports of earlier versions'),
  changes: z.array(ImportChange).describe('What it changes about something that was there, field by field; empty for new rows'),
  accepted: z.boolean().nullable().describe('False: stays out until someone accepts the changes. True: accepted. Null: nobody is asked'),
  sameAs: z.int().nullable().describe('The earlier row of the file that means the same person'),
  findings: z.array(ImportFinding),
})
export type ImportRow = z.infer<typeof ImportRow>

export const SavedMapping = z.object({
  id: Id,
  kind: ImportKind,
  name: z.string(),
  headers: z.array(z.string()),
  mapping: ImportMapping,
  values: ValueChoices,
  mine: z.boolean(),
  createdAt: Instant,
})
export type SavedMapping = z.infer<typeof SavedMapping>

const One = z.strictObject({ importId: Id })

export const importsData = {
  list: get('/imports', 'listImports', { needs: 'people.import', tag, summary: 'Imports, newest first' })
    .input(
      z.strictObject({ kind: ImportKind.optional(), status: ImportStatus.optional(), cursor: Cursor.optional(), limit: Limit.optional() }),
    )
    .output(page(ImportSummary)),
  get: get('/imports/{importId}', 'getImport', {
    needs: 'people.import',
    tag,
    summary: 'One import: how it is read, mapped and how far it is',
  })
    .input(One)
    .output(Import),
  rows: get('/imports/{importId}/rows', 'listImportRows', {
    needs: 'people.import',
    tag,
    summary: 'The ledger: what became, or would become, of each row and why',
  })
    .input(
      One.extend({
        phase: ImportPhase.default('run'),
        outcome: RowOutcome.optional(),
        withFindings: z.boolean().optional().describe('Only rows with messages'),
        kind: ImportChangeKind.optional().describe('Only rows with this kind of change'),
        waiting: z.boolean().optional().describe('Only rows that stay out until someone accepts their changes'),
        doubles: z.boolean().optional().describe('Only rows that mean the same person as another one of the file, grouped'),
        q: text(200, 1).optional().describe('Part of the name, or the row number'),
        cursor: Cursor.optional(),
        limit: Limit.optional(),
      }),
    )
    .output(page(ImportRow)),
  mappings: {
    list: get('/import-mappings', 'listImportMappings', { needs: 'people.import', tag, summary: 'Saved answers to which column is what' })
      .input(z.strictObject({ kind: ImportKind.optional() }))
      .output(z.object({ items: z.array(SavedMapping) })),
    remove: del('/import-mappings/{mappingId}', 'removeImportMapping', { needs: 'people.import', tag, summary: 'Forget a saved mapping' })
      .input(z.strictObject({ mappingId: Id }))
      .output(z.void()),
  },
}

export const importsActions = {
  upload: post('/imports/{kind}', 'uploadImport', {
    needs: 'people.import',
    idempotent: false,
    upload: true,
    perHour: 120,
    tag,
    summary: 'Upload a CSV or XLSX file, or paste rows',
    description:
      'Send multipart/form-data with one part named `file` (at most 100 MB), or JSON with `text` for pasted rows. Nothing is imported yet: the answer says ' +
      'how the file would be read and what each column maps to.',
  })
    .input(
      z.strictObject({
        kind: ImportKind,
        file: z.file().optional(),
        text: z.string().max(importLimits.pastedCharacters).optional(),
        fileName: text(255).optional(),
      }),
    )
    .output(Import),
  configure: patch('/imports/{importId}', 'configureImport', {
    needs: 'people.import',
    tag,
    summary: 'Change how the file is read, what its columns are, and what to do with rows',
  })
    .input(
      One.extend({
        format: ImportFormat.omit({ type: true }).partial().strict().optional(),
        mapping: ImportMapping.optional(),
        options: ImportOptionsChange.optional(),
        saveMappingAs: text(100, 1).optional().describe('Keep this mapping for files with the same headers'),
      }),
    )
    .output(Import),
  check: post('/imports/{importId}/check', 'checkImport', {
    needs: 'people.import',
    status: 202,
    tag,
    summary: 'Dry run: what each row would do, with reasons; writes nothing',
  })
    .input(One)
    .output(Import),
  accept: post('/imports/{importId}/accept', 'acceptImportChanges', {
    needs: 'people.import',
    status: 200,
    tag,
    summary: 'Accept that rows rename, move or relevel chapters that are there',
    description:
      'After a check, such rows stay out until they are accepted. Without `lines`, all of them are. Rows below them are checked again, so the answer may ' +
      'have the status `checking`.',
  })
    .input(
      One.extend({ lines: z.array(z.int().min(1)).min(1).max(1000).optional().describe('Rows by number; all that wait when left out') }),
    )
    .output(Import),
  run: post('/imports/{importId}/run', 'runImport', {
    needs: 'people.import',
    status: 202,
    tag,
    summary: 'Import for real, after a check; also goes on with one that was cancelled or failed',
    description: 'Rows that the check rejects stay out. A file of which another import of the same content is running is refused.',
  })
    .input(One)
    .output(Import),
  cancel: post('/imports/{importId}/cancel', 'cancelImport', {
    needs: 'people.import',
    status: 200,
    tag,
    summary: 'Stop a check or a run; what was imported stays and can be undone',
  })
    .input(One)
    .output(Import),
  undo: post('/imports/{importId}/undo', 'undoImport', {
    needs: 'people.import',
    status: 202,
    tag,
    summary: 'Undo an import, or the rest of one, for 7 days',
    description:
      'Removes what it created and nobody used since, and restores fields that still hold what it wrote. The ledger of phase undo says what was kept and why; ' +
      'the import is then partly_undone, and undoing it again takes only what is left.',
  })
    .input(One)
    .output(Import),
  errors: get('/imports/{importId}/errors', 'downloadImportErrors', {
    needs: 'people.import',
    tag,
    summary: 'CSV of all rejected rows as they stood in the file, with the reason; to be mended and imported',
  })
    .input(One)
    .output(z.file()),
}
