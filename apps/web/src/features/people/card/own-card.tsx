import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDownload, IconId, IconMaximize, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { CardFace } from './card-face.tsx'
import { useCard, useCardWays } from './card-api.ts'
import type { MemberCard } from './card-api.ts'
import { DoorDialog } from './door-dialog.tsx'
import classes from './card.module.css'

/** The reader's own member card. */
export function OwnCard({ personId }: { personId: string }) {
  const query = useCard(personId)
  return (
    <Section title={t`Member card`}>
      {query.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {query.isError && (
        <ProblemState problem={query.error} title={t`Your member card could not be loaded`} retry={() => void query.refetch()} />
      )}
      {query.data &&
        (query.data.card?.address ? <Valid card={query.data} personId={personId} /> : <None card={query.data} personId={personId} />)}
    </Section>
  )
}

type Props = { card: MemberCard; personId: string }

function Valid({ card, personId }: Props) {
  const ways = useCardWays(personId)
  const [atTheDoor, setAtTheDoor] = useState(false)
  const [replacing, setReplacing] = useState(false)
  return (
    <>
      <CardFace card={card} />
      <div className={classes['buttons']}>
        <Button leftSection={<IconMaximize size={16} stroke={1.5} aria-hidden />} onClick={() => setAtTheDoor(true)}>
          <Trans>Show full screen</Trans>
        </Button>
        <Button
          variant="default"
          loading={ways.printing}
          leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
          onClick={ways.print}
        >
          <Trans>Download PDF</Trans>
        </Button>
        <Button variant="default" leftSection={<IconRefresh size={16} stroke={1.5} aria-hidden />} onClick={() => setReplacing(true)}>
          <Trans>New code</Trans>
        </Button>
      </div>
      <DoorDialog card={card} opened={atTheDoor} onClose={() => setAtTheDoor(false)} />
      <ConfirmDialog
        opened={replacing}
        onClose={() => setReplacing(false)}
        title={t`New code for your member card?`}
        confirmLabel={<Trans>Replace code</Trans>}
        onConfirm={async () => {
          await ways.issue()
          toast.success(t`Your member card has a new code`)
        }}
      >
        <Trans>The current code stops working at once, also on cards that you have printed.</Trans>
      </ConfirmDialog>
    </>
  )
}

function None({ card: { card, membership, may }, personId }: Props) {
  const ways = useCardWays(personId)
  const [busy, setBusy] = useState(false)
  const issue = async () => {
    setBusy(true)
    try {
      await ways.issue()
    } catch (failure) {
      toast.error(t`Your member card could not be issued.`, failure)
    } finally {
      setBusy(false)
    }
  }
  const icon = <IconId size={32} stroke={1.5} />
  if (!membership)
    return (
      <EmptyState level={3} icon={icon} title={t`No member card`}>
        <Trans>Only current members have a member card.</Trans>
      </EmptyState>
    )
  if (!may.issue)
    return (
      <EmptyState level={3} icon={icon} title={t`Your member card was revoked`}>
        <Trans>Reason: {card?.reason}. Ask an officer of your chapter for a new card.</Trans>
      </EmptyState>
    )
  return (
    <EmptyState
      level={3}
      icon={icon}
      title={card ? t`Your member card has expired` : t`You have no member card yet`}
      action={
        <Button loading={busy} onClick={() => void issue()}>
          <Trans>Get my card</Trans>
        </Button>
      }
    >
      <Trans>Its code shows anyone who scans it that you are a member. You choose below whether they see your name.</Trans>
    </EmptyState>
  )
}
