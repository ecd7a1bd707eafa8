import { ActionIcon, Button, SegmentedControl, Switch, VisuallyHidden } from '@mantine/core'
import type { CalendarEvent } from '@guildhall/contract/features/events'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLingui } from '@lingui/react'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useShortcuts } from '../../../platform/navigation/shortcuts.ts'
import { ChapterPicker } from '../../../platform/records/record-pickers.tsx'
import { useEventTimes } from '../event-times.ts'
import type { EventsSearch } from '../events-search.ts'
import { statusWords } from '../events-words.tsx'
import { daysLater, daysOf, firstWeekdayIn, monthLater, weekOf, weeksOfMonth } from './calendar-days.ts'
import classes from './event-calendar.module.css'

type Props = { search: EventsSearch; go: (change: Partial<EventsSearch>, replace?: boolean) => void }

/** So many stand in a cell of a month; the rest is a number that leads to their list. */
const perCell = 3

/** A month or a week of events, a table of days by the clocks of the events. */
export function EventCalendar({ search, go }: Props) {
  const { i18n } = useLingui()
  const times = useEventTimes()
  const locale = (Array.isArray(i18n.locales) ? i18n.locales[0] : i18n.locales) ?? i18n.locale
  const today = new Intl.DateTimeFormat('sv').format(new Date())
  const span = search.span ?? 'month'
  const day = search.day ?? today
  const firstWeekday = firstWeekdayIn(locale)
  const weeks = span === 'week' ? [weekOf(day, firstWeekday)] : weeksOfMonth(day, firstWeekday)
  const days = weeks.flat()
  const [from, to] = [days[0] ?? day, days.at(-1) ?? day]
  const noon = (of: string) => `${of}T12:00:00`
  const query = useQuery({
    ...useApi().data.events.calendar.queryOptions({
      input: {
        from,
        to,
        perDay: span === 'week' ? 50 : perCell,
        ...(search.chapter && { chapterId: search.chapter }),
        ...(search.mine && { mine: true }),
      },
    }),
    placeholderData: keepPreviousData,
  })
  const step = (by: 1 | -1) => go({ day: span === 'week' ? daysLater(day, by * 7) : monthLater(day, by) })
  const toToday = () => go({ day: undefined })
  const [previous, next] = span === 'week' ? [t`Previous week`, t`Next week`] : [t`Previous month`, t`Next month`]
  useShortcuts([
    { keys: '[', label: previous, group: t`Calendar`, run: () => step(-1) },
    { keys: ']', label: next, group: t`Calendar`, run: () => step(1) },
    { keys: 't', label: t`Today`, group: t`Calendar`, run: toToday },
  ])
  const title =
    span === 'week'
      ? times.days({ startsLocal: noon(from), endsLocal: noon(to), startsAt: '', endsAt: '', timezone: '' })
      : times.monthAndYear(noon(day))
  const onDays = byDays(query.data?.items ?? [], from, to)
  const begun = new Map(query.data?.days.map(({ date, events }) => [date, events]))
  return (
    <>
      <div className={classes['controls']}>
        <div className={classes['steps']}>
          <ActionIcon variant="default" size={36} className={classes['step'] ?? ''} aria-label={previous} onClick={() => step(-1)}>
            <IconChevronLeft size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="default" size={36} className={classes['step'] ?? ''} aria-label={next} onClick={() => step(1)}>
            <IconChevronRight size={18} aria-hidden />
          </ActionIcon>
          <Button variant="default" onClick={toToday}>
            <Trans>Today</Trans>
          </Button>
          <h2 className={classes['title']} aria-live="polite">
            {title}
          </h2>
        </div>
        <div className={classes['steps']}>
          <Switch
            label={t`Only mine`}
            checked={search.mine === 1}
            onChange={({ currentTarget }) => go({ mine: currentTarget.checked ? 1 : undefined })}
          />
          <div className={classes['chapter']}>
            <ChapterPicker
              label={t`Chapter`}
              placeholder={t`All chapters`}
              value={search.chapter ?? null}
              onChange={(id) => go({ chapter: id ?? undefined })}
            />
          </div>
          <SegmentedControl
            aria-label={t`Days shown`}
            value={span}
            onChange={(chosen) => go({ span: chosen === 'week' ? 'week' : undefined })}
            data={[
              { value: 'month', label: t`Month` },
              { value: 'week', label: t`Week` },
            ]}
          />
        </div>
      </div>
      {query.isError && !query.data ? (
        <ProblemState problem={query.error} title={t`The calendar could not be loaded`} retry={() => void query.refetch()} />
      ) : (
        <table
          className={classes['calendar']}
          aria-label={t`Events, ${title}`}
          aria-busy={query.isFetching}
          data-span={span}
          data-stale={query.isPlaceholderData || undefined}
        >
          <thead>
            <tr>
              {weeks[0]?.map((date) => (
                <th key={date} scope="col">
                  <abbr title={times.longWeekday(noon(date))}>{times.weekday(noon(date))}</abbr>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week[0]}>
                {week.map((date) => {
                  const events = onDays.get(date) ?? []
                  const shown = span === 'week' ? events : events.slice(0, perCell)
                  // Those that only go on are shown or not; those that begin here are counted by the server.
                  const more = Math.max(0, (begun.get(date) ?? 0) - shown.filter(({ startsLocal }) => startsLocal.startsWith(date)).length)
                  return (
                    <td
                      key={date}
                      data-outside={(span === 'month' && date.slice(0, 7) !== day.slice(0, 7)) || undefined}
                      data-today={date === today || undefined}
                      data-empty={events.length === 0 || undefined}
                    >
                      <time dateTime={date} className={classes['day']} aria-current={date === today ? 'date' : undefined}>
                        <span className={classes['weekday']}>{times.longWeekday(noon(date))} </span>
                        {times.dayNumber(noon(date))}
                      </time>
                      {(shown.length > 0 || more > 0) && (
                        <ul className={classes['events']} aria-label={times.day(noon(date))}>
                          {shown.map((event) => (
                            <li key={event.id}>
                              <Entry event={event} date={date} />
                            </li>
                          ))}
                          {more > 0 && (
                            <li>
                              <Link
                                to="/events"
                                search={{ view: 'all', filter: { and: [{ or: [{ field: 'startsAt', op: 'is', value: date }] }] } }}
                                className={classes['more']}
                                aria-label={plural(more, {
                                  one: `# more event on ${times.day(noon(date))}`,
                                  other: `# more events on ${times.day(noon(date))}`,
                                })}
                              >
                                {t`+${more} more`}
                              </Link>
                            </li>
                          )}
                        </ul>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {query.data?.items.length === 0 && !query.isPlaceholderData && (
        <p role="status" className={classes['none']}>
          {span === 'week' ? <Trans>No events in this week.</Trans> : <Trans>No events in this month.</Trans>}
        </p>
      )}
    </>
  )
}

function Entry({ event, date }: { event: CalendarEvent; date: string }) {
  const times = useEventTimes()
  const begins = event.startsLocal.startsWith(date)
  const state = event.status === 'published' ? '' : statusWords()[event.status]
  const full = [event.title, times.whole(event), event.chapter?.name, state].filter(Boolean).join(', ')
  return (
    <Link
      to="/event/$eventId"
      params={{ eventId: event.id }}
      className={classes['event']}
      data-status={event.status}
      data-mine={event.mine ? true : undefined}
      title={full}
    >
      {begins && <span className={classes['clock']}>{times.clock(event.startsLocal)} </span>}
      <span className={classes['name']}>{event.title}</span>
      {event.chapter && <span className={classes['host']}> {event.chapter.name}</span>}
      <VisuallyHidden>{`, ${[times.whole(event), state].filter(Boolean).join(', ')}`}</VisuallyHidden>
    </Link>
  )
}

function byDays(events: readonly CalendarEvent[], from: string, to: string) {
  const days = new Map<string, CalendarEvent[]>()
  for (const event of events) {
    for (const day of daysOf(event, from, to)) days.set(day, [...(days.get(day) ?? []), event])
  }
  return days
}
