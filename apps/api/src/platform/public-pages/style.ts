import { createHash } from 'node:crypto'
import { colorsOf } from './colors.ts'

const style = (
  color: string,
  onColor: string,
) => `:root{color-scheme:light dark;--brand:${color};--on-brand:${onColor};--paper:#fff;--text:#1a1d21;--quiet:#50575f;--line:#d5dae0;--link:#1c4f9c;--wrong:#b3261e}
@media (prefers-color-scheme:dark){:root{--paper:#15181c;--text:#e8eaed;--quiet:#a7afb8;--line:#363c44;--link:#8fb8f5;--wrong:#f2b8b5}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--text);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:44rem;margin-inline:auto;padding-inline:1.25rem}
.band{height:.5rem;background:var(--brand)}
header{padding-block:1.25rem 0;color:var(--quiet);font-weight:600}
main{padding-block:.5rem 2rem}
h1{font-size:1.75rem;line-height:1.25;margin:.25rem 0 .5rem}
h2{font-size:1.15rem;line-height:1.3;margin:2rem 0 .5rem}
p{margin:.5rem 0}
.quiet{color:var(--quiet)}
.lines{white-space:pre-line}
a{color:var(--link)}
a:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.button{display:inline-block;margin-block:1rem;padding:.7rem 1.2rem;border-radius:.4rem;background:var(--brand);color:var(--on-brand);font-weight:600;text-decoration:none}
.button:is(button){border:0;font:inherit;font-weight:600;cursor:pointer}
.logo{display:block;max-height:3rem;max-width:12rem;margin-block-end:.5rem;padding:.25rem;border-radius:.25rem;background:#fff}
.face{display:block;width:8rem;height:8rem;border-radius:.5rem;margin-block:1rem .5rem}
.name{font-size:1.4rem;font-weight:600;margin-block:.5rem}
.notice{margin-block:1rem;padding:.75rem 1rem;border:1px solid var(--line);border-inline-start:.35rem solid var(--brand);border-radius:.25rem}
dl{display:grid;grid-template-columns:minmax(7rem,max-content) 1fr;gap:.35rem 1.25rem;margin:.5rem 0}
dt{color:var(--quiet)}
dd{margin:0}
ul.plain{list-style:none;padding:0;margin:.5rem 0}
ul.plain li{padding-block:.45rem;border-block-end:1px solid var(--line)}
label,legend{display:block;padding:0;font-weight:600;margin-block:1rem .25rem}
label.choice{font-weight:400;margin-block:.35rem}
fieldset{border:0;padding:0;margin:1rem 0}
input:not([type=checkbox],[type=radio]),select,textarea{display:block;width:100%;max-width:28rem;padding:.55rem .7rem;border:1px solid var(--quiet);border-radius:.4rem;background:var(--paper);color:inherit;font:inherit}
:is(input,select,textarea,summary):focus-visible{outline:2px solid var(--link);outline-offset:2px}
summary{cursor:pointer;margin-block:1rem .25rem}
progress{appearance:none;-webkit-appearance:none;display:block;width:100%;height:1rem;border:1px solid var(--quiet);border-radius:.5rem;background:transparent;overflow:hidden;color:var(--brand)}
progress::-webkit-progress-bar{background:transparent}
progress::-webkit-progress-value{background:var(--brand)}
progress::-moz-progress-bar{background:var(--brand)}
.layers{display:grid;margin-block:1rem .5rem}
.layers>*{grid-area:1/1}
.promised{opacity:.4}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:.6rem;margin-block:.5rem}
label.tile{display:flex;gap:.5rem;align-items:baseline;margin:0;padding:.65rem .8rem;border:1px solid var(--quiet);border-radius:.4rem;font-weight:400;cursor:pointer}
label.tile:has(:checked){border-color:var(--link);box-shadow:inset 0 0 0 1px var(--link)}
label.tile strong{display:block}
textarea,select{min-height:2.75rem}
input[aria-invalid=true]{border-color:var(--wrong);border-width:2px}
body.card main{padding:1rem 1.25rem}
body.card h1{font-size:1.2rem}
body.card .cover{max-height:10rem;object-fit:cover}
@media (forced-colors:active){progress::-webkit-progress-value{background:Highlight;forced-color-adjust:none}progress::-moz-progress-bar{background:Highlight;forced-color-adjust:none}}
.cover{display:block;width:100%;height:auto;border-radius:.5rem;margin-block:1rem}
figure{margin:1rem 0}
.code{display:block;width:12rem;height:12rem;margin-block:1rem;background:#fff}
footer{padding-block:1rem 2.5rem;border-block-start:1px solid var(--line);font-size:.9rem}
footer a{margin-inline-end:1.25rem}
@media (max-width:30rem){dl{grid-template-columns:1fr;gap:0}dd{margin-block-end:.5rem}h1{font-size:1.5rem}}
@media print{:root{--paper:#fff;--text:#000;--quiet:#333;--line:#999;--link:#000}footer,.button{display:none}main a[href^=http]::after{content:" (" attr(href) ")"}}
`

const made = new Map<string, { css: string; hash: string }>()

/** The style of a page in the organisation's colour, and its hash, by which alone the content policy lets it through. */
export function styleIn(color: string | null) {
  const { color: chosen, onColor } = colorsOf(color)
  const css = style(chosen, onColor)
  const found = made.get(chosen) ?? { css, hash: createHash('sha256').update(css).digest('base64') }
  if (made.size < 1_000) made.set(chosen, found)
  return found
}
