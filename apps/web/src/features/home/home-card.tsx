import { ActionIcon, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDots, IconEyeOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Section } from '../../ui/page/page.tsx'
import { useCardTitle } from './home-cards.ts'
import { useHideCard } from './hidden-cards.tsx'

type Props = { card: string; count?: ReactNode; className?: string | undefined; children: ReactNode }

/** One card of home, with the menu that puts it away. */
export const HomeCard = ({ card, ...rest }: Props) => <Section title={useCardTitle()(card)} actions={<CardMenu card={card} />} {...rest} />

export function CardMenu({ card }: { card: string }) {
  const hide = useHideCard()
  const title = useCardTitle()(card)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" data-card={card} aria-label={t`Card: ${title}`}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconEyeOff size={16} stroke={1.5} aria-hidden />} onClick={() => hide(card)}>
          <Trans>Hide this card</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
