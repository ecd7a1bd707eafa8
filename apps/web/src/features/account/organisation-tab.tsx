import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { currencyCodes } from '@guildhall/contract/money'
import { Trans } from '@lingui/react/macro'
import { Suspense, useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { usePicture } from '../../platform/records/picture.tsx'
import { useRecordEditor } from '../../platform/records/record-editor.tsx'
import { RecordFact } from '../../platform/records/record-fact.tsx'
import { useMe } from '../../platform/session/session.ts'
import { LanguageName } from '../../ui/display/dates.tsx'
import { Fact, FactList } from '../../ui/form/fact-list.tsx'
import { zoneOptions } from '../../ui/form/zone-options.ts'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { PictureDialog } from '../files/files-public.tsx'
import classes from './account.module.css'
import { useAccountsChanged, useOrganisation } from './account-api.ts'
import type { Organisation } from './account-api.ts'

/** Settings of the organisation, edited in place. */
export function OrganisationTab() {
  const organisation = useOrganisation()
  if (organisation.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (organisation.isError)
    return (
      <ProblemState problem={organisation.error} title={t`The settings could not be loaded`} retry={() => void organisation.refetch()} />
    )
  return <Settings organisation={organisation.data} />
}

function Settings({ organisation }: { organisation: Organisation }) {
  const api = useApi().data.account.organisation
  const changed = useAccountsChanged()
  const editor = useRecordEditor({
    name: organisation.name,
    record: organisation,
    version: organisation.version,
    send: (change: Parameters<typeof api.update.call>[0], sent) => api.update.call(change, sent),
    read: async () => {
      const record = await api.get.call()
      return { record, version: record.version }
    },
    onSaved: changed,
  })
  const { i18n } = useLingui()
  const own = { editor, may: organisation.mayEdit }
  const reach = [
    { value: 'organisation' as const, label: t`The whole directory` },
    { value: 'chapter' as const, label: t`People of the own chapters` },
  ]
  const chapters = [
    { value: 'no', label: t`Not shown` },
    { value: 'yes', label: t`Shown to everybody` },
  ]
  return (
    <Section title={t`Organisation`}>
      <FactList>
        <RecordFact {...own} label={t`Name`} value={organisation.name} change={(name) => ({ name })} />
        <RecordFact
          {...own}
          label={t`Members see`}
          value={organisation.directoryReach}
          options={reach}
          change={(directoryReach) => ({ directoryReach })}
        />
        <RecordFact
          {...own}
          label={t`Time zone`}
          value={organisation.timezone}
          options={zoneOptions(organisation.timezone)}
          change={(timezone) => ({ timezone })}
          hint={t`Days begin and schedules run by it.`}
        />
        <RecordFact {...own} label={t`Language`} value={organisation.locale} change={(locale) => ({ locale })}>
          <LanguageName tag={organisation.locale} />
        </RecordFact>
        <RecordFact
          {...own}
          label={t`Currency`}
          value={organisation.currency}
          options={currencyOptions(organisation.currency, i18n.locales ?? i18n.locale)}
          change={(currency) => ({ currency })}
          hint={t`Of amounts that name no other.`}
        />
        <RecordFact
          {...own}
          label={t`Age of majority`}
          kind="number"
          value={String(organisation.majorityAge)}
          change={(text) => ({ majorityAge: Number(text) })}
          validate={(text) => (/^\d{1,2}$/.test(text) && Number(text) <= 25 ? undefined : t`Enter an age from 0 to 25.`)}
        />
        <RecordFact
          {...own}
          label={t`Reminder of events`}
          kind="number"
          value={String(organisation.eventReminderHours)}
          change={(text) => ({ eventReminderHours: Number(text) })}
          validate={(text) =>
            /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 336 ? undefined : t`Enter a number of hours from 1 to 336.`
          }
          hint={t`Hours before the start. Each event can have its own.`}
        />
        <RecordFact
          {...own}
          label={t`Public contact address`}
          kind="email"
          value={organisation.contactEmail ?? ''}
          change={(email) => ({ contactEmail: email || null })}
        />
        <RecordFact
          {...own}
          label={t`Brand colour`}
          value={organisation.brandColor ?? ''}
          change={(color) => ({ brandColor: color.toLowerCase() || null })}
          validate={(color) => (/^(#[0-9a-f]{6})?$/i.test(color) ? undefined : t`Enter a colour such as #1d4ed8.`)}
          hint={t`Colour of public pages and member cards.`}
        >
          {organisation.brandColor ?? t`Standard`}
        </RecordFact>
        <RecordFact
          {...own}
          label={t`Chapters on the contact page`}
          value={organisation.publicChapters ? 'yes' : 'no'}
          options={chapters}
          change={(shown) => ({ publicChapters: shown === 'yes' })}
          hint={t`Active chapters with their place, contact address and website. Anyone who opens the page can search them without signing in.`}
        />
        <Fact label={t`Logo`}>
          <Logo organisation={organisation} />
        </Fact>
      </FactList>
      {editor.dialog}
    </Section>
  )
}

/** "EUR – Euro", by code; what is set already stays to be chosen. */
function currencyOptions(present: string, locale: string | string[]) {
  const names = new Intl.DisplayNames(locale, { type: 'currency' })
  return [...new Set([...currencyCodes, present])].toSorted().map((code) => ({ value: code, label: `${code} – ${names.of(code) ?? code}` }))
}

/** Shown at the top of the navigation, beside every page. */
function Logo({ organisation: { id, name, mayEdit } }: { organisation: Organisation }) {
  const logoId = useMe().data?.organisation.logoId ?? null
  const logo = usePicture(logoId, 'large')
  const changed = useAccountsChanged()
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      {logo ? <img src={logo} alt={t`Logo of ${name}`} className={classes['logo']} /> : <Trans>None</Trans>}{' '}
      {mayEdit && (
        <Button variant="subtle" size="compact-sm" onClick={() => setChoosing(true)}>
          {logo ? <Trans>Change the logo</Trans> : <Trans>Add a logo</Trans>}
        </Button>
      )}
      {choosing && (
        <Suspense>
          <PictureDialog
            opened
            onClose={() => setChoosing(false)}
            recordType="organisation"
            recordId={id}
            pictureId={logoId}
            name={name}
            onChanged={changed}
          />
        </Suspense>
      )}
    </>
  )
}
