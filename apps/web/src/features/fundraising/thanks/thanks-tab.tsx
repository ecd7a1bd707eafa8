import { Button } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { IconHeart } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { ThankRow } from '@guildhall/contract/features/fundraising.gifts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useShortcuts } from '../../../platform/navigation/shortcuts.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { Donor, donorName, giftDay, tributeWords } from '../giving-words.tsx'
import { useGift } from '../fundraising-api.ts'
import { ThankComposer } from './thank-composer.tsx'
import { useThanks } from './thanks-api.ts'
import classes from './thanks.module.css'

/** Donors whom nobody has thanked yet, one after the other. */
export function ThanksTab({ campaignId }: { campaignId?: string | undefined }) {
  const thanks = useThanks(campaignId)
  const [thanked, setThanked] = useState<ReadonlySet<string>>(new Set())
  if (thanks.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (thanks.isError)
    return <ProblemState problem={thanks.error} title={t`The gifts to thank for could not be loaded`} retry={() => void thanks.refetch()} />
  const rows = thanks.data.items.filter(({ gift }) => !thanked.has(gift.id))
  if (rows.length === 0 && !thanks.hasNextPage) {
    return (
      <EmptyState icon={<IconHeart size={32} stroke={1.5} />} title={t`Every donor has been thanked`}>
        {thanked.size > 0
          ? plural(thanked.size, { one: 'You thanked # donor just now. Well done.', other: 'You thanked # donors just now. Well done.' })
          : t`Nobody is waiting. New gifts stand here as soon as they are received.`}
      </EmptyState>
    )
  }
  return (
    <>
      <Waiting rows={rows} total={Math.max(rows.length, (thanks.data.total ?? rows.length) - (thanks.data.items.length - rows.length))} />
      <Queue
        rows={rows}
        onThanked={(id) => setThanked((before) => new Set([...before, id]))}
        onUndone={(id) => setThanked((before) => new Set([...before].filter((other) => other !== id)))}
      />
      <ShowMore query={thanks} />
    </>
  )
}

function Waiting({ rows, total }: { rows: readonly ThankRow[]; total: number }) {
  const late = rows.filter((row) => row.late).length
  return (
    <p className={classes['bar']} role="status">
      {plural(total, { one: '# donor to thank', other: '# donors to thank' })}
      {late > 0 && <StatusBadge tone="bad">{plural(late, { one: '# late', other: '# late' })}</StatusBadge>}
    </p>
  )
}

type QueueProps = { rows: readonly ThankRow[]; onThanked: (giftId: string) => void; onUndone: (giftId: string) => void }

function Queue({ rows, onThanked, onUndone }: QueueProps) {
  const [chosen, setChosen] = useState<string>()
  // The next one takes the place of one that was thanked.
  const [at, setAt] = useState(0)
  const found = rows.findIndex(({ gift }) => gift.id === chosen)
  const current = found >= 0 ? found : Math.min(at, rows.length - 1)
  const row = rows[current]
  const heading = useRef<HTMLHeadingElement>(null)
  const follows = useRef(false)
  const currentId = row?.gift.id
  useEffect(() => {
    if (!follows.current) return
    follows.current = false
    heading.current?.focus()
  }, [currentId])
  const show = (next: number) => {
    const wanted = rows[Math.max(0, Math.min(rows.length - 1, next))]
    if (!wanted) return
    setChosen(wanted.gift.id)
    setAt(rows.indexOf(wanted))
  }
  useShortcuts([
    { keys: 'j', label: t`Next donor`, group: t`Thank-yous`, run: () => show(current + 1) },
    { keys: 'k', label: t`Previous donor`, group: t`Thank-yous`, run: () => show(current - 1) },
  ])
  if (!row) return null
  return (
    <div className={classes['queue']}>
      <ol className={classes['list']} aria-label={t`Donors to thank`}>
        {rows.map((one, nth) => (
          <li key={one.gift.id}>
            <button type="button" className={classes['one']} aria-current={nth === current} onClick={() => show(nth)}>
              <Entry row={one} />
            </button>
          </li>
        ))}
      </ol>
      <section key={row.gift.id} className={classes['card']} aria-labelledby="thank-title">
        <Gift row={row} heading={heading} />
        <ThankComposer
          row={row}
          onThanked={() => {
            follows.current = true
            setChosen(undefined)
            setAt(current)
            onThanked(row.gift.id)
          }}
          onUndone={() => onUndone(row.gift.id)}
        />
        {rows.length > 1 && (
          <div>
            <Button variant="subtle" size="compact-sm" onClick={() => show(current + 1 < rows.length ? current + 1 : 0)}>
              <Trans>Skip for now</Trans>
            </Button>
          </div>
        )}
      </section>
    </div>
  )
}

const since = (days: number) => (days === 0 ? t`Today` : plural(days, { one: '# day ago', other: '# days ago' }))

function Entry({ row: { gift, days, late } }: { row: ThankRow }) {
  const money = useMoney()
  return (
    <>
      <span className={classes['name']}>{donorName(gift)}</span>
      <span className={classes['sum']}>{money(gift.money.amount, gift.money.currency)}</span>
      <span className={classes['dim']}>{since(days)}</span>
      {late && <StatusBadge tone="bad">{t`Late`}</StatusBadge>}
    </>
  )
}

/** What is worth knowing before one writes: what it was for, and what the donor wrote. */
function Gift({ row: { gift, days, late }, heading }: { row: ThankRow; heading: RefObject<HTMLHeadingElement | null> }) {
  const money = useMoney()
  const { day } = useFormats()
  const whole = useGift(gift.id).data
  return (
    <div className={classes['head']}>
      <div>
        <h2 id="thank-title" ref={heading} tabIndex={-1} className={classes['title']}>
          <Donor of={gift} />
        </h2>
        <p className={classes['dim']}>{[day(giftDay(gift)), since(days), gift.campaign?.name].filter(Boolean).join(' · ')}</p>
        {whole?.tribute && (
          <p className={classes['dim']}>
            {tributeWords()[whole.tribute.kind]} {whole.tribute.name}
          </p>
        )}
        {whole?.message && <p>“{whole.message}”</p>}
      </div>
      <span className={classes['noted']}>
        {late && <StatusBadge tone="bad">{t`Late`}</StatusBadge>}
        <Link
          to="/fundraising/$campaignId/{-$tab}"
          params={{ campaignId: 'all', tab: 'donations' }}
          search={{ open: gift.id }}
          className={classes['sum']}
        >
          {money(gift.money.amount, gift.money.currency)}
        </Link>
      </span>
    </div>
  )
}
