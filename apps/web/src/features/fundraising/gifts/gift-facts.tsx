import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Gift } from '@guildhall/contract/features/fundraising.gifts'
import { useApi } from '../../../platform/api/api.tsx'
import { PaperButton } from '../../../platform/records/paper-button.tsx'
import { ChapterLink } from '../../../platform/records/record-links.tsx'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { mailLink } from '../../../ui/display/contact-links.ts'
import { useMoney } from '../../../ui/display/money.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { Fact, FactList } from '../../../ui/form/fact-list.tsx'
import { CampaignLink } from '../campaigns/campaign-cards.tsx'
import { methodWords } from '../../payments/payments-public.tsx'
import { Donor, giftDay, sourceName, thankedWords, tributeWords } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { UndoThanks } from '../thanks/undo-thanks.tsx'

/** Everything that is known of a gift. */
export function GiftFacts({ gift }: { gift: Gift }) {
  const money = useMoney()
  const { moment, day } = useFormats()
  const inCurrency = (amount: number) => money(amount, gift.money.currency)
  const { payment, thanked, share, tribute, planId } = gift
  return (
    <>
      <Warnings gift={gift} />
      {gift.message && <blockquote className={classes['quote']}>{gift.message}</blockquote>}
      <FactList>
        <Fact label={t`Amount`}>
          <span className={classes['tabular']}>{inCurrency(gift.money.amount)}</span>
          {gift.feeCovered > 0 && <div className={classes['dim']}>{t`${inCurrency(gift.feeCovered)} of it covers the fee`}</div>}
        </Fact>
        {gift.refunded.amount > 0 && <Fact label={t`Refunded`}>{inCurrency(gift.refunded.amount)}</Fact>}
        <Fact label={t`Donor`}>
          <Donor of={gift} />
          {gift.donorEmail && (
            <div>
              <a href={mailLink(gift.donorEmail)}>{gift.donorEmail}</a>
            </div>
          )}
        </Fact>
        {tribute && <Fact label={tributeWords()[tribute.kind]}>{tribute.name}</Fact>}
        <Fact label={t`Campaign`}>{gift.campaign && <CampaignLink campaign={gift.campaign} />}</Fact>
        {gift.chapter && (
          <Fact label={t`Chapter`}>
            <ChapterLink chapter={gift.chapter} />
          </Fact>
        )}
        <Fact label={gift.receivedOn || gift.settledAt ? t`Received on` : t`Started`}>
          <PlainDate date={giftDay(gift)} />
        </Fact>
        <Fact label={t`Method`}>
          {methodWords()[gift.method]}
          {payment?.reference && <div className={classes['dim']}>{payment.reference}</div>}
        </Fact>
        <Fact label={t`Source`}>
          {planId ? (
            <Link to="/fundraising/$campaignId/{-$tab}" params={{ campaignId: 'all', tab: 'recurring' }} search={{ open: planId }}>
              {sourceName(gift.source)}
            </Link>
          ) : (
            sourceName(gift.source)
          )}
        </Fact>
        {gift.pledgeId && (
          <Fact label={t`Pledge`}>
            <Link to="/fundraising/$campaignId/{-$tab}" params={{ campaignId: 'all', tab: 'pledges' }} search={{ open: gift.pledgeId }}>
              <Trans>Open the pledge</Trans>
            </Link>
          </Fact>
        )}
        {share && (
          <Fact label={t`Share`}>
            {inCurrency(share.amount)}, <ChapterLink chapter={share.chapter} />
          </Fact>
        )}
        <Fact label={t`Thanked`}>
          {thanked ? (
            <>
              {day(thanked.at.slice(0, 10))}, {thankedWords()[thanked.how]} <UndoThanks gift={gift} />
              {thanked.by && <div className={classes['dim']}>{thanked.by}</div>}
            </>
          ) : (
            t`Not yet`
          )}
        </Fact>
        {gift.note && <Fact label={t`Note`}>{gift.note}</Fact>}
      </FactList>
      <Rows label={t`Funds`}>
        {gift.allocations.map(({ fund, amount, settled }) => (
          <li key={fund.id} className={classes['row']}>
            <span className={classes['what']}>
              {fund.name}
              {settled !== amount && <span className={classes['dim']}>{t`${inCurrency(settled)} received`}</span>}
            </span>
            <span className={classes['sum']}>{inCurrency(amount)}</span>
          </li>
        ))}
      </Rows>
      {gift.receipts.length > 0 && <Receipts gift={gift} />}
      {gift.refunds.length > 0 && (
        <Rows label={t`Refunds`}>
          {gift.refunds.map((refund) => (
            <li key={refund.id} className={classes['row']}>
              <span className={classes['what']}>
                {refund.reason}
                <span className={classes['dim']}>{moment(refund.createdAt)}</span>
              </span>
              <RefundBadge state={refund.state} />
              <span className={classes['sum']}>{inCurrency(refund.money.amount)}</span>
            </li>
          ))}
        </Rows>
      )}
    </>
  )
}

