import { Badge, Button, Popover } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { TaggedType } from '@guildhall/contract/features/lists'
import { Section } from '../../ui/page/page.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { OfficersOnly } from './tag-badge.tsx'
import { TagPicker } from './tag-picker.tsx'
import { useSetTags } from './tags-api.ts'
import type { TagRef } from './tags-api.ts'
import classes from './tags.module.css'

type Props = {
  /** Of the record. */
  name: string
  tags: readonly TagRef[]
  may: boolean
  save: (tags: readonly TagRef[]) => Promise<unknown>
}

/** A record's tags: added by name, removed with a click, both with Undo. */
export function RecordTags({ name, tags, may, save }: Props) {
  const [picking, setPicking] = useState(false)
  const set = async (next: readonly TagRef[], text: string) => {
    try {
      await save(next)
      toast.undo(text, () => save(tags))
    } catch (problem) {
      toast.error(t`The tags could not be changed.`, problem)
    }
  }
  if (tags.length === 0 && !may) return null
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
            may && (
              <button
                type="button"
                className={classes['off']}
                aria-label={t`Remove ${tag.name}`}
                onClick={() =>
                  void set(
                    tags.filter(({ id }) => id !== tag.id),
                    t`“${tag.name}” removed from ${name}`,
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
      {may && (
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
                if (tag) void set([...tags, tag], t`${name} tagged “${tag.name}”`)
              }}
            />
          </Popover.Dropdown>
        </Popover>
      )}
    </div>
  )
}

type SectionProps = { recordType: TaggedType; record: { id: string; name: string; tags: readonly TagRef[] }; may: boolean }

/** Tags on the page of a record other than a person; absent where there are none and none may be added. */
export function TagSection({ recordType, record, may }: SectionProps) {
  const save = useSetTags(recordType, record.id)
  if (record.tags.length === 0 && !may) return null
  return (
    <Section title={t`Tags`}>
      <RecordTags name={record.name} tags={record.tags} may={may} save={save} />
    </Section>
  )
}
