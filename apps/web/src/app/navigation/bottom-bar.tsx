import { useLingui } from '@lingui/react'
import { t } from '@lingui/core/macro'
import { IconLayoutGrid } from '@tabler/icons-react'
import { AppLink } from '../../platform/navigation/app-link.tsx'
import { useAllowedAreas } from './allowed-areas.ts'
import classes from './bottom-bar.module.css'
import { useCurrentArea } from './current-area.ts'
import { useWaiting } from './menu-api.ts'
import { WaitingBadge } from './waiting-badge.tsx'

/** The phone's navigation; `menu` is the full map. Style sheets take it away on anything wider. */
export function BottomBar() {
  const { i18n } = useLingui()
  const current = useCurrentArea()
  const waiting = useWaiting()
  const shown = useAllowedAreas()
    .flat()
    .filter(({ phone }) => phone)
  return (
    <nav aria-label={t`Main`} className={classes['bar']} data-no-print>
      {shown.map(({ key, icon: Icon, label, href }) => (
        <AppLink key={key} href={href} className={classes['item']} aria-current={key === current ? 'page' : undefined}>
          <Icon size={22} stroke={1.5} aria-hidden />
          <WaitingBadge count={waiting(key)} />
          {key === 'fundraising' ? t`Giving` : i18n._(label)}
        </AppLink>
      ))}
      <AppLink href="/menu" className={classes['item']} aria-current={current === 'site' ? 'page' : undefined}>
        <IconLayoutGrid size={22} stroke={1.5} aria-hidden />
        {t`Menu`}
      </AppLink>
    </nav>
  )
}
