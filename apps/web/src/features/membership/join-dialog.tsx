import { Checkbox, NativeSelect, Textarea } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { HeldMembershipDetail, MembershipType } from '@guildhall/contract/features/membership'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { ChapterPicker } from '../../platform/records/record-pickers.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useMembershipsChanged } from './membership-api.ts'
import { usePrice } from './membership-words.tsx'

type Values = { typeId: string; chapterId: string | null; autoRenew: boolean; answers: Record<string, string> }
export type JoinDialogProps = {
  opened: boolean
  onClose: () => void
  types: readonly MembershipType[]
  /** Whom an officer enters; without one, the reader applies. */
  person?: { id: string; displayName: string; chapterId: string | null }
}

/** An application, or a membership that an officer gives. What was typed is kept when it is left. */
export function JoinDialog({ opened, onClose, types, person }: JoinDialogProps) {
  const { membership } = useApi().data
  const changed = useMembershipsChanged()
  const price = usePrice()
  const [first] = types
  return (
    <FormDialog<Values, HeldMembershipDetail>
      opened={opened}
      onClose={onClose}
      title={person ? t`Add membership` : t`Apply for membership`}
      draft={person ? `membership-${person.id}` : 'membership-application'}
      rules={{ typeId: (typeId) => (typeId === '' ? t`Choose a membership type.` : null) }}
      values={{ typeId: first?.id ?? '', chapterId: person?.chapterId ?? null, autoRenew: true, answers: {} }}
      submitLabel={person ? <Trans>Add membership</Trans> : <Trans>Apply</Trans>}
      onSubmit={async ({ typeId, chapterId, autoRenew, answers }) => {
        const questions = types.find(({ id }) => id === typeId)?.questions ?? []
        const said = questions.map((question) => ({ question, answer: answers[question] ?? '' }))
        const made = person
          ? await membership.add.call({ personId: person.id, typeId, chapterId, autoRenew })
          : await membership.apply.call({ typeId, chapterId, autoRenew, answers: said })
        await changed()
        toast.success(person ? t`Membership added` : made.status === 'awaiting_approval' ? t`Application sent` : t`Membership started`)
        return made
      }}
    >
      {(form) => {
        const type = types.find(({ id }) => id === form.values.typeId)
        return (
          <>
            <NativeSelect
              label={t`Membership type`}
              data-autofocus
              data={types.map((one) => ({ value: one.id, label: `${one.name} – ${price(one.price)}` }))}
              description={type?.description}
              {...form.getInputProps('typeId')}
            />
            <ChapterPicker label={t`Chapter`} {...form.getInputProps('chapterId')} />
            {!person &&
              (type?.questions ?? []).map((question) => (
                <Textarea
                  key={question}
                  label={question}
                  autosize
                  minRows={2}
                  maxLength={2000}
                  value={form.values.answers[question] ?? ''}
                  onChange={(event) => form.setFieldValue('answers', { ...form.values.answers, [question]: event.currentTarget.value })}
                />
              ))}
            {type?.period !== 'lifetime' && <Checkbox label={t`Auto-renewal`} {...form.getInputProps('autoRenew', { type: 'checkbox' })} />}
          </>
        )
      }}
    </FormDialog>
  )
}
