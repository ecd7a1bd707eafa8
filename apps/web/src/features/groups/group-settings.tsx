import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useApi } from '../../platform/api/api.tsx'
import { RecordFact } from '../../platform/records/record-fact.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { FactList } from '../../ui/form/fact-list.tsx'
import { Section } from '../../ui/page/page.tsx'
import { useGroupEditor, useGroupsChanged } from './groups-api.ts'
import type { Group } from './groups-api.ts'
import { joinOptions, kindOptions, visibilityOptions, visibilityWords } from './groups-words.tsx'
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
  const editor = useGroupEditor(group)
  const own = { editor, may: group.may.edit && !group.archivedAt }
  return (
    <Section title={t`Profile`}>
      <FactList>
        <RecordFact {...own} label={t`Name`} value={group.name} change={(name) => ({ name })} />
        <RecordFact {...own} label={t`Kind`} value={group.kind} options={kindOptions()} change={(kind) => ({ kind })} />
        <RecordFact
          {...own}
          label={t`Joining`}
          value={group.joinPolicy}
          options={joinOptions()}
          change={(joinPolicy) => ({ joinPolicy })}
        />
        <RecordFact
          {...own}
          label={t`Visibility`}
          value={group.visibility}
          options={group.may.place ? visibilityOptions() : visibilityOptions(group.visibility)}
          change={(visibility) => ({ visibility })}
        >
          {visibilityWords()[group.visibility]}
        </RecordFact>
        <RecordFact
          {...own}
          label={t`Places`}
          value={group.capacity === null ? '' : String(group.capacity)}
          change={(text) => ({ capacity: text ? Number(text) : null })}
          validate={(text) => (text === '' || /^[1-9]\d{0,6}$/.test(text) ? undefined : t`Enter a whole number, or nothing for no limit.`)}
        />
        <RecordFact {...own} label={t`Website`} kind="url" value={group.website} change={(website) => ({ website })} />
        <RecordFact {...own} label={t`Telephone`} kind="tel" value={group.phone} change={(phone) => ({ phone })} />
        <RecordFact
          {...own}
          may={own.may && group.may.place}
          label={t`Code`}
          value={group.code ?? ''}
          change={(code) => ({ code: code || null })}
          hint={group.may.edit && !group.may.place && t`Changed by officers of the chapter`}
        />
      </FactList>
      {editor.dialog}
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
