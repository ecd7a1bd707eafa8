import * as z from 'zod'

/**
 * Every rule that can refuse what somebody does on a screen, with the names of the values that its text needs (docs/developers/add-a-feature.md).
 * The web app has a text for each. A name of one that the database raises is the name of its constraint.
 */
export const reasons = {
  access_limit: [],
  account_active: [],
  account_exists: [],
  accounts_administrators: [],
  affiliation_known: [],
  affiliations_chapter_closed: [],
  affiliations_own: [],
  affiliations_primary: [],
  affiliations_reach: [],
  already_joined: [],
  already_member: [],
  already_requested: [],
  already_suspended: [],
  beyond_reach: ['permissions'],
  binary_file: [],
  birth_date_too_early: [],
  broken_character: [],
  busy: [],
  capacity_in_use: ['members'],
  card_ended: [],
  card_none: [],
  card_not_eligible: [],
  card_revoked: [],
  chapter_already_closed: [],
  chapter_closed: [],
  chapter_code_taken: ['code'],
  chapter_in_use: ['subchapters', 'people'],
  chapter_needed: [],
  chapter_not_found: [],
  chapter_open: [],
  chapter_own_parent: [],
  chapter_reopen_first: [],
  chapter_unavailable: [],
  chapters_no_circle: ['chapters'],
  chapters_organisation: [],
  chapters_too_deep: [],
  check_first: [],
  clock: [],
  comment_purged: [],
  comments_author: [],
  comments_own_moderation: [],
  comments_parent: [],
  contact_limit: [],
  content_gone: [],
  credit_note_stays: [],
  credit_too_high: [],
  credit_without_amount: [],
  damaged: [],
  damaged_cell: ['cell'],
  database: [],
  dates: [],
  death_before_birth: [],
  dues_rate_not_national: [],
  dues_rate_overridden: [],
  dues_rates_limit: [],
  duplicate_grant: [],
  duplicate_term: [],
  duplicate_title: ['title'],
  email_known: [],
  empty_file: [],
  ended: [],
  expired: [],
  export: [],
  export_group_needed: [],
  export_reason_needed: ['above'],
  export_too_many_columns: ['max'],
  export_too_many_rows: ['max'],
  export_too_many_rows_to_print: ['max'],
  external_id_office: [],
  external_id_taken: [],
  field_choice: [],
  field_choice_in_use: ['label', 'records'],
  field_choice_twice: [],
  field_choices_limit: [],
  field_date: [],
  field_flag: [],
  field_in_use: ['label', 'records'],
  field_kept: ['label'],
  field_key_taken: [],
  field_needs_choices: [],
  field_no_choices: [],
  field_no_pattern: [],
  field_no_self: [],
  field_number: [],
  field_own_hidden: [],
  field_pattern: ['help'],
  field_pattern_broken: [],
  field_pattern_slow: [],
  field_person: [],
  field_required: ['label'],
  field_sensitive_open: [],
  field_text: [],
  field_unknown: [],
  field_url: [],
  field_value: [],
  fields_limit: [],
  fields_missing: [],
  file_broken: [],
  file_empty: [],
  file_gone: ['days'],
  file_macros: [],
  file_not_a_picture: [],
  file_not_accepted: [],
  file_too_complex: [],
  file_too_large: ['max'],
  file_too_many_pixels: [],
  file_wrong_type: [],
  files_busy: [],
  findings_first: [],
  form: [],
  grant_chapter: [],
  grant_group: [],
  grants_beyond_reach: [],
  grants_own: [],
  group_already_archived: [],
  group_archived: [],
  group_code_taken: ['code'],
  group_members_archived: [],
  group_members_consent: [],
  group_members_full: [],
  group_members_last_leader: [],
  group_members_leaders: [],
  group_members_own_lead: [],
  group_not_archived: [],
  group_not_found: [],
  group_own_parent: [],
  groups_code_taken: [],
  groups_no_circle: [],
  groups_reach: [],
  groups_reach_parent: [],
  has_account: [],
  hidden_character: ['character'],
  import_not_allowed: [],
  import_over: [],
  import_running: [],
  import_started: [],
  import_stopped: [],
  import_undone: [],
  in_flight: [],
  invalid_format: ['format'],
  invalid_token: [],
  invalid_type: [],
  invalid_value: [],
  invitation_expired: [],
  invite_only: [],
  invoice_below_zero: [],
  invoice_empty: [],
  invoice_gone: [],
  invoice_has_payments: [],
  invoice_issued: [],
  invoice_not_draft: [],
  invoice_not_issued: [],
  invoices_not_deleted: [],
  link_invalid: [],
  links_limit: ['max'],
  locked: [],
  mail_not_failed: [],
  mail_not_waiting: [],
  member_left: [],
  member_no_taken: [],
  membership_decided_above: [],
  membership_fixed_year: [],
  membership_held: [],
  membership_lifetime: [],
  membership_lifetime_months: [],
  membership_months_needed: [],
  membership_move: [],
  membership_no_renewal: [],
  membership_no_start: [],
  membership_not_approved: [],
  membership_not_paid: [],
  membership_paid: [],
  membership_start_needed: [],
  membership_too_early: ['on'],
  membership_type_archived: [],
  membership_type_closed: [],
  membership_type_name_taken: [],
  membership_types_limit: [],
  memberships_administrators: [],
  mention_not_found: [],
  name_needed: [],
  no_account: [],
  no_errors: [],
  no_file: [],
  no_person: [],
  no_rows: [],
  no_such_sheet: [],
  not_a_colour: [],
  not_a_currency: [],
  not_a_key: [],
  not_a_language: [],
  not_a_link: [],
  not_a_phone_number: [],
  not_a_table: ['kind'],
  not_a_timezone: [],
  not_a_web_address: [],
  not_an_email: [],
  not_csv: ['row'],
  not_in_group: [],
  not_invited: [],
  not_invited_account: [],
  not_linked: [],
  not_pending: [],
  not_ready: [],
  not_requested: [],
  not_run: [],
  not_running: [],
  not_undoable: [],
  notification_essential: [],
  old_or_locked: [],
  other_organisation: [],
  own_rights: [],
  parent_closed: ['chapter'],
  parent_not_found: [],
  payment_not_settled: [],
  payments_not_deleted: [],
  pending: [],
  people_member_no_office: [],
  people_office_fields: [],
  people_per_hour: ['perHour', 'againInSeconds'],
  person_archived: [],
  person_deceased: [],
  person_erased: [],
  person_home_chapter: [],
  person_linked: ['account'],
  person_merged: ['into'],
  person_not_found: [],
  person_own_death: [],
  person_own_majority: [],
  person_private_birth_date: [],
  phone_known: [],
  position_held: [],
  position_holders_beyond_reach: [],
  position_holders_member_only: [],
  position_holders_own: [],
  position_holders_seats: [],
  positions_beyond_reach: [],
  positions_own: [],
  rate_limit: ['againInSeconds'],
  reading_busy: [],
  record_closed: [],
  receipt_issued: [],
  record_gone: [],
  record_not_found: [],
  recording_limit: [],
  restore_too_late: ['days'],
  role_in_use: [],
  role_name_taken: [],
  same_file_running: [],
  seats_in_use: ['needed'],
  sign_in_service: [],
  signed_out: [],
  stale: [],
  standard_role: [],
  storage: [],
  suspend_self: [],
  suspended: [],
  tag_name_taken: [],
  tag_not_found: [],
  text_needed: [],
  text_too_formatted: [],
  text_too_long: ['max'],
  too_big: ['origin', 'maximum'],
  too_many_columns: ['cell', 'max'],
  too_many_files: ['max'],
  too_many_mentions: ['max'],
  too_many_rows: ['max'],
  too_slow: [],
  too_small: ['origin', 'minimum'],
  unbalanced_quotes: ['row'],
  undo_too_late: ['days'],
  unsafe_workbook: [],
  upload_too_large: ['max'],
  uploads_per_day: ['max'],
  uploads_under_way: ['max'],
  view_name_taken: [],
  workbook_too_large: ['rows', 'bytes'],
  workbook_too_slow: [],
} as const satisfies Record<string, readonly string[]>
export type Reason = keyof typeof reasons

