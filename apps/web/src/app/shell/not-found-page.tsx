import { Button, Group, TextInput } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { AppLink } from '../../platform/navigation/app-link.tsx'
import { useIsAuthenticated } from '../../platform/auth/auth-context.tsx'
import { usePageTitle } from '../../platform/navigation/page-title.ts'
import { useRecentRecords } from '../../platform/activity/recent-records.ts'
import { Page, PageHeader } from '../../ui/page/page.tsx'
import classes from './not-found-page.module.css'

/** For an unknown path and for a record that is not there, or not there for this reader: the two must look the same. */
export function NotFoundPage() {
  const { pathname } = useLocation()
  const signedIn = useIsAuthenticated()
  const recent = useRecentRecords().slice(0, 5)
  usePageTitle(t`Page not found`)
  return (
    <Page>
      <PageHeader title={t`We can't find this page`} description={<Trans>There is nothing at {pathname}, or nothing you may see.</Trans>} />
      {signedIn && <SearchInstead key={pathname} words={wordsOf(pathname)} />}
      {signedIn && recent.length > 0 && (
        <nav aria-labelledby="recent-heading" className={classes['recent']}>
          <h2 id="recent-heading" className={classes['heading']}>
            <Trans>Opened recently</Trans>
          </h2>
          <ul>
            {recent.map(({ kind, id, label, to }) => (
              <li key={kind + id}>
                <AppLink href={to}>{label}</AppLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <Group>
        <Button component={AppLink} href="/" variant="default">
          <Trans>Go home</Trans>
        </Button>
        <Button component={AppLink} href="/contact" variant="subtle">
          <Trans>Report a broken link</Trans>
        </Button>
      </Group>
    </Page>
  )
}

function SearchInstead({ words }: { words: string }) {
  const router = useRouter()
  const [query, setQuery] = useState(words)
  return (
    <form
      role="search"
      className={classes['search']}
      onSubmit={(event) => {
        event.preventDefault()
        void router.navigate({ href: `/members?q=${encodeURIComponent(query)}` })
      }}
    >
      <TextInput label={t`Search members instead`} value={query} onChange={(event) => setQuery(event.currentTarget.value)} />
      <Button type="submit">
        <Trans>Search</Trans>
      </Button>
    </form>
  )
}

/** "/person/ada-byron" was probably about "ada byron": ids and the words every address has say nothing. */
export function wordsOf(pathname: string): string {
  const silent = /^(person|chapter|groups?|members|events?|reports)$/i
  return decode(pathname)
    .split(/[/\-_+.\s]+/)
    .filter((word) => word.length > 1 && !silent.test(word) && !/\d/.test(word))
    .join(' ')
}

function decode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
