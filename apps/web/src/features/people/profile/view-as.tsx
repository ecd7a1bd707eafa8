import { SegmentedControl } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useAudiences } from '../people-api.ts'
import type { AudienceView, Person } from '../people-api.ts'
import classes from './own-person.module.css'

type Audience = AudienceView['audience']
type Entry = { key: string; text: string; visibleTo: 'officers' | 'members' }

/** One's own contact data as others see it, by the rules that the server says hold for them. */
export function ViewAs({ person }: { person: Person }) {
  const audiences = useAudiences()
  const [chosen, setChosen] = useState<Audience>('elsewhere')
  const views = audiences.data?.items ?? []
  const view = views.find(({ audience }) => audience === chosen) ?? views[0]
  const words = audienceWords()
  return (
    <Section title={t`View as`}>
      {audiences.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={4} />
        </Loading>
      )}
      {audiences.isError && (
        <ProblemState problem={audiences.error} title={t`What others see could not be loaded`} retry={() => void audiences.refetch()} />
      )}
      {view && (
        <>
          <SegmentedControl
            orientation="vertical"
            fullWidth
            size="md"
            aria-label={t`View my contact data as`}
            value={view.audience}
            data={views.map(({ audience }) => ({ value: audience, label: words[audience] }))}
            onChange={(value) => setChosen(value)}
          />
          <Seen person={person} view={view} />
        </>
      )}
    </Section>
  )
}

function Seen({ person, view: { seesPerson, sees } }: { person: Person; view: AudienceView }) {
  const entries = entriesOf(person)
  if (!seesPerson) return <p role="status">{t`They do not find you in the directory, and see nothing of you.`}</p>
  if (entries.length === 0) return <p role="status">{t`You have no contact data that could be seen.`}</p>
  const seen = entries.filter(({ visibleTo }) => sees.includes(visibleTo))
  const hidden = entries.filter((entry) => !seen.includes(entry))
  return (
    <div role="status" className={classes['seen']}>
      <List title={<Trans>They see</Trans>} icon={<IconEye size={16} stroke={1.5} aria-hidden />} entries={seen} />
      <List title={<Trans>Hidden from them</Trans>} icon={<IconEyeOff size={16} stroke={1.5} aria-hidden />} entries={hidden} />
    </div>
  )
}

function List({ title, icon, entries }: { title: ReactNode; icon: ReactNode; entries: readonly Entry[] }) {
  const id = useId()
  return (
    <div>
      <h3 id={id}>
        {icon} {title}
      </h3>
      {entries.length === 0 ? (
        <p>{t`Nothing`}</p>
      ) : (
        <ul aria-labelledby={id}>
          {entries.map(({ key, text }) => (
            <li key={key}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

function entriesOf({ emails, phones, contact }: Person): Entry[] {
  const { street, postalCode, city, region, country, website, links } = contact ?? {}
  const town = [postalCode, city].filter(Boolean).join(' ')
  const address = [street, town, region, country].filter(Boolean).join(', ')
  const others = [address, website, ...Object.entries(links ?? {}).map(([service, handle]) => `${service}: ${handle}`)]
  return [
    ...emails.map(({ id, address: text, visibleTo }) => ({ key: id, text, visibleTo })),
    ...phones.map(({ id, number: text, visibleTo }) => ({ key: id, text, visibleTo })),
    ...others.flatMap((text) => (text ? [{ key: text, text, visibleTo: contact?.visibleTo ?? 'officers' }] : [])),
  ]
}

const audienceWords = (): Record<Audience, string> => ({
  elsewhere: t`A member of another chapter`,
  chapter: t`A member of my chapter`,
  officer: t`An officer of my chapter`,
})
