import { Anchor } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { publicChapterPath } from '@guildhall/contract/public-paths'
import type { PublicChapter } from '@guildhall/contract/features/site'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { Section } from '../../ui/page/page.tsx'
import { SearchField } from '../../ui/filter/search-field.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import classes from './contact-page.module.css'
import { usePublicChapters, usePublicOrganisation } from './site-api.ts'
import { mailLink, webLink } from '../../ui/display/contact-links.ts'

/** Chapters that the organisation shows to everybody; nothing at all where it shows none. */
export function ChapterFinder({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const { number } = useFormats()
  const organisation = usePublicOrganisation().data?.name
  const found = usePublicChapters(q)
  const { data, error, isPending, isPlaceholderData, refetch } = found
  if (isPending) return null
  const chapters = data?.items ?? []
  const total = data?.total ?? 0
  if (!error && !q && total === 0) return null
  return (
    <Section title={t`Find a chapter`}>
      {/* A visitor types a town, seldom more. */}
      <SearchField label={t`Name, town or region`} value={q} onChange={onSearch} />
      {error ? (
        <ProblemState problem={error} title={t`The chapters could not be loaded`} retry={() => void refetch()} />
      ) : (
        <>
          <p role="status" className={classes['count']}>
            {total === 0 ? (
              <Trans>No chapter matches.</Trans>
            ) : (
              <Plural value={total} one="# chapter" other={`${number(total)} chapters`} />
            )}
          </p>
          {chapters.length > 0 && (
            <ul className={classes['chapters']} aria-busy={isPlaceholderData}>
              {chapters.map((chapter) => (
                <Chapter key={chapter.code} chapter={chapter} organisation={organisation} />
              ))}
            </ul>
          )}
          <ShowMore query={found}>
            <Trans>Show more chapters</Trans>
          </ShowMore>
        </>
      )}
    </Section>
  )
}

function Chapter({ chapter, organisation }: { chapter: PublicChapter; organisation: string | undefined }) {
  const { name, code, city, parent, contactEmail, website, hasPage } = chapter
  // That it belongs to the organisation goes without saying.
  const place = [city, parent].filter((part) => part && part !== name && part !== organisation).join(' · ')
  return (
    <li>
      <div>
        <strong>
          {hasPage ? (
            <Anchor href={publicChapterPath(code)} underline="always">
              {name}
            </Anchor>
          ) : (
            name
          )}
        </strong>{' '}
        <span className={classes['code']}>{code}</span>
      </div>
      {place && <div className={classes['place']}>{place}</div>}
      {(contactEmail || website) && (
        <div className={classes['ways']}>
          {contactEmail && (
            <Anchor underline="always" href={mailLink(contactEmail)}>
              {contactEmail}
            </Anchor>
          )}
          {website && (
            <Anchor underline="always" href={webLink(website)} rel="noreferrer noopener" target="_blank">
              {website.replace(/^https?:\/\/(www\.)?|\/$/gi, '')}
            </Anchor>
          )}
        </div>
      )}
    </li>
  )
}
