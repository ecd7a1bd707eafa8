import { Button, Textarea } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconCopy } from '@tabler/icons-react'
import { currencyCodes } from '@guildhall/contract/money'
import { RecordFact } from '../../../platform/records/record-fact.tsx'
import { ChapterLink } from '../../../platform/records/record-links.tsx'
import { Fact, FactList } from '../../../ui/form/fact-list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { CampaignCode } from '../share/campaign-code.tsx'
import { copyText } from '../share/copy-text.ts'
import { useCampaignEditor } from '../campaign-editor.ts'
import type { Campaign } from '../fundraising-api.ts'
import { campaignKindOptions, campaignVisibilityOptions } from '../fundraising-words.tsx'
import { ShareSection } from './chapter-share.tsx'
import classes from './settings.module.css'

/** Where a campaign is found, who may open it, and what a chapter has of it. */
export function CampaignSettings({ campaign }: { campaign: Campaign }) {
  const editor = useCampaignEditor(campaign)
  const may = campaign.may.edit && campaign.archivedAt === null
  const own = { editor, may }
  const { slug, givingUrl, visibility, totals } = campaign
  const base = givingUrl.slice(0, givingUrl.length - slug.length)
  const isFixed = totals.gifts > 0
  return (
    <div className={classes['stack']}>
      <Section title={t`Address and visibility`}>
        <FactList>
          <RecordFact
            {...own}
            label={t`Address`}
            value={slug}
            change={(text) => ({ slug: text })}
            validate={(text) =>
              /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) && text.length <= 80 ? undefined : t`Use small letters, digits and single hyphens.`
            }
            preview={(typed) => `${base}${typed}`}
            hint={campaign.status !== 'draft' && t`Links and QR codes with the former address no longer work once it is changed.`}
          >
            {givingUrl}
          </RecordFact>
          <RecordFact
            {...own}
            label={t`Who can give`}
            name={t`Visibility`}
            value={visibility}
            options={campaignVisibilityOptions()}
            change={(value) => ({ visibility: value })}
          />
          <RecordFact {...own} label={t`Kind`} value={campaign.kind} options={campaignKindOptions()} change={(kind) => ({ kind })} />
          <Fact label={t`Chapter`}>{campaign.chapter ? <ChapterLink chapter={campaign.chapter} /> : t`Whole organisation`}</Fact>
          <RecordFact
            editor={editor}
            may={may && !isFixed}
            label={t`Currency`}
            value={campaign.currency}
            options={currencyCodes.map((code) => ({ value: code, label: code }))}
            change={(currency) => ({ currency })}
            hint={isFixed ? t`Fixed since the first gift.` : undefined}
          />
        </FactList>
      </Section>
      <ShareSection campaign={campaign} editor={editor} may={may} />
      {visibility === 'members' ? (
        <Section title={t`QR code and embedding`}>
          <p className={classes['dim']}>
            <Trans>Only members can give to this campaign, so it has no public page.</Trans>
          </p>
        </Section>
      ) : (
        <>
          <Section title={t`QR code`}>
            <CampaignCode campaign={campaign} />
          </Section>
          <Embedding campaign={campaign} />
        </>
      )}
      {editor.dialog}
    </div>
  )
}

/** HTML that shows the campaign on another site. */
function Embedding({ campaign: { name, givingUrl } }: { campaign: Campaign }) {
  const code = `<iframe src="${givingUrl}/embed" title="${attribute(name)}" width="100%" height="320" loading="lazy" style="border:0"></iframe>`
  return (
    <Section title={t`Embed on your website`}>
      <div className={classes['stack']}>
        <p className={classes['dim']}>
          <Trans>Shows the picture, the progress and a button that opens the giving page. Paste it into the HTML of your site.</Trans>
        </p>
        <Textarea
          aria-label={t`Embed code`}
          readOnly
          autosize
          value={code}
          classNames={{ input: classes['code'] ?? '' }}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <div>
          <Button
            variant="default"
            leftSection={<IconCopy size={16} stroke={1.5} aria-hidden />}
            onClick={() => void copyText(code, t`Embed code copied`)}
          >
            <Trans>Copy embed code</Trans>
          </Button>
        </div>
      </div>
    </Section>
  )
}

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
