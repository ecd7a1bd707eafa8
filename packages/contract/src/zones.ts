/** Whether this is a time zone of the IANA database, such as Europe/Paris; offsets such as +01:00 know no daylight saving and are none. */
export function isTimezone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name })) && !/^[+-]/.test(name)
  } catch {
    return false
  }
}
