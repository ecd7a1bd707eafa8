import { plural, t } from '@lingui/core/macro'
import { importFindings } from '@guildhall/contract/features/imports'
import type { ImportFinding, ImportFindingCode, ImportFindingParams } from '@guildhall/contract/features/imports'
import { reasonText } from '../../platform/api/reason-text.ts'
import { dateOrderWords, targetWord, valueWord } from './imports-words.ts'

type Said = [message: string, fix: string]
type Texts = { [C in ImportFindingCode]: (params: ImportFindingParams<C>, finding: ImportFinding) => Said }

/** A text for every code that the server may send: the compiler misses one that is not here. */
const texts: Texts = {
  ambiguous: ({ count, people }) => [
    t`${count} people match this row: ${people}.`,
    t`Add a member number, an e-mail address, an external id or a birth date that tells them apart.`,
  ],
  ambiguous_campaign: ({ campaign }) => [t`Several campaigns are called “${campaign}”.`, t`Give each campaign its own name first.`],
  ambiguous_code: ({ code }) => [t`Several groups have the code “${code}”.`, t`Give each group its own code first.`],
  ambiguous_event: () => [t`Several events match this row.`, t`Add the date on which the event starts, or its id.`],
  archived: () => [t`This member number belongs to an archived person.`, t`Restore that person first, or use another number.`],
  archived_fund: ({ fund }) => [t`The fund “${fund}” is archived.`, t`Restore the fund first, or choose another one.`],
  birth_date: () => [t`This birth date is not possible.`, t`Correct the date or choose another date order.`],
  broken_character: () => [t`A character in this cell cannot be read.`, t`Choose another encoding for the file, or type the value again.`],
  calculated_columns: ({ columns }) => [t`These columns are not imported, since they are calculated or kept elsewhere: ${columns}.`, ''],
  changed_since: ({ field, by }, finding) => [
    t`${changedColumn(field)} has been changed since, so it stays.`,
    undoFix(by, finding, t`Change it by hand if needed.`),
  ],
  campaign_currency: ({ campaign, currency }) => [
    t`The campaign “${campaign}” takes gifts in ${currency}.`,
    t`Correct the currency, or leave the campaign empty.`,
  ],
  campaign_draft: ({ campaign }) => [t`The campaign “${campaign}” is a draft.`, t`Start the campaign first, or leave it empty.`],
  check_in_early: () => [t`This is more than a day before the event.`, t`Correct the check-in time, or the event.`],
  check_in_without_seat: () => [
    t`A person without a seat cannot have been checked in.`,
    t`Correct the status, or remove the check-in time.`,
  ],
  chapter_closed: ({ chapter }) => [
    t`The chapter “${chapter}” is closed.`,
    t`Choose another chapter, or add the last day of the membership.`,
  ],
  chapter_needed: () => [t`This row has no chapter.`, t`Add one of your chapters.`],
  circle: ({ rows }) => [t`The parents of this row form a circle: ${rows}.`, t`Correct one of the parents.`],
  conflict: () => [
    t`This number, code or membership is already in use.`,
    t`Check whether the record exists under another name, or use another number or code.`,
  ],
  contradiction: ({ key, person, otherKey, otherPerson }) => [
    t`The keys of this row belong to different people: ${keyWord(key)} to ${person}, ${keyWord(otherKey)} to ${otherPerson}.`,
    t`Correct or remove one of the two.`,
  ],
  control_character: () => [t`This cell contains an invisible control character.`, t`Type the value again.`],
  date_order: () => [t`Dates such as 03/04/2020 are ambiguous.`, t`Choose whether the day or the month comes first.`],
  day_in_future: () => [t`This date is in the future.`, t`Correct the date, or choose another date order.`],
  dates_reversed: ({ first, second }) => [
    t`${targetWord(String(second))} is before ${targetWord(String(first))}.`,
    t`Correct one of the two dates.`,
  ],
  doubled_field: ({ fields }) => [
    t`Several columns map to the same field: ${String(fields).split(',').map(targetWord).join(', ')}.`,
    t`Choose one column for each field.`,
  ],
  duplicate_header: ({ headers }) => [t`Several columns have the same name: ${headers}.`, t`Check what each of them maps to.`],
  duplicate_row: ({ row }) => [t`Duplicate of row ${row}.`, t`Keep one of the two rows.`],
  encoding_guessed: () => [
    t`The encoding of this file is a guess.`,
    t`Check the accented letters in the sample and choose another encoding if they are wrong.`,
  ],
  event_full: ({ event }) => [
    t`There is no seat left at “${event}”.`,
    t`Raise the capacity of the event or the quota of the ticket, or remove this row.`,
  ],
  event_not_begun: () => [t`This event has not started, so nobody can have attended it.`, t`Correct the status, or the event.`],
  external_id: () => [t`This is not a list of external ids.`, t`Write each as system and id: “civicrm:57; stripe:c_8”.`],
  external_id_office: () => [t`External ids are assigned by the office, so this one is skipped.`, t`Ask the office to assign it.`],
  field_kept: ({ field }) => [t`This field of the record is not yours to change: ${field}.`, t`Skip the column, or ask an administrator.`],
  field_pattern: ({ help }) => [t`This value does not fit its field. ${help}`, t`Correct the value.`],
  field_person: () => [t`No person you can see has this member number.`, t`Enter the member number of a person.`],
  formula_not_calculated: ({ cells }) => [
    cells ? t`These cells have formulas without results: ${cells}.` : t`The formula in this cell has no result.`,
    t`Open the workbook in a spreadsheet program, let it calculate, save it and upload it again.`,
  ],
  funds_differ: () => [t`The funds do not add up to the gift.`, t`Correct the amounts of the funds, or the amount of the gift.`],
  garbled_letters: ({ column, before, after, mend }) => [
    t`Letters in the column ${column} are garbled: “${before}” for “${after}”.`,
    mend === 'encoding' ? t`Choose the encoding utf-8.` : garbledFix(mend),
  ],
  garbled_repaired: ({ repaired }) => [t`Garbled letters were repaired: ${repaired}.`, t`Check the value.`],
  garbled_text: ({ meant, mend }) => [t`The letters in this cell are garbled; it probably means “${meant}”.`, garbledFix(mend)],
  gift_taken: ({ id }) => [
    t`There is already a gift ${id}, of another donor or amount.`,
    t`Correct the id. Change an imported gift on its page.`,
  ],
  hidden_character: ({ characters }) => [
    t`Invisible characters were removed: ${characters}.`,
    t`Check the value if these characters were intended.`,
  ],
  in_use: ({ why, names, by }, finding) => [
    why === 'edited'
      ? names
        ? t`Edited since the import (${names}), so it stays.`
        : t`Edited since the import, so it stays.`
      : names
        ? t`Still in use (${names}), so it stays.`
        : t`Still in use, so it stays.`,
    undoFix(by, finding, why === 'edited' ? t`Remove it by hand if it is not needed.` : t`Remove what uses it, then undo the rest.`),
  ],
  joined_on_kept: ({ date }) => [t`This person joined on ${date}; that date stays.`, t`Change it on the person’s page if it is wrong.`],
  kept: () => [t`This row could not be undone.`, t`Change it by hand if needed.`],
  matched_by_name: () => [t`Matched by name only.`, t`Add a member number, an e-mail address or a birth date.`],
  member_no_office: () => [t`Member numbers are assigned by the office, so this one is skipped.`, t`Ask the office to assign it.`],
  membership_in_progress: () => [
    t`This person has an application of this type that is not decided, or a suspended membership.`,
    t`Decide the application, or resume the membership, first.`,
  ],
  merged_cells: ({ cells }) => [
    t`These merged cells have their value in the first row only: ${cells}.`,
    t`Unmerge them and fill in every row.`,
  ],
  merged_row: ({ row, differing }) => [
    differing
      ? t`Same person as row ${row}. They differ in ${differing}; row ${row} counts.`
      : t`Same person as row ${row}; the two rows are merged.`,
    differing ? t`Correct the person by hand if the other value is right.` : '',
  ],
  missing: ({ field }) => [t`${missingWord(field)} is missing.`, missingFix(field)],
  missing_header: () => [t`Columns without a name are skipped.`, t`Choose what they map to if you need them.`],
  more_seats: ({ title, seats }) => [
    t`${title} has ${seats} holders at the same time, so the office gets ${seats} seats.`,
    t`Correct the dates if there was only one holder at a time.`,
  ],
  no_rows: () => [t`There are no rows below the header.`, t`Add rows, or choose another header row.`],
  not_a_choice: ({ choices }) => [t`This is not one of the possible values.`, t`Use one of: ${choices}, or choose what the value maps to.`],
  not_a_currency: () => [t`This is not a currency code.`, t`Write it as EUR, USD or GBP.`],
  not_a_date: ({ order }) => [
    t`This is not a date in the order ${orderWord(order)}.`,
    t`Write it as 2026-05-31, or choose another date order.`,
  ],
  not_a_number: ({ min, max }) => [t`This is not a whole number from ${min} to ${max}.`, t`Correct the number.`],
  not_a_phone_number: () => [t`This is not a telephone number.`, t`Correct it; one number per cell.`],
  not_a_time: () => [t`This is not a time.`, t`Write it as 18:05, or with the date as 2026-05-31 18:05.`],
  not_a_timezone: () => [t`This is not a time zone.`, t`Write it as Europe/Berlin.`],
  not_a_web_address: () => [t`This is not a web address.`, t`Write it as https://example.org.`],
  not_accepted: ({ chapter, people, phase }) =>
    phase === 'check'
      ? [
          plural(Number(people), {
            one: `This changes the chapter ${chapter}, with # person in it and below.`,
            other: `This changes the chapter ${chapter}, with # people in it and below.`,
          }),
          t`Accept the change, or use another code; otherwise the row is left out.`,
        ]
      : [t`The change to the chapter ${chapter} was not accepted, so this row was left out.`, t`Import the file again and accept it.`],
  not_allowed: () => [t`You do not have the right to change this record.`, t`Ask an administrator to import this row.`],
  not_an_amount: ({ currency }) => [t`This is not an amount in ${currency}, or it can be read in two ways.`, t`Write it as 1250.00.`],
  not_an_email: () => [t`This is not an e-mail address.`, t`Write it as name@example.org, one address per cell.`],
  not_home_chapter: () => [
    t`Only the home chapter can change the status or day of death of this person.`,
    t`Ask an officer there, or remove both from this row.`,
  ],
  not_lines: () => [t`These are not lines with a text and an amount each.`, t`Write them as “Dues 2024: 60.00; Postage: 4.50”.`],
  not_yes_or_no: () => [t`This is neither yes nor no.`, t`Write yes or no, or choose what the value maps to.`],
  not_your_chapter: () => [t`This is not one of your chapters.`, t`Ask an administrator to import this row.`],
  not_your_person: () => [t`This person belongs to another chapter.`, t`Ask an administrator to import this row, or ask for a transfer.`],
  number_taken: ({ number }) => [
    t`There is already an invoice ${number}, for another debtor or amount, or issued here.`,
    t`Correct the number. An imported invoice cannot be changed.`,
  ],
  own_note: () => [t`You cannot change officers’ notes about yourself.`, t`Remove the note from this row.`],
  paid_more: () => [t`More was paid than the invoice asks for.`, t`Correct the amount, or record the rest as a separate payment.`],
  parent_rejected: ({ parent, row }) => [t`Its parent “${parent}” (row ${row}) is rejected.`, t`Correct row ${row} first.`],
  person_deceased: () => [
    t`This person is deceased, so the record is read-only.`,
    t`If that is a mistake, change the status first; otherwise remove this row.`,
  ],
  person_erased: () => [t`This person’s data was erased.`, t`Remove this row.`],
  person_merged: () => [t`This record was merged into another one, so it is read-only.`, t`Remove this row.`],
  refused: ({ rule }, { message, params }) => [reasonText(rule, params) ?? message, t`Correct the row.`],
  registration_kept: () => [
    t`This person is already registered for the event with another status, which stays.`,
    t`Change it in the list of attendees if it is wrong.`,
  ],
  related_to_oneself: () => [t`Both sides of this row are the same person.`, t`Correct one of them.`],
  relationship_cycle: ({ path }) => [t`This would form a circle: ${path}.`, t`Leave out one of these rows, or swap its two people.`],
  relationship_kept: () => [
    t`These two already have this relationship with another first day, which stays.`,
    t`Change it on the person’s page if it is wrong.`,
  ],
  relationship_manager_managed: () => [
    t`Someone who manages a record can’t have their own record managed.`,
    t`Leave out one of these rows.`,
  ],
  relationship_max_parents: ({ max }) => [
    plural(Number(max), {
      one: 'The second person may have # of these at a time.',
      other: 'The second person may have at most # of these at a time.',
    }),
    t`Enter first and last days that don’t overlap, or leave this row out.`,
  ],
  relationship_minors_only: () => [
    t`This relationship is for minors. The second person is of age, or their birth date is missing.`,
    t`Import the birth date first, or leave this row out.`,
  ],
  relationship_state: () => [t`Only relationships that are or were active can be imported.`, t`Correct the status, or leave this row out.`],
  relationship_taken: () => [
    t`These two already have this relationship, or another row of this file says so.`,
    t`Keep one of the rows, or enter the last day of each.`,
  ],
  relationship_under_age: () => [t`The first person is under age.`, t`Correct the row, or the birth date of the person.`],
  root_chapter: ({ code, chapter }) => [
    t`“${code}” is the code of ${chapter}, the top chapter. An import cannot change it.`,
    t`Use another code for this chapter, or change the top chapter on its own page.`,
  ],
  sensitive_ignored: () => [
    t`Birth dates, genders and notes are skipped for people whose private data you cannot see.`,
    t`Ask an administrator to import them.`,
  ],
  several_sheets: ({ count, sheet }) => [t`This workbook has ${count} sheets; “${sheet}” is read.`, t`Choose another sheet if needed.`],
  shortened_number: () => [
    t`A spreadsheet program shortened this number; its last digits are lost.`,
    t`Format the column as text, enter the numbers again and save the file.`,
  ],
  similar_row: ({ row }) => [t`Row ${row} may be the same person.`, t`Check that they are two people.`],
  spreadsheet_error: ({ cells }) => [
    cells ? t`These cells show a spreadsheet error: ${cells}.` : t`This cell shows a spreadsheet error.`,
    cells ? t`Correct them, or leave those columns out. #N/A counts as empty.` : t`Correct it in the spreadsheet.`,
  ],
  status_by_dates: ({ status, becomes }) => [
    t`By its dates, this membership is ${membershipWord(becomes)}, not ${membershipWord(status)}.`,
    t`Correct the last day if that is wrong.`,
  ],
  status_contradicts: ({ status, last }) => [
    t`The status “${membershipWord(status)}” does not fit a term that ends on ${last}.`,
    t`Correct the status or the last day.`,
  ],
  status_kept: () => [t`This membership was not imported, so it keeps its status.`, t`Change the status on its own page.`],
  term_gap: ({ days, last }) => [
    plural(Number(days), {
      one: `# day without a membership before this term; the term before it ended on ${last}.`,
      other: `# days without a membership before this term; the term before it ended on ${last}.`,
    }),
    t`Correct the dates if a term is missing.`,
  ],
  term_overlap: ({ first, last }) => [
    last ? t`This term overlaps with the one from ${first} to ${last}.` : t`This term overlaps with a lifetime membership from ${first}.`,
    t`Correct the dates of one of the two.`,
  ],
  too_long: ({ max }) => [
    plural(Number(max), { one: 'This is longer than # character.', other: 'This is longer than # characters.' }),
    t`Shorten it.`,
  ],
  too_many_cells: ({ cells, columns }) => [
    t`This row has ${cells} cells, but the header has ${columns}.`,
    t`Put cells that contain the separator in quotes.`,
  ],
  too_many_columns: ({ count, max }) => [
    t`This file has ${count} columns; the maximum is ${max}.`,
    t`Check the separator, or remove columns.`,
  ],
  total_differs: () => [t`The lines do not add up to the total.`, t`Correct the lines or the total.`],
  unknown_campaign: ({ campaign }) => [t`There is no campaign “${campaign}”.`, t`Create the campaign first, or correct the name.`],
  unknown_chapter_code: ({ code }) => [t`There is no chapter “${code}”.`, t`Import the chapter first, or correct the code.`],
  unknown_event: () => [
    t`There is no published event with this title and date.`,
    t`Create and publish the event first, or correct the title or the date.`,
  ],
  unknown_fund: ({ fund }) => [t`There is no fund “${fund}”.`, t`Create the fund first, or correct the name.`],
  unknown_group_code: ({ code }) => [t`There is no group “${code}”.`, t`Import the group first, or correct the code.`],
  unknown_member_no: ({ memberNo }) => [
    memberNo ? t`There is no member with the number “${memberNo}”.` : t`No person matches this row.`,
    t`Import the people first, or correct the row.`,
  ],
  unknown_membership_type: ({ type }) => [t`There is no membership type “${type}”.`, t`Create the type first, or correct the name.`],
  unknown_parent: ({ code }) => [t`There is no parent “${code}”.`, t`Add it to the file, or correct the code.`],
  unknown_relationship_type: ({ type }) => [t`There is no type of relationship “${type}”.`, t`Create the type first, or correct the name.`],
  unknown_tag: ({ tag }) => [t`There is no tag “${tag}”.`, t`Use an existing tag, or ask someone who edits people to create it.`],
  unknown_ticket: ({ tickets }) => [
    tickets ? t`This event has these tickets: ${tickets}.` : t`This event has no tickets.`,
    t`Correct the name of the ticket, or create it for the event.`,
  ],
}

