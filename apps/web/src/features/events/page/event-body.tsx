import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconCalendarEvent, IconExternalLink, IconEye, IconMapPin, IconTicket, IconUsers, IconVideo } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { plainTextOf } from '@guildhall/contract/formatted-document'
import { FormattedText } from '../../../platform/formatted-text/formatted-text.tsx'
import { PersonAvatar } from '../../../platform/records/picture.tsx'
import { ChapterLink, GroupLink, PersonLink } from '../../../platform/records/record-links.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { useZoneTimes } from '../../../ui/display/zone-times.tsx'
import { EventState, GoingBar } from '../event-parts.tsx'
import { dayOf, useEventTimes } from '../event-times.ts'
import type { Event } from '../events-api.ts'
import { eventKindWords, eventVisibilityWords, staffRoleWords } from '../events-words.tsx'
import { AddToCalendar } from './add-to-calendar.tsx'
import { EventCover } from './event-cover.tsx'
import { EventSeries } from './event-series.tsx'
import classes from './event-body.module.css'

type Props = {
  event: Event
  /** In the form: shown as it will look, as no page of its own. */
  preview?: boolean
  /** Below the facts: how the reader comes along. */
  children?: ReactNode
}

/** An event as everybody sees it who may. */
export function EventBody({ event, preview = false, children }: Props) {
  const hosts = event.staff.filter(({ role }) => role === 'host')
  const speakers = event.staff.filter(({ role }) => role === 'speaker')
  const Title = preview ? 'div' : 'h1'
  return (
    <div className={classes['frame']}>
      <article className={classes['event']} aria-label={preview ? t`Preview` : event.title}>
        <div className={classes['side']}>
          <EventCover event={event} />
          <div className={classes['wideOnly']}>
            <Hosts event={event} hosts={hosts} speakers={speakers} level={preview ? 'div' : 'h2'} />
          </div>
        </div>
        <div className={classes['main']}>
          <header className={classes['head']}>
            <div className={classes['badges']}>
              <span className={classes['kind']}>{eventKindWords()[event.kind]}</span>
              {!preview && <EventState event={event} />}
            </div>
            <Title className={classes['title']} {...(!preview && { tabIndex: -1 })}>
              {event.title || <span className={classes['dim']}>{t`Title of the event`}</span>}
            </Title>
            {event.summary && <p className={classes['summary']}>{event.summary}</p>}
          </header>
          {event.status === 'cancelled' && (
            <p className={classes['cancelled']} role="status">
              <strong>
                <Trans>This event is cancelled.</Trans>
              </strong>{' '}
              {event.cancelReason}
            </p>
          )}
          <ul className={classes['facts']}>
            <When event={event}>{!preview && <AddToCalendar event={event} />}</When>
            <EventSeries event={event} />
            <Where event={event} />
            <Seats event={event} />
          </ul>
          {children}
          <Tickets event={event} level={preview ? 'div' : 'h2'} />
          {!['', event.summary.trim()].includes(plainTextOf(event.description).trim()) && (
            <Part title={t`About`} level={preview ? 'div' : 'h2'}>
              <FormattedText document={event.description} />
            </Part>
          )}
          <Programme event={event} level={preview ? 'div' : 'h2'} />
          <div className={classes['narrowOnly']}>
            <Hosts event={event} hosts={hosts} speakers={speakers} level={preview ? 'div' : 'h2'} />
          </div>
        </div>
      </article>
    </div>
  )
}

type Level = 'h2' | 'div'

const Part = ({ title, level: Heading, children }: { title: string; level: Level; children: ReactNode }) => (
  <section className={classes['part']}>
    <Heading className={classes['partTitle']}>{title}</Heading>
    {children}
  </section>
)

const Fact = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <li className={classes['fact']}>
    <span className={classes['icon']} aria-hidden>
      {icon}
    </span>
    <div className={classes['factText']}>{children}</div>
  </li>
)

function When({ event, children }: { event: Event; children: ReactNode }) {
  const times = useEventTimes()
  const yours = times.yours(event)
  const oneDay = dayOf(event.startsLocal) === dayOf(event.endsLocal)
  return (
    <Fact icon={<IconCalendarEvent size={20} stroke={1.5} />}>
      <strong>{oneDay ? times.day(event.startsLocal) : times.days(event)}</strong>
      <span className={classes['dim']}>
        {oneDay ? times.clocks(event) : times.whole(event)} {times.place(event.timezone)}
        {yours && ` (${yours})`}
      </span>
      {children}
    </Fact>
  )
}

function Where({ event }: { event: Event }) {
  const { venue, link, hasLink, mode } = event
  const place = [venue.name, venue.address].filter(Boolean).join(', ')
  const query =
    venue.latitude !== null && venue.longitude !== null
      ? `https://www.openstreetmap.org/directions?to=${venue.latitude}%2C${venue.longitude}`
      : `https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`
  return (
    <>
      {mode !== 'online' && place && (
        <Fact icon={<IconMapPin size={20} stroke={1.5} />}>
          <strong>{venue.name || venue.address}</strong>
          {venue.name && venue.address && <span className={classes['address']}>{venue.address}</span>}
          <a href={query} target="_blank" rel="noopener noreferrer" className={classes['link']}>
            <Trans>Directions</Trans> <IconExternalLink size={14} stroke={1.5} aria-label={t`opens in a new window`} />
          </a>
        </Fact>
      )}
      {mode !== 'in_person' && (
        <Fact icon={<IconVideo size={20} stroke={1.5} />}>
          <strong>{mode === 'hybrid' ? t`Also online` : t`Online`}</strong>
          {link ? (
            <>
              <a href={link.url} target="_blank" rel="noopener noreferrer" className={classes['link']}>
                <Trans>Join online</Trans> <IconExternalLink size={14} stroke={1.5} aria-label={t`opens in a new window`} />
              </a>
              {link.note && <span className={classes['dim']}>{link.note}</span>}
            </>
          ) : (
            hasLink && <span className={classes['dim']}>{t`Everybody registered sees the link.`}</span>
          )}
        </Fact>
      )}
    </>
  )
}

