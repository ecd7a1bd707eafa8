import type features from '../../../../../features.json'

export type AreaKey = keyof typeof features

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Which entry of the navigation a page belongs to. */
    area?: AreaKey
  }
}
