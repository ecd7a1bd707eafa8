import { Alert, Button, Textarea } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import { importTemplates } from '@guildhall/contract/features/imports'
import { problemText } from '../../platform/api/problem-text.tsx'
import { Section } from '../../ui/page/page.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useImportActs } from './imports-api.ts'
import type { ImportKind } from './imports-api.ts'
import { kindHints, kindOrder, kindWords } from './imports-words.ts'
import classes from './imports.module.css'

const mostBytes = 100_000_000

/** A file with the headers of a kind and, where a forgotten row would be rejected, an example. */
function saveTemplate(kind: ImportKind) {
  const columns = Object.entries(importTemplates[kind])
  const example = columns.map(([, value]) => value)
  const lines = [columns.map(([header]) => header), ...(example.some((value) => value !== '') ? [example] : [])]
  saveFile(new Blob([lines.map((line) => `${line.join(',')}\r\n`).join('')], { type: 'text/csv' }), `${kind.replace('_', '-')}.csv`)
}

type Props = { kind: ImportKind | undefined; onUploaded: (importId: string) => void }

/** What the file holds, then the file: dropped, chosen or pasted. Nothing is imported yet. */
export function ImportsStart({ kind: asked, onUploaded }: Props) {
  const [kind, setKind] = useState<ImportKind>(asked ?? 'people')
  const [pasting, setPasting] = useState(false)
  const [pasted, setPasted] = useState('')
  const [refused, setRefused] = useState<string | null>(null)
  const { upload } = useImportActs()
  const words = kindWords()
  const hints = kindHints()
  const send = async (source: { file?: File; text?: string; fileName?: string }) => {
    setRefused(null)
    try {
      const { id } = await upload.mutateAsync({ kind, ...source })
      onUploaded(id)
    } catch (problem) {
      setRefused(problemText(problem))
    }
  }
  return (
    <Section title={t`New import`}>
      <div className={classes['tight']}>
        <fieldset className={classes['kinds']}>
          <legend className={classes['minor']}>{t`What is in the file? Import in this order.`}</legend>
          {kindOrder.map((value) => (
            <label key={value} className={classes['kind']}>
              <input type="radio" name="import-kind" value={value} checked={kind === value} onChange={() => setKind(value)} />
              <span className={classes['kindName']}>{words[value]}</span>
              <span className={classes['minor']}>{hints[value]}</span>
            </label>
          ))}
        </fieldset>
        {refused && (
          <Alert role="alert" color="red" title={t`The file was not taken`}>
            {refused}
          </Alert>
        )}
        {pasting ? (
          <div className={classes['tight']}>
            <Textarea
              label={t`Rows from a spreadsheet`}
              description={t`With the names of the columns in the first row`}
              rows={10}
              autoFocus
              value={pasted}
              onChange={(event) => setPasted(event.currentTarget.value)}
            />
            <div className={classes['row']}>
              <Button
                loading={upload.isPending}
                disabled={!pasted.trim()}
                onClick={() => void send({ text: pasted, fileName: t`Pasted rows` })}
              >
                <Trans>Continue</Trans>
              </Button>
              <Button variant="default" onClick={() => setPasting(false)}>
                <Trans>Choose a file instead</Trans>
              </Button>
            </div>
          </div>
        ) : (
          <>
            <Dropzone
              aria-label={t`Choose or drop a file of ${words[kind]}`}
              multiple={false}
              maxSize={mostBytes}
              loading={upload.isPending}
              inputProps={{ 'aria-label': t`File of ${words[kind]}` }}
              onDrop={([file]) => file && void send({ file })}
              onReject={([rejection]) =>
                setRefused(
                  rejection?.errors[0]?.code === 'file-too-large'
                    ? t`The file has more than 100 MB. Split it, or use the command line on the server.`
                    : t`Drop one CSV or XLSX file.`,
                )
              }
            >
              <div className={classes['drop']}>
                <IconFileImport size={32} stroke={1.5} aria-hidden />
                <strong>
                  <Trans>Drop a CSV or XLSX file here, or choose one</Trans>
                </strong>
                <span className={classes['minor']}>
                  <Trans>Up to 100 MB. Nothing is written before you have seen what would happen.</Trans>
                </span>
              </div>
            </Dropzone>
            <div className={classes['row']}>
              <Button variant="default" onClick={() => setPasting(true)}>
                <Trans>Paste rows instead</Trans>
              </Button>
              <Button variant="subtle" onClick={() => saveTemplate(kind)}>
                <Trans>Download a template</Trans>
              </Button>
            </div>
          </>
        )}
      </div>
    </Section>
  )
}
