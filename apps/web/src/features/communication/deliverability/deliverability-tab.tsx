import { Alert, Button, CopyButton } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { Deliverability, MailCounts, SenderRecord } from '@guildhall/contract/features/communication.deliverability'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { Chart } from '../../../ui/charts/chart.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { Suppressions } from '../consent/suppressions.tsx'
import classes from './deliverability.module.css'
import { intakeName, recordName, recordState, recordText } from './deliverability-words.ts'

/** Whether mail arrives: alarms first, then the sender's domain, then what came back. */
export function DeliverabilityTab() {
  const { communication } = useApi().data
  const found = useQuery({ ...communication.deliverability.queryOptions({ input: {} }), refetchInterval: 60_000 })
  if (found.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (found.isError)
    return <ProblemState problem={found.error} title={t`Deliverability could not be loaded`} retry={() => void found.refetch()} />
  const { sender, intakes, week, month, days, domains, backlog, alarm } = found.data
  return (
    <div className={classes['stack']}>
      {alarm && <ComplaintAlarm alarm={alarm} />}
      {backlog.isStuck && (
        <Alert color="red" role="alert" title={t`No mail is leaving`}>
          <Plural value={backlog.waiting} one="# mail is waiting." other="# mails are waiting." />{' '}
          <Trans>Ask the person who runs your server to check the mail server and the worker.</Trans>
        </Alert>
      )}
      <SenderDomain sender={sender} />
      <Rates week={week} month={month} backlog={backlog} />
      <Section title={t`Bounces and complaints`}>
        <div className={classes['stack']}>
          {intakes.length === 0 ? (
            <p>
              <Trans>Nothing reports bounces and complaints yet, so these figures hold only what the mail server refuses at once.</Trans>
            </p>
          ) : (
            <p className={classes['dim']}>{t`Reported by ${intakes.map(intakeName).join(', ')}`}</p>
          )}
          <BouncesOverTime days={days} />
        </div>
      </Section>
      {domains.length > 0 && <Domains domains={domains} />}
      <Suppressions />
    </div>
  )
}

function ComplaintAlarm({ alarm }: { alarm: NonNullable<Deliverability['alarm']> }) {
  const { complaints, mails, level } = alarm
  return (
    <Alert
      color={level === 'pause' ? 'red' : 'yellow'}
      role="alert"
      title={level === 'pause' ? t`Messages were paused` : t`Many spam complaints`}
    >
      <Trans>
        {complaints} of {mails} recipients of the last 7 days reported your mail as spam. Write only to people who expect your mail, and
        check your audiences before you resume.
      </Trans>
    </Alert>
  )
}

function SenderDomain({ sender }: { sender: Deliverability['sender'] }) {
  const { communication } = useApi().data
  const client = useQueryClient()
  const [checking, setChecking] = useState(false)
  const check = async () => {
    setChecking(true)
    try {
      client.setQueryData(communication.deliverability.queryKey({ input: {} }), await communication.deliverability.call({ fresh: true }))
    } finally {
      setChecking(false)
    }
  }
  const { domain, address } = sender
  return (
    <Section
      title={domain === null ? t`Sender` : t`Sender’s domain: ${domain}`}
      actions={
        domain !== null && (
          <Button variant="default" size="compact-sm" loading={checking} onClick={() => void check().catch(() => undefined)}>
            <Trans>Check again</Trans>
          </Button>
        )
      }
    >
      {domain === null ? (
        <p>{t`${address} is not on a public domain, so there is nothing to check.`}</p>
      ) : (
        <ul className={classes['records']}>
          {sender.records.map((record) => (
            <RecordLine key={record.kind} record={record} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function RecordLine({ record: { kind, state, reason, name, type, wanted } }: { record: SenderRecord }) {
  const { tone, word } = recordState(state)
  const label = recordName(kind)
  return (
    <li className={classes['stack']}>
      <div className={classes['line']}>
        <strong>{label}</strong>
        <StatusBadge tone={tone}>{word}</StatusBadge>
        <span className={classes['dim']}>
          {type} {name}
        </span>
      </div>
      <p>{recordText(reason)}</p>
      {wanted !== null && (
        <div className={classes['line']}>
          <code className={classes['value']}>{wanted}</code>
          <CopyButton value={wanted}>
            {({ copied, copy }) => (
              <Button
                variant="subtle"
                size="compact-xs"
                onClick={copy}
                aria-label={copied ? t`${label} record copied` : t`Copy ${label} record`}
              >
                {copied ? <Trans>Copied</Trans> : <Trans>Copy</Trans>}
              </Button>
            )}
          </CopyButton>
        </div>
      )}
    </li>
  )
}

const share = (part: number, { mails }: MailCounts) => (mails === 0 ? 0 : part / mails)

function Rates({ week, month, backlog }: Pick<Deliverability, 'week' | 'month' | 'backlog'>) {
  const { number, percent } = useFormats()
  const bounced = (counts: MailCounts) => percent(share(counts.hardBounces + counts.softBounces, counts))
  const [monthMails, monthBounced, monthComplaints] = [number(month.mails), bounced(month), percent(share(month.complaints, month))]
  return (
    <Section title={t`Last 7 days`}>
      <div className={classes['figures']}>
        <Stat label={t`Mails sent`} value={number(week.mails)} change={t`30 days: ${monthMails}`} />
        <Stat label={t`Bounced`} value={bounced(week)} change={t`30 days: ${monthBounced}`} />
        <Stat label={t`Spam complaints`} value={percent(share(week.complaints, week))} change={t`30 days: ${monthComplaints}`} />
        <Stat
          label={t`Waiting to be sent`}
          value={number(backlog.waiting)}
          change={
            backlog.lastSentAt && (
              <Trans>
                Last sent <RelativeTime at={backlog.lastSentAt} />
              </Trans>
            )
          }
        />
      </div>
    </Section>
  )
}

function BouncesOverTime({ days }: Pick<Deliverability, 'days'>) {
  const { day: written } = useFormats()
  const sum = (key: 'hardBounces' | 'softBounces' | 'complaints') => days.reduce((all, day) => all + day[key], 0)
  const [bounces, complaints] = [sum('hardBounces') + sum('softBounces'), sum('complaints')]
  return (
    <Chart
      kind="line"
      title={t`Bounces and complaints by day`}
      summary={t`${bounces} bounces and ${complaints} complaints in 30 days, by the day on which the mail was sent (UTC).`}
      partial
      data={{
        heading: t`Day`,
        series: [
          { key: 'hardBounces', label: t`Hard bounces` },
          { key: 'softBounces', label: t`Soft bounces` },
          { key: 'complaints', label: t`Complaints` },
        ],
        rows: days.map(({ day, hardBounces, softBounces, complaints: reported }) => ({
          key: day,
          label: written(day),
          values: { hardBounces, softBounces, complaints: reported },
        })),
      }}
    />
  )
}

function Domains({ domains }: Pick<Deliverability, 'domains'>) {
  const { number, percent } = useFormats()
  return (
    <Section title={t`Receiving domains`} count={number(domains.length)}>
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label={t`Receiving domains`}>
        <table className={classes['table']}>
          <thead>
            <tr>
              <th scope="col">{t`Domain`}</th>
              <th scope="col">{t`Mails`}</th>
              <th scope="col">{t`Delivered`}</th>
              <th scope="col">{t`Hard bounces`}</th>
              <th scope="col">{t`Soft bounces`}</th>
              <th scope="col">{t`Complaints`}</th>
            </tr>
          </thead>
          <tbody>
            {domains.map((one) => (
              <tr key={one.domain}>
                <th scope="row">{one.domain}</th>
                <td>{number(one.mails)}</td>
                <td>{number(one.delivered)}</td>
                <td>{percent(share(one.hardBounces, one))}</td>
                <td>{percent(share(one.softBounces, one))}</td>
                <td>{percent(share(one.complaints, one))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}
