import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Section } from '../../ui/page/page.tsx'
import type { RecordEditor } from '../records/record-editor.tsx'
import { FormattedText } from './formatted-text.tsx'
import { FormattedTextForm } from './formatted-text-form.tsx'

type Props<Change> = {
  title: string
  value: FormattedDocument
  /** Shown where there is no text. */
  empty: ReactNode
  editor: RecordEditor<Change>
  change: (document: FormattedDocument) => Change
  may: boolean
  limit?: number
}

/** A text of a record with the way to edit it in place: `<FormattedTextSection title={t`About`} value={group.about} editor={editor} may={may} change={(about) => ({ about })} />`. */
export function FormattedTextSection<Change>({ title, value, empty, editor, change, may, limit }: Props<Change>) {
  const [editing, setEditing] = useState(false)
  return (
    <Section
      title={title}
      actions={
        may &&
        !editing && (
          <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)} aria-label={t`Edit ${title}`}>
            <Trans>Edit</Trans>
          </Button>
        )
      }
    >
      {editing ? (
        <FormattedTextForm
          label={title}
          value={value}
          limit={limit}
          submitLabel={<Trans>Save</Trans>}
          onSubmit={(text) => editor.save({ label: title, change: change(text), before: change(value) })}
          onClose={() => setEditing(false)}
        />
      ) : value.content.length > 0 ? (
        <FormattedText document={value} />
      ) : (
        empty
      )}
      {editor.dialog}
    </Section>
  )
}
