import { ActionIcon, Button, Menu, VisuallyHidden } from '@mantine/core'
import { Plural, Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useMe } from '../../platform/session/session.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { Label } from '../../ui/display/status-badge.tsx'
import { usePeopleChanged } from './people-api.ts'
import { TagDialog, audienceWords } from './tag-dialog.tsx'
import type { KnownTag } from './tag-dialog.tsx'
import classes from './people.module.css'

/** Every tag with who sees it and how many carry it. Officers add tags; who may change people everywhere changes and deletes them. */
export function TagsTab() {
  const api = useApi()
  const { data: me } = useMe()
  const tags = useQuery(api.data.people.tags.list.queryOptions())
  const [edited, setEdited] = useState<KnownTag | 'new' | null>(null)
  const [removed, setRemoved] = useState<KnownTag | null>(null)
  const { number } = useFormats()
  if (tags.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (tags.isError) return <ProblemState problem={tags.error} title={t`The tags could not be loaded`} retry={() => void tags.refetch()} />
  const { items } = tags.data
  const mayChange = me?.permissions.some(({ permission, everywhere }) => permission === 'people.write' && everywhere) ?? false
  return (
    <Section title={t`Tags`} count={items.length}>
      <div className={classes['stack']}>
        <div className={classes['tagsHead']}>
          <p className={classes['dim']}>
            <Trans>
              Members see tags for all members and who carries them. Tags for officers only are hidden from everybody else, even on their
              own page.
            </Trans>
          </p>
          <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setEdited('new')}>
            <Trans>New tag</Trans>
          </Button>
        </div>
        {items.length === 0 && <p>{t`There are no tags yet.`}</p>}
        {items.length > 0 && (
          <div className={classes['tagsScroll']}>
            <table className={classes['tagsTable']}>
              <thead>
                <tr>
                  <th scope="col">{t`Tag`}</th>
                  <th scope="col">{t`Visible to`}</th>
                  <th scope="col">{t`People`}</th>
                  {mayChange && (
                    <th scope="col">
                      <VisuallyHidden>{t`Actions`}</VisuallyHidden>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>
                {items.map((tag) => (
                  <tr key={tag.id}>
                    <th scope="row">
                      <Label color={tag.color}>{tag.name}</Label>
                    </th>
                    <td>{audienceWords()[tag.audience]}</td>
                    <td>
                      <Link to="/members" search={{ filter: { and: [{ or: [{ field: 'tag', op: 'in', value: [tag.id] }] }] } }}>
                        {number(tag.people)}
                      </Link>
                    </td>
                    {mayChange && (
                      <td>
                        <Menu position="bottom-end">
                          <Menu.Target>
                            <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${tag.name}`}>
                              <IconDots size={16} aria-hidden />
                            </ActionIcon>
                          </Menu.Target>
                          <Menu.Dropdown>
                            <Menu.Item onClick={() => setEdited(tag)}>
                              <Trans>Change</Trans>
                            </Menu.Item>
                            <Menu.Item color="red" onClick={() => setRemoved(tag)}>
                              <Trans>Delete</Trans>
                            </Menu.Item>
                          </Menu.Dropdown>
                        </Menu>
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      <TagDialog edited={edited} onClose={() => setEdited(null)} />
      <RemoveTag tag={removed} onClose={() => setRemoved(null)} />
    </Section>
  )
}

function RemoveTag({ tag, onClose }: { tag: KnownTag | null; onClose: () => void }) {
  const api = useApi()
  const changed = usePeopleChanged()
  const name = tag?.name ?? ''
  return (
    <ConfirmDialog
      opened={tag !== null}
      onClose={onClose}
      danger
      title={t`Delete the tag “${name}”?`}
      confirmLabel={<Trans>Delete tag</Trans>}
      onConfirm={async () => {
        if (!tag) return
        await api.data.people.tags.remove.call({ tagId: tag.id })
        await changed()
        toast.success(t`“${name}” deleted`)
      }}
    >
      <Plural
        value={tag?.people ?? 0}
        _0="Nobody has this tag. A deleted tag cannot be restored."
        one="It will be removed from # person. A deleted tag cannot be restored."
        other="It will be removed from # people. A deleted tag cannot be restored."
      />
    </ConfirmDialog>
  )
}
