import { MultiSelect, Select } from '@mantine/core'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { useFunds } from '../fundraising-api.ts'
import classes from './form.module.css'
import type { PageDraft } from './page-draft.ts'
import { useFields } from './use-page-draft.ts'

/** Where gifts go: the usual fund, and those that donors may choose instead. */
export const FundsPart = memo(function FundsPart({ draft }: { draft: PageDraft }) {
  const { values, faultOf } = useFields(draft, 'fundId', 'fundIds')
  const funds = useFunds()
  const { fundId, fundIds } = values
  const options = (funds.data?.items ?? [])
    .filter(({ archivedAt }) => archivedAt === null)
    .map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Section
      title={t`Funds`}
      actions={
        <Link to="/fundraising/$campaignId/{-$tab}" params={{ campaignId: 'all', tab: 'funds' }}>
          <Trans>Manage funds</Trans>
        </Link>
      }
    >
      {funds.isError ? (
        <ProblemState problem={funds.error} title={t`The funds could not be loaded`} retry={() => void funds.refetch()} />
      ) : (
        <div className={classes['fields']}>
          <div data-field="fund">
            <Select
              label={t`Fund`}
              description={t`Where gifts go unless the donor chooses another`}
              placeholder={t`Choose a fund`}
              searchable
              nothingFoundMessage={t`No fund matches. Add one under Manage funds.`}
              data={options}
              value={fundId}
              onChange={(id) =>
                draft.put({ fundId: id, ...(id && fundIds.includes(id) && { fundIds: fundIds.filter((one) => one !== id) }) })
              }
              error={faultOf('fundId')}
            />
          </div>
          <MultiSelect
            label={<Optional>{t`Other funds`}</Optional>}
            description={t`Donors may choose one of these instead`}
            searchable
            data={options.filter(({ value }) => value !== fundId)}
            value={[...fundIds]}
            onChange={(ids) => draft.put({ fundIds: ids })}
            maxValues={20}
            error={faultOf('fundIds')}
          />
        </div>
      )}
    </Section>
  )
})
