import { Button } from '@mantine/core'
import type { AudienceDefinition } from '@guildhall/contract/features/communication.audiences'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import { useShortcuts } from '../../../platform/navigation/shortcuts.ts'
import type { PersonAct, SelectionAct } from '../../../platform/navigation/slots.tsx'
import { useCan } from '../../../platform/session/session.ts'
import { WriteDialog } from './write-dialog.tsx'

const icon = <IconMail size={16} stroke={1.5} aria-hidden />

/** Write, on the page of a person. */
export function WritePerson({ person }: PersonAct) {
  const [writing, setWriting] = useState(false)
  const mayWrite = useCan('messages.write') && !['erased', 'merged'].includes(person.lifecycle)
  if (!mayWrite) return null
  return (
    <>
      <Button variant="default" size="compact-md" leftSection={icon} onClick={() => setWriting(true)}>
        <Trans>Write</Trans>
      </Button>
      <WriteDialog
        opened={writing}
        onClose={() => setWriting(false)}
        person={person}
        audience={{ include: [{ kind: 'persons', ids: [person.id] }], exclude: [] }}
      />
    </>
  )
}

/** E-mail, for the people who are selected in a list. */
export const WriteSelected = (act: SelectionAct) => (useCan('messages.write') ? <Selected {...act} /> : null)

function Selected({ people, guarded }: SelectionAct) {
  const [audience, setAudience] = useState<AudienceDefinition>()
  const write = () => guarded(() => setAudience(audienceOf(people())))
  useShortcuts([{ keys: 'w', label: t`Write to the selected people`, group: t`Members`, run: write }])
  return (
    <>
      <Button variant="subtle" size="compact-md" leftSection={icon} onClick={write}>
        {t`E-mail`}
      </Button>
      {audience && <WriteDialog opened onClose={() => setAudience(undefined)} audience={audience} />}
    </>
  )
}

/** Those ticked, or all that the list shows without those unticked. */
function audienceOf(people: ReturnType<SelectionAct['people']>): AudienceDefinition {
  if ('ids' in people) return { include: [{ kind: 'persons', ids: people.ids }], exclude: [] }
  const { all, except } = people
  return { include: [{ kind: 'people', ...all }], exclude: except.length > 0 ? [{ kind: 'persons', ids: except }] : [] }
}
