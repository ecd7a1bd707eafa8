import { Button, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { reasonWords } from './consent-words.ts'
import table from '../../../ui/display/small-table.module.css'
import classes from './consent.module.css'
import { SuppressionDialog } from './suppression-dialog.tsx'
import type { SuppressionAct } from './suppression-dialog.tsx'

const reasons = ['hard_bounce', 'complaint', 'manual', 'unsubscribed'] as const

/** Addresses that get no mail: counted by reason, looked up by address, added by hand and released. */
export function Suppressions() {
  const { suppressions } = useApi().data.communication
  const [typed, setTyped] = useState('')
  const [address, setAddress] = useState('')
  const [act, setAct] = useState<SuppressionAct | null>(null)
  const found = useQuery(suppressions.list.queryOptions({ input: address ? { address } : {} }))
  const words = reasonWords()
  const { number } = useFormats()
  return (
    <Section title={t`Suppressed addresses`}>
      <div className={classes['stack']}>
        <p className={classes['dim']}>
          <Trans>Addresses are kept as fingerprints only, so look one up by typing it.</Trans>
        </p>
        <form
          className={classes['tools']}
          onSubmit={(event) => {
            event.preventDefault()
            setAddress(typed.trim())
          }}
        >
          <TextInput label={t`Address`} type="email" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
          <Button type="submit" variant="default">
            <Trans>Look up</Trans>
          </Button>
          <Button variant="default" onClick={() => setAct({ does: 'add', address: typed.trim() })}>
            <Trans>Suppress address</Trans>
          </Button>
        </form>
        {found.isPending && <SkeletonLines count={3} />}
        {found.isError && (
          <ProblemState problem={found.error} title={t`The addresses could not be loaded`} retry={() => void found.refetch()} />
        )}
        {found.data && (
          <>
            <p>{reasons.map((reason) => `${words[reason]}: ${number(found.data.counts[reason] ?? 0)}`).join(' · ')}</p>
            {address && found.data.items.length === 0 && <p role="status">{t`${address} is not suppressed.`}</p>}
            {found.data.items.length > 0 && (
              <div className={table['scroll']}>
                <table className={table['table']}>
                  <caption className={classes['dim']}>{address ? address : t`The latest, without their addresses`}</caption>
                  <thead>
                    <tr>
                      <th scope="col">{t`Reason`}</th>
                      <th scope="col">{t`Since`}</th>
                      <th scope="col">{t`Note`}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {found.data.items.map(({ reason, note, since }, at) => (
                      <tr key={`${since} ${at}`}>
                        <th scope="row">{words[reason]}</th>
                        <td>
                          <RelativeTime at={since} />
                        </td>
                        <td>{note}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
            {address && found.data.items[0] && (
              <div>
                <Button
                  variant="default"
                  onClick={() => setAct({ does: 'release', address, reason: found.data.items[0]?.reason ?? 'manual' })}
                >
                  <Trans>Release address</Trans>
                </Button>
              </div>
            )}
          </>
        )}
      </div>
      <SuppressionDialog act={act} onClose={() => setAct(null)} onDone={setAddress} />
    </Section>
  )
}
