import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconGift, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Person } from '@guildhall/contract/features/people'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { part } from '../../../ui/page/part.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { GiftLines } from '../gifts/gift-lines.tsx'
import { GiftPanel } from '../gifts/gift-panel.tsx'
import { RecordGiftDialog } from '../gifts/record-gift-dialog.tsx'
import classes from '../giving.module.css'
import { PersonPlans } from '../plans/plan-rows.tsx'
import { PersonPledges } from '../pledges/person-pledges.tsx'
import { useGiving } from './giving-api.ts'
import { GivingFigures, GivingYears } from './giving-figures.tsx'
import { GivingStatement } from './giving-statement.tsx'

const NewPledgeDialog = part(async () => (await import('../pledges/new-pledge-dialog.tsx')).NewPledgeDialog)

/** What a person gave and promised, for those who read gifts. */
export function PersonGiving({ person }: { person: Person }) {
  const giving = useGiving(person.id)
  const can = useRights()
  const [asked, setAsked] = useState<'gift' | 'pledge'>()
  const [shown, setShown] = useState<string>()
  const who = { id: person.id, displayName: person.displayName }
  const tools = (
    <div className={classes['tools']}>
      {can('gifts.record') && (
        <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setAsked('gift')}>
          <Trans>Record gift</Trans>
        </Button>
      )}
      {can('gifts.manage') && (
        <Button variant="default" onClick={() => setAsked('pledge')}>
          <Trans>New pledge</Trans>
        </Button>
      )}
    </div>
  )
  if (giving.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (giving.isError)
    return (
      <ProblemState problem={giving.error} title={t`The giving of this person could not be loaded`} retry={() => void giving.refetch()} />
    )
  const nothing = giving.data.gifts === 0 && giving.data.pledged.length === 0
  return (
    <div className={classes['stack']}>
      {nothing ? (
        <EmptyState icon={<IconGift size={32} stroke={1.5} />} title={t`No gifts yet`} action={tools}>
          <Trans>Gifts of {person.displayName} by card and those you record stand here.</Trans>
        </EmptyState>
      ) : (
        <>
          {tools}
          <GivingFigures giving={giving.data} />
          <GivingYears years={giving.data.years} />
        </>
      )}
      <PersonPlans personId={person.id} />
      <PersonPledges personId={person.id} />
      {giving.data.gifts > 0 && (
        <>
          <div className={classes['beside']}>
            <Section title={t`Gifts`} count={giving.data.gifts} className={classes['wide']}>
              <GiftLines question={{ personId: person.id }} withDonor={false} onOpen={setShown} />
            </Section>
            {shown && <GiftPanel giftId={shown} onClose={() => setShown(undefined)} />}
          </div>
          <GivingStatement personId={person.id} />
        </>
      )}
      <RecordGiftDialog opened={asked === 'gift'} person={who} onClose={() => setAsked(undefined)} />
      {asked === 'pledge' && <NewPledgeDialog opened person={who} onClose={() => setAsked(undefined)} />}
    </div>
  )
}
