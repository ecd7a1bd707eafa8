import type { OutlineBlock } from '@guildhall/contract/features/communication.templates'
import { t } from '@lingui/core/macro'
import classes from './templates.module.css'

/** What a template looks like, drawn small; its name says what it is. */
export const TemplateOutline = ({ outline }: { outline: readonly OutlineBlock[] }) => (
  <div className={classes['paper']} aria-hidden>
    {outline.length === 0 && <span className={classes['dim']}>{t`Empty`}</span>}
    {outline.map(({ type, words }, at) => (
      <span key={at} className={classes[type]}>
        {type === 'event' ? t`Event` : words}
        {type === 'columns' && (
          <>
            <i />
            <i />
          </>
        )}
      </span>
    ))}
  </div>
)
