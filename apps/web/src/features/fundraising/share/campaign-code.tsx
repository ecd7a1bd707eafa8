import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDownload } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import type { Campaign } from '../fundraising-api.ts'
import classes from '../campaigns/dialogs.module.css'

const QrCode = lazy(async () => ({ default: (await import('../../../ui/display/qr-code.tsx')).QrCode }))

/** The QR code of the giving page, and the file to print. */
export function CampaignCode({ campaign }: { campaign: Pick<Campaign, 'id' | 'name' | 'slug' | 'givingUrl'> }) {
  const { code } = useApi().actions.fundraising.gifts
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      saveFile(await code.call({ campaignId: campaign.id }), `${campaign.slug}.svg`)
    } catch (problem) {
      toast.error(t`The QR code could not be downloaded.`, problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes['code']}>
      <div className={classes['codePicture']}>
        <Suspense>
          <QrCode content={campaign.givingUrl} label={t`QR code of the giving page of ${campaign.name}`} />
        </Suspense>
      </div>
      <div className={classes['codeText']}>
        <p className={classes['dim']}>
          <Trans>For posters, table cards and slides: it opens the giving page.</Trans>
        </p>
        <Button
          variant="default"
          loading={busy}
          leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
          onClick={() => void download()}
        >
          <Trans>Download QR code</Trans>
        </Button>
      </div>
    </div>
  )
}
