import classes from './kbd.module.css'

/** Shortcut keys as a person reads them: "mod+k" is ⌘K on a Mac and Ctrl K elsewhere, "g m" is G then M. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className={classes['keys']} dir="ltr">
      {keys.split(' ').map((step, index) => (
        <kbd key={index} className={classes['key']}>
          {readable(step)}
        </kbd>
      ))}
    </span>
  )
}

const mac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent)

const readable = (step: string) =>
  step
    .split('+')
    .map((key) =>
      key === 'mod' ? (mac ? '⌘' : 'Ctrl') : key === 'shift' ? '⇧' : key.length === 1 ? key.toUpperCase() : (names[key] ?? key),
    )
    .join(mac ? '' : ' ')

const names: Record<string, string> = { enter: '↵', escape: 'Esc', space: 'Space', arrowup: '↑', arrowdown: '↓' }
