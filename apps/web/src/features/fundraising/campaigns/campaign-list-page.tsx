import { Button, SegmentedControl } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { IconHeartHandshake, IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { useRights } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { useListView } from '../../lists/lists-public.tsx'
import type { BuiltInView, Look } from '../../lists/lists-public.tsx'
import { ExportButton, RecordTable } from '../../lists/record-list-public.tsx'
import { useCampaigns } from '../fundraising-api.ts'
import type { CampaignsSearch } from '../fundraising-search.ts'
import { CampaignCards } from './campaign-cards.tsx'
import { CampaignLines, useCampaignColumns, useCampaignFields } from './campaign-table.tsx'
import { FundraisingFigures } from './fundraising-figures.tsx'
import { FundraisingTabs } from './fundraising-tabs.tsx'
import { NewCampaignDialog } from './new-campaign-dialog.tsx'

export const route = createLazyRoute('/signed-in/fundraising')({ component: CampaignListPage })

const RecentGifts = lazy(async () => ({ default: (await import('../gifts/recent-gifts.tsx')).RecentGifts }))

const usual: Look = {
  q: '',
  filter: emptyFilter,
  sort: '-createdAt',
  columns: ['name', 'status', 'raised', 'goal', 'reached', 'donors', 'endsOn', 'chapter'],
  layout: 'cards',
}

function CampaignListPage() {
  usePageTitle(t`Fundraising`)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const can = useRights()
  const mayManage = can('fundraising.manage')
  // Members come to give: their campaigns stand at the top.
  const seesFigures = mayManage || can('gifts.read') || can('gifts.record')
  const { number } = useFormats()
  const [exporting, setExporting] = useState(false)
  const go = (change: Partial<CampaignsSearch>, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace })
  const view = useListView({
    list: 'campaigns',
    builtIn: useBuiltIn(mayManage),
    usual,
    search,
    onSearch: (next, { replace }) => go(next, replace),
  })
  const campaigns = useCampaigns(view.look, view.ready)
  const { total = 0, totalIsExact = true } = campaigns.data ?? {}
  const isTable = view.look.layout === 'table'
  const create = () => go({ new: 1 })
  return (
    <Page fill={isTable}>
      <PageHeader
        title={t`Fundraising`}
        meta={
          campaigns.data && (
            <span role="status">
              {totalIsExact ? plural(total, { one: '# campaign', other: '# campaigns' }) : t`${number(total)}+ campaigns`}
            </span>
          )
        }
        actions={
          <>
            <SegmentedControl
              aria-label={t`Layout`}
              value={isTable ? 'table' : 'cards'}
              onChange={(chosen) => view.set({ layout: chosen === 'table' ? 'table' : 'cards' })}
              data={[
                { value: 'cards', label: t`Cards` },
                { value: 'table', label: t`Table` },
              ]}
            />
            <ExportButton permission="fundraising.manage" onClick={() => setExporting(true)} />
            {mayManage && (
              <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={create}>
                <Trans>New campaign</Trans>
              </Button>
            )}
          </>
        }
      />
      <FundraisingTabs />
      {seesFigures && (
        <FundraisingFigures
          period={search.period ?? 'year'}
          onPeriod={(period) => go({ period: period === 'year' ? undefined : period }, true)}
        />
      )}
      <RecordTable
        list="campaigns"
        view={view}
        records={campaigns}
        columns={useCampaignColumns()}
        fields={useCampaignFields()}
        nameColumn="name"
        icon={IconHeartHandshake}
        words={{
          title: t`Campaigns`,
          search: t`Search campaigns`,
          noMatch: t`No campaign matches`,
          none: t`No campaigns yet`,
          about: t`A campaign has a goal, a page on which people give, and shows how far it has come.`,
          failed: t`The campaigns could not be loaded`,
          create: t`New campaign`,
        }}
        onOpen={({ id }) => void navigate({ to: '/fundraising/$campaignId/{-$tab}', params: { campaignId: id, tab: undefined } })}
        onNew={mayManage ? create : undefined}
        renderCard={(campaign) => <CampaignLines campaign={campaign} />}
        cards={(rows) => <CampaignCards campaigns={rows} />}
        exporting={exporting}
        onExporting={setExporting}
      />
      {!isTable && (
        <Suspense>
          <RecentGifts />
        </Suspense>
      )}
      <NewCampaignDialog opened={search.new === 1 && mayManage} onClose={() => go({ new: undefined }, true)} />
    </Page>
  )
}

/** Paused campaigns are active ones that rest. */
const useBuiltIn = (mayManage: boolean) =>
  useMemo((): [BuiltInView, ...BuiltInView[]] => {
    const status = (...values: string[]) => ({ filter: { and: [{ or: [{ field: 'status', op: 'in' as const, value: values }] }] } })
    return [
      { id: 'all', label: t`All`, spec: {} },
      { id: 'active', label: t`Active`, spec: status('active', 'paused') },
      ...(mayManage ? [{ id: 'drafts', label: t`Draft`, spec: status('draft') }] : []),
      { id: 'ended', label: t`Ended`, spec: { ...status('ended'), sort: '-endsOn' } },
      { id: 'archived', label: t`Archived`, spec: { filter: { and: [{ or: [{ field: 'archived', op: 'is' as const, value: true }] }] } } },
    ]
  }, [mayManage])
