import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Gift } from '@guildhall/contract/features/fundraising.gifts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { donorName } from '../giving-words.tsx'
import { ThankComposer } from './thank-composer.tsx'
import { useDraft } from './thanks-api.ts'

type Props = { gift: Gift; opened: boolean; onClose: () => void }

/** Thanks for one gift, from its row or its panel. */
export const ThankDialog = ({ gift, opened, onClose }: Props) => (
  <Dialog opened={opened} onClose={onClose} title={t`Thank ${donorName(gift)}`} size="lg">
    {opened && <Body gift={gift} onClose={onClose} />}
  </Dialog>
)

function Body({ gift, onClose }: Omit<Props, 'opened'>) {
  const draft = useDraft(gift.id, true)
  if (draft.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  if (draft.isError)
    return <ProblemState problem={draft.error} title={t`The draft could not be loaded`} retry={() => void draft.refetch()} />
  if (draft.data === null)
    return (
      <p>
        <Trans>Somebody has thanked for this gift already.</Trans>
      </p>
    )
  return <ThankComposer row={draft.data} onThanked={onClose} />
}
