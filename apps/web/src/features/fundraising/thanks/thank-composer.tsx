import { Button, Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconMail, IconPhone, IconWriting } from '@tabler/icons-react'
import { useState } from 'react'
import type { ThankRow } from '@guildhall/contract/features/fundraising.gifts'
import { toast } from '../../../platform/activity/toast.tsx'
import { RecordForm, useRecordForm } from '../../../ui/form/record-form.tsx'
import { donorName } from '../giving-words.tsx'
import classes from './thanks.module.css'
import { useThank } from './thanks-api.ts'

type Props = {
  row: ThankRow
  onThanked: () => void
  /** Thanks that were noted here were not said after all. */
  onUndone?: (() => void) | undefined
}

/** A draft that is mailed as it then reads, or a note that thanks were said another way. */
export function ThankComposer({ row, onThanked, onUndone }: Props) {
  const { gift, canMail } = row
  const { mail } = useThank()
  const name = donorName(gift)
  const form = useRecordForm(
    {
      subject: (subject) => (subject.trim() === '' ? t`Enter a subject.` : null),
      body: (body) => (body.trim() === '' ? t`Write the text.` : null),
    },
    { subject: row.subject, body: row.body },
  )
  if (!canMail) {
    return (
      <div className={classes['form']}>
        <p className={classes['dim']}>
          <Trans>{name} has no e-mail address that may be written to. Thank them another way, and note it here.</Trans>
        </p>
        <Noted row={row} onThanked={onThanked} onUndone={onUndone} />
        <Textarea label={t`Draft`} readOnly autosize minRows={4} value={row.body} />
      </div>
    )
  }
  return (
    <RecordForm
      form={form}
      draft={`thanks-${gift.id}`}
      submitLabel={
        <>
          <IconMail size={16} stroke={1.5} aria-hidden /> <Trans>Mail thanks</Trans>
        </>
      }
      onSubmit={async ({ subject, body }) => {
        await mail({ giftId: gift.id, version: gift.version }, { subject: subject.trim(), body: body.trim() })
        toast.success(t`Thanks to ${name} are on their way`)
        onThanked()
      }}
    >
      <TextInput label={t`Subject`} maxLength={150} {...form.getInputProps('subject')} />
      <Textarea label={t`Text`} autosize minRows={6} maxRows={16} maxLength={2000} {...form.getInputProps('body')} />
      <Noted row={row} onThanked={onThanked} onUndone={onUndone} />
    </RecordForm>
  )
}

/** Thanks that were said already, or will be by hand. */
function Noted({ row: { gift }, onThanked, onUndone }: Props) {
  const { note, undo } = useThank()
  const [busy, setBusy] = useState(false)
  const name = donorName(gift)
  const ways = [
    { how: 'call', label: t`Called`, icon: IconPhone },
    { how: 'letter', label: t`Wrote a letter`, icon: IconWriting },
    { how: 'other', label: t`Another way`, icon: undefined },
  ] as const
  const put = async (how: (typeof ways)[number]['how']) => {
    setBusy(true)
    try {
      const { version } = await note({ giftId: gift.id, version: gift.version }, how)
      toast.undo(t`Thanks to ${name} noted`, async () => {
        await undo({ giftId: gift.id, version })
        onUndone?.()
      })
      onThanked()
    } catch (failure) {
      toast.error(t`The thanks could not be noted`, failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div role="group" aria-label={t`Thanked already`} className={classes['noted']}>
      <span className={classes['dim']}>
        <Trans>Thanked already?</Trans>
      </span>
      {ways.map(({ how, label, icon: Icon }) => (
        <Button
          key={how}
          variant="default"
          size="compact-md"
          disabled={busy}
          leftSection={Icon && <Icon size={16} stroke={1.5} aria-hidden />}
          onClick={() => void put(how)}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}
