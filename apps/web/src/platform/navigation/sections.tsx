import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Suspense } from 'react'
import type { ComponentType } from 'react'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import type { Can } from '../session/session.ts'

/** A tab of a page about one subject: the page's own, or one that another feature gives it. */
export type Section<Subject> = {
  /** Its name in the address. */
  key: string
  label: MessageDescriptor
  /** Its place among the tabs; a page's own stand ten apart. */
  order: number
  /** Absent for whoever may not; without it, all who see the page do. */
  may?: (subject: Subject, can: Can) => boolean
  content: ComponentType<Subject>
  /** Fills the window and scrolls inside, as a table does. */
  fill?: true
}

export const inOrder = <Some extends { order: number }>(...sections: readonly (readonly Some[])[]): Some[] =>
  sections.flat().toSorted((one, other) => one.order - other.order)

export const openTo = <Subject, Some extends Pick<Section<Subject>, 'may'>>(
  sections: readonly Some[],
  subject: Subject,
  can: Can,
): Some[] => sections.filter(({ may }) => !may || may(subject, can))

type Props<Subject> = {
  /** Which tab the address names, if it names one. */
  asked: Section<Subject> | undefined
  shown: Section<Subject>
  subject: Subject
}

/** What the open tab holds. Whoever asked for one that is not theirs is told. */
export function SectionContent<Subject extends object>({ asked, shown, subject }: Props<Subject>) {
  const { i18n } = useLingui()
  const Content = shown.content
  return (
    <>
      {asked && asked.key !== shown.key && (
        <p role="status">
          <Trans>
            {i18n._(asked.label)} is not yours to open; this is {i18n._(shown.label)}.
          </Trans>
        </p>
      )}
      <Suspense
        fallback={
          <Loading label={t`Loading`}>
            <SkeletonLines count={8} />
          </Loading>
        }
      >
        <Content {...subject} />
      </Suspense>
    </>
  )
}
