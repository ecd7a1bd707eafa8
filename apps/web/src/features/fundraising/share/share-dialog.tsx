import { Button, Group, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconCopy, IconExternalLink, IconMail } from '@tabler/icons-react'
import { newMailLink } from '../../../ui/display/contact-links.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import type { Campaign } from '../fundraising-api.ts'
import { campaignVisibilityWords } from '../fundraising-words.tsx'
import { CampaignCode } from './campaign-code.tsx'
import { copyText } from './copy-text.ts'
import classes from '../campaigns/dialogs.module.css'

type Props = { campaign: Campaign; opened: boolean; onClose: () => void }

/** The address of the giving page, to be passed on. */
export const ShareDialog = ({ campaign, opened, onClose }: Props) => (
  <Dialog opened={opened} onClose={onClose} title={t`Share ${campaign.name}`}>
    {opened && <Body campaign={campaign} />}
  </Dialog>
)

function Body({ campaign }: { campaign: Campaign }) {
  const { name, visibility, status } = campaign
  const url = campaign.visibility === 'members' ? `${location.origin}/fundraising/${campaign.id}` : campaign.givingUrl
  return (
    <div className={classes['stack']}>
      {status !== 'active' && (
        <p className={classes['dim']}>
          <Trans>The campaign takes no gifts at the moment; the page says so.</Trans>
        </p>
      )}
      <TextInput
        label={t`Link`}
        description={t`Who can open it: ${campaignVisibilityWords()[visibility]}`}
        readOnly
        value={url}
        data-autofocus
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Group gap="sm">
        <Button leftSection={<IconCopy size={16} stroke={1.5} aria-hidden />} onClick={() => void copyText(url, t`Link copied`)}>
          <Trans>Copy link</Trans>
        </Button>
        <Button component="a" href={newMailLink(name, url)} variant="default" leftSection={<IconMail size={16} stroke={1.5} aria-hidden />}>
          <Trans>E-mail</Trans>
        </Button>
        <Button
          component="a"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          variant="default"
          leftSection={<IconExternalLink size={16} stroke={1.5} aria-hidden />}
        >
          <Trans>Open the page</Trans>
        </Button>
      </Group>
      {visibility !== 'members' && <CampaignCode campaign={campaign} />}
    </div>
  )
}
