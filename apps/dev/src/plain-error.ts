/** A fault that a person can mend: its message says what is wrong and what to do, and is shown without a stack. */
export class PlainError extends Error {
  override readonly name = 'PlainError'
}

/** The sentence for a fault of the disk or of rights to it, whichever way it was worded; undefined for any other fault. */
export function explainDiskFault(text: string, folder: string): string | undefined {
  if (/ENOSPC|No space left on device|EDQUOT|Disk quota exceeded/i.test(text)) {
    return `The disk that holds ${folder} is full: free some space, 500 MB is enough to go on.`
  }
  if (/EROFS|Read-only file system/i.test(text)) {
    return `${folder} is on a read-only disk. Choose another folder, for example GUILDHALL_DATA=/srv/guildhall npm start.`
  }
  const denied = /(?:EACCES|EPERM): [^,]+, \w+ '([^']+)'/.exec(text)?.[1]
  if (denied) {
    return `${denied.startsWith(folder) ? folder : denied} belongs to another user, perhaps because root started Guildhall before. Start it as that user, or with a data folder of your own: GUILDHALL_DATA=/some/folder npm start.`
  }
  return undefined
}
