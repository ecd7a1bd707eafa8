import { Button, Checkbox, NativeSelect, SegmentedControl } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconPencil } from '@tabler/icons-react'
import { ReportBucket, ReportPicture } from '@guildhall/contract/features/reports'
import type { OwnQuestion, ReportGroup } from '@guildhall/contract/features/reports'
import { ReportSubject, reportCategories, reportSubjects } from '@guildhall/contract/features/reports.subjects'
import { useRights } from '../../../platform/session/session.ts'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import type { Filter, FilterField } from '../../../ui/filter/filter.ts'
import { FilterChips } from '../../../ui/filter/filter-chips.tsx'
import { conditionText } from '../../../ui/filter/filter-words.tsx'
import { useOptionNames } from '../../../ui/filter/use-option-names.ts'
import { AsOfField, ChapterField, CompareField, RangeFields } from '../answer/question-fields.tsx'
import { dayOf, fieldsOf, groupable, hasAsOf, groupText, measureKeys, nothingAsked, ownQuestion, picturesFor } from '../reports-question.ts'
import type { Asked } from '../reports-question.ts'
import { mayAskOf, mayUseField } from '../reports-rights.ts'
import classes from '../reports.module.css'
import { fieldWord } from '../words/field-words.ts'
import { measuresOf } from '../words/measure-words.ts'
import { bucketWords, pictureWords } from '../words/question-words.ts'
import { categoryWords, subjectWords } from '../words/subject-words.ts'
import { useSubjectFields } from './subject-fields.ts'

type Props = {
  asked: Asked
  onAsk: (change: Partial<Asked>) => void
  /** Given, only range, chapter and filters are there, and this opens the rest. */
  onUnfold?: (() => void) | undefined
}

/** An own question, part by part. Every choice is answered at once. */
export function QuestionBuilder({ asked, onAsk, onUnfold }: Props) {
  const question = ownQuestion(asked)
  const { subject } = question
  const fields = useSubjectFields(subject)
  const day = dayOf(subject)
  return (
    <>
      <FiltersOnPaper fields={fields} filter={asked.filter} />
      <div className={classes['builder']} role="group" aria-label={t`Question`}>
        <div className={classes['fields']}>
          {!onUnfold && (
            <SubjectField subject={subject} onSubject={(chosen) => onAsk({ ...nothingAsked, chapter: asked.chapter, subject: chosen })} />
          )}
          {day !== null && <RangeFields asked={asked} onAsk={onAsk} usual="all" label={fieldWord(subject, day)} />}
          <ChapterField asked={asked} onAsk={onAsk} />
          {hasAsOf(subject) && <AsOfField asked={asked} onAsk={onAsk} canBeEver />}
          {day !== null && <CompareField asked={asked} onAsk={onAsk} />}
        </div>
        <FilterChips
          fields={fields}
          value={asked.filter ?? emptyFilter}
          onChange={(filter) => onAsk({ filter: filter.and.length > 0 ? filter : undefined })}
        />
        {onUnfold ? (
          <div>
            <Button variant="default" size="compact-md" leftSection={<IconPencil size={16} stroke={1.5} aria-hidden />} onClick={onUnfold}>
              <Trans>Edit question</Trans>
            </Button>
          </div>
        ) : (
          <>
            <div className={classes['fields']}>
              <Groups question={question} onAsk={onAsk} />
            </div>
            <Measures question={question} onAsk={onAsk} />
            <Pictures question={question} onAsk={onAsk} />
          </>
        )}
      </div>
    </>
  )
}

/** Paper shows no chips: what is filtered is said in words. */
function FiltersOnPaper({ fields, filter = emptyFilter }: { fields: readonly FilterField[]; filter: Filter | undefined }) {
  const conditions = filter.and.flatMap(({ or }) => or)
  const nameOf = useOptionNames(fields, conditions)
  const texts = filter.and.map(({ or }) =>
    or
      .map((condition) =>
        conditionText(
          condition,
          fields.find(({ id }) => id === condition.field),
          (value) => nameOf(condition.field, value),
        ),
      )
      .join(` ${t`or`} `),
  )
  if (texts.length === 0) return null
  return <p className={classes['onPaper']}>{t`Filters: ${texts.join('; ')}`}</p>
}

