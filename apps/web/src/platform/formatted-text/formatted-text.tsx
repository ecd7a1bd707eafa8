import { Trans } from '@lingui/react/macro'
import { renderFormattedText } from '@guildhall/contract/formatted-document'
import type { FormattedDocument, FormattedTarget } from '@guildhall/contract/formatted-document'
import type { ReactNode } from 'react'
import { PersonLink } from '../records/record-links.tsx'
import classes from './formatted-text.module.css'

const marks = {
  bold: (inner: ReactNode, key: number) => <strong key={key}>{inner}</strong>,
  italic: (inner: ReactNode, key: number) => <em key={key}>{inner}</em>,
  strike: (inner: ReactNode, key: number) => <s key={key}>{inner}</s>,
  code: (inner: ReactNode, key: number) => <code key={key}>{inner}</code>,
}

/** Headings of a text stand below those of its page. */
const pageTarget: FormattedTarget<ReactNode> = {
  text: (value) => value,
  lineBreak: (key) => <br key={key} />,
  mention: ({ id, name }, key) =>
    name === null ? (
      <span key={key} className={classes['someone']}>
        <Trans>@someone</Trans>
      </span>
    ) : (
      <PersonLink key={key} person={{ id, displayName: `@${name}` }} className={classes['mention']} />
    ),
  mark: (kind, inner, key) => marks[kind](inner, key),
  link: (href, inner, key) => (
    <a key={key} href={href} rel="noopener noreferrer nofollow" target="_blank">
      {inner}
    </a>
  ),
  paragraph: (inner, key) => <p key={key}>{inner}</p>,
  heading: (level, inner, key) =>
    level === 2 ? <h3 key={key}>{inner}</h3> : level === 3 ? <h4 key={key}>{inner}</h4> : <h5 key={key}>{inner}</h5>,
  rule: (key) => <hr key={key} />,
  list: (items, key, start) =>
    start === undefined ? (
      <ul key={key}>{items}</ul>
    ) : (
      <ol key={key} start={start}>
        {items}
      </ol>
    ),
  item: (inner, key) => <li key={key}>{inner}</li>,
  quote: (inner, key) => <blockquote key={key}>{inner}</blockquote>,
}

/** A formatted text on a page. */
export const FormattedText = ({ document }: { document: FormattedDocument }) => (
  <div className={classes['text']} dir="auto">
    {renderFormattedText(document, pageTarget)}
  </div>
)
