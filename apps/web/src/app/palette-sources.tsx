/** Mounts what lets the palette find records; each feature registers its own kind. */
export const PaletteSources = () => null
