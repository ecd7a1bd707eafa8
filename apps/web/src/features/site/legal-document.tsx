import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { PageHeader } from '../../ui/page/page.tsx'
import { PlainDate } from '../../ui/display/dates.tsx'
import classes from './legal-document.module.css'

export type LegalSection = { id: string; title: ReactNode; inShort: ReactNode; text: ReactNode }

export type LegalDocumentProps = {
  title: ReactNode
  /** Calendar day of the last change of the text. */
  changedOn: string
  sections: readonly LegalSection[]
}

/** A text to read: a rail of its sections beside it on wide screens, and each section's gist on top of it. */
export function LegalDocument({ title, changedOn, sections }: LegalDocumentProps) {
  return (
    <article className={classes['document']}>
      <PageHeader
        title={title}
        description={
          <Trans>
            Last changed on <PlainDate date={changedOn} />
          </Trans>
        }
      />
      <div className={classes['columns']}>
        <nav className={classes['rail']} aria-labelledby="contents">
          <h2 id="contents" className={classes['railTitle']}>
            <Trans>On this page</Trans>
          </h2>
          <ol>
            {sections.map((section) => (
              <li key={section.id}>
                <a href={`#${section.id}`}>{section.title}</a>
              </li>
            ))}
          </ol>
        </nav>
        <div className={classes['text']}>
          {sections.map((section) => (
            <section key={section.id} aria-labelledby={section.id}>
              <h2 id={section.id} className={classes['heading']}>
                {section.title}
              </h2>
              <p className={classes['short']}>{section.inShort}</p>
              {section.text}
            </section>
          ))}
        </div>
      </div>
    </article>
  )
}
