/** Where everybody finds the published page of a chapter. */
export const publicChapterPath = (code: string) => `/public/chapters/${encodeURIComponent(code)}`

/** Where everybody finds public events, and the page of one that is public or unlisted. */
export const publicEventsPath = '/public/events'
export const publicEventPath = (eventId: string) => `/public/events/${eventId}`
/** Its picture as JPEG, for messengers. */
export const publicCoverPath = (eventId: string, pictureId: string) => `${publicEventPath(eventId)}/pictures/${pictureId}`

/** A picture of a message that went out, as JPEG. */
export const publicMessagePicturePath = (fileId: string) => `/public/message-pictures/${fileId}`

/** Where everybody finds campaigns to give to. */
export const publicGivingListPath = '/public/giving'
/** Where anybody gives to a campaign. */
export const publicGivingPath = (slug: string) => `/public/giving/${slug}`
/** Its picture as JPEG, for messengers. */
export const publicGivingPicturePath = (slug: string, pictureId: string) => `${publicGivingPath(slug)}/pictures/${pictureId}`
