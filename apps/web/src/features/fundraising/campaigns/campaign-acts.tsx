import { ActionIcon, Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { IconArchive, IconCopy, IconDots, IconFlag, IconHeart, IconPlayerPause, IconPlus, IconShare } from '@tabler/icons-react'
import { useState } from 'react'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { useShortcuts } from '../../../platform/navigation/shortcuts.ts'
import { useToday } from '../../../platform/session/session.ts'
import type { Campaign } from '../fundraising-api.ts'
import { GiveDialog } from '../give/give-dialog.tsx'
import { useGivingPlace } from '../use-giving-place.ts'
import { CopyDialog } from './copy-dialog.tsx'
import { ShareDialog } from '../share/share-dialog.tsx'
import { StartDialog } from './start-dialog.tsx'
import { useCampaignMoves } from './use-campaign-moves.ts'

const size = { size: 16, stroke: 1.5, 'aria-hidden': true } as const

/** What the reader may do with the campaign, the most likely first. */
export function CampaignActs({ campaign }: { campaign: Campaign }) {
  const { id: campaignId, may, status, archivedAt, endsOn } = campaign
  const { search, go } = useGivingPlace()
  const navigate = useNavigate()
  const today = useToday()
  const moves = useCampaignMoves(campaign)
  const [copying, setCopying] = useState(false)
  const edits = may.edit && archivedAt === null
  const isOver = endsOn !== null && endsOn < today
  const mayResume = edits && (status === 'paused' || (status === 'ended' && !isOver))
  const isOpen = status !== 'draft' && archivedAt === null
  useShortcuts(
    may.edit
      ? [
          {
            keys: 'e',
            label: t`Edit the giving page`,
            group: campaign.name,
            run: () => void navigate({ to: '/fundraising/$campaignId/{-$tab}', params: { campaignId, tab: 'form' } }),
          },
        ]
      : [],
  )
  const close = (dialog: 'give' | 'share' | 'start') => go({ [dialog]: undefined }, { replace: true })
  return (
    <>
      {edits && status === 'draft' && (
        <Button onClick={() => go({ start: 1 })}>
          <Trans>Start</Trans>
        </Button>
      )}
      {may.give && (
        <Button leftSection={<IconHeart {...size} />} onClick={() => go({ give: 1 })}>
          <Trans>Give</Trans>
        </Button>
      )}
      {mayResume && (
        <Button variant={status === 'paused' ? 'filled' : 'default'} onClick={moves.resume}>
          {status === 'paused' ? <Trans>Resume</Trans> : <Trans>Reopen</Trans>}
        </Button>
      )}
      {may.record && (
        <ButtonLink
          to="/fundraising/$campaignId/{-$tab}"
          params={{ campaignId, tab: 'donations' }}
          search={{ new: 1 }}
          variant="default"
          leftSection={<IconPlus {...size} />}
        >
          <Trans>Record gift</Trans>
        </ButtonLink>
      )}
      {isOpen && (
        <Button variant="default" leftSection={<IconShare {...size} />} onClick={() => go({ share: 1 })}>
          <Trans>Share</Trans>
        </Button>
      )}
      {may.edit && (
        <Menu>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={t`More actions for ${campaign.name}`}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {edits && status === 'active' && (
              <Menu.Item leftSection={<IconPlayerPause {...size} />} onClick={moves.pause}>
                <Trans>Pause</Trans>
              </Menu.Item>
            )}
            {edits && (status === 'active' || status === 'paused') && (
              <Menu.Item leftSection={<IconFlag {...size} />} onClick={moves.end}>
                <Trans>End</Trans>
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconCopy {...size} />} onClick={() => setCopying(true)}>
              <Trans>Copy</Trans>
            </Menu.Item>
            {archivedAt !== null ? (
              <Menu.Item leftSection={<IconArchive {...size} />} onClick={moves.restore}>
                <Trans>Restore</Trans>
              </Menu.Item>
            ) : (
              // What people give to is ended or paused first.
              status !== 'active' && (
                <Menu.Item leftSection={<IconArchive {...size} />} onClick={moves.archive}>
                  <Trans>Archive</Trans>
                </Menu.Item>
              )
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <StartDialog campaign={campaign} opened={search.start === 1 && edits && status === 'draft'} onClose={() => close('start')} />
      <ShareDialog campaign={campaign} opened={search.share === 1 && isOpen} onClose={() => close('share')} />
      <CopyDialog campaign={campaign} opened={copying} onClose={() => setCopying(false)} />
      <GiveDialog campaign={campaign} before={search.given} opened={search.give === 1 && may.give} onClose={() => close('give')} />
    </>
  )
}
