import { Button, Group } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { daysOfSeries } from '@guildhall/contract/repeats'
import { useEffect, useRef, useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { dayOf, useEventTimes } from '../event-times.ts'
import { useEventChanged } from '../events-api.ts'
import type { Event } from '../events-api.ts'
import { eventVisibilityWords, missingWords, modeWords } from '../events-words.tsx'
import { repeatsText } from '../series-text.ts'
import type { EventDraft } from './event-draft.ts'
import classes from './event-form.module.css'

type Props = {
  draft: EventDraft
  opened: boolean
  onClose: () => void
  /** Leads to the part of the form where something is missing. */
  onShow: (part: string) => void
  onPublished: (event: Event) => void
}

/** What is about to be seen by whom, or what is missing before it can be. */
export const PublishDialog = ({ opened, ...props }: Props) => (
  <Dialog opened={opened} onClose={props.onClose} title={t`Publish event`}>
    {opened && <Body {...props} />}
  </Dialog>
)

type Finding = { text: string; part: string }

function Body({ draft, onClose, onShow, onPublished }: Omit<Props, 'opened'>) {
  const changed = useEventChanged()
  const { events } = useApi().data
  const { event, faults, saving, values, failure: unsaved } = draft.use()
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const times = useEventTimes()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    let gone = false
    void draft.flush().finally(() => {
      if (!gone) setChecked(true)
    })
    return () => {
      gone = true
    }
  }, [draft])
  const ready = checked && !saving
  useEffect(() => {
    if (ready) button.current?.focus()
  }, [ready])

  if (!ready)
    return (
      <Loading label={t`Saving`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  const findings: Finding[] = [
    ...(values.title.trim() === '' ? [{ text: t`Enter a title.`, part: 'basics' }] : []),
    ...(event?.missing ?? []).map((what) => ({ text: missingWords()[what], part: what === 'future' ? 'basics' : 'place' })),
    ...Object.entries(faults)
      .filter(([path]) => path !== 'title' || values.title.trim() !== '')
      .map(([path, text]) => ({ text, part: partOf(path) })),
  ]
  const mayPublish = event?.may.publish ?? true
  const publish = async () => {
    if (!event) return
    setBusy(true)
    setFailure(undefined)
    try {
      const published = await events.publish.call({ eventId: event.id }, { context: { ifMatch: event.version } })
      draft.accept(published)
      // The page it leads to shows what is known of the event: the draft, if nobody said otherwise.
      void changed(published)
      toast.success(t`${published.title} is published`)
      onPublished(published)
    } catch (problem) {
      setFailure(problemText(problem))
      setBusy(false)
    }
  }
  if (findings.length > 0 || !event)
    return (
      <div className={classes['stack']}>
        <p>
          {findings.length > 0 ? (
            <Trans>This is missing before the event can be published:</Trans>
          ) : (
            (unsaved ?? <Trans>The event is not saved.</Trans>)
          )}
        </p>
        <ul className={classes['findings']}>
          {findings.map(({ text, part }) => (
            <li key={`${part} ${text}`}>
              <button type="button" className={classes['finding']} onClick={() => onShow(part)}>
                {text}
              </button>
            </li>
          ))}
        </ul>
        <Group justify="flex-end">
          <Button ref={button} data-autofocus variant="default" onClick={() => (findings[0] ? onShow(findings[0].part) : onClose())}>
            <Trans>Continue editing</Trans>
          </Button>
        </Group>
      </div>
    )
  return (
    <div className={classes['stack']}>
      <dl className={classes['summary']}>
        <dt>
          <Trans>Event</Trans>
        </dt>
        <dd>{event.title}</dd>
        <dt>
          <Trans>When</Trans>
        </dt>
        <dd>
          {times.whole(event)} {times.place(event.timezone)}
        </dd>
        {event.repeats && (
          <>
            <dt>
              <Trans>Repeats</Trans>
            </dt>
            <dd>
              {repeatsText(event.repeats, dayOf(event.startsLocal), times)},{' '}
              <Plural value={daysOfSeries(event.repeats, dayOf(event.startsLocal)).length} one="# event" other="# events" />
            </dd>
          </>
        )}
        <dt>
          <Trans>Where</Trans>
        </dt>
        <dd>{event.mode === 'online' ? modeWords().online : event.venue.name || event.venue.address}</dd>
        <dt>
          <Trans>Who sees it</Trans>
        </dt>
        <dd>{eventVisibilityWords()[event.visibility]}</dd>
      </dl>
      {!mayPublish && (
        <p>
          <Trans>You cannot publish events. It stays a draft until somebody who runs events in your chapter publishes it.</Trans>
        </p>
      )}
      {failure && (
        <p role="alert" className={classes['fault']}>
          {failure}
        </p>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          <Trans>Keep as draft</Trans>
        </Button>
        {mayPublish && (
          <Button ref={button} data-autofocus loading={busy} onClick={() => void publish()}>
            <Trans>Publish event</Trans>
          </Button>
        )}
      </Group>
    </div>
  )
}

const parts: Record<string, readonly string[]> = {
  place: ['mode', 'venueName', 'venueAddress', 'link'],
  tickets: ['capacity', 'guestsPerPerson', 'ticketTypes', 'promoCodes', 'registrationOpensAt', 'registrationClosesAt', 'cancelUntil'],
  questions: ['questions'],
  page: ['summary', 'description', 'programme', 'staff', 'coverFileId', 'coverAlt'],
}
const partOf = (path: string) => Object.keys(parts).find((part) => parts[part]?.includes(path.split('.')[0] ?? '')) ?? 'basics'
