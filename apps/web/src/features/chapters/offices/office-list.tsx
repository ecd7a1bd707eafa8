import { ActionIcon, Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDots, IconUserShield } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { useChaptersChanged, usePositions } from '../chapters-api.ts'
import type { Chapter, Position } from '../chapters-api.ts'
import { OfficeDialog } from './office-dialog.tsx'
import classes from '../chapters.module.css'

/** The offices that the chapter has, whoever holds them. */
export function OfficeList({ chapter }: { chapter: Chapter }) {
  const offices = usePositions(chapter.id, true)
  const [edited, setEdited] = useState<Position | 'new' | null>(null)
  const { positions } = useApi().data.chapters
  const changed = useChaptersChanged()
  const remove = async (office: Position) => {
    try {
      await positions.remove.call({ chapterId: chapter.id, positionId: office.id })
      await changed()
      toast.undo(t`${office.title} removed`, async () => {
        const { title, role, termMonths, maxHolders, mandatory, memberOnly } = office
        await positions.create.call({
          chapterId: chapter.id,
          title,
          roleId: role?.id ?? null,
          termMonths,
          maxHolders,
          mandatory,
          memberOnly,
        })
        await changed()
      })
    } catch (failure) {
      toast.error(t`${office.title} could not be removed.`, failure)
    }
  }
  if (offices.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  if (offices.isError)
    return <ProblemState problem={offices.error} title={t`The offices could not be loaded`} retry={() => void offices.refetch()} />
  const { items } = offices.data
  const add = chapter.may.appoint && (
    <Button size="compact-sm" variant="default" onClick={() => setEdited('new')}>
      <Trans>New office</Trans>
    </Button>
  )
  return (
    <>
      {items.length === 0 ? (
        <EmptyState icon={<IconUserShield size={32} stroke={1.5} />} title={t`No offices yet`} action={add}>
          <Trans>An office, such as President or Treasurer, has terms, and may carry rights in this chapter and below.</Trans>
        </EmptyState>
      ) : (
        <Section title={t`Offices`} count={items.length} actions={add}>
          <ul className={classes['list']}>
            {items.map((office) => (
              <li key={office.id} className={classes['item']}>
                <span className={classes['words']}>
                  {office.title}
                  <span className={classes['minor']}>{describe(office)}</span>
                </span>
                <span className={classes['end']}>
                  {office.mandatory && <StatusBadge tone={office.holders > 0 ? 'neutral' : 'bad'}>{t`Mandatory`}</StatusBadge>}
                  {chapter.may.appoint && (
                    <Menu>
                      <Menu.Target>
                        <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${office.title}`}>
                          <IconDots size={16} aria-hidden />
                        </ActionIcon>
                      </Menu.Target>
                      <Menu.Dropdown>
                        <Menu.Item onClick={() => setEdited(office)}>
                          <Trans>Change</Trans>
                        </Menu.Item>
                        <Menu.Item color="red" onClick={() => void remove(office)}>
                          <Trans>Remove</Trans>
                        </Menu.Item>
                      </Menu.Dropdown>
                    </Menu>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <OfficeDialog chapter={chapter} edited={edited} onClose={() => setEdited(null)} />
    </>
  )
}

const describe = ({ role, termMonths, maxHolders, holders, memberOnly }: Position) =>
  [
    t`${holders} of ${maxHolders} seats taken`,
    termMonths && t`${termMonths} months`,
    role && t`carries the rights of ${role.name}`,
    memberOnly && t`members only`,
  ]
    .filter(Boolean)
    .join(' · ')
