import { Portal } from '@mantine/core'
import { t } from '@lingui/core/macro'
import type { MentionNodeAttrs } from '@tiptap/extension-mention'
import type { SuggestionProps } from '@tiptap/suggestion'
import { useMemo, useRef, useState } from 'react'
import type { Option } from '../../ui/filter/filter.ts'
import { useOptionSearch } from '../../ui/filter/use-option-search.ts'
import { useRecordSources } from '../records/record-sources.ts'
import type { MentionSuggestion } from './editor-extensions.ts'
import classes from './formatted-text.module.css'

type Asked = Pick<SuggestionProps<unknown, MentionNodeAttrs>, 'query' | 'command' | 'clientRect'>

/** People whom the writer may see, found by what is typed after @; the arrows choose, Enter and Tab take, Escape closes. */
export function useMentions(list: string) {
  const [asked, setAsked] = useState<Asked>()
  const [at, setAt] = useState(0)
  const { search } = useRecordSources().people
  const { options, state } = useOptionSearch(search, asked?.query ?? '', asked !== undefined)
  const chosen = Math.min(at, options.length - 1)
  const take = (option: Option | undefined) => option && asked?.command({ id: option.value, label: option.label })
  // The editor keeps what it was given first; it calls what is there now.
  const onKey = useRef<(event: KeyboardEvent) => boolean>(() => false)
  onKey.current = (event) => {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        setAt((chosen + (event.key === 'ArrowDown' ? 1 : -1) + options.length) % Math.max(options.length, 1))
        return true
      case 'Enter':
      case 'Tab':
        if (options.length === 0) return false
        take(options[chosen])
        return true
      case 'Escape':
        setAsked(undefined)
        return true
      default:
        return false
    }
  }
  const suggestion = useMemo<MentionSuggestion>(
    () => ({
      render: () => ({
        onStart: (props) => {
          setAt(0)
          setAsked(props)
        },
        onUpdate: (props) => {
          setAt(0)
          setAsked(props)
        },
        onKeyDown: ({ event }) => onKey.current(event),
        onExit: () => setAsked(undefined),
      }),
    }),
    [],
  )
  const rect = asked?.clientRect?.() ?? undefined
  return {
    suggestion,
    open: asked !== undefined,
    active: asked && options.length > 0 ? `${list}-${chosen}` : undefined,
    options,
    state,
    chosen,
    take,
    rect,
  }
}

export function MentionList({ open, options, state, chosen, take, rect, id }: ReturnType<typeof useMentions> & { id: string }) {
  if (!open || !rect) return null
  const below = rect.bottom + 250 < window.innerHeight
  const style = {
    insetInlineStart: Math.max(4, Math.min(rect.left, window.innerWidth - 290)),
    ...(below ? { top: rect.bottom + 4 } : { bottom: window.innerHeight - rect.top + 4 }),
  }
  return (
    <Portal>
      <ul id={id} role="listbox" aria-label={t`People`} className={classes['people']} style={style}>
        {options.map((option, place) => (
          <li
            key={option.value}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === chosen}
            className={classes['person']}
            // The editor keeps the focus.
            onMouseDown={(event) => {
              event.preventDefault()
              take(option)
            }}
          >
            {option.label}
            {option.hint && <span className={classes['hint']}>{option.hint}</span>}
          </li>
        ))}
        {options.length === 0 && (
          <li className={classes['hint']} role="option" aria-selected={false} aria-disabled>
            {state === 'loading' ? t`Searching…` : state === 'failed' ? t`The search failed.` : t`Nobody found`}
          </li>
        )}
      </ul>
    </Portal>
  )
}
