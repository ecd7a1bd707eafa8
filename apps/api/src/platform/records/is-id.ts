const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text could name a record at all: of one that could not, the database is not asked. */
export const isId = (text: string): boolean => uuid.test(text)
