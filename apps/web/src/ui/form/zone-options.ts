/** Time zones to choose from: what the browser knows, and what is set already. */
export function zoneOptions(present: string): { value: string; label: string }[] {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...(present ? [present] : [])])
  return [...zones].toSorted().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
}
