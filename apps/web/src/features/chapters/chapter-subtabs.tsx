import { Link } from '@tanstack/react-router'
import classes from './chapters.module.css'

type Subtab<Key extends string> = { key: Key; label: string }

/** The second level of a chapter's tabs; the first one stands without a name in the address. */
export function Subtabs<Key extends string>({
  chapterId,
  tab,
  label,
  tabs,
  active,
}: {
  chapterId: string
  tab: string
  label: string
  tabs: readonly Subtab<Key>[]
  active: Key
}) {
  return (
    <nav aria-label={label} className={classes['subtabs']}>
      {tabs.map(({ key, label: text }, index) => (
        <Link
          key={key}
          to="/chapter/$chapterId/{-$tab}/{-$subtab}"
          params={{ chapterId, tab, subtab: index === 0 ? undefined : key }}
          activeOptions={{ exact: true }}
          aria-current={key === active ? 'page' : undefined}
          replace
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
