/** Calendar days as whole numbers since 1970-01-01: cheap to add, compare and draw. */
export const dayOf = (iso: string): number => Math.floor(Date.parse(`${iso}T00:00:00Z`) / dayMs)

const dayMs = 86_400_000
const known = new Map<number, string>()

export function isoOf(day: number): string {
  let iso = known.get(day)
  if (iso === undefined) {
    iso = new Date(day * dayMs).toISOString().slice(0, 10)
    known.set(day, iso)
  }
  return iso
}

export const yearOf = (day: number): number => Number(isoOf(day).slice(0, 4))

export const millisecondsOf = (day: number, secondOfDay: number): number => day * dayMs + secondOfDay * 1000

export const instantOf = (day: number, secondOfDay: number): string => {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${isoOf(day)}T${two(Math.floor(secondOfDay / 3600))}:${two(Math.floor(secondOfDay / 60) % 60)}:${two(secondOfDay % 60)}Z`
}

/** The same month and day in another year, as PostgreSQL adds years: the 29th of February becomes the 28th where there is none. */
export function addYears(day: number, years: number): number {
  const iso = isoOf(day)
  const year = String(Number(iso.slice(0, 4)) + years).padStart(4, '0')
  const same = Date.parse(`${year}${iso.slice(4)}T00:00:00Z`)
  const wrapped = Number.isNaN(same) || new Date(same).getUTCDate() !== Number(iso.slice(8))
  return wrapped ? dayOf(`${year}-02-28`) : Math.floor(same / dayMs)
}
