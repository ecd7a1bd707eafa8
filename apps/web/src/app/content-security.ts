import { styleNonce } from '../platform/style-nonce.ts'

type Policies = {
  createPolicy: (
    name: 'default',
    rules: { createHTML: (text: string) => string | null; createScriptURL: (url: string) => string | null },
  ) => unknown
}

/**
 * The server forbids markup and script addresses made from text. What the interface needs of both is harmless and passes:
 * style sheets, which hold no tag, and workers of this very site.
 */
export function allowOwnStylesAndWorkers() {
  // Some components ask for the nonce under the name a bundler gave it.
  Reflect.set(window, '__webpack_nonce__', styleNonce())
  const policies: unknown = Reflect.get(window, 'trustedTypes')
  if (!isPolicies(policies)) return
  policies.createPolicy('default', {
    createHTML: (text) => (text.includes('<') ? null : text),
    createScriptURL: (url) => (new URL(url, location.href).origin === location.origin ? url : null),
  })
}

const isPolicies = (value: unknown): value is Policies => typeof value === 'object' && value !== null && 'createPolicy' in value
