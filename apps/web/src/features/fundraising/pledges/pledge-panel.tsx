import { Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Instalment, Pledge } from '@guildhall/contract/features/fundraising.pledges'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { PersonLink } from '../../../platform/records/record-links.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { Fact, FactList } from '../../../ui/form/fact-list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { RecordHistory } from '../../people/history/history-public.ts'
import { CampaignLink } from '../campaigns/campaign-cards.tsx'
import { useFundraisingChanged } from '../fundraising-api.ts'
import { RecordGiftDialog } from '../gifts/record-gift-dialog.tsx'
import { InstalmentBadge, PledgeBadge } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { RowMenu } from '../row-menu.tsx'
import { PayButton } from './pay-button.tsx'
import { PledgeDialogs } from './pledge-dialogs.tsx'
import type { AskedPledge } from './pledge-dialogs.tsx'
import { nextOf } from './instalments.ts'
import { usePledge } from './pledges-api.ts'

/** A pledge beside its list. */
export function PledgePanel({ pledgeId, onClose }: { pledgeId: string; onClose: () => void }) {
  const pledge = usePledge(pledgeId)
  const money = useMoney()
  const amount = pledge.data ? money(pledge.data.money.amount, pledge.data.money.currency) : ''
  return (
    <SidePanel title={amount ? t`Pledge of ${amount}` : t`Pledge`} onClose={onClose} recordKey={pledgeId}>
      {pledge.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {pledge.isError && (
        <ProblemState problem={pledge.error} title={t`The pledge could not be loaded`} retry={() => void pledge.refetch()} />
      )}
      {pledge.data && <PledgeBody pledge={pledge.data} />}
    </SidePanel>
  )
}

/** What was promised, what came of it, and what is due. */
export function PledgeBody({ pledge }: { pledge: Pledge }) {
  const money = useMoney()
  const can = useRights()
  const [asked, setAsked] = useState<AskedPledge | null>(null)
  const [paying, setPaying] = useState<Instalment | null>(null)
  const inCurrency = (amount: number) => money(amount, pledge.money.currency)
  const { money: whole, paid, overdue, person, campaign, may, status } = pledge
  const isOpen = status === 'open'
  return (
    <div className={classes['stack']}>
      <div>
        <PledgeBadge status={status} overdue={overdue.amount} />
      </div>
      <Progress paid={paid.amount} of={whole.amount} text={t`${inCurrency(paid.amount)} of ${inCurrency(whole.amount)} paid`} />
      {may.edit && isOpen && (
        <div className={classes['tools']}>
          <Button size="compact-md" variant="default" onClick={() => setAsked({ act: 'remind', pledge })}>
            <Trans>Remind</Trans>
          </Button>
          <Button size="compact-md" variant="default" color="red" onClick={() => setAsked({ act: 'cancel', pledge })}>
            <Trans>Cancel pledge</Trans>
          </Button>
        </div>
      )}
      <FactList>
        {person && (
          <Fact label={t`Person`}>
            <PersonLink person={person} />
          </Fact>
        )}
        <Fact label={t`Campaign`}>{campaign && <CampaignLink campaign={campaign} />}</Fact>
        <Fact label={t`Fund`}>{pledge.fund.name}</Fact>
        <Fact label={t`Pledged on`}>
          <PlainDate date={pledge.pledgedOn} />
        </Fact>
        {overdue.amount > 0 && <Fact label={t`Overdue`}>{inCurrency(overdue.amount)}</Fact>}
        {pledge.note && <Fact label={t`Note`}>{pledge.note}</Fact>}
      </FactList>
      <section>
        <h3 className={classes['part']}>
          <Trans>Instalments</Trans>
        </h3>
        <ul className={classes['rows']} aria-label={t`Instalments`}>
          {pledge.instalments.map((instalment, at) => (
            <InstalmentRow
              key={instalment.id}
              nth={at + 1}
              instalment={instalment}
              amount={inCurrency(instalment.amount)}
              pledge={pledge}
              mayPay={isOpen && can('gifts.record')}
              mayWaive={isOpen && may.edit}
              onPay={() => setPaying(instalment)}
            />
          ))}
        </ul>
      </section>
      {may.edit && (
        <Section title={t`History`}>
          <RecordHistory recordId={pledge.id} />
        </Section>
      )}
      <PledgeDialogs asked={asked && { ...asked, pledge }} onClose={() => setAsked(null)} />
      <RecordGiftDialog
        opened={paying !== null}
        person={person ?? undefined}
        campaign={campaign ?? undefined}
        instalment={paying ? { id: paying.id, amount: paying.amount, currency: whole.currency, fundId: pledge.fund.id } : undefined}
        onClose={() => setPaying(null)}
      />
    </div>
  )
}

const Progress = ({ paid, of, text }: { paid: number; of: number; text: string }) => (
  <div>
    <span
      className={classes['progress']}
      role="progressbar"
      aria-label={t`Paid`}
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={Math.min(paid, of)}
      aria-valuetext={text}
    >
      <span style={{ inlineSize: `${of === 0 ? 0 : Math.min(100, (paid / of) * 100)}%` }} />
    </span>
    <span className={classes['dim']}>{text}</span>
  </div>
)

type RowProps = {
  nth: number
  instalment: Instalment
  amount: string
  pledge: Pledge
  mayPay: boolean
  mayWaive: boolean
  onPay: () => void
}

function InstalmentRow({ nth, instalment, amount, pledge, mayPay, mayWaive, onPay }: RowProps) {
  const { waive } = useApi().data.fundraising.pledges
  const changed = useFundraisingChanged()
  const { day } = useFormats()
  const { id: instalmentId, state, dueOn, giftId } = instalment
  const isDue = state === 'due' || state === 'overdue'
  const put = async (waived: boolean, version: number) => {
    const now = await waive.call({ pledgeId: pledge.id, instalmentId, waived }, { context: { ifMatch: version } })
    await changed()
    return now
  }
  const ask = async (waived: boolean) => {
    try {
      const now = await put(waived, pledge.version)
      if (waived) toast.undo(t`Instalment of ${amount} waived`, () => put(false, now.version))
      else toast.success(t`Instalment of ${amount} is due again`)
    } catch (failure) {
      toast.error(t`The instalment could not be changed`, failure)
    }
  }
  return (
    <li className={classes['row']}>
      <span className={classes['what']}>
        <span>
          <PlainDate date={dueOn} />
        </span>
        {giftId && (
          <Link to="/fundraising/$campaignId/{-$tab}" params={{ campaignId: 'all', tab: 'donations' }} search={{ open: giftId }}>
            <Trans>Open the gift</Trans>
          </Link>
        )}
      </span>
      <InstalmentBadge state={state} />
      <span className={classes['sum']}>{amount}</span>
      <PayButton pledge={pledge} instalment={instalment} isMain={nextOf(pledge)?.id === instalmentId} />
      {isDue && mayPay && (
        <Button size="compact-sm" variant="default" aria-label={t`Record payment of ${amount}, due ${day(dueOn)}`} onClick={onPay}>
          <Trans>Record payment</Trans>
        </Button>
      )}
      {mayWaive && (isDue || state === 'waived') && (
        <RowMenu label={t`Actions for instalment ${nth}`}>
          {isDue ? (
            <Menu.Item onClick={() => void ask(true)}>
              <Trans>Waive</Trans>
            </Menu.Item>
          ) : (
            <Menu.Item onClick={() => void ask(false)}>
              <Trans>Make due again</Trans>
            </Menu.Item>
          )}
        </RowMenu>
      )}
    </li>
  )
}
