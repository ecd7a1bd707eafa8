import { Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconPlus } from '@tabler/icons-react'
import type { AudienceDefinition, AudiencePart, AudienceScope } from '@guildhall/contract/features/communication.audiences'
import { lazy, Suspense, useState } from 'react'
import { AudienceCounts } from './audience-counts.tsx'
import type { Shown } from './audience-counts.tsx'
import { blankPart, definitionOf, draftOf } from './audience-draft.ts'
import type { Draft, DraftPart, Side } from './audience-draft.ts'
import { AudiencePartEditor } from './audience-part.tsx'
import { partKindWords } from './audience-words.ts'
import classes from './audiences.module.css'

const AudiencePeople = lazy(async () => ({ default: (await import('./audience-people.tsx')).AudiencePeople }))

export type AudienceBuilderProps = {
  /** What it begins with; from then on it says what is chosen. Give it another `key` to begin anew. */
  value: AudienceDefinition
  /** Only parts that are complete. */
  onChange: (definition: AudienceDefinition) => void
  scope: AudienceScope
  /** Whose subscriptions count. */
  topicId?: string | null
}

const kinds: readonly AudiencePart['kind'][] = ['people', 'persons', 'chapter', 'group', 'event', 'audience']
const partLimit = 20

/** Puts an audience together, and says all the time whom it finds and whom a mail reaches. */
export function AudienceBuilder({ value, onChange, scope, topicId = null }: AudienceBuilderProps) {
  const [draft, setDraft] = useState(() => draftOf(value))
  const [shown, setShown] = useState<Shown>()
  const set = (side: Side, parts: DraftPart[]) => {
    const next: Draft = { ...draft, [side]: parts }
    setDraft(next)
    onChange(definitionOf(next))
  }
  const asked = { definition: definitionOf(draft), scope, topicId }
  return (
    <div className={classes['builder']}>
      <Parts
        title={t`Include`}
        hint={t`Everybody whom one of these finds is in.`}
        parts={draft.include}
        onChange={(parts) => set('include', parts)}
      />
      <Parts
        title={t`Exclude`}
        hint={t`Everybody whom one of these finds is out.`}
        parts={draft.exclude}
        onChange={(parts) => set('exclude', parts)}
      />
      <AudienceCounts asked={asked} onShow={setShown} />
      <Suspense>
        {shown && <AudiencePeople asked={asked} shown={shown} onShow={setShown} draft={draft} onClose={() => setShown(undefined)} />}
      </Suspense>
    </div>
  )
}

type PartsProps = { title: string; hint: string; parts: DraftPart[]; onChange: (parts: DraftPart[]) => void }

function Parts({ title, hint, parts, onChange }: PartsProps) {
  const words = partKindWords()
  return (
    <fieldset className={classes['side']}>
      <legend className={classes['legend']}>{title}</legend>
      {parts.length > 1 && <p className={classes['dim']}>{hint}</p>}
      {parts.length > 0 && (
        <ul className={classes['parts']}>
          {parts.map(({ key, part }) => (
            <AudiencePartEditor
              key={key}
              part={part}
              onChange={(changed) => onChange(parts.map((each) => (each.key === key ? { key, part: changed } : each)))}
              onRemove={() => onChange(parts.filter((each) => each.key !== key))}
            />
          ))}
        </ul>
      )}
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
            disabled={parts.length >= partLimit}
            aria-label={t`Add to “${title}”`}
          >
            <Trans>Add</Trans>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {kinds.map((kind) => (
            <Menu.Item key={kind} onClick={() => onChange([...parts, blankPart(kind)])}>
              {words[kind]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </fieldset>
  )
}
