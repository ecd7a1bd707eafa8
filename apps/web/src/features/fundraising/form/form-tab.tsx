import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useDeferredValue, useEffect, useEffectEvent, useRef } from 'react'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Readiness } from '../campaigns/readiness-section.tsx'
import type { Campaign } from '../fundraising-api.ts'
import { useGivingPlace } from '../use-giving-place.ts'
import { AmountsPart } from './amounts-part.tsx'
import classes from './form.module.css'
import { FundsPart } from './funds-part.tsx'
import { GivingPreview } from './giving-preview.tsx'
import { GoalPart } from './goal-part.tsx'
import { TextsPart } from './texts-part.tsx'
import type { PageDraft } from './page-draft.ts'
import { usePageDraft } from './use-page-draft.ts'

/** The giving page: its fields, beside the page as it will look. */
export function FormTab({ campaign }: { campaign: Campaign }) {
  if (campaign.archivedAt !== null)
    return <EmptyState title={t`This campaign is archived`}>{t`Restore it before you change its page.`}</EmptyState>
  return <Editor campaign={campaign} />
}

function Editor({ campaign }: { campaign: Campaign }) {
  const { search, go } = useGivingPlace()
  const { draft, dialog } = usePageDraft(campaign)
  const isPreview = search.preview === 1
  const form = useRef<HTMLDivElement>(null)
  const arrive = useEffectEvent((field: string) => {
    focusOn(form.current, field)
    // The same link leads there again.
    go({ field: undefined, preview: undefined }, { replace: true })
  })
  const { field } = search
  useEffect(() => {
    if (field) arrive(field)
  }, [field])
  return (
    <>
      <div className={classes['bar']}>
        <SaveState draft={draft} />
        <Button
          variant="default"
          className={classes['toggle'] ?? ''}
          aria-pressed={isPreview}
          onClick={() => go({ preview: isPreview ? undefined : 1 }, { replace: true })}
        >
          {isPreview ? <Trans>Back to the form</Trans> : <Trans>Preview</Trans>}
        </Button>
      </div>
      <div className={classes['columns']} data-preview={isPreview || undefined}>
        <div ref={form} className={classes['form']}>
          {campaign.status === 'draft' && <Readiness campaign={campaign} />}
          <TextsPart campaignId={campaign.id} draft={draft} />
          <AmountsPart currency={campaign.currency} draft={draft} />
          <FundsPart draft={draft} />
          <GoalPart currency={campaign.currency} draft={draft} />
        </div>
        <aside className={classes['preview']} aria-label={t`Preview`} tabIndex={0}>
          <Beside campaign={campaign} draft={draft} />
        </aside>
      </div>
      {dialog}
    </>
  )
}

/** A key is answered before the page beside it is drawn. */
function Beside({ campaign, draft }: { campaign: Campaign; draft: PageDraft }) {
  const shown = useDeferredValue(draft.use().values)
  return <GivingPreview campaign={campaign} values={shown} />
}

function SaveState({ draft }: { draft: PageDraft }) {
  const { saving, faults, hasSaved } = draft.use()
  return (
    <span role="status" className={classes['saved']}>
      {saving > 0 ? (
        <Trans>Saving…</Trans>
      ) : Object.keys(faults).length > 0 ? (
        <Trans>Some fields need another look</Trans>
      ) : hasSaved ? (
        <Trans>All changes saved</Trans>
      ) : (
        <Trans>Changes are saved when you leave a field.</Trans>
      )}
    </span>
  )
}

/** Brings a field into view, and the focus into it. */
function focusOn(form: HTMLElement | null, field: string) {
  const part = form?.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`)
  const first = part?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea, [contenteditable="true"], button')
  part?.scrollIntoView({ block: 'center' })
  ;(first ?? part)?.focus({ preventScroll: true })
}
