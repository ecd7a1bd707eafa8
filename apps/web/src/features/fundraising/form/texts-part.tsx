import { Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { memo } from 'react'
import { FormattedTextField } from '../../../platform/formatted-text/formatted-text-field.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { CoverField } from '../../files/cover-field-public.tsx'
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

function Cover({ campaignId, draft }: Props) {
  const { values, faultOf, text } = useFields(draft, 'coverFileId', 'coverAlt', 'name')
  return (
    <div className={classes['fields']} data-field="cover">
      <CoverField
        record={{ type: 'campaign', id: campaignId, name: values.name }}
        fileId={values.coverFileId}
        alt={values.coverAlt}
        description={t`Shown on the page, in lists and in link previews`}
        error={faultOf('coverFileId')}
        altField={text('coverAlt')}
        onChange={(change) => draft.put(change)}
      />
    </div>
  )
}
