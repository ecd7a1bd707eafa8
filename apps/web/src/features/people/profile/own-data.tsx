import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import type { Api } from '../../../platform/api/api.tsx'
import { dataUrl } from '../../../platform/records/picture.tsx'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { toast } from '../../../platform/activity/toast.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { HistoryEntry } from '../people-api.ts'
import classes from '../people.module.css'

/** All that is kept about the reader, as a file for themselves or for another program. */
export function OwnData({ personId }: { personId: string }) {
  const api = useApi()
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const text = JSON.stringify(await ownData(api, personId), null, 2)
      saveFile(new Blob([text], { type: 'application/json' }), 'my-data.json')
    } catch (problem) {
      toast.error(t`Your data could not be fetched.`, problem)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section title={t`My data`}>
      <p className={classes['lead']}>
        <Trans>
          One file with your facts and contact data, your picture, your chapters, offices, groups and tags, what you said about mail, and
          what was changed about you. To have data removed, <AppLink href="/contact">write to the office</AppLink>.
        </Trans>
      </p>
      <Button
        variant="default"
        loading={busy}
        leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
        onClick={() => void download()}
      >
        <Trans>Download my data</Trans>
      </Button>
    </Section>
  )
}

async function ownData({ data: { people, communication }, actions: { files } }: Api, personId: string) {
  const person = await people.get.call({ personId })
  const history: HistoryEntry[] = []
  let cursor: string | undefined
  while (person.may.seeHistory) {
    const page = await people.history.call({ personId, limit: 200, ...(cursor && { cursor }) })
    history.push(...page.items)
    if (!page.nextCursor) break
    cursor = page.nextCursor
  }
  const { may: _, ...facts } = person
  const { pictureId } = person
  const picture = pictureId ? await dataUrl(await files.picture.call({ pictureId, size: 'large' })) : null
  const { shown } = await people.publicName.call({ personId })
  const { may: __, ...mail } = await communication.consents.get.call({ personId })
  return { madeAt: new Date().toISOString(), person: { ...facts, namedInPublic: shown }, picture, mail, history }
}
