import { t } from '@lingui/core/macro'
import type { Group, GroupMember } from './groups-api.ts'

export const kindWords = (): Record<Group['kind'], string> => ({
  committee: t`Committee`,
  subcommittee: t`Subcommittee`,
  interest: t`Interest group`,
  cohort: t`Cohort`,
  team: t`Team`,
  list: t`List`,
})
export const visibilityWords = (): Record<Group['visibility'], string> => ({
  public: t`Everybody signed in`,
  members: t`Members`,
  private: t`Members; roster visible to the group only`,
  secret: t`Group members only`,
})
export const joinWords = (): Record<Group['joinPolicy'], string> => ({
  open: t`Open to join`,
  request: t`On request`,
  invite: t`By invitation`,
})
export const roleWords = (): Record<GroupMember['role'], string> => ({ leader: t`Leader`, moderator: t`Moderator`, member: t`Member` })
export const statusWords = (): Record<GroupMember['status'], string> => ({
  active: t`Member`,
  requested: t`Asked to join`,
  invited: t`Invited`,
  declined: t`Declined`,
  removed: t`Removed`,
})

const keys = <Key extends string>(words: Record<Key, string>) => Object.keys(words).filter((key): key is Key => key in words)
const optionsOf = <Key extends string>(words: Record<Key, string>) => keys(words).map((value) => ({ value, label: words[value] }))

export const kindOptions = () => optionsOf(kindWords())
/** From the widest on; or only those that let no more people see the group than it does now. */
export const visibilityOptions = (widest: Group['visibility'] = 'public') => {
  const options = optionsOf(visibilityWords())
  return options.slice(options.findIndex(({ value }) => value === widest))
}
export const joinOptions = () => optionsOf(joinWords())
export const roleOptions = () => optionsOf(roleWords())

/** The option that a select's text stands for. */
export const chosen = <Value extends string>(options: readonly { value: Value }[], text: string): Value | undefined =>
  options.find(({ value }) => value === text)?.value