const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <section>
    <h3 className={classes['part']}>{label}</h3>
    <ul className={classes['rows']} aria-label={label}>
      {children}
    </ul>
  </section>
)

function Receipts({ gift }: { gift: Gift }) {
  const { papers } = useApi().actions.finance
  const { moment } = useFormats()
  return (
    <Rows label={t`Receipts`}>
      {gift.receipts.map(({ id, number, state, issuedOn }) => (
        <li key={id} className={classes['row']}>
          <span className={classes['what']}>
            <span>
              {number} {state !== 'issued' && <StatusBadge>{state === 'void' ? t`Void` : t`Replaced`}</StatusBadge>}
            </span>
            <span className={classes['dim']}>
              <PlainDate date={issuedOn} />
              {gift.receipt?.id === id && gift.receipt.sentAt && <> · {t`mailed ${moment(gift.receipt.sentAt)}`}</>}
            </span>
          </span>
          <PaperButton
            compact
            label={t`PDF of receipt ${number}`}
            name={`${number}.pdf`}
            load={() => papers.receipt.call({ receiptId: id })}
          />
        </li>
      ))}
    </Rows>
  )
}

function RefundBadge({ state }: { state: Gift['refunds'][number]['state'] }) {
  if (state === 'failed') return <StatusBadge tone="bad">{t`Failed`}</StatusBadge>
  return state === 'pending' ? <StatusBadge tone="info">{t`On its way`}</StatusBadge> : <StatusBadge tone="good">{t`Refunded`}</StatusBadge>
}

function Warnings({ gift: { isTest, counts, payment, status } }: { gift: Gift }) {
  const dispute = payment?.disputeState
  return (
    <>
      {isTest && !counts && <p className={classes['warning']}>{t`A test payment: no money moved, and it counts in no total.`}</p>}
      {payment?.failure && status !== 'settled' && <p className={classes['warning']}>{failureOf(payment.failure)}</p>}
      {dispute === 'open' && (
        <p className={classes['alarm']}>
          {t`The donor’s bank has withdrawn the money. Answer the dispute at the payment provider; until it is won, the gift counts for nothing.`}
        </p>
      )}
      {dispute === 'lost' && <p className={classes['alarm']}>{t`The dispute was lost: the money went back to the donor.`}</p>}
      {status === 'reversed' && <p className={classes['warning']}>{t`Recorded by mistake and reversed: it counts for nothing.`}</p>}
    </>
  )
}

function failureOf(failure: string): string {
  switch (failure) {
    case 'declined':
      return t`The card was declined. Nothing was charged.`
    case 'confirmation_needed':
      return t`The donor’s bank asks for a confirmation. Nothing was charged.`
    case 'expired':
      return t`The payment page expired before it was paid. Nothing was charged.`
    default:
      return t`The payment failed. Nothing was charged.`
  }
}
