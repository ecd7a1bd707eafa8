export type AreaKey =
  | 'home'
  | 'people'
  | 'groups'
  | 'chapters'
  | 'events'
  | 'fundraising'
  | 'communication'
  | 'careers'
  | 'projects'
  | 'reports'
  | 'ai'
  | 'integrations'
  | 'account'
  | 'site'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Which entry of the navigation a page belongs to. */
    area?: AreaKey
  }
}
