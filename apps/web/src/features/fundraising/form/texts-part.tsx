import { Button, Input, Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconPhoto } from '@tabler/icons-react'
import { memo, Suspense, useState } from 'react'
import { FormattedTextField } from '../../../platform/formatted-text/formatted-text-field.tsx'
import { usePicture } from '../../../platform/records/picture.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { PictureDialog } from '../../files/files-public.tsx'
import classes from './form.module.css'
import type { PageDraft } from './page-draft.ts'
import { useFields } from './use-page-draft.ts'

type Props = { campaignId: string; draft: PageDraft }

/** What the page says and shows. */
export const TextsPart = memo(function TextsPart({ campaignId, draft }: Props) {
  const { text } = useFields(draft, 'name', 'summary', 'thanks')
  return (
    <Section title={t`Texts and picture`}>
      <div className={classes['fields']}>
        <div data-field="name">
          <TextInput label={t`Name`} maxLength={150} {...text('name')} />
        </div>
        <div data-field="summary">
          <Textarea
            label={<Optional>{t`Summary`}</Optional>}
            description={t`One sentence, below the name, in lists and in link previews`}
            autosize
            maxLength={300}
            {...text('summary')}
          />
        </div>
        <Cover campaignId={campaignId} draft={draft} />
        <Story draft={draft} />
        <div data-field="thanks">
          <Textarea
            label={<Optional>{t`Thank-you text`}</Optional>}
            description={t`On the page after giving, and in the mail with the receipt`}
            autosize
            minRows={2}
            maxLength={1000}
            {...text('thanks')}
          />
        </div>
      </div>
    </Section>
  )
})

/** Written with an editor of its own, which keeps what stands in it. */
function Story({ draft }: { draft: PageDraft }) {
  const { values, faultOf } = useFields(draft, 'story')
  return (
    <div
      data-field="story"
      tabIndex={-1}
      // Between the buttons of the editor and its text nothing is left yet.
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) draft.save('story')
      }}
    >
      <FormattedTextField
        label={<Optional>{t`Story`}</Optional>}
        description={t`What it is for, and what a gift changes`}
        value={values.story}
        onChange={(story) => draft.set({ story })}
        error={faultOf('story')}
      />
    </div>
  )
}

/** The picture of the campaign; it is uploaded at once, and shown to others once the change is saved. */
function Cover({ campaignId, draft }: Props) {
  const { values, faultOf, text } = useFields(draft, 'coverFileId', 'coverAlt', 'name')
  const [choosing, setChoosing] = useState(false)
  const { coverFileId, coverAlt } = values
  const picture = usePicture(coverFileId)
  return (
    <div className={classes['fields']} data-field="cover">
      <Input.Wrapper
        label={<Optional>{t`Cover picture`}</Optional>}
        labelElement="div"
        description={t`Shown on the page, in lists and in link previews`}
        error={faultOf('coverFileId')}
      >
        <div className={classes['cover']}>
          {coverFileId !== null && (
            <span className={classes['coverFrame']}>{picture && <img src={picture} alt={coverAlt || t`The chosen picture`} />}</span>
          )}
          <Button variant="default" leftSection={<IconPhoto size={16} stroke={1.5} aria-hidden />} onClick={() => setChoosing(true)}>
            {coverFileId === null ? <Trans>Add a picture</Trans> : <Trans>Change the picture</Trans>}
          </Button>
          {coverFileId !== null && (
            <Button variant="subtle" onClick={() => draft.put({ coverFileId: null, coverAlt: '' })}>
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
      {choosing && (
        <Suspense>
          <PictureDialog
            opened
            onClose={() => setChoosing(false)}
            recordType="campaign"
            recordId={campaignId}
            pictureId={coverFileId}
            name={values.name}
            onChanged={async (pictureId) => {
              // Words for another picture do not fit this one.
              if (pictureId !== undefined) draft.put({ coverFileId: pictureId, coverAlt: '' })
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
