import { NativeSelect } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { HeldMembershipDetail } from '@guildhall/contract/features/membership'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { ChapterPicker } from '../../platform/records/record-pickers.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { ChangePreview } from './change-preview.tsx'
import { useMembershipsChanged } from './membership-api.ts'
import { usePrice } from './membership-words.tsx'

type Values = { typeId: string; chapterId: string | null }
type Props = { held: HeldMembershipDetail | null; onClose: () => void }

/** Another type, and for officers another chapter, with what that charges and when. */
export function ChangeDialog({ held, onClose }: Props) {
  const { membership } = useApi().data
  const changed = useMembershipsChanged()
  const price = usePrice()
  const runs = held?.may.change ?? false
  const all = useQuery({ ...membership.types.list.queryOptions({ input: {} }), enabled: runs })
  // Members choose among what they could join without approval.
  const mine = useQuery({ ...membership.mine.queryOptions(), enabled: held !== null && !runs })
  const offered = runs ? (all.data?.items ?? []) : (mine.data?.types ?? []).filter(({ needsApproval }) => !needsApproval)
  const others = offered.filter(({ id }) => id !== held?.type.id)
  return (
    <FormDialog<Values, HeldMembershipDetail | undefined>
      opened={held !== null}
      onClose={onClose}
      title={runs ? t`Change type or chapter` : t`Change membership type`}
      version={held?.version}
      rules={{}}
      values={{ typeId: held?.type.id ?? '', chapterId: held?.chapter?.id ?? null }}
      submitLabel={<Trans>Save change</Trans>}
      onSubmit={async (values, sent) => {
        if (!held) return
        const saved = await membership.update.call({ membershipId: held.id, ...changeOf(held, values) }, sent)
        await changed()
        toast.success(t`Membership changed`)
        return saved
      }}
    >
      {(form) => (
        <>
          <NativeSelect
            label={t`Membership type`}
            data-autofocus
            data={[
              ...(held ? [{ value: held.type.id, label: held.type.name }] : []),
              ...others.map((one) => ({ value: one.id, label: `${one.name} – ${price(one.price)}` })),
            ]}
            {...form.getInputProps('typeId')}
          />
          {runs && <ChapterPicker label={t`Chapter`} {...form.getInputProps('chapterId')} />}
          {held && <ChangePreview held={held} change={changeOf(held, form.values)} />}
        </>
      )}
    </FormDialog>
  )
}

const changeOf = ({ type, chapter }: HeldMembershipDetail, { typeId, chapterId }: Values) => ({
  ...(typeId !== type.id && { typeId }),
  ...((chapterId || null) !== (chapter?.id ?? null) && { chapterId: chapterId || null }),
})
