import { Button, Menu } from '@mantine/core'
import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { IconPlus } from '@tabler/icons-react'
import { acting } from '../../platform/api/acting.ts'
import { NotificationBell } from '../../features/notifications/notifications-public.tsx'
import { Kbd } from '../../ui/display/kbd.tsx'
import { useAllowedKinds } from '../navigation/allowed-areas.ts'
import { AvatarMenu } from '../navigation/avatar-menu.tsx'
import classes from './header.module.css'
import { ProgressButton } from './progress-button.tsx'

export const HeaderTools = () => (
  <>
    <NewMenu />
    <ProgressButton />
    {acting.use() === null && <NotificationBell />}
    <span className={classes['account']}>
      <AvatarMenu />
    </span>
  </>
)

function NewMenu() {
  const { i18n } = useLingui()
  const navigate = useNavigate()
  const kinds = useAllowedKinds()
  if (kinds.length === 0) return null
  return (
    <Menu>
      <Menu.Target>
        <Button size="compact-md" className={classes['new'] ?? ''} leftSection={<IconPlus size={18} aria-hidden />}>
          <span className={classes['newText']}>
            <Trans>New</Trans>
          </span>
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
