import type features from '../../../../../features.json'

export type AreaKey = keyof typeof features

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Which entry of the navigation a page belongs to. */
    area?: AreaKey
    /** Its page says that it is planned. */
    planned?: true
  }
}
