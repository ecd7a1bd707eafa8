import { Button, Menu, UnstyledButton } from '@mantine/core'
import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { AppLink } from '../platform/app-link.tsx'
import { useCurrentTitle } from '../platform/page-title.ts'
import { Kbd } from '../ui/kbd.tsx'
import { useAllowedKinds } from './allowed-areas.ts'
import { areas } from './areas.tsx'
import { AvatarMenu } from './avatar-menu.tsx'
import { useCurrentArea } from './current-area.ts'
import classes from './header.module.css'
import { overlays } from './overlays.ts'
import { ProgressButton } from './progress-button.tsx'

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
        <NewMenu />
        <ProgressButton />
        <AvatarMenu />
      </div>
    </header>
  )
}

function Breadcrumb() {
  const { i18n } = useLingui()
  const key = useCurrentArea()
  const title = useCurrentTitle()
  const area = areas.find((known) => known.key === key)
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

function NewMenu() {
  const { i18n } = useLingui()
  const navigate = useNavigate()
  const kinds = useAllowedKinds()
  if (kinds.length === 0) return null
  return (
    <Menu>
      <Menu.Target>
        <Button className={classes['new'] ?? ''} size="compact-md" leftSection={<IconPlus size={16} aria-hidden />}>
          <Trans>New</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map(({ key, label, href }) => (
          <Menu.Item key={key} rightSection={<Kbd keys={`c ${key}`} />} onClick={() => void navigate({ href })}>
            {i18n._(label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

