import { Button, Menu } from '@mantine/core'
import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { IconPlus } from '@tabler/icons-react'
import { Kbd } from '../ui/kbd.tsx'
import { useAllowedKinds } from './allowed-areas.ts'
import { AvatarMenu } from './avatar-menu.tsx'
import { ProgressButton } from './progress-button.tsx'

export const HeaderTools = () => (
  <>
    <NewMenu />
    <ProgressButton />
    <AvatarMenu />
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
        <Button size="compact-md" leftSection={<IconPlus size={16} aria-hidden />}>
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
