import { t } from '@lingui/core/macro'
import type { HomeData } from './home-api.ts'

/** Cards in their order on the page. Accounts remember the hidden ones by these names, so a name stays what it is. */
const names = [
  'gettingStarted',
  'figures',
  'requests',
  'joinsAndLeaves',
  'chapters',
  'offices',
  'groups',
  'endingTerms',
  'vacancies',
  'birthdays',
  'recentChanges',
] as const
export type CardName = (typeof names)[number]

/** Which cards there is something to show on, for this reader and scope. */
export function cardsOf(home: HomeData): CardName[] {
  const me = home.scope === 'me' ? home.me : null
  const there: Record<CardName, boolean> = {
    gettingStarted: home.gettingStarted !== null,
    figures: home.members !== null,
    requests: home.requests.total > 0,
    joinsAndLeaves: home.members !== null,
    chapters: me !== null,
    offices: (me?.positions.length ?? 0) > 0,
    groups: me !== null,
    endingTerms: home.endingTerms !== null,
    vacancies: (home.vacancies?.total ?? 0) > 0,
    birthdays: (home.birthdays?.length ?? 0) > 0,
    recentChanges: home.recentChanges.length > 0,
  }
  return names.filter((name) => there[name])
}

export const cardTitles = (): Record<CardName, string> => ({
  gettingStarted: t`Getting started`,
  figures: t`Figures`,
  requests: t`Waiting for you`,
  joinsAndLeaves: t`Joins and leaves`,
  chapters: t`My chapters`,
  offices: t`My offices`,
  groups: t`My groups`,
  endingTerms: t`Terms that end soon`,
  vacancies: t`Vacant offices`,
  birthdays: t`Birthdays`,
  recentChanges: t`Recent changes`,
})
