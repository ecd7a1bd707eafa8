import { Button, Popover, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { problemText } from '../../platform/api/problem-text.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { useImportActs } from './imports-api.ts'
import type { Import } from './imports-api.ts'
import classes from './imports.module.css'

/** Keeps the answers for the next file with these headers. */
export function SaveMapping({ item }: { item: Import }) {
  const { configure } = useImportActs()
  const [opened, setOpened] = useState(false)
  const [name, setName] = useState('')
  const [refused, setRefused] = useState<string | null>(null)
  const save = async () => {
    try {
      await configure.mutateAsync({ id: item.id, version: item.version, saveMappingAs: name.trim() })
      toast.success(t`Mapping ${name.trim()} saved; files with the same columns get it by themselves`)
      setOpened(false)
    } catch (failure) {
      setRefused(problemText(failure))
    }
  }
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus withinPortal>
      <Popover.Target>
        <Button variant="default" onClick={() => setOpened(!opened)} aria-expanded={opened}>
          <Trans>Save mapping</Trans>
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          className={classes['tight']}
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <TextInput
            label={t`Name of the mapping`}
            value={name}
            error={refused}
            maxLength={100}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Button type="submit" loading={configure.isPending} disabled={!name.trim()}>
            <Trans>Save</Trans>
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
