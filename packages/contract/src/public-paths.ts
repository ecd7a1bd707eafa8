/** Where everybody finds the published page of a chapter. */
export const publicChapterPath = (code: string) => `/public/chapters/${encodeURIComponent(code)}`
