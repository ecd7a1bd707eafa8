import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { decimalsOf, plainAmount, readAmount } from '@guildhall/contract/money'
import { useLingui } from '@lingui/react'
import type { FundraisingSettings, FundraisingSettingsChange } from '@guildhall/contract/features/fundraising'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useRecordEditor } from '../../../platform/records/record-editor.tsx'
import { RecordFact } from '../../../platform/records/record-fact.tsx'
import { useMe } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { Fact, FactList } from '../../../ui/form/fact-list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useFundraisingSettings } from '../fundraising-api.ts'
import classes from './settings.module.css'
import { ThanksPreview } from './thanks-preview.tsx'

/** Fees that donors may cover, the largest gift, and how donors are thanked. */
export function FundraisingSettingsTab() {
  const settings = useFundraisingSettings()
  if (settings.isPending)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  if (settings.isError)
    return <ProblemState problem={settings.error} title={t`The settings could not be loaded`} retry={() => void settings.refetch()} />
  return <Settings settings={settings.data} />
}

function Settings({ settings }: { settings: FundraisingSettings }) {
  const calls = useApi().data.fundraising.settings
  const client = useQueryClient()
  const { i18n } = useLingui()
  const { percent, number } = useFormats()
  const money = useMoney()
  const currency = useMe().data?.organisation.currency ?? 'EUR'
  const editor = useRecordEditor({
    name: t`Fundraising`,
    record: settings,
    version: settings.version,
    send: (change: FundraisingSettingsChange, sent) => calls.update.call(change, sent),
    read: async () => {
      const record = await calls.get.call()
      return { record, version: record.version }
    },
    onSaved: (saved) => client.setQueryData(calls.get.queryKey(), saved),
  })
  const own = { editor, may: settings.mayEdit }
  const locale = i18n.locales ?? i18n.locale
  const amount = (typed: string): number | undefined => {
    const read = readAmount(typed, currency, locale)
    return typeof read === 'number' && read >= 0 ? read : undefined
  }
  const typedAs = (minor: number) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: decimalsOf(currency), useGrouping: false }).format(plainAmount(minor, currency))
  // A number of the reader's language: "1,4" is one and four tenths in German.
  const bps = (typed: string) => Math.round(Number(typed.replace('%', '').replace(',', '.').trim()) * 100)
  const names = { first: '{first_name}', amount: '{amount}', campaign: '{campaign}', organisation: '{organisation}' }
  return (
    <div className={classes['stack']}>
      <Section title={t`Card payments`}>
        <FactList>
          <Fact label={t`Gifts by card`}>
            {settings.takesCards ? (
              <StatusBadge tone="good">{t`Available`}</StatusBadge>
            ) : (
              <>
                <StatusBadge>{t`Not configured`}</StatusBadge>{' '}
                <span className={classes['dim']}>{t`The operator of this server can connect a payment provider.`}</span>
              </>
            )}
          </Fact>
          <RecordFact
            {...own}
            label={t`Fee in percent`}
            value={String(settings.feeBps / 100)}
            change={(typed) => ({ feeBps: bps(typed) })}
            validate={(typed) => (bps(typed) >= 0 && bps(typed) <= 2_000 && typed !== '' ? undefined : t`Enter a percentage from 0 to 20.`)}
            hint={t`What the payment provider takes of each gift. Donors may add it to their gift.`}
          >
            {percent(settings.feeBps / 10_000)}
          </RecordFact>
          <RecordFact
            {...own}
            label={t`Fee per gift`}
            value={typedAs(settings.feeFixed)}
            change={(typed) => ({ feeFixed: amount(typed) ?? 0 })}
            validate={(typed) => ((amount(typed) ?? 100_001) <= 100_000 ? undefined : t`Enter an amount, or 0.`)}
          >
            {money(settings.feeFixed, currency)}
          </RecordFact>
          <RecordFact
            {...own}
            label={t`Largest gift by card`}
            value={settings.maxAmount === null ? '' : typedAs(settings.maxAmount)}
            change={(typed) => ({ maxAmount: typed === '' ? null : (amount(typed) ?? null) })}
            validate={(typed) => (typed === '' || amount(typed) ? undefined : t`Enter an amount, or nothing for no limit.`)}
            hint={t`Leave empty for no limit. Larger gifts can come by bank transfer.`}
          >
            {settings.maxAmount === null ? t`No limit` : money(settings.maxAmount, currency)}
          </RecordFact>
        </FactList>
      </Section>
      <Section title={t`Thanking donors`}>
        <div className={classes['columns']}>
          <FactList>
            <RecordFact
              {...own}
              kind="number"
              label={t`Thank within (days)`}
              value={String(settings.thankYouDays)}
              change={(typed) => ({ thankYouDays: Number(typed) })}
              validate={(typed) =>
                Number.isInteger(Number(typed)) && Number(typed) >= 1 && Number(typed) <= 90
                  ? undefined
                  : t`Enter a whole number from 1 to 90.`
              }
              hint={t`Gifts that have waited longer are marked in the thank-you queue.`}
            >
              {number(settings.thankYouDays)}
            </RecordFact>
            <RecordFact
              {...own}
              label={t`Subject`}
              name={t`Thank-you subject`}
              value={settings.thankYouSubject}
              change={(thankYouSubject) => ({ thankYouSubject })}
              validate={(typed) => (typed === '' ? t`Enter a subject.` : typed.length > 150 ? t`Keep this to 150 characters.` : undefined)}
            />
            <RecordFact
              {...own}
              kind="textarea"
              label={t`Draft`}
              name={t`Thank-you draft`}
              value={settings.thankYouBody}
              change={(thankYouBody) => ({ thankYouBody })}
              validate={(typed) => (typed === '' ? t`Enter a text.` : typed.length > 2_000 ? t`Keep this to 2,000 characters.` : undefined)}
              hint={t`${names.first}, ${names.amount}, ${names.campaign} and ${names.organisation} are filled in for each gift.`}
            >
              <span className={classes['lines']}>{settings.thankYouBody}</span>
            </RecordFact>
          </FactList>
          <div>
            <p className={classes['dim']}>
              <Trans>Preview with an example</Trans>
            </p>
            <ThanksPreview subject={settings.thankYouSubject} body={settings.thankYouBody} />
          </div>
        </div>
      </Section>
      {editor.dialog}
    </div>
  )
}
