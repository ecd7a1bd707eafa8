import { Trans as LinguiTrans } from '@lingui/react'
import type { TransProps } from '@lingui/react'
import { Fragment } from 'react'

/**
 * What `<Trans>` of the macro becomes. Lingui looks for tags in the finished sentence, so a name such as "<b>Bob</b>" would be taken
 * for markup and lose its brackets; as an element it is shown as it was written.
 */
export const Trans = (props: TransProps) => <LinguiTrans {...props} {...(props.values && { values: literally(props.values) })} />

const literally = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && value.includes('<') ? <Fragment key={name}>{value}</Fragment> : value,
    ]),
  )
