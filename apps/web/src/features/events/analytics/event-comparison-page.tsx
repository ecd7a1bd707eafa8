import { Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute, useNavigate } from '@tanstack/react-router'
import { IconDownload, IconX } from '@tabler/icons-react'
import { EventGrouping } from '@guildhall/contract/features/events.analytics'
import { EventKind, EventMode } from '@guildhall/contract/features/events'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { ChapterPicker, GroupPicker } from '../../../platform/records/record-pickers.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { Chart } from '../../../ui/charts/chart.tsx'
import { chartCsv } from '../../../ui/charts/chart-data.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import { Page, PageHeader, Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonCards } from '../../../ui/page/skeletons.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { eventKindWords, modeWords, optionsOf } from '../events-words.tsx'
import type { EventComparisonSearch } from '../events-search.ts'
import { shareOf, useComparison } from './analytics-api.ts'
import type { Comparison, EventComparison, EventFigures } from './analytics-api.ts'
import classes from './analytics.module.css'
import { useGroupNames, groupingWords, measureWords, periodWords } from './comparison-words.ts'
import { daysOf, yearBefore } from './comparison-search.ts'
import { behindAll, behindFigures, behindRow, eventByEvent } from './comparison-links.ts'
import { EventMonths } from './event-months.tsx'
import { RevenueFigures, useRevenueText } from './revenue-figures.tsx'

export const route = createLazyRoute('/signed-in/event/analytics')({ component: EventComparisonPage })

function EventComparisonPage() {
  usePageTitle(t`Event analytics`)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = (change: Partial<EventComparisonSearch>) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const today = useToday()
  const days = search.from && search.to ? { from: search.from, to: search.to } : daysOf(search.period ?? 'year', today)
  const { chapter, group, kind, mode, series, weekday, hour, by = 'event' } = search
  const asked: Omit<Comparison, 'by'> = {
    ...days,
    ...(chapter && { chapterId: chapter }),
    ...(group && { groupId: group }),
    ...(kind && { kind }),
    ...(mode && { mode }),
    ...(series && { seriesId: series }),
    ...(weekday && { weekday }),
    ...(hour && { hour }),
  }
  const compared = useComparison({ ...asked, by })
  const before = useComparison({ ...asked, ...yearBefore(days), by: 'month' })
  const months = useComparison({ ...asked, by: 'month' })
  const { data } = compared
  return (
    <Page>
      <PageHeader
        title={t`Event analytics`}
        description={t`Events that you manage or whose finances you see, in their own time zones.`}
        actions={
          <ButtonLink to="/events" variant="default">
            <Trans>All events</Trans>
          </ButtonLink>
        }
      />
      <div className={classes['stack']}>
        <Filters search={search} days={days} go={go} />
        <Narrowed search={search} series={by === 'event' ? data?.items[0]?.label : undefined} go={go} />
        {compared.isError && !data && (
          <ProblemState problem={compared.error} title={t`The analytics could not be loaded`} retry={() => void compared.refetch()} />
        )}
        {compared.isPending && (
          <Loading label={t`Loading`}>
            <SkeletonCards count={6} height={128} />
          </Loading>
        )}
        {data && data.total.events + data.total.calledOff === 0 && (
          <EmptyState title={t`No events in this period`}>
            <Trans>Choose another period, or fewer filters. Only events that you manage or whose finances you see are counted.</Trans>
          </EmptyState>
        )}
        {data && data.total.events + data.total.calledOff > 0 && (
          <div className={classes['stack']} aria-busy={compared.isPlaceholderData} data-stale={compared.isPlaceholderData || undefined}>
            <Totals total={data.total} before={before.data?.total} asked={asked} search={search} />
            {months.data && (
              <Section title={t`Attendance over time`}>
                <EventMonths days={days} months={months.data.items} before={before.data?.items ?? []} asked={asked} />
              </Section>
            )}
            <Groups comparison={data} asked={asked} search={search} by={by} measure={search.measure ?? 'seats'} go={go} />
          </div>
        )}
      </div>
    </Page>
  )
}

/** That there is none is said below the fields. */
const idOf = (chosen: string | undefined) => (chosen === undefined || chosen === 'none' ? null : chosen)

type FiltersProps = {
  search: EventComparisonSearch
  days: { from: string; to: string }
  go: (change: Partial<EventComparisonSearch>) => void
}

