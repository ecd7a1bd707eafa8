import { ActionIcon } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { IconMail, IconStar, IconStarFilled, IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { StandardReport } from '@guildhall/contract/features/reports'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { useAnswerWords } from '../answer/answer-words.ts'
import { findingOf } from '../answer/report-series.ts'
import { useAnswer } from '../reports-api.ts'
import type { Answered, Saved } from '../reports-api.ts'
import { nothingAsked, standardQuestion } from '../reports-question.ts'
import classes from '../reports.module.css'
import { useSavedActs } from '../saved/use-saved-acts.ts'
import { standardWords } from '../words/standard-words.ts'
import { Thumbnail } from './thumbnail.tsx'
import { useSeen } from './use-seen.ts'

const kept = 600_000
const mostBars = 12

/** A report that comes with the product. Its figures are asked for once it is in view, and kept for a while. */
export function StandardCard({ report }: { report: StandardReport }) {
  const { ref, seen } = useSeen<HTMLLIElement>()
  const { title, purpose } = standardWords()[report]
  const answer = useAnswer(standardQuestion(report, nothingAsked), { enabled: seen, staleTime: kept })
  return (
    <li ref={ref} className={classes['card']}>
      <div className={classes['cardPicture']}>
        {answer.data ? <Thumbnail rows={thumbsOf(answer.data)} /> : <div className={classes['noThumb']} aria-hidden />}
      </div>
      <Link to="/reports/$reportKey" params={{ reportKey: report }} className={classes['cardName']}>
        {title}
      </Link>
      <p className={classes['note']}>{purpose}</p>
      {answer.data && <Finding answered={answer.data} title="" />}
    </li>
  )
}

function Finding({ answered: { question, answer }, title }: { answered: Answered; title: string }) {
  const words = useAnswerWords(question)
  const text = findingOf(answer, 0, words, title)
  return text ? <p className={classes['finding']}>{text}</p> : null
}

/** Over time the latest rows, otherwise the first. */
function thumbsOf({ answer: { rows, dimensions } }: Answered) {
  const shown = dimensions[0]?.kind === 'day' ? rows.slice(-mostBars) : rows.slice(0, mostBars)
  return shown.map(({ values }) => ({ label: null, value: values[0] ?? null }))
}

/** One of the reader's own reports, or one shared with them, with the picture of their last look at it. */
export function SavedCard({ saved }: { saved: Saved }) {
  const { id, name, sharedWith, isMine, isStarred, owner, thumbnail, schedules, question } = saved
  const { star } = useSavedActs()
  return (
    <li className={classes['card']}>
      <div className={classes['cardPicture']}>
        {thumbnail ? <Thumbnail rows={thumbnail.rows} /> : <div className={classes['noThumb']} aria-hidden />}
      </div>
      <span className={classes['cardHead']}>
        <Link to="/reports/$reportKey" params={{ reportKey: id }} className={classes['cardName']}>
          {name}
        </Link>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={t`Star ${name}`}
          aria-pressed={isStarred}
          onClick={() => star(saved)}
        >
          {isStarred ? <IconStarFilled size={16} aria-hidden /> : <IconStar size={16} stroke={1.5} aria-hidden />}
        </ActionIcon>
      </span>
      <p className={classes['note']}>
        {question.kind === 'standard' ? standardWords()[question.report].title : t`Own question`}
        {!isMine && owner && ` · ${t`shared by ${owner}`}`}
        {thumbnail && (
          <>
            {' · '}
            <RelativeTime at={thumbnail.at} />
          </>
        )}
      </p>
      {(schedules > 0 || (isMine && sharedWith === 'organisation')) && (
        <p className={classes['marks']}>
          {schedules > 0 && (
            <span>
              <IconMail size={14} stroke={1.5} aria-hidden /> {t`Mailed`}
            </span>
          )}
          {isMine && sharedWith === 'organisation' && (
            <span>
              <IconUsers size={14} stroke={1.5} aria-hidden /> {t`Shared`}
            </span>
          )}
        </p>
      )}
    </li>
  )
}
