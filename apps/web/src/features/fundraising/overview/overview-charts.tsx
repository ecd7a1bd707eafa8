import { t } from '@lingui/core/macro'
import { plainAmount } from '@guildhall/contract/money'
import type { CampaignOverview } from '@guildhall/contract/features/fundraising'
import { useNavigate } from '@tanstack/react-router'
import { Chart } from '../../../ui/charts/chart.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney, useRoundMoney } from '../../../ui/display/money.tsx'
import type { FilterCondition } from '../../../ui/filter/filter.ts'
import { Section } from '../../../ui/page/page.tsx'
import { between, counted, giftsHref, ofFund } from '../campaigns/list-links.ts'
import type { Campaign } from '../fundraising-api.ts'
import classes from './overview.module.css'

type Props = { campaign: Campaign; overview: CampaignOverview }

/** The pictures of a campaign; each point and bar leads to the gifts it counts. */
export function OverviewCharts({ campaign, overview }: Props) {
  if (overview.line.length === 0) return null
  return (
    <>
      <Section title={t`Raised over time`}>
        <Line campaign={campaign} overview={overview} />
      </Section>
      <div className={classes['halves']}>
        <Section title={t`Gift sizes`}>
          <Sizes campaign={campaign} overview={overview} />
        </Section>
        {overview.funds.length > 0 && (
          <Section title={t`By fund`}>
            <Funds campaign={campaign} overview={overview} />
          </Section>
        )}
      </div>
    </>
  )
}

/** Nothing opens for who may not see gifts. */
function useOpenGifts({ id, may }: Campaign) {
  const navigate = useNavigate()
  return may.seeGifts ? (...conditions: FilterCondition[]) => void navigate({ href: giftsHref(id, counted, ...conditions) }) : undefined
}

function Line({ campaign, overview: { line } }: Props) {
  const { day } = useFormats()
  const money = useMoney()
  const open = useOpenGifts(campaign)
  const { currency, goal, goalKind, status } = campaign
  const [first, last] = [line[0], line.at(-1)]
  if (!first || !last) return null
  const amount = (value: number) => money(value, currency)
  const hasGoal = goal !== null && goalKind === 'amount'
  const compares = line.some(({ before }) => before !== null)
  return (
    <Chart
      kind="line"
      title={t`${amount(last.raised)} raised since ${day(first.day)}`}
      summary={
        last.before === null
          ? t`All gifts up to each day, less refunds.`
          : t`All gifts up to each day, less refunds. A year earlier it was ${amount(last.before)}.`
      }
      data={{
        heading: t`Day`,
        series: [
          { key: 'raised', label: t`Raised` },
          ...(hasGoal ? [{ key: 'goal', label: t`Goal` }] : []),
          ...(compares ? [{ key: 'before', label: t`A year earlier`, previous: true }] : []),
        ],
        rows: line.map((point) => ({
          key: point.day,
          label: day(point.day),
          values: { raised: point.raised, before: point.before, goal: hasGoal ? goal : null },
        })),
      }}
      partial={status === 'active'}
      format={amount}
      onSelect={
        open &&
        (({ key }) => {
          const at = line.findIndex((point) => point.day === key)
          const former = line[at - 1]?.day
          open(between('day', former ? dayAfter(former) : key, key))
        })
      }
    />
  )
}

const dayAfter = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

function Sizes({ campaign, overview: { sizes } }: Props) {
  const { number } = useFormats()
  const round = useRoundMoney()
  const open = useOpenGifts(campaign)
  const { currency } = campaign
  const total = sizes.reduce((sum, { gifts }) => sum + gifts, 0)
  const [most] = sizes.toSorted((one, other) => other.gifts - one.gifts)
  const words = ({ from, to }: { from: number; to: number | null }) =>
    to === null
      ? t`${round(from, currency)} or more`
      : from === 0
        ? t`Under ${round(to, currency)}`
        : t`${round(from, currency)} to ${round(to, currency)}`
  if (!most || total === 0) return <p className={classes['dim']}>{t`No gifts yet.`}</p>
  const units = (amount: number) => Number(plainAmount(amount, currency))
  return (
    <Chart
      kind="bars"
      inOrder
      title={t`${words(most)}: ${number(most.gifts)} of ${number(total)} gifts`}
      summary={t`How many gifts there were of each size.`}
      data={{
        heading: t`Size`,
        series: [{ key: 'gifts', label: t`Gifts` }],
        rows: sizes.map((size) => ({ key: String(size.from), label: words(size), values: { gifts: size.gifts } })),
      }}
      onSelect={
        open &&
        (({ key }) => {
          const size = sizes.find(({ from }) => String(from) === key)
          if (!size) return
          const { from, to } = size
          open(
            to === null
              ? { field: 'money', op: 'after', value: units(from - 1) }
              : { field: 'money', op: 'between', value: [units(from), units(to - 1)] },
          )
        })
      }
    />
  )
}

function Funds({ campaign, overview: { funds } }: Props) {
  const money = useMoney()
  const open = useOpenGifts(campaign)
  const { currency } = campaign
  const amount = (value: number) => money(value, currency)
  const [most] = funds.toSorted((one, other) => other.raised - one.raised)
  if (!most) return null
  return (
    <Chart
      kind="bars"
      title={t`${most.fund.name}: ${amount(most.raised)}`}
      summary={t`What each fund has of the gifts, less refunds.`}
      data={{
        heading: t`Fund`,
        series: [{ key: 'raised', label: t`Raised` }],
        rows: funds.map(({ fund, raised }) => ({ key: fund.id, label: fund.name, values: { raised } })),
      }}
      format={amount}
      onSelect={open && (({ key }) => open(ofFund(key)))}
    />
  )
}