function Filters({ search, days, go }: FiltersProps) {
  const words = periodWords()
  const own = search.from !== undefined && search.to !== undefined
  return (
    <div className={classes['filters']} role="group" aria-label={t`Filters`}>
      <Select
        label={t`Period`}
        allowDeselect={false}
        value={own ? 'own' : (search.period ?? 'year')}
        data={[...optionsOf(words), { value: 'own', label: t`From and to` }]}
        onChange={(chosen) => {
          const period = optionsOf(words).find(({ value }) => value === chosen)?.value
          go(period ? { period, from: undefined, to: undefined } : { period: undefined, ...days })
        }}
      />
      {own && (
        <>
          <TextInput
            type="date"
            label={t`From`}
            value={days.from}
            max={days.to}
            onChange={({ target }) => target.value && go({ from: target.value })}
          />
          <TextInput
            type="date"
            label={t`To`}
            value={days.to}
            min={days.from}
            onChange={({ target }) => target.value && go({ to: target.value })}
          />
        </>
      )}
      <ChapterPicker
        label={t`Chapter (with those below)`}
        placeholder={t`All`}
        clearable
        value={idOf(search.chapter)}
        onChange={(id) => go({ chapter: id ?? undefined })}
      />
      <GroupPicker
        label={t`Group`}
        placeholder={t`All`}
        clearable
        value={idOf(search.group)}
        onChange={(id) => go({ group: id ?? undefined })}
      />
      <Select
        label={t`Kind`}
        placeholder={t`All`}
        clearable
        value={search.kind ?? null}
        data={optionsOf(eventKindWords())}
        onChange={(chosen) => go({ kind: EventKind.options.find((one) => one === chosen) })}
      />
      <Select
        label={t`Place or online`}
        placeholder={t`All`}
        clearable
        value={search.mode ?? null}
        data={optionsOf(modeWords())}
        onChange={(chosen) => go({ mode: EventMode.options.find((one) => one === chosen) })}
      />
    </div>
  )
}

/** What a row of another comparison has narrowed it to, which no field above says. */
function Narrowed({ search, series, go }: Pick<FiltersProps, 'search' | 'go'> & { series: string | undefined }) {
  const words = groupingWords()
  const [nameOfSeries, nameOfWeekday, nameOfHour] = [useGroupNames('series'), useGroupNames('weekday'), useGroupNames('hour')]
  const [nameOfChapter, nameOfGroup] = [useGroupNames('chapter'), useGroupNames('group')]
  const named = (nameOf: ReturnType<typeof useGroupNames>, key: string, label = '') => nameOf({ key: key === 'none' ? '' : key, label })
  const all: { key: string; text: string; label: string; without: Partial<EventComparisonSearch> }[] = []
  if (search.chapter === 'none')
    all.push({ key: 'chapter', text: named(nameOfChapter, 'none'), label: words.chapter, without: { chapter: undefined } })
  if (search.group === 'none')
    all.push({ key: 'group', text: named(nameOfGroup, 'none'), label: words.group, without: { group: undefined } })
  if (search.series) {
    const text = named(nameOfSeries, search.series, series ?? t`One series`)
    all.push({ key: 'series', text, label: words.series, without: { series: undefined } })
  }
  if (search.weekday) {
    const text = named(nameOfWeekday, search.weekday)
    all.push({ key: 'weekday', text, label: words.weekday, without: { weekday: undefined } })
  }
  if (search.hour) {
    const text = named(nameOfHour, search.hour)
    all.push({ key: 'hour', text, label: words.hour, without: { hour: undefined } })
  }
  if (all.length === 0) return null
  return (
    <div className={classes['bar']}>
      {all.map(({ key, text, label, without }) => (
        <Button
          key={key}
          variant="default"
          size="compact-sm"
          rightSection={<IconX size={14} stroke={1.5} aria-hidden />}
          aria-label={t`Remove filter ${label}: ${text}`}
          onClick={() => go(without)}
        >
          {label}: {text}
        </Button>
      ))}
    </div>
  )
}

type Asked = Omit<Comparison, 'by'>

type TotalsProps = { total: EventFigures; before: EventFigures | undefined; asked: Asked; search: EventComparisonSearch }

