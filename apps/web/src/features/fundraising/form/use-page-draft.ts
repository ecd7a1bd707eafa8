import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useCampaignEditor } from '../campaign-editor.ts'
import type { Campaign } from '../fundraising-api.ts'
import { pageDraft } from './page-draft.ts'
import type { PageDraft } from './page-draft.ts'
import { valuesOf } from './page-values.ts'
import type { PageKey, PageValues } from './page-values.ts'

/** The giving page of one campaign, for as long as its form is open; what is left is saved when it is closed. */
export function usePageDraft(campaign: Campaign) {
  const editor = useCampaignEditor(campaign)
  const save = useRef(editor.save)
  const [draft] = useState(() => pageDraft(valuesOf(campaign), (change) => save.current(change)))
  useLayoutEffect(() => {
    save.current = editor.save
  })
  useLayoutEffect(() => draft.follow(valuesOf(campaign)), [draft, campaign])
  // A tab that is left by a key takes its field away before that was left.
  const flush = useEffectEvent(() => draft.flush())
  useEffect(() => () => flush(), [])
  return { draft, dialog: editor.dialog }
}

type Texts = 'name' | 'summary' | 'coverAlt' | 'thanks' | 'startsOn' | 'endsOn'
type Amounts = 'minAmount' | 'maxAmount' | 'goal'
type Flags = 'allowsRecurring' | 'allowsCoverFees'

/** Some fields of the page: a part of the form is drawn anew when one of these changes, not with every key in another part. */
export function useFields<Key extends PageKey>(draft: PageDraft, ...keys: readonly Key[]) {
  const [look] = useState(() => {
    let last: ReturnType<PageDraft['get']> | undefined
    return () => {
      const now = draft.get()
      const isSame = last && last.faults === now.faults && keys.every((key) => last?.values[key] === now.values[key])
      if (!isSame) last = now
      return last ?? now
    }
  })
  const { values: all, faults } = useSyncExternalStore(draft.subscribe, look)
  const values: Pick<PageValues, Key> = all
  return {
    values,
    faultOf: (path: string): string | undefined => faults[path],
    /** A text field, saved when it is left. */
    text: <Name extends Key & Texts>(key: Name) => ({
      value: values[key],
      onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => draft.set({ [key]: value }),
      onBlur: () => draft.save(key),
      error: faults[key],
    }),
    /** An amount; what stands around says when it is left. The field says itself what it does not understand. */
    amount: <Name extends Key & Amounts>(key: Name) => ({
      value: values[key],
      onChange: (amount: number | null | undefined) => draft.set({ [key]: amount }),
      error: values[key] === undefined ? undefined : faults[key],
    }),
    flag: <Name extends Key & Flags>(key: Name) => ({
      checked: values[key],
      onChange: ({ currentTarget: { checked } }: { currentTarget: { checked: boolean } }) => draft.put({ [key]: checked }),
    }),
  }
}
