import { useLingui } from '@lingui/react'
import { t } from '@lingui/core/macro'
import { inOrder, openTo } from '../../platform/navigation/sections.tsx'
import { useSlot } from '../../platform/navigation/slots.tsx'
import { useRights } from '../../platform/session/session.ts'
import type { HomeData } from './home-api.ts'

/** Home's own cards in their order on the page. Accounts remember the hidden ones by these names, so a name stays what it is. */
const names = [
  'gettingStarted',
  'figures',
  'requests',
  'joinsAndLeaves',
  'membersOverTime',
  'chapters',
  'offices',
  'groups',
  'endingTerms',
  'vacancies',
  'birthdays',
  'recentChanges',
] as const
export type OwnCard = (typeof names)[number]
export const isOwnCard = (card: string): card is OwnCard => names.some((name) => name === card)

/** Which cards there is something to show on, for this reader and scope, in their order. */
export function useCards(home: HomeData): string[] {
  const can = useRights()
  const others = openTo(inOrder(useSlot('homeCards')), { home }, can)
  const me = home.scope === 'me' ? home.me : null
  const there: Record<OwnCard, boolean> = {
    gettingStarted: home.gettingStarted !== null,
    figures: home.members !== null,
    requests: home.requests.total > 0,
    joinsAndLeaves: home.members !== null,
    membersOverTime: home.members !== null,
    chapters: me !== null,
    offices: (me?.positions.length ?? 0) > 0,
    groups: me !== null,
    endingTerms: home.endingTerms !== null,
    vacancies: (home.vacancies?.total ?? 0) > 0,
    birthdays: (home.birthdays?.length ?? 0) > 0,
    recentChanges: home.recentChanges.length > 0,
  }
  // What waits for the reader comes first, then what is next for them, then what is good to know.
  const own = names.filter((name) => there[name])
  const first = own.filter((name) => names.indexOf(name) <= names.indexOf('requests'))
  return [...first, ...others.map(({ key }) => key), ...own.slice(first.length)]
}

const ownTitles = (): Record<OwnCard, string> => ({
  gettingStarted: t`Getting started`,
  figures: t`Figures`,
  requests: t`Waiting for you`,
  joinsAndLeaves: t`Joins and leaves`,
  membersOverTime: t`Members over time`,
  chapters: t`My chapters`,
  offices: t`My offices`,
  groups: t`My groups`,
  endingTerms: t`Terms that end soon`,
  vacancies: t`Vacant offices`,
  birthdays: t`Birthdays`,
  recentChanges: t`Recent changes`,
})

export function useCardTitle(): (card: string) => string {
  const { i18n } = useLingui()
  const others = useSlot('homeCards')
  return (card) => {
    if (isOwnCard(card)) return ownTitles()[card]
    const other = others.find(({ key }) => key === card)
    return other ? i18n._(other.label) : card
  }
}