/** What only a program can cause: no screen has a text for these, the answer says it in English. */
export const callerReasons = [
  'address',
  'body',
  'columns',
  'cursor',
  'custom',
  'filter',
  'filter_field',
  'filter_op',
  'filter_value',
  'idempotency_key',
  'if_match',
  'invalid',
  'invalid_element',
  'invalid_key',
  'invalid_union',
  'key_reused',
  'link_over',
  'mapping',
  'media_type',
  'not_listening',
  'not_multiple_of',
  'pipelining',
  'query',
  'record_type',
  'route',
  'sort',
  'stopping',
  'streams_full',
  'too_deep',
  'too_many_streams',
  'unknown_field',
  'unrecognized_keys',
] as const
export type CallerReason = (typeof callerReasons)[number]
export type AnyReason = Reason | CallerReason

/** A name as it is stored, a figure, a day as 2026-11-30, or several names. The screen gives each its form. */
export const ReasonValue = z.union([z.string(), z.number(), z.array(z.string())])
export type ReasonValue = z.infer<typeof ReasonValue>
/** The values that the text of a reason needs. */
export type ReasonParams<R extends AnyReason> = Record<R extends Reason ? (typeof reasons)[R][number] : never, ReasonValue>
/** Reasons that say all there is to say by themselves. */
export type PlainReason = { [R in AnyReason]: keyof ReasonParams<R> extends never ? R : never }[AnyReason]
type TellingReason = Exclude<AnyReason, PlainReason>
/** A reason together with the values that its text needs. */
export type Said =
  { reason: PlainReason; params?: undefined } | { [R in TellingReason]: { reason: R; params: ReasonParams<R> } }[TellingReason]

