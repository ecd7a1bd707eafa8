import { createHash } from 'node:crypto'
import { html, type Html } from './html.ts'

export type Page = { headers: Record<string, string>; body: string }

type Parts = {
  title: string
  body: Html
  style?: string
  script?: string
  /** More that this page needs, on top of a policy that allows nothing but its own style and script. */
  policy?: Record<string, string>
}

/** The companions' pages: one look with the application, light and dark, and nothing loaded from anywhere. */
export function page({ title, body, style = '', script, policy = {} }: Parts): Page {
  const styles = baseStyle + style
  const directives = {
    'default-src': "'none'",
    'style-src': hashOf(styles),
    'script-src': script ? hashOf(script) : "'none'",
    'connect-src': script ? "'self'" : "'none'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    ...policy,
  }
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${element('style', styles)}
      </head>
      <body>
        ${body} ${script !== undefined && element('script', script)}
      </body>
    </html> `
  return {
    body: document.markup,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': Object.entries({ 'img-src': 'data:', ...directives })
        .map(([name, value]) => `${name} ${value}`)
        .join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  }
}

/** Not as a template: white space that a formatter adds to one would break the hash. */
const element = (name: 'style' | 'script', text: string): Html => ({ markup: `<${name}>${text}</${name}>` })

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const baseStyle = `
:root { color-scheme: light dark; --ground: light-dark(#f4f7ff, #191b1e); --raised: light-dark(#fff, #232529); --line: light-dark(#dce0e8, #45484c);
  --text: light-dark(#16181d, #e5e8ed); --dim: light-dark(#55585f, #a2a5aa); --control: light-dark(#83868e, #727479); --tint: light-dark(#ebeeff, #2b2d3f);
  --action: #5556d9; --action-hover: #4544b7; --link: light-dark(#5556d9, #a0abfd); --bad: light-dark(#a11c22, #feb7b1); --bad-ground: light-dark(#ffe9e7, #43211f) }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--text); font: 400 14px/20px 'Inter Variable', Inter, system-ui, sans-serif }
h1 { margin: 0; font-size: 24px; line-height: 32px; font-weight: 600 }
h2 { margin: 0; font-size: 16px; line-height: 24px; font-weight: 600 }
p { margin: 0 }
a { color: var(--link) }
.dim { color: var(--dim) }
.card { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 24px }
.center { min-height: 100vh; display: grid; place-content: center; padding: 16px }
.stack { display: grid; gap: 16px; max-width: 420px }
label { display: block; font-weight: 500; margin-bottom: 4px }
input { width: 100%; height: 40px; padding: 0 12px; font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--control); border-radius: 6px }
button { font: inherit; color: inherit; border-radius: 6px; cursor: pointer; min-height: 40px; padding: 8px 16px; background: none; border: 1px solid var(--control) }
button.primary { background: var(--action); border-color: var(--action); color: #fff; font-weight: 600 }
button.primary:hover { background: var(--action-hover) }
.alert { background: var(--bad-ground); color: var(--bad); border-radius: 6px; padding: 12px }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
`
