import { t } from '@lingui/core/macro'
import { useApi } from '../../platform/api/api.tsx'
import { problemText } from '../../platform/api/problem-text.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { ApiProblem } from '../../platform/api/problem.ts'
import { LanguageName } from '../../ui/display/dates.tsx'
import { Fact, FactList } from '../../ui/form/fact-list.tsx'
import type { FactEdit } from '../../ui/form/fact-editor.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
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
  const { update } = useApi().data.account.organisation
  const changed = useAccountsChanged()
  const editor = (
    value: string,
    toChange: (text: string) => Parameters<typeof update.call>[0],
    more: Partial<FactEdit> = {},
  ): FactEdit | undefined =>
    organisation.mayEdit
      ? {
          kind: 'text',
          value,
          onSave: async (text) => {
            try {
              await update.call(toChange(text), { context: { ifMatch: organisation.version } })
            } catch (problem) {
              const first = problem instanceof ApiProblem ? problem.errors[0]?.message : undefined
              throw new Error(first ?? problemText(problem), { cause: problem })
            } finally {
              await changed()
            }
          },
          ...more,
        }
      : undefined
  const reach = [
    { value: 'organisation', label: t`The whole directory` },
    { value: 'chapter', label: t`People of the own chapters` },
  ]
  const chapters = [
    { value: 'no', label: t`Not shown` },
    { value: 'yes', label: t`Shown to everybody` },
  ]
  return (
    <Section title={t`Organisation`}>
      <FactList>
        <Fact label={t`Name`} edit={editor(organisation.name, (name) => ({ name }))}>
          {organisation.name}
        </Fact>
        <Fact
          label={t`Members see`}
          edit={editor(organisation.directoryReach, (text) => ({ directoryReach: text === 'chapter' ? 'chapter' : 'organisation' }), {
            kind: 'select',
            options: reach,
          })}
        >
          {reach.find(({ value }) => value === organisation.directoryReach)?.label}
        </Fact>
        <Fact label={t`Time zone`} edit={editor(organisation.timezone, (timezone) => ({ timezone }))}>
          {organisation.timezone}
        </Fact>
        <Fact label={t`Language`} edit={editor(organisation.locale, (locale) => ({ locale }))}>
          <LanguageName tag={organisation.locale} />
        </Fact>
        <Fact label={t`Currency`} edit={editor(organisation.currency, (currency) => ({ currency: currency.toUpperCase() }))}>
          {organisation.currency}
        </Fact>
        <Fact
          label={t`Age of majority`}
          edit={editor(String(organisation.majorityAge), (text) => ({ majorityAge: Number(text) }), {
            kind: 'number',
            validate: (text) => (/^\d{1,2}$/.test(text) && Number(text) <= 25 ? undefined : t`Enter an age from 0 to 25.`),
          })}
        >
          {organisation.majorityAge}
        </Fact>
        <Fact
          label={t`Public contact address`}
          edit={editor(organisation.contactEmail ?? '', (email) => ({ contactEmail: email || null }), { kind: 'email' })}
        >
          {organisation.contactEmail}
        </Fact>
        <Fact
          label={t`Chapters on the contact page`}
          edit={editor(organisation.publicChapters ? 'yes' : 'no', (text) => ({ publicChapters: text === 'yes' }), {
            kind: 'select',
            options: chapters,
          })}
          hint={t`Active chapters with their place, contact address and website. Anyone who opens the page can search them without signing in.`}
        >
          {chapters.find(({ value }) => value === (organisation.publicChapters ? 'yes' : 'no'))?.label}
        </Fact>
      </FactList>
    </Section>
  )
}
