import { Anchor } from '@mantine/core'
import { useLingui } from '@lingui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { IconBuildingCommunity, IconLayoutGrid, IconLogout, IconUser, IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import features from '../../../../../features.json'
import { AppearanceChoices } from '../../platform/session/appearance-choices.tsx'
import { useAuth } from '../../platform/auth/auth-context.tsx'
import { AppLink } from '../../platform/navigation/app-link.tsx'
import { usePageTitle } from '../../platform/navigation/page-title.ts'
import { useRecentRecords } from '../../platform/activity/recent-records.ts'
import { useMe } from '../../platform/session/session.ts'
import type { Area } from '../../platform/navigation/slots.tsx'
import { Page, PageHeader } from '../../ui/page/page.tsx'
import { SearchField } from '../../ui/filter/search-field.tsx'
import { useAllowedAreas } from './allowed-areas.ts'
import { hrefOf, pinOf, usePins, useWaiting } from './menu-api.ts'
import type { PinnedEntry } from './menu-api.ts'
import classes from './menu-page.module.css'
import { overlays } from '../shell/overlays.ts'
import { PinButton } from './pin-button.tsx'
import { WaitingBadge } from './waiting-badge.tsx'

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
        <Pinned />
        {groups.length === 0 && (
          <p role="status">
            <Trans>No page is called that. Members, groups and chapters are found with Ctrl+K.</Trans>
          </p>
        )}
        {groups.map((group) => (
          <ul key={group[0]?.key} className={classes['group']}>
            {group.map((area) => (
              <li key={area.key} className={classes['pinnable']}>
                <AreaEntry area={area} />
                <PinButton entry={{ kind: 'page', id: area.key, label: null }} name={i18n._(area.label)} />
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
  const waiting = useWaiting()(area.key)
  const content = (
    <>
      <Icon size={24} stroke={1.5} aria-hidden />
      <span className={classes['words']}>
        <span className={classes['label']}>{i18n._(area.label)}</span>
        <span className={classes['purpose']}>{i18n._(area.purpose)}</span>
      </span>
      {'planned' in features[area.key] && <span className={classes['planned']}>{t`Planned`}</span>}
      <WaitingBadge count={waiting} />
    </>
  )
  if (area.switcher) {
    return (
      <button type="button" className={classes['entry']} aria-haspopup="dialog" onClick={() => overlays.open(area.key)}>
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

/** What somebody keeps at the top. A record that is gone, or not theirs to see any more, can only be taken off. */
function Pinned() {
  const { i18n } = useLingui()
  const { pins } = usePins()
  const pages = useAllowedAreas().flat()
  if (pins.length === 0) return null
  return (
    <section aria-labelledby="pinned">
      <h2 id="pinned" className={classes['heading']}>
        <Trans>Pinned</Trans>
      </h2>
      <ul className={classes['group']}>
        {pins.map((pin) => {
          const area = pin.kind === 'page' ? pages.find(({ key }) => key === pin.id) : undefined
          const name = (area ? i18n._(area.label) : pin.label) ?? t`No longer there`
          return (
            <li key={pin.kind + pin.id} className={classes['pinnable']}>
              {area ? <AreaEntry area={area} /> : <PinnedRecord pin={pin} name={name} />}
              <PinButton entry={pin} name={name} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function PinnedRecord({ pin, name }: { pin: PinnedEntry; name: string }) {
  const Icon = { page: IconLayoutGrid, person: IconUser, chapter: IconBuildingCommunity, group: IconUsersGroup }[pin.kind]
  const content = (
    <>
      <Icon size={24} stroke={1.5} aria-hidden />
      <span className={`${classes['words']} ${classes['label']}`}>{name}</span>
    </>
  )
  return pin.label === null ? (
    <span className={classes['entry']} data-gone>
      {content}
    </span>
  ) : (
    <AppLink href={hrefOf(pin)} className={classes['entry']}>
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
          <li key={kind + id} className={classes['recentEntry']}>
            <AppLink href={to}>{label}</AppLink>
            <RecentPin kind={kind} id={id} label={label} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function RecentPin(record: { kind: string; id: string; label: string }) {
  const entry = pinOf(record)
  return entry && <PinButton entry={entry} name={record.label} />
}
