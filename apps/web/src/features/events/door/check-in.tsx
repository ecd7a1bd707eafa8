import { Button, Progress, Switch, TextInput } from '@mantine/core'
import '@mantine/core/styles/Progress.css'
import '@mantine/core/styles/Switch.css'
import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { IconAlertTriangle, IconCamera, IconCameraOff, IconCheck, IconCloudOff, IconRefresh, IconSearch, IconX } from '@tabler/icons-react'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import type { ReactNode } from 'react'
import type { Event, RosterEntry } from '@guildhall/contract/features/events'
import { toast } from '../../../platform/activity/toast.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useShortcuts } from '../../../platform/navigation/shortcuts.ts'
import { useMe } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useEventTimes } from '../event-times.ts'
import { folded, looksLikeCode, searched } from './door-queue.ts'
import { useDoor } from './use-door.ts'
import type { Shown } from './use-door.ts'
import classes from './door.module.css'

const Scanner = lazy(async () => ({ default: (await import('./scanner.tsx')).Scanner }))

/** The door: who is in front of it, by QR code, code or name. Goes on without a network. */
export function CheckIn({ event }: { event: Event }) {
  const me = useMe()
  return me.data ? <Door key={event.id} event={event} accountId={me.data.account.id} /> : null
}

function Door({ event, accountId }: { event: Event; accountId: string }) {
  const door = useDoor(accountId, event.id, deviceName())
  const [camera, setCamera] = useState(false)
  const [loud, setLoud] = useState(false)
  useShortcuts([{ keys: 's', label: t`Scan`, group: event.title, run: () => setCamera((on) => !on) }])
  if (!door.isReady)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  if (door.problem && door.counts === null)
    return <ProblemState problem={door.problem} title={t`The list for the door could not be loaded`} retry={() => void door.retry()} />
  const scan = async (code: string) => {
    const shown = await door.scan(code)
    if (loud && shown) signal(shown.verdict.result === 'checked_in')
  }
  const undo = async (shown: Shown) => {
    try {
      await door.undo(shown)
    } catch (problem) {
      toast.error(t`The check-in could not be undone.`, problem)
    }
  }
  const [latest, ...earlier] = door.shown
  return (
    <div className={classes['door']}>
      <div className={classes['main']}>
        <Counter door={door} />
        <Connection door={door} />
        <Result event={event} shown={latest} onUndo={(shown) => void undo(shown)} />
        {camera && (
          <Suspense fallback={<div className={classes['camera']} />}>
            <Scanner onCode={(code) => void scan(code)} />
          </Suspense>
        )}
        <div className={classes['bar']}>
          <Button
            size="md"
            variant={camera ? 'default' : 'filled'}
            leftSection={camera ? <IconCameraOff size={18} stroke={1.5} aria-hidden /> : <IconCamera size={18} stroke={1.5} aria-hidden />}
            onClick={() => setCamera(!camera)}
          >
            {camera ? <Trans>Stop scanning</Trans> : <Trans>Scan tickets</Trans>}
          </Button>
          <Switch label={t`Sound and vibration`} checked={loud} onChange={({ currentTarget }) => setLoud(currentTarget.checked)} />
        </div>
        <Find event={event} door={door} onCode={(code) => void scan(code)} />
      </div>
      {earlier.length > 0 && (
        <Section title={t`Recent scans`} className={classes['recent']}>
          <ul className={classes['lines']}>
            {earlier.map((shown) => (
              <Recent key={shown.scan.clientId} event={event} shown={shown} onUndo={() => void undo(shown)} />
            ))}
          </ul>
        </Section>
      )}
    </div>
  )
}

type DoorState = ReturnType<typeof useDoor>

