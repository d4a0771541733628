import { localStorageColorSchemeManager, type MantineColorSchemeManager } from '@mantine/core'

const stored = localStorageColorSchemeManager({ key: 'innkeeper.theme' })
type Scheme = Parameters<MantineColorSchemeManager['set']>[0]
let shown: ((scheme: Scheme) => void) | undefined

/** The theme stored in this browser, or the system's preference. */
export const colourScheme: MantineColorSchemeManager = {
  ...stored,
  subscribe(onUpdate) {
    shown = onUpdate
    stored.subscribe(onUpdate)
  },
  unsubscribe() {
    shown = undefined
    stored.unsubscribe()
  },
}

/** Applies the theme that the person chose in any browser. */
export function showTheme(scheme: Scheme): void {
  if (colourScheme.get('auto') === scheme) return
  // the provider stores the theme; before it mounts, the choice waits
  if (shown) shown(scheme)
  else colourScheme.set(scheme)
}
