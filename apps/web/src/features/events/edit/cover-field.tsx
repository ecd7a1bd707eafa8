import { Button, Input, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconPhoto } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { usePicture } from '../../../platform/records/picture.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { PictureDialog } from '../../files/files-public.tsx'
import { usePart } from './form-context.ts'
import classes from './event-form.module.css'

/** The picture of the event; it is uploaded at once, and shown to others once the change is saved. */
export function CoverField() {
  const { values, set, errorOf, text, draft } = usePart('coverFileId', 'coverAlt', 'title')
  const [choosing, setChoosing] = useState(false)
  const { event } = draft.use()
  const { coverFileId } = values
  const picture = usePicture(coverFileId)
  const error = errorOf('coverFileId')
  return (
    <>
      <Input.Wrapper
        label={<Optional>{t`Cover picture`}</Optional>}
        labelElement="div"
        description={event ? t`Shown on the event page, in lists and in link previews` : t`Enter a title first.`}
        {...(error !== undefined && { error })}
      >
        <div className={classes['cover']}>
          {coverFileId !== null && (
            <span className={classes['coverFrame']}>{picture && <img src={picture} alt={values.coverAlt || t`The chosen picture`} />}</span>
          )}
          <Button
            variant="default"
            leftSection={<IconPhoto size={16} stroke={1.5} aria-hidden />}
            disabled={!event}
            onClick={() => setChoosing(true)}
            data-path="coverFileId"
          >
            {coverFileId === null ? <Trans>Add a picture</Trans> : <Trans>Change the picture</Trans>}
          </Button>
          {coverFileId !== null && (
            <Button variant="subtle" onClick={() => set({ coverFileId: null, coverAlt: '' })}>
              <Trans>Remove the picture</Trans>
            </Button>
          )}
        </div>
      </Input.Wrapper>
      {coverFileId !== null && (
        <TextInput
          label={<Optional>{t`Alternative text`}</Optional>}
          description={t`What the picture shows, for people who cannot see it`}
          maxLength={300}
          {...text('coverAlt')}
        />
      )}
      {choosing && event && (
        <Suspense>
          <PictureDialog
            opened
            onClose={() => setChoosing(false)}
            recordType="event"
            recordId={event.id}
            pictureId={coverFileId}
            name={values.title.trim() || event.title}
            onChanged={async (pictureId) => {
              // Words for another picture do not fit this one.
              if (pictureId !== undefined) set({ coverFileId: pictureId, coverAlt: '' })
            }}
          />
        </Suspense>
      )}
    </>
  )
}
