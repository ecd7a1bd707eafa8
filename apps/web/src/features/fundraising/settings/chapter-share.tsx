import { Button, NumberInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { CampaignChange } from '@guildhall/contract/features/fundraising'
import { useState } from 'react'
import type { RecordEditor } from '../../../platform/records/record-editor.tsx'
import { ChapterPicker } from '../../../platform/records/record-pickers.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { Campaign } from '../fundraising-api.ts'
import classes from './settings.module.css'

type Props = { campaign: Campaign; editor: RecordEditor<CampaignChange>; may: boolean }
type Values = { chapterId: string | null; percent: number | string }

/** What a chapter has of each gift; donors see it. Both parts of it are changed together. */
export function ShareSection({ campaign, editor, may }: Props) {
  const { percent } = useFormats()
  const [editing, setEditing] = useState(false)
  const { share } = campaign
  const before: CampaignChange = { shareChapterId: share?.chapter.id ?? null, shareBps: share?.bps ?? 0 }
  const save = (change: CampaignChange) => editor.save({ label: t`Chapter share`, change, before })
  return (
    <Section
      title={t`Chapter share`}
      actions={
        may && (
          <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
            {share ? <Trans>Change</Trans> : <Trans>Add a share</Trans>}
          </Button>
        )
      }
    >
      {share ? (
        <p>{t`${percent(share.bps / 10_000)} of each gift goes to ${share.chapter.name}. Donors see this on the giving page.`}</p>
      ) : (
        <p className={classes['dim']}>{t`No chapter has a share of the gifts.`}</p>
      )}
      <FormDialog<Values, void>
        opened={editing}
        onClose={() => setEditing(false)}
        title={t`Chapter share`}
        values={{ chapterId: share?.chapter.id ?? null, percent: (share?.bps ?? 1_000) / 100 }}
        rules={{
          percent: (value, { chapterId }) =>
            chapterId !== null && !(Number(value) > 0 && Number(value) <= 100) ? t`Enter a percentage above 0, up to 100.` : null,
        }}
        fieldOf={(path) => (path === 'shareChapterId' ? 'chapterId' : path === 'shareBps' ? 'percent' : path)}
        submitLabel={<Trans>Save share</Trans>}
        onSubmit={({ chapterId, percent: part }) =>
          save({ shareChapterId: chapterId, shareBps: chapterId === null ? 0 : Math.round(Number(part) * 100) })
        }
      >
        {(form) => (
          <>
            <ChapterPicker
              label={t`Chapter`}
              description={t`Leave empty for no share. It applies to gifts from now on.`}
              {...(share && { known: { value: share.chapter.id, label: share.chapter.name } })}
              {...form.getInputProps('chapterId')}
            />
            {form.values.chapterId !== null && (
              <NumberInput label={t`Share of each gift`} min={0} max={100} decimalScale={2} suffix="%" {...form.getInputProps('percent')} />
            )}
          </>
        )}
      </FormDialog>
    </Section>
  )
}
