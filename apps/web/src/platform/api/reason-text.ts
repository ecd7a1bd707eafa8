import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { isFilled, isReason } from '@guildhall/contract/reasons'
import type { Failure, NotATable, Reason, ReasonParams, ReasonValue } from '@guildhall/contract/reasons'
import { permissions } from '@guildhall/contract/permissions'

type Texts = { [R in Reason]: (params: ReasonParams<R>) => string }

/** A text for every reason that the server may send: the compiler misses one that is not here. */
const texts: Texts = {
  access_limit: () => t`Too many people have asked for access in the last hour. Try again later.`,
  account_active: () => t`This account is neither suspended nor awaiting approval.`,
  account_exists: () => t`There is already an account with this address.`,
  account_without_person: () => t`This account isn’t linked to a person, so it can’t subscribe to anything.`,
  accounts_administrators: () => t`Only administrators can change accounts.`,
  address_not_suppressed: () => t`This address isn’t suppressed.`,
  affiliation_known: () => t`This person already has this membership from that day on.`,
  affiliations_chapter_closed: () => t`This chapter is closed.`,
  affiliations_own: () => t`You cannot make yourself a member. Ask another officer or an administrator.`,
  affiliations_primary: () => t`Another membership has become the primary one. Reload the page.`,
  affiliations_reach: () => t`This person does not belong to one of your chapters today. Ask an administrator to make this change.`,
  already_joined: () => t`You are already in this group.`,
  already_member: () => t`This person is already in the group, invited, or awaiting approval.`,
  already_requested: () => t`You have already asked to join. The leaders will answer.`,
  already_suspended: () => t`This account is already suspended.`,
  announcement_archived: () => t`This announcement is archived. Restore it first.`,
  announcement_ends: () => t`Choose an end that is after the start and in the future.`,
  announcement_not_shown: () => t`Only an announcement that people are shown can be ended.`,
  announcement_place: () => t`Choose a chapter or a group, not both.`,
  announcement_published: () => t`This announcement is published already.`,
  announcement_seen: () => t`This announcement is not scheduled. End or archive it instead.`,
  announcement_starts: () => t`A published announcement needs a start.`,
  answer_needed: ({ question }) => t`Answer “${shown(question)}”.`,
  answer_unknown: () => t`This question is not asked any more. Reload the page.`,
  answer_wrong: () => t`This answer does not fit the question. Choose another.`,
  audience_archived: () => t`This audience is archived. Restore it or choose another one.`,
  audience_cycle: () => t`An audience cannot contain itself. Remove it.`,
  audience_part_hidden: () => t`This names a record that is gone or that you cannot see in full. Remove it.`,
  audience_people_hidden: () => t`Some of these people are gone or are not yours to see. Remove them.`,
  audience_people_many: () => t`Name at most 5,000 people. For more, use a filter or a group.`,
  audience_place: () => t`Choose a chapter or a group, not both.`,
  audience_too_deep: () => t`These audiences contain too many others. Use fewer.`,
  audience_topic: () => t`There is no such topic. Choose another.`,
  automation_not_ready: () => t`This automation is not complete yet. Its steps say what is missing.`,
  automation_part_hidden: () => t`This names a record that is gone or that you cannot see. Choose another one.`,
  automation_run_ended: () => t`The automation has already ended for this person.`,
  automation_status: () => t`Somebody changed the automation. Reload the page.`,
  automation_stays: () => t`Pause the automation before you change it.`,
  automation_steps_twice: () => t`Two steps have the same id. Reload the page.`,
  beyond_reach: ({ permissions: names }) => t`You cannot give rights that you do not hold: ${listed(rightsOf(names))}.`,
  binary_file: () => t`This is not a text file. Open it in a spreadsheet program and save it as CSV or XLSX.`,
  birth_date_too_early: () => t`Enter a day after 1850.`,
  broken_character: () => t`This text contains a broken character. Type it again.`,
  busy: () => t`The server is busy. Try again in a moment.`,
  capacity_in_use: ({ members }) =>
    plural(Number(members), { one: 'The group already has # member.', other: 'The group already has # members.' }),
  calendar_feed_personal: () => t`Your personal calendar can't be public.`,
  calendar_feed_place: () => t`Choose the chapter or group whose calendar you want.`,
  calendar_feed_reset: () => t`This address was already reset. Reload the page to see the new one.`,
  card_ended: () => t`This card has already ended.`,
  card_none: () => t`There is no valid member card. Issue one first.`,
  card_not_eligible: () => t`Only current members have a member card.`,
  card_revoked: () => t`Your member card was revoked. Ask an officer of your chapter for a new one.`,
  chapter_already_closed: () => t`This chapter is already closed.`,
  chapter_closed: () => t`This chapter is closed. Choose another.`,
  chapter_code_taken: ({ code }) => t`Another chapter has the code ${shown(code)}. Choose another.`,
  chapter_in_use: ({ subchapters, people }) => t`Move ${chapterCount(subchapters)} and ${peopleCount(people)} to another chapter first.`,
  chapter_needed: () => t`Choose one of your chapters.`,
  chapter_not_found: () => t`There is no such chapter. Choose another.`,
  chapter_open: () => t`This chapter is already open.`,
  chapter_own_parent: () => t`A chapter cannot be its own parent.`,
  chapter_reopen_first: () => t`This chapter is closed. Reopen it first.`,
  chapter_unavailable: () => t`This chapter does not exist or is closed. Choose another.`,
  chapters_no_circle: ({ chapters }) => t`These chapters would form a circle: ${names(chapters).join(' → ')}. Choose another parent.`,
  chapters_organisation: () => t`Only those who manage all chapters can change the parent, code, level or status of a chapter.`,
  chapters_too_deep: () => t`The tree would have more than eight levels. Choose another parent.`,
  check_first: () => t`Check the file first.`,
  clock: () => t`The server cannot reach its database. Try again in a moment.`,
  comment_purged: () => t`This comment was deleted more than 30 days ago and can no longer be restored.`,
  comments_author: () => t`Only the author can change a comment.`,
  comments_own_moderation: () => t`You cannot hide or show your own comment. Ask another moderator.`,
  consent_asked: () => t`This person was asked within the last seven days. Wait for their answer.`,
  consent_unreachable: () => t`This person can’t be asked by mail. See why under Subscriptions on their page.`,
  consent_withdrawn: () => t`This person unsubscribed. Only they can subscribe again.`,
  dues_rate_not_national: () => t`Choose a rate of the whole organisation and a chapter.`,
  dues_rate_overridden: () => t`This chapter already has its own rate. Change that one instead.`,
  dues_rate_unavailable: () => t`This rate is archived or replaces another one. Choose another.`,
  dues_rates_limit: () => t`There are too many dues rates. Archive those you no longer need.`,
  credit_note_stays: () => t`A credit note can’t be voided.`,
  credit_too_high: () => t`You can’t credit more than the invoice charges. Enter a lower amount.`,
  credit_without_amount: () => t`Enter an amount to credit.`,
  event_archived: () => t`This event is archived. Restore it before you change it.`,
  event_cancel_until: () => t`This is after the event ends. Choose an earlier time.`,
  event_capacity_taken: ({ taken }) =>
    plural(Number(taken), { one: '# seat is taken. Enter at least as many.', other: '# seats are taken. Enter at least as many.' }),
  event_copies: ({ max }) =>
    plural(Number(max), { one: 'Copy one event at a time.', other: 'Copy at most # events at a time. Select fewer.' }),
  event_cover: () => t`Upload a picture for this event first.`,
  event_currency: () => t`All tickets of an event have the same currency. Choose one.`,
  event_ends: () => t`The event ends before it starts. Enter a later end.`,
  event_full: () => t`This event is full.`,
  event_group_not_found: () => t`There is no such group. Choose another.`,
  event_guests_wait: () => t`This event is full. Register without guests to join the waiting list.`,
  event_invitation_none: () => t`You are not invited to this event.`,
  event_invitation_registered: () => t`You are registered. Cancel your registration instead.`,
  event_invitation_whom: () => t`Choose whom to invite.`,
  event_invitations_many: () => t`At most 10,000 people can be invited to an event.`,
  event_ledger_stays: () => t`The capacity ledger cannot be changed.`,
  event_length: () => t`An event lasts 31 days at most. Create several events instead.`,
  event_move: () => t`The status of this event has changed. Reload the page.`,
  event_needs_link: () => t`Enter a link before you publish this event.`,
  event_needs_place: () => t`Enter a place before you publish this event, or make it an online event.`,
  event_mail_essential: () => t`This mail is essential and cannot be switched off.`,
  event_message_draft: () => t`Publish the event first. Nobody has registered for a draft.`,
  event_message_far: () => t`Choose a time within a year.`,
  event_message_sent: () => t`This message has already been sent.`,
  event_not_ready: () => t`Enter a place, or a link for an online event, before you publish this event.`,
  event_part_unknown: () => t`This has been removed. Add it again.`,
  event_not_begun: () => t`Nobody was there yet: this event has not begun.`,
  event_past: () => t`This is in the past. Choose a later start.`,
  event_publish: () => t`You cannot publish or cancel this event. Ask somebody who runs events in your chapter.`,
  event_registration_closes: () => t`Registration closes after the event ends. Choose an earlier time.`,
  event_registration_opens: () => t`Registration opens after it closes. Choose an earlier time.`,
  event_seats_left: ({ left }) =>
    plural(Number(left), { one: 'Only # seat is left. Bring fewer guests.', other: 'Only # seats are left. Bring fewer guests.' }),
  event_series_day: () => t`Move one event at a time to another day. The time of day can be changed for all of them.`,
  event_series_length: () => t`A series lasts two years at most. Enter an earlier last day.`,
  event_series_dropped: () => t`Choose whether dropped dates with registrations stay as single events or are cancelled.`,
  event_series_none: () => t`This event is not part of a series.`,
  event_series_over: () => t`No event of this series is still to come.`,
  event_series_rule: () => t`This event is part of a series already. Change the dates of the series instead.`,
  event_series_until: () => t`Enter a last day by which the event repeats at least once.`,
  event_staff_person: () => t`There is no such person. Choose another.`,
  event_template_not_published: () => t`Templates cannot be published. Create an event from this one.`,
  event_tickets_over_capacity: ({ capacity }) =>
    plural(Number(capacity), {
      one: 'There are more tickets than the # seat of this event. Lower a quota or raise the capacity.',
      other: 'There are more tickets than the # seats of this event. Lower a quota or raise the capacity.',
    }),
  event_visibility_chapter: () => t`Choose a chapter, or make the event visible to all members.`,
  event_visibility_group: () => t`Choose a group, or make the event visible to all members.`,
  invoice_below_zero: () => t`The total of an invoice can’t be negative. Change its lines.`,
  invoice_empty: () => t`This invoice has no lines. Add one before you issue it.`,
  invoice_gone: () => t`This invoice no longer exists.`,
  invoice_has_payments: () => t`This invoice has been paid or credited, so it can’t be voided. Issue a credit note instead.`,
  invoice_paid_more: () => t`More was paid than the invoice asks for. Correct one of the amounts.`,
  invoice_issued: () => t`Issued invoices can’t be changed. Issue a credit note and a new invoice instead.`,
  invoice_line_unknown: () => t`The lines of this invoice have changed. Reload the page and try again.`,
  invoice_not_draft: () => t`Only drafts can be issued.`,
  invoice_not_mailed: () => t`Only issued invoices can be mailed, and only to a person or to a chapter with a contact address.`,
  invoice_not_issued: () => t`Only issued invoices can be credited.`,
  invoices_not_deleted: () => t`Invoices can’t be deleted. Void the invoice instead.`,
  note_purged: () => t`This note was deleted more than 30 days ago and can no longer be restored.`,
  notes_author: () => t`Only the author of a note can change it.`,
  payment_not_settled: () => t`Receipts are issued for settled payments only.`,
  payments_not_deleted: () => t`Payments can’t be deleted. Refund the payment instead.`,
  programme_ends: () => t`This item ends before it starts. Enter a later end.`,
  promo_code_invalid: () => t`This code is not valid for this ticket. Check it, or register without a code.`,
  promo_code_twice: ({ code }) => t`The code ${shown(code)} is used twice. Change one of the two.`,
  promo_code_used_up: () => t`This code has been used up. Register without it.`,
  promo_window: () => t`The code ends before it starts. Enter a later end.`,
  promo_worth: () => t`Enter a percentage or an amount.`,
  question_options: () => t`Enter the options to choose from.`,
  receipt_issued: () => t`Issued receipts can’t be changed. Issue a replacement instead.`,
  comments_parent: () => t`You can reply only to comments on the same record.`,
  contact_limit: () => t`Too many messages were sent in the last hour. Try again later, or write an e-mail.`,
  content_gone: () => t`The content of this file is no longer there. Upload it again.`,
  damaged: () => t`This workbook is damaged. Open it in a spreadsheet program and save it again as XLSX or CSV.`,
  damaged_cell: ({ cell }) =>
    t`This workbook has a cell that cannot exist: ${shown(cell)}. Open it in a spreadsheet program and save it again as XLSX or CSV.`,
  database: () => t`The server cannot reach its database. Try again in a moment.`,
  dates: () => t`The last day is before the first. Correct one of the two.`,
  death_before_birth: () => t`Enter a day after the birth.`,
  duplicate_grant: () => t`This account already has this role here in that period. Change its dates instead.`,
  duplicate_term: () => t`This person already has a term that begins on this day.`,
  duplicate_title: ({ title }) => t`This chapter already has the office ${shown(title)}.`,
  email_known: () => t`This person already has this address.`,
  empty_file: () => t`This file is empty. Choose a file with a header row and at least one row below it.`,
  ended: () => t`This role has already ended.`,
  expired: () => t`This file is no longer available. Export the list again.`,
  export: () => t`You do not have the right to export this list.`,
  export_group_needed: () => t`Choose the group whose members to export.`,
  export_reason_needed: ({ above }) =>
    plural(Number(above), {
      one: 'Enter a reason to export more than # row.',
      other: 'Enter a reason to export more than # rows.',
    }),
  export_too_many_columns: ({ max }) =>
    plural(Number(max), { one: 'A PDF has room for # column. Choose fewer.', other: 'A PDF has room for # columns. Choose fewer.' }),
  export_too_many_rows: ({ max }) =>
    plural(Number(max), {
      one: 'A workbook can have # row. Choose CSV, or narrow the list.',
      other: 'A workbook can have up to # rows. Choose CSV, or narrow the list.',
    }),
  export_too_many_rows_to_print: ({ max }) =>
    plural(Number(max), {
      one: 'A PDF can have # row. Choose CSV, or narrow the list.',
      other: 'A PDF can have up to # rows. Choose CSV, or narrow the list.',
    }),
  external_id_office: () => t`The office assigns external ids.`,
  external_id_taken: () => t`Someone else has this external id.`,
  field_choice: () => t`Choose one of the choices of this field.`,
  field_choice_in_use: ({ label, records }) => t`${recordCount(records)} “${shown(label)}”. Replace it with another choice, or retire it.`,
  field_choice_twice: () => t`This choice is already in the list.`,
  field_choices_limit: () => t`A field can have at most 100 choices.`,
  field_date: () => t`Enter a date that exists.`,
  field_flag: () => t`Choose yes or no.`,
  field_in_use: ({ label, records }) =>
    t`${recordCount(records)} a value in “${shown(label)}”. Archive the field, or confirm that its values are deleted too.`,
  field_kept: ({ label }) => t`You cannot change “${shown(label)}”.`,
  field_key_taken: () => t`This key is already used. Choose another.`,
  field_needs_choices: () => t`Add at least one choice.`,
  field_no_choices: () => t`Only choice fields have choices.`,
  field_no_pattern: () => t`Only text fields have a pattern.`,
  field_no_self: () => t`Only people have a record of their own. Choose everyone or officers.`,
  field_number: () => t`Enter a number with up to 4 decimals.`,
  field_not_searchable: () => t`Only texts and web addresses of people can be searched. Turn this off.`,
  field_own_hidden: () => t`People cannot change what they do not see. Let them see the field first.`,
  field_pattern: ({ help }) => t`This is not in the expected form. ${shown(help)}`.trim(),
  field_pattern_broken: () => t`This is not a regular expression. Check brackets and backslashes.`,
  field_pattern_slow: () => t`This pattern takes too long on some texts. Avoid repetition inside repetition.`,
  field_person: () => t`Choose a person.`,
  field_required: ({ label }) => t`Enter a value for “${shown(label)}”.`,
  field_sensitive_open: () => t`A sensitive field cannot be visible to everyone. Choose who can see it.`,
  field_text: () => t`Enter a text.`,
  field_unknown: () => t`This field no longer exists. Reload the page.`,
  field_url: () => t`Enter an address that starts with https://.`,
  field_value: () => t`This value does not fit its field.`,
  fields_limit: () => t`There are already 60 fields. Delete one that is no longer needed.`,
  fields_missing: () => t`Choose a column for each required field.`,
  file_broken: () => t`This file is damaged or incomplete. Open it, save it again and try once more.`,
  file_empty: () => t`This file is empty. Choose another one.`,
  file_gone: ({ days }) =>
    plural(Number(days), {
      one: 'The file of this import was removed after # day. Upload it again.',
      other: 'The file of this import was removed after # days. Upload it again.',
    }),
  file_macros: () => t`Documents with macros are not accepted. Save it without macros.`,
  file_not_a_picture: () => t`This is not a picture that can be used. Choose a JPEG, PNG, WebP, GIF or AVIF file.`,
  file_not_accepted: () =>
    t`Files of this kind are not accepted. Upload pictures, PDF, documents of Office or OpenDocument, text, audio or video; unpack archives first.`,
  file_too_complex: () => t`This file takes too much work to read. Save it again in a simpler form.`,
  file_too_large: ({ max }) => t`This file is larger than ${megabytes(max)}. Split it into several files.`,
  file_too_many_pixels: () => t`This picture has more than 40 megapixels. Make it smaller first.`,
  file_wrong_type: () =>
    t`The content of this file is not what its name says. Save it in the format that its name promises, and try again.`,
  files_busy: () => t`Several files are being read right now. Try again in a minute.`,
  findings_first: () => t`Correct the errors in the file first.`,
  form: () => t`The upload was cut off. Send the file again.`,
  grant_chapter: () => t`Choose a chapter.`,
  grant_group: () => t`Choose a group.`,
  grants_beyond_reach: () => t`This role has rights that you do not hold.`,
  grants_own: () => t`You cannot change your own rights. Ask another administrator.`,
  group_already_archived: () => t`This group is already archived.`,
  group_archived: () => t`This group is archived and does not accept new members.`,
  group_code_taken: ({ code }) => t`Another group has the code ${shown(code)}. Choose another.`,
  group_members_archived: () => t`This group is archived.`,
  group_members_consent: () => t`Invite this person. Only they can decide to join.`,
  group_members_full: () => t`This group is full.`,
  group_members_last_leader: () => t`Name another leader first.`,
  group_members_leaders: () => t`Only the leaders of the group can change this.`,
  group_members_own_lead: () =>
    t`You cannot make yourself the leader of people whose contact data you cannot see. Ask another leader or an administrator.`,
  group_not_archived: () => t`This group is not archived.`,
  group_not_found: () => t`There is no such group. Choose another.`,
  group_own_parent: () => t`A group cannot be its own parent.`,
  groups_code_taken: () => t`Another group has this code. Choose another.`,
  groups_no_circle: () => t`This group is above the parent you chose. Choose another parent.`,
  groups_reach: () =>
    t`Only those who manage groups in its chapter can change the chapter, parent or code of a group, or let more people see it. Ask an officer there or an administrator.`,
  groups_reach_parent: () => t`You do not manage the parent group. Ask its leaders or an administrator.`,
  has_account: () => t`You already have an account. Reload the page.`,
  hidden_character: ({ character }) => t`Remove the character ${shown(character)}.`,
  import_not_allowed: () => t`You do not have the right to import files.`,
  import_over: () => t`This import has ended. Upload the file again to import it again.`,
  import_running: () => t`This import is already running.`,
  import_started: () => t`This import has already started. Upload the file again to change how it is read.`,
  import_stopped: () => t`Something went wrong on the server. What was done so far is kept. Continue or undo the import.`,
  import_undone: () => t`This import has already been undone, or is being undone.`,
  in_flight: () => t`The same request is still in progress.`,
  invalid_format: ({ format }) => formatText(format),
  invalid_token: () => t`Your session has ended. Sign in again.`,
  invalid_type: () => t`Fill in this field.`,
  invalid_value: () => t`Choose one of the options.`,
  invitation_expired: () => t`This invitation has expired. Ask for a new one.`,
  invite_only: () => t`You can join this group by invitation only.`,
  link_invalid: () => t`This link is not valid any more. Ask for a new one.`,
  links_limit: ({ max }) => plural(Number(max), { one: 'Keep at most # link.', other: 'Keep at most # links.' }),
  locked: () => t`This file has a password. Open it in a spreadsheet program, remove the password and save it again.`,
  mail_not_failed: () => t`This mail has not failed. Reload the list to see its state.`,
  mail_not_waiting: () => t`This mail is no longer waiting. Reload the list to see its state.`,
  member_left: () => t`This person is no longer in the group.`,
  member_no_taken: () => t`Someone else has this member number.`,
  mention_not_found: () => t`One of the people mentioned is no longer there. Take the mention out.`,
  message_archived: () => t`This message is archived. Restore it first.`,
  message_at_work: () => t`This message is waiting or being sent, so it cannot be archived. Cancel it first.`,
  message_audience_empty: () => t`There is nobody in this audience. Choose whom the message is for.`,
  message_needs_review: ({ limit }) =>
    t`This goes to more than ${figure(limit)} people, so a second person has to approve it. Ask for approval instead.`,
  message_needs_subject: () => t`Enter a subject.`,
  message_needs_text: () => t`This message says nothing yet. Write something first.`,
  message_needs_topic: () => t`Choose what this message is about, so that people can say whether they want it.`,
  message_move: () => t`Somebody else has moved this message on, so this is not possible any more. Look at how it stands now.`,
  message_not_draft: () => t`Only a draft can be changed or deleted. Take the message back first, or duplicate it.`,
  message_own_review: () => t`Somebody else has to approve this message, because you wrote or submitted it.`,
  message_place: () => t`Choose a chapter or a group, not both.`,
  message_send_at_far: () => t`Choose a time within a year.`,
  message_send_at_past: () => t`This time is in the past. Send the message now, or choose a later time.`,
  message_sender: () => t`You may not send messages here any more.`,
  message_topic_archived: () => t`This topic is archived. Choose another one.`,
  message_topic_elsewhere: () => t`This topic belongs to another chapter. Choose one of this chapter or of the whole organisation.`,
  message_unknown_field: ({ field, position }) =>
    t`There is no merge field ${shown(field)} (character ${figure(position)}). Choose one from the list.`,
  membership_decided_above: () => t`This is decided by another officer, or by the chapter above.`,
  membership_fixed_year: () => t`A fixed period has 12 months.`,
  membership_held: () => t`This person already has a membership of this type.`,
  membership_leaves_at_end: () => t`A membership of this type is left at the end of its term.`,
  membership_leaves_on: () => t`Enter today or a later day.`,
  membership_leaving: () => t`This membership has been cancelled for a later day. Keep it first.`,
  membership_lifetime: () => t`A lifetime membership has no end, so it is not renewed.`,
  membership_lifetime_months: () => t`A lifetime membership has no months. Leave the field empty.`,
  membership_months_needed: () => t`Enter the number of months in a term.`,
  membership_in_progress: () => t`This person has applied, or is suspended. Decide that first.`,
  membership_term_overlap: () => t`This term overlaps with another one. Correct its days.`,
  membership_term_stays: () => t`Only terms that came with an import can be removed.`,
  membership_move: () => t`This membership has changed. Check its status and try again.`,
  membership_no_renewal: () => t`This membership cannot be renewed in its current status.`,
  membership_no_start: () => t`Only a fixed period has a start date. Leave the field empty.`,
  membership_not_approved: () => t`This application has not been approved yet.`,
  membership_not_paid: () => t`This term has not been paid yet.`,
  membership_paid: () => t`This term is paid. Refund the payment first.`,
  membership_paused: () => t`One of your memberships is paused. Ask an officer of your chapter.`,
  membership_start_needed: () => t`Enter the day of the year on which the period starts.`,
  membership_too_early: ({ on }) => {
    const day = new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(String(on)))
    return t`This membership can be renewed from ${day}.`
  },
  membership_type_archived: () => t`This membership type is archived. Choose another.`,
  membership_type_closed: () => t`This membership type cannot be chosen. Choose another.`,
  membership_type_name_taken: () => t`Another membership type has this name. Choose another name.`,
  membership_types_limit: () => t`An organisation can have 200 membership types. Archive and rename an existing one.`,
  memberships_administrators: () => t`Only administrators of the whole organisation can do this.`,
  name_needed: () => t`Enter a given or family name.`,
  no_account: () => t`You do not have an account here yet. Ask for access.`,
  no_errors: () => t`No rows were rejected, or the import has not been checked yet.`,
  no_file: () => t`Choose a file.`,
  no_person: () => t`Your account is not linked to a person yet. Ask the organisation’s office to link it.`,
  no_rows: () => t`There are no rows below the header. Add rows, or choose another header row.`,
  no_such_sheet: () => t`This workbook does not have that sheet. Choose another.`,
  not_a_colour: () => t`Enter a colour such as #1d4ed8.`,
  not_a_currency: () => t`Enter a currency such as EUR.`,
  not_a_key: () => t`Use a to z, 0 to 9 and _, starting with a letter, 30 characters at most.`,
  not_a_language: () => t`Enter a language such as en or pt-BR.`,
  not_a_link: () => t`Enter a link that starts with https://, http:// or mailto:.`,
  not_a_number_format: () => t`Enter a format such as ${'{year}-{number:5}'}: capital letters and signs, the year, then the number.`,
  not_a_phone_number: () => t`Enter a telephone number.`,
  not_a_table: ({ kind }) => tableText(kind),
  not_a_timezone: () => t`Enter a time zone such as Europe/Paris.`,
  not_a_web_address: () => t`Enter an address that starts with https://.`,
  not_an_email: () => t`Enter an address like name@example.org.`,
  not_csv: ({ row }) => t`Row ${figure(row)} cannot be read. Check the separator, and the quotes in that row.`,
  not_in_group: () => t`You are not in this group.`,
  not_invited: () => t`This invitation has already been answered or withdrawn.`,
  not_invited_account: () => t`Someone has already signed in with this account. Suspend it instead.`,
  not_linked: () => t`This account is not linked to a person.`,
  not_pending: () => t`This account is not awaiting approval.`,
  not_ready: () => t`The file is not ready yet.`,
  not_requested: () => t`This request has already been answered or withdrawn.`,
  not_run: () => t`This import has changed nothing, so there is nothing to undo.`,
  not_running: () => t`This import is not running.`,
  not_undoable: () => t`This cannot be undone: it is still running, has already been undone, or was too long ago.`,
  notification_essential: () => t`This notification is essential and cannot be switched off.`,
  number_formats_alike: () => t`Invoices, credit notes and receipts need different formats. Add a letter, such as CN- or R-.`,
  number_series_begun: () =>
    t`A number of this kind was already issued this year. Set the first number before the first one of a year is issued.`,
  statement_partial: () =>
    t`Part of this account is in the books of other chapters. Ask somebody who manages the finance of the whole organisation.`,
  statement_too_long: () => t`A statement has at most 500 entries. Choose a shorter period.`,
  statement_not_mailed: () => t`This statement can’t be mailed: the chapter has no contact address.`,
  old_or_locked: () =>
    t`This is an old Excel file (XLS), or one with a password. Open it in a spreadsheet program, remove the password and save it as XLSX or CSV.`,
  other_organisation: () => t`Your account belongs to an organisation that does not use this address.`,
  own_rights: () => t`You cannot change a role you hold, or one with rights you do not hold.`,
  parent_closed: ({ chapter }) => t`${shown(chapter)} is closed. Reopen it first, or choose another chapter.`,
  parent_not_found: () => t`There is no such chapter. Choose another.`,
  difference_answered: () => t`Somebody has answered this difference already.`,
  difference_not_acceptable: () => t`This amount can’t be accepted: the payment has settled, or is in another currency.`,
  difference_not_missing: () => t`This payment is in the books already.`,
  difference_unknown: () => t`This difference is no longer there.`,
  payment_currency: () => t`This invoice is in another currency than the payment.`,
  payment_in_future: () => t`Choose today or an earlier day.`,
  payment_invoice_closed: () => t`This invoice is paid, void or not issued yet. Choose another.`,
  payment_invoice_unknown: () => t`This invoice is not there. Choose another.`,
  payment_not_manual: () => t`This was paid by card. Refund it instead.`,
  payment_not_online: () => t`Invoices cannot be paid by card here. Pay by bank transfer instead.`,
  payment_over: () => t`This payment was reversed, refunded or disputed, so it cannot be changed.`,
  payment_provider: () => t`The payment provider cannot be reached. Try again in a moment.`,
  payment_refused: () => t`This cannot be paid by card. Pay by bank transfer instead.`,
  payment_too_small: () => t`The invoices ask for more than the payment has. Lower an amount.`,
  payment_unknown: () => t`This payment is no longer there.`,
  pending: () => t`Your account is awaiting approval by the organisation.`,
  people_member_no_office: () => t`The office assigns member numbers.`,
  people_office_fields: () => t`Only the office can change this field.`,
  people_per_hour: ({ perHour, againInSeconds }) =>
    plural(Number(perHour), {
      one: `Your account may read # person an hour. Try again in ${minutes(againInSeconds)}.`,
      other: `Your account may read # people an hour. Try again in ${minutes(againInSeconds)}.`,
    }),
  person_archived: () => t`This person is archived. Restore them first.`,
  person_deceased: () => t`This person is deceased, so the record is read-only. If that is a mistake, change the status first.`,
  person_erased: () => t`This person’s data was erased.`,
  person_home_chapter: () => t`Only the home chapter of this person can decide this. Ask an officer there.`,
  person_linked: ({ account }) =>
    account === ''
      ? t`This person is already linked to another account.`
      : t`This person is already linked to the account of ${shown(account)}.`,
  person_merged: ({ into }) =>
    into === ''
      ? t`This record was merged into another one, so it is read-only.`
      : t`This record was merged into ${shown(into)}. Change that one instead.`,
  person_not_found: () => t`There is no such person. Choose another.`,
  person_own_death: () => t`You cannot change your own status to deceased, or your day of death.`,
  person_own_majority: () => t`This would change whether you count as a minor. Ask an officer to correct your birth date.`,
  person_private_birth_date: () => t`A birth date cannot be in the future.`,
  picture_alt_needed: () => t`Describe the picture, or mark it as decorative.`,
  phone_known: () => t`This person already has this number.`,
  position_held: () => t`This office has or had holders, so it cannot be deleted: their history would be lost.`,
  position_holders_beyond_reach: () => t`This office has rights that you do not hold here.`,
  position_holders_member_only: () => t`Only members can hold this office.`,
  position_holders_own: () => t`You cannot appoint yourself to an office with rights. Ask another officer.`,
  position_holders_seats: () => t`All seats of this office are taken in that period.`,
  positions_beyond_reach: () => t`This role has rights that you do not hold here.`,
  positions_own: () => t`You cannot change the rights of an office you hold.`,
  rate_limit: ({ againInSeconds }) => t`You have done this very often in the last hour. Try again in ${minutes(againInSeconds)}.`,
  reading_busy: () => t`Several workbooks are being read right now. Try again in a minute.`,
  recent_sign_in: () => t`This needs a sign-in within the last ten minutes. Sign in again to continue.`,
  record_closed: () => t`This record is archived or closed. Restore it before you add or change anything.`,
  record_gone: () => t`The record is no longer there. Reload the page.`,
  record_not_found: () => t`This no longer exists. Choose another.`,
  recording_limit: () => t`Too much has been recorded today.`,
  refund_not_due: () => t`There is nothing left to refund by hand. Reload to see how this refund stands.`,
  refund_too_large: () => t`Refund at most what is left of the payment.`,
  registration_cancel_late: () => t`It is too late to cancel. Write to the organisers.`,
  registration_checked_in: () => t`This person is checked in. Undo the check-in first.`,
  registration_closed: () => t`Registration is closed.`,
  registration_decided: () => t`Only those who run the event decide about registrations.`,
  registration_exists: () => t`This person is already registered for this event.`,
  registration_for_others: () => t`Only those who run the event can register other people.`,
  registration_guests: ({ max }) =>
    plural(Number(max), { one: 'You can bring # guest at most.', other: 'You can bring # guests at most.' }),
  registration_move: () => t`The status of this registration has changed. Reload the page.`,
  registration_not_open: () => t`Registration has not opened yet.`,
  registration_not_paid: () => t`This registration has not been paid.`,
  registration_of_guest: () => t`This is a guest. Decide about the person who brings them.`,
  registration_offer_over: () => t`This offer has expired. The seat went to the next person on the waiting list.`,
  registration_to_whom: () => t`Choose a person, or enter a name.`,
  restore_too_late: ({ days }) =>
    plural(Number(days), {
      one: 'People can be restored for # day after they were archived.',
      other: 'People can be restored for # days after they were archived.',
    }),
  role_in_use: () => t`This role has been given to someone or belongs to an office, so it cannot be deleted: the history would be lost.`,
  role_name_taken: () => t`There is already a role with this name.`,
  same_file_running: () => t`The same file is being imported right now. Wait until that import has ended.`,
  seats_in_use: ({ needed }) =>
    plural(Number(needed), {
      one: '# person holds this office at the same time, so it needs # seat.',
      other: '# people hold this office at the same time, so it needs # seats.',
    }),
  sign_in_service: () => t`The sign-in service cannot be reached. Try again in a moment.`,
  sign_in_time_unknown: () =>
    t`The sign-in service does not say when you signed in, which this needs. Contact the administrators of this installation.`,
  signed_out: () => t`You were signed out. Sign in again.`,
  stale: () => t`Someone else has changed this. Check the current values and try again.`,
  standard_role: () => t`Standard roles cannot be changed.`,
  storage: () => t`The server has no space left for files. Tell those who run this installation.`,
  suppression_of_person: () => t`The person complained or unsubscribed. Release the address only if they asked for it.`,
  survey_answer_final: () => t`An answer can be changed for 14 days. That time has passed.`,
  survey_closed: () => t`This survey is closed.`,
  survey_not_asked: () => t`The survey is for people who were at the event.`,
  suspend_self: () => t`You cannot suspend your own account.`,
  suspended: () => t`This account is suspended. The organisation’s office can tell you more.`,
  tag_name_taken: () => t`There is already a tag with this name.`,
  tag_not_found: () => t`This tag no longer exists. Choose another.`,
  text_needed: () => t`Fill in this field.`,
  text_too_formatted: () => t`This text has too much formatting. Split or simplify it.`,
  text_too_long: ({ max }) => mostText('string', Number(max)),
  ticket_audience: () => t`This ticket is not available to you. Choose another.`,
  ticket_member_price: () => t`The member price is above the price. Enter a lower one.`,
  ticket_needed: () => t`Choose a ticket.`,
  ticket_none: () => t`There is no ticket yet. You get one once the registration is confirmed.`,
  ticket_not_on_sale: () => t`This ticket is not on sale at the moment. Choose another.`,
  ticket_order: () => t`The highest number per order is below the lowest. Enter a higher one.`,
  ticket_per_order: ({ min, max }) => t`Take between ${shown(min)} and ${shown(max)} tickets of this kind.`,
  ticket_quota_taken: ({ name, taken }) =>
    plural(Number(taken), {
      one: `# ticket “${shown(name)}” is taken. Enter at least as many.`,
      other: `# tickets “${shown(name)}” are taken. Enter at least as many.`,
    }),
  ticket_sale: () => t`The sale ends before it starts. Enter a later end.`,
  ticket_sold_out: ({ name }) => t`The ticket “${shown(name)}” is sold out. Choose another.`,
  ticket_unknown: () => t`There is no such ticket. Choose another.`,
  too_big: ({ origin, maximum }) => mostText(origin, Number(maximum)),
  too_many_columns: ({ cell, max }) =>
    t`Cell ${shown(cell)} is beyond column ${figure(max)}, the last one that is read. Delete columns you do not need and save the workbook again.`,
  too_many_blocks: ({ max }) => t`A message has at most ${figure(max)} blocks. Remove some first.`,
  too_many_files: ({ max }) => t`There are already ${figure(max)} files here. Remove some first.`,
  too_many_mentions: ({ max }) => plural(Number(max), { one: 'Mention at most # person.', other: 'Mention at most # people.' }),
  too_many_rows: ({ max }) =>
    plural(Number(max), {
      one: 'This file has more than # row. Split it into several files.',
      other: 'This file has more than # rows. Split it into several files.',
    }),
  too_slow: () => t`This took too long. Check whether it was done, then try again.`,
  too_small: ({ origin, minimum }) => leastText(origin, Number(minimum)),
  topic_archived: () => t`This topic is archived.`,
  topic_confirm_opt: () => t`Only a topic that people subscribe to themselves can ask for confirmation.`,
  topic_essential: () => t`This topic is essential: it reaches everybody.`,
  topic_essential_opt: () => t`An essential topic reaches everybody: people start subscribed, without confirmation.`,
  topic_name_taken: () => t`There is already a topic with this name.`,
  topic_not_found: () => t`There is no such topic any more.`,
  transfers_answered: () => t`Your chapter has already approved this transfer.`,
  transfers_day: () => t`Enter a day from today to a year from now.`,
  transfers_elsewhere: () => t`This person is already a member of that chapter. Choose another.`,
  transfers_no_chapter: () => t`Only a member of a chapter can transfer to another one.`,
  transfers_open: () => t`A transfer is already under way. Withdraw it first.`,
  transfers_over: () => t`This transfer is no longer open.`,
  transfers_reason: () => t`Enter a reason.`,
  unbalanced_quotes: ({ row }) =>
    t`A quote that opens in row ${figure(row)} is never closed. Close it, or double quotes that are part of the text.`,
  undo_too_late: ({ days }) =>
    plural(Number(days), { one: 'An import can be undone for # day.', other: 'An import can be undone for # days.' }),
  unsafe_workbook: () =>
    t`This workbook contains parts that no spreadsheet program writes. Open it in one and save it again as XLSX or CSV.`,
  upload_too_large: ({ max }) => t`This file is larger than ${megabytes(max)}. Choose a smaller one.`,
  uploads_per_day: ({ max }) => t`You have uploaded ${megabytes(max)} within a day. Try again tomorrow.`,
  uploads_under_way: ({ max }) => t`Only ${figure(max)} files can be uploaded at once. Wait for one of them to finish.`,
  view_name_taken: () => t`You already have a view with this name.`,
  workbook_too_large: ({ rows, bytes }) =>
    t`This workbook is too large: it may have ${figure(rows)} rows and ${megabytes(bytes)} unpacked. Save the sheet as CSV instead.`,
  workbook_too_slow: () => t`This workbook takes too long to read. Save the sheet as CSV and upload that.`,
}

