import { Badge, Button, Popover } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import classes from '../people.module.css'
import { showPerson, usePeopleChanged } from '../people-api.ts'
import type { Person } from '../people-api.ts'
import { OfficersOnly } from '../tag-badge.tsx'
import { TagPicker } from '../tag-picker.tsx'
import { useQueryClient } from '@tanstack/react-query'

/** A person's tags: added by name, taken off with a click, both at once on the page. */
export function PersonTags({ person }: { person: Person }) {
  const api = useApi()
  const cache = useQueryClient()
  const changed = usePeopleChanged()
  const [picking, setPicking] = useState(false)
  const { tags, id: personId } = person

  const set = async (next: Person['tags'], text: string) => {
    const send = async (list: Person['tags']) => {
      const answer = await api.data.people.setTags.call({ personId, tagIds: list.map(({ id }) => id) })
      showPerson(cache, api, { ...person, tags: answer.tags })
      await changed()
    }
    showPerson(cache, api, { ...person, tags: next })
    try {
      await send(next)
      toast.undo(text, () => send(tags))
    } catch (problem) {
      showPerson(cache, api, person)
      toast.error(t`The tags could not be changed.`, problem)
    }
  }
  if (tags.length === 0 && !person.may.edit) return null
  return (
    <div className={classes['wrap']}>
      {tags.map((tag) => (
        <Badge
          key={tag.id}
          variant="light"
          color={tag.color}
          radius="sm"
          size="lg"
          tt="none"
          fw={500}
          rightSection={
            person.may.edit && (
              <button
                type="button"
                className={classes['off']}
                aria-label={t`Remove ${tag.name}`}
                onClick={() =>
                  void set(
                    tags.filter(({ id }) => id !== tag.id),
                    t`“${tag.name}” removed from ${person.displayName}`,
                  )
                }
              >
                <IconX size={12} aria-hidden />
              </button>
            )
          }
        >
          {tag.name}
          {tag.audience === 'officers' && <OfficersOnly />}
        </Badge>
      ))}
      {person.may.edit && (
        <Popover opened={picking} onChange={setPicking} trapFocus width={280} position="bottom-start">
          <Popover.Target>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              leftSection={<IconPlus size={14} stroke={1.5} aria-hidden />}
              onClick={() => setPicking(!picking)}
            >
              {t`Add a tag`}
            </Button>
          </Popover.Target>
          <Popover.Dropdown aria-label={t`Add a tag`}>
            <TagPicker
              value={null}
              except={tags.map(({ id }) => id)}
              onChange={(tag) => {
                setPicking(false)
                if (tag) void set([...tags, tag], t`${person.displayName} tagged “${tag.name}”`)
              }}
            />
          </Popover.Dropdown>
        </Popover>
      )}
    </div>
  )
}
