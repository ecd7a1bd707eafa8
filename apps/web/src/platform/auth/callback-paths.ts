const kinds = ['signinwin', 'signinpop', 'signoutpop', 'signinsilent'] as const
export type CallbackKind = (typeof kinds)[number]

/** Accents fold to their letter, separators become one dash, everything else is dropped. */
export const slugOf = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replace(/[/_,\s]+/g, '-')
    .replace(/[^a-z0-9-]/g, '')
    .replace(/-+/g, '-')

export const callbackUrl = (baseUrl: string, kind: CallbackKind, name: string) => `${baseUrl}auth/${kind}/${slugOf(name)}`

/** Which callback an address is, ignoring case; the provider decides how it spells what we registered. */
export function callbackKind(pathname: string): CallbackKind | undefined {
  const [, auth, kind, name, ...rest] = pathname.toLowerCase().split('/')
  if (auth !== 'auth' || !name || rest.some(Boolean)) return undefined
  return kinds.find((known) => known === kind)
}