/** What a reason means, in the reader's language; nothing for one that is not listed, or that came without its values. */
export function reasonText(reason: unknown, params: unknown): string | undefined {
  const values = typeof params === 'object' && params !== null ? params : {}
  return isReason(reason) && isFilled(reason, values) ? texts[reason](values) : undefined
}

/** Why long work stopped, in the reader's language. */
export const failureText = ({ reason, params, detail }: Failure): string => reasonText(reason, params) ?? detail

const figure = (value: ReasonValue) => new Intl.NumberFormat(i18n.locales ?? i18n.locale).format(Number(value))
/** A name as it was typed. */
const shown = (value: ReasonValue) => names(value).join(', ')
const names = (value: ReasonValue) => (Array.isArray(value) ? value : [String(value)])
const listed = (items: readonly string[]) => new Intl.ListFormat(i18n.locales, { type: 'conjunction' }).format(items)
const minutes = (seconds: ReasonValue) => plural(Math.max(1, Math.ceil(Number(seconds) / 60)), { one: '# minute', other: '# minutes' })
const megabytes = (bytes: ReasonValue) => t`${figure(Math.round(Number(bytes) / 1_000_000))} MB`
const peopleCount = (people: ReasonValue) => plural(Number(people), { one: '# person', other: '# people' })
const recordCount = (records: ReasonValue) =>
  Number(records) > 10_000 ? t`More than 10,000 records have` : plural(Number(records), { one: '# record has', other: '# records have' })