function Totals({ total, before, asked, search }: TotalsProps) {
  const { number, percent } = useFormats()
  const than = (then: number | undefined) => (then === undefined ? undefined : t`${number(then)} a year before`)
  const rate = (part: number, whole: number, then: number | null | undefined) => ({
    value: whole > 0 ? percent(part / whole) : '–',
    change: then === null || then === undefined ? undefined : t`${percent(then)} a year before`,
  })
  const attendance = rate(total.came, total.expected, before && shareOf(before.came, before.expected))
  const noShows = rate(total.expected - total.came, total.expected, before && shareOf(before.expected - before.came, before.expected))
  const fill = rate(total.filled, total.capacity, before && shareOf(before.filled, before.capacity))
  const list = behindAll(asked)
  return (
    <>
      <div className={classes['figures']}>
        <AppLink href={list}>
          <Stat label={t`Events`} value={number(total.events)} change={than(before?.events)} />
        </AppLink>
        {total.calledOff > 0 && (
          <AppLink href={behindAll(asked, { field: 'status', op: 'in', value: ['cancelled'] })}>
            <Stat label={t`Cancelled events`} value={number(total.calledOff)} />
          </AppLink>
        )}
        <AppLink href={eventByEvent(search, 'seats')}>
          <Stat label={t`Registrations`} value={number(total.seats)} change={than(before?.seats)} />
        </AppLink>
        <AppLink href={eventByEvent(search, 'attended')}>
          <Stat label={t`Attended`} value={number(total.attended)} change={than(before?.attended)} />
        </AppLink>
        <AppLink href={eventByEvent(search, 'attendance')}>
          <Stat label={t`Attendance rate`} {...attendance} />
        </AppLink>
        <AppLink href={eventByEvent(search, 'noShows')}>
          <Stat label={t`No-show rate`} {...noShows} />
        </AppLink>
        <AppLink href={eventByEvent(search, 'fill')}>
          <Stat label={t`Fill rate`} {...fill} />
        </AppLink>
        {total.people !== null && (
          <AppLink href={eventByEvent(search, 'seats')}>
            <Stat
              label={t`People`}
              value={number(total.people)}
              change={total.repeat !== null && t`${number(total.repeat)} at two events or more`}
            />
          </AppLink>
        )}
        {total.firstTime !== null && (
          <AppLink href={eventByEvent(search, 'firstTime')}>
            <Stat label={t`First-time attendees`} value={number(total.firstTime)} />
          </AppLink>
        )}
        {total.revenue && (
          <RevenueFigures revenue={total.revenue} linked={(figure) => <AppLink href={eventByEvent(search, 'seats')}>{figure}</AppLink>} />
        )}
      </div>
      {total.revenue === null && (
        <p className={classes['none']}>
          <Trans>There are too many registrations to count people and revenue. Choose a shorter period or a chapter.</Trans>
        </p>
      )}
      {total.revenue !== null && total.people === null && (
        <p className={classes['none']}>
          <Trans>People are counted only where you manage all events. Choose a chapter or a group that you manage.</Trans>
        </p>
      )}
    </>
  )
}

type GroupsProps = {
  comparison: EventComparison
  asked: Asked
  search: EventComparisonSearch
  by: EventGrouping
  measure: NonNullable<EventComparisonSearch['measure']>
  go: (change: Partial<EventComparisonSearch>) => void
}

