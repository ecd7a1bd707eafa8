import { Alert, Button, NativeSelect } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import type { RecordType } from '@guildhall/contract/features/fields'
import { importFields } from '@guildhall/contract/features/imports'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { toast } from '../../platform/activity/toast.tsx'
import { Section } from '../../ui/page/page.tsx'
import { useFields } from '../fields/fields-public.tsx'
import { findingLine } from './finding-text.ts'
import { ImportOptionFields } from './import-option-fields.tsx'
import { ImportReading } from './import-reading.tsx'
import { ImportValues } from './import-values.tsx'
import { SaveMapping } from './save-mapping.tsx'
import { useImportActs } from './imports-api.ts'
import type { Import } from './imports-api.ts'
import { fieldWords, targetWord } from './imports-words.ts'
import classes from './imports.module.css'

/** What each column maps to, with its values beside it, and how the file is read. */
export function ImportColumns({ item }: { item: Import }) {
  const { check, configure } = useImportActs()
  const own = useImportFields(item.kind)
  const blocked = item.missing.length > 0 || item.findings.some(({ level }) => level === 'error')
  const change = async (mapping: string[]) => {
    try {
      await configure.mutateAsync({ id: item.id, version: item.version, mapping })
    } catch (failure) {
      toast.error(t`The column could not be changed.`, failure)
    }
  }
  return (
    <>
      {item.savedMapping && (
        <Alert color="blue">
          <Trans>The saved mapping “{item.savedMapping.name}” was used, since the columns are the same.</Trans>
        </Alert>
      )}
      <FileFindings item={item} />
      <Section
        title={t`Columns`}
        count={item.columns.length}
        actions={
          <div className={classes['row']}>
            <SaveMapping item={item} />
            <Button
              disabled={blocked}
              loading={check.isPending}
              onClick={() =>
                void check.mutateAsync(item.id).catch((failure: unknown) => toast.error(t`The check could not start.`, failure))
              }
            >
              <Trans>Check file</Trans>
            </Button>
          </div>
        }
      >
        <div className={classes['scroll']}>
          <table className={`${classes['table']} ${classes['ledger']} ${classes['mapping']}`}>
            <thead>
              <tr>
                <th scope="col">{t`Column in the file`}</th>
                <th scope="col">{t`Maps to`}</th>
                <th scope="col">{t`First values`}</th>
              </tr>
            </thead>
            <tbody>
              {item.columns.map((column, index) => (
                <tr key={`${index}-${column.header}`}>
                  <th scope="row">{column.header || t`Column ${index + 1}`}</th>
                  <td>
                    <NativeSelect
                      aria-label={t`${column.header || t`Column ${index + 1}`} maps to`}
                      value={column.target}
                      data={choices(item, index, own)}
                      onChange={(event) => {
                        const target = event.currentTarget.value
                        void change(item.columns.map((other, at) => (at === index ? target : other.target)))
                      }}
                    />
                  </td>
                  <td className={classes['cell']}>{column.samples.join(' · ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Section>
      <ImportValues item={item} />
      <ImportReading item={item} />
      <ImportOptionFields item={item} />
      <Sample item={item} />
    </>
  )
}

/** Fields of the organisation that a column can stand for; none for other kinds. */
function useImportFields(kind: Import['kind']) {
  const type = recordTypes[kind]
  const fields = useFields(type ?? 'people')
  return type ? fields : []
}

/** Kinds of files whose records have fields of the organisation. */
const recordTypes: Partial<Record<Import['kind'], RecordType>> = { people: 'people', chapters: 'chapters', groups: 'groups' }

/** All fields of the kind; what the values look like first, a link under the name that the file gives it. */
function choices({ kind, columns }: Import, index: number, own: readonly { key: string; label: string }[]) {
  const column = columns[index]
  const fields = importFields[kind].filter((field) => field !== 'link' && field !== 'tag' && field !== 'field')
  const service = (column?.header ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .slice(0, 40)
  const links = importFields[kind].some((field) => field === 'link') && service ? [`link:${service}`, `externalId:${service}`] : []
  const extra = [...(importFields[kind].some((field) => field === 'tag') ? ['tag'] : []), ...links]
  const first = [column?.guess, ...(column?.suggestions ?? [])].filter((target) => target !== undefined && target !== 'ignore')
  const all = [
    ...new Set(['ignore', ...first, ...fields, ...own.map(({ key }) => `field:${key}`), ...extra, ...(column ? [column.target] : [])]),
  ]
  const words = { ...fieldWords(), ...Object.fromEntries(own.map(({ key, label }) => [`field:${key}`, label])) }
  return all.flatMap((target) => (target === undefined ? [] : [{ value: target, label: words[target] ?? targetWord(target) }]))
}

function FileFindings({ item }: { item: Import }) {
  const words = fieldWords()
  const errors = item.findings.filter(({ level }) => level === 'error')
  const warnings = item.findings.filter(({ level }) => level === 'warning')
  return (
    <>
      {(item.missing.length > 0 || errors.length > 0) && (
        <Alert role="alert" color="red" title={t`Before the check`}>
          <ul className={classes['findings']}>
            {item.missing.map((anyOf) => (
              <li key={anyOf.join()}>
                <Trans>Choose a column for {anyOf.map((field) => words[field] ?? field).join(', ')}.</Trans>
              </li>
            ))}
            {errors.map((finding) => (
              <li key={`${finding.code} ${finding.column ?? ''}`}>{findingLine(finding)}</li>
            ))}
          </ul>
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert color="amber" title={t`Worth a look`}>
          <ul className={classes['findings']}>
            {warnings.map((finding) => (
              <li key={`${finding.code} ${finding.column ?? ''}`}>{findingLine(finding)}</li>
            ))}
          </ul>
        </Alert>
      )}
    </>
  )
}

function Sample({ item }: { item: Import }) {
  return (
    <Section title={t`Preview of the first rows`}>
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label={t`Preview of the first rows`}>
        <table className={classes['table']}>
          <thead>
            <tr>
              {item.columns.map((column, index) => (
                <th key={index} scope="col">
                  {column.header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {item.sample.map((row, line) => (
              <tr key={line}>
                {row.map((cell, index) => (
                  <td key={index} className={classes['cell']}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}
