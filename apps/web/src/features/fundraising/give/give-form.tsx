import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useFundraisingSettings, useGift, usePlan } from '../fundraising-api.ts'
import type { Campaign } from '../fundraising-api.ts'
import { perInterval } from '../giving-words.tsx'
import classes from './give.module.css'
import { GiveFields } from './give-fields.tsx'
import { faultsOf, feeOf, firstValues, noFees, toSend, valuesOf } from './give-values.ts'
import type { Fees, GiveFaults, GiveValues } from './give-values.ts'

type Props = { campaign: Campaign; before: string | undefined }

/** Waits for what has to be known, so that nothing changes under the reader's hands. */
export function GiveForm({ campaign, before }: Props) {
  const settings = useFundraisingSettings()
  const gift = useGift(before ?? '', before !== undefined)
  const plan = usePlan(gift.data?.planId)
  const isReady = !settings.isPending && (before === undefined || !gift.isPending) && (!gift.data?.planId || !plan.isPending)
  if (!isReady)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  if (settings.data?.takesCards === false) return <NoCards />
  const isUnpaid = gift.data && ['pending', 'failed', 'cancelled'].includes(gift.data.status)
  const typed = isUnpaid && valuesOf(gift.data, plan.data?.interval ?? null, campaign)
  return <Fields campaign={campaign} fees={settings.data ?? noFees} begun={typed || firstValues(campaign)} />
}

type FieldsProps = { campaign: Campaign; fees: Fees; begun: GiveValues }

function Fields({ campaign, fees, begun }: FieldsProps) {
  const { give } = useApi().actions.fundraising.gifts
  const ways = useQuery(useApi().data.payments.methods.list.queryOptions())
  const money = useMoney()
  const [values, setValues] = useState(begun)
  const [faults, setFaults] = useState<GiveFaults>({})
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  // Sending it again begins the same gift, never a second one.
  const [attempt] = useState(() => crypto.randomUUID())
  const { currency } = campaign
  const change = (part: Partial<GiveValues>) => {
    setValues((known) => ({ ...known, ...part }))
    setFaults({})
  }
  const total = (values.amount ?? 0) + feeOf(values, campaign, fees)
  const said = values.interval ? perInterval(money(total, currency), values.interval) : money(total, currency)

  const submit = async () => {
    if (busy) return
    const found = faultsOf(values, campaign, fees, money)
    setFaults(found)
    setFailure(undefined)
    if (Object.keys(found).length > 0) {
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus(), 0)
      return
    }
    setBusy(true)
    try {
      const { url } = await give.call(toSend(campaign.id, attempt, currency, values))
      // The button stays busy until the page is left.
      window.location.assign(url)
    } catch (problem) {
      setFailure(problemText(problem))
      setBusy(false)
    }
  }
  return (
    <form
      ref={form}
      noValidate
      className={classes['stack']}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onKeyDown={({ key, ctrlKey, metaKey }) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) form.current?.requestSubmit()
      }}
    >
      {ways.data?.isTestMode && (
        <p role="note" className={classes['test']}>
          {ways.data.testsCount
            ? t`Test mode: no money moves. On this server the gift counts, so you can try everything.`
            : t`Test mode: no money moves, and the gift does not count.`}
        </p>
      )}
      <GiveFields offer={campaign} fees={fees} values={values} onChange={change} faults={faults} />
      <p className={classes['dim']}>
        {values.interval ? (
          <Trans>You pay on the page of our payment provider. You can change or stop your recurring gift at any time.</Trans>
        ) : (
          <Trans>You pay on the page of our payment provider and come back here. We never see your card number.</Trans>
        )}
      </p>
      {failure && (
        <p role="alert" className={classes['fault']}>
          {failure}
        </p>
      )}
      <Button type="submit" fullWidth size="md" loading={busy}>
        {total > 0 ? <Trans>Give {said}</Trans> : <Trans>Give</Trans>}
      </Button>
    </form>
  )
}

const NoCards = () => (
  <div className={classes['stack']}>
    <p>
      <Trans>Gifts by card are not possible here. The office can tell you how to give another way.</Trans>
    </p>
    <div>
      <ButtonLink to="/contact" variant="default">
        <Trans>Write to the office</Trans>
      </ButtonLink>
    </div>
  </div>
)