function SubjectField({ subject, onSubject }: { subject: ReportSubject; onSubject: (subject: ReportSubject) => void }) {
  const can = useRights()
  const [words, categories] = [subjectWords(), categoryWords()]
  const open = ReportSubject.options.filter((one) => one === subject || mayAskOf(one, can))
  return (
    <NativeSelect
      label={t`Subject`}
      value={subject}
      data={reportCategories.flatMap((category) => {
        const items = open.filter((one) => reportSubjects[one].category === category).map((value) => ({ value, label: words[value] }))
        return items.length > 0 ? [{ group: categories[category], items }] : []
      })}
      onChange={({ currentTarget: { value } }) => {
        const chosen = open.find((one) => one === value)
        if (chosen) onSubject(chosen)
      }}
    />
  )
}

type PartProps = { question: OwnQuestion; onAsk: Props['onAsk'] }

function Groups({ question: { subject, groupBy }, onAsk }: PartProps) {
  const put = (at: number, group: ReportGroup | undefined) => {
    const next = groupBy.toSpliced(at, 1, ...(group ? [group] : []))
    // The picture of one group suits no other.
    onAsk({ group: next.length > 0 ? next.map(groupText) : undefined, picture: undefined })
  }
  return (
    <>
      <GroupField label={t`Group by`} subject={subject} group={groupBy[0]} taken={groupBy[1]?.field} onGroup={(group) => put(0, group)} />
      {groupBy.length > 0 && (
        <GroupField label={t`Then by`} subject={subject} group={groupBy[1]} taken={groupBy[0]?.field} onGroup={(group) => put(1, group)} />
      )}
    </>
  )
}

type GroupProps = {
  label: string
  subject: ReportSubject
  group: ReportGroup | undefined
  taken: string | undefined
  onGroup: (group: ReportGroup | undefined) => void
}

/** Levels of the tree that can be asked for; 0 is the top. */
const levels = [0, 1, 2, 3] as const

function GroupField({ label, subject, group, taken, onGroup }: GroupProps) {
  const can = useRights()
  const kind = group && fieldsOf(subject)[group.field]?.kind
  const buckets = bucketWords()
  return (
    <>
      <NativeSelect
        label={label}
        value={group?.field ?? ''}
        data={[
          { value: '', label: t`Nothing` },
          ...groupable(subject)
            .filter((field) => field !== taken && (field === group?.field || mayUseField(subject, field, can)))
            .map((value) => ({ value, label: fieldWord(subject, value) })),
        ]}
        onChange={({ currentTarget: { value } }) => onGroup(value ? { field: value } : undefined)}
      />
      {group && kind === 'day' && (
        <NativeSelect
          label={t`${label}: period`}
          value={group.bucket ?? 'month'}
          data={ReportBucket.options.map((value) => ({ value, label: buckets[value] }))}
          onChange={({ currentTarget: { value } }) => {
            const bucket = ReportBucket.options.find((one) => one === value)
            if (bucket) onGroup({ field: group.field, bucket })
          }}
        />
      )}
      {group && kind === 'chapter' && (
        <NativeSelect
          label={t`${label}: level`}
          value={group.level === undefined ? '' : String(group.level)}
          data={[
            { value: '', label: t`The chapter itself` },
            ...levels.map((level) => ({ value: String(level), label: level === 0 ? t`Top of the tree` : t`Level ${level} below the top` })),
          ]}
          onChange={({ currentTarget: { value } }) => onGroup({ field: group.field, ...(value !== '' && { level: Number(value) }) })}
        />
      )}
    </>
  )
}

const mostMeasures = 4

function Measures({ question: { subject, measures }, onAsk }: PartProps) {
  const words = measuresOf(subject)
  const keys = measureKeys(subject)
  if (keys.length < 2) return null
  return (
    <fieldset className={classes['measures']}>
      <legend>{t`Measures`}</legend>
      {keys.map((key) => {
        const isChosen = measures.includes(key)
        return (
          <Checkbox
            key={key}
            label={words[key]?.label ?? key}
            checked={isChosen}
            disabled={isChosen ? measures.length === 1 : measures.length >= mostMeasures}
            onChange={({ currentTarget: { checked } }) =>
              onAsk({ measure: checked ? [...measures, key] : measures.filter((other) => other !== key) })
            }
          />
        )
      })}
    </fieldset>
  )
}

function Pictures({ question: { subject, groupBy, picture }, onAsk }: PartProps) {
  const fits = picturesFor(groupBy.map(({ field }) => fieldsOf(subject)[field]?.kind))
  const words = pictureWords()
  return (
    <div className={classes['choice']}>
      <SegmentedControl
        aria-label={t`Chart`}
        value={picture}
        data={fits.map((value) => ({ value, label: words[value] }))}
        onChange={(chosen) => {
          const next = ReportPicture.options.find((one) => one === chosen)
          onAsk({ picture: next === fits[0] ? undefined : next })
        }}
      />
    </div>
  )
}
