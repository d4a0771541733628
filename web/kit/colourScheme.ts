import { localStorageColorSchemeManager } from '@mantine/core'

/** The dark theme as this browser was told; without a word the system's own preference counts. */
export const colourScheme = localStorageColorSchemeManager({ key: 'innkeeper.theme' })