const chapterCount = (chapters: ReasonValue) => plural(Number(chapters), { one: '# open subchapter', other: '# open subchapters' })

const labels: Readonly<Record<string, string>> = permissions
const rightsOf = (rights: ReasonValue) => names(rights).map((name) => labels[name] ?? name)

function mostText(origin: ReasonValue, maximum: number): string {
  if (origin === 'string') return plural(maximum, { one: 'Shorten this to # character.', other: 'Shorten this to # characters.' })
  if (origin === 'array' || origin === 'set' || origin === 'map')
    return plural(maximum, { one: 'Keep at most # entry.', other: 'Keep at most # entries.' })
  return t`Enter a number up to ${plainFigure(maximum)}.`
}

function leastText(origin: ReasonValue, minimum: number): string {
  if (origin === 'string')
    return minimum === 1
      ? t`Fill in this field.`
      : plural(minimum, { one: 'Enter at least # character.', other: 'Enter at least # characters.' })
  if (origin === 'array' || origin === 'set' || origin === 'map')
    return plural(minimum, { one: 'Choose at least # entry.', other: 'Choose at least # entries.' })
  return t`Enter a number from ${plainFigure(minimum)}.`
}

/** Years are numbers as well, and have no separators. */
const plainFigure = (value: number) => (Math.abs(value) < 10_000 ? String(value) : figure(value))

