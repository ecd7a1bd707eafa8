import { Button, UnstyledButton } from '@mantine/core'
import type { DeliveryState } from '@guildhall/contract/features/communication.messages'
import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { Chart } from '../../../ui/charts/chart.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { JobBar } from '../../../ui/page/progress-tray.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useMessageReport, useMessagesChanged } from './messages-api.ts'
import type { Message, MessageReport } from './messages-api.ts'
import { deliveryWords, outcomeText, skipText } from './messages-words.ts'
import classes from './emails.module.css'

/** What the reader looks at: one outcome, or why people were left out. */
export type Asked = { state?: DeliveryState | undefined; reason?: string | undefined }
type Props = { message: Message; onList: (asked: Asked) => void }

/** What became of a message: how far it is, every outcome with the list behind it, over time, by link and by chapter. */
export function MessageReportView({ message, onList }: Props) {
  const report = useMessageReport(message)
  if (report.isPending)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  if (report.isError)
    return <ProblemState problem={report.error} title={t`The report could not be loaded`} retry={() => void report.refetch()} />
  const { counts } = report.data
  if (counts.recipients === 0) return null
  return (
    <div className={classes['stack']}>
      {(message.status === 'sending' || message.status === 'paused') && (
        <div className={classes['progress']}>
          <JobBar
            job={{
              label: t`Sending`,
              done: counts.recipients - counts.queued - counts.skipped,
              total: counts.recipients - counts.skipped,
              state: 'running',
            }}
          />
        </div>
      )}
      <Outcomes message={message} report={report.data} onList={onList} />
      <OverTime report={report.data} />
      <Links report={report.data} />
      <Chapters report={report.data} />
    </div>
  )
}

