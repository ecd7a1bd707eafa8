import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { MailReach, PersonTopic } from '@guildhall/contract/features/communication.topics'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useMailChoices } from './consent-api.ts'
import { refusalWords, sourceWords, stateWords } from './consent-words.ts'
import classes from './consent.module.css'
import { RecordConsentDialog } from './record-consent-dialog.tsx'

/** What a person is subscribed to, why mail does not reach them, and how it came to be. */
export function PersonSubscriptions({ person }: { person: { id: string } }) {
  const choices = useMailChoices(person.id)
  const [recorded, setRecorded] = useState<PersonTopic | null>(null)
  if (choices.isPending)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={5} />
      </Loading>
    )
  if (choices.isError)
    return <ProblemState problem={choices.error} title={t`The subscriptions could not be loaded`} retry={() => void choices.refetch()} />
  const { topics, reach, changes, may } = choices.data
  const states = stateWords()
  const sources = sourceWords()
  return (
    <>
      <Section title={t`Mail`}>
        <Reach reach={reach} />
      </Section>
      <Section title={t`Topics`} count={topics.length}>
        {topics.length === 0 && <p>{t`There are no topics yet.`}</p>}
        {topics.map((topic) => (
          <div key={topic.id} className={classes['topic']}>
            <div>
              {topic.name} {topic.kind === 'essential' && <StatusBadge tone="info">{t`Essential`}</StatusBadge>}
              <div className={classes['dim']}>
                {topic.at && topic.source ? (
                  <>
                    {sources[topic.source]}, <RelativeTime at={topic.at} />
                  </>
                ) : (
                  topic.kind === 'marketing' && t`Never chosen`
                )}
              </div>
            </div>
            <div className={classes['tools']}>
              <StatusBadge tone={states[topic.state].tone}>{states[topic.state].label}</StatusBadge>
              {may.record && topic.kind === 'marketing' && (
                <Button size="xs" variant="default" aria-label={t`Record consent: ${topic.name}`} onClick={() => setRecorded(topic)}>
                  <Trans>Record consent</Trans>
                </Button>
              )}
            </div>
          </div>
        ))}
      </Section>
      {changes.length > 0 && (
        <Section title={t`History of consent`}>
          <ul>
            {changes.map(({ id, topic, state, at, source, note }) => (
              <li key={id}>
                {topic.name}: {states[state].label}, {sources[source]}, <RelativeTime at={at} />
                {note && <div className={classes['dim']}>{note}</div>}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <RecordConsentDialog personId={person.id} topic={recorded} onClose={() => setRecorded(null)} />
    </>
  )
}

function Reach({ reach: { refusal, essentialToo, since, until } }: { reach: MailReach }) {
  const { moment } = useFormats()
  if (refusal === null) return <p>{t`Nothing keeps mail from this person. What they get depends on their topics.`}</p>
  return (
    <div role="note">
      <p>
        <strong>{essentialToo ? t`No mail reaches this person.` : t`Only essential mail reaches this person.`}</strong>{' '}
        {refusalWords()[refusal]}
      </p>
      {since && <p className={classes['dim']}>{t`Since ${moment(since)}`}</p>}
      {until && <p className={classes['dim']}>{t`Until ${moment(until)}`}</p>}
    </div>
  )
}
