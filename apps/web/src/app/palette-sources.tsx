import { SettingsPaletteSource } from '../features/account/account-palette-public.tsx'
import { ChaptersPaletteSource } from '../features/chapters/chapters-palette-public.tsx'
import { GroupsPaletteSource } from '../features/groups/groups-public.tsx'
import { PeoplePaletteSource } from '../features/people/people-public.tsx'

/** Mounts what lets the palette find records; each feature registers its own kind. */
export const PaletteSources = () => (
  <>
    <PeoplePaletteSource />
    <ChaptersPaletteSource />
    <GroupsPaletteSource />
    <SettingsPaletteSource />
  </>
)
