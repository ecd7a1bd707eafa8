import { Menu, SegmentedControl, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { IconHelp, IconHistory, IconKeyboard, IconLogout, IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import { useAuth } from '../platform/auth/auth-context.tsx'
import { activateLocale, locales, offeredLocales } from '../platform/i18n.ts'
import type { LocaleKey } from '../platform/i18n.ts'
import { setPreference, usePreferences } from '../platform/preferences.ts'
import { useMe } from '../platform/session.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Kbd } from '../ui/kbd.tsx'
import classes from './avatar-menu.module.css'
import { overlays } from './overlays.ts'
import { RecentChanges } from './recent-changes-list.tsx'

export function AvatarMenu() {
  const auth = useAuth()
  const navigate = useNavigate()
  const { data: me } = useMe()
  const [changes, setChanges] = useState(false)
  const name = me?.person?.displayName ?? me?.account.name ?? auth.profile().name ?? ''
  return (
    <>
      <Menu width={280} closeOnItemClick>
        <Menu.Target>
          <UnstyledButton className={classes['button']} aria-label={name ? t`Account of ${name}` : t`Account`}>
            <Avatar name={name} size={32} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes['who']}>
            <strong>{name}</strong>
            <span>{me?.account.email}</span>
            <span>{me?.organisation.name}</span>
          </div>
          <Menu.Divider />
          <Menu.Item leftSection={<IconUser size={16} aria-hidden />} onClick={() => void navigate({ href: '/profile' })}>
            <Trans>Profile</Trans>
          </Menu.Item>
          <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={() => setChanges(true)}>
            <Trans>Recent changes</Trans>
          </Menu.Item>
          <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} rightSection={<Kbd keys="?" />} onClick={() => overlays.open('shortcuts')}>
            <Trans>Keyboard shortcuts</Trans>
          </Menu.Item>
          <Menu.Item leftSection={<IconHelp size={16} aria-hidden />} onClick={() => void navigate({ href: '/contact' })}>
            <Trans>Help and contact</Trans>
          </Menu.Item>
          <Menu.Divider />
          <Choices />
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void auth.signOut()}>
            <Trans>Sign out</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RecentChanges opened={changes} onClose={() => setChanges(false)} />
    </>
  )
}

/** Theme, density and language at once; they need no page. */
export function Choices() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { density, locale } = usePreferences()
  const chooseLocale = async (key: LocaleKey) => {
    await activateLocale(key)
    setPreference('locale', key)
  }
  return (
    <div className={classes['choices']}>
      <Choice
        label={t`Theme`}
        value={colorScheme}
        options={[
          ['auto', t`System`],
          ['light', t`Light`],
          ['dark', t`Dark`],
        ]}
        onChange={setColorScheme}
      />
      <Choice
        label={t`Density`}
        value={density}
        options={[
          ['compact', t`Compact`],
          ['default', t`Normal`],
          ['comfortable', t`Roomy`],
        ]}
        onChange={(value) => setPreference('density', value)}
      />
      <Choice label={t`Language`} value={locale} options={offeredLocales.map((key) => [key, locales[key].name])} onChange={(key) => void chooseLocale(key)} />
    </div>
  )
}

type ChoiceProps<Value extends string> = { label: string; value: Value; options: (readonly [Value, string])[]; onChange: (value: Value) => void }

function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <div className={classes['choice']}>
      <span aria-hidden>{label}</span>
      <SegmentedControl
        aria-label={label}
        size="xs"
        fullWidth
        value={value}
        data={options.map(([key, text]) => ({ value: key, label: text }))}
        onChange={(chosen) => {
          const known = options.find(([key]) => key === chosen)
          if (known) onChange(known[0])
        }}
      />
    </div>
  )
}
