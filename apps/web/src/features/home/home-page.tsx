import { SegmentedControl, Select } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import { usePageTitle } from '../../platform/navigation/page-title.ts'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useMe } from '../../platform/session/session.ts'
import { useFormats } from '../../ui/display/dates.tsx'
import { Page, PageHeader } from '../../ui/page/page.tsx'
import { Loading, SkeletonCards } from '../../ui/page/skeletons.tsx'
import { HomeAnnouncements } from '../communication/communication-public.tsx'
import { GettingStarted } from './getting-started.tsx'
import { HiddenCards, useHiddenCards } from './hidden-cards.tsx'
import { useHome } from './home-api.ts'
import type { HomeData } from './home-api.ts'
import { useCards } from './home-cards.ts'
import { MemberFigures } from './home-figures.tsx'
import { HomeLists } from './home-lists.tsx'
import classes from './home.module.css'

export const route = createLazyRoute('/signed-in/')({ component: HomePage })

export function HomePage() {
  usePageTitle(t`Home`)
  const home = useHome(route.useSearch())
  const { day } = useFormats()
  return (
    <Page>
      <PageHeader
        title={<Greeting />}
        description={home.data && day(home.data.today)}
        actions={home.data && <ScopeSwitch home={home.data} />}
      />
      <Suspense>
        <HomeAnnouncements />
      </Suspense>
      {home.isPending && (
        <Loading label={t`Loading home`}>
          <SkeletonCards count={6} height={128} />
        </Loading>
      )}
      {home.isError && !home.data && (
        <ProblemState problem={home.error} title={<Trans>Home could not be loaded</Trans>} retry={() => void home.refetch()} />
      )}
      {home.data && (
        <div className={classes['home']} aria-busy={home.isPlaceholderData} data-stale={home.isPlaceholderData || undefined}>
          <Cards home={home.data} />
        </div>
      )}
    </Page>
  )
}

function Cards({ home }: { home: HomeData }) {
  const hidden = useHiddenCards()
  const cards = useCards(home)
  const shown = cards.filter((card) => !hidden.includes(card))
  const { gettingStarted, members } = home
  return (
    <>
      {gettingStarted && shown.includes('gettingStarted') && <GettingStarted steps={gettingStarted} />}
      {members && shown.includes('figures') && <MemberFigures home={home} members={members} />}
      <HomeLists home={home} cards={shown} />
      <HiddenCards cards={cards.filter((card) => hidden.includes(card))} />
    </>
  )
}

function Greeting() {
  const { data: me } = useMe()
  const name = (me?.person?.displayName ?? me?.account.name)?.split(' ')[0]
  const hour = new Date().getHours()
  if (!name) return <Trans>Home</Trans>
  if (hour < 12) return <Trans>Good morning, {name}</Trans>
  return hour < 18 ? <Trans>Good afternoon, {name}</Trans> : <Trans>Good evening, {name}</Trans>
}

/** Which part of the organisation the cards are about; only for those who look after more than themselves. */
function ScopeSwitch({ home }: { home: HomeData }) {
  const navigate = route.useNavigate()
  const { organisation, chapters } = home.scopes
  if (!organisation && chapters.length === 0) return null
  const choose = (scope: string, chapter?: string) =>
    void navigate({
      search: scope === 'me' ? { scope } : scope === 'chapter' ? { scope, chapter: chapter ?? chapters[0]?.id } : { scope: 'organisation' },
    })
  return (
    <div className={classes['scope']}>
      <SegmentedControl
        aria-label={t`Look at`}
        value={home.scope}
        onChange={(scope) => choose(scope)}
        data={[
          { value: 'me', label: t`Me` },
          ...(chapters.length > 0 ? [{ value: 'chapter', label: t`Chapter` }] : []),
          ...(organisation ? [{ value: 'organisation', label: t`Organisation` }] : []),
        ]}
      />
      {home.scope === 'chapter' && (
        <Select
          aria-label={t`Chapter`}
          searchable
          allowDeselect={false}
          value={home.chapter?.id ?? null}
          onChange={(id) => id && choose('chapter', id)}
          data={chapters.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
    </div>
  )
}
