import { PersonAvatar } from './picture.tsx'
import classes from './person-face.module.css'
import { PersonLink } from './record-links.tsx'

type Props = { person: { id: string; displayName: string; pictureId?: string | null | undefined } }

/** The face of a person beside their name, which leads to their page. */
export const PersonFace = ({ person }: Props) => (
  <span className={classes['face']}>
    <PersonAvatar person={person} size={24} />
    <PersonLink person={person} className={classes['name']} />
  </span>
)