/** How many are inside, on all devices. */
function Counter({ door: { counts, unsent } }: { door: DoorState }) {
  const { number } = useFormats()
  if (!counts) return null
  const all = counts.confirmed + counts.checkedIn
  const inside = Math.min(all, counts.checkedIn + unsent)
  return (
    <div className={classes['counter']}>
      <p className={classes['inside']} aria-live="polite">
        <strong>{number(inside)}</strong> {t`of ${number(all)} checked in`}
      </p>
      <Progress value={all === 0 ? 0 : (inside / all) * 100} aria-label={t`Checked in`} />
    </div>
  )
}

function Connection({ door: { isReached, queue, lasting, retry } }: { door: DoorState }) {
  if (isReached && queue.length === 0) return null
  if (isReached)
    return (
      <p className={classes['connection']} role="status">
        <IconRefresh size={18} stroke={1.5} aria-hidden />
        <Plural value={queue.length} one="# scan is being sent." other="# scans are being sent." />
      </p>
    )
  return (
    <div className={classes['connection']} data-away role="status">
      <IconCloudOff size={18} stroke={1.5} aria-hidden />
      <span>
        <Trans>No connection. You can keep checking people in.</Trans>{' '}
        {queue.length > 0 && <Plural value={queue.length} one="# scan is waiting to be sent." other="# scans are waiting to be sent." />}{' '}
        {!lasting && <Trans>This browser stores nothing: don’t close this page.</Trans>}
      </span>
      <Button size="compact-sm" variant="default" onClick={() => void retry()}>
        <Trans>Try again</Trans>
      </Button>
    </div>
  )
}

type Look = { tone: 'good' | 'warning' | 'bad' | 'plain'; icon: ReactNode; title: string; text: string }

/** What is said of a scan: by the device at first, then by the server. */
function useLook({ timezone }: Event) {
  const times = useEventTimes()
  return ({ verdict, answer, scan, undone }: Shown): Look => {
    const name = answer?.registration?.name ?? verdict.entry?.name ?? scan.name
    const ticket = answer?.registration?.ticketType ?? verdict.entry?.ticketType ?? ''
    const check = <IconCheck size={40} stroke={2} aria-hidden />
    const warn = <IconAlertTriangle size={40} stroke={2} aria-hidden />
    const cross = <IconX size={40} stroke={2} aria-hidden />
    if (undone) return { tone: 'plain', icon: cross, title: name || t`Undone`, text: t`Check-in undone` }
    switch (answer?.result ?? verdict.result) {
      case 'checked_in':
        return { tone: 'good', icon: check, title: name, text: [t`Checked in`, ticket].filter(Boolean).join(' · ') }
      case 'already': {
        const first = answer?.first
        const at = first?.at ?? verdict.entry?.checkedInAt
        const time = at ? times.clockIn(timezone, at) : ''
        const by = [first?.by, first?.device].filter(Boolean).join(', ')
        const text = !time ? t`Already checked in` : by ? t`Already checked in at ${time} by ${by}` : t`Already checked in at ${time}`
        return { tone: 'warning', icon: warn, title: name, text: [text, ticket].filter(Boolean).join(' · ') }
      }
      case 'not_confirmed':
        return { tone: 'bad', icon: cross, title: name, text: t`Has no confirmed seat` }
      case 'transferred':
        return { tone: 'bad', icon: cross, title: name, text: t`This ticket was transferred to somebody else` }
      case 'invalid':
        return { tone: 'bad', icon: cross, title: t`Not a ticket`, text: t`This code is not from this organisation` }
      case 'unknown':
        return {
          tone: 'bad',
          icon: cross,
          title: name || t`Unknown ticket`,
          text: answer ? t`This ticket is for another event` : t`Not on the list of this device. Wait for the answer of the server.`,
        }
    }
  }
}

const mayUndo = ({ answer, verdict, undone }: Shown) => !undone && (answer?.result ?? verdict.result) === 'checked_in'

