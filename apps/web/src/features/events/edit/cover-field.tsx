import { t } from '@lingui/core/macro'
import { CoverField as Cover } from '../../files/cover-field-public.tsx'
import { usePart } from './form-context.ts'

export function CoverField() {
  const { values, set, errorOf, text, draft } = usePart('coverFileId', 'coverAlt', 'title')
  const { event } = draft.use()
  return (
    <Cover
      record={event ? { type: 'event', id: event.id, name: values.title.trim() || event.title } : null}
      fileId={values.coverFileId}
      alt={values.coverAlt}
      description={event ? t`Shown on the event page, in lists and in link previews` : t`Enter a title first.`}
      error={errorOf('coverFileId')}
      altField={text('coverAlt')}
      onChange={set}
    />
  )
}