const Seats = ({ event }: { event: Event }) => (
  <>
    {event.status !== 'draft' && (event.taken > 0 || event.capacity !== null) && (
      <Fact icon={<IconUsers size={20} stroke={1.5} />}>
        <GoingBar event={event} />
      </Fact>
    )}
    <Fact icon={<IconEye size={20} stroke={1.5} />}>
      <span className={classes['dim']}>{eventVisibilityWords()[event.visibility]}</span>
    </Fact>
  </>
)

function Tickets({ event, level }: { event: Event; level: Level }) {
  const money = useMoney()
  const momentText = useZoneTimes()
  const shown = event.ticketTypes.filter(({ audience }) => audience !== 'staff')
  if (shown.length === 0) return null
  const now = Date.now()
  return (
    <Part title={t`Tickets`} level={level}>
      <ul className={classes['tickets']}>
        {shown.map(({ id, name, description, price, memberPrice, quota, taken, audience, onSale, sellsFrom, sellsUntil }) => {
          const priced = (amount: number) => (amount === 0 ? t`Free` : money(amount, price.currency))
          const soldOut = quota !== null && taken >= quota
          return (
            <li key={id} className={classes['ticket']}>
              <IconTicket size={20} stroke={1.5} aria-hidden />
              <div className={classes['factText']}>
                <strong>{name}</strong>
                {description && <span className={classes['dim']}>{description}</span>}
                {audience === 'members' && <span className={classes['dim']}>{t`Members only`}</span>}
                {audience === 'chapter' && <span className={classes['dim']}>{t`People of the chapter only`}</span>}
                {soldOut && <span className={classes['dim']}>{t`Sold out`}</span>}
                {!onSale && sellsFrom && Date.parse(sellsFrom) > now && (
                  <span className={classes['dim']}>{t`On sale from ${momentText(new Date(sellsFrom), event.timezone)}`}</span>
                )}
                {!onSale && sellsUntil && Date.parse(sellsUntil) <= now && <span className={classes['dim']}>{t`No longer on sale`}</span>}
              </div>
              <div className={classes['price']}>
                <strong>{priced(price.amount)}</strong>
                {memberPrice !== null && memberPrice < price.amount && (
                  <span className={classes['dim']}>{t`${priced(memberPrice)} for members`}</span>
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </Part>
  )
}

function Programme({ event, level }: { event: Event; level: Level }) {
  const times = useEventTimes()
  if (event.programme.length === 0) return null
  const at = (instant: string) => times.clockIn(event.timezone, instant)
  const onDay = (instant: string) => times.dayIn(event.timezone, instant)
  const days = Object.entries(Object.groupBy(event.programme, ({ startsAt }) => onDay(startsAt)))
  const severalDays = days.length > 1 || dayOf(event.startsLocal) !== dayOf(event.endsLocal)
  return (
    <Part title={t`Programme`} level={level}>
      {days.map(([day, items = []]) => (
        <div key={day}>
          {severalDays && <p className={classes['programmeDay']}>{day}</p>}
          <ol className={classes['programme']} aria-label={severalDays ? day : undefined}>
            {items.map(({ id, title, startsAt, endsAt, room, speaker, about }) => (
              <li key={id} className={classes['item']}>
                <span className={classes['itemTime']}>
                  <time dateTime={startsAt}>{at(startsAt)}</time>
                  {endsAt && onDay(endsAt) === day && ` – ${at(endsAt)}`}
                </span>
                <div className={classes['factText']}>
                  <strong>{title}</strong>
                  {(speaker || room) && <span className={classes['dim']}>{[speaker, room].filter(Boolean).join(' · ')}</span>}
                  {about && <span className={classes['lines']}>{about}</span>}
                </div>
              </li>
            ))}
          </ol>
        </div>
      ))}
    </Part>
  )
}

type HostsProps = { event: Event; hosts: Event['staff']; speakers: Event['staff']; level: Level }

function Hosts({ event, hosts, speakers, level }: HostsProps) {
  return (
    <>
      <Part title={t`Hosted by`} level={level}>
        {event.group ? (
          <GroupLink group={event.group} />
        ) : event.chapter ? (
          <ChapterLink chapter={event.chapter} />
        ) : (
          <span>{t`The whole organisation`}</span>
        )}
        <People people={hosts} />
      </Part>
      {speakers.length > 0 && (
        <Part title={staffRoleWords().speaker} level={level}>
          <People people={speakers} />
        </Part>
      )}
    </>
  )
}

const People = ({ people }: { people: Event['staff'] }) =>
  people.length > 0 && (
    <ul className={classes['people']}>
      {people.map(({ person }) => (
        <li key={person.id} className={classes['person']}>
          <PersonAvatar person={person} size={24} />
          <PersonLink person={person} />
        </li>
      ))}
    </ul>
  )
