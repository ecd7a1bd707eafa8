import { Anchor } from '@mantine/core'
import { useLingui } from '@lingui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { IconLogout, IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import { AppearanceChoices } from '../platform/appearance-choices.tsx'
import { useAuth } from '../platform/auth/auth-context.tsx'
import { AppLink } from '../platform/app-link.tsx'
import { usePageTitle } from '../platform/page-title.ts'
import { useRecentRecords } from '../platform/recent-records.ts'
import { useMe } from '../platform/session.ts'
import { Page, PageHeader } from '../ui/page.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { useAllowedAreas } from './allowed-areas.ts'
import type { Area } from './areas.tsx'
import classes from './menu-page.module.css'
import { overlays } from './overlays.ts'

export const route = createLazyRoute('/signed-in/menu')({ component: MenuPage })

/** The whole map of the application: what the sidebar shows on wide screens, with a line about each place. */
function MenuPage() {
  usePageTitle(t`Menu`)
  const { i18n } = useLingui()
  const [wanted, setWanted] = useState('')
  const matches = ({ label, purpose }: Area) =>
    `${i18n._(label)} ${i18n._(purpose)}`.toLocaleLowerCase().includes(wanted.trim().toLocaleLowerCase())
  const groups = useAllowedAreas()
    .map((group) => group.filter(matches))
    .filter((group) => group.length > 0)
  return (
    <Page>
      <PageHeader title={t`Menu`} />
      <div className={classes['page']}>
        <Myself />
        <SearchField label={t`Find a page`} value={wanted} onChange={setWanted} />
        {groups.length === 0 && (
          <p role="status">
            <Trans>No page is called that. Members, groups and chapters are found with Ctrl+K.</Trans>
          </p>
        )}
        {groups.map((group) => (
          <ul key={group[0]?.key} className={classes['group']}>
            {group.map((area) => (
              <li key={area.key}>
                <AreaEntry area={area} />
              </li>
            ))}
          </ul>
        ))}
        <Recent />
        <section className={classes['foot']} aria-label={t`Appearance and help`}>
          <AppearanceChoices />
          <nav aria-label={t`Help`} className={classes['links']}>
            <Anchor component="button" type="button" onClick={() => overlays.open('shortcuts')}>
              <Trans>Keyboard shortcuts</Trans>
            </Anchor>
            <AppLink href="/contact">{t`Help and contact`}</AppLink>
            <AppLink href="/privacy">{t`Privacy policy`}</AppLink>
            <AppLink href="/tos">{t`Terms of service`}</AppLink>
          </nav>
        </section>
      </div>
    </Page>
  )
}

function AreaEntry({ area }: { area: Area }) {
  const { i18n } = useLingui()
  const Icon = area.icon
  const content = (
    <>
      <Icon size={24} stroke={1.5} aria-hidden />
      <span className={classes['words']}>
        <span className={classes['label']}>{i18n._(area.label)}</span>
        <span className={classes['purpose']}>{i18n._(area.purpose)}</span>
      </span>
      {area.planned && <span className={classes['planned']}>{t`Planned`}</span>}
    </>
  )
  if (area.opens) {
    return (
      <button type="button" className={classes['entry']} aria-haspopup="dialog" onClick={() => overlays.open('chapters')}>
        {content}
      </button>
    )
  }
  return (
    <AppLink href={area.href} className={classes['entry']}>
      {content}
    </AppLink>
  )
}

function Myself() {
  const auth = useAuth()
  const { data: me } = useMe()
  return (
    <ul className={classes['group']}>
      <li>
        <AppLink href="/profile" className={classes['entry']}>
          <IconUser size={24} stroke={1.5} aria-hidden />
          <span className={classes['words']}>
            <span className={classes['label']}>{me?.person?.displayName ?? me?.account.name ?? t`Profile`}</span>
            <span className={classes['purpose']}>{me?.account.email}</span>
          </span>
        </AppLink>
      </li>
      <li>
        <button type="button" className={classes['entry']} onClick={() => void auth.signOut()}>
          <IconLogout size={24} stroke={1.5} aria-hidden />
          <span className={classes['label']}>{t`Sign out`}</span>
        </button>
      </li>
    </ul>
  )
}

function Recent() {
  const recent = useRecentRecords().slice(0, 10)
  if (recent.length === 0) return null
  return (
    <section aria-labelledby="recent">
      <h2 id="recent" className={classes['heading']}>
        <Trans>Recent</Trans>
      </h2>
      <ul className={classes['recent']}>
        {recent.map(({ kind, id, label, to }) => (
          <li key={kind + id}>
            <AppLink href={to}>{label}</AppLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
