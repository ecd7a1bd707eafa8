import { UnstyledButton } from '@mantine/core'
import { useLingui } from '@lingui/react'
import { t } from '@lingui/core/macro'
import { IconLayoutGrid, IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { AppLink } from '../../platform/navigation/app-link.tsx'
import { usePicture } from '../../platform/records/picture.tsx'
import { useMe } from '../../platform/session/session.ts'
import { setPreference, usePreferences } from '../../platform/session/preferences.ts'
import { useRecentRecords } from '../../platform/activity/recent-records.ts'
import type { Area } from '../../platform/navigation/slots.tsx'
import { useAllowedAreas } from './allowed-areas.ts'
import { useCurrentArea } from './current-area.ts'
import classes from './main-navigation.module.css'
import { hrefOf, usePins, useWaiting } from './menu-api.ts'
import { overlays } from '../shell/overlays.ts'
import { WaitingBadge } from './waiting-badge.tsx'

export function MainNavigation() {
  const groups = useAllowedAreas()
  const current = useCurrentArea()
  const { sidebar } = usePreferences()
  const rail = sidebar === 'rail'
  const { data: me } = useMe()
  const logo = usePicture(me?.organisation.logoId)
  const brand = (logo && me?.organisation.name) || 'Guildhall'
  return (
    <>
      <AppLink href="/" className={classes['brand']} aria-label={t`${brand}, home`}>
        <img src={logo ?? '/favicon.svg'} alt="" width={28} height={28} className={classes['logo']} />
        <span className={classes['label']}>{brand}</span>
      </AppLink>
      <div className={classes['groups']}>
        {groups.map((group) => (
          <ul key={group[0]?.key} className={classes['group']}>
            {group.map((area) => (
              <li key={area.key}>
                <AreaLink area={area} current={area.key === current} />
              </li>
            ))}
          </ul>
        ))}
        <PinnedLinks />
        <RecentLinks />
      </div>
      <div className={classes['foot']}>
        <AppLink href="/menu" className={classes['item']} aria-current={current === 'site' ? 'page' : undefined}>
          <IconLayoutGrid size={20} stroke={1.5} aria-hidden />
          <span className={classes['label']}>{t`Menu`}</span>
        </AppLink>
        <UnstyledButton
          className={`${classes['item']} ${classes['collapse']}`}
          onClick={() => setPreference('sidebar', rail ? 'open' : 'rail')}
        >
          {rail ? (
            <IconLayoutSidebarLeftExpand size={20} stroke={1.5} aria-hidden />
          ) : (
            <IconLayoutSidebarLeftCollapse size={20} stroke={1.5} aria-hidden />
          )}
          <span className={classes['label']}>{rail ? t`Widen navigation` : t`Narrow navigation`}</span>
        </UnstyledButton>
      </div>
    </>
  )
}

function AreaLink({ area, current }: { area: Area; current: boolean }) {
  const { i18n } = useLingui()
  const label = i18n._(area.label)
  const Icon = area.icon
  const waiting = useWaiting()(area.key)
  const content = (
    <>
      <Icon size={20} stroke={1.5} aria-hidden />
      <span className={classes['label']}>{label}</span>
      <WaitingBadge count={waiting} />
    </>
  )
  if (area.switcher) {
    return (
      <UnstyledButton
        className={classes['item']}
        aria-current={current ? 'page' : undefined}
        aria-haspopup="dialog"
        onClick={() => overlays.open(area.key)}
      >
        {content}
      </UnstyledButton>
    )
  }
  return (
    <AppLink href={area.href} className={classes['item']} aria-current={current ? 'page' : undefined}>
      {content}
    </AppLink>
  )
}

/** Pinned records; pinned pages are in the navigation anyway. */
function PinnedLinks() {
  const pinned = usePins().pins.filter(({ label }) => label !== null)
  if (pinned.length === 0) return null
  return (
    <details className={classes['recent']} open>
      <summary>{t`Pinned`}</summary>
      <ul>
        {pinned.map((pin) => (
          <li key={pin.kind + pin.id}>
            <AppLink href={hrefOf(pin)} className={classes['small']}>
              {pin.label}
            </AppLink>
          </li>
        ))}
      </ul>
    </details>
  )
}

function RecentLinks() {
  const recent = useRecentRecords().slice(0, 6)
  if (recent.length === 0) return null
  return (
    <details className={classes['recent']}>
      <summary>{t`Recent`}</summary>
      <ul>
        {recent.map(({ kind, id, label, to }) => (
          <li key={kind + id}>
            <AppLink href={to} className={classes['small']}>
              {label}
            </AppLink>
          </li>
        ))}
      </ul>
    </details>
  )
}
