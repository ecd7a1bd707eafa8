/** What a person says here about the topic of a connection; null: nothing so far, so nobody may conclude anything from it. */
export type OurConsent = 'yes' | 'no' | null

/**
 * What the other side says of somebody, in the words that its connector gives. `blocked`: it writes to them no more, ever. `pending`: it waits for their answer,
 * or cannot reach them. Null: they are not subscribed there and never ended it.
 */
export type TheirConsent = 'yes' | 'no' | 'blocked' | 'pending' | null

/**
 * What both sides last held. `withheld`: ended there by us, so that a new yes here may go there again. `no`: ended there, which only the person undoes.
 * `there`: the person said yes there, and nothing here. `declined`: a yes of ours was not taken there, whose reason has yet to be read.
 */
export type ConsentBase = 'yes' | 'no' | 'withheld' | 'there' | 'declined' | null

export type ConsentStep = { ours?: 'yes' | 'no'; theirs?: 'yes' | 'no'; base: ConsentBase }

const theirWords: readonly string[] = ['yes', 'no', 'blocked', 'pending'] satisfies TheirConsent[]
const isTheirs = (value: string): value is 'yes' | 'no' | 'blocked' | 'pending' => theirWords.includes(value)
export const readTheirs = (value: string | null | undefined): TheirConsent =>
  value !== null && value !== undefined && isTheirs(value) ? value : null

const baseWords: readonly string[] = ['yes', 'no', 'withheld', 'there', 'declined'] satisfies ConsentBase[]
const isBase = (value: string): value is 'yes' | 'no' | 'withheld' | 'there' | 'declined' => baseWords.includes(value)
export const readBase = (value: string | null | undefined): ConsentBase =>
  value !== null && value !== undefined && isBase(value) ? value : null

/**
 * What a run does about one person's consent. An unsubscription that is new comes in, and one of ours goes out, also where the mapping does not name it; nobody is
 * subscribed anew whose unsubscription came from there. `takesYes`: a subscription there may become one here; `gives`: the connection writes there.
 */
export function consentStep(at: {
  base: ConsentBase
  ours: OurConsent
  theirs: TheirConsent
  takesYes: boolean
  gives: boolean
}): ConsentStep {
  const { base, ours, theirs, takesYes, gives } = at
  if (theirs === 'pending') return { base }
  if (theirs === 'no' || theirs === 'blocked') {
    const isKnown = base === 'no' || (base === 'withheld' && theirs === 'no')
    if (!isKnown) return ours === 'no' ? { base: 'no' } : { ours: 'no', base: 'no' }
    return base === 'withheld' && ours === 'yes' && gives ? { theirs: 'yes', base: 'yes' } : { base }
  }
  if (theirs === 'yes') {
    if (ours === 'yes') return { base: 'yes' }
    // It was yes on both sides, so that silence here is a change of ours.
    if (ours === 'no' || base === 'yes') return gives ? { theirs: 'no', base: 'withheld' } : { base }
    return takesYes && base !== 'there' ? { ours: 'yes', base: 'there' } : { base: 'there' }
  }
  if (ours !== 'yes' || !gives) return { base }
  // Who was subscribed there and is not any more was removed by somebody: that stays.
  return base === null || base === 'withheld' ? { theirs: 'yes', base: 'yes' } : { base: 'no' }
}

/**
 * What to keep after a push, from what the other side then held. A yes that was not taken is no agreement: what they say there still comes in, and until then
 * nobody is asked for again.
 */
export function baseAfterPush(before: ConsentBase, step: ConsentStep, held: TheirConsent): ConsentBase {
  if (step.theirs === undefined || held === step.theirs || held === null) return step.base
  if (step.theirs === 'yes') return 'declined'
  return held === 'yes' ? before : step.base
}
