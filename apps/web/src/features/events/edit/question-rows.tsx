import { Select, Switch, Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { chosenOf, optionsOf, questionKindWords } from '../events-words.tsx'
import type { QuestionValues } from './event-values.ts'
import { PartRows } from '../../../ui/form/part-rows.tsx'

type Asked = Omit<QuestionValues, 'ofGuests'>
type Props<Row extends Asked> = {
  rows: readonly Row[]
  onChange: (rows: readonly Row[]) => void
  /** What is wrong at a place such as `questions.0.text`. */
  errorOf: (path: string) => ReactNode
  make: () => Row
  most?: number
  /** Below the fields of each. */
  children?: (question: Row, change: (change: Partial<Row>) => void) => ReactNode
}

/** Questions that organisers ask, with how each is answered. */
export function QuestionRows<Row extends Asked>({ rows, onChange, errorOf, make, most, children }: Props<Row>) {
  const changed = (key: string, change: Partial<Asked>) => onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  return (
    <PartRows<Row>
      rows={rows}
      onChange={onChange}
      name={(_, nth) => t`Question ${nth + 1}`}
      addLabel={t`Add a question`}
      ordered
      make={make}
      {...(most !== undefined && { most })}
    >
      {(question, nth, change) => {
        const path = (field: string) => `questions.${nth}.${field}`
        const set = (values: Partial<Asked>) => changed(question.key, values)
        return (
          <>
            <TextInput
              label={t`Question`}
              maxLength={300}
              value={question.text}
              onChange={({ currentTarget }) => set({ text: currentTarget.value })}
              error={errorOf(path('text'))}
              data-path={path('text')}
            />
            <Select
              label={t`Answer`}
              allowDeselect={false}
              data={optionsOf(questionKindWords())}
              value={question.kind}
              onChange={(kind) => set({ kind: chosenOf(questionKindWords(), kind) ?? question.kind })}
            />
            {(question.kind === 'choice' || question.kind === 'choices') && (
              <Textarea
                label={t`Options, one per line`}
                autosize
                minRows={2}
                value={question.options}
                onChange={({ currentTarget }) => set({ options: currentTarget.value })}
                error={errorOf(path('options'))}
                data-path={path('options')}
              />
            )}
            <Switch
              label={t`Required`}
              checked={question.required}
              onChange={({ currentTarget }) => set({ required: currentTarget.checked })}
            />
            {children?.(question, change)}
          </>
        )
      }}
    </PartRows>
  )
}
