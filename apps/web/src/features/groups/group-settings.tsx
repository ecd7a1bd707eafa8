import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useApi } from '../../platform/api/api.tsx'
import { problemText } from '../../platform/api/problem-text.tsx'
import { ApiProblem } from '../../platform/api/problem.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { Fact, FactList } from '../../ui/form/fact-list.tsx'
import type { FactEdit } from '../../ui/form/fact-editor.tsx'
import { Section } from '../../ui/page/page.tsx'
import { useChangeGroup, useGroupsChanged } from './groups-api.ts'
import type { Group } from './groups-api.ts'
import { chosen, joinOptions, joinWords, kindOptions, kindWords, visibilityOptions, visibilityWords } from './groups-words.tsx'
import classes from './groups.module.css'

export function GroupSettings({ group }: { group: Group }) {
  return (
    <div className={classes['stack']}>
      <Profile group={group} />
      {group.may.archive && <Archiving group={group} />}
    </div>
  )
}

function Profile({ group }: { group: Group }) {
  const change = useChangeGroup(group)
  const editor = (
    value: string,
    toChange: (text: string) => Parameters<typeof change.mutateAsync>[0],
    more: Partial<FactEdit> = {},
  ): FactEdit | undefined =>
    group.may.edit && !group.archivedAt
      ? {
          kind: 'text',
          value,
          onSave: async (text) => {
            try {
              await change.mutateAsync(toChange(text))
            } catch (problem) {
              const stale = problem instanceof ApiProblem && problem.status === 412
              const first = problem instanceof ApiProblem ? problem.errors[0]?.message : undefined
              throw new Error(
                stale
                  ? t`Someone else changed this group. The page now shows their change; save again to keep yours.`
                  : (first ?? problemText(problem)),
                { cause: problem },
              )
            }
          },
          ...more,
        }
      : undefined
  const choice = <Key extends 'kind' | 'joinPolicy' | 'visibility'>(key: Key, options: readonly { value: Group[Key]; label: string }[]) =>
    editor(
      group[key],
      (text) => {
        const value = chosen(options, text)
        return value ? { [key]: value } : {}
      },
      { kind: 'select', options },
    )
  return (
    <Section title={t`Profile`}>
      <FactList>
        <Fact label={t`Name`} edit={editor(group.name, (name) => ({ name }))}>
          {group.name}
        </Fact>
        <Fact label={t`About`} edit={editor(group.description, (description) => ({ description }), { kind: 'textarea' })}>
          {group.description}
        </Fact>
        <Fact label={t`Kind`} edit={choice('kind', kindOptions())}>
          {kindWords()[group.kind]}
        </Fact>
        <Fact label={t`Joining`} edit={choice('joinPolicy', joinOptions())}>
          {joinWords()[group.joinPolicy]}
        </Fact>
        <Fact
          label={t`Visibility`}
          edit={choice('visibility', group.may.place ? visibilityOptions() : visibilityOptions(group.visibility))}
        >
          {visibilityWords()[group.visibility]}
        </Fact>
        <Fact
          label={t`Places`}
          edit={editor(group.capacity === null ? '' : String(group.capacity), (text) => ({ capacity: text ? Number(text) : null }), {
            validate: (text) =>
              text === '' || /^[1-9]\d{0,6}$/.test(text) ? undefined : t`Enter a whole number, or nothing for no limit.`,
          })}
        >
          {group.capacity}
        </Fact>
        <Fact label={t`Website`} edit={editor(group.website, (website) => ({ website }), { kind: 'url' })}>
          {group.website}
        </Fact>
        <Fact label={t`Telephone`} edit={editor(group.phone, (phone) => ({ phone }), { kind: 'tel' })}>
          {group.phone}
        </Fact>
        <Fact
          label={t`Code`}
          edit={group.may.place ? editor(group.code ?? '', (code) => ({ code: code || null })) : undefined}
          hint={group.may.edit && !group.may.place && t`Changed by officers of the chapter`}
        >
          {group.code}
        </Fact>
      </FactList>
    </Section>
  )
}

function Archiving({ group }: { group: Group }) {
  const { archive, restore } = useApi().data.groups
  const changed = useGroupsChanged()
  const bringBack = async (version: number) => {
    await restore.call({ groupId: group.id }, { context: { ifMatch: version } })
    await changed()
  }
  const putAway = async () => {
    try {
      const { version } = await archive.call({ groupId: group.id }, { context: { ifMatch: group.version } })
      await changed()
      toast.undo(t`${group.name} archived`, () => bringBack(version))
    } catch (failure) {
      toast.error(t`${group.name} could not be archived.`, failure)
    }
  }
  return (
    <Section title={group.archivedAt ? t`Archived` : t`Archive`}>
      <div className={classes['row']}>
        <span className={classes['none']}>
          {group.archivedAt
            ? t`This group accepts no new members; its history is kept.`
            : t`An archived group keeps its history and accepts no new members.`}
        </span>
        {group.archivedAt ? (
          <Button
            variant="default"
            onClick={() =>
              void bringBack(group.version).catch((failure: unknown) => toast.error(t`${group.name} could not be restored.`, failure))
            }
          >
            <Trans>Restore group</Trans>
          </Button>
        ) : (
          <Button variant="light" color="red" onClick={() => void putAway()}>
            <Trans>Archive group</Trans>
          </Button>
        )}
      </div>
    </Section>
  )
}
