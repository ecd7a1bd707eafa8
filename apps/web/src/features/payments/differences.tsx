import { Button, Textarea } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PaymentDifference } from '@guildhall/contract/features/payments'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { Section } from '../../ui/page/page.tsx'
import { useMoneyMoved } from './payments-api.ts'
import classes from './payments.module.css'
import { RecordPaymentDialog } from './record-payment-dialog.tsx'

type Answer = 'ignored' | 'accepted'
const every = 2_000
const patience = 30

/** Where the payment provider says otherwise than the books, as the last comparison found. For those who read the finance of the whole organisation. */
export function Differences({ onOpen }: { onOpen: (paymentId: string) => void }) {
  const { data, actions } = useApi()
  const differences = useQuery(data.payments.differences.queryOptions())
  const [answered, setAnswered] = useState<{ difference: PaymentDifference; answer: Answer } | null>(null)
  const [recorded, setRecorded] = useState<PaymentDifference | null>(null)
  const [since, setSince] = useState<{ comparedAt: string | null; asked: number } | null>(null)
  const { refetch } = differences
  const comparedAt = differences.data?.comparedAt ?? null
  const isComparing = since !== null && since.comparedAt === comparedAt && since.asked < patience
  useEffect(() => {
    if (!isComparing) return
    const timer = setTimeout(() => {
      void refetch()
      setSince((before) => before && { ...before, asked: before.asked + 1 })
    }, every)
    return () => clearTimeout(timer)
  }, [isComparing, since, refetch])
  if (differences.isPending) return null
  if (differences.isError)
    return <ProblemState problem={differences.error} title={t`The differences could not be loaded`} retry={() => void refetch()} />
  const { items, may } = differences.data
  if (!may.answer && items.length === 0) return null
  const compare = async () => {
    setSince({ comparedAt, asked: 0 })
    try {
      await actions.payments.compare.call({})
    } catch (problem) {
      setSince(null)
      toast.error(t`Payments could not be compared`, problem)
    }
  }
  const head = (
    <div className={classes['compact']}>
      <p className={classes['dim']} role="status">
        {isComparing && t`Comparing…`}
        {!isComparing && comparedAt !== null && (
          <Trans>
            Last compared <RelativeTime at={comparedAt} />
          </Trans>
        )}
        {!isComparing && comparedAt === null && t`Not yet compared with the payment provider. The comparison runs every night.`}
        {!isComparing && comparedAt !== null && items.length === 0 && <> · {t`No differences from the payment provider`}</>}
      </p>
      {may.answer && (
        <Button variant="default" size="compact-md" loading={isComparing} onClick={() => void compare()}>
          <Trans>Compare now</Trans>
        </Button>
      )}
    </div>
  )
  if (items.length === 0) return head
  return (
    <Section title={t`Differences from the payment provider`} count={items.length}>
      <div className={classes['stack']}>
        {head}
        <ul className={classes['rows']}>
          {items.map((difference) => (
            <li key={difference.id} className={classes['row']}>
              <div className={classes['what']}>
                <span className={classes['name']}>{kindText(difference)}</span>
                <span className={classes['dim']}>
                  {difference.providerRef} · <RelativeTime at={difference.foundAt} />
                </span>
              </div>
              <Amounts difference={difference} />
              <div className={classes['tools']}>
                {difference.paymentId && (
                  <Button variant="default" size="compact-md" onClick={() => difference.paymentId && onOpen(difference.paymentId)}>
                    <Trans>See payment</Trans>
                  </Button>
                )}
                {may.answer && difference.kind === 'unknown_here' && (
                  <Button size="compact-md" onClick={() => setRecorded(difference)}>
                    <Trans>Record payment</Trans>
                  </Button>
                )}
                {may.answer && difference.kind === 'amount' && (
                  <Button size="compact-md" onClick={() => setAnswered({ difference, answer: 'accepted' })}>
                    <Trans>Accept amount</Trans>
                  </Button>
                )}
                {may.answer && (
                  <Button variant="default" size="compact-md" onClick={() => setAnswered({ difference, answer: 'ignored' })}>
                    <Trans>Ignore</Trans>
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
      </div>
      <AnswerDialog answered={answered} onClose={() => setAnswered(null)} />
      <RecordPaymentDialog opened={recorded !== null} onClose={() => setRecorded(null)} {...(recorded && { difference: recorded })} />
    </Section>
  )
}

function kindText({ kind }: PaymentDifference): string {
  switch (kind) {
    case 'unknown_here':
      return t`Paid at the provider, not in the books`
    case 'unknown_there':
      return t`In the books, unknown to the provider`
    case 'amount':
      return t`Different amount at the provider`
    case 'refunds':
      return t`Different refunds at the provider`
  }
}

function Amounts({ difference: { ours, theirs, currency } }: { difference: PaymentDifference }) {
  const money = useMoney()
  if (currency === null) return null
  return (
    <dl className={classes['pair']}>
      <div>
        <dt>{t`Books`}</dt>
        <dd>{ours === null ? '–' : money(ours, currency)}</dd>
      </div>
      <div>
        <dt>{t`Provider`}</dt>
        <dd>{theirs === null ? '–' : money(theirs, currency)}</dd>
      </div>
    </dl>
  )
}

function AnswerDialog({ answered, onClose }: { answered: { difference: PaymentDifference; answer: Answer } | null; onClose: () => void }) {
  const { payments } = useApi().actions
  const moved = useMoneyMoved()
  const accepts = answered?.answer === 'accepted'
  return (
    <FormDialog<{ reason: string }, unknown>
      opened={answered !== null}
      onClose={onClose}
      title={accepts ? t`Accept the provider’s amount` : t`Ignore difference`}
      values={{ reason: '' }}
      rules={{ reason: (reason) => (reason.trim() === '' ? t`Enter a reason.` : null) }}
      submitLabel={accepts ? <Trans>Accept amount</Trans> : <Trans>Ignore difference</Trans>}
      onSubmit={async ({ reason }) => {
        if (answered)
          await payments.answerDifference.call({ differenceId: answered.difference.id, answer: answered.answer, reason: reason.trim() })
        await moved()
        toast.success(accepts ? t`Amount accepted` : t`Difference ignored`)
      }}
    >
      {(form) => (
        <>
          <p className={classes['dim']}>
            {accepts
              ? t`The payment takes the provider’s amount and pays that much of its invoice.`
              : t`Nothing changes. It is listed again only if an amount changes.`}
          </p>
          <Textarea label={t`Reason`} maxLength={500} autosize minRows={2} data-autofocus {...form.getInputProps('reason')} />
        </>
      )}
    </FormDialog>
  )
}
