import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { DocumentKind, FinanceSettings, FinanceSettingsChange } from '@guildhall/contract/features/finance'
import { isNumberFormat, numberOf } from '@guildhall/contract/document-numbers'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useRecordEditor } from '../../platform/records/record-editor.tsx'
import { RecordFact } from '../../platform/records/record-fact.tsx'
import { FactList } from '../../ui/form/fact-list.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import classes from './finance.module.css'

/** How invoices, credit notes and receipts are numbered, when they are due, and who issues them. */
export function FinanceSettingsTab() {
  const settings = useQuery(useApi().data.finance.settings.get.queryOptions())
  if (settings.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (settings.isError)
    return <ProblemState problem={settings.error} title={t`The settings could not be loaded`} retry={() => void settings.refetch()} />
  return <Settings settings={settings.data} />
}

function Settings({ settings }: { settings: FinanceSettings }) {
  const calls = useApi().data.finance.settings
  const client = useQueryClient()
  const editor = useRecordEditor({
    name: t`Finance`,
    record: settings,
    version: settings.version,
    send: (change: FinanceSettingsChange, sent) => calls.update.call(change, sent),
    read: async () => {
      const record = await calls.get.call()
      return { record, version: record.version }
    },
    onSaved: (saved) => client.setQueryData(calls.get.queryKey(), saved),
  })
  const own = { editor, may: settings.mayEdit }
  const { next } = settings
  const kinds: Numbered[] = [
    {
      ...{ kind: 'invoice', format: settings.invoiceFormat, start: settings.invoiceStart, at: next.invoice },
      ...{ label: t`Invoice number`, startLabel: t`First invoice of ${next.year}` },
      write: (invoiceFormat: string): FinanceSettingsChange => ({ invoiceFormat }),
      begin: (invoiceStart: number): FinanceSettingsChange => ({ invoiceStart }),
    },
    {
      ...{ kind: 'credit_note', format: settings.creditNoteFormat, start: settings.creditNoteStart, at: next.creditNote },
      ...{ label: t`Credit note number`, startLabel: t`First credit note of ${next.year}` },
      write: (creditNoteFormat: string): FinanceSettingsChange => ({ creditNoteFormat }),
      begin: (creditNoteStart: number): FinanceSettingsChange => ({ creditNoteStart }),
    },
    {
      ...{ kind: 'receipt', format: settings.receiptFormat, start: settings.receiptStart, at: next.receipt },
      ...{ label: t`Receipt number`, startLabel: t`First receipt of ${next.year}` },
      write: (receiptFormat: string): FinanceSettingsChange => ({ receiptFormat }),
      begin: (receiptStart: number): FinanceSettingsChange => ({ receiptStart }),
    },
  ]
  /** What the next number would be while a format is typed; nothing while it is none. */
  const nextIn = (format: string, at: number) => {
    if (!isNumberFormat(format)) return undefined
    const next = numberOf(format, settings.next.year, at)
    return t`Next number in this format: ${next}`
  }
  const example = '{year}-{number:5}'
  const tokens = { year: '{year}', shortYear: '{yy}', number: '{number}', digits: '{number:5}' }
  return (
    <div className={classes['stack']}>
      <Section title={t`Issuer`}>
        <FactList>
          <RecordFact
            {...own}
            label={t`Legal name`}
            value={settings.legalName}
            change={(legalName) => ({ legalName })}
            hint={t`If it differs from the organisation’s name.`}
          />
          <RecordFact {...own} kind="textarea" label={t`Address`} value={settings.address} change={(address) => ({ address })} />
          <RecordFact
            {...own}
            label={t`Tax number`}
            value={settings.taxId}
            change={(taxId) => ({ taxId })}
            hint={t`Name, address and tax number appear on documents issued from now on.`}
          />
          <RecordFact
            {...own}
            kind="textarea"
            label={t`Invoice footer`}
            value={settings.invoiceFooter}
            change={(invoiceFooter) => ({ invoiceFooter })}
          />
        </FactList>
      </Section>
      <Section title={t`Numbers`}>
        <div className={classes['stack']}>
          <p className={classes['dim']}>
            {t`Numbers have no gaps and restart at 1 each year. A new format applies from the next number; issued numbers do not change. Use capital letters and signs, ${tokens.year} or ${tokens.shortYear}, and ${tokens.number} at the end; ${tokens.digits} has at least five digits.`}
          </p>
          <FactList>
            {kinds.map(({ kind, label, format, write, at }) => {
              const shown = numberOf(format, next.year, at)
              return (
                <RecordFact
                  {...own}
                  key={kind}
                  label={label}
                  value={format}
                  change={write}
                  validate={(typed) => (isNumberFormat(typed.trim()) ? undefined : t`Enter a format such as ${example}.`)}
                  preview={(typed) => nextIn(typed.trim(), at)}
                  hint={t`Next number: ${shown}`}
                />
              )
            })}
            {kinds.map(({ kind, startLabel, start, begin }) => (
              <RecordFact
                key={kind}
                editor={editor}
                may={settings.mayEdit && !settings.begun.includes(kind)}
                kind="number"
                label={startLabel}
                value={String(start)}
                change={(typed) => begin(Number(typed))}
                validate={wholeNumber(1, 1_000_000)}
                hint={settings.begun.includes(kind) ? t`Can’t be changed: numbers for this year have already been issued.` : undefined}
              />
            ))}
          </FactList>
        </div>
      </Section>
      <Section title={t`Due dates and reminders`}>
        <FactList>
          <RecordFact
            {...own}
            kind="number"
            label={t`Days until due`}
            value={String(settings.dueDays)}
            change={(typed) => ({ dueDays: Number(typed) })}
            validate={wholeNumber(0, 365)}
            hint={t`For invoices without a due date of their own.`}
          />
          <RecordFact
            {...own}
            label={t`Reminders after (days)`}
            value={settings.reminderDays.join(', ')}
            change={(typed) => ({ reminderDays: daysOf(typed) })}
            validate={(typed) => (areDays(daysOf(typed)) ? undefined : t`Enter up to five numbers from 1 to 120, such as 3, 14, 30.`)}
            hint={t`Days after the due date. Leave empty to send none.`}
          >
            {settings.reminderDays.length === 0 ? t`No reminders` : settings.reminderDays.join(', ')}
          </RecordFact>
        </FactList>
      </Section>
      {editor.dialog}
    </div>
  )
}

type Numbered = {
  kind: DocumentKind
  format: string
  start: number
  /** The next number, before it is given its format. */
  at: number
  label: string
  startLabel: string
  write: (format: string) => FinanceSettingsChange
  begin: (start: number) => FinanceSettingsChange
}

const daysOf = (typed: string): number[] =>
  typed
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number)
const areDays = (days: readonly number[]) => days.length <= 5 && days.every((day) => Number.isInteger(day) && day >= 1 && day <= 120)
const wholeNumber = (least: number, most: number) => (typed: string) =>
  Number.isInteger(Number(typed)) && typed.trim() !== '' && Number(typed) >= least && Number(typed) <= most
    ? undefined
    : t`Enter a whole number from ${least} to ${most}.`
