/** "2026-11-30" for "2026-12-01". */
export function dayBefore(day: string): string {
  const before = new Date(`${day}T00:00:00Z`)
  before.setUTCDate(before.getUTCDate() - 1)
  return before.toISOString().slice(0, 10)
}
