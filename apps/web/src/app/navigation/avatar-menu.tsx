import { Popover, UnstyledButton } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { IconHelp, IconHistory, IconKeyboard, IconLogout, IconMessage2, IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { AppearanceChoices } from '../../platform/session/appearance-choices.tsx'
import { useAuth } from '../../platform/auth/auth-context.tsx'
import { feedback } from '../../platform/session/feedback.ts'
import { usePicture } from '../../platform/records/picture.tsx'
import { useMe } from '../../platform/session/session.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Kbd } from '../../ui/display/kbd.tsx'
import classes from './avatar-menu.module.css'
import { overlays } from '../shell/overlays.ts'
import { RecentChanges } from './recent-changes-list.tsx'

/** A panel and not a menu: it holds choices besides commands. */
export function AvatarMenu() {
  const auth = useAuth()
  const navigate = useNavigate()
  const { data: me } = useMe()
  const { offered } = feedback.use()
  const [opened, setOpened] = useState(false)
  const [changes, setChanges] = useState(false)
  const name = me?.person?.displayName ?? me?.account.name ?? auth.profile().name ?? ''
  const picture = usePicture(me?.person?.pictureId)
  const label = name ? t`Account of ${name}` : t`Account`
  const closing = (act: () => void) => () => {
    setOpened(false)
    act()
  }
  return (
    <>
      <Popover opened={opened} onChange={setOpened} width={280} position="bottom-end" trapFocus returnFocus>
        <Popover.Target>
          <UnstyledButton className={classes['button']} aria-label={label} onClick={() => setOpened(!opened)}>
            <Avatar name={name} src={picture} size={32} />
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={label} className={classes['panel'] ?? ''}>
          <div className={classes['who']}>
            <strong>{name}</strong>
            <span>{me?.account.email}</span>
            <span>{me?.organisation.name}</span>
          </div>
          <div className={classes['items']}>
            <Item icon={<IconUser size={16} aria-hidden />} onClick={closing(() => void navigate({ href: '/profile' }))}>
              <Trans>Profile</Trans>
            </Item>
            <Item icon={<IconHistory size={16} aria-hidden />} onClick={closing(() => setChanges(true))}>
              <Trans>Recent changes</Trans>
            </Item>
            <Item icon={<IconKeyboard size={16} aria-hidden />} onClick={closing(() => overlays.open('shortcuts'))} end={<Kbd keys="?" />}>
              <Trans>Keyboard shortcuts</Trans>
            </Item>
            <Item icon={<IconHelp size={16} aria-hidden />} onClick={closing(() => void navigate({ href: '/contact' }))}>
              <Trans>Help and contact</Trans>
            </Item>
            {offered && (
              <Item icon={<IconMessage2 size={16} aria-hidden />} onClick={closing(feedback.open)}>
                <Trans>Give feedback</Trans>
              </Item>
            )}
          </div>
          <div className={classes['choices']}>
            <AppearanceChoices />
          </div>
          <div className={classes['items']}>
            <Item icon={<IconLogout size={16} aria-hidden />} onClick={() => void auth.signOut()}>
              <Trans>Sign out</Trans>
            </Item>
          </div>
        </Popover.Dropdown>
      </Popover>
      <RecentChanges opened={changes} onClose={() => setChanges(false)} />
    </>
  )
}

type ItemProps = { icon: ReactNode; children: ReactNode; end?: ReactNode; onClick: () => void }

const Item = ({ icon, children, end, onClick }: ItemProps) => (
  <UnstyledButton className={classes['item']} onClick={onClick}>
    {icon}
    <span className={classes['text']}>{children}</span>
    {end}
  </UnstyledButton>
)
