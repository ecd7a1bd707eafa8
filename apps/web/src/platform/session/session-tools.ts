import type { UserProfile } from 'oidc-client-ts'

/** Who is at the screen, as far as a tool needs to know. */
export type Identity = { id: string; name: string; email: string }

/** Stands for everybody who has not signed in. */
export const notLoggedIn: Identity = { id: 'not-logged-in', name: 'Not logged in', email: '' }

/** A tool beside the product, such as a recorder: told whenever a user is loaded, and when nobody is there any more. */
export type SessionTool = { identify: (who: Identity) => void; reset: () => void }

export const identityOf = ({ sub, name, email }: UserProfile): Identity => ({ id: sub, name: name ?? '', email: email ?? '' })
