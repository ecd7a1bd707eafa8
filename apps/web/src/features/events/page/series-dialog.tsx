import { Button, Group, Radio, Stack, Textarea } from '@mantine/core'
import '@mantine/core/styles/Radio.css'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { EventSeries, SeriesPlan } from '@guildhall/contract/features/events'
import { repeatsOf } from '@guildhall/contract/repeats'
import type { Repeats } from '@guildhall/contract/repeats'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { RepeatsInput } from '../edit/repeats-field.tsx'
import { dayOf, useEventTimes } from '../event-times.ts'
import { useEventChanged } from '../events-api.ts'
import type { Event } from '../events-api.ts'

type Scope = 'following' | 'all'
type Props = { event: Event; series: EventSeries; onClose: () => void }

/** Another rule for the dates to come: what it would change is shown before anything is saved. */
export function SeriesDialog({ event, series, onClose }: Props) {
  const { events } = useApi().data
  const changed = useEventChanged()
  const now = new Date().toISOString()
  const [scope, setScope] = useState<Scope>('following')
  const [repeats, setRepeats] = useState<Repeats>(() => repeatsOf(series.rule, series.untilOn))
  const [plan, setPlan] = useState<SeriesPlan>()
  const [dropped, setDropped] = useState<'keep' | 'cancel'>('keep')
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const firstAhead = series.dates.find(({ startsLocal, status }) => status === 'published' && startsLocal > now.slice(0, 19))
  const startsOn = dayOf(scope === 'all' && firstAhead ? firstAhead.startsLocal : event.startsLocal)
  const known = plan?.dropped.filter(({ registrations, exception }) => registrations > 0 || exception) ?? []
  const cancels = plan ? plan.dropped.length - (dropped === 'keep' ? known.length : 0) : 0
  const attempt = async (act: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await act()
    } catch (failed) {
      setProblem(failed instanceof Error ? failed : new Error(String(failed)))
    } finally {
      setBusy(false)
    }
  }
  const preview = () => attempt(async () => setPlan(await events.previewSeries.call({ eventId: event.id, repeats, scope })))
  const save = () =>
    attempt(async () => {
      const told = reason.trim() || t`The dates of the series have changed.`
      const saved = await events.changeSeries.call(
        { eventId: event.id, repeats, scope, reason: told, ...(known.length > 0 && { dropped }) },
        { context: { ifMatch: event.version } },
      )
      await changed(saved)
      toast.success(t`Dates changed`)
      onClose()
    })
  return (
    <Dialog opened onClose={onClose} title={t`Change dates`} size="lg">
      <Stack gap="md">
        {problem && <ProblemState problem={problem} title={t`The dates could not be changed`} />}
        {!plan && (
          <>
            <Radio.Group label={t`Change`} value={scope} onChange={(chosen) => setScope(chosen === 'all' ? 'all' : 'following')}>
              <Stack gap="xs" mt="xs">
                <Radio value="following" label={t`This and the following events`} data-autofocus />
                <Radio value="all" label={t`All events that have not begun`} />
              </Stack>
            </Radio.Group>
            <RepeatsInput
              key={startsOn}
              repeats={repeats}
              startsOn={startsOn}
              onChange={(next) => next && setRepeats(next)}
              errorOf={() => undefined}
              required
            />
          </>
        )}
        {plan && (
          <>
            <Plan plan={plan} />
            {known.length > 0 && (
              <Radio.Group
                label={t`Dropped dates with registrations or changes of their own`}
                value={dropped}
                onChange={(chosen) => setDropped(chosen === 'cancel' ? 'cancel' : 'keep')}
              >
                <Stack gap="xs" mt="xs">
                  <Radio value="keep" label={t`Keep as single events`} />
                  <Radio value="cancel" label={t`Cancel and tell everybody registered`} />
                </Stack>
              </Radio.Group>
            )}
            {cancels > 0 && (
              <Textarea
                label={t`Reason for cancelling`}
                description={<Plural value={cancels} one="# event is cancelled." other="# events are cancelled." />}
                placeholder={t`The dates of the series have changed.`}
                maxLength={500}
                autosize
                value={reason}
                onChange={({ currentTarget }) => setReason(currentTarget.value)}
              />
            )}
          </>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={plan ? () => setPlan(undefined) : onClose}>
            {plan ? <Trans>Back</Trans> : <Trans>Cancel</Trans>}
          </Button>
          {plan ? (
            <Button loading={busy} onClick={() => void save()}>
              <Trans>Change dates</Trans>
            </Button>
          ) : (
            <Button loading={busy} onClick={() => void preview()}>
              <Trans>Preview changes</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}

function Plan({ plan }: { plan: SeriesPlan }) {
  const times = useEventTimes()
  const { number } = useFormats()
  const made = plan.days.length - plan.stay
  return (
    <Stack gap="sm">
      <ul>
        <li>
          <Plural value={plan.stay} one="# date stays." other="# dates stay." />
        </li>
        <li>
          <Plural value={made} one="# date is added." other="# dates are added." />
        </li>
        <li>
          <Plural value={plan.dropped.length} one="# date is dropped." other="# dates are dropped." />
        </li>
      </ul>
      {plan.dropped.length > 0 && (
        <ul aria-label={t`Dropped dates`}>
          {plan.dropped.slice(0, 20).map(({ id, startsLocal, registrations }) => (
            <li key={id}>
              {times.day(startsLocal)}
              {registrations > 0 && (
                <>
                  {' '}
                  · <Plural value={registrations} one="# registration" other="# registrations" />
                </>
              )}
            </li>
          ))}
          {plan.dropped.length > 20 && <li>{t`${number(plan.dropped.length - 20)} more`}</li>}
        </ul>
      )}
    </Stack>
  )
}
