import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { HeldMemberships } from './held-memberships.tsx'
import { JoinDialog } from './join-dialog.tsx'
import classes from './membership.module.css'

type PersonHeldProps = { person: { id: string; displayName: string; chapterId: string | null } }

/** Memberships of a person with their terms. Whoever may see none and add none is shown nothing. */
export function PersonHeld({ person }: PersonHeldProps) {
  const { membership } = useApi().data
  const held = useQuery(membership.ofPerson.queryOptions({ input: { personId: person.id } }))
  const mayAdd = held.data?.may.add ?? false
  const types = useQuery({ ...membership.types.list.queryOptions({ input: {} }), enabled: mayAdd })
  const { new: asked } = useSearch({ strict: false })
  const [adding, setAdding] = useState(asked === 1)
  if (held.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={3} />
      </Loading>
    )
  }
  if (held.isError)
    return <ProblemState problem={held.error} title={t`The memberships could not be loaded`} retry={() => void held.refetch()} />
  const { items } = held.data
  const offered = types.data?.items ?? []
  if (items.length === 0 && offered.length === 0) return null
  return (
    <Section
      title={t`Memberships`}
      count={items.length}
      actions={
        offered.length > 0 && (
          <Button variant="default" size="compact-md" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
            <Trans>Add membership</Trans>
          </Button>
        )
      }
    >
      {items.length === 0 && <p className={classes['dim']}>{t`No memberships.`}</p>}
      <HeldMemberships items={items} />
      <JoinDialog opened={adding} onClose={() => setAdding(false)} types={offered} person={person} />
    </Section>
  )
}
