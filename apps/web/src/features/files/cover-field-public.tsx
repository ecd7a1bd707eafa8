import { Button, Input, TextInput } from '@mantine/core'
import type { TextInputProps } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconPhoto } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { usePicture } from '../../platform/records/picture.tsx'
import { Optional } from '../../ui/form/record-form.tsx'
import { PictureDialog } from './files-public.tsx'
import classes from './cover-field.module.css'

type Props = {
  /** Null while there is nothing yet that a picture could belong to. */
  record: { type: ComponentProps<typeof PictureDialog>['recordType']; id: string; name: string } | null
  fileId: string | null
  alt: string
  description: string
  error: ReactNode
  altField: TextInputProps
  onChange: (change: { coverFileId: string | null; coverAlt: string }) => void
}

/** The picture of a record; it is uploaded at once, and shown to others once the change is saved. */
export function CoverField({ record, fileId, alt, description, error, altField, onChange }: Props) {
  const [choosing, setChoosing] = useState(false)
  const picture = usePicture(fileId)
  return (
    <>
      <Input.Wrapper label={<Optional>{t`Cover picture`}</Optional>} labelElement="div" description={description} error={error}>
        <div className={classes['cover']}>
          {fileId !== null && (
            <span className={classes['frame']}>{picture && <img src={picture} alt={alt || t`The chosen picture`} />}</span>
          )}
          <Button
            variant="default"
            leftSection={<IconPhoto size={16} stroke={1.5} aria-hidden />}
            disabled={!record}
            onClick={() => setChoosing(true)}
            data-path="coverFileId"
          >
            {fileId === null ? <Trans>Add a picture</Trans> : <Trans>Change the picture</Trans>}
          </Button>
          {fileId !== null && (
            <Button variant="subtle" onClick={() => onChange({ coverFileId: null, coverAlt: '' })}>
              <Trans>Remove the picture</Trans>
            </Button>
          )}
        </div>
      </Input.Wrapper>
      {fileId !== null && (
        <TextInput
          label={<Optional>{t`Alternative text`}</Optional>}
          description={t`What the picture shows, for people who cannot see it`}
          maxLength={300}
          {...altField}
        />
      )}
      {choosing && record && (
        <Suspense>
          <PictureDialog
            opened
            onClose={() => setChoosing(false)}
            recordType={record.type}
            recordId={record.id}
            pictureId={fileId}
            name={record.name}
            onChanged={async (pictureId) => {
              // Words for another picture do not fit this one.
              if (pictureId !== undefined) onChange({ coverFileId: pictureId, coverAlt: '' })
            }}
          />
        </Suspense>
      )}
    </>
  )
}