export const isReason = (name: unknown): name is Reason => typeof name === 'string' && Object.hasOwn(reasons, name)
const callers: ReadonlySet<unknown> = new Set(callerReasons)
export const isAnyReason = (name: unknown): name is AnyReason => isReason(name) || callers.has(name)
/** Whether these are all the values that the text of a reason needs. */
export const isFilled = <R extends Reason>(
  reason: R,
  params: object,
): params is Record<(typeof reasons)[R][number], ReasonValue> & ReasonParams<R> =>
  reasons[reason].every((name) => ReasonValue.safeParse(Reflect.get(params, name)).success)
/** A reason with its values that came from another process. */
export const isSaid = (value: unknown): value is Said => {
  const said = z.object({ reason: z.custom<Reason>(isReason), params: z.unknown().optional() }).safeParse(value)
  return said.success && isFilled(said.data.reason, typeof said.data.params === 'object' ? (said.data.params ?? {}) : {})
}

/** Why long work stopped, as a problem answer says it. */
export const Failure = z.object({
  reason: z.string().optional().describe('Which rule refused, for programs'),
  params: z.record(z.string(), ReasonValue).optional().describe('The names and figures of which the detail speaks'),
  detail: z.string().describe('What is wrong and what to do about it'),
})
export type Failure = z.infer<typeof Failure>

/** What people take for a table: the words of `not_a_table`. */
export const notATable = ['pdf', 'picture', 'compressed', 'program', 'markup', 'xlsb', 'word', 'ods', 'numbers', 'archive'] as const
export type NotATable = (typeof notATable)[number]

/** What is wrong with one field of a request. */
export const FieldFault = z.object({
  path: z.string(),
  code: z.string().describe('Which rule refused, for programs'),
  message: z.string().describe('What is wrong and what to do about it, in a sentence'),
  params: z.record(z.string(), ReasonValue).optional().describe('The names and figures of which the message speaks'),
})
export type FieldFault = Omit<z.infer<typeof FieldFault>, 'code'> & { code: AnyReason }

/** In a rule of a shape: names the reason where its value is refused. `.refine(isTimezone, refusal('not_a_timezone', 'Enter …'))` */
export const refusal = <R extends Reason>(reason: R, message: string, params?: ReasonParams<R>) => ({
  message,
  params: { reason, ...(params && { params }) },
})

/** What is known of something that a shape refused: zod's own issue, whichever way it came here. */
type Issue = { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined }

/** What zod found in a value, as an answer says it and as a form shows it. */
export function fieldFault(issue: Issue): FieldFault {
  const of = (name: string): unknown => Reflect.get(issue, name)
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
  const { message } = issue
  const code = of('code')
  const step = of('inclusive') === false ? 1 : 0
  if (code === 'too_small') return { path, code, message, params: { origin: String(of('origin')), minimum: Number(of('minimum')) + step } }
  if (code === 'too_big') return { path, code, message, params: { origin: String(of('origin')), maximum: Number(of('maximum')) - step } }
  if (code === 'invalid_format') return { path, code, message, params: { format: String(of('format')) } }
  if (code === 'custom') return { path, message, ...ruleOf(of('params')) }
  return { path, code: isAnyReason(code) ? code : 'invalid', message }
}

const Rule = z.object({ reason: z.custom<Reason>(isReason), params: z.record(z.string(), ReasonValue).optional() })
function ruleOf(params: unknown): Pick<FieldFault, 'code' | 'params'> {
  const rule = Rule.safeParse(params)
  if (!rule.success) return { code: 'custom' }
  return { code: rule.data.reason, ...(rule.data.params && { params: rule.data.params }) }
}
