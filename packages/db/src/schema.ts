// Generated from the migrations by `npm run generate`; edit those instead.
import type { Generated, GeneratedAlways } from 'kysely'

/** A sign-in identity (issuer and subject), linked to at most one person */
export interface AccountsRow {
  org_id: string
  id: Generated<string>
  issuer: string | null
  subject: string | null
  email: string | null
  email_verified: Generated<boolean>
  name: Generated<string>
  sort_name: GeneratedAlways<string>
  person_id: string | null
  status: Generated<'invited' | 'active' | 'pending_link' | 'suspended'>
  /** Organisation-wide roles of the last verified access token that signed in, as of last_login_at; work that runs later acts with them */
  idp_roles: Generated<string[]>
  locale: string | null
  preferences: Generated<unknown>
  last_login_at: string | null
  /** Access tokens issued earlier are refused (back-channel logout) */
  tokens_valid_after: string | null
  /** What a person without an invitation wrote when they asked to be let in */
  access_message: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** Until when an invitation can be accepted; null for those of an operator, which do not expire */
  invited_until: string | null
  /** service: acts for a program, by an API key; nobody signs in with it */
  kind: Generated<'person' | 'service'>
}

/** A person belongs to a chapter from one day to another, as member, alumna, advisor, friend or applicant */
export interface AffiliationsRow {
  org_id: string
  id: Generated<string>
  person_id: string
  chapter_id: string
  kind: Generated<'member' | 'alumni' | 'advisor' | 'friend' | 'applicant'>
  starts_on: Generated<string>
  ends_on: string | null
  is_primary: Generated<boolean>
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Which account has read or dismissed which announcement; its author learns how many, never who. Not in the audit log: what somebody reads is their own affair */
export interface AnnouncementReadsRow {
  org_id: string
  announcement_id: string
  account_id: string
  read_at: Generated<string>
  dismissed_at: string | null
}

/** Announcements in the app: of the organisation, of a chapter with the chapters below it, or of a group */
export interface AnnouncementsRow {
  org_id: string
  id: Generated<string>
  chapter_id: string | null
  group_id: string | null
  title: string
  body: Generated<unknown>
  /** officers: who holds an office or a role there, leaders of a group. members: those and members, alumni and advisors. everybody: also friends and applicants, and of the organisation every account */
  audience: Generated<'officers' | 'members' | 'everybody'>
  pinned: Generated<boolean>
  starts_at: string | null
  ends_at: string | null
  /** Null for a draft. A published one is scheduled until starts_at, shown until ends_at, and over from then on */
  published_at: string | null
  archived_at: string | null
  /** Where and for whom, to be compared with app.announced_to_me() */
  reach: GeneratedAlways<string>
  sort_name: GeneratedAlways<string>
  search: GeneratedAlways<string>
  author_id: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Requests that servers have set aside for a key in its latest minute. Not in the audit log: a counter */
export interface ApiKeyMinutesRow {
  org_id: string
  key_id: string
  minute: string
  uses: number
}

/** Requests of a key by minute, operation and status; kept for 90 days. Not in the audit log: it is a log itself */
export interface ApiKeyUsesRow {
  org_id: string
  id: Generated<string>
  key_id: string
  /** The minute */
  at: string
  operation: string
  method: string
  status: number
  count: number
}

/** Keys by which programs use the API, each with the permissions and the place that were chosen for it; the key itself is kept as a hash */
export interface ApiKeysRow {
  org_id: string
  id: Generated<string>
  /** The account that the key acts as, and that audit log and histories name */
  account_id: string
  name: string
  purpose: Generated<string>
  /** Beginning of the key, to tell it by */
  prefix: string
  /** SHA-256 of the whole key, in hexadecimal */
  secret_hash: string
  permissions: string[]
  /** It holds in this chapter and those below; in the whole organisation where null */
  chapter_id: string | null
  per_minute: number
  expires_at: string
  /** Set once; a revoked key stays to say what it did */
  revoked_at: string | null
  /** To the minute */
  last_used_at: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Whom messages are for, under a name */
export interface AudiencesRow {
  org_id: string
  id: Generated<string>
  /** It reaches this chapter and those below it; with no chapter and no group the whole organisation */
  chapter_id: string | null
  /** It reaches the members of this group */
  group_id: string | null
  name: string
  sort_name: GeneratedAlways<string>
  search: GeneratedAlways<string>
  description: Generated<string>
  /** Parts that include and parts that exclude people */
  definition: unknown
  /** When a message to it was last sent; the row counts as unchanged */
  last_used_at: string | null
  archived_at: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Who changed what and when; each entry carries the hash of the one before, so that a change to any is found */
export interface AuditEntriesRow {
  org_id: string
  seq: number
  at: Generated<string>
  account_id: string | null
  action: 'create' | 'update' | 'delete' | 'export' | 'import' | 'undo' | 'sign_in'
  entity: string
  entity_id: string | null
  person_id: string | null
  chapter_id: string | null
  group_id: string | null
  /** Permission over the subject that lets someone read this entry */
  needs: string
  /** Of an update column to [before, after]; of anything else the row, which app.audit_changes shows as such pairs */
  diff: unknown
  request_id: string | null
  via: string | null
  prev_hash: Buffer
  hash: Buffer
  /** Record whose history an entry belongs to where that is no person, chapter or group: the event of a ticket, the campaign of a gift */
  record_id: string | null
  /** Person whom the account acted for; null where it acted for itself */
  acting_for: string | null
}

/** Last link of each organisation's chain; its row lock puts entries in order */
export interface AuditHeadsRow {
  org_id: string
  seq: Generated<number>
  hash: Generated<Buffer>
}

/** What each step did for each run, once: the key is run and step, with enter and end for its beginning and its end. Not in the audit log: it is a log itself */
export interface AutomationLogRow {
  org_id: string
  run_id: string
  step: string
  automation_id: string
  /** held: a condition was met; skipped: nothing was done, and detail has the reason */
  kind: 'entered' | 'waited' | 'held' | 'mailed' | 'skipped' | 'tagged' | 'untagged' | 'assigned' | 'exited' | 'done' | 'failed' | 'stopped'
  detail: Generated<unknown>
  at: Generated<string>
}

/** One person in one automation. Not in the audit log: automation_log tells every step */
export interface AutomationRunsRow {
  org_id: string
  id: Generated<string>
  automation_id: string
  person_id: string
  /** What happened, told apart from every other time it happens */
  occasion: string
  /** What may let a person enter only once; null where they did not enter */
  entry_key: string | null
  /** The membership, registration or tag that it happened to */
  subject_id: string | null
  /** Last day of the term then: with a later one the person has renewed */
  term_ends_on: string | null
  /** outside: it happened before activation, or the person did not meet the filter; they are not asked again */
  state: Generated<'active' | 'done' | 'exited' | 'failed' | 'stopped' | 'outside'>
  /** The step that comes next; null after the last one */
  step: string | null
  /** The step that made it wait until next_at */
  waits: string | null
  next_at: string | null
  /** Rule that ended it, as a code */
  ended_by: string | null
  entered_at: Generated<string>
  ended_at: string | null
}

/** What is done for people by itself, step by step, after something happened to them; of a chapter with those below it, or of the organisation */
export interface AutomationsRow {
  org_id: string
  id: Generated<string>
  chapter_id: string | null
  name: string
  description: Generated<string>
  status: Generated<'draft' | 'active' | 'paused' | 'archived'>
  recipe: 'welcome' | 'renewal' | 'win-back' | 'after-event' | null
  /** What lets people enter, as Trigger of the contract */
  trigger: unknown
  /** Filter of the people list that they must meet when they enter; null is everybody */
  who: unknown
  /** In their order, each with an id that stays its own, as Step of the contract */
  steps: Generated<unknown>
  /** Rules that end a run before its next step */
  exits: Generated<string[]>
  /** How often a person enters: once, once for each term of their membership, or whenever it happens */
  reentry: Generated<'once' | 'term' | 'always'>
  /** With whose rights it runs: it sees the people that this account sees, and stops when the account may no longer send */
  activated_by: string | null
  activated_at: string | null
  /** What happened before that day lets nobody enter */
  enters_from: string | null
  pause_reason: 'by_hand' | 'sender_gone' | 'filter_broken' | 'mail_broken' | 'complaints' | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Records that a bulk change changed, until it is undone. Not in the audit log: the rows that a bulk change wrote have entries of their own */
export interface BulkEffectsRow {
  org_id: string
  job_id: string
  record_id: string
  /** What undo needs: the former value, or the id of the row that was made */
  before: Generated<unknown>
}

/** Addresses of calendars that programs subscribe to, by the hash of their secret. Not in the audit log: an address changes no record, and rows stay when it is reset */
export interface CalendarFeedsRow {
  org_id: string
  id: string
  kind: 'personal' | 'chapter' | 'group' | 'organisation'
  /** Shows what everybody may see; otherwise what the account may see at the time of reading */
  public: boolean
  /** Whose rights decide what a calendar shows that is not public; null once the account is gone, and the calendar with it */
  account_id: string | null
  chapter_id: string | null
  group_id: string | null
  secret_hash: string
  created_at: Generated<string>
  /** When another address took its place; this one is answered "gone" from then on */
  reset_at: string | null
}

/** What came for a campaign on a day. Not in the audit log: it follows from gifts */
export interface CampaignDaysRow {
  org_id: string
  campaign_id: string
  day: string
  currency: string
  gifts: Generated<number>
  /** All that came on the day, also what was given back since */
  amount: Generated<number>
  /** What of it was given back, whenever that was */
  refunded: Generated<number>
  /** Donors whose first gift to the campaign came on this day */
  donors_new: Generated<number>
}

/** Who gave to a campaign, and how much that is worth. Not in the audit log: it follows from gifts */
export interface CampaignDonorsRow {
  org_id: string
  campaign_id: string
  donor_key: string
  person_id: string | null
  gifts: number
  amount: number
  first_on: string
  last_on: string
}

/** What funds have of the gifts to a campaign, less what was given back. Not in the audit log: it follows from gifts */
export interface CampaignFundTotalsRow {
  org_id: string
  campaign_id: string
  fund_id: string
  amount: Generated<number>
}

/** What donors may choose beside the fund of the campaign */
export interface CampaignFundsRow {
  org_id: string
  campaign_id: string
  fund_id: string
  place: Generated<number>
  created_at: Generated<string>
}

/** How many gifts of a campaign are how large. Not in the audit log: it follows from gifts */
export interface CampaignSizesRow {
  org_id: string
  campaign_id: string
  /** The smallest amount of these gifts: 1, 2 or 5 and zeros. The next such number is larger than all of them */
  from_amount: number
  gifts: Generated<number>
}

/** What each campaign comes to; a row for every one. Not in the audit log: it follows from gifts, pledges and plans */
export interface CampaignTotalsRow {
  org_id: string
  campaign_id: string
  /** Gifts that are worth something */
  gifts: Generated<number>
  donors: Generated<number>
  /** All that came, also what was given back since; disputed and reversed gifts are not here */
  settled_amount: Generated<number>
  refunded_amount: Generated<number>
  /** What is left of it */
  counted_amount: GeneratedAlways<number>
  /** What was promised and is still to come */
  pledged_amount: Generated<number>
  /** What recurring gifts that run come to in a month */
  recurring_amount: Generated<number>
  plans: Generated<number>
  last_gift_at: string | null
}

/** What money is raised for, with a goal, a page and the amounts it suggests */
export interface CampaignsRow {
  org_id: string
  id: Generated<string>
  /** Where it belongs; null for the whole organisation */
  chapter_id: string | null
  name: string
  /** Its address: /give/{slug} */
  slug: string
  kind: Generated<'appeal' | 'crowdfund' | 'memorial' | 'membership'>
  status: Generated<'draft' | 'active' | 'paused' | 'ended'>
  /** public: listed for everybody; unlisted: for everybody who has its address; members: for who is signed in */
  visibility: Generated<'public' | 'members' | 'unlisted'>
  summary: Generated<string>
  story: Generated<unknown>
  cover_file_id: string | null
  cover_alt: Generated<string>
  /** Of all its gifts; fixed once there is one */
  currency: string
  goal_kind: Generated<'amount' | 'gifts' | 'donors' | 'recurring'>
  /** In minor units where the goal is an amount, or what recurring gifts come to in a month */
  goal_value: number | null
  starts_on: string | null
  ends_on: string | null
  /** Amounts to choose from, each {"amount": minor units, "words": what it does} */
  suggested: Generated<unknown>
  /** The least that can be given on its page */
  min_amount: Generated<number>
  max_amount: number | null
  allows_recurring: Generated<boolean>
  allows_cover_fees: Generated<boolean>
  /** Where its gifts go unless the donor or the office chooses others */
  fund_id: string | null
  /** Shown and mailed to who gave */
  thanks: Generated<string>
  share_chapter_id: string | null
  /** What share_chapter_id has of each gift, in hundredths of a percent */
  share_bps: Generated<number>
  sort_name: GeneratedAlways<string>
  search: GeneratedAlways<string>
  archived_at: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Every chapter with each of its ancestors and itself (distance 0); kept by triggers, so that a subtree is one index range */
export interface ChapterAncestorsRow {
  org_id: string
  ancestor_id: string
  chapter_id: string
  distance: number
}

/** How many live affiliations of each kind a chapter itself has; kept by triggers and corrected daily as dates pass */
export interface ChapterCountsRow {
  org_id: string
  chapter_id: string
  kind: string
  people: Generated<number>
}

/** How many memberships began and ended in each month, by the dates that stand in them; kept by triggers */
export interface ChapterMonthsRow {
  org_id: string
  chapter_id: string
  month: string
  joins: Generated<number>
  leaves: Generated<number>
}

/** Money that a chapter was paid of what it has of gifts; never deleted */
export interface ChapterPayoutsRow {
  org_id: string
  id: Generated<string>
  chapter_id: string
  amount: number
  currency: string
  paid_on: string
  reference: Generated<string>
  note: Generated<string>
  reversed_at: string | null
  reversed_by: string | null
  reversal_reason: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** What a chapter has of gifts, and what of it was paid out. Not in the audit log: it follows from gifts and payouts */
export interface ChapterSharesRow {
  org_id: string
  chapter_id: string
  currency: string
  /** Gifts that it has a share of */
  gifts: Generated<number>
  earned_amount: Generated<number>
  paid_amount: Generated<number>
  /** What is still to be paid out; below zero where gifts were given back since */
  open_amount: GeneratedAlways<number>
}

/** A node of the organisation's tree, at most eight levels deep */
export interface ChaptersRow {
  org_id: string
  id: Generated<string>
  parent_id: string | null
  name: string
  code: string
  level: Generated<'national' | 'region' | 'district' | 'chapter' | 'club'>
  status: Generated<'prospective' | 'active' | 'probation' | 'suspended' | 'dormant' | 'closed'>
  depth: Generated<number>
  search: GeneratedAlways<string>
  about: Generated<string>
  city: Generated<string>
  contact_email: Generated<string>
  website: Generated<string>
  timezone: Generated<string>
  chartered_on: string | null
  closed_on: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** Whether everybody may open the page of this chapter, while it is active and the organisation shows its chapters */
  public_page: Generated<boolean>
}

/** What the organisation's own fields hold for each of chapters */
export interface ChaptersFieldValuesRow {
  org_id: string
  id: Generated<string>
  chapter_id: string
  field_id: string
  /** The choice, where a field takes several; else empty */
  slot: Generated<string>
  value: string
  key: Generated<string>
  /** Whether it is found by its parts */
  is_text: Generated<boolean>
}

/** Who was let in when, where and by whom. Not in the audit log: it is a log itself, and the capacity ledger has its lines */
export interface CheckInsRow {
  org_id: string
  id: Generated<string>
  event_id: string
  registration_id: string
  list: Generated<string>
  /** Made by the device, so that sending a scan again adds nothing */
  client_id: string
  device: Generated<string>
  scanned_at: string
  undone_at: string | null
  account_id: string | null
  by_name: Generated<string>
  created_at: Generated<string>
}

/** What hidden and deleted comments say, for their author and those who look after the record. Not in the audit log: it moves with the comment, of which the log tells */
export interface CommentWithheldRow {
  org_id: string
  comment_id: string
  record_type: string
  record_id: string
  /** The account that wrote the comment */
  created_by: string
  body: unknown
}

/** What people say to each other about a record */
export interface CommentsRow {
  org_id: string
  id: Generated<string>
  record_type: string
  record_id: string
  /** The comment that it answers; answers have none themselves */
  parent_id: string | null
  /** What it says; that of a hidden or deleted comment stands in comment_withheld */
  body: unknown
  /** The person who wrote it; how they are called is for each reader to be told by their rights */
  author_id: string | null
  created_by: string
  edited_at: string | null
  deleted_at: string | null
  hidden_at: string | null
  /** Why whoever looks after the record has hidden it */
  hidden_reason: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** How an organisation sends messages; without a row, the defaults */
export interface CommunicationSettingsRow {
  org_id: string
  id: Generated<string>
  /** Messages to more people than this are approved by a second person */
  review_above: Generated<number>
  /** So many messages that are not essential a person gets in seven days, from all chapters together; null is no limit */
  most_per_week: number | null
  from_name: Generated<string>
  reply_to: string | null
  counts_clicks: Generated<boolean>
  counts_opens: Generated<boolean>
  /** From then until quiet_until, by the clock of the organisation, only essential messages leave */
  quiet_from: string | null
  quiet_until: string | null
  version: Generated<number>
  updated_at: Generated<string>
}

/** Tokens and keys of connections, sealed with a key that only the servers have */
export interface ConnectionSecretsRow {
  org_id: string
  connection_id: string
  name: string
  /** Read only by app.connection_secrets_sealed, for who manages the connection */
  sealed: Buffer
  set_at: Generated<string>
}

/** Other systems that the organisation or a chapter is connected to */
export interface ConnectionsRow {
  org_id: string
  id: Generated<string>
  connector: string
  category: 'email' | 'payments' | 'calendar' | 'crm' | 'identity' | 'chat'
  /** Its name in addresses; never changes */
  slug: string
  name: string
  /** Whose it is, and whose people it reaches; null for the whole organisation */
  chapter_id: string | null
  /** degraded: three runs failed, or data is older than promised; error: it cannot go on before somebody repairs it */
  state: Generated<'connecting' | 'connected' | 'degraded' | 'paused' | 'error' | 'disconnected'>
  /** Why it is degraded, in error or not yet connected, as the contract has failures */
  failure: unknown
  settings: Generated<unknown>
  /** When settings or secrets changed last: the audit log says that they did, and not what they are, since an address can be a secret */
  settings_at: Generated<string>
  /** The account that runs act as, with the rights that it has at that time: who connected it, took it over, or last changed its settings, secrets or mapping */
  owner_account_id: string | null
  /** The organisation has one of this connector at most */
  is_single: Generated<boolean>
  /** It has runs; others only hand on what happens */
  syncs: Generated<boolean>
  every_minutes: number | null
  /** Promise: data is never older than this */
  fresh_hours: number | null
  next_run_at: string | null
  last_run_at: string | null
  last_success_at: string | null
  /** Runs that failed since the last one that did not */
  failed_runs: Generated<number>
  /** Fields with direction and rule, as the contract has them */
  mapping: Generated<unknown>
  match_by: string | null
  on_missing: Generated<'leave' | 'ask'>
  /** Raised when anything changes that decides what a run writes */
  mapping_version: Generated<number>
  /** The mapping version of the last dry run that ended; a run that writes needs one of the present version */
  dry_run_of: number | null
  /** Where the next run goes on; null for the beginning */
  cursor: unknown
  /** What the other side said of its data after the last whole run, such as a tag or a moment, by which it tells what is new */
  mark: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** Fields of the other side as it named them when it was last asked: [{key, label, example, isKey}] */
  their_fields: Generated<unknown>
}

/** Every change of a consent, as the proof of it. Not in the audit log: it is the log */
export interface ConsentChangesRow {
  org_id: string
  id: Generated<string>
  person_id: string
  topic_id: string
  state: 'subscribed' | 'unsubscribed' | 'pending'
  at: string
  source: string
  proof: unknown
  by_account_id: string | null
}

/** What a person last said about a topic; whoever said nothing has no row. Not in the audit log: consent_changes keeps every change */
export interface ConsentsRow {
  org_id: string
  id: Generated<string>
  person_id: string
  topic_id: string
  state: 'subscribed' | 'unsubscribed' | 'pending'
  at: Generated<string>
  /** profile: the person, signed in. link: the person, by the link of a mail. officer: an officer, whose words about it are in proof. connection: the person, in another system, which proof names */
  source: 'profile' | 'link' | 'officer' | 'import' | 'public' | 'connection'
  /** What shows it: the mail whose link was used, an officer's note, the file of an import */
  proof: Generated<unknown>
  by_account_id: string | null
}

/** How often something that anybody may do was done within the hour that began at since, by keyed hashes of the network address and the networks around it and, as *, in all */
export interface ContactAttemptsRow {
  org_id: string
  source: string
  since: Generated<string>
  attempts: Generated<number>
}

/** What the public contact page sent; organisation admins read it and are mailed a notice. Not in the audit log: a message of a visitor is not the organisation's data */
export interface ContactMessagesRow {
  org_id: string
  id: Generated<string>
  reference: string
  name: string
  email: string
  topic: string
  message: string
  handled_at: string | null
  created_at: Generated<string>
}

/** Gaps in the data by home chapter (null for people without one), counted anew every few minutes */
export interface DataHealthRow {
  org_id: string
  chapter_id: string | null
  people: number
  without_email: number
  counted_at: Generated<string>
}

/** What somebody gave in a year, in the currency of the organisation. Not in the audit log: it follows from gifts */
export interface DonorYearsRow {
  org_id: string
  person_id: string
  year: number
  gifts: number
  amount: number
}

/** Who gave, and what all of it is worth. Not in the audit log: it follows from gifts */
export interface DonorsRow {
  org_id: string
  person_id: string
  /** That of the organisation: gifts in others are counted, and not added up */
  currency: string
  gifts: number
  lifetime_amount: number
  largest_amount: number
  first_on: string
  last_on: string
}

/** What is charged, from whom and how often. Without chapter_id it is charged in the whole organisation; with it, in the chapter and everything below it */
export interface DuesRatesRow {
  org_id: string
  id: Generated<string>
  chapter_id: string | null
  /** The rate that this one stands in for in its chapter and below; the nearest chapter above somebody counts */
  overrides_id: string | null
  name: string
  /** Each member pays, each chapter pays the amount once, or each chapter pays it for every member */
  charged_to: 'person' | 'chapter' | 'chapter_per_member'
  member_kind: Generated<'member' | 'alumni' | 'advisor' | 'friend'>
  period: 'month' | 'quarter' | 'half_year' | 'year' | 'once'
  due_days: Generated<number>
  tax_bps: Generated<number>
  tax_note: Generated<string>
  /** What the chapter has of the amount, in hundredths of a percent */
  chapter_share_bps: Generated<number>
  archived_at: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  price_amount: number
  price_currency: string
}

/** Whom a dues run charges, each with their invoice once it is written. Not in the audit log: the invoices are */
export interface DuesRunItemsRow {
  org_id: string
  run_id: string
  subject_id: string
  person_id: string | null
  chapter_id: string | null
  rate_id: string
  quantity: Generated<number>
  net_amount: number
  currency: string
  share_chapter_id: string | null
  /** existing: somebody else charged it in between; kept: undoing left the invoice, because something was paid or credited */
  state: Generated<'planned' | 'charged' | 'existing' | 'voided' | 'kept'>
  invoice_id: string | null
}

/** One charging of a dues rate, for a period: in a chapter and everything below it, or in the whole organisation */
export interface DuesRunsRow {
  org_id: string
  id: Generated<string>
  rate_id: string
  chapter_id: string | null
  period_start: string
  period_end: string
  period_label: string
  due_on: string | null
  /** Whether invoices are issued at once; otherwise they are left as drafts */
  issues: Generated<boolean>
  state: Generated<'started' | 'done' | 'undoing' | 'undone'>
  /** The work that charges it, or undoes it */
  job_id: string | null
  planned: Generated<number>
  charged: Generated<number>
  skipped: Generated<number>
  voided: Generated<number>
  undo_reason: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** How many seats of an event are taken, by registrations in each status. Whoever changes registrations of the event locks this row first. Not in the audit log: the capacity ledger says line by line why it changed */
export interface EventCountsRow {
  org_id: string
  event_id: string
  taken: Generated<number>
  confirmed: Generated<number>
  checked_in: Generated<number>
  pending_payment: Generated<number>
  pending_approval: Generated<number>
  offered: Generated<number>
  waiting: Generated<number>
  cancelled: Generated<number>
  /** Number of the newest line of the event's capacity ledger */
  last_entry: Generated<number>
}

/** Who is invited to an event, and sees it: people, and e-mail addresses of nobody known. Not in the audit log: thousands are invited at once, and each row says who did it and when */
export interface EventInvitationsRow {
  org_id: string
  event_id: string
  person_id: string | null
  created_by: string | null
  created_at: Generated<string>
  id: Generated<string>
  email: string | null
  /** accepted: registered; declined: said no, or gave the seat back */
  answer: 'accepted' | 'declined' | null
  answered_at: string | null
  /** The mail is still to be written: once the event is published */
  mail_due: Generated<boolean>
  /** How many mails were written: the invitation and two reminders at most */
  mails: Generated<number>
  mailed_at: string | null
  /** When the address of somebody who did not come was removed, a while after the event */
  email_removed_at: string | null
}

/** Why a seat is taken or free, line by line; only ever added to. Not in the audit log: it is a log itself */
export interface EventLedgerRow {
  org_id: string
  event_id: string
  entry: number
  at: Generated<string>
  registration_id: string
  ticket_type_id: string | null
  name: string
  before: string | null
  after: string
  cause: string
  /** 1 takes a seat, -1 gives one back, 0 is another change */
  seats: number
  /** Seats taken after this line */
  taken: number
  account_id: string | null
}

/** Where an online event takes place; only registered people and its staff see it. Not in the audit log: whoever reads the log need not be registered */
export interface EventLinksRow {
  org_id: string
  event_id: string
  url: string
  note: Generated<string>
}

/** What the automatic mails of an event say in addition, and which are off; all others are as they come. Not in the audit log: it changes no record of anybody */
export interface EventMailSettingsRow {
  org_id: string
  event_id: string
  kind:
    | 'invitation'
    | 'requested'
    | 'confirmed'
    | 'payment'
    | 'waiting'
    | 'offered'
    | 'offer_expired'
    | 'hold_expired'
    | 'rejected'
    | 'cancelled'
    | 'received'
    | 'handed_over'
    | 'changed'
    | 'event_cancelled'
    | 'reminder'
    | 'survey'
  enabled: Generated<boolean>
  extra: Generated<string>
  /** Of the reminder: how long before the start people are reminded, as the organisation says unless stated; of the survey: how long after the end, 24 unless stated */
  hours: number | null
}

/** What was sent, or is to be sent, to many of those who registered for an event. Not in the audit log: each row says who sent what and when */
export interface EventMessagesRow {
  org_id: string
  id: Generated<string>
  event_id: string
  kind: 'message' | 'changed' | 'event_cancelled' | 'reminder' | 'survey'
  audience: Generated<'all' | 'confirmed' | 'waiting' | 'checked_in' | 'not_checked_in'>
  ticket_type_id: string | null
  subject: Generated<string>
  body: Generated<unknown>
  /** Time, place and link before the first of the changes it tells of */
  before: unknown
  /** The same when it was sent */
  after: unknown
  /** Sent once under the same key, such as the start that people are reminded of */
  once_key: string | null
  state: Generated<'waiting' | 'sending' | 'sent' | 'withdrawn'>
  send_at: Generated<string>
  /** The registration up to which its mails are written */
  reached: string | null
  recipients: Generated<number>
  sent_at: string | null
  created_by: string | null
  created_at: Generated<string>
}

/** What happens when at an event */
export interface EventProgrammeRow {
  org_id: string
  id: Generated<string>
  event_id: string
  place: number
  title: string
  starts_at: string
  ends_at: string | null
  room: Generated<string>
  speaker: Generated<string>
  about: Generated<string>
}

/** Codes that lower the price of a ticket, of all types or of one */
export interface EventPromoCodesRow {
  org_id: string
  id: Generated<string>
  event_id: string
  code: string
  ticket_type_id: string | null
  percent: number | null
  amount: number | null
  uses_limit: number | null
  valid_from: string | null
  valid_until: string | null
  archived_at: string | null
  created_at: Generated<string>
}

/** What people are asked when they register; a question that was removed stays for the answers there are */
export interface EventQuestionsRow {
  org_id: string
  id: Generated<string>
  event_id: string
  place: number
  text: string
  kind: Generated<'line' | 'lines' | 'choice' | 'choices' | 'flag'>
  required: Generated<boolean>
  options: Generated<string[]>
  of_guests: Generated<boolean>
  archived_at: string | null
  created_at: Generated<string>
}

/** How a series of events repeats. Each date is an event of its own. Not in the audit log: the events have entries of their own */
export interface EventSeriesRow {
  org_id: string
  id: Generated<string>
  /** Recurrence rule of RFC 5545, without DTSTART and UNTIL */
  rule: string
  timezone: string
  starts_local: string
  until_on: string
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** Up to which day its events have been made */
  made_until: string | null
}

/** Who runs an event: managers may do everything with it, check-in staff check people in */
export interface EventStaffRow {
  org_id: string
  id: Generated<string>
  event_id: string
  person_id: string
  role: 'manager' | 'checkin' | 'speaker' | 'host'
  created_at: Generated<string>
}

/** Answers to the survey of an event, one for each registration. Nobody reads a row but whoever answered, by functions. Not in the audit log: it would say who answered what */
export interface EventSurveyAnswersRow {
  org_id: string
  id: Generated<string>
  event_id: string
  registration_id: string
  rating: number
  /** Whether they would come again */
  again: 'yes' | 'maybe' | 'no' | null
  comment: Generated<string>
  answers: Generated<unknown>
  answered_at: Generated<string>
}

/** What the survey of an event asks in addition */
export interface EventSurveyQuestionsRow {
  org_id: string
  id: Generated<string>
  event_id: string
  place: number
  text: string
  kind: Generated<'line' | 'lines' | 'choice' | 'choices' | 'flag'>
  required: Generated<boolean>
  options: Generated<string[]>
  archived_at: string | null
}

/** Whether people who came are asked how an event was */
export interface EventSurveysRow {
  org_id: string
  event_id: string
  enabled: Generated<boolean>
}

/** How many tickets of a type are taken. Not in the audit log: the capacity ledger says line by line why it changed */
export interface EventTicketCountsRow {
  org_id: string
  ticket_type_id: string
  event_id: string
  taken: Generated<number>
}

/** Tickets of an event with their price and how many there are */
export interface EventTicketTypesRow {
  org_id: string
  id: Generated<string>
  event_id: string
  place: number
  name: string
  description: Generated<string>
  /** What somebody pays who holds a membership on that day; the price unless stated */
  member_price_amount: number | null
  quota: number | null
  /** Who may take one; staff: only those who manage the event give them out */
  audience: Generated<'everyone' | 'members' | 'chapter' | 'staff'>
  sells_from: string | null
  sells_until: string | null
  min_per_order: Generated<number>
  max_per_order: Generated<number>
  archived_at: string | null
  created_at: Generated<string>
  price_amount: number
  price_currency: string
}

/** Events of the organisation, a chapter or a group */
export interface EventsRow {
  org_id: string
  id: Generated<string>
  /** The chapter that owns it; null for the whole organisation. Of an event of a group, the chapter of the group */
  chapter_id: string | null
  group_id: string | null
  title: string
  summary: Generated<string>
  description: Generated<unknown>
  status: Generated<'draft' | 'published' | 'cancelled' | 'archived'>
  kind: Generated<'meeting' | 'social' | 'training' | 'conference' | 'fundraiser' | 'service' | 'other'>
  /** A template to copy events from, under this name; never listed as an event */
  template_name: string | null
  starts_at: string
  ends_at: string
  timezone: string
  /** What clocks in its time zone show */
  starts_local: GeneratedAlways<string>
  ends_local: GeneratedAlways<string>
  mode: Generated<'in_person' | 'online' | 'hybrid'>
  venue_name: Generated<string>
  venue_address: Generated<string>
  venue_latitude: number | null
  venue_longitude: number | null
  capacity: number | null
  /** public: everybody; unlisted: everybody with the link; members: all members; chapter: people of its chapter and the chapters below; group: its group; invite: whoever is invited */
  visibility: Generated<'public' | 'unlisted' | 'members' | 'chapter' | 'group' | 'invite'>
  needs_approval: Generated<boolean>
  waiting_list: Generated<boolean>
  /** How long a seat is offered to somebody from the waiting list */
  offer_minutes: Generated<number>
  guests_per_person: Generated<number>
  shows_attendees: Generated<boolean>
  registration_opens_at: string | null
  /** When registration closes; at the start unless stated */
  registration_closes_at: string | null
  /** Until when people cancel by themselves; until the start unless stated */
  cancel_until: string | null
  cover_file_id: string | null
  series_id: string | null
  series_exception: Generated<boolean>
  /** Entered afterwards, to record who came */
  records_attendance: Generated<boolean>
  cancel_reason: Generated<string>
  /** Raised by every change that calendars must take over (SEQUENCE of RFC 5545) */
  sequence: Generated<number>
  published_at: string | null
  cancelled_at: string | null
  archived_at: string | null
  sort_name: GeneratedAlways<string>
  search: GeneratedAlways<string>
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** How a draft is going to repeat once it is published; from then on its series says so */
  repeats: unknown
  /** What its picture shows, for who does not see it */
  cover_alt: Generated<string>
}

/** A file made from a list with its filter and columns; the file dies at expires_at, this line stays. Not in the audit log: each export is recorded once, with its reason */
export interface ExportsRow {
  org_id: string
  id: Generated<string>
  account_id: string
  list: string
  format: 'csv' | 'xlsx' | 'pdf'
  spec: unknown
  reason: Generated<string>
  job_id: string
  file_key: string | null
  rows: number | null
  expires_at: Generated<string>
  created_at: Generated<string>
}

/** Which of our records is which of theirs. Not in the audit log: runs write them, and list what they did */
export interface ExternalRefsRow {
  org_id: string
  id: Generated<string>
  connection_id: string
  entity: 'person' | 'event' | 'account'
  person_id: string | null
  event_id: string | null
  account_id: string | null
  /** The person, event or account */
  record_id: GeneratedAlways<string>
  /** Its name on the other side; null while it is being made there */
  external_id: string | null
  /** By our field, what both sides last held: what changed since is told by it, so nothing comes back as an echo. {field: {value, at, run, direction}} or {field: value} */
  agreed: Generated<unknown>
  agreed_at: Generated<string>
  /** The run in which that was */
  agreed_in: string | null
  /** What the other side calls the state that was last seen */
  theirs_version: string | null
  /** The last run in which the other side still had it */
  seen_in_run: string | null
  /** creating: it may have been made there, and a lost answer must not make it twice; gone: the other side has it no more */
  state: Generated<'creating' | 'tied' | 'gone'>
  /** When the person was erased here: nothing comes from there any more, and what is there is removed */
  erased_at: string | null
  created_at: Generated<string>
}

/** What a field of choices offers; retired ones stay where they were chosen and cannot be chosen anew */
export interface FieldChoicesRow {
  org_id: string
  field_id: string
  id: Generated<string>
  label: string
  label_key: GeneratedAlways<string>
  color: Generated<'gray' | 'brand' | 'green' | 'red' | 'amber' | 'blue'>
  place: Generated<number>
  retired: Generated<boolean>
}

/** Fields that an organisation adds to its people, chapters, groups and other records */
export interface FieldsRow {
  org_id: string
  id: Generated<string>
  record_type: string
  /** What programs, filters and imports call it; never changes */
  key: string
  label: string
  help: Generated<string>
  type: 'text' | 'number' | 'date' | 'flag' | 'choice' | 'choices' | 'url' | 'person'
  required: Generated<boolean>
  pattern: Generated<string>
  section: Generated<string>
  place: Generated<number>
  /** Who reads values: everyone who sees the record, the person themselves and officers, or officers only, never about themselves */
  audience: Generated<'everyone' | 'self' | 'officers'>
  own_editable: Generated<boolean>
  /** Officers need the right to sensitive data to read values */
  sensitive: Generated<boolean>
  archived_at: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** The search of people looks at its values too */
  searchable: Generated<boolean>
}

/** Files of records, and pictures of people and of the organisation; the content lies in the file store under files/{org_id}/{id} */
export interface FilesRow {
  org_id: string
  id: Generated<string>
  record_type: string
  record_id: string
  /** attachment: listed with its record; picture: its face, or the cover of an event or a campaign */
  use: 'attachment' | 'picture'
  name: string
  /** Media type, found from the content */
  type: string
  bytes: number
  /** The person who added it */
  added_by: string | null
  /** Since when it is gone from its record; it can be restored for 7 days */
  removed_at: string | null
  created_by: string
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** How an organisation numbers its invoices, credit notes and receipts, when they are due, when it reminds of them, and what stands on them. Without a row, as the defaults say */
export interface FinanceSettingsRow {
  org_id: string
  id: Generated<string>
  /** Text without digits, {year} or {yy}, and last {number}, or {number:5} with at least five digits */
  invoice_format: Generated<string>
  credit_note_format: Generated<string>
  receipt_format: Generated<string>
  /** The first number in start_year; in other years it is 1 */
  invoice_start: Generated<number>
  credit_note_start: Generated<number>
  receipt_start: Generated<number>
  start_year: Generated<number>
  due_days: Generated<number>
  /** Days after the due date on which who owes an invoice is reminded */
  reminder_days: Generated<number[]>
  /** Name of the issuer where it is another one than that of the organisation */
  legal_name: Generated<string>
  address: Generated<string>
  tax_id: Generated<string>
  /** Text at the foot of invoices and credit notes */
  invoice_footer: Generated<string>
  version: Generated<number>
  updated_at: Generated<string>
}

/** What an officer is to do about a person, until it is done */
export interface FollowUpsRow {
  org_id: string
  id: Generated<string>
  person_id: string
  chapter_id: string | null
  /** Whose it is; null is everybody who writes messages for its chapter */
  account_id: string | null
  run_id: string | null
  title: string
  note: Generated<string>
  due_on: string | null
  done_at: string | null
  done_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** What a fund has of gifts, less what was given back. Not in the audit log: it follows from gifts */
export interface FundTotalsRow {
  org_id: string
  fund_id: string
  currency: string
  gifts: Generated<number>
  amount: Generated<number>
}

/** What an organisation keeps about gifts. Without a row, as the defaults say */
export interface FundraisingSettingsRow {
  org_id: string
  id: Generated<string>
  /** What the payment provider takes of a gift, in hundredths of a percent; fee_fixed comes on top. Donors may cover it */
  fee_bps: Generated<number>
  fee_fixed: Generated<number>
  /** The most that somebody gives online at once; null for no limit */
  max_amount: Generated<number | null>
  /** Within so many days everybody who gave is thanked by somebody */
  thank_you_days: Generated<number>
  /** Where a letter of thanks begins; whoever thanks changes it */
  thank_you_subject: Generated<string>
  thank_you_body: Generated<string>
  version: Generated<number>
  updated_at: Generated<string>
}

/** What gifts are meant for: each gift is allocated to one fund or to several */
export interface FundsRow {
  org_id: string
  id: Generated<string>
  /** Where it belongs; null for the whole organisation */
  chapter_id: string | null
  name: string
  /** How the accounts call it */
  code: Generated<string>
  description: Generated<string>
  sort_name: GeneratedAlways<string>
  search: GeneratedAlways<string>
  archived_at: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** What of a gift goes to which fund; always all of it. Not in the audit log: its gift has entries, also of what changes here */
export interface GiftAllocationsRow {
  org_id: string
  gift_id: string
  fund_id: string
  place: Generated<number>
  amount: number
  /** What the fund has of it now. Together what the gift is worth, to the last minor unit */
  settled_amount: Generated<number>
}

/** What somebody gave, or is about to give. What it is worth follows from its payments, and nothing is ever deleted */
export interface GiftsRow {
  org_id: string
  id: Generated<string>
  campaign_id: string | null
  /** That of its campaign, or of its fund without one; null for the whole organisation */
  chapter_id: string | null
  /** Who gave; null for others than people, for collections, and until a gift of somebody without an account has settled */
  person_id: string | null
  /** As the donor typed it, or of a donor who is no person */
  donor_name: Generated<string>
  donor_email: Generated<string>
  /** All that was given, with the fee that the donor covers */
  amount: number
  /** What of it the donor gave for the fee of the payment provider */
  fee_covered: Generated<number>
  currency: string
  method: 'card' | 'bank_transfer' | 'cash' | 'cheque' | 'other'
  /** Follows from its payments; disputed, refunded and reversed ones are worth nothing */
  status: Generated<'pending' | 'settled' | 'partly_refunded' | 'refunded' | 'disputed' | 'failed' | 'cancelled' | 'reversed'>
  refunded_amount: Generated<number>
  /** Whether it is worth anything; a test payment in production is not */
  counts: Generated<boolean>
  is_test: Generated<boolean>
  /** The donor is named to nobody outside the office */
  is_anonymous: Generated<boolean>
  tribute_kind: 'honour' | 'memory' | null
  tribute_name: Generated<string>
  /** What the donor wrote */
  message: Generated<string>
  /** page: by somebody without an account; own: signed in; office: recorded by hand; import; plan: a charge of a recurring gift */
  source: 'page' | 'own' | 'office' | 'import' | 'plan'
  plan_id: string | null
  /** The day of the recurring gift that it is for */
  due_on: string | null
  instalment_id: string | null
  /** Day on which the money came */
  received_on: string | null
  settled_at: string | null
  share_chapter_id: string | null
  /** What the chapter has of it while all of it counts */
  share_amount: Generated<number>
  wants_receipt_mail: Generated<boolean>
  /** Made by the form: sent twice, it is the same gift */
  attempt: string | null
  /** Recorded together with others */
  batch_id: string | null
  /** The gift that was paid twice: this one holds the second payment */
  twin_of_id: string | null
  thanked_at: string | null
  thanked_by: string | null
  thanked_how: 'mail' | 'letter' | 'call' | 'other' | null
  /** When its campaign, its funds or its donor were last corrected */
  reassigned_at: string | null
  reassigned_by: string | null
  /** What it is worth now: settled, less what was given back */
  counted_amount: GeneratedAlways<number>
  /** Tells donors apart, also those that are no people */
  donor_key: GeneratedAlways<string>
  search: GeneratedAlways<string>
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  day: GeneratedAlways<string>
  /** Its id in the system that it was imported from */
  foreign_id: Generated<string>
}

/** What the office notes about a gift or a pledge, for those who see donors and for whoever recorded it. Not in the audit log: it is a note, and goes with the person */
export interface GivingNotesRow {
  org_id: string
  id: Generated<string>
  gift_id: string | null
  pledge_id: string | null
  note: string
}

/** Whom a run mails a statement, and what they gave. Not in the audit log: the run is */
export interface GivingRunItemsRow {
  org_id: string
  run_id: string
  person_id: string
  currency: string
  amount: number
  gifts: number
  mailed_at: string | null
  skipped: string | null
}

/** Statements of what people gave in a period, mailed to all of them */
export interface GivingRunsRow {
  org_id: string
  id: Generated<string>
  since: string
  until: string
  state: Generated<'started' | 'done'>
  /** Who gave in the period */
  people: Generated<number>
  mailed: Generated<number>
  /** Whom no mail reaches */
  without_address: Generated<number>
  job_id: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** A role given to an account for the organisation, a chapter with everything below it, a group, an event, a campaign or a project, within a window of dates */
export interface GrantsRow {
  org_id: string
  id: Generated<string>
  account_id: string
  role_id: string
  scope_kind: 'org' | 'chapter' | 'group' | 'event' | 'campaign' | 'project'
  chapter_id: string | null
  group_id: string | null
  starts_on: Generated<string>
  ends_on: string | null
  reason: Generated<string>
  granted_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** The event, campaign or project that the role is given for */
  record_id: string | null
}

/** How many live members a group has; kept by triggers and corrected daily as dates pass */
export interface GroupCountsRow {
  org_id: string
  group_id: string
  members: Generated<number>
}

/** A person in a group; former members stay as ended rows */
export interface GroupMembersRow {
  org_id: string
  id: Generated<string>
  group_id: string
  person_id: string
  role: Generated<'leader' | 'moderator' | 'member'>
  title: Generated<string>
  side: Generated<string>
  rank: number | null
  status: Generated<'invited' | 'requested' | 'active' | 'declined' | 'removed'>
  starts_on: string | null
  ends_on: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** People who do something together, across the tree of chapters */
export interface GroupsRow {
  org_id: string
  id: Generated<string>
  chapter_id: string | null
  parent_id: string | null
  /** Unique among the groups that whoever sets it sees; a secret group of others may have the same */
  code: string | null
  name: string
  sort_name: GeneratedAlways<string>
  search: GeneratedAlways<string>
  kind: Generated<'committee' | 'subcommittee' | 'interest' | 'cohort' | 'team' | 'list'>
  /** The words of about without their formatting, for imports, exports and the audit log */
  description: Generated<string>
  visibility: Generated<'public' | 'members' | 'private' | 'secret'>
  join_policy: Generated<'open' | 'request' | 'invite'>
  capacity: number | null
  website: Generated<string>
  phone: Generated<string>
  archived_at: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** What the group says of itself, as formatted text */
  about: Generated<unknown>
}

/** What the organisation's own fields hold for each of groups */
export interface GroupsFieldValuesRow {
  org_id: string
  id: Generated<string>
  group_id: string
  field_id: string
  /** The choice, where a field takes several; else empty */
  slot: Generated<string>
  value: string
  key: Generated<string>
  /** Whether it is found by its parts */
  is_text: Generated<boolean>
}

/** First answer to a request that must not act twice; kept 7 days. Not in the audit log: they remember answers for a day */
export interface IdempotencyKeysRow {
  org_id: string
  account_id: string
  key: string
  operation: string
  body_hash: string
  status: number | null
  response: unknown
  created_at: Generated<string>
}

/** Saved answers to "which column is what", offered again for files with the same header. Not in the audit log: they are how somebody likes to read their files */
export interface ImportMappingsRow {
  org_id: string
  id: Generated<string>
  kind: string
  name: string
  mapping: unknown
  options: Generated<unknown>
  created_by: string
  created_at: Generated<string>
}

/** The ledger: one row per line of the file, written in the same transaction as what the line did. Not in the audit log: the rows that an import wrote have entries of their own */
export interface ImportRowsRow {
  org_id: string
  import_id: string
  phase: 'check' | 'run' | 'undo'
  line: number
  /** Place in the order of work, in which parents come before their children; undo goes backwards */
  step: number
  outcome: 'create' | 'update' | 'unchanged' | 'skip' | 'reject' | 'removed' | 'restored' | 'kept'
  /** What the line is known by, to find a second line of the same file that means the same; null for most rejected lines; "held:" and a code where lines below it have to wait */
  key: string | null
  entity_id: string | null
  /** Problems and remarks: [{level, code, column, value, message}] */
  findings: Generated<unknown>
  /** Phase run: what was written, for undo; check: what would be changed; undo: what was put back. [{table, key, before, after, shown}]; before and after are null for a new row, shown has names for ids that are not there yet */
  effects: Generated<unknown>
  /** Name of the person, chapter, group or office that the line means */
  label: string | null
  /** Kinds of change to something that was there, such as email:add; null when there are none */
  kinds: string[] | null
  /** Null: nobody is asked. False: the line stays out until someone accepts what it changes */
  accepted: boolean | null
  /** Check of people: hashes of e-mail and name (kind 0), birth date and name (1), chapter and name (2), the kind in the last two bits */
  marks: number[] | null
  /** The earlier line of the file that means the same person */
  same_as: number | null
}

/** One file on its way in: uploaded, checked without writing, run, and undone within 7 days if wished. Not in the audit log: each run and undo is recorded once, with its counts */
export interface ImportsRow {
  org_id: string
  id: Generated<string>
  kind: string
  file_name: string
  file_size: number
  file_hash: string
  /** Where the file lies; empty once it was removed, 30 days after the upload */
  file_key: string
  format: Generated<unknown>
  mapping: Generated<unknown>
  options: Generated<unknown>
  /** What was seen in the file when it was read last: headers, samples, findings about the whole file */
  preview: Generated<unknown>
  status: Generated<
    'uploaded' | 'checking' | 'checked' | 'running' | 'done' | 'failed' | 'cancelled' | 'undoing' | 'undone' | 'partly_undone'
  >
  rows_total: number | null
  /** Rows by phase and outcome: {check: {create, update, unchanged, skip, reject}, run: {…}, undo: {removed, restored, kept}} */
  counts: Generated<unknown>
  /** Why the whole file could not be read or the run stopped: reason, params and detail as in a problem answer */
  error: unknown
  check_job_id: string | null
  run_job_id: string | null
  undo_job_id: string | null
  tag_id: string | null
  created_by: string
  finished_at: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** What is charged. Tax comes on top and is rounded line by line, so that lines always add up to the total. Not in the audit log: lines change while their invoice is a draft, and the invoice has entries with its total */
export interface InvoiceLinesRow {
  org_id: string
  id: Generated<string>
  invoice_id: string
  place: number
  text: string
  net_amount: number
  tax_bps: Generated<number>
  tax_note: Generated<string>
  tax_amount: GeneratedAlways<number>
  share_chapter_id: string | null
  /** What the chapter has of the net amount */
  share_amount: Generated<number>
  subject_type: string | null
  /** What the line pays for, such as a term of a membership */
  subject_id: string | null
  /** Of a credit note: the line of the invoice that it takes something off; null where it corrects the invoice as a whole */
  credits_line_id: string | null
}

/** What somebody owes, or, as a credit note, owes no more. From issuing on only what was paid, credited or sent changes, and nothing is ever deleted */
export interface InvoicesRow {
  org_id: string
  id: Generated<string>
  kind: 'invoice' | 'credit_note'
  state: Generated<'draft' | 'issued' | 'partly_paid' | 'paid' | 'credited' | 'void'>
  person_id: string | null
  chapter_id: string | null
  /** Chapter in whose books it stands: the one that owes it, or the home chapter of the person when it was drafted */
  books_chapter_id: string | null
  number: string | null
  number_year: number | null
  number_place: number | null
  /** Number that another system gave an imported invoice; the own series does not know it */
  foreign_number: string | null
  /** The invoice that a credit note corrects */
  credits_id: string | null
  currency: string
  total_amount: Generated<number>
  paid_amount: Generated<number>
  credited_amount: Generated<number>
  /** What is still to be paid; below zero where more was paid than is owed by now */
  balance_amount: GeneratedAlways<number | null>
  issued_on: string | null
  issued_at: string | null
  due_on: string | null
  paid_on: string | null
  /** Name and address of who owes it, as they were on the day of issue */
  billing: unknown
  /** Name and contact of the organisation, as they were on the day of issue */
  seller: unknown
  /** What it was drafted for, in a few words */
  reason: Generated<string>
  note: Generated<string>
  /** Drafted once under the same key; a void invoice has none, so that it can be drafted anew */
  dedupe_key: string | null
  sent_at: string | null
  void_reason: string | null
  voided_at: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** When who owes it was last reminded, by the calendar or by hand */
  reminded_at: string | null
}

/** Long work as its owner sees it: how far it is and what came out; survives reload and sign-out. Not in the audit log: it says how far a job is */
export interface JobProgressRow {
  org_id: string
  id: Generated<string>
  account_id: string
  kind: 'import_check' | 'import_run' | 'import_undo' | 'export' | 'bulk'
  title: string
  status: Generated<'queued' | 'running' | 'done' | 'failed' | 'cancelled'>
  done: Generated<number>
  total: number | null
  cancel_requested: Generated<boolean>
  result: Generated<unknown>
  /** Why it failed: reason, params and detail as in a problem answer */
  error: unknown
  started_at: string | null
  finished_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** A lifecycle that was set by hand for somebody whose memberships say otherwise, until a day */
export interface LifecycleOverridesRow {
  org_id: string
  person_id: string
  lifecycle: 'prospect' | 'active' | 'alumni' | 'former'
  until: string
  reason: string
  set_by: string | null
  created_at: Generated<string>
}

/** Files in the store that no row names: uploads under way and removed ones, until they are swept. Not in the audit log: it says what is left to do */
export interface LooseFilesRow {
  org_id: string
  file_id: string
  created_by: string | null
  due_at: Generated<string>
}

/** Days on which too many recipients complained: alert from 0.1 %, pause from 0.3 % of the mail of seven days. Not in the audit log: follows from what was reported */
export interface MailAlarmsRow {
  org_id: string
  level: 'alert' | 'pause'
  day: string
  raised_at: Generated<string>
  mails: number
  complaints: number
}

/** How much mail left to each receiving domain on each day (UTC), and what became of it; a report counts for the day on which its mail left. Not in the audit log: follows from the mails */
export interface MailDaysRow {
  org_id: string
  day: string
  domain: string
  /** The database process that counts, so that no two wait for each other; 0 once the day is over */
  lane: number
  mails: Generated<number>
  delivered: Generated<number>
  soft_bounces: Generated<number>
  hard_bounces: Generated<number>
  complaints: Generated<number>
}

/** Reports about mails, each once by the id that its source gave it; kept for 90 days. Not in the audit log: the mail shows what was reported */
export interface MailFeedbackRow {
  org_id: string
  /** From where it came: mailgun, sendgrid, report */
  source: string
  event_id: string
  mail_id: string
  kind: 'delivered' | 'soft_bounce' | 'hard_bounce' | 'complaint'
  at: string
  detail: Generated<string>
  taken_at: Generated<string>
}

/** One mail to one recipient each, from the change that causes it to what became of it. Not in the audit log: each row is the record of one mail */
export interface MailMessagesRow {
  org_id: string
  id: Generated<string>
  /** Which texts; the worker knows them by this name */
  template: string
  /** Recipient whose address is looked up when the mail is sent; so is that of person_id. Otherwise the address stands here */
  account_id: string | null
  person_id: string | null
  address: string | null
  /** Only while the address is one of the organisation's administrators */
  to_administrators: Generated<boolean>
  reply_to: string | null
  params: Generated<unknown>
  /** Sent also to whoever unsubscribed from other mail */
  essential: boolean
  /** Two mails under the same key are one */
  dedupe_key: string | null
  /** unknown: it was being handed to the mail server when the worker died, so it may have arrived; never sent again by itself */
  state: Generated<'queued' | 'sending' | 'sent' | 'failed' | 'suppressed' | 'unknown'>
  attempts: Generated<number>
  next_at: Generated<string>
  /** It has been given its turn, at next_at */
  paced: Generated<boolean>
  /** Until when the worker that claimed it has it */
  lease_until: string | null
  /** When a worker began to hand it to the mail server */
  handed_at: string | null
  sent_to: string | null
  /** Why it is as it is, as a code */
  outcome: Generated<string>
  /** What the mail server said last */
  answer: Generated<string>
  /** Trace of the request that caused it */
  trace: string | null
  created_by: string | null
  created_at: Generated<string>
  settled_at: string | null
  /** Its subject, once it was written; the rest of a mail is kept nowhere */
  subject: Generated<string>
  /** The address it goes to, in lower case, by which it is looked up */
  to_key: GeneratedAlways<string | null>
  /** The message, or the message of an event, that this is one mail of */
  batch_id: string | null
  /** When the receiving server took it, as far as anybody reported */
  delivered_at: string | null
  /** When it came back */
  bounced_at: string | null
  /** hard: for good, and the address gets no more mail. soft: for now; a report of delivery ends it */
  bounce: 'soft' | 'hard' | null
  /** When its recipient called it spam */
  complained_at: string | null
  /** What the receiving server said when it came back */
  feedback: Generated<string>
  /** What it is about, where people subscribe to it: asked again as it leaves, and what its link unsubscribes from */
  topic_id: string | null
}

/** Who wants no mail but essential mail, for good or for some weeks. Not in the audit log: only the person changes it */
export interface MailPreferencesRow {
  org_id: string
  person_id: string
  opted_out_at: string | null
  paused_until: string | null
}

/** Addresses that get no mail, as hashes. unsubscribed and manual: essential mail only; hard_bounce and complaint: none at all. Not in the audit log: its source says where each comes from */
export interface MailSuppressionsRow {
  org_id: string
  address_hash: string
  reason: 'unsubscribed' | 'manual' | 'hard_bounce' | 'complaint'
  source: Generated<string>
  created_at: Generated<string>
}

/** Member cards. The code of a card is a signed link about it; its token follows from the id of the card and a key of the server, so that the card can be shown again */
export interface MemberCardsRow {
  org_id: string
  id: Generated<string>
  person_id: string
  /** eligible: its code is valid while its holder is a member; ended: another card replaced it; revoked: taken away by an officer, for the reason given */
  state: Generated<'eligible' | 'ended' | 'revoked'>
  /** Last day of its code; the card is valid no longer than its holder is a member */
  valid_until: string
  /** Why it was revoked; the holder reads it */
  reason: Generated<string>
  created_at: Generated<string>
  ended_at: string | null
}

/** The membership that counts of each person, kept by triggers. Not in the audit log: it follows from memberships, which are */
export interface MembershipStandingsRow {
  org_id: string
  person_id: string
  membership_id: string
  type_id: string
  chapter_id: string | null
  /** The status of the membership, or the override while there is one */
  status: string
  auto_renew: boolean
  /** First day of the last settled term */
  starts_on: string | null
  ends_on: string | null
}

/** A period of a membership, with the price and rules of the day it was offered; it has dates once it is settled, and not before */
export interface MembershipTermsRow {
  org_id: string
  id: Generated<string>
  membership_id: string
  person_id: string
  status: Generated<'open' | 'settled' | 'void'>
  period: 'rolling' | 'fixed' | 'lifetime'
  months: number | null
  starts_month: number | null
  starts_day: number | null
  rollover_days: Generated<number>
  grace_days: Generated<number>
  chapter_share_bps: Generated<number>
  starts_on: string | null
  ends_on: string | null
  settled_on: string | null
  created_by: string | null
  created_at: Generated<string>
  price_amount: number
  price_currency: string
  /** Brought by an import: it was settled in another system, so no invoice stands behind it */
  imported: Generated<boolean>
}

/** Kinds of membership with their period, price and rules; a change never touches terms that exist */
export interface MembershipTypesRow {
  org_id: string
  id: Generated<string>
  name: string
  description: Generated<string>
  /** rolling: so many months from the first day; fixed: a year from one day of the calendar to the next; lifetime: without end */
  period: 'rolling' | 'fixed' | 'lifetime'
  months: number | null
  starts_month: number | null
  starts_day: number | null
  /** Of a fixed period: who joins so few days before the next one pays for that one too */
  rollover_days: Generated<number>
  grace_days: Generated<number>
  /** So many days before its end a membership can be renewed */
  renewal_days: Generated<number>
  needs_approval: Generated<boolean>
  /** Share of the price for the member's chapter, in hundredths of a percent */
  chapter_share_bps: Generated<number>
  /** Who may choose it: everyone signed in, people who have a membership, or officers for them */
  open_to: Generated<'everyone' | 'members' | 'officers'>
  questions: Generated<string[]>
  archived_at: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  price_amount: number
  price_currency: string
  /** When members can leave by themselves; officers end a membership at any time */
  leaving: Generated<'any_time' | 'end_of_term'>
}

/** Membership of a person in the organisation, of one type; its terms say from when to when it was paid or approved */
export interface MembershipsRow {
  org_id: string
  id: Generated<string>
  person_id: string
  type_id: string
  /** Chapter that the membership runs through and that has its share; null for the organisation itself */
  chapter_id: string | null
  status:
    | 'applied'
    | 'awaiting_approval'
    | 'awaiting_payment'
    | 'active'
    | 'grace'
    | 'lapsed'
    | 'cancelled'
    | 'suspended'
    | 'declined'
    | 'withdrawn'
  auto_renew: Generated<boolean>
  answers: Generated<unknown>
  applied_by: string | null
  decided_by: string | null
  decided_at: string | null
  /** Why it was declined, cancelled or suspended */
  reason: Generated<string>
  /** First day of the first settled term */
  starts_on: string | null
  /** Last day of the last settled term; null without one and for a lifetime */
  ends_on: string | null
  grace_until: string | null
  paid_on: string | null
  /** What counts instead of the status until a day, for a reason */
  override_status: 'active' | 'grace' | 'lapsed' | 'suspended' | null
  override_until: string | null
  override_reason: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** Last day of a membership that was cancelled ahead; it is cancelled on the day after */
  leaves_on: string | null
  /** Of a membership that an import made: the status of the person before, which an undo restores */
  lifecycle_before: string | null
  /** First day on which it is cancelled; null while it is not, and of an import that did not say */
  cancelled_on: string | null
}

/** The same by home chapter of the recipients. Not in the audit log: follows from the deliveries */
export interface MessageChaptersRow {
  org_id: string
  message_id: string
  chapter_id: string
  what: string
  n: number
}

/** Which recipient followed which link, and how often. Not in the audit log: what others do with a mail */
export interface MessageClicksRow {
  org_id: string
  delivery_id: string
  number: number
  clicks: Generated<number>
  first_at: Generated<string>
  last_at: Generated<string>
}

/** How many deliveries of a message stand how: by state, by reason for skipping (skipped:reason), opened, clicked, unsubscribed. Reports read these and count no rows. Not in the audit log: follows from the deliveries */
export interface MessageCountsRow {
  org_id: string
  message_id: string
  what: string
  n: number
}

/** One message to one person, from the moment sending started to what became of it; its mail has the same id. Kept for 18 months, counts stay. Not in the audit log: each row is the record of one mail */
export interface MessageDeliveriesRow {
  org_id: string
  id: Generated<string>
  message_id: string
  person_id: string | null
  /** Home chapter when sending started, for reports by chapter; no key, since a chapter may go */
  chapter_id: string | null
  /** Where it goes, as found when sending started; nothing once the person is erased */
  address: string | null
  /** sent: the mail server took it; delivered: the receiving server said so; unknown: it may have arrived, and is not sent again by itself */
  state: Generated<
    'queued' | 'sent' | 'delivered' | 'soft_bounce' | 'hard_bounce' | 'complaint' | 'failed' | 'unknown' | 'skipped' | 'cancelled'
  >
  /** Why it goes to nobody, as a code: of app_private.mail_reach, or duplicate, out_of_scope, too_many, address_changed */
  skip_reason: string | null
  /** When it became a mail of the outbox */
  fed_at: string | null
  created_at: Generated<string>
  sent_at: string | null
  settled_at: string | null
  /** When a picture in it was first asked for; programs do so too, so it says little */
  opened_at: string | null
  clicked_at: string | null
  unsubscribed_at: string | null
  /** The run of an automation that it was written for, nil where it was none: somebody who enters again gets the message again. No key, since a run goes before its mail */
  run_id: Generated<string>
  /** The step of the run */
  step: string | null
}

/** What happened to a message in each hour. Not in the audit log: follows from the deliveries */
export interface MessageHoursRow {
  org_id: string
  message_id: string
  hour: string
  what: string
  n: number
}

/** Links of a message whose clicks are counted, and how often they were followed. Not in the audit log: follows from the message */
export interface MessageLinksRow {
  org_id: string
  message_id: string
  number: number
  url: string
  people: Generated<number>
  clicks: Generated<number>
  /** How often programs asked that look for harm in mail; not counted as clicks */
  programs: Generated<number>
}

/** Pictures for messages; the file of each hangs on it. Not in the audit log: its file is, and what messages say is kept with them */
export interface MessagePicturesRow {
  org_id: string
  id: Generated<string>
  chapter_id: string | null
  group_id: string | null
  /** Since when everybody who has its address may fetch it: a message with it has gone out */
  published_at: string | null
  created_by: string | null
  created_at: Generated<string>
}

/** What messages can begin with */
export interface MessageTemplatesRow {
  org_id: string
  id: Generated<string>
  /** For messages of this chapter; with no chapter and no group for those of everybody */
  chapter_id: string | null
  /** For messages of this group */
  group_id: string | null
  name: string
  sort_name: GeneratedAlways<string>
  search: GeneratedAlways<string>
  subject: Generated<string>
  preheader: Generated<string>
  /** Blocks, as message-body.ts of the contract has them */
  body: Generated<unknown>
  /** The first blocks in short, for lists */
  outline: Generated<unknown>
  archived_at: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** A message to many, from the draft to what became of it */
export interface MessagesRow {
  org_id: string
  id: Generated<string>
  /** It reaches this chapter and those below it; with no chapter and no group the whole organisation */
  chapter_id: string | null
  group_id: string | null
  /** What it is about: decides whom consent lets it reach, and whether it is essential */
  topic_id: string | null
  /** What senders know it by; recipients see the subject */
  name: string
  search: GeneratedAlways<string>
  subject: Generated<string>
  preheader: Generated<string>
  body: Generated<unknown>
  from_name: Generated<string>
  reply_to: string | null
  /** Parts that include and parts that exclude people; who they are is found out when sending starts */
  audience: Generated<unknown>
  /** So many a minute at most */
  pace: number | null
  status: Generated<'draft' | 'in_review' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled' | 'failed'>
  send_at: string | null
  /** Account that submitted or scheduled it, as whom the audience is found */
  sender_id: string | null
  submitted_at: string | null
  approved_by: string | null
  approved_at: string | null
  /** What whoever approved or declined it says */
  decided_note: Generated<string>
  started_at: string | null
  finished_at: string | null
  /** Why it failed, or why it went back to review, as a code */
  failure: Generated<string>
  archived_at: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** The automation whose mail it is; it goes to the people of its runs, to each when their step comes, and is sent for as long as the automation runs */
  automation_id: string | null
  /** The step that sends it */
  automation_step: string | null
  /** Template, its version, topic and sender: with another one the step sends another message */
  edition: string | null
}

/** What an account wants to be told of a connection. Not in the audit log: it is theirs alone */
export interface MetricAlertsRow {
  org_id: string
  id: Generated<string>
  connection_id: string
  account_id: string
  type: string
  above: string | null
  below: string | null
  /** Since when the limit is crossed, as its owner was told; null while it is not */
  fired_at: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** What happened to a connection, beside its figures. Not in the audit log: the change of the connection has its entry there, and a note changes nothing */
export interface MetricAnnotationsRow {
  org_id: string
  id: Generated<string>
  connection_id: string
  at: Generated<string>
  /** What somebody noted; null of an event */
  text: string | null
  /** What changed at the connection; null of a note */
  event: 'connected' | 'degraded' | 'error' | 'paused' | 'disconnected' | 'mapping' | null
  account_id: string | null
  created_at: Generated<string>
}

/** The same per day of the organisation's calendar, for good. Not in the audit log: as the hours */
export interface MetricDaysRow {
  org_id: string
  connection_id: string
  type: string
  direction: Generated<'' | 'in' | 'out'>
  /** By the time zone that the organisation had when it was measured */
  day: string
  total: string
  measured: number
  least: string
  greatest: string
  last: string
  last_at: string
}

/** What was measured of a connection, per hour, for 400 days. Not in the audit log: figures that nobody types in */
export interface MetricHoursRow {
  org_id: string
  connection_id: string
  type: string
  /** Of what came in or went out; empty where it is not told apart */
  direction: Generated<'' | 'in' | 'out'>
  /** Its beginning by the clocks of the organisation, which are not everywhere a whole number of hours from UTC */
  hour: string
  /** Sum of all measurements; how the figure follows from it is the contract's (metricKinds) */
  total: string
  /** How many measurements */
  measured: number
  least: string
  greatest: string
  /** The newest measurement, made at last_at */
  last: string
  last_at: string
}

/** What a note said before it was changed, for those for whom it was written then. Not in the audit log: nobody writes here, and the log tells of the change */
export interface NoteVersionsRow {
  org_id: string
  note_id: string
  number: number
  person_id: string
  created_by: string
  visibility: string
  body: unknown
  replaced_at: Generated<string>
}

/** What officers note about a person; never seen by that person, whatever rights they have */
export interface NotesRow {
  org_id: string
  id: Generated<string>
  record_type: string
  record_id: string
  /** self: the author. officers: whoever sees sensitive data of the person. organisation: whoever may change people or sees sensitive data anywhere, and sees the person */
  visibility: 'self' | 'officers' | 'organisation'
  body: unknown
  pinned: Generated<boolean>
  /** The person who wrote it; how they are called is for each reader to be told by their rights */
  author_id: string | null
  created_by: string
  edited_at: string | null
  /** The author and officers can restore it for 30 days */
  deleted_at: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** How an account wants to be told of a kind; without a row as the kind is told by default. Not in the audit log: it is how somebody likes to be told */
export interface NotificationPreferencesRow {
  org_id: string
  account_id: string
  kind: string
  in_inbox: boolean
  mail: 'off' | 'instant' | 'daily' | 'weekly'
}

/** What an account was told of. Names stand in the records themselves, as the reader sees them. Not in the audit log: they tell of changes that have entries of their own */
export interface NotificationsRow {
  org_id: string
  id: Generated<string>
  account_id: string
  kind: string
  person_id: string | null
  chapter_id: string | null
  group_id: string | null
  record_id: string | null
  /** What is told beside names of records, such as the title of an office or a number of rows */
  params: Generated<unknown>
  /** Told once under the same key */
  dedupe_key: string | null
  /** False where the reader wants a mail only */
  in_inbox: boolean
  /** How it is mailed, as the reader wanted when it happened */
  mail: 'off' | 'instant' | 'daily' | 'weekly'
  /** When it was written into a mail */
  mailed_at: string | null
  created_at: Generated<string>
  read_at: string | null
}

/** The last number given of each kind and year. A number is taken in the transaction that uses it, so one that is rolled back leaves no gap */
export interface NumberSeriesRow {
  org_id: string
  kind: 'invoice' | 'credit_note' | 'receipt'
  year: number
  last_number: number
}

/** One association with its own people and rights; the tenant */
export interface OrganisationsRow {
  org_id: Generated<string>
  slug: string
  name: string
  /** Id of this organisation at the identity provider, whose people it takes and whose roles count here; null takes tokens that name no organisation, where it is the only one */
  idp_org_id: string | null
  locale: Generated<string>
  timezone: Generated<string>
  currency: Generated<string>
  /** Whether a plain member sees the whole directory or only people of the own chapters */
  directory_reach: Generated<'organisation' | 'chapter'>
  majority_age: Generated<number>
  contact_email: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** Whether everybody may find active chapters on the contact page; off until somebody switches it on */
  public_chapters: Generated<boolean>
  /** Colour of public pages and member cards, such as #1d4ed8; null for the standard one */
  brand_color: string | null
  /** The organisation as a record on which others hang */
  id: GeneratedAlways<string>
  /** How long before its start people are reminded of an event that does not say so itself */
  event_reminder_hours: Generated<number>
}

/** Which part of a payment is for which invoice. Not in the audit log: payment and invoice have entries of their own */
export interface PaymentAllocationsRow {
  org_id: string
  id: Generated<string>
  payment_id: string
  invoice_id: string
  /** What it was meant to pay */
  amount: number
  /** What of it pays nothing: it was given back, is disputed, or is more than the invoice was open */
  refunded_amount: Generated<number>
  created_at: Generated<string>
}

/** When payments were last compared with the provider. Not in the audit log: it changes every night */
export interface PaymentComparisonsRow {
  org_id: string
  compared_at: Generated<string>
}

/** What the nightly comparison with the payment provider found and could not mend, and how it was answered. Not in the audit log: it is found anew every night, and an answer stands in it with who gave it, when and why */
export interface PaymentDifferencesRow {
  org_id: string
  id: Generated<string>
  kind: 'unknown_here' | 'unknown_there' | 'amount' | 'refunds'
  provider_ref: string
  payment_id: string | null
  ours: number | null
  theirs: number | null
  currency: string | null
  found_at: Generated<string>
  last_seen_at: Generated<string>
  resolved_at: string | null
  /** ignored: it stays as it is; recorded: written down as a payment; accepted: our amount became that of the provider. While both amounts stay the same, it is not listed again */
  answer: 'ignored' | 'recorded' | 'accepted' | null
  answer_reason: string | null
  answered_by: string | null
  answered_at: string | null
}

/** Events of the payment provider, each once; they say that something happened, and the payment is read anew. Not in the audit log: the payment it changes is */
export interface PaymentEventsRow {
  org_id: string
  event_id: string
  type: string
  payment_id: string
  received_at: Generated<string>
  processed_at: string | null
}

/** What the payment provider kept of each movement of money, in the currency of its account. Not in the audit log: it is the word of the provider, and nobody changes it */
export interface PaymentFeesRow {
  org_id: string
  /** The provider's id of the movement, which never changes there */
  transaction_id: string
  payment_id: string
  /** What moved: the payment itself, a refund of it, or money that a dispute took or gave back */
  kind: 'charge' | 'refund' | 'dispute'
  /** Below zero: a fee that was given back; 0: the provider kept nothing */
  amount: number
  currency: string
  charged_at: string
  noted_at: Generated<string>
}

/** Saved cards; the number is at the provider only */
export interface PaymentMethodsRow {
  org_id: string
  id: Generated<string>
  person_id: string
  provider: Generated<string>
  provider_customer: string
  provider_method: string
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  removed_at: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  /** When its owner chose it for renewals; the card chosen last is charged, otherwise the newest */
  preferred_at: string | null
  /** The recurring gift that it was saved with, which alone it pays */
  plan_id: string | null
  /** When the provider was asked to forget the card of a recurring gift that has ended */
  forgotten_at: string | null
}

/** How often a payment was read at the provider, and when: an older answer never replaces a newer one. Not in the audit log: what a reading changes is */
export interface PaymentReadingsRow {
  org_id: string
  payment_id: string
  reads: Generated<number>
  read_at: Generated<string>
  /** When the provider is asked again what it keeps of a payment that has settled; null once that is known, or is waited for no longer */
  fee_due_at: string | null
}

/** The bank account of an organisation that invoices are paid to by transfer */
export interface PaymentSettingsRow {
  org_id: string
  id: Generated<string>
  account_holder: Generated<string>
  /** IBAN, or the number of the account where there are none */
  account_number: Generated<string>
  /** BIC, sort code or routing number */
  bank_code: Generated<string>
  bank_name: Generated<string>
  transfer_note: Generated<string>
  version: Generated<number>
  updated_at: Generated<string>
}

/** Money that came in, or an attempt at it; never deleted */
export interface PaymentsRow {
  org_id: string
  id: Generated<string>
  person_id: string | null
  chapter_id: string | null
  books_chapter_id: string | null
  method: string
  provider: Generated<string>
  /** The provider's id of it */
  provider_ref: string | null
  amount: number
  currency: string
  refunded_amount: Generated<number>
  state: Generated<'pending' | 'settled' | 'failed' | 'cancelled' | 'partly_refunded' | 'refunded' | 'disputed' | 'reversed'>
  /** Day on which the money came, of a payment recorded by hand */
  received_on: string | null
  settled_at: string | null
  note: Generated<string>
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** manual: recorded by hand; checkout: on a page of the provider; charge: of a saved card while its owner is away */
  kind: Generated<'manual' | 'checkout' | 'charge'>
  failure: 'declined' | 'confirmation_needed' | 'expired' | null
  /** What it is meant for; null for money recorded by hand that pays several invoices, or none yet */
  invoice_id: string | null
  reference: Generated<string>
  provider_session: string | null
  provider_customer: string | null
  saves_method: Generated<boolean>
  expires_at: string | null
  dispute_id: string | null
  dispute_state: 'open' | 'won' | 'lost' | null
  /** No money moved */
  is_test: Generated<boolean>
  /** Whether it pays invoices; a test payment in production does not */
  counts: Generated<boolean>
  reversed_at: string | null
  reversed_by: string | null
  reversal_reason: string | null
  /** Came with an imported invoice: its receipt, if any, was issued in another system */
  imported: Generated<boolean>
  /** The gift that it pays; such a payment pays no invoice and is in no books of a chapter, where donors would be seen */
  gift_id: string | null
}

/** A person as the directory shows them */
export interface PeopleRow {
  org_id: string
  id: Generated<string>
  member_no: string | null
  given_name: Generated<string>
  middle_name: Generated<string>
  family_name: Generated<string>
  suffix: Generated<string>
  preferred_name: Generated<string>
  former_names: Generated<string[]>
  pronouns: Generated<string>
  display_name: Generated<string>
  /** Folded family name, then given name; byte order */
  sort_name: Generated<string>
  /** Folded member number, given, middle, family, preferred and former names, what the trigram index looks through; not longer than fits into people_by_name beside sort_name, at four bytes a letter */
  search: Generated<string>
  lifecycle: Generated<'prospect' | 'active' | 'alumni' | 'former' | 'deceased' | 'merged' | 'erased'>
  /** Chapter of the current primary affiliation; kept by a trigger of affiliations, which need not write new people a second time when it stands there already */
  home_chapter_id: string | null
  joined_on: string | null
  grad_year: number | null
  employer: Generated<string>
  job_title: Generated<string>
  bio: Generated<string>
  language: string | null
  do_not_contact: Generated<boolean>
  /** Day of majority, kept from the birth date so that minors can be hidden without showing it */
  minor_until: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** Archived; can be restored for 30 days */
  deleted_at: string | null
  /** The record that this one was merged into and that stands for the person since */
  merged_into: string | null
  /** The member number in lower case, by which it is looked up */
  member_no_key: GeneratedAlways<string | null>
  /** File with the picture; kept by a trigger of files */
  picture_id: string | null
}

/** What the organisation's own fields hold for each of people */
export interface PeopleFieldValuesRow {
  org_id: string
  id: Generated<string>
  person_id: string
  field_id: string
  /** The choice, where a field takes several; else empty */
  slot: Generated<string>
  value: string
  key: Generated<string>
  /** Whether it is found by its parts */
  is_text: Generated<boolean>
}

/** Postal address, website and named links (service name to handle or address) */
export interface PersonContactsRow {
  org_id: string
  person_id: string
  street: Generated<string>
  city: Generated<string>
  region: Generated<string>
  postal_code: Generated<string>
  country: Generated<string>
  website: Generated<string>
  links: Generated<unknown>
  visible_to: Generated<'officers' | 'members'>
}

/** E-mail addresses; several people may share one, as families do */
export interface PersonEmailsRow {
  org_id: string
  id: Generated<string>
  person_id: string
  address: string
  address_key: GeneratedAlways<string>
  local_key: GeneratedAlways<string>
  label: Generated<string>
  is_primary: Generated<boolean>
  visible_to: Generated<'officers' | 'members'>
  created_at: Generated<string>
}

/** Ids of people in other systems; for officers only, and assigned by those who see everybody */
export interface PersonExternalIdsRow {
  org_id: string
  id: Generated<string>
  person_id: string
  /** Which system the id is from, such as "civicrm"; "default" where nobody said */
  system: string
  external_id: string
  created_at: Generated<string>
}

/** What officers note about a person; never seen by that person, whatever rights they have */
export interface PersonOfficeNotesRow {
  org_id: string
  person_id: string
  note: Generated<string>
}

/** Telephone numbers as E.164 where the country is known */
export interface PersonPhonesRow {
  org_id: string
  id: Generated<string>
  person_id: string
  number: string
  digits: GeneratedAlways<string>
  label: Generated<string>
  is_primary: Generated<boolean>
  visible_to: Generated<'officers' | 'members'>
  created_at: Generated<string>
}

/** What only the person and people with the right to sensitive data see */
export interface PersonPrivateRow {
  org_id: string
  person_id: string
  birth_date: string | null
  /** Month and day as one number, 2 March is 302: whose birthday comes up is found without reading every birth date */
  birthday: GeneratedAlways<number | null>
  gender: Generated<string>
  deceased_on: string | null
}

/** Which person carries which tag */
export interface PersonTagsRow {
  org_id: string
  person_id: string
  tag_id: string
  created_at: Generated<string>
}

/** What of a pledge comes when; overdue is one that is due and whose day is over */
export interface PledgeInstalmentsRow {
  org_id: string
  id: Generated<string>
  pledge_id: string
  place: number
  due_on: string
  amount: number
  state: Generated<'due' | 'paid' | 'waived'>
  /** What paid it */
  gift_id: string | null
}

/** What somebody has promised to give */
export interface PledgesRow {
  org_id: string
  id: Generated<string>
  person_id: string
  campaign_id: string | null
  fund_id: string
  chapter_id: string | null
  amount: number
  /** What of it is still to come: its instalments that are due, while it is open */
  open_amount: Generated<number>
  /** Its instalments that were paid */
  paid_amount: Generated<number>
  /** Day of the first instalment that is due */
  next_due_on: string | null
  currency: string
  pledged_on: string
  status: Generated<'open' | 'fulfilled' | 'cancelled'>
  cancelled_at: string | null
  cancel_reason: Generated<string>
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Who held or holds an office from when to when; rights start and stop with these dates */
export interface PositionHoldersRow {
  org_id: string
  id: Generated<string>
  position_id: string
  person_id: string
  starts_on: string
  ends_on: string | null
  note: Generated<string>
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** An office in a chapter; its role, if any, is what holding it allows in that chapter and below */
export interface PositionsRow {
  org_id: string
  id: Generated<string>
  chapter_id: string
  title: string
  title_key: GeneratedAlways<string>
  role_id: string | null
  term_months: number | null
  max_holders: Generated<number>
  mandatory: Generated<boolean>
  member_only: Generated<boolean>
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Money that the payment provider paid out to the bank account of the organisation. Not in the audit log: it is the word of the provider, and nobody changes it */
export interface ProviderPayoutsRow {
  org_id: string
  id: Generated<string>
  provider: string
  provider_ref: string
  state: 'pending' | 'in_transit' | 'paid' | 'failed' | 'cancelled'
  /** Below zero: the provider collected what was missing in its account */
  amount: number
  currency: string
  /** Day on which the bank has it, or is expected to */
  arrives_on: string
  /** When the provider began it */
  made_at: string
  /** False of one that moved no money, in production */
  counts: boolean
  noted_at: Generated<string>
  changed_at: Generated<string>
}

/** People who agreed to be named on public pages: in their offices and on their member card */
export interface PublicNamesRow {
  org_id: string
  person_id: string
  agreed_at: Generated<string>
  /** Whether their picture is shown as well when somebody checks their member card */
  with_picture: Generated<boolean>
}

/** Confirms a settled payment, in the words of the day it was issued; corrected by another one that replaces it */
export interface ReceiptsRow {
  org_id: string
  id: Generated<string>
  payment_id: string
  person_id: string | null
  chapter_id: string | null
  books_chapter_id: string | null
  number: string
  number_year: number
  number_place: number
  state: Generated<'issued' | 'replaced' | 'void'>
  replaces_id: string | null
  reason: Generated<string>
  amount: number
  currency: string
  issued_on: string
  received_on: string
  billing: unknown
  seller: unknown
  lines: unknown
  sent_at: string | null
  created_by: string | null
  created_at: Generated<string>
  /** The gift that it confirms */
  gift_id: string | null
}

/** Which record other than a person carries which tag */
export interface RecordTagsRow {
  org_id: string
  record_type: string
  record_id: string
  tag_id: string
  created_at: Generated<string>
}

/** What somebody did on the pages, without texts and inputs, in parts as the recorder sent them; kept 14 days. Not in the audit log: recordings are deleted after two weeks */
export interface RecordingPartsRow {
  org_id: string
  recording_id: string
  part: number
  account_id: string
  /** JSON list of rrweb events */
  events: string
  created_at: Generated<string>
}

/** What somebody gives again and again; each time is a gift of its own */
export interface RecurringPlansRow {
  org_id: string
  id: Generated<string>
  person_id: string | null
  donor_name: Generated<string>
  donor_email: Generated<string>
  campaign_id: string | null
  fund_id: string
  chapter_id: string | null
  amount: number
  fee_covered: Generated<number>
  currency: string
  interval: string
  /** pending: the first time is yet to be paid; past_due: a charge failed and is tried again; completed: its last day has come */
  status: Generated<'pending' | 'active' | 'past_due' | 'paused' | 'cancelled' | 'completed'>
  /** Day of the first gift. All others are reckoned from it, so that one of 31 January comes on 28 February and on 31 March */
  started_on: string | null
  /** Day of the next gift */
  next_on: string | null
  /** Day on which a charge that failed is tried again */
  retry_on: string | null
  failures: Generated<number>
  first_failed_on: string | null
  /** No gift is charged after this day */
  ends_on: string | null
  /** Day on which it goes on by itself; without one, only when somebody says so */
  paused_until: string | null
  stopped_at: string | null
  /** Who ended it; failures: four charges failed within 14 days */
  stopped_by: 'donor' | 'office' | 'failures' | null
  stop_reason: Generated<string>
  is_anonymous: Generated<boolean>
  is_test: Generated<boolean>
  counts: Generated<boolean>
  /** What it comes to in a month while it runs */
  month_amount: GeneratedAlways<number>
  search: GeneratedAlways<string>
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Money given back of a payment; asked for first, settled once the provider says so */
export interface RefundsRow {
  org_id: string
  id: Generated<string>
  payment_id: string
  state: Generated<'pending' | 'settled' | 'failed'>
  amount: number
  currency: string
  reason: string
  provider_refund: string | null
  settled_at: string | null
  created_by: string | null
  created_at: Generated<string>
  updated_at: Generated<string>
  /** The registration that it was paid for, where the money goes back for a seat */
  registration_id: string | null
  /** Why it failed, as far as the payment provider says; null too for those that failed before this was kept */
  failure: 'balance' | 'card_closed' | 'declined' | 'disputed' | 'refunded_before' | 'too_much' | 'cancelled' | 'unknown' | null
}

/** Who comes, wants to come or came to an event; each is one seat. Not in the audit log: every change is a line of the capacity ledger, with who made it */
export interface RegistrationsRow {
  org_id: string
  id: Generated<string>
  event_id: string
  /** Chapter of the event; here too, so that policies need not look at the event */
  chapter_id: string | null
  group_id: string | null
  person_id: string | null
  /** Registration of the person who brings this guest */
  host_id: string | null
  ticket_type_id: string | null
  status: 'pending_approval' | 'pending_payment' | 'confirmed' | 'waitlisted' | 'offered' | 'cancelled' | 'rejected' | 'checked_in'
  /** What last changed its status */
  cause:
    | 'registered'
    | 'approved'
    | 'rejected'
    | 'paid'
    | 'paid_late'
    | 'confirmed'
    | 'hold_expired'
    | 'waiting'
    | 'offered'
    | 'accepted'
    | 'declined'
    | 'offer_expired'
    | 'withdrawn'
    | 'cancelled'
    | 'event_cancelled'
    | 'payment_reversed'
    | 'transferred'
    | 'checked_in'
    | 'check_in_undone'
  name: string
  email: Generated<string>
  answers: Generated<unknown>
  source: Generated<'self' | 'organiser' | 'public' | 'import'>
  /** Who owes its price */
  payer_id: string | null
  promo_code_id: string | null
  reason: Generated<string>
  /** How long the seat is held while somebody pays */
  hold_until: string | null
  /** Its number on the waiting list; who came first has the lower one */
  waiting_place: number | null
  offer_until: string | null
  confirmed_at: string | null
  cancelled_at: string | null
  checked_in_at: string | null
  /** What goes back, or went back, since it was paid and the seat is gone */
  refund_amount: Generated<number>
  /** Raised when a ticket goes to somebody else, so that the code of the former one is not valid any more */
  ticket_version: Generated<number>
  sort_name: GeneratedAlways<string>
  search: GeneratedAlways<string>
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  price_amount: number
  price_currency: string
  /** due: a worker is to begin it; by_hand: whoever keeps the books gives it back; failed: the payment provider did not */
  refund_state: 'due' | 'by_hand' | 'in_progress' | 'refunded' | 'failed' | null
  /** When its open invoice is to be void, since nobody owes it any more */
  release_at: string | null
  /** When its open invoice was made void, or credited by its share */
  released_at: string | null
}

/** Kinds of relationships of an organisation */
export interface RelationshipTypesRow {
  org_id: string
  id: Generated<string>
  /** Named in imports and addresses; never changes */
  key: string
  name: string
  /** What the first person is to the second */
  forward_label: string
  inverse_label: string
  /** Nobody comes below themselves on any day */
  acyclic: Generated<boolean>
  /** How many first persons somebody has on one day; null for any number */
  max_parents: number | null
  /** What the first person may do with the record of the second */
  grants: Generated<'none' | 'view' | 'manage'>
  /** Who agrees to a proposal: nobody, the other of the two, or an officer */
  approval: Generated<'none' | 'other' | 'office'>
  /** Ends when the second person comes of age; seen by the two and by those who see minors */
  is_minors_only: Generated<boolean>
  archived_at: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Who stands in which relationship to whom. Active on a day: state active or ended, begun by that day (no first day: always), and not over before it */
export interface RelationshipsRow {
  org_id: string
  id: Generated<string>
  type_id: string
  /** The first: guardian, big, mentor, recruiter */
  from_person_id: string
  /** The second: child, little, mentee, recruit */
  to_person_id: string
  /** The first again, under the name by which the audit log knows a person */
  person_id: GeneratedAlways<string>
  /** rejected: also a proposal that was withdrawn */
  state: Generated<'proposed' | 'active' | 'ended' | 'rejected'>
  starts_on: string | null
  /** Last day; of an active one a day to come */
  ends_on: string | null
  note: Generated<string>
  /** Account that proposed or recorded it, which never agrees to it as well */
  proposed_by: string | null
  answered_by: string | null
  answered_at: string | null
  /** Account that ended it; null where the calendar did */
  ended_by: string | null
  ended_at: string | null
  verified_by: string | null
  verified_at: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Where somebody put a report for themselves. Not in the audit log: nobody else sees it */
export interface ReportPlacesRow {
  org_id: string
  account_id: string
  report_id: string
  is_on_home: Generated<boolean>
  is_starred: Generated<boolean>
}

/** Who gets a report by mail; each gets what they themselves may see. Not in the audit log: as the schedule */
export interface ReportRecipientsRow {
  org_id: string
  schedule_id: string
  account_id: string
}

/** A question that is answered in the background, for who asked it alone. Not in the audit log: it is forgotten after seven days */
export interface ReportRunsRow {
  org_id: string
  id: Generated<string>
  account_id: string
  question: unknown
  name: string | null
  state: Generated<'queued' | 'running' | 'done' | 'failed'>
  done: Generated<number>
  total: Generated<number>
  answer: unknown
  /** What its owner held when it was answered: once they lost some of it, the answer is nobody's any more */
  rights: Generated<string[]>
  error: unknown
  schedule_id: string | null
  /** For which moment of its schedule it was asked: a day, or the version at which somebody wanted it at once. One mail for each person and moment */
  slot: string | null
  /** Of the files that are mailed with the answer */
  formats: Generated<string[]>
  created_at: Generated<string>
  finished_at: string | null
  expires_at: Generated<string>
}

/** A report that somebody has mailed by the calendar. Not in the audit log: it is theirs alone, like a private report; each mail is in the list of mails */
export interface ReportSchedulesRow {
  org_id: string
  id: Generated<string>
  account_id: string
  report_id: string
  cadence: 'daily' | 'weekly' | 'monthly' | 'quarterly'
  formats: string[]
  /** Day of the organisation's calendar on which it is mailed next */
  next_on: string
  /** When somebody last changed it, its recipients included, or asked for it at once */
  touched_at: Generated<string>
  last_sent_at: string | null
  /** Why it did not reach everybody the last time, as the contract has failures */
  failure: unknown
  paused_at: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** What somebody saw when they last looked at a report: figures that others may not see. Not in the audit log: nobody else sees it */
export interface ReportThumbnailsRow {
  org_id: string
  account_id: string
  report_id: string
  rows: unknown
  /** What they held then; shown while they hold it */
  rights: Generated<string[]>
  seen_at: Generated<string>
}

/** A question to the data under a name. Not in the audit log: it is how somebody likes to look at the data */
export interface ReportsRow {
  org_id: string
  id: Generated<string>
  account_id: string
  name: string
  /** As the contract has it; answered anew each time, with the rights of who asks */
  question: unknown
  shared_with: Generated<'me' | 'organisation'>
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Which permission a role carries; the scope comes from how the role was given */
export interface RolePermissionsRow {
  org_id: string
  role_id: string
  permission: string
}

/** A named bundle of permissions; given organisation-wide by the identity provider, or scoped by grants and positions */
export interface RolesRow {
  org_id: string
  id: Generated<string>
  key: string
  name: string
  description: Generated<string>
  /** Made by the organisation and changeable; the standard roles are the same everywhere */
  custom: Generated<boolean>
}

/** What the sandbox holds that differs from the people it begins with. Not in the audit log: it stands for another system */
export interface SandboxRecordsRow {
  org_id: string
  connection_id: string
  external_id: string
  /** Values by the names of its fields */
  held: unknown
  /** How often it was written, as the version of the record there */
  changes: Generated<number>
  /** It was removed there */
  is_gone: Generated<boolean>
}

/** Filter, sort, columns and layout of a list under a name. Not in the audit log: they are how somebody likes to see a list */
export interface SavedViewsRow {
  org_id: string
  id: Generated<string>
  account_id: string
  list: string
  name: string
  spec: unknown
  shared_with: Generated<'me' | 'organisation'>
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Moments of schedules that have come. Written by the worker alone */
export interface ScheduleRunsRow {
  org_id: string
  schedule: string
  /** Day by the calendar of the organisation. Part of the key instead of the instant: an organisation that changes its time zone has no day twice */
  due_on: string
  due_at: string
  /** due: its job is there; done; seen: the moment before the schedule was first known; skipped: missed for too long */
  state: 'due' | 'done' | 'seen' | 'skipped'
  finished_at: string | null
}

/** How an identity provider calls our roles. Not in the audit log: it gives nothing to anybody */
export interface ScimGroupsRow {
  org_id: string
  connection_id: string
  role_id: string
  external_id: string
}

/** The token by which an identity provider is known; only its hash is kept */
export interface ScimTokensRow {
  org_id: string
  connection_id: string
  secret_hash: string
  /** Its last four characters, to tell it by */
  hint: string
  made_by: string | null
  made_at: Generated<string>
  /** To the minute */
  used_at: string | null
}

/** Links that open something to whoever has them, by the hash of their secret; the purpose is the public page they lead to. Not in the audit log: what is done through a link is recorded where it is done */
export interface SignedLinksRow {
  org_id: string
  id: Generated<string>
  purpose: string
  /** Kind of record that the link is about, such as person or account */
  subject_type: string
  subject_id: string
  secret_hash: string
  single_use: boolean
  /** How often the link was used; one for a single use opens no more after the first */
  uses: Generated<number>
  used_at: string | null
  expires_at: string
  revoked_at: string | null
  created_by: string | null
  created_at: Generated<string>
}

/** Addresses that were suppressed by hand or released, by whom and why. Not in the audit log: it is the log */
export interface SuppressionChangesRow {
  org_id: string
  id: Generated<string>
  address_hash: string
  action: 'added' | 'released'
  reason: string
  note: string
  by_account_id: string | null
  at: Generated<string>
}

/** What runs wrote, would write, or leave for somebody to decide. Not in the audit log: what was written to a record has its entry there */
export interface SyncChangesRow {
  org_id: string
  id: Generated<string>
  connection_id: string
  run_id: string
  direction: 'in' | 'out'
  kind: 'create' | 'update' | 'conflict' | 'remove'
  state: 'planned' | 'waiting' | 'written' | 'refused'
  entity: 'person' | 'event' | 'account'
  person_id: string | null
  event_id: string | null
  account_id: string | null
  /** Ours; null where there is none yet */
  record_id: GeneratedAlways<string | null>
  external_id: string | null
  name: Generated<string>
  /** [{field, before, after}], by our field: of a conflict ours and theirs */
  fields: Generated<unknown>
  decided_by: string | null
  decided_at: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Rows that a run could not write, until they are repaired or ignored. Not in the audit log: it is such a log itself */
export interface SyncErrorsRow {
  org_id: string
  id: Generated<string>
  connection_id: string
  run_id: string
  direction: 'in' | 'out'
  /** Line, id or name by which it is found on the other side */
  row: string
  external_id: string | null
  /** Ours, of what was to go out */
  record_id: string | null
  code: string
  message: string
  state: Generated<'open' | 'retried' | 'ignored'>
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** Of a row that several of ours fit: by what they do, hashed. None of them is made there while it is open, or it would be taken for that row */
  key_hash: string | null
}

/** Runs of connections: what came, what went, and how far the present one is. Not in the audit log: it is such a log itself */
export interface SyncRunsRow {
  org_id: string
  id: Generated<string>
  connection_id: string
  is_dry: Generated<boolean>
  trigger: 'manual' | 'schedule' | 'retry' | 'resume'
  state: Generated<'queued' | 'running' | 'succeeded' | 'partial' | 'failed' | 'cancelled'>
  /** Version of the mapping that it works by */
  mapping_version: number
  counts_in: Generated<unknown>
  counts_out: Generated<unknown>
  done: Generated<number>
  total: number | null
  cursor: unknown
  failure: unknown
  /** Only the rows that failed in this run */
  retry_of: string | null
  /** Who started it; null for the schedule */
  account_id: string | null
  /** When its worker was last heard of */
  heartbeat_at: string | null
  started_at: string | null
  finished_at: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** Only this row of those that failed */
  retry_error: string | null
}

/** Words that records are marked with, for officers or for every member */
export interface TagsRow {
  org_id: string
  id: Generated<string>
  name: string
  name_key: GeneratedAlways<string>
  color: Generated<'gray' | 'brand' | 'green' | 'red' | 'amber' | 'blue'>
  created_at: Generated<string>
  /** Who sees the tag and who carries it: officers, or every member */
  audience: Generated<'officers' | 'members'>
}

/** What mails are about, as people subscribe to it; of the whole organisation or of a chapter */
export interface TopicsRow {
  org_id: string
  id: Generated<string>
  chapter_id: string | null
  name: string
  name_key: GeneratedAlways<string>
  description: Generated<string>
  /** essential: reaches everybody who may get mail at all. Never changed, since an essential topic asks nobody */
  kind: 'essential' | 'marketing'
  /** Whether somebody who never chose is subscribed; of a chapter's topic, whoever belongs to the chapter. Never changed, since it would subscribe people who did not ask */
  default_opt: 'in' | 'out'
  /** A subscription counts once it is confirmed by the link of a mail */
  confirm: Generated<boolean>
  position: Generated<number>
  archived_at: string | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Requests of members to move to another chapter, with what both chapters said; kept when they are over */
export interface TransfersRow {
  org_id: string
  id: Generated<string>
  person_id: string
  from_chapter_id: string
  to_chapter_id: string
  /** source_ok, target_ok: one chapter has agreed; approved: both have, and the day is still to come */
  state: Generated<'requested' | 'source_ok' | 'target_ok' | 'approved' | 'completed' | 'rejected' | 'withdrawn'>
  /** First day in the new chapter that was asked for; agreed to later, the move is on that later day */
  moves_on: string
  note: Generated<string>
  requested_by: string | null
  source_by: string | null
  source_at: string | null
  target_by: string | null
  target_at: string | null
  ended_by: string | null
  ended_at: string | null
  /** Why it was rejected */
  reason: Generated<string>
  completed_on: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
}

/** Uses of an operation within the hour that began at since, by account, or by a hash of who signs in */
export interface UseCountsRow {
  org_id: string
  operation: string
  who: string
  since: Generated<string>
  uses: Generated<number>
}

/** Each try of a delivery with what came back. Not in the audit log: it is a log itself */
export interface WebhookAttemptsRow {
  org_id: string
  id: Generated<string>
  delivery_id: string
  at: string
  status: number | null
  failure: string | null
  milliseconds: number
  answer: Generated<string>
}

/** Tries of each endpoint by day of the organisation's calendar. Not in the audit log: it is counted */
export interface WebhookDaysRow {
  org_id: string
  endpoint_id: string
  day: string
  delivered: Generated<number>
  /** Tries that failed, those that are tried again included */
  failed: Generated<number>
  dead: Generated<number>
  /** How long all tries took together */
  milliseconds: Generated<number>
}

/** One event for one endpoint; its id is the webhook-id of every try. Not in the audit log: it is a log itself */
export interface WebhookDeliveriesRow {
  org_id: string
  id: Generated<string>
  endpoint_id: string
  event_id: string
  event_type: string
  state: Generated<'waiting' | 'delivered' | 'dead'>
  /** Tries so far */
  attempts: Generated<number>
  /** Tries that ended since it was last queued: the eighth is the last */
  tried: Generated<number>
  /** Tries that began since; a worker that dies does not end what it began */
  begun: Generated<number>
  status: number | null
  failure: string | null
  /** When it was made, or last sent again by hand */
  queued_at: Generated<string>
  next_attempt_at: Generated<string>
  tried_at: string | null
  /** The lane that has it in hand */
  held_by: string | null
  delivered_at: string | null
  given_up_at: string | null
  created_at: Generated<string>
}

/** Addresses of other systems that are told of what happens */
export interface WebhookEndpointsRow {
  org_id: string
  id: Generated<string>
  name: string
  url: string
  /** Of the address, for the audit log: the rest of an address can be a secret */
  host: GeneratedAlways<string>
  event_types: string[]
  /** failing: paused by itself after three days without a success; removed: its deliveries are being deleted */
  state: Generated<'active' | 'paused' | 'failing' | 'removed'>
  /** What waits then, and what is added later, waits for three days */
  paused_at: string | null
  secret_changed_at: Generated<string>
  created_by: string | null
  version: Generated<number>
  created_at: Generated<string>
  updated_at: Generated<string>
  /** The chat that it belongs to: then it is kept by the connection, whose address is a secret of that one */
  connection_id: string | null
}

/** What happened that some endpoint wants to know, written with the change itself. Not in the audit log: it has the change */
export interface WebhookEventsRow {
  org_id: string
  id: Generated<string>
  type: string
  record_id: string
  /** Version of the record after it: of two events about one record the higher one is newer */
  record_version: number
  /** What is told: ids, versions, states and dates, never names, addresses or what somebody wrote */
  data: unknown
  occurred_at: Generated<string>
  /** When it became deliveries */
  fanned_at: string | null
}

/** How an endpoint answers, and which worker is at it. Not in the audit log: it changes with each delivery */
export interface WebhookHealthRow {
  org_id: string
  endpoint_id: string
  /** The first try that failed since the last success */
  failing_since: string | null
  /** Tries that failed since the last success */
  failures: Generated<number>
  /** How long it took to answer in the last round */
  typical_ms: Generated<number>
  last_delivered_at: string | null
  /** Names the worker that has the endpoint until lane_until, and nobody else has it */
  lane: string | null
  lane_until: string | null
  /** When a worker last began with it: the one that waited longest is next */
  turn_at: Generated<string>
}

/** What deliveries are signed with, sealed with a key that only the servers have. Not in the audit log: that of the endpoint says when there is a new one */
export interface WebhookSecretsRow {
  org_id: string
  id: Generated<string>
  endpoint_id: string
  sealed: Buffer
  /** Last four characters */
  hint: string
  /** Signs until then, beside the one that followed it; null for the one in use */
  expires_at: string | null
  created_at: Generated<string>
}

export interface Database {
  'app.accounts': AccountsRow
  'app.affiliations': AffiliationsRow
  'app.announcement_reads': AnnouncementReadsRow
  'app.announcements': AnnouncementsRow
  'app.api_key_minutes': ApiKeyMinutesRow
  'app.api_key_uses': ApiKeyUsesRow
  'app.api_keys': ApiKeysRow
  'app.audiences': AudiencesRow
  'app.audit_entries': AuditEntriesRow
  'app.audit_heads': AuditHeadsRow
  'app.automation_log': AutomationLogRow
  'app.automation_runs': AutomationRunsRow
  'app.automations': AutomationsRow
  'app.bulk_effects': BulkEffectsRow
  'app.calendar_feeds': CalendarFeedsRow
  'app.campaign_days': CampaignDaysRow
  'app.campaign_donors': CampaignDonorsRow
  'app.campaign_fund_totals': CampaignFundTotalsRow
  'app.campaign_funds': CampaignFundsRow
  'app.campaign_sizes': CampaignSizesRow
  'app.campaign_totals': CampaignTotalsRow
  'app.campaigns': CampaignsRow
  'app.chapter_ancestors': ChapterAncestorsRow
  'app.chapter_counts': ChapterCountsRow
  'app.chapter_months': ChapterMonthsRow
  'app.chapter_payouts': ChapterPayoutsRow
  'app.chapter_shares': ChapterSharesRow
  'app.chapters': ChaptersRow
  'app.chapters_field_values': ChaptersFieldValuesRow
  'app.check_ins': CheckInsRow
  'app.comment_withheld': CommentWithheldRow
  'app.comments': CommentsRow
  'app.communication_settings': CommunicationSettingsRow
  'app.connection_secrets': ConnectionSecretsRow
  'app.connections': ConnectionsRow
  'app.consent_changes': ConsentChangesRow
  'app.consents': ConsentsRow
  'app.contact_attempts': ContactAttemptsRow
  'app.contact_messages': ContactMessagesRow
  'app.data_health': DataHealthRow
  'app.donor_years': DonorYearsRow
  'app.donors': DonorsRow
  'app.dues_rates': DuesRatesRow
  'app.dues_run_items': DuesRunItemsRow
  'app.dues_runs': DuesRunsRow
  'app.event_counts': EventCountsRow
  'app.event_invitations': EventInvitationsRow
  'app.event_ledger': EventLedgerRow
  'app.event_links': EventLinksRow
  'app.event_mail_settings': EventMailSettingsRow
  'app.event_messages': EventMessagesRow
  'app.event_programme': EventProgrammeRow
  'app.event_promo_codes': EventPromoCodesRow
  'app.event_questions': EventQuestionsRow
  'app.event_series': EventSeriesRow
  'app.event_staff': EventStaffRow
  'app.event_survey_answers': EventSurveyAnswersRow
  'app.event_survey_questions': EventSurveyQuestionsRow
  'app.event_surveys': EventSurveysRow
  'app.event_ticket_counts': EventTicketCountsRow
  'app.event_ticket_types': EventTicketTypesRow
  'app.events': EventsRow
  'app.exports': ExportsRow
  'app.external_refs': ExternalRefsRow
  'app.field_choices': FieldChoicesRow
  'app.fields': FieldsRow
  'app.files': FilesRow
  'app.finance_settings': FinanceSettingsRow
  'app.follow_ups': FollowUpsRow
  'app.fund_totals': FundTotalsRow
  'app.fundraising_settings': FundraisingSettingsRow
  'app.funds': FundsRow
  'app.gift_allocations': GiftAllocationsRow
  'app.gifts': GiftsRow
  'app.giving_notes': GivingNotesRow
  'app.giving_run_items': GivingRunItemsRow
  'app.giving_runs': GivingRunsRow
  'app.grants': GrantsRow
  'app.group_counts': GroupCountsRow
  'app.group_members': GroupMembersRow
  'app.groups': GroupsRow
  'app.groups_field_values': GroupsFieldValuesRow
  'app.idempotency_keys': IdempotencyKeysRow
  'app.import_mappings': ImportMappingsRow
  'app.import_rows': ImportRowsRow
  'app.imports': ImportsRow
  'app.invoice_lines': InvoiceLinesRow
  'app.invoices': InvoicesRow
  'app.job_progress': JobProgressRow
  'app.lifecycle_overrides': LifecycleOverridesRow
  'app.loose_files': LooseFilesRow
  'app.mail_alarms': MailAlarmsRow
  'app.mail_days': MailDaysRow
  'app.mail_feedback': MailFeedbackRow
  'app.mail_messages': MailMessagesRow
  'app.mail_preferences': MailPreferencesRow
  'app.mail_suppressions': MailSuppressionsRow
  'app.member_cards': MemberCardsRow
  'app.membership_standings': MembershipStandingsRow
  'app.membership_terms': MembershipTermsRow
  'app.membership_types': MembershipTypesRow
  'app.memberships': MembershipsRow
  'app.message_chapters': MessageChaptersRow
  'app.message_clicks': MessageClicksRow
  'app.message_counts': MessageCountsRow
  'app.message_deliveries': MessageDeliveriesRow
  'app.message_hours': MessageHoursRow
  'app.message_links': MessageLinksRow
  'app.message_pictures': MessagePicturesRow
  'app.message_templates': MessageTemplatesRow
  'app.messages': MessagesRow
  'app.metric_alerts': MetricAlertsRow
  'app.metric_annotations': MetricAnnotationsRow
  'app.metric_days': MetricDaysRow
  'app.metric_hours': MetricHoursRow
  'app.note_versions': NoteVersionsRow
  'app.notes': NotesRow
  'app.notification_preferences': NotificationPreferencesRow
  'app.notifications': NotificationsRow
  'app.number_series': NumberSeriesRow
  'app.organisations': OrganisationsRow
  'app.payment_allocations': PaymentAllocationsRow
  'app.payment_comparisons': PaymentComparisonsRow
  'app.payment_differences': PaymentDifferencesRow
  'app.payment_events': PaymentEventsRow
  'app.payment_fees': PaymentFeesRow
  'app.payment_methods': PaymentMethodsRow
  'app.payment_readings': PaymentReadingsRow
  'app.payment_settings': PaymentSettingsRow
  'app.payments': PaymentsRow
  'app.people': PeopleRow
  'app.people_field_values': PeopleFieldValuesRow
  'app.person_contacts': PersonContactsRow
  'app.person_emails': PersonEmailsRow
  'app.person_external_ids': PersonExternalIdsRow
  'app.person_office_notes': PersonOfficeNotesRow
  'app.person_phones': PersonPhonesRow
  'app.person_private': PersonPrivateRow
  'app.person_tags': PersonTagsRow
  'app.pledge_instalments': PledgeInstalmentsRow
  'app.pledges': PledgesRow
  'app.position_holders': PositionHoldersRow
  'app.positions': PositionsRow
  'app.provider_payouts': ProviderPayoutsRow
  'app.public_names': PublicNamesRow
  'app.receipts': ReceiptsRow
  'app.record_tags': RecordTagsRow
  'app.recording_parts': RecordingPartsRow
  'app.recurring_plans': RecurringPlansRow
  'app.refunds': RefundsRow
  'app.registrations': RegistrationsRow
  'app.relationship_types': RelationshipTypesRow
  'app.relationships': RelationshipsRow
  'app.report_places': ReportPlacesRow
  'app.report_recipients': ReportRecipientsRow
  'app.report_runs': ReportRunsRow
  'app.report_schedules': ReportSchedulesRow
  'app.report_thumbnails': ReportThumbnailsRow
  'app.reports': ReportsRow
  'app.role_permissions': RolePermissionsRow
  'app.roles': RolesRow
  'app.sandbox_records': SandboxRecordsRow
  'app.saved_views': SavedViewsRow
  'app.schedule_runs': ScheduleRunsRow
  'app.scim_groups': ScimGroupsRow
  'app.scim_tokens': ScimTokensRow
  'app.signed_links': SignedLinksRow
  'app.suppression_changes': SuppressionChangesRow
  'app.sync_changes': SyncChangesRow
  'app.sync_errors': SyncErrorsRow
  'app.sync_runs': SyncRunsRow
  'app.tags': TagsRow
  'app.topics': TopicsRow
  'app.transfers': TransfersRow
  'app.use_counts': UseCountsRow
  'app.webhook_attempts': WebhookAttemptsRow
  'app.webhook_days': WebhookDaysRow
  'app.webhook_deliveries': WebhookDeliveriesRow
  'app.webhook_endpoints': WebhookEndpointsRow
  'app.webhook_events': WebhookEventsRow
  'app.webhook_health': WebhookHealthRow
  'app.webhook_secrets': WebhookSecretsRow
}
