import { UnstyledButton } from '@mantine/core'
import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { AppLink } from '../../platform/navigation/app-link.tsx'
import { useCurrentTitle } from '../../platform/navigation/page-title.ts'
import { useFrameSlot } from '../../platform/navigation/slots.tsx'
import { Kbd } from '../../ui/display/kbd.tsx'
import { useCurrentArea } from '../navigation/current-area.ts'
import classes from './header.module.css'
import { overlays } from './overlays.ts'

// The menus need more code than everything else in the frame; the page does not wait for them.
const HeaderTools = lazy(async () => ({ default: (await import('./header-tools.tsx')).HeaderTools }))

export function Header() {
  return (
    <header className={classes['header']}>
      <Breadcrumb />
      <UnstyledButton className={classes['search']} aria-haspopup="dialog" onClick={() => overlays.open('palette')}>
        <IconSearch size={16} stroke={1.5} aria-hidden />
        <span className={classes['searchText']}>
          <Trans>Search or go to</Trans>
        </span>
        <span className={classes['keys']}>
          <Kbd keys="mod+k" />
        </span>
      </UnstyledButton>
      <div className={classes['tools']}>
        <Suspense fallback={<span className={classes['account']} />}>
          <HeaderTools />
        </Suspense>
      </div>
    </header>
  )
}

function Breadcrumb() {
  const { i18n } = useLingui()
  const key = useCurrentArea()
  const title = useCurrentTitle()
  const area = useFrameSlot('areas').find((known) => known.key === key)
  const areaLabel = area && i18n._(area.label)
  return (
    <nav aria-label={t`Breadcrumb`} className={classes['crumbs']}>
      <ol>
        {area && areaLabel !== title && <li>{area.href ? <AppLink href={area.href}>{areaLabel}</AppLink> : areaLabel}</li>}
        <li aria-current="page">{title}</li>
      </ol>
    </nav>
  )
}
