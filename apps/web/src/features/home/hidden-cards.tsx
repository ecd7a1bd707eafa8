import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconEye } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { useMe } from '../../platform/session/session.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { useCardTitle } from './home-cards.ts'
import classes from './home.module.css'

const none: readonly string[] = []

/** Names of the cards that this account put away. */
export const useHiddenCards = (): readonly string[] => useMe().data?.account.preferences.hiddenCards ?? none

/** Puts a card away or brings it back, on the screen at once and for the account; rejects when it could not be kept. */
function useSetHidden() {
  const api = useApi()
  const cache = useQueryClient()
  const { queryKey } = api.data.account.me.queryOptions()
  const known = () => cache.getQueryData(queryKey)?.account.preferences.hiddenCards ?? none
  const draw = (hiddenCards: readonly string[]) =>
    cache.setQueryData(
      queryKey,
      (me) => me && { ...me, account: { ...me.account, preferences: { ...me.account.preferences, hiddenCards: [...hiddenCards] } } },
    )
  return async (card: string, hidden: boolean) => {
    const before = known()
    const others = before.filter((name) => name !== card)
    const after = hidden ? [...others, card] : others
    draw(after)
    try {
      await api.data.account.updatePreferences.call({ hiddenCards: after })
    } catch (problem) {
      draw(before)
      throw problem
    }
  }
}

const failed = (problem: unknown) => toast.error(t`The cards could not be changed.`, problem)

export function useHideCard() {
  const set = useSetHidden()
  const title = useCardTitle()
  return (card: string) => {
    const place = menus().findIndex((menu) => menu.dataset['card'] === card)
    set(card, true).then(() => toast.undo(t`“${title(card)}” hidden`, () => set(card, false)), failed)
    // The menu that was used goes with its card: the next card has the focus then, or what brings this one back.
    onceDrawn(() => (menus().at(Math.min(place, menus().length - 1)) ?? bringingBack(card))?.focus({ preventScroll: true }))
  }
}

/** What the reader put away and there would be something to show on, at the end of the page. */
export function HiddenCards({ cards }: { cards: readonly string[] }) {
  const set = useSetHidden()
  const title = useCardTitle()
  if (cards.length === 0) return null
  const show = (card: string) => {
    set(card, false).catch(failed)
    onceDrawn(() =>
      menus()
        .find((menu) => menu.dataset['card'] === card)
        ?.focus(),
    )
  }
  return (
    <section className={classes['hidden']}>
      <h2>
        <Trans>Hidden cards</Trans>
      </h2>
      {cards.map((card) => (
        <Button
          key={card}
          variant="default"
          size="compact-md"
          leftSection={<IconEye size={16} stroke={1.5} aria-hidden />}
          data-hidden-card={card}
          aria-label={t`Show ${title(card)}`}
          onClick={() => show(card)}
        >
          {title(card)}
        </Button>
      ))}
    </section>
  )
}

// What is put into the cache is drawn in the next turn.
const onceDrawn = (act: () => void) => setTimeout(act, 0)
const menus = () => [...document.querySelectorAll<HTMLElement>('[data-card]')]
const bringingBack = (card: string) => document.querySelector<HTMLElement>(`[data-hidden-card="${card}"]`)
