/** Where an organisation has chosen no colour. */
const standardColor = '#1c4f9c'

/** The colour of an organisation as #rrggbb, and black or white, whichever is easier to read on it. */
export function colorsOf(chosen: string | null): { color: string; onColor: '#000000' | '#ffffff' } {
  const color = chosen ?? standardColor
  return { color, onColor: luminance(color) > 0.179 ? '#000000' : '#ffffff' }
}

/** What WCAG asks of text. */
const enough = 4.5

/** The colour for links on a paper, where it can be read there, else the other. */
export const linkOn = (paper: string, color: string, other: string): string => (contrast(paper, color) >= enough ? color : other)

/** Of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Relative luminance of WCAG 2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
