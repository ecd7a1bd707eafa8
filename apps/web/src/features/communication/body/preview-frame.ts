// A preview stands in a frame of its own that may do nothing: no scripts, no forms, no addresses. The frame has the security policy of this page, which
// lets no style attributes apply, so they become rules of a style element with the page's nonce.

type Shown = { nonce: string; dark: boolean }

const tags = /<[a-z][^<>]*>/gi

/** Comments hold what only one mail program reads. */
const withoutComments = (html: string) =>
  html
    .split('<!--')
    .map((part, at) => (at === 0 ? part : part.split('-->').slice(1).join('-->')))
    .join('')

/** The HTML of a mail as a document for the frame. The server wrote it: every text in it is escaped, so what looks like a tag is one. */
export function framedHtml(html: string, { nonce, dark }: Shown): string {
  const rules: string[] = []
  const body = withoutComments(html)
    .replace(/<style[^<>]*>/gi, `<style nonce="${nonce}">`)
    .replace(/@media \(prefers-color-scheme: dark\)/g, dark ? '@media all' : '@media not all')
    .replace(tags, (tag) =>
      tag
        .replace(/\sstyle="([^"]*)"/i, (_whole, style: string) => {
          const name = rules.push(style.replaceAll('&quot;', "'").replaceAll('&amp;', '&')) - 1
          return ` data-s="${name}"`
        })
        // Nothing leads anywhere; the address can be seen.
        .replace(/\shref="([^"]*)"/i, ' title="$1"')
        .replace(/\starget="[^"]*"/i, ''),
    )
  // As strong as the attributes they were.
  const sheet = rules.map((rule, name) => `[data-s="${name}"][data-s][data-s]{${rule}}`).join('\n')
  return body.replace('</head>', () => `<style nonce="${nonce}">${sheet}\n.words a{text-decoration:underline}</style></head>`)
}

type Policy = { createHTML(html: string): string }
type Factory = { createPolicy(name: string, rules: { createHTML: (html: string) => string }): Policy }
let policy: Policy | undefined

/** Browsers that ask whether markup is meant to be some are told so for this frame, and for nothing else. */
export function trustedForFrame(html: string): string {
  const factory: unknown = Reflect.get(globalThis, 'trustedTypes')
  if (!isFactory(factory)) return html
  policy ??= factory.createPolicy('message-preview', { createHTML: (markup) => markup })
  return policy.createHTML(html)
}
const isFactory = (value: unknown): value is Factory => typeof value === 'object' && value !== null && 'createPolicy' in value