function formatText(format: ReasonValue): string {
  switch (format) {
    case 'date':
      return t`Enter a date that exists.`
    case 'email':
      return t`Enter an address like name@example.org.`
    case 'url':
      return t`Enter an address that starts with https://.`
    default:
      return t`This is not in the expected form. Correct it.`
  }
}

const tables: Record<NotATable, () => string> = {
  pdf: () => t`This is a PDF. Export the list as CSV or XLSX from where it was made.`,
  picture: () => t`This is a picture. Choose a CSV or XLSX file.`,
  compressed: () => t`This file is compressed. Unpack it and upload the file inside.`,
  program: () => t`This is a program. Choose a CSV or XLSX file.`,
  markup: () => t`This is a web page or data for programs, not a table. Open it in a spreadsheet program and save it as CSV or XLSX.`,
  xlsb: () => t`This is a binary Excel workbook (XLSB). Save it as XLSX or CSV.`,
  word: () => t`This is a Word document. Copy the table into a spreadsheet and save it as XLSX or CSV.`,
  ods: () => t`This is an OpenDocument file (ODS). Save it as XLSX or CSV.`,
  numbers: () => t`This is a Numbers document. Export it as Excel or CSV.`,
  archive: () => t`This is an archive, not an Excel workbook. Unpack it and upload the file inside as XLSX or CSV.`,
}
const isTableKind = (kind: unknown): kind is NotATable => typeof kind === 'string' && Object.hasOwn(tables, kind)
const tableText = (kind: ReasonValue) => (isTableKind(kind) ? tables[kind]() : t`This is not a table. Choose a CSV or XLSX file.`)