function Result({ event, shown, onUndo }: { event: Event; shown: Shown | undefined; onUndo: (shown: Shown) => void }) {
  const lookOf = useLook(event)
  const look = shown && lookOf(shown)
  return (
    <div className={classes['result']} data-tone={look?.tone} role="status" aria-live="assertive" aria-atomic>
      {look ? (
        <>
          {look.icon}
          <div className={classes['resultText']}>
            <strong className={classes['resultName']}>{look.title}</strong>
            <span>{look.text}</span>
          </div>
          {mayUndo(shown) && (
            <Button variant="default" onClick={() => onUndo(shown)}>
              <Trans>Undo</Trans>
            </Button>
          )}
        </>
      ) : (
        <span className={classes['dim']}>
          <Trans>Scan a ticket, enter its code or search by name.</Trans>
        </span>
      )}
    </div>
  )
}

function Recent({ event, shown, onUndo }: { event: Event; shown: Shown; onUndo: () => void }) {
  const look = useLook(event)(shown)
  return (
    <li className={classes['line']}>
      <span className={classes['what']}>
        <strong>{look.title}</strong>
        <span className={classes['tone']} data-tone={look.tone}>
          {look.text}
        </span>
      </span>
      {mayUndo(shown) && (
        <Button size="compact-sm" variant="default" aria-label={t`Undo the check-in of ${look.title}`} onClick={onUndo}>
          <Trans>Undo</Trans>
        </Button>
      )}
    </li>
  )
}

/** A code is taken on Enter, as scanners that type do; anything else is looked for among the names. */
function Find({ event, door, onCode }: { event: Event; door: DoorState; onCode: (code: string) => void }) {
  const times = useEventTimes()
  const [text, setText] = useState('')
  const words = useDeferredValue(text)
  const found = looksLikeCode(words) ? [] : searched(door.roster, words, folded, 20)
  const take = (code: string) => {
    onCode(code)
    setText('')
  }
  const enter = () => {
    const [only, ...others] = found
    if (looksLikeCode(text)) take(text.trim())
    else if (only && others.length === 0 && only.status === 'confirmed') take(only.code)
  }
  const state = ({ status, checkedInAt, ticketType }: RosterEntry) =>
    [
      status === 'checked_in' ? (checkedInAt ? t`Checked in at ${times.clockIn(event.timezone, checkedInAt)}` : t`Checked in`) : '',
      ticketType,
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <search>
      <TextInput
        size="md"
        label={t`Name or ticket code`}
        autoComplete="off"
        leftSection={<IconSearch size={18} stroke={1.5} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') enter()
        }}
      />
      <p className={classes['dim']} role="status">
        {words.trim() !== '' &&
          !looksLikeCode(words) &&
          plural(found.length, { 0: 'Nobody on the list matches.', one: '# person', other: '# people' })}
      </p>
      <ul className={classes['lines']} aria-label={t`People found`}>
        {found.map((entry) => (
          <li key={entry.id} className={classes['line']}>
            <span className={classes['what']}>
              <strong>{entry.name}</strong>
              <span className={classes['dim']}>{state(entry)}</span>
            </span>
            {entry.status === 'confirmed' && (
              <Button aria-label={t`Check in ${entry.name}`} onClick={() => take(entry.code)}>
                <Trans>Check in</Trans>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </search>
  )
}

/** What others read at a second scan: which kind of device it was. */
const deviceName = () => {
  const { userAgent } = navigator
  if (/iPad|Tablet/.test(userAgent)) return t`Tablet`
  return /Mobi|Android|iPhone/.test(userAgent) ? t`Phone` : t`Computer`
}

/** High for a seat, low for a problem. */
function signal(isGood: boolean) {
  if ('vibrate' in navigator) navigator.vibrate(isGood ? 60 : [80, 60, 80])
  const context = new AudioContext()
  const tone = context.createOscillator()
  tone.frequency.value = isGood ? 880 : 220
  tone.connect(context.destination)
  tone.start()
  tone.stop(context.currentTime + 0.15)
  tone.addEventListener('ended', () => void context.close())
}
