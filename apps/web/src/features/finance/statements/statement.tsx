import { Button, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import type { Statement as StatementRead } from '@guildhall/contract/features/finance'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { PaperButton } from '../../../platform/records/paper-button.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import table from '../../../ui/display/small-table.module.css'
import classes from '../finance.module.css'

/** The account of a person or a chapter over a period, read once somebody asks for it. */
export function Statement({ owedById }: { owedById: string }) {
  const today = useToday()
  const [asked, setAsked] = useState(false)
  const [since, setSince] = useState(`${today.slice(0, 4)}-01-01`)
  const [until, setUntil] = useState(today)
  const isPeriod = since !== '' && until !== '' && since <= until
  return (
    <Section title={t`Statement`}>
      <div className={classes['stack']}>
        <div className={classes['period']}>
          <TextInput type="date" label={t`From`} value={since} onChange={(event) => setSince(event.currentTarget.value)} />
          <TextInput
            type="date"
            label={t`To`}
            value={until}
            error={isPeriod ? undefined : t`Choose a day that is not before the first one.`}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
          {!asked && (
            <Button variant="default" disabled={!isPeriod} onClick={() => setAsked(true)}>
              <Trans>Show statement</Trans>
            </Button>
          )}
        </div>
        {asked && isPeriod && <Shown owedById={owedById} since={since} until={until} />}
      </div>
    </Section>
  )
}

type Period = { owedById: string; since: string; until: string }

function Shown(period: Period) {
  const { data, actions } = useApi()
  const [currency, setCurrency] = useState<string>()
  const asked = { ...period, ...(currency && { currency }) }
  const statement = useQuery(data.finance.statement.queryOptions({ input: asked }))
  if (statement.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  }
  if (statement.isError)
    return <ProblemState problem={statement.error} title={t`The statement could not be loaded`} retry={() => void statement.refetch()} />
  const others = statement.data.currencies.filter((each) => each !== statement.data.currency)
  const mail = async () => {
    try {
      await data.finance.mailStatement.call(asked)
      toast.success(t`The statement is on its way`)
    } catch (failure) {
      toast.error(t`The statement could not be mailed`, failure)
    }
  }
  return (
    <>
      <Entries statement={statement.data} />
      <div className={classes['acts']}>
        <PaperButton name={`statement-${period.since}-${period.until}.pdf`} load={() => actions.finance.papers.statement.call(asked)} />
        {statement.data.may.mail && (
          <Button variant="default" leftSection={<IconMail size={16} stroke={1.5} aria-hidden />} onClick={() => void mail()}>
            <Trans>Send by e-mail</Trans>
          </Button>
        )}
        {others.map((other) => (
          <Button key={other} variant="subtle" onClick={() => setCurrency(other)}>
            <Trans>In {other}</Trans>
          </Button>
        ))}
      </div>
    </>
  )
}

function Entries({ statement: { currency, opening, closing, entries, since, until } }: { statement: StatementRead }) {
  const money = useMoney()
  const words: Record<StatementRead['entries'][number]['kind'], string> = {
    invoice: t`Invoice`,
    credit_note: t`Credit note`,
    void: t`Invoice voided`,
    payment: t`Payment`,
    refund: t`Refund`,
    reversal: t`Payment reversed`,
    dispute: t`Payment disputed`,
  }
  const balance = (label: string, day: string, amount: number) => (
    <tr>
      <td>
        <PlainDate date={day} />
      </td>
      <th scope="row">{label}</th>
      <td />
      <td className={table['figure']}>{money(amount, currency)}</td>
    </tr>
  )
  return (
    <div className={table['scroll']}>
      <table className={table['table']} aria-label={t`Statement`}>
        <thead>
          <tr>
            <th scope="col">{t`Date`}</th>
            <th scope="col">{t`Entry`}</th>
            <th scope="col" className={table['figure']}>{t`Amount`}</th>
            <th scope="col" className={table['figure']}>{t`Balance`}</th>
          </tr>
        </thead>
        <tbody>
          {balance(t`Opening balance`, since, opening)}
          {entries.map(({ on, kind, number, text, amount, balance: after }, at) => (
            <tr key={at}>
              <td>
                <PlainDate date={on} />
              </td>
              <td>
                {[words[kind], number].filter(Boolean).join(' ')}
                {kind !== 'payment' && text !== '' && <span className={classes['dim']}> {text}</span>}
              </td>
              <td className={table['figure']}>{money(amount, currency)}</td>
              <td className={table['figure']}>{money(after, currency)}</td>
            </tr>
          ))}
          {balance(t`Closing balance`, until, closing)}
        </tbody>
      </table>
    </div>
  )
}