function Outcomes({ message, report, onList }: Props & { report: MessageReport }) {
  const { messages } = useApi().data.communication
  const changed = useMessagesChanged()
  const { number, percent } = useFormats()
  const { counts, skipped } = report
  const words = deliveryWords()
  const share = (part: number) => (counts.left === 0 ? undefined : percent(part / counts.left))
  const states: [DeliveryState, number][] = [
    ['queued', counts.queued],
    ['sent', counts.sent],
    ['delivered', counts.delivered],
    ['soft_bounce', counts.softBounces],
    ['hard_bounce', counts.hardBounces],
    ['complaint', counts.complaints],
    ['failed', counts.failed],
    ['unknown', counts.unknown],
    ['skipped', counts.skipped],
    ['cancelled', counts.cancelled],
  ]
  const again = async (state: 'failed' | 'unknown') => {
    try {
      const { again: count } = await messages.retry.call({ messageId: message.id, states: [state] })
      toast.success(plural(count, { one: '# mail is sent again', other: '# mails are sent again' }))
    } catch (problem) {
      toast.error(t`They could not be sent again`, problem)
    }
    await changed()
  }
  return (
    <Section title={t`What became of it`}>
      <div className={classes['figures']}>
        <Figure label={t`Recipients`} value={number(counts.recipients)} onClick={() => onList({})} />
        {states
          .filter(([, value]) => value > 0)
          .map(([state, value]) => (
            <Figure
              key={state}
              label={words[state].label}
              value={number(value)}
              note={['delivered', 'soft_bounce', 'hard_bounce', 'complaint'].includes(state) ? share(value) : undefined}
              onClick={() => onList({ state })}
            />
          ))}
        {report.countsClicks && <Figure label={t`Clicked`} value={number(counts.clicked)} note={share(counts.clicked)} />}
        {report.countsOpens && <Figure label={t`Opened (indicative)`} value={number(counts.opened)} note={share(counts.opened)} />}
        <Figure label={t`Unsubscribed`} value={number(counts.unsubscribed)} note={share(counts.unsubscribed)} />
      </div>
      {message.may.retry && counts.failed > 0 && (
        <div className={classes['notice']}>
          <p>{plural(counts.failed, { one: '# mail failed.', other: '# mails failed.' })}</p>
          <Button variant="default" onClick={() => void again('failed')}>
            <Trans>Send these again</Trans>
          </Button>
        </div>
      )}
      {message.may.retry && counts.unknown > 0 && (
        <div className={classes['notice']}>
          <p>
            {plural(counts.unknown, {
              one: 'The connection broke while # mail was handed over: it may have arrived. Sent again, it may arrive twice.',
              other: 'The connection broke while # mails were handed over: they may have arrived. Sent again, some may arrive twice.',
            })}
          </p>
          <Button variant="default" onClick={() => void again('unknown')}>
            <Trans>Send these again</Trans>
          </Button>
        </div>
      )}
      {skipped.length > 0 && (
        <>
          <h3>{t`Left out`}</h3>
          <ul className={classes['rows']}>
            {skipped.map(({ reason, people }) => (
              <li key={reason} className={classes['row']}>
                <span>{skipText(reason)}</span>
                <Button variant="subtle" size="compact-md" onClick={() => onList({ state: 'skipped', reason })}>
                  {outcomeText(people)}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

type FigureProps = { label: string; value: string; note?: string | undefined; onClick?: () => void }
function Figure({ label, value, note, onClick }: FigureProps) {
  const inside = (
    <>
      <span className={classes['dim']}>{label}</span>
      <br />
      <strong className={classes['numbers']}>{value}</strong> {note && <span className={classes['dim']}>{note}</span>}
    </>
  )
  return onClick ? (
    <UnstyledButton className={classes['figure']} onClick={onClick}>
      {inside}
    </UnstyledButton>
  ) : (
    <div className={classes['figure']}>{inside}</div>
  )
}

function OverTime({ report: { hours, counts, countsClicks, countsOpens } }: { report: MessageReport }) {
  const { number, moment, time } = useFormats()
  if (hours.length < 2) return null
  const clicked = countsClicks ? [{ key: 'clicked', label: t`Clicked` }] : []
  const opened = countsOpens ? [{ key: 'opened', label: t`Opened (indicative)` }] : []
  return (
    <Section title={t`Over time`}>
      <Chart
        kind="line"
        title={t`${number(counts.left)} mails left`}
        summary={t`By the hour: mails that left, and what people did with them.`}
        data={{
          heading: t`Hour`,
          series: [{ key: 'left', label: t`Mails` }, ...clicked, ...opened, { key: 'unsubscribed', label: t`Unsubscribed` }],
          rows: hours.map((hour) => ({
            key: hour.hour,
            label: moment(hour.hour),
            short: time(hour.hour),
            values: { left: hour.left, clicked: hour.clicked, opened: hour.opened, unsubscribed: hour.unsubscribed },
          })),
        }}
      />
    </Section>
  )
}

function Links({ report: { links, countsClicks } }: { report: MessageReport }) {
  const { number } = useFormats()
  if (!countsClicks) return null
  return (
    <Section title={t`Links`}>
      {links.length === 0 ? (
        <EmptyState title={t`Nobody has followed a link yet`} level={3} />
      ) : (
        <ul className={classes['rows']}>
          {links.map(({ url, people, clicks, programs }) => (
            <li key={url} className={classes['row']}>
              <span className={classes['what']}>
                <a href={url} target="_blank" rel="noopener noreferrer">
                  {url}
                </a>
                {programs > 0 && (
                  <span className={classes['dim']}>
                    {plural(programs, {
                      one: '# further visit looks like a program that checks links',
                      other: '# further visits look like programs that check links',
                    })}
                  </span>
                )}
              </span>
              <span className={classes['numbers']}>
                {outcomeText(people)} · {plural(clicks, { one: '# click', other: '# clicks' })}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className={classes['dim']}>{t`Counted since sending began: ${number(links.reduce((sum, { clicks }) => sum + clicks, 0))}`}</p>
    </Section>
  )
}

const chaptersAtFirst = 10

function Chapters({ report: { chapters, countsClicks } }: { report: MessageReport }) {
  const { number } = useFormats()
  const [all, setAll] = useState(false)
  if (chapters.length < 2) return null
  const shown = all ? chapters : chapters.slice(0, chaptersAtFirst)
  const more = chapters.length - shown.length
  return (
    <Section title={t`By chapter`}>
      <ul className={classes['rows']}>
        {shown.map(({ chapter, recipients, left, bounced, clicked, unsubscribed }, index) => (
          <li key={chapter?.id ?? index} className={classes['row']}>
            <span className={classes['what']}>{chapter?.name ?? t`A chapter that you do not see`}</span>
            <span className={`${classes['numbers']} ${classes['dim']}`}>
              {[
                plural(recipients, { one: '# recipient', other: '# recipients' }),
                plural(left, { one: '# mail', other: '# mails' }),
                countsClicks ? t`${number(clicked)} clicked` : '',
                bounced > 0 ? t`${number(bounced)} bounced` : '',
                unsubscribed > 0 ? t`${number(unsubscribed)} unsubscribed` : '',
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Button variant="subtle" size="compact-md" onClick={() => setAll(true)}>
          <Plural value={more} one="Show # more chapter" other="Show # more chapters" />
        </Button>
      )}
    </Section>
  )
}