/** What a finding says and how to mend it, in the reader's language; the server's own words where it says less than the text needs. */
export function findingText(finding: ImportFinding): { message: string; fix: string } {
  const { code, params = {} } = finding
  if (!isFilled(code, params)) return finding
  const [message, fix] = texts[code](params, finding)
  return { message, fix }
}

/** Both in one line. */
export function findingLine(finding: ImportFinding): string {
  const { message, fix } = findingText(finding)
  return `${message} ${fix}`.trim()
}

type Params = Record<string, string | number>
const isFilled = <C extends ImportFindingCode>(code: C, params: Params): params is Params & ImportFindingParams<C> =>
  importFindings[code].every((name) => params[name] !== undefined)

const garbledFix = (mend: string | number) =>
  mend === 'file'
    ? t`Correct these cells in the file; other cells in the column are fine, so the column is not repaired.`
    : t`Choose “Repair” under Garbled letters.`

function undoFix(by: string | number, { heldBy }: ImportFinding, otherwise: string) {
  if (by === 'row') return t`Another row of this import that stays uses it; see the message there.`
  return heldBy ? t`Undo the import ${heldBy.fileName} first, then undo the rest of this one.` : otherwise
}

const changedColumn = (column: string | number) =>
  targetWord(String(column).replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))

function keyWord(key: string | number): string {
  if (key === 'emailAndName') return t`e-mail address`
  if (key === 'nameAndBirthDate') return t`name and birth date`
  return targetWord(String(key)).toLocaleLowerCase()
}

const missingWord = (field: string | number) => (field === 'person' ? t`Person` : targetWord(String(field)))
function missingFix(field: string | number) {
  if (field === 'person') return t`Add a member number, an e-mail address, an external id, a profile link, or a name and a birth date.`
  return field === 'name' ? t`Fill in the name.` : t`Fill in this cell.`
}

const membershipWord = (status: string | number) => valueWord('memberships', 'membershipStatus', String(status)).toLocaleLowerCase()

const orderWord = (order: string | number) => Object.entries(dateOrderWords()).find(([each]) => each === order)?.[1] ?? String(order)
