import type { World } from './world.ts'

/** A few rows of an area that stands beside people and chapters. All of them name the same columns; id, organisation and times are added. */
export type DemoArea = { table: string; rows: (world: World) => Record<string, string | number | boolean | object | null>[] }
