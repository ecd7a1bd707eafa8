/** However slow the palette is to open, the page gets its keys back. */
const longestMs = 2_000

let typed = ''
let release = () => {}

/** Keeps what is typed while the palette opens, which the page below would take for its own. */
export function holdTyping() {
  release()
  typed = ''
  const keep = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.key === 'Backspace') typed = typed.slice(0, -1)
    else if (event.key.length === 1) typed += event.key
    else if (event.key !== 'Enter') return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  document.addEventListener('keydown', keep, true)
  const timer = setTimeout(() => release(), longestMs)
  release = () => {
    clearTimeout(timer)
    document.removeEventListener('keydown', keep, true)
  }
}

/** What was typed since; from here on keys go where the focus is. */
export function takeTyped(): string {
  release()
  const taken = typed
  typed = ''
  return taken
}