function Groups({ comparison, asked, search, by, measure, go }: GroupsProps) {
  const { number, percent } = useFormats()
  const nameOf = useGroupNames(by)
  const navigate = useNavigate()
  const revenueText = useRevenueText()
  const { items, groups, booksChapterId } = comparison
  const words = measureWords()
  const rates = measure === 'attendance' || measure === 'fill' || measure === 'noShows'
  const measured = (row: EventFigures): number | null => {
    const share = {
      attendance: shareOf(row.came, row.expected),
      fill: shareOf(row.filled, row.capacity),
      noShows: shareOf(row.expected - row.came, row.expected),
    }
    if (measure === 'events' || measure === 'seats' || measure === 'attended' || measure === 'firstTime') return row[measure]
    const part = share[measure]
    return part === null ? null : Math.round(part * 100)
  }
  const rows = items.map((item) => ({
    item,
    name: nameOf(item),
    href: behindRow(by, item.key, asked),
    behind: behindFigures(by, item, search, asked, booksChapterId),
  }))
  const columns = [
    { key: 'events', label: t`Events` },
    { key: 'seats', label: t`Registrations` },
    { key: 'attended', label: t`Attended` },
    { key: 'attendance', label: t`Attendance rate` },
    { key: 'noShows', label: t`No-show rate` },
    { key: 'fill', label: t`Fill rate` },
    { key: 'people', label: t`People` },
    { key: 'repeat', label: t`At two events or more` },
    { key: 'firstTime', label: t`First-time attendees` },
  ]
  const percentages = (row: EventFigures) => ({
    attendance: shareOf(row.came, row.expected),
    noShows: shareOf(row.expected - row.came, row.expected),
    fill: shareOf(row.filled, row.capacity),
  })
  const saveTable = () => {
    const csv = chartCsv({
      heading: groupingWords()[by],
      series: columns,
      rows: rows.map(({ item, name }) => ({
        key: item.key,
        label: name,
        values: {
          ...{
            events: item.events,
            seats: item.seats,
            attended: item.attended,
            people: item.people,
            repeat: item.repeat,
            firstTime: item.firstTime,
          },
          ...thousandths(percentages(item)),
        },
      })),
    })
    saveFile(new Blob([csv], { type: 'text/csv' }), `${asked.from}-${asked.to}-${by}.csv`)
  }
  const shown = (share: number | null) => (share === null ? '–' : percent(share))
  const [most] = rows.toSorted((a, b) => (measured(b.item) ?? -1) - (measured(a.item) ?? -1))
  const top = most && measured(most.item)
  return (
    <Section
      title={t`Comparison`}
      count={number(groups)}
      actions={
        <Button variant="default" size="compact-sm" leftSection={<IconDownload size={14} stroke={1.5} aria-hidden />} onClick={saveTable}>
          <Trans>Download CSV</Trans>
        </Button>
      }
    >
      <div className={classes['stack']}>
        <div className={classes['bar']}>
          <Select
            label={t`Compare by`}
            allowDeselect={false}
            value={by}
            data={optionsOf(groupingWords())}
            onChange={(chosen) => go({ by: EventGrouping.options.find((one) => one === chosen) })}
          />
          <SegmentedControl
            aria-label={t`Measure`}
            value={measure}
            data={optionsOf(words)}
            onChange={(chosen) => go({ measure: chosen })}
          />
        </div>
        <Chart
          kind="bars"
          title={
            most && top !== null && top !== undefined
              ? rates
                ? t`${most.name}: ${words[measure]} ${percent(top / 100)}`
                : t`${most.name}: ${words[measure]} ${number(top)}`
              : words[measure]
          }
          summary={rates ? t`In percent.` : t`The largest first.`}
          data={{
            heading: groupingWords()[by],
            series: [{ key: 'value', label: rates ? t`${words[measure]}, %` : words[measure] }],
            rows: rows.map(({ item, name }) => ({ key: item.key, label: name, values: { value: measured(item) } })),
          }}
          onSelect={({ key }) => {
            const href = rows.find(({ item }) => item.key === key)?.href
            if (href) void navigate({ href })
          }}
        />
        <div className={classes['scroll']} tabIndex={0} role="region" aria-label={t`Comparison`}>
          <table className={`${classes['table']} ${classes['wide']}`}>
            <thead>
              <tr>
                <th scope="col">{groupingWords()[by]}</th>
                {columns.map(({ key, label }) => (
                  <th key={key} scope="col">
                    {label}
                  </th>
                ))}
                <th scope="col">{t`Revenue`}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ item, name, href, behind }) => (
                <tr key={item.key}>
                  <th scope="row">{href ? <AppLink href={href}>{name}</AppLink> : name}</th>
                  {[
                    { key: 'events', text: number(item.events), to: behind.events },
                    { key: 'seats', text: number(item.seats), to: behind.seats },
                    { key: 'attended', text: number(item.attended), to: behind.attended },
                    { key: 'attendance', text: shown(percentages(item).attendance), to: behind.attended },
                    { key: 'noShows', text: shown(percentages(item).noShows), to: behind.noShows },
                    { key: 'fill', text: shown(percentages(item).fill), to: behind.seats },
                    { key: 'people', text: item.people === null ? '–' : number(item.people), to: behind.seats },
                    { key: 'repeat', text: item.repeat === null ? '–' : number(item.repeat), to: behind.seats },
                    { key: 'firstTime', text: item.firstTime === null ? '–' : number(item.firstTime), to: behind.firstTime },
                    { key: 'revenue', text: revenueText(item.revenue), to: behind.revenue },
                  ].map(({ key, text, to }) => (
                    <td key={key}>{to && text !== '–' ? <AppLink href={to}>{text}</AppLink> : text}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {groups > items.length && (
          <p className={classes['none']}>{t`The ${number(items.length)} with the most registrations are shown.`}</p>
        )}
      </div>
    </Section>
  )
}

/** Shares as a spreadsheet takes them. */
const thousandths = (shares: Record<string, number | null>) =>
  Object.fromEntries(Object.entries(shares).map(([key, share]) => [key, share === null ? null : Math.round(share * 1000) / 1000]))
