/** What the page's style sheets give a drawing; a file has none, so each element takes it along. */
const properties = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'opacity',
  'text-anchor',
  'visibility',
]
const space = 'http://www.w3.org/2000/svg'
const line = 20

export type PictureWords = { title: string; legend: readonly { color: string; text: string }[] }

/** A chart as a file of its own: title above, legend below, on the ground of the page. */
export function svgOf(drawn: SVGElement, { title, legend }: PictureWords): { text: string; width: number; height: number } {
  const { width, height } = drawn.getBoundingClientRect()
  const style = getComputedStyle(drawn)
  const copy = document.createElementNS(space, 'svg')
  const whole = height + 2 * line + legend.length * line
  setAll(copy, { xmlns: space, width, height: whole, viewBox: `0 0 ${width} ${whole}`, 'font-family': style.fontFamily })
  const ground = getComputedStyle(document.body).backgroundColor
  copy.append(element('rect', { width, height: whole, fill: ground }), words(title, 8, 1, { 'font-size': 14, 'font-weight': 600 }))
  const body = element('g', { transform: `translate(0 ${1.5 * line})` })
  for (const child of drawn.children) body.append(withStyles(child))
  copy.append(body)
  legend.forEach(({ color, text }, index) => {
    const row = (height + 2 * line) / line + index + 0.5
    copy.append(element('rect', { x: 8, y: row * line - 9, width: 10, height: 10, fill: resolved(color, drawn) }))
    copy.append(words(text, 24, row, { 'font-size': 12 }))
  })
  return { text: new XMLSerializer().serializeToString(copy), width, height: whole }

  function words(text: string, x: number, row: number, more: Record<string, string | number>) {
    const node = element('text', { x, y: row * line, fill: style.color, ...more })
    node.textContent = text
    return node
  }
}

const setAll = (node: SVGElement, attributes: Record<string, string | number>) =>
  Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, String(value)))

function element(name: string, attributes: Record<string, string | number>): SVGElement {
  const node = document.createElementNS(space, name)
  setAll(node, attributes)
  return node
}

function withStyles(from: Element): Node {
  const to = from.cloneNode(false)
  if (to instanceof SVGElement) {
    const style = getComputedStyle(from)
    to.removeAttribute('class')
    to.removeAttribute('style')
    for (const { name, value } of [...to.attributes]) if (value.includes('var(')) to.removeAttribute(name)
    for (const name of properties) {
      const value = style.getPropertyValue(name)
      if (value) to.setAttribute(name, value)
    }
  }
  for (const child of from.childNodes) to.appendChild(child instanceof Element ? withStyles(child) : child.cloneNode())
  return to
}

/** A colour that a custom property holds, as the page draws it. */
function resolved(color: string, near: Element): string {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1]
  return name ? getComputedStyle(near).getPropertyValue(name) : color
}

/** Twice as fine as on the screen, so that it prints well. */
export async function pngOf(svg: { text: string; width: number; height: number }): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg.text], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = svg.width * 2
    canvas.height = svg.height * 2
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) =>
      canvas.toBlob((file) => (file ? resolve(file) : reject(new Error('the browser made no picture'))), 'image/png'),
    )
  } finally {
    URL.revokeObjectURL(address)
  }
}
