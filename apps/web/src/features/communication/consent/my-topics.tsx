import { Button, NativeSelect, Switch } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { PersonTopic } from '@guildhall/contract/features/communication.topics'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useConsentsChanged, useMailChoices } from './consent-api.ts'
import classes from './consent.module.css'

const weeks = [1, 2, 4, 8, 12]

/** In the profile: which topics one gets mail about, and a pause from all mail that need not be. */
export function MyTopics({ personId }: { personId: string }) {
  const { consents } = useApi().data.communication
  const choices = useMailChoices(personId)
  const changed = useConsentsChanged()
  const [pause, setPause] = useState('2')
  const { moment } = useFormats()
  if (choices.isPending)
    return (
      <Section title={t`Topics`}>
        <SkeletonLines count={4} />
      </Section>
    )
  if (choices.isError)
    return <ProblemState problem={choices.error} title={t`Your subscriptions could not be loaded`} retry={() => void choices.refetch()} />
  const { topics, essentialOnly, pausedUntil } = choices.data
  const save = async (call: () => Promise<unknown>) => {
    try {
      await call()
      await changed()
    } catch (failure) {
      toast.error(t`The change could not be saved.`, failure)
    }
  }
  const prefer = (essential: boolean, pauseWeeks: number | null) =>
    save(() => consents.prefer.call({ personId, essentialOnly: essential, pauseWeeks }))
  const choose = (topic: PersonTopic, subscribed: boolean) =>
    save(async () => {
      await consents.choose.call({ personId, topicId: topic.id, subscribed })
      if (subscribed && topic.confirm) toast.success(t`Check your mail and confirm the subscription.`)
    })
  return (
    <Section title={t`Topics`}>
      <p className={classes['dim']}>
        <Trans>What you get mail about. Essential mail, such as invoices and invitations to meetings, reaches you in any case.</Trans>
      </p>
      {topics.length === 0 && <p>{t`There are no topics yet.`}</p>}
      {topics.map((topic) => (
        <div key={topic.id} className={classes['topic']}>
          <Switch
            label={topic.name}
            description={describe(topic)}
            checked={topic.state !== 'unsubscribed'}
            disabled={topic.kind === 'essential' || essentialOnly}
            onChange={(event) => void choose(topic, event.currentTarget.checked)}
          />
        </div>
      ))}
      <Switch
        label={t`Essential mail only`}
        description={t`No mail about any topic, and no notifications by mail that are not essential.`}
        checked={essentialOnly}
        onChange={(event) => void prefer(event.currentTarget.checked, null)}
      />
      {pausedUntil ? (
        <div className={classes['tools']} role="status">
          <p>{t`Your mail is paused until ${moment(pausedUntil)}.`}</p>
          <Button variant="default" onClick={() => void prefer(essentialOnly, null)}>
            <Trans>End pause</Trans>
          </Button>
        </div>
      ) : (
        !essentialOnly && (
          <div className={classes['tools']}>
            <NativeSelect
              label={t`Pause all mail that is not essential`}
              data={weeks.map((n) => ({ value: String(n), label: n === 1 ? t`For 1 week` : t`For ${n} weeks` }))}
              value={pause}
              onChange={(event) => setPause(event.currentTarget.value)}
            />
            <Button variant="default" onClick={() => void prefer(false, Number(pause))}>
              <Trans>Pause</Trans>
            </Button>
          </div>
        )
      )}
    </Section>
  )
}

function describe({ kind, state, description, chapter }: PersonTopic): string {
  const more =
    kind === 'essential' ? t`Essential: always sent` : state === 'pending' ? t`Awaiting your confirmation by the link of a mail` : undefined
  return [chapter?.name, description, more].filter(Boolean).join(' · ')
}
