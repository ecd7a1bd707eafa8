import type { PictureSize } from '@guildhall/contract/features/files'
import { useQuery } from '@tanstack/react-query'
import { Avatar } from '../../ui/display/avatar.tsx'
import type { AvatarProps } from '../../ui/display/avatar.tsx'
import { useApi } from '../api/api.tsx'

/** A picture takes its reader's token to fetch, so it is no plain address; an id always means the same picture. */
export function usePicture(pictureId: string | null | undefined, size: PictureSize = 'small'): string | undefined {
  const { files } = useApi().actions
  return useQuery({
    queryKey: ['picture', pictureId, size],
    queryFn: async ({ signal }) => dataUrl(await files.picture.call({ pictureId: pictureId ?? '', size }, { signal })),
    enabled: Boolean(pictureId),
    staleTime: Infinity,
    // Initials stand where it is missing.
    retry: false,
  }).data
}

/** A file as text that a page can show and a program can read. */
export const dataUrl = (file: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
    reader.onerror = () => reject(new Error('The picture could not be read.', { cause: reader.error }))
    reader.readAsDataURL(file)
  })

type Props = { person: { displayName: string; pictureId?: string | null | undefined } } & Pick<AvatarProps, 'size'>

/** The face of a person, or their initials. */
export const PersonAvatar = ({ person: { displayName, pictureId }, ...more }: Props) => (
  <Avatar name={displayName} src={usePicture(pictureId)} {...more} />
)
