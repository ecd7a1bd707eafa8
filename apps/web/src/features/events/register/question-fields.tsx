import { Checkbox, Input, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Radio.css'
import type { ReactNode } from 'react'
import { Optional } from '../../../ui/form/record-form.tsx'
import type { Event } from '../events-api.ts'
import { noAnswer } from './register-values.ts'
import type { Answers } from './register-values.ts'

type Props = {
  questions: readonly Omit<Event['questions'][number], 'ofGuests'>[]
  answers: Answers
  /** What is wrong, by the id of the question. */
  faultOf: (questionId: string) => ReactNode
  onChange: (answers: Answers) => void
}

/** What an event asks, each kind in the field that suits it. */
export function QuestionFields({ questions, answers, faultOf, onChange }: Props) {
  return questions.map((question) => {
    const { id, kind, required, options } = question
    const value = answers[id] ?? noAnswer(question)
    const say = (answer: Answers[string]) => onChange({ ...answers, [id]: answer })
    const label = required ? question.text : <Optional>{question.text}</Optional>
    const error = faultOf(id)
    const written = typeof value === 'string' ? value : ''
    switch (kind) {
      case 'line':
        return (
          <TextInput
            key={id}
            label={label}
            error={error}
            maxLength={2000}
            value={written}
            onChange={(event) => say(event.currentTarget.value)}
          />
        )
      case 'lines':
        return (
          <Textarea
            key={id}
            label={label}
            error={error}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2000}
            value={written}
            onChange={(event) => say(event.currentTarget.value)}
          />
        )
      case 'choice':
        return (
          <Radio.Group key={id} label={label} error={error} value={written} onChange={say}>
            <Stack gap={8} mt={6}>
              {options.map((option) => (
                <Radio key={option} value={option} label={option} />
              ))}
            </Stack>
          </Radio.Group>
        )
      case 'choices':
        return (
          <Checkbox.Group key={id} label={label} error={error} value={Array.isArray(value) ? value : []} onChange={say}>
            <Stack gap={8} mt={6}>
              {options.map((option) => (
                <Checkbox key={option} value={option} label={option} />
              ))}
            </Stack>
          </Checkbox.Group>
        )
      case 'flag':
        return (
          <Input.Wrapper key={id} error={error}>
            <Checkbox label={label} checked={value === true} onChange={(event) => say(event.currentTarget.checked)} />
          </Input.Wrapper>
        )
    }
  })
}
