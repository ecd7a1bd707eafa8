import { t } from '@lingui/core/macro'
import { ourFieldName } from './field-words.ts'

/** Why a row was not written, by the code that the engine or the connector gives it. */
const known = (): Readonly<Record<string, string>> => ({
  refused_there: t`The other side refused the record.`,
  bad_row: t`The row cannot be read.`,
  no_key: t`The row has no id.`,
  twice: t`Two records share the value by which they are matched.`,
  ambiguous: t`Several records here match. Merge them, or match by another field.`,
  bad_value: t`A value does not fit its field.`,
  not_allowed: t`The owner of the connection may not change this record.`,
  conflict: t`Another record already has this value.`,
  refused: t`A rule of this organisation refuses the change.`,
  closed: t`The record here is closed: deceased, merged or erased.`,
  no_name: t`A new person needs a name.`,
  no_email: t`The person has no e-mail address.`,
  address_taken: t`Another contact there already has this address.`,
  gone_there: t`The record was deleted on the other side.`,
  archived_there: t`The contact was archived on the other side. Only they can subscribe again.`,
  compliance_state: t`The contact unsubscribed or bounced there. Only they can subscribe again.`,
  forgotten_there: t`The contact was deleted for good on the other side and cannot be added again.`,
  too_many: t`The calendar has more dates than can be read.`,
  bad_rule: t`The repetition of the event cannot be read.`,
  sandbox_fails: t`The sandbox lets this row fail, as its settings say.`,
})

/** What the engine says of one row, with the name of the field that a message begins with. */
export const errorDetail = (message: string) => message.replace(/^([a-z]\w*|field:\w+): /, (_, key: string) => `${ourFieldName(key)}: `)

/** A cause in words; one that has none is told as the code it has. */
export const errorText = (code: string) => known()[code] ?? t`Error “${code}”`
