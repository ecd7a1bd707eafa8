import type { Connection } from '../integrations-api.ts'

const hourMs = 3_600_000

/** Whether the data is older than promised; of one that never ran, once it has existed for that long. */
export const isStale = (
  { freshHours, lastSuccessAt, createdAt }: Pick<Connection, 'freshHours' | 'lastSuccessAt' | 'createdAt'>,
  now: number,
) => freshHours !== null && now - Date.parse(lastSuccessAt ?? createdAt) > freshHours * hourMs
